"""YAML files: no key occurs twice, and a mistake has its file and line."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

import yaml

from antdoku.errors import InputError, one_line, unknown

if TYPE_CHECKING:
    from pydantic import ValidationError

QUOTES = "must be a text: put it in quotes"
MISSING = "is missing"
REMEDIES = {  # by a part of the parser's message
    "mapping values are not allowed": "put a text with a colon in quotes",
    "a tab character": "indent with spaces",
    "cannot start any token": "put a text that begins with such a sign in quotes",
    "did not find expected": "check indentation, brackets, and quotes: # begins a comment",
}
KEYS = "must have keys, such as key: value"
HAS_KEYS = ("model_type", "model_attributes_type", "dataclass_type", "dict_type")  # of Pydantic
# Turns of Pydantic in our words.
IN_WORDS = {
    r"^(Input|String|List|Value) should": "must",
    r"must be a valid integer.*": "must be a whole number",
    r"must be a valid string": "must be a text",
    r"must be a valid": "must be a",
    r" after validation, not \d+": "",
    r", unable to parse.*": "",
    r"must match pattern .*\\s_\$.*": "must be 1 to 60 characters, no $, no blank or _ first",
    r"must match pattern .*a-z0-9_.*": "must be of a-z, 0-9 and _, with a letter first",
}
LONGEST_VALUE = 60  # characters of a value in a message
T = TypeVar("T")
THOUSANDS = re.compile(r"\d{3}")
NO_BLANK = re.compile(r"[\s-]*\w+:[^\s/].*")  # a key and its value
LARGE = re.compile(r"\d{1,3}(,\d{3})+|\d+e\d{1,2}", re.IGNORECASE)  # texts for YAML: 10,000, 1e4


TEXT, TRUTH_VALUE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:bool"


class _DistinctKeys(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # in C it is ten times as fast
    """A loader of YAML that refuses a key that occurs twice in a mapping.

    Keys such as off, on, yes and no are texts: YAML 1.1 reads them as truth values.
    """

    def construct_mapping(self, node, deep=False):
        """Return the mapping of a node as a dictionary."""
        pairs = [pair for pair in node.value if isinstance(pair[0], yaml.ScalarNode)]
        names = set()
        for key, value in pairs:
            problem = f"the key {key.value} occurs twice" if key.value in names else ""
            is_rest = node.flow_style and value.start_mark.index == key.end_mark.index
            if is_rest and THOUSANDS.fullmatch(key.value):  # of a number in braces
                problem = "a comma ends a value: write 10000 or 10_000, not 10,000"
            if problem:
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            names.add(key.value)
            key.tag = TEXT if key.tag == TRUTH_VALUE else key.tag
        return super().construct_mapping(node, deep)


def parse(text: str, source: str) -> Any:
    """Return the value of a YAML text; `source` stands in the message of an `InputError`."""
    try:
        return yaml.load(text, _DistinctKeys)
    except (ValueError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = one_line(str(getattr(error, "problem", error)))
        lines = text.split("\n")[mark.line :] if mark else []  # empty at the end of the text
        if "cannot start" in problem and lines[0].lstrip(" ").startswith("\t"):
            problem = "a tab: indent with spaces"
        remedy = next((remedy for part, remedy in REMEDIES.items() if part in problem), None)
        line = mark and mark.line + 1
        all_lines = text.split("\n")
        if "mapping values" in problem:  # the fault is in this line, or in the one above
            numbers = [n for n in (line, line - 1) if n and NO_BLANK.fullmatch(all_lines[n - 1])]
            if numbers:
                problem, line, remedy = "a blank is missing behind a colon", numbers[0], None
        raise InputError(f"not YAML: {problem}", source, line, remedy) from None


def read_text(file: str | Path) -> str:
    """Return the text of a file in UTF-8; raise `InputError` if it is none, or cannot be read."""
    try:
        content = Path(file).read_bytes()
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError("is not UTF-8", str(file), line, "save it as UTF-8") from None
    except IsADirectoryError:
        raise InputError("is a folder: name a file in it", str(file)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(file)) from None


def read(file: str | Path, example: str) -> dict[str, Any]:
    """Return the keys of a YAML file; raise `InputError` if it has no keys, or a key twice.

    Its keys are texts. `example` is a key with a value, for the message about a file without keys.
    """
    keys = parse(read_text(file), str(file))
    if not isinstance(keys, dict):
        raise InputError(f"there is no key in it, such as {example}", str(file))
    for key in keys:
        if not isinstance(key, str):
            raise mistake(QUOTES, file, key)
    return keys


def line_of(file: str | Path, path: Iterable) -> int | None:
    """Return the line of the deepest key of a path that a YAML file has; None if it has none."""
    line, node = None, yaml.compose(Path(file).read_text("utf-8"), yaml.SafeLoader)
    for key in path:
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        nodes = {name.value: (name, value) for name, value in pairs}
        if isinstance(node, yaml.SequenceNode):
            nodes = {str(number): (value, value) for number, value in enumerate(node.value)}
        if str(key) not in nodes:
            break
        name, node = nodes[str(key)]
        line = name.start_mark.line + 1
    return line


def mistake(text: str, file: str | Path, *path) -> InputError:
    """Return the error about the key at a path of a YAML file, with its line."""
    key = ".".join(map(str, path))
    return InputError(f"{key}: {text}" if key else text, str(file), line_of(file, path))


def at_key(text: str, *path: str) -> "ValidationError":
    """Return the error that a validator of Pydantic raises for a mistake at a key below its own."""
    from pydantic import ValidationError  # only files with a model need it

    context = {"error": ValueError(text)}
    problem = {"type": "value_error", "loc": path, "input": None, "ctx": context}
    return ValidationError.from_exception_data("", [problem])


def check_different(values: list) -> list:
    """Return a list; a value that occurs twice is a mistake, for a validator of Pydantic."""
    if any(value in values[:index] for index, value in enumerate(values)):
        raise ValueError("must be a list of different values")
    return values


def first_mistake(error: "ValidationError") -> tuple[tuple, str]:
    """Return the path of the first mistake, and the text of Pydantic or of our validator."""
    mistakes = error.errors()  # of a union: of each of its types
    values = [entry for entry in mistakes if not entry["type"].endswith("_type")]
    first = [*values, *mistakes][0]
    path = tuple(key for key in first["loc"] if key != "[key]")
    text = _in_words(first)
    if first["type"] == "missing":
        return path, MISSING
    if first["type"] == "value_error":
        return path, text
    if first["input"] is None:
        return path, "is empty"
    if first["type"] == "string_type" and not isinstance(first["input"], list | dict):
        text = QUOTES
    value = repr(first["input"])
    if len(value) > LONGEST_VALUE:
        value = f"{value[: LONGEST_VALUE - 3]}..."
    text += f"; it is {value}"
    if first["type"].startswith(("int_", "float_")) and LARGE.fullmatch(str(first["input"])):
        number = int(float(first["input"].replace(",", "")))
        text += f": write {number} or {number:_}"
    return path, text


def _in_words(error):
    """Return the text of an error of Pydantic, as it says what a value must be."""
    if error["type"] in HAS_KEYS:
        return KEYS
    text = error["msg"].removeprefix("Value error, ")
    for turn, words in IN_WORDS.items():
        text = re.sub(turn, words, text)
    return text


def check_keys(
    entry: Any, file: str | Path, *path, known: Iterable[str], required: Iterable[str] = ()
) -> None:
    """Raise `InputError` unless the value at a path has the required keys, and no unknown ones."""
    if not isinstance(entry, Mapping):
        raise mistake(f"must have keys: known are {', '.join(known)}", file, *path)
    for key in entry:
        if key not in known:
            raise mistake(unknown("key", key, known), file, *path, key)
    for key in required:
        if key not in entry:
            raise mistake(f"the key {key} is missing", file, *path)


def check_entry(
    kind: Callable, entry: Any, file: str | Path, *path, given: Iterable[str] = ()
) -> None:
    """Check the keys of the entry at a path: the arguments of a class that are not `given`.

    A key is required if its argument has no default.
    """
    arguments = [part for part in signature(kind).parameters.values() if part.name not in given]
    required = [part.name for part in arguments if part.default is part.empty]
    check_keys(entry, file, *path, known=[part.name for part in arguments], required=required)


def build(kind: Callable[..., T], entry: Any, file: str | Path, *path, **given) -> T:
    """Return an object of a class, made of an entry that `check_entry` has checked and `given`."""
    check_entry(kind, entry, file, *path, given=given)
    return kind(**entry, **given)


def check_name(kind: str, name: object, names: Iterable, file: str | Path, *path) -> None:
    """Refuse a name that is not among `names`; it stands at a path of a YAML file."""
    if name not in names:
        raise mistake(unknown(kind, name, names), file, *path)


def check_texts(texts: Mapping[str, Any], file: str | Path, *path) -> None:
    """Refuse an empty text at a path of a YAML file, also in a mapping of texts there."""
    for key, value in texts.items():
        if isinstance(value, Mapping):
            check_texts(value, file, *path, key)
        elif not value.strip():
            raise mistake("is empty", file, *path, key)


def check_types(entry: object, file: str | Path, *path) -> None:
    """Refuse keys of a YAML file whose values have another type than the attributes of `entry`."""
    if wrong := wrong_type(entry):
        keys, text = wrong
        raise mistake(text, file, *path, *keys)


def wrong_type(entry: object) -> tuple[tuple, str] | None:
    """Return path and text of the first attribute of another type than declared; None if none."""
    from pydantic import ValidationError  # only what is checked before runs needs it

    for name, kind in get_type_hints(type(entry)).items():
        try:
            _adapter(kind).validate_python(getattr(entry, name))
        except ValidationError as error:
            keys, text = first_mistake(error)
            return (name, *keys), text
    return None


@cache
def _adapter(kind):
    from pydantic import ConfigDict, TypeAdapter

    return TypeAdapter(kind, config=ConfigDict(strict=True, arbitrary_types_allowed=True))

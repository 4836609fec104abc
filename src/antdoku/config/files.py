"""The files of a configuration: what they hold, and which of them gives a key its value."""

import json
import os
import re
from pathlib import Path

import yaml
from pydantic import ValidationError

from antdoku.config.model import PATTERNS
from antdoku.errors import InputError, one_line

MISSING = object()


class _Loader(yaml.SafeLoader):
    """Refuses a key that stands in a mapping twice, of which YAML would take the last."""

    def compose_mapping_node(self, anchor):
        node = super().compose_mapping_node(anchor)
        names = set()
        for key, _ in node.value:
            if (name := str(key.value)) in names:
                text = f"the key {name} stands here twice"
                raise yaml.MarkedYAMLError(problem=text, problem_mark=key.start_mark)
            names.add(name)
        return node


def read(file: str | Path) -> dict:
    """What a configuration file holds, which is keys with values, each once."""
    name = shown(file)
    try:
        data = yaml.load(Path(file).read_text("utf-8"), _Loader)
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}") from None
    except Exception as error:  # PyYAML lets pass what int() or date() raise, and more
        mark = getattr(error, "problem_mark", None)
        place = f"{name}:{mark.line + 1}" if mark else name
        reason = one_line(str(getattr(error, "problem", error)))
        raise InputError(f"{place}: not valid YAML: {reason}") from None
    if not isinstance(data, dict):
        raise InputError(f"{name}:1: must hold keys with values")
    return data


def shown(file: str | Path) -> str:
    """Name of a file for messages: relative where it is below the working directory."""
    here = Path(file).absolute().is_relative_to(Path.cwd())
    return os.path.relpath(file) if here else str(file)


def refusal(path: tuple, text: str, merged: dict, files: list) -> InputError:
    """A mistake at a key of `merged`, and the first of its files that gives the key its value.

    A key that is in none of them was given on the command line.
    """
    there = path
    while (value := _value_at(merged, there)) is MISSING:  # a key that stands nowhere
        there = there[:-1]
    found = (file for file in files if _is_given(value, _value_at(read(file), there)))
    place = next(map(shown, found), "--config")
    key = f"{'.'.join(map(str, path))}: " if path else ""
    return InputError(one_line(f"{place}: {key}{text}"))


def _is_given(value, own):
    if isinstance(value, dict):
        return isinstance(own, dict)
    return repr(own) == repr(value)  # NaN is not equal to itself


def _value_at(data, path):
    """Value at a path of keys, `MISSING` where there is none."""
    for name in path:
        try:
            data = data[name]
        except (LookupError, TypeError):
            return MISSING
    return data


def told(error: ValidationError) -> tuple[tuple, str]:
    """Path of the first key that is wrong, and what is wrong there."""
    first = error.errors()[0]
    path = tuple(name for name in first["loc"] if name != "[key]")
    context = first.get("ctx", {})
    if first["type"] == "missing":
        return path[:-1], f"the key {path[-1]} is missing"
    if first["type"] == "value_error":
        return path, str(context["error"])
    value = json.dumps(first["input"], default=str, skipkeys=True)
    # Pydantic says: Input should be a valid dictionary or instance of Block.
    words = re.split(" or instance of| after validation", first["msg"])[0]
    must = PATTERNS.get(context.get("pattern")) or re.sub(r"^\w+ should ", "must ", words)
    return path, f"{value if len(value) <= 60 else value[:57] + '...'}: {must}"

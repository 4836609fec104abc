"""Reference tables made from the code: solvers, keys of the configuration, the command line.

A comment in a page, such as `<!-- solvers -->`, marks where its reference is inserted. So does
`<!-- solver acs -->` in a page of docs/algorithms, which explains this solver. Below a picture
`<!-- caption bve -->` makes it a figure with the caption of the report. The home page gets the
table of contents in the same way, because a code host would show a toctree as code.
"""

import inspect
import json
import re
from pathlib import Path

from antdoku import figures, solvers
from antdoku.config import Settings

SOLVER = re.compile(r"<!-- solver (\w+) -->")
CAPTION = re.compile(r"!\[(?P<alt>.*)\]\((?P<file>.*)\)\n\n<!-- caption (?P<name>\w+) -->")
# Levels of the configuration, and the class that declares their keys.
LEVELS = {
    "EXPERIMENT.random": "RandomInstances",
    "EXPERIMENT.random.more": "Points",
    "EXPERIMENT.puzzles.NAME": "Puzzles",
    "EXPERIMENT.puzzles.NAME.unique": "UniquePuzzles",
    "EXPERIMENT.variants.NAME": "Variant",
    "EXPERIMENT.variants.NAME.sample": "Sample",
    "jobs": "Jobs",
}
TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "object": "names with values",
    "null": "null",
    None: "a value",
}
SIGNS = re.compile(r"(``.+?``|`[^`]*`)|([*_<>\[\]|\\^~])")  # of Markdown; code is left unchanged


def setup(app):
    """Connect the functions below to the events of a build."""
    app.connect("source-read", insert)
    for part in ("description", "epilog"):
        app.connect(f"sphinx-click-process-{part}", show_examples)
    return {"parallel_read_safe": True}


def insert(app, docname: str, content: list[str]) -> None:
    """Replace the comments of a page by the references that they name."""
    docs = Path(app.srcdir)
    contents = docs / "contents.txt"
    content[0] = SOLVER.sub(lambda mark: write_solver(solvers.describe(mark[1])), content[0])
    content[0] = CAPTION.sub(write_figure, content[0])
    references = {
        "solvers": lambda: write_solvers(docs),
        "configuration": write_configuration,
        "contents": lambda: contents.read_text("utf-8"),
    }
    for name, write in references.items():
        if (mark := f"<!-- {name} -->") in content[0]:
            content[0] = content[0].replace(mark, write())
            app.env.note_dependency(str(contents))


def plain(text: str) -> str:
    """Return a text in one line, escaped so that Markdown shows it literally."""
    return SIGNS.sub(lambda sign: sign[1] or f"\\{sign[2]}", " ".join(str(text).split()))


def paragraph(text: str) -> str:
    """Return a paragraph of a docstring in Markdown, each item of a list in a line of its own."""
    return "\n".join(map(plain, re.split(r"\n(?=- )", text)))


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_figure(mark: re.Match) -> str:
    """Return a picture with the caption that the report has below it."""
    caption = plain(figures.every()[mark["name"]].caption)
    return f":::{{figure}} {mark['file']}\n:alt: {mark['alt']}\n\n{caption}\n:::"


# --- Solvers -------------------------------------------------------------------------------------


def write_solvers(docs: Path) -> str:
    """Return a table of the solvers of the package, which links to their descriptions."""
    pages = pages_of_solvers(docs)
    rows = [
        [
            f"[`{name}`](../algorithms/{pages[name]}.md#{name})",
            plain(entry["about"]),
            entry["kind"],
            span(entry),
        ]
        for name, entry in ((name, solvers.describe(name)) for name in solvers.shipped())
    ]
    return table(["solver", "what it is", "kind", "orders"], rows)


def pages_of_solvers(docs: Path) -> dict[str, str]:
    """Return the page of docs/algorithms that describes each solver, by name of the solver."""
    pages = sorted((docs / "algorithms").glob("*.md"))
    return {name: page.stem for page in pages for name in SOLVER.findall(page.read_text("utf-8"))}


def span(entry: dict, key: str = "orders") -> str:
    """Return the least and the greatest order of a solver, as text."""
    return f"{entry[key][0]} to {entry[key][-1]}"


def write_solver(entry: dict) -> str:
    """Return the promises of a solver, its docstring, and a table of its parameters."""
    paragraphs = inspect.getdoc(solvers.get(entry["name"])).split("\n\n")
    text = "\n\n".join(map(paragraph, paragraphs))
    rows = [
        [f"`{param['name']}`", f"`{param['default']}`", allowed(param), plain(param["doc"])]
        for param in entry["parameters"]
    ]
    params = table(["parameter", "default", "allowed", "meaning"], rows) if rows else ""
    head = f"## `{entry['name']}`"
    said = [head, " ".join(facts(entry)), "Its source says:", text]
    return "\n\n".join([*said, params or "No parameters."])


def facts(entry: dict):
    """Yield sentences about the orders that a solver accepts, and about its promises."""
    yield f"{entry['kind'].capitalize()}, orders {span(entry)}. Label: {plain(entry['title'])}."
    if entry["solves"] != entry["orders"]:
        yield f"It promises to solve easy puzzles of orders {span(entry, 'solves')}."
    if not entry["always_ends"]:
        yield "Hard puzzles may keep it busy for ever."


def allowed(parameter: dict) -> str:
    """Return the values that a parameter may have, as text."""
    if "words" not in parameter:
        return "{} to {}".format(*parameter["range"])
    words = [f"`{word}`: {plain(meaning)}" for word, meaning in parameter["words"].items()]
    return "; ".join(words)


# --- Configuration -------------------------------------------------------------------------------


def write_configuration() -> str:
    """Return a table for each level of keys."""
    schema = Settings.model_json_schema()
    levels = {"At the top": schema, "`EXPERIMENT`": schema["additionalProperties"]}
    for title, level in LEVELS.items():
        levels[f"`{title}`"] = {"$ref": f"#/$defs/{level}"}
    return "\n\n".join(_level(title, level, schema["$defs"]) for title, level in levels.items())


def _level(title, level, classes):
    level = _resolved(level, classes)
    rows = [
        [f"`{key}`", _values(entry, classes), _default(entry), _meaning(entry, classes)]
        for key, entry in level["properties"].items()
    ]
    head = table(["key", "allowed", "default", "meaning"], rows)
    return "\n\n".join([f"## {title}", plain(level["description"]), head])


def _resolved(entry, classes):
    """Return an entry of the JSON schema, or the class that it refers to."""
    return classes[entry["$ref"].rpartition("/")[2]] if "$ref" in entry else entry


def _meaning(entry, classes):
    return plain(entry.get("description") or _resolved(entry, classes)["description"])


def _default(entry):
    default = entry.get("default")
    return "" if default in (None, {}, []) else f"`{json.dumps(default)}`"


def _values(entry, classes):
    """Return the values that a key may have, as text."""
    if "anyOf" in entry:
        return " or ".join(_values(choice, classes) for choice in entry["anyOf"])
    if "$ref" in entry:
        keys = _resolved(entry, classes)["properties"]
        return f"the keys {', '.join(f'`{key}`' for key in keys)}"
    if "enum" in entry:
        return ", ".join(f"`{word}`" for word in entry["enum"])
    if entry.get("type") == "array":
        return f"a list, each {_values(entry['items'], classes)}"
    named = {"": entry.get("additionalProperties"), **entry.get("patternProperties", {})}
    for inner in filter(lambda inner: isinstance(inner, dict), named.values()):
        return f"names, each with {_values(inner, classes)}"
    return " ".join([TYPES[entry.get("type")], *_bounds(entry)])


def _bounds(entry):
    words = {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to", "pattern": "like"}
    return [f"{word} `{entry[key]}`" for key, word in words.items() if key in entry]


# --- Command line --------------------------------------------------------------------------------


def show_examples(app, context, lines: list[str]) -> None:
    """Turn the line blocks of a help text (`| ...`) into literal blocks, under their first line."""
    literal, was_in_block = [], False
    for line in lines:
        is_in_block = line.startswith("| ")
        if is_in_block and not was_in_block:
            literal += [f"{line[2:].rstrip(':')}::", ""]
        else:
            literal.append(f"   {line[2:]}" if is_in_block else line)
        was_in_block = is_in_block
    lines[:] = literal

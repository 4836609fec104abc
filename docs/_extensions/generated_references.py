"""References that the package knows best: solvers, keys of the configuration, the command line.

A page says where its reference stands by a comment, `<!-- solvers -->`. Each solver has a page.
So the home page has the table of contents, which a code host would show as code.
"""

import inspect
import json
import re
from pathlib import Path

from antdoku import solvers
from antdoku.config import Settings

SOLVERS = "generated/solvers"  # folder of their pages, beside the page that lists them
# Levels of the configuration below an experiment, and the class of their keys.
LEVELS = {
    "EXPERIMENT.random": "RandomInstances",
    "EXPERIMENT.random.more": "Points",
    "EXPERIMENT.puzzles.NAME": "Puzzles",
    "EXPERIMENT.puzzles.NAME.unique": "UniquePuzzles",
    "EXPERIMENT.variants.NAME": "Variant",
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
SIGNS = re.compile(r"(`[^`]*`)|([*_<>\[\]|\\^~])")  # of Markdown; what is code stays as it is


def setup(app):
    """Connect to the events of a build."""
    app.connect("builder-inited", write_solver_pages)
    app.connect("source-read", insert)
    for part in ("description", "epilog"):
        app.connect(f"sphinx-click-process-{part}", show_examples)
    return {"parallel_read_safe": True}


def insert(app, docname: str, content: list[str]) -> None:
    """Replace the comments of a page."""
    contents = Path(app.srcdir) / "contents.txt"
    references = {
        "solvers": write_solvers,
        "configuration": write_configuration,
        "contents": lambda: contents.read_text("utf-8"),
    }
    for name, write in references.items():
        if (mark := f"<!-- {name} -->") in content[0]:
            content[0] = content[0].replace(mark, write())
            app.env.note_dependency(str(contents))


def plain(text: str) -> str:
    """Text as Markdown that shows it as it is, in one line."""
    return SIGNS.sub(lambda sign: sign[1] or f"\\{sign[2]}", " ".join(str(text).split()))


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# --- Solvers -------------------------------------------------------------------------------------


def write_solvers() -> str:
    """All solvers in a table, which links to their pages."""
    found = solvers.list_solvers()
    rows = [
        [f"[`{each['name']}`]({page(each)})", plain(each["about"]), each["kind"], span(each)]
        for each in found
    ]
    tree = ["```{toctree}", ":hidden:", "", *(page(each) for each in found), "```"]
    return "\n\n".join([table(["solver", "what it is", "kind", "orders"], rows), "\n".join(tree)])


def page(entry: dict) -> str:
    """The page of a solver, as the page that lists them links to it."""
    return f"{SOLVERS}/{entry['name']}.md"


def write_solver_pages(app) -> None:
    """Write the page of each solver; one that has not changed is left as it is."""
    for entry in solvers.list_solvers():
        file = Path(app.srcdir) / "reference" / page(entry)
        file.parent.mkdir(parents=True, exist_ok=True)
        text = write_solver(entry) + "\n"
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")


def span(entry: dict, key: str = "orders") -> str:
    """Orders of a solver, from the least to the greatest."""
    return f"{entry[key][0]} to {entry[key][-1]}"


def write_solver(entry: dict) -> str:
    """A solver: what it promises, what its docstring says, and a table of its parameters."""
    paragraphs = inspect.getdoc(solvers.get(entry["name"])).split("\n\n")
    text = "\n\n".join(map(plain, paragraphs))
    rows = [
        [f"`{each['name']}`", f"`{each['default']}`", allowed(each), plain(each["doc"])]
        for each in entry["parameters"]
    ]
    params = table(["parameter", "default", "allowed", "meaning"], rows) if rows else ""
    head = f"# `{entry['name']}`"
    return "\n\n".join([head, " ".join(facts(entry)), text, params or "No parameters."])


def facts(entry: dict):
    """Sentences about what a solver takes and promises."""
    yield f"{entry['kind'].capitalize()}, orders {span(entry)}. Label: {plain(entry['title'])}."
    if entry["solves"] != entry["orders"]:
        yield f"It promises to solve easy puzzles of orders {span(entry, 'solves')}."
    if not entry["always_ends"]:
        yield "Hard puzzles may keep it busy for ever."


def allowed(parameter: dict) -> str:
    """What values a parameter may have."""
    if "words" not in parameter:
        return "{} to {}".format(*parameter["range"])
    words = [f"`{word}`: {plain(meaning)}" for word, meaning in parameter["words"].items()]
    return "; ".join(words)


# --- Configuration -------------------------------------------------------------------------------


def write_configuration() -> str:
    """A table for each level of keys."""
    schema = Settings.model_json_schema()
    levels = {"At the top": schema, "`EXPERIMENT`": schema["additionalProperties"]}
    for title, level in LEVELS.items():
        levels[f"`{title}`"] = {"$ref": f"#/$defs/{level}"}
    return "\n\n".join(_level(title, level, schema["$defs"]) for title, level in levels.items())


def _level(title, level, classes):
    level = _found(level, classes)
    rows = [
        [f"`{key}`", _values(entry, classes), _default(entry), _meaning(entry, classes)]
        for key, entry in level["properties"].items()
    ]
    head = table(["key", "allowed", "default", "meaning"], rows)
    return "\n\n".join([f"## {title}", plain(level["description"]), head])


def _found(entry, classes):
    return classes[entry["$ref"].rpartition("/")[2]] if "$ref" in entry else entry


def _meaning(entry, classes):
    return plain(entry.get("description") or _found(entry, classes)["description"])


def _default(entry):
    default = entry.get("default")
    return "" if default in (None, {}, []) else f"`{json.dumps(default)}`"


def _values(entry, classes):
    """What a key may hold."""
    if "anyOf" in entry:
        return " or ".join(_values(each, classes) for each in entry["anyOf"])
    if "$ref" in entry:
        keys = _found(entry, classes)["properties"]
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
    """Show as it is what a help text does not want to be wrapped: its line blocks."""
    shown, was_kept = [], False
    for line in lines:
        is_kept = line.startswith("| ")
        if is_kept and not was_kept:
            shown += [f"{line[2:].rstrip(':')}::", ""]
        else:
            shown.append(f"   {line[2:]}" if is_kept else line)
        was_kept = is_kept
    lines[:] = shown

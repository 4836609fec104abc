"""References that the package knows best: solvers, keys of the configuration, the command line.

A page says where its reference stands by a comment, `<!-- solvers -->`.
"""

import inspect
import json
import re
from pathlib import Path

import yaml

from antdoku import solvers

SCHEMA = Path(__file__).parents[2] / "workflow" / "schemas" / "config.schema.yaml"
SIGNS = re.compile(r"(`[^`]*`)|([*_<>\[\]|\\^~])")  # of Markdown; what is code stays as it is


def setup(app):
    """Connect to the events of a build."""
    app.connect("source-read", insert)
    for part in ("description", "epilog"):
        app.connect(f"sphinx-click-process-{part}", show_examples)
    return {"parallel_read_safe": True}


def insert(app, docname: str, content: list[str]) -> None:
    """Replace the comments of a page."""
    for name, write in {"solvers": write_solvers, "configuration": write_configuration}.items():
        if (mark := f"<!-- {name} -->") in content[0]:
            content[0] = content[0].replace(mark, write())


def plain(text: str) -> str:
    """Text as Markdown that shows it as it is, in one line."""
    return SIGNS.sub(lambda sign: sign[1] or f"\\{sign[2]}", " ".join(str(text).split()))


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# --- Solvers -------------------------------------------------------------------------------------


def write_solvers() -> str:
    """All solvers in a table, then each with its idea and its parameters."""
    found = solvers.catalogue()
    rows = [
        [f"[`{each['name']}`](#{each['name']})", plain(each["title"]), each["kind"], span(each)]
        for each in found
    ]
    overview = table(["solver", "label", "kind", "orders"], rows)
    return "\n\n".join([overview, *map(write_solver, found)])


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
    head = f"## `{entry['name']}`"
    return "\n\n".join([head, " ".join(facts(entry)), text, params or "No parameters."])


def facts(entry: dict):
    """Sentences about what a solver takes and promises."""
    yield f"{entry['kind'].capitalize()}, orders {span(entry)}. Label: {plain(entry['title'])}."
    if entry["solves"] != entry["orders"]:
        yield f"It promises to solve easy puzzles of orders {span(entry, 'solves')}."
    if not entry["complete"]:
        yield "Hard puzzles may keep it busy for ever."


def allowed(parameter: dict) -> str:
    """What values a parameter may have."""
    if "words" not in parameter:
        return "{} to {}".format(*parameter["range"])
    words = [f"`{word}`: {plain(meaning)}" for word, meaning in parameter["words"].items()]
    return "; ".join(words)


# --- Configuration -------------------------------------------------------------------------------


def write_configuration() -> str:
    """A table for each level of keys; levels that are alike stand there once."""
    schema = yaml.safe_load(SCHEMA.read_text("utf-8"))
    levels = {}
    _collect(schema, "", levels)
    return "\n\n".join(_level(names, schema) for names, schema in levels.values())


def _collect(schema, name, levels):
    """Levels by what they hold: the names that they have, and one of their schemas."""
    properties = schema.get("properties")
    if properties:
        names, _ = levels.setdefault(id(properties), ([], schema))
        names.append(name)
        if len(names) > 1:
            return
        for key, inner in properties.items():
            _collect(inner, f"{name}.{key}".lstrip("."), levels)
    if isinstance(inner := schema.get("additionalProperties"), dict):
        _collect(inner, f"{name}.NAME", levels)


def _level(names, schema):
    title = ", ".join(f"`{name}`" for name in _shortest(names)) if names[0] else "At the top"
    head = ["key", "allowed", "default", "meaning"]
    alike = {}
    for key, inner in schema["properties"].items():
        alike.setdefault(id(inner), (inner, []))[1].append(key)
    rows = [_row(keys, inner) for inner, keys in alike.values()]
    return "\n\n".join([f"## {title}", plain(schema.get("description", "")), table(head, rows)])


def _shortest(names):
    """Names without the experiment, which all have the same keys."""
    return list(dict.fromkeys(re.sub(r"^lloyd_amos\.", "EXPERIMENT.", name) for name in names))


def _row(keys, schema):
    """A row for keys of one schema."""
    shown = f"`{keys[0]}`" if len(keys) == 1 else f"`{keys[0]}` to `{keys[-1]}`"
    default = f"`{json.dumps(schema['default'])}`" if "default" in schema else ""
    return [shown, plain(schema["allowed"]), default, plain(schema["description"])]


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

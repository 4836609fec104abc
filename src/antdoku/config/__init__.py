"""The configuration: the experiments of the papers, what a user lays over them, one model.

The experiments of the papers stand in their folders (``papers/*/experiment.yaml``). A configuration
is laid over them. A mistake is an `InputError` of one line that names the user's files and the key,
and says what is allowed there.
"""

import json
import re
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from snakemake.utils import update_config

from antdoku import papers
from antdoku.config.model import FOLDER, NAME, Settings
from antdoku.errors import InputError, one_line, unknown
from antdoku.papers import published
from antdoku.puzzle.grid import ORDERS

__all__ = ["Settings", "load"]
EXPERIMENTS = "experiment.yaml"  # in the folder of a paper
DEFAULT = "config/config.yaml"
MUST = {  # in place of Pydantic's words, by the type of a mistake or the pattern of a name
    "list_type": "must be a list in brackets: [one] or [one, two]",
    "int_type": "must be a whole number",
    "dict_type": "must be keys with values",
    NAME: "must be small letters, digits and _, a letter first",
    FOLDER: "must be letters, digits and . _ -, no . first",
}


def load(
    config: dict, files: Iterable[str | Path] = (), given: Mapping[str, Any] | None = None
) -> Settings:
    """Check a configuration as Snakemake has read it, laid over the experiments of the papers.

    The user's files are for messages. Of what ``--config`` gives, Snakemake leaves numbers within a
    dictionary as texts.
    """
    of_papers, merged = laid_over_papers({}), laid_over_papers(config)
    update_config(merged, _typed(given or {}))
    # Experiments that are not chosen are not checked.
    general = {key: merged[key] for key in Settings.model_fields if key in merged}
    layers = _layers([DEFAULT, *files], given)
    try:
        chosen = Settings.model_validate(general).experiments
        _refuse(layers, _unknown_names(chosen, merged, of_papers.keys()))
        settings = Settings.model_validate(general | {name: merged[name] for name in chosen})
    except ValidationError as error:
        _refuse(layers, [_mistake(error)])
    if files:
        contents = [of_papers, *(content for _, content in layers)]
        _refuse(layers, _unknown_removals(settings, merged, contents))
    _refuse(layers, _reaches_without_work(settings))
    return settings


def laid_over_papers(config: dict) -> dict:
    """Lay a configuration over the experiments of the papers; it replaces lists as wholes."""
    merged = {}
    for file in papers.with_file(EXPERIMENTS):
        update_config(merged, yaml.safe_load(file.read_text("utf-8")))
    update_config(merged, config)
    return merged


def _refuse(layers, mistakes):
    """Raise the first of some mistakes, which are pairs of the path of a key and a text.

    It names the file that holds most of the key: the last of equals.
    """
    for path, text in mistakes:
        none = [("the configuration", {})]
        file, _ = max([*reversed(layers), *none], key=lambda layer: _depth(layer[1], path))
        key = f"{'.'.join(map(str, path))}: " if path else ""
        raise InputError(one_line(f"{file}: {key}{text}"))


def _typed(value):
    """Read all texts as YAML does."""
    if isinstance(value, Mapping):
        return {key: _typed(each) for key, each in value.items()}
    if isinstance(value, list):
        return list(map(_typed, value))
    if not isinstance(value, str):
        return value
    loader = yaml.SafeLoader("")
    tag = loader.resolve(yaml.ScalarNode, value, (True, False))
    return loader.construct_object(yaml.ScalarNode(tag, value))


class _OfDifferentKeys(yaml.SafeLoader):
    """A reader of YAML that refuses a key that stands twice in a dictionary."""

    def construct_mapping(self, node, deep=False):
        """Make a dictionary of a node."""
        names = [key.value for key, _ in node.value]
        for key, _ in node.value:
            if names.count(key.value) > 1:
                problem = f"the key {key.value} stands there twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
        return super().construct_mapping(node, deep)


def read(file: str | Path) -> Any:
    """Read a file of YAML, or JSON; raise `InputError` if it has no keys, or a key twice."""
    try:
        text = Path(file).read_text("utf-8")
        try:
            content = json.loads(text)
        except json.JSONDecodeError:
            content = yaml.load(text, _OfDifferentKeys)
    except yaml.MarkedYAMLError as error:
        place = f"{file}:{error.problem_mark.line + 1}" if error.problem_mark else file
        tab = "; YAML is indented with spaces" * ("'\\t'" in str(error.problem))
        raise InputError(f"{place}: not YAML: {error.problem}{tab}") from None
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(f"{file}: cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise InputError(f"{file}: there is no key in it, such as name: mine")
    return content


def check_named(files: Iterable[str | Path], given: Mapping[str, Any] | None = None) -> None:
    """Raise `InputError` if the last overlay has no name: its runs belong in no other folder.

    It needs none if it only cuts the same runs into other jobs.
    """
    *_, (file, keys) = [("", {}), *(layer for layer in _layers(files, given) if layer[1])]
    if keys.keys() - {"jobs"} and "name" not in keys:
        remedy = "--config name=mine" if file == "--config" else "name: mine"
        raise InputError(f"{file}: its results need a folder of their own, such as {remedy}")
    shipped = {read(each).get("name"): each for each in sorted(Path(DEFAULT).parent.glob("*.yaml"))}
    other = shipped.get(name := keys.get("name"))
    if other and not (Path(file).exists() and other.samefile(file)):
        raise InputError(f"{file}: name: {name}: {other} has this name: choose another")


def _layers(files, given) -> list[tuple[str, Any]]:
    """Pair the name of each file, and of ``--config``, with what it holds, the last on top."""
    layers = [(str(file), read(file)) for file in files if Path(file).exists()]
    return [*layers, ("--config", given)] if given else layers


def _depth(content, path):
    """Count how many keys of a path a file has."""
    for depth, key in enumerate(path):
        try:
            content = content[key]
        except (KeyError, IndexError, TypeError):
            return depth
    return len(path)


def _unknown_names(chosen, merged, of_papers):
    """Yield experiments without a description, and keys that no experiment is called by."""
    own = merged.keys() - Settings.model_fields.keys()
    for name in chosen:
        if name not in own:
            yield ("experiments",), unknown("experiment", name, sorted(own))
    for key in own - of_papers - {*chosen}:
        text = unknown("key", key, [*Settings.model_fields, *sorted(of_papers)])
        is_experiment = isinstance(merged[key], Mapping)
        yield (key,), text + "; or name it in experiments, if it is one" * is_experiment


def _unknown_removals(settings, merged, layers):
    """Yield each variant or family that is removed by null, and that no file declares."""
    for experiment, key in product(settings.blocks, ("variants", "puzzles")):
        found = [(layer.get(experiment) or {}).get(key) or {} for layer in layers]
        known = {name for entries in found for name, entry in entries.items() if entry is not None}
        for name in (merged[experiment].get(key) or {}).keys() - known:
            yield (experiment, key, name), unknown("name", name, sorted(known))


def _reaches_without_work(settings):
    """Yield each reach where the work of no program is known."""
    for experiment, block in settings.blocks.items():
        edition = published.work_of(experiment)
        for name, variant in block.variants.items():
            known = any(published.work(edition, variant.solver, order) for order in ORDERS)
            if variant.reach and not known:
                path = experiment, "variants", name, "reach"
                yield path, f"{experiment} knows no work of a program like {variant.solver}"


def _mistake(error: ValidationError) -> tuple[tuple, str]:
    """Return the path of the first key that is wrong, and a text about it."""
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
    must = MUST.get(context.get("pattern", first["type"]), re.sub(r"^\w+ should ", "must ", words))
    if context.get("le") == 1 and 1 < first["input"] <= 100:
        must += f": {first['input']:g} % is {first['input'] / 100:g}"
    return path, f"{value if len(value) <= 60 else value[:57] + '...'}: {must}"

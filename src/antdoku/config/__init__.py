"""The configuration: the experiments of the papers, what a user lays over them, one model.

The experiments of the papers stand in their folders (``papers/*/experiment.yaml``). A configuration
is laid over them. A mistake is an `InputError` of one line that names the user's files and the key,
and says what is allowed there.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from snakemake.utils import update_config

from antdoku import papers
from antdoku.config.files import read
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
    place = partial(_place, _layers([DEFAULT, *files], given))
    try:
        chosen = Settings.model_validate(general).experiments
        _refuse(_unknown_names(chosen, merged, {*of_papers}), place)
        settings = Settings.model_validate(general | {name: merged[name] for name in chosen})
    except ValidationError as error:
        _refuse([_mistake(error)], place)
    if files:
        layers = [of_papers, *(content for _, content in _layers([DEFAULT, *files], given))]
        _refuse(_unknown_removals(settings, merged, layers), place)
    _refuse(_reaches_without_work(settings), place)
    return settings


def laid_over_papers(config: dict) -> dict:
    """Lay a configuration over the experiments of the papers; it replaces lists as wholes."""
    merged = {}
    for file in papers.with_file(EXPERIMENTS):
        update_config(merged, yaml.safe_load(file.read_text("utf-8")))
    update_config(merged, config)
    return merged


def _refuse(mistakes, place):
    """Raise the first of some mistakes, which are pairs of the path of a key and a text."""
    for path, text in mistakes:
        key = f"{'.'.join(map(str, path))}: " if path else ""
        raise InputError(one_line(f"{place(path)}: {key}{text}"))


def _typed(value):
    """Read the texts within dictionaries and lists as YAML does."""
    if isinstance(value, Mapping):
        return {key: _scalar(each) for key, each in value.items()}
    return list(map(_scalar, value)) if isinstance(value, list) else value


def _scalar(value):
    if not isinstance(value, str):
        return _typed(value)
    loader = yaml.SafeLoader("")
    tag = loader.resolve(yaml.ScalarNode, value, (True, False))
    return loader.construct_object(yaml.ScalarNode(tag, value))


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


def _place(layers, path) -> str:
    """Name the file that holds most of a key: the last of equals."""
    return max(reversed(layers), key=lambda layer: _depth(layer[1], path))[0]


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
        yield (key,), unknown("key", key, [*Settings.model_fields, *sorted(of_papers)])


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

"""The configuration: layers of YAML files, laid over each other and checked by one model.

The lowest layers are the experiments of the papers (``papers/*/experiment.yaml``). Above them are
``config/config.yaml``, the files of the user and the values of ``--config``. A mistake is an
`InputError` that names the file and the key.
"""

import os
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from snakemake.utils import update_config

from antdoku import papers, yaml_files
from antdoku.config.model import Settings
from antdoku.errors import InputError, one_line, unknown
from antdoku.papers import published
from antdoku.solvers import short_name

__all__ = [
    "Layer",
    "Settings",
    "check_name",
    "check_owner",
    "load",
    "merge",
    "of_papers",
    "read_layers",
    "write_owner",
]
DEFINING = ("solver", "params", "grid", "sample")  # keys of a variant that say what runs
PATHS = ("solver", "from", "archive")  # keys whose values may be paths
DEFAULT = Path("config/config.yaml")
OWNER = "overlay.txt"  # in the folder of results: the file that names them
COMMAND_LINE = "--config"


class Layer(NamedTuple):
    """The keys of a file, or of the command line."""

    source: str
    keys: dict[str, Any]


# --- Reading -------------------------------------------------------------------------------------


def read(file: str | Path) -> Layer:
    """Read a YAML file; raise `InputError` if it has no keys, or a key twice."""
    return Layer(str(file), yaml_files.read(file, "name: mine"))


def read_layers(files: Iterable[str | Path] = (), values: Iterable[str] = ()) -> list[Layer]:
    """Read the user's layers: config/config.yaml, `files`, and the KEY=VALUE of ``--config``."""
    layers = [read(file) for file in (DEFAULT, *files)]
    entries = dict(value.split("=", 1) for value in values)
    if not entries:
        return layers
    keys = {key: yaml_files.parse(value, COMMAND_LINE) for key, value in entries.items()}
    return [*layers, Layer(COMMAND_LINE, keys)]


def of_papers() -> list[Layer]:
    """Read the experiments of the papers, with the paths of files in their folders."""
    blocks = {paper.folder: papers.blocks_of(paper) for paper in papers.every().values()}
    return [
        Layer(str(folder / papers.EXPERIMENTS), _located(keys, folder))
        for folder, keys in blocks.items()
        if keys
    ]


def _located(value, folder):
    """Return keys with `folder` before the paths that exist there; other paths stay."""
    if not isinstance(value, dict):
        return value
    located = {}
    for key, entry in value.items():
        is_path = key in PATHS and isinstance(entry, str) and (folder / entry).exists()
        located[key] = str(folder / entry) if is_path else _located(entry, folder)
    return located


def merge(layers: Iterable[Layer]) -> dict[str, Any]:
    """Lay layers over each other, the last on top: it merges dictionaries and replaces lists."""
    merged = {}
    for layer in layers:
        update_config(merged, layer.keys)
    return merged


# --- Checking ------------------------------------------------------------------------------------


def load(user: list[Layer]) -> Settings:
    """Check the user's layers over the experiments of the papers, and return the result.

    Experiments that are not chosen are not checked.
    """
    shipped = of_papers()
    layers = [*shipped, *user]
    keys = merge(layers)
    general = {key: keys[key] for key in Settings.model_fields if key in keys}
    try:
        chosen = Settings.model_validate(general).experiments
        _refuse(layers, _unknown_names(chosen, keys, merge(shipped).keys()))
        settings = Settings.model_validate(general | {name: keys[name] for name in chosen})
    except ValidationError as error:
        path, text = yaml_files.first_mistake(error)
        if text == yaml_files.MISSING:
            text += _meant(path, keys, merge(shipped))
        _refuse(layers, [(path, text)])
    _refuse(layers, _points_beside(settings, layers))
    _refuse(layers, _unknown_removals(settings, keys, layers))
    _refuse(layers, _changed_variants(settings, keys, merge(shipped)))
    _refuse(layers, _reaches_without_work(settings))
    return settings


def _meant(path, keys, shipped):
    """Return what may be meant by a block, a variant or a family that lacks a key, as text."""
    name, *inner = path
    if name in keys.keys() - shipped.keys():
        paper = papers.of_experiment(name)
        where = f"{papers.ELSEWHERE} names its folder"
        where = f"{paper.folder / papers.EXPERIMENTS} must have it" if paper else where
        return f"; or is {name} a paper's experiment? {where}"
    is_entry = len(inner) == 3 and inner[0] in ("variants", "puzzles")
    entries = (shipped.get(name) or {}).get(inner[0]) if is_entry else None
    if not entries or inner[1] in entries:
        return ""
    return f"; or, as a name of the paper: {unknown('name', inner[1], entries)}"


def check_name(user: list[Layer]) -> None:
    """Raise `InputError` if the last of the user's layers has no name: its results need a folder.

    It needs none if it only deals the same runs to other jobs.
    """
    source, keys = next((layer for layer in reversed(user[1:]) if layer.keys), user[0])
    if keys.keys() - {"jobs"} and "name" not in keys:
        remedy = "--config name=mine" if source == COMMAND_LINE else "name: mine"
        raise InputError(f"its results need a folder of their own, such as {remedy}", source)
    shipped = sorted(DEFAULT.parent.glob("*.yaml"))
    if "name" not in keys or any(Path(source).resolve() == file.resolve() for file in shipped):
        return
    for file in shipped:
        if read(file).keys.get("name") == keys["name"]:
            text = f"{keys['name']}: {file} has this name"
            raise InputError(text, f"{source}: name", remedy="choose another")


def check_owner(user: list[Layer], results: str | Path) -> None:
    """Raise `InputError` if the folder of results belongs to another overlay of the same name."""
    name, file = _named_by(user)
    record = Path(results, OWNER)
    first = record.read_text("utf-8").strip() if record.exists() else file
    is_other = Path(first).is_file() and Path(first).resolve() != Path(file).resolve()
    if is_other and read(first).keys.get("name") == name:
        text = f"{results} holds the results of other experiments ({first})"
        raise InputError(text, f"{file}: name", remedy="choose another name")


def write_owner(user: list[Layer], results: str | Path) -> None:
    """Write the path of the overlay that names the results into their folder."""
    _, file = _named_by(user)
    Path(results, OWNER).write_text(f"{os.path.relpath(file)}\n", "utf-8")


def _named_by(user):
    """Return the name of the results, and the source of the last layer with a name."""
    return next(
        (layer.keys["name"], layer.source) for layer in reversed(user) if "name" in layer.keys
    )


def _refuse(layers, mistakes):
    """Raise the first of some mistakes: pairs of the path of a key and a text.

    The message names the layer that has most of the path, the last among equals.
    """
    for path, text in mistakes:
        source, _ = max(reversed(layers), key=lambda layer: _depth(layer.keys, path))
        line = yaml_files.line_of(source, path) if Path(source).is_file() else None
        key = ".".join(map(str, path))
        raise InputError(one_line(f"{key}: {text}" if key else text), one_line(source), line)


def _depth(keys, path):
    """Return the number of keys of a path that exist, from its start."""
    for depth, key in enumerate(path):
        try:
            keys = keys[key]
        except (KeyError, IndexError, TypeError):
            return depth
    return len(path)


def _unknown_names(chosen, keys, shipped):
    """Yield chosen experiments without keys, and keys that are neither general nor experiments."""
    blocks = keys.keys() - Settings.model_fields.keys()
    for name in chosen:
        if name not in blocks:
            if paper := papers.of_experiment(name):
                file = paper.folder / papers.EXPERIMENTS
                text = f"the experiment {name}, which {papers.FILE} names, is missing"
                remedy = None if file.exists() else f"there is no {papers.EXPERIMENTS}: write it"
                raise InputError(text, str(file), remedy=remedy)
            text = unknown("experiment", name, sorted(blocks))
            if papers.ELSEWHERE not in os.environ:
                text += f"; {papers.ELSEWHERE}, the folders of your papers, is not set"
            yield ("experiments",), text
    for key in blocks - shipped - {*chosen}:
        text = unknown("key", key, [*Settings.model_fields, *sorted(shipped)])
        is_experiment = isinstance(keys[key], Mapping)
        yield (key,), text + "; or name it in experiments, if it is one" * is_experiment


def _points_beside(settings, layers):
    """Yield each value of a list `more` that its layer, over those below, lacks.

    A layer above may have fewer points.
    """
    for name, block in settings.blocks.items():
        if not (block.random and block.random.more):
            continue
        parts = [(layer.keys.get(name) or {}).get("random") or {} for layer in layers]
        last = max(number for number, part in enumerate(parts) if "more" in part)
        random = merge(layers[: last + 1])[name]["random"]
        for index, entry in enumerate(random["more"]):
            for key in ("orders", "fixed_fractions"):
                for value in {*entry[key]} - {*random[key]}:
                    path = name, "random", "more", index, key
                    yield path, unknown("value", value, random[key])


def _unknown_removals(settings, keys, layers):
    """Yield each variant or family that is removed by null and that no layer declares."""
    for experiment, part in product(settings.blocks, ("variants", "puzzles")):
        entries = [(layer.keys.get(experiment) or {}).get(part) or {} for layer in layers]
        declared = {name for of_layer in entries for name in of_layer if of_layer[name] is not None}
        for name in (keys[experiment].get(part) or {}).keys() - declared:
            text = f"is empty, which removes an entry: {unknown('name', name, sorted(declared))}"
            yield (experiment, part, name), text


def _changed_variants(settings, keys, shipped):
    """Yield each variant of a paper's experiment whose solver or parameters are not the paper's.

    Its runs would stand for the paper's in claims, and beside printed numbers.
    """
    for experiment, block in settings.blocks.items():
        declared = (shipped.get(experiment) or {}).get("variants") or {}
        for name, key in product(block.variants, DEFINING):
            own = keys[experiment]["variants"][name].get(key) or {}
            if declared.get(name) and own != (declared[name].get(key) or {}):
                text = f"is another one than that of the paper's {name}: give yours another name"
                yield (experiment, "variants", name, key), text


def _reaches_without_work(settings):
    """Yield each reach of a variant if the work of no program is known for its solver."""
    for experiment, block in settings.blocks.items():
        if paper := papers.of_experiment(experiment):
            published.check_work(paper)
        edition = published.work_of(experiment)
        for name, variant in block.variants.items():
            solver = short_name(variant.solver)
            solvers = published.solvers_with_work(edition)
            if variant.reach and solver not in solvers:
                text = unknown(f"solver of {edition} in {published.WORKS}", solver, solvers)
                text = text if solvers else _without_work(experiment)
                yield (experiment, "variants", name, "reach"), text


def _without_work(experiment):
    """Return why no work is known for an experiment, and what to do."""
    paper = papers.of_experiment(experiment)
    if not paper:
        return f"no paper has the experiment {experiment}, and its work: use limit_steps"
    known = [name for name in paper.editions if name in published.with_work()]
    where = "" if known else f", and write that work to {published.WORKS}"
    return f"set work: {known[0] if known else 'EDITION'} in {papers.FILE}{where}"

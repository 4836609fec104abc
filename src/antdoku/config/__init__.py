"""The configuration: the experiments of the papers, what a user lays over them, one model.

The experiments of the papers stand in their folders (``papers/*/experiment.yaml``). A configuration
is laid over them. A mistake is an `InputError` of one line that names the user's files and the key,
and says what is allowed there.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from snakemake.utils import update_config

from antdoku import papers
from antdoku.config.model import Settings
from antdoku.errors import InputError, one_line, unknown
from antdoku.papers import published
from antdoku.puzzle.grid import ORDERS

__all__ = ["Settings", "load"]
EXPERIMENTS = "experiment.yaml"  # in the folder of a paper
DEFAULT = "config/config.yaml"


def load(
    config: dict, files: Iterable[str | Path] = (), given: Mapping[str, Any] | None = None
) -> Settings:
    """Check a configuration, laid over the experiments of the papers.

    Parameters
    ----------
    config : dict
        As Snakemake has read it: ``config/config.yaml``, overlays, ``--config``.
    files : sequence of path
        The user's files, for messages.
    given : dict, optional
        What ``--config`` gives, for messages.

    Returns
    -------
    Settings
        Whose `blocks` are the chosen experiments.

    Raises
    ------
    InputError
        For the first mistake.
    """
    of_papers, merged = laid_over_papers({}), laid_over_papers(config)
    # Experiments that are not chosen are not checked.
    general = {key: merged[key] for key in Settings.model_fields if key in merged}
    place = ", ".join([*map(str, files), *["--config"] * bool(given)]) or DEFAULT
    try:
        chosen = Settings.model_validate(general).experiments
        _refuse(_unknown_names(chosen, merged, {*of_papers}), place)
        settings = Settings.model_validate(general | {name: merged[name] for name in chosen})
    except ValidationError as error:
        _refuse([_mistake(error)], place)
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
        raise InputError(one_line(f"{place}: {key}{text}"))


def unnamed(files: Sequence[str | Path], given: Mapping[str, Any] | None = None) -> str | None:
    """Return the last overlay if it does not name its results; none if it does, or without one."""
    if given:
        return None if "name" in given else "--config"
    # Each has a key: the Makefile, or Snakemake, has refused the others.
    is_named = not files or "name" in yaml.safe_load(Path(files[-1]).read_text("utf-8"))
    return None if is_named else str(files[-1])


def _unknown_names(chosen, merged, of_papers):
    """Yield experiments without a description, and keys that no experiment is called by."""
    own = merged.keys() - Settings.model_fields.keys()
    for name in chosen:
        if name not in own:
            yield ("experiments",), unknown("experiment", name, sorted(own))
    for key in own - of_papers - {*chosen}:
        yield (key,), unknown("key", key, [*Settings.model_fields, *sorted(of_papers)])


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
    must = re.sub(r"^\w+ should ", "must ", words)
    return path, f"{value if len(value) <= 60 else value[:57] + '...'}: {must}"

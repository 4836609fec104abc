"""The configuration of the workflow: read, check, expand it into families and jobs.

The experiments of the papers stand in their folders (``papers/*/experiment.yaml``); what a
configuration says is laid over them. A mistake is an `InputError` of one line that names the file
and the key, and says what is allowed there.
"""

from functools import cache
from itertools import chain

from pydantic import ValidationError
from snakemake.utils import update_config

from antdoku import papers, published
from antdoku.config.files import read, refusal, told
from antdoku.config.model import Block, Settings
from antdoku.config.planning import (
    Config,
    Experiment,
    Family,
    compiled,
    config_of,
    effort,
    experiment_of,
    jobs,
    kernels_of,
    order_mistakes,
    size_mistakes,
)
from antdoku.errors import unknown
from antdoku.puzzle.grid import ORDERS

__all__ = ["Block", "Config", "Experiment", "Family", "Settings", "check", "compiled", "effort"]
__all__ += ["experiment_of", "jobs", "kernels_of", "laid_over_papers", "read"]

EXPERIMENTS = "experiment.yaml"  # in the folder of a paper


def laid_over_papers(config: dict) -> dict:
    """A configuration laid over the experiments of the papers; it replaces lists as wholes."""
    merged = {}
    for layer in [*_of_papers(), config]:
        update_config(merged, layer)
    return merged


def _of_papers():
    return [_read_once(file) for file in papers.with_file(EXPERIMENTS)]


_read_once = cache(read)


def check(merged: dict, files: list) -> Config:
    """Check a configuration that was laid over the experiments of the papers.

    `files` are where its keys were written, what is laid over the others first. The first mistake
    is an `InputError`.
    """
    files = [*files, *papers.with_file(EXPERIMENTS)]
    # Each step relies on what the ones before it have let pass.
    general = {key: merged[key] for key in Settings.model_fields if key in merged}
    try:
        experiments = Settings.model_validate(general).experiments
        _raise(_name_mistakes(experiments, merged), merged, files)
        settings = Settings.model_validate(general | {name: merged[name] for name in experiments})
    except ValidationError as error:
        raise refusal(*told(error), merged, files) from None
    config = config_of(settings)
    found = chain(_reach_mistakes(settings), order_mistakes(config), size_mistakes(config))
    _raise(found, merged, files)
    return config


def _raise(mistakes, merged, files):
    for path, text in mistakes:
        raise refusal(path, text, merged, files)


def _name_mistakes(experiments, merged):
    """Experiments that there are not, and keys that are neither general nor an experiment."""
    own = merged.keys() - Settings.model_fields.keys()
    for name in experiments:
        if name not in own:
            yield ("experiments",), unknown("experiment", name, sorted(own))
    of_papers = set(chain.from_iterable(_of_papers()))
    for key in own - of_papers - {*experiments}:
        yield (key,), unknown("key", key, [*Settings.model_fields, *sorted(of_papers)])


def _reach_mistakes(settings):
    """A reach where the work of no program is known."""
    for experiment in settings.experiments:
        edition = published.work_of(experiment)
        for name, variant in settings.model_extra[experiment].variants.items():
            known = any(published.work(edition, variant.solver, order) for order in ORDERS)
            if variant.reach and not known:
                path = experiment, "variants", name, "reach"
                yield path, f"{experiment} knows no work of a program like {variant.solver}"

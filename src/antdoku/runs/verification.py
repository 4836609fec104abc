"""Do a sample of published runs again, and compare.

    python -m antdoku.runs.verification docs/results

Where steps decide how a run ends it does not depend on the machine: then status and steps must be
the same to the bit. The instances are made anew, from the configuration of the results.
"""

import json
import sys
import time
from collections.abc import Iterator
from itertools import starmap
from pathlib import Path

import click
import numpy as np
import pandas as pd
from pydantic import ValidationError
from rich.console import Console
from rich.progress import track

from antdoku import tables
from antdoku.config.model import Block
from antdoku.errors import InputError, one_line_errors
from antdoku.instances.recipes import make
from antdoku.puzzle.forms import read_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.runs.job import INSTANCE
from antdoku.runs.pool import Call, run_all
from antdoku.runs.run import Run, source_hash
from antdoku.solvers import make_params, shipped
from antdoku.tables import work

KEY = ["experiment", *INSTANCE]
DIFFERENT = 1  # exit status


def read(folder: str | Path) -> tuple[pd.DataFrame, dict]:
    """Read what can be verified in a folder of results: runs and their configuration.

    These are the runs of solvers of the package whose end steps decide, if they took any.
    """
    runs = tables.read_runs(Path(folder) / "tables" / "runs.parquet")
    is_decided = (runs["limit_steps"] > 0) & ~work.is_unfinished(runs)
    is_known = runs["solver"].isin(shipped())
    return runs[is_decided & is_known & (runs["steps"] > 0)], _config(
        Path(folder) / "provenance.json"
    )


def _config(file):
    try:
        return json.loads(file.read_text("utf-8"))["config"]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{file}: must be JSON with the key config") from None


def draw(
    runs: pd.DataFrame, number: int, seed: int, seconds: float, longest: float = np.inf
) -> pd.DataFrame:
    """Draw up to `number` runs, equally many of each variant if it has as many.

    Together they took `seconds` of CPU time at most, and each took `longest` at most.
    """
    shuffled = runs[runs["cpu_s"] <= longest].sample(frac=1, random_state=seed)
    turn = shuffled.groupby(["experiment", "variant"]).cumcount()
    chosen = shuffled.loc[turn.sort_values(kind="stable").index].head(number)
    return chosen[chosen["cpu_s"].cumsum() <= seconds]


def instances(runs: pd.DataFrame, config: dict) -> dict[tuple[str, str, str], Puzzle]:
    """Make the instances of `runs` again, by `KEY`, from the configuration that made them."""
    texts = {}
    for experiment, of_experiment in runs.groupby("experiment"):
        for family in _families(config, experiment):
            if family.name in of_experiment["family"].unique():
                table = make(family.recipe).itertuples()
                texts |= {(experiment, family.name, row.instance_id): row.puzzle for row in table}
    keys = set(runs[KEY].itertuples(index=False, name=None))
    for experiment, family, name in sorted(keys - texts.keys()):
        raise InputError(f"{experiment}: the configuration makes no instance {name} in {family}")
    return {key: read_integers(texts[key], key[-1]) for key in keys}


def _families(config, experiment):
    """Families of an experiment; its variants, whose solvers may be gone, do not matter."""
    try:
        block = config[experiment] | {"variants": {"any": {"solver": "dlx"}}}
        return Block.model_validate(block).families(config["seed"])
    except (KeyError, TypeError, ValidationError):
        raise InputError(f"{experiment}: the configuration does not describe it") from None


def again(
    runs: pd.DataFrame, puzzles: dict[tuple[str, str, str], Puzzle], n_processes: int = 1
) -> Iterator[tuple[tuple, Run]]:
    """Do `runs` again; yields each row, as a named tuple, and its run of now."""
    keys = runs[KEY].itertuples(index=False, name=None)
    calls = (
        (row, Call(puzzles[key], row.solver, params, row.seed, max_steps=row.limit_steps))
        for key, row in zip(keys, runs.itertuples(index=False))
        for params in [make_params(row.solver, json.loads(row.params))]
    )
    return run_all(calls, n_processes)


def difference(row: tuple, run: Run) -> str | None:
    """One line if `run` is not the one of which `row` tells."""
    if (row.status, row.steps) == (run.status, run.steps):
        return None
    name = f"{row.experiment}/{row.variant}, {row.instance_id}, repetition {row.repetition}"
    changed = "" if row.source_hash == source_hash(row.solver) else "; its code has changed since"
    was = f"{row.status} after {row.steps:,} steps"
    return f"{name}: {was}, now {run.status} after {run.steps:,}{changed}"


@click.command()
@click.argument("folder")
@click.option("--number", type=click.IntRange(min=1), default=500, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=300.0,
    show_default=True,
    help="Of all together, if each takes the CPU time that it took.",
)
@click.option(
    "--longest",
    type=click.FloatRange(min=0, min_open=True),
    default=np.inf,
    help="CPU seconds: leave out runs that took more.",
)
@click.option("--processes", type=click.IntRange(min=1), default=2, show_default=True)
def main(folder, number, seed, seconds, longest, processes):
    """Do some runs of the results in FOLDER again; exit with status 1 if one differs."""
    start = time.perf_counter()
    with one_line_errors():
        runs, config = read(folder)
        sample = draw(runs, number, seed, seconds * processes, longest)
        if sample.empty:
            raise InputError(f"{folder}: no run of so short a time whose end steps decide")
        console = Console(stderr=True)
        look = {"console": console, "transient": True, "disable": not console.is_terminal}
        done = again(sample, instances(sample, config), processes)
        lines = sorted(filter(None, starmap(difference, track(done, total=len(sample), **look))))
    for line in lines:
        click.echo(line)
    same, took_s = len(sample) - len(lines), time.perf_counter() - start
    outcome = "the same, status and steps to the bit"
    click.echo(f"verify: {same} of {len(sample)} runs {outcome} ({took_s:.0f} s)")
    sys.exit(DIFFERENT if lines else 0)


if __name__ == "__main__":
    main()

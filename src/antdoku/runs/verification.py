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
from rich.console import Console
from rich.progress import track

from antdoku import tables
from antdoku.config import laid_over_papers
from antdoku.config.model import Block
from antdoku.errors import InputError, one_line_errors
from antdoku.instances.recipes import make_all
from antdoku.puzzle.forms import read_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.runs.job import INSTANCE
from antdoku.runs.pool import Call, run_all
from antdoku.runs.run import Run, source_hash
from antdoku.solvers import make_params, shipped
from antdoku.tables import work

KEY = ["experiment", *INSTANCE]
PROCESSES = 2
DIFFERENT = 1  # exit status
POSITIVE = click.FloatRange(min=0, min_open=True)


def read(folder: str | Path) -> tuple[pd.DataFrame, dict]:
    """Read what can be verified in a folder of results: runs and their configuration.

    These are the runs of solvers of the package whose end steps decide, if they took any.
    """
    runs = tables.read_runs(Path(folder) / "tables" / "runs.parquet")
    is_decided = (runs["limit_steps"] > 0) & (runs["steps"] > 0) & ~work.is_unfinished(runs)
    content = json.loads((Path(folder) / "provenance.json").read_text("utf-8"))
    config = laid_over_papers(content["config"])
    return runs[is_decided & runs["solver"].isin(shipped())], config


def draw(
    runs: pd.DataFrame, number: int, seconds: float, longest: float = np.inf, seed: int = 1
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
    for experiment, names in runs.groupby("experiment")["family"].unique().items():
        # The solvers of the variants may be gone: they do not matter.
        block = config[experiment] | {"variants": {"any": {"solver": "dlx"}}}
        families = Block.model_validate(block).families(config["seed"])
        table = make_all(experiment, [family for family in families if family.name in names])
        texts |= table.set_index(KEY)["puzzle"].to_dict()
    keys = set(runs[KEY].itertuples(index=False, name=None))
    return {key: read_integers(texts[key], key[-1]) for key in keys}


def again(
    runs: pd.DataFrame, puzzles: dict[tuple[str, str, str], Puzzle], n_processes: int = PROCESSES
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
    """Return one line if `run` is not the one that `row` holds."""
    if (row.status, row.steps) == (run.status, run.steps):
        return None
    name = f"{row.experiment}/{row.variant}, {row.instance_id}, repetition {row.repetition}"
    changed = "" if row.source_hash == source_hash(row.solver) else "; its code has changed since"
    was = f"{row.status} after {row.steps:,} steps"
    return f"{name}: {was}, now {run.status} after {run.steps:,}{changed}"


@click.command(context_settings={"show_default": True})
@click.argument("folder")
@click.option("--number", type=click.IntRange(min=1), default=500)
@click.option("--seconds", type=POSITIVE, default=300.0, help="CPU seconds of each process.")
@click.option("--longest", type=POSITIVE, default=np.inf, help="CPU seconds of a run.")
def main(folder, number, seconds, longest):
    """Do some runs of the results in FOLDER again; exit with status 1 if one differs.

    Runs are drawn by the seconds that they took when they were published.
    """
    start = time.perf_counter()
    with one_line_errors():
        runs, config = read(folder)
        sample = draw(runs, number, seconds * PROCESSES, longest)
        if sample.empty:
            raise InputError(f"{folder}: no run of so short a time whose end steps decide")
        console = Console(stderr=True)
        bar = {"console": console, "transient": True, "disable": not console.is_terminal}
        done = again(sample, instances(sample, config))
        lines = sorted(filter(None, starmap(difference, track(done, total=len(sample), **bar))))
    for line in lines:
        click.echo(line)
    same, took_s = len(sample) - len(lines), time.perf_counter() - start
    outcome = "the same, status and steps to the bit"
    click.echo(f"verify: {same} of {len(sample)} runs {outcome} ({took_s:.0f} s)")
    sys.exit(DIFFERENT if lines else 0)


if __name__ == "__main__":
    main()

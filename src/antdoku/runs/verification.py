"""Do a sample of published runs again, and compare.

    python -m antdoku.runs.verification docs/results

Where steps decide how a run ends it does not depend on the machine: then status and steps must be
the same to the bit. The instances are made anew, from the configuration of the results.
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator
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
from antdoku.runs.collection import KEY
from antdoku.runs.job import run_rows
from antdoku.solvers import shipped
from antdoku.tables import work

PROCESSES = 2
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
    """Draw up to `number` runs, equally many of each variant, of so many seconds in all."""
    shuffled = runs[runs["cpu_s"] <= longest].sample(frac=1, random_state=seed)
    turn = shuffled.groupby(["experiment", "variant"]).cumcount()
    chosen = shuffled.loc[turn.sort_values(kind="stable").index].head(number)
    return chosen[chosen["cpu_s"].cumsum() <= seconds]


def instances(runs: pd.DataFrame, config: dict) -> pd.DataFrame:
    """Make the instances of `runs` again, from the configuration that made them."""
    tables = []
    for experiment, names in runs.groupby("experiment")["family"].unique().items():
        # The solvers of the variants may be gone: they do not matter.
        block = config[experiment] | {"variants": {"any": {"solver": "dlx"}}}
        families = Block.model_validate(block).families(config["seed"])
        tables.append(make_all(experiment, [each for each in families if each.name in names]))
    return pd.concat(tables)


def again(runs: pd.DataFrame, instances: pd.DataFrame) -> Iterator[dict]:
    """Do `runs` again, which only their steps limit now, and yield a row for each."""
    for name, rows in runs.assign(limit_s=np.nan).groupby("experiment"):
        there = instances[instances["experiment"] == name]
        for row in run_rows(rows, there, n_processes=PROCESSES):
            yield row | {"experiment": name}


def differences(runs: pd.DataFrame, done: Iterable[dict]) -> list[str]:
    """Return a line for each of `runs` that came out otherwise when it was done again."""
    both = runs.merge(pd.DataFrame(done), on=KEY, suffixes=("", "_now"), validate="1:1")
    is_same = (both["status"] == both["status_now"]) & (both["steps"] == both["steps_now"])
    return sorted(map(_difference, both[~is_same].itertuples()))


def _difference(row):
    name = f"{row.experiment}/{row.variant}, {row.instance_id}, repetition {row.repetition}"
    changed = "" if row.source_hash == row.source_hash_now else "; its code has changed since"
    was = f"{row.status} after {row.steps:,} steps"
    return f"{name}: {was}, now {row.status_now} after {row.steps_now:,}{changed}"


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
        lines = differences(sample, track(done, total=len(sample), **bar))
    for line in lines:
        click.echo(line)
    same, took_s = len(sample) - len(lines), time.perf_counter() - start
    outcome = "the same, status and steps to the bit"
    click.echo(f"verify: {same} of {len(sample)} runs {outcome} ({took_s:.0f} s)")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()

"""Repeat a sample of published runs, and compare.

    python -m antdoku.runs.verification docs/results

A run that its steps end does not depend on the machine. So its status and its steps must be the
same to the bit. The instances are made again, from the configuration of the results.
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import numpy as np
import pandas as pd

from antdoku import progress, tables
from antdoku.config import Layer, merge, of_papers
from antdoku.config.model import Block
from antdoku.errors import InputError, one_line_errors
from antdoku.instances.families import make_all
from antdoku.runs.collection import KEY
from antdoku.runs.job import run_rows
from antdoku.solvers import shipped
from antdoku.tables import work
from antdoku.times import duration

PROCESSES = 2
POSITIVE = click.FloatRange(min=0, min_open=True)


def read(folder: str | Path) -> tuple[pd.DataFrame, dict]:
    """Read the runs of a folder of results that can be repeated, and their configuration.

    These runs are by solvers of the package, took at least one step, and were not ended by seconds.
    """
    runs = tables.read_runs(Path(folder) / "tables" / "runs.parquet")
    is_exact = (runs["limit_steps"] > 0) & (runs["steps"] > 0) & ~work.is_unfinished(runs)
    file = Path(folder) / "provenance.json"
    content = json.loads(file.read_text("utf-8"))
    config = merge([*of_papers(), Layer(str(file), content["config"])])
    return runs[is_exact & runs["solver"].isin(shipped())], config


def draw(
    runs: pd.DataFrame, number: int, seconds: float, longest: float = np.inf, seed: int = 1
) -> pd.DataFrame:
    """Draw up to `number` runs, equally many of each variant, of up to `seconds` in all."""
    shuffled = runs[runs["cpu_s"] <= longest].sample(frac=1, random_state=seed)
    turn = shuffled.groupby(["experiment", "variant"]).cumcount()
    chosen = shuffled.loc[turn.sort_values(kind="stable").index].head(number)
    return chosen[chosen["cpu_s"].cumsum() <= seconds]


def instances(runs: pd.DataFrame, config: dict) -> pd.DataFrame:
    """Make the instances of `runs` again, from the configuration that made them."""
    parts = []
    for experiment, names in runs.groupby("experiment")["family"].unique().items():
        # The variants do not matter, and their solvers may no longer exist.
        block = config[experiment] | {"variants": {"any": {"solver": "dlx"}}}
        families = Block.model_validate(block).families(config["seed"])
        parts.append(make_all(experiment, [family for family in families if family.name in names]))
    return pd.concat(parts)


def again(runs: pd.DataFrame, instances: pd.DataFrame) -> Iterator[dict]:
    """Repeat `runs` with their limits in steps only, and yield the row of each."""
    for experiment, rows in runs.assign(limit_s=np.nan).groupby("experiment"):
        its_instances = instances[instances["experiment"] == experiment]
        for row in run_rows(rows, its_instances, n_processes=PROCESSES):
            yield row | {"experiment": experiment}


def differences(runs: pd.DataFrame, repeated: Iterable[dict]) -> list[str]:
    """Return a line for each of `runs` whose repeated row has another status or other steps."""
    pairs = runs.merge(pd.DataFrame(repeated), on=KEY, suffixes=("", "_now"), validate="1:1")
    is_equal = (pairs["status"] == pairs["status_now"]) & (pairs["steps"] == pairs["steps_now"])
    return sorted(map(_difference, pairs[~is_equal].itertuples()))


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
    """Repeat a sample of the runs in FOLDER; exit with status 1 if one differs.

    The limits refer to the seconds that the published runs took.
    """
    start = time.perf_counter()
    with one_line_errors():
        runs, config = read(folder)
        sample = draw(runs, number, seconds * PROCESSES, longest)
        if sample.empty:
            raise InputError("no run that is short enough and that steps ended", folder)
        time_s = duration(sample["cpu_s"].sum())
        click.echo(f"verify: {len(sample)} of {len(runs):,} runs, {time_s} of CPU time", err=True)
        repeated = again(sample, instances(sample, config))
        lines = differences(sample, progress.bar(repeated, len(sample)))
    for line in lines:
        click.echo(line)
    n_equal, took_s = len(sample) - len(lines), time.perf_counter() - start
    outcome = "the same, status and steps to the bit"
    click.echo(f"verify: {n_equal} of {len(sample)} runs {outcome} ({took_s:.0f} s)")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()

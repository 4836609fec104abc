"""All runs in one file: the plan with its results."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.columns import COLUMNS, OF_INSTANCE
from antdoku.errors import InputError
from antdoku.outcome import FAILURES
from antdoku.puzzle.unavoidable import unavoidable_sets
from antdoku.runs.job import INSTANCE, ONLY_PLANNED, RUN_KEY

KEY = ["experiment", *RUN_KEY]
SORT_KEY = ["experiment", "order", *RUN_KEY]


def collect(
    plan: str | Path,
    parts: Iterable[str | Path],
    instances: Iterable[str | Path],
    output: str | Path,
) -> None:
    """Write the runs of a plan to one file: its rows, with the results, sorted.

    The columns are `columns.COLUMNS` and what else the plan has. The attributes of the file have
    the peak memory of the jobs, in megabytes.

    Parameters
    ----------
    plan : path
        Parquet file.
    parts, instances : iterable of path
        Parquet files of the jobs, and of the instances of the experiments.

    Raises
    ------
    InputError
        If a run of the plan is missing, or one of another plan is there.
    """
    tables = [pd.read_parquet(part) for part in parts]
    runs = pd.concat(tables).merge(
        pd.concat(map(_facts, instances)), on=["experiment", *INSTANCE], validate="m:1"
    )
    wrong = pd.read_parquet(plan)[KEY].merge(runs[KEY], how="outer", indicator=True)
    if len(wrong := wrong[wrong["_merge"] != "both"]):
        run = ", ".join(map(str, wrong.iloc[0][KEY]))
        raise InputError(f"{len(wrong)} runs are missing, the first is {run}: --forcerun run")
    runs = runs[[*COLUMNS, *ONLY_PLANNED[1:]]].astype(COLUMNS)
    runs = runs.sort_values(SORT_KEY, ignore_index=True)
    runs.attrs = {"peak_memory_mb": max(table.attrs["peak_memory_mb"] for table in tables)}
    runs.to_parquet(output, index=False)


def _facts(path):
    """Columns of runs about their instances (`columns.OF_INSTANCE`), with their keys."""
    table = pd.read_parquet(path)
    cells = table["puzzle"].str.split()
    n_cells, n_blank = cells.map(len), cells.map(lambda values: values.count("0"))
    table["given_fraction"] = (n_cells - n_blank) / n_cells
    # Archives do not tell solutions, but hold complete grids, too.
    table["unavoidable_sets"] = table["solution"].fillna(table["puzzle"]).map(_unavoidable_sets)
    return table[["experiment", *INSTANCE, *OF_INSTANCE]]


def _unavoidable_sets(text):
    """Number of unavoidable sets of a grid, as text; NaN if it is not complete."""
    grid = np.array(text.split(), int)
    return unavoidable_sets(grid) if grid.all() else np.nan


def check(runs: pd.DataFrame) -> str:
    """Return a line that counts runs.

    Raises
    ------
    InputError
        If a solver claimed a solution that is none, or broke down.
    """
    bad = runs[runs["status"].isin(FAILURES)]
    if len(bad):
        counts = bad.groupby(["variant", "status"]).size()
        shown = ", ".join(f"{variant}: {n} {status}" for (variant, status), n in counts.items())
        first = ", ".join(str(bad.iloc[0][key]) for key in ("variant", "instance_id", "repetition"))
        raise InputError(f"wrong runs ({shown}), the first one: {first}")
    return f"{len(runs)} runs, none {' or '.join(FAILURES)}"

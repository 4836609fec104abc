"""All runs in one file: the plan with its results."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.columns import COLUMNS, INSTANCE, OF_INSTANCE, ONLY_PLANNED, with_message
from antdoku.errors import InputError, quote
from antdoku.outcome import ERROR, FAILURES
from antdoku.puzzle.unavoidable import unavoidable_sets
from antdoku.runs.job import RUN_KEY

KEY = ["experiment", *RUN_KEY]
LONGEST_MESSAGE = 120  # characters


def collect(
    plan: pd.DataFrame,
    parts: Iterable[str | Path],
    instances: Iterable[str | Path],
    output: str | Path,
) -> None:
    """Write the runs of a plan, which `parts` hold, to one file: `COLUMNS` and `ONLY_PLANNED`.

    They have the labels of the plan.
    """
    runs = pd.concat(map(pd.read_parquet, parts)).drop(columns="label")
    planned = plan[[*KEY, "label", *ONLY_PLANNED]]
    runs = runs.merge(planned, on=KEY, how="outer", validate="1:1", indicator="origin")
    missing = runs[runs["origin"] != "both"]
    if len(missing):
        run = ", ".join(map(str, missing.iloc[0][KEY]))
        text = f"{len(missing)} runs are missing, the first is {run}"
        raise InputError(text, remedy="repeat the command with --forcerun run")
    _check_code(runs)
    facts = pd.concat(map(_facts, instances))
    runs = runs.merge(facts, on=["experiment", *INSTANCE], validate="m:1")
    runs = with_message(runs)[[*COLUMNS, *ONLY_PLANNED]].astype(COLUMNS)
    runs = runs.sort_values(["experiment", "order", *RUN_KEY], ignore_index=True)
    runs.to_parquet(output, index=False)


def _check_code(runs):
    """Refuse runs of a variant that are by several versions of its code."""
    versions = runs.groupby(["experiment", "variant"])["source_hash"].nunique()
    for (experiment, variant), number in versions[versions > 1].items():
        text = f"runs of {variant} are by {number} versions of its code, or of NumPy or Numba"
        raise InputError(text, experiment, remedy="repeat the command with --forcerun run")


def _facts(path):
    """Return the columns of runs about their instances (`columns.OF_INSTANCE`), and their keys."""
    table = pd.read_parquet(path)
    cells = table["puzzle"].str.split()
    n_cells, n_blank = cells.map(len), cells.map(lambda values: values.count("0"))
    table["given_fraction"] = (n_cells - n_blank) / n_cells
    # An archive has no solutions, but some of its puzzles are complete grids.
    table["unavoidable_sets"] = table["solution"].fillna(table["puzzle"]).map(_unavoidable_sets)
    return table[["experiment", *INSTANCE, *OF_INSTANCE]]


def _unavoidable_sets(text):
    """Return the number of unavoidable sets of a grid (text); NaN if a cell is blank."""
    grid = np.array(text.split(), int)
    return unavoidable_sets(grid) if grid.all() else np.nan


def check(runs: pd.DataFrame) -> str:
    """Return a line that counts runs; raise `InputError` if a run failed."""
    bad = runs[runs["status"].isin(FAILURES)]
    if len(bad):
        counts = bad.groupby(["variant", "status"]).size()
        listed = ", ".join(f"{variant}: {n} {status}" for (variant, status), n in counts.items())
        first = bad.loc[(bad["status"] == ERROR).idxmax()]  # of none it is the first run
        run = ", ".join(str(first[key]) for key in ("variant", "instance_id", "repetition"))
        why = f": {quote(first['message'], LONGEST_MESSAGE)}" if first["message"] else ""
        text = f"wrong runs ({listed}), such as {run}{why}"
        raise InputError(text, remedy="see report.html, and logs/runs of the results")
    return f"{len(runs)} runs, none {' or '.join(FAILURES)}"

"""Files of runs: reading one, and those of many jobs as one sorted table."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.columns import COLUMNS, OF_INSTANCE, RUN_COLUMNS
from antdoku.errors import InputError
from antdoku.outcome import STATUSES
from antdoku.puzzle.unavoidable import unavoidable_sets

INSTANCE = ["family", "instance_id"]  # two families may have puzzles of one name
RUN_KEY = ["experiment", *INSTANCE, "variant", "repetition"]
SORT_KEY = ["experiment", "order", *RUN_KEY[1:]]


def collect(paths: Iterable, instances: Iterable, output: str | Path) -> None:
    """Write all runs of several files to one: sorted, whatever the order of the files.

    Attributes of the file say the peak memory of the workers, in megabytes, if it is known.

    Parameters
    ----------
    paths : iterable of path
        Files of jobs (columns `columns.RUN_COLUMNS`), each in the folder of its experiment.
    instances : iterable of path
        Files of the instances that they are about, in folders of the same names.

    Raises
    ------
    InputError
        As `read_runs`, and if a run (`RUN_KEY`) appears twice.
    """
    facts = defaultdict(list)
    for path in instances:
        facts[_experiment(path)].append(_facts(path))
    parts = [_told(read_runs(path, RUN_COLUMNS), _experiment(path), facts) for path in paths]
    nothing = pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    runs = pd.concat([nothing, *parts]).sort_values(SORT_KEY, ignore_index=True)
    if (is_twin := runs.duplicated(RUN_KEY)).any():
        run = ", ".join(map(str, runs.loc[is_twin.idxmax(), RUN_KEY]))
        raise InputError(f"runs: {run}: in the files twice, allowed is one row a run")
    peak_mb = max((part.attrs.get("peak_memory_mb", 0.0) for part in parts), default=0.0)
    runs.attrs = {"peak_memory_mb": peak_mb or None}
    runs.to_parquet(output, index=False)


def _experiment(path):
    return Path(path).absolute().parent.name


def _facts(path):
    """What runs are told of the instances of a file (`columns.OF_INSTANCE`), by `INSTANCE`."""
    table = pd.read_parquet(path, columns=[*INSTANCE, "puzzle", "solution", "source"])
    cells = table["puzzle"].str.split()
    n_cells, n_blank = cells.map(len), cells.map(lambda values: values.count("0"))
    table["given_fraction"] = (n_cells - n_blank) / n_cells
    # Archives do not tell solutions, but hold complete grids, too.
    table["unavoidable_sets"] = table["solution"].fillna(table["puzzle"]).map(_unavoidable_sets)
    return table.set_index(INSTANCE)[list(OF_INSTANCE)]


def _unavoidable_sets(text):
    """Number of unavoidable sets of a grid, as text; NaN if it is not complete."""
    grid = np.array(text.split(), int)
    return unavoidable_sets(grid) if grid.all() else np.nan


def _told(runs, experiment, facts):
    """Runs of an experiment, told of it and of their instances."""
    known = pd.concat(facts[experiment]).reindex(pd.MultiIndex.from_frame(runs[INSTANCE]))
    told = runs.assign(experiment=experiment, **known.set_axis(runs.index))
    return told[list(COLUMNS)].astype(COLUMNS)


def read_runs(path, columns: Mapping = COLUMNS) -> pd.DataFrame:
    """Read a Parquet file of runs and check its columns, types and statuses.

    Parameters
    ----------
    columns : dict of str to str
        Those that the file must have: of all runs or, `columns.RUN_COLUMNS`, of a job.

    Raises
    ------
    InputError
        Naming the file and the column, if the file is unreadable or not a runs table.
    """
    try:
        runs = pd.read_parquet(path)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: not a readable Parquet file: {reason}") from None
    if "source" in columns and "source" not in runs:  # published before there were the columns
        runs = runs.assign(source=pd.Series("", runs.index, dtype="str"), unavoidable_sets=np.nan)
    if wrong := _wrong(runs, columns):
        raise InputError(f"{path}: column {wrong}")
    return runs[list(columns)]


def _wrong(runs, columns):
    """What is wrong with a runs table; empty if nothing is."""
    for column, dtype in columns.items():
        if column not in runs:
            return f"{column}: missing: a runs table must have it"
        if runs[column].dtype != dtype:
            return f"{column}: type {runs[column].dtype}: allowed is {dtype}"
    wrong = runs.loc[~runs["status"].isin(STATUSES), "status"]
    return f"status: {wrong.iloc[0]!r}: allowed are {', '.join(STATUSES)}" if len(wrong) else ""

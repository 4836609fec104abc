"""Rows of runs -> tables: pure functions from DataFrame to DataFrame.

A runs table has the columns of `antdoku.columns.COLUMNS`, one row a run. Every table is typed even
when it is empty, leaves out what the runs do not contain, and has published numbers beside ours,
in columns of their own. The tables of a paper are in its folder (`papers`), registered by a
decorator `table`; what they are made of is here. `tables.summary` says what the
columns of the summaries mean.
"""

import pandas as pd

from antdoku.columns import COLUMNS
from antdoku.errors import InputError
from antdoku.outcome import STATUSES
from antdoku.tables import generic, summary
from antdoku.tables.registry import HISTORY, RUNS, Rows, every, get, histories, of_plan, table

__all__ = ["HISTORY", "RUNS", "Rows", "every", "generic", "get", "histories", "make", "of_plan"]
__all__ += ["read", "read_runs", "table", "write"]


def make(name: str, source: pd.DataFrame) -> pd.DataFrame:
    """Return the table `name` from a runs table or, if it is made of it, from a history."""
    entry = get(name)
    if entry.source == RUNS:
        source = summary.labelled(summary.with_equal_fractions(entry.select(source)))
    return summary.typed(entry.make(source), entry.columns)


def write(table: pd.DataFrame, path) -> None:
    """Write a table as CSV, with nine digits of each number."""
    table.to_csv(path, index=False, float_format="%.9g", lineterminator="\n")


def read(name: str, path) -> pd.DataFrame:
    """Read back the CSV of the table `name`, with its types also when it has no rows."""
    schema = get(name).columns
    kwargs = {"usecols": [*schema], "dtype": schema, "keep_default_na": False, "na_values": [""]}
    try:
        return pd.read_csv(path, **kwargs)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not a {name} table: {str(error).splitlines()[0]}") from None


def read_runs(path) -> pd.DataFrame:
    """Read the columns `columns.COLUMNS` of a Parquet file of runs; check types and statuses.

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
    for column, dtype in COLUMNS.items():
        if column not in runs:
            raise InputError(f"{path}: column {column}: missing: a runs table must have it")
        if (found := runs[column].dtype) != dtype:
            raise InputError(f"{path}: column {column}: type {found}: allowed is {dtype}")
    if len(wrong := runs.loc[~runs["status"].isin(STATUSES), "status"]):
        allowed = ", ".join(STATUSES)
        raise InputError(f"{path}: column status: {wrong.iloc[0]!r}: allowed are {allowed}")
    return runs[list(COLUMNS)]

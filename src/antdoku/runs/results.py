"""The file of runs that a comparison writes, Parquet or CSV by its ending, and can go on with.

It has one column more than other tables of runs, the puzzle: as with a line of a journal, a row
counts for the very same run only (puzzle, seed, limits, parameters, sources).
"""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from antdoku.columns import RUN_COLUMNS
from antdoku.errors import InputError
from antdoku.fileio import atomic_write
from antdoku.outcome import FAILURES
from antdoku.runs.job import Task, identity, write_runs

ENDINGS = (".parquet", ".csv")
COLUMNS = {**RUN_COLUMNS, "puzzle": "str"}


def write(table: pd.DataFrame, puzzles: pd.Series, path: str | Path) -> None:
    """Write runs, complete or not at all; `puzzles` are texts by the name of their instance."""
    table = table.assign(puzzle=table["instance_id"].map(puzzles))
    if Path(path).suffix == ".parquet":
        write_runs(table, path)
    else:
        with atomic_write(path) as file:
            table.to_csv(file, index=False)


def held(tasks: Iterable[Task], path: str | Path) -> dict[str, dict]:
    """Rows by `identity` of those of `tasks` that a file holds, if there is one.

    A file that holds anything else, which would be lost when it is written anew, is refused.
    """
    rows = read(path).to_dict("records") if Path(path).exists() else []
    found = {identity(row): row for row in rows}
    if others := found.keys() - {identity(task.known) for task in tasks}:
        raise _refusal(path, f"holds {len(others)} runs of another command or version")
    return {key: row for key, row in found.items() if row["status"] not in FAILURES}


def read(path: str | Path) -> pd.DataFrame:
    """A file of runs; anything else is refused."""
    try:
        if Path(path).suffix == ".parquet":
            return pd.read_parquet(path, columns=list(COLUMNS)).astype(COLUMNS)
        empty = {"keep_default_na": False, "na_values": [""]}
        return pd.read_csv(path, dtype=COLUMNS, usecols=list(COLUMNS), **empty)
    except (OSError, ValueError, TypeError, LookupError):
        raise _refusal(path, "is no file of runs") from None


def _refusal(path, reason):
    return InputError(f"{path}: {reason}: name another with -o, or overwrite it with --force")

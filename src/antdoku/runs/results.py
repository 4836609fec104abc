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


def split(tasks: Iterable[Task], path: str | Path) -> tuple[list[dict], list[Task]]:
    """Rows of those of `tasks` that a file holds, if there is one, and the tasks that are left.

    Raises
    ------
    InputError
        If the file holds anything else, which would be lost when it is written anew.
    """
    wanted = {identity(task.known): task for task in tasks}
    rows = read(path).to_dict("records") if Path(path).exists() else []
    held = {identity(row): row for row in rows}
    if others := held.keys() - wanted.keys():
        raise _refusal(path, f"holds {len(others)} runs of another command or version")
    done = [row for row in held.values() if row["status"] not in FAILURES]
    missing = wanted.keys() - {identity(row) for row in done}
    return done, [task for key, task in wanted.items() if key in missing]


def read(path: str | Path) -> pd.DataFrame:
    """A file of runs.

    Raises
    ------
    InputError
        If there is none, or it is none.
    """
    try:
        if Path(path).suffix == ".parquet":
            table = pd.read_parquet(path, columns=list(COLUMNS)).astype(COLUMNS)
        else:
            empty = {"keep_default_na": False, "na_values": [""]}
            table = pd.read_csv(path, dtype=COLUMNS, usecols=list(COLUMNS), **empty)
    except (OSError, ValueError, TypeError, LookupError):
        raise _refusal(path, "is no file of runs") from None
    return table


def _refusal(path, reason):
    return InputError(f"{path}: {reason}: name another with -o, or overwrite it with --force")

"""The file of runs that a comparison writes, Parquet or CSV by its ending, and can go on with.

It has one column more than other tables of runs, the puzzle: as with a line of a journal, a row
counts for the very same run only (puzzle, seed, limits, parameters, sources).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from antdoku.columns import RUN_COLUMNS
from antdoku.errors import InputError
from antdoku.fileio import atomic_write, check_output
from antdoku.outcome import FAILURES
from antdoku.runs import job
from antdoku.runs.journal import read_journals

ENDINGS = (".parquet", ".csv")
COLUMNS = {**RUN_COLUMNS, "puzzle": "str"}


def done_in(
    path: str | Path | None, plan: pd.DataFrame, instances: pd.DataFrame, force: bool, jobs: int
) -> Iterator[dict]:
    """Do the runs of a plan, but for those that a file, or the journal beside it, has.

    Raises
    ------
    InputError
        If the file holds anything else, which would be lost when it is written anew; not if it is
        to be overwritten (`force`).
    """
    if path is None:
        return job.run_rows(plan, instances, n_processes=jobs)
    check_output(path, ENDINGS)
    journal = _journal(path)
    known = read_journals([journal] if journal.exists() else [])
    if Path(path).exists() and not force:
        known |= _held(path, job.tasks_of(plan, instances).keys())
    return job.run_rows(plan, instances, journal, known, n_processes=jobs)


def table_of(
    rows: Iterable[dict], instances: pd.DataFrame, path: str | Path | None
) -> pd.DataFrame:
    """Return a table of all rows and write it, complete or not at all; its journal goes then."""
    table = job.runs_table(rows)
    if path is None:
        return table
    puzzles = instances.set_index("instance_id")["puzzle"]
    with atomic_write(path) as file:
        written = table.assign(puzzle=table["instance_id"].map(puzzles))
        if Path(path).suffix == ".parquet":
            written.to_parquet(file, index=False)
        else:
            written.to_csv(file, index=False)
    _journal(path).unlink(missing_ok=True)
    return table


def _journal(path):
    return Path(f"{path}.journal")


def _held(path, wanted):
    rows = read(path).to_dict("records")
    found = {job.identity(row): row for row in rows}
    if others := found.keys() - wanted:
        raise _refusal(path, f"holds {len(others)} runs of another command or version")
    return {key: row for key, row in found.items() if row["status"] not in FAILURES}


def read(path: str | Path) -> pd.DataFrame:
    """Read a file of runs; `InputError` if it is none."""
    try:
        if Path(path).suffix == ".parquet":
            return pd.read_parquet(path, columns=list(COLUMNS)).astype(COLUMNS)
        empty = {"keep_default_na": False, "na_values": [""]}
        return pd.read_csv(path, dtype=COLUMNS, usecols=list(COLUMNS), **empty)
    except (OSError, ValueError, TypeError, LookupError):
        raise _refusal(path, "is no file of runs") from None


def _refusal(path, reason):
    return InputError(f"{path}: {reason}: name another with -o, or overwrite it with --force")

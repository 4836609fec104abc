"""The file of runs that a comparison writes, Parquet or CSV by its ending, and can go on with.

It has one column more than other tables of runs, the puzzle: as with a line of a journal, a row
counts for the very same run only (puzzle, seed, limits, parameters, sources).
"""

from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from antdoku.columns import RUN_COLUMNS
from antdoku.errors import InputError
from antdoku.files import write_table
from antdoku.outcome import FAILURES
from antdoku.runs.job import identity
from antdoku.runs.journal import read_journals

ENDINGS = (".parquet", ".csv")
COLUMNS = {**RUN_COLUMNS, "puzzle": "str"}


@contextmanager
def resumable(
    output: str | Path | None, runs: Set[str], force: bool = False
) -> Iterator[tuple[Path | None, dict[str, dict]]]:
    """Keep runs until their file is written: yields a journal beside it, and the rows known before.

    `runs` are the identities of all that are wanted. It is an `InputError` if the file holds
    others, which would be lost, unless `force` says to overwrite it. Without a file nothing is
    kept. The journal stays if anything goes wrong.
    """
    if output is None:
        yield None, {}
        return
    known = {} if force or not Path(output).exists() else _known(output, runs)
    journal = Path(f"{output}.journal")
    known |= read_journals([journal] if journal.exists() else [])
    try:
        yield journal, known
    except KeyboardInterrupt:
        if journal.exists():
            text = f"{journal} has what is done: the same call resumes"
            raise KeyboardInterrupt(text) from None
        raise
    journal.unlink(missing_ok=True)


def _known(path, runs):
    """Return the rows of a file by identity, but for failures, which may not happen again."""
    rows = {identity(row): row for row in read(path).to_dict("records")}
    if others := rows.keys() - runs:
        raise _refusal(path, f"holds {len(others)} runs of another command or version")
    return {key: row for key, row in rows.items() if row["status"] not in FAILURES}


def write(runs: pd.DataFrame, instances: pd.DataFrame, path: str | Path) -> None:
    """Write runs with the puzzles of their instances, complete or not at all."""
    puzzles = instances.set_index("instance_id")["puzzle"]
    write_table(runs.assign(puzzle=runs["instance_id"].map(puzzles)), path)


def read(path: str | Path) -> pd.DataFrame:
    """Read a file of runs; anything else is refused."""
    try:
        if Path(path).suffix == ".parquet":
            return pd.read_parquet(path, columns=list(COLUMNS)).astype(COLUMNS)
        empty = {"keep_default_na": False, "na_values": [""]}
        return pd.read_csv(path, dtype=COLUMNS, usecols=list(COLUMNS), **empty)
    except (OSError, ValueError, TypeError, LookupError):
        raise _refusal(path, "is no file of runs") from None


def _refusal(path, reason):
    return InputError(f"{path}: {reason}: name another with -o, or overwrite it with --force")

"""Journals: what is done is on disk at once, so that a call goes on where it was interrupted."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from antdoku.errors import InputError
from antdoku.fileio import naming
from antdoku.hashing import json_of
from antdoku.outcome import FAILURES
from antdoku.runs.processes import hold


class Journal:
    """Rows that are done, one line of JSON each, on disk as soon as they are known.

    A last line that was torn by a kill is cut off. Without a path nothing is kept. One process at a
    time has a journal; the system releases the file of one that is killed.
    """

    def __init__(self, path: str | Path | None):
        self.rows: dict[str, dict] = {}
        self._path, self._file = path, None
        if path is None:
            return
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._file = open(path, "a+b")
        if not hold(self._file):
            raise InputError(f"{path}: another process is at work on it")
        self._file.seek(0)
        lines = self._file.readlines()
        if lines and not lines[-1].endswith(b"\n"):
            self._file.truncate(self._file.tell() - len(lines.pop()))
        self.rows = _entries(lines)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._file:
            with naming(self._path):  # what a full disk has refused is tried once more
                self._file.close()

    def add(self, key: str, row: dict) -> None:
        """Keep `row` under `key`, for good."""
        self.rows[key] = row
        if self._file:
            with naming(self._path):
                self._file.write(json_of({"key": key, "row": row}).encode() + b"\n")
                self._file.flush()
                os.fsync(self._file.fileno())


@contextmanager
def resumable(journal: Path | None) -> Iterator[None]:
    """Remove a journal, if any, when all is done; whoever interrupts is told that it remains."""
    if journal is None:
        yield
        return
    try:
        yield
        journal.unlink()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"{journal} keeps what is done: the same call resumes") from None
    finally:  # one with nothing in it goes, unless another process is at work on it
        with suppress(FileNotFoundError), open(journal, "r+b") as file:
            if hold(file) and not os.fstat(file.fileno()).st_size:
                journal.unlink()


def rows_of(journal: str | Path) -> dict[str, dict]:
    """Rows by key of a journal that another process may be writing."""
    with open(journal, "rb") as file:
        return _entries(file)


def _entries(lines):
    return dict(filter(None, map(read_entry, lines)))


def read_entry(line: bytes) -> tuple[str, dict] | None:
    """Key and row of a line of a journal; None if it is torn, or of a run that failed.

    Such a run is done again: the cause may be gone.
    """
    try:
        entry = json.loads(line)
        usable = entry["row"].get("status") not in FAILURES
        return (entry["key"], entry["row"]) if usable else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None

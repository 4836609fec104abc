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

    A last line that was torn by a kill is cut off. Runs that failed (`outcome.FAILURES`) are not
    taken from it: the cause may be gone. Without a path nothing is kept. One process at a time has
    a journal; the system releases the file of one that is killed.
    """

    def __init__(self, path: str | Path | None):
        self.rows: dict[str, dict] = {}
        self._path, self._file = path, None
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._file = open(path, "a+b")
            if hold(self._file) is False:
                raise InputError(f"{path}: another process is at work on it")

    def __enter__(self):
        if self._file:
            self._file.seek(0)
            lines = _complete_lines(self._file)
            self._file.truncate(sum(map(len, lines)))
            self.rows = _entries(lines)
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


def remove_empty(journal: str | Path) -> None:
    """Remove a journal in which there is nothing, unless another process is at work on it."""
    with suppress(FileNotFoundError), open(journal, "r+b") as file:
        if hold(file) is not False and not os.fstat(file.fileno()).st_size:
            os.unlink(journal)


@contextmanager
def resumable(journal: Path | None) -> Iterator[None]:
    """Remove a journal, if any, when all is done; whoever interrupts is told that it remains."""
    try:
        yield
        if journal:
            journal.unlink()
    except KeyboardInterrupt:
        kept = f"{journal} keeps what is done: the same call resumes"
        raise KeyboardInterrupt(kept if journal else "") from None
    finally:
        if journal:
            remove_empty(journal)


def rows_of(journal):
    """Rows by key of a journal that another process may be writing."""
    with open(journal, "rb") as file:
        return _entries(_complete_lines(file))


def _complete_lines(file):
    """Lines of a journal without a last one that has no end."""
    lines = file.readlines()
    return lines if not lines or lines[-1].endswith(b"\n") else lines[:-1]


def _entries(lines):
    return dict(filter(None, map(read_entry, lines)))


def read_entry(line: bytes) -> tuple[str, dict] | None:
    """Key and row of a line of a journal; None if that run is to be done again."""
    try:
        entry = json.loads(line)
        usable = entry["row"].get("status") not in FAILURES
        return (entry["key"], entry["row"]) if usable else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None

"""Journals: a run is on disk before the next one starts, so a job goes on where it was ended."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from antdoku.fileio import naming
from antdoku.hashing import json_of
from antdoku.outcome import FAILURES


class Journal:
    """Rows by key, one line of JSON each, appended and flushed to disk as soon as they are known.

    Without a path nothing is kept.
    """

    def __init__(self, path: str | Path | None):
        self._file = None
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            _drop_torn_line(path)
            self._file = open(path, "ab")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._file:
            with naming(self._file.name):  # what a full disk has refused is tried once more
                self._file.close()

    def add(self, key: str, row: dict) -> None:
        """Keep a row for good."""
        if self._file:
            with naming(self._file.name):
                self._file.write(json_of({"key": key, "row": row}).encode() + b"\n")
                self._file.flush()
                os.fsync(self._file.fileno())


def read_journals(paths: Iterable[str | Path]) -> dict[str, dict]:
    """Read the rows of journals by key.

    Torn lines are left out, and rows of failures: such a run is done again, the cause may be gone.
    """
    rows = {}
    for path in paths:
        with open(path, "rb") as lines:
            rows |= filter(None, map(_entry, lines))
    return rows


def _entry(line):
    try:
        entry = json.loads(line)
        usable = entry["row"].get("status") not in FAILURES
        return (entry["key"], entry["row"]) if usable else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _drop_torn_line(path):
    """Cut off what a kill has left of a last line."""
    if Path(path).exists():
        content = Path(path).read_bytes()
        if not content.endswith(b"\n"):
            os.truncate(path, content.rfind(b"\n") + 1)

"""Journals: a run is written before the next one starts, so a job goes on where it was ended.

What a computer that loses its power may lose are the runs of the last second.
"""

import hashlib
import json
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from operator import methodcaller
from pathlib import Path

from antdoku.files import naming
from antdoku.outcome import FAILURES

SYNC_S = 1.0  # seconds between two times that a journal is forced to the disk


class Journal:
    """Rows by key, one line of JSON each, appended as soon as they are known.

    The file is made with the first row. Without a path nothing is kept.
    """

    def __init__(self, path: str | Path | None):
        self._path, self._file, self._synced = path, None, -SYNC_S

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._file:
            with naming(self._path):  # what a full disk has refused is tried once more
                self._file.close()

    def add(self, key: str, row: dict) -> None:
        """Keep a row for good."""
        if self._path is None:
            return
        with naming(self._path):
            if self._file is None:
                self._file = _open_for_lines(Path(self._path))
            self._file.write(json_of({"key": key, "row": row}).encode() + b"\n")
            self._file.flush()
            if time.monotonic() - self._synced > SYNC_S:  # it takes longer than a short run
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()


def _open_for_lines(path):
    """Open a file for further lines; what a kill has left of a last one is cut off."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = path.read_bytes() if path.exists() else b""
    if not content.endswith(b"\n"):
        path.touch()
        os.truncate(path, content.rfind(b"\n") + 1)
    return open(path, "ab")


def read_journals(paths: Iterable[str | Path]) -> dict[str, dict]:
    """Read the rows of journals by key.

    Torn lines are left out, and rows of failures: such a run is done again, the cause may be gone.
    """
    rows = {}
    for line in (line for path in paths for line in Path(path).read_bytes().splitlines()):
        with suppress(ValueError, TypeError, KeyError):
            entry = json.loads(line)
            if entry["row"]["status"] not in FAILURES:
                rows[entry["key"]] = entry["row"]
    return rows


def hash_of(content) -> str:
    """Hash what JSON can hold: the same for the same content, as `json_of` writes it."""
    return hashlib.sha256(json_of(content).encode()).hexdigest()


def json_of(content) -> str:
    """Write content as JSON with sorted keys; NumPy's numbers as those of Python."""
    return json.dumps(content, sort_keys=True, default=methodcaller("item"))

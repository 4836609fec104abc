"""Files of puzzles: text in any of the forms of `forms`, and tables with a column `puzzle`."""

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from antdoku.errors import InputError, one_line, quote
from antdoku.puzzle.forms import read_puzzles
from antdoku.puzzle.grid import Puzzle

MAX_MEGABYTES = 16  # of text: 200,000 puzzles of order 3
MAX_ROWS = 200_000  # of a Parquet file
TABLE_COLUMNS = ("instance_id", "name", "family", "fixed_fraction", "puzzle")


def read_file(path: str | Path, kind: type[Puzzle] = Puzzle) -> list[Puzzle]:
    """Read a file of puzzles: ``.parquet`` or ``.csv`` with a column `puzzle`, else text.

    The puzzles of a table are named after its column `instance_id` or `name`, others
    ``path:line``.

    Raises
    ------
    InputError
        If the file cannot be read, or not as puzzles.
    """
    if is_table(path):
        return _read_table(table_rows(path), shown(path), kind)
    return read_puzzles(read_text(path), shown(path), kind)


def shown(path: str | Path) -> str:
    """Return how messages, and the puzzles in it, call a file: quoted if it cannot be printed."""
    name = str(path)
    return name if name.isprintable() else ascii(name)


def is_table(path: str | Path) -> bool:
    """Tell from the name whether a file is a table of puzzles."""
    return Path(path).suffix.lower() in (".csv", ".parquet")


def table_rows(path: str | Path) -> Iterator[dict]:
    """Yield the rows of a table, with the columns `TABLE_COLUMNS` at least where it has them."""
    if Path(path).suffix.lower() == ".csv":
        return _csv_rows(read_text(path), shown(path))
    return _parquet_rows(path)


def read_text(path: str | Path) -> str:
    """Read a text file as `read_stream` does; `InputError` if it cannot be opened."""
    with _opened(path) as stream:
        return read_stream(stream, shown(path))


@contextmanager
def _opened(path, *failures):
    """Open a file; what fails meanwhile, with one of `failures` too, becomes one line."""
    try:
        with open(path, "rb") as stream:
            yield stream
    except InputError:
        raise
    # A ValueError: a name with NUL or half a surrogate pair, or what Python cannot hold.
    except (OSError, ValueError, *failures) as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        reason = one_line(reason)[:200]
        raise InputError(f"{shown(path)}: cannot be read: {reason}") from None


def read_stream(stream: BinaryIO, source_name: str) -> str:
    """Read all of an open file: UTF-8, at most `MAX_MEGABYTES`, no binary data."""
    limit = MAX_MEGABYTES * 10**6
    data = stream.read(limit + 1)
    if len(data) > limit:
        raise InputError(f"{source_name}: more than the allowed {MAX_MEGABYTES} MB: split the file")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{source_name}: text in UTF-16: save it as UTF-8")
    if b"\0" in data:
        raise InputError(f"{source_name}: a binary file: allowed are text, .csv and .parquet")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{source_name}: byte {error.start + 1} is not UTF-8: save the file as UTF-8 text"
        ) from None


def _read_table(rows: Iterable[dict], source_name: str, kind: type[Puzzle]) -> list[Puzzle]:
    """Read the column `puzzle`; the rows of a table are dicts with the same keys."""
    puzzles = []
    for number, row in enumerate(rows, start=1):
        place = f"{source_name}: row {number}"
        if not isinstance(row.get("puzzle"), str):
            raise InputError(f"{place}: no text in a column 'puzzle'; {_columns(row)}")
        found = read_puzzles(row["puzzle"], place, kind)
        if len(found) != 1:
            raise InputError(f"{place}: {len(found)} puzzles: a row holds one")
        name = row.get("instance_id") or row.get("name") or place
        puzzles.append(replace(found[0], name=str(name)))
    if not puzzles:
        raise InputError(f"{source_name}: there is no puzzle in it")
    return puzzles


def _csv_rows(text: str, source_name: str) -> Iterator[dict]:
    try:
        lines = io.StringIO(text.lstrip("\r\n"), newline="")
        yield from csv.DictReader(lines, restkey="")  # where a row is longer than the header
    except csv.Error as error:
        raise InputError(f"{source_name}: cannot be read as CSV: {error}") from None


def _parquet_rows(path: str | Path) -> list[dict]:
    import pyarrow  # which few need
    from pyarrow.parquet import ParquetFile

    with _opened(path, pyarrow.ArrowException, OverflowError, LookupError) as stream:
        file = ParquetFile(stream)
        names = file.schema_arrow.names
        if "puzzle" not in names:
            raise InputError(f"{shown(path)}: no column 'puzzle'; {_columns(names)}")
        if file.metadata.num_rows > MAX_ROWS:
            raise InputError(
                f"{shown(path)}: more than the allowed {MAX_ROWS} rows: split the file"
            )
        return file.read([name for name in TABLE_COLUMNS if name in names]).to_pylist()


def _columns(names: Iterable[str]) -> str:
    return f"columns: {quote(', '.join(names), 80)}"

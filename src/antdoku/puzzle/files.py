"""Files of puzzles: text in any of the forms of `forms`, tables and JSON, compressed or not."""

import csv
import gzip
import json
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import BinaryIO

import numpy as np

from antdoku.errors import InputError, one_line, quote
from antdoku.puzzle.forms import LINE_END, ORDER_OF_SIZE, find_cells, read_puzzles
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.symbols import puzzles_of

MAX_MEGABYTES = 16  # of text: 200,000 puzzles of order 3
MAX_ROWS = 200_000  # of a table
BATCH = 16_384  # rows that are read at a time, at most
# Columns of tables, and keys of JSON; those of several that come first count.
NAMES = ("instance_id", "name", "id")
PUZZLES = ("puzzle", "quizzes")  # the latter on Kaggle
SOLUTIONS = ("solution", "solutions")
TABLE_COLUMNS = (*NAMES, "family", "fixed_fraction", *PUZZLES, *SOLUTIONS)
GZIP = b"\x1f\x8b"  # how compressed data begin
JSON = re.compile(r"\s*(\{|\[\s*([\[\]{\"\d-]|null))")  # [Puzzle] is a section
CELL = re.compile(r'\s*"?([0-9]{1,3}|[A-Za-z]|-1|[.*_-]?)"?\s*')  # of a spreadsheet
LONGEST_CELL = 3  # characters of a cell in a list of texts
DESCRIPTION = re.compile(r"^#D[ \t]*(\S[^\r\n]*)", re.MULTILINE)  # in a file of SadMan Sudoku


class Grid(Puzzle):
    """A grid that may break the rules: that is to be found out.

    Of a table with solutions beside the puzzles, these are read.
    """

    KEEPS_RULES = False


def read_file(
    path: str | Path, kind: type[Puzzle] = Puzzle, symbols: str | None = None
) -> list[Puzzle]:
    """Read a file, or ``-`` for standard input, as `reading.read` says."""
    if is_table(path):
        return read_table(table_rows(path), shown(path), kind, symbols)
    text = read_text(path)
    puzzles = read_content(text, shown(path), kind, symbols)
    if ending(path) == ".sdk" and len(puzzles) == 1 and (title := DESCRIPTION.search(text)):
        return [replace(puzzles[0], name=title[1].strip())]
    return puzzles


def read_content(
    text: str, source_name: str, kind: type[Puzzle] = Puzzle, symbols: str | None = None
) -> list[Puzzle]:
    """Read the puzzles of a text in any of the forms of `forms`, of JSON, or of a spreadsheet."""
    if JSON.match(text):
        found = _from_json(text, source_name)
        if any(isinstance(each, dict) for each in found):
            return read_table(found, source_name, kind, symbols)
        text = text_of(found, source_name)
    elif _is_spreadsheet(text):
        text = _from_spreadsheet(text)
    return read_puzzles(text, source_name, kind, symbols)


# --- Bytes and names of files --------------------------------------------------------------------


def shown(path: str | Path) -> str:
    """Return how messages, and the puzzles in it, call a file: quoted if it cannot be printed."""
    name = "standard input" if path == "-" else str(path)
    return name if name.isprintable() else ascii(name)


def ending(path: str | Path) -> str:
    """How the name of a file ends, in small letters; ``.gz`` says nothing: ``.csv`` of a.csv.gz."""
    return _uncompressed(path).suffix.lower()


def stem(path: str | Path) -> str:
    """Name of a file without folder and ending."""
    return _uncompressed(path).stem


def _uncompressed(path):
    path = Path(path)
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


@contextmanager
def opened(path: str | Path, *failures: type[Exception]) -> Iterator[BinaryIO]:
    """Open a file, compressed or not; ``-`` is standard input.

    What fails meanwhile, with one of `failures` too, becomes one line.
    """
    if path == "-" and sys.stdin is None:
        raise InputError("standard input is closed")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as stream:
            yield gzip.GzipFile(fileobj=stream) if stream.peek(2).startswith(GZIP) else stream
    except InputError:
        raise
    # A ValueError: a name with NUL or half a surrogate pair, or what Python cannot hold.
    except (OSError, EOFError, ValueError, zlib.error, *failures) as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        reason = one_line(reason)[:200]
        raise InputError(f"{shown(path)}: cannot be read: {reason}") from None


def read_text(path: str | Path) -> str:
    """Read a text file, as `read_stream` does."""
    with opened(path) as stream:
        return read_stream(stream, shown(path))


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


# --- Tables --------------------------------------------------------------------------------------


def is_table(path: str | Path) -> bool:
    """Whether a file is a table of puzzles: Parquet, or CSV that is no spreadsheet of cells."""
    if ending(path) == ".csv":
        return not _is_spreadsheet(_beginning(path))
    return ending(path) == ".parquet"


def _beginning(path):
    """The first line of a CSV file that is not blank."""
    with opened(path) as stream:
        text = stream.read(2**16).decode("utf-8-sig", "replace")
    return next(filter(str.strip, LINE_END.split(text)), "")


def batches(path: str | Path, columns: Iterable[str] = TABLE_COLUMNS) -> Iterator[dict[str, list]]:
    """Yield the rows of a table, some thousands at a time: lists of those columns that it has."""
    import pyarrow  # which few need
    from pyarrow.parquet import ParquetFile

    with opened(path, pyarrow.ArrowException, OverflowError, LookupError) as stream:
        file = None if ending(path) == ".csv" else ParquetFile(stream)
        names = file.schema_arrow.names if file else next(csv.reader([_beginning(path)]), [])
        wanted = [name for name in columns if name in names]
        if not {*PUZZLES, *SOLUTIONS} & {*wanted}:
            raise InputError(f"{shown(path)}: no column 'puzzle'; {_columns(names)}")
        found = file.iter_batches(BATCH, columns=wanted) if file else _csv_batches(stream, wanted)
        yield from (batch.to_pydict() for batch in found if batch.num_rows)


def _csv_batches(stream, columns):
    import pyarrow
    from pyarrow import csv

    types = dict.fromkeys(columns, pyarrow.string())
    return csv.open_csv(
        stream,
        csv.ReadOptions(block_size=200 * BATCH),
        csv.ParseOptions(newlines_in_values=True),
        csv.ConvertOptions(include_columns=columns, column_types=types),
    )


def table_rows(path: str | Path) -> Iterator[dict]:
    """Yield the rows of a table, with those of `TABLE_COLUMNS` that it has."""
    n_rows = 0
    for columns in batches(path):
        rows = [dict(zip(columns, row)) for row in zip(*columns.values())]
        n_rows += len(rows)
        if n_rows > MAX_ROWS:
            raise InputError(
                f"{shown(path)}: more than the allowed {MAX_ROWS} rows: split the file"
            )
        yield from rows


def read_table(
    rows: Iterable[dict],
    source_name: str,
    kind: type[Puzzle] = Puzzle,
    symbols: str | None = None,
    first: int = 1,
) -> list[Puzzle]:
    """Read the column of puzzles, or of grids; rows are dicts, numbered from `first`."""
    wanted = (*SOLUTIONS, *PUZZLES) if issubclass(kind, Grid) else PUZZLES
    found = []
    for number, row in enumerate(rows, first):
        place = f"{source_name}: row {number}"
        if not isinstance(row, dict):
            raise InputError(f"{place}: must be a JSON object")
        text = _first(row, wanted)
        text = text_of(text, place) if isinstance(text, list) else text
        if not isinstance(text, str):
            raise InputError(f"{place}: no text in a column 'puzzle'; {_columns(row)}")
        cells = find_cells(text, place)
        if len(cells) != 1:
            raise InputError(f"{place}: {len(cells)} puzzles: a row holds one")
        name = _first(row, NAMES)
        found.append(cells[0]._replace(name=place if name is None else str(name)))
    if not found:
        raise InputError(f"{source_name}: there is no puzzle in it")
    return puzzles_of(found, source_name, kind, symbols)


def _first(row, columns):
    """What stands in the first of some columns that is not empty; None if all are."""
    return next((row[name] for name in columns if row.get(name) not in (None, "")), None)


def _columns(names: Iterable[str]) -> str:
    return f"columns: {quote(', '.join(names), 80)}"


# --- Spreadsheets, JSON and lists, as texts ------------------------------------------------------


def _is_spreadsheet(text: str) -> bool:
    """Whether the first line has the cells of a row, and nothing else, between its commas."""
    fields = _fields(text.lstrip("\r\n").partition("\n")[0])
    return len(fields) in ORDER_OF_SIZE and all(map(CELL.fullmatch, fields))


def _from_spreadsheet(text):
    """Rows of cells as other forms have them: a dot for an empty cell, spaces between."""
    return "\n".join(
        " ".join(cell.strip(' "') or "." for cell in _fields(line)) if line.strip() else ""
        for line in text.splitlines()
    )


def _fields(line):
    """What stands between commas; semicolons or tabs, if there are more of these."""
    return line.strip("\r\n").split(max(",;\t", key=line.count))


def _from_json(text, source_name):
    """A JSON list, or the JSON objects of a text as one."""
    if text.lstrip().startswith("{"):
        text = "[" + re.sub(r"\n(?=[ \t]*\{)", "\n,", text.lstrip()) + "]"
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f"{source_name}:{getattr(error, 'lineno', 1)}"
        raise InputError(f"{place}: not JSON: {str(error).partition(':')[0]}") from None


def text_of(cells: str | Sequence, source_name: str) -> str:
    """A text of nested lists of cells, of rows, or of puzzles: a dot for what is missing."""
    if isinstance(cells, str):
        return cells
    if any(isinstance(each, list | tuple) for each in cells):
        parts = [text_of(each, source_name) for each in cells]
        return ("\n\n" if any("\n" in part for part in parts) else "\n").join(parts)
    signs = [_sign(cell, source_name) for cell in cells]
    return ("\n" if max(map(len, signs), default=0) > LONGEST_CELL else " ").join(signs)


def _sign(cell, source_name):
    if cell is None or cell in ("", " ") or cell != cell:  # not a number
        return "."
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if not isinstance(cell, str | Integral) or isinstance(cell, bool | np.bool_):
        raise InputError(f"{source_name}: {quote(str(cell))}: cells must be whole numbers")
    return str(cell)

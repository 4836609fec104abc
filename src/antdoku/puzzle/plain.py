"""9x9 puzzles by the million, from files in which most stand as 81 characters.

A plain puzzle is one word of 81 characters, ``1`` to ``9`` and ``.``, ``*`` or ``0`` for a blank:
a line of a text, or what a row of a table has in the column `puzzle`. They are read as arrays, part
by part; what stands between them is left to `files` and `forms`, which know all forms.
"""

import csv
import gzip
import io
import os
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError
from antdoku.puzzle import files, reading
from antdoku.puzzle.forms import read_puzzles
from antdoku.puzzle.grid import Puzzle

CELLS = 81
ROWS = 16_384  # of a part, at most
BLOCK = ROWS * (CELLS + 1)  # bytes of a text that are read at a time
PLAIN_LINES = re.compile(rb"((?:^[0-9.*]{81}\r?\n)++)", re.MULTILINE)
IDLE = re.compile(rb"\s*(#.*)?", re.DOTALL)  # a line without cells
NEEDS_ALL = re.compile(rb"\s*\{|\s*\[|.*\n\[", re.DOTALL)  # JSON, and text in sections
_VALUES = bytes(
    sign - 48 if sign in b"0123456789" else 0 if sign in b".*" else 255 for sign in range(256)
)


class Plain(NamedTuple):
    """Plain puzzles.

    Parameters
    ----------
    grids : ndarray of uint8, shape (n, 81)
        C-contiguous; 0 for a blank.
    source : str
        How messages call what they are from, up to the number: ``in.txt:``, ``in.csv: row ``.
    numbers : range
        Their lines or rows.
    """

    grids: np.ndarray
    source: str
    numbers: range

    def puzzle(self, at: int) -> Puzzle:
        """One of them; `InputError` if it has a value twice in a unit."""
        return Puzzle(3, self.grids[at], f"{self.source}{self.numbers[at]}")


Part = Plain | list[Puzzle]


def read_parts(source: str, symbols: str | None = None) -> Iterator[Part]:
    """Yield the puzzles that `source` means, as `reading.read` does, of files part by part.

    If symbols are named, all are read by `reading`.

    Raises
    ------
    InputError
        If there is no puzzle, or something that is none; perhaps after some parts.
    """
    is_empty = True
    for part in _parts(source) if symbols is None else [reading.read(source, symbols=symbols)]:
        is_empty = False
        yield part
    if is_empty:
        raise InputError(f"{files.shown(source)}: there is no puzzle in it")


def _parts(source):
    if source == "-" and sys.stdin is not None:
        return _text_parts(sys.stdin.buffer, "standard input")
    if not os.path.lexists(source) or files.ending(source) == ".sdk":
        return iter([reading.read(source)])
    if files.is_table(source):
        return _table_parts(source)
    return _file_parts(source)


def _file_parts(path):
    with files.opened(path) as stream:
        yield from _text_parts(stream, files.shown(path))


# --- Text ----------------------------------------------------------------------------------------


def _text_parts(stream, name):
    """Plain lines as they come; others together, from the first of them to the next plain line."""
    stream = gzip.GzipFile(fileobj=stream) if stream.peek(2).startswith(files.GZIP) else stream
    if NEEDS_ALL.match(stream.peek(BLOCK)[:BLOCK]):
        yield files.read_content(files.read_stream(stream, name), name)
        return
    others, first = [], 1
    for number, block in _blocks(stream, name):
        for place, lines in enumerate(PLAIN_LINES.split(block)):
            after = number + lines.count(b"\n")
            if place % 2:  # those that the expression has found
                yield from _read(others, name, first)
                others = []
                values = np.frombuffer(lines.translate(_VALUES, b"\r\n"), np.uint8)
                grids = values.reshape(-1, CELLS).copy()
                yield Plain(grids, f"{name}:", range(number, after))
            elif others or not all(map(IDLE.fullmatch, lines.split(b"\n"))):
                first = first if others else number
                others.append(lines)
            number = after
    yield from _read(others, name, first)


def _read(others, name, first):
    """The puzzles of lines that are not plain, if there are any."""
    if others:
        text = files.read_stream(io.BytesIO(b"".join(others)), name)
        yield read_puzzles(text, name, first=first)


def _blocks(stream, name):
    """Yield whole lines, some megabytes at a time, after the number of the first."""
    number, rest = 1, b""
    while data := stream.read(BLOCK - len(rest) % BLOCK):
        data = rest + data
        end = data.rfind(b"\n") + 1
        rest = data[end:]
        if len(rest) > files.MAX_MEGABYTES * 10**6:
            raise InputError(f"{name}:{number}: more than {files.MAX_MEGABYTES} MB in a line")
        if end:
            yield number, data[:end]
            number += data.count(b"\n", 0, end)
    if rest:
        yield number, rest + b"\n"


# --- Tables --------------------------------------------------------------------------------------


def _table_parts(path):
    """Rows of the column with puzzles; if it is not clear which one, all by `files`."""
    import pyarrow

    with files.opened(path, pyarrow.ArrowException) as stream:
        is_csv = files.ending(path) == ".csv"
        columns = _header(stream) if is_csv else _schema(stream)
        found = [name for name in files.PUZZLES if name in columns]
        if len(found) != 1 or len(set(columns)) < len(columns):
            yield files.read_file(path)
            return
        number, name = 1, files.shown(path)
        for strings in (_csv_column if is_csv else _parquet_column)(path, *found):
            numbers = range(number, number + len(strings))
            if (grids := _even_rows(strings)) is not None:
                yield Plain(grids, f"{name}: row ", numbers)
            elif numbers:
                rows = [{files.PUZZLES[0]: text} for text in strings.to_pylist()]
                yield files.read_table(rows, name, first=number)
            number = numbers.stop


def _header(stream):
    """Columns of a CSV file."""
    is_packed = stream.peek(2).startswith(files.GZIP)
    lines = io.TextIOWrapper(gzip.GzipFile(fileobj=stream) if is_packed else stream, "utf-8-sig")
    return next(csv.reader(lines), [])


def _schema(stream):
    from pyarrow.parquet import ParquetFile

    return ParquetFile(stream).schema_arrow.names


def _csv_column(path, name):
    import pyarrow
    from pyarrow import csv

    options = csv.ConvertOptions(include_columns=[name], column_types={name: pyarrow.string()})
    block = csv.ReadOptions(block_size=2 * BLOCK)
    for batch in csv.open_csv(path, read_options=block, convert_options=options):
        yield batch.column(0)


def _parquet_column(path, name):
    import pyarrow
    from pyarrow.parquet import ParquetFile

    for batch in ParquetFile(path).iter_batches(ROWS, columns=[name]):
        yield batch.column(0).cast(pyarrow.string())


def _even_rows(strings):
    """Grids of an Arrow array of strings that are all plain; None if one is not."""
    if strings.null_count or not len(strings):
        return None
    _, offsets, data = strings.buffers()
    ends = np.frombuffer(offsets, np.int32)[strings.offset : strings.offset + len(strings) + 1]
    if (np.diff(ends) != CELLS).any():
        return None
    values = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]].tobytes().translate(_VALUES)
    grids = np.frombuffer(values, np.uint8).reshape(-1, CELLS)
    return None if grids.max() > 9 else grids.copy()

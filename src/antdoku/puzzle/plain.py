"""9x9 puzzles by the million, from files in which most stand as 81 characters.

A plain puzzle is one word of 81 characters, ``1`` to ``9`` and ``.``, ``*`` or ``0`` for a blank:
a line of a text, or what a row of a table has in the column `puzzle`. They are read as arrays, part
by part; what stands between them is left to `files` and `forms`, which know all forms.
"""

import io
import os
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError
from antdoku.puzzle import files, reading
from antdoku.puzzle.forms import read_puzzles
from antdoku.puzzle.grid import Puzzle

CELLS = 81
BLOCK = files.BATCH * (CELLS + 1)  # bytes of a text that are read at a time
PLAIN_LINES = re.compile(rb"((?:^[0-9.*]{81}\r?\n)++)", re.MULTILINE)
IDLE = re.compile(rb"\s*(#.*)?", re.DOTALL)  # a line without cells
NEEDS_ALL = re.compile(rb"\s*\{|\s*\[|.*\n\[", re.DOTALL)  # JSON, and text in sections
OTHER = 255  # what no cell of a plain puzzle has
_VALUES = bytes(
    sign - 48 if sign in b"0123456789" else 0 if sign in b".*" else OTHER for sign in range(256)
)


class Plain(NamedTuple):
    """Plain puzzles that follow each other."""

    grids: np.ndarray  # uint8 (n, 81), C-contiguous; 0 for a blank
    source: str  # what messages say before the number: ``in.txt:``, ``in.csv: row ``
    first: int  # line or row of the first

    def puzzle(self, at: int) -> Puzzle:
        """One of them; `InputError` if it has a value twice in a unit."""
        return Puzzle(3, self.grids[at], f"{self.source}{self.first + at}")


Part = Plain | list[Puzzle]


def read_parts(source: str, symbols: str | None = None) -> Iterator[Part]:
    """Yield the puzzles that `source` means, as `reading.read` does, of files part by part.

    If symbols are named, all are read by `reading`. `InputError` if there is no puzzle, or
    something that is none; perhaps after some parts.
    """
    is_empty = True
    for part in _parts(source) if symbols is None else [reading.read(source, symbols=symbols)]:
        is_empty = False
        yield part
    if is_empty:
        raise InputError(f"{files.shown(source)}: there is no puzzle in it")


def _parts(source):
    if source != "-" and (not os.path.lexists(source) or files.ending(source) == ".sdk"):
        yield reading.read(source)
    elif files.is_table(source):
        yield from _table_parts(source)
    else:
        with files.opened(source) as stream:
            yield from _text_parts(stream, files.shown(source))


def _text_parts(stream, name):
    """Plain lines as they come; others together, from the first of them to the next plain line."""
    if NEEDS_ALL.match(stream.peek(BLOCK)[:BLOCK]):
        yield files.read_content(files.read_stream(stream, name), name)
        return
    others, first = [], 1
    for number, block in _blocks(stream, name):
        for place, lines in enumerate(PLAIN_LINES.split(block)):
            if place % 2:  # those that the expression has found
                yield from _read(others, name, first)
                others = []
                yield Plain(_grids(lines, b"\r\n"), f"{name}:", number)
            elif others or not all(map(IDLE.fullmatch, lines.split(b"\n"))):
                first = first if others else number
                others.append(lines)
            number += lines.count(b"\n")
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


def _table_parts(path):
    """The column of puzzles where all are plain; other rows, and two such columns, by `files`."""
    name, first = files.shown(path), 1
    for columns in files.batches(path, files.PUZZLES):
        rows = list(zip(*columns.values()))
        if (grids := _plain_rows(rows)) is not None:
            yield Plain(grids, f"{name}: row ", first)
        else:
            yield files.read_table([dict(zip(columns, row)) for row in rows], name, first=first)
        first += len(rows)


def _plain_rows(rows):
    """Grids of rows of one text each that are all plain; None if one is not."""
    if any(len(row) > 1 or not isinstance(row[0], str) or len(row[0]) != CELLS for row in rows):
        return None
    grids = _grids("".join(text for (text,) in rows).encode("ascii", "replace"))
    return None if grids.max() == OTHER else grids


def _grids(signs: bytes, other_signs: bytes = b""):
    values = signs.translate(_VALUES, other_signs)
    return np.frombuffer(values, np.uint8).reshape(-1, CELLS).copy()

"""Puzzles from whatever a user has at hand: a file, standard input, a name, a text or an array.

A file is a table, CSV or Parquet, JSON, or text in any form of `forms`, compressed by gzip or not.
It is opened once, as it may be a pipe. Of 9x9 puzzles that stand as 81 characters there may be
millions: `read_parts` reads them as arrays, part by part.
"""

from __future__ import annotations  # `help` shows the types as they are written here

import csv
import gzip
import io
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from itertools import dropwhile, groupby, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from antdoku.errors import InputError, at_line, naming_extra, one_line, quote
from antdoku.puzzle import forms, named, records
from antdoku.puzzle.cells import Cells, Options, Place, Skip, puzzles_of, stand_beside
from antdoku.puzzle.grid import Puzzle, given_twice

Source = str | os.PathLike[str] | ArrayLike  # what `read` takes
MIN_LITERAL = 16  # cells of the smallest puzzle: what is shorter is the name of a file
GZIP = b"\x1f\x8b"  # how compressed data begin
PARQUET = b"PAR1"
NPY = b"\x93NUMPY"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
A_FILE = re.compile(r"\S{1,250}\.(txt|csv|tsv|json|jsonl|parquet|npy|sdk|sdm|ss|gz)", re.IGNORECASE)

DEFAULT = Options()
CELLS = 81  # of a plain puzzle
BATCH = 16_384  # plain puzzles that are read at a time
PLAIN_LINES = re.compile(rb"((?:^[0-9.*]{81}\r?\n)++)", re.MULTILINE)
ONE_BLANK = re.compile(rb"(?:(?:[1-9.*]{81}|[0-9]{81})\r?\n)++")
LEADS = re.compile(rb"^\s*(?:\[|#D|[a-z]{3,}\W{0,3}\d)", re.MULTILINE | re.IGNORECASE)
ALLOWED = "allowed are text, JSON, .csv, .parquet and .npy, also compressed as .gz"
_VALUES = bytes(sign - 48 if sign in b"123456789" else 0 for sign in range(256))


def read(
    source: Puzzle | Iterable[Puzzle] | Source,
    *,
    symbols: str | None = None,
    rules: bool = True,
    column: str = "puzzle",
    source_name: str = "the argument",
    first: int = 1,
) -> list[Puzzle]:
    """Read puzzles from a file, standard input, a name, a text, an array or a table.

    Parameters
    ----------
    source : str, path, array_like or DataFrame
        The path of a file; ``-`` for standard input; ``named:NAME`` for a puzzle or a collection of
        the package; a text; whole numbers of shape (d, d) or (d*d,), 0, None or NaN for a blank, or
        several such; lists of texts; a DataFrame of cells, or with a column `puzzle` (`quizzes`).
        A file is a table, ``.parquet`` or ``.csv``, with such a column, JSON, ``.npy``, or text in
        any form of `puzzle.forms`; each may be compressed by gzip. Puzzles, one or a list, are
        returned as they are.
    symbols : str, optional
        Symbols of the puzzles, where a text may be in several: ``1-G``, ``0-F``, ``A-P``, ``0-15``
        or all of them in their order, ``ABCDEFGHI``.
    rules : bool
        Whether a puzzle with a value twice in a unit is refused.
    column : str
        ``solution`` reads solutions where they stand beside puzzles.
    source_name : str
        What messages call a text or numbers.
    first : int
        Puzzles that no file names are called ``puzzle 1`` and so on, from this number.

    Returns
    -------
    list of Puzzle

    Raises
    ------
    InputError
        If there is no puzzle, something that is no puzzle, or a puzzle that means something else in
        other symbols.

    Notes
    -----
    Names are those in the file: columns `instance_id`, `name` or `id`, a word before a puzzle in a
    text or a line such as ``Grid 01``, the description in an ``.sdk`` file. Other puzzles of a file
    are called ``path:line``.
    """
    options = Options(symbols, rules, column)
    return _puzzles_in(_parts(source, options, source_name, first))


def read_file(path: str | Path, options: Options = DEFAULT) -> list[Puzzle]:
    """Return the puzzles of a file, or of ``-`` for standard input, as `read` does."""
    return _puzzles_in(_file_parts(path, options))


def _puzzles_in(parts):
    puzzles: list[Puzzle] = []
    for part in parts:
        puzzles += part.puzzles() if isinstance(part, Plain) else part
    return puzzles


def read_parts(
    source: str,
    symbols: str | None = None,
    skip: Skip | None = None,
    *,
    rules: bool = True,
    column: str = "puzzle",
    source_name: str = "the argument",
    first: int = 1,
) -> Iterator[Part]:
    """Yield the puzzles that `source` means, as `read` does, of files part by part.

    `InputError` if there is no puzzle, perhaps after some parts. `skip` gets the error of each line
    or row that cannot be read; without it, the first such line is refused.
    """
    return _parts(source, Options(symbols, rules, column, skip=skip), source_name, first)


def _parts(source, options, source_name, first) -> Iterator[Part]:
    """Yield the puzzles of a source, of files part by part."""
    is_iterable = isinstance(source, Iterable) and not isinstance(source, str | Mapping)
    if is_iterable and not hasattr(source, "__array__"):  # as arrays and tables have it
        source = list(source)
    items = source if isinstance(source, list) else [source]
    are_puzzles = {isinstance(item, Puzzle) for item in items}
    if True in are_puzzles:
        if False in are_puzzles:
            remedy = "read the others first, one by one"
            raise InputError("a list of puzzles and other things", remedy=remedy)
        yield items
    elif items and all(map(_is_file, items)):
        for path in items:
            yield from _file_parts(path, options)
    elif isinstance(source, str) and source.startswith(named.PREFIX):
        yield _named(source, options)
    else:
        yield _unnamed(source, options, source_name, first)


def _is_file(source):
    if isinstance(source, str):
        return source == "-" or os.path.lexists(source)
    return isinstance(source, os.PathLike)


def _named(source, options):
    puzzles = named.puzzles(source.removeprefix(named.PREFIX))
    if options.orders - {puzzle.order for puzzle in puzzles}:
        raise InputError(f"symbols {options.symbols}: no puzzle in it has so many values", source)
    return puzzles


def _unnamed(source, options, source_name, first):
    """Return the puzzles of a text, an array, a table or records; with numbers for names."""
    options = replace(options, named=False)
    try:
        if isinstance(source, str):
            puzzles = _from_literal(source, options, source_name)
        else:
            cells = records.cells_of_value(source, source_name, options)
            puzzles = puzzles_of(cells, source_name, options)
    except InputError as error:  # no line of it can be skipped
        place = at_line(error.place or "", error.line)
        raise InputError(error.what, place, remedy=error.remedy) from None
    return [
        puzzle.renamed(puzzle.name or f"puzzle {at}") for at, puzzle in enumerate(puzzles, first)
    ]


def _from_literal(source, options, source_name):
    """Return the puzzles of a text, unless it looks like the name of a file or a puzzle."""
    name = quote(source, 60)
    if A_FILE.fullmatch(source):
        raise InputError("there is no such file", name)
    if len(source) < MIN_LITERAL:
        is_known = source in (*named.names(), *named.collections())
        remedy = f"did you mean {named.PREFIX}{source}?" if is_known else None
        raise InputError("there is no such file, nor is it a puzzle", name, remedy=remedy)
    try:
        return _text_or_json(source, source_name, options)
    except InputError as error:
        if not re.fullmatch(r"\S+\.[a-z]+|\S*[g-z_]\S*", source):
            raise
        remedy = f"nor is there a file {name[1:-1]}"
        raise InputError(error.what, error.place, error.line, remedy) from None


# --- Files ---------------------------------------------------------------------------------------


def printable(path: str | Path) -> str:
    """Return the name of a file in messages, and of its puzzles: quoted if it is not printable."""
    name = "standard input" if path == "-" else str(path)
    return name if name.isprintable() else ascii(name)


def ending(path: str | Path) -> str:
    """Return the ending of a file in small letters, without ``.gz``: ``.csv`` of a.csv.gz."""
    return _uncompressed(path).suffix.lower()


def stem(path: str | Path) -> str:
    """Return the name of a file without folder and ending."""
    return _uncompressed(path).stem


def _uncompressed(path):
    path = Path(path)
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file, compressed or not; ``-`` is standard input. Failures become one line."""
    if path == "-" and sys.stdin is None:
        raise InputError("standard input is closed")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as stream:
            is_packed = stream.peek(2).startswith(GZIP)
            yield io.BufferedReader(gzip.GzipFile(fileobj=stream)) if is_packed else stream
    except InputError:
        raise
    except (OSError, EOFError, ValueError, zlib.error) as error:  # ValueError: a name with NUL
        raise _unreadable(path, error) from None


def _unreadable(path, error):
    reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    return InputError(f"cannot be read: {one_line(reason)[:200]}", printable(path))


def keep_apart(sources: Iterable[object], output: object) -> None:
    """Raise `InputError` if the file to write, or standard output (1), is read, too."""
    target = _identity(output)
    for source in sources:
        if target and _identity(0 if source == "-" else source) == target:
            raise InputError("is read: name another file to write to", printable(source))


def _identity(file):
    """Return device and inode of a regular file, the same for all its names; else None."""
    with suppress(OSError, TypeError, ValueError):
        status = os.stat(file)
        return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


class _Again(io.RawIOBase):
    """The lines that were looked at, and the rest of their stream."""

    def __init__(self, head: bytes, stream: BinaryIO):
        self.head, self.stream = head, stream

    def readable(self):
        return True

    def readinto(self, buffer):
        data = self.head[: len(buffer)] or self.stream.read1(len(buffer))
        self.head = self.head[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def _file_parts(path, options) -> Iterator[Part]:
    """Yield the puzzles of a file part by part."""
    name = printable(path)
    with opened(path) as stream:
        head = _head(stream)
        parts = _parts_of(io.BufferedReader(_Again(head, stream)), head, path, options)
        first = next(parts, None)
        if first is None:
            raise InputError("there is no puzzle in it", name)
        yield first
        yield from parts


def _head(stream) -> bytes:
    """Read a stream until a line holds more than spaces or a comment."""
    head = b""
    while line := stream.readline(2**16):
        head += line
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
    return head


def _parts_of(stream, head, path, options) -> Iterator[Part]:
    """Yield the puzzles of a stream, whose format its first line tells."""
    name = printable(path)
    if head.startswith(UTF_16):
        data = stream.read().decode("utf-16", "replace").encode()
        stream, head = io.BufferedReader(io.BytesIO(data)), data
    text = head.decode("utf-8-sig", "replace")
    line = next(filter(_content, forms.LINE_END.split(text)), "").strip()
    if head.startswith(PARQUET) or ending(path) == ".parquet":
        yield from _table_parts([_parquet(stream, name)], name, options)
    elif head.startswith(NPY):
        array = np.load(io.BytesIO(stream.read()), allow_pickle=False)
        yield puzzles_of(records.cells_of_value(array, name, options), name, options)
    elif line.startswith("<"):
        raise InputError(f"XML is not read: {ALLOWED}", name)
    elif line.startswith(("{", "[")):
        yield _text_or_json(_decoded(stream.read(), name), name, options)
    elif separator := _separator(line, path):
        yield from _table_parts(_csv(stream, separator, name), name, options)
    else:
        yield from _text_parts(stream, name, options)


def has_solutions(path: str) -> bool:
    """Whether solutions stand beside the puzzles in a regular file, a table or JSON."""
    if not os.path.isfile(path):
        return False
    with opened(path) as stream:
        data = stream.read(2**16)
    if data.startswith(PARQUET):
        return records.SOLUTIONS[0] in _columns_of_parquet(path)
    start = data.decode("utf-8-sig", "replace")
    header, *_ = [line for line in forms.LINE_END.split(start) if _content(line)] or [""]
    names = {name.strip(' "').lower() for name in re.split(r"[,;\t|]", header)}
    return bool(names & {*records.SOLUTIONS}) or bool(re.search(r'"solutions?"\s*:', start))


def _decoded(data: bytes, name: str) -> str:
    """Return bytes as text: UTF-8, or else Latin-1, as comments may be."""
    if b"\0" in data:
        raise InputError(f"a binary file: {ALLOWED}", name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


# --- Tables --------------------------------------------------------------------------------------


def _separator(line, path) -> str:
    """Return the separator of columns, if a line is the header of a table; else an empty text."""
    separator = max(",;\t|", key=line.count)
    names = [name.strip(' "') for name in line.split(separator)]
    is_text = any(len(name) in forms.WORDS for name in names)
    has_words = len(names) > 1 and any(re.fullmatch(r"[A-Za-z_ ]{2,}", name) for name in names)
    is_csv = ending(path) in (".csv", ".tsv") and has_words and not is_text
    return separator if is_csv or records.is_header(names) else ""


def _csv(stream, separator, source) -> Iterator[records.Table]:
    """Yield a table some thousands of rows at a time."""
    text = io.TextIOWrapper(stream, "utf-8-sig", "replace", newline="")
    lines = filter(None, csv.reader(dropwhile(_is_comment, text), delimiter=separator))
    try:
        names = records.named_columns(next(lines, []), source)
        first = 1
        while rows := list(islice(lines, BATCH)):
            _check_widths(rows, len(names), source, first)
            yield dict(zip(names, zip(*rows)))
            first += len(rows)
    except csv.Error as error:
        raise ValueError(str(error)) from None


def _check_widths(rows, n_columns, source, first):
    for number, row in enumerate(rows, first):
        if len(row) != n_columns:
            message = f"{len(row)} cells in a row, and {n_columns} columns"
            raise InputError(message, str(Place(source, f"row {number}")))


def _is_comment(line):
    return not line.strip() or line.lstrip().startswith("#")


@naming_extra()
def _columns_of_parquet(path) -> list[str]:
    from pyarrow import parquet

    try:
        return parquet.read_schema(path).names
    except Exception as error:  # whatever a parser raises
        raise _unreadable(path, error) from None


@naming_extra()
def _parquet(stream, source) -> records.Table:
    import pandas as pd

    try:
        return records.frame_table(pd.read_parquet(io.BytesIO(stream.read())), source)
    except (InputError, ModuleNotFoundError):
        raise
    except Exception as error:  # whatever a parser raises
        raise _unreadable(source, error) from None


def _table_parts(tables, source, options) -> Iterator[Part]:
    """Yield the column of puzzles as arrays where all rows are plain, else as puzzles."""
    first = 1
    for table in tables:
        columns = [column for column in records.PUZZLES if column in table]
        cells = table[columns[0]] if len(columns) == 1 and options.column == "puzzle" else []
        names = next((table[column] for column in records.NAMES if column in table), None)
        grids = None if options.symbols else _plain_cells(cells)
        n_rows = len(next(iter(table.values())))
        if grids is not None and len(grids) == n_rows:
            yield Plain(grids, source, first, options, True, names)
        elif n_rows:
            cells = records.cells_of_table(table, source, options, first)
            yield puzzles_of(cells, source, options)
        first += n_rows


def _plain_cells(cells) -> np.ndarray | None:
    """Return cells of a table as values, or None if one of them is not a plain puzzle."""
    lines = "\n".join(cell for cell in cells if isinstance(cell, str) and len(cell) == CELLS)
    data = f"{lines}\n".encode("ascii", "replace")
    return _grids(data) if PLAIN_LINES.fullmatch(data) else None


# --- Texts, plain puzzles by the million ---------------------------------------------------------


class Plain(NamedTuple):
    """Plain puzzles that follow each other: 81 characters, ``1`` to ``9`` and a blank."""

    grids: np.ndarray  # uint8 (n, 81), C-contiguous; 0 for a blank
    source: str
    first: int  # line or row of the first
    options: Options
    is_table: bool = False
    names: Sequence | None = None  # of a table that has them; None or empty where it has none

    def part(self, begin: int, end: int) -> Plain:
        """Return the puzzles from `begin` to before `end`."""
        names = self.names[begin:end] if self.names else None
        return self._replace(grids=self.grids[begin:end], first=self.first + begin, names=names)

    def puzzle(self, at: int) -> Puzzle | None:
        """Return the puzzle at index `at`, or None if it breaks the rules and is skipped."""
        grid = self.grids[at].astype(np.int16)
        if self.options.rules and (wrong := given_twice(grid, 3)):
            self.options.refuse(InputError(wrong, *self._place(at)))
            return None
        grid.setflags(write=False)
        name = self.names[at] if self.names else None
        unnamed = str(self._place(at)) if self.options.named else ""
        return Puzzle.checked(3, grid, str(name or unnamed), None)

    def puzzles(self) -> list[Puzzle]:
        """Return all puzzles that keep the rules."""
        return list(filter(None, map(self.puzzle, range(len(self.grids)))))

    def _place(self, at):
        number = self.first + int(at)
        return Place(self.source, f"row {number}" if self.is_table else number)


Part = Plain | list[Puzzle]


def _text_parts(stream, source, options) -> Iterator[Part]:
    """Yield plain lines as they come; others together, from the first of them to a plain line."""
    waiting, first, number = b"", 1, 1
    while block := stream.read1(BATCH * (CELLS + 1)):
        block += b"" if block.endswith(b"\n") else stream.readline()
        block += b"" if block.endswith(b"\n") else b"\n"  # the last line
        for at, lines in enumerate([block] if options.symbols else PLAIN_LINES.split(block)):
            # Plain lines are at odd places. A title or a section above them must stay with them.
            grids = _grids(lines) if at % 2 and not LEADS.search(waiting) else None
            if grids is not None:
                yield from _other_lines(waiting, source, first, options)
                waiting = b""
                yield Plain(grids, source, number, options)
            else:
                first = first if waiting else number
                waiting += lines
            number += lines.count(b"\n")
    yield from _other_lines(waiting, source, first, options)


def _other_lines(data, source, first, options) -> list[Part]:
    """Return the puzzles of lines that are not plain, if there is more than comments, as a part."""
    text = _decoded(data, source)
    contents = filter(None, map(_content, forms.LINE_END.split(text)))
    is_empty = all(map(forms.TITLE.fullmatch, contents))
    return [] if is_empty else [text_puzzles(text, source, options, first)]


def _grids(lines: bytes) -> np.ndarray | None:
    """Return plain lines as values; None if they may be in 0-8, or hold a solution and its puzzle.

    In 0-8, zeros stand beside another blank, or a complete grid has nine zeros and no 9.
    """
    has_blank = b"." in lines or b"*" in lines
    if b"0" in lines and has_blank and not ONE_BLANK.fullmatch(lines):
        return None
    values = lines.translate(_VALUES, b"\r\n")
    grids = np.frombuffer(values, np.uint8).reshape(-1, CELLS).copy()
    without_nine = grids[~(grids == 9).any(axis=1)]
    may_be_from_zero = (np.count_nonzero(without_nine, axis=1) == CELLS - 9).any()
    is_full = grids.all(axis=1)
    at = np.flatnonzero(is_full[1:] != is_full[:-1])
    are_beside = any(map(stand_beside, grids[at], grids[at + 1]))
    return None if may_be_from_zero or are_beside else grids


def _text_or_json(text, source, options) -> list[Puzzle]:
    cells = None
    if text.lstrip().startswith(("{", "[")):
        cells = records.cells_of_json(text, source, options)
    if cells is None:
        return text_puzzles(text, source, options)
    return puzzles_of(cells, source, options)


def _content(line):
    return forms.COMMENT.sub("", line).strip()


def text_puzzles(
    text: str, source: str = "text", options: Options = DEFAULT, first: int = 1
) -> list[Puzzle]:
    """Return the puzzles of a text; with `Options.skip`, paragraph by paragraph if need be."""
    if "#" in text and not options.symbols:
        names = " ".join(match[1] for match in forms.NAMED_SYMBOLS.finditer(text))
        options = replace(options, symbols=names or None)
    try:
        grids = forms.find_cells(text, source, options, first)
    except InputError:
        if options.skip is None:
            raise
        grids = []
        numbered = enumerate(forms.LINE_END.split(text), first)
        for has_content, lines in groupby(numbered, lambda line: bool(_content(line[1]))):
            if has_content:
                grids += _paragraph(list(lines), source, options)
    return puzzles_of(grids, source, options)


def _paragraph(lines, source, options) -> Iterator[Cells]:
    """Yield the cells of a paragraph of numbered lines, or of its lines that are no rows."""
    with suppress(InputError):
        text = "\n".join(line for _, line in lines)
        grids = forms.find_cells(text, source, options, lines[0][0])
        if len(grids) < len(lines) or len(lines) == 1:  # else they may be a band of a larger grid
            yield from grids
            return
    for number, line in lines:
        try:
            cells, *_ = forms.find_cells(line, source, options, number)
            if len(cells.signs) not in forms.WORDS or not isinstance(cells.signs, str):
                raise InputError("a row of a grid that cannot be read", *cells.place)
            yield cells
        except InputError as error:
            options.refuse(error)

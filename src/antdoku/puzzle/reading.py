"""Puzzles from whatever a user has at hand: a file, standard input, a name, a text or an array.

A file is a table, CSV or Parquet, JSON, or text in any form of `forms`, compressed by gzip or not.
Of 9x9 puzzles that stand as 81 characters there may be millions: `read_parts` reads them as arrays,
part by part.
"""

from __future__ import annotations  # `help` shows the types as they are written here

import csv
import gzip
import io
import json
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from itertools import groupby, islice, zip_longest
from numbers import Integral
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from antdoku.errors import InputError, at_line, one_line, quote
from antdoku.extras import naming_extra
from antdoku.puzzle import forms, named
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.symbols import Cells, Place, numbers, puzzles_of

Source = str | os.PathLike[str] | ArrayLike  # what `read` takes
OnBad = Callable[[InputError], object]  # told of each line or row that is no puzzle
MIN_LITERAL = 16  # cells of the smallest puzzle: what is shorter is the name of a file
# Columns of tables, and keys of JSON; those of several that come first count.
NAMES = ("instance_id", "name", "id")
PUZZLES = ("puzzle", "quizzes")  # the latter on Kaggle
SOLUTIONS = ("solution", "solutions")
KNOWN = {*NAMES, *PUZZLES, *SOLUTIONS}  # in small letters or capitals
GZIP = b"\x1f\x8b"  # how compressed data begin
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
A_FILE = re.compile(r"\S{1,250}\.(txt|csv|tsv|json|jsonl|parquet|sdk|sdm|ss|gz)", re.IGNORECASE)
LONGEST_CELL = 3  # characters of a cell in a list of texts
DESCRIPTION = re.compile(r"^#D[ \t]*(\S[^\r\n]*)", re.MULTILINE)  # in a file of SadMan Sudoku

CELLS = 81  # of a plain puzzle
BATCH = 16_384  # plain puzzles that are read at a time
PLAIN_LINES = re.compile(rb"((?:^[0-9.*]{81}\r?\n)++)", re.MULTILINE)
LEADS = re.compile(rb"^\s*(?:\[|(?:grid|puzzle|sudoku)\W{0,3}\d)", re.MULTILINE | re.IGNORECASE)
OTHER = 255  # what no cell of a plain puzzle has
_VALUES = bytes(
    sign - 48 if sign in b"0123456789" else 0 if sign in b".*" else OTHER for sign in range(256)
)


def refuse(error: InputError) -> None:
    """Go no further than the first line that is no puzzle."""
    raise error


class Draft(Puzzle):
    """A puzzle that may break the rules."""

    KEEPS_RULES = False


class Grid(Draft):
    """A grid to check. Of a table with solutions beside puzzles, these are read."""


def read(
    source: Puzzle | Iterable[Puzzle] | Source,
    kind: type[Puzzle] = Puzzle,
    what: str = "the argument",
    *,
    symbols: str | None = None,
    first: int = 1,
) -> list[Puzzle]:
    """Read puzzles from a file, standard input, a name, a text or an array.

    Parameters
    ----------
    source : str, path or array_like
        The path of a file; ``-`` for standard input; ``named:NAME`` for a puzzle or a collection of
        the package; a text; whole numbers of shape (d, d) or (d*d,), 0 or NaN for a blank, or
        several such; or lists of texts, numbers and None. A file is a table, ``.parquet`` or
        ``.csv``, with a column `puzzle` (`quizzes`), JSON, or text in any form of `puzzle.forms`;
        each may be compressed by gzip. Puzzles, one or a list, are returned as they are.
    kind, what
        For the command line: a class derived from `Puzzle`; what messages call a text or numbers.
    symbols : str, optional
        Symbols of the puzzles, where a text may be in several: ``1-G``, ``0-F``, ``A-P``, ``0-15``
        or all of them in their order, ``ABCDEFGHI``.
    first : int
        Puzzles that no file names are called ``puzzle 1`` and so on, from this number.

    Raises
    ------
    InputError
        If there is no puzzle, something that is none, or one that means something else in other
        symbols.

    Notes
    -----
    Names are those in the file: columns `instance_id`, `name` or `id`, a word before a puzzle in a
    text or a line such as ``Grid 01``, the description in an ``.sdk`` file. Other puzzles of a file
    are called ``path:line``.
    """
    source = list(source) if isinstance(source, Iterator) else source
    is_list = isinstance(source, Iterable) and not isinstance(source, str | np.ndarray)
    found = list(source) if is_list else [source]
    are_puzzles = {isinstance(each, Puzzle) for each in found}
    if are_puzzles == {True}:
        return found
    if True in are_puzzles:
        raise InputError("a list of puzzles and other things: read the others first, one by one")
    if isinstance(source, str) and source.startswith(named.PREFIX):
        return named.puzzles(source.removeprefix(named.PREFIX))
    if _is_file(source):
        return read_file(source, kind, symbols)
    from_value = _from_literal if isinstance(source, str) else _from_numbers
    puzzles = from_value(source, kind, what, symbols)
    return [replace(each, name=f"puzzle {number}") for number, each in enumerate(puzzles, first)]


def _is_file(source):
    if isinstance(source, str):
        return source == "-" or os.path.lexists(source)
    return isinstance(source, os.PathLike)


def _from_literal(source, kind, what, symbols):
    if A_FILE.fullmatch(source):
        raise InputError(f"{quote(source, 60)}: there is no such file")
    try:
        if len(source) >= MIN_LITERAL:
            return _read_content(source, what, kind, symbols)
    except InputError as error:
        is_name = re.fullmatch(r"\S+\.[a-z]+|\S*[g-z_]\S*", source)
        remedy = f"nor is there a file {quote(source, 60)[1:-1]}" if is_name else error.remedy
        raise _without_line(error, remedy) from None
    known = source in (*named.names(), *named.collections())
    hint = f": did you mean {named.PREFIX}{source}?" if known else ""
    raise InputError(f"{quote(source, 60)}: there is no such file, nor is it a puzzle{hint}")


def _without_line(error, remedy=None):
    """Return an error whose line is a part of its place: it is no line that can be skipped."""
    return InputError(error.what, at_line(error.place or "", error.line), remedy=remedy)


# --- Numbers -------------------------------------------------------------------------------------


def _from_numbers(source, kind, what, symbols):
    """Read lists and arrays as the texts that they would be; 0 is no value of numbers."""
    try:
        values = np.asarray(source, dtype=object)
    except ValueError:
        raise InputError(f"{what}: arrays of several shapes: give one after the other") from None
    if not values.ndim:
        found = type(source).__name__
        raise InputError(f"{what}: {found}: allowed are a path, a text or an array of numbers")
    found = forms.find_cells(_text_of(values.tolist(), what), what)
    if not any(isinstance(value, str) for value in values.flat):
        found = [each._replace(known=numbers(each.order)) for each in found]
    return puzzles_of(found, what, kind, symbols)


def _text_of(cells, source_name) -> str:
    """Write nested lists of cells, of rows, or of puzzles as a text: a dot for what is missing."""
    if isinstance(cells, str):
        return cells
    if not isinstance(cells, list | tuple):
        return _sign(cells, source_name)
    if any(isinstance(each, list | tuple) for each in cells):
        parts = [_text_of(each, source_name) for each in cells]
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


# --- Files ---------------------------------------------------------------------------------------


def read_file(
    path: str | Path, kind: type[Puzzle] = Puzzle, symbols: str | None = None
) -> list[Puzzle]:
    """Read a file, or ``-`` for standard input, as `read` says."""
    name = printable(path)
    if is_table(path):
        rows = [row for part in tables(path) for row in _rows(part)]
        return _read_rows(rows, name, kind, symbols)
    with opened(path) as stream:
        text = _decoded(stream.read(), name)
    puzzles = _read_content(text, name, kind, symbols)
    if ending(path) == ".sdk" and len(puzzles) == 1 and (title := DESCRIPTION.search(text)):
        return [replace(puzzles[0], name=title[1].strip())]
    return puzzles


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
def opened(path: str | Path, *failures: type[Exception]) -> Iterator[BinaryIO]:
    """Open a file, compressed or not; ``-`` is standard input.

    What fails meanwhile, with one of `failures`, too, becomes one line.
    """
    if path == "-" and sys.stdin is None:
        raise InputError("standard input is closed")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as stream:
            is_packed = stream.peek(2).startswith(GZIP)
            yield io.BufferedReader(gzip.GzipFile(fileobj=stream)) if is_packed else stream
    except InputError:
        raise
    except (OSError, EOFError, ValueError, zlib.error, *failures) as error:  # a name with NUL
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        raise InputError(f"{printable(path)}: cannot be read: {one_line(reason)[:200]}") from None


def _decoded(data: bytes, name: str) -> str:
    """Return bytes as text: UTF-8, UTF-16 with a mark, else Latin-1, as comments may be."""
    if data.startswith(UTF_16):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        raise InputError(f"{name}: a binary file: allowed are text, .csv, .parquet and .gz")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _read_content(text, name, kind, symbols, on_bad=refuse):
    """Read JSON, or a text in any form of `forms`."""
    values = _json(text, name) if text.lstrip().startswith(("{", "[")) else None
    if values is None:
        return _read_text(text, name, kind, symbols, on_bad)
    values = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    if dict not in map(type, values):
        return _read_text(_text_of(values, name), name, kind, symbols, on_bad)
    rows = [row for each in values for row in _records(each)]
    return _read_rows(rows, name, kind, symbols, on_bad)


def _json(text, name) -> list | None:
    """Return the values of JSON, of a broken line among objects its error; None if it is none."""
    try:
        return _json_values(text)
    except (ValueError, RecursionError) as error:
        lines = enumerate(forms.LINE_END.split(text), start=1)
        values = [each for number, line in lines for each in _json_line(line, Place(name, number))]
        if text.lstrip().startswith("{") and dict in map(type, values):
            return values
        if re.match(r'\s*\{\s*"', text):
            raise InputError(f"{name}: not JSON: {error}") from None
        return None


def _json_line(line, place) -> list:
    try:
        return _json_values(line)
    except json.JSONDecodeError as error:
        return [InputError(f"not JSON: {error.msg}: column {error.colno}", *place)]
    except (ValueError, RecursionError) as error:
        return [InputError(f"not JSON: {error}", *place)]


def _json_values(text) -> list:
    """Return the values that follow each other in a text."""
    decoder, values, at = json.JSONDecoder(), [], 0
    while start := re.compile(r"\s*(?=\S)").match(text, at):
        value, at = decoder.raw_decode(text, start.end())
        values.append(value)
    return values


def _records(value) -> list:
    """Return the objects of nested JSON that hold a puzzle under `puzzle`, or any other key."""
    if not isinstance(value, dict) or any(value.get(key) is not None for key in PUZZLES):
        return [value]
    found = []
    for each in (value[key] for key in value if key not in SOLUTIONS):
        inner = each if isinstance(each, list) else [each]
        is_word = isinstance(each, str) and len(each) in forms.WORDS
        if inner and isinstance(inner[0], dict):
            found += [row for element in inner for row in _records(element)]
        elif is_word or (isinstance(each, list) and each):
            found.append(value | {PUZZLES[0]: each})
    return found or [value]


def keep_apart(sources: Iterable[object], output: object) -> None:
    """Raise `InputError` if the file to write, or standard output (1), is one that is read."""
    target = _identity(output)
    for source in sources:
        if target and _identity(0 if source == "-" else source) == target:
            raise InputError(f"{printable(source)}: is read: name another file to write to")


def _identity(file):
    """Return what is the same for all names of a regular file; None for anything else."""
    with suppress(OSError, TypeError, ValueError):
        found = os.stat(file)
        return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


# --- Tables --------------------------------------------------------------------------------------


def is_table(path: str | Path) -> bool:
    """Whether a file is Parquet, or CSV with names of columns, also on standard input."""
    if ending(path) == ".parquet":
        return True
    header = [name.strip(' "').lower() for name in re.split(r"[,;\t|]", _header(path))]
    is_text = len(header) == 1 or any(len(name) in forms.WORDS for name in header)
    is_row = all(len(name) <= LONGEST_CELL and not name.isalpha() for name in header)
    has_names = ending(path) == ".csv" and not (is_text or is_row)
    return has_names or bool({*header} & {*PUZZLES, *SOLUTIONS})


def _header(path):
    """Return the first line of a file that is not blank, and leave standard input as it is."""
    with opened(path) as stream:
        start = b"" if isinstance(stream.raw, gzip.GzipFile) and path == "-" else stream.peek()
    return next(filter(str.strip, forms.LINE_END.split(start.decode("utf-8-sig", "replace"))), "")


def tables(path: str | Path) -> Iterator[dict[str, Sequence]]:
    """Yield a table of puzzles as columns, some thousands of rows at a time; missing is None."""
    with opened(path, Exception) as stream, naming_extra():  # whatever a parser raises
        if ending(path) == ".parquet":
            parts = _parquet(stream)
        else:
            parts = _csv(stream, max(",;\t|", key=_header(path).count))
        names = next(parts)
        known = {name: name.lower() for name in names if name.lower() in KNOWN}
        if not {*PUZZLES, *SOLUTIONS} & {*known.values()}:
            wrong = f"no column 'puzzle': name the column of puzzles so; {_columns(names)}"
            raise InputError(f"{printable(path)}: {wrong}")
        for part in parts:
            yield {known.get(name, name): cells for name, cells in part.items()}


def _parquet(stream):
    """Yield the names of columns, then tables."""
    from pyarrow import parquet

    file = parquet.ParquetFile(io.BytesIO(stream.read()))
    yield file.schema_arrow.names
    yield from (part.to_pydict() for part in file.iter_batches(BATCH))


def _csv(stream, separator):
    """Yield the names of columns, then tables."""
    text = io.TextIOWrapper(stream, "utf-8-sig", "replace", newline="")
    lines = filter(None, csv.reader(text, delimiter=separator))
    names = next(lines, [])
    if any(names.count(name) > 1 for name in (*PUZZLES, *SOLUTIONS)):
        raise ValueError("two columns of puzzles have the same name")
    yield names
    while part := list(islice(lines, BATCH)):
        if max(map(len, part)) > len(names):
            raise ValueError("rows have more cells than there are columns")
        yield dict(zip(names, zip_longest(*part)))


def _rows(table) -> list[dict]:
    return [dict(zip(table, cells)) for cells in zip(*table.values())]


def _read_rows(rows, source_name, kind, symbols, on_bad=refuse, first=1) -> list[Puzzle]:
    """Read the column of puzzles, or of grids; rows are dicts, numbered from `first`."""
    if not rows:
        raise InputError(f"{source_name}: there is no puzzle in it")
    wanted = (*SOLUTIONS, *PUZZLES) if issubclass(kind, Grid) else PUZZLES
    found = []
    for number, row in enumerate(rows, first):
        try:
            found.append(_read_row(row, Place(source_name, f"row {number}"), wanted))
        except InputError as error:
            on_bad(error)
    return _puzzles(found, source_name, kind, symbols, on_bad)


def _read_row(row, place, wanted) -> Cells:
    if isinstance(row, InputError):  # of a broken line
        raise row
    if not isinstance(row, dict):
        raise InputError("must be a JSON object", *place)
    text = _first(row, wanted)
    text = _text_of(text, str(place)) if isinstance(text, list) else text
    if not isinstance(text, str):
        raise InputError(f"no text in a column 'puzzle'; {_columns(row)}", *place)
    try:
        cells = forms.find_cells(text, str(place))
    except InputError as error:  # of a row, the line inside says nothing
        raise InputError(error.what, *place) from None
    if len(cells) != 1:
        raise InputError(f"{len(cells)} puzzles: a row holds one", *place)
    name = _first(row, NAMES)
    return cells[0]._replace(place=place, name="" if name is None else str(name))


def _puzzles(found, source_name, kind, symbols, on_bad) -> list[Puzzle]:
    """Make puzzles of cells: of all together, or if one is none, of each."""
    try:
        return puzzles_of(found, source_name, kind, symbols)
    except InputError:
        if on_bad is refuse:
            raise
    puzzles: list[Puzzle] = []
    for cells in found:
        try:
            puzzles += puzzles_of([cells], str(cells.place), kind, symbols)
        except InputError as error:
            on_bad(error)
    return puzzles


def _first(row, columns):
    """Return the first of some columns that is not empty; None if all are."""
    return next((row[name] for name in columns if row.get(name) not in (None, "")), None)


def _columns(names: Iterable[str]) -> str:
    names = [quote(str(name)) for name in names]
    return f"columns: {', '.join(names[:6])}{', ...' * (len(names) > 6)}"


# --- Plain puzzles by the million ----------------------------------------------------------------


class Plain(NamedTuple):
    """Plain puzzles that follow each other: 81 characters, ``1`` to ``9`` and a blank."""

    grids: np.ndarray  # uint8 (n, 81), C-contiguous; 0 for a blank
    source: str
    first: int  # line or row of the first
    kind: type[Puzzle] = Puzzle
    is_table: bool = False
    names: Sequence | None = None  # of a table that has them; None or empty where it has none

    def part(self, begin: int, end: int) -> Plain:
        """Return some that follow each other."""
        names = self.names[begin:end] if self.names else None
        return self._replace(grids=self.grids[begin:end], first=self.first + begin, names=names)

    def puzzle(self, at: int, on_bad: OnBad = refuse) -> Puzzle | None:
        """Return one of them; none if it is none: it may have a value twice in a unit."""
        number = self.first + int(at)
        place = Place(self.source, f"row {number}" if self.is_table else number)
        name = self.names[at] if self.names else None
        try:
            return self.kind(3, self.grids[at], str(name or place))
        except InputError as error:
            return on_bad(InputError(error.what, *place))


Part = Plain | list[Puzzle]


def read_parts(
    source: str,
    symbols: str | None = None,
    on_bad: OnBad = refuse,
    kind: type[Puzzle] = Puzzle,
    **how: Any,
) -> Iterator[Part]:
    """Yield the puzzles that `source` means, as `read` (for `how`) does, of files part by part.

    `InputError` if there is no puzzle, perhaps after some parts. What is no puzzle is passed to
    `on_bad` as the error that it is, and left out.
    """
    if not _is_file(source) or ending(source) == ".sdk":
        try:
            yield read(source, kind, symbols=symbols, **how)
        except InputError as error:
            raise _without_line(error) from None
        return
    name, parts_of = printable(source), _table_parts if is_table(source) else _text_parts
    parts = parts_of(source, name, symbols, on_bad, kind)
    if (first := next(parts, None)) is None:
        raise InputError(f"{name}: there is no puzzle in it")
    yield first
    yield from parts


def _table_parts(path, name, symbols, on_bad, kind):
    """Yield the column of puzzles as arrays where all of its rows are plain."""
    first = 1
    for table in tables(path):
        columns = [column for column in PUZZLES if column in table]
        cells = table[columns[0]] if len(columns) == 1 else []
        signs = "".join(cell for cell in cells if isinstance(cell, str) and len(cell) == CELLS)
        grids = _grids(signs.encode("ascii", "replace"))
        n_rows = len(next(iter(table.values())))
        if len(grids) == n_rows and (grids != OTHER).all() and not symbols:
            names = next((table[column] for column in NAMES if column in table), None)
            yield Plain(grids, name, first, kind, True, names)
        else:
            yield _read_rows(_rows(table), name, kind, symbols, on_bad, first)
        first += n_rows


def _text_parts(path, name, symbols, on_bad, kind):
    """Yield plain lines as they come; others together, from the first of them to a plain line."""
    with opened(path) as stream:
        start = stream.peek(4).lstrip()
        if start.startswith((b"{", b"[", *UTF_16)):
            yield _read_content(_decoded(stream.read(), name), name, kind, symbols, on_bad)
            return
        others, first, number = b"", 1, 1
        while block := stream.read(BATCH * (CELLS + 1)) + stream.readline():
            block = block if block.endswith(b"\n") else block + b"\n"
            for place, lines in enumerate([block] if symbols else PLAIN_LINES.split(block)):
                # Those that the expression has found, without a title or a section above them.
                if place % 2 and not LEADS.search(others):
                    yield from _others(others, name, first, symbols, on_bad, kind)
                    others = b""
                    yield Plain(_grids(lines, b"\r\n"), name, number, kind)
                else:
                    first = first if others else number
                    others += lines
                number += lines.count(b"\n")
        yield from _others(others, name, first, symbols, on_bad, kind)


def _others(data, name, first, symbols, on_bad, kind) -> list[Part]:
    """Return the puzzles of lines that are not plain, if there is more than comments, as a part."""
    text = _decoded(data, name)
    contents = filter(None, map(_content, forms.LINE_END.split(text)))
    is_empty = all(map(forms.TITLE.fullmatch, contents))
    return [] if is_empty else [_read_text(text, name, kind, symbols, on_bad, first)]


def _read_text(text, name, kind, symbols, on_bad, first=1) -> list[Puzzle]:
    """Read a text; if something in it is no puzzle, each paragraph, or else each line."""
    try:
        return forms.read_puzzles(text, name, kind, symbols, first)
    except InputError:
        if on_bad is refuse:
            raise
    found: list[Cells] = []
    numbered = enumerate(forms.LINE_END.split(text), first)
    for has_content, paragraph in groupby(numbered, lambda line: bool(_content(line[1]))):
        if has_content:
            found += _paragraph(list(paragraph), name, on_bad)
    named = forms.NAMED_SYMBOLS.search(text)
    return _puzzles(found, name, kind, symbols or (named and named[1]), on_bad)


def _content(line):
    return forms.COMMENT.sub("", line).strip()


def _paragraph(lines, name, on_bad):
    """Yield the cells of a paragraph of numbered lines; or of its lines that are no rows."""
    with suppress(InputError):
        found = forms.find_cells("\n".join(line for _, line in lines), name, lines[0][0])
        if len(found) < len(lines) or len(lines) == 1:  # else they may be a band of a larger grid
            yield from found
            return
    for number, line in lines:
        try:
            cells, *_ = forms.find_cells(line, name, number)
            if len(cells.signs) not in forms.WORDS or not isinstance(cells.signs, str):
                raise InputError("a row of a grid that cannot be read", *cells.place)
            yield cells
        except InputError as error:
            on_bad(error)


def _grids(signs: bytes, other_signs: bytes = b""):
    values = signs.translate(_VALUES, other_signs)
    return np.frombuffer(values, np.uint8).reshape(-1, CELLS).copy()

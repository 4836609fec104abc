"""Puzzles from whatever a user has at hand: a file, standard input, a name, a text or an array.

A file is a table, CSV or Parquet, JSON, or text in any form of `forms`, compressed by gzip or not.
It is opened once, as it may be a pipe. Of 9x9 puzzles that stand as 81 characters there may be
millions: `read_parts` reads them as arrays, part by part.
"""

from __future__ import annotations  # `help` shows the types as they are written here

import csv
import gzip
import io
import logging
import os
import re
import stat
import sys
import zlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from itertools import chain, dropwhile, filterfalse, islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import ArrayLike

from antdoku.errors import InputError, at_line, naming_extra, one_line, quote
from antdoku.puzzle import forms, named, records
from antdoku.puzzle.cells import (
    Batch,
    Cells,
    Options,
    Skip,
    batches_of,
    batches_of_puzzles,
    check_beside,
    check_symbols,
    solution_beside,
)
from antdoku.puzzle.grid import Puzzle, given_twice, have_twice
from antdoku.puzzle.symbols import symbols_of

# What `read` takes.
Source = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | ArrayLike
MIN_LITERAL = 16  # cells of the smallest puzzle: what is shorter is the name of a file
GZIP = b"\x1f\x8b"  # how compressed data begin
PARQUET = b"PAR1"
NPY = b"\x93NUMPY"
ENCODINGS = {  # by how data begin: with a mark, or with a character of ASCII
    re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"): "utf-32",
    re.compile(rb"\xff\xfe|\xfe\xff"): "utf-16",
    re.compile(rb"[^\0]\0[^\0]\0"): "utf-16-le",
    re.compile(rb"\0[^\0]\0[^\0]"): "utf-16-be",
}
COLUMNS = re.compile(r"[\w.\"-]+([,;\t|][\w.\"-]+)+")  # their names; a title has spaces
A_FILE = re.compile(r"(?!.*://)\S{1,250}\.[A-Za-z]{2,7}")

logger = logging.getLogger("antdoku")
DEFAULT = Options()
CELLS = 81  # of a plain puzzle
BATCH = 16_384  # plain puzzles that are read at a time
PLAIN_LINES = re.compile(rb"((?:^[0-9.*]{81}\r?\n)++)", re.MULTILINE)
RULE = re.compile(r"(?=.*---)[\s|:+-]+")  # below the names, in Markdown and of databases
NOT_READ = re.compile(r"<[a-z?!/]|insert into\b", re.IGNORECASE)
LEADS = re.compile(rb"^[\s-]*(?:\[|#D|#\s*symbols|[a-z]{2,})", re.MULTILINE | re.IGNORECASE)
REMEDY = "close the quotes of a text, and double a quote in it"
ALLOWED = "allowed are text, JSON, .csv, .parquet and .npy, also compressed as .gz"
SIGNS = b"0123456789.*"  # of plain puzzles
VALUE_OF = bytes(sign - 48 if sign in b"123456789" else 0 for sign in range(256))


def read(
    source: Puzzle | Iterable[Puzzle] | Source,
    *,
    symbols: str | None = None,
    rules: bool = True,
    column: str = "puzzle",
    skip: Skip | None = None,
    source_name: str = "the argument",
    first: int = 1,
) -> list[Puzzle]:
    """Read puzzles from a file, standard input, a name, a text, an array or a table.

    Parameters
    ----------
    source : str, path, array_like or DataFrame
        The path of a file; ``-`` for standard input; ``named:NAME`` for a puzzle or a collection of
        the package; a text; whole numbers of shape (d, d) or (d*d,), 0, None or NaN for a blank, or
        several such; lists of texts, or of files and names; a DataFrame of cells, or with a column
        `puzzle` (`quizzes`).
        A file is a table, ``.parquet`` or ``.csv``, with such a column, JSON, ``.npy``, or text in
        any form of `puzzle.forms`; each may be compressed by gzip. Puzzles, one or a list, are
        returned as they are.
    symbols : str, optional
        Symbols of the puzzles, where a text may be in several: ``1-G``, ``0-F``, ``A-P``, ``0-15``
        or all of them in their order, ``ABCDEFGHI``.
    rules : bool
        Whether a puzzle with a value twice in a unit is refused.
    column : str
        The column of puzzles in a table, or their key in JSON. ``solution`` reads solutions where
        they stand beside puzzles.
    skip : callable, optional
        Is called with the error of each puzzle that cannot be read, which is left out:
        ``errors.append``. By default the first error is raised.
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
    Names are those in the file: the first of the columns `instance_id`, `id` and `name`, a word
    before a puzzle in a text or a line such as ``Grid 01``, the description in an ``.sdk`` file.
    Other puzzles of a file are called ``path:line``.
    """
    options = options_of(symbols, rules, column, skip)
    source = _listed(source)
    items = source if isinstance(source, list) else [source]
    if items and all(isinstance(item, Puzzle) for item in items):
        check_symbols(options, items, source_name)
        return items
    return list(chain.from_iterable(read_parts(source, options, source_name, first)))


def options_of(symbols: str | None, rules: bool, column: str, skip: Skip | None) -> Options:
    """Return the options of `read`; `column` is a usual column, or the name of another one."""
    if not isinstance(column, str) or not column:
        raise InputError(f"column {column!r}: must be the name of a column")
    if column in ("puzzle", "solution"):
        return Options(symbols, rules, column, skip)
    return Options(symbols, rules, skip=skip, named=column)


def read_parts(
    source: Puzzle | Iterable[Puzzle] | Source,
    options: Options = DEFAULT,
    source_name: str = "the argument",
    first: int = 1,
) -> Iterator[Batch]:
    """Yield the puzzles that `source` means, as `read` does, of files part by part.

    `InputError` if there is no puzzle, perhaps after some parts.
    """
    source = _listed(source)
    items = source if isinstance(source, list) else [source]
    are_puzzles = {isinstance(item, Puzzle) for item in items}
    if are_puzzles == {True}:
        check_symbols(options, items, source_name)
        yield from batches_of_puzzles(items)
    elif True in are_puzzles:
        remedy = "read the others first, one by one"
        raise InputError("a list of puzzles and other things", remedy=remedy)
    elif items and all(map(is_named, items)):
        for item in items:
            if isinstance(item, str) and item.startswith(named.PREFIX):
                puzzles = named.puzzles(item.removeprefix(named.PREFIX))
                yield from read_parts(puzzles, options, item)
            else:
                yield from _file_parts(item, options)
    else:
        for batch in _unnamed_parts(source, source_name, options):
            # With `skip` their rows name the puzzles: their numbers would shift.
            yield batch if options.skip else batch.numbered("puzzle ", first)
            first += len(batch)


def _listed(source):
    """Return an iterable as a list; texts, objects, arrays and tables as they are."""
    source = np.asarray(source) if isinstance(source, memoryview) else source
    source = source.toarray() if hasattr(source, "toarray") else source  # of SciPy, sparse
    source = source.item() if getattr(source, "ndim", None) == 0 else source  # a text in an array
    source = records.of_arrow(source)
    if hasattr(source, "iloc"):
        is_row = source.index.isin(records.PUZZLES, level=0).any()
        source = source.to_dict() if is_row else records.with_names(source)
    if isinstance(source, bytes | bytearray):
        raise InputError("bytes: decode them to a text first")
    is_iterable = isinstance(source, Iterable) and not isinstance(source, str | Mapping)
    is_column = hasattr(source, "iloc") and all(isinstance(item, Puzzle) for item in source)
    return (
        list(source) if is_iterable and (is_column or not hasattr(source, "__array__")) else source
    )


def is_named(source: object) -> bool:
    """Whether a source is a file, standard input, or a puzzle or a collection of the package."""
    if isinstance(source, str):
        return source == "-" or source.startswith(named.PREFIX) or os.path.lexists(source)
    return isinstance(source, os.PathLike)


def _unnamed_parts(source, source_name, options) -> Iterable[Batch]:
    """Return the puzzles of an array, a table, records, or a text that names no missing file."""
    if isinstance(source, str):
        _refuse_name(source)
        return _text_or_json(source, source_name, options)
    names = getattr(source, "columns", ())
    if records.names_puzzles(names) or (len(names) and options.named):
        table = records.frame_table(source, source_name, options.named)
        rows = range(0, len(source), BATCH)
        tables = ({name: table[name][at : at + BATCH] for name in table} for at in rows)
        return _table_parts(tables, source_name, options)
    texts = np.asarray(source, object).tolist() if hasattr(source, "to_numpy") else source
    grids = _plain_cells(texts) if isinstance(texts, list) and not options.symbols else None
    if grids is not None:
        return [_plain(grids, source_name, "", 1, options)]
    cells = records.cells_of_value(source, source_name, options)
    return batches_of(cells, source_name, options)


def _refuse_name(text):
    """Raise `InputError` if a text looks like the name of a file, which is missing."""
    if forms.LINK.search(text) and len(text) < CELLS and len(text.split()) == 1:
        raise InputError("a link without a puzzle", quote(text), remedy="download the file")
    if A_FILE.fullmatch(text) and len(text) not in forms.WORDS:
        raise InputError("there is no such file", quote(text, 60))
    if len(text) < MIN_LITERAL:
        is_known = text in (*named.names(), *named.collections())
        remedy = f"did you mean {named.PREFIX}{text}?" if is_known else None
        raise InputError("there is no such file, nor is it a puzzle", quote(text), remedy=remedy)


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


def is_stream(source: str) -> bool:
    """Whether a source is standard input or a pipe, which may bring its puzzles slowly."""
    with suppress(OSError, ValueError):
        return source == "-" or stat.S_ISFIFO(os.stat(source).st_mode)
    return False


def keep_apart(sources: Iterable[object], output: object) -> None:
    """Raise `InputError` if the file to write, or standard output (1), is also read."""
    target = _identity(output)
    for source in sources:
        if target and _identity(0 if source == "-" else source) == target:
            raise InputError("is read: name another file to write to", printable(source))


def _identity(file):
    """Return device and inode of a regular file, the same for all its names; else None."""
    with suppress(OSError, TypeError, ValueError):
        status = os.stat(file)
        return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _file_parts(path, options) -> Iterator[Batch]:
    """Yield the puzzles of a file part by part."""
    with opened(path) as stream:
        parts = _parts_of(_head(stream), stream, path, options)
        first = list(islice(parts, 1))
        if not first:
            options.refuse(InputError("there is no puzzle in it", printable(path)))
        yield from _apart(chain(first, parts), options)


def _apart(parts, options) -> Iterator[Batch]:
    """Yield the parts of a file; refuse solutions that stand in another part than their puzzles."""
    past: list[Batch] = []
    for part in filter(len, parts):
        if past and past[-1].grids[-1].all() != part.grids[0].all():
            check_beside([past[-1], part], options)
        past = [*past, part] if sum(map(len, past)) < BATCH else [part]
        yield part
    check_beside(past, options)


def _head(stream) -> bytes:
    """Read a stream until a line holds more than spaces or a comment."""
    head = b""
    while line := stream.readline(2**16):
        head += line
        if _content(line.decode("latin-1")):
            break
    return head.removeprefix(BOM_UTF8)


def _parts_of(head, stream, path, options) -> Iterator[Batch]:
    """Yield the puzzles of a file, whose format the first line with content tells.

    `head` holds the lines that were read from the stream already.
    """
    name = printable(path)
    for mark, encoding in ENCODINGS.items():
        if mark.match(head):
            head = (head + stream.read()).decode(encoding).encode()
    line = _first_content(head)
    if head.startswith(PARQUET) or ending(path) == ".parquet":
        yield from _unnamed_parts(_parquet(head + stream.read(), name), name, options)
    elif head.startswith(NPY):
        array = np.load(io.BytesIO(head + stream.read()), allow_pickle=False)
        cells = records.cells_of_value(array, name, options)
        yield from batches_of(cells, name, options)
    elif start := NOT_READ.match(line):
        raise InputError(
            f"{'XML or HTML' if start[0][0] == '<' else 'SQL'} is not read: {ALLOWED}", name
        )
    elif line.startswith(("{", "[")):
        yield from _text_or_json(_decoded(head + stream.read(), name), name, options)
    elif separator := _separator(line, path, options.named):
        lines = chain(io.BytesIO(head), stream)
        yield from _table_parts(_csv(lines, separator, name, options.named), name, options)
    else:
        yield from _text_parts(head, stream, name, options)


def _first_content(data: bytes) -> str:
    """Return the first line with more than spaces and comments, without them."""
    lines = forms.LINE_END.split(data.decode("utf-8", "replace"))
    return next(filter(None, map(_content, lines)), "")


def _content(line):
    return forms.COMMENT.sub("", line).strip()


def _decoded(data: bytes, name: str) -> str:
    """Return bytes as text: UTF-8, or else Latin-1, as comments may be."""
    if b"\0" in data:
        remedy = "save a spreadsheet as CSV UTF-8, unpack an archive"
        raise InputError(f"a binary file: {ALLOWED}", name, remedy=remedy)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


# --- Tables --------------------------------------------------------------------------------------


def _separator(line, path, named) -> str:
    """Return the separator of columns, if a line is the header of a table; else an empty text."""
    separator = max(",;\t|", key=line.count)
    names = [name.strip(' "') for name in line.split(separator)]
    is_text = any(len(name) in forms.WORDS for name in names)
    has_words = len(names) > 1 and any(re.fullmatch(r"[A-Za-z_ ]{2,}", name) for name in names)
    is_csv = ending(path) in (".csv", ".tsv") and has_words and not is_text
    is_table = (
        is_csv
        or (named and named in names)
        or (COLUMNS.fullmatch(line) and records.names_puzzles(names))
        or records.is_header(names)
        or records.cell_columns(names)
    )
    return separator if is_table else ""


def _csv(lines: Iterable[bytes], separator, source, named) -> Iterator[records.Table]:
    """Yield a table some thousands of rows at a time."""
    decoded = (line.decode(errors="replace") for line in lines)
    # A line may end in a carriage return alone.
    texts = chain.from_iterable(
        io.StringIO(text, newline="") if "\r" in text[:-2] else (text,) for text in decoded
    )
    texts = dropwhile(lambda text: not _content(text), texts)
    try:
        header = next(csv.reader(texts, delimiter=separator, strict=True), [])
        names = records.named_columns(header, source, named)
        if separator == "|":
            texts = chain(filterfalse(RULE.fullmatch, islice(texts, 1)), texts)
            texts = filter(_content, texts)  # without the number of rows
        if len(names) == 1:  # pandas prints the name of an index below the names of columns
            texts = chain(filterfalse(forms.column_names, islice(texts, 1)), texts)
        first = 1
        while batch := list(islice(texts, BATCH)):
            columns = _split(batch, separator, len(names))
            if columns is None:
                break
            yield records.table_of(names, columns, source)
            first += len(batch)
        rows = _rows(chain(batch, texts), separator, len(names), source, first)
        while batch := list(islice(rows, BATCH)):
            yield records.table_of(names, list(zip(*batch)), source)
    except csv.Error as error:  # in the header
        raise InputError(str(error), source, 1, REMEDY) from None


def _rows(texts, separator, width, source, first) -> Iterator[list[str]]:
    """Yield the rows of a table from number `first`; each has `width` cells."""
    reader = csv.reader(texts, delimiter=separator, strict=True)
    number = first
    try:
        for row in filter(None, reader):
            if len(row) != width:
                cells = f"{len(row)} cell{'s' * (len(row) > 1)} in a row"
                columns = f"{width} column{'s' * (width > 1)}"
                raise InputError(f"{cells}, and {columns}", source, f"row {number}")
            yield row
            number += 1
    except csv.Error as error:
        raise InputError(str(error), source, f"row {number}", REMEDY) from None


def _split(lines, separator, width) -> list[list[str]] | None:
    """Return the columns of lines; None if `csv` must read them, which takes twice as long."""
    data = "".join(lines).replace("\r\n", "\n").removesuffix("\n")
    are_even = all(line.count(separator) == width - 1 for line in lines)
    if not are_even or '"' in data or "\r" in data or "\n\n" in f"\n{data}":
        return None
    cells = data.replace("\n", separator).split(separator)
    return [cells[at::width] for at in range(width)]


@naming_extra()
def _parquet(data, source):
    import pandas as pd

    try:
        return records.with_names(pd.read_parquet(io.BytesIO(data))).astype(object)
    except ModuleNotFoundError:
        raise
    except Exception as error:  # whatever a parser raises
        raise _unreadable(source, error) from None


def _table_parts(tables, source, options) -> Iterator[Batch]:
    """Yield the puzzles of tables, as arrays where all rows of a table are plain."""
    first = 1
    for table in tables:
        if options.column != "puzzle":
            table = records.with_solutions(table, source)
        batch = None if options.symbols else _plain_table(table, source, first, options)
        if batch is None:
            cells = records.cells_of_table(table, source, options, first)
            yield from batches_of(cells, source, options)
        else:
            yield batch
        first += len(next(iter(table.values())))


def _plain_table(table, source, first, options) -> Batch | None:
    """Return the puzzles of a table, or None if a row is not plain or names its symbols."""
    puzzles = [column for column in records.PUZZLES if column in table]
    solutions = [column for column in records.SOLUTIONS if column in table]
    if options.column == "solution" and solutions:
        puzzles, solutions = solutions, puzzles
    columns = puzzles + (solutions if options.column != "puzzle" else [])
    if len(puzzles) != 1 or len(columns) > 2 or records.SYMBOLS in table:
        return None
    arrays = [_plain_cells(table[column]) for column in columns]
    if any(array is None for array in arrays):
        return None
    beside = table[solutions[0]][0] if solutions else None
    if arrays[0][0].all() and not {*".*0"}.isdisjoint(str(beside)):
        return None  # the names are swapped
    names = next((table[column] for column in records.NAMES if column in table), None)
    return _plain(arrays[0], source, "row ", first, options, names, *arrays[1:])


def _plain(grids, source, row, first, options, names=None, beside=None) -> Batch:
    """Return plain puzzles as a batch; `row` stands before the number of a row of a table."""
    numbers = np.arange(first, first + len(grids))
    label = at_line(source, row) if row else f"{source}:"
    own_names = None if names is None else np.fromiter(names, object, len(grids))
    batch = Batch(grids, symbols_of("1-9"), label, numbers, own_names, beside)
    misfits = have_twice(grids) if options.rules else np.zeros(len(grids), bool)
    for at in np.flatnonzero(misfits).tolist():
        line = f"{row}{first + at}" if row else first + at
        options.refuse(InputError(given_twice(grids[at], 3), source, line))
    return batch[~misfits] if misfits.any() else batch


def _plain_cells(cells) -> np.ndarray | None:
    """Return cells of a table as values, or None if one of them is not a plain puzzle."""
    if not cells or not all(isinstance(cell, str) and len(cell) == CELLS for cell in cells):
        return None
    data = "".join(cells).encode("ascii", "replace")
    return None if data.translate(None, SIGNS) else _grids(data)


# --- Texts, plain puzzles by the million ---------------------------------------------------------


def _text_parts(head, stream, source, options) -> Iterator[Batch]:
    """Yield plain lines as they come; others together, from the first of them to a plain line.

    Empty lines between plain lines are said, as no line of an output stands for them.
    """
    waiting, first, number = b"", 1, 1
    n_plain, gaps = 0, Counter[int]()  # empty lines by the number of plain lines above
    is_file = stream.seekable()  # a pipe may bring its first line long before the next one
    read = stream.read if is_file else stream.read1
    head += read(BATCH * (CELLS + 1)) if is_file else b""
    for block in chain([head], iter(lambda: read(BATCH * (CELLS + 1)), b"")):
        block += b"" if block.endswith(b"\n") else stream.readline()
        block += b"" if block.endswith(b"\n") else b"\n"  # the last line
        for at, lines in enumerate(
            [block] if options.symbols or options.named else PLAIN_LINES.split(block)
        ):
            # Plain lines are at odd positions. A title or a section above must stay with them.
            title = _title(waiting)
            is_plain = at % 2 and (title or not LEADS.search(waiting))
            grids = _grids(lines) if is_plain else None
            if grids is not None:
                if waiting.isspace() and n_plain:
                    gaps[n_plain] += waiting.count(b"\n")
                    n_plain = 0
                yield from _other_lines(waiting, source, first, options)
                waiting = b""
                names = [title, *[""] * (len(grids) - 1)] if title else None
                yield _plain(grids, source, "", number, options, names)
                n_plain += len(grids)
            else:
                first = first if waiting else number
                waiting += lines
            number += lines.count(b"\n")
    if gaps and (gaps.total() == 1 or len(gaps) > 1 or n_plain > min(gaps)):
        is_one = gaps.total() == 1
        text = "an empty line stands" if is_one else f"{gaps.total()} empty lines stand"
        logger.info("%s: %s between puzzles, without a line in the output", source, text)
    yield from _other_lines(waiting, source, first, options)


def _title(data) -> str:
    """Return the name in the last line that is not empty, if all lines are numbered titles."""
    text = data.decode("latin-1") if len(data) < CELLS else ""
    matches = [*map(forms.NUMBERED.fullmatch, filter(str.strip, forms.LINE_END.split(text)))]
    return matches[-1][1] if matches and all(matches) else ""


def _other_lines(data, source, first, options) -> list[Batch]:
    """Return the puzzles of lines that are not plain, if there is more than comments."""
    text = _decoded(data, source)
    contents = (forms.RULE.sub("", _content(line)) for line in forms.LINE_END.split(text))
    is_empty = all(map(forms.NUMBERED.fullmatch, filter(None, contents)))
    try:
        return [] if is_empty else text_batches(text, source, options, first)
    except InputError as error:
        is_utf8 = data.decode(errors="replace") == text
        remedy = error.remedy or (None if is_utf8 else "it is not UTF-8: save it as UTF-8")
        raise InputError(error.what, error.place, error.line, remedy) from None


def _grids(lines: bytes) -> np.ndarray | None:
    """Return plain lines as values; None if they may mean something else.

    They may be in 0-8, rows of an 81x81 grid, or a solution and its puzzle. In 0-8, zeros stand
    beside another blank, or a complete grid has nine zeros; and no line has a 9.
    """
    from_zero = b"9" not in lines  # may they be
    signs = np.frombuffer(lines.translate(None, b"\r\n"), np.uint8).reshape(-1, CELLS)
    if from_zero and b"0" in lines and (b"." in lines or b"*" in lines):
        has_zero = (signs == ord("0")).any(axis=1)
        if (signs[has_zero] < ord("0")).any():
            return None
    grids = np.frombuffer(signs.tobytes().translate(VALUE_OF), np.uint8).reshape(-1, CELLS).copy()
    n_givens = np.count_nonzero(grids, axis=1)
    may_be_from_zero = from_zero and (n_givens == CELLS - 9).any()
    may_be_rows = np.count_nonzero(n_givens <= 9) >= CELLS
    is_beside = solution_beside(grids, n_givens == CELLS) is not None
    return None if may_be_from_zero or may_be_rows or is_beside else grids


def _text_or_json(text, source, options) -> list[Batch]:
    if text.lstrip().startswith(("{", "[")):
        cells = records.cells_of_json(text, source, options)
        if cells is not None:
            return batches_of(cells, source, options)
    return text_batches(text, source, options)


def text_batches(
    text: str, source: str = "text", options: Options = DEFAULT, first: int = 1
) -> list[Batch]:
    """Return the puzzles of a text; with `Options.skip`, line by line if need be."""
    if options.named:
        message = f"no column {quote(options.named)}: it is no table"
        raise InputError(message, source)
    if "#" in text and not options.symbols:
        names = " ".join(match[1] for match in forms.NAMED_SYMBOLS.finditer(text))
        options = replace(options, symbols=names or None)
    try:
        grids = forms.find_cells(text, source, options, first)
    except InputError:
        if options.skip is None:
            raise
        grids = list(_single_lines(text, source, options, first))
    return batches_of(grids, source, options)


def _single_lines(text, source, options, first) -> Iterator[Cells]:
    """Yield the cells of each line that is a puzzle; it may not be a row of a larger grid."""
    for number, line in enumerate(forms.LINE_END.split(text), first):
        if not _content(line):
            continue
        try:
            cells, *_ = forms.find_cells(line, source, options, number)
            if len(cells.signs) not in forms.WORDS or not isinstance(cells.signs, str):
                raise InputError("a row of a grid that cannot be read", *cells.location)
            yield cells
        except InputError as error:
            options.refuse(error)

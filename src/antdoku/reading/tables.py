"""Puzzles in tables, CSV or Parquet, some thousands of rows at a time."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain, dropwhile, filterfalse, islice

import numpy as np

from antdoku.errors import InputError, several
from antdoku.reading.batches import Batch
from antdoku.reading.cells import NAMES, PUZZLES, WORDS
from antdoku.reading.files import characters, ending
from antdoku.reading.fitting import batches_of
from antdoku.reading.headers import (
    SOLUTIONS,
    Table,
    cell_columns,
    is_header,
    named_columns,
    names_puzzles,
    table_of,
    with_solutions,
)
from antdoku.reading.labels import column_names
from antdoku.reading.lines import check_row_count, content_of, note_empty_lines
from antdoku.reading.plain import BATCH, CELLS, plain_table
from antdoku.reading.records import MIN_CELLS, cells_of_table
from antdoku.reading.values import count_cells, is_missing
from antdoku.reading.words import JOINED, MISSING, may_be_puzzle

COLUMNS = re.compile(r"[\w.\"-]+([,;\t|][\w.\"-]+)+")  # their names; a title has spaces
BELOW_NAMES = re.compile(
    r"(?=.*[|+])(?=.*-)[\s|:+-]+"
)  # below the names, in Markdown and of databases
REMEDY = "close the quotes of a text, and double a quote in it"


def separator_of(line, path, named) -> str:
    """Return the separator of columns, if a line is the header of a table; else an empty text."""
    separator = max(",;\t|", key=line.count)
    names = [name.strip(' "') for name in line.split(separator)]
    is_text = any(len(name) in WORDS for name in names)
    words = [name for name in names if re.fullmatch(r"[A-Za-z_ ]{2,}", name)]
    has_words = sum(map(bool, names)) > 1 and not all(map(MISSING.fullmatch, words))
    is_csv = ending(path) in (".csv", ".tsv") and has_words and not is_text
    is_table = (
        is_csv
        or (named and named in names)
        or (COLUMNS.fullmatch(line) and names_puzzles(names))
        or is_header(names)
        or cell_columns(names)
    )
    return separator if is_table else ""


def csv_tables(lines: Iterable[bytes], separator, source, named) -> Iterator[Table]:
    """Yield a table some thousands of rows at a time."""
    decoded = map(characters, lines)
    # A line may end in a carriage return alone.
    texts = chain.from_iterable(
        io.StringIO(text, newline="") if "\r" in text[:-2] else (text,) for text in decoded
    )
    texts = dropwhile(lambda text: not content_of(text), texts)
    try:
        header = next(_reader(texts, separator), [])
        if any(len(name) >= CELLS and may_be_puzzle(name[-CELLS:]) for name in header):
            raise InputError(JOINED, source, 1)
        names = named_columns(header, source, named)
        counts: list[str] = []  # lines that say how many rows there are
        if separator == "|":
            texts = chain(filterfalse(lambda line: _is_rule(line, source), islice(texts, 1)), texts)
            texts = _without_comments(texts, counts)
        if len(names) == 1:  # pandas prints the name of an index below the names of columns
            texts = chain(filterfalse(column_names, islice(texts, 1)), texts)
        first = 1
        while batch := list(islice(texts, BATCH)):
            columns = _split(batch, separator, len(names))
            if columns is None:
                break
            yield table_of(names, columns, source)
            first += len(batch)
        n_rows = first - 1
        rows = _rows(chain(batch, texts), separator, len(names), source, first)
        while batch := list(islice(rows, BATCH)):
            n_rows += len(batch)
            yield _table(names, batch, source)
        check_row_count("".join(counts), {n_rows}, several(n_rows, "row"), source)
    except csv.Error as error:  # in the header
        raise InputError(str(error), source, 1, REMEDY) from None


def _table(names, rows, source):
    """Return the table of rows. An error stands in the first column, in place of its row."""
    errors = {at: row for at, row in enumerate(rows) if isinstance(row, InputError)}
    whole = [[""] * len(names) if at in errors else row for at, row in enumerate(rows)]
    table = table_of(names, list(zip(*whole)), source)
    first, values = next(iter(table.items()))
    return table | {first: [errors.get(at, value) for at, value in enumerate(values)]}


def _is_rule(line, source):
    """Whether the line below the names of columns is a rule; refuse one with a row behind."""
    if not BELOW_NAMES.fullmatch(line) and re.match(r"[\s|]*:?-+:?[+|]", line):
        raise InputError("a rule and a row in one line: is a line end lost?", source, "row 1")
    return BELOW_NAMES.fullmatch(line)


def _without_comments(texts, counts) -> Iterator[str]:
    """Yield the rows of what a database prints; what says how many they are goes to `counts`."""
    for text in texts:
        if content_of(text):
            yield text
        else:
            counts.append(text)


def _reader(texts, separator):
    return csv.reader(texts, delimiter=separator, skipinitialspace=True, strict=True)


def _rows(texts, separator, width, source, first) -> Iterator[list[str] | InputError]:
    """Yield the rows of a table from number `first`; for one without `width` cells an error.

    If its quotes hold a line end, they may hold other rows, and the error is raised.
    """
    reader = _reader(texts, separator)
    number, line, n_empty, n_between = first, 0, 0, 0
    try:
        for row in reader:
            line, n_lines = reader.line_num, reader.line_num - line
            if not row:
                n_empty += 1
                continue
            n_between, n_empty = n_between + n_empty * (number > 1), 0
            if len(row) != width:
                cells, columns = several(len(row), "cell"), several(width, "column")
                error = InputError(f"{cells} in a row, and {columns}")
                if n_lines > 1:
                    raise InputError(error.what, source, f"row {number}", REMEDY)
                yield error
            else:
                yield row
            number += 1
        note_empty_lines(n_between, source)
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


def table_parts(tables, source, options) -> Iterator[Batch]:
    """Yield the puzzles of tables, as arrays where all rows of a table are plain."""
    first = 1
    for table in tables:
        if options.column != "puzzle":
            table = with_solutions(table, source)
        is_whole = not any(isinstance(value, InputError) for value in next(iter(table.values())))
        may_be_plain = is_whole and not options.symbols
        batch = plain_table(table, source, first, options) if may_be_plain else None
        if may_be_plain and batch is None and options.skip and options.column == "puzzle":
            batch = _without_empty(table, source, first, options)
        if batch is None:
            cells = cells_of_table(table, source, options, first)
            yield from batches_of(cells, source, options)
        else:
            yield batch
        first += len(next(iter(table.values())))


def _without_empty(table, source, first, options) -> Batch | None:
    """Return the puzzles of a table of which some are empty and skipped, if the others are plain.

    None also if another field may hold the puzzle of a row.
    """
    column = next((table[name] for name in PUZZLES if name in table), [])
    is_there = np.array([not is_missing(text) and text != "" for text in column], bool)
    rows, empty = np.flatnonzero(is_there), np.flatnonzero(~is_there).tolist()
    names = table.keys() - {*NAMES, *PUZZLES, *SOLUTIONS}
    may_be_cells = any(count_cells(table[name][at]) > MIN_CELLS for name in names for at in empty)
    if not len(rows) or not empty or may_be_cells:
        return None
    part = {name: [cells[at] for at in rows.tolist()] for name, cells in table.items()}
    batch = plain_table(part, source, first + rows, options)
    for at in empty if batch is not None else ():
        options.refuse(InputError("the puzzle is empty", source, f"row {first + at}"))
    return batch

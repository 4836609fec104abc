"""Puzzles in nested lists or arrays of numbers, signs or lines of text."""

from collections.abc import Iterator
from numbers import Integral

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.reading.batches import text_of
from antdoku.reading.cells import EMPTY, WORDS, Cells, Location, Options
from antdoku.reading.lines import PLAIN_SIGNS, find_cells
from antdoku.reading.rows import split_rows
from antdoku.reading.values import LONGEST_CELL, REMEDIES, is_list, is_missing
from antdoku.reading.words import first_puzzle, joined

SIGNS = {*".*_-"}  # of a blank
ALLOWED = "allowed are a path, a text, an array of numbers or a table"


def cells_of_list(value, source, options) -> list[Cells]:
    """Return the cells of puzzles in nested lists or arrays of numbers, signs or lines of text."""
    nested = _nested(value, source)
    if not isinstance(nested, list):
        remedy = REMEDIES.get(type(value).__name__)
        raise InputError(f"{type(value).__name__}: {ALLOWED}", source, remedy=remedy)
    lists = list(_rows(nested))
    leaves = [leaf for row, _ in lists for leaf in row]
    if any(map(_is_text, leaves)):
        if _are_rows(nested):
            return _cells_of_rows(nested, source, options)
        are_puzzles = any(_is_text(leaf) and len(leaf) in WORDS for leaf in leaves)
        _check_texts(leaves, source, _remedy(nested), may_be_missing=are_puzzles)
        if are_puzzles:
            return cells_of_texts(leaves, source, options)
        text = "\n\n".join("\n".join(row) for row, _ in lists)
        return find_cells(text, source, options)
    if not leaves:
        raise InputError("there is no puzzle in it", source)
    rows, has_sign = [], not SIGNS.isdisjoint(leaf for leaf in leaves if isinstance(leaf, str))
    for number, (row, gap) in enumerate(lists, 1):
        location = Location(source, number)
        if has_sign and any(isinstance(cell, str) and not cell.strip() for cell in row):
            raise InputError(EMPTY, *location)
        signs = joined([_sign(cell, location) for cell in row], location)
        rows.append(Cells(location, signs, gap=gap))
    size = len(rows[0].signs)
    are_even = all(len(row.signs) == size for row in rows)
    # As many rows as columns, or a multiple, may be grids of that size.
    are_puzzles = are_even and size in WORDS and len(rows) % size > 0
    puzzles = rows if are_puzzles else split_rows(rows, options.chosen.keys())
    are_numbers = not any(isinstance(leaf, str) and leaf.strip() for leaf in leaves)
    from_one = are_numbers and -1 not in leaves  # -1 is the blank of values from 0
    return [cells._replace(from_one=from_one) for cells in puzzles]


def cells_of_texts(texts, source, options, first=1) -> list[Cells]:
    """Return the cells of the puzzle that each text is, the first of which has number `first`."""
    if options.named:
        raise InputError(f"no column {quote(options.named)}: it is no table", source)
    puzzles: list[Cells] = []
    for number, text in enumerate(texts, first):
        location = Location(source, number)
        try:
            text = "" if is_missing(text) else text  # which is no puzzle either
            cells = cells_of_text(text, location, options)
            puzzles.append(cells._replace(location=location))
        except InputError as error:
            options.refuse(InputError(error.what, *location, error.remedy))
    return puzzles


def cells_of_text(text: str, location: Location, options: Options) -> Cells:
    """Return the cells of the only puzzle in a text."""
    if len(text) == min(WORDS) and PLAIN_SIGNS.issuperset(text):
        return Cells(location, text)  # as most are; a hundred times faster
    if not text.strip():
        raise InputError("the puzzle is empty")
    return only(find_cells(text, str(location), options))


def only(puzzles: list[Cells]) -> Cells:
    """Return the only puzzle of a row or a record."""
    if len(puzzles) != 1:
        raise InputError(f"{len(puzzles)} puzzles: a row holds one")
    return puzzles[0]


def _are_rows(nested) -> bool:
    """Whether lists are rows of a database: each has a text of a puzzle, and one has more."""
    are_puzzles = [
        [isinstance(value, str) and len(value) in WORDS for value in row]
        for row in nested
        if is_list(row)
    ]
    is_each = len(are_puzzles) == len(nested) and all(map(any, are_puzzles))
    return is_each and not all(map(all, are_puzzles))


def _cells_of_rows(rows, source, options) -> list[Cells]:
    """Return the cells of the puzzle in each row of a database, which its first field names."""
    puzzles = []
    for number, row in enumerate(rows, 1):
        location = Location(source, number)
        fields = ["" if value is None else str(value).strip() for value in row]
        name = "" if len(fields[0]) in WORDS else text_of(row[0])
        grids = [Cells(location, field, name) for field in fields if len(field) in WORDS]
        try:
            puzzles.append(first_puzzle(grids, fields))
        except InputError as error:
            options.refuse(error)
    return puzzles


def _is_text(item):
    """Whether an item is a text of several cells."""
    return isinstance(item, str) and len(item) > LONGEST_CELL


def _check_texts(items, source, remedy, may_be_missing):
    """Raise `InputError` for the first item that is no text."""
    for number, item in enumerate(items, 1):
        if not (isinstance(item, str) or (item is None and may_be_missing)):
            raise InputError(f"{quote(str(item))} among texts", source, number, remedy)


def _remedy(nested):
    """Return what to do with lists among texts."""
    lists = [item for item in nested if isinstance(item, list)]
    if any(_is_text(item) for row in lists for item in row):
        return REMEDIES["dict"]
    return "read texts and arrays one by one" if lists else None


def _nested(value, source):
    """Return lists and arrays of any kind as lists, None for what is masked or missing."""
    if isinstance(value, np.ma.MaskedArray):
        value = np.where(np.ma.getmaskarray(value), None, value.data)
    if hasattr(value, "to_numpy"):  # of pandas, polars or pyarrow
        value = np.asarray(value, dtype=object)
    if isinstance(value, np.ndarray) and value.ndim > 2 and value.shape[-1] == 1:
        value = value[..., 0]
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if is_list(value):
        return [_nested(item, source) for item in value]
    return None if is_missing(value) else value


def _rows(nested, gap="") -> Iterator[tuple[list, str]]:
    """Yield the lists of cells, with a gap before each grid."""
    if not any(isinstance(item, list) for item in nested):
        yield nested, gap
        return
    for item in nested:
        is_grid = isinstance(item, list) and any(isinstance(row, list) for row in item)
        gap = "blank line" if is_grid else gap
        yield from _rows(item if isinstance(item, list) else [item], gap)
        gap = "blank line" if is_grid else ""


def _sign(cell, location) -> str:
    """Return a cell as text, a dot for a blank."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return "."
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if not isinstance(cell, str | Integral) or isinstance(cell, bool):
        message = f"{quote(str(cell))}: cells must be whole numbers"
        remedy = None if isinstance(cell, bool | float) else REMEDIES.get(type(cell).__name__)
        raise InputError(message, *location, remedy=remedy)
    text = str(cell).strip()
    if len(text) > LONGEST_CELL and not isinstance(cell, str):
        message = f"{quote(text)}: a number of {len(text)} digits is no cell"
        raise InputError(message, *location, remedy=REMEDIES["int"])
    return text

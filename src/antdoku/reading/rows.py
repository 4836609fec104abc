"""Rows of cells that are grids, lines that are puzzles, and numbers that are wrapped.

d*d cells are a puzzle, d lines of d cells a grid. Rules and blank lines may stand between grids and
between the bands of a grid. Numbers may be wrapped at any width. Files of Lloyd & Amos have the
order and an ignored number before them.

Lines of 16 or of 81 cells are puzzles of order 2 or 3, or rows of order 4 or 9: as many such lines
without a gap are refused if they may be both.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import isqrt
from statistics import mode
from string import ascii_uppercase

from antdoku.errors import InputError, several
from antdoku.reading.cells import (
    ORDER_OF_CELLS,
    ORDER_OF_SIZE,
    SIZES,
    TITLE,
    WORDS,
    Cells,
    is_complete,
    wrong_number,
)
from antdoku.reading.labels import NO_ROW, are_labels, check_row_by_row, count_up

# Values of the puzzles whose lines may be rows of a larger grid.
VALUES = {order**4: {"0", *map(str, range(1, order**2 + 1))} for order in (2, 3)}


def split_rows(rows: list[Cells], orders: set[int]) -> Iterator[Cells]:
    """Yield the puzzles that follow each other: grids, lines, or wrapped numbers.

    The `orders` of the puzzles, where they are known, decide between two meanings.
    """
    titles = [at for at, row in enumerate(rows) if row.gap == TITLE]
    for first, last in pairwise([0, *titles, len(rows)]):
        part = _without_index(_without_gaps(_without_ends(rows[first:last])))
        yield from _puzzles_of(part[1:] if part and _are_names(part) else part, orders)


def _without_ends(rows) -> list[Cells]:
    """Return rows without the empty field at the end, if all rows end in their separator."""
    wide = [row.signs for row in rows if len(row.signs) > 1]
    if not all(len(signs) - 1 in SIZES and signs[-1] == "" for signs in wide):
        return rows
    return [row._replace(signs=row.signs[:-1]) if len(row.signs) > 1 else row for row in rows]


def _without_gaps(rows) -> list[Cells]:
    """Return rows of a spreadsheet without its empty columns and rows.

    Columns may be empty behind the grid or between boxes, or else before it, rows between boxes or
    grids. Nothing is left out if different columns could be.
    """
    wide = [row for row in rows if len(row.signs) > 1]
    columns = [*zip(*(row.signs for row in wide))]
    if {len(row.signs) for row in wide} != {len(columns)}:
        return rows
    if len(columns) not in SIZES and (cells := _filled(columns)):
        rows = [row._replace(signs=[row.signs[cell] for cell in cells]) for row in wide]
    has_filled = any(any(row.signs) for row in rows)
    # A rule above each row: the frame of every cell, in which an empty row is one, too.
    are_framed = len(rows) > 1 and all(row.gap for row in rows[1:]) and rows[1].gap == "rule"
    if not has_filled or are_framed:
        return rows
    starts = [at for at, row in enumerate(rows) if at and row.gap]
    blocks = (rows[first:last] for first, last in pairwise([0, *starts, len(rows)]))
    return [row for block in blocks for row in _without_empty_rows(block)]


def _without_empty_rows(rows) -> list[Cells]:
    """Return rows without rows of empty fields, which are as good as blank lines.

    They are rows of cells where the others alone are no whole grids. `InputError` if they may be
    both.
    """
    size, filled, name, gap = len(rows[0].signs), [], rows[0].name, rows[0].gap
    at_edges = True  # of grids or boxes
    for row in rows:
        if any(row.signs):
            filled.append(row._replace(name=row.name or name, gap=gap))
            name, gap = "", ""
        else:
            gap = gap or "blank line"
            at_edges &= len(filled) % ORDER_OF_SIZE.get(size, 1) == 0
    n_empty = len(rows) - len(filled)
    if not n_empty or size < 2 or len(rows) in (size, ORDER_OF_SIZE.get(size)):
        return rows
    if size not in ORDER_OF_SIZE or (at_edges and len(filled) % size == 0):
        return filled
    if len(rows) % size == 0 and n_empty < size:
        return rows
    if size in WORDS:
        return filled
    remedy = "write a dot for a blank, and blank lines between grids"
    message = f"{len(rows)} rows of {size} cells, {n_empty} of them empty"
    raise InputError(message, *rows[0].location, remedy=remedy)


def _without_index(rows) -> list[Cells]:
    """Return rows without the labels in front of them, which count, and without those above."""
    width = max((len(row.signs) for row in rows), default=0)
    size = width - 1
    if size not in ORDER_OF_SIZE:
        return rows
    labels = [row.signs[0] for row in rows if len(row.signs) == width and row.signs[0]]
    blocks = [labels[at : at + size] for at in range(0, len(labels), size)]
    if len(labels) % size or not (count_up(labels) or all(map(are_labels, blocks))):
        return rows
    body, above = [], None
    for row in rows:
        above = above or row
        if len(row.signs) == width and row.signs[0]:
            body.append(above._replace(signs=row.signs[1:]))
            above = None
        elif not are_labels([label for label in row.signs if label]):
            return rows
    return body


def _filled(lines) -> list[int]:
    """Return which columns are a grid without empty ones; none if that is not certain."""
    empty = {at for at, cells in enumerate(lines) if not any(cells)}
    if not empty:
        return []
    n_before = next((at for at in range(len(lines)) if at not in empty), 0)
    gaps, around = [], []
    for size, order in ORDER_OF_SIZE.items():
        behind, between = range(size, len(lines)), range(order, len(lines), order + 1)
        gaps += [{*behind}] + [{*between}] * (len(lines) == size + order - 1)
        n_empty = len(lines) - size
        firsts = range(1, min(n_before, n_empty) + 1) if n_empty < size else ()
        around += [{*range(first), *range(first + size, len(lines))} for first in firsts]
    gaps, around = ([gap for gap in some if gap and gap <= empty] for some in (gaps, around))
    gaps = gaps or around
    return [at for at in range(len(lines)) if at not in gaps[0]] if len(gaps) == 1 else []


def _puzzles_of(rows, orders) -> Iterator[Cells]:
    at = 0
    while at < len(rows):
        n_rows, signs = 1, rows[at].signs
        if body := _labelled(rows, at):
            n_rows, signs = len(body) + 1, _all_signs(body)
        elif _is_grid(rows, at, orders):
            n_rows, signs = len(signs), _all_signs(rows[at : at + len(signs)])
        elif not _may_be_puzzle(signs):
            end = _next_gap(rows, at + 1)
            yield _wrapped(rows[at:end]) or _refuse(rows[at:])
            at = end
            continue
        yield rows[at]._replace(signs=signs)
        at += n_rows


def _next_gap(rows, first) -> int:
    """Return the index of the next row with a gap above it, from `first` on; else their number."""
    return next((at for at in range(first, len(rows)) if rows[at].gap), len(rows))


def _labelled(rows, at) -> list[Cells] | None:
    """Return the rows below a line of labels; None if the line holds no labels."""
    labels = [label for label in rows[at].signs if label]
    size = len(labels)
    body = rows[at + 1 : at + 1 + size]
    if not are_labels(labels) or {len(row.signs) for row in body} != {size}:
        return None
    end = _next_gap(rows, at + 2)
    is_alone = labels[0] in ("0", "A") and (end - at - 1) % size == 0  # of DataFrame.to_csv
    is_apart = is_alone or body[0].gap == "rule"
    return body if is_apart and len(body) == size <= end - at - 1 else None


def _are_names(rows):
    """Whether a row counts the columns of the puzzles below, from 0 or 1, as pandas does."""
    names, *puzzles = [row.signs for row in rows]
    if len(rows) == len(names) or not all(map(str.isdecimal, names)):
        return False  # a row of a large grid may count, too
    if {*map(len, puzzles)} != {len(names)} or not all(map(_may_be_puzzle, puzzles)):
        return False
    if not count_up(sorted(names, key=int)):
        return False
    check_row_by_row(names, *rows[0].location)
    return True


def _is_grid(rows, at, orders) -> bool:
    """Whether the row is the first of a grid; one with gaps inside has one at its end."""
    size, first = len(rows[at].signs), rows[at].signs
    if size in VALUES and _may_be_puzzle(first) and _has_twice(first):
        return False
    part, after = rows[at : at + size], rows[at + size : at + size + 1]
    if size not in ORDER_OF_SIZE or [len(row.signs) for row in part] != [size] * size:
        return False
    rule, *others = [row.gap for row in part[1:]]
    are_numbers = rule == "rule" and not any(others) and are_labels([*first])
    if are_numbers and not is_complete(_all_signs(part)):
        text = f"{size - 1} rows of {size} cells below the numbers of the columns: is one missing?"
        raise InputError(text, *rows[at].location)
    gaps = {rule, *others}
    if size in VALUES and "rule" not in gaps and all(_may_be_puzzle(row.signs) for row in part):
        return _is_large(part, size, orders)
    return gaps == {""} or not after or after[0].gap != ""


def _is_large(part, size, orders) -> bool:
    """Whether rows that may all be puzzles are one grid, without gaps or with one at each band."""
    large, small = ORDER_OF_SIZE[size], ORDER_OF_CELLS[size]
    gaps = [at for at, row in enumerate(part) if at and row.gap]
    if gaps not in ([], [*range(large, size, large)]) or any(_has_twice(row.signs) for row in part):
        return False
    if (large in orders) == (small in orders):
        meanings = f"{size} puzzles of order {small}, or one of order {large}"
        message = f"{size} lines of {size} cells: {meanings}"
        remedy = f"write a blank line after each puzzle, or give --symbols 1-{small**2} or 1-"
        raise InputError(message, *part[0].location, remedy=f"{remedy}{large**2}")
    return large in orders


def _has_twice(cells):
    """Whether a value stands twice in a row."""
    values = [cell for cell in cells if cell.isalnum() and cell != "0"]
    return len({*values}) < len(values)


def _may_be_puzzle(cells):
    """Whether a line is a puzzle, as far as its values say."""
    n_cells, values = len(cells), {sign for sign in cells if sign.isalnum()}
    if isinstance(cells, str):
        return n_cells in WORDS or (n_cells == 16 and VALUES[16] >= values)
    return n_cells in ORDER_OF_CELLS and VALUES.get(n_cells, values) >= values


def _wrapped(rows) -> Cells | None:
    """Return the puzzle whose numbers are wrapped, perhaps a file of the archive, or one line."""
    cells = _all_signs(rows)
    if isinstance(cells, str):
        return rows[0]._replace(signs=cells) if len(rows) == 1 and len(cells) == 16 else None
    widths = [len(row.signs) for row in rows]
    order = ORDER_OF_CELLS.get(len(cells) - 2)
    if order and widths[:2] == [1, 1] and cells[0] == str(order) and _are_even(widths[2:]):
        return rows[0]._replace(signs=cells[2:], from_one=True)
    is_puzzle = len(cells) in ORDER_OF_CELLS and _are_even(widths)
    return rows[0]._replace(signs=cells) if is_puzzle else None


def _are_even(widths):
    return {*widths[:-1]} <= {widths[0]} and widths[-1] <= widths[0]


def _all_signs(rows) -> str | list[str]:
    """Return the cells of all rows."""
    cells = [cell for row in rows for cell in row.signs]
    return "".join(cells) if all(isinstance(row.signs, str) for row in rows) else cells


def _without_labels(rows) -> list[Cells]:
    """Return the rows of a bad grid without names of columns, and labels in front that count."""
    block = rows[: _next_gap(rows, 1)]
    width = mode(len(row.signs) for row in block)
    for part in (block, block[1:]) if width - 1 in ORDER_OF_SIZE else ():
        labels = [row.signs[0] for row in part]
        if len(labels) > 2 and (count_up(labels) or labels == [*ascii_uppercase[: len(labels)]]):
            return [row._replace(signs=row.signs[1:]) for row in part]
    return rows


def _refuse_order(rows):
    """Refuse rows of a grid out of the order of their labels, below labels of columns."""
    above, labels = [*filter(None, rows[0].signs)], [row.signs[0] for row in rows[1:] if row.signs]
    in_order = sorted(labels, key=lambda label: (len(label), label))
    if labels and are_labels(above) and count_up(in_order):
        remedy = "sort the rows of the grid by their labels"
        check_row_by_row(labels, *rows[1].location, remedy=remedy, wrong=NO_ROW)


def _refuse(rows):
    """Raise `InputError` for the first row that keeps the rows from being a puzzle."""
    _refuse_order(rows)
    rows = _without_labels(rows)
    (location, cells, *_), widths = rows[0], [len(row.signs) for row in rows]
    size = sum(widths) if {*widths} == {1} else widths[0]
    if widths[:2] == [1, 1] and max(widths) > 9 and cells[0].isdigit():
        n_cells = f"{sum(widths) - 2} cells after the lines with the order and the ignored number"
        raise InputError(f"{n_cells}: must be order**4, for an order from 2 to 10", *location)
    edge = isqrt(size) if isqrt(size) ** 2 == size and len(rows) == 1 else size
    if edge > 4 and edge not in ORDER_OF_SIZE and (edge < size or widths[:edge] == [edge] * edge):
        sizes = ", ".join(f"{number}x{number}" for number in ORDER_OF_SIZE)
        raise InputError(f"{edge}x{edge} puzzles: sizes are {sizes}", *location)
    if size not in ORDER_OF_SIZE:
        is_number = 60 < size < 81 and all(map(str.isdecimal, cells)) and "0" in cells
        remedy = "has a spreadsheet dropped the zeros before it? write dots" if is_number else None
        note = "; a title has a word, as Puzzle 1" if size < 4 else ""
        has_comment = isinstance(cells, str) and len(cells.partition("#")[0]) in WORDS
        remedy = "write a space before the comment" if has_comment else remedy
        raise InputError(f"{wrong_number(size)}{note}", *location, remedy=remedy)
    grid = f"a grid of order {ORDER_OF_SIZE[size]} has {size}"
    block = _next_gap(rows, 1)
    rows = rows[:block] if ORDER_OF_SIZE[size] < block < size else rows
    for row in rows[:size]:
        if len(row.signs) != size:
            n_cells = several(len(row.signs), "cell")
            raise InputError(f"{n_cells} in this row: {grid}", *row.location)
    lacks_row = len(rows) == size - 1 or any(row.gap == "blank line" for row in rows[1:])
    has_dash = len(rows) > 1 and any("-" in row.signs for row in rows)
    remedy = "is a row missing, or empty? write dots for blanks" if lacks_row else None
    remedy = "a line of dashes is no row: write dots" if has_dash else remedy
    message = f"{several(len(rows), 'row')} of {size} cells: {grid}"
    raise InputError(message, *location, remedy=remedy)

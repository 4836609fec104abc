"""Text forms of puzzles: reading and writing them.

    form         one puzzle                                              blank       orders
    archive      lines with the order and with an ignored integer,       -1 0 . *    2 to 10
                 then integers (the files of Lloyd & Amos)
    characters   one character a cell: 1-4, 1-9, 0-9a-f or a-y           . * (0)     2 to 5
    integers     numbers with spaces between                             . * 0 -1    2 to 10

The characters ``0-9a-f`` of order 4 stand for 1 to 16 and the letters ``a-y`` of order 5 for 1 to
25, in either case; 0 is a blank in orders 2 and 3 only. Single digits with spaces between and no
letter among them are integers. Characters may stand in groups of equal length.

A puzzle is one line, or a grid of d lines with d cells; integers may be wrapped anywhere. The
signs ``|``, ``+`` and box-drawing characters count as spaces, lines of ``-``, ``=`` and these count
as nothing, ``#`` begins a comment. A file holds any number of puzzles. A line that holds a whole
puzzle stands for itself; grids are separated by blank lines, which may also stand between the
bands of a grid. Two pairs of orders can be confused, 2 and 4, and 3 and 9 as integers, where a line
of 16 or of 81 cells is a puzzle of the one and a row of the other: as many such lines without a
blank line between are one grid, unless a line has a number twice.

On the line of a puzzle of 81, 256 or 625 characters in one word, a word before it is its name, and
what follows it, such as a rating, is a comment; a comma, a semicolon or a colon ends a word, too.
Files of SadMan Sudoku (``.sdk``) have sections, of which ``[Puzzle]`` counts.

Whatever the input, reading raises nothing but `InputError`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import isqrt
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.grid import ORDERS, Puzzle, cell_name

MAX_GAPS = 100  # blank lines inside one puzzle: a wrong file is not searched to its end

ALPHABETS = {
    2: "1234",
    3: "123456789",
    4: "0123456789abcdef",
    5: "abcdefghijklmnopqrstuvwxy",
}
BLANKS = {2: ".*0", 3: ".*0", 4: ".*", 5: ".*"}
BLANK_SIGNS = {".", "*", "0", "-1"}
# Of the cells of puzzles that may be rows of a grid.
SIGNS = {order: BLANK_SIGNS.union(ALPHABETS[order]) for order in (2, 3)}
LEGENDS = {
    2: "1-4, or . * 0 for a blank",
    3: "1-9, or . * 0 for a blank",
    4: "0-9 and a-f for 1 to 16, or . * for a blank",
    5: "a-y for 1 to 25, or . * for a blank",
}
ORDER_OF_CELLS = {order**4: order for order in ORDERS}
ORDER_OF_SIZE = {order**2: order for order in ORDERS}
ONE_WORD = {order**4 for order in ALPHABETS if order > 2}  # cells that no row of a grid has

INTEGER = re.compile(r"-?[0-9]{1,9}|[.*]")
CHARACTERS = re.compile(r"[0-9a-zA-Z.*]+")
LINE_END = re.compile(r"\r\n?|\n")  # those of editors: str.splitlines knows more
WORD_END = re.compile(r"[\s,;:]+")
SECTION = re.compile(r"\s*\[(\w+)\]\s*")
RULE = re.compile(r"[-=|+\s\u2500-\u257f]+")
SEPARATORS = str.maketrans(dict.fromkeys(["|", "+", *map(chr, range(0x2500, 0x2580))], " "))

CELLS_HELP = "cells are digits, letters, or one of . * 0 -1 for a blank; a # begins a comment"
ORDERS_HELP = f"orders {ORDERS[0]} to {ORDERS[-1]}"
COUNTS_HELP = f"a puzzle has one of {', '.join(map(str, ORDER_OF_CELLS))} ({ORDERS_HELP})"
ROWS_HELP = f"a row of a grid has one of {', '.join(map(str, ORDER_OF_SIZE))} ({ORDERS_HELP})"


class Row(NamedTuple):
    """A line with cells: its number in the file, from 1, and what stands between the spaces.

    The name is that of a puzzle in one word.
    """

    number: int
    tokens: list[str]
    name: str = ""


# --- The forms -----------------------------------------------------------------------------------


def _archive_order(rows):
    tokens = _tokens(rows)
    order = ORDER_OF_CELLS.get(len(tokens) - 2)
    return order if order and tokens[0] == str(order) and _are_integers(tokens) else None


def _characters_order(rows):
    lengths = {_length(row) for row in rows}
    order = ORDER_OF_CELLS.get(sum(map(_length, rows)))
    if order not in ALPHABETS or lengths not in ({order**4}, {order**2}):
        return None
    tokens = _tokens(rows)
    text = "".join(tokens)
    are_integers = len(tokens) == len(text) and not any(map(str.isalpha, text))
    # Numbers of one and of two digits may happen to have as many characters as a puzzle.
    are_even = len(set(map(len, tokens))) == 1
    return order if are_even and CHARACTERS.fullmatch(text) and not are_integers else None


def _characters_values(rows, order, place):
    text = "".join(_tokens(rows)).lower()
    values = dict.fromkeys(BLANKS[order], 0)
    values |= {sign: value for value, sign in enumerate(ALPHABETS[order], start=1)}
    for cell, sign in enumerate(text):
        if sign not in values:
            raise InputError(
                f"{place}: {cell_name(cell, order**2)}: {sign!r} is not a cell of order {order}: "
                f"allowed are {LEGENDS[order]}"
            )
    return [values[sign] for sign in text]


def _integers_order(rows):
    tokens = _tokens(rows)
    order = ORDER_OF_CELLS.get(len(tokens))
    return order if order and _are_integers(tokens) else None


def _integers_values(rows, order):
    # In the archive two other numbers stand before the cells.
    return [_integer(token) for token in _tokens(rows)[-(order**4) :]]


# Each gives the order of the puzzle that some rows hold, None if they are not of this form.
FORMS = {
    "archive": _archive_order,
    "characters": _characters_order,
    "integers": _integers_order,
}


def _recognise(rows: list[Row]) -> tuple[str, int] | None:
    """Return the form and the order of the one puzzle in `rows`, None if there is none."""
    for name, order_of in FORMS.items():
        if order := order_of(rows):
            return name, order
    return None


def _integer(token: str) -> int:
    return 0 if token in (".", "*", "-1") else int(token)


def _are_integers(tokens) -> bool:
    return all(map(INTEGER.fullmatch, tokens))


def _tokens(rows) -> list[str]:
    return [token for row in rows for token in row.tokens]


def _length(row: Row) -> int:
    return sum(map(len, row.tokens))


# --- Reading -------------------------------------------------------------------------------------


def read_puzzles(text: str, source_name: str = "text", kind: type[Puzzle] = Puzzle) -> list[Puzzle]:
    """Read every puzzle in `text`; those without a name are called ``source_name:line``.

    Parameters
    ----------
    text : str
        Any number of puzzles in any of the forms of this module.
    source_name : str
        How messages and the names of the puzzles call the text.
    kind : type
        `Puzzle`, or a class derived from it.

    Raises
    ------
    InputError
        If there is no puzzle, or something that is none.
    """
    puzzles, rows, n_gaps = [], [], 0
    for block in _blocks(text):
        if not rows and _holds_one_a_line(block):
            puzzles += [_puzzle([row], _recognise([row]), source_name, kind) for row in block]
            continue
        rows, n_gaps = rows + block, n_gaps + 1
        if found := _recognise(rows):
            puzzles.append(_puzzle(rows, found, source_name, kind))
            rows, n_gaps = [], 0
        elif n_gaps > MAX_GAPS:
            break
    if rows:
        raise InputError(_what_is_wrong(rows, source_name))
    if not puzzles:
        raise InputError(f"{source_name}: there is no puzzle in it")
    return puzzles


def _blocks(text: str) -> Iterator[list[Row]]:
    """Cut a text at its blank lines, and after each line that holds a whole puzzle."""
    block = []
    for row in chain(_rows(text), [None]):
        if row is not None:
            block.append(row)
        if block and (row is None or (len(block) == 1 and _is_whole(row))):
            yield block
            block = []


def _rows(text: str) -> Iterator[Row | None]:
    """Yield the lines that have cells, and None for each blank line."""
    counts = True
    for number, line in enumerate(LINE_END.split(text), start=1):
        content = line.partition("#")[0]
        if section := SECTION.fullmatch(line):
            counts = section[1].lower() == "puzzle"
            yield None
        elif not line.strip():
            yield None
        elif counts and content.strip() and not RULE.fullmatch(content):
            yield _row(number, content.translate(SEPARATORS).strip())


def _row(number, content):
    words = WORD_END.split(content, maxsplit=2)
    for at, word in enumerate(words[:2]):
        if len(word) in ONE_WORD and CHARACTERS.fullmatch(word):
            return Row(number, [word], "".join(words[:at]))
    return Row(number, content.split())


def _is_whole(row: Row) -> bool:
    """Tell whether a line is a puzzle and cannot be a row of a grid."""
    may_be_a_row = _length(row) < 81 or len(row.tokens) == 81
    return not may_be_a_row and _recognise([row]) is not None


def _holds_one_a_line(rows: list[Row]) -> bool:
    """Tell whether each row is a puzzle.

    Rows of 16 or of 81 cells, which `_blocks` leaves together, are a grid if they are as many and
    none has a number twice, and so are others if their values do not fit a puzzle.
    """
    is_grid = all(len(rows) == len(_cells(row)) and not _has_twice(row) for row in rows)
    return not is_grid and all(map(_is_puzzle, rows))


def _is_puzzle(row: Row) -> bool:
    _, order = _recognise([row]) or (None, None)
    return bool(order) and (order not in SIGNS or set(_cells(row)) <= SIGNS[order])


def _has_twice(row: Row) -> bool:
    numbers = [cell for cell in _cells(row) if cell not in BLANK_SIGNS]
    return len(set(numbers)) < len(numbers)


def _cells(row: Row) -> Sequence[str]:
    """What stands in each cell of a row of 16 or 81: integers or characters."""
    return row.tokens if len(row.tokens) in ORDER_OF_CELLS else "".join(row.tokens)


def _puzzle(
    rows: list[Row], found: tuple[str, int], source_name: str, kind: type[Puzzle]
) -> Puzzle:
    """Make the puzzle that `rows` hold, which `_recognise` has found; errors name the place."""
    place = f"{source_name}:{rows[0].number}"
    form, order = found
    if form != "characters":
        return kind(order, np.array(_integers_values(rows, order)), place)
    values = _characters_values(rows, order, place)
    try:
        puzzle = kind(order, np.array(values), place)
        return replace(puzzle, name=rows[0].name) if rows[0].name else puzzle
    except InputError as error:
        legend = f" (written as {LEGENDS[order]})" if order > 3 else ""
        raise InputError(f"{error}{legend}") from None


# --- What is wrong -------------------------------------------------------------------------------


def _what_is_wrong(rows: list[Row], source_name: str) -> str:
    """Name the first line that keeps `rows` from being a puzzle, and what is allowed."""
    checks = (_wrong_sign, _wrong_line, _wrong_archive, _wrong_count)
    number, message = next(filter(None, (check(rows) for check in checks)))
    return f"{source_name}:{number}: {message}"


def _wrong_sign(rows):
    for row in rows:
        for token in row.tokens:
            if not INTEGER.fullmatch(token) and not CHARACTERS.fullmatch(token):
                return row.number, f"{quote(token)} cannot be read: {CELLS_HELP}"
    return None


def _wrong_line(rows):
    """Find the first line that is no puzzle in a text with one puzzle a line."""
    is_whole = list(map(_is_whole, rows))
    if not any(is_whole):
        return None
    first = is_whole.index(False)
    return rows[first].number, f"{_counted(_widths(rows)[first])}: {COUNTS_HELP}"


def _wrong_archive(rows):
    """Find the mistake behind the two lines that begin a file of the archive."""
    widths = _widths(rows)
    if widths[:2] != [1, 1] or max(widths) == 1 or not rows[0].tokens[0].isdigit():
        return None
    order, n_cells = int(rows[0].tokens[0]), sum(widths) - 2
    if order not in ORDERS:
        return rows[0].number, f"order {order}: must be from {ORDERS[0]} to {ORDERS[-1]}"
    return rows[0].number, (
        f"{_counted(n_cells)} after the lines with the order and the ignored number: "
        f"order {order} has {order**4}"
    )


def _wrong_count(rows):
    """Find the first row of a grid with the wrong length, or say what the right number is."""
    widths = _widths(rows)
    if len(rows) == 1:
        return rows[0].number, f"{_counted(widths[0])}: {COUNTS_HELP}"
    if widths[0] not in ORDER_OF_SIZE:
        return rows[0].number, f"{_counted(widths[0])} in this row: {ROWS_HELP}"
    grid = f"a grid of order {isqrt(widths[0])} has {widths[0]}"
    for row, width in zip(rows, widths, strict=True):
        if width != widths[0]:
            return row.number, f"{_counted(width)} in this row: {grid}"
    return rows[0].number, f"{len(rows)} rows of {widths[0]} cells: {grid}"


def _widths(rows: list[Row]) -> list[int]:
    """Count the cells of each row: numbers where all rows look like that, else characters."""
    tokens = _tokens(rows)
    are_numbers = _are_integers(tokens) and sum(map(len, tokens)) < 3 * len(tokens)
    return [len(row.tokens) if are_numbers else _length(row) for row in rows]


def _counted(n_cells: int) -> str:
    return "1 cell" if n_cells == 1 else f"{n_cells} cells"


# --- Writing -------------------------------------------------------------------------------------


def read_integers(text: str, name: str = "") -> Puzzle:
    """Read a puzzle as it stands in tables: integers with spaces between, 0 for a blank."""
    values = np.array(text.split(), np.int16)
    return Puzzle(ORDER_OF_CELLS[values.size], values, name)


def format_line(puzzle: Puzzle | Sequence[int]) -> str:
    """Write a puzzle, or the values of its cells, as one line.

    One character a cell in orders 2 to 5 with ``.`` for a blank, integers in higher orders.
    """
    order, values = _order_and_values(puzzle)
    if order not in ALPHABETS:
        return format_integers(values)
    return "".join(("." + ALPHABETS[order])[value] for value in values)


def format_integers(puzzle: Puzzle | Sequence[int]) -> str:
    """Write a puzzle as in tables: one line of integers with spaces between, 0 for a blank."""
    return " ".join(map(str, _order_and_values(puzzle)[1]))


def format_file(puzzles: Iterable[Puzzle]) -> str:
    """Write a text that `read_puzzles` reads back: a line each, those of order 2 apart."""
    ends = {2: "\n\n"}  # sixteen lines of order 2 would be a grid of order 4
    return "".join(format_line(puzzle) + ends.get(puzzle.order, "\n") for puzzle in puzzles)


def _order_and_values(puzzle: Puzzle | Sequence[int]) -> tuple[int, list[int]]:
    """Order and cells; `InputError` if their number or a value fits no order."""
    values = puzzle.givens if isinstance(puzzle, Puzzle) else puzzle
    values = [int(value) for value in values]
    order = ORDER_OF_CELLS.get(len(values))
    if not order:
        raise InputError(f"{_counted(len(values))}: {COUNTS_HELP}")
    if not all(0 <= value <= order**2 for value in values):
        raise InputError(f"values out of range: allowed are 1 to {order**2}, or 0 for a blank")
    return order, values

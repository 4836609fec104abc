"""Text forms of puzzles: reading and writing them.

    form         one puzzle                                              blank         orders
    archive      lines with the order and with an ignored integer,       -1 0 . * _ -  2 to 10
                 then integers (the files of Lloyd & Amos)
    characters   one character a cell, in the symbols of `symbols`       . * _ - (0)   2 to 6
    integers     numbers with spaces between                             0 -1 . * _ -  2 to 10

Single digits with spaces between and no letter among them are integers. Characters may stand in
groups of equal length.

A puzzle is one line, or a grid of d lines with d cells; integers may be wrapped anywhere. The
signs ``|``, ``+`` and box-drawing characters count as spaces, lines of ``-``, ``=`` and these count
as nothing, but one of ``-`` may be a row of blanks where a grid lacks one; ``#`` begins a comment,
and ``# symbols: 1-G`` names the symbols. A file holds any number of puzzles. Grids are separated by
blank lines, which may also stand between the bands of a grid, or by lines such as ``Grid 01``,
which name the next one. Two pairs of orders can be confused, 2 and 4, and 3 and 9 as integers,
where a line of 16 or of 81 cells is a puzzle of the one and a row of the other: as many such lines
without a blank line between are one grid, unless a line has a number twice.

A puzzle of 81, 256, 625 or 1296 characters in one word stands for itself. On its line, a word
before it is its name, and what follows it, such as a rating, is a comment; a comma, a semicolon or
a colon ends a word, too. Files of SadMan Sudoku (``.sdk``) have sections, of which ``[Puzzle]``
counts.

Whatever the input, reading raises nothing but `InputError`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, takewhile
from math import isqrt
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.grid import ORDERS, Puzzle
from antdoku.puzzle.symbols import BLANKS, OF_ORDER, Cells, Symbols, numbers, puzzles_of, usual

MAX_GAPS = 100  # blank lines inside one puzzle: a wrong file is not searched to its end

ORDER_OF_CELLS = {order**4: order for order in ORDERS}
ORDER_OF_SIZE = {order**2: order for order in ORDERS}
ONE_WORD = {order**4 for order in OF_ORDER if order > 2}  # cells that no row of a grid has
# Of the cells of puzzles that may be rows of a grid.
SIGNS = {order: {*BLANKS, *map(str, range(1, order**2 + 1))} for order in (2, 3)}

INTEGER = re.compile(r"-?[0-9]{1,9}|[.*_-]")
CHARACTERS = re.compile(r"[0-9a-zA-Z.*_-]+")
LINE_END = re.compile(r"\r\n?|\n")  # those of editors: str.splitlines knows more
WORD_END = re.compile(r"[\s,;:]+")
SECTION = re.compile(r"\s*\[(\w+)\]\s*")
TITLE = re.compile(r"\s*((?:grid|puzzle|sudoku)\W{0,3}\d+)\W*", re.IGNORECASE)
NAMED_SYMBOLS = re.compile(r"^\s*#\s*symbols:?\s+(\S+)\s*$", re.MULTILINE | re.IGNORECASE)
RULE = re.compile(r"[-=|+\s\u2500-\u257f]+")
BLANK_ROW = re.compile(r"[-|\s]*-[-|\s]*")  # unless it is a rule
SEPARATORS = str.maketrans(dict.fromkeys(["|", "+", *map(chr, range(0x2500, 0x2580))], " "))

CELLS_HELP = "cells are digits, letters, or one of . * _ - 0 -1 for a blank; a # begins a comment"
ORDERS_HELP = f"orders {ORDERS[0]} to {ORDERS[-1]}"
COUNTS_HELP = f"a puzzle has one of {', '.join(map(str, ORDER_OF_CELLS))} ({ORDERS_HELP})"
ROWS_HELP = f"a row of a grid has one of {', '.join(map(str, ORDER_OF_SIZE))} ({ORDERS_HELP})"


class Row(NamedTuple):
    """A line with cells: where it stands, what is between its spaces, a name that begins here."""

    place: str
    tokens: list[str]
    name: str = ""
    is_rule: bool = False  # or a row of blanks
    is_word: bool = False  # a whole puzzle in one word


# --- Reading -------------------------------------------------------------------------------------


def read_puzzles(
    text: str,
    source_name: str = "text",
    kind: type[Puzzle] = Puzzle,
    symbols: str | None = None,
    first: int = 1,
) -> list[Puzzle]:
    """Read every puzzle of a text, whose first line has the number `first`, in any of the forms.

    Those without a name are called ``source_name:line``. `symbols` names the symbols if the text
    may be in several. `InputError` if there is no puzzle, something that is none, or one with two
    meanings.
    """
    named = NAMED_SYMBOLS.search(text) if "#" in text and not symbols else None
    found = find_cells(text, source_name, first)
    return puzzles_of(found, source_name, kind, named[1] if named else symbols)


def find_cells(text: str, source_name: str, first: int = 1) -> list[Cells]:
    """Find the puzzles in a text; `InputError` if there is none, or something that is none."""
    found, rows, n_gaps = [], [], 0
    for block in _blocks(text, source_name, first):
        if block[0].name or block[0].is_word or n_gaps > MAX_GAPS:
            if _without_rules(rows):
                break
            rows, n_gaps = [], 0
        rows, n_gaps = rows + block, n_gaps + 1
        if puzzles := _puzzles_in(rows):
            found += puzzles
            rows, n_gaps = [], 0
    if rows := _without_rules(rows):
        raise InputError(_what_is_wrong(rows))
    if not found:
        raise InputError(f"{source_name}: there is no puzzle in it")
    return found


def _blocks(text, source_name, first) -> Iterator[list[Row]]:
    """Yield the rows between blank lines, sections and titles; a puzzle in one word is alone."""
    block = []
    for row in chain(_rows(text, source_name, first), [None]):
        if row is not None and not row.is_word:
            block.append(row)
            continue
        if block:
            yield block
            block = []
        if row is not None:
            yield [row]


def _rows(text, source_name, first) -> Iterator[Row | None]:
    """Yield the lines that have cells, and None for each blank line, section and title."""
    counts, title = True, ""
    for number, line in enumerate(LINE_END.split(text), first):
        content = line.partition("#")[0]
        if _is_word(line) and counts:
            yield Row(f"{source_name}:{number}", [line], title, is_word=True)
            title = ""
        elif section := SECTION.fullmatch(line):
            counts = section[1].lower() == "puzzle"
            yield None
        elif found := TITLE.fullmatch(content):
            title = found[1]
            yield None
        elif not line.strip():
            yield None
        elif counts and (row := _row(f"{source_name}:{number}", content, title)):
            yield row
            title = title if row.is_rule else ""


def _row(place, content, title):
    """The cells of a line; None if it has none."""
    is_rule, spaced = RULE.fullmatch(content) is not None, content.translate(SEPARATORS)
    words = WORD_END.split(spaced.strip(), maxsplit=2)[:2]
    for at, word in enumerate(words):
        if _is_word(word):
            return Row(place, [word], "".join(words[:at]) or title, is_word=True)
    tokens = spaced.split()
    if not tokens or (is_rule and not BLANK_ROW.fullmatch(content)):
        return None
    return Row(place, tokens, title, is_rule)


def _is_word(text):
    """Whether a text is a puzzle, one character a cell."""
    return len(text) in ONE_WORD and CHARACTERS.fullmatch(text) and text.strip("-")


def _without_rules(rows):
    return [row for row in rows if not row.is_rule]


def _puzzles_in(rows) -> list[Cells]:
    """The puzzles of some rows: one a line, or one in all of them; none if it is neither."""
    if rows[0].is_word:
        place, (word,), name, *_ = rows[0]
        return [Cells(place, ORDER_OF_CELLS[len(word)], word, name)]
    lines = _without_rules(rows)
    singles = list(takewhile(_is_no_row, (_cells_in([line]) for line in lines)))
    sizes = len(rows), len(lines)
    is_grid = all(len(each.signs) in sizes and not _has_twice(each) for each in singles)
    if len(singles) == len(lines) and not is_grid:
        return singles
    whole = _cells_in(lines) or _cells_in(rows)
    return [whole] if whole else []


def _is_no_row(cells: Cells | None) -> bool:
    """Whether a line is a puzzle whose signs are those of its order."""
    return cells is not None and (cells.order > 3 or SIGNS[cells.order].issuperset(cells.signs))


def _has_twice(cells):
    values = [sign for sign in cells.signs if sign not in BLANKS]
    return len(set(values)) < len(values)


def _n_signs(row):
    return sum(map(len, row.tokens))


def _cells_in(rows) -> Cells | None:
    """The one puzzle in some rows; None if they are none."""
    tokens = [token for row in rows for token in row.tokens]
    if all(map(INTEGER.fullmatch, tokens)):
        order = ORDER_OF_CELLS.get(len(tokens) - 2)
        if order and tokens[0] == str(order):  # as in the archive
            return Cells(rows[0].place, order, tokens[2:], rows[0].name, numbers(order))
        if order := ORDER_OF_CELLS.get(len(tokens)):
            return Cells(rows[0].place, order, tokens, rows[0].name)
    text = "".join(tokens)
    order = ORDER_OF_CELLS.get(len(text))
    # Numbers of one and of two digits may happen to have as many characters as a puzzle.
    if order not in OF_ORDER or len(set(map(len, tokens))) > 1 or not CHARACTERS.fullmatch(text):
        return None
    is_in_rows = set(map(_n_signs, rows)) in ({order**4}, {order**2})
    return Cells(rows[0].place, order, text, rows[0].name) if is_in_rows else None


# --- What is wrong -------------------------------------------------------------------------------


def _what_is_wrong(rows):
    """Name the first line that keeps `rows` from being a puzzle, and what is allowed."""
    for row in rows:
        for token in row.tokens:
            if not INTEGER.fullmatch(token) and not CHARACTERS.fullmatch(token):
                return f"{row.place}: {quote(token)} cannot be read: {CELLS_HELP}"
    tokens = [token for row in rows for token in row.tokens]
    are_numbers = all(map(INTEGER.fullmatch, tokens)) and sum(map(len, tokens)) < 3 * len(tokens)
    widths = [len(row.tokens) if are_numbers else _n_signs(row) for row in rows]
    if widths[:2] == [1, 1] and max(widths) > 1 and rows[0].tokens[0].isdigit():
        return f"{rows[0].place}: {_wrong_archive(int(rows[0].tokens[0]), sum(widths) - 2)}"
    longest = ORDERS[-1] ** 2 if are_numbers else max(OF_ORDER) ** 2
    if len(rows) == 1 or max(widths) > longest:  # each line is to be a puzzle
        wrong = [pair for pair in zip(rows, widths) if pair[1] not in ORDER_OF_CELLS]
        row, width = wrong[0] if wrong else (rows[0], widths[0])
        return f"{row.place}: {_counted(width)}: {COUNTS_HELP}"
    if widths[0] not in ORDER_OF_SIZE:
        return f"{rows[0].place}: {_counted(widths[0])} in this row: {ROWS_HELP}"
    grid = f"a grid of order {isqrt(widths[0])} has {widths[0]}"
    for row, width in zip(rows, widths, strict=True):
        if width != widths[0]:
            return f"{row.place}: {_counted(width)} in this row: {grid}"
    return f"{rows[0].place}: {len(rows)} rows of {widths[0]} cells: {grid}"


def _wrong_archive(order, n_cells):
    if order not in ORDERS:
        return f"order {order}: must be from {ORDERS[0]} to {ORDERS[-1]}"
    lines = "the lines with the order and the ignored number"
    return f"{_counted(n_cells)} after {lines}: order {order} has {order**4}"


def _counted(n_cells: int) -> str:
    return "1 cell" if n_cells == 1 else f"{n_cells} cells"


# --- Writing -------------------------------------------------------------------------------------


def read_integers(text: str, name: str = "") -> Puzzle:
    """Read a puzzle as it stands in tables: integers with spaces between, 0 for a blank."""
    values = np.array(text.split(), np.int16)
    return Puzzle(ORDER_OF_CELLS[values.size], values, name)


def format_line(puzzle: Puzzle | Sequence[int], symbols: Symbols | None = None) -> str:
    """Write a puzzle, or the values of its cells (0 for a blank), as one line.

    In `symbols`, else in those that the puzzle was read in, else in the usual ones of its order.
    """
    order, values = _order_and_values(puzzle)
    known = puzzle.symbols if isinstance(puzzle, Puzzle) else None
    return (symbols or known or usual(order, values)).line(values)


def format_integers(puzzle: Puzzle | Sequence[int]) -> str:
    """Write a puzzle as in tables: one line of integers with spaces between, 0 for a blank."""
    return " ".join(map(str, _order_and_values(puzzle)[1]))


def format_file(puzzles: Iterable[Puzzle]) -> str:
    """Write a text that `read_puzzles` reads back: a line each, those of order 2 apart.

    All are written in the usual symbols, as a text has to be in one kind of them.
    """
    ends = {2: "\n\n"}  # sixteen lines of order 2 would be a grid of order 4
    grids = [_order_and_values(puzzle) for puzzle in puzzles]
    return "".join(usual(order, each).line(each) + ends.get(order, "\n") for order, each in grids)


def _order_and_values(puzzle: Puzzle | Sequence[int]) -> tuple[int, list[int]]:
    values = np.asarray(puzzle.givens if isinstance(puzzle, Puzzle) else puzzle).tolist()
    return ORDER_OF_CELLS[len(values)], values

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
and ``# symbols: 1-G`` names the symbols. A file holds any number of puzzles. A line that holds a
whole puzzle stands for itself; grids are separated by blank lines, which may also stand between
the bands of a grid, or by lines such as ``Grid 01``, which name the next one. Two pairs of orders
can be confused, 2 and 4, and 3 and 9 as integers, where a line of 16 or of 81 cells is a puzzle of
the one and a row of the other: as many such lines without a blank line between are one grid, unless
a line has a number twice.

On the line of a puzzle of 81, 256, 625 or 1296 characters in one word, a word before it is its
name, and what follows it, such as a rating, is a comment; a comma, a semicolon or a colon ends a
word, too. Files of SadMan Sudoku (``.sdk``) have sections, of which ``[Puzzle]`` counts.

Whatever the input, reading raises nothing but `InputError`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import isqrt
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.grid import ORDERS, Puzzle, cell_name
from antdoku.puzzle.symbols import (
    BLANKS,
    OF_ORDER,
    MisfitError,
    Symbols,
    numbers,
    read_characters,
    read_numbers,
    symbols_of,
    usual,
)

MAX_GAPS = 100  # blank lines inside one puzzle: a wrong file is not searched to its end

BLANK_SIGNS = {*BLANKS, "0", "-1"}
# Of the cells of puzzles that may be rows of a grid.
SIGNS = {
    order: BLANK_SIGNS.union(str(value) for value in range(1, order**2 + 1)) for order in (2, 3)
}
ORDER_OF_CELLS = {order**4: order for order in ORDERS}
ORDER_OF_SIZE = {order**2: order for order in ORDERS}
OBLONG = (6, 8, 10, 12, 15, 18, 20)  # sizes of puzzles elsewhere whose boxes are no squares
ONE_WORD = {order**4 for order in OF_ORDER if order > 2}  # cells that no row of a grid has

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
    """A line with cells: its number in the file, from 1, and what stands between the spaces.

    The name is that of the puzzle that begins here.
    """

    number: int
    tokens: list[str]
    name: str = ""
    is_rule: bool = False  # or a row of blanks


class Cells(NamedTuple):
    """The cells of a puzzle, as they stand in a text: where, and in which form."""

    place: str
    form: str
    order: int
    tokens: Sequence[str]  # or characters
    name: str = ""


# --- The forms -----------------------------------------------------------------------------------


def _archive_order(rows):
    tokens = _tokens(rows)
    order = ORDER_OF_CELLS.get(len(tokens) - 2)
    return order if order and tokens[0] == str(order) and _are_integers(tokens) else None


def _characters_order(rows):
    lengths = {_length(row) for row in rows}
    order = ORDER_OF_CELLS.get(sum(map(_length, rows)))
    if order not in OF_ORDER or lengths not in ({order**4}, {order**2}):
        return None
    tokens = _tokens(rows)
    text = "".join(tokens)
    are_integers = len(tokens) == len(text) and not any(map(str.isalpha, text))
    # Numbers of one and of two digits may happen to have as many characters as a puzzle.
    are_even = len(set(map(len, tokens))) == 1
    return order if are_even and CHARACTERS.fullmatch(text) and not are_integers else None


def _integers_order(rows):
    tokens = _tokens(rows)
    order = ORDER_OF_CELLS.get(len(tokens))
    return order if order and _are_integers(tokens) else None


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


def _are_integers(tokens) -> bool:
    return all(map(INTEGER.fullmatch, tokens))


def _tokens(rows) -> list[str]:
    return [token for row in rows for token in row.tokens]


def _length(row: Row) -> int:
    return sum(map(len, row.tokens))


# --- Reading -------------------------------------------------------------------------------------


def read_puzzles(
    text: str,
    source_name: str = "text",
    kind: type[Puzzle] = Puzzle,
    symbols: str | None = None,
    first: int = 1,
) -> list[Puzzle]:
    """Read every puzzle in `text`; those without a name are called ``source_name:line``.

    Parameters
    ----------
    text : str
        Any number of puzzles in any of the forms of this module.
    source_name : str
        How messages and the names of the puzzles call the text.
    kind : type
        `Puzzle`, or a class derived from it.
    symbols : str, optional
        Name of the symbols, see `symbols.symbols_of`, if the text may be in several.
    first : int
        Number of the first line.

    Raises
    ------
    InputError
        If there is no puzzle, something that is none, or one with two meanings.
    """
    found = find_cells(text, source_name, first)
    return puzzles_of(found, source_name, kind, symbols or named_in(text))


def named_in(text: str) -> str | None:
    """Name of the symbols that a text names in a comment, if it does."""
    found = NAMED_SYMBOLS.search(text) if "#" in text else None
    return found and found[1]


def find_cells(text: str, source_name: str, first: int = 1) -> list[Cells]:
    """Find the puzzles in a text; `InputError` if there is none, or something that is none."""
    return _in_plain_lines(text, source_name, first) or _in_any_form(text, source_name, first)


def _in_plain_lines(text, source_name, first):
    """Cells of a text that has nothing but a puzzle in one word on each line."""
    lines = text.rstrip().replace("\r\n", "\n").split("\n")
    n_cells = len(lines[0])
    joined = "".join(lines)
    if n_cells not in ONE_WORD or len(joined) != n_cells * len(lines):
        return None
    if not CHARACTERS.fullmatch(joined) or {n_cells} != set(map(len, lines)):
        return None
    if "-" * n_cells in lines:  # a rule
        return None
    order = ORDER_OF_CELLS[n_cells]
    return [
        Cells(f"{source_name}:{number}", "characters", order, line)
        for number, line in enumerate(lines, first)
    ]


def _in_any_form(text, source_name, first):
    found, rows, n_gaps = [], [], 0
    for block in _blocks(text, first):
        if not rows and _holds_one_a_line(block):
            found += [_cells_of([row], source_name) for row in _without_rules(block)]
            continue
        if rows and block[0].name:
            break
        rows, n_gaps = rows + block, n_gaps + 1
        if cells := _cells_of(_without_rules(rows), source_name) or _cells_of(rows, source_name):
            found.append(cells)
            rows, n_gaps = [], 0
        elif n_gaps > MAX_GAPS:
            break
    if rows := _without_rules(rows):
        raise InputError(_what_is_wrong(rows, source_name))
    if not found:
        raise InputError(f"{source_name}: there is no puzzle in it")
    return found


def _cells_of(rows, source_name):
    """The cells that some rows hold; None if they are no puzzle."""
    if not rows or not (recognised := _recognise(rows)):
        return None
    form, order = recognised
    tokens = _tokens(rows)
    # In the archive two other numbers stand before the cells.
    cells = "".join(tokens) if form == "characters" else tokens[-(order**4) :]
    return Cells(f"{source_name}:{rows[0].number}", form, order, cells, rows[0].name)


def _without_rules(rows):
    return [row for row in rows if not row.is_rule]


def _blocks(text: str, first: int) -> Iterator[list[Row]]:
    """Cut a text at its blank lines, and after each line that holds a whole puzzle."""
    block, has_cells = [], False
    for row in chain(_rows(text, first), [None]):
        if row is not None:
            block.append(row)
        if block and (row is None or (not has_cells and _is_whole(row))):
            yield block
            block, has_cells = [], False
        elif row is not None:
            has_cells = has_cells or not row.is_rule


def _rows(text: str, first: int) -> Iterator[Row | None]:
    """Yield the lines that have cells, and None for each blank line, section and title."""
    counts, title = True, ""
    for number, line in enumerate(LINE_END.split(text), first):
        content = line.partition("#")[0]
        if section := SECTION.fullmatch(line):
            counts = section[1].lower() == "puzzle"
            yield None
        elif not line.strip():
            yield None
        elif found := TITLE.fullmatch(content):
            title = found[1]
            yield None
        elif counts and (row := _row(number, content)):
            yield row._replace(name=row.name or title) if title else row
            title = title if row.is_rule else ""


def _row(number, content):
    """The cells of a line; None if it has none."""
    tokens = content.translate(SEPARATORS).split()
    if RULE.fullmatch(content):
        return Row(number, tokens, is_rule=True) if BLANK_ROW.fullmatch(content) else None
    if not tokens:
        return None
    words = WORD_END.split(content.translate(SEPARATORS).strip(), maxsplit=2)
    for at, word in enumerate(words[:2]):
        if len(word) in ONE_WORD and CHARACTERS.fullmatch(word):
            return Row(number, [word], "".join(words[:at]))
    return Row(number, tokens)


def _is_whole(row: Row) -> bool:
    """Tell whether a line is a puzzle and cannot be a row of a grid."""
    may_be_a_row = row.is_rule or _length(row) < 81 or len(row.tokens) == 81
    return not may_be_a_row and _recognise([row]) is not None


def _holds_one_a_line(rows: list[Row]) -> bool:
    """Tell whether each row is a puzzle.

    Rows of 16 or of 81 cells, which `_blocks` leaves together, are a grid if they are as many and
    none has a number twice, and so are others if their values do not fit a puzzle.
    """
    lines = _without_rules(rows)
    n_rows = len(rows), len(lines)
    is_grid = all(len(_cells(row)) in n_rows and not _has_twice(row) for row in lines)
    return bool(lines) and not is_grid and all(map(_is_puzzle, lines))


def _is_puzzle(row: Row) -> bool:
    _, order = _recognise([row]) or (None, None)
    return bool(order) and (order not in SIGNS or set(_cells(row)) <= SIGNS[order])


def _has_twice(row: Row) -> bool:
    values = [cell for cell in _cells(row) if cell not in BLANK_SIGNS]
    return len(set(values)) < len(values)


def _cells(row: Row) -> Sequence[str]:
    """What stands in each cell of a row of 16 or 81: integers or characters."""
    return row.tokens if len(row.tokens) in ORDER_OF_CELLS else "".join(row.tokens)


def puzzles_of(
    found: list[Cells], source_name: str, kind: type[Puzzle] = Puzzle, symbols: str | None = None
) -> list[Puzzle]:
    """Make the puzzles of a source, all of an order and a form in the same symbols."""
    chosen = symbols_of(symbols) if symbols else None
    groups: dict = {}
    for at, cells in enumerate(found):
        groups.setdefault((cells.form, cells.order), []).append(at)
    if chosen and chosen.order not in {order for _, order in groups}:
        raise InputError(f"{source_name}: symbols {chosen}: no puzzle in it has so many")
    puzzles = {}
    for (form, order), members in groups.items():
        own = chosen if chosen and chosen.order == order else None
        made = _read_group(form, order, [found[at] for at in members], source_name, kind, own)
        puzzles |= zip(members, made, strict=True)
    return [puzzles[at] for at in range(len(found))]


def _read_group(form, order, group, source_name, kind, chosen):
    """Puzzles of one form and order."""
    in_characters = form == "characters" or (chosen and _are_single(group, chosen))
    if in_characters and chosen and chosen.gap:
        raise InputError(f"{source_name}: symbols {chosen}: these are numbers with spaces between")
    try:
        if in_characters:
            texts = ["".join(cells.tokens) for cells in group]
            written, values = read_characters(texts, order, chosen, kind.KEEPS_RULES)
        else:
            marks = np.array([[_integer(token) for token in cells.tokens] for cells in group])
            known = numbers(order) if form == "archive" else chosen
            written, values = read_numbers(marks, order, known, kind.KEEPS_RULES)
    except MisfitError as misfit:
        raise InputError(_misfit_of(group[misfit.number], misfit, in_characters, kind)) from None
    except InputError as error:
        raise InputError(f"{source_name}: puzzles of order {order} {error}") from None
    names = [cells.name or cells.place for cells in group]
    return [kind.trusted(order, row, name, written) for row, name in zip(values, names)]


def _are_single(group, chosen):
    return not chosen.gap and all(len(token) == 1 for cells in group for token in cells.tokens)


def _integer(token: str) -> int:
    return -1 if token in BLANKS else int(token)


def _misfit_of(cells, misfit, in_characters, kind):
    """What is wrong with a puzzle."""
    order = cells.order
    if misfit.cell is not None and in_characters:
        known = [misfit.symbols.name] if misfit.is_chosen else OF_ORDER[order]
        return (
            f"{cells.place}: {cell_name(misfit.cell, order**2)}: "
            f"{''.join(cells.tokens)[misfit.cell]!r} is not a cell of order {order}: allowed are "
            f"{' or '.join(known)}, and . * _ - for a blank, or 0 where it is no value"
        )
    try:
        kind(order, misfit.values, cells.place)
    except InputError as error:
        return f"{error} (written in {misfit.symbols})" if order > 3 and in_characters else error
    raise AssertionError("a misfit is no puzzle")


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
    size = isqrt(sum(widths))
    if size in OBLONG and size**2 == sum(widths):
        return rows[0].number, f"{size}x{size} cells: boxes are squares here: {COUNTS_HELP}"
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


def format_line(puzzle: Puzzle | Sequence[int], symbols: Symbols | None = None) -> str:
    """Write a puzzle, or the values of its cells, as one line.

    Parameters
    ----------
    puzzle : Puzzle, or sequence of c int
        0 for a blank.
    symbols : Symbols, optional
        By default those that the puzzle was read in, else the usual ones of its order.
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
    """Order and cells; `InputError` if their number or a value fits no order."""
    if isinstance(puzzle, Puzzle):
        return puzzle.order, puzzle.givens.tolist()
    is_array = isinstance(puzzle, np.ndarray)  # whose own method is quicker
    values = list(map(int, puzzle.tolist() if is_array else puzzle))
    order = ORDER_OF_CELLS.get(len(values))
    if not order:
        raise InputError(f"{_counted(len(values))}: {COUNTS_HELP}")
    if not 0 <= min(values) <= max(values) <= order**2:
        raise InputError(f"values out of range: allowed are 1 to {order**2}, or 0 for a blank")
    return order, values

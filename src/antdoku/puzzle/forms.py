"""Text forms of puzzles: finding grids in a text, and writing them.

A puzzle is one line of cells, a grid of d lines with d cells, an array of a programming language,
or d*d numbers wrapped anywhere. Cells are characters in the symbols of `symbols`, perhaps in groups
of equal length, or numbers with spaces between. Between fixed separators, ``|``, comma, semicolon
or tab, a cell may be empty. The files of Lloyd & Amos have the order and an ignored integer before
the numbers.

A text holds any number of puzzles. ``#`` and ``//`` begin a comment; ``# symbols: 1-G`` names the
symbols. Rules and blank lines may stand between grids and between the bands of a grid, but one of
``-`` may be a row of blanks where a grid lacks one. A line such as ``Grid 01`` names the next
puzzle. A puzzle of 81, 256, 625 or 1296 characters may be a field of its line: a field before it is
its name. Where there are arrays, what stands around them is ignored. Of files of SadMan Sudoku
(``.sdk``), the section ``[Puzzle]`` counts.

Two pairs of orders can be confused, 2 and 4, and 3 and 9 as integers, where a line of 16 or of 81
cells is a puzzle of the one and a row of the other: as many such lines without a gap are one grid,
unless a line has a number twice.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from string import ascii_uppercase
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.grid import ORDERS, Puzzle
from antdoku.puzzle.symbols import (
    BLANKS,
    OF_ORDER,
    Cells,
    Place,
    Symbols,
    numbers,
    puzzles_of,
    usual,
)

ORDER_OF_CELLS = {order**4: order for order in ORDERS}
ORDER_OF_SIZE = {order**2: order for order in ORDERS}
SIZES = {*ORDER_OF_SIZE, *ORDER_OF_CELLS}  # of rows and puzzles
WORDS = {order**4 for order in OF_ORDER if order > 2}  # cells that no row of a grid has
SIZES_IN_TEXT = {order**power for order in OF_ORDER for power in (2, 4)}
# Values of the puzzles whose lines may be rows of a larger grid.
VALUES = {order**4: {"0", *map(str, range(1, order**2 + 1))} for order in (2, 3)}

LINE_END = re.compile(r"\r\n?|\n")  # those of editors: str.splitlines knows more
COMMENT = re.compile(r"#.*|(?<!:)//.*")
NAMED_SYMBOLS = re.compile(r"^\s*#\s*symbols:?\s+(\S+)\s*$", re.MULTILINE | re.IGNORECASE)
SECTION = re.compile(r"\s*\[([A-Za-z]\w*)\]\s*")
TITLE = re.compile(r"\s*((?:grid|puzzle|sudoku)\W{0,3}\d+)\W*", re.IGNORECASE)
RULE = re.compile(r"(?=.*(?:[-=]{3}|[+\u2500-\u257f]))[-=+*|:.'\s\u2500-\u257f]+")
BLANK_ROW = re.compile(r"[-|\s]+")
FIELD = re.compile(r"[^\s,;:|\"'()\[\]{}]+")
CELL = re.compile(r"(-?[0-9]{1,2}|100)(?:\.0*)?|\S")  # a number, or a character
MISSING = re.compile(r"\s*(?:none|null|nan|<na>)?\s*", re.IGNORECASE)
BARS = str.maketrans(dict.fromkeys("│┃║", "|"))
FRAMED = re.compile(r"\s*\|(.*?)\|?\s*")
SPACES = str.maketrans(dict.fromkeys("|,;\"'", " "))
ARRAY = re.compile(r"(?:(?<![\w\]])\[|[({])([^\[\](){}]*)[\])}]")  # innermost; no subscript
ELEMENT = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|[^\s,\"']+")

CELLS_HELP = "cells are digits, letters, or . * _ - 0 -1 for a blank; # or // begins a comment"


class Row(NamedTuple):
    """A line of cells: characters, or a list of numbers."""

    place: Place
    cells: str | list[str]
    gap: str = ""  # what stands before it: a "blank line", or a "rule"
    is_rule: bool = False  # which may be a row of blanks


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
    found, rows, name = [], [], ""
    for item in chain(_items(LINE_END.split(text), source_name, first), [""]):
        if isinstance(item, Row):
            rows.append(item)
            continue
        for cells in _puzzles_in(rows):
            found.append(cells._replace(name=name))
            name = ""
        rows = []
        if isinstance(item, Cells):
            found.append(item._replace(name=item.name or name))
        name = item if isinstance(item, str) else ""
    if not found:
        raise InputError(f"{source_name}: there is no puzzle in it")
    return found


def _items(lines, source_name, first) -> Iterator[Row | Cells | str]:
    """Yield rows, puzzles in one word, and the name of the next puzzle, which ends a grid."""
    places = [Place(source_name, number) for number in range(first, first + len(lines))]
    contents = [COMMENT.sub("", line).translate(BARS) for line in lines]
    if arrays := _arrays("\n".join(contents), places):
        yield from arrays
        return
    counts, gap = True, ""
    for raw, line, place in zip(lines, contents, places):
        if section := SECTION.fullmatch(line):
            counts = section[1].lower() == "puzzle"
            yield ""
        elif not counts or (raw.strip() and not line.strip()):  # a comment alone
            continue
        elif title := TITLE.fullmatch(line):
            yield title[1]
        elif word := _word(line, place):
            yield word
        elif not line.strip() or RULE.fullmatch(line):
            if "-" in line and BLANK_ROW.fullmatch(line):
                yield Row(place, "-" * line.count("-"), is_rule=True)
            gap = "rule" if line.strip() else "blank line"
        else:
            yield Row(place, _cells_of(line, place), gap)
            gap = ""


def _word(line, place) -> Cells | None:
    """Return the field of a line that is a puzzle, one character a cell; None if there is none."""
    fields = FIELD.findall(line) if len(line) >= min(WORDS) else []
    at = [at for at, field in enumerate(fields) if len(field) in WORDS and field.strip("-=")]
    if not at or not _are_signs(fields[at[0]]):
        return None
    are_full = [all(sign.isalnum() and sign != "0" for sign in fields[each]) for each in at]
    if are_full[0] and not all(are_full):
        raise InputError("a complete grid before a puzzle: put the puzzle first", *place)
    if are_full.count(False) > 1:
        raise InputError(f"{len(at)} puzzles: a line holds one, or one and its solution", *place)
    return Cells(place, fields[at[0]], fields[0] if at[0] == 1 else "")


def _are_signs(text):
    """Whether all characters may be cells: those of ASCII, and signs of no alphabet."""
    return text.isprintable() and all(sign.isascii() or not sign.isalnum() for sign in text)


def _cells_of(line, place) -> str | list[str]:
    """Return the cells of a line, a dot for one that is empty between fixed separators."""
    for separator in filter(line.count, "|,;\t"):
        fields, framed = line.split(separator), FRAMED.fullmatch(line)
        inner = framed[1].split(separator) if framed else fields
        for cells in (inner, inner[:-1], _in_columns(inner), _in_columns(fields)):
            cells = ["." if MISSING.fullmatch(cell) else cell.strip(" \"'") for cell in cells]
            if len(cells) in SIZES and all(map(CELL.fullmatch, cells)):
                return _joined(cells, place)
    words = line.translate(SPACES).split()
    return _joined(["." if MISSING.fullmatch(word) else word for word in words], place)


def _in_columns(boxes) -> list[str]:
    """Return the cells of a row whose boxes have a fixed width, as some of the cells are empty."""
    n, content = len(boxes), "".join("".join(boxes).split())
    for step, start in ((1, 0), (2, 0), (2, 1)):
        if {start + step * (n - 1) < len(box) <= start + step * n for box in boxes} == {True}:
            cells = [box[start + step * at] for box in boxes for at in range(n)]
            if "".join("".join(cells).split()) == content:
                return cells
    return []


def _joined(tokens, place) -> str | list[str]:
    """Return tokens as a list of numbers, else as their characters."""
    text, matches = "".join(tokens), list(map(CELL.fullmatch, tokens))
    is_even = len({*map(len, tokens)}) == 1 and _are_signs(text)
    may_be_text = is_even and len(text) in SIZES_IN_TEXT
    are_numbers = _are_signs(text) and all(matches) and not any(map(str.isalpha, tokens))
    if are_numbers and (len(tokens) in SIZES or not may_be_text):
        return [match[1] or match[0] for match in matches]
    if is_even:
        return text
    wrong = [word for word in tokens if not (CELL.fullmatch(word) and _are_signs(word))]
    hint = "is a blank a space? write a dot; " * text.isdigit()
    raise InputError(f"{quote([*wrong, text][0])} cannot be read: {hint}{CELLS_HELP}", *place)


def _arrays(text, places) -> list[Row | Cells]:
    """Return the rows that are innermost arrays in a text of any programming language."""
    rows, number, last = [], 0, 0
    for array in ARRAY.finditer(text):
        number += text.count("\n", last, array.start())
        last = array.start()
        place = places[number]
        for part in array[1].split(";"):
            matches = list(ELEMENT.finditer(part))
            elements = [match[match.lastindex or 0] for match in matches]
            cells = ["." if MISSING.fullmatch(each) else each for each in elements]
            are_texts = all(match.lastindex for match in matches)
            if len(cells) > 2 and all(map(CELL.fullmatch, cells)):
                rows.append(Row(place, _joined(cells, place)))
            elif are_texts and SIZES_IN_TEXT.issuperset(map(len, elements)):
                rows += [_word(each, place) or Row(place, each) for each in elements]
    return rows


# --- Grids of rows -------------------------------------------------------------------------------


def _puzzles_in(rows) -> list[Cells]:
    """Return the puzzles in rows; rules are rows of blanks where they are none without them."""
    lines = [row for row in rows if not row.is_rule]
    try:
        return list(_split(lines))
    except InputError:
        if len(lines) < len(rows):
            with suppress(InputError):
                return list(_split(rows))
        raise


def _split(rows) -> Iterator[Cells]:
    """Yield the puzzles that follow each other: grids, lines, or numbers wrapped anywhere."""
    at = 0
    while at < len(rows):
        place, cells, *_ = rows[at]
        if body := _labelled(rows, at):
            yield Cells(place, _all_cells(body))
            at += len(body) + 1
        elif _is_grid(rows, at):
            yield Cells(place, _all_cells(rows[at : at + len(cells)]))
            at += len(cells)
        elif _may_be_puzzle(cells):
            yield Cells(place, cells)
            at += 1
        else:
            end = next((end for end in range(at + 1, len(rows)) if rows[end].gap), len(rows))
            yield _wrapped(rows[at:end]) or _refuse(rows[at:])
            at = end


def _labelled(rows, at) -> list[Row] | None:
    """Return the rows after a line that labels the columns, without labels of their own."""
    labels = list(rows[at].cells)
    size, body = len(labels), rows[at + 1 : at + 1 + len(labels)]
    numbered = [list(map(str, range(first, first + size))) for first in (0, 1)]
    are_labels = labels in (*numbered, list(ascii_uppercase[:size]))
    if size not in ORDER_OF_SIZE or len(body) < size or not are_labels:
        return None
    if {len(row.cells) for row in body} == {size + 1}:
        return [row._replace(cells=row.cells[1:]) for row in body]
    is_ruled = body[0].gap and not any(row.gap for row in body[1:])
    return body if is_ruled and _is_grid(rows, at + 1) else None


def _is_grid(rows, at) -> bool:
    """Whether the row is the first of a grid; one with gaps inside has one at its end."""
    size = len(rows[at].cells)
    part, after = rows[at : at + size], rows[at + size : at + size + 1]
    if size not in ORDER_OF_SIZE or [len(row.cells) for row in part] != [size] * size:
        return False
    gaps = {row.gap for row in part[1:]}
    if size in VALUES and all(_may_be_puzzle(row.cells) for row in part):
        return "blank line" not in gaps and not any(_has_twice(row.cells) for row in part)
    return gaps == {""} or not after or after[0].gap != ""


def _has_twice(cells):
    values = [sign for sign in cells if sign not in BLANKS and sign.isalnum()]
    return len({*values}) < len(values)


def _may_be_puzzle(cells):
    """Whether a line is a puzzle, as far as its values say."""
    n_cells, values = len(cells), {sign for sign in cells if sign.isalnum()}
    if isinstance(cells, str):
        return n_cells in WORDS or (n_cells == 16 and VALUES[16] >= values)
    return n_cells in ORDER_OF_CELLS and VALUES.get(n_cells, values) >= values


def _wrapped(rows) -> Cells | None:
    """Return the puzzle whose numbers are wrapped, perhaps a file of the archive, or one line."""
    (place, *_), cells = rows[0], _all_cells(rows)
    if isinstance(cells, str):
        return Cells(place, cells) if len(rows) == 1 and len(cells) == 16 else None
    order = ORDER_OF_CELLS.get(len(cells) - 2)
    if order and cells[0] == str(order):
        return Cells(place, cells[2:], known=numbers(order) if order > 3 else None)
    return Cells(place, cells) if len(cells) in ORDER_OF_CELLS else None


def _all_cells(rows) -> str | list[str]:
    """Return the cells of all rows: characters, if those of one row are."""
    cells = [cell for row in rows for cell in row.cells]
    if all(isinstance(row.cells, list) for row in rows):
        return cells
    if wrong := [cell for cell in cells if len(cell) > 1]:
        place = rows[0].place
        raise InputError(f"{quote(wrong[0])} in a grid of characters: {CELLS_HELP}", *place)
    return "".join(cells)


def _refuse(rows):
    """Raise `InputError` for the first of rows that keeps them from being a puzzle."""
    (place, cells, *_), widths = rows[0], [len(row.cells) for row in rows]
    size, grid = widths[0], f"a grid of order {ORDER_OF_SIZE.get(widths[0])} has {widths[0]}"
    if widths[:2] == [1, 1] and cells[0].isdigit():
        order, n_cells = int(cells[0]), sum(widths) - 2
        has = f"order {order} has {order**4}" if order in ORDERS else f"there is no order {order}"
        where = "after the lines with the order and the ignored number"
        raise InputError(f"{n_cells} cells {where}: {has}", *place)
    if size not in ORDER_OF_SIZE:
        raise InputError(f"{size} cell{'s' * (size > 1)}: {_counts_near(size)}", *place)
    for row, width in zip(rows[:size], widths):
        if width != size:
            raise InputError(f"{width} cells in this row: {grid}", *row.place)
    raise InputError(f"{len(rows)} row{'s' * (len(rows) > 1)} of {size} cells: {grid}", *place)


def _counts_near(n_cells):
    """Write how many cells 9x9 has, and another size that comes nearer."""
    off = {size: min(abs(size - n_cells), abs(size**2 - n_cells)) for size in ORDER_OF_SIZE}
    sizes = [9, *(size for size in off if off[size] == min(off.values()) < off[9])]
    return "; ".join(f"a {size}x{size} puzzle has {size**2}, a row of it {size}" for size in sizes)


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
    return (symbols or getattr(puzzle, "symbols", None) or usual(order, values)).line(values)


def format_integers(puzzle: Puzzle | Sequence[int]) -> str:
    """Write a puzzle as in tables: one line of integers with spaces between, 0 for a blank."""
    return " ".join(map(str, _order_and_values(puzzle)[1]))


def format_file(puzzles: Iterable[Puzzle]) -> str:
    """Write a text that `read_puzzles` reads back: a line each, in one kind of symbols."""
    return join_lines(usual(*each).line(each[1]) for each in map(_order_and_values, puzzles))


def join_lines(lines: Iterable[str]) -> str:
    """Join lines; those of order 2 apart, as sixteen of them would be a grid of order 4."""
    return "".join(line + ("\n\n" if len(line) == 16 else "\n") for line in lines)


def _order_and_values(puzzle: Puzzle | Sequence[int]) -> tuple[int, list[int]]:
    values = np.asarray(puzzle.givens if isinstance(puzzle, Puzzle) else puzzle).tolist()
    return ORDER_OF_CELLS[len(values)], values

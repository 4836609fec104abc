"""Text forms of puzzles: finding the cells of grids in a text, and writing puzzles.

Comments and frames are taken off; what remains of a line are cells: numbers with spaces or
separators between, or characters. Their count decides:

- d*d cells are a puzzle, d lines of d cells a grid. Rules and blank lines may stand between grids
  and between the bands of a grid.
- Numbers may be wrapped at any width. Files of Lloyd & Amos have the order and an ignored number
  before them.
- 81, 256, 625 or 1296 characters may be one field of a line, beside a name before it, the solution
  and others after it.
- Innermost brackets are the rows of an array, in any programming language; what stands around
  them is ignored.

``#`` and ``//`` begin a comment; ``# symbols: 1-G`` names the symbols. A line such as ``Grid 01``
or ``#D name`` names the next puzzle; the number of puzzles, or their size, may stand at the top.
Of files of SadMan Sudoku (``.sdk``), the section ``[Puzzle]`` counts.

Lines of 16 or of 81 cells are puzzles of order 2 or 3, or rows of order 4 or 9: as many such lines
without a gap are refused if they may be both.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import isqrt
from string import ascii_uppercase
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.cells import Cells, Location, Options, with_solution
from antdoku.puzzle.grid import ORDERS, Puzzle
from antdoku.puzzle.symbols import CHARACTERS, Symbols, usual

ORDER_OF_CELLS = {order**4: order for order in ORDERS}
ORDER_OF_SIZE = {order**2: order for order in ORDERS}
SIZES = {*ORDER_OF_SIZE, *ORDER_OF_CELLS}  # of rows and puzzles
WORDS = {order**4 for order in CHARACTERS if order > 2}  # cells that no row of a grid has
SIZES_IN_TEXT = {order**power for order in CHARACTERS for power in (2, 4)}
# Values of the puzzles whose lines may be rows of a larger grid.
VALUES = {order**4: {"0", *map(str, range(1, order**2 + 1))} for order in (2, 3)}

LINE_END = re.compile(r"\r\n?|\n")  # str.splitlines knows more than editors do
# A # begins a comment, unless it is the blank of a puzzle in one word.
COMMENT = re.compile(r"(?<!\S)#(?!\S{80}$|\S{255}$|\S{624}$).*|(?<!:)//.*")
NAMED_SYMBOLS = re.compile(r"^\s*#\s*symbols:?\s+(\S.*?)\s*$", re.MULTILINE | re.IGNORECASE)
SECTION = re.compile(r"\s*\[([A-Za-z]\w*)\]\s*")
# A word and a number; after a dot or a dash alone they may be a row of a puzzle.
TITLE = re.compile(
    r"\s*((?:grid|puzzle|sudoku)\W{0,3}\d+|[a-z]{3,}[.-]?[ :#][ #]?\d{1,5})\s*[:.)=-]?[\s,;]*",
    re.IGNORECASE,
)
DESCRIPTION = re.compile(r"#D[ \t]+(\S.*?)\s*")  # of SadMan Sudoku
RULE = re.compile(r"(?=.*(?:[-=]{3}|[+\u2500-\u257f]))[-=+*|:.'\s\u2500-\u257f]+")
FIELD = re.compile(r"[^\s,;:|\"'()\[\]{}]+")
LINK = re.compile(r"://|\bwww\.")
IN_LINK = re.compile(r"[/?=&#]|(?<!\d)(?=\d{81}(?!\d))|(?<=\d{81})(?!\d)")  # around a puzzle
BY_COLUMNS = re.compile(r"(?<![\w.])(?:matrix|reshape)\s*\((?!.*\bbyrow\s*=\s*T)", re.DOTALL)
PLACED = re.compile(r"\+(?=\d)")  # HoDoKu marks the values that it has placed
CELL = re.compile(r"(-?[0-9]{1,2}|100)(?:\.0*)?|\S")  # a number, or a character
MISSING = re.compile(r"none|null|nan|na|<na>", re.IGNORECASE)
BARS = str.maketrans(dict.fromkeys("│┃║", "|"))
FRAMED = re.compile(r"\s*\|(.*)\|\s*")
SPACES = str.maketrans(dict.fromkeys("|,;\"'", " "))
ARRAY = re.compile(r"(?:(?<![\w\]])\[|[({])([^\[\](){}]*)[\])}]")  # innermost; no subscript
ELEMENT = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|[^\s,\"']+")

CELLS_HELP = "cells are digits, letters, or . * _ - 0 -1 for a blank; # or // begins a comment"


class Row(NamedTuple):
    """A line of cells: characters, or a list of numbers, an empty text for an empty cell."""

    location: Location
    cells: str | list[str]
    gap: str = ""  # a "blank line" or a "rule" above it


# --- Lines ---------------------------------------------------------------------------------------


def find_cells(text: str, source: str, options: Options, first: int = 1) -> list[Cells]:
    """Return the cells of all puzzles in a text, whose first line has the number `first`.

    `InputError` if there is no puzzle in it, or something that is no puzzle.
    """
    items = list(_items(LINE_END.split(text), source, first))
    number = _number_above(items)
    grids = list(_puzzles_of(items, options.chosen.keys()))
    if not grids:
        raise InputError("there is no puzzle in it", source)
    allowed = {len(grids), grids[0].order, grids[0].order ** 2}
    if number and int(number.cells[0]) not in allowed:
        raise InputError(f"{number.cells[0]} above {len(grids)} puzzles", *number.location)
    return grids


def _number_above(items) -> Row | None:
    """Take away the first row if it is a whole number alone, and the next one is not."""
    at = next((at for at, item in enumerate(items) if not isinstance(item, str)), 0)
    are_alone = [isinstance(item, Row) and len(item.cells) == 1 for item in items[at : at + 2]]
    is_number = are_alone == [True, False] and items[at].cells[0].isdecimal()
    return items.pop(at) if is_number else None


def _puzzles_of(items, orders) -> Iterator[Cells]:
    """Yield the cells of puzzles; a text is the name of the next one, and ends a grid."""
    rows: list[Row] = []
    name = ""
    for item in chain(items, [""]):
        if isinstance(item, Row):
            rows.append(item)
            continue
        for cells in split_rows(rows, orders):
            yield cells._replace(name=name)
            name = ""
        rows = []
        if isinstance(item, Cells):
            yield item._replace(name=item.name or name)
        name = item if isinstance(item, str) else ""


def _items(lines, source, first) -> Iterator[Row | Cells | str]:
    """Yield rows, puzzles that are a field of a line, and the names of puzzles."""
    locations = [Location(source, number) for number in range(first, first + len(lines))]
    contents = [COMMENT.sub("", line).translate(BARS) for line in lines]
    if rows := _arrays("\n".join(contents), locations):
        yield from rows
        return
    counts, gap = True, ""
    for raw, line, location in zip(lines, contents, locations):
        if section := SECTION.fullmatch(line):
            counts = section[1].lower() == "puzzle"
            yield ""
        elif not counts:
            continue
        elif title := DESCRIPTION.fullmatch(raw) or TITLE.fullmatch(raw):
            yield title[1]
        elif raw.strip() and not line.strip():  # a comment alone
            continue
        elif word := _word(line, location):
            yield Row(location, word.signs, gap) if word.signs == line.strip() else word
            gap = ""
        elif not line.strip() or RULE.fullmatch(line):
            gap = "rule" if line.strip() else "blank line"
        else:
            yield Row(location, _cells_of(line, location), gap)
            gap = ""


def _word(line, location) -> Cells | None:
    """Return the puzzle that is a field of a line; None without such a field."""
    if len(line) < min(WORDS):
        return None
    fields = FIELD.findall(PLACED.sub("", IN_LINK.sub(" ", line) if LINK.search(line) else line))
    at = [at for at, field in enumerate(fields) if len(field) in WORDS and field.strip("-=#")]
    if not at or not _are_signs(fields[at[0]]):
        return None
    size = len(fields[at[0]])
    near = [field for field in fields if 0 < abs(len(field) - size) <= isqrt(size)]
    if near:
        raise InputError(f"{len(near[0])} cells beside a puzzle of {size}", *location)
    name = fields[0] if at[0] == 1 else ""
    grids = [Cells(location, fields[number], name) for number in at]
    puzzle = with_solution(grids)
    if puzzle is None:
        message = f"{len(at)} puzzles: a line holds one, or one and its solution"
        raise InputError(message, *location)
    if puzzle.signs != fields[at[0]]:
        raise InputError("a complete grid before a puzzle: put the puzzle first", *location)
    return puzzle


def _are_signs(text):
    """Whether all characters may be cells: ASCII, or signs of no alphabet."""
    return text.isprintable() and all(sign.isascii() or not sign.isalnum() for sign in text)


def _cells_of(line, location) -> str | list[str]:
    """Return the cells of a line; between separators a cell may be empty."""
    framed = FRAMED.fullmatch(line)
    for separator in filter(line.count, "|,;\t"):
        fields = (framed[1] if framed else line).split(separator)
        cells = [_sign(field.strip(" \"'")) for field in fields]
        are_cells = all(cell == "" or CELL.fullmatch(cell) for cell in cells)
        if are_cells and (len(cells) in SIZES or len(cells) - (cells[-1] == "") in SIZES):
            return joined(cells, location)
        if columns := _in_columns(fields):
            return joined(columns, location)
        if are_cells and "" in cells:
            return cells
    return joined([_sign(word) for word in line.translate(SPACES).split()], location)


def _in_columns(boxes) -> list[str]:
    """Return the cells of a row of boxes in columns of fixed width, where blanks are spaces."""
    n, content = len(boxes), "".join("".join(boxes).split())
    for step, start in ((1, 0), (2, 0), (2, 1)):
        if all(start + step * (n - 1) < len(box) <= start + step * n for box in boxes):
            cells = [box[start + step * at].strip() for box in boxes for at in range(n)]
            if "".join(cells) == content and len(cells) in SIZES:
                return cells
    return []


def _sign(text):
    return "." if MISSING.fullmatch(text) else text


def joined(tokens, location) -> str | list[str]:
    """Return tokens as a list of cells, else as their characters."""
    text = "".join(tokens)
    matches = [CELL.fullmatch(token) if token else True for token in tokens]
    is_even = len({*map(len, tokens)}) == 1 and _are_signs(text)
    may_be_text = is_even and len(text) in SIZES_IN_TEXT
    if all(matches) and _are_signs(text) and (len(tokens) in SIZES or not may_be_text):
        return [match[1] or match[0] if match is not True else "" for match in matches]
    if is_even:
        return text
    wrong = [word for word in tokens if not (CELL.fullmatch(word) and _are_signs(word))]
    remedy = "write one value or a dot in each cell" if text.isdigit() else None
    message = f"{quote([*wrong, text][0])} cannot be read: {CELLS_HELP}"
    raise InputError(message, *location, remedy=remedy)


def _arrays(text, locations) -> list[Row | Cells]:
    """Return the rows that are innermost brackets in a text of any programming language."""
    rows: list[Row | Cells] = []
    number, last = 0, 0
    for array in ARRAY.finditer(text):
        number += text.count("\n", last, array.start())
        last = array.start()
        for part in re.split(r"[;|]", array[1]):  # rows of Matlab and of MiniZinc
            rows += _rows_of(list(ELEMENT.finditer(part)), locations[number])
    if rows and BY_COLUMNS.search(text) and len(_signs(rows[0])) > len(rows):
        remedy = "write rows, or byrow=TRUE in R"
        raise InputError("matrix and reshape fill columns", *rows[0].location, remedy=remedy)
    return rows


def _signs(row):
    return row.signs if isinstance(row, Cells) else row.cells


def _rows_of(matches, location) -> list[Row | Cells]:
    """Return the row of the elements of an array, or their rows if they are texts of cells."""
    elements = [match[match.lastindex or 0] for match in matches]
    cells = [_sign(element.strip() or ".") for element in elements]
    if len(cells) > 2 and all(map(CELL.fullmatch, cells)):
        return [Row(location, joined(cells, location))]
    if all(match.lastindex for match in matches) and SIZES_IN_TEXT.issuperset(map(len, elements)):
        return [_word(element, location) or Row(location, element) for element in elements]
    return []


# --- Grids of rows -------------------------------------------------------------------------------


def _without_ends(rows) -> list[Row]:
    """Return rows without the empty field at the end, if all rows end in their separator."""
    wide = [row.cells for row in rows if len(row.cells) > 1]
    if not all(len(cells) - 1 in SIZES and cells[-1] == "" for cells in wide):
        return rows
    return [row._replace(cells=row.cells[:-1]) if len(row.cells) > 1 else row for row in rows]


def split_rows(rows: list[Row], orders: set[int]) -> Iterator[Cells]:
    """Yield the puzzles that follow each other: grids, lines, or wrapped numbers.

    The `orders` of the puzzles, where they are known, decide between two meanings.
    """
    rows = _without_ends(rows)
    at = 0
    while at < len(rows):
        location, cells, *_ = rows[at]
        if body := _labelled(rows, at):
            yield Cells(location, _all_cells(body))
            at += len(body) + 1
        elif _is_grid(rows, at, orders):
            yield Cells(location, _all_cells(rows[at : at + len(cells)]))
            at += len(cells)
        elif _may_be_puzzle(cells):
            yield Cells(location, cells)
            at += 1
        else:
            end = next((end for end in range(at + 1, len(rows)) if rows[end].gap), len(rows))
            yield _wrapped(rows[at:end]) or _refuse(rows[at:])
            at = end


def _labelled(rows, at) -> list[Row] | None:
    """Return the rows below a line of labels, without labels; None if the line holds no labels."""
    labels = [label for label in rows[at].cells if label]
    size = len(labels)
    body = rows[at + 1 : at + 1 + size]
    if not _are_labels(labels) or len(body) < size:
        return None
    widths = {len(row.cells) for row in body}
    if widths == {size + 1} and _are_labels([row.cells[0] for row in body]):
        return [row._replace(cells=row.cells[1:]) for row in body]
    after = rows[at + 1 + size : at + 2 + size]
    is_alone = labels[0] == "0" and (not after or after[0].gap)  # of DataFrame.to_csv
    is_apart = is_alone or body[0].gap == "rule"
    return body if is_apart and widths == {size} and not any(row.gap for row in body[1:]) else None


def _are_labels(labels):
    """Whether labels are as many as a grid has rows, and count from 0, 1 or A."""
    counted = [list(map(str, range(first, first + len(labels)))) for first in (0, 1)]
    return len(labels) in ORDER_OF_SIZE and labels in (*counted, [*ascii_uppercase[: len(labels)]])


def _is_grid(rows, at, orders) -> bool:
    """Whether the row is the first of a grid; one with gaps inside has one at its end."""
    size, first = len(rows[at].cells), rows[at].cells
    if size in VALUES and _may_be_puzzle(first) and _has_twice(first):
        return False
    part, after = rows[at : at + size], rows[at + size : at + size + 1]
    if size not in ORDER_OF_SIZE or [len(row.cells) for row in part] != [size] * size:
        return False
    gaps = {row.gap for row in part[1:]}
    if size in VALUES and "rule" not in gaps and all(_may_be_puzzle(row.cells) for row in part):
        return _is_large(part, size, gaps, orders)
    return gaps == {""} or not after or after[0].gap != ""


def _is_large(part, size, gaps, orders) -> bool:
    """Whether rows that may all be puzzles are one grid."""
    large, small = ORDER_OF_SIZE[size], ORDER_OF_CELLS[size]
    if "blank line" in gaps or any(_has_twice(row.cells) for row in part):
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
    location, cells = rows[0].location, _all_cells(rows)
    if isinstance(cells, str):
        return Cells(location, cells) if len(rows) == 1 and len(cells) == 16 else None
    widths = [len(row.cells) for row in rows]
    order = ORDER_OF_CELLS.get(len(cells) - 2)
    if order and widths[:2] == [1, 1] and cells[0] == str(order) and _are_even(widths[2:]):
        return Cells(location, cells[2:], from_one=True)
    return Cells(location, cells) if len(cells) in ORDER_OF_CELLS and _are_even(widths) else None


def _are_even(widths):
    return {*widths[:-1]} <= {widths[0]} and widths[-1] <= widths[0]


def _all_cells(rows) -> str | list[str]:
    """Return the cells of all rows."""
    cells = [cell for row in rows for cell in row.cells]
    return "".join(cells) if all(isinstance(row.cells, str) for row in rows) else cells


def _refuse(rows):
    """Raise `InputError` for the first row that keeps the rows from being a puzzle."""
    (location, cells, *_), widths = rows[0], [len(row.cells) for row in rows]
    size = sum(widths) if {*widths} == {1} else widths[0]
    if widths[:2] == [1, 1] and size == 1 and cells[0].isdigit():
        n_cells = f"{sum(widths) - 2} cells after the lines with the order and the ignored number"
        raise InputError(f"{n_cells}: must be order**4, for an order from 2 to 10", *location)
    edge = isqrt(size) if isqrt(size) ** 2 == size and len(rows) == 1 else size
    if edge > 4 and edge not in ORDER_OF_SIZE and (edge < size or widths[:edge] == [edge] * edge):
        sizes = ", ".join(f"{number}x{number}" for number in ORDER_OF_SIZE)
        raise InputError(f"a {edge}x{edge} puzzle: sizes are {sizes}", *location)
    if size not in ORDER_OF_SIZE:
        is_number = 60 < size < 81 and all(map(str.isdecimal, cells))
        remedy = "has a spreadsheet dropped the zeros before it? write dots" if is_number else None
        message = f"{size} cell{'s' * (size != 1)}: {_counts_near(size)}"
        raise InputError(message, *location, remedy=remedy)
    grid = f"a grid of order {ORDER_OF_SIZE[size]} has {size}"
    for row in rows[:size]:
        if len(row.cells) != size:
            raise InputError(f"{len(row.cells)} cells in this row: {grid}", *row.location)
    remedies = {"-": "a line of dashes is no row", "#": "# begins a comment"}
    signs = {sign for row in rows for sign in row.cells} if len(rows) > 1 else {}
    remedy = next((f"{remedies[sign]}: write dots" for sign in remedies if sign in signs), None)
    message = f"{len(rows)} row{'s' * (len(rows) > 1)} of {size} cells: {grid}"
    raise InputError(message, *location, remedy=remedy)


def _counts_near(n_cells):
    """Write the counts of cells of 9x9, and of a size that comes nearer."""
    off = {size: min(abs(size - n_cells), abs(size**2 - n_cells)) for size in ORDER_OF_SIZE}
    sizes = [9, *(size for size in off if off[size] == min(off.values()) < off[9])]
    return "; ".join(f"a {size}x{size} puzzle has {size**2}, a row of it {size}" for size in sizes)


# --- Writing -------------------------------------------------------------------------------------


def read_integers(text: str, name: str = "") -> Puzzle:
    """Return a puzzle from its text in tables: integers with spaces between, 0 for a blank."""
    values = np.array(text.split(), np.int16)
    return Puzzle(ORDER_OF_CELLS[values.size], values, name)


def format_line(puzzle: Puzzle | Sequence[int], symbols: Symbols | None = None) -> str:
    """Write a puzzle, or the values of its cells (0 for a blank), as one line.

    In `symbols`, else in the symbols that the puzzle was read in, else in the usual ones.
    """
    order, values = _order_and_values(puzzle)
    return (symbols or getattr(puzzle, "symbols", None) or usual(order, values)).line(values)


def format_integers(puzzle: Puzzle | Sequence[int]) -> str:
    """Write a puzzle as in tables: one line of integers with spaces between, 0 for a blank."""
    return " ".join(map(str, _order_and_values(puzzle)[1]))


def format_file(puzzles: Iterable[Puzzle]) -> str:
    """Write a text that `find_cells` reads back: a line each, an order in the same symbols.

    They are the symbols of the first puzzle that has some; a comment names unusual ones.
    """
    puzzles = list(puzzles)
    symbols = {puzzle.order: puzzle.symbols for puzzle in reversed(puzzles) if puzzle.symbols}
    lines = (format_line(puzzle, symbols.get(puzzle.order)) for puzzle in puzzles)
    ordinary = [CHARACTERS[order][0] for order in CHARACTERS if len(CHARACTERS[order]) < 3]
    names = [
        unusual.name
        for unusual in symbols.values()
        if not unusual.gap and unusual.name not in ordinary
    ]
    names += [unusual.name for unusual in symbols.values() if unusual.has_zero and unusual.gap]
    return (f"# symbols: {' '.join(names)}\n" if names else "") + join_lines(lines)


def join_lines(lines: Iterable[str]) -> str:
    """Join lines, with a blank line after each 4x4 puzzle: sixteen look like a 16x16 grid."""
    return "".join(line + ("\n\n" if len(line) == 16 else "\n") for line in lines)


def _order_and_values(puzzle: Puzzle | Sequence[int]) -> tuple[int, list[int]]:
    values = np.asarray(puzzle.givens if isinstance(puzzle, Puzzle) else puzzle).tolist()
    return ORDER_OF_CELLS[len(values)], values

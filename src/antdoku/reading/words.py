"""The cells of one line of a text.

They are numbers with spaces or separators between, or characters; 81, 256, 625 or 1296 characters
may be one field of a line, beside a name before it, the solution and others after it.
"""

import re
from math import isqrt
from urllib.parse import unquote

from antdoku.errors import InputError, quote
from antdoku.puzzle.symbols import BLANKS, CHARACTERS
from antdoku.reading.beside import with_solution
from antdoku.reading.boxes import Columns, boxes_of
from antdoku.reading.cells import (
    NAMES,
    PUZZLES,
    SIZES,
    WORDS,
    Cells,
    Location,
    is_complete,
    wrong_number,
)

SIZES_IN_TEXT = {order**power for order in CHARACTERS for power in (2, 4)}
TWICE = re.compile(r"\s*([1-9]\d?|100)\s+\1\s*")  # the size of a grid; no row, even in groups
CODE = re.compile(r"[()\[\]{}=]")  # no name of a puzzle has it
FIELD = re.compile(r"[^\s,;:|\"'()\[\]{}]+")
# A word and a number; after a dot or a dash alone they may be a row of a puzzle.
NUMBERED = re.compile(
    r"\s*((?:grid|puzzle|sudoku)\W{0,3}\d+|[a-z]{3,}[.-]?[ :#][ #]?\d{1,5})\s*[:.)=-]?[\s,;]*",
    re.IGNORECASE,
)
LINK = re.compile(r"://|\bhttps?//|\bwww\.")
BETWEEN = re.compile(r"([\s,;|\"']+)")  # links and other fields
IN_LINK = re.compile(r"[/?=&#]|(?<!\d)(?=\d{81}(?!\d))|(?<=\d{81})(?!\d)")  # around a puzzle
PLACED = re.compile(r"\+(?=\d)")  # HoDoKu marks the values that it has placed
GROUP = re.compile(r"[0-9.*_?-]+")  # cells of 9x9 puzzles
LARGE_GROUP = re.compile(r"(?=[A-Za-z]*[0-9.*_?-])[0-9A-Za-z.*_?-]+")  # no word
CELL = re.compile(r"(-?[0-9]{1,2}|100)(?:[.,]0*)?|\S")  # a number, or a character
DOTTED = re.compile(r"\d+\.")  # a number of NumPy
SCIENTIFIC = re.compile(r"\d\.\d+e[+-]0\d")
POWER = re.compile(r"\d[.,]\d+e\+[1-9]\d+", re.IGNORECASE)  # a puzzle as a floating-point number
MISSING = re.compile(r"none|null|nan|na|<na>|missing", re.IGNORECASE)
FEWEST_BESIDE = 72  # cells beside a puzzle that are another one, perhaps without a row
SPACES = str.maketrans(dict.fromkeys("|,;\"'", " "))
LEFT_OUT = re.compile("[\u2026\u22ee\u22ef\u22f1]")  # dots that stand for rows or columns
HEADER = re.compile(rf"\W*(?:{'|'.join(NAMES)})\W*[,;|\t][^=:]*", re.IGNORECASE)
JOINED = "a header and a puzzle in one line: is a line end lost?"
CELLS_HELP = (
    "cells are digits, letters, or . * _ - 0 -1 for a blank; a title is a line such as Puzzle 1; # "
    "or // begins a comment"
)


def word_of(line, location, to_name=0) -> Cells | None:
    """Return the puzzle that is a field of a line; None without such a field.

    Its name stands `to_name` fields before it; for 0 it may be the first of two fields.
    """
    if len(line) < min(WORDS) and not to_name:
        return None
    if LINK.search(line):
        line = "".join(map(_opened, BETWEEN.split(line)))
    fields = [
        field if len(field) in WORDS else PLACED.sub("", field)
        for field in FIELD.findall(line.replace("=", " = "))
    ]
    sizes = {16, *WORDS} if to_name else WORDS  # a column of 4x4 puzzles has a name
    at = [at for at, field in enumerate(fields) if len(field) in sizes and field.strip("-=#")]
    if not at or not _are_signs(fields[at[0]]):
        return None
    if to_name:
        name = fields[at[0] - to_name] if 0 <= at[0] - to_name < len(fields) else ""
    else:
        name = _name_in(line.partition(fields[at[0]])[0], location)
    puzzle = first_puzzle([Cells(location, fields[number], name) for number in at], fields)
    if _is_beside_cells(puzzle.signs, fields):
        raise InputError("a complete grid beside other cells: write each as one word", *location)
    if _is_beside_puzzle(fields):
        raise InputError("a puzzle beside cells of another grid: write each alone", *location)
    return puzzle


def _opened(field):
    """Return the parts of a link with spaces between; other fields as they are."""
    return IN_LINK.sub(" ", unquote(field)) if LINK.search(field) else field


def _name_in(text, location):
    """Return the only field before a puzzle, or a title with a number; else an empty text."""
    if title := NUMBERED.fullmatch(text):
        return title[1]
    names = FIELD.findall(text)
    if HEADER.fullmatch(text) and any(name.lower().startswith(PUZZLES) for name in names):
        raise InputError(JOINED, *location)
    if len(names) > 1:
        # Several words are a name if a separator stands between them and the puzzle, as in CSV.
        *names, last = [field.strip(" \"'") for field in re.split(r"[,;|\t]", text)]
        names = [] if last else names
    name = names[0].rstrip(".:)") if len(names) == 1 else ""
    has_word = any(map(str.isalnum, name))  # a bullet is no name
    return name if has_word and not CODE.search(name) and name.lower() not in PUZZLES else ""


def group_of(n_cells):
    """Return the pattern of some cells of puzzles of a size."""
    return GROUP if n_cells == min(WORDS) else LARGE_GROUP


def first_puzzle(grids: list[Cells], fields: list[str]) -> Cells:
    """Return the first of some grids in a row, with its solution if another one is that.

    `fields` are all fields of the row: one that may be another puzzle is refused.
    """
    location, size = grids[0].location, len(grids[0].signs)
    group = group_of(size)
    for field in fields:
        is_near = abs(len(field) - size) <= isqrt(size)
        is_long = len(field) > size // 3 and group.fullmatch(field)
        is_long = is_long or (len(field) > size and _has_plain_end(field, size))
        if len(field) != size and (is_near or is_long):
            raise InputError(f"{len(field)} cells beside a puzzle of {size}", *location)
    puzzle = with_solution(grids)
    if puzzle is None:
        message = f"{len(grids)} puzzles: a line holds one, or one and its solution"
        raise InputError(message, *location)
    if puzzle.signs != grids[0].signs:
        raise InputError("a complete grid before a puzzle: put the puzzle first", *location)
    return puzzle


def _has_plain_end(field, size):
    """Whether a field begins or ends with a puzzle: a line end was lost, perhaps."""
    return any(GROUP.fullmatch(part) for part in (field[:size], field[-size:]))


def _is_beside_puzzle(fields):
    """Whether many fields are cells, or rows of nine, and some of them are blank."""
    groups = [field for field in fields if len(field) in (1, 2, 9) and GROUP.fullmatch(field)]
    are_many = sum(len(group) < 9 for group in groups) >= FEWEST_BESIDE
    return (are_many or sum(len(group) == 9 for group in groups) >= 8) and not is_complete(
        "".join(groups)
    )


def _is_beside_cells(signs, fields):
    """Whether a grid is complete, and many cells stand in other fields: its puzzle, perhaps."""
    size = len(signs)
    group = group_of(size)
    cells = [field for field in fields if len(field) != size and group.fullmatch(field)]
    is_complete = signs.isalnum() and signs.count("0") in (0, isqrt(size))  # in 0-F each row has 0
    return is_complete and sum(map(len, cells)) > size // 5


def _are_signs(text):
    """Whether all characters may be cells: ASCII, or signs of no alphabet, but no damaged byte."""
    are_signs = all(sign.isascii() or not sign.isalnum() for sign in text)
    return are_signs and text.isprintable() and "\ufffd" not in text


def cells_of_line(line: str, location: Location, columns: Columns) -> str | list[str]:
    """Return the cells of a line; between separators, and in columns, a cell may be empty."""
    if size := TWICE.fullmatch(line):
        return [size[1]] * 2
    if number := POWER.search(line):
        text = f"{number[0]} in place of the digits of a puzzle, most of which are lost"
        raise InputError(text, *location, remedy="write puzzles as texts (dtype=str in pandas)")
    if cells := columns.cells_of(line):
        return joined(cells, location)
    boxes = boxes_of(line, columns.are_framed)
    if len(boxes) > 1 and (columns.have_spaces or columns.lack(len(boxes))):
        message, remedy = "cells out of the columns of other rows", "write a dot for a blank"
        raise InputError(message, *location, remedy=remedy)
    for separator in filter(line.count, "|,;\t"):
        fields = "|".join(boxes).split(separator)
        cells = [sign_of(field.strip(" \"'")) for field in fields]
        are_cells = all(cell == "" or CELL.fullmatch(cell) for cell in cells)
        if are_cells and (len(cells) in SIZES or len(cells) - (cells[-1] == "") in SIZES):
            return joined(cells, location)
        if are_cells and "" in cells:
            return [CELL.fullmatch(cell)[1] or cell if cell else "" for cell in cells]
    return joined([sign_of(word) for word in line.translate(SPACES).split()], location)


def may_be_puzzle(text):
    """Whether a text as long as a puzzle may be one: nine values, and letters of one case."""
    is_even = text in (text.upper(), text.lower()) and sum(map(str.isalnum, text)) >= 9
    return is_even and group_of(len(text)).fullmatch(text) is not None


def is_nearly_puzzle(text):
    """Whether a text may be a 9x9 puzzle that has lost cells of a row, or has too many."""
    return 0 < abs(len(text) - min(WORDS)) <= 9 and bool(GROUP.fullmatch(text))


def sign_of(text):
    if SCIENTIFIC.fullmatch(text) and float(text).is_integer():  # of NumPy
        return str(int(float(text)))
    return "_" if MISSING.fullmatch(text) else text  # no dot, which may not stand beside 4.


def joined(tokens, location) -> str | list[str]:
    """Return tokens as a list of cells, else as their characters."""
    text = "".join(tokens)
    if left_out := LEFT_OUT.search(text):
        message = f"{quote(left_out[0])} stands for cells that are left out"
        raise InputError(message, *location, remedy="print all of them")
    if "." in tokens and (dotted := [*filter(DOTTED.fullmatch, tokens)]):
        raise InputError(f"{quote(dotted[0])} beside dots for blanks", *location)
    matches = [CELL.fullmatch(token) if token else True for token in tokens]
    strange = {sign for sign in text if not sign.isalnum()} - {*"".join(BLANKS)}
    is_even = len({*map(len, tokens)}) == 1 and _are_signs(text) and len(strange) < 2
    may_be_text = is_even and len(text) in SIZES_IN_TEXT
    if all(matches) and _are_signs(text) and (len(tokens) in SIZES or not may_be_text):
        return [match[1] or match[0] if match is not True else "" for match in matches]
    if is_even:
        return text
    if puzzles := [word for word in tokens if is_nearly_puzzle(word)]:
        raise InputError(wrong_number(len(puzzles[0])), *location)
    wrong = [word for word in tokens if not (CELL.fullmatch(word) and _are_signs(word))]
    if wrong and 25 < len(wrong[0]) < min(WORDS) and GROUP.fullmatch(wrong[0]):
        raise InputError(wrong_number(len(wrong[0])), *location)
    are_groups = all(map(GROUP.fullmatch, tokens)) and not text.isdecimal()
    if are_groups and len(text) not in SIZES:  # of boxes: one has lost a cell
        raise InputError(wrong_number(len(text)), *location)
    remedy = "write one value or a dot in each cell" if re.fullmatch("[0-9]+", text) else None
    message = f"{quote([*wrong, text][0])} cannot be read: {CELLS_HELP}"
    raise InputError(message, *location, remedy=remedy)

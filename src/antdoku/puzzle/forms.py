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

``#`` and ``//`` begin a comment; ``# symbols: 1-G`` names the symbols. A line such as ``Grid 01``,
``#D name`` or ``Medium, for Sunday`` names the next puzzle; the number of puzzles, or their size,
may stand at the top. Words without a number are a title at the top, below an empty line, or above
each puzzle, or end in a colon; others among lines of puzzles are refused, as they may stand for a
missing one.
Of files of SadMan Sudoku (``.sdk``), the section ``[Puzzle]`` counts.

Lines of 16 or of 81 cells are puzzles of order 2 or 3, or rows of order 4 or 9: as many such lines
without a gap are refused if they may be both.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import isqrt
from string import ascii_uppercase
from urllib.parse import unquote

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.cells import (
    NAMES,
    OTHER_PUZZLES,
    PUZZLES,
    Cells,
    Location,
    Options,
    with_solution,
)
from antdoku.puzzle.grid import ORDERS, Puzzle
from antdoku.puzzle.symbols import BLANKS, CHARACTERS

ORDER_OF_CELLS = {order**4: order for order in ORDERS}
ORDER_OF_SIZE = {order**2: order for order in ORDERS}
SIZES = {*ORDER_OF_SIZE, *ORDER_OF_CELLS}  # of rows and puzzles
WORDS = {order**4 for order in CHARACTERS if order > 2}  # cells that no row of a grid has
SIZES_IN_TEXT = {order**power for order in CHARACTERS for power in (2, 4)}
# Values of the puzzles whose lines may be rows of a larger grid.
VALUES = {order**4: {"0", *map(str, range(1, order**2 + 1))} for order in (2, 3)}

LINE_END = re.compile(r"\r\n?|\n")  # str.splitlines knows more than editors do
# A # begins a comment, unless it is the blank of a puzzle in one word.
COMMENT = re.compile(
    r"(?<!\S)#(?!\S{80}$|\S{255}$|\S{624}$).*|(?<!:)//.*"
    r"|^\s*\"?sep=.?\"?\s*$|(?<!\S)\[(?:\d+,?|,\d+)\](?!\S)"  # of Excel, and labels of R
    # Above or below what a database, pandas, Polars, Julia or Matlab prints.
    r"|^\W*\d+ rows?(?:\)| in set\b.*|\s+\d+ columns)\W*$|^(?:Name: .*)?\bdtype: \w+$"
    r"|^shape: \(.*\)$|^\d+[x×]\d+ (?:Matrix|DataFrame)\b.*|^[A-Za-z]\w* =\s*$"
    r"|^\s*[-<>] (?=\S{2,}\s*$)"  # before a row: a list of YAML, a quotation, a difference
)
NAMED_SYMBOLS = re.compile(r"^\s*#\s*symbols:?\s+(\S.*?)\s*$", re.MULTILINE | re.IGNORECASE)
SECTION = re.compile(r"\s*\[([A-Za-z]\w*)\]\s*")
# A word and a number; after a dot or a dash alone they may be a row of a puzzle.
NUMBERED = re.compile(
    r"\s*((?:grid|puzzle|sudoku)\W{0,3}\d+|[a-z]{3,}[.-]?[ :#][ #]?\d{1,5})\s*[:.)=-]?[\s,;]*",
    re.IGNORECASE,
)
# Up to 60 characters of words without digits, one of three letters or more.
HEADING = re.compile(
    r"(?!.{61})(?=.*[^\W\d_]{3})(?:(?:[-|>&]|\(?[^\W\d_]+(?:['’][^\W\d_]+)?[),.:;!?]*)(?:\s+|$))+"
)
DESCRIPTION = re.compile(r"#D[ \t]+(\S.*?)\s*")  # of SadMan Sudoku
COLUMN = re.compile(r"([A-Za-z][A-Za-z_]*+)\w*\d")  # its name, which begins with the same word
TYPE = re.compile(  # of a column, below its name
    r"<?(?:[iuf]\d+|u?int\d*|float\d*|dbl|double|chr|str|string\d*|varchar|text)>?", re.IGNORECASE
)
# Names of columns that are rows, or of cells by columns; and names of rows that are columns.
NO_COLUMN = re.compile(r"r(?:ow)?[_ ]?\d+|c(?:ol)?[_ ]?\d+[_ ]?r(?:ow)?[_ ]?\d+", re.IGNORECASE)
NO_ROW = re.compile(r"c(?:ol(?:umn)?)?[_ ]?\d+", re.IGNORECASE)
NUMBER, SEPARATORS = re.compile(r"(\d+)"), re.compile(r"[\s,;|]")
HASHED = re.compile(r"#+[0-9A-Z][0-9A-Z#]*#[0-9A-Z#]*")  # a row of # and values; no heading, ## 12
TWICE = re.compile(r"\s*([1-9]\d?|100)\s+\1\s*")  # the size of a grid; no row, even in groups
FENCE = re.compile(  # of Markdown, or quotes of Python, around a grid
    r"\s*(?:```\s*\w*|(?:[A-Za-z_]\w*\s*=\s*)?(?:\"\"\"|''')[),;]*)\s*"
)
RULE = re.compile(r"(?=.*(?:[-=]{3}|:-+:|[+\u2500-\u257f]))[-=+*|:.'\s\u2500-\u257f]+")
FIELD = re.compile(r"[^\s,;:|\"'()\[\]{}]+")
LINK = re.compile(r"://|\bwww\.")
IN_LINK = re.compile(r"[/?=&#]|(?<!\d)(?=\d{81}(?!\d))|(?<=\d{81})(?!\d)")  # around a puzzle
# What fills columns with numbers that follow each other, in R, Julia, Matlab and Fortran.
FILLING = re.compile(r"(?<![\w.])(?:matrix|reshape)\s*\((?!.*\bbyrow\s*=\s*T)", re.DOTALL)
COLUMNWISE = re.compile(
    "|".join(
        [
            # Functions that take columns, in R, Julia and Python.
            r"\b(?:cbind|hcat|zip|column_stack|data\.(?:frame|table)|tibble|sapply)\b",
            r"\bstructure\(\s*list\b|\bDataFrame(?:\.from_dict)?\(\s*\{|\bnp\.c_",
            r"\b[dD]im\s*(?:=|\(\w+\)\s*<-)|\border\s*=\s*['\"]F|\baxis\s*=\s*-?1",
            # Columns by name or number: 'c1': [, df['c1'] = [, df$V1 <-, m[, 1] <-, b[:, 0] =.
            r"\b(?i:c|col|column|v|x)_?\d+['\"]?\s*(?::|\]?\s*(?:=|<-))\s*(?:\[|c\()|\$\w+\s*<-",
            r"\[\s*:?\s*,\s*\d+\s*\]\s*(?:=|<-)|,\s*\d+\s*\][ ]+\[",
            # What transposes, turns or mirrors, also in Matlab.
            r"\b(?:[Tt]ranspose|TRANSPOSE|swapaxes)\b|\bt\(|[\w\])]\s*\.T\b",
            r"\b(?:rot90|flip(?:ud|lr)?)\(|=\s*(?:\[[^'\"]*\]|[A-Za-z]\w*)\.?'\s*(?:;|$)",
        ]
    ),
    re.MULTILINE,
)
PLACED = re.compile(r"\+(?=\d)")  # HoDoKu marks the values that it has placed
GROUP = re.compile(r"[0-9.*_-]+")  # cells of 9x9 puzzles
LARGE_GROUP = re.compile(r"(?=[A-Za-z]*[0-9.*_-])[0-9A-Za-z.*_-]+")  # no word
CELL = re.compile(r"(-?[0-9]{1,2}|100)(?:[.,]0*)?|\S")  # a number, or a character
SCIENTIFIC = re.compile(r"\d\.\d+e[+-]\d\d")
MISSING = re.compile(r"none|null|nan|na|<na>|missing", re.IGNORECASE)
BARS = str.maketrans(dict.fromkeys("│┃║┆", "|") | dict.fromkeys("\u200b\ufeff", ""))
FRAMED = re.compile(r"\s*\|(.*)\|\s*")
SPACES = str.maketrans(dict.fromkeys("|,;\"'", " "))
ARRAY = re.compile(r"(?:(?<![\w\]])\[|[({])([^\[\](){}]*)[\])}]")  # innermost; no subscript
VALUE = re.compile(r"(?<=[\[({,;'\"])\s*([\d.*_-]+)\s*(?=[\])},;'\"])")  # an element of a list
FEWEST_LOST = 17  # values around arrays that are a puzzle or a row that was not read
LEFT_OUT = re.compile("[\u2026\u22ee\u22ef\u22f1]")  # dots that stand for rows or columns
ELISION = re.compile(r"(?<![^\s,\[\]])(?:\.{3}|\u2026)(?![^\s,\[\]])")  # of long arrays, printed
ELEMENT = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|(-?\d+)L\b|[^\s,\"']+")  # 5L of R

PUZZLE = "puzzle"  # the section that is read
SECTIONS = (PUZZLE, "state")  # without one of them a word in brackets is a title
TITLE = "title"  # a gap: a row below it belongs to another puzzle than the row above it
HINTS = {  # remedies for texts that are not read, by a sign of their form
    r"\\begin\b|&[^&\n]*\\\\": "of LaTeX, write the cells alone, with spaces between",
    r"</?(?:table|t[dhr]|div|p|pre|br|span|row|cell)\b|&[a-z]+;": "of HTML, write the cells alone",
    r"^-\[ RECORD|^\*+ \d+\. row": "of a database, print a row a line, without \\x or \\G",
    r"\w: *[|>][-+]? *$": "of YAML, write the puzzles alone, each below one title",
    "\ufffd": "write the file in UTF-8",
    r"^named:|^\S+\.[A-Za-z]{2,7}$": "if it is the name of a file, read files and texts one by one",
    r"^[\d |]*#[\d |]*#[\d #|]*$": "# begins a comment: write dots",
    r"^(?=.{5,19}$)[1-9 ]*  [1-9 ]*$": "are blanks spaces? write dots",
    r"(?<!\S)\S{44,47}\.{3}(?!\S)": "pandas cuts texts: set display.max_colwidth to None",
}
CELLS_HELP = "cells are digits, letters, or . * _ - 0 -1 for a blank; # or // begins a comment"


# --- Lines ---------------------------------------------------------------------------------------


def find_cells(text: str, source: str, options: Options, first: int = 1) -> list[Cells]:
    """Return the cells of all puzzles in a text, whose first line has the number `first`.

    `InputError` if there is no puzzle in it, or something that is no puzzle.
    """
    try:
        rows = list(_rows(LINE_END.split(text), source, first))
        number = _number_above(rows)
        grids = list(split_rows(rows, options.chosen.keys()))
    except InputError as error:
        hints = (hint for pattern, hint in HINTS.items() if re.search(pattern, text, re.MULTILINE))
        remedy = error.remedy or next(hints, None)
        raise InputError(error.what, error.place, error.line, remedy) from None
    if not grids:
        has_section = any(map(SECTION.fullmatch, LINE_END.split(text)))
        remedy = "the only section that is read is [Puzzle]" if has_section else None
        raise InputError("there is no puzzle in it", source, remedy=remedy)
    allowed = {len(grids), grids[0].order, grids[0].order ** 2}
    if number and int(number.signs[0]) not in allowed:
        count = f"{len(grids)} puzzle{'s' * (len(grids) > 1)}"
        raise InputError(f"{' '.join(number.signs)} above {count}", *number.location)
    return grids


def _number_above(rows) -> Cells | None:
    """Take away the first row if it is a whole number, once or twice, and the next is longer."""
    widths = [len(row.signs) for row in rows[:2]]
    is_size = len(widths) == 2 and widths[0] <= 2 < widths[1] and len({*rows[0].signs}) == 1
    return rows.pop(0) if is_size and rows[0].signs[0].isdecimal() else None


def _rows(lines, source, first) -> Iterator[Cells]:
    """Yield rows, and puzzles that are a field of a line, each with the gap or title above it."""
    locations = [Location(source, number) for number in range(first, first + len(lines))]
    contents = [COMMENT.sub("", line).translate(BARS) for line in lines]
    if rows := _arrays("\n".join(contents), locations):
        yield from rows
        return
    are_framed = any(map(FRAMED.fullmatch, contents))
    headers = filter(None, map(SECTION.fullmatch, contents))
    has_sections = any(header[1].lower() in SECTIONS for header in headers)
    section, name, gap = PUZZLE, "", ""
    headings: set[str] = set()
    to_name = 0  # fields from the name of a puzzle to the puzzle, as names of columns tell
    n_lines = 2 if first > 1 else 0  # puzzles of a line each that stand right above
    for raw, line, location in zip(lines, contents, locations):
        n_above, n_lines = n_lines, 0
        if header := SECTION.fullmatch(line):
            section, gap, above = header[1].lower(), TITLE, location
            name = "" if has_sections else header[1]
        elif (has_sections and section != PUZZLE) or (gap == TITLE and _are_types(line)):
            continue
        elif columns := _columns_of(line):  # names above columns of cells
            check_row_by_row(columns, *location)
            gap = TITLE
        elif FENCE.fullmatch(line):
            gap = TITLE
        elif names := column_names(line):
            to_name = _first_of(PUZZLES, names) - _first_of(NAMES, names) if names[1:] else 0
            gap = TITLE
        elif title := _title(raw, line, name):
            if HEADING.fullmatch(" ".join(line.split())):
                # Titles stand at the top, below a gap, or above all puzzles, or end in a colon.
                is_new = bool(headings) and title not in headings
                if n_above > bool(headings) and not (is_new or title.endswith(":")):
                    message = f"{quote(title)} among lines of puzzles is no puzzle"
                    remedy = "write a blank line above a title"
                    raise InputError(message, *location, remedy=remedy)
                headings.add(title)
            name, gap, above = title, TITLE, location
        elif raw.strip() and not line.strip():  # a comment alone
            _check_comment(raw, location)
        elif word := _word(line, location, to_name):
            n_lines = n_above + 1
            yield word._replace(name=word.name or name, gap=gap)
            name, gap = "", ""
        elif not line.strip() or RULE.fullmatch(line):
            gap = gap if gap == TITLE else "rule" if line.strip() else "blank line"
        elif are_framed and line.strip().startswith("|") != line.strip().endswith("|"):
            raise InputError("a row without one of its outer bars: is it cut?", *location)
        else:
            yield Cells(location, _cells_of(line, location), name, gap=gap)
            name, gap = "", ""
    if HEADING.fullmatch(name):
        raise InputError(f"{quote(name)} is no puzzle, nor stands above one", *above)


def _are_types(line):
    """Whether a line holds types of columns."""
    words = FIELD.findall(line)
    return bool(words) and all(map(TYPE.fullmatch, words))


def _columns_of(line) -> list[str]:
    """Return the numbered names of columns in a line; none if it may be a row in groups."""
    names = FIELD.findall(line)
    matches = list(map(COLUMN.fullmatch, names))
    if len(names) < 4 or not all(matches):
        return []
    is_one_word = len({match[1] for match in matches if match}) == 1
    return names if is_one_word or any(map(line.count, ",;\t")) else []


def check_row_by_row(
    names, *location, remedy="write columns of cells row by row", wrong=NO_COLUMN
) -> None:
    """Refuse names of columns, or of rows, that are out of order or name the `wrong` direction."""
    if names and all(map(wrong.fullmatch, names)):
        lines = "columns are rows" if wrong is NO_ROW else "rows are columns"
        raise InputError(f"{quote(names[0])}: {lines}", *location, remedy="transpose the table")
    are_letters = all(len(name) == 1 and name.isalpha() for name in names)
    if not are_letters and not all(map(NUMBER.search, names)):
        return
    keys = [
        [int(part) if part.isdecimal() else part for part in NUMBER.split(name)] for name in names
    ]
    for (first, key), (second, next_key) in pairwise(zip(names, keys)):
        if key >= next_key:
            message = f"{quote(first)} stands before {quote(second)}"
            raise InputError(message, *location, remedy=remedy)


def _check_comment(line, location):
    """Refuse a comment that looks like a row whose blanks are #."""
    signs = SEPARATORS.sub("", line)
    if len(signs) in ORDER_OF_SIZE and HASHED.fullmatch(signs):
        raise InputError("# begins a comment", *location, remedy="write a dot for a blank")


def _title(raw, line, title) -> str:
    """Return the name of the next puzzle if a line holds one, or else an empty text.

    Words without a number may be a title if they are no row, and no other `title` is above them.
    """
    if match := DESCRIPTION.fullmatch(raw) or NUMBERED.fullmatch(raw):
        return match[1]
    text = " ".join(line.split())
    if title or not HEADING.fullmatch(text):
        return ""
    lengths = list(map(len, text.split()))
    may_be_row = sum(lengths) in SIZES and len({*lengths}) == 1 and not text.endswith(":")
    # A 4x4 puzzle in a line that has lost a cell has 15 signs, and four letters.
    may_be_puzzle = sum(lengths) > 11 and len({*filter(str.isalpha, text.lower())}) <= 4
    return "" if may_be_row or may_be_puzzle else text.rstrip(",;| ")


def column_names(line: str) -> list[str]:
    """Return names above columns in small letters: of puzzles, and of names beside them; or one."""
    names = FIELD.findall(line.lower())
    is_word = len(names) == 1 and len(line.strip(' \t":')) == len(names[0])
    if is_word and names[0].removesuffix("s") in (*PUZZLES, *OTHER_PUZZLES):
        return names
    n_known = any(name in NAMES for name in names) + any(name in PUZZLES for name in names)
    return names if n_known == min(len(names), 2) else []


def _first_of(known, names):
    return next(at for at, name in enumerate(names) if name in known)


def _word(line, location, to_name=0) -> Cells | None:
    """Return the puzzle that is a field of a line; None without such a field.

    Its name stands `to_name` fields before it; for 0 it may be the first of two fields.
    """
    if len(line) < min(WORDS):
        return None
    line = IN_LINK.sub(" ", unquote(line)) if LINK.search(line) else line
    fields = FIELD.findall(PLACED.sub("", line).replace("=", " = "))
    at = [at for at, field in enumerate(fields) if len(field) in WORDS and field.strip("-=#")]
    if not at or not _are_signs(fields[at[0]]):
        return None
    size = len(fields[at[0]])
    near = [field for field in fields if 0 < abs(len(field) - size) <= isqrt(size)]
    if near:
        raise InputError(f"{len(near[0])} cells beside a puzzle of {size}", *location)
    at_name = at[0] - to_name if to_name else 0 if at[0] == 1 else -1
    name = fields[at_name] if 0 <= at_name < len(fields) else ""
    grids = [Cells(location, fields[number], name) for number in at]
    puzzle = with_solution(grids)
    if puzzle is None:
        message = f"{len(at)} puzzles: a line holds one, or one and its solution"
        raise InputError(message, *location)
    if puzzle.signs != fields[at[0]]:
        raise InputError("a complete grid before a puzzle: put the puzzle first", *location)
    if _is_beside_cells(puzzle.signs, fields):
        raise InputError("a complete grid beside other cells: write each as one word", *location)
    return puzzle


def _is_beside_cells(signs, fields):
    """Whether a grid is complete, and many cells stand in other fields: its puzzle, perhaps."""
    size = len(signs)
    group = GROUP if size == min(WORDS) else LARGE_GROUP
    cells = [field for field in fields if len(field) != size and group.fullmatch(field)]
    is_complete = signs.isalnum() and signs.count("0") in (0, isqrt(size))  # in 0-F each row has 0
    return is_complete and sum(map(len, cells)) > size // 5


def _are_signs(text):
    """Whether all characters may be cells: ASCII, or signs of no alphabet, but no damaged byte."""
    are_signs = all(sign.isascii() or not sign.isalnum() for sign in text)
    return are_signs and text.isprintable() and "\ufffd" not in text


def _cells_of(line, location) -> str | list[str]:
    """Return the cells of a line; between separators a cell may be empty."""
    if size := TWICE.fullmatch(line):
        return [size[1]] * 2
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
            return [CELL.fullmatch(cell)[1] or cell if cell else "" for cell in cells]
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
    if SCIENTIFIC.fullmatch(text) and float(text).is_integer():  # of NumPy
        return str(int(float(text)))
    return "." if MISSING.fullmatch(text) else text


def joined(tokens, location) -> str | list[str]:
    """Return tokens as a list of cells, else as their characters."""
    text = "".join(tokens)
    if left_out := LEFT_OUT.search(text):
        message = f"{quote(left_out[0])} stands for cells that are left out"
        raise InputError(message, *location, remedy="print all of them")
    matches = [CELL.fullmatch(token) if token else True for token in tokens]
    strange = {sign for sign in text if not sign.isalnum()} - {*"".join(BLANKS)}
    is_even = len({*map(len, tokens)}) == 1 and _are_signs(text) and len(strange) < 2
    may_be_text = is_even and len(text) in SIZES_IN_TEXT
    if all(matches) and _are_signs(text) and (len(tokens) in SIZES or not may_be_text):
        return [match[1] or match[0] if match is not True else "" for match in matches]
    if is_even:
        return text
    wrong = [word for word in tokens if not (CELL.fullmatch(word) and _are_signs(word))]
    remedy = "write one value or a dot in each cell" if text.isdigit() else None
    message = f"{quote([*wrong, text][0])} cannot be read: {CELLS_HELP}"
    raise InputError(message, *location, remedy=remedy)


def _arrays(text, locations) -> list[Cells]:
    """Return the rows that are innermost brackets in a text of any programming language."""
    rows: list[Cells] = []
    number, last, end, around = 0, 0, 0, []
    for array in ARRAY.finditer(text):
        number += text.count("\n", last, array.start())
        last = array.start()
        of_array = []
        for part in re.split(r"[;|]", array[1]):  # rows of Matlab and of MiniZinc
            of_array += _rows_of(list(ELEMENT.finditer(part)), locations[number])
        if of_array:
            around.append(text[end : array.start()])
            end = array.end()
        rows += of_array
    around.append(text[end:])
    is_flat = bool(rows) and len(rows[0].signs) > len(rows)
    columnwise = COLUMNWISE.search(text) or (FILLING.search(text) if is_flat else None)
    are_puzzles = all(isinstance(row.signs, str) and len(row.signs) in WORDS for row in rows)
    if columnwise and not are_puzzles:
        message = f"{quote(columnwise[0].strip())}: an array by columns, or transposed"
        remedy = "write its rows, or byrow=TRUE in matrix of R"
        raise InputError(message, *rows[0].location, remedy=remedy)
    if any(len(field) in WORDS for field in FIELD.findall(ARRAY.sub(" ", text))):
        return []  # the brackets stand beside puzzles
    if rows and sum(map(len, VALUE.findall("".join(around)))) >= FEWEST_LOST:
        remedy = "write 0 or a dot for a blank"
        raise InputError("a list of cells cannot be read", *rows[0].location, remedy=remedy)
    if rows and ELISION.search(ARRAY.sub("", text)):
        raise InputError("rows are left out of this array: print all of it", *rows[0].location)
    if rows and any(text.count(first) != text.count(last) for first, last in ("[]", "{}")):
        raise InputError("a bracket of this array is missing: is it cut?", *rows[0].location)
    return rows


def _rows_of(matches, location) -> list[Cells]:
    """Return the row of the elements of an array, or their rows if they are texts of cells."""
    elements = [match[match.lastindex or 0] for match in matches]
    cells = [_sign(element.strip() or ".") for element in elements]
    cells = ["." if cell == "--" else cell for cell in cells]  # a masked cell of NumPy
    if len(cells) > 2 and all(map(CELL.fullmatch, cells)):
        return [Cells(location, joined(cells, location))]
    if all(match.lastindex for match in matches) and SIZES_IN_TEXT.issuperset(map(len, elements)):
        return [_word(element, location) or Cells(location, element) for element in elements]
    return []


# --- Grids of rows -------------------------------------------------------------------------------


def _without_ends(rows) -> list[Cells]:
    """Return rows without the empty field at the end, if all rows end in their separator."""
    wide = [row.signs for row in rows if len(row.signs) > 1]
    if not all(len(signs) - 1 in SIZES and signs[-1] == "" for signs in wide):
        return rows
    return [row._replace(signs=row.signs[:-1]) if len(row.signs) > 1 else row for row in rows]


def _without_gaps(rows) -> list[Cells]:
    """Return rows of a spreadsheet without its empty columns and rows.

    Columns may be empty behind the grid or between boxes, rows between boxes or grids. Nothing is
    left out if different columns could be.
    """
    wide = [row for row in rows if len(row.signs) > 1]
    columns = [*zip(*(row.signs for row in wide))]
    if {len(row.signs) for row in wide} != {len(columns)}:
        return rows
    if len(columns) not in SIZES and (cells := _filled(columns)):
        rows = [row._replace(signs=[row.signs[cell] for cell in cells]) for row in wide]
    if not any(any(row.signs) for row in rows):
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
    if len(labels) % size or not (_count(labels) or all(map(_are_labels, blocks))):
        return rows
    body, above = [], None
    for row in rows:
        above = above or row
        if len(row.signs) == width and row.signs[0]:
            body.append(above._replace(signs=row.signs[1:]))
            above = None
        elif not _are_labels([label for label in row.signs if label]):
            return rows
    return body


def _filled(lines) -> list[int]:
    """Return which columns are a grid without empty ones; none if that is not certain."""
    empty = {at for at, cells in enumerate(lines) if not any(cells)}
    gaps = []
    for size, order in ORDER_OF_SIZE.items():
        behind, between = range(size, len(lines)), range(order, len(lines), order + 1)
        gaps += [{*behind}] + [{*between}] * (len(lines) == size + order - 1)
    gaps = [gap for gap in gaps if gap and gap <= empty]
    return [at for at in range(len(lines)) if at not in gaps[0]] if len(gaps) == 1 else []


def split_rows(rows: list[Cells], orders: set[int]) -> Iterator[Cells]:
    """Yield the puzzles that follow each other: grids, lines, or wrapped numbers.

    The `orders` of the puzzles, where they are known, decide between two meanings.
    """
    titles = [at for at, row in enumerate(rows) if row.gap == TITLE]
    for first, last in pairwise([0, *titles, len(rows)]):
        part = _without_index(_without_gaps(_without_ends(rows[first:last])))
        yield from _puzzles_of(part[1:] if part and _are_names(part) else part, orders)


def _puzzles_of(rows, orders) -> Iterator[Cells]:
    at = 0
    while at < len(rows):
        n_rows, signs = 1, rows[at].signs
        if body := _labelled(rows, at):
            n_rows, signs = len(body) + 1, _all_signs(body)
        elif _is_grid(rows, at, orders):
            n_rows, signs = len(signs), _all_signs(rows[at : at + len(signs)])
        elif not _may_be_puzzle(signs):
            end = next((end for end in range(at + 1, len(rows)) if rows[end].gap), len(rows))
            yield _wrapped(rows[at:end]) or _refuse(rows[at:])
            at = end
            continue
        yield rows[at]._replace(signs=signs)
        at += n_rows


def _labelled(rows, at) -> list[Cells] | None:
    """Return the rows below a line of labels; None if the line holds no labels."""
    labels = [label for label in rows[at].signs if label]
    size = len(labels)
    body = rows[at + 1 : at + 1 + size]
    if not _are_labels(labels) or {len(row.signs) for row in body} != {size}:
        return None
    end = next((end for end in range(at + 2, len(rows)) if rows[end].gap), len(rows))
    is_alone = labels[0] in ("0", "A") and (end - at - 1) % size == 0  # of DataFrame.to_csv
    is_apart = is_alone or body[0].gap == "rule"
    return body if is_apart and len(body) == size <= end - at - 1 else None


def _are_names(rows):
    """Whether a row counts the columns of the puzzles below, from 0 or 1, as pandas does."""
    names, *puzzles = [row.signs for row in rows]
    if not _count(names) or len(rows) == len(names):  # a row of a large grid may count, too
        return False
    return {*map(len, puzzles)} == {len(names)} and all(map(_may_be_puzzle, puzzles))


def _count(labels):
    """Whether labels count from 0 or 1."""
    counted = [list(map(str, range(first, first + len(labels)))) for first in (0, 1)]
    return labels in counted


def _are_labels(labels):
    """Whether labels are as many as a grid has rows, and count from 0, 1 or A."""
    are_letters = labels == [*ascii_uppercase[: len(labels)]]
    return len(labels) in ORDER_OF_SIZE and (are_letters or _count(labels))


def _is_grid(rows, at, orders) -> bool:
    """Whether the row is the first of a grid; one with gaps inside has one at its end."""
    size, first = len(rows[at].signs), rows[at].signs
    if size in VALUES and _may_be_puzzle(first) and _has_twice(first):
        return False
    part, after = rows[at : at + size], rows[at + size : at + size + 1]
    if size not in ORDER_OF_SIZE or [len(row.signs) for row in part] != [size] * size:
        return False
    gaps = {row.gap for row in part[1:]}
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


def _refuse(rows):
    """Raise `InputError` for the first row that keeps the rows from being a puzzle."""
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
        message = f"{size} cell{'s' * (size != 1)}: {_counts_near(size)}"
        raise InputError(message, *location, remedy=remedy)
    grid = f"a grid of order {ORDER_OF_SIZE[size]} has {size}"
    block = next((at for at, row in enumerate(rows) if at and row.gap), len(rows))
    rows = rows[:block] if ORDER_OF_SIZE[size] < block < size else rows
    for row in rows[:size]:
        if len(row.signs) != size:
            raise InputError(f"{len(row.signs)} cells in this row: {grid}", *row.location)
    has_dash = len(rows) > 1 and any("-" in row.signs for row in rows)
    remedy = "a line of dashes is no row: write dots" if has_dash else None
    message = f"{len(rows)} row{'s' * (len(rows) > 1)} of {size} cells: {grid}"
    raise InputError(message, *location, remedy=remedy)


def _counts_near(n_cells):
    """Write the counts of cells of 9x9, and of a size that comes nearer."""
    sizes = [size for size in ORDER_OF_SIZE if size <= 36 or n_cells > 36**2]
    off = {size: min(abs(size - n_cells), abs(size**2 - n_cells)) for size in sizes}
    sizes = [9, *(size for size in off if off[size] == min(off.values()) < off[9])]
    return "; ".join(f"a {size}x{size} puzzle has {size**2}, a row of it {size}" for size in sizes)


# --- Writing -------------------------------------------------------------------------------------


def read_integers(text: str, name: str = "") -> Puzzle:
    """Return a puzzle from its text in tables: integers with spaces between, 0 for a blank."""
    values = np.array(text.split(), np.int16)
    return Puzzle(ORDER_OF_CELLS[values.size], values, name)


def format_integers(puzzle: Puzzle | Sequence[int]) -> str:
    """Write a puzzle, or cells, as in tables: integers with spaces between, 0 for a blank."""
    return " ".join(map(str, np.asarray(getattr(puzzle, "givens", puzzle)).tolist()))


def format_file(puzzles: Iterable[Puzzle]) -> str:
    """Write a text that `find_cells` reads back: a line each, an order in the same symbols.

    They are the symbols of the first puzzle that has some; a comment names unusual ones.
    """
    puzzles = list(puzzles)
    symbols = {puzzle.order: puzzle.symbols for puzzle in reversed(puzzles) if puzzle.symbols}
    ordinary = [CHARACTERS[order][0] for order in CHARACTERS if len(CHARACTERS[order]) < 3]
    names = [
        unusual.name
        for unusual in symbols.values()
        if (unusual.has_zero if unusual.gap else unusual.name not in ordinary)
    ]
    comment = f"# symbols: {' '.join(names)}\n" if names else ""
    writings = [symbols.get(puzzle.order, puzzle.writing) for puzzle in puzzles]
    pairs = zip(writings, puzzles)
    return comment + join_lines(writing.line(puzzle.givens.tolist()) for writing, puzzle in pairs)


def join_lines(lines: Iterable[str]) -> str:
    """Join lines, with a blank line after each 4x4 puzzle: sixteen look like a 16x16 grid."""
    return "".join(line + ("\n\n" if len(line) == 16 else "\n") for line in lines)

"""Rows of cells that are arrays in a text of any programming language.

Innermost brackets are the rows; what stands around them is ignored.
"""

import re

from antdoku.errors import InputError, quote
from antdoku.reading.cells import (
    EMPTY,
    ORDER_OF_SIZE,
    SIZES,
    WORDS,
    Cells,
    Location,
    wrong_number,
)
from antdoku.reading.words import (
    CELL,
    FIELD,
    GROUP,
    LARGE_GROUP,
    SIZES_IN_TEXT,
    SPACES,
    is_nearly_puzzle,
    joined,
    sign_of,
    word_of,
)

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
QUOTED_ROW = re.compile(r"(['\"])[^'\"\s,\[\](){}:=]{16,}\1")
ARRAY = re.compile(r"(?:(?<![\w\]])\[|[({])([^\[\](){}]*)[\])}]")  # innermost; no subscript
VALUE = re.compile(r"(?<=[\[({,;'\"])\s*([\d.*_?-]+)\s*(?=[\])},;'\"])")  # an element of a list
ARRAYS = "\0"  # stands for an array, in what stands around arrays
TEXTS = re.compile(r"(?:['\"][\dA-Za-z.*_?-]{16,}['\"]\s*,\s*){3,}")  # of a list
CELL_IN = r"['\"]?(?:\d{1,3}|[A-Za-z.*_?-])['\"]?"
BROKEN = re.compile(  # an array among cells of another one
    rf"(?<!\w)[\[({{]\s*{CELL_IN}(?:[,\s]\s*{CELL_IN}){{2,}}\s*,?\s*{ARRAYS}"
    rf"|{ARRAYS}\s*(?:,\s*{CELL_IN}\s*){{3,}}[\]}}]"
)
SIGN = re.compile(r"(['\"])[.*_-]\1")  # of a blank
FEWEST_LOST = 17  # values around arrays that are a puzzle or a row that was not read
ELISION = re.compile(r"(?<![^\s,\[\]])(?:\.{3}|\u2026)(?![^\s,\[\]])")  # of long arrays, printed
LONG_ROW = re.compile(r"\[\s*(?:\d+,?\s+){3}\.{3},?(?:\s+\d+,?){3}\s*\]")  # as NumPy prints it
LEFT_OUT = "are left out of this array: print all of it"
ELEMENT = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|(-?\d+)L\b|[^\s,\"']+")  # 5L of R


def rows_of_arrays(text, locations) -> list[Cells]:
    """Return the rows that are innermost brackets in a text of any programming language."""
    rows: list[Cells] = []
    arrays: list[tuple[str, Location]] = []
    number, last, end, around = 0, 0, 0, []  # `around` has a gap and the line ends of each array
    for array in ARRAY.finditer(text):
        number += text.count("\n", last, array.start())
        last = array.start()
        of_array, line = [], number
        for part in re.split(r"[;|]", array[1]):  # rows of Matlab and of MiniZinc
            places = locations[line : line + part.count("\n") + 1]
            of_array += _rows_of(list(ELEMENT.finditer(part)), places)
            line += part.count("\n")
        if of_array:
            arrays.append((array[0], of_array[0].location))
            around += [text[end : array.start()], ARRAYS + "\n" * array[0].count("\n")]
            end = array.end()
        rows += of_array
    around.append(text[end:])
    if all(len(row.signs) < 4 for row in rows) and (long := LONG_ROW.search(text)):
        raise InputError(f"cells {LEFT_OUT}", *locations[text.count("\n", 0, long.start())])
    is_flat = bool(rows) and len(rows[0].signs) > len(rows)
    code = QUOTED_ROW.sub("", text)
    columnwise = COLUMNWISE.search(code) or (FILLING.search(code) if is_flat else None)
    are_puzzles = all(isinstance(row.signs, str) and len(row.signs) in WORDS for row in rows)
    if columnwise and not are_puzzles:
        message = f"{quote(columnwise[0].strip())}: an array by columns, or transposed"
        remedy = "write its rows, or byrow=TRUE in matrix of R"
        raise InputError(message, *rows[0].location, remedy=remedy)
    if any(len(field) in WORDS for field in FIELD.findall(ARRAY.sub(" ", text))):
        return []  # the brackets stand beside puzzles
    if rows:
        _check_around("".join(around), locations, len(rows[0].signs) in ORDER_OF_SIZE)
        _check_blanks(arrays)
    if rows and ELISION.search(ARRAY.sub("", text)):
        raise InputError(f"rows {LEFT_OUT}", *rows[0].location)
    if rows and any(text.count(first) != text.count(last) for first, last in ("[]", "{}")):
        raise InputError("a bracket of this array is missing: is it cut?", *rows[0].location)
    return rows


def _check_around(text, locations, are_rows):
    """Refuse cells around arrays, which may be rows: in lines of their own, in lists, in arrays."""
    _check_lines(text, locations)
    if are_rows and (broken := BROKEN.search(text)):
        line = locations[text.count("\n", 0, broken.start())]
        raise InputError("an array among cells: is a row pasted into another one?", *line)
    values, texts = [*VALUE.finditer(text)], [*filter(_are_rows, TEXTS.finditer(text))]
    if sum(len(value[1]) for value in values) >= FEWEST_LOST or texts:
        line = locations[text.count("\n", 0, min(lost.start() for lost in values + texts))]
        remedy = "write 0 or a dot for a blank, and all texts in quotes"
        raise InputError("a list of cells cannot be read", *line, remedy=remedy)


def _are_rows(match):
    """Whether texts that follow each other in a list may be rows: three are as long as a row."""
    lengths = [*map(len, FIELD.findall(match[0]))]
    return any(lengths.count(size) > 2 for size in SIZES_IN_TEXT)


def _check_blanks(arrays):
    """Refuse an empty text in an array if another one has a sign for a blank."""
    empty = [
        location
        for text, location in arrays
        if any(not (element[0].strip("'\" ")) for element in ELEMENT.finditer(text))
    ]
    if empty and any(SIGN.search(text) for text, _ in arrays):
        raise InputError(EMPTY, *empty[0])


def _check_lines(text, locations):
    """Refuse rows of cells in lines outside of all arrays; one alone may be a number."""
    lines = [*filter(lambda line: _may_be_row(line[1]), enumerate(text.split("\n")))]
    if len(lines) > 2:
        remedy = "read the array alone, or write all grids alike"
        line = quote(lines[0][1].strip())
        raise InputError(
            f"cells outside of the array: {line}", *locations[lines[0][0]], remedy=remedy
        )


def _may_be_row(line):
    """Whether a line may be a row of 9 cells or more, perhaps with separators or bars between."""
    words = line.translate(SPACES).split()
    are_short = all(len(word) <= 3 for word in words)
    are_cells = all(GROUP.fullmatch(word) or LARGE_GROUP.fullmatch(word) for word in words) or (
        are_short and all(len(word) == 1 or word.isdigit() for word in words)
    )
    widths = {len(words), len("".join(words)), *(len(line.split(sign)) for sign in ",;\t")}
    is_row = not widths.isdisjoint(SIZES - {4}) or line.count("|") > 1
    return are_cells and is_row and any(map(str.isalnum, line))


def _rows_of(matches, locations) -> list[Cells]:
    """Return the row of the elements of an array, or their rows if they are texts of cells.

    `locations` are the lines of the array.
    """
    location = locations[0]
    elements = [match[match.lastindex or 0] for match in matches]
    cells = [sign_of(element.strip() or ".") for element in elements]
    cells = ["_" if cell == "--" else cell for cell in cells]  # a masked cell of NumPy
    if len(cells) > 2 and all(map(CELL.fullmatch, cells)):
        return [Cells(location, joined(cells, location))]
    places = [locations[match.string.count("\n", 0, match.start())] for match in matches]
    sizes = {*map(len, elements)}
    if all(match.lastindex for match in matches) and sizes <= SIZES_IN_TEXT:
        texts = zip(places, elements)
        return [word_of(text, place) or Cells(place, text) for place, text in texts]
    for place, text in zip(places, elements):
        if not sizes.isdisjoint(WORDS) and is_nearly_puzzle(text):
            raise InputError(wrong_number(len(text)), *place)
    return []

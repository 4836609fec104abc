"""Names of columns and of rows of cells, and names above columns of puzzles."""

import re
from itertools import pairwise
from string import ascii_uppercase

from antdoku.errors import InputError, quote
from antdoku.reading.cells import NAMES, ORDER_OF_SIZE, OTHER_PUZZLES, PUZZLES, WORDS
from antdoku.reading.words import FIELD

COLUMN = re.compile(r"([A-Za-z][A-Za-z_]*+)\w*\d")  # its name, which begins with the same word
TYPE = re.compile(  # of a column, below its name
    r"<?(?:[iuf]\d+|u?int\d*|float\d*|dbl|double|chr|str|string\d*|varchar|text)>?", re.IGNORECASE
)
# Names of columns that are rows, or of cells by columns; and names of rows that are columns.
NO_COLUMN = re.compile(r"r(?:ow)?[_ ]?\d+|c(?:ol)?[_ ]?\d+[_ ]?r(?:ow)?[_ ]?\d+", re.IGNORECASE)
NO_ROW = re.compile(r"c(?:ol(?:umn)?)?[_ ]?\d+", re.IGNORECASE)
NUMBER, SEPARATORS = re.compile(r"(\d+)"), re.compile(r"[\s,;|]")


def are_types(line):
    """Whether a line holds types of columns."""
    words = FIELD.findall(line)
    return bool(words) and all(map(TYPE.fullmatch, words))


def numbered_columns(line) -> list[str]:
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


def column_names(line: str) -> list[str]:
    """Return names above columns in small letters: of puzzles, and of names beside them; or one."""
    names = FIELD.findall(line.lower())
    is_word = len(names) == 1 and len(line.strip(' \t":')) == len(names[0])
    if is_word and names[0].removesuffix("s") in (*PUZZLES, *OTHER_PUZZLES):
        return names
    if any(name.isdecimal() or len(name) >= min(WORDS) for name in names):
        return []
    n_known = any(name in NAMES for name in names) + any(name in PUZZLES for name in names)
    return names if n_known == min(len(names), 2) else []


def count_up(labels):
    """Whether labels count from 0 or 1."""
    counted = [list(map(str, range(first, first + len(labels)))) for first in (0, 1)]
    return labels in counted


def are_labels(labels):
    """Whether labels are as many as a grid has rows, and count from 0, 1 or A."""
    are_letters = labels == [*ascii_uppercase[: len(labels)]]
    return len(labels) in ORDER_OF_SIZE and (are_letters or count_up(labels))

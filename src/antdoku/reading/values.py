"""Values of Python that may hold cells."""

import sys
from collections.abc import Mapping, Sequence

import numpy as np

from antdoku.reading.cells import ORDER_OF_CELLS, WORDS
from antdoku.reading.words import SPACES

LONGEST_CELL = 3  # characters of a cell in a list of texts
REMEDIES = {  # for values that are no puzzles, by their type
    **dict.fromkeys(("bool", "float", "int"), "read them as texts (dtype=str in pandas)"),
    **{"bytes": "decode them", "Puzzle": "read takes a list of puzzles"},
    **{"dict": "write records (orient='records' in pandas)", "Result": "take result.puzzle"},
}


def is_list(value):
    """Whether a value is a list or an array, and no text."""
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)


def is_grid(value):
    """Whether a value is a list of as many lists as a puzzle has rows, with its cells."""
    n_cells = count_cells(value) if is_list(value) and any(map(is_list, value)) else 0
    return n_cells in ORDER_OF_CELLS and n_cells == len(value) ** 2


def is_mapping(value):
    """Whether a value is an object: it has keys."""
    return isinstance(value, Mapping)


def is_missing(value):
    """Whether a cell is None, NaN, or missing in pandas, which need not be there."""
    if value is None or (isinstance(value, float) and value != value):
        return True
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


def is_empty(value):
    """Whether a value is missing, a list or an object without items, or a text of spaces."""
    content = value.strip() if isinstance(value, str) else value
    return is_missing(value) or (hasattr(content, "__len__") and not len(content))


def count_puzzles(value) -> int:
    """Count the texts as long as a puzzle, and the lists with as many cells, however deep."""
    if isinstance(value, str):
        return int(len(value.strip()) in WORDS)
    if is_mapping(value):
        return sum(map(count_puzzles, value.values()))
    if not is_list(value):
        return 0
    return sum(map(count_puzzles, value)) or int(count_cells(value) in ORDER_OF_CELLS)


def count_cells(value) -> int:
    """Count the cells of nested lists or of a text; none in prose, and in lists with objects."""
    if is_list(value):
        return 0 if any(map(is_mapping, value)) else sum(map(count_cells, value))
    if not isinstance(value, str):
        return 1
    words = value.translate(SPACES).split()
    if all(len(word) <= LONGEST_CELL for word in words):
        return max(len(words), 1)
    is_prose = " " in value and sum(map(str.isalpha, value)) > len(value) / 2
    return 0 if is_prose else sum(map(len, words))

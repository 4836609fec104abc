"""Puzzles in values: tables, JSON, and lists or arrays of cells.

A record is a row of a table or an object of JSON. It holds one puzzle under `puzzle`, in JSON under
any key, and perhaps its solution.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from numbers import Integral
from typing import Any

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle import forms
from antdoku.puzzle.cells import Cells, Location, Options
from antdoku.puzzle.symbols import BLANKS

# Columns of tables, and keys of JSON; the first that a record has counts.
NAMES = ("instance_id", "name", "id")
PUZZLES = ("puzzle", "quizzes")  # the latter on Kaggle
SOLUTIONS = ("solution", "solutions")
KNOWN = {*NAMES, *PUZZLES, *SOLUTIONS}  # in small letters or capitals
VARIANTS = {
    *("antiking", "antiknight", "arrow", "arrows", "cage", "cages", "killercage", "constraints"),
    *("diagonal", "diagonals", "diagonal+", "diagonal-", "extraregion", "regions", "jigsaw"),
    *("palindrome", "thermo", "thermos", "thermometer"),
}
LONGEST_CELL = 3  # characters of a cell in a list of texts
ALLOWED = "allowed are a path, a text, an array of numbers or a table"

Table = dict[str, Sequence]  # columns by name, known names in small letters


# --- Tables --------------------------------------------------------------------------------------


def is_header(names: Sequence[str]) -> bool:
    """Whether names of columns name puzzles or solutions."""
    return bool({str(name).lower() for name in names} & {*PUZZLES, *SOLUTIONS})


def named_columns(names: Sequence, source: str) -> list[str]:
    """Return names of columns, known names in small letters.

    `InputError` if no column is named after puzzles, or two columns of puzzles are named alike.
    """
    columns = [str(name).lower() if str(name).lower() in KNOWN else str(name) for name in names]
    if not is_header(columns):
        message = f"no column 'puzzle': name the column of puzzles so; {listed('columns', names)}"
        raise InputError(message, source)
    if any(columns.count(name) > 1 for name in (*PUZZLES, *SOLUTIONS)):
        raise InputError("two columns of puzzles have the same name", source)
    return columns


def listed(kind: str, names) -> str:
    """Write the first names of columns or keys."""
    quoted = [quote(str(name)) for name in names]
    return f"{kind}: {', '.join(quoted[:6])}{', ...' * (len(quoted) > 6)}"


def cells_of_table(table: Table, source: str, options: Options, first: int = 1) -> list[Cells]:
    """Return the cells of puzzles in a table, whose rows are numbered from `first`."""
    rows = (dict(zip(table, row)) for row in zip(*table.values()))
    records = [(Location(source, f"row {number}"), row) for number, row in enumerate(rows, first)]
    return _cells_of(records, options)


# --- JSON ----------------------------------------------------------------------------------------


def cells_of_json(text: str, source: str, options: Options) -> list[Cells] | None:
    """Return the cells of puzzles in JSON, or in lines of JSON; None if the text is no JSON."""
    try:
        return cells_of_value(json.loads(text), source, options)
    except (json.JSONDecodeError, RecursionError) as error:
        lines = [line for line in enumerate(forms.LINE_END.split(text), 1) if line[1].strip()]
        records = [(Location(source, number), _decoded(line)) for number, line in lines]
        if any(isinstance(record, dict) for _, record in records):
            return _cells_of(records, options)
        if re.match(r'\s*\{\s*"', text):
            raise InputError(f"not JSON: {error}", source) from None
        return None


def _decoded(line):
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        return error


def cells_of_value(value: Any, source: str, options: Options) -> list[Cells]:
    """Return the cells of puzzles in a DataFrame, an array, lists, objects or a list of objects.

    `InputError` if there is no puzzle in it, or something that is no puzzle.
    """
    names = getattr(value, "columns", None)  # of a DataFrame
    if names is not None and (is_header(names) or len(names) not in forms.SIZES):
        return cells_of_table(frame_table(value, source), source, options)
    value = [value] if isinstance(value, Mapping) else value
    if not isinstance(value, list) or not any(isinstance(item, Mapping) for item in value):
        return _cells_of_list(value, source, options)
    objects = [record for item in value for record in _objects(item)]
    locations = (Location(source, f"row {number}") for number in range(1, len(objects) + 1))
    return _cells_of(zip(locations, objects), options)


def frame_table(frame, source: str) -> Table:
    """Return a DataFrame as a table, None for what is missing."""
    values = frame.astype(object).where(frame.notna(), None)
    names = named_columns(list(frame.columns), source)
    return {name: values.iloc[:, at].tolist() for at, name in enumerate(names)}


def _objects(value) -> list:
    """Return the objects inside of an object, however deep, or itself if a key holds a puzzle."""
    if not isinstance(value, Mapping) or _keys(value):
        return [value]
    members = [item for held in value.values() for item in (held if _is_list(held) else [held])]
    inner = [record for item in members if isinstance(item, Mapping) for record in _objects(item)]
    return inner or [value]


# --- Records -------------------------------------------------------------------------------------


def _cells_of(records, options) -> list[Cells]:
    """Return the cells of the puzzle in each record."""
    puzzles = []
    for location, record in records:
        try:
            cells = _cells_of_record(record, location, options)
            name = _first(record, NAMES)
            name = "" if name is None else str(name)
            puzzles.append(cells._replace(location=location, name=name))
        except InputError as error:
            options.refuse(InputError(error.what, *location, error.remedy))
    return puzzles


def _cells_of_record(record, location, options) -> Cells:
    if isinstance(record, json.JSONDecodeError):
        raise InputError(f"not JSON: {record.msg}: column {record.colno}")
    if not isinstance(record, Mapping):
        raise InputError("must be a JSON object")
    variant = [key for key, value in record.items() if str(key).lower() in VARIANTS and value]
    if variant:
        raise InputError(f"{quote(variant[0])}: rules of a variant: allowed is plain Sudoku")
    columns = (*SOLUTIONS, *PUZZLES) if options.column == "solution" else PUZZLES
    value = _first({str(key).lower(): value for key, value in record.items()}, columns)
    if value is not None:
        return _single(value, location, options)
    return _only_puzzle(record, location, options)


def _first(record, names):
    """Return the first value under some names that is not empty; None if all are."""
    values = (record[name] for name in names if name in record)
    return next((value for value in values if not _is_missing(value) and value != ""), None)


def _single(value, location, options) -> Cells:
    """Return the cells of the puzzle that a text or a list is."""
    if isinstance(value, str):
        puzzles = forms.find_cells(value, str(location), options)
    elif _is_list(value):
        puzzles = _cells_of_list(value, str(location), options)
    else:
        raise InputError(f"{type(value).__name__}: a puzzle must be a text or a list of cells")
    if len(puzzles) != 1:
        raise InputError(f"{len(puzzles)} puzzles: a row holds one")
    return puzzles[0]


def _keys(record) -> list[str]:
    """Return the keys under which a puzzle may stand, as its value is no text of words."""
    keys = [key for key in record if str(key).lower() in PUZZLES]
    return keys or [
        key
        for key, value in record.items()
        if key.lower() not in SOLUTIONS and _may_be_puzzle(value)
    ]


def _may_be_puzzle(value):
    if isinstance(value, str):
        return len(value) in forms.WORDS
    return _is_list(value) and len(value) > 0 and not isinstance(value[0], Mapping)


def _only_puzzle(record, location, options) -> Cells:
    """Return the only puzzle in a record, or the puzzle or the solution of a pair."""
    keys = _keys(record)
    if len(keys) == 1 and _may_be_puzzle(record[keys[0]]):
        return _single(record[keys[0]], location, options)
    readable = []
    for key in keys:
        with suppress(InputError):
            readable.append(_single(record[key], location, options))
    if len(readable) == 1:
        return readable[0]
    pair = sorted(readable, key=_n_blanks, reverse=True)
    if len(pair) == 2 and _is_pair(*pair):
        return pair[options.column == "solution"]
    count = f"{len(readable)} puzzles in it" if readable else "no puzzle in it"
    raise InputError(f"{count}: name the puzzle 'puzzle'; {listed('columns', record)}")


def _n_blanks(cells):
    return sum(sign in BLANKS for sign in cells.signs)


def _is_pair(puzzle, solution):
    """Whether a solution without a blank keeps the cells of a puzzle."""
    if len(puzzle.signs) != len(solution.signs) or _n_blanks(solution):
        return False
    pairs = zip(puzzle.signs, solution.signs)
    return all(given in BLANKS or given == sign for given, sign in pairs)


# --- Lists of cells ------------------------------------------------------------------------------


def _cells_of_list(value, source, options) -> list[Cells]:
    """Return the cells of puzzles in nested lists or arrays of numbers, signs or lines of text."""
    nested = _nested(value, source)
    if not isinstance(nested, list):
        raise InputError(f"{type(value).__name__}: {ALLOWED}", source)
    lists = list(_rows(nested))
    leaves = [leaf for row, _ in lists for leaf in row]
    if any(isinstance(leaf, str) and len(leaf) > LONGEST_CELL for leaf in leaves):
        if not all(isinstance(leaf, str) for leaf in leaves):
            raise InputError("texts and other things in a list: read them one by one", source)
        text = "\n\n".join("\n".join(row) for row, _ in lists)
        return forms.find_cells(text, source, options)
    if not leaves:
        raise InputError("there is no puzzle in it", source)
    rows = []
    for number, (row, gap) in enumerate(lists, 1):
        signs = forms.joined([_sign(cell, source) for cell in row], Location(source))
        rows.append(forms.Row(Location(source, number), signs, gap))
    puzzles = forms.split_rows(rows, options.chosen.keys())
    are_numbers = not any(isinstance(leaf, str) and leaf.strip() for leaf in leaves)
    return [cells._replace(from_one=are_numbers) for cells in puzzles]


def _nested(value, source):
    """Return lists and arrays of any kind as lists, None for what is masked or missing."""
    if isinstance(value, np.ma.MaskedArray):
        value = value.astype(object).filled(None)
    if hasattr(value, "to_numpy"):  # of pandas, polars or pyarrow
        value = np.asarray(value, dtype=object)
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if _is_list(value):
        return [_nested(item, source) for item in value]
    return None if _is_missing(value) else value


def _is_list(value):
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)


def _is_missing(value):
    """Whether a cell is None, NaN, or missing in pandas, which need not be there."""
    if value is None or (isinstance(value, float) and value != value):
        return True
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


def _rows(nested, gap="") -> Iterator[tuple[list, str]]:
    """Yield the lists of cells, with a gap before each grid."""
    if not any(isinstance(item, list) for item in nested):
        yield nested, gap
        return
    for item in nested:
        is_grid = isinstance(item, list) and any(isinstance(row, list) for row in item)
        gap = "blank line" if is_grid else gap
        yield from _rows(item if isinstance(item, list) else [item], gap)
        gap = "blank line" if is_grid else ""


def _sign(cell, source) -> str:
    """Return a cell as text, a dot for a blank."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return "."
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if not isinstance(cell, str | Integral) or isinstance(cell, bool):
        raise InputError(f"{quote(str(cell))}: cells must be whole numbers", source)
    return str(cell)

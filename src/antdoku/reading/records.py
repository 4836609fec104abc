"""One puzzle a record: a row of a table, or an object of JSON.

A record holds its puzzle under `puzzle`, in JSON under any key, and perhaps its solution. `symbols`
may name the symbols of a record.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from antdoku.errors import InputError, quote
from antdoku.puzzle.symbols import symbols_of
from antdoku.reading.batches import text_of
from antdoku.reading.beside import keeps, with_solution
from antdoku.reading.cells import (
    NAMES,
    ORDER_OF_SIZE,
    PUZZLES,
    Cells,
    Location,
    Options,
    is_complete,
)
from antdoku.reading.frames import COLUMN_KEYS
from antdoku.reading.headers import SOLUTIONS, SYMBOLS, Table, listed, with_solutions
from antdoku.reading.lists import cells_of_list, cells_of_text, only
from antdoku.reading.values import REMEDIES, count_cells, count_puzzles, is_list, is_missing
from antdoku.reading.variants import check_rules, stem_of

BOX_KEYS = ("boxes", "blocks")
COLUMN_MAJOR = re.compile(r"col(?:umn)?s?[-_ ]?(?:major|wise|first)", re.IGNORECASE)
TRANSPOSED = [  # keys in small letters, and their values
    *(("transposed", True), ("columnmajor", True), ("rowmajor", False)),
    *(("order", "F"), ("layout", "F"), ("order", "columns"), ("layout", "columns")),
    *(("orient", "columns"), ("orientation", "columns"), ("by", "columns"), ("by", "column")),
]
MIN_CELLS = 11  # of a value that is nearly a puzzle


def cells_of_table(table: Table, source: str, options: Options, first: int = 1) -> list[Cells]:
    """Return the cells of puzzles in a table, whose rows are numbered from `first`.

    The first cell of a row may be the error of the row.
    """
    rows = (
        row[0] if isinstance(row[0], InputError) else dict(zip(table, row))
        for row in zip(*table.values())
    )
    records = [(Location(source, f"row {number}"), row) for number, row in enumerate(rows, first)]
    return cells_of_records(records, replace(options, named=""))  # its columns are named already


def cells_of_records(records, options) -> list[Cells]:
    """Return the cells of the puzzle in each record; an empty solution is a blank grid."""
    puzzles: list[Cells] = []
    for location, record in records:
        try:
            if options.column == "solution" and _lacks_solution(record):
                puzzles.append(Cells(location, "", _text(record, NAMES)))
                continue
            cells = _cells_of_record(record, location, options)
            name, symbols = _text(record, NAMES) or cells.name, _text(record, (SYMBOLS,))
            if symbols and symbols_of(symbols).order != cells.order:
                raise InputError(f"symbols {symbols}: the puzzle has not so many values")
            puzzles.append(cells._replace(location=location, name=name, symbols=symbols))
        except InputError as error:
            options.refuse(InputError(error.what, *location, error.remedy))
    blank = next(("." * len(cells.signs) for cells in puzzles if cells.signs), "")
    if puzzles and not blank:
        raise InputError("all solutions are empty", *puzzles[0].location)
    return [cells if cells.signs else cells._replace(signs=blank) for cells in puzzles]


def _lacks_solution(record):
    """Whether a record has an empty solution, and no puzzle."""
    if not isinstance(record, Mapping):
        return False
    fields = {str(key).lower(): value for key, value in record.items()}
    is_alone = bool({*SOLUTIONS} & fields.keys()) and fields.keys().isdisjoint(PUZZLES)
    return is_alone and _first(fields, SOLUTIONS) is None


def _cells_of_record(record, location, options) -> Cells:
    if isinstance(record, json.JSONDecodeError):
        raise InputError(f"not JSON: {record.msg}: column {record.colno}")
    if isinstance(record, InputError):
        raise record
    if not isinstance(record, Mapping):
        raise InputError("must be a JSON object")
    check_rules(record)
    _check_by_rows(record)
    fields = {str(key).lower(): value for key, value in record.items()}
    if options.named:
        if options.named not in record:
            raise InputError(f"no key {quote(options.named)}; {listed('keys', record)}")
        fields[PUZZLES[0]] = record[options.named]
    if options.column != "puzzle":
        fields = with_solutions({key: [value] for key, value in fields.items()}, str(location))
        fields = {key: value for key, (value,) in fields.items()}
    puzzle, solution = _first(fields, PUZZLES), _first(fields, SOLUTIONS)
    if options.column == "solution" and solution is not None:
        solved = _solution(solution, location, options)
        with suppress(InputError):  # what is called puzzle may be a number
            cells = single(puzzle, location, options)
            if len(cells.signs) == len(solved.signs):
                return cells._replace(solution=solved.signs)
        return solved
    if puzzle is None:
        cells = _only_puzzle(_readable(record, location, options), record)
    else:
        cells = single(puzzle, location, options)
    is_solved = is_complete(cells.signs)
    if not {*SOLUTIONS} & fields.keys() or (options.column == "puzzle" and not is_solved):
        return cells
    if solution is None:
        key = "signs" if options.column == "solution" else "solution"
        return cells._replace(**{key: _blank(cells)})
    solved = _solution(solution, location, options)
    if is_solved and not is_complete(solved.signs):
        remedy = "are the names puzzle and solution swapped?"
        raise InputError("a complete puzzle, and a solution with blanks", remedy=remedy)
    return cells._replace(solution=solved.signs)


def _blank(cells):
    """Return the signs of a blank grid in the form of a puzzle."""
    return "." * len(cells.signs) if isinstance(cells.signs, str) else ["."] * len(cells.signs)


def _first(record, names):
    """Return the first value under some names that is not empty; None if all are."""
    values = (record[name] for name in names if name in record and not is_missing(record[name]))
    return next((value for value in values if not isinstance(value, str) or value), None)


def _text(record, names):
    return text_of(_first(record, names))


def _solution(value, location, options) -> Cells:
    try:
        return single(value, location, options)
    except InputError as error:
        raise InputError(f"solution: {error.what}", remedy=error.remedy) from None


def single(value: Any, location: Location, options: Options) -> Cells:
    """Return the cells of the puzzle that a text or a list is."""
    if isinstance(value, str):
        return cells_of_text(value, location, options)
    if is_list(value):
        return only(cells_of_list(value, str(location), options))
    kind = type(value).__name__
    message = f"{kind}: must be a text or a list of cells"
    raise InputError(message, remedy=REMEDIES.get(kind))


def _readable(record, location, options) -> list[Cells]:
    """Return the puzzles under all keys but `SOLUTIONS`.

    `InputError` for a value that is nearly a puzzle: as long as a puzzle in the same record, or
    longer or shorter by up to a row.
    """
    grids, failures = [], []
    for key, value in record.items():
        if str(key).lower() in (*NAMES, *SOLUTIONS) or count_cells(value) <= MIN_CELLS:
            continue
        try:
            grids.append(single(value, location, options))
        except InputError as error:
            failures.append((key, count_cells(value), error))
    n_puzzles = {key: count_puzzles(record[key]) for key, *_ in failures}
    failures.sort(key=lambda failure: n_puzzles[failure[0]])  # what holds several is not at fault
    are_several = max(n_puzzles.values(), default=0) > 1
    for key, n_cells, error in failures:
        is_near = any(abs(n_cells - len(cells.signs)) <= cells.order**2 for cells in grids)
        is_only = len(failures) == 1 and not grids
        is_cut = bool(grids) and _may_be_cut(record[key], grids[0].order ** 2)
        if is_near or is_cut or are_several or n_puzzles[key] or is_only:
            raise InputError(f"{quote(str(key))}: {error.what}", remedy=error.remedy)
    return grids


def _may_be_cut(value, size):
    """Whether a value may be the rest of a puzzle of a size: a third of its cells, or three rows.

    Texts have no other signs than digits and dots; lists hold rows, or such texts.
    """
    if isinstance(value, str):
        return len(value) >= size**2 // 3 and {*value} <= {*"0123456789."}
    if not is_list(value) or not len(value):
        return False
    if all(map(is_list, value)):
        return len(value) >= 3 and {*map(len, value)} == {size}
    if any(isinstance(item, str) and _may_be_cut(item, size) for item in value):
        return True
    is_long = len(value) >= size**2 // 3 and len(value) % size == 0
    return is_long and {*map(str, value)} <= {*map(str, range(size + 1)), "None"}


def _check_by_rows(record):
    """Refuse a grid by columns, as a key or a text says."""
    for key, value in record.items():
        is_columns = str(key).lower() in COLUMN_KEYS and "data" not in record
        is_grid = is_columns and is_list(value) and count_cells(value) >= MIN_CELLS
        is_text = isinstance(value, str) and COLUMN_MAJOR.fullmatch(value)
        is_word = isinstance(value, bool | str) and (stem_of(str(key)), value) in TRANSPOSED
        if str(key).lower() in BOX_KEYS and is_list(value) and count_cells(value) >= MIN_CELLS:
            raise InputError(f"{quote(str(key))}: a grid by boxes", remedy="write its rows")
        if is_grid or is_text or is_word:
            message = f"{quote(str(key))}: a grid by columns"
            raise InputError(message, remedy="write its rows")


def _only_puzzle(grids, record) -> Cells:
    """Return the only puzzle in a record, perhaps with the solution that keeps its cells."""
    puzzle = with_solution(grids)
    if puzzle and len(grids) <= 2 and (not puzzle.solution or keeps(puzzle.solution, puzzle)):
        return puzzle
    is_empty = all(map(is_missing, record.values()))
    if not grids and (is_empty or any(str(key).lower() in PUZZLES for key in record)):
        raise InputError("the puzzle is empty")
    count = f"{len(grids)} puzzles in it" if grids else "no puzzle in it"
    are_rows = not grids and len(record) in ORDER_OF_SIZE
    remedy = "write a grid as lists of cells (orient='values' in pandas)" if are_rows else None
    advice = "name the puzzle 'puzzle'" + (", or read them one by one" if grids else "")
    message = f"{count}: {advice}; {listed('columns', record)}"
    raise InputError(message, remedy=remedy)

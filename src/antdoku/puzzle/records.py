"""Puzzles in values: tables, JSON, and lists or arrays of cells.

A record is a row of a table or an object of JSON. It holds one puzzle under `puzzle`, in JSON under
any key, and perhaps its solution. `symbols` may name the symbols of a record.
"""

import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from numbers import Integral
from typing import Any

import numpy as np

from antdoku.errors import InputError, naming_extra, quote
from antdoku.puzzle import forms
from antdoku.puzzle.cells import (
    NAMES,
    OTHER_PUZZLES,
    PUZZLES,
    Cells,
    Location,
    Options,
    text_of,
    with_solution,
)
from antdoku.puzzle.symbols import BLANKS, symbols_of

logger = logging.getLogger("antdoku")
SOLUTIONS = ("solution", "solutions")
OTHER_SOLUTIONS = {"answer", "answers"}  # as `OTHER_PUZZLES`
SYMBOLS = "symbols"
COLUMN_KEYS = ("columns", "cols", "column")  # of a grid
COLUMN_MAJOR = re.compile(r"col(?:umn)?s?[-_ ]?(?:major|wise|first)", re.IGNORECASE)
TRANSPOSED = [  # keys in small letters, and their values
    *(("transposed", True), ("columnmajor", True), ("rowmajor", False)),
    *(("order", "F"), ("layout", "F"), ("order", "columns"), ("layout", "columns")),
    *(("orient", "columns"), ("orientation", "columns"), ("by", "columns"), ("by", "column")),
]
OTHERS = {PUZZLES: OTHER_PUZZLES, SOLUTIONS: OTHER_SOLUTIONS}
KNOWN = {*NAMES, *PUZZLES, *SOLUTIONS, SYMBOLS}  # in small letters or capitals
# Rules of variants: keys in JSON, or texts under `type` and `kind`, without the s of a plural.
VARIANTS = {
    *("antiking", "antiknight", "arrow", "betweenline", "cage", "clone", "constraint", "diagonal"),
    *("disjointgroup", "extraregion", "hyper", "irregular", "jigsaw", "killer", "killercage"),
    *("kropki", "kropkidot", "littlekiller", "littlekillersum", "nonconsecutive", "palindrome"),
    *("quadruple", "region", "renban", "rule", "ruleset", "samurai", "sandwich", "sandwichsum"),
    *("skyscraper", "thermo", "thermometer", "variant", "whisper", "windoku", "xv"),
}
OF_RUN = {"instance_id", "variant", "solver"}  # a run of ours, whose variant is of its solver
PLAIN_RULES = {  # values that say that a key adds no rules
    *("", "0", "classic", "false", "nan", "no", "none", "normal", "normalsudokurulesapply"),
    *("regular", "standard", "sudoku"),
}
AN_ID = re.compile(r"(?:.+[ _-])?(?:id|uuid|key)", re.IGNORECASE)  # of a puzzle, perhaps
MIN_CELLS = 11  # of a value that is nearly a puzzle
KEY = re.compile(r'"\s*:')  # of an object in JSON
REMEDIES = {  # for values that are no puzzles, by their type
    **dict.fromkeys(("bool", "float", "int"), "read them as texts (dtype=str in pandas)"),
    **{"bytes": "decode them", "Puzzle": "read takes a list of puzzles"},
    **{"dict": "write records (orient='records' in pandas)", "Result": "take result.puzzle"},
}
BLANK_SIGNS = {*BLANKS}
LONGEST_CELL = 3  # characters of a cell in a list of texts
ALLOWED = "allowed are a path, a text, an array of numbers or a table"

Table = dict[str, Sequence]  # columns by name, known names in small letters


# --- Tables --------------------------------------------------------------------------------------


def is_header(names: Sequence[str]) -> bool:
    """Whether names of columns name puzzles or solutions."""
    return bool({str(name).strip().lower() for name in names} & {*PUZZLES, *SOLUTIONS})


def names_puzzles(names: Sequence) -> bool:
    """Whether names of columns name puzzles or solutions, by a usual name or one of the others."""
    words = [str(name).strip().lower() for name in names]
    are_others = [sum(word in others for word in words) for others in OTHERS.values()]
    return is_header(names) or (len(names) > 1 and 1 in are_others)


def named_columns(names: Sequence, source: str, named: str = "") -> list[str]:
    """Return names of columns, known names in small letters, `puzzle` for the column that is named.

    `InputError` if no column is named after puzzles, or two columns of puzzles are named alike.
    """
    words = [str(name).strip() for name in names]
    columns = [word.lower() if word.lower() in KNOWN else word for word in words]
    for usual, others in OTHERS.items():
        at = [at for at, word in enumerate(words) if word.lower() in others]
        if len(at) == 1 and {*usual}.isdisjoint(columns) and not (named and usual is PUZZLES):
            columns[at[0]] = usual[0]
    if named:
        if words.count(named) != 1:
            raise InputError(f"no column {quote(named)}; {listed('columns', names)}", source)
        others = [f"other {name}" if name in PUZZLES else name for name in columns]
        columns = [PUZZLES[0] if word == named else name for word, name in zip(words, others)]
    ids = [name for name in columns if AN_ID.fullmatch(name)]
    if ids and {*NAMES}.isdisjoint(columns):
        text = "%s: puzzles are called by their rows: call column %s id to name them"
        logger.info(text, source, quote(ids[0]))
    if not is_header(columns) and not cell_columns(columns):
        remedy = "name it by --column, in Python by antdoku.read(..., column=)"
        message = f"no column 'puzzle': {remedy}; {listed('columns', names)}"
        extra = [name for name in names if not forms.NUMBER.search(str(name))]
        if len(names) - len(extra) >= min(forms.WORDS):
            allowed = f"81 of 9x9, and at most an id; {listed('others', extra)}"
            message = f"{len(names) - len(extra)} columns of cells: must be {allowed}"
        raise InputError(message, source)
    if any(columns.count(name) > 1 for name in (*PUZZLES, *SOLUTIONS)):
        raise InputError("two columns of puzzles have the same name", source)
    return columns


def cell_columns(names: Sequence[str]) -> list[int]:
    """Return the columns that hold a cell each, of a table with names of puzzles; none of others.

    The first column may have no name: pandas writes an index so.
    """
    labels = [str(name).strip() for name in names]
    cells = [at for at, label in enumerate(labels) if label.lower() not in NAMES and (at or label)]
    are_distinct = len({labels[at] for at in cells}) == len(cells)  # as no cells are
    is_table = not is_header(labels) and len(cells) < len(labels)
    return cells if is_table and are_distinct and len(cells) in forms.WORDS else []


def table_of(names: Sequence[str], columns: Sequence[Sequence], source: str) -> Table:
    """Return columns by their names; columns of cells become one column of puzzles."""
    table, cells = dict(zip(names, columns)), cell_columns(names)
    if not cells:
        return table
    forms.check_row_by_row([str(names[at]) for at in cells], source)
    rows = zip(*(columns[at] for at in cells))
    texts = [",".join("" if cell is None else str(cell) for cell in row) for row in rows]
    return {name: table[name] for name in NAMES if name in table} | {PUZZLES[0]: texts}


def with_solutions(table: Table, source: str) -> Table:
    """Return a table in which the only column of complete grids beside puzzles is `solution`."""
    if not {*SOLUTIONS}.isdisjoint(table) or PUZZLES[0] not in table:
        return table
    first = {name: _first_text(column) for name, column in table.items()}
    puzzle = first[PUZZLES[0]]
    names = [name for name in table if name not in KNOWN and _is_complete(first[name], puzzle)]
    if len(names) > 1:
        remedy = "call one of them solution"
        raise InputError(
            f"{len(names)} complete grids: {listed('columns', names)}", source, remedy=remedy
        )
    return {SOLUTIONS[0] if name in names else name: column for name, column in table.items()}


def _first_text(column):
    """Return the first text of a column that is not empty, or an empty text."""
    return next((value for value in column if isinstance(value, str) and value), "")


def _is_complete(text, puzzle):
    """Whether a text has no blanks, and is as long as a puzzle."""
    is_long = len(text) == len(puzzle) and len(text) in forms.WORDS
    return is_long and BLANK_SIGNS.isdisjoint(text)


def listed(kind: str, names) -> str:
    """Write the first names of columns or keys."""
    quoted = [quote(str(name)) for name in names] or ["none"]
    return f"{kind}: {', '.join(quoted[:6])}{', ...' * (len(quoted) > 6)}"


def cells_of_table(table: Table, source: str, options: Options, first: int = 1) -> list[Cells]:
    """Return the cells of puzzles in a table, whose rows are numbered from `first`."""
    rows = (dict(zip(table, row)) for row in zip(*table.values()))
    records = [(Location(source, f"row {number}"), row) for number, row in enumerate(rows, first)]
    return _cells_of(records, replace(options, named=""))  # its columns are named already


# --- JSON ----------------------------------------------------------------------------------------


def cells_of_json(text: str, source: str, options: Options) -> list[Cells] | None:
    """Return the cells of puzzles in JSON, or in lines of JSON; None if the text is no JSON."""
    try:
        value = _loaded(text)
    except InputError as error:
        raise error.at(source) from None
    except (json.JSONDecodeError, RecursionError) as error:
        lines = [line for line in enumerate(forms.LINE_END.split(text), 1) if line[1].strip()]
        records = [(Location(source, number), _decoded(line)) for number, line in lines]
        if any(isinstance(record, dict) for _, record in records):
            return _cells_of(records, options)
        if KEY.search(text):
            raise InputError(f"not JSON: {error}", source) from None
        return None
    return cells_of_value(value, source, options)


def _decoded(line):
    try:
        return _loaded(line)
    except (InputError, json.JSONDecodeError, RecursionError) as error:
        return error


def _loaded(text):
    return json.loads(text, object_pairs_hook=_without_repeats)


def _without_repeats(pairs):
    keys = [key for key, _ in pairs]
    repeated = next((key for key in keys if keys.count(key) > 1), None)
    if repeated is not None:
        raise InputError(f"two keys of an object are called {quote(repeated)}")
    return dict(pairs)


def cells_of_value(value: Any, source: str, options: Options) -> list[Cells]:
    """Return the cells of puzzles in a DataFrame, an array, lists, objects or a list of objects.

    `InputError` if there is no puzzle in it, or something that is no puzzle.
    """
    if fields := getattr(getattr(value, "dtype", None), "names", None):  # of a structured array
        value = [dict(zip(fields, row)) for row in value.ravel().tolist()]
    names = getattr(value, "columns", None)  # of a DataFrame
    if names is not None:
        _check_labels(value, source)
    if names is not None and (names_puzzles(names) or len(names) not in forms.SIZES):
        return cells_of_table(frame_table(value, source), source, options)
    value = _unpivoted(value, source) if isinstance(value, Mapping) else value
    if not isinstance(value, list) or not any(isinstance(item, Mapping) for item in value):
        return _cells_of_list(value, source, options)
    objects = [record for item in value for record in _objects(item)]
    locations = (Location(source, f"row {number}") for number in range(1, len(objects) + 1))
    return _cells_of(zip(locations, objects), options)


def _check_labels(frame, source):
    """Refuse columns of cells that do not stand row by row, and rows of a grid out of order."""
    names, index = frame.columns, frame.index
    if getattr(names, "nlevels", 1) > 1 and not str(names.names[0]).lower().startswith("r"):
        remedy = "name the levels row and column, in this order"
        raise InputError("columns of several levels", source, remedy=remedy)
    if len(names) in forms.SIZES:
        forms.check_row_by_row([*map(str, names)], source)
    are_cells = len(names) in forms.ORDER_OF_SIZE and not {*map(str, names)} & {*PUZZLES}
    if are_cells and str(index.name).lower() in ("col", *COLUMN_KEYS):
        raise InputError("rows are columns", source, remedy="transpose the table")
    if are_cells and len(index) == len(names) and index.is_unique:
        remedy = "sort the rows of the grid by their labels"
        labels = [*map(str, index)]
        forms.check_row_by_row(labels, source, remedy=remedy, wrong=forms.NO_ROW)


def of_arrow(value: Any) -> Any:
    """Return a table or a column of Polars, DuckDB, pyarrow or others as one of pandas.

    What is no such table is returned as it is.
    """
    if hasattr(value, "iloc") or not hasattr(value, "__arrow_c_stream__"):
        if hasattr(value, "collect_schema"):
            raise InputError(f"{type(value).__name__}: is not computed yet", remedy="collect it")
        return value
    with naming_extra():
        import pyarrow as pa

        stream = pa.RecordBatchReader if hasattr(value, "columns") else pa.ChunkedArray
        held = stream._import_from_c_capsule(value.__arrow_c_stream__())
        return (held.read_all() if hasattr(held, "read_all") else held).to_pandas()


def with_names(table):
    """Return a DataFrame, or a column of one, with the names of its puzzles in a column.

    They may be its index, which then is called after names.
    """
    if str(table.index.name).lower() not in NAMES:
        return table
    names = getattr(table, "columns", None)
    if names is None:
        return table.rename(PUZZLES[0]).reset_index()
    has_puzzles = names_puzzles(names) or len(names) in forms.WORDS
    return table.reset_index() if has_puzzles and table.index.name not in names else table


def frame_table(frame, source: str, named: str = "") -> Table:
    """Return a DataFrame as a table, None for what is missing."""
    if not len(frame):
        raise InputError("there is no puzzle in it", source)
    values = frame.astype(object).where(frame.notna(), None)
    names = named_columns(list(frame.columns), source, named)
    return table_of(names, [values.iloc[:, at].tolist() for at in range(len(names))], source)


def _unpivoted(value: Mapping, source: str) -> list:
    """Return the records in an object, as pandas writes it by columns, split or as a table."""
    _check_rules(value)
    if "nbformat" in value:
        raise InputError("a notebook is not read", source, remedy="write its puzzles to a text")
    if _are_columns(value):
        table = table_of([*value], [*value.values()], source)
        return [dict(zip(table, row)) for row in zip(*table.values())]
    names, rows = value.get("columns"), value.get("data")
    if "schema" in value and _is_list(rows) and all(map(_is_mapping, rows)):
        return list(rows)
    if is_header(value) and all(map(_is_mapping, value.values())):
        keys = dict.fromkeys(chain.from_iterable(value.values()))
        return [{name: column.get(key) for name, column in value.items()} for key in keys]
    if not (_is_list(names) and is_header(names) and _is_list(rows)):
        if _is_list(names) and _is_list(rows):
            forms.check_row_by_row([*map(str, names)], source)
        return [value]
    if not all(_is_list(row) and len(row) == len(names) for row in rows):
        raise InputError(f"rows of other lengths than the columns; {listed('columns', names)}")
    return [dict(zip(names, row)) for row in rows]


def _are_columns(value):
    """Whether an object holds columns of a table: lists of one length, of puzzles or of cells."""
    if not all(map(_is_list, value.values())) or len({*map(len, value.values())}) != 1:
        return False
    puzzles = next((value[key] for key in value if str(key).lower() in PUZZLES), [])
    sizes = {*map(_n_cells, puzzles)}
    may_be_rows = sizes == {len(puzzles)}  # of one large grid
    return (sizes and sizes <= forms.WORDS and not may_be_rows) or cell_columns([*value])


def _objects(value) -> list:
    """Return the objects that hold puzzles inside of an object, however deep, or itself."""
    if not isinstance(value, Mapping):
        return [value]
    _check_rules(value)
    if puzzles := _listed_puzzles(value):
        return puzzles
    n_members = sum(map(_is_mapping, value.values()))
    inner = []
    for key, held in value.items():
        items = held if _is_list(held) else [held]
        objects = [
            record for item in items for record in _objects(item) if any(map(_is_mapping, items))
        ]
        is_named = len(objects) == 1 and _is_mapping(held) and n_members > 1
        inner += [_with_name(record, key) for record in objects] if is_named else objects
    if not _holds_puzzle(value):
        return inner or [value]
    names = [name for name in PUZZLES if name in value]
    if any(_holds_puzzle(item) and (not names or names[0] in item) for item in inner):
        keys = listed("columns", value)
        raise InputError(f"puzzles inside of an object with a puzzle: read them alone; {keys}")
    return [value]


def _with_name(record, key):
    """Return a record with the key of its object as its name, unless it has one."""
    has_name = {*NAMES} & {str(name).lower() for name in record}
    return record if has_name or not _holds_puzzle(record) else {"name": key, **record}


def _are_named_texts(value) -> bool:
    """Whether all keys of an object name texts of puzzles that do not stand for each other."""
    texts = [*value.values()]
    are_texts = all(isinstance(text, str) and len(text) in forms.WORDS for text in texts)
    if len(texts) < 2 or not are_texts or {str(key).lower() for key in value} & KNOWN:
        return False
    are_alike = len({BLANK_SIGNS.isdisjoint(text) for text in texts}) == 1  # puzzles, or solutions
    first, *others = (Cells(Location(""), text) for text in texts)
    return are_alike and not any(
        _keeps(other.signs, first) or _keeps(first.signs, other) for other in others
    )


def _listed_puzzles(value) -> list[dict]:
    """Return records of the puzzles in lists, each with the key of its list as a name.

    The key of a text is the name of its puzzle.
    """
    if _are_named_texts(value):
        return [{"name": key, PUZZLES[0]: text} for key, text in value.items()]
    lists = {key: held for key, held in value.items() if _is_list(held) and _are_puzzles(held)}
    if not lists or is_header(value):
        return []
    puzzles = [
        {"name": f"{key} {number}", PUZZLES[0]: puzzle}
        for key, held in lists.items()
        for number, puzzle in enumerate(held, 1)
    ]
    size = _n_cells(puzzles[0][PUZZLES[0]])
    others = [held for key, held in value.items() if key not in lists]
    return [] if any(_may_be_cells(held, size) for held in others) else puzzles


def _may_be_cells(value, size):
    """Whether a value beside lists of puzzles is another list, or a text nearly of their size."""
    n_cells = _n_cells(value)
    return n_cells > MIN_CELLS if _is_list(value) else abs(n_cells - size) <= size**0.5


def _are_puzzles(items):
    """Whether each item is a text as long as a puzzle, or a grid of lists."""
    return bool(len(items)) and all(
        len(item) in forms.WORDS
        if isinstance(item, str)
        else _is_list(item) and any(map(_is_list, item)) and _n_cells(item) in forms.ORDER_OF_CELLS
        for item in items
    )


def _is_mapping(value):
    return isinstance(value, Mapping)


def _holds_puzzle(value):
    """Whether an object has a key `puzzle`, or a value that may be a puzzle by its size."""
    return _is_mapping(value) and any(
        str(key).lower() in PUZZLES
        or _n_cells(held) in (forms.WORDS if isinstance(held, str) else forms.ORDER_OF_CELLS)
        for key, held in value.items()
    )


def _check_rules(record):
    """Raise `InputError` if a key of an object, or of an object in it, holds rules of a variant."""
    for key, value in record.items():
        stem = _stem(str(key))
        if (stem in VARIANTS or stem in ("type", "kind")) and not record.keys() >= OF_RUN:
            values = {_stem(str(item)) for item in (value if _is_list(value) else [value])}
            if values & VARIANTS or (stem in VARIANTS and not values <= PLAIN_RULES):
                raise InputError(f"{quote(str(key))}: rules of a variant: allowed is plain Sudoku")
        if isinstance(value, Mapping):
            _check_rules(value)


@lru_cache(1024)
def _stem(word):
    """Return a word in small letters, without the s of a plural."""
    return re.sub("[^a-z0-9]", "", word.lower()).removesuffix("s")


# --- Records -------------------------------------------------------------------------------------


def _cells_of(records, options) -> list[Cells]:
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
    _check_rules(record)
    _check_by_rows(record)
    fields = {str(key).lower(): value for key, value in record.items()}
    if options.named:
        if options.named not in record:
            raise InputError(f"no key {quote(options.named)}; {listed('keys', record)}")
        fields[PUZZLES[0]] = record[options.named]
    if options.column != "puzzle" and PUZZLES[0] in fields:
        fields = with_solutions({key: [value] for key, value in fields.items()}, str(location))
        fields = {key: value for key, (value,) in fields.items()}
    puzzle, solution = _first(fields, PUZZLES), _first(fields, SOLUTIONS)
    if options.column == "solution" and solution is not None:
        solved = _solution(solution, location, options)
        with suppress(InputError):  # what is called puzzle may be a number
            cells = _single(puzzle, location, options)
            if len(cells.signs) == len(solved.signs):
                return cells._replace(solution=solved.signs)
        return solved
    if puzzle is None:
        cells = _only_puzzle(_readable(record, location, options), record)
    else:
        cells = _single(puzzle, location, options)
    is_complete = BLANK_SIGNS.isdisjoint(cells.signs)
    if not {*SOLUTIONS} & fields.keys() or (options.column == "puzzle" and not is_complete):
        return cells
    solved = cells if solution is None else _solution(solution, location, options)
    if is_complete and not BLANK_SIGNS.isdisjoint(solved.signs):
        remedy = "are the names puzzle and solution swapped?"
        raise InputError("a complete puzzle, and a solution with blanks", remedy=remedy)
    return cells._replace(solution=solved.signs)


def _first(record, names):
    """Return the first value under some names that is not empty; None if all are."""
    values = (record[name] for name in names if name in record and not _is_missing(record[name]))
    return next((value for value in values if not isinstance(value, str) or value), None)


def _text(record, names):
    return text_of(_first(record, names))


def _solution(value, location, options) -> Cells:
    try:
        return _single(value, location, options)
    except InputError as error:
        raise InputError(f"solution: {error.what}", remedy=error.remedy) from None


def _single(value, location, options) -> Cells:
    """Return the cells of the puzzle that a text or a list is."""
    if isinstance(value, str):
        puzzles = forms.find_cells(value, str(location), options)
    elif _is_list(value):
        puzzles = _cells_of_list(value, str(location), options)
    else:
        kind = type(value).__name__
        message = f"{kind}: must be a text or a list of cells"
        raise InputError(message, remedy=REMEDIES.get(kind))
    if len(puzzles) != 1:
        raise InputError(f"{len(puzzles)} puzzles: a row holds one")
    return puzzles[0]


def _readable(record, location, options) -> list[Cells]:
    """Return the puzzles under all keys but `SOLUTIONS`.

    `InputError` for a value that is nearly a puzzle: as long as a puzzle in the same record, or
    longer or shorter by up to a row.
    """
    grids, failures = [], []
    for key, value in record.items():
        if str(key).lower() in (*NAMES, *SOLUTIONS) or _n_cells(value) <= MIN_CELLS:
            continue
        try:
            grids.append(_single(value, location, options))
        except InputError as error:
            failures.append((key, _n_cells(value), error))
    for key, n_cells, error in failures:
        is_near = any(abs(n_cells - len(cells.signs)) <= cells.order**2 for cells in grids)
        if is_near or (len(failures) == 1 and not grids):
            raise InputError(f"{quote(str(key))}: {error.what}", remedy=error.remedy)
    return grids


def _check_by_rows(record):
    """Refuse a grid by columns, as a key or a text says."""
    for key, value in record.items():
        is_columns = str(key).lower() in COLUMN_KEYS and "data" not in record
        is_grid = is_columns and _is_list(value) and _n_cells(value) >= MIN_CELLS
        is_text = isinstance(value, str) and COLUMN_MAJOR.fullmatch(value)
        is_word = isinstance(value, bool | str) and (_stem(str(key)), value) in TRANSPOSED
        if is_grid or is_text or is_word:
            message = f"{quote(str(key))}: a grid by columns"
            raise InputError(message, remedy="write its rows")


def _n_cells(value) -> int:
    """Count the cells of nested lists or of a text; none in prose, and in lists with objects."""
    if _is_list(value):
        return 0 if any(map(_is_mapping, value)) else sum(map(_n_cells, value))
    if not isinstance(value, str):
        return 1
    words = value.translate(forms.SPACES).split()
    if all(len(word) <= LONGEST_CELL for word in words):
        return max(len(words), 1)
    is_prose = " " in value and sum(map(str.isalpha, value)) > len(value) / 2
    return 0 if is_prose else sum(map(len, words))


def _only_puzzle(grids, record) -> Cells:
    """Return the only puzzle in a record, perhaps with the solution that keeps its cells."""
    puzzle = with_solution(grids)
    if puzzle and len(grids) <= 2 and (not puzzle.solution or _keeps(puzzle.solution, puzzle)):
        return puzzle
    is_empty = all(map(_is_missing, record.values()))
    if not grids and (is_empty or any(str(key).lower() in PUZZLES for key in record)):
        raise InputError("the puzzle is empty")
    count = f"{len(grids)} puzzles in it" if grids else "no puzzle in it"
    are_rows = not grids and len(record) in forms.ORDER_OF_SIZE
    remedy = "write a grid as lists of cells (orient='values' in pandas)" if are_rows else None
    message = f"{count}: name the puzzle 'puzzle'; {listed('columns', record)}"
    raise InputError(message, remedy=remedy)


def _keeps(solution, puzzle):
    """Whether a solution keeps the cells of a puzzle."""
    is_same = [sign in BLANKS or sign == value for sign, value in zip(puzzle.signs, solution)]
    return len(solution) == len(puzzle.signs) and all(is_same)


# --- Lists of cells ------------------------------------------------------------------------------


def _cells_of_list(value, source, options) -> list[Cells]:
    """Return the cells of puzzles in nested lists or arrays of numbers, signs or lines of text."""
    nested = _nested(value, source)
    if not isinstance(nested, list):
        raise InputError(f"{type(value).__name__}: {ALLOWED}", source)
    lists = list(_rows(nested))
    leaves = [leaf for row, _ in lists for leaf in row]
    if any(isinstance(leaf, str) and len(leaf) > LONGEST_CELL for leaf in leaves):
        lines = _lines_of(nested)
        texts = lines or leaves
        _check_texts(texts, source, REMEDIES["dict"] if any(map(_is_list, nested)) else None)
        if lines or any(len(text) in forms.WORDS for text in texts):
            places = (Location(source, number) for number in range(1, len(texts) + 1))
            return _cells_of(zip(places, ({"puzzle": text} for text in texts)), options)
        text = "\n\n".join("\n".join(row) for row, _ in lists)
        return forms.find_cells(text, source, options)
    if not leaves:
        raise InputError("there is no puzzle in it", source)
    rows = []
    for number, (row, gap) in enumerate(lists, 1):
        location = Location(source, number)
        signs = forms.joined([_sign(cell, location) for cell in row], location)
        rows.append(Cells(location, signs, gap=gap))
    size = len(rows[0].signs)
    are_even = all(len(row.signs) == size for row in rows)
    # As many rows as columns, or a multiple, may be grids of that size.
    are_puzzles = are_even and size in forms.WORDS and len(rows) % size > 0
    puzzles = rows if are_puzzles else forms.split_rows(rows, options.chosen.keys())
    are_numbers = not any(isinstance(leaf, str) and leaf.strip() for leaf in leaves)
    from_one = are_numbers and -1 not in leaves  # -1 is the blank of values from 0
    return [cells._replace(from_one=from_one) for cells in puzzles]


def _lines_of(rows) -> list[str]:
    """Return the rows of a database as lines; none for lists of puzzles alone, or without any."""
    are_texts = [
        [isinstance(value, str) and len(value) in forms.WORDS for value in row]
        for row in rows
        if _is_list(row)
    ]
    if len(are_texts) < len(rows) or not all(map(any, are_texts)) or all(map(all, are_texts)):
        return []
    return [" ".join(map(_field, row)) for row in rows]


def _field(value):
    """Write a value as a field of a line; the # of a number would begin a comment."""
    is_puzzle = isinstance(value, str) and len(value) in forms.WORDS
    return value if is_puzzle else "" if value is None else str(value).replace("#", "")


def _check_texts(items, source, remedy):
    """Raise `InputError` for the first item that is no text."""
    for number, item in enumerate(items, 1):
        if not isinstance(item, str):
            raise InputError(f"{quote(str(item))} among texts", source, number, remedy)


def _nested(value, source):
    """Return lists and arrays of any kind as lists, None for what is masked or missing."""
    if isinstance(value, np.ma.MaskedArray):
        value = np.where(np.ma.getmaskarray(value), None, value.data)
    if hasattr(value, "to_numpy"):  # of pandas, polars or pyarrow
        value = np.asarray(value, dtype=object)
    if isinstance(value, np.ndarray) and value.ndim > 2 and value.shape[-1] == 1:
        value = value[..., 0]
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


def _sign(cell, location) -> str:
    """Return a cell as text, a dot for a blank."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return "."
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if not isinstance(cell, str | Integral) or isinstance(cell, bool):
        message = f"{quote(str(cell))}: cells must be whole numbers"
        remedy = None if isinstance(cell, bool | float) else REMEDIES.get(type(cell).__name__)
        raise InputError(message, *location, remedy=remedy)
    return str(cell).strip()

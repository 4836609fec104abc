"""Puzzles in JSON, and in values of Python."""

import ast
import json
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.reading.beside import keeps
from antdoku.reading.cells import (
    DEFAULT,
    NAMES,
    ORDER_OF_CELLS,
    OTHER_PUZZLES,
    PUZZLES,
    SIZES,
    WORDS,
    Cells,
    Location,
    Options,
    is_complete,
)
from antdoku.reading.frames import check_labels, frame_table, of_arrow
from antdoku.reading.headers import (
    KNOWN,
    OTHER_SOLUTIONS,
    SOLUTIONS,
    cell_columns,
    is_header,
    listed,
    names_puzzles,
    table_of,
)
from antdoku.reading.labels import check_row_by_row
from antdoku.reading.lines import LINE_END
from antdoku.reading.lists import cells_of_list
from antdoku.reading.records import MIN_CELLS, cells_of_records, cells_of_table, single
from antdoku.reading.values import count_cells, count_puzzles, is_empty, is_list, is_mapping
from antdoku.reading.variants import check_rules

logger = logging.getLogger("antdoku")
UNNAMED = {*KNOWN, *OTHER_PUZZLES, *OTHER_SOLUTIONS, "data", "text", "value", "cells", "givens"}
# Rows [(1, '53..7....')] or objects {'a': '53..7....'}, with a puzzle in quotes.
PRINTED = re.compile(r"\s*(?:\[\s*[({]|\{\s*['\"])(?=.*?['\"][^'\"\s]{81})", re.DOTALL)
KEY = re.compile(r'"\s*:')  # of an object in JSON


def cells_of_json(text: str, source: str, options: Options) -> list[Cells] | None:
    """Return the cells of puzzles in JSON, or in lines of JSON; None if the text is no JSON."""
    try:
        value = _loaded(text)
    except InputError as error:
        raise error.at(source) from None
    except (json.JSONDecodeError, RecursionError) as error:
        lines = [line for line in enumerate(LINE_END.split(text), 1) if line[1].strip()]
        records = [(Location(source, number), _decoded(line)) for number, line in lines]
        if any(isinstance(record, dict) for _, record in records):
            return cells_of_records(records, options)
        if KEY.search(text):
            raise InputError(f"not JSON: {error}", source) from None
        value = _printed_records(text, source)
        if value is None:
            return None
    return cells_of_value(value, source, options)


def check_json(text: str, source: str) -> None:
    """Raise `InputError` with the line at which a text is no JSON."""
    try:
        with suppress(RecursionError):
            json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", source, error.lineno) from None


def _printed_records(text, source):
    """Return rows of a database, or objects, as Python prints them; None for other texts."""
    if not PRINTED.match(text):
        return None
    try:
        tree = ast.parse(text.strip(), mode="eval")
        value = ast.literal_eval(tree)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        keys = [ast.dump(key) for key in node.keys] if isinstance(node, ast.Dict) else []
        if len({*keys}) < len(keys):
            raise InputError("two keys of an object are alike", source)
    return value


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
    if names is not None and (names_puzzles(names) or len(names) not in SIZES):
        return cells_of_table(frame_table(value, source), source, options)
    is_object = is_mapping(value)
    if is_object:
        value = {key: _without_labels(held, source) for key, held in value.items()}
        if not options.named:
            _check_empty(value, source)
    value = _unpivoted(value, source) if is_object else value
    if not isinstance(value, list) or not any(map(is_mapping, value)):
        return cells_of_list(value, source, options)
    objects = [record for item in value for record in _objects(item, options.named)]
    if is_object and not options.named and len(objects) == 1:
        objects = [_named_text(*objects)]
    if n_left_out := count_puzzles(value) - count_puzzles(objects):
        text = (
            f"{n_left_out} of its puzzles would be left out: lists and objects stand side by side"
        )
        raise InputError(text, source, remedy="write a list of objects, one a puzzle")
    locations = (Location(source, f"row {number}") for number in range(1, len(objects) + 1))
    return cells_of_records(zip(locations, objects), options)


def _without_labels(value, source):
    """Return a table or a column of pandas or others as an array, if its labels are in order."""
    value = of_arrow(value)
    if not hasattr(value, "iloc"):
        return value
    check_labels(value, source)
    return np.asarray(value, object)


def _named_text(value):
    """Return a record of the only text in an object, which its key names; others as they are."""
    items = [*value.items()] if is_mapping(value) else []
    is_name = len(items) == 1 and str(items[0][0]).lower() not in UNNAMED
    is_name = is_name and isinstance(items[0][1], str) and len(items[0][1]) in WORDS
    return {"name": items[0][0], PUZZLES[0]: items[0][1]} if is_name else value


def _unpivoted(value: Mapping, source: str) -> list:
    """Return the records in an object, as pandas writes it by columns, split or as a table."""
    if not value:
        raise InputError("the dictionary is empty", source)
    check_rules(value, source)
    if "nbformat" in value:
        raise InputError("a notebook is not read", source, remedy="write its puzzles to a text")
    _check_lengths(value, source)
    if _are_columns(value):
        table = table_of([*value], [*value.values()], source)
        return [dict(zip(table, row)) for row in zip(*table.values())]
    names, rows = value.get("columns"), value.get("data")
    if "schema" in value and is_list(rows) and all(map(is_mapping, rows)):
        return list(rows)
    if is_header(value) and all(map(is_mapping, value.values())):
        keys = dict.fromkeys(chain.from_iterable(value.values()))
        return [{name: column.get(key) for name, column in value.items()} for key in keys]
    if not (is_list(names) and is_header(names) and is_list(rows)):
        if is_list(names) and is_list(rows):
            check_row_by_row([*map(str, names)], source)
        return [value]
    if not all(is_list(row) and len(row) == len(names) for row in rows):
        raise InputError(f"rows of other lengths than the columns; {listed('columns', names)}")
    return [dict(zip(names, row)) for row in rows]


def _check_lengths(value, source):
    """Refuse columns of texts of puzzles beside names, or solutions, of another length."""
    lists = {str(key): held for key, held in value.items() if is_list(held)}
    puzzles = [key for key in lists if key.lower() in PUZZLES and _are_puzzles(lists[key])]
    beside = [key for key in lists if key.lower() in (*NAMES, *SOLUTIONS)]
    for key in beside if puzzles else ():
        if len(lists[key]) != len(lists[puzzles[0]]):
            lengths = f"{len(lists[key])} values, and {quote(puzzles[0])} {len(lists[puzzles[0]])}"
            raise InputError(f"{quote(key)} has {lengths}: is one missing?", source)


def _check_empty(value, source):
    """Refuse an empty value beside puzzles if all keys name puzzles.

    One puzzle in a text or a list may be a record of JSON with an empty field, which is told.
    """
    empty = [quote(str(key)) for key, held in value.items() if is_empty(held)]
    others = {key: held for key, held in value.items() if not is_empty(held)}
    if not empty or _is_record(value) or not all(map(_may_be_puzzle, others.values())):
        return
    if _are_named(others) or any(isinstance(held, np.ndarray) for held in others.values()):
        raise InputError(f"{empty[0]} is empty", source, remedy="leave it out")
    if len(others) == 1:
        logger.info("%s: %s is empty, and no puzzle", source, empty[0])


def _is_record(value):
    """Whether a key of an object is a usual one, which names no puzzle."""
    return not UNNAMED.isdisjoint(str(key).lower() for key in value)


def _are_columns(value):
    """Whether an object holds columns of a table: lists of one length, of puzzles or of cells."""
    if not all(map(is_list, value.values())) or len({*map(len, value.values())}) != 1:
        return False
    usual = [key for key in value if str(key).lower() in (*PUZZLES, *SOLUTIONS)]
    puzzles = value[usual[0]] if usual else []
    sizes = {*map(count_cells, puzzles)}
    may_be_rows = sizes == {len(puzzles)}  # of one large grid
    return (sizes and sizes <= WORDS and not may_be_rows) or cell_columns([*value])


def _objects(value, named="") -> list:
    """Return the objects that hold puzzles inside of an object, however deep, or itself."""
    if not is_mapping(value) or (named and named in value):
        return [value]
    check_rules(value)
    if puzzles := _listed_puzzles(value):
        return puzzles
    n_members = sum(map(is_mapping, value.values()))
    has_list = any(is_list(held) and any(map(is_mapping, held)) for held in value.values())
    inner = []
    are_inner = any(is_mapping(held) and _are_named(held) for held in value.values())
    for key, held in value.items():
        if has_list and _is_metadata(held):
            continue
        if are_inner and is_mapping(held):
            _check_empty(held, str(key))
        items = held if is_list(held) else [held]
        objects = [
            record
            for item in items
            for record in _objects(item, named)
            if any(map(is_mapping, items))
        ]
        is_named = len(objects) == 1 and is_mapping(held) and n_members > 1
        if are_inner and is_named and len(held) == 1 and not _is_record(held):
            (key,) = held
        inner += [_with_name(record, key) for record in objects] if is_named else objects
    if not _holds_puzzle(value):
        return inner or [value]
    names = [name for name in PUZZLES if name in value]
    if any(_holds_puzzle(item) and (not names or names[0] in item) for item in inner):
        keys = listed("columns", value)
        raise InputError(f"puzzles inside of an object with a puzzle: read them alone; {keys}")
    return [value]


def _is_metadata(value):
    """Whether a value is an object without a puzzle, and without anything nearly as long."""
    return is_mapping(value) and all(
        str(key).lower() not in PUZZLES
        and (_is_metadata(held) if is_mapping(held) else count_cells(held) <= MIN_CELLS)
        for key, held in value.items()
    )


def _with_name(record, key):
    """Return a record with the key of its object as its name, unless it has one."""
    has_name = {*NAMES} & {str(name).lower() for name in record}
    return record if has_name or not _holds_puzzle(record) else {"name": key, **record}


def _are_named(value) -> bool:
    """Whether all keys of an object name puzzles that do not stand for each other."""
    items = [*value.values()]
    lists = [item for item in items if is_list(item)]
    is_record = {str(key).lower() for key in value} & KNOWN
    if is_record or len(items) < 2 or not all(map(_may_be_puzzle, items)):
        return False
    may_be_rows = any(len(items) == len(row) == count_cells(row) for row in lists)
    are_usual = lists and names_puzzles([*value])
    if may_be_rows or are_usual:
        return False
    try:
        first, *others = (single(item, Location(""), DEFAULT) for item in items)
    except InputError:
        return False
    are_alike = len({is_complete(cells.signs) for cells in (first, *others)}) == 1
    return are_alike and not any(
        keeps(other.signs, first) or keeps(first.signs, other) for other in others
    )


def _may_be_puzzle(value):
    """Whether a value is a text as long as a puzzle, or a list with as many cells."""
    if isinstance(value, str):
        return not WORDS.isdisjoint({len(value), count_cells(value)})
    return is_list(value) and count_cells(value) in ORDER_OF_CELLS and not _are_puzzles(value)


def _listed_puzzles(value) -> list[dict]:
    """Return records of the puzzles in lists, each with the key of its list as a name.

    The key of a text or a grid is the name of its puzzle.
    """
    if _are_named(value):
        return [{"name": key, PUZZLES[0]: item} for key, item in value.items()]
    lists = {key: held for key, held in value.items() if is_list(held) and _are_puzzles(held)}
    if not lists or is_header(value):
        return []
    puzzles = [
        {"name": f"{key} {number}", PUZZLES[0]: puzzle}
        for key, held in lists.items()
        for number, puzzle in enumerate(held, 1)
    ]
    size = count_cells(puzzles[0][PUZZLES[0]])
    others = [held for key, held in value.items() if key not in lists]
    return [] if any(_may_be_cells(held, size) for held in others) else puzzles


def _may_be_cells(value, size):
    """Whether a value beside lists of puzzles is another list, or a text nearly of their size."""
    n_cells = count_cells(value)
    return n_cells > MIN_CELLS if is_list(value) else abs(n_cells - size) <= size**0.5


def _are_puzzles(items):
    """Whether each item is a text as long as a puzzle, or a grid of lists."""
    return bool(len(items)) and all(
        len(item.strip()) in WORDS
        if isinstance(item, str)
        else is_list(item) and any(map(is_list, item)) and count_cells(item) in ORDER_OF_CELLS
        for item in items
    )


def _holds_puzzle(value):
    """Whether an object has a key `puzzle`, or a value that may be a puzzle by its size."""
    return is_mapping(value) and any(
        str(key).lower() in PUZZLES
        or count_cells(held) in (WORDS if isinstance(held, str) else ORDER_OF_CELLS)
        for key, held in value.items()
    )

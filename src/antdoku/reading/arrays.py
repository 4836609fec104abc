"""Arrays of numbers: puzzles row by row, read at once if they can mean only one thing."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.grid import cell_name
from antdoku.puzzle.symbols import numbers
from antdoku.reading.batches import Batch, check_beside
from antdoku.reading.cells import ORDER_OF_CELLS, SIZES, WORDS, Options
from antdoku.reading.headers import KNOWN, names_puzzles
from antdoku.reading.plain import BATCH, PLAIN, plain_batch
from antdoku.reading.values import is_list, is_mapping

CELLS = {type(None), float, int}  # the types of cells in lists


def array_parts(value: Any, source: str, options: Options) -> list[Batch] | None:
    """Return puzzles of shape (n, c) or (n, d, d); None if the numbers may mean something else.

    The keys of an object of arrays are names.

    As many rows as cells, or a multiple, may be rows of large grids, unless one has more than d
    values up to d. Values may be from 0 if 0 stands beside another blank, or a complete grid has d
    zeros.
    """
    has_names = is_mapping(value)
    if has_names and (options.named or not may_be_named(value)):
        return None
    array = _numbers([*value.values()] if has_names else value)
    if array is None:
        return None
    are_grids = array.ndim == 3
    array = array.reshape(len(array), -1)
    size = ORDER_OF_CELLS[array.shape[1]] ** 2
    chunks = [_values_of(array[at : at + BATCH], size) for at in range(0, len(array), BATCH)]
    grids, is_right, has_blank, has_zero = map(np.concatenate, zip(*chunks))
    if has_blank.any() and has_zero.any():
        return None
    n_givens = np.count_nonzero(grids, axis=1)
    from_zero = not (array == size).any() and (n_givens == size * (size - 1)).any()
    may_be_rows = len(grids) % grids.shape[1] == 0 and not (n_givens > size).any()
    if from_zero or (may_be_rows and not are_grids):
        return None
    if has_names and _stand_for_each_other(grids):
        return None
    names = list(map(str, value)) if has_names else None
    try:
        return _checked(array, grids, is_right, source, options, names)
    except InputError as error:
        if names and isinstance(error.line, int):
            raise InputError(error.what, source, quote(names[error.line - 1])) from None
        raise


def may_be_named(value):
    """Whether an object holds several arrays, and its keys are no usual ones."""
    keys = [str(key).strip().lower() for key in value]
    are_usual = names_puzzles(keys) or not KNOWN.isdisjoint(keys)
    are_columns = len(value) in WORDS  # of cells
    are_arrays = all(isinstance(held, np.ndarray) for held in value.values())
    return are_arrays and len(value) > 1 and not are_usual and not are_columns


def _stand_for_each_other(grids):
    """Whether a complete grid stands among puzzles, or a grid keeps the givens of another one."""
    is_full = grids.all(axis=1)
    keep = (((grids == grid) | (grid == 0)).all(axis=1).sum() > 1 for grid in grids)
    return is_full.any() != is_full.all() or any(keep)


def _checked(array, grids, is_right, source, options, names) -> list[Batch]:
    """Return the puzzles without the rows that have a wrong value, which are refused."""
    order = ORDER_OF_CELLS[grids.shape[1]]
    for row in np.flatnonzero(~is_right).tolist():
        _refuse(array[row], order**2, source, row + 1, options)
    symbols = PLAIN if order == 3 else numbers(order)
    batch = plain_batch(grids, source, "", 1, options, names, symbols=symbols)
    batch = batch if is_right.all() else batch[is_right[batch.numbers - 1]]
    check_beside([batch], options)
    return [batch]


def _values_of(array, size) -> tuple[np.ndarray, ...]:
    """Return the values of puzzles, which rows are right, and whether some cell is blank or 0.

    Values are uint8, 0 for a blank. They are made of some thousand rows at a time, as whole arrays
    would not fit the cache.
    """
    is_blank = _are_blank(array)
    is_right = is_blank | _are_values(array, size)
    grids = np.where(is_right & ~is_blank, array, 0).astype(np.uint8, order="C")
    return grids, is_right.all(axis=1), is_blank.any(axis=1), (array == 0).any(axis=1)


def _are_blank(array):
    return (array == -1) | np.isnan(array) if array.dtype.kind == "f" else array == -1


def _are_values(array, size):
    are_inside = (array >= 0) & (array <= size)
    return are_inside & (array == np.floor(array)) if array.dtype.kind == "f" else are_inside


def _refuse(row, size, source, number, options):
    """Refuse a puzzle for its first cell that is no value and no blank."""
    cell = int(np.argmin(_are_blank(row) | _are_values(row, size)))
    value = row[cell]
    if value.dtype.kind == "f":
        value = np.format_float_positional(value, trim="-")
    text = f"{cell_name(cell, size)}: {value}: must be a whole number from 1 to {size}"
    options.refuse(InputError(f"{text}, or 0 for a blank", source, number))


def _numbers(value) -> np.ndarray | None:
    """Return integers or floats of shape (n, c) or (n, d, d), NaN for what is missing, or None."""
    if hasattr(value, "columns"):
        if {dtype.kind for dtype in value.dtypes} - {*"iuf"}:
            return None
        value = value.to_numpy(float, na_value=np.nan)
    elif isinstance(value, list):
        if not {*_types(value)} <= CELLS:
            return None
        try:
            value = np.asarray(value)
        except ValueError:  # rows of several lengths
            return None
    if isinstance(value, np.ma.MaskedArray) and value.dtype.kind in "iuf":
        value = value.astype(float).filled(np.nan)
    if not isinstance(value, np.ndarray):
        return None
    if value.dtype.kind == "O" and {*map(type, value.ravel())} <= CELLS:
        value = value.astype(float)
    if value.dtype.kind not in "iuf" or value.ndim not in (2, 3) or not len(value):
        return None
    is_even = value.ndim == 2 or value.shape[1] == value.shape[2]
    return value if is_even and value[0].size in WORDS else None


def check_shape(array: np.ndarray, source: str) -> None:
    """Refuse numbers of a shape that no puzzles have, of two dimensions or more."""
    size = array.shape[-1]
    if array.ndim > 1 and array.size and array.dtype.kind in "iuf" and size not in {1, *SIZES}:
        allowed = "(81,), (9, 9), (n, 81) or (n, 9, 9) for 9x9, and so for other sizes"
        raise InputError(f"an array of shape {array.shape}: allowed are {allowed}", source)


def _types(items) -> Iterator[type]:
    """Yield the types of the cells of nested lists; float for those of an array of numbers."""
    for item in items:
        if isinstance(item, np.ndarray):
            is_plain = item.dtype.kind in "iuf" and not isinstance(item, np.ma.MaskedArray)
            yield float if is_plain else np.ndarray
        elif is_list(item):
            yield from _types(item)
        else:
            yield type(item)

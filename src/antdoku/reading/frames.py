"""Tables of pandas, and of what pandas takes."""

from typing import Any

from antdoku.errors import InputError, naming_extra
from antdoku.reading.cells import NAMES, ORDER_OF_CELLS, ORDER_OF_SIZE, PUZZLES, SIZES, WORDS
from antdoku.reading.headers import Table, named_columns, names_puzzles, table_of
from antdoku.reading.labels import NO_ROW, check_row_by_row
from antdoku.reading.values import LONGEST_CELL

COLUMN_KEYS = ("columns", "cols", "column")  # of a grid


def check_labels(frame, source):
    """Refuse labels of cells that do not stand row by row, and rows of a grid out of order."""
    if not hasattr(frame, "columns"):  # one column
        are_texts = any(isinstance(cell, str) and len(cell) > LONGEST_CELL for cell in frame)
        if len(frame) in ORDER_OF_CELLS and not are_texts:
            _check_cells(frame.index, source, "rows")
        return
    names, index = frame.columns, frame.index
    if len(names) in SIZES or names.nlevels > 1:
        _check_cells(names, source, "columns")
    are_cells = len(names) in ORDER_OF_SIZE and not {*map(str, names)} & {*PUZZLES}
    if are_cells and str(index.name).lower() in ("col", *COLUMN_KEYS):
        raise InputError("rows are columns", source, remedy="transpose the table")
    if are_cells and len(index) == len(names) and index.is_unique:
        remedy = "sort the rows of the grid by their labels"
        labels = [*map(str, index)]
        check_row_by_row(labels, source, remedy=remedy, wrong=NO_ROW)


def _check_cells(labels, source, kind):
    """Refuse labels of cells in another order than row by row."""
    if labels.nlevels > 1 and not str(labels.names[0]).lower().startswith("r"):
        remedy = "name the levels row and column, in this order"
        raise InputError(f"{kind} of several levels", source, remedy=remedy)
    if labels.nlevels > 1 and not labels.is_monotonic_increasing:
        raise InputError(f"{kind} out of order", source, remedy="sort them: sort_index()")
    check_row_by_row([*map(str, labels)], source, remedy=f"write {kind} of cells row by row")


def of_arrow(value: Any) -> Any:
    """Return a table or a column of Polars, DuckDB, pyarrow or others as one of pandas.

    What is no such table is returned as it is.
    """
    if hasattr(value, "iloc") or not hasattr(value, "__arrow_c_stream__"):
        if hasattr(value, "collect_schema"):
            raise InputError(f"{type(value).__name__}: is not computed yet", remedy="collect it")
        return value
    with naming_extra():
        import pandas as pd
        import pyarrow  # noqa: F401  # which `from_arrow` needs
    return (pd.DataFrame if hasattr(value, "columns") else pd.Series).from_arrow(value)


def with_names(table):
    """Return a DataFrame, or a column of one, with the names of its puzzles in a column.

    They may be its index, which then is called after names.
    """
    if str(table.index.name).lower() not in NAMES:
        return table
    names = getattr(table, "columns", None)
    if names is None:
        return table.rename(PUZZLES[0]).reset_index()
    has_puzzles = names_puzzles(names) or len(names) in WORDS
    return table.reset_index() if has_puzzles and table.index.name not in names else table


def frame_table(frame, source: str, named: str = "") -> Table:
    """Return a DataFrame as a table, None for what is missing."""
    if not len(frame):
        raise InputError("there is no puzzle in it", source)
    values = frame.astype(object).where(frame.notna(), None)
    names = named_columns(list(frame.columns), source, named)
    return table_of(names, [values.iloc[:, at].tolist() for at in range(len(names))], source)

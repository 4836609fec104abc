"""Rows of runs -> tables: functions from DataFrame to DataFrame.

A table has its types even when it is empty, leaves out groups without runs, and has printed numbers
in columns beside ours. The tables of a paper are in its folder, registered by the decorator
`table`. This package holds their parts.

`make` gives runs the labels of the papers, and their order: the column variant is an ordered
category, so groups and sorted rows come in that order. A join on it gives text: sort before, or
by `summary.sort`.
"""

from antdoku.errors import InputError, one_line, require

require("tables", "pandas", "pyarrow", "scipy")  # of all modules of this folder

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.columns import COLUMNS, INSTANCE, OPTIONAL, PLAN_COLUMNS, dtypes, with_message
from antdoku.instances.family import GIVEN, RANDOM
from antdoku.outcome import STATUSES
from antdoku.tables import generic, summary
from antdoku.tables.registry import FILE, Rows, every, get, of_plan, table, with_thresholds

__all__ = ["FILE", "Rows", "every", "generic", "get", "make", "of_plan", "read", "read_runs"]
__all__ += ["table", "with_thresholds", "write"]
# Columns that have a value in each run; others may lack it, as in runs of a paper's own program.
NEEDED = [*INSTANCE, "variant", "repetition", "status", "cpu_s", "steps"]
RANDOM_FAMILY = r"order([2-9]|10)-p\d{3}(_\d+)?"  # names of random families up to antdoku 0.4


def make(name: str, runs: pd.DataFrame, thresholds: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the table `name` from the runs and, if it needs them, from thresholds of grids.

    `thresholds` are those of the experiments that the table selects. A table that needs them has no
    rows without them.
    """
    entry = get(name)
    if not entry.paper:
        runs = summary.outside_samples(runs)
    rows = _named(entry.select(runs))
    if not entry.thresholds:
        arguments = () if rows.empty else (rows,)
    else:
        has_none = thresholds is None or (rows.empty and thresholds.empty)
        arguments = () if has_none else (thresholds, rows)
    with papers.errors_in_one_line(entry.paper, name, entry.make):
        table = entry.make(*arguments) if arguments else pd.DataFrame()
    return _typed(table, entry)


def _typed(table, entry):
    """Return the columns that a table declares; one with rows needs all but optional ones."""
    place, declared = papers.place_of(entry.name, entry.make), dtypes(entry.columns)
    if not isinstance(table, pd.DataFrame):
        text = f"must return a DataFrame of pandas; it returns {type(table).__name__}"
        raise InputError(text, place)
    for name, dtype in declared.items() if len(table) else ():
        if name in table or name not in OPTIONAL:  # which the runs may lack
            _check_column(table, name, dtype, place)
    return summary.typed(table, declared)


def _check_column(table, name, dtype, place):
    """Refuse a table without a declared column, or with values that are not of its type."""
    if name not in table:
        text = f"returns no column {name!r}, which it declares: it has "
        raise InputError(text + ", ".join(map(str, table)), place)
    try:
        table[name].astype(dtype)
    except (TypeError, ValueError) as error:
        text = f"the column {name!r} is not {dtype}: {one_line(str(error))}"
        raise InputError(text, place) from None


def _named(rows):
    """Return rows with the labels of their variants, and the variants as an ordered category."""
    looks = papers.variants()
    rows = summary.labelled(rows, looks)
    return rows.assign(variant=summary.in_order(rows["variant"], looks))


def write(table: pd.DataFrame, path) -> None:
    """Write a table as CSV, with nine digits of each number."""
    table.to_csv(path, index=False, float_format="%.9g", lineterminator="\n")


def read(name: str, path) -> pd.DataFrame:
    """Read the CSV of the table `name`, with its types even if it has no rows."""
    schema = dtypes(get(name).columns)
    kwargs = {"usecols": [*schema], "dtype": schema, "keep_default_na": False, "na_values": [""]}
    try:
        return pd.read_csv(path, **kwargs)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"not a {name} table: {reason}", str(path)) from None


def other_columns(path, columns: dict[str, str]) -> list[str]:
    """Return the names of the columns of a file of runs that are none of `columns`."""
    if str(path).lower().endswith(".csv"):
        names = [*pd.read_csv(path, nrows=0)]
    else:
        names = [*pd.read_parquet(path).columns]
    return [str(name) for name in names if name not in columns]


def _check_values(runs, path):
    """Raise `InputError` for the first row that lacks a value, or has an unknown status."""
    has_gap = runs[NEEDED].isna().to_numpy()
    if has_gap.any():
        row, column = np.argwhere(has_gap)[0]
        raise InputError(f"{NEEDED[column]}: there is no value", path, f"row {row + 1}")
    is_unknown = ~runs["status"].isin(STATUSES).to_numpy()
    if is_unknown.any():
        row = is_unknown.argmax()
        text = f"status {runs['status'].iloc[row]!r}: known are {', '.join(STATUSES)}"
        raise InputError(text, path, f"row {row + 1}")


def read_runs(path, columns: dict[str, str] = COLUMNS) -> pd.DataFrame:
    """Read the `columns` of a file of runs (Parquet or CSV), and those of `OPTIONAL` that it has.

    Files of antdoku 0.4 and before lack the column family_kind, which comes from the family's name,
    and message, which is empty.
    A file that is no table of runs is an `InputError`.
    """
    try:
        if str(path).lower().endswith(".csv"):
            texts = {name: kind for name, kind in (columns | PLAN_COLUMNS).items() if kind == "str"}
            table = pd.read_csv(path, dtype=texts, keep_default_na=False, na_values=[""])
        else:
            table = pd.read_parquet(path)
        if "family_kind" not in table:
            is_random = table["family"].astype("str").str.fullmatch(RANDOM_FAMILY)
            table["family_kind"] = is_random.map({True: RANDOM, False: GIVEN})
        planned = {name: PLAN_COLUMNS[name] for name in OPTIONAL if name in table}
        runs = with_message(table)[[*columns, *planned]]
        _check_values(runs, str(path))
        runs = runs.astype(columns | planned)
    except FileNotFoundError:
        raise InputError("there is no such file", str(path)) from None
    except InputError:
        raise
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise InputError(f"is no file of runs: {one_line(str(error))}", str(path)) from None
    return runs

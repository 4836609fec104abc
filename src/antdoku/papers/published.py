"""The numbers that the papers print, and the work behind them, from the folders of the papers.

`published.csv` has one row per printed number: edition (a key of `papers.editions`), item (table or
section), order, fixed_fraction, instance, solver, metric, value, unit, note, and, where a paper
limits runs by iterations, iterations (0: unlimited).
`untested.csv` has printed numbers that no run of ours tests: edition, place, printed, reason. If
the number is in `published.csv`, the columns item to metric name its rows there; an empty cell
stands for any value.
`work.csv` has the work behind the limits: edition, solver, program (programs have one speed,
whichever solver they run), order, fixed_fraction (empty: all points without a row of their own),
limit_s, unit, steps, factor, basis (measured on the program, or calibrated on printed times), how.
"""

import csv
import io
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from antdoku import papers, yaml_files
from antdoku.errors import InputError, one_line, unknown

NUMBERS, UNTESTED, WORKS = "published.csv", "untested.csv", "work.csv"
ROW = ["item", "order", "fixed_fraction", "instance", "solver", "metric"]  # of a number
WORK = ["edition", "solver", "program", "order", "fixed_fraction", "limit_s"]
WORK += ["unit", "steps", "factor", "basis", "how"]
COLUMNS = {  # of each file: required ones, then others
    NUMBERS: (["edition", *ROW, "value", "unit"], ["note", "iterations"]),
    UNTESTED: (["edition", "place", "printed", "reason"], ROW),
    WORKS: (WORK, []),
}
NUMERIC = ["order", "fixed_fraction", "value", "iterations", "limit_s", "steps", "factor"]
FIRST_LINE = 2  # of the rows of a file
GENERAL = "general"  # instance of the random families, as opposed to given puzzles
HIGHEST = {"%": 100, "fraction": 1}  # rate, by its unit
TO_BASE_UNIT = {"%": 0.01, "ms": 0.001}  # to fractions and seconds
TIMES = ("s", "ms")  # units of metrics that end in ``time``


def results() -> pd.DataFrame:
    """Return all published numbers as printed, a row each; the module docstring has the columns."""
    return _table(NUMBERS, *papers.every()).copy()


def untested() -> pd.DataFrame:
    """Return the printed numbers that are not tested; the module docstring has the columns."""
    return _table(UNTESTED, *papers.every()).copy()


def is_named(table: pd.DataFrame, row: tuple) -> pd.Series:
    """Return, as bool, which rows of `results` a row of `untested` names.

    No row if the row has no item: it is about something else that the paper prints.
    """
    is_chosen = table["edition"] == row.edition
    if pd.isna(row.item):
        return is_chosen & False
    for name in ROW:
        value = getattr(row, name)
        is_chosen &= True if pd.isna(value) else table[name] == value
    return is_chosen


def values(edition: str, metric: str) -> pd.DataFrame:
    """Return the numbers of one metric from one edition, as fractions or seconds.

    Columns are order, fixed_fraction, instance, variant and value. A variant is a solver with its
    iterations, if they are limited: ``ac3_tabu_1000``.
    """
    table = with_variants(results())
    table = table[(table["edition"] == edition) & (table["metric"] == metric)]
    value = table["value"] * table["unit"].map(TO_BASE_UNIT).fillna(1.0)
    columns = ["order", "fixed_fraction", "instance", "variant"]
    return table[columns].assign(value=value).reset_index(drop=True)


def with_variants(numbers: pd.DataFrame) -> pd.DataFrame:
    """Return printed numbers with the column variant, see `values`."""
    if "iterations" not in numbers:
        return numbers.assign(variant=numbers["solver"])
    with_iterations = numbers["solver"] + "_" + numbers["iterations"].astype("str")
    variant = numbers["solver"].mask(numbers["iterations"].fillna(0) > 0, with_iterations)
    return numbers.assign(variant=variant)


class Work(NamedTuple):
    """Work of a paper's program within the paper's limit."""

    steps: int  # in the unit of our solver
    factor: float  # how uncertain the steps are: from steps / factor to steps * factor
    limit_s: float  # the paper's
    is_calibrated: bool  # whether the steps come from times that the paper prints
    program: str


def work(
    edition: str | None, solver: str, order: int, fixed_fraction: float | None = None
) -> Work | None:
    """Return the work of a paper's program within the limit of an edition; None if not known.

    A point without a work of its own has the work of all points of the order.
    """
    works = _works().get((edition, solver, order), {})
    return works.get(fixed_fraction, works.get(None))


def work_of(experiment: str, edition: str = "") -> str | None:
    """Return the edition whose work limits the runs of an experiment, or None.

    Return `edition` itself if it has limits of its own, in the same runs.
    """
    if edition in with_work():
        return edition
    paper = papers.of_experiment(experiment)
    return paper.work or None if paper else None


def with_work() -> set[str]:
    """Return the editions whose work is known."""
    return {edition for edition, *_ in _works()}


def most_steps(experiment: str, solver: str, order: int) -> int | None:
    """Return the most steps that a paper of an experiment gives a program, None if not known.

    The maximum is over all editions, and all points of the order.
    """
    paper, works = papers.of_experiment(experiment), _works()
    editions = {paper.work, *paper.editions} if paper else ()
    points = [works.get((edition, solver, order), {}) for edition in editions]
    return max((work.steps for by_point in points for work in by_point.values()), default=None)


def _works():
    return _by_point(*papers.every())


# The names of the papers are the keys of the caches: with other papers the files are read again.


@cache
def _by_point(*names):
    """Return `Work` by edition, solver and order, then by fixed fraction; None is all points."""
    works = {}
    for row in _table(WORKS, *names).itertuples():
        points = works.setdefault((row.edition, row.solver, row.order), {})
        point = None if pd.isna(row.fixed_fraction) else row.fixed_fraction
        points[point] = Work(
            row.steps, row.factor, row.limit_s, row.basis == "calibrated", row.program
        )
    return works


@cache
def _table(file, *names):
    return pd.concat(map(read, papers.with_file(file)), ignore_index=True)


def read(path: Path) -> pd.DataFrame:
    """Return the table of a file; a wrong column, or a text for a number, is an `InputError`."""
    text = yaml_files.read_text(path)
    _check_widths(text, path)
    try:
        table = pd.read_csv(io.StringIO(text), dtype={"note": "str"})
    except ValueError as error:
        raise InputError(f"is no table: {one_line(str(error))}", str(path)) from None
    required, others = COLUMNS[path.name]
    for name in table.columns.difference([*required, *others], sort=False):
        raise InputError(unknown("column", name, [*required, *others]), str(path), 1)
    for name in required:
        if name not in table:
            raise InputError(f"the column {name} is missing", str(path), 1)
    for name in table.columns.intersection(NUMERIC, sort=False):
        numbers = pd.to_numeric(table[name], errors="coerce")
        wrong = table.index[numbers.isna() & table[name].notna()]
        if len(wrong):
            text = f"{name} {table[name][wrong[0]]!r}: must be a number"
            raise InputError(text, str(path), int(wrong[0]) + FIRST_LINE)
    if path.name == NUMBERS:
        _check_rates(table, path)
        twice = table.duplicated(
            [name for name in ("edition", *ROW, "iterations") if name in table]
        )
        if twice.any():
            line = int(twice.idxmax()) + FIRST_LINE
            raise InputError("a row above prints a number for the same place", str(path), line)
    return table.astype({"iterations": "Int64"}) if "iterations" in table else table


def _check_widths(text, path):
    """Refuse a row that has more fields than the first line, or fewer."""
    rows = csv.reader(io.StringIO(text))
    width = len(next(rows, []))
    for row in rows:
        if row and len(row) != width:
            text = f"{len(row)} fields, where the first line has {width}"
            remedy = "put quotes around a text with commas"
            raise InputError(text, str(path), rows.line_num, remedy)


def _check_rates(table, path):
    """Refuse numbers without their units, rates beyond their ends, and a row without item."""
    for number, row in enumerate(table.itertuples(), start=FIRST_LINE):
        if pd.isna(row.item):
            raise InputError("there is no item", str(path), number, "name the table or section")
        if row.fixed_fraction > 1:
            text = f"fixed_fraction {row.fixed_fraction:g}: must be from 0 to 1"
            raise InputError(text, str(path), number)
        if row.metric.endswith("time") and row.unit not in TIMES:
            raise InputError(unknown("unit of times", row.unit, TIMES), str(path), number)
        if row.metric != "success":
            continue
        if row.unit not in HIGHEST:
            raise InputError(unknown("unit of success", row.unit, HIGHEST), str(path), number)
        if not 0 <= row.value <= HIGHEST[row.unit]:
            text = f"value {row.value:g}: must be from 0 to {HIGHEST[row.unit]} {row.unit}"
            raise InputError(text, str(path), number)

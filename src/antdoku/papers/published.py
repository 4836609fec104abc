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
from antdoku.errors import InputError, unknown

NUMBERS, UNTESTED, WORKS = "published.csv", "untested.csv", "work.csv"
ROW = ["item", "order", "fixed_fraction", "instance", "solver", "metric"]  # of a number
GENERAL = "general"  # instance of the random families, as opposed to given puzzles
TO_BASE_UNIT = {"%": 0.01, "ms": 0.001}  # to fractions and seconds


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
    """Return the rows of a file, with their lines as the index; a mistake is an `InputError`."""
    from antdoku.papers import rows  # Pydantic comes with the extra of the workflow

    kind = {NUMBERS: rows.Number, UNTESTED: rows.Untested, WORKS: rows.Work}[path.name]
    reader = csv.reader(io.StringIO(yaml_files.read_text(path).removeprefix("\ufeff")))
    names = next(reader, [])
    _check_columns(names, kind.model_fields, path)
    records = {}  # by line
    for cells in filter(None, reader):
        records[reader.line_num] = _record(kind, names, cells, path, reader.line_num)
    table = pd.DataFrame([*records.values()], [*records], [*kind.model_fields])
    is_double = table.duplicated([*kind.KEY])
    if is_double.any():
        raise InputError("a row above is for the same place", str(path), int(is_double.idxmax()))
    return table.astype({"iterations": "Int64", "note": "str"} if "note" in table else {})


def _check_columns(names, fields, path):
    """Refuse an unknown column, and a missing one that has no default."""
    for name in names:
        if name not in fields:
            remedy = "separate columns by commas" if ";" in name else None
            raise InputError(unknown("column", name, fields), str(path), 1, remedy)
    for name, field in fields.items():
        if field.is_required() and name not in names:
            raise InputError(f"the column {name} is missing", str(path), 1)


def _record(kind, names, cells, path, line):
    """Return the checked values of a row by column."""
    if len(cells) != len(names):
        text = f"{len(cells)} fields, where the first line has {len(names)}"
        raise InputError(text, str(path), line, "put quotes around a text with commas")
    try:
        filled = {name: cell for name, cell in zip(names, cells) if cell}
        return dict(kind.model_validate(filled))
    except ValueError as error:
        (column, *_), text = yaml_files.first_mistake(error)
        raise InputError(f"{column}: {text}", str(path), line) from None

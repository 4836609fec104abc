"""The numbers that the papers print, and the work behind them, from the folders of the papers.

`published.csv` has the printed numbers, `untested.csv` lists printed numbers that no run of ours
tests, and `work.csv` has the work behind limits. `papers.rows` explains their columns.
"""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from antdoku import papers, yaml_files
from antdoku.errors import InputError, unknown

if TYPE_CHECKING:  # the extra `workflow` has Pydantic
    from antdoku.papers.rows import Row, Work

NUMBERS, UNTESTED, WORKS = "published.csv", "untested.csv", "work.csv"
GENERAL = "general"  # instance of the random families, as opposed to given puzzles
TO_BASE_UNIT = {"%": 0.01, "ms": 0.001}  # to fractions and seconds
# Units of columns that show numbers with a base unit, by their unit in print.
UNIT_OF_COLUMN = {"%": "share", "fraction": "share", "s": "s", "ms": "s"}


def results() -> pd.DataFrame:
    """Return all published numbers as printed: the columns of `papers.rows.Number`, and variant."""
    records = [dict(row) | {"variant": row.variant} for row in rows(NUMBERS)]
    return pd.DataFrame(records).astype({"iterations": "Int64"})


def values(edition: str, metric: str) -> pd.DataFrame:
    """Return the numbers of one metric from one edition, as fractions or seconds.

    Columns are order, fixed_fraction, instance, variant and value.
    """
    table = results()
    table = table[(table["edition"] == edition) & (table["metric"] == metric)]
    value = table["value"] * table["unit"].map(TO_BASE_UNIT).astype(float).fillna(1.0)
    columns = ["order", "fixed_fraction", "instance", "variant"]
    return table[columns].assign(value=value).reset_index(drop=True)


def work(
    edition: str | None, solver: str, order: int, fixed_fraction: float | None = None
) -> "Work | None":
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


def check_work(paper: papers.Paper) -> None:
    """Raise `InputError` if the work that a paper names is not that of an edition."""
    if paper.work and paper.work not in with_work():
        text = unknown("edition", paper.work, papers.editions())
        if paper.work in papers.editions():
            text = f"no {WORKS} has this edition"
        raise yaml_files.mistake(text, paper.folder / papers.FILE, "work")


def solvers_with_work(edition: str | None) -> list[str]:
    """Return the solvers whose work is known from an edition."""
    return [*dict.fromkeys(solver for name, solver, _ in _works() if name == edition)]


def most_steps(experiment: str, solver: str, order: int) -> int | None:
    """Return the most steps that a paper of an experiment gives a program, None if not known.

    The maximum is over all editions, and all points of the order.
    """
    paper, works = papers.of_experiment(experiment), _works()
    editions = {paper.work, *paper.editions} if paper else ()
    points = [works.get((edition, solver, order), {}) for edition in editions]
    return max((work.steps for by_point in points for work in by_point.values()), default=None)


@papers.cached
def _works():
    """Return works by edition, solver and order, then by fixed fraction; None is all points."""
    works = {}
    for row in rows(WORKS):
        works.setdefault((row.edition, row.solver, row.order), {})[row.fixed_fraction] = row
    return works


@papers.cached
def rows(file: str) -> list["Row"]:
    """Return the rows of the files of this name in the folders of all papers."""
    return [row for path in papers.with_file(file) for row in read(path).values()]


def read(path: Path) -> dict[int, "Row"]:
    """Return the rows of a file by their lines; a mistake is an `InputError`."""
    from antdoku.papers.rows import FILES

    kind, rows, lines = FILES[path.name], {}, {}
    text = yaml_files.read_text(path).removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text), skipinitialspace=True, strict=True)
    names = next(reader, [])
    required = [name for name, column in kind.model_fields.items() if column.is_required()]
    for name in names:
        if name not in kind.model_fields:
            remedy = "separate columns by commas" if {*name} & {*";\t"} else None
            raise InputError(unknown("column", name, kind.model_fields), str(path), 1, remedy)
    for name in required:
        if name not in names:
            text = f"there is no column {name}; needed are {', '.join(required)}"
            raise InputError(text, str(path), 1)
    for cells in _cells(reader, path):
        try:
            row = _row(kind, names, cells)
        except InputError as error:
            raise error.at(str(path), reader.line_num) from None
        place = tuple(getattr(row, name) for name in kind.KEY)
        if place in lines:
            text = f"line {lines[place]} is for the same {kind.PLACE}"
            raise InputError(text, str(path), reader.line_num, kind.REMEDY)
        lines[place] = reader.line_num
        rows[reader.line_num] = row
    return rows


def _cells(reader, path):
    """Yield the rows that have a cell that is not empty, without spaces around cells."""
    line = reader.line_num
    try:
        for cells in reader:
            line = reader.line_num
            if any(cells):
                yield [cell.strip() for cell in cells]
    except csv.Error as error:
        remedy = "close the quotes of a text"
        raise InputError(str(error), str(path), line + 1, remedy) from None


def _row(kind, names, cells):
    """Return a checked row; an empty cell has the default of its column."""
    if len(cells) != len(names):
        is_short = len(cells) < len(names)
        remedy = "a comma is missing" if is_short else "put quotes around a text with commas"
        text = f"{len(cells)} fields, where the first line has {len(names)}"
        raise InputError(text, remedy=remedy)
    try:
        return kind.model_validate({name: cell for name, cell in zip(names, cells) if cell})
    except ValueError as error:
        (column, *_), text = yaml_files.first_mistake(error)
        raise InputError(f"{column}: {text}") from None

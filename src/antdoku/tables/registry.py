"""Tables by name: each is registered by the decorator `table`, where it is made."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.columns import Column
from antdoku.instances.family import RANDOM
from antdoku.registry import Registry

FILE = "tables.py"  # of a paper
SELECTED_BY = ["experiment", "family_kind", "order"]  # the columns of a plan that `Rows` reads


class Rows(NamedTuple):
    """Rows of a plan or of runs, selected by their columns. A field that is None selects all."""

    experiment: str | None = None
    random: bool | None = None  # random instances, or given puzzles
    order: int | None = None
    required: bool = True  # whether there is no table without such rows
    of_users: bool | None = None  # experiments of users, or of the papers of the package

    def select(self, table: pd.DataFrame) -> pd.Series:
        """Return, as bool, which rows of a table are selected, by the columns `SELECTED_BY`."""
        is_chosen = pd.Series(True, table.index)
        if self.experiment is not None:
            is_chosen &= table["experiment"] == self.experiment
        if self.order is not None:
            is_chosen &= table["order"] == self.order
        if self.random is not None:
            is_chosen &= is_random(table) == self.random
        if self.of_users is not None:
            is_chosen &= table["experiment"].isin(papers.shipped_experiments()) != self.of_users
        return is_chosen


def is_random(table: pd.DataFrame) -> pd.Series:
    """Return, as bool, which rows are about random instances; others are about given puzzles."""
    return table["family_kind"] == RANDOM


class Table(NamedTuple):
    """A table that is made of runs, and may be of thresholds of grids."""

    name: str
    # Takes the runs, or thresholds and runs, and returns at least the columns of the table.
    make: Callable[..., pd.DataFrame]
    columns: dict[str, Column]
    rows: tuple[Rows, ...]  # the runs that it is made of
    thresholds: bool  # whether it is made of thresholds of grids, too
    paper: str  # the paper in whose folder it is; empty: any configuration has the table
    # On the page of the report, where a table without a figure has them.
    heading: str
    group: str  # a key of `papers.groups()`, if the paper has one
    caption: str

    def is_in(self, plan: pd.DataFrame) -> bool:
        """Whether a plan has all rows that the table requires."""
        return all(rows.select(plan).any() for rows in self.rows if rows.required)

    def select(self, runs: pd.DataFrame) -> pd.DataFrame:
        """Return the runs that the table is made of."""
        return runs[np.logical_or.reduce([rows.select(runs) for rows in self.rows])]


def _entry(name, make, columns, *rows, thresholds=False, heading="", group="", caption=""):
    module = make.__module__.removeprefix(f"{papers.__name__}.")
    paper = module.split(".")[0] if module != make.__module__ else ""
    texts = {"heading": heading, "group": group or paper, "caption": caption}
    return Table(name, make, columns, rows or (Rows(),), thresholds, paper, **texts)


# Decorator: registers a function that makes a table. `rows` select the runs that it gets (all by
# default). With `thresholds` it also gets the thresholds of grids of the experiments of these rows.
table = Registry("table", _entry)


def every() -> dict[str, Table]:
    """Return all tables by name: the general ones, then the tables of each paper."""
    for file in papers.with_file(FILE):
        papers.module(file)
    of_papers = ["", *papers.every()]
    return {
        name: table[name] for paper in of_papers for name in table if table[name].paper == paper
    }


def get(name: str) -> Table:
    """Return the table `name`; raise `InputError` if there is no such table."""
    every()
    return table[name]


def of_plan(plan: pd.DataFrame) -> list[str]:
    """Return the names of the tables that the runs of a plan can fill."""
    rows = plan[SELECTED_BY].drop_duplicates()
    return [name for name, entry in every().items() if entry.is_in(rows)]


def with_thresholds(names: Iterable[str]) -> list[str]:
    """Return the experiments, sorted, whose thresholds the tables `names` need."""
    entries = [entry for entry in map(get, names) if entry.thresholds]
    return sorted({rows.experiment for entry in entries for rows in entry.rows})

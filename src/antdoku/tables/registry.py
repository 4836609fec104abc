"""Tables by name: each is registered in the folder of its paper."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.errors import InputError, unknown
from antdoku.instances.family import RANDOM

RUNS, HISTORY = "runs", "history"
SELECTED_BY = ["experiment", "family_kind", "order"]  # the columns of a plan that `Rows` reads


class Rows(NamedTuple):
    """Rows of a plan or of runs, selected by columns; what is None selects all."""

    experiment: str | None = None
    random: bool | None = None  # random instances, or given puzzles
    order: int | None = None
    required: bool = True  # without such rows there is no table
    of_papers: bool | None = None  # experiments that a paper has, or those that none has

    def select(self, table: pd.DataFrame) -> pd.Series:
        """Return, as bool, which rows of a table these are, by `SELECTED_BY`."""
        chosen = pd.Series(True, table.index)
        if self.of_papers is not None:
            chosen &= table["experiment"].isin([*papers.experiments()]) == self.of_papers
        for column in ("experiment", "order"):
            if getattr(self, column) is not None:
                chosen &= table[column] == getattr(self, column)
        return chosen if self.random is None else chosen & (is_random(table) == self.random)


def is_random(table: pd.DataFrame) -> pd.Series:
    """Return, as bool, which rows are about random instances; others are about given puzzles."""
    return table["family_kind"] == RANDOM


class Table(NamedTuple):
    """A table that is made of runs, or of the history of colonies."""

    name: str
    make: Callable[[pd.DataFrame], pd.DataFrame]  # to at least the columns of the table
    columns: dict[str, str]  # with their types
    rows: tuple[Rows, ...]  # of which it is made
    source: str  # RUNS | HISTORY
    paper: str  # in whose folder it is; empty: a table of any configuration

    @property
    def caption(self) -> str:
        """The text above it on the page, if it has no figure."""
        return caption_of(self.make)

    def is_in(self, plan: pd.DataFrame) -> bool:
        """Return whether a plan has all rows that the table cannot do without."""
        return all(rows.select(plan).any() for rows in self.rows if rows.required)

    def select(self, runs: pd.DataFrame) -> pd.DataFrame:
        """Return the runs of which it is made."""
        return runs[np.logical_or.reduce([rows.select(runs) for rows in self.rows])]


_registered: dict[str, Table] = {}


def caption_of(function: Callable) -> str:
    """Return the first paragraph of a docstring as one line, in light reST."""
    return " ".join(function.__doc__.partition("\n\n")[0].split())


def table(name: str, columns: dict[str, str], *rows: Rows, source=RUNS):
    """Return the decorator that registers a function as what makes the table `name`.

    The table is that of the paper in whose folder the function is. It is made of the runs that
    `rows` select (all by default) or, if the source is `HISTORY`, of histories of their experiment.
    """

    def register(make):
        paper = papers.of_module(make.__module__)
        _registered[name] = Table(name, make, columns, rows or (Rows(),), source, paper)
        return make

    return register


def every() -> dict[str, Table]:
    """Return all tables by name: those of any configuration, then those of each paper."""
    return papers.registered("tables", _registered)


def get(name: str) -> Table:
    """Return the table `name`; raise `InputError` if there is no such table."""
    tables = every()
    if name not in tables:
        raise InputError(unknown("table", name, tables))
    return tables[name]


def of_plan(plan: pd.DataFrame) -> list[str]:
    """Return the names of the tables that the runs of a plan can fill."""
    rows = plan[SELECTED_BY].drop_duplicates()
    return [name for name, entry in every().items() if entry.is_in(rows)]


def histories(names: Iterable[str]) -> list[str]:
    """Return the experiments, sorted, whose histories the tables `names` are made of."""
    entries = [get(name) for name in names]
    return sorted({entry.rows[0].experiment for entry in entries if entry.source == HISTORY})

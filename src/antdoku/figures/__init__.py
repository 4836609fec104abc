"""Figures: title and table (or arrays of a puzzle) -> Figure.

Each is registered, by the decorator `figure`, where the function that draws it stands: in the
folder of its paper. Here is what papers share, and `figures.style` is the only style.
"""

from collections.abc import Callable, Iterable
from inspect import cleandoc
from typing import NamedTuple

import pandas as pd

from antdoku import papers, tables
from antdoku.errors import InputError, unknown

FORMATS = ("png", "pdf")


class Figure(NamedTuple):
    """A figure of a paper, drawn from a table or from the example puzzle."""

    name: str
    draw: Callable  # (title, table) or, of a puzzle, (*arrays) -> matplotlib's Figure
    title: str  # to which most figures add the number of runs; of a puzzle empty
    caption: str  # in light reST
    table: str  # name; empty if it shows the example puzzle
    puzzle: tuple[str, ...]  # arrays of the example puzzle: givens, solution, before, after
    experiment: str  # of which that puzzle is an example
    paper: str  # in whose folder it is


_registered: dict[str, Figure] = {}


def figure(
    name: str,
    *,
    caption: str,
    title: str = "",
    table: str = "",
    puzzle: tuple[str, ...] = (),
    experiment: str = "",
):
    """Register a function as what draws the figure `name`; returns the function.

    It is called with `title` and the table `table`, or with the arrays `puzzle` of the example
    puzzle, which is shown where there are runs of `experiment`.
    """

    def register(draw):
        text, paper = cleandoc(caption), papers.of_function(draw)
        _registered[name] = Figure(name, draw, title, text, table, puzzle, experiment, paper)
        return draw

    return register


def every() -> dict[str, Figure]:
    """Return all figures by name, in the order of the papers."""
    papers.modules("figures")
    return papers.in_order(_registered)


def of_plan(plan: pd.DataFrame) -> list[str]:
    """Return the names of the figures that the runs of a plan can fill."""
    known, there = {*tables.of_plan(plan)}, {*plan["experiment"].unique()}
    return [
        name
        for name, entry in every().items()
        if (entry.experiment in there if entry.puzzle else entry.table in known)
    ]


def tables_of(names: Iterable[str]) -> list[str]:
    """Return the tables that figures are drawn from, each once."""
    drawn = (every()[name].table for name in names)
    return list(dict.fromkeys(filter(None, drawn)))


def make(name: str, *content):
    """Draw the figure `name` from its content: a table, or the arrays of a puzzle.

    Raises
    ------
    InputError
        If there is no such figure.
    """
    from antdoku.figures import style

    if name not in every():
        raise InputError(unknown("figure", name, every()))
    entry = every()[name]
    draw = style.styled(entry.draw)
    if entry.puzzle:
        return draw(*content)
    (table,) = content
    return style.no_runs(entry.title) if table.empty else draw(entry.title, table)

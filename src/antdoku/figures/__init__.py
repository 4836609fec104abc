"""Figures: title and table (or arrays of a puzzle) -> Figure, registered where it is defined."""

from collections.abc import Callable
from typing import NamedTuple

import pandas as pd

from antdoku import papers, tables
from antdoku.errors import InputError, unknown
from antdoku.tables.registry import caption_of

FORMATS = ("png", "svg", "pdf")


class Figure(NamedTuple):
    """A figure of a paper, drawn from a table or from the example puzzle."""

    name: str
    draw: Callable  # (title, table) or, of a puzzle, (*arrays) -> matplotlib's Figure
    title: str  # to which most figures add the number of runs; of a puzzle empty
    puzzle: tuple[str, ...]  # arrays of the example puzzle: givens, solution, before, after
    paper: str  # in whose folder it is
    table: str  # that it shows; of a puzzle of no meaning

    @property
    def caption(self) -> str:
        """The text below it on the page."""
        return caption_of(self.draw)


_registered: dict[str, Figure] = {}


def figure(name: str, title: str = "", puzzle: tuple[str, ...] = (), table: str = ""):
    """Return the decorator that registers a function as what draws the figure `name`.

    The figure is that of the paper in whose folder the function is; the docstring starts with its
    caption. It is called with `title` and `table` (by default `name`), or with the arrays `puzzle`
    of the example puzzle, which is shown where there are runs of the paper's own experiment.
    """

    def register(draw):
        paper = papers.of_module(draw.__module__)
        _registered[name] = Figure(name, draw, title, puzzle, paper, table or name)
        return draw

    return register


def every() -> dict[str, Figure]:
    """Return all figures by name: those of no paper, then in the order of the papers."""
    from antdoku.figures import comparison  # noqa: F401, which registers the former

    return papers.registered("figures", _registered)


def of_plan(plan: pd.DataFrame) -> list[str]:
    """Return the names of the figures that the runs of a plan can fill."""
    made, there = {*tables.of_plan(plan)}, {*plan["experiment"]}
    return [
        name
        for name, entry in every().items()
        if (papers.get(entry.paper).own in there if entry.puzzle else entry.table in made)
    ]


def make(name: str, *content):
    """Draw the figure `name` from its content: a table, or the arrays of a puzzle."""
    from antdoku.figures import style

    if name not in (known := every()):
        raise InputError(unknown("figure", name, known))
    entry = known[name]
    if not entry.puzzle:
        if content[0].empty:
            return style.no_runs(entry.title)
        content = entry.title, *content
    return style.styled(entry.draw)(*content)

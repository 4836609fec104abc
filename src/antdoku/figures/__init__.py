"""Figures: declared in `figures.yaml` files, drawn from a table or from the example puzzle.

Listing the figures imports no matplotlib. `draw` names a function of (title, table, looks) in
`figures.py` beside the file of the paper; general figures are drawn by `figures.comparison`, and
figures of the example puzzle by `figures.puzzles`.
"""

import inspect
import json
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import Factory, field, frozen

from antdoku import papers, yaml_files
from antdoku.errors import InputError, naming_extra, require, unknown
from antdoku.registry import Registry

if TYPE_CHECKING:
    import pandas as pd

require("plot", "matplotlib", "pandas", "pyarrow", "scipy")  # of all modules of this folder
FORMATS = ("png", "svg", "pdf")
NARROW = "narrow.svg"  # of the same figure for a phone
FILE = "figures.yaml"


@frozen
class Figure:
    """A figure as `figures.yaml` declares it, by its name."""

    name: str
    paper: str  # the paper in whose folder it is; empty: any configuration may have it
    draw: str  # name of the function
    caption: str  # below it on the page; code in double backticks
    heading: str = ""  # above it on the page: ``Figure 1``
    # Above it in the picture; most figures add the number of runs.
    title: str = Factory(lambda self: self.heading or self.name, takes_self=True)
    group: str = Factory(lambda self: self.paper, takes_self=True)  # a key of `papers.groups()`
    table: str = Factory(lambda self: self.name, takes_self=True)  # the table that it shows
    # Arrays of the example puzzle (givens, solution, before, after), for a figure of the puzzle. It
    # is shown where there are runs of the paper's own experiment on given puzzles.
    puzzle: list[str] = field(factory=list, eq=False)


LONGEST_CAPTION = 330  # characters


def files() -> list[Path]:
    """Return the files that declare figures: of any configuration, then of the papers."""
    return [Path(__file__).with_name(FILE), *papers.with_file(FILE)]


@papers.cached
def every() -> Registry:
    """Return all figures by name: the general ones, then the figures of each paper."""
    figures = Registry("figure", Figure)
    for file in files():
        paper = "" if file.parent == Path(__file__).parent else file.parent.name
        entries = yaml_files.read(file, "my_figure: {caption: ...}")
        for name, entry in entries.items():
            figure = yaml_files.build(Figure, entry, file, name, name=name, paper=paper)
            if name in figures:
                text = "there is another figure of this name; rename one of the two"
                raise yaml_files.mistake(text, file, name)
            figures.enter(name, figure)
    return figures


def puzzle(givens, ax=None, title=None, size=None):
    """Draw a puzzle in its own symbols; of a result the solution, with the givens in bold.

    Parameters
    ----------
    givens : Puzzle, Result, or what `antdoku.read` takes
    ax : Axes, optional
        The axes of Matplotlib to draw into; by default axes of a new figure.
    title : str, optional
        The text above the grid; by default the number of givens. An empty text leaves it out.
    size : float, optional
        Side of the grid in inches, for a new figure; by default at least 3.6, and 0.2 a cell.

    Returns
    -------
    Figure
        The figure of the axes.

    Raises
    ------
    InputError
        If there are several puzzles, if `size` is no positive number or stands beside `ax`, or if
        Matplotlib is not installed.
    """
    with naming_extra("plot"):
        from antdoku.figures import puzzles
    return puzzles.puzzle(givens, ax, title, size)


def of_plan(plan: "pd.DataFrame") -> list[str]:
    """Return the names of the figures that the runs of a plan can fill."""
    from antdoku import tables

    filled = {*tables.of_plan(plan)}
    on_puzzles = {*plan.loc[~tables.registry.is_random(plan), "experiment"]}
    return [
        name
        for name, entry in every().items()
        if (papers.get(entry.paper).own in on_puzzles if entry.puzzle else entry.table in filled)
    ]


def content(name: str, data: Mapping[str, Path], puzzle: Path) -> list:
    """Return what a figure shows: its table, or arrays of the example puzzle (`runs.example`).

    `data` are CSV files by the names of their tables, `puzzle` is a file of JSON.
    """
    import numpy as np

    from antdoku import tables

    entry = every()[name]
    if not entry.puzzle:
        return [tables.read(entry.table, data[entry.table])]
    arrays = json.loads(Path(puzzle).read_text())
    return [np.array(arrays[key]) for key in entry.puzzle]


def make(name: str, *content, looks: dict | None = None, is_narrow: bool = False, scope: str = ""):
    """Return the figure `name` (of Matplotlib), drawn from its table or arrays of a puzzle.

    `looks` are colours and markers by variant (`style.looks_of`); by default looks for the variants
    of the table alone. A narrow figure is for phones: its panels stand in one column. `scope`
    stands before the title: whose instances, or which runs, the figure shows.
    """
    import pandas as pd

    from antdoku.figures import style

    entry = every()[name]
    of_paper = function(entry)
    draw = style.styled(style.narrow(of_paper) if is_narrow else of_paper)
    if entry.puzzle:
        return draw(*content)
    (table,) = content
    of_table = style.looks_of(pd.Series(table.get("variant", [])).dropna())
    all_looks = of_table | (looks or {})
    with papers.errors_in_one_line(entry.paper, name, of_paper):
        fig = style.no_runs(entry.title) if table.empty else draw(entry.title, table, all_looks)
    if scope:
        style.set_title(fig, f"{scope}: {fig.get_suptitle()}")
    return fig


def write(picture: Path, *content, looks: dict | None = None, scope: str = "") -> None:
    """Write the figure of the name of `picture` (PNG) in all formats, and narrow; as `make`."""
    from antdoku.figures import style

    for is_narrow, file in ((False, picture), (True, picture.with_suffix(f".{NARROW}"))):
        options = {"looks": looks, "is_narrow": is_narrow, "scope": scope}
        drawn = make(picture.stem, *content, **options)
        style.save(drawn, file if is_narrow else file.with_suffix(""))


def function(entry: Figure) -> Callable:
    """Return the function that draws a figure; raise `InputError` if there is none."""
    if entry.paper and not entry.puzzle:
        module = papers.module(papers.get(entry.paper).folder / "figures.py")
    else:
        module = import_module(f"antdoku.figures.{'puzzles' if entry.puzzle else 'comparison'}")
    if not hasattr(module, entry.draw):
        functions = inspect.getmembers(module, inspect.isfunction)
        ours = [name for name, value in functions if value.__module__ == module.__name__]
        names = [name for name in ours if not name.startswith("_")]
        folder = papers.get(entry.paper).folder if entry.paper else Path(__file__).parent
        text = unknown("function", entry.draw, names)
        raise yaml_files.mistake(text, folder / FILE, entry.name, "draw")
    draw, arguments = getattr(module, entry.draw), entry.puzzle or ("title", "table", "looks")
    try:
        inspect.signature(draw).bind(*arguments)
    except TypeError as error:
        text = f"{entry.draw} must take {', '.join(arguments)}: {error}"
        raise InputError(text, papers.place_of(entry.name, draw)) from None
    return draw

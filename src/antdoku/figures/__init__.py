"""Figures: title and DataFrame (or puzzle) -> Figure.

`make` finds a figure by its name and draws it in the only style (`figures.style`). The data figures
take the table of the same name (`antdoku.tables`); the others are drawn from a puzzle. What figures
a paper has, and what draws them, says its folder (`papers.Figure`); here is what papers share.

The modules that draw are imported when a figure is drawn: the workflow asks for names whenever it
starts, and Matplotlib takes most of a second.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from antdoku import papers
from antdoku.errors import InputError

FORMATS = ("png", "pdf", "svg")


def every() -> dict[str, papers.Figure]:
    """All figures by name, in the order of the papers."""
    return {name: figure for paper in papers.every() for name, figure in paper.figures.items()}


def of_puzzle(experiments: Iterable[str]) -> list[str]:
    """Names of the figures that show the example puzzle, of the papers of these experiments."""
    known = {*experiments}
    run = [paper for paper in papers.every() if paper.own in known]
    return [name for paper in run for name, figure in paper.figures.items() if figure.of_puzzle]


def modules(chosen: Iterable[str]) -> set[str | Path]:
    """What draws these figures, as `sources.fingerprint` takes it."""
    return {
        f"figures.{module}" if module else paper.folder / "figures.py"
        for paper in papers.every()
        for name, figure in paper.figures.items()
        if name in chosen
        for module in [figure.by.rpartition(".")[0]]
    }


def make(name: str, *content):
    """Draw the figure `name` from its content: a table, or the arrays of a puzzle.

    Raises
    ------
    InputError
        If there is no such figure.
    """
    if name not in every():
        raise InputError(f"figure {name!r}: unknown: allowed are {', '.join(every())}")
    from antdoku.figures import style

    figure = every()[name]
    draw = style.styled(drawn_by(name))
    if figure.of_puzzle:
        return draw(*content)
    (table,) = content
    with style.labels_of(table):
        return style.no_runs(figure.title) if table.empty else draw(figure.title, table)


def drawn_by(name: str) -> Callable:
    """The function that draws a figure: one of its paper's folder, or a common one."""
    paper = next(paper for paper in papers.every() if name in paper.figures)
    module, _, function = paper.figures[name].by.rpartition(".")
    where = f"{__name__}.{module}" if module else f"{papers.__name__}.{paper.name}.figures"
    return getattr(import_module(where), function)

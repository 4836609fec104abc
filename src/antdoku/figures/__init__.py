"""Figures, one module per paper: DataFrame (or puzzle) -> Figure. `style` is the only style.

`make` finds a figure by its name. The data figures take the table of the same name
(`antdoku.tables`); the others are drawn from a puzzle.
"""

from antdoku.errors import InputError
from antdoku.figures import beyond, lewis, lloyd_amos, puzzles, soto
from antdoku.figures.style import save

PUZZLE_FIGURES = {
    "lloyd_amos_fig1": puzzles.puzzle_and_solution,  # givens, solution
    "lloyd_amos_fig2": puzzles.units_and_peers,  # givens
    "lloyd_amos_fig3": puzzles.value_sets,  # givens, candidates before, candidates after
    "lewis_fig1": puzzles.puzzle_and_solution,  # givens, solution
}
DATA_FIGURES = {
    "lloyd_amos_fig4": lloyd_amos.fig4,
    "lloyd_amos_fig5": lloyd_amos.fig5,
    "lloyd_amos_fig6": lloyd_amos.fig6,
    "lloyd_amos_fig7": lloyd_amos.fig7,
    "lloyd_amos_fig8": lloyd_amos.fig8,
    "lloyd_amos_fig9": lloyd_amos.fig9,
    "lewis_fig2": lewis.fig2,
    "lewis_fig3": lewis.fig3,
    "soto_2013_fig4": soto.fig4,
    "beyond_phase_transition": beyond.phase_transition,
    "beyond_run_times": beyond.run_times,
    "beyond_cactus": beyond.cactus,
    "beyond_stagnation": beyond.stagnation,
    "beyond_generators": beyond.generators,
    "beyond_sensitivity": beyond.sensitivity,
}
FIGURES = PUZZLE_FIGURES | DATA_FIGURES

__all__ = ["DATA_FIGURES", "FIGURES", "PUZZLE_FIGURES", "make", "names", "save"]


def names() -> list[str]:
    """Names of the figures that `make` knows."""
    return list(FIGURES)


def make(name: str, *content):
    """Draw the figure `name` from its content: a table, or the arrays of a puzzle.

    Raises
    ------
    InputError
        If there is no such figure.
    """
    if name not in FIGURES:
        raise InputError(f"figure {name!r}: unknown: allowed are {', '.join(FIGURES)}")
    return FIGURES[name](*content)

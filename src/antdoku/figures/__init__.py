"""Figures, one module per paper: title and DataFrame (or puzzle) -> Figure.

`make` finds a figure by its name and draws it in the only style (`figures.style`). The data figures
take the table of the same name (`antdoku.tables`); the others are drawn from a puzzle.

What draws a figure stands here as text, ``module.function``, and is imported when it is drawn: the
workflow asks for names whenever it starts, and Matplotlib takes most of a second.
"""

from collections.abc import Iterable
from importlib import import_module

from antdoku.errors import InputError

FORMATS = ("png", "pdf", "svg")
PUZZLE_FIGURES = {
    "lloyd_amos_fig1": "puzzles.puzzle_and_solution",  # givens, solution
    "lloyd_amos_fig2": "puzzles.units_and_peers",  # givens
    "lloyd_amos_fig3": "puzzles.value_sets",  # givens, candidates before, candidates after
    "lewis_fig1": "puzzles.puzzle",  # givens
}
PROPAGATION = "Initial propagation of random instances"
TABU_AND_GA = "AC3-tabu and genetic algorithm (GA)"
DATA_FIGURES = {  # the title, to which most figures add the number of runs, and what draws them
    "lloyd_amos_fig4": ("Named 9 × 9 puzzles", "lloyd_amos.fig4"),
    "lloyd_amos_fig5": ("Random 9 × 9 instances", "panels.one_order"),
    "lloyd_amos_fig6": ("Random 16 × 16 instances", "panels.one_order"),
    "lloyd_amos_fig7": ("Random 25 × 25 instances", "panels.one_order"),
    "lloyd_amos_fig8": (PROPAGATION, "lloyd_amos.fig8"),
    "lloyd_amos_fig9": ("Best-value evaporation (BVE)", "panels.all_orders"),
    "lewis_fig2": (PROPAGATION, "lewis.fig2"),
    "lewis_fig3": ("Annealing (SA) and hybrid (CP+SA)", "lewis.fig3"),
    "soto_2013_table2": (f"{TABU_AND_GA}: solved runs", "soto.table2"),
    "soto_2013_fig4": (f"{TABU_AND_GA}: times of the solved runs", "soto.fig4"),
    "beyond_phase_transition": (
        "Phase transition: all solvers on random instances",
        "beyond.phase_transition",
    ),
    "beyond_work": ("What more work buys at hard points", "beyond.work_curves"),
    "beyond_run_times": (
        "Run-time distributions at the hardest point of each order",
        "beyond.run_times",
    ),
    "beyond_cactus": ("Cactus plot: all random instances of all orders", "beyond.cactus"),
    "beyond_stagnation": ("Stagnation of ACS at the hardest point", "beyond.stagnation"),
    "beyond_generators": ("Does the generator matter?", "beyond.generators"),
    "beyond_sensitivity": ("Parameters of ACS", "beyond.sensitivity"),
    "frontier_phase_transition": ("Phase transition of large grids", "frontier.phase_transition"),
    "frontier_growth": ("The hardest point of large grids", "frontier.growth"),
    "frontier_run_times": ("Run-time distributions at the hardest point", "beyond.run_times"),
}
FIGURES = PUZZLE_FIGURES | DATA_FIGURES


def names() -> list[str]:
    """Names of the figures that `make` knows."""
    return list(FIGURES)


def modules(figures: Iterable[str]) -> set[str]:
    """Modules that draw these figures, below the package: ``figures.lewis``."""
    return {f"figures.{_drawn_by(name).partition('.')[0]}" for name in figures}


def make(name: str, *content):
    """Draw the figure `name` from its content: a table, or the arrays of a puzzle.

    Raises
    ------
    InputError
        If there is no such figure.
    """
    if name not in FIGURES:
        raise InputError(f"figure {name!r}: unknown: allowed are {', '.join(FIGURES)}")
    from antdoku.figures import style

    module, _, function = _drawn_by(name).partition(".")
    draw = style.styled(getattr(import_module(f"{__name__}.{module}"), function))
    if name in PUZZLE_FIGURES:
        return draw(*content)
    (table,), (title, _) = content, DATA_FIGURES[name]
    with style.labels_of(table):
        return style.no_runs(title) if table.empty else draw(title, table)


def _drawn_by(name):
    return PUZZLE_FIGURES[name] if name in PUZZLE_FIGURES else DATA_FIGURES[name][1]

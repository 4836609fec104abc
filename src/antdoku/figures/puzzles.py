"""Pictures of a puzzle, for several papers.

`givens` is a puzzle or anything that `antdoku.read` takes, or a `Result`; so is `solution`. Arrays
hold whole numbers of shape (c,) or (d, d): values 1 .. d, 0 for a blank cell. Values are drawn in
the symbols of the puzzle.
"""

import math
from numbers import Real

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from antdoku.errors import InputError
from antdoku.figures import style
from antdoku.puzzle.grid import Puzzle, flaw, peers, units, units_of_cell
from antdoku.puzzle.symbols import numbers
from antdoku.reading.sources import read

MARGIN = 0.27  # inches above a grid, for the title
CELL = 0.2  # inches: the smallest side of a cell in a picture of one puzzle
POINTS = 72  # of an inch


@style.styled
def puzzle(
    givens, ax: Axes | None = None, title: str | None = None, size: float | None = None
) -> Figure:
    """Draw a puzzle or a result in its own symbols, see `antdoku.figures.puzzle`."""
    drawn = _read(givens)
    if not isinstance(ax, Axes | None):
        raise InputError("ax: must be axes; antdoku.figures.puzzles.puzzle_and_solution draws two")
    if not isinstance(title, str | None):
        raise InputError(f"title {title!r}: must be a text")
    is_size = isinstance(size, Real) and not isinstance(size, bool) and 0 < size < math.inf
    if size is not None and (ax is not None or not is_size):
        raise InputError(f"size {size!r}: must be a number of inches, without ax")
    solution = getattr(givens, "solution", None)
    is_solved = isinstance(solution, np.ndarray)  # a result
    kind = "solution" if is_solved else "puzzle"
    n_given = f"{drawn.n_givens} of {drawn.n_cells} cells are given"
    title = f"A {kind}: {n_given}" if title is None else title
    if ax is None:
        side = size or max(style.PAGE_WIDTH / 2, CELL * drawn.size)
        ax = style.figure(title, side, side + MARGIN).subplots()
    else:
        ax.set_title(title, color=style.ink_on(ax.figure), parse_math=False)
        side = min(ax.bbox.size) / ax.figure.dpi
    _draw_grid(ax, drawn.size)
    if not isinstance(ax.figure, style.Shown):  # which may have another ground
        _mark(ax, range(drawn.n_cells), inset=-0.06, fc=style.GROUND, zorder=0)
    values = solution.ravel() if is_solved else drawn.givens
    _write_values(ax, values, drawn, 0.4 * POINTS * side / drawn.size)
    return ax.figure


@style.styled
def puzzle_and_solution(givens, solution) -> Figure:
    """Draw a puzzle and its solution side by side, givens bold."""
    puzzle, solution = _read(givens), _read(solution, "solution").givens
    if reason := flaw(puzzle, solution):
        raise InputError(f"not a solution of the puzzle: {reason}", puzzle.name)
    title = f"A Sudoku with {np.count_nonzero(puzzle.givens)} given cells, and its solution"
    fig, (left, right) = _empty_grids(title, puzzle.givens, height=2.9)
    left.set_title("(a) Puzzle")
    right.set_title("(b) Solution")
    _write_values(left, puzzle.givens, puzzle)
    _write_values(right, solution, puzzle)
    return fig


@style.styled
def units_and_peers(givens) -> Figure:
    """Draw the three units of the cell in row n + 1 and column n + 1, and its peers."""
    puzzle = _read(givens)
    givens, order = puzzle.givens, puzzle.order
    cell = order**3 + order
    n_peers = len(peers(order)[cell])
    title = f"Each cell has three units, and {n_peers} peers: the other cells of its units"
    fig, (left, right) = _empty_grids(title, givens, height=3.85)
    left.set_title("(a) The units of one cell")
    right.set_title("(b) Its peers")
    for number, (shade, line) in zip(units_of_cell(order)[cell], style.UNITS.values()):
        unit = units(order)[number]
        # Cells of two units keep the shade of the box, drawn last; the outlines show all three.
        _mark(left, unit, fc=shade, zorder=1)
        _mark(left, unit, inset=0.05, fc="none", ec=line, lw=1.5, zorder=4)
    for peer in peers(order)[cell]:
        _mark(right, [peer], fc=style.PEER_COLOR, zorder=1)
    for ax in (left, right):
        _write_values(ax, givens, puzzle)
        _mark(ax, [cell], fc="none", ec=style.CELL_COLOR, lw=2.2, zorder=4)
        ax.set_ylim(puzzle.size + 0.5, -0.06)
    _name_units(left, order)
    return fig


def _name_units(ax, order):
    """Write the names of the units of the cell in row and column n + 1."""
    middle, corner, outside = order + 0.5, 2 * order - 0.5, order**2 + 0.15
    ax.text(outside, middle, "row", va="center", weight="bold")
    ax.text(middle, outside, "column", ha="center", va="top", weight="bold")
    ax.text(corner, corner, "box", ha="center", va="center", weight="bold")


@style.styled
def value_sets(givens, before, after) -> Figure:
    """Draw the value sets of the cells before and after the initial propagation.

    Column v - 1 of `before` and `after`, bool of shape (c, d), tells whether a cell can still be v.
    """
    puzzle = _read(givens)
    givens = puzzle.givens
    means = [np.sum(sets, axis=1).mean() for sets in (before, after)]
    title = f"Propagation leaves {means[1]:.2f} of {means[0]:.2f} values per cell"
    fig, axes = _empty_grids(title, givens, height=4.1)
    for ax, name, sets in zip(axes, ("(a) Before", "(b) After"), (before, after)):
        sizes = np.sum(sets, axis=1)
        ax.set_title(f"{name} propagation")
        single = np.where(sizes == 1, np.argmax(sets, axis=1) + 1, 0)
        _write_values(ax, np.where(givens > 0, givens, single), puzzle)
        _write_sets(ax, sets, single, puzzle)
    colors = {"given": style.INK, "fixed by propagation": style.DEDUCED_COLOR}
    for name, color in (colors | {"values still possible": style.MUTED}).items():
        style.explain(fig, name, area=True, fc=color, lw=0)
    style.legend(fig)
    return fig


def _read(given, of_result="puzzle") -> Puzzle:
    """Return an array, a puzzle, or a part of a result, as a puzzle."""
    cells = getattr(given, of_result, given)
    if cells is None and of_result == "solution":
        raise InputError("there is no solution to draw")
    if isinstance(cells, np.ndarray):
        return Puzzle.checked(math.isqrt(math.isqrt(cells.size)), cells.ravel(), "", None)
    puzzle, *surplus = read(cells, rules=False, column="solution")
    if surplus:
        raise InputError(f"{1 + len(surplus)} puzzles where one is wanted")
    return puzzle


def _empty_grids(title, givens, height=3.85):
    """Return a figure with two empty grids and their axes: a cell is a unit, rows go down."""
    fig = style.figure(title, height=height)
    axes = style.panels_in_row(fig, 2)
    for ax in axes:
        _draw_grid(ax, math.isqrt(len(givens)))
    return fig, axes


def _draw_grid(ax, size):
    """Draw the lines of an empty grid."""
    thin = {"lw": 0.5, "color": style.MUTED, "zorder": 2}
    thick = {"lw": 1.4, "color": style.INK, "zorder": 3}
    ax.set(xlim=(-0.06, size + 0.06), ylim=(size + 0.06, -0.06), aspect="equal")
    ax.axis("off")
    for step, line in ((1, thin), (math.isqrt(size), thick)):
        positions = np.arange(0, size + 1, step)
        ax.vlines(positions, 0, size, capstyle="projecting", **line)
        ax.hlines(positions, 0, size, capstyle="projecting", **line)


def _mark(ax, cells, inset=0.0, **kwargs):
    """Draw the rectangle around some cells, smaller by `inset` on each side."""
    rows, columns = np.divmod(np.asarray(cells), round(ax.get_xlim()[1]))
    corner = columns.min() + inset, rows.min() + inset
    sides = np.ptp(columns) + 1 - 2 * inset, np.ptp(rows) + 1 - 2 * inset
    ax.add_patch(Rectangle(corner, *sides, **{"lw": 0} | kwargs))


def _signs(puzzle):
    return (puzzle.symbols or numbers(puzzle.order)).signs


def _write_values(ax, values, puzzle, fontsize=None):
    """Write the values of cells, givens in bold."""
    fontsize = fontsize or 120 / (puzzle.size + 2)
    signs = _signs(puzzle)
    for cell in np.flatnonzero(values):
        row, column = divmod(int(cell), puzzle.size)
        given = {"weight": "bold", "color": style.INK}
        kwargs = given if puzzle.givens[cell] else {"color": style.DEDUCED_COLOR}
        _write(ax, column + 0.5, row + 0.52, signs[values[cell]], fontsize=fontsize, **kwargs)


def _write_sets(ax, sets, single, puzzle):
    """Write the candidates of the open cells, n to a line, each at its own place."""
    size = sets.shape[1]
    order = math.isqrt(size)
    positions = (np.arange(order) + 0.5) / order * 0.86 + 0.07
    signs = _signs(puzzle)
    for cell, value in np.argwhere(sets & (single == 0)[:, None]):
        x, y = (
            cell % size + positions[value % order],
            cell // size + positions[value // order] + 0.01,
        )
        _write(ax, x, y, signs[value + 1], fontsize=218 / (size * order + 2), color=style.MUTED)


def _write(ax, x, y, sign, **kwargs):
    # The grid fixes the layout; measuring every digit would only cost time.
    ax.text(x, y, sign, ha="center", va="center_baseline", **kwargs).set_in_layout(False)

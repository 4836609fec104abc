"""Pictures of a puzzle, for several papers.

`givens` is a puzzle or anything that `antdoku.read` takes, or a `Result`; so is `solution`. Arrays
hold whole numbers of shape (c,) or (d, d): values 1 .. d, 0 for a blank cell.
"""

import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from antdoku.errors import InputError
from antdoku.figures import style
from antdoku.puzzle.grid import Puzzle, peers, units, units_of_cell
from antdoku.puzzle.reading import read


@style.styled
def puzzle(givens) -> Figure:
    """Draw a puzzle alone."""
    givens = _values(givens)
    fig, (ax,) = _empty_grids(f"A puzzle: {_given(givens)}", givens, panels=1)
    _write_values(ax, givens, givens)
    return fig


@style.styled
def puzzle_and_solution(givens, solution) -> Figure:
    """Draw a puzzle and its solution side by side, givens bold."""
    givens, solution = _values(givens), _values(solution, "solution")
    fig, (left, right) = _empty_grids("A puzzle and its solution", givens)
    left.set_title(f"(a) puzzle: {_given(givens)}")
    right.set_title("(b) solution")
    _write_values(left, givens, givens)
    _write_values(right, solution, givens)
    return fig


@style.styled
def units_and_peers(givens) -> Figure:
    """Draw the three units of the cell in row n + 1 and column n + 1, and its peers."""
    givens = _values(givens)
    order = math.isqrt(math.isqrt(len(givens)))
    cell = order**3 + order
    fig, (left, right) = _empty_grids("Units and peers of a cell", givens, height=4.1)
    left.set_title("(a) its units")
    right.set_title(f"(b) its {len(peers(order)[cell])} peers")
    style.explain(fig, "the cell", area=True, fc="none", ec=style.CELL_COLOR, lw=1.5)
    for number, (name, (shade, line)) in zip(units_of_cell(order)[cell], style.UNITS.items()):
        unit = units(order)[number]
        # Cells of two units keep the shade of the box, drawn last; the outlines show all three.
        _mark(left, unit, fc=shade, zorder=1)
        _mark(left, unit, inset=0.05, fc="none", ec=line, lw=1.5, zorder=4)
        style.explain(fig, name, area=True, fc=shade, ec=line, lw=1.3)
    for peer in peers(order)[cell]:
        _mark(right, [peer], fc=style.PEER_COLOR, zorder=1)
    style.explain(fig, "peers", area=True, fc=style.PEER_COLOR, lw=0)
    for ax in (left, right):
        _write_values(ax, givens, givens)
        _mark(ax, [cell], fc="none", ec=style.CELL_COLOR, lw=1.5, zorder=4)
    style.legend(fig)
    return fig


@style.styled
def value_sets(givens, before, after) -> Figure:
    """Draw the value sets of the cells before and after the initial propagation.

    Column v - 1 of `before` and `after`, bool of shape (c, d), tells whether a cell can still be v.
    """
    givens = _values(givens)
    fig, axes = _empty_grids("Value sets and constraint propagation", givens, height=4.1)
    for ax, name, sets in zip(axes, ("(a) before", "(b) after"), (before, after)):
        sizes = np.sum(sets, axis=1)
        ax.set_title(f"{name} propagation: {sizes.mean():.2f} values per cell")
        single = np.where(sizes == 1, np.argmax(sets, axis=1) + 1, 0)
        _write_values(ax, np.where(givens > 0, givens, single), givens)
        _write_sets(ax, sets, single)
    colors = {"given": style.INK, "fixed by propagation": style.DEDUCED_COLOR}
    for name, color in (colors | {"values still possible": style.MUTED}).items():
        style.explain(fig, name, area=True, fc=color, lw=0)
    style.legend(fig)
    return fig


def _values(given, of_result="puzzle"):
    """Return the cells of an array, a puzzle, or a part of a result."""
    cells = getattr(given, of_result, given)
    if cells is None:
        raise InputError("there is no solution to draw")
    if not isinstance(cells, Puzzle | np.ndarray):
        cells, *surplus = read(cells, rules=False, column="solution")
        if surplus:
            raise InputError(f"{1 + len(surplus)} puzzles where one is wanted")
    return np.ravel(getattr(cells, "givens", cells))


def _given(givens):
    return f"{np.count_nonzero(givens)} of {len(givens)} cells are given"


def _empty_grids(title, givens, panels=2, height=3.85):
    """Return a figure with empty grids and their axes: a cell is a unit, rows go down."""
    fig = style.figure(title, panels * style.PAGE_WIDTH / 2, height)
    axes = fig.subplots(1, panels, squeeze=False)[0]
    size = math.isqrt(len(givens))
    order = math.isqrt(size)
    thin = {"lw": 0.5, "color": style.MUTED, "zorder": 2}
    thick = {"lw": 1.4, "color": style.INK, "zorder": 3}
    for ax in axes:
        ax.set(xlim=(-0.06, size + 0.06), ylim=(size + 0.06, -0.06), aspect="equal")
        ax.axis("off")
        for step, line in ((1, thin), (order, thick)):
            positions = np.arange(0, size + 1, step)
            ax.vlines(positions, 0, size, capstyle="projecting", **line)
            ax.hlines(positions, 0, size, capstyle="projecting", **line)
    return fig, axes


def _mark(ax, cells, inset=0.0, **kwargs):
    """Draw the rectangle around some cells, smaller by `inset` on each side."""
    rows, columns = np.divmod(np.asarray(cells), round(ax.get_xlim()[1]))
    corner = columns.min() + inset, rows.min() + inset
    sides = np.ptp(columns) + 1 - 2 * inset, np.ptp(rows) + 1 - 2 * inset
    ax.add_patch(Rectangle(corner, *sides, **{"lw": 0} | kwargs))


def _write_values(ax, values, givens):
    """Write the values of cells, givens in bold."""
    size = math.isqrt(len(values))
    for cell in np.flatnonzero(values):
        row, column = divmod(int(cell), size)
        given = {"weight": "bold", "color": style.INK}
        kwargs = given if givens[cell] else {"color": style.DEDUCED_COLOR}
        _write(ax, column + 0.5, row + 0.52, values[cell], fontsize=120 / (size + 2), **kwargs)


def _write_sets(ax, sets, single):
    """Write the candidates of the open cells, n to a line, each at its own place."""
    size = sets.shape[1]
    order = math.isqrt(size)
    positions = (np.arange(order) + 0.5) / order * 0.86 + 0.07
    for cell, value in np.argwhere(sets & (single == 0)[:, None]):
        x, y = (
            cell % size + positions[value % order],
            cell // size + positions[value // order] + 0.01,
        )
        _write(ax, x, y, value + 1, fontsize=218 / (size * order + 2), color=style.MUTED)


def _write(ax, x, y, value, **kwargs):
    # The grid fixes the layout; measuring every digit would only cost time.
    ax.text(x, y, str(value), ha="center", va="center_baseline", **kwargs).set_in_layout(False)

"""Pictures of a puzzle, drawn from its arrays, for several papers.

`givens` and `solution` are whole numbers of shape (c,), row by row, values 1 .. d, 0 for a blank
cell.
"""

import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from antdoku.figures import style
from antdoku.puzzle.grid import peers, units, units_of_cell


def puzzle(givens) -> Figure:
    """A puzzle alone."""
    givens = np.asarray(givens)
    fig, (ax,) = _grid_axes(f"A puzzle: {_given(givens)}", givens, panels=1)
    _write_values(ax, givens, givens)
    return fig


def puzzle_and_solution(givens, solution) -> Figure:
    """A puzzle and its solution side by side, givens bold."""
    givens, solution = np.asarray(givens), np.asarray(solution)
    fig, (left, right) = _grid_axes("A puzzle and its solution", givens)
    left.set_title(f"(a) puzzle: {_given(givens)}")
    right.set_title("(b) solution")
    _write_values(left, givens, givens)
    _write_values(right, solution, givens)
    return fig


def units_and_peers(givens) -> Figure:
    """The three units of the cell in row n + 1 and column n + 1, and its peers."""
    givens = np.asarray(givens)
    order = _order(givens)
    cell = order**3 + order
    fig, (left, right) = _grid_axes("Units and peers of a cell", givens, height=4.1)
    left.set_title("(a) its units")
    right.set_title(f"(b) its {len(peers(order)[cell])} peers")
    style.explain(fig, "the cell", Rectangle, fc="none", ec=style.CELL_COLOR, lw=1.5)
    for number, (name, (shade, line)) in zip(units_of_cell(order)[cell], style.UNITS.items()):
        # Cells of two units keep the shade of the box, drawn last; the outlines show all three.
        _shade(left, units(order)[number], shade)
        _outline(left, units(order)[number], line)
        style.explain(fig, name, Rectangle, fc=shade, ec=line, lw=1.3)
    _shade(right, peers(order)[cell], style.PEER_COLOR)
    style.explain(fig, "peers", Rectangle, fc=style.PEER_COLOR, lw=0)
    for ax in (left, right):
        _write_values(ax, givens, givens)
        _outline(ax, [cell], style.CELL_COLOR, inset=0)
    style.legend(fig)
    return fig


def value_sets(givens, before, after) -> Figure:
    """Value sets of the cells before and after the initial propagation.

    Parameters
    ----------
    before, after : array_like of bool, shape (c, d)
        Column v - 1 tells whether the cell can still be v.
    """
    givens = np.asarray(givens)
    fig, axes = _grid_axes("Value sets and constraint propagation", givens, height=4.1)
    for ax, name, sets in zip(axes, ("(a) before", "(b) after"), (before, after), strict=True):
        sets = np.asarray(sets, bool)
        ax.set_title(f"{name} propagation: {sets.sum(axis=1).mean():.2f} values per cell")
        single = np.where(sets.sum(axis=1) == 1, sets.argmax(axis=1) + 1, 0)
        _write_values(ax, np.where(givens > 0, givens, single), givens)
        _write_sets(ax, sets, single)
    colors = {"given": style.INK, "fixed by propagation": style.DEDUCED_COLOR}
    for name, color in (colors | {"values still possible": style.MUTED}).items():
        style.explain(fig, name, Rectangle, fc=color, lw=0)
    style.legend(fig)
    return fig


def _order(givens):
    return math.isqrt(math.isqrt(givens.size))


def _given(givens):
    return f"{np.count_nonzero(givens)} of {givens.size} cells are given"


def _grid_axes(title, givens, panels=2, height=3.85):
    """A figure with empty grids: a cell is a unit of the axes, rows go down."""
    fig = style.figure(title, panels * style.PAGE_WIDTH / 2, height)
    axes = fig.subplots(1, panels, squeeze=False)[0]
    order = _order(givens)
    size = order**2
    for ax in axes:
        ax.set(xlim=(-0.06, size + 0.06), ylim=(size + 0.06, -0.06), aspect="equal")
        ax.axis("off")
        for place in range(size + 1):
            thick = place % order == 0
            look = {"lw": 1.4 if thick else 0.5, "color": style.INK if thick else style.MUTED}
            look |= {"solid_capstyle": "projecting", "zorder": 3 if thick else 2}
            ax.plot([place, place], [0, size], **look)
            ax.plot([0, size], [place, place], **look)
    return fig, axes


def _shade(ax, cells, color):
    for cell in cells:
        row, column = divmod(int(cell), _size(ax))
        ax.add_patch(Rectangle((column, row), 1, 1, color=color, lw=0, zorder=1))


def _outline(ax, cells, color, inset=0.05):
    rows, columns = np.divmod(np.asarray(cells), _size(ax))
    corner = columns.min() + inset, rows.min() + inset
    sides = np.ptp(columns) + 1 - 2 * inset, np.ptp(rows) + 1 - 2 * inset
    ax.add_patch(Rectangle(corner, *sides, fill=False, lw=1.5, ec=color, zorder=4))


def _write_values(ax, values, givens):
    size = _size(ax)
    for cell in np.flatnonzero(values):
        row, column = divmod(int(cell), size)
        given = {"weight": "bold", "color": style.INK}
        look = given if givens[cell] else {"color": style.DEDUCED_COLOR}
        _text(ax, (column + 0.5, row + 0.52), values[cell], fontsize=120 / (size + 2), **look)


def _write_sets(ax, sets, single):
    """Candidates of the open cells, n to a line, each at its own place."""
    size = _size(ax)
    order = math.isqrt(size)
    places = (np.arange(order) + 0.5) / order * 0.86 + 0.07
    for cell in np.flatnonzero(single == 0):
        row, column = divmod(int(cell), size)
        for value in np.flatnonzero(sets[cell]):
            place = (column + places[value % order], row + places[value // order] + 0.01)
            _text(ax, place, value + 1, fontsize=140 / (size * order + 2), color=style.MUTED)


def _text(ax, place, value, **look):
    # The grid fixes the layout; measuring every digit would only cost time.
    ax.text(*place, str(value), ha="center", va="center_baseline", **look).set_in_layout(False)


def _size(ax):
    return round(ax.get_xlim()[1])

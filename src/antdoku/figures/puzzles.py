"""Pictures of a puzzle, drawn from its arrays, for several papers."""

import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from antdoku.figures import style
from antdoku.puzzle.grid import peers, units, units_of_cell


def puzzle(givens) -> Figure:
    """A puzzle alone: 0 for a blank cell, otherwise as `puzzle_and_solution`."""
    givens = np.asarray(givens)
    fig, (ax,) = _grid_axes(f"A puzzle: {_given(givens)}", givens, panels=1)
    _write_values(ax, givens, givens)
    return fig


def puzzle_and_solution(givens, solution) -> Figure:
    """A puzzle and its solution side by side, givens bold.

    Parameters
    ----------
    givens, solution : array_like of int, shape (c,)
        Row by row, values 1 .. d; 0 for a blank cell of the puzzle.
    """
    givens, solution = np.asarray(givens), np.asarray(solution)
    fig, (left, right) = _grid_axes("A puzzle and its solution", givens)
    left.set_title(f"(a) puzzle: {_given(givens)}")
    right.set_title("(b) solution")
    _write_values(left, givens, givens)
    _write_values(right, solution, givens)
    return fig


def units_and_peers(givens, cell: int | None = None) -> Figure:
    """The three units of a cell, and its peers.

    Parameters
    ----------
    givens : array_like of int, shape (c,)
    cell : int, optional
        Number of the cell, row by row from 0; otherwise row n + 1, column n + 1.
    """
    givens = np.asarray(givens)
    order = _order(givens)
    cell = order**3 + order if cell is None else cell
    fig, (left, right) = _grid_axes("Units and peers of a cell", givens, legend=True)
    left.set_title("(a) its units")
    right.set_title(f"(b) its {len(peers(order)[cell])} peers")
    for look, unit in zip(style.UNITS.values(), units_of_cell(order)[cell], strict=True):
        # Cells of two units keep the shade of the box, drawn last; the outlines show all three.
        _shade(left, units(order)[unit], look.shade)
        _outline(left, units(order)[unit], look.line)
    _shade(right, peers(order)[cell], style.PEER_COLOR)
    for ax in (left, right):
        _write_values(ax, givens, givens)
        _outline(ax, [cell], style.CELL_COLOR, inset=0)
    handles = [Patch(fc="none", ec=style.CELL_COLOR, lw=1.5, label="the cell")]
    for name, look in style.UNITS.items():
        handles.append(Patch(fc=look.shade, ec=look.line, lw=1.3, label=name))
    style.legend(fig, [*handles, Patch(fc=style.PEER_COLOR, label="peers")])
    return fig


def value_sets(givens, before, after) -> Figure:
    """Value sets of the cells before and after the initial propagation.

    Parameters
    ----------
    givens : array_like of int, shape (c,)
    before, after : array_like of bool, shape (c, d)
        Column v - 1 tells whether the cell can still be v.
    """
    givens = np.asarray(givens)
    fig, axes = _grid_axes("Value sets and constraint propagation", givens, legend=True)
    for ax, name, sets in zip(axes, ("(a) before", "(b) after"), (before, after), strict=True):
        sets = np.asarray(sets, bool)
        ax.set_title(f"{name} propagation: {sets.sum(axis=1).mean():.2f} values per cell")
        single = np.where(sets.sum(axis=1) == 1, sets.argmax(axis=1) + 1, 0)
        _write_values(ax, np.where(givens > 0, givens, single), givens)
        _write_sets(ax, sets, single)
    names = {"given": style.INK, "fixed by propagation": style.DEDUCED_COLOR}
    handles = [Patch(facecolor=color, label=name) for name, color in names.items()]
    style.legend(fig, [*handles, Patch(facecolor=style.MUTED, label="values still possible")])
    return fig


def _order(givens):
    return math.isqrt(math.isqrt(givens.size))


def _given(givens):
    return f"{np.count_nonzero(givens)} of {givens.size} cells are given"


def _grid_axes(title, givens, legend=False, panels=2):
    width = panels * style.PAGE_WIDTH / 2
    fig = style.figure(title, width, height=3.85 if not legend else 4.1)
    axes = fig.subplots(1, panels, squeeze=False)[0]
    order = _order(givens)
    size = order**2
    for ax in axes:
        ax.set(xlim=(-0.06, size + 0.06), ylim=(size + 0.06, -0.06), aspect="equal")
        ax.axis("off")
        for place in range(size + 1):
            thick = place % order == 0
            look = {"lw": 1.4 if thick else 0.5, "color": style.INK if thick else style.MUTED}
            look["solid_capstyle"] = "projecting"
            ax.plot([place, place], [0, size], zorder=3 if thick else 2, **look)
            ax.plot([0, size], [place, place], zorder=3 if thick else 2, **look)
    return fig, axes


def _shade(ax, cells, color):
    size = _size(ax)
    for cell in cells:
        row, column = divmod(int(cell), size)
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

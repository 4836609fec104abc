"""The propagation of Lloyd & Amos's published program, for comparisons with its figures.

It does less than the complete closure that their text describes: only cells that share a unit with
a newly set cell are looked at, so a hidden single that arises when another cell loses a candidate
is missed. Their program reads the three units of every cell that it looks at. Here the units know
what would be found there, so that the same visits have the same effects at a fraction of the cost.

State of a grid: one flat array of masks (uint32 up to order 5, uint64 above)

    | candidates of cell 0 .. c-1 | unit 0: taken, lone, 6 words of spare | unit 1 ... |

Bit v of `taken`: a set cell of the unit has value v + 1. `spare` counts, for all values at once,
the cells that have the value as a candidate, less one: bit v of its k-th word is the k-th bit of
that number. Bit v of `lone`: the number is zero, there is one such cell.

Glossary: open = has more than one candidate; rest = values that no set cell of a cell's units has;
frame = a cell that is being set, and how many of its 3d neighbours have been visited so far.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from antdoku.kernels.bits import ONE, full, without_lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.propagation import NONE, geometry, mask_dtype
from antdoku.puzzle.grid import Puzzle, units, units_of_cell

_TAKEN, _LONE, _SPARE = np.uint64(0), np.uint64(1), np.uint64(2)  # words of a unit
_WORDS = np.uint64(8)  # so many; 6 bits are enough to count 64 cells less one
_KINDS = [2, 1, 0]  # box, column, row: the order in which neighbours are visited


class Frames(NamedTuple):
    """Work area of `assign`."""

    stack: np.ndarray  # uint64 (c, 2): cell and number of visits; a cell is set at most once
    neighbours: np.ndarray  # uint32 (c, 3d): the cells that setting a cell visits, in this order


def new_frames(order: int) -> Frames:
    """Work area of `assign`."""
    return Frames(np.empty((order**4, 2), np.uint64), _neighbours(order))


@cache
def _neighbours(order):
    """For j = 0 .. d-1, the j-th cell of the box, of the column and of the row of every cell."""
    members = units(order)[units_of_cell(order)[:, _KINDS]]
    return members.swapaxes(1, 2).reshape(order**4, -1).astype(np.uint32)


def propagated(puzzle: Puzzle) -> tuple[np.ndarray, bool]:
    """Set the givens of `puzzle` one by one; returns the state and whether no cell is empty."""
    state, tables = new_state(puzzle.order), geometry(puzzle.order)
    return state, _load(state, tables, new_frames(puzzle.order), puzzle.givens)


def new_state(order: int) -> np.ndarray:
    """State of a grid, not initialised: flat masks, see the head of the module."""
    return np.empty(order**4 + 3 * order**2 * int(_WORDS), mask_dtype(order))


@kernel
def _load(state, geometry, frames, givens):
    _clear(state, geometry)
    for cell in range(geometry.n_cells):
        if givens[cell] > 0:
            value = np.uint64(givens[cell] - 1)
            if not state[cell] & (ONE << value):
                # An ant could complete the grid with another value here.
                _reduce(state, geometry, cell, NONE)
                return False
            if without_lowest(state[cell]):
                assign(state, geometry, frames, cell, value, False)
    for cell in range(geometry.n_cells):
        if state[cell] == NONE:
            return False
    return True


@inlined
def _clear(state, geometry):
    """Make every value possible everywhere."""
    everything = full(geometry.size)
    for cell in range(geometry.n_cells):
        state[cell] = everything
    for unit in range(geometry.n_units):
        words = geometry.n_cells + unit * _WORDS
        state[words + _TAKEN] = state[words + _LONE] = NONE
        spare = geometry.size - ONE
        for k in range(words + _SPARE, words + _WORDS):
            state[k] = everything if spare & ONE else NONE
            spare >>= ONE


@inlined
def assign(state, geometry, frames, cell, value, strict):
    """Set an open cell to a candidate; constrain its neighbours, each at once and recursively.

    Returns False if `strict` and a cell has lost its last candidate: propagation stops there. Their
    program goes on and looks afterwards; that the cell is empty does not change any more.
    """
    stack, neighbours = frames.stack, frames.neighbours
    n_neighbours = np.uint64(3) * geometry.size
    _set(state, geometry, cell, ONE << value)
    stack[0, 0], stack[0, 1] = cell, NONE
    depth = ONE
    while depth:
        frame = depth - ONE
        n_visits = stack[frame, 1]
        if n_visits == n_neighbours:
            depth = frame
            continue
        stack[frame, 1] = n_visits + ONE
        neighbour = np.uint64(neighbours[stack[frame, 0], n_visits])
        if without_lowest(state[neighbour]):
            only = _constrain(state, geometry, neighbour)
            if strict and state[neighbour] == NONE:
                return False
            if only:
                _set(state, geometry, neighbour, only)
                stack[depth, 0], stack[depth, 1] = neighbour, NONE
                depth += ONE
    return True


@inlined
def _constrain(state, geometry, cell):
    """Reduce the candidates of an open cell; returns the mask of the value it must have, or 0."""
    row, column, box = _units(geometry, cell)
    taken = np.uint64(state[row + _TAKEN] | state[column + _TAKEN] | state[box + _TAKEN])
    rest = full(geometry.size) & ~taken
    if _single(rest):
        return rest
    _reduce(state, geometry, cell, rest)
    return (
        _single(rest & state[row + _LONE])
        or _single(rest & state[column + _LONE])
        or _single(rest & state[box + _LONE])
    )


@inlined
def _set(state, geometry, cell, bit):
    """Give `cell` the value of `bit`."""
    _reduce(state, geometry, cell, bit)
    for words in _units(geometry, cell):
        state[words + _TAKEN] |= bit


@inlined
def _reduce(state, geometry, cell, left):
    """Leave `cell` the candidates `left` and take the others from the counts of its units.

    `left` has no candidate that the cell lacks: the rest of a cell only shrinks, and its candidates
    are the rest that was found at an earlier visit, or all values.
    """
    removed = state[cell] & ~left
    state[cell] = left
    for words in _units(geometry, cell):
        borrow, more = removed, NONE
        for k in range(words + _SPARE, words + _WORDS):
            bits = np.uint64(state[k])
            state[k] = bits ^ borrow
            more |= bits ^ borrow
            borrow &= ~bits
        state[words + _LONE] = ~more


@inlined
def _units(geometry, cell):
    """Where the words of a cell's row, column and box begin."""
    unit_of, first = geometry.unit_of, geometry.n_cells
    row, column, box = unit_of[cell, 0], unit_of[cell, 1], unit_of[cell, 2]
    return first + row * _WORDS, first + column * _WORDS, first + box * _WORDS


@inlined
def _single(mask):
    """`mask` if it has one bit, else 0."""
    return NONE if without_lowest(mask) else np.uint64(mask)

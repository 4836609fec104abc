"""The propagation of Lloyd & Amos's published program, for comparisons with its figures.

It does less than the complete closure that their text describes: only cells that share a unit with
a newly set cell are looked at, so a hidden single that arises when another cell loses a candidate
is missed. Speed is no goal here: a cell is constrained by reading its three units.

Glossary: rest = values that no fixed cell of a cell's units has; frame = a cell that is being set,
and how many of its 3d neighbours have been constrained so far.
"""

import numpy as np

from antdoku.bits import ONE, full, without_lowest
from antdoku.compilation import inlined, kernel
from antdoku.grid import Puzzle
from antdoku.propagation import NONE, geometry, mask_dtype

_KINDS = np.array([2, 1, 0])  # box, column, row: the order in which neighbours are visited


def new_frames(order: int) -> np.ndarray:
    """Stack of frames: int64, shape (c, 2); a cell is set at most once."""
    return np.empty((order**4, 2), np.int64)


def propagated(puzzle: Puzzle) -> tuple[np.ndarray, bool]:
    """Set the givens of `puzzle` one by one; returns the state and whether no cell is empty.

    The state holds the candidate masks only.
    """
    state = np.empty(puzzle.n_cells, mask_dtype(puzzle.order))
    return state, _load(state, geometry(puzzle.order), new_frames(puzzle.order), puzzle.givens)


@kernel
def _load(state, geometry, frames, givens):
    for cell in range(geometry.n_cells):
        state[cell] = full(geometry.size)
    for cell in range(geometry.n_cells):
        if givens[cell] > 0:
            value = np.uint64(givens[cell] - 1)
            if not state[cell] & (ONE << value):
                return False
            if without_lowest(state[cell]):
                assign(state, geometry, frames, cell, value)
    for cell in range(geometry.n_cells):
        if state[cell] == NONE:
            return False
    return True


@kernel
def assign(state, geometry, frames, cell, value):
    """Set an open cell to a candidate; constrain its neighbours, each at once and recursively."""
    state[cell] = ONE << value
    frames[0, 0], frames[0, 1] = cell, 0
    depth = 0
    while depth >= 0:
        step = frames[depth, 1]
        if step == 3 * geometry.size:
            depth -= 1
            continue
        frames[depth, 1] = step + 1
        unit = geometry.unit_of[frames[depth, 0], _KINDS[step % 3]]
        neighbour = np.uint64(geometry.cell_at[unit, step // 3])
        only = _constrain(state, geometry, neighbour)
        if only:
            state[neighbour] = only
            depth += 1
            frames[depth, 0], frames[depth, 1] = neighbour, 0


@inlined
def _constrain(state, geometry, cell):
    """Reduce the candidates of an open cell; returns the mask of the value it must have, or 0."""
    if without_lowest(state[cell]) == NONE:
        return NONE
    cell_at, unit_of = geometry.cell_at, geometry.unit_of
    rest = full(geometry.size)
    for kind in range(3):
        for place in range(geometry.size):
            mask = np.uint64(state[cell_at[unit_of[cell, kind], place]])
            rest &= ~(mask if without_lowest(mask) == NONE else NONE)
    if rest and without_lowest(rest) == NONE:
        return rest
    state[cell] &= rest
    for kind in range(3):
        elsewhere = NONE
        for place in range(geometry.size):
            other = cell_at[unit_of[cell, kind], place]
            elsewhere |= np.uint64(state[other] if other != cell else NONE)
        unique = np.uint64(state[cell]) & ~elsewhere
        if unique and without_lowest(unique) == NONE:
            return unique
    return NONE

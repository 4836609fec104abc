"""The forward check of Musliu & Winter's program: depth-first search with propagation.

Their search does not stop at a contradiction. It skips cells without candidates and values without
places, and goes back only when no open cell has a candidate. Nodes below a contradiction lead to
no solution, but they count, so that a limit of nodes ends this search where it ends theirs.

The root is not propagated. Each choice is propagated to the fixpoint: the first naked single by
cells, or else the first hidden single by rows, columns and boxes, then values. Below a
contradiction this order decides which candidates remain.

Reference: Musliu & Winter 2017, and their published program (`btProcedure`, `cpProcedure`).
"""

import numpy as np

from antdoku.kernels.bits import ONE, full, lowest, without_lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.propagation import CHUNK, NONE, cell_at, clear, is_set, set_cell
from antdoku.kernels.vectors import singles
from antdoku.solvers._depth_first import branch, next_value


@kernel
def visit_root(path, geometry, values):
    """Set up the root from a partial grid (int16, (c,), 0 blank) without conflicts.

    Returns whether the grid is filled.
    """
    state = path.states[0]
    clear(state, geometry)
    for cell in range(geometry.n_cells):
        if values[cell] > 0:
            value = np.uint64(values[cell] - 1)
            set_cell(state, geometry, path.queue, NONE, NONE, np.uint64(cell), value)
    n_queued = _queue_naked_singles(state, geometry, path.queue)
    _, first = _first_naked_single(state, geometry, path.queue, n_queued)
    if first == geometry.n_cells:
        return _branch(path, geometry, 0)
    path.cell[0], path.untried[0] = first, state[first]
    return False


@inlined
def visit_child(path, geometry, level):
    """Make the next choice at `level` and propagate it; return whether the grid is filled."""
    value, state, queue = next_value(path, level), path.states[level + 1], path.queue
    n_queued, changed = NONE, NONE
    if level == 0:
        n_queued, changed = _queue_naked_singles(state, geometry, queue), full(geometry.size)
    n_queued, changed, _ = set_cell(
        state, geometry, queue, n_queued, changed, path.cell[level], value
    )
    _settle(state, geometry, queue, n_queued, changed)
    return _branch(path, geometry, level + 1)


@inlined
def _branch(path, geometry, level):
    """Choose the cell to branch on, if a cell is open; return whether the grid is filled."""
    path.untried[level] = NONE
    if branch(path, geometry, level):
        return False
    for cell in range(geometry.n_cells):
        if path.states[level][cell] == NONE:
            return False
    return True


@inlined
def _settle(state, geometry, queue, n_queued, changed):
    """Set singles, one after the other, until no single is left."""
    while True:
        n_queued, cell = _first_naked_single(state, geometry, queue, n_queued)
        if cell < geometry.n_cells:
            value = lowest(state[cell])
        else:
            changed, cell, value = _first_hidden_single(state, geometry, changed)
            if changed == NONE:
                return
        n_queued, changed, _ = set_cell(state, geometry, queue, n_queued, changed, cell, value)


@inlined
def _queue_naked_singles(state, geometry, queue):
    """Queue all cells that may be naked singles; return their number."""
    n_queued = NONE
    for cell in range(geometry.n_cells):
        queue[n_queued] = cell
        n_queued += np.uint64(without_lowest(state[cell]) == NONE)
    return n_queued


@inlined
def _first_naked_single(state, geometry, queue, n_queued):
    """Drop set and empty cells from `queue`; return its length and its lowest cell (else c)."""
    first, n_left = geometry.n_cells, NONE
    for k in range(n_queued):
        cell = np.uint64(queue[k])
        if state[cell] and not is_set(state, geometry, cell, lowest(state[cell])):
            queue[n_left] = cell
            n_left += ONE
            first = min(first, cell)
    return n_left, first


@inlined
def _first_hidden_single(state, geometry, changed):
    """Find the first unit in which one of the `changed` values has one place.

    Returns `changed` without the values that have no such unit, the cell and the lowest value.
    """
    first, cell, first_value, left = geometry.n_units, NONE, NONE, changed
    while left:
        value = lowest(left)
        left = without_lowest(left)
        places, lone, k = geometry.n_cells + value * geometry.stride, NONE, NONE
        while lone == NONE and k < geometry.stride:
            lone = singles(state, places + k)
            k += CHUNK
        unit = k - CHUNK + lowest(lone)
        if lone == NONE:
            changed &= ~(ONE << value)
        elif unit < first:
            place = lowest(state[places + unit])
            first, cell, first_value = unit, cell_at(geometry, unit, place), value
    return changed, cell, first_value

"""Constraint propagation that all solvers share: naked and hidden singles, incrementally.

State of a grid: one flat array of masks (uint32 up to order 5, uint64 above).

    | candidates of cell 0 .. c-1 | places of value 0 in unit 0 .. 3d-1, 0 .. 0 | value 1 ... |

Bit v of a candidate mask: value v + 1 is possible in the cell. Bit k of a place mask: the value can
still go to the k-th cell of the unit (rows, then columns, then boxes). Both views hold the same
facts, so a naked single is a candidate mask of one bit, a hidden single a place mask of one bit.
The place masks of a value are padded with empty ones to whole vectors: setting a cell clears and
tests all units of its value at once.

A cell that is set keeps one candidate bit, and the place masks of its value in its three units
become empty: nothing changes the cell again. A cell without candidates, or a value without a place
in a unit that lacks it, is a contradiction; the search decides whether that ends it. "Fixed" means
at most one bit: set, or failed.

Order of work: setting a cell only queues the naked singles that it causes and notes which values
have a unit with one place left. When the queue is empty, these values are searched for hidden
singles. The fixpoint does not depend on the order unless a contradiction occurs (Lewis 2007,
section 3). Whether one occurs does not depend on the order either, as both kinds count.
"""

from collections import namedtuple
from functools import cache

import numpy as np

from antdoku.kernels.bits import ONE, count, full, lowest, without_lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.vectors import LANES, keep, singles
from antdoku.puzzle.grid import Puzzle, units, units_of_cell

NONE = np.uint64(0)
CHUNK = np.uint64(LANES)
OWN_UNITS = np.uint64(3)  # row, column and box: setting a cell fills them


Geometry = namedtuple(
    "Geometry", "size n_cells n_units stride unit_of place_of cell_at off_lines kept"
)


@cache
def geometry(order: int) -> Geometry:
    """Return the look-up tables of `order` for kernels: unsigned, so that no index wraps."""
    size, stride = order**2, _stride(order)
    cell_at, unit_of = units(order), units_of_cell(order)
    place_of, kept = np.empty_like(unit_of), np.zeros((size * size, stride), mask_dtype(order))
    related = (unit_of[:, None] == unit_of).any(axis=2)
    for unit, cells in enumerate(cell_at):
        place_of[cells, unit // size] = np.arange(size)
        kept[:, unit] = _masks(~related[:, cells])
    line, column = np.divmod(np.arange(size), order)
    off_lines = (line[:, None] != line) & (column[:, None] != column)
    return Geometry(
        size=np.uint64(size),
        n_cells=np.uint64(size * size),
        n_units=np.uint64(3 * size),
        stride=np.uint64(stride),  # place masks of a value, padding included
        unit_of=unit_of.astype(np.uint32).ravel(),  # row, column, box of each cell
        place_of=place_of.astype(np.uint32).ravel(),  # number of the cell in its row, column, box
        cell_at=cell_at.astype(np.uint32).ravel(),  # cells of each unit
        off_lines=_masks(off_lines),  # by place of a box: the places outside its row and column
        kept=kept.ravel(),  # by cell and unit: places that a value keeps when the cell is set to it
    )


def _stride(order):
    return -(-3 * order**2 // LANES) * LANES


def _masks(bits):
    """Return the masks (uint64) of the rows of a boolean matrix; bit k is column k."""
    return bits @ (ONE << np.arange(bits.shape[1], dtype=np.uint64))


def mask_dtype(order: int) -> type:
    """Return the narrowest type of masks that hold the d values of `order`."""
    return np.uint32 if order <= 5 else np.uint64


def new_state(order: int, n_more: int = 0) -> np.ndarray:
    """Return the state of a grid, not initialised, with `n_more` masks a unit at the end."""
    return np.empty(order**4 + (order**2 + n_more) * _stride(order), mask_dtype(order))


def new_queue(order: int) -> np.ndarray:
    """Return the work array of `assign`: a cell enters as a naked single and again when empty."""
    return np.empty(2 * order**4, np.uint32)


def propagated(puzzle: Puzzle) -> tuple[np.ndarray, bool]:
    """Return the state at the fixpoint or the first contradiction, and whether it is consistent."""
    state, queue = new_state(puzzle.order), new_queue(puzzle.order)
    return state, load(state, geometry(puzzle.order), queue, puzzle.givens)


@kernel
def load(state, geometry, queue, givens):
    """Set up `state` from `givens` (int16, (c,), 0 blank); return False on a contradiction.

    A given that propagation has ruled out before is also a contradiction. Skipping it would solve
    another puzzle.
    """
    clear(state, geometry)
    n_queued, changed = NONE, NONE
    for cell in range(geometry.n_cells):
        if givens[cell] > 0:
            value = np.uint64(givens[cell] - 1)
            if not state[cell] & (ONE << value):
                return False
            n_queued, changed, possible = set_cell(
                state, geometry, queue, n_queued, changed, cell, value
            )
            if not possible:
                return False
    return settle(state, geometry, queue, n_queued, changed, True)


@inlined
def assign(state, geometry, queue, cell, value, strict):
    """Set an open cell to one of its candidates (from 0) and propagate to the fixpoint, in place.

    If `strict`, stop at the first contradiction and return False. Otherwise cells without
    candidates stay empty and propagation goes on, as the ants of Lloyd & Amos do.
    """
    n_queued, changed, possible = set_cell(state, geometry, queue, NONE, NONE, cell, value)
    if strict and not possible:
        return False
    return settle(state, geometry, queue, n_queued, changed, strict)


@inlined
def settle(state, geometry, queue, n_queued, changed, strict):
    """Propagate queued naked singles and hidden singles of `changed` values to the fixpoint."""
    while True:
        while n_queued:
            n_queued -= ONE
            cell = np.uint64(queue[n_queued])
            if state[cell] == NONE:
                if strict:
                    return False
                continue
            value = lowest(state[cell])
            if not is_set(state, geometry, cell, value):
                n_queued, changed, possible = set_cell(
                    state, geometry, queue, n_queued, changed, cell, value
                )
                if strict and not possible:
                    return False
        if changed == NONE:
            return True
        value = lowest(changed)
        changed = without_lowest(changed)
        n_queued, changed, possible = _set_hidden_singles(state, geometry, queue, changed, value)
        if strict and not possible:
            return False


@inlined
def set_cell(state, geometry, queue, n_queued, changed, cell, value):
    """Set `cell` to its candidate `value`, and remove the candidates that this rules out.

    Returns the length of `queue` with the new naked singles, the mask `changed` with the values
    that may have hidden singles now, and False if a value has lost its last place.
    """
    bit = ONE << value
    removed = state[cell] & ~bit
    state[cell] = bit
    possible = True
    while removed:
        value_lost = lowest(removed)
        single, empty = _remove_place(state, geometry, cell, value_lost)
        changed |= np.uint64(single) << value_lost
        possible &= not empty
        removed = without_lowest(removed)

    places = geometry.n_cells + value * geometry.stride
    row, column, box = own_units(geometry, cell)
    in_row = state[places + row] & ~(ONE << place_of(geometry, cell, 0))
    in_column = state[places + column] & ~(ONE << place_of(geometry, cell, 1))
    in_box = state[places + box] & geometry.off_lines[place_of(geometry, cell, 2)]
    hidden, n_emptied, kept = NONE, NONE, cell * geometry.stride
    for k in range(NONE, geometry.stride, CHUNK):
        single, emptied = keep(state, places + k, geometry.kept, kept + k)
        hidden |= single
        n_emptied += count(emptied)
    changed |= np.uint64(hidden != NONE) << value
    possible &= n_emptied == OWN_UNITS
    for unit, mask in ((row, in_row), (column, in_column), (box, in_box)):
        n_queued = _remove_candidates(state, geometry, queue, n_queued, unit, mask, bit)
    return n_queued, changed, possible


@inlined
def _remove_place(state, geometry, cell, value):
    """Take a place from `value`; return whether a unit has at most one place left, and none."""
    places, single, empty = geometry.n_cells + value * geometry.stride, False, False
    for kind in range(3):
        unit = unit_of(geometry, cell, kind)
        left = state[places + unit] & ~(ONE << place_of(geometry, cell, kind))
        state[places + unit] = left
        single |= without_lowest(left) == NONE
        empty |= left == NONE
    return single, empty


@inlined
def _remove_candidates(state, geometry, queue, n_queued, unit, mask, bit):
    """Take a value from the cells of `unit` in `mask`; queue the cells with at most one left."""
    while mask:
        peer = cell_at(geometry, unit, lowest(mask))
        mask = without_lowest(mask)
        left = state[peer] & ~bit
        state[peer] = left
        queue[n_queued] = peer  # stored in any case: no branch to guess
        n_queued += np.uint64(without_lowest(left) == NONE)
    return n_queued


@inlined
def _set_hidden_singles(state, geometry, queue, changed, value):
    """Set the cells that are the only place of `value` in a unit; return as `set_cell` does."""
    n_queued, all_possible = NONE, True
    places = geometry.n_cells + value * geometry.stride
    for k in range(NONE, geometry.stride, CHUNK):
        hidden = singles(state, places + k)
        while hidden:
            unit = k + lowest(hidden)
            hidden = without_lowest(hidden)
            mask = np.uint64(state[places + unit])
            # The cell before may have filled this unit, too.
            if mask:
                cell = cell_at(geometry, unit, lowest(mask))
                n_queued, changed, possible = set_cell(
                    state, geometry, queue, n_queued, changed, cell, value
                )
                all_possible &= possible
    return n_queued, changed, all_possible


@inlined
def own_units(geometry, cell):
    """Return the row, column and box of a cell."""
    return unit_of(geometry, cell, 0), unit_of(geometry, cell, 1), unit_of(geometry, cell, 2)


# The tables are flat: of others Numba would read the strides from memory.


@inlined
def unit_of(geometry, cell, kind):
    """Return the row, column or box (kind 0, 1, 2) of a cell."""
    return np.uint64(geometry.unit_of[OWN_UNITS * cell + np.uint64(kind)])


@inlined
def place_of(geometry, cell, kind):
    """Return the number of a cell in its row, column or box."""
    return np.uint64(geometry.place_of[OWN_UNITS * cell + np.uint64(kind)])


@inlined
def cell_at(geometry, unit, place):
    """Return the cell at a place of a unit."""
    return np.uint64(geometry.cell_at[geometry.size * unit + place])


@inlined
def is_set(state, geometry, cell, value):
    """Return whether a cell was set, not only left with its last candidate `value`."""
    unit = unit_of(geometry, cell, 0)
    return state[geometry.n_cells + value * geometry.stride + unit] == NONE


@inlined
def clear(state, geometry):
    """Make every value possible everywhere, and all other masks empty."""
    everything = full(geometry.size)
    state[:] = NONE
    for cell in range(geometry.n_cells):
        state[cell] = everything
    for value in range(geometry.size):
        places = geometry.n_cells + value * geometry.stride
        for unit in range(geometry.n_units):
            state[places + unit] = everything

"""The propagation of Lloyd & Amos's published program, for the variants that repeat its figures.

It is weaker than the closure that their text describes. It visits only cells that share a unit with
a newly set cell; a hidden single elsewhere has to wait for such a visit. Their program reads the
three units of each of these cells. Here marks say which visits may have an effect (few), and only
these are made: the same effects in the same order at a small fraction of the cost.

State of a grid: the state of the complete propagation (candidates and places), then by unit

    | taken, 0 .. 0 | lone, 0 .. 0 | due, 0 .. 0 |

Bit v of `taken`: a set cell of the unit has value v + 1. Bit v of `lone`: the value
has come down to one place in the unit (it stays lone even without a place).
Bit k of `due`: a visit of the k-th cell of the unit may have an effect, because a set cell of one
of its three units has a value that is still among its candidates, or one of its candidates is lone.
A visit without effect does no harm; the marks leave out none with an effect.

Glossary: open = has more than one candidate; rest = values that no set cell of a cell's units has;
frame = a set cell that waits for another one, and places of its units still to be visited.
"""

import numpy as np

from antdoku.kernels.bits import ONE, full, lowest, without_lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.propagation import (
    NONE,
    cell_at,
    clear,
    geometry,
    new_state,
    own_units,
    place_of,
    unit_of,
)
from antdoku.puzzle.grid import Puzzle

_TAKEN, _LONE, _DUE = np.uint64(0), np.uint64(1), np.uint64(2)  # by unit, after the places
_EVERYWHERE = ~np.uint64(0)
_CELL, _BOX, _COLUMN, _ROW = range(4)  # of a frame; the last three: places still to visit


def new_frames(order: int) -> np.ndarray:
    """Return the work area of `assign` (uint64, shape (c, 4)): a cell is set at most once."""
    return np.empty((order**4, 4), np.uint64)


def propagated(puzzle: Puzzle) -> tuple[np.ndarray, bool]:
    """Set the givens of `puzzle` one by one; return the state and whether no cell is empty."""
    order = puzzle.order
    state = new_state(order, n_more=len((_TAKEN, _LONE, _DUE)))
    return state, _load(state, geometry(order), new_frames(order), puzzle.givens)


@kernel
def _load(state, geometry, frames, givens):
    clear(state, geometry)
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
def assign(state, geometry, frames, cell, value, strict):
    """Set an open cell to a candidate; visit its neighbours, each at once and recursively.

    Returns False if `strict` and a cell has lost its last candidate: propagation stops there. Their
    program stops later, but the cell stays empty.
    """
    due, depth = _by_unit(geometry, _DUE), NONE
    while True:
        _set(state, geometry, cell, value)
        row, column, box = own_units(geometry, cell)
        left_in_box = left_in_column = left_in_row = _EVERYWHERE
        only = NONE
        while only == NONE:
            # The next neighbour; their order: the j-th of box, column, row, for all j.
            in_box = state[due + box] & left_in_box
            in_column = state[due + column] & left_in_column
            in_row = state[due + row] & left_in_row
            anywhere = np.uint64(in_box | in_column | in_row)
            if anywhere == NONE:
                if depth == NONE:
                    return True
                depth -= ONE
                cell = frames[depth, _CELL]
                row, column, box = own_units(geometry, cell)
                left_in_box, left_in_column = frames[depth, _BOX], frames[depth, _COLUMN]
                left_in_row = frames[depth, _ROW]
                continue
            place = lowest(anywhere)
            bit = ONE << place
            by_box, by_column = in_box & bit, in_column & bit
            unit = box if by_box else column if by_column else row
            beyond = _EVERYWHERE << place & ~bit
            left_in_box = beyond
            left_in_column = beyond | by_box
            left_in_row = beyond | by_box | by_column
            neighbour = cell_at(geometry, unit, place)
            only = _constrain(state, geometry, neighbour)
            if strict and only == NONE and state[neighbour] == NONE:
                return False
        frames[depth, _CELL], frames[depth, _ROW] = cell, left_in_row
        frames[depth, _BOX], frames[depth, _COLUMN] = left_in_box, left_in_column
        depth += ONE
        cell, value = neighbour, lowest(only)


@inlined
def _set(state, geometry, cell, value):
    """Give `cell` a value, and mark the neighbours that have it as a candidate."""
    bit = ONE << value
    _reduce(state, geometry, cell, bit)
    taken, due = _by_unit(geometry, _TAKEN), _by_unit(geometry, _DUE)
    places, kept = geometry.n_cells + value * geometry.stride, cell * geometry.stride
    for k in range(geometry.stride):
        state[due + k] |= state[places + k] & ~geometry.kept[kept + k]
    for kind in range(3):
        unit = unit_of(geometry, cell, kind)
        state[taken + unit] |= bit
        state[places + unit] = NONE
        state[due + unit] &= ~(ONE << place_of(geometry, cell, kind))


@inlined
def _constrain(state, geometry, cell):
    """Reduce the candidates of an open cell; returns the mask of the value it must have, or 0."""
    taken, lone = _by_unit(geometry, _TAKEN), _by_unit(geometry, _LONE)
    row, column, box = own_units(geometry, cell)
    rest = full(geometry.size) & ~np.uint64(
        state[taken + row] | state[taken + column] | state[taken + box]
    )
    if _single(rest):
        return rest
    _reduce(state, geometry, cell, rest)
    in_row, in_column = rest & state[lone + row], rest & state[lone + column]
    in_box = rest & state[lone + box]
    if not in_row | in_column | in_box:
        _mark(state, geometry, cell, False)
        return NONE
    return _single(in_row) or _single(in_column) or _single(in_box)


@inlined
def _reduce(state, geometry, cell, left):
    """Leave only the candidates `left` to `cell`; update the places of the removed values."""
    removed = np.uint64(state[cell] & ~left)
    state[cell] = left
    while removed:
        value = lowest(removed)
        removed = without_lowest(removed)
        places = geometry.n_cells + value * geometry.stride
        for kind in range(3):
            unit = unit_of(geometry, cell, kind)
            places_left = state[places + unit] & ~(ONE << place_of(geometry, cell, kind))
            state[places + unit] = places_left
            if _single(places_left):
                state[_by_unit(geometry, _LONE) + unit] |= ONE << value
                _mark(state, geometry, cell_at(geometry, unit, lowest(places_left)), True)


@inlined
def _mark(state, geometry, cell, finds):
    """Note whether a visit of `cell` may have an effect."""
    due = _by_unit(geometry, _DUE)
    for kind in range(3):
        unit, place = unit_of(geometry, cell, kind), ONE << place_of(geometry, cell, kind)
        state[due + unit] = state[due + unit] | place if finds else state[due + unit] & ~place


@inlined
def _by_unit(geometry, kind):
    """Return where the words of a kind (`_TAKEN`, `_LONE`, `_DUE`) of the units begin."""
    return geometry.n_cells + (geometry.size + kind) * geometry.stride


@inlined
def _single(mask):
    """Return `mask` if it has one bit, else 0."""
    return NONE if without_lowest(mask) else np.uint64(mask)

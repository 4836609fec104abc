"""Many puzzles after propagation: which of them it solves."""

import numpy as np

from antdoku.kernels.compilation import kernel
from antdoku.kernels.propagation import geometry, load, new_queue, new_state


def are_trivial(grids: np.ndarray) -> np.ndarray:
    """Return for each puzzle, a row of uint8 (n, c), whether it is `closure.Profile.trivial`."""
    order = round(grids.shape[1] ** 0.25)
    trivial, givens = np.zeros(len(grids), np.bool_), np.empty(order**4, np.int16)
    _propagate(new_state(order), geometry(order), new_queue(order), grids, givens, trivial)
    return trivial


@kernel
def _propagate(state, geometry, queue, grids, givens, trivial):
    """Set in `trivial` which grids are solved; `givens` (int16, (c,)) holds one at a time."""
    for number in range(len(grids)):
        for cell in range(len(givens)):
            givens[cell] = grids[number, cell]
        is_solved = load(state, geometry, queue, givens)
        for cell in range(len(givens)):
            mask = state[cell]
            is_solved &= mask != 0 and mask & (mask - 1) == 0
        trivial[number] = is_solved

"""What several solvers share beside the propagation kernel."""

import numpy as np

from antdoku.kernels.bits import count, lowest
from antdoku.kernels.compilation import kernel


def solution_of(state, n_cells: int) -> np.ndarray:
    """Values of a grid state in which every cell is set: int16, shape (c,)."""
    values = np.empty(n_cells, np.int16)
    read_values(state, values)
    return values


@kernel
def read_values(state, values):
    """Write the value of each cell that is set to `values` (int16, (c,)), 0 for the others."""
    for cell in range(len(values)):
        is_set = count(state[cell]) == 1
        values[cell] = lowest(state[cell]) + 1 if is_set else 0

"""Depth-first search with propagation, on an explicit path, for `bs` and `ils`.

Each choice is propagated in a copy of the state. The states above do not change, so going back
costs nothing.
"""

from collections import namedtuple

import numpy as np

from antdoku.kernels.bits import ONE, count, lowest, without_lowest
from antdoku.kernels.compilation import inlined
from antdoku.kernels.propagation import new_queue
from antdoku.solvers._local import copy

Path = namedtuple("Path", "states cell untried queue")


def new_path(root: np.ndarray, max_choices: int, order: int) -> Path:
    """Return a path from the state `root`; the level of a node is its number of choices."""
    # The operating system reserves memory for a level only when the search gets there.
    states = np.empty((max_choices + 1, root.size), root.dtype)
    states[0] = root
    cell, untried = np.zeros((2, max_choices + 1), np.uint64)  # to branch on; mask of its values
    return Path(states, cell, untried, new_queue(order))


@inlined
def next_value(path, level):
    """Return the next value to try at `level`; copy the state to the level below."""
    value = lowest(path.untried[level])
    path.untried[level] = without_lowest(path.untried[level])
    copy(path.states[level + 1], path.states[level])
    return value


@inlined
def branch(path, geometry, level):
    """Branch on the first open cell with fewest candidates; return False if no cell is open."""
    state = path.states[level]
    fewest = np.uint64(65)
    for cell in range(geometry.n_cells):
        n_candidates = count(state[cell])
        if ONE < n_candidates < fewest:
            fewest = n_candidates
            path.cell[level] = cell
            path.untried[level] = state[cell]
            if fewest == np.uint64(2):
                return True
    return fewest < np.uint64(65)

"""Depth-first search with propagation, on an explicit path: what `bs` and `ils` share.

The state of a grid is copied for each choice and propagated; the states above stay as they are, so
that going back costs nothing.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from antdoku.kernels.bits import ONE, count, lowest, without_lowest
from antdoku.kernels.compilation import inlined
from antdoku.kernels.propagation import assign, new_queue, new_state


class Path(NamedTuple):
    """The path from the root to the current node; level = number of choices made so far."""

    states: np.ndarray  # masks (levels, len of a state)
    cell: np.ndarray  # uint64 (levels,): the cell on which each level branches
    untried: np.ndarray  # uint64 (levels,): mask of the values still to try there
    queue: np.ndarray  # work array of the complete propagation


def new_path(
    order: int, max_choices: int, new_state: Callable[[int], np.ndarray] = new_state
) -> Path:
    """Path of a search that makes at most `max_choices` choices; the root is not yet set.

    `new_state` is that of the propagation, which is the complete one unless told.
    """
    levels, state = max_choices + 1, new_state(order)
    # Memory of a level is taken by the operating system only when the search gets there.
    states = np.empty((levels, state.size), state.dtype)
    return Path(states, np.zeros(levels, np.uint64), np.zeros(levels, np.uint64), new_queue(order))


@inlined
def descend(path, geometry, level):
    """Make the next choice at `level` and propagate it; False on a contradiction."""
    value = next_value(path, level)
    return assign(path.states[level + 1], geometry, path.queue, path.cell[level], value, True)


@inlined
def next_value(path, level):
    """Take the next value to try at `level`, and copy the state for it to the level below."""
    states, untried = path.states, path.untried
    value = lowest(untried[level])
    untried[level] = without_lowest(untried[level])
    for k in range(states.shape[1]):
        states[level + 1, k] = states[level, k]
    return value


@inlined
def branch(path, geometry, level):
    """Choose the open cell with fewest candidates, the first of equals; False if none is open."""
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

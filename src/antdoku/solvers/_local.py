"""What several solvers share beside the propagation kernel."""

import numpy as np

from antdoku.kernels.bits import count, lowest
from antdoku.kernels.compilation import kernel
from antdoku.kernels.propagation import is_complete, propagated
from antdoku.outcome import EXHAUSTED, SOLVED, Outcome
from antdoku.puzzle.grid import Puzzle


def decided(puzzle: Puzzle, state: np.ndarray, consistent: bool, kind: str) -> Outcome | None:
    """What a propagation decides without a search, for a solver of some kind; None if nothing.

    A stochastic solver cannot claim a proof: it searches a puzzle that propagation refutes.
    """
    if not consistent:
        return Outcome(EXHAUSTED, None, 0) if kind == "exact" else None
    if not is_complete(state, puzzle.n_cells):
        return None
    return Outcome(SOLVED, solution_of(state, puzzle.n_cells), 0)


def locked_cells(puzzle: Puzzle) -> np.ndarray:
    """Values of the cells that propagation sets, 0 for the others: int16, shape (c,).

    Those of the givens alone if propagation refutes the puzzle, which is searched all the same.
    """
    state, consistent = propagated(puzzle)
    locked = np.array(puzzle.givens)
    if consistent:
        read_values(state, locked)
    return locked


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

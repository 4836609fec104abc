"""Helpers of several solvers: calls of kernels in slices, and values of grid states."""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import count, lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome

# Results of a slice of a search: it goes on, it has found a solution, or there is no solution.
RUNNING, FOUND, REFUTED = 0, 1, 2


def decided(values: np.ndarray, consistent: bool, kind: str) -> Outcome | None:
    """Return the outcome if propagation, which sets `values` (0: open), decides the puzzle.

    Otherwise it is None. A stochastic solver cannot claim a proof, so it goes on to search a puzzle
    that propagation refutes.
    """
    if not consistent:
        return Outcome(EXHAUSTED, None, 0) if kind == "exact" else None
    return Outcome(SOLVED, values, 0) if values.all() else None


def run_kernel(budget: Budget, kernel, state: tuple, solution, cost=None) -> Outcome:
    """Call ``kernel(*state, quota)`` until it has an answer or the budget is used up.

    The kernel returns the number of its steps, and `RUNNING`, `FOUND` or `REFUTED` (or whether it
    has found a solution). ``solution()`` and ``cost()`` return the solution and the cost of the
    current grid; a solution has the cost 0.
    """
    for quota in budget.slices():
        steps, result = kernel(*state, quota)
        budget.spend(steps)
        if cost:
            budget.note(0 if result == FOUND else cost())
        if result == FOUND:
            return Outcome(SOLVED, solution(), budget.steps)
        if result == REFUTED:
            return Outcome(EXHAUSTED, None, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


def values_of(candidates: np.ndarray) -> np.ndarray:
    """Return the values of cells with one candidate (bool, (c, d)), else 0: int16, (c,)."""
    is_set = candidates.sum(axis=1) == 1
    return np.where(is_set, candidates.argmax(axis=1) + 1, 0).astype(np.int16)


def solution_of(state, n_cells: int) -> np.ndarray:
    """Return the values of the cells that are set in a grid state, else 0: int16, shape (c,)."""
    values = np.empty(n_cells, np.int16)
    read_values(state, values)
    return values


@kernel
def read_values(state, values):
    """Write the value of each cell that is set to `values` (int16, (c,)), else 0."""
    for cell in range(len(values)):
        is_set = count(state[cell]) == 1
        values[cell] = lowest(state[cell]) + 1 if is_set else 0


@inlined
def copy(target, source):
    """Copy all elements by a loop: Numba's code for slices is slow."""
    for k in range(len(source)):
        target[k] = source[k]

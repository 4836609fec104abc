"""Helpers of several solvers: calls of kernels in slices, and values of grid states."""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import count, lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome

# What comes of a slice of a search: it goes on, there is a solution, there is none.
RUNNING, FOUND, REFUTED = 0, 1, 2


def decided(values: np.ndarray, consistent: bool, kind: str) -> Outcome | None:
    """Return the outcome, if a propagation that sets `values` (0: open) decides the puzzle.

    A stochastic solver cannot claim a proof: it searches a puzzle that propagation refutes.
    """
    if not consistent:
        return Outcome(EXHAUSTED, None, 0) if kind == "exact" else None
    return Outcome(SOLVED, values, 0) if values.all() else None


def run_kernel(budget: Budget, kernel, state: tuple, solution, cost=None) -> Outcome:
    """Call ``kernel(*state, quota)`` until it has an answer or the budget is used up.

    It returns the steps it has done, and what came of them: `RUNNING`, `FOUND` (or a bool that
    tells these two apart), or `REFUTED`. `solution` and `cost` are called for those of the grid at
    hand.
    """
    for quota in budget.slices():
        steps, found = kernel(*state, quota)
        budget.spend(steps)
        if cost:
            budget.note(cost())
        if found == FOUND:
            return Outcome(SOLVED, solution(), budget.steps)
        if found == REFUTED:
            return Outcome(EXHAUSTED, None, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


def values_of(candidates: np.ndarray) -> np.ndarray:
    """Values of the cells with one candidate (bool, (c, d)), 0 for the others: int16, (c,)."""
    is_set = candidates.sum(axis=1) == 1
    return np.where(is_set, candidates.argmax(axis=1) + 1, 0).astype(np.int16)


def solution_of(state, n_cells: int) -> np.ndarray:
    """Values of the cells that are set in a grid state, 0 for the others: int16, shape (c,)."""
    values = np.empty(n_cells, np.int16)
    read_values(state, values)
    return values


@kernel
def read_values(state, values):
    """Write the value of each cell that is set to `values` (int16, (c,)), 0 for the others."""
    for cell in range(len(values)):
        is_set = count(state[cell]) == 1
        values[cell] = lowest(state[cell]) + 1 if is_set else 0


@inlined
def copy(target, source):
    """Copy all elements, by a loop: Numba's code for slices is slow."""
    for k in range(len(source)):
        target[k] = source[k]

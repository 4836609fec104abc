"""Constraint propagation, then simulated annealing.

The puzzle is propagated once; the cells that this sets are fixed from then on. The others are
filled by simulated annealing as in `sa`. The fewer cells are free, the smaller is the space to
search and the shorter are the chains.

Reference: Lewis 2007, "On the Combination of Constraint Programming and Stochastic Search: The
Sudoku Case" (Hybrid Metaheuristics, LNCS 4771).

Glossary: free cell = one that propagation leaves open; the other terms are those of `sa`. A step is
one proposed swap. The kernels are those of `_annealing`.
"""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.closure import closed
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers._annealing import Params, anneal
from antdoku.solvers._local import values_of

TITLE = "CP+SA"
KIND = "stochastic"


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Propagate, then anneal until the grid is a solution or the budget is used up."""
    return anneal(puzzle.order, locked_cells(puzzle), params, rng, budget)


def locked_cells(puzzle: Puzzle) -> np.ndarray:
    """Values of the cells that propagation sets, 0 for the others: int16, shape (c,).

    Those of the givens alone if propagation refutes the puzzle, which is searched all the same.
    """
    candidates, consistent = closed(puzzle)
    return values_of(candidates) if consistent else puzzle.givens

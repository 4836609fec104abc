"""Constraint propagation, then simulated annealing.

The puzzle is propagated once, and the cells that this sets never change. Simulated annealing fills
the other cells as in `sa`, except for the initial temperature and the restart after too many stale
chains. The fewer cells are free, the smaller is the search space and the shorter are the chains.

Reference: Lewis 2007, "On the Combination of Constraint Programming and Stochastic Search: The
Sudoku Case" (Hybrid Metaheuristics, LNCS 4771).

Glossary: free cell = a cell that propagation leaves open; for the other terms see `sa`. A step is
one proposed swap.

Naive twin: tests/naive/sa.py, after `propagate` in tests/naive/grid.py.
"""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.closure import Profile, closure, closure_in_rounds, profile_of
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import sa
from antdoku.solvers._local import values_of
from antdoku.solvers._parameters import parameters, with_default, word

TITLE = "CP+SA"
KIND = "stochastic"


@parameters
class Params(sa.Params):
    """Parameters of propagation and annealing, with the values of the paper as defaults."""

    t0_statistic = with_default(sa.Params, "t0_statistic", "variance")
    restart = with_default(sa.Params, "restart", "reheat")
    hidden = word(
        "all",
        {"all": "rows, columns and boxes", "rows": "rows alone", "boxes": "boxes alone"},
        "Units in which propagation looks for hidden singles.",
    )


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Propagate, then anneal until the grid is a solution or the budget is used up."""
    return sa.anneal(puzzle.order, locked_cells(puzzle, params), params, rng, budget)


def profile(puzzle: Puzzle, params: Params) -> Profile:
    """Return the profile of `puzzle` after the propagation of this solver."""
    return profile_of(*_propagated(puzzle, params))


def locked_cells(puzzle: Puzzle, params: Params) -> np.ndarray:
    """Return the values of the cells that propagation sets, else 0: int16, shape (c,).

    If propagation refutes the puzzle, these are the givens: the puzzle is searched nevertheless.
    """
    candidates, consistent = _propagated(puzzle, params)
    return values_of(candidates) if consistent else puzzle.givens


def _propagated(puzzle, params):
    if params.hidden == "all":
        return closure(puzzle)
    return closure_in_rounds(puzzle, ("cells", params.hidden))

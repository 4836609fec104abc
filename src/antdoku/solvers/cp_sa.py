"""Constraint propagation, then simulated annealing.

The puzzle is propagated once; the cells that this sets are fixed from then on. The others are
filled by simulated annealing as in `sa`, but for the initial temperature and what follows too many
stale chains. The fewer cells are free, the smaller is the space to search and the shorter are the
chains.

Reference: Lewis 2007, "On the Combination of Constraint Programming and Stochastic Search: The
Sudoku Case" (Hybrid Metaheuristics, LNCS 4771).

Glossary: free cell = one that propagation leaves open; the other terms are those of `sa`. A step is
one proposed swap.
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
    """Parameters of propagation and annealing; the defaults are those of the paper."""

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
    """Describe what the propagation of this solver leaves of `puzzle`."""
    return profile_of(*_propagated(puzzle, params))


def locked_cells(puzzle: Puzzle, params: Params) -> np.ndarray:
    """Values of the cells that propagation sets, 0 for the others: int16, shape (c,).

    Those of the givens alone if propagation refutes the puzzle, which is searched all the same.
    """
    candidates, consistent = _propagated(puzzle, params)
    return values_of(candidates) if consistent else puzzle.givens


def _propagated(puzzle, params):
    if params.hidden == "all":
        return closure(puzzle)
    return closure_in_rounds(puzzle, ("cells", params.hidden))

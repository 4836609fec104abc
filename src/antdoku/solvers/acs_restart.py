"""ACS that starts afresh when it stagnates.

Nearly all failures of ACS are stagnation: the pheromone has settled on a part of the space that
holds no solution, and best-value evaporation does not free it. This solver forgets pheromone and
best grid after some iterations without a better grid, or on a fixed schedule.

Reference: Lloyd & Amos 2018 for ACS (`antdoku.solvers.acs_closure`); restarts are ours. The
schedule: Luby, Sinclair & Zuckerman 1993, "Optimal speedup of Las Vegas algorithms" (Inf. Process.
Lett. 47).

Glossary: start = what happens between two restarts; a better grid = fewer failed cells than all
grids of this start; the rest as in `acs`. A step is one iteration: all ants complete their walks.
"""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import MASK_ORDERS
from antdoku.kernels.compilation import inlined, kernel
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import acs, acs_closure
from antdoku.solvers._parameters import integer, parameters, word

TITLE = "ACS with restarts"
KIND = "stochastic"
ORDERS = MASK_ORDERS


@parameters
class Params(acs_closure.Params):
    """Parameters of `acs_closure`, and when to restart."""

    patience = integer(
        300,
        1,
        10**9,
        "``stagnation``: iterations without a better grid after which a start ends; ``luby``: unit "
        "of the schedule, in iterations.",
    )
    schedule = word(
        "stagnation",
        {
            "stagnation": "when no better grid has come for a while",
            "luby": "start k lasts patience times the k-th number of 1, 1, 2, 1, 1, 2, 4, ..., "
            "whatever it finds",
        },
        "When a start ends.",
    )


# Places in the array `at`: number of the start, from 1; its iterations so far; those since its last
# better grid; fewest cells that have failed in it.
_START, _ITERATION, _STALLED, _FEWEST = range(4)


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Run ACS, afresh whenever it stagnates, until a grid is complete or the budget is used up."""
    at, by_luby = np.array([1, 0, 0, puzzle.n_cells + 1]), params.schedule == "luby"
    return acs.search(puzzle, params, rng, budget, _iterate, at, params.patience, by_luby)


@kernel
def _iterate(colony, geometry, rates, random, at, patience, by_luby, quota):
    """Do up to `quota` iterations; returns how many, and whether the best grid is complete."""
    for step in range(quota):
        acs.walk(colony, geometry, rates, random)
        n_failed = acs.update_best(colony, geometry)
        if n_failed == 0:
            return step + 1, True
        acs.reinforce(colony, rates)
        at[_ITERATION] += 1
        at[_STALLED] += 1
        if n_failed < at[_FEWEST]:
            at[_FEWEST], at[_STALLED] = n_failed, 0
        is_over = (
            at[_ITERATION] >= patience * _luby(at[_START]) if by_luby else at[_STALLED] >= patience
        )
        if is_over:
            _forget(colony, rates)
            at[_START] += 1
            at[_ITERATION], at[_STALLED], at[_FEWEST] = 0, 0, len(colony.best) + 1
    return quota, False


@inlined
def _forget(colony, rates):
    """Make the colony as it was before its first iteration."""
    for cell in range(len(colony.best)):
        colony.best[cell] = 0
        for value in range(colony.tau.shape[1]):
            colony.tau[cell, value] = rates.tau_0
    colony.best_value[0] = 0.0


@inlined
def _luby(number):
    """Element `number` (from 1) of 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ..."""
    while True:
        power = 1
        while 2 * power <= number:
            power *= 2
        # 2 * power - 1 elements end with the value `power`; what is between repeats the start.
        if number == 2 * power - 1:
            return power
        number -= power - 1

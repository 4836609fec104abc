"""Hill climbing with random restarts: a swap in a box is kept if the grid is no worse for it.

Reference: Russell & Norvig 2020, "Artificial Intelligence: A Modern Approach", section 4.1.

Glossary: cost = values that rows and columns lack. A step is one swap that is tried.
"""

import numpy as np

from antdoku.outcome import SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import units
from antdoku.solver import integer, parameters

TITLE = "Hill climbing"
KIND = "stochastic"
SOLVES = range(2, 4)
COMPLETE = False


@parameters
class Params:
    """When to begin again."""

    patience = integer(300, 1, 10**6, "Swaps in succession without a gain before a restart.")


def solve(puzzle, params, rng, budget):
    """Climb until the grid is a solution or the budget is used up."""
    lines, boxes = np.split(units(puzzle.order), [2 * puzzle.size])
    free = [cells for box in boxes if len(cells := box[puzzle.givens[box] == 0])]
    values, cost, idle = *filled(puzzle, boxes, lines, rng), 0
    for quota in budget.slices():
        steps = 0
        while cost and steps < quota:
            if idle >= params.patience:
                values, cost, idle = *filled(puzzle, boxes, lines, rng), 0
            pair = rng.choice(free[rng.integers(len(free))], 2)
            swapped = values.copy()
            swapped[pair] = values[pair[::-1]]
            if (found := missing(swapped, lines)) <= cost:
                values, cost, idle = swapped, found, idle if found == cost else 0
            steps, idle = steps + 1, idle + 1
        budget.spend(steps)
        if not cost:
            return Outcome(SOLVED, values, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


def filled(puzzle, boxes, lines, rng):
    """A grid whose boxes hold all values, at random, and its cost."""
    values = puzzle.givens.copy()
    for box in boxes:
        lacking = np.setdiff1d(np.arange(1, puzzle.size + 1), values[box])
        values[box[values[box] == 0]] = rng.permutation(lacking)
    return values, missing(values, lines)


def missing(values, lines):
    """The cost: a value that a line lacks is one that stands there again."""
    held = np.sort(values[lines])
    return int((held[:, 1:] == held[:, :-1]).sum())

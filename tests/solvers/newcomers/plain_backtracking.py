"""Backtracking without propagation: blank cells and values in order, as one writes it first.

Reference: Knuth 2022, "The Art of Computer Programming", volume 4B, section 7.2.2.

Glossary: depth = number of blank cells that have a value. A step is one value tried, or one step
back.
"""

import numpy as np

from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import peers
from antdoku.solver import parameters

TITLE = "Plain backtracking"
KIND = "exact"
SOLVES = range(2, 4)
ALWAYS_ENDS = False


@parameters
class Params:
    """There is nothing to choose."""


def solve(puzzle, params, rng, budget):
    """Search until a solution is found, none is left to find, or the budget is used up."""
    values, blank, depth = puzzle.givens.copy(), np.flatnonzero(puzzle.givens == 0), 0
    for quota in budget.slices():
        steps = 0
        while 0 <= depth < len(blank) and steps < quota:
            taken = {*values[peers(puzzle.order)[blank[depth]]]}
            left = range(values[blank[depth]] + 1, puzzle.size + 1)
            values[blank[depth]] = value = next((v for v in left if v not in taken), 0)
            depth, steps = depth + (1 if value else -1), steps + 1
        budget.spend(steps)
        if depth == len(blank):
            return Outcome(SOLVED, values, budget.steps)
        if depth < 0:
            return Outcome(EXHAUSTED, None, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)

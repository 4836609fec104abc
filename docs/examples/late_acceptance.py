"""Late acceptance hill climbing.

Every box is filled with the values that it lacks, at random. A move swaps two free cells of one
box; it is accepted if the grid is then no worse than now, or than it was `memory` moves ago.

Reference: Burke & Bykov 2017, "The late acceptance Hill-Climbing heuristic" (European Journal of
Operational Research 258).

Glossary: cost = values that stand in a row or column again. A step is one swap that is tried.
"""

from itertools import combinations
from random import Random

import numpy as np

from antdoku.solver import SOLVED, TIMEOUT, Outcome, integer, parameters, units

TITLE = "Late acceptance"
KIND = "stochastic"
SOLVES = range(2, 4)  # orders; of larger ones it promises nothing
ALWAYS_ENDS = False  # it may stay where it is stuck


@parameters
class Params:
    """The only choice: how far back it looks."""

    memory = integer(10, 1, 10**6, "Moves ago with whose cost a new one is compared.")


def solve(puzzle, params, rng, budget):
    """Climb until the grid is a solution or the budget is used up."""
    search = Search(puzzle, params.memory, Random(int(rng.integers(2**63))))
    for quota in budget.slices():
        budget.spend(search.climb(quota))
        budget.note(search.cost)
        if search.cost == 0:
            return Outcome(SOLVED, np.array(search.values, np.int16), budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


class Search:
    """A grid whose boxes are complete, and the costs of the last moves."""

    def __init__(self, puzzle, memory, random):
        self.random, self.size, self.done = random, puzzle.size, 0
        self.values, self.pairs = puzzle.givens.tolist(), []
        for box in units(puzzle.order)[2 * puzzle.size :].tolist():
            self._fill(box)
        self.rows = [[0] * (self.size + 1) for _ in range(self.size)]
        self.columns = [[0] * (self.size + 1) for _ in range(self.size)]
        for cell, value in enumerate(self.values):
            self.rows[cell // self.size][value] += 1
            self.columns[cell % self.size][value] += 1
        self.cost = sum(max(n - 1, 0) for line in self.rows + self.columns for n in line)
        self.history = [self.cost] * memory

    def _fill(self, box):
        free = [cell for cell in box if not self.values[cell]]
        lacking = sorted({*range(1, self.size + 1)} - {self.values[cell] for cell in box})
        self.random.shuffle(lacking)
        for cell, value in zip(free, lacking):
            self.values[cell] = value
        self.pairs += combinations(free, 2)

    def climb(self, quota):
        """Try up to `quota` swaps; returns how many."""
        for step in range(quota):
            if self.cost == 0:
                return step
            if self.pairs:
                self._try(*self.random.choice(self.pairs))
        return quota

    def _try(self, first, second):
        before, place = self.cost, self.done % len(self.history)
        self._swap(first, second)
        if self.cost > before and self.cost > self.history[place]:
            self._swap(first, second)
        self.history[place] = self.cost
        self.done += 1

    def _swap(self, first, second):
        values = self.values
        self._move(values[first], first, second)
        self._move(values[second], second, first)
        values[first], values[second] = values[second], values[first]

    def _move(self, value, cell, other):
        """Count a value in the lines of another cell, and what it costs."""
        for lines, old, new in (
            (self.rows, cell // self.size, other // self.size),
            (self.columns, cell % self.size, other % self.size),
        ):
            lines[old][value] -= 1
            self.cost -= lines[old][value] > 0
            self.cost += lines[new][value] > 0
            lines[new][value] += 1

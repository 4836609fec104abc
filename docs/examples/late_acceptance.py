"""Late acceptance hill climbing.

The open cells of each box get the missing values at random. A move swaps two free cells of one box.
It is accepted if the new grid costs no more than the current one, or than the grid `memory` moves
ago.

Reference: Burke & Bykov 2017, "The late acceptance Hill-Climbing heuristic" (European Journal of
Operational Research 258).

Glossary: cost = number of values that repeat in their row or column. A step is one attempted swap.
"""

from itertools import combinations
from random import Random

import numpy as np

from antdoku.solver import SOLVED, TIMEOUT, Outcome, integer, parameters, units

TITLE = "Late acceptance"
KIND = "stochastic"
SOLVES = range(2, 4)  # orders; it promises nothing for larger ones
ALWAYS_ENDS = False  # it may get stuck for ever


@parameters
class Params:
    """The length of the memory is the only parameter."""

    memory = integer(10, 1, 10**6, "A new cost is compared with the cost this many moves ago.")


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
        self.random, self.size, self.n_moves = random, puzzle.size, 0
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
        missing = sorted({*range(1, self.size + 1)} - {self.values[cell] for cell in box})
        self.random.shuffle(missing)
        for cell, value in zip(free, missing):
            self.values[cell] = value
        self.pairs += combinations(free, 2)

    def climb(self, quota):
        """Try up to `quota` swaps; return the number of swaps."""
        for step in range(quota):
            if self.cost == 0:
                return step
            if self.pairs:
                self._try(*self.random.choice(self.pairs))
        return quota

    def _try(self, first, second):
        before, slot = self.cost, self.n_moves % len(self.history)
        self._swap(first, second)
        if self.cost > before and self.cost > self.history[slot]:
            self._swap(first, second)  # back
        self.history[slot] = self.cost
        self.n_moves += 1

    def _swap(self, first, second):
        values = self.values
        self._move(values[first], first, second)
        self._move(values[second], second, first)
        values[first], values[second] = values[second], values[first]

    def _move(self, value, source, target):
        """Move a value between cells: update the counts of its rows and columns, and the cost."""
        for lines, old, new in (
            (self.rows, source // self.size, target // self.size),
            (self.columns, source % self.size, target % self.size),
        ):
            lines[old][value] -= 1
            self.cost -= lines[old][value] > 0
            self.cost += lines[new][value] > 0
            lines[new][value] += 1

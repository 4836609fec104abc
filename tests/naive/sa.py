"""Slow, obvious twin of the solvers `sa` and `cp_sa`: costs from scratch, one swap at a time.

It shares only the random numbers with the solvers, and uses them in the same way.
"""

import math
import statistics

from naive.grid import units
from naive.ils import cost, fill, swapped

from antdoku.kernels.randomness import draw


class Sa:
    """A run; `steps` yields before each step, and returns when `values` is a solution."""

    def __init__(self, order, locked, params, random):
        self.order, self.params, self.random = order, params, random
        self.locked = list(map(int, locked))
        boxes = units(order)[2 * order**2 :]
        self.boxes = [[cell for cell in box if not locked[cell]] for box in boxes]
        self.movable = [cell for box in self.boxes for cell in box if len(box) > 1]
        self.n_free = sum(map(len, self.boxes))
        self.temperature = math.inf

    @property
    def cost(self):
        return cost(self.order, self.values)

    def steps(self):
        self._fill()
        t0 = yield from self._take_sample()
        while self.cost > 0:
            yield from self._cool_from(t0)
            if self.cost > 0 and self.params.restart == "random":
                self._fill()

    def _fill(self):
        self.values = list(self.locked)
        fill(self.order, self.values, self.random)

    def _take_sample(self):
        costs = []
        while self.cost > 0 and len(costs) < self.params.t0_moves:
            yield
            before = self.values
            self._propose()
            costs.append(self.cost)
            if self.params.t0_sample == "neighbours":
                self.values = before
        is_variance = self.params.t0_statistic == "variance"
        return statistics.pvariance(costs) if is_variance else statistics.pstdev(costs)

    def _cool_from(self, t0):
        """Cool down from t0, chain by chain, until `patience_chains` in a row have not improved."""
        self.temperature, stale = t0, 0
        while True:
            before = self.cost
            for _ in range(self.n_free**2):
                if self.cost == 0:
                    return
                yield
                self._propose()
            stale = 0 if self.cost < before else stale + 1
            if stale == self.params.patience_chains:
                return
            self.temperature *= self.params.cooling

    def _propose(self):
        upper, lower = divmod(int(draw(self.random)), 2**32)
        rank, fraction = divmod(upper * len(self.movable), 2**32)
        cell = self.movable[rank]
        (box,) = (box for box in self.boxes if cell in box)
        partners = [partner for partner in box if partner != cell]
        proposed = swapped(self.values, cell, partners[fraction * len(partners) // 2**32])
        delta = cost(self.order, proposed) - self.cost
        chance = math.exp(-delta / self.temperature) if self.temperature else 0
        if delta <= 0 or lower / 2**32 < chance:
            self.values = proposed

"""Slow twin of the solver `acs`, as in its pseudo-code: sets of candidates, lists of pheromone.

It shares only the random numbers with the solver, and draws them in the same order.
"""

from functools import reduce
from operator import add

from naive.authors_propagation import propagate, set_cell

from antdoku.kernels.randomness import below, uniform


class Acs:
    """A run; `iterate` does a step, and returns whether the best grid is a solution."""

    def __init__(self, puzzle, params, random):
        self.order, self.n_cells, self.size = puzzle.order, puzzle.n_cells, puzzle.size
        self.params, self.random = params, random
        self.root = propagate(puzzle.order, puzzle.givens)
        self._new_colony()

    def _new_colony(self):
        self.tau = [dict.fromkeys(range(1, self.size + 1), self.tau_0) for _ in self.root]
        self.best, self.best_worth = [set() for _ in self.root], 0.0
        self.stalled, self.fewest_failed = 0, self.n_cells + 1

    @property
    def tau_0(self):
        return 1 / self.n_cells

    def iterate(self):
        if self.params.restart == "stagnation" and self.stalled == self.params.patience:
            self._new_colony()
        ants = self._walks()
        failed = [ant.count(set()) for ant in ants]
        ant = ants[failed.index(min(failed))]
        if min(failed) == 0:
            self.best = ant
            return True
        if self.n_cells / min(failed) > self.best_worth:  # (5)
            self.best, self.best_worth = ant, self.n_cells / min(failed)
        for cell, values in enumerate(self.best):
            for value in values:
                kept = (1 - self.params.rho) * self.tau[cell][value]
                self.tau[cell][value] = kept + self.params.rho * self.best_worth  # (6)
        self.best_worth *= 1 - self.params.f_bve  # (7)
        self.stalled = 0 if min(failed) < self.fewest_failed else self.stalled + 1
        self.fewest_failed = min([*failed, self.fewest_failed])
        return False

    def _walks(self):
        """Return the grids of all ants; they fill them one cell each in turn."""
        ants = [[set(values) for values in self.root] for _ in range(self.params.m)]
        starts = [int(below(self.random, self.n_cells)) for _ in ants]
        for step in range(self.n_cells):
            for ant, start in zip(ants, starts, strict=True):
                cell = (start + step) % self.n_cells
                if len(ant[cell]) > 1:
                    value = self._choose(self.tau[cell], sorted(ant[cell]))
                    set_cell(self.order, ant, cell, value)
                    self.tau[cell][value] += self.params.xi * (self.tau_0 - self.tau[cell][value])
        return ants

    def _choose(self, tau, values):
        greedy_below = self.params.greedy_rule == "journal"
        if (uniform(self.random) < self.params.q0) == greedy_below:  # (3)
            return max(values, key=tau.get)  # (1), the first of equals
        threshold = uniform(self.random) * reduce(add, map(tau.get, values))
        for value in values[:-1]:  # (2)
            threshold -= tau[value]
            if threshold < 0:
                return value
        return values[-1]

"""Slow, obvious twin of the solver `ils`: costs from scratch, candidate sets, one move at a time.

It shares only the random numbers with the solver, and draws them in the same order.
"""

from naive import grid as naive
from naive.grid import units

from antdoku.kernels.randomness import below, draw, uniform


def cost(order, values):
    """Return the number of absent values, summed over all rows and columns (Lewis 2007)."""
    lines = units(order)[: 2 * order**2]
    return sum(order**2 - len({values[cell] for cell in line} - {0}) for line in lines)


def swapped(values, cell, partner):
    """Return a copy in which two cells have exchanged their values."""
    copy = list(values)
    copy[cell], copy[partner] = copy[partner], copy[cell]
    return copy


def conflicts(order, values, free):
    """Return the free cells whose value repeats in their row or column."""
    repeated = set()
    for line in units(order)[: 2 * order**2]:
        line_values = [values[cell] for cell in line]
        repeated.update(cell for cell in line if line_values.count(values[cell]) > 1)
    return [cell for cell in free if cell in repeated]


def fill(order, values, random):
    """Distribute the missing values of each box over its empty cells."""
    for box in units(order)[2 * order**2 :]:
        pool = sorted(set(range(1, order**2 + 1)) - {values[cell] for cell in box})
        for cell in box:
            if values[cell] == 0:
                drawn = int(below(random, len(pool)))
                values[cell] = pool[drawn]
                pool[drawn] = pool[-1]
                pool.pop()


class Ils:
    """A run; `steps` yields before each step, and returns when `values` is a solution."""

    def __init__(self, puzzle, params, random):
        self.order, self.params, self.random = puzzle.order, params, random
        candidates = naive.propagate(puzzle.order, puzzle.givens)
        self.values = [min(left) if len(left) == 1 else 0 for left in candidates]
        boxes = units(self.order)[2 * self.order**2 :]
        self.boxes = [[cell for cell in box if self.values[cell] == 0] for box in boxes]
        self.free = [cell for box in self.boxes for cell in box]
        self.shuffled = list(self.free)
        self.tenure = int(params.tabu_fraction * len(self.free))
        self.reset = params.reset

    def steps(self):
        while True:
            fill(self.order, self.values, self.random)
            yield from self._local_search()
            if cost(self.order, self.values) == 0:
                return
            self._perturb()
            if (yield from self._forward_check()):
                return

    def _local_search(self):
        self.best, stamps = list(self.values), {}
        iteration = stalled = 0
        while cost(self.order, self.values) > 0 and stalled < self.params.patience:
            yield
            cell = self._cell_in_conflict()
            partner, delta = self._choose(cell, stamps, iteration)
            stamps[cell, partner] = iteration
            iteration, stalled = iteration + 1, stalled + 1
            if delta <= 0 or uniform(self.random) < self.params.acceptance:
                self.values = swapped(self.values, cell, partner)
            if cost(self.order, self.values) < cost(self.order, self.best):
                self.best, stalled = list(self.values), 0

    def _cell_in_conflict(self):
        allowed = conflicts(self.order, self.values, self.free)
        while True:
            cell = self.free[int(below(self.random, len(self.free)))]
            if cell in allowed:
                return cell

    def _choose(self, cell, stamps, iteration):
        now, best = cost(self.order, self.values), cost(self.order, self.best)
        tabu, allowed = [], []
        (box,) = (box for box in self.boxes if cell in box)
        for partner in box:
            delta = cost(self.order, swapped(self.values, cell, partner)) - now
            option = (delta, int(draw(self.random)) >> 32, partner)
            stamp = stamps.get((cell, partner))
            is_tabu = stamp is not None and iteration - stamp < self.tenure
            (tabu if is_tabu else allowed).append(option)
        if tabu:
            delta, _, partner = min(tabu)
            if delta < min(allowed, default=(1000,))[0] and now + delta < best:
                return partner, delta
        delta, _, partner = min(allowed, default=(0, 0, cell))
        return partner, delta

    def _perturb(self):
        self.values = list(self.best)
        for cell in conflicts(self.order, self.best, self.free):
            self.values[cell] = 0
        for k in range(int(self.reset * len(self.free))):
            at = k + int(below(self.random, len(self.free) - k))
            self.shuffled[k], self.shuffled[at] = self.shuffled[at], self.shuffled[k]
            self.values[self.shuffled[k]] = 0
        if self.reset > self.params.reset_floor:
            self.reset *= self.params.reset_decay

    def _forward_check(self):
        self.nodes = 1
        yield
        solution = yield from self._search(self.values)
        self.values = solution or self.values
        return bool(solution)

    def _search(self, values):
        candidates = open_candidates(self.order, values)
        if not candidates:
            return values
        choices = {cell: values for cell, values in candidates.items() if values}
        if not choices:
            return None
        branch = min(choices, key=lambda cell: len(choices[cell]))  # the first of equals
        for value in sorted(choices[branch]):
            if self.nodes == self.params.node_limit:
                return None
            self.nodes += 1
            yield
            copy = list(values)
            copy[branch] = value
            while single := first_single(self.order, copy):  # from scratch each time
                copy[single[0]] = single[1]
            solution = yield from self._search(copy)
            if solution:
                return solution
        return None


def open_candidates(order, values):
    """Return the values that no filled cell of its units has, by open cell."""
    taken = {cell: set() for cell, value in enumerate(values) if value == 0}
    for unit in units(order):
        for cell in taken.keys() & unit:
            taken[cell] |= {values[peer] for peer in unit}
    return {cell: set(range(1, order**2 + 1)) - used for cell, used in taken.items()}


def first_single(order, values):
    """Return cell and value of the first naked single, or else of the first hidden single."""
    candidates = open_candidates(order, values)
    for cell, allowed in candidates.items():
        if len(allowed) == 1:
            return cell, min(allowed)
    for unit in units(order):
        for value in range(1, order**2 + 1):
            cells = [cell for cell in unit if value in candidates.get(cell, ())]
            if len(cells) == 1:
                return cells[0], value
    return None

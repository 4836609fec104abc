"""Slow, obvious twin of the solver `ga`: plain grids, fitness from scratch, one child at a time.

It shares only the random numbers with the solver, and draws them in the same order.
"""

from collections import Counter
from dataclasses import dataclass

from naive.grid import units

from antdoku.kernels.randomness import below, draw, uniform
from antdoku.puzzle.grid import units_of_cell


def faults(order, values):
    """Count absent values, and k - 1 for a value that occurs k times, over all rows and columns."""
    counters = [Counter(values[cell] for cell in line) for line in units(order)[: 2 * order**2]]
    n_absent = sum(order**2 - len(counter) for counter in counters)
    return n_absent + sum(k - 1 for counter in counters for k in counter.values())


def lines_of(order, values, cell):
    """Return the values of the row and of the column of a cell."""
    lines = units_of_cell(order)[cell][:2]
    return [values[peer] for line in lines for peer in units(order)[line]]


def rotated(values, cells):
    """Return a copy in which each cell has the value of the next cell, in a cycle."""
    copy = list(values)
    for k, cell in enumerate(cells):
        copy[cell] = values[cells[(k + 1) % len(cells)]]
    return copy


def n_taken(puzzle, values):
    """Count the free cells whose value is a given of their row or column."""
    givens = puzzle.givens.tolist()
    free = [cell for cell, given in enumerate(givens) if not given]
    return sum(values[cell] in lines_of(puzzle.order, givens, cell) for cell in free)


@dataclass(eq=False)
class Individual:
    values: list
    faults: int
    penalty: float
    age: int

    @property
    def fitness(self):
        return self.faults + self.penalty + self.age


class Ga:
    """A run; `steps` yields each new individual, and ends with a solution."""

    def __init__(self, puzzle, params, random):
        self.order, self.params, self.random = puzzle.order, params, random
        self.guard = params.guard or max(3, self.order)
        self.restart = params.restart or 2000 * puzzle.n_cells**2 // 81**2
        self.puzzle, self.givens = puzzle, puzzle.givens.tolist()
        self.boxes = units(self.order)[2 * puzzle.size :]
        first = list(self.givens)
        for box in self.boxes:
            missing = sorted(set(range(1, puzzle.size + 1)) - {first[cell] for cell in box})
            for cell in box:
                first[cell] = first[cell] or missing.pop(0)
        size = params.population or 7 * self.order
        self.population = [self._individual(first) for _ in range(size)]

    def steps(self):
        while True:
            yield from self._generation(0, self._random_individual)
            best = self._sort()
            for _ in range(self.restart):
                yield from self._generation(self.params.elite, self._child)
                if self._sort() is best and self.params.ageing != "off":
                    best.age += 1
                best = self.population[0]

    def _generation(self, last, make):
        for position in reversed(range(last, len(self.population))):
            self.population[position] = make(position)
            yield self.population[position]
            if self.population[position].faults == 0:
                return

    def _sort(self):
        self.population.sort(key=lambda individual: individual.fitness)
        return self.population[0]

    def _random_individual(self, position):
        values = list(self.population[position].values)
        for box in self.boxes:
            free = [cell for cell in box if not self.givens[cell]]
            for k, cell in enumerate(free):
                partner = free[k + self._below(len(free) - k)]
                values[cell], values[partner] = values[partner], values[cell]
        return self._individual(values)

    def _individual(self, values, age=0):
        penalty = self.params.given_penalty * n_taken(self.puzzle, values)
        return Individual(values, faults(self.order, values), penalty, age)

    def _child(self, position):
        mother = self.population[self._below(position)]
        father = self.population[self._below(position)]
        choice = int(draw(self.random))
        values = list(self.givens)
        for k, box in enumerate(self.boxes):
            parent = mother if choice >> (63 - k) & 1 else father
            for cell in box:
                values[cell] = parent.values[cell]
        if uniform(self.random) < self.params.mutation:
            values = self._mutated(values)
        equal = [parent for parent in self.population[:position] if parent.values == values]
        age = equal[0].age if equal and self.params.ageing == "grid" else 0
        return self._individual(values, age)

    def _mutated(self, values):
        box = self.boxes[self._below(len(self.boxes))]
        free = [cell for cell in box if not self.givens[cell]]
        kind = uniform(self.random)
        if kind < self.params.three_swap:
            return self._guarded(values, self._three(free)) if len(free) >= 3 else values
        if kind < self.params.three_swap + self.params.insertion:
            return self._guarded(values, self._span(free)) if len(free) >= 2 else values
        for _ in range(1 + self._below(self.params.swaps)):
            if len(free) < 2:
                break
            cell = free[self._below(len(free))]
            # Any other cell of the box may be the partner; the givens come last.
            partners = [*free, *(cell for cell in box if self.givens[cell])]
            partners.remove(cell)
            partner = partners[self._below(len(partners))]
            if self.givens[partner]:
                break
            values = self._guarded(values, [cell, partner])
        return values

    def _three(self, free):
        left, cells = list(free), []
        for _ in range(3):
            cells.append(left.pop(self._below(len(left))))
        return cells

    def _span(self, free):
        """Return the free cells between two random ones, both included."""
        cell = free[self._below(len(free))]
        ends = [end for end in free if end != cell]
        first, last = free.index(cell), free.index(ends[self._below(len(ends))])
        return free[first : last + 1] if first < last else free[last : first + 1][::-1]

    def _guarded(self, values, cells):
        after = rotated(values, cells)
        times = [lines_of(self.order, after, cell).count(after[cell]) for cell in cells]
        return after if max(times) <= self.guard else values

    def _below(self, bound):
        return int(below(self.random, bound))

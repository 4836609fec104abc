"""Slow, obvious twin of the solver `ac3_cuckoo`: lists of rows, costs from scratch.

It shares nothing with the solver but the random numbers, and draws them in the same order.
"""

from itertools import pairwise

from naive.grid import ac3, domains_of, units

from antdoku.kernels.randomness import below, uniform


def cost(order, nest):
    """How many times a value occurs again, over columns and boxes."""
    values = [value for row in nest for value in row]
    columns_and_boxes = units(order)[order**2 :]
    return sum(len(unit) - len({values[cell] for cell in unit}) for unit in columns_and_boxes)


def exchanged(row, place, value):
    """A copy of `row` in which `value` and what stood at `place` have changed places."""
    copy, partner = list(row), row.index(value)
    copy[place], copy[partner] = copy[partner], copy[place]
    return copy


def fits(row, domains):
    """Tell whether every value is in the domain of its cell."""
    return all(value in domain for value, domain in zip(row, domains, strict=True))


def pmx(row, best, low, high, domains):
    """Partially matched crossover by exchanges, without those that the domains forbid."""
    for place in range(low, high + 1):
        child = exchanged(row, place, best[place])
        row = child if fits(child, domains) else row
    return row


def sorting_crossover(row, best, previous, mask, domains):
    """Sort three parents towards each other; the mask names the one to follow at each place."""
    parents = [row, best, previous]
    for place, named in enumerate(mask):
        child = exchanged(parents[0], place, parents[named][place])
        parents[0] = child if fits(child, domains) else parents[0]
        parents = [exchanged(parent, place, parents[0][place]) for parent in parents]
    return parents[0]


class Cuckoo:
    """One run; `iterate` does a step, until `costs[best]` is 0."""

    def __init__(self, puzzle, params, random):
        self.order, self.size, self.params, self.random = puzzle.order, puzzle.size, params, random
        domains = ac3(puzzle.order, domains_of(puzzle.order, puzzle.givens))
        self.domains = [domains[k : k + self.size] for k in range(0, len(domains), self.size)]
        self._build_all()

    @property
    def costs(self):
        return [cost(self.order, nest) for nest in self.nests]

    def _build_all(self):
        self.nests = [self._build() for _ in range(self.params.nests)]
        self.best = self.stale = 0
        self._find_best()
        self.previous = self.nests[self.best]

    def iterate(self):
        least = self.costs[self.best]
        for k in range(len(self.nests)):
            if k != self.best:
                self.nests[k] = self._changed(self.nests[k])
        self._find_best()
        self._replace()
        costs = self.costs
        for k, now in enumerate(costs):
            if now > costs[self.best] and uniform(self.random) < self.params.p_abandon:
                self.nests[k] = self._build()
        self.stale = self.stale + 1 if self.costs[self.best] == least else 0
        if self.stale == self.params.patience:
            self._build_all()

    def _below(self, bound):
        return int(below(self.random, bound))

    def _draw_two(self, bound):
        one, other = self._below(bound), self._below(bound - 1)
        return one, other + (other >= one)

    def _find_best(self):
        costs = self.costs
        others = [k for k, now in enumerate(costs) if now == min(costs) and k != self.best]
        if others:
            self.previous, self.best = self.nests[self.best], others[-1]

    def _replace(self):
        costs = self.costs
        one, other = sorted(self._draw_two(len(costs)), key=lambda k: costs[k])
        if costs[one] < costs[other]:
            self.nests[other] = self.nests[one]

    def _changed(self, nest):
        best = self.nests[self.best]
        if uniform(self.random) < self.params.p_pmx:
            cuts = [sorted(self._draw_two(self.size)) for _ in nest]
            rows = zip(nest, best, cuts, self.domains, strict=True)
            child = [pmx(row, other, *cut, domains) for row, other, cut, domains in rows]
        else:
            mask = [self._below(3) for _ in range(self.size)]
            rows = zip(nest, best, self.previous, self.domains, strict=True)
            child = [sorting_crossover(*parents, mask, domains) for *parents, domains in rows]
        return self._mutated(child) if uniform(self.random) < self.params.p_mutation else child

    def _mutated(self, nest):
        nest = list(nest)
        for _ in range(self._below(self.params.mutated_rows) + 1):
            k = self._below(self.size)
            free = self._free(k)
            if free:
                place, partner = (free[drawn] for drawn in self._draw_two(len(free)))
                row = exchanged(nest[k], place, nest[k][partner])
                nest[k] = row if fits(row, self.domains[k]) else nest[k]
        return nest

    def _free(self, row):
        """Places of the free cells of a row, small domains first."""
        sizes = [len(domain) for domain in self.domains[row]]
        return sorted((k for k in range(self.size) if sizes[k] > 1), key=lambda k: sizes[k])

    def _build(self):
        return [self._built_row(k, domains) for k, domains in enumerate(self.domains)]

    def _built_row(self, k, domains):
        row = [min(domain) if len(domain) == 1 else None for domain in domains]
        for place in self._free(k):
            choices = sorted(domains[place] - set(row))
            if choices:
                row[place] = choices[self._below(len(choices))]
            else:
                row = with_room(row, domains, place)
        return row


def with_room(row, domains, place):
    """A copy of `row` with a value at `place`, taken along a shortest path to an unused value."""
    paths, seen = [[place]], set()
    while paths:
        path = paths.pop(0)
        for value in sorted(domains[path[-1]] - seen):
            seen.add(value)
            if value not in row:
                copy = list(row)
                for taker, giver in pairwise(path):
                    copy[taker] = row[giver]
                copy[path[-1]] = value
                return copy
            paths.append([*path, row.index(value)])
    return None

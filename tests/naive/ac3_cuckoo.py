"""Slow, obvious twin of the solver `ac3_cuckoo`: lists of rows, costs from scratch.

It shares only the random numbers with the solver, and draws them in the same order.
"""

from itertools import pairwise

from naive.grid import ac3, domains_of, units

from antdoku.kernels.randomness import below, uniform


def cost(order, nest):
    """Return the number of repeated values, summed over columns and boxes."""
    values = [value for row in nest for value in row]
    columns_and_boxes = units(order)[order**2 :]
    return sum(len(unit) - len({values[cell] for cell in unit}) for unit in columns_and_boxes)


def exchanged(row, column, value):
    """Return a copy of a row in which `value` and the value at `column` have changed places."""
    copy, partner = list(row), row.index(value)
    copy[column], copy[partner] = copy[partner], copy[column]
    return copy


def fits(row, domains):
    """Whether every value is in the domain of its cell."""
    return all(value in domain for value, domain in zip(row, domains, strict=True))


def pmx(row, best, low, high, domains):
    """Do a partially matched crossover; leave out exchanges that the domains forbid."""
    for column in range(low, high + 1):
        child = exchanged(row, column, best[column])
        row = child if fits(child, domains) else row
    return row


def sorting_crossover(row, best, previous, mask, domains):
    """Sort three parents towards each other; the mask gives the parent to follow in each column."""
    parents = [row, best, previous]
    for column, leader in enumerate(mask):
        child = exchanged(parents[0], column, parents[leader][column])
        parents[0] = child if fits(child, domains) else parents[0]
        parents = [exchanged(parent, column, parents[0][column]) for parent in parents]
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
        least_cost = self.costs[self.best]
        for k in range(len(self.nests)):
            if k != self.best:
                self.nests[k] = self._changed(self.nests[k])
        self._find_best()
        self._replace()
        costs = self.costs
        for k, now in enumerate(costs):
            if now > costs[self.best] and uniform(self.random) < self.params.p_abandon:
                self.nests[k] = self._build()
        self.stale = self.stale + 1 if self.costs[self.best] == least_cost else 0
        if self.stale == self.params.patience:
            self._build_all()

    def _below(self, bound):
        return int(below(self.random, bound))

    def _draw_two(self, bound):
        first, second = self._below(bound), self._below(bound - 1)
        return first, second + (second >= first)

    def _find_best(self):
        costs = self.costs
        rivals = [k for k, now in enumerate(costs) if now == min(costs) and k != self.best]
        if rivals:
            self.previous, self.best = self.nests[self.best], rivals[-1]

    def _replace(self):
        costs = self.costs
        better, worse = sorted(self._draw_two(len(costs)), key=lambda k: costs[k])
        if costs[better] < costs[worse]:
            self.nests[worse] = self.nests[better]

    def _changed(self, nest):
        best = self.nests[self.best]
        if uniform(self.random) < self.params.p_pmx:
            cuts = [sorted(self._draw_two(self.size)) for _ in nest]
            rows = zip(nest, best, cuts, self.domains, strict=True)
            child = [pmx(row, best_row, *cut, domains) for row, best_row, cut, domains in rows]
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
                column, partner = (free[drawn] for drawn in self._draw_two(len(free)))
                row = exchanged(nest[k], column, nest[k][partner])
                nest[k] = row if fits(row, self.domains[k]) else nest[k]
        return nest

    def _free(self, row):
        """Return the columns of the free cells of a row, small domains first."""
        sizes = [len(domain) for domain in self.domains[row]]
        return sorted((k for k in range(self.size) if sizes[k] > 1), key=lambda k: sizes[k])

    def _build(self):
        return [self._built_row(k, domains) for k, domains in enumerate(self.domains)]

    def _built_row(self, k, domains):
        row = [min(domain) if len(domain) == 1 else None for domain in domains]
        for column in self._free(k):
            choices = sorted(domains[column] - set(row))
            if choices:
                row[column] = choices[self._below(len(choices))]
            else:
                row = with_room(row, domains, column)
        return row


def with_room(row, domains, column):
    """Return a copy of a row with a value at `column`, moved along a shortest augmenting path."""
    paths, seen = [[column]], set()
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

"""Slow twin of `ac3_tabu`, as in its pseudo-code: sets of values, a list of tabu features."""

from functools import reduce
from operator import add

from naive.grid import ac3, domains_of, peers

from antdoku.kernels.randomness import below, uniform


class Ac3Tabu:
    """A search; a feature is (cell, value), values count from 1."""

    def __init__(self, puzzle, params, random):
        self.params, self.random = params, random
        domains = domains_of(puzzle.order, puzzle.givens)
        self.root = domains if params.filtering == "none" else ac3(puzzle.order, domains)
        self.best, self.tabu, self.peers = self.root, [], peers(puzzle.order)

    def iterate(self):
        """Do an iteration; return whether the best grid is complete."""
        if self.params.iteration == "construction":
            self.best = self.root
            while self.best and (total := reduce(add, self.weights())):
                self.best, _ = self.fill(*self.spin(total))
            return self.best is not None
        return self.fill_cell() if self.params.iteration == "cell" else self.add_feature()

    def fill_cell(self):
        cell, values = self.choose_cell()
        if not values:
            self.best = self.root
            cell, values = self.choose_cell()
        value = values[int(below(self.random, len(values)))] if len(values) > 1 else values[0]
        if self.params.filtering == "each":
            candidate, _ = self.fill(cell, value)
        else:
            candidate = [{value} if k == cell else domain for k, domain in enumerate(self.best)]
        self.best = candidate or self.root
        return candidate is not None and all(len(domain) == 1 for domain in candidate)

    def choose_cell(self):
        """Return the open cell with the fewest values that no filled peer has, and these values."""
        values = {
            cell: sorted(v for v in domain if all(self.best[p] != {v} for p in self.peers[cell]))
            for cell, domain in enumerate(self.best)
            if len(domain) > 1
        }
        return min(values.items(), key=lambda item: len(item[1]), default=(None, []))

    def add_feature(self):
        chosen, order_of_filling = None, []
        for _ in range(self.params.candidates):
            if not (total := reduce(add, self.weights())):
                self.tabu = []
                total = reduce(add, self.weights())
            feature = self.spin(total)
            candidate, filled = self.fill(*feature)
            if candidate is None:
                self.enter(feature)
            elif len(filled) > len(order_of_filling):
                chosen, order_of_filling = candidate, filled
        if chosen is None:
            self.best = self.root if self.params.after_wipeout == "root" else self.best
            return False
        for cell in order_of_filling:
            self.enter((cell, *chosen[cell]))
        self.best = chosen
        return all(len(domain) == 1 for domain in chosen)

    def weights(self):
        """Yield the weight of the features of each cell that are not tabu; 0 for a filled cell."""
        for cell, domain in enumerate(self.best):
            weight = len(domain) ** -float(self.params.wheel) if len(domain) > 1 else 0.0
            yield len(self.allowed(cell)) * weight

    def allowed(self, cell):
        return sorted(value for value in self.best[cell] if (cell, value) not in self.tabu)

    def spin(self, total):
        threshold = uniform(self.random) * total
        for cell, weight in enumerate(self.weights()):
            if weight and threshold >= 0:  # the last one brings the threshold below 0
                chosen, threshold = cell, threshold - weight
        allowed = self.allowed(chosen)
        return chosen, allowed[int(below(self.random, len(allowed)))]

    def fill(self, cell, value):
        """Return the best grid with one more feature (None: wiped out), and the filled cells."""
        domains, filled = [set(domain) for domain in self.best], [cell]
        domains[cell] = {value}
        for source in filled:
            for peer in self.peers[source]:
                if domains[source] <= domains[peer]:
                    domains[peer] -= domains[source]
                    if not domains[peer]:
                        return None, []
                    if len(domains[peer]) == 1:
                        filled.append(peer)
        return domains, filled

    def enter(self, feature):
        if feature not in self.tabu:
            self.tabu = [*self.tabu, feature][-self.params.tabu_length :]
        if not self.params.tabu_length:
            self.tabu = []

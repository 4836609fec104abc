"""Slow twin of `tabu_col`, tabu search on a list colouring: each move counts from scratch."""

import math

from naive.grid import peers

from antdoku.kernels.randomness import below, draw


class TabuCol:
    """The search, move by move; values count from 1."""

    def __init__(self, candidates, order, params, random):
        self.peers, self.params, self.random = peers(order), params, random
        self.values_of = {
            cell: [value + 1 for value, possible in enumerate(row) if possible]
            for cell, row in enumerate(candidates.tolist())
            if sum(row) > 1
        }
        values_of = self.values_of.items()
        self.value = {cell: row[int(below(random, len(row)))] for cell, row in values_of}
        self.in_conflict = [cell for cell in self.value if self.conflicts(cell)]
        self.ends = {}  # (cell, value): the last move at which it is tabu
        self.now = self.length = self.left = 0

    def conflicts(self, cell, value=None):
        value = value or self.value[cell]
        return sum(self.value.get(peer) == value for peer in self.peers[cell])

    @property
    def cost(self):
        return sum(map(self.conflicts, self.value)) // 2

    def move(self):
        if not self.left:
            longest = int(self.params.longest_round * len(self.value) ** 2)
            longer = max(self.params.round_moves, int(self.length * self.params.growth))
            self.left = self.length = min(longer, max(self.params.round_moves, longest))
            self.least_cost = self.cost
        self.now += 1
        if best := self.best_moves():
            upper, lower = divmod(int(draw(self.random)), 2**32)
            cell, value = best[upper * len(best) // 2**32]
            old, self.value[cell] = self.value[cell], value
            self.keep_the_list(cell, old)
            tenure = math.floor(self.factor * len(self.in_conflict))
            tenure += lower * self.params.spread // 2**32
            self.ends[cell, old] = self.now + tenure - 1
        self.left -= 1
        self.least_cost = min(self.least_cost, self.cost)

    @property
    def factor(self):
        """Multiple of the cells in conflict; it falls from `most_factor` to `least_factor`."""
        span = self.params.most_factor - self.params.least_factor
        return self.params.least_factor + span * (self.left / self.length)

    def best_moves(self):
        """Return the moves with the least delta.

        A tabu move counts only if it leads below the least cost of the round.
        """
        cost, deltas = self.cost, {}
        for cell in self.in_conflict:
            for value in self.values_of[cell]:
                delta = self.conflicts(cell, value) - self.conflicts(cell)
                is_tabu = self.ends.get((cell, value), 0) >= self.now
                aspires = cost + delta < self.least_cost
                if value != self.value[cell] and (not is_tabu or aspires):
                    deltas[cell, value] = delta
        best = min(deltas.values(), default=None)
        return [move for move, delta in deltas.items() if delta == best]

    def keep_the_list(self, cell, old):
        """Update the cells in conflict, oldest first; the last cell replaces a removed cell."""
        for peer in self.peers[cell]:
            if self.value.get(peer) == old and not self.conflicts(peer):
                self.remove(peer)
        for peer in self.peers[cell]:
            if self.value.get(peer) == self.value[cell] and self.conflicts(peer) == 1:
                self.in_conflict.append(peer)
        if not self.conflicts(cell):
            self.remove(cell)

    def remove(self, cell):
        at = self.in_conflict.index(cell)
        self.in_conflict[at] = self.in_conflict[-1]
        self.in_conflict.pop()

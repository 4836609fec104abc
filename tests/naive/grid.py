"""Slow, obvious twins of the kernels: sets and loops, nothing shared with the package but units."""

from functools import cache
from itertools import combinations

from antdoku.puzzle import grid


@cache
def units(order):
    """Cells of every row, column and box, as lists: Python counts them faster than arrays."""
    return grid.units(order).tolist()


@cache
def peers(order):
    """Peers of every cell, as lists."""
    return grid.peers(order).tolist()


def sets_of(masks):
    """Masks of candidates as sets of values."""
    return [{bit + 1 for bit in range(64) if mask >> bit & 1} for mask in masks.tolist()]


def domains_of(order, givens):
    """Candidates before any propagation."""
    return [{given} if given else set(range(1, order**2 + 1)) for given in map(int, givens)]


def propagate(order, givens, hidden_in=slice(None)):
    """Candidates of every cell (list of sets) at the fixpoint of naked and hidden singles.

    Returns None on a contradiction: a cell without candidates, or a value without a place in a
    unit. Hidden singles may be looked for in a slice of the units alone; the first are the rows.
    """
    return settle(order, domains_of(order, givens), hidden_in)


def settle(order, candidates, hidden_in=slice(None)):
    """Apply both rules to `candidates`, in place, until nothing changes; None: contradiction."""
    changed = True
    while changed:
        changed = _naked_singles(order, candidates)
        changed |= _hidden_singles(order, candidates, hidden_in)
        if not all(candidates) or _value_without_place(order, candidates):
            return None
    return candidates


def _value_without_place(order, candidates):
    held = (set().union(*(candidates[cell] for cell in unit)) for unit in units(order))
    return any(len(values) < order**2 for values in held)


def _naked_singles(order, candidates):
    changed = False
    for cell, neighbours in enumerate(peers(order)):
        if len(candidates[cell]) == 1:
            for peer in neighbours:
                if candidates[cell] & candidates[peer]:
                    candidates[peer] -= candidates[cell]
                    changed = True
    return changed


def _hidden_singles(order, candidates, hidden_in):
    changed = False
    for unit in units(order)[hidden_in]:
        for value in range(1, order**2 + 1):
            cells = [cell for cell in unit if value in candidates[cell]]
            if len(cells) == 1 and len(candidates[cells[0]]) > 1:
                candidates[cells[0]] = {value}
                changed = True
    return changed


def backtrack(order, givens):
    """Depth-first search as Lloyd & Amos describe it; returns (solution or None, tries)."""
    return search(propagate(order, givens), lambda candidates, *_: settle(order, candidates))


def search(root, propagate):
    """Depth-first search from candidates, which a choice changes; returns (solution, tries)."""
    tries = 0

    def visit(candidates):
        nonlocal tries
        if not candidates or not all(candidates):
            return None
        sizes = [len(left) for left in candidates]
        if max(sizes) == 1:
            return [value for (value,) in candidates]
        branch = sizes.index(min(size for size in sizes if size > 1))
        for value in sorted(candidates[branch]):
            tries += 1
            copy = [set(left) for left in candidates]
            copy[branch] = {value}
            if found := visit(propagate(copy, branch, value)):
                return found
        return None

    return visit(root), tries


def ac3(order, domains):
    """AC3 as in the textbook, in place: the queue holds arcs. None: a domain is wiped out."""
    neighbours = peers(order)
    arcs = [(x, y) for x, others in enumerate(neighbours) for y in others]
    while arcs:
        x, y = arcs.pop()
        supported = {value for value in domains[x] if any(other != value for other in domains[y])}
        if supported != domains[x]:
            domains[x] = supported
            if not supported:
                return None
            arcs += [(z, x) for z in neighbours[x] if z != y]
    return domains


def unavoidable_sets(grid):
    """Unavoidable sets of four cells, as pairs of rows and of columns, of a list of rows."""
    size, order = len(grid), round(len(grid) ** 0.5)
    pairs = list(combinations(range(size), 2))
    return [
        (rows, columns)
        for rows in pairs
        for columns in pairs
        if len({(row // order, column // order) for row in rows for column in columns}) == 2
        and [grid[rows[0]][column] for column in columns]
        == [grid[rows[1]][column] for column in reversed(columns)]
    ]

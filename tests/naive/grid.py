"""Slow, obvious twins of the kernels: sets and loops. They share only units and peers with them."""

from functools import cache
from itertools import combinations

from antdoku.puzzle import grid


@cache
def units(order):
    """Return the cells of every row, column and box, as lists: Python loops faster over them."""
    return grid.units(order).tolist()


@cache
def peers(order):
    """Return the peers of every cell, as lists."""
    return grid.peers(order).tolist()


def sets_of(masks):
    """Turn masks of candidates into sets of values."""
    return [{bit + 1 for bit in range(64) if mask >> bit & 1} for mask in masks.tolist()]


def domains_of(order, givens):
    """Return the candidates before any propagation (list of sets)."""
    return [{given} if given else set(range(1, order**2 + 1)) for given in map(int, givens)]


def propagate(order, givens, hidden_in=slice(None)):
    """Return the candidates of every cell (list of sets) after all naked and hidden singles.

    Return None on a contradiction: a cell without candidates, or a value without a cell in a unit.
    `hidden_in` is a slice of the units in which hidden singles are sought; the rows come first.
    """
    return settle(order, domains_of(order, givens), hidden_in)


def settle(order, candidates, hidden_in=slice(None)):
    """Apply both rules in place until nothing changes; return the candidates, or None."""
    changed = True
    while changed:
        changed = _naked_singles(order, candidates)
        changed |= _hidden_singles(order, candidates, hidden_in)
        if not all(candidates) or _has_value_without_cell(order, candidates):
            return None
    return candidates


def _has_value_without_cell(order, candidates):
    values_of = (set().union(*(candidates[cell] for cell in unit)) for unit in units(order))
    return any(len(values) < order**2 for values in values_of)


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
    """Do the depth-first search of Lloyd & Amos; return (solution or None, tries)."""
    return search(propagate(order, givens), lambda candidates, *_: settle(order, candidates))


def search(root, propagate):
    """Search depth-first, and propagate after each choice; return (solution or None, tries)."""
    tries = 0

    def visit(candidates):
        nonlocal tries
        if not candidates or not all(candidates):
            return None
        sizes = [len(values) for values in candidates]
        if max(sizes) == 1:
            return [value for (value,) in candidates]
        branch = sizes.index(min(size for size in sizes if size > 1))
        for value in sorted(candidates[branch]):
            tries += 1
            copy = [set(values) for values in candidates]
            copy[branch] = {value}
            solution = visit(propagate(copy, branch, value))
            if solution:
                return solution
        return None

    return visit(root), tries


def ac3(order, domains):
    """Do textbook AC3 with a queue of arcs, in place; return the domains, None if one is empty."""
    peers_of = peers(order)
    arcs = [(x, y) for x in range(order**4) for y in peers_of[x]]
    while arcs:
        x, y = arcs.pop()
        supported = {value for value in domains[x] if domains[y] - {value}}
        if supported != domains[x]:
            domains[x] = supported
            if not supported:
                return None
            arcs += [(z, x) for z in peers_of[x] if z != y]
    return domains


def unavoidable_sets(grid):
    """Return the unavoidable sets of four cells of a grid, as pairs of rows and of columns."""
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

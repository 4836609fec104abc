"""The authors' propagation in sets and recursion, as algorithms in their words: a slow twin."""

from functools import cache

from naive.grid import search, units

from antdoku.puzzle.grid import units_of_cell


@cache
def own_units(order):
    """The row, the column and the box of every cell, as lists of cells."""
    return [[units(order)[unit] for unit in of_cell] for of_cell in units_of_cell(order)]


def propagate(order, givens):
    """Candidates of every cell (list of sets) after setting the givens one by one."""
    candidates = [set(range(1, order**2 + 1)) for _ in range(order**4)]
    for cell, given in enumerate(map(int, givens)):
        if given and given not in candidates[cell]:
            candidates[cell] = set()  # ruled out already: there is no solution
        elif given and len(candidates[cell]) > 1:
            set_cell(order, candidates, cell, given)
    return candidates


def set_cell(order, candidates, cell, value):
    """Set a cell; constrain the j-th cell of its box, its column and its row, for every j."""
    candidates[cell] = {value}
    row, column, box = own_units(order)[cell]
    for neighbours in zip(box, column, row, strict=True):
        for neighbour in neighbours:
            constrain(order, candidates, neighbour)


def constrain(order, candidates, cell):
    """Reduce the candidates of one open cell, and set it if that leaves no choice."""
    if len(candidates[cell]) <= 1:
        return
    others = [[c for c in unit if c != cell] for unit in own_units(order)[cell]]
    fixed = {next(iter(candidates[c])) for unit in others for c in unit if len(candidates[c]) == 1}
    rest = set(range(1, order**2 + 1)) - fixed
    if len(rest) == 1:
        set_cell(order, candidates, cell, rest.pop())
        return
    candidates[cell] &= rest
    for unit in others:
        unique = candidates[cell] - set().union(*(candidates[c] for c in unit))
        if len(unique) == 1:
            set_cell(order, candidates, cell, unique.pop())
            return


def backtrack(order, givens):
    """Their depth-first search; returns (solution or None, tries)."""

    def propagated(candidates, cell, value):
        set_cell(order, candidates, cell, value)
        return candidates

    return search(propagate(order, givens), propagated)

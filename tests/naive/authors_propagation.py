"""Slow twin of the authors' propagation: sets and recursion, close to the text of their paper."""

from functools import cache

from naive.grid import search, units

from antdoku.puzzle.grid import units_of_cell


@cache
def units_by_cell(order):
    """Return the row, the column and the box of every cell, as lists of cells."""
    return [[units(order)[unit] for unit in of_cell] for of_cell in units_of_cell(order)]


def propagate(order, givens):
    """Return the candidates of every cell (list of sets) after setting the givens one by one."""
    candidates = [set(range(1, order**2 + 1)) for _ in range(order**4)]
    for cell, given in enumerate(map(int, givens)):
        if given and given not in candidates[cell]:
            candidates[cell] = set()  # ruled out before: there is no solution
        elif given and len(candidates[cell]) > 1:
            set_cell(order, candidates, cell, given)
    return candidates


def set_cell(order, candidates, cell, value):
    """Set a cell; constrain the j-th cell of its box, its column and its row, for every j."""
    candidates[cell] = {value}
    row, column, box = units_by_cell(order)[cell]
    for neighbours in zip(box, column, row, strict=True):
        for neighbour in neighbours:
            constrain(order, candidates, neighbour)


def constrain(order, candidates, cell):
    """Reduce the candidates of an open cell, and set it if one candidate is left."""
    if len(candidates[cell]) <= 1:
        return
    neighbours = [[c for c in unit if c != cell] for unit in units_by_cell(order)[cell]]
    fixed_cells = [c for unit in neighbours for c in unit if len(candidates[c]) == 1]
    fixed = {next(iter(candidates[c])) for c in fixed_cells}
    rest = set(range(1, order**2 + 1)) - fixed
    if len(rest) == 1:
        set_cell(order, candidates, cell, rest.pop())
        return
    candidates[cell] &= rest
    for unit in neighbours:
        unique = candidates[cell] - set().union(*(candidates[c] for c in unit))
        if len(unique) == 1:
            set_cell(order, candidates, cell, unique.pop())
            return


def backtrack(order, givens):
    """Do the authors' depth-first search; return (solution or None, tries)."""

    def propagated(candidates, cell, value):
        set_cell(order, candidates, cell, value)
        return candidates

    return search(propagate(order, givens), propagated)

"""The authors' propagation in sets and recursion, as algorithms in their words: a slow twin."""

from antdoku.puzzle.grid import units, units_of_cell


def propagate(order, givens):
    """Candidates of every cell (list of sets) after setting the givens one by one."""
    candidates = [set(range(1, order**2 + 1)) for _ in range(order**4)]
    for cell, given in enumerate(map(int, givens)):
        if given and len(candidates[cell]) > 1:
            set_cell(order, candidates, cell, given)
    return candidates


def set_cell(order, candidates, cell, value):
    """Set a cell; constrain the j-th cell of its box, its column and its row, for every j."""
    candidates[cell] = {value}
    row, column, box = (units(order)[unit] for unit in units_of_cell(order)[cell])
    for neighbours in zip(box, column, row, strict=True):
        for neighbour in neighbours:
            constrain(order, candidates, neighbour)


def constrain(order, candidates, cell):
    """Reduce the candidates of one open cell, and set it if that leaves no choice."""
    if len(candidates[cell]) <= 1:
        return
    own_units = [[c for c in units(order)[u] if c != cell] for u in units_of_cell(order)[cell]]
    fixed = {next(iter(candidates[c])) for u in own_units for c in u if len(candidates[c]) == 1}
    rest = set(range(1, order**2 + 1)) - fixed
    if len(rest) == 1:
        set_cell(order, candidates, cell, rest.pop())
        return
    candidates[cell] &= rest
    for unit in own_units:
        unique = candidates[cell] - set().union(*(candidates[c] for c in unit))
        if len(unique) == 1:
            set_cell(order, candidates, cell, unique.pop())
            return

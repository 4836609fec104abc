"""Slow twin of a lane of `kernels.lanes`: segments are lists of cells, grids are lists of sets."""

from functools import cache
from itertools import permutations

import numpy as np
from naive.grid import domains_of, peers, units


@cache
def bands(n):
    """Return the bands of order n, rows first, then columns; each has n lines of n segments."""
    return np.reshape(units(n)[: 2 * n**2], (2 * n, n, n, n)).tolist()


def order_of(grid):
    return round(len(grid) ** 0.25)


def solve(givens, limit=1, max_steps=10**9):
    """Return first solution (or None), number of solutions, guesses, and whether it finished."""
    grid = domains_of(order_of(givens), givens)
    first, number, steps, stack = None, 0, 0, []
    while True:
        possible = settle(grid)
        if possible and max(map(len, grid)) > 1:
            if steps == max_steps:
                return first, number, steps, False
            steps += 1
            stack.append(guess(grid))
            continue
        if possible:
            first, number = first or [value for (value,) in grid], number + 1
        if number == limit or not stack:
            return first, number, steps, True
        grid = stack.pop()


def guess(grid):
    """Set an open cell with fewest candidates to the least; return the grid without this value."""
    fewest = min(len(values) for values in grid if len(values) > 1)
    cells = [cell for cell, values in enumerate(grid) if len(values) == fewest]
    cell = cells[0] if order_of(grid) == 3 else max(cells, key=lambda cell: crowding(grid, cell))
    rest, value = [set(values) for values in grid], min(grid[cell])
    rest[cell].remove(value)
    grid[cell] = {value}
    return rest


def crowding(grid, cell):
    """Count the candidates that peers share with a cell, with more weight for peers with few."""
    candidates = [grid[peer] for peer in peers(order_of(grid))[cell]]
    return sum(len(grid[cell] & values) * 4.0 ** -len(values) for values in candidates)


def settle(grid):
    """Infer in all bands until nothing changes; return False on a contradiction."""
    before = None
    while grid != before:
        before = [set(values) for values in grid]
        if not all(infer(grid, lines) for lines in bands(order_of(grid))):
            return False
    return True


def infer(grid, lines):
    """Narrow the cells of a band; return False on a contradiction."""
    n = len(lines)
    where = [(line, box) for line in range(n) for box in range(n)]
    cells = {(line, box): lines[line][box] for line, box in where}
    fixed = {at: set().union(*(grid[c] for c in cells[at] if len(grid[c]) == 1)) for at in where}
    free, able, after = {}, {}, {}
    for line, box in where:
        rivals = [at for at in where if (at[0] == line) != (at[1] == box)]
        free[line, box] = set().union(*(grid[c] for c in cells[line, box]))
        free[line, box] -= set().union(*(fixed[at] for at in rivals))
    for line, box in where:
        able[line, box] = {value for value in free[line, box] if fits(value, line, box, free, n)}
    for line, box in where:
        elsewhere = set().union(*(able[line, b] for b in range(n) if b != box))
        must = able[line, box] - elsewhere
        for cell in cells[line, box]:
            after[cell] = narrowed(grid, cells[line, box], cell, able[line, box], must)
    for cell, values in after.items():
        grid[cell] = values
    has_places = set().union(*(able[0, box] for box in range(n)))
    return len(has_places) == n**2 and all(after.values())


def fits(value, line, box, free, n):
    """Whether the other lines can take a value in the other boxes, one in each."""
    lines = [*range(line), *range(line + 1, n)]
    boxes = [*range(box), *range(box + 1, n)]
    return any(all(value in free[at] for at in zip(lines, order)) for order in permutations(boxes))


def narrowed(grid, segment, cell, able, must):
    """Return the candidates of a cell; its segment may have the values `able`, and needs `must`."""
    rivals = [grid[c] for c in segment if c != cell]
    left = grid[cell] & (must if len(must) >= len(segment) else able)
    left -= set().union(*(values for values in rivals if len(values) == 1))
    hidden = (left & must).difference(*rivals)
    return hidden or left

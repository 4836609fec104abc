"""One lane of `kernels.lanes`, slowly: triads are sets of cells, grids lists of sets of values."""

ALL = frozenset(range(1, 10))
ROWS = [[[9 * row + 3 * stack + k for k in range(3)] for stack in range(3)] for row in range(9)]
COLUMNS = [
    [[27 * band + 9 * k + column for k in range(3)] for band in range(3)] for column in range(9)
]
# Each has three lines of three triads.
BANDS = [lines[at : at + 3] for lines in (ROWS, COLUMNS) for at in (0, 3, 6)]


def solve(givens, limit=1, max_steps=10**9):
    """First solution or None, solutions up to a limit, guesses, and whether that is all."""
    grid = [{given} if given else set(ALL) for given in map(int, givens)]
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
    """Set the first cell with fewest candidates to its least one; returns the grid without it."""
    _, cell = min((len(values), cell) for cell, values in enumerate(grid) if len(values) > 1)
    kept, value = [set(values) for values in grid], min(grid[cell])
    kept[cell].remove(value)
    grid[cell] = {value}
    return kept


def settle(grid):
    """Sweep until nothing changes; False on a contradiction."""
    while True:
        before = [set(values) for values in grid]
        if not sweep(grid):
            return False
        if grid == before:
            return True


def sweep(grid):
    """Infer in all bands, one after the other; False on a contradiction."""
    return all(infer(grid, lines) for lines in BANDS)


def infer(grid, lines):
    """Narrow the cells of a band, from what they hold now; False on a contradiction."""
    where = [(line, box) for line in range(3) for box in range(3)]
    cells = {(line, box): lines[line][box] for line, box in where}
    fixed = {at: set().union(*(grid[c] for c in cells[at] if len(grid[c]) == 1)) for at in where}
    free, able, after = {}, {}, {}
    for line, box in where:
        rivals = [at for at in where if (at[0] == line) != (at[1] == box)]
        free[line, box] = set().union(*(grid[c] for c in cells[line, box]))
        free[line, box] -= set().union(*(fixed[at] for at in rivals))
    for line, box in where:
        able[line, box] = {value for value in free[line, box] if fits(value, line, box, free)}
    for line, box in where:
        others = set().union(*(able[line, other] for other in range(3) if other != box))
        must = able[line, box] - others
        for cell in cells[line, box]:
            after[cell] = narrowed(grid, cells[line, box], cell, able[line, box], must)
    for cell, values in after.items():
        grid[cell] = values
    has_places = set().union(*(able[0, box] for box in range(3))) == ALL
    return has_places and all(after.values())


def fits(value, line, box, free):
    """Whether the other two lines can take a value in the other two boxes, one in each."""
    first, second = (each for each in range(3) if each != line)
    left, right = (each for each in range(3) if each != box)
    return any(
        value in free[first, one] and value in free[second, other]
        for one, other in ((left, right), (right, left))
    )


def narrowed(grid, triad, cell, able, must):
    """What is left of a cell of a triad, which may take some values and must take others."""
    rivals = [grid[other] for other in triad if other != cell]
    left = grid[cell] & (must if len(must) > 2 else able)
    left -= set().union(*(values for values in rivals if len(values) == 1))
    hidden = (left & must).difference(*rivals)
    return hidden or left

"""The slow, obvious twin of `puzzle.unavoidable`: every two rows and every two columns."""

from itertools import combinations


def unavoidable_sets(grid):
    """Sets of four cells, as pairs of rows and of columns, of a grid that is a list of rows."""
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

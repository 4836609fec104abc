"""Unavoidable sets of four cells: two values of a complete grid that can be exchanged.

Such a set is the four cells in which two rows and two columns meet, if these cells lie in exactly
two boxes and hold two values a and b as

    a b
    b a

Exchanged, the values make another grid. So a puzzle that gives none of the four cells has more
than one solution, and propagation alone does not solve it. Permutations of the values, and of rows
and columns that keep the boxes together, keep the number of sets.
"""

from itertools import combinations

import numpy as np


def unavoidable_sets(grid: np.ndarray) -> int:
    """Count the unavoidable sets of four cells of a complete grid of shape (d, d) or (c,)."""
    size = round(grid.size**0.5)
    rows = np.reshape(grid, (size, size))
    # Lines that meet in two boxes: two rows of a band or two columns of a stack, never both, as no
    # value stands in a box twice.
    return _in_bands(rows) + _in_bands(rows.T)


def _in_bands(rows):
    """Count the sets in two rows of the same band."""
    size, columns = len(rows), np.arange(len(rows))
    bands = columns.reshape(round(size**0.5), -1)
    first, second = np.array([pair for band in bands for pair in combinations(band, 2)]).T
    column_of = np.argsort(rows, axis=1)  # shape (d, d): of each value in each row
    # From each column to the one where the first row has the value of the second.
    partner = column_of[first[:, None], rows[second] - 1]
    back = np.take_along_axis(partner, partner, axis=1)
    return int(np.count_nonzero(back == columns)) // 2

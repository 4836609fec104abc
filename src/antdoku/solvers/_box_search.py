"""Complete grids whose boxes are permutations: the neighbourhood of box-wise local searches.

Every box holds each value once, so only rows and columns can be wrong. A move swaps two free cells
of one box. A table counts each value in each line (row or column), so the change of the cost takes
eight look-ups.

Cost: number of values that are absent, summed over all rows and columns (Lewis 2007).

Glossary: line = row (0 .. d-1) or column (d .. 2d-1); free cell = not locked by the puzzle; blank =
free cell without a value for the moment.
"""

from collections import namedtuple

import numpy as np

from antdoku.kernels.bits import ONE
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.randomness import below
from antdoku.puzzle.grid import units_of_cell

BoxGrid = namedtuple("BoxGrid", "values counts line_of box_of by_box free first slot_of left pool")


def new_box_grid(locked: np.ndarray, order: int) -> BoxGrid:
    """Return a grid in which the cells of `locked` (int16, (c,), 0 free) never change.

    The free cells are blank until `fill_blanks`. Only `values` and `counts` change.
    """
    size, unit_of = order**2, units_of_cell(order)
    box_of = unit_of[:, 2].astype(np.uint32) - np.uint32(2 * size)
    by_box = np.argsort(box_of, kind="stable").astype(np.uint32)
    free = by_box[locked[by_box] == 0]
    first = np.searchsorted(box_of[free], np.arange(size + 1)).astype(np.uint32)
    slot_of = np.zeros_like(box_of)
    slot_of[free] = np.arange(free.size) - first[box_of[free]]
    return BoxGrid(
        values=locked.astype(np.int16),  # 1 .. d, 0 blank
        counts=np.zeros((2 * size, size + 1), np.uint8),  # of each value (0: blanks) in each line
        line_of=unit_of[:, :2].astype(np.uint32),  # row and column of a cell, as line numbers
        box_of=box_of,  # of a cell, from 0
        by_box=by_box,  # all cells, box after box
        free=free,  # the free cells, box after box
        first=first,  # box k owns free[first[k]:first[k+1]]
        slot_of=slot_of,  # number of a free cell among the free cells of its box
        left=np.empty(size + 1, bool),  # work space
        pool=np.empty(size + 1, np.int16),  # work space
    )


@kernel
def fill_blanks(grid, random):
    """Fill the blank cells of each box at random with the values it lacks; return the cost."""
    values, left, pool, size = grid.values, grid.left, grid.pool, len(grid.left) - 1
    for begin in range(0, len(values), size):
        left.fill(True)
        for k in range(begin, begin + size):
            left[values[grid.by_box[k]]] = False
        n_left = np.uint64(0)
        for value in range(1, size + 1):
            pool[n_left] = value
            n_left += np.uint64(left[value])
        for k in range(begin, begin + size):
            cell = grid.by_box[k]
            if values[cell] == 0:
                drawn = below(random, n_left)
                n_left -= ONE
                values[cell] = pool[drawn]
                pool[drawn] = pool[n_left]
    return count_lines(grid)


@inlined
def count_lines(grid):
    """Compute `grid.counts` from the values; return the cost."""
    grid.counts.fill(0)
    for cell in range(len(grid.values)):
        value = np.uint64(grid.values[cell])
        grid.counts[grid.line_of[cell, 0], value] += 1
        grid.counts[grid.line_of[cell, 1], value] += 1
    cost = 0
    for line in range(grid.counts.shape[0]):
        for value in range(1, grid.counts.shape[1]):
            cost += grid.counts[line, value] == 0
    return cost


@inlined
def free_cell(grid, cell, slot):
    """Return the free cell with number `slot` in the box of `cell`."""
    return grid.free[np.uint64(grid.first[grid.box_of[cell]]) + slot]


@inlined
def in_conflict(grid, cell):
    """Return whether the value of `cell` occurs again in its row or column."""
    counts, line_of, value = grid.counts, grid.line_of, np.uint64(grid.values[cell])
    return counts[line_of[cell, 0], value] > 1 or counts[line_of[cell, 1], value] > 1


@inlined
def swap_delta(grid, cell, partner):
    """Return the change of the cost (int64) by a swap of two cells of a box, without branches."""
    values, counts, line_of = grid.values, grid.counts, grid.line_of
    value, partner_value = np.uint64(values[cell]), np.uint64(values[partner])
    delta = 0
    for kind in range(2):
        line, line_2 = line_of[cell, kind], line_of[partner, kind]
        lost = np.int64(counts[line, value] == 1) + np.int64(counts[line_2, partner_value] == 1)
        won = np.int64(counts[line, partner_value] == 0) + np.int64(counts[line_2, value] == 0)
        delta += (lost - won) * np.int64(line != line_2)
    return delta


@inlined
def swap(grid, cell, partner):
    """Exchange the values of two cells of one box."""
    values, counts, line_of = grid.values, grid.counts, grid.line_of
    value, partner_value = np.uint64(values[cell]), np.uint64(values[partner])
    for kind in range(2):
        line, line_2 = line_of[cell, kind], line_of[partner, kind]
        counts[line, value] -= 1
        counts[line_2, value] += 1
        counts[line_2, partner_value] -= 1
        counts[line, partner_value] += 1
    values[cell], values[partner] = partner_value, value

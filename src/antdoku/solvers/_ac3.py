"""Arc consistency by AC3 for the binary disequalities of Sudoku, incrementally.

Variables are the cells, constraints say that two peers differ. An arc (x, y) removes from the
domain of x what has no support in the domain of y; with a disequality that is at most one value,
and only when y has no other left. So AC3 revises the arcs into cells whose domain has become a
single value, and it finds all naked singles. It finds no hidden singles, which take more than two
cells. A cell whose domain is a single value counts as filled.

Domains are masks (uint32 up to order 5, uint64 above): bit v for value v + 1. A wipe-out is a
domain without values.

Reference: Mackworth 1977, "Consistency in networks of relations" (Artificial Intelligence 8);
used by Soto et al. 2013 and 2014.
"""

from functools import cache

import numpy as np

from antdoku.kernels.bits import ONE, full, without_lowest
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.propagation import NONE, mask_dtype
from antdoku.puzzle.grid import Puzzle, peers


@cache
def neighbours(order: int) -> np.ndarray:
    """Return `peers` for kernels, unsigned: uint32, shape (c, peers of a cell)."""
    return peers(order).astype(np.uint32)


def new_queue(order: int) -> np.ndarray:
    """Return the work array of `fill` (uint32, shape (c + 1,)). A cell enters it at most once."""
    return np.empty(order**4 + 1, np.uint32)


def ac3(puzzle: Puzzle) -> tuple[np.ndarray, bool]:
    """Return the domains at the fixpoint or the first wipe-out, and whether it is a fixpoint."""
    order = puzzle.order
    domains = np.full(puzzle.n_cells, full(puzzle.size), mask_dtype(order))
    return domains, _load(domains, neighbours(order), new_queue(order), puzzle.givens)


@kernel
def _load(domains, neighbours, queue, givens):
    """Enter `givens` (int16, (c,), 0 blank) into full domains; return False on a wipe-out."""
    for cell in range(np.uint64(len(domains))):
        if givens[cell]:
            value = np.uint64(givens[cell] - 1)
            is_open = without_lowest(domains[cell]) != NONE
            domains[cell] &= ONE << value
            if domains[cell] == NONE:
                return False
            # A domain of one value has been propagated already.
            if is_open and not fill(domains, neighbours, queue, cell, value):
                return False
    return True


@inlined
def fill(domains, neighbours, queue, cell, value):
    """Fill an open cell with a value (from 0) of its domain; make the domains consistent again.

    Returns the number of filled cells, or 0 after a wipe-out, which leaves the domains useless.
    `queue` begins with the filled cells, each after the cell whose value filled it.
    """
    domains[cell] = ONE << value
    queue[0] = cell
    n_done, n_filled = NONE, ONE
    while n_done < n_filled:
        source = np.uint64(queue[n_done])
        n_done += ONE
        bit = domains[source]
        for k in range(np.uint64(neighbours.shape[1])):
            peer = np.uint64(neighbours[source, k])
            before = domains[peer]
            left = before & ~bit
            domains[peer] = left
            if left == NONE:
                return NONE
            # Stored in any case: no branch to guess.
            queue[n_filled] = peer
            n_filled += np.uint64(left != before) & np.uint64(without_lowest(left) == NONE)
    return n_filled

"""Backtracking search with propagation.

Depth-first search: take the open cell with fewest candidates, try its values in ascending order,
propagate each, and go back when a cell has no candidate left.

Reference: Lloyd & Amos 2018, "Solving Sudoku with Ant Colony Optimisation" (arXiv:1805.03545),
section 4 (the baseline BS).

Glossary: level = number of choices made so far. A step is one try: a value set and propagated.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from antdoku.bits import ONE, count, lowest, without_lowest
from antdoku.budget import Budget
from antdoku.compilation import inlined, kernel
from antdoku.grid import Puzzle
from antdoku.propagation import NONE, assign, geometry, new_queue, propagated
from antdoku.record import EXHAUSTED, SOLVED, TIMEOUT, Outcome
from antdoku.solvers._local import solution_of

TITLE = "BS"
KIND = "exact"

_RUNNING, _SOLVED, _EXHAUSTED = 0, 1, 2


@dataclass(frozen=True)
class Params:
    """Backtracking has no parameters."""


class Search(NamedTuple):
    """The path from the root to the current node; level 0 is the propagated puzzle."""

    grids: np.ndarray  # masks (levels, len of a state)
    cell: np.ndarray  # uint64 (levels,): the cell on which each level branches
    untried: np.ndarray  # uint64 (levels,): mask of the values still to try there
    queue: np.ndarray  # work array of the propagation


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Search until a solution is found, none is left to find, or the budget is used up."""
    root, consistent = propagated(puzzle)
    if not consistent:
        return Outcome(EXHAUSTED, None, 0)
    search = _new_search(root, puzzle)
    tables = geometry(puzzle.order)
    if not _branch(search, tables, 0):
        return Outcome(SOLVED, solution_of(root, puzzle.n_cells), 0)
    level = 0
    for quota in budget.slices():
        steps, level, state = _search(search, tables, level, quota)
        budget.spend(steps)
        if state == _SOLVED:
            return Outcome(SOLVED, solution_of(search.grids[level], puzzle.n_cells), budget.steps)
        if state == _EXHAUSTED:
            return Outcome(EXHAUSTED, None, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


def _new_search(root, puzzle):
    n_open = int(np.count_nonzero(np.bitwise_count(root[: puzzle.n_cells]) > 1))
    # Memory of a level is taken by the operating system only when the search gets there.
    search = Search(
        np.empty((n_open + 1, root.size), root.dtype),
        np.zeros(n_open + 1, np.uint64),
        np.zeros(n_open + 1, np.uint64),
        new_queue(puzzle.order),
    )
    search.grids[0] = root
    return search


@kernel
def _search(search, geometry, level, quota):
    """Go on from `level` for up to `quota` tries; returns tries done, level and state."""
    grids, untried = search.grids, search.untried
    tries = 0
    while tries < quota:
        while untried[level] == NONE:
            if level == 0:
                return tries, level, _EXHAUSTED
            level -= 1
        value = lowest(untried[level])
        untried[level] = without_lowest(untried[level])
        tries += 1
        for k in range(grids.shape[1]):
            grids[level + 1, k] = grids[level, k]
        if assign(grids[level + 1], geometry, search.queue, search.cell[level], value, True):
            level += 1
            if not _branch(search, geometry, level):
                return tries, level, _SOLVED
    return tries, level, _RUNNING


@inlined
def _branch(search, geometry, level):
    """Choose the cell on which `level` branches; False if no cell is open."""
    grid = search.grids[level]
    fewest = np.uint64(65)
    for cell in range(geometry.n_cells):
        n_candidates = count(grid[cell])
        if ONE < n_candidates < fewest:
            fewest = n_candidates
            search.cell[level] = cell
            search.untried[level] = grid[cell]
            if fewest == np.uint64(2):
                return True
    return fewest < np.uint64(65)

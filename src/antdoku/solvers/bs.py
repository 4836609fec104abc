"""Backtracking search with propagation.

Depth-first search: take the open cell with fewest candidates, try its values in ascending order,
propagate each, and go back when a cell has no candidate left.

Reference: Lloyd & Amos 2018, "Solving Sudoku with Ant Colony Optimisation" (arXiv:1805.03545),
section 4 (the baseline BS). Propagation is that of their program: `bs_closure` has that of the
text.

Glossary: level = number of choices made so far. A step is one try: a value set and propagated.
"""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import MASK_ORDERS
from antdoku.kernels.compilation import kernel
from antdoku.kernels.propagation import NONE, geometry, propagated
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import _authors_propagation as authors
from antdoku.solvers._depth_first import branch, descend, new_path, next_value
from antdoku.solvers._local import decided, solution_of
from antdoku.solvers._parameters import parameters, word

TITLE = "BS"
KIND = "exact"
ORDERS = MASK_ORDERS

_START = -1  # level of a search whose root has not yet branched
_RUNNING, _SOLVED, _EXHAUSTED = 0, 1, 2


@parameters
class Params:
    """Parameters of backtracking."""

    propagation = word(
        "authors",
        {
            "authors": "the weaker one of their published program; an empty cell is the only "
            "contradiction",
            "complete": "all naked and hidden singles; a value without a place is a contradiction, "
            "too",
        },
        "What follows from a choice.",
    )


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Search until a solution is found, none is left to find, or the budget is used up."""
    complete = params.propagation == "complete"
    root, consistent = (propagated if complete else authors.propagated)(puzzle)
    if outcome := decided(solution_of(root, puzzle.n_cells), consistent, KIND):
        return outcome
    n_open = int(np.count_nonzero(np.bitwise_count(root[: puzzle.n_cells]) > 1))
    path, level = new_path(root, n_open, puzzle.order), _START
    tables, frames = geometry(puzzle.order), authors.new_frames(puzzle.order)
    for quota in budget.slices():
        steps, level, status = _search(path, tables, frames, complete, level, quota)
        budget.spend(steps)
        if status == _SOLVED:
            return Outcome(SOLVED, solution_of(path.states[level], puzzle.n_cells), budget.steps)
        if status == _EXHAUSTED:
            return Outcome(EXHAUSTED, None, budget.steps)
    return Outcome(TIMEOUT, None, budget.steps)


@kernel
def _search(path, geometry, frames, complete, level, quota):
    """Go on from `level` for up to `quota` tries; returns tries done, level and status."""
    if level == _START:
        level = 0
        branch(path, geometry, level)
    tries = 0
    while tries < quota:
        while path.untried[level] == NONE:
            if level == 0:
                return tries, level, _EXHAUSTED
            level -= 1
        tries += 1
        if complete:
            consistent = descend(path, geometry, level)
        else:
            value, state = next_value(path, level), path.states[level + 1]
            consistent = authors.assign(state, geometry, frames, path.cell[level], value, True)
        if consistent:
            level += 1
            if not branch(path, geometry, level):
                return tries, level, _SOLVED
    return tries, level, _RUNNING

"""Backtracking search with propagation.

Depth-first search: take the open cell with fewest candidates, try its values in ascending order,
propagate each, and go back when a cell has no candidate left.

Reference: Lloyd & Amos 2018, "Solving Sudoku with Ant Colony Optimisation" (arXiv:1805.03545),
section 4 (the baseline BS). Propagation follows their program; in `bs_closure` it follows their
text.

Glossary: level = number of choices made so far. A step is one try: a value set and propagated.

Naive twin: `backtrack` in tests/naive/authors_propagation.py.
"""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.bits import MASK_ORDERS
from antdoku.kernels.compilation import kernel
from antdoku.kernels.propagation import NONE, assign, geometry, propagated
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import _authors_propagation as authors
from antdoku.solvers._depth_first import branch, new_path, next_value
from antdoku.solvers._local import FOUND, REFUTED, RUNNING, decided, run_kernel, solution_of
from antdoku.solvers._parameters import parameters, word

TITLE = "BS"
KIND = "exact"
ORDERS = MASK_ORDERS

_START = -1  # level of a search whose root has not yet branched


@parameters
class Params:
    """Parameters of backtracking."""

    propagation = word(
        "authors",
        {
            "authors": "that of their program, weaker; an empty cell is the only contradiction",
            "complete": "all naked and hidden singles; a value without a place contradicts, too",
        },
        "The propagation of a choice.",
    )


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Search until a solution is found, the tree is searched, or the budget is used up."""
    complete = params.propagation == "complete"
    root, consistent = (propagated if complete else authors.propagated)(puzzle)
    if outcome := decided(solution_of(root, puzzle.n_cells), consistent, KIND):
        return outcome
    n_open = int(np.count_nonzero(np.bitwise_count(root[: puzzle.n_cells]) > 1))
    path, level = new_path(root, n_open, puzzle.order), np.array([_START])
    state = path, geometry(puzzle.order), authors.new_frames(puzzle.order), complete, level
    return run_kernel(
        budget, _search, state, lambda: solution_of(path.states[level[0]], puzzle.n_cells)
    )


@kernel
def _search(path, geometry, frames, complete, at, quota):
    """Search from level `at[0]` for up to `quota` tries; return their number and the result."""
    level = at[0]
    if level == _START:
        level = 0
        branch(path, geometry, level)
    tries, result = 0, RUNNING
    while tries < quota and result == RUNNING:
        while level > 0 and path.untried[level] == NONE:
            level -= 1
        if path.untried[level] == NONE:
            result = REFUTED
            break
        tries += 1
        cell, value, state = path.cell[level], next_value(path, level), path.states[level + 1]
        if complete:
            consistent = assign(state, geometry, path.queue, cell, value, True)
        else:
            consistent = authors.assign(state, geometry, frames, cell, value, True)
        if consistent:
            level += 1
            if not branch(path, geometry, level):
                result = FOUND
    at[0] = level
    return tries, result

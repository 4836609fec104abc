"""Puzzles with exactly one solution, dug out of a solved grid.

Cells are blanked one by one in random order. A blank stays only if a search refutes every other
value of the cell: each solution of the new puzzle then has the old value there, so it is a solution
of the puzzle before, which had only one. A search that does not end within a number of steps proves
nothing, and the given is put back, as it is if another value leads to a solution.
"""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.propagation import candidates
from antdoku.outcome import EXHAUSTED
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import bs

# Values tried to refute one rival. From order 5 on the limit is felt: the more tries, the harder
# the puzzles are for a depth-first search (docs/deviations.md).
MAX_TRIES = 10_000


def dig(solution: np.ndarray, n_blank: int, rng: np.random.Generator) -> np.ndarray:
    """Blank cells of a solved grid as long as the solution provably stays the only one.

    Parameters
    ----------
    solution : ndarray of int, shape (c,)
        Not changed.
    n_blank : int
        Number of cells to blank.

    Returns
    -------
    ndarray of int, shape (c,)
        The puzzle, 0 for a blank cell. It has fewer blanks than wanted if no other given could go.
    """
    order = round(solution.size**0.25)
    puzzle = solution.copy()
    for cell in rng.permutation(solution.size):
        if n_blank == 0:
            break
        puzzle[cell] = 0
        if is_forced(Puzzle(order, puzzle), cell, solution[cell]):
            n_blank -= 1
        else:
            puzzle[cell] = solution[cell]
    return puzzle


def is_forced(puzzle: Puzzle, cell: int, value: int) -> bool:
    """Tell whether it is proved that no solution of `puzzle` has another value in a blank cell."""
    rivals = np.flatnonzero(candidates(puzzle)[cell]) + 1
    return all(_is_refuted(puzzle, cell, rival) for rival in rivals if rival != value)


def _is_refuted(puzzle, cell, rival):
    givens = puzzle.givens.copy()
    givens[cell] = rival
    no_rng, budget = None, Budget(max_steps=MAX_TRIES)  # bs draws no random numbers
    return bs.solve(Puzzle(puzzle.order, givens), bs.Params(), no_rng, budget).status == EXHAUSTED

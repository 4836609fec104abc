"""Puzzles with exactly one solution, dug out of a solved grid.

Cells are blanked one by one in random order. A blank stays only if a search refutes every other
value of the cell: each solution of the new puzzle then has the old value there, so it is a solution
of the puzzle before, which had only one. A search that does not end within a number of steps proves
nothing, and the given is put back, as it is if another value leads to a solution.

How much of such a puzzle propagation fixes is a matter of luck, and most of those of order 3 it
solves. To have puzzles of which it leaves as much as of others, givens are exchanged for blanks.
"""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.closure import closed, profile
from antdoku.outcome import EXHAUSTED
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import bs

# Values tried to refute one rival. From order 5 on the limit is felt: the more tries, the harder
# the puzzles are for a depth-first search (docs/deviations.md).
MAX_TRIES = 10_000
# Of a given for a blank, tried to steer one puzzle. Those like the puzzles of Lewis's Table 1 took
# up to 251 (median of a row), at most 2,580 (docs/deviations.md).
MAX_EXCHANGES = 3_000
TOLERANCE = 0.01  # of a fixed fraction after propagation: papers print it to two decimals


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
    puzzle = solution.copy()
    for cell in rng.permutation(solution.size):
        if n_blank == 0:
            break
        puzzle[cell] = 0
        if is_forced(_puzzle(puzzle), cell, solution[cell]):
            n_blank -= 1
        else:
            puzzle[cell] = solution[cell]
    return puzzle


def steer(
    puzzle: np.ndarray, solution: np.ndarray, fixed_after_cp: float, rng: np.random.Generator
) -> np.ndarray | None:
    """Exchange givens for blanks until propagation leaves a wanted fraction of the cells fixed.

    One given for one blank, both drawn at random, as long as the solution provably stays the only
    one and the fraction comes no farther from the wanted one.

    Parameters
    ----------
    puzzle, solution : ndarray of int, shape (c,)
        A puzzle with one solution; not changed.
    fixed_after_cp : float
        Of the cells; no less than those that are given.

    Returns
    -------
    ndarray of int, shape (c,), or None
        A puzzle with as many givens, within `TOLERANCE` of the fraction, or half a cell where that
        is more. None if `MAX_EXCHANGES` do not lead there.
    """
    off, tolerance = _off(puzzle, fixed_after_cp), max(TOLERANCE, 0.5 / puzzle.size)
    for _ in range(MAX_EXCHANGES):
        if off <= tolerance:
            return puzzle
        given, blank = (rng.choice(np.flatnonzero(is_one)) for is_one in (puzzle, puzzle == 0))
        other = puzzle.copy()
        other[given], other[blank] = 0, solution[blank]
        now = _off(other, fixed_after_cp)
        if now <= off and is_forced(_puzzle(other), given, solution[given]):
            puzzle, off = other, now
    return None


def _off(puzzle, fixed_after_cp):
    """How far propagation is from fixing a fraction of the cells."""
    return abs(profile(_puzzle(puzzle)).fixed - fixed_after_cp)


def _puzzle(givens):
    return Puzzle(round(givens.size**0.25), givens)


def is_forced(puzzle: Puzzle, cell: int, value: int) -> bool:
    """Tell whether it is proved that no solution of `puzzle` has another value in a blank cell."""
    rivals = np.flatnonzero(closed(puzzle)[0][cell]) + 1
    return all(_is_refuted(puzzle, cell, rival) for rival in rivals if rival != value)


def _is_refuted(puzzle, cell, rival):
    givens = puzzle.givens.copy()
    givens[cell] = rival
    no_rng, budget = None, Budget(max_steps=MAX_TRIES)  # bs draws no random numbers
    return bs.solve(Puzzle(puzzle.order, givens), bs.Params(), no_rng, budget).status == EXHAUSTED

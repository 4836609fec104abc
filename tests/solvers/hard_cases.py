"""Puzzles that several tests of solvers use."""

import numpy as np

from antdoku.budget import Budget
from antdoku.kernels.closure import closed
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import dlx


def dead_end():
    """A puzzle without solution that propagation alone does not refute."""
    puzzle = named.puzzles("platinumblond")[0]  # has one solution: no other value is right
    solution = dlx.solve(puzzle, dlx.Params(), np.random.default_rng(0), Budget()).solution
    for cell, bit in np.argwhere(closed(puzzle)[0]):
        givens = puzzle.givens.copy()
        givens[cell] = bit + 1
        if bit + 1 != solution[cell] and closed(Puzzle(3, givens))[1]:
            return Puzzle(3, givens)

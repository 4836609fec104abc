"""Simulated annealing.

Every box is filled with the values that it lacks, at random. A move swaps two free cells of one
box; it is accepted if the cost does not rise, else with a probability that falls with the rise and
with the temperature. The temperature falls from chain to chain; after 20 chains in succession that
did not lower the cost the search begins again, hot and from a new grid.

Reference: Lewis 2007, "Metaheuristics can solve sudoku puzzles" (Journal of Heuristics 13(4)).

Glossary: cost = values that are absent, summed over all rows and columns; free cell = not given;
t0 = initial temperature; chain = (number of free cells)^2 proposed swaps at one temperature.
A step is one proposed swap. The kernels are those of `_annealing`.
"""

import numpy as np

from antdoku.budget import Budget
from antdoku.outcome import Outcome
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers._annealing import Params, anneal

TITLE = "SA"
KIND = "stochastic"


def solve(puzzle: Puzzle, params: Params, rng: np.random.Generator, budget: Budget) -> Outcome:
    """Anneal until the grid is a solution or the budget is used up."""
    return anneal(puzzle.order, puzzle.givens, params, rng, budget)

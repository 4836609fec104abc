"""Tools for writing a solver; ``antdoku new-solver mine.py`` writes an example.

A solver is a function ``solve(puzzle, params, rng, budget) -> Outcome`` in a file, which may also
declare a class ``Params``, ``TITLE`` and ``KIND``, see `antdoku.solvers`.
"""

from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.kernels.closure import closure
from antdoku.kernels.compilation import inlined, kernel
from antdoku.kernels.randomness import below, kernel_state, uniform
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle, is_solution, peers, units
from antdoku.solvers._parameters import integer, parameters, real, with_default, word

__all__ = ["EXHAUSTED", "SOLVED", "TIMEOUT", "Budget", "InputError", "Outcome", "Puzzle", "below"]
__all__ += ["closure", "inlined", "integer", "is_solution", "kernel", "kernel_state", "parameters"]
__all__ += ["peers", "real", "uniform", "units", "with_default", "word"]

"""The parts of a solver of one's own; ``antdoku new-solver mine.py`` writes a first one.

A solver is a function ``solve(puzzle, params, rng, budget) -> Outcome`` in a file, which may also
declare a class ``Params``, ``TITLE`` and ``KIND``, see `antdoku.solvers`.
"""

from antdoku.budget import Budget as Budget
from antdoku.errors import InputError as InputError
from antdoku.kernels.closure import closure as closure
from antdoku.kernels.compilation import inlined as inlined
from antdoku.kernels.compilation import kernel as kernel
from antdoku.kernels.randomness import kernel_state as kernel_state
from antdoku.outcome import EXHAUSTED as EXHAUSTED
from antdoku.outcome import SOLVED as SOLVED
from antdoku.outcome import TIMEOUT as TIMEOUT
from antdoku.outcome import Outcome as Outcome
from antdoku.puzzle.grid import Puzzle as Puzzle
from antdoku.puzzle.grid import is_solution as is_solution
from antdoku.puzzle.grid import peers as peers
from antdoku.puzzle.grid import units as units
from antdoku.solvers._parameters import integer as integer
from antdoku.solvers._parameters import parameters as parameters
from antdoku.solvers._parameters import real as real
from antdoku.solvers._parameters import with_default as with_default
from antdoku.solvers._parameters import word as word

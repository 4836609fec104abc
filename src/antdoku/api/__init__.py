"""The functions for Python users: read, solve, count, check, generate, compare and write puzzles.

An argument called `puzzle` may be a `Puzzle`, or anything that `read` accepts. Bad input raises an
`InputError` of one line. `antdoku.list_solvers()` lists the solvers with their parameters.
"""

from antdoku.api.arguments import DEFAULT_TIMEOUT_S as DEFAULT_TIMEOUT_S
from antdoku.api.arguments import Request as Request
from antdoku.api.arguments import checked_request as checked_request
from antdoku.api.checking import check as check
from antdoku.api.checking import check_all as check_all
from antdoku.api.checking import count as count
from antdoku.api.checking import count_all as count_all
from antdoku.api.comparing import compare as compare
from antdoku.api.comparing import plot as plot
from antdoku.api.comparing import summary as summary
from antdoku.api.generating import generate as generate
from antdoku.api.generating import generate_rows as generate_rows
from antdoku.api.solving import frame as frame
from antdoku.api.solving import results as results
from antdoku.api.solving import solve as solve
from antdoku.api.solving import solve_all as solve_all
from antdoku.api.solving import watch as watch
from antdoku.api.writing import write as write
from antdoku.bulk import read_grids as read_grids
from antdoku.bulk import solve_grids as solve_grids
from antdoku.errors import InputError as InputError
from antdoku.puzzle.grid import Puzzle as Puzzle
from antdoku.reading.sources import read as read
from antdoku.solvers import list_solvers as list_solvers

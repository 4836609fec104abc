"""Ant Colony System with the complete propagation that the paper's text describes.

Otherwise it is `acs`. It is stronger than the program whose results the paper shows, and three
times as fast.

Reference: Lloyd & Amos 2018, "Solving Sudoku with Ant Colony Optimisation" (arXiv:1805.03545),
section 3.

Glossary: see `acs`. A step is one iteration: all ants complete their walks.

Naive twin of the propagation: tests/naive/grid.py.
"""

from antdoku.solvers import acs
from antdoku.solvers._parameters import parameters, with_default

TITLE = "ACS, complete propagation"
KIND = acs.KIND
ORDERS = acs.ORDERS
solve = acs.solve


@parameters
class Params(acs.Params):
    """Parameters of `acs`, with another default."""

    propagation = with_default(acs.Params, "propagation", "complete")

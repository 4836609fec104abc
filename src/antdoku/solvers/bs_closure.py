"""Backtracking search with the complete propagation that the paper's text describes.

Otherwise it is `bs`. It is stronger and faster than the program whose results the paper shows.

Reference: Lloyd & Amos 2018, "Solving Sudoku with Ant Colony Optimisation" (arXiv:1805.03545),
section 4 (the baseline BS).

Glossary: see `bs`. A step is one try: a value set and propagated.

Naive twin: `backtrack` in tests/naive/grid.py.
"""

from antdoku.solvers import bs
from antdoku.solvers._parameters import parameters, with_default

TITLE = "BS, complete propagation"
KIND = bs.KIND
ORDERS = bs.ORDERS
solve = bs.solve


@parameters
class Params(bs.Params):
    """Parameters of `bs`, with another default."""

    propagation = with_default(bs.Params, "propagation", "complete")

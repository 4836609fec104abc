"""Published experiments on solving Sudoku by stochastic search, reproduced and checked."""

__version__ = "0.1.0"

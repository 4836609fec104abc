"""Puzzles that several tests of solvers use."""

from antdoku.puzzle.grid import Puzzle

# The puzzle platinumblond, which has one solution, with a wrong value in its first cell.
DEAD_END = "3......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."


def dead_end():
    """A puzzle without solution that propagation alone does not refute."""
    return Puzzle(3, [int(sign) for sign in DEAD_END.replace(".", "0")])

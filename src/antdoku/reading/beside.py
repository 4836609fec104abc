"""Solutions that stand beside their puzzles."""

from collections.abc import Sequence
from math import isqrt

import numpy as np

from antdoku.puzzle.symbols import BLANKS
from antdoku.reading.cells import Cells

SOLUTION = "a solution beside its puzzle: leave it out, or name the columns puzzle and solution"


def with_solution(grids: list[Cells]) -> Cells | None:
    """Return the only puzzle among grids, and the last complete grid beside it as its solution.

    None for several puzzles, or without a puzzle. Of equal complete grids the first is the puzzle.
    Where other signs are blanks, a complete grid has no zeros, or as many as rows.
    """
    signs = {sign for cells in grids for sign in cells.signs}
    blanks = {sign for sign in signs if not sign.isalnum()}
    puzzles, complete = [], []
    for cells in grids:
        n_zeros = cells.signs.count("0")
        is_full = n_zeros == 0 or (bool(blanks) and n_zeros == isqrt(len(cells.signs)))
        (complete if is_full and blanks.isdisjoint(cells.signs) else puzzles).append(cells)
    if not puzzles and len({*map(str, (cells.signs for cells in complete))}) == 1:
        puzzles = complete[:1]
    if len(puzzles) != 1:
        return None
    has_solution = complete and complete[-1] is not puzzles[0]
    return puzzles[0]._replace(solution=complete[-1].signs) if has_solution else puzzles[0]


def keeps(solution, puzzle):
    """Whether a solution keeps the cells of a puzzle."""
    is_same = [
        sign in BLANKS or not sign.isalnum() or sign == value
        for sign, value in zip(puzzle.signs, solution)
    ]
    return len(solution) == len(puzzle.signs) and all(is_same)


def stand_beside(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether one of two puzzles is complete and keeps all givens of the other one.

    It is no coincidence from 17 givens on, the fewest of a puzzle with one solution.
    """
    if first.size != second.size or first.all() == second.all():
        return False
    is_same = first == second
    return bool(is_same.sum() >= 17 and (is_same | (first == 0) | (second == 0)).all())


def solution_beside(grids: Sequence[np.ndarray], are_full: np.ndarray) -> int | None:
    """Return the index of a solution that follows its puzzle, or stands as far behind all puzzles.

    `are_full` says which grids are complete. None if there is no such solution.
    """
    for distance in {1, max(len(grids) // 2, 1)}:
        for at in np.flatnonzero(are_full[distance:] != are_full[:-distance]):
            if stand_beside(grids[at], grids[at + distance]):
                return int(at) + distance
    return None

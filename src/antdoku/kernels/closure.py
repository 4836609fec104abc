"""The initial propagation of a puzzle, at any order, and the candidates that it leaves.

Up to order 8 the propagation kernel does it. Larger orders, whose masks would take two words, are
propagated once, before a search: `closure_in_rounds` works on the whole table of candidates.

Glossary: group = a cell, or a value in a row, a column or a box; exactly one of its candidates is
true. A single is the last candidate of a group: naked in a cell, hidden in the other groups.
"""

from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple

import numpy as np

from antdoku.kernels.bits import MASK_ORDERS, ONE
from antdoku.kernels.propagation import propagated
from antdoku.puzzle.grid import Puzzle

# The table of candidates has five axes: band, row in the band, stack, column in the stack, value.
# The candidates of a group lie along these axes.
_GROUPS = {"cells": (4,), "rows": (2, 3), "columns": (0, 1), "boxes": (1, 3)}


class Profile(NamedTuple):
    """Sizes of the candidate sets after the initial propagation (Lloyd & Amos 2018, fig. 8)."""

    trivial: bool  # whether it solves the puzzle
    fixed: float  # fraction of the cells that have one candidate
    mean_value_set_size: float  # candidates per cell, 1 for a fixed one


def profile(puzzle: Puzzle) -> Profile:
    """Return the profile of `puzzle` after the initial propagation."""
    return profile_of(*closure(puzzle))


def profile_of(candidates: np.ndarray, consistent: bool) -> Profile:
    """Return the profile of the candidates and the consistency that `closure` returns."""
    sizes = candidates.sum(axis=1)
    is_single = sizes == 1
    trivial = bool(consistent and is_single.all())
    return Profile(trivial, float(is_single.mean()), float(sizes.mean()))


def closure(puzzle: Puzzle) -> tuple[np.ndarray, bool]:
    """Propagate the givens of `puzzle` to the fixpoint of naked and hidden singles.

    Returns the candidates that are left (bool, shape (c, d)), and whether there is no contradiction
    (a group without candidates). After a contradiction the candidates are incomplete.
    """
    if puzzle.order not in MASK_ORDERS:
        return closure_in_rounds(puzzle)
    state, consistent = propagated(puzzle)
    masks, values = state[: puzzle.n_cells, None], np.arange(puzzle.size, dtype=state.dtype)
    return (masks >> values) & state.dtype.type(ONE) != 0, consistent


def closure_in_rounds(puzzle: Puzzle, searched: Iterable[str] = _GROUPS) -> tuple[np.ndarray, bool]:
    """Return the same as `closure`, without masks: in each round all singles rule out candidates.

    Singles are searched in groups of the kinds `searched`; they rule out candidates in all kinds.
    """
    order, values = puzzle.order, np.arange(1, puzzle.size + 1)
    givens = puzzle.givens.reshape(*4 * [order], 1)
    candidates, consistent = (givens == values) | (givens == 0), True
    while consistent:
        left = _counts(candidates)
        singles = candidates & reduce(np.logical_or, (left[kind] == 1 for kind in searched))
        chosen = _counts(singles).values()
        # Two singles of a group rule each other out.
        consistent = bool(min(map(np.min, left.values())) > 0 and max(map(np.max, chosen)) <= 1)
        kept = candidates & (singles | ~reduce(np.logical_or, (number > 0 for number in chosen)))
        if np.array_equal(kept, candidates):
            break
        candidates = kept
    return candidates.reshape(-1, puzzle.size), consistent


def _counts(candidates):
    """Return the number of candidates of each group, by kind of group."""
    numbers = candidates.view(np.uint8)
    return {kind: numbers.sum(axes, np.uint8, keepdims=True) for kind, axes in _GROUPS.items()}

"""What the initial propagation leaves, at any order."""

import numpy as np
import pytest
from conftest import random_puzzle
from naive import grid as naive

from antdoku.kernels import closure
from antdoku.kernels.bits import MASK_ORDERS
from antdoku.runs.contract import refuted_puzzle


def test_closure_beyond_the_masks():
    assert 9 not in MASK_ORDERS
    puzzle = random_puzzle(9, 0.75, 1)
    candidates, consistent = closure.closure(puzzle)
    expected = naive.propagate(9, puzzle.givens)
    assert consistent
    assert [set(np.flatnonzero(row) + 1) for row in candidates] == expected
    assert sum(len(left) == 1 for left in expected) > 1.1 * puzzle.n_givens


@pytest.mark.parametrize("order", [2, 5, 9, 10])
def test_a_contradiction_at_any_order(order):
    puzzle = refuted_puzzle(order)
    assert closure.closure(puzzle)[1] is False
    assert closure.closure_in_rounds(puzzle)[1] is False


def test_profile_counts_every_cell():
    puzzle = random_puzzle(4, 0.4, 3)
    sizes = [len(left) for left in naive.propagate(4, puzzle.givens)]
    found = closure.profile(puzzle)
    assert found.fixed == pytest.approx(sum(size == 1 for size in sizes) / 256)
    assert found.mean_value_set_size == pytest.approx(sum(sizes) / 256)

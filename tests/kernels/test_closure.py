"""What the initial propagation leaves: the closure of any order against the kernel and a twin."""

import numpy as np
import pytest
from conftest import random_partial_grid, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import grid as naive

from antdoku.kernels import closure
from antdoku.kernels.bits import MASK_ORDERS
from antdoku.runs.contract import refuted_puzzle


def assert_like_the_kernel(puzzle):
    """Compare with the propagation kernel; returns whether the puzzle is consistent."""
    candidates, consistent = closure.closure_in_rounds(puzzle)
    expected = closure.closure(puzzle)
    assert consistent is expected[1]
    if consistent:
        np.testing.assert_array_equal(candidates, expected[0])
    return consistent


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 4), st.floats(0, 1), st.integers(0, 10**6))
def test_closure_is_what_the_kernel_finds(order, share, seed):
    assert_like_the_kernel(random_partial_grid(order, round(share * order**4), seed))
    assert assert_like_the_kernel(random_puzzle(order, share, seed))


@pytest.mark.parametrize(("order", "n_grids"), [(5, 20), (6, 10), (8, 6)])
def test_closure_of_larger_grids_with_and_without_contradictions(order, n_grids):
    rng = np.random.default_rng(order)
    found = []
    for seed in range(n_grids):
        found.append(
            assert_like_the_kernel(
                random_partial_grid(order, int(rng.uniform(0.2, 0.6) * order**4), seed)
            )
        )
        assert_like_the_kernel(random_puzzle(order, rng.uniform(0.5, 0.75), seed))
    assert any(found) and not all(found)


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

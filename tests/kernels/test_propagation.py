"""Propagation by the shared kernel, and closures without masks, against a twin made of sets."""

import numpy as np
import pytest
from conftest import random_partial_grid, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import grid as naive

from antdoku.contract import refuted_puzzle
from antdoku.kernels.bits import MASK_ORDERS
from antdoku.kernels.closure import closure, closure_in_rounds, profile
from antdoku.kernels.propagation import assign, geometry, new_queue, propagated
from antdoku.puzzle.grid import units


def assert_same_fixpoint(puzzle):
    """Compare the kernel, and the closure without masks, with the twin."""
    expected = naive.propagate(puzzle.order, puzzle.givens)
    for candidates, consistent in (closure(puzzle), closure_in_rounds(puzzle)):
        assert consistent is (expected is not None)
        if consistent:
            assert [set(np.flatnonzero(row) + 1) for row in candidates] == expected


@settings(max_examples=200)
@given(st.integers(2, 3), st.floats(0, 1), st.integers(0, 10**6))
def test_fixpoint_of_random_partial_grids_and_solvable_puzzles(order, share, seed):
    assert_same_fixpoint(random_partial_grid(order, round(share * order**4), seed))
    assert_same_fixpoint(random_puzzle(order, share, seed))


@pytest.mark.parametrize("order", [4, 7, 8])
@pytest.mark.parametrize("fixed", [0.55, 0.8])
def test_fixpoint_of_large_orders(order, fixed):
    puzzle = random_puzzle(order, fixed, order)
    for in_rounds, by_kernel in zip(closure_in_rounds(puzzle), closure(puzzle)):
        np.testing.assert_array_equal(in_rounds, by_kernel)
    assert_views_agree(propagated(puzzle)[0], order)


@pytest.mark.parametrize(("order", "n_grids"), [(4, 60), (5, 30), (6, 12)])
def test_fixpoint_of_random_grids_of_larger_orders(order, n_grids):
    rng = np.random.default_rng(order)
    consistent = 0
    for seed in range(n_grids):
        if seed % 3:
            puzzle = random_partial_grid(order, int(rng.uniform(0, 0.6) * order**4), seed)
        else:
            puzzle = random_puzzle(order, rng.uniform(0.2, 0.9), seed)
        assert_same_fixpoint(puzzle)
        consistent += propagated(puzzle)[1]
    assert 0.2 * n_grids < consistent < 0.95 * n_grids  # both kinds occur


def assert_views_agree(state, order):
    """Assert that candidate masks and place masks hold the same facts about open cells."""
    stride = int(geometry(order).stride)
    sets = naive.sets_of(state[: order**4])
    for value in range(1, order**2 + 1):
        masks = state[order**4 + (value - 1) * stride :][:stride]
        for unit, cells in enumerate(units(order)):
            mask = sum(1 << at for at, cell in enumerate(cells) if value in sets[cell])
            is_filled = any(sets[cell] == {value} for cell in cells)
            assert int(masks[unit]) == (0 if is_filled else mask)
        assert not masks[3 * order**2 :].any()


@settings(max_examples=75)
@given(st.integers(2, 4), st.floats(0, 0.6), st.integers(0, 10**6))
def test_assigning_step_by_step_equals_the_twin(order, fixed, seed):
    puzzle = random_puzzle(order, fixed, seed)
    rng = np.random.default_rng(seed)
    state, queue = propagated(puzzle)[0], new_queue(order)
    expected = naive.propagate(order, puzzle.givens)
    for _ in range(4):
        open_cells = [cell for cell, values in enumerate(expected) if len(values) > 1]
        if not open_cells:
            return
        cell = int(rng.choice(open_cells))
        value = int(rng.choice(sorted(expected[cell])))
        expected[cell] = {value}
        expected = naive.settle(order, expected)
        words = np.uint64(cell), np.uint64(value - 1)
        consistent = assign(state, geometry(order), queue, *words, True)
        assert consistent == (expected is not None)
        if not consistent:
            return
        assert naive.sets_of(state[: order**4]) == expected
        assert_views_agree(state, order)


@settings(max_examples=100)
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_propagation_continued_after_a_contradiction_ends_and_keeps_set_cells(order, seed):
    rng = np.random.default_rng(seed)
    state, _ = propagated(random_puzzle(order, 0.4, seed))
    queue = new_queue(order)
    while (open_cells := np.flatnonzero(np.bitwise_count(state[: order**4]) > 1)).size:
        cell = np.uint64(rng.choice(open_cells))
        value = np.uint64(rng.choice(np.flatnonzero(int(state[cell]) >> np.arange(64) & 1)))
        assign(state, geometry(order), queue, cell, value, False)
        assert state[cell] == 1 << int(value)
    sets = naive.sets_of(state[: order**4])
    for cells in units(order):
        fixed = [value for cell in cells for value in sets[cell]]
        assert len(fixed) == len(set(fixed))  # failed cells are empty, set cells never clash


def test_closure_beyond_the_masks():
    assert 9 not in MASK_ORDERS
    puzzle = random_puzzle(9, 0.75, 1)
    assert_same_fixpoint(puzzle)
    assert 81**2 * profile(puzzle).fixed > 1.1 * puzzle.n_givens


@pytest.mark.parametrize("order", [2, 5, 9, 10])
def test_a_contradiction_at_any_order(order):
    puzzle = refuted_puzzle(order)
    assert closure(puzzle)[1] is False
    assert closure_in_rounds(puzzle)[1] is False

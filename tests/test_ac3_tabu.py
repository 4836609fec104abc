"""AC3 and the rules of the AC3-tabu search, each at its own level."""

import naive
import naive_ac3
import numpy as np
import pytest
from conftest import random_partial_grid, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st

from antdoku.compilation import kernel
from antdoku.grid import Puzzle
from antdoku.solvers import _ac3

RANDOM = np.random.default_rng

# AC3


def as_sets(masks):
    """Masks as sets of values."""
    return [{value + 1 for value in range(64) if int(mask) >> value & 1} for mask in masks.tolist()]


def assert_same_fixpoint(puzzle):
    domains, consistent = _ac3.ac3(puzzle)
    expected = naive_ac3.ac3(puzzle.order, naive_ac3.domains_of(puzzle.order, puzzle.givens))
    assert consistent == (expected is not None)
    if consistent:
        assert as_sets(domains) == expected


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 3), st.floats(0, 1), st.integers(0, 10**6))
def test_fixpoint_of_random_partial_grids(order, share, seed):
    assert_same_fixpoint(random_partial_grid(order, round(share * order**4), seed))


@pytest.mark.parametrize("order, fixed", [(4, 0.4), (4, 0.7), (5, 0.5), (5, 0.75)])
def test_fixpoint_of_larger_puzzles(order, fixed):
    assert_same_fixpoint(random_puzzle(order, fixed, 1))
    assert_same_fixpoint(random_partial_grid(order, round(fixed * order**4), 1))


def naked_singles(order, givens):
    """Fixpoint of naked singles alone; None if a cell is left without a value."""
    domains = naive_ac3.domains_of(order, givens)
    while all(domains) and naive._naked_singles(order, domains):
        pass
    return domains if all(domains) else None


@pytest.mark.parametrize("seed", range(20))
def test_the_fixpoint_is_that_of_naked_singles_only(seed):
    puzzle = random_puzzle(3, 0.3 + 0.02 * seed, seed)
    assert as_sets(_ac3.ac3(puzzle)[0]) == naked_singles(3, puzzle.givens)


def test_hidden_singles_are_not_found():
    # A 1 in rows 2 and 3 and columns 4 and 7 leaves it one place in box 1 only by elimination.
    givens = np.zeros((3, 3, 3, 3), int)
    givens[0, 1, 1, 0] = givens[0, 2, 2, 0] = 1
    givens[1, 0, 0, 1] = givens[2, 0, 0, 2] = 1
    puzzle = Puzzle(3, givens)
    assert naive.propagate(3, puzzle.givens)[0] == {1}
    assert as_sets(_ac3.ac3(puzzle)[0])[0] == set(range(1, 10))


@kernel
def fill(domains, neighbours, queue, cell, value):
    return _ac3.fill(domains, neighbours, queue, cell, value)


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 4), st.floats(0, 0.6), st.integers(0, 10**6))
def test_filling_step_by_step_equals_the_twin(order, fixed, seed):
    domains, rng = _ac3.ac3(random_puzzle(order, fixed, seed))[0], RANDOM(seed)
    queue = _ac3.new_queue(order)
    for _ in range(4):
        before = as_sets(domains)
        is_open = [cell for cell, left in enumerate(before) if len(left) > 1]
        if not is_open:
            return
        cell = int(rng.choice(is_open))
        value = int(rng.choice(sorted(before[cell])))
        expected = [set(left) for left in before]
        expected[cell] = {value}
        expected = naive_ac3.ac3(order, expected)
        n_filled = fill(
            domains, _ac3.neighbours(order), queue, np.uint64(cell), np.uint64(value - 1)
        )
        if expected is None:
            assert n_filled == 0
            return
        assert as_sets(domains) == expected
        filled = queue[:n_filled].tolist()
        assert filled[0] == cell
        assert sorted(filled) == [k for k in is_open if len(expected[k]) == 1]

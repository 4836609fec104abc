"""Unavoidable sets of four cells: the count and its twin, what keeps it, and what is typical."""

import numpy as np
import pytest
from conftest import random_table
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import unavoidable as naive

from antdoku.instances import random
from antdoku.puzzle.grid import ORDERS, Puzzle, root_grid
from antdoku.puzzle.unavoidable import unavoidable_sets
from antdoku.solvers import dlx


def grid_of(order, seed, source="search", base="random"):
    return random.solved_grid(order, np.random.default_rng(seed), source, base)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([2, 3, 4]), st.integers(0, 2**40))
def test_the_count_is_that_of_the_twin(order, seed):
    grid = grid_of(order, seed)
    before = grid.copy()
    rows = grid.reshape(order**2, order**2)
    assert unavoidable_sets(grid) == len(naive.unavoidable_sets(rows.tolist()))
    assert unavoidable_sets(rows) == unavoidable_sets(grid)
    assert np.array_equal(grid, before)


def test_a_puzzle_that_gives_none_of_the_four_cells_has_two_solutions():
    grid = grid_of(3, 1)
    for rows, columns in naive.unavoidable_sets(grid.reshape(9, 9).tolist()):
        puzzle = grid.reshape(9, 9).copy()
        puzzle[np.ix_(rows, columns)] = 0
        assert dlx.count(Puzzle(3, puzzle.ravel()), 10) == (2, True)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([2, 3, 4, 5]), st.integers(0, 2**40))
def test_equivalent_grids_have_as_many(order, seed):
    grid = grid_of(order, seed)
    rng, rows = np.random.default_rng(seed + 1), grid.reshape(order**2, order**2)
    other = random.relabelled(random.shuffled(rows, rng).ravel(), rng)
    assert unavoidable_sets(other) == unavoidable_sets(grid)


@pytest.mark.parametrize("order", ORDERS)
def test_all_grids_from_the_root_have_as_many_as_the_root(order):
    expected = {2: 4, 3: 0, 4: 64, 5: 0}.get(order, unavoidable_sets(root_grid(order)))
    for seed in range(3):
        assert unavoidable_sets(grid_of(order, seed, "shuffle", "root")) == expected


@pytest.mark.parametrize(("order", "low", "high"), [(3, 8, 14), (4, 25, 33), (5, 50, 65)])
@pytest.mark.parametrize("source", ["shuffle", "search", "acs"])
def test_random_grids_of_all_sources_have_about_as_many(order, low, high, source):
    table = random_table(order, 1, 30, 1, source=source)
    numbers = [unavoidable_sets(np.array(text.split(), int)) for text in table["solution"]]
    assert low < np.mean(numbers) < high and len({*numbers}) > 5

"""Puzzles in lanes: each answer and each guess is that of a plain search."""

import numpy as np
import pytest
from conftest import random_partial_grid, random_puzzle
from naive import lanes as naive

from antdoku.kernels import lanes
from antdoku.puzzle import named


def grids_of(puzzles):
    return np.array([puzzle.givens for puzzle in puzzles], np.uint8)


def answers(grids, limit=1, max_steps=lanes.NO_LIMIT, quota=lanes.NO_LIMIT):
    """Answers of the kernel, which pauses after so many guesses."""
    order = round(grids.shape[1] ** 0.25)
    search, found = lanes.new_search(order), lanes.new_answers(len(grids), order)
    while search.sets[lanes.ACTIVE]:
        assert lanes.advance(search, grids, found, limit, max_steps, quota) <= quota
    return found


@pytest.fixture(scope="module", params=lanes.ORDERS)
def mixed(request):
    """Easy and hard puzzles, with one solution, with many and with none, two of them bad."""
    return of_order_3() if request.param == 3 else of_order_4()


def of_order_4():
    grids = [
        *(random_puzzle(4, fixed, 7).givens for fixed in (0.0, 0.36, 0.5, 0.99, 1.0)),
        *(random_partial_grid(4, number, number).givens for number in (60, 85, 105)),
    ]
    grids += [grids[1].copy(), grids[-1].copy()]
    grids[-2][:2], grids[-1][[0, 255]] = 16, (9, 9)
    return np.array(grids, np.uint8)


def of_order_3():
    grids = [
        *grids_of(named.puzzles("seventeen_clue")[:12]),
        *grids_of(named.puzzles("mantere_koljonen_46")[:6]),
        *grids_of(random_puzzle(3, fixed, 7) for fixed in (0.0, 0.2, 0.3, 0.4, 0.6, 0.99, 1.0)),
        *grids_of(random_partial_grid(3, number, number) for number in range(4, 40, 3)),
    ]
    grids += [grids[0].copy(), grids[-1].copy()]
    grids[-2][:2], grids[-1][[0, 80]] = 5, (9, 9)
    return np.array(grids, np.uint8)


@pytest.mark.parametrize("limit, max_steps", [(1, lanes.NO_LIMIT), (7, 25), (2, 0)])
def test_a_lane_does_what_a_plain_search_does(mixed, limit, max_steps):
    found = answers(mixed, limit, max_steps)
    for number, givens in enumerate(mixed):
        first, count, steps, is_all = naive.solve(givens, limit, max_steps)
        assert (found.counts[number], found.steps[number]) == (count, steps)
        assert found.status[number] == (0 if is_all else lanes.CUT)
        assert found.solutions[number].tolist() == (first or [0] * len(givens))


@pytest.mark.parametrize("quota", [1, 5, 64])
def test_neither_pauses_nor_neighbours_change_anything(mixed, quota):
    expected = answers(mixed, 20, 500)
    order = np.random.default_rng(quota).permutation(len(mixed))
    for found, ours in zip(answers(mixed[order], 20, 500, quota), expected):
        np.testing.assert_array_equal(found, ours[order])


def test_a_puzzle_that_is_given_up_makes_way_for_the_next():
    grids = np.zeros((40, 81), np.uint8)
    grids[32:] = random_puzzle(3, 0.5, 1).givens
    search, found = lanes.new_search(), lanes.new_answers(40)
    lanes.advance(search, grids, found, lanes.NO_LIMIT, lanes.NO_LIMIT, 5000)
    assert search.puzzle.tolist() == list(range(32))
    for lane in range(8):
        lanes.give_up(search, found, lane)
    lanes.advance(search, grids, found, lanes.NO_LIMIT, lanes.NO_LIMIT, 5000)
    assert np.flatnonzero(found.status == lanes.CUT).tolist() == list(range(8))
    assert found.counts[32:].tolist() == [1] * 8

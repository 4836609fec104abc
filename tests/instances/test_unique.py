"""Digging, judged by another solver than the one that proves."""

import numpy as np
import pytest
from naive import grid as naive

from antdoku.instances import random, unique
from antdoku.puzzle.grid import Puzzle, is_solution, peers
from antdoku.solvers import dlx


def grid(order, seed):
    return random.solved_grid(order, np.random.default_rng(seed), "shuffle")


def n_solutions(order, givens, limit=2):
    found, certain = dlx.count(Puzzle(order, givens), limit)
    assert certain
    return found


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("order", [2, 3])
def test_a_grid_dug_to_the_end_is_a_minimal_puzzle(order, seed):
    solution = grid(order, seed)
    puzzle = unique.dig(solution, order**4, np.random.default_rng(seed))
    assert is_solution(Puzzle(order, puzzle), solution)
    assert n_solutions(order, puzzle) == 1
    for cell in np.flatnonzero(puzzle):
        fewer = puzzle.copy()
        fewer[cell] = 0
        assert n_solutions(order, fewer) == 2


@pytest.mark.parametrize("seed", range(20))
def test_a_value_is_forced_if_no_solution_has_another(seed):
    rng = np.random.default_rng(seed)
    solution = grid(3, seed)
    puzzle = np.where(rng.random(81) < 0.35, solution, 0)
    cell = rng.choice(np.flatnonzero(puzzle == 0))
    rivals = set(range(1, 10)) - {solution[cell]} - set(puzzle[peers(3)[cell]])
    with_rival = [np.where(np.arange(81) == cell, rival, puzzle) for rival in rivals]
    expected = not any(n_solutions(3, givens, 1) for givens in with_rival)
    assert unique.is_forced(puzzle, cell, solution[cell]) == expected


@pytest.mark.parametrize(
    ("order", "n_blank", "wanted", "n_left"),
    # Of 81 cells 39 are 0.481, of 256 cells 120 are 0.469 and 189 are 0.738.
    [(3, 53, 0.48, 39), (3, 53, 1.0, 81), (4, 153, 0.47, 120), (4, 130, 0.74, 189)],
)
def test_a_puzzle_that_is_steered(order, n_blank, wanted, n_left):
    rng = np.random.default_rng(3)
    solution = grid(order, 3)
    dug = unique.dig(solution, n_blank, rng)
    before = dug.copy()
    puzzle = unique.steer(dug, solution, wanted, rng)
    assert np.array_equal(dug, before)
    assert np.count_nonzero(puzzle == 0) == n_blank
    assert is_solution(Puzzle(order, puzzle), solution) and n_solutions(order, puzzle) == 1
    found = sum(len(values) == 1 for values in naive.propagate(order, puzzle))
    assert abs(found - n_left) <= 0.015 * order**4


def test_a_proof_that_is_cut_off_keeps_the_given(monkeypatch):
    solution = grid(4, 2)
    thorough = unique.dig(solution, 256, np.random.default_rng(2))
    monkeypatch.setattr(unique, "MAX_TRIES", 1)
    hasty = unique.dig(solution, 256, np.random.default_rng(2))
    assert n_solutions(4, hasty) == 1
    assert np.count_nonzero(hasty) > np.count_nonzero(thorough)

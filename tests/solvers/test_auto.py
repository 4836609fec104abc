"""The default solver: the order of its searches, and their results."""

from itertools import islice

import numpy as np
import pytest
from conftest import answer, random_puzzle
from naive import lanes as naive

from antdoku.contract import dead_end_puzzle
from antdoku.kernels.closure import closure
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.solvers import auto, bs_closure, cdcl, tabu_col


def searches(puzzle, number):
    """Return solver and steps of the first searches."""
    return [*islice(auto._searches(closure(puzzle)[0], puzzle.order), number)]


def test_tabu_search_and_cdcl_alternate_and_double_their_steps():
    puzzle = random_puzzle(7, 0.35, 1)
    n_clauses = auto._count_clauses(closure(puzzle)[0], 7)
    times = auto.MOVES_PER_CLAUSE * n_clauses // auto.MOVES_FROM_6
    moves, conflicts = times * auto.MOVES_FROM_6, times * auto.CONFLICTS_FROM_6
    assert times > 1 and searches(puzzle, 5) == [
        (bs_closure, auto.FIRST_TRIES),
        *((tabu_col, moves), (cdcl, conflicts), (tabu_col, 2 * moves), (cdcl, 2 * conflicts)),
    ]


def test_backtracking_replaces_cdcl_if_clauses_are_too_many_and_masks_exist(monkeypatch):
    first, later = (bs_closure, auto.FIRST_TRIES), (bs_closure, auto.TRIES)
    blank = Puzzle(8, np.zeros(8**4, int))
    assert searches(blank, 3) == [first, (tabu_col, auto.MOVES_FROM_6), later]
    monkeypatch.setattr(auto, "cdcl", None)
    assert searches(random_puzzle(5, 0.45, 1), 3) == [first, (tabu_col, auto.MOVES), later]
    blank = Puzzle(9, np.zeros(9**4, int))
    assert searches(blank, 2) == [(tabu_col, auto.MOVES_FROM_6 << k) for k in range(2)]


@pytest.mark.parametrize("order", [3, 4, 5, 6])
def test_the_count_of_clauses_is_close_to_the_clauses_of_cdcl(order):
    candidates, _ = closure(random_puzzle(order, 0.4, 1))
    n_clauses = sum(1 for _ in cdcl.clauses(*np.nonzero(candidates), order))
    # The count leaves out one clause per group of candidates ("at least one").
    assert 0 <= n_clauses - auto._count_clauses(candidates, order) <= 4 * order**4


def test_tabu_search_finds_a_solution_and_cdcl_a_proof():
    solvable, givens = random_puzzle(6, 0.5, 3), random_puzzle(5, 0.5, 1).givens.copy()
    givens[2] = 13  # wrong, but neither propagation nor a thousand tries detect it
    unsolvable = Puzzle(5, givens)
    outcome = answer(auto, solvable)
    assert outcome.status == SOLVED and is_solution(solvable, outcome.solution)
    proof = answer(auto, unsolvable)
    assert (proof.status, proof.solution) == (EXHAUSTED, None)
    assert proof.steps > auto.FIRST_TRIES + auto.MOVES  # two searches without an answer
    assert answer(auto, unsolvable, max_steps=auto.FIRST_TRIES + auto.MOVES).status == TIMEOUT


def test_auto_backtracks_at_order_2_and_uses_a_lane_at_order_3():
    small = random_puzzle(2, 0.2, 1)
    by_backtracking, by_auto = answer(bs_closure, small), answer(auto, small)
    assert (by_auto.status, by_auto.steps) == (by_backtracking.status, by_backtracking.steps)
    np.testing.assert_array_equal(by_auto.solution, by_backtracking.solution)
    _, _, guesses, _ = naive.solve(dead_end_puzzle().givens)
    assert answer(auto, dead_end_puzzle()) == Outcome(EXHAUSTED, None, guesses)

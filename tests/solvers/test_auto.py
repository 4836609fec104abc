"""The default solver: which searches come in which order, and what they find together."""

from itertools import islice

import numpy as np
import pytest
from conftest import random_puzzle
from naive import lanes as naive

from antdoku.budget import Budget
from antdoku.kernels.closure import closure
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.runs.contract import dead_end_puzzle
from antdoku.solvers import auto, bs_closure, cdcl, tabu_col


def run(puzzle, max_steps=10**7, seed=1):
    return auto.solve(
        puzzle, auto.Params(), np.random.default_rng(seed), Budget(max_steps=max_steps)
    )


def searches(puzzle, number):
    """Solver and steps of the first searches."""
    return [*islice(auto._searches(closure(puzzle)[0], puzzle.order), number)]


def test_tabu_search_and_cdcl_alternate_and_double_from_what_the_clauses_take():
    puzzle = random_puzzle(7, 0.35, 1)
    n_clauses = auto._count_clauses(closure(puzzle)[0], 7)
    times = auto.MOVES_PER_CLAUSE * n_clauses // auto.MOVES_FROM_6
    moves, conflicts = times * auto.MOVES_FROM_6, times * auto.CONFLICTS_FROM_6
    assert times > 1 and searches(puzzle, 5) == [
        (bs_closure, auto.FIRST_TRIES),
        *((tabu_col, moves), (cdcl, conflicts), (tabu_col, 2 * moves), (cdcl, 2 * conflicts)),
    ]


def test_backtracking_goes_on_where_clauses_do_not_fit_unless_masks_do_not(monkeypatch):
    first, later = (bs_closure, auto.FIRST_TRIES), (bs_closure, auto.TRIES)
    blank = Puzzle(8, np.zeros(8**4, int))
    assert searches(blank, 3) == [first, (tabu_col, auto.MOVES_FROM_6), later]
    monkeypatch.setattr(auto, "cdcl", None)
    assert searches(random_puzzle(5, 0.45, 1), 3) == [first, (tabu_col, auto.MOVES), later]
    blank = Puzzle(9, np.zeros(9**4, int))
    assert searches(blank, 2) == [(tabu_col, auto.MOVES_FROM_6 << k) for k in range(2)]


@pytest.mark.parametrize("order", [3, 4, 5, 6])
def test_clauses_are_counted_as_cdcl_makes_them(order):
    candidates, _ = closure(random_puzzle(order, 0.4, 1))
    made = sum(1 for _ in cdcl.clauses(*np.nonzero(candidates), order))
    counted = auto._count_clauses(candidates, order)
    # A group that has one candidate has a clause, too, and each other one that says "at least one".
    assert 0 <= made - counted <= 4 * order**4


def without_solution():
    """A random puzzle with a wrong given, which neither propagation nor a thousand tries refute."""
    puzzle = random_puzzle(5, 0.5, 1)
    givens = puzzle.givens.copy()
    givens[2] = 13
    return Puzzle(5, givens)


def test_what_one_of_the_two_fails_at_the_other_does():
    many, none = random_puzzle(6, 0.5, 3), without_solution()
    outcome = run(many)
    assert outcome.status == SOLVED and is_solution(many, outcome.solution)
    proof = run(none)
    assert (proof.status, proof.solution) == (EXHAUSTED, None)
    assert proof.steps > auto.FIRST_TRIES + auto.MOVES  # two searches without an answer
    assert run(none, auto.FIRST_TRIES + auto.MOVES).status == TIMEOUT


def test_at_order_2_it_is_backtracking_at_order_3_a_lane():
    small = random_puzzle(2, 0.2, 1)
    tries = bs_closure.solve(small, bs_closure.Params(), None, Budget())
    ours = run(small)
    assert (ours.status, ours.steps) == (tries.status, tries.steps)
    np.testing.assert_array_equal(ours.solution, tries.solution)
    _, _, guesses, _ = naive.solve(dead_end_puzzle().givens)
    assert run(dead_end_puzzle(), 10**6) == Outcome(EXHAUSTED, None, guesses)

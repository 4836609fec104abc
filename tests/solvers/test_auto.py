"""The solver for whoever has no choice: who has which turn, and that turns change nothing."""

import threading
from contextlib import ExitStack

import numpy as np
import pytest
from conftest import random_puzzle
from naive import lanes as naive

from antdoku.budget import Budget
from antdoku.contract import dead_end_puzzle
from antdoku.kernels.closure import closure
from antdoku.outcome import EXHAUSTED, SOLVED, Outcome
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.solvers import auto, bs_closure, cdcl, tabu_col
from antdoku.solvers._turns import Searcher


def run(puzzle, max_steps=200, seed=1):
    return auto.solve(
        puzzle, auto.Params(), np.random.default_rng(seed), Budget(max_steps=max_steps)
    )


def turns(puzzle, number):
    """Who has the first turns, and how many steps each."""
    with ExitStack() as stack:
        schedule = auto._schedule(puzzle, closure(puzzle)[0], np.random.default_rng(1), stack)
        found = [next(schedule) for _ in range(number)]
    return [(searcher.solver, steps) for searcher, steps in found]


@pytest.mark.parametrize(
    "solver, params", [(bs_closure, bs_closure.Params()), (tabu_col, tabu_col.Params())]
)
def test_a_search_in_turns_is_the_search(solver, params):
    puzzle = random_puzzle(5, 0.45, 2)
    whole = Budget(max_steps=10**8)
    expected = solver.solve(puzzle, params, np.random.default_rng(1), whole)
    with Searcher(solver, puzzle, np.random.default_rng(1)) as searcher:
        found = [searcher.advance(1 + 700 * turn) for turn in range(2)]
        while found[-1] is None:
            found.append(searcher.advance(1000))
    assert len(found) > 3 and found[-1].status == expected.status == SOLVED
    assert found[-1].steps == expected.steps
    np.testing.assert_array_equal(found[-1].solution, expected.solution)


def test_a_search_that_is_given_up_leaves_no_thread():
    before = threading.active_count()
    puzzle = random_puzzle(5, 0.42, 5)
    with Searcher(cdcl, puzzle, np.random.default_rng(1)) as searcher:
        searcher.advance(1)
    with Searcher(bs_closure, puzzle, np.random.default_rng(1)):
        pass
    run(puzzle, max_steps=1)
    assert threading.active_count() == before


class Broken:
    class Params:
        pass

    @staticmethod
    def solve(puzzle, params, rng, budget):
        next(budget.slices())
        raise ZeroDivisionError("as expected")


def test_what_goes_wrong_in_a_turn_is_told():
    told = pytest.raises(ZeroDivisionError, match="as expected")
    with Searcher(Broken, None, np.random.default_rng(1)) as searcher, told:
        searcher.advance(5)


def test_tabu_search_works_as_long_as_clauses_take_then_both_in_turn():
    first, *others = turns(random_puzzle(6, 0.45, 1), 30)
    assert first == (bs_closure, auto.FIRST_TRIES)
    n_alone = [solver for solver, _ in others].index(cdcl)
    n_clauses = auto._count_clauses(closure(random_puzzle(6, 0.45, 1))[0], 6)
    assert {solver for solver, _ in others[:n_alone]} == {tabu_col}
    # As long as building them, and the turn for which they are built.
    moves = auto.MOVES_PER_CLAUSE * n_clauses + auto.MOVES_FROM_6
    assert sum(steps for _, steps in others[:n_alone]) == moves
    assert max(steps for _, steps in others[:n_alone]) <= auto.MOVES_FROM_6
    assert others[n_alone : n_alone + 4] == [
        (cdcl, auto.CONFLICTS_FROM_6),
        (tabu_col, auto.MOVES_FROM_6),
        (cdcl, auto.CONFLICTS_FROM_6),
        (tabu_col, auto.MOVES_FROM_6),
    ]


def test_backtracking_goes_on_where_clauses_do_not_fit_unless_masks_do_not(monkeypatch):
    first, later = (bs_closure, auto.FIRST_TRIES), (bs_closure, auto.TRIES)
    blank = Puzzle(8, np.zeros(8**4, int))
    assert turns(blank, 3) == [first, (tabu_col, auto.MOVES_FROM_6), later]
    monkeypatch.setattr(auto, "cdcl", None)
    assert turns(random_puzzle(5, 0.45, 1), 3) == [first, (tabu_col, auto.MOVES), later]
    blank = Puzzle(9, np.zeros(9**4, int))
    assert turns(blank, 3) == [(tabu_col, auto.MOVES_FROM_6)] * 3


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
    # Backtracking, tabu search for one turn and a part of one, and then one turn of CDCL.
    assert run(none, 10**6) == Outcome(EXHAUSTED, None, 4)


def test_at_order_2_it_is_backtracking_at_order_3_a_lane():
    small = random_puzzle(2, 0.2, 1)
    tries = bs_closure.solve(small, bs_closure.Params(), None, Budget())
    ours = run(small)
    assert (ours.status, ours.steps) == (tries.status, tries.steps)
    np.testing.assert_array_equal(ours.solution, tries.solution)
    _, _, guesses, _ = naive.solve(dead_end_puzzle().givens)
    assert run(dead_end_puzzle(), 10**6) == Outcome(EXHAUSTED, None, guesses)

"""The annealing of Lewis 2007 and 2009: the search against its twin."""

import numpy as np
import pytest
from conftest import answer, random_puzzle
from naive import grid as naive
from naive import sa as naive_sa

from antdoku.kernels.closure import profile
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle.grid import Puzzle
from antdoku.solvers import cp_sa, sa
from antdoku.solvers._box_search import fill_blanks

# It has no solution, but a search over complete boxes cannot detect this.
UNSOLVABLE = np.array([1, 2, 3, 0] + [0] * 11 + [4], np.int16)


@pytest.mark.parametrize(
    "order, fixed, seed, values",
    [
        (2, 0.0, 1, {"t0_moves": 3, "patience_chains": 1}),
        (2, None, 2, {"t0_moves": 9, "patience_chains": 2, "cooling": 0.5, "restart": "reheat"}),
        (2, None, 3, {"t0_moves": 9, "patience_chains": 2, "t0_statistic": "variance"}),
        (3, 0.75, 4, {"t0_moves": 20, "patience_chains": 2, "cooling": 0.8}),
        (3, 0.6, 5, {"t0_moves": 20, "t0_statistic": "variance", "restart": "reheat"}),
        (3, 0.5, 7, {"t0_sample": "walk"}),
        (4, 0.9, 6, {}),
        (6, 0.3, 8, {}),
    ],
)
def test_the_search_equals_its_twin_step_by_step(order, fixed, seed, values):
    locked = UNSOLVABLE if fixed is None else random_puzzle(order, fixed, seed).givens
    params, random = sa.Params(**values), kernel_state(np.random.default_rng(seed))
    twin = naive_sa.Sa(order, locked, params, random.copy())
    search = sa._new_search(locked, params.t0_moves, order)
    search.at[sa._COST] = fill_blanks(search.grid, random)
    rules = sa._rules(params, len(search.grid.free))
    steps = twin.steps()
    next(steps)
    for _ in range(1500 if order < 4 else 300):
        n_steps, solved = sa._advance(search, rules, random, 1)
        is_over = next(steps, "over") == "over"
        assert (n_steps, solved) == (1, is_over)
        # At the end of a chain the twin has already begun the next one.
        if solved or search.at[sa._LEFT]:
            assert search.grid.values.tolist() == twin.values
            assert search.temperature[0] == pytest.approx(twin.temperature)
        if solved:
            break


def test_a_puzzle_without_movable_cells_takes_no_step():
    solution = random_puzzle(2, 1.0, 1).givens
    givens = solution.copy()
    givens[[0, 2, 8, 10]] = 0  # one free cell per box
    outcome = answer(sa, Puzzle(2, givens), max_steps=9)
    assert (outcome.status, outcome.steps) == ("solved", 0)
    np.testing.assert_array_equal(outcome.solution, solution)
    wrong = Puzzle(2, [0, 2, 1, 3, 3, 4, 2, 0, 2, 3, 4, 1, 4, 1, 3, 2])
    outcome = answer(sa, wrong, max_steps=1000)
    assert (outcome.status, outcome.solution, outcome.steps) == ("timeout", None, 0)


@pytest.mark.parametrize("fixed", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("hidden", ["all", "rows", "boxes"])
def test_cp_sa_fixes_the_cells_that_propagation_fixes(fixed, hidden):
    puzzle, params = random_puzzle(3, fixed, 3), cp_sa.Params(hidden=hidden)
    kinds = {"all": slice(None), "rows": slice(9), "boxes": slice(18, None)}
    candidates = naive.propagate(3, puzzle.givens, kinds[hidden])
    expected = [min(values) if len(values) == 1 else 0 for values in candidates]
    assert cp_sa.locked_cells(puzzle, params).tolist() == expected
    assert expected != puzzle.givens.tolist() or fixed == 0.1
    description = cp_sa.profile(puzzle, params)
    assert description.fixed == pytest.approx(np.mean(np.array(expected) > 0))
    assert description.mean_value_set_size == pytest.approx(np.mean([*map(len, candidates)]))
    assert hidden != "all" or description == profile(puzzle)


def test_cp_sa_fixes_only_the_givens_of_a_puzzle_that_propagation_refutes():
    puzzle = Puzzle(2, UNSOLVABLE)
    assert naive.propagate(2, puzzle.givens) is None
    np.testing.assert_array_equal(cp_sa.locked_cells(puzzle, cp_sa.Params()), UNSOLVABLE)
    assert answer(cp_sa, puzzle, max_steps=999).steps == 999

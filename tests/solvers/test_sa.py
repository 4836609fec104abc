"""The rules of Lewis 2007, each at its own level, and the search against its twin."""

import itertools

import attrs
import numpy as np
import pytest
from conftest import random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import grid as naive
from naive import ils as naive_ils
from naive import sa as naive_sa
from scipy import stats

from antdoku.budget import Budget
from antdoku.kernels.closure import profile
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle, is_solution, units
from antdoku.runs import run
from antdoku.solvers import _annealing as annealing
from antdoku.solvers import _box_search as box_search
from antdoku.solvers import cp_sa, make_params, sa

RANDOM = np.random.default_rng
# No solution, but nothing that a search over complete boxes could see.
UNSOLVABLE = np.array([1, 2, 3, 0] + [0] * 11 + [4], np.int16)


def new_search(locked, order, seed=1, **given):
    """A search before its first step, its rules and its random numbers, as `anneal` makes them."""
    params = annealing.Params(**given)
    search = annealing._new_search(locked, params.t0_moves, order)
    random = kernel_state(RANDOM(seed))
    annealing._begin(search, random)
    return search, annealing._rules(params, len(search.grid.free)), random


def at_temperature(locked, order, temperature):
    """A search that proposes at a given temperature."""
    search, _, random = new_search(locked, order)
    annealing._set_temperature(search, temperature)
    return search, random


# One swap


def cells_of_box(grid, cell):
    """The free cells of the box of `cell`."""
    box = grid.box_of[cell]
    return grid.free[grid.first[box] : grid.first[box + 1]]


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 8), st.floats(0, 0.9), st.integers(0, 2**32))
def test_delta_is_what_a_recount_finds(order, fixed, seed):
    puzzle = random_puzzle(order, fixed, seed)
    search, random = at_temperature(puzzle.givens, order, np.inf)
    grid, pick = search.grid, RANDOM(seed)
    for _ in range(3 * (len(search.movable.cells) > 0)):
        annealing._propose(search, random)
        place = pick.integers(len(search.movable.cells))
        cell = search.movable.cells[place]
        partner = pick.choice(cells_of_box(grid, cell).astype(np.uint16))
        proposed = naive_ils.swapped(grid.values, cell, partner)
        change = naive_ils.cost(order, proposed) - naive_ils.cost(order, grid.values)
        if cell != partner:
            assert annealing._delta(grid, cell, partner) == change


@pytest.mark.parametrize("order", [2, 3, 5, 8])
def test_swaps_keep_the_cost_the_boxes_and_the_fixed_cells(order):
    puzzle = random_puzzle(order, 0.3, 1)
    search, random = at_temperature(puzzle.givens, order, 1.5)
    cost = search.at[annealing._COST]
    for _ in range(500):
        cost += annealing._propose(search, random)
    values, counts = search.grid.values, search.grid.counts.copy()
    assert cost == naive_ils.cost(order, values) == box_search.count_lines(search.grid)
    np.testing.assert_array_equal(counts, search.grid.counts)
    boxes = units(order)[2 * order**2 :]
    assert (np.sort(values[boxes]) == np.arange(1, order**2 + 1)).all()
    assert (values[puzzle.givens > 0] == puzzle.givens[puzzle.givens > 0]).all()


def test_the_cell_is_any_movable_one_and_the_partner_any_other_of_its_box():
    """At infinite temperature every proposal is accepted, so that each can be seen."""
    # Boxes with 4, 3, 2 and 1 free cells: the last of them is not movable.
    locked = np.array([0, 0, 0, 4, 0, 0, 0, 0, 2, 0, 4, 3, 3, 0, 0, 2], np.int16)
    search, random = at_temperature(locked, 2, np.inf)
    boxes = [[cell for cell in box if locked[cell] == 0] for box in units(2)[8:].tolist()]
    assert [len(box) for box in boxes] == [4, 3, 2, 1]
    expected = {
        pair: 2 / 9 / (len(box) - 1) for box in boxes for pair in itertools.combinations(box, 2)
    }
    seen = dict.fromkeys(expected, 0)
    for _ in range(9000):
        before = search.grid.values.copy()
        annealing._propose(search, random)
        seen[tuple(np.flatnonzero(search.grid.values != before).tolist())] += 1
    found = stats.chisquare(list(seen.values()), 9000 * np.array(list(expected.values())))
    assert found.pvalue > 1e-4


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.5])
def test_acceptance_follows_the_exponential(temperature):
    search, random = at_temperature(np.zeros(81, np.int16), 3, temperature)
    start, counts = search.grid.values.copy(), search.grid.counts.copy()
    accepted, proposed = np.zeros(9), np.zeros(9)
    for _ in range(8_000):
        state = random.copy()
        search.thresholds[:] = 2**32  # shows what the same random numbers propose
        delta = annealing._propose(search, state)
        search.grid.values[:], search.grid.counts[:] = start, counts
        annealing._set_temperature(search, temperature)
        annealing._propose(search, random)
        proposed[delta + 4] += 1
        accepted[delta + 4] += (search.grid.values != start).any()
        search.grid.values[:], search.grid.counts[:] = start, counts
    assert (proposed[1:8] > 20).all()
    for delta in range(-4, 5):
        expected = min(1.0, np.exp(-delta / temperature))
        n, k = int(proposed[delta + 4]), int(accepted[delta + 4])
        assert n == 0 or stats.binomtest(k, n, expected).pvalue > 1e-5


@pytest.mark.parametrize("temperature, uphill", [(0.0, [0] * 4), (np.inf, [2**32] * 4)])
def test_the_limits_of_the_temperature(temperature, uphill):
    search, _ = at_temperature(UNSOLVABLE, 2, temperature)
    assert search.thresholds.tolist() == [2**32] * 5 + uphill


# The initial temperature


@pytest.mark.parametrize("sample", ["neighbours", "walk"])
@pytest.mark.parametrize("statistic, expected", [("std", np.std), ("variance", np.var)])
@pytest.mark.parametrize("slice_", [1, 30, 100])
def test_t0_is_a_statistic_of_the_costs_after_swaps_that_are_all_accepted(
    sample, statistic, expected, slice_
):
    given = {"t0_sample": sample, "t0_statistic": statistic}
    search, rules, random = new_search(np.zeros(256, np.int16), 4, **given)
    costs, state = [], random.copy()
    other, _, _ = new_search(np.zeros(256, np.int16), 4)
    start, counts = other.grid.values.copy(), other.grid.counts.copy()
    for _ in range(100):
        before = other.grid.values.copy()
        annealing._propose(other, state)
        assert (other.grid.values != before).sum() == 2
        costs.append(naive_ils.cost(4, other.grid.values))
        if sample == "neighbours":
            other.grid.values[:], other.grid.counts[:] = start, counts
    done = 0
    while done < 100:
        done += annealing._advance(search, rules, random, min(slice_, 100 - done))[0]
    assert search.sample.tolist() == costs
    assert search.temperature == pytest.approx([expected(costs)] * 2)
    np.testing.assert_array_equal(search.grid.values, other.grid.values)
    assert search.at[annealing._COST] == naive_ils.cost(4, other.grid.values)


# The chains


# The whole


@pytest.mark.parametrize(
    "order, fixed, seed, given",
    [
        (2, 0.0, 1, {"t0_moves": 3, "patience_chains": 1}),
        (2, None, 2, {"t0_moves": 9, "patience_chains": 2, "cooling": 0.5, "restart": "reheat"}),
        (2, None, 3, {"t0_moves": 9, "patience_chains": 2, "t0_statistic": "variance"}),
        (3, 0.75, 4, {"t0_moves": 20, "patience_chains": 2, "cooling": 0.8}),
        (3, 0.6, 5, {"t0_moves": 20, "t0_statistic": "variance", "restart": "reheat"}),
        (3, 0.5, 7, {"t0_sample": "walk"}),
        (4, 0.9, 6, {}),
    ],
)
def test_follows_its_twin_step_by_step(order, fixed, seed, given):
    locked = UNSOLVABLE if fixed is None else random_puzzle(order, fixed, seed).givens
    search, rules, random = new_search(locked, order, seed, **given)
    state = kernel_state(RANDOM(seed))
    twin = naive_sa.Sa(order, locked, annealing.Params(**given), state)
    steps = twin.steps()
    next(steps)
    for _ in range(1500):
        done, solved = annealing._advance(search, rules, random, 1)
        ended = next(steps, "ended") == "ended"
        assert (done, solved) == (1, ended)
        # At the end of a chain the twin has already begun the next one.
        if solved or search.at[annealing._LEFT]:
            assert search.grid.values.tolist() == twin.values
            assert search.temperature[0] == pytest.approx(twin.temperature)
        if solved:
            break


def solve(solver, puzzle, **given):
    return solver.solve(puzzle, solver.Params(), RANDOM(1), Budget(**given))


def test_no_movable_cell_is_no_step():
    solution = random_puzzle(2, 1.0, 1).givens
    one_each = solution.copy()
    one_each[[0, 2, 8, 10]] = 0
    outcome = solve(sa, Puzzle(2, one_each), max_steps=9)
    assert (outcome.status, outcome.steps) == ("solved", 0)
    np.testing.assert_array_equal(outcome.solution, solution)
    wrong = Puzzle(2, [0, 2, 1, 3, 3, 4, 2, 0, 2, 3, 4, 1, 4, 1, 3, 2])
    outcome = solve(sa, wrong, max_steps=1000)
    assert (outcome.status, outcome.solution, outcome.steps) == ("timeout", None, 0)


@pytest.mark.parametrize("fixed", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("hidden", ["all", "rows", "boxes"])
def test_cp_sa_fixes_what_its_propagation_fixes(fixed, hidden):
    puzzle, params = random_puzzle(3, fixed, 3), cp_sa.Params(hidden=hidden)
    kinds = {"all": slice(None), "rows": slice(9), "boxes": slice(18, None)}
    candidates = naive.propagate(3, puzzle.givens, kinds[hidden])
    expected = [min(left) if len(left) == 1 else 0 for left in candidates]
    assert cp_sa.locked_cells(puzzle, params).tolist() == expected
    assert expected != puzzle.givens.tolist() or fixed == 0.1
    found = cp_sa.profile(puzzle, params)
    assert found.fixed == pytest.approx(np.mean(np.array(expected) > 0))
    assert found.mean_value_set_size == pytest.approx(np.mean([*map(len, candidates)]))
    assert hidden != "all" or found == profile(puzzle)


def test_the_papers_differ_in_their_schedules():
    defaults = {"t0_sample": "neighbours", "t0_statistic": "std", "restart": "random"}
    changed = {"t0_statistic": "variance", "restart": "reheat", "hidden": "all"}
    journal, hybrid = attrs.asdict(sa.Params()), attrs.asdict(cp_sa.Params())
    assert journal.items() >= defaults.items()
    assert hybrid == journal | changed


def test_cp_sa_fixes_the_givens_of_a_puzzle_that_propagation_refutes():
    puzzle = Puzzle(2, UNSOLVABLE)
    assert naive.propagate(2, puzzle.givens) is None
    np.testing.assert_array_equal(cp_sa.locked_cells(puzzle, cp_sa.Params()), UNSOLVABLE)
    assert solve(cp_sa, puzzle, max_steps=999).steps == 999


@pytest.mark.parametrize("solver, group", [("sa", "s10"), ("cp_sa", "s10"), ("cp_sa", "s12")])
@pytest.mark.parametrize("letter", "abc")
def test_solves_the_easy_puzzles_of_the_literature_and_after_propagation_the_hard_ones(
    solver, group, letter
):
    """From any seed: these steps take less than a second."""
    (puzzle,) = named.puzzles(f"mk_{group}{letter}")
    for seed in range(3):
        done = run.run_once(puzzle, solver, make_params(solver, {}), seed, max_steps=50_000_000)
        assert is_solution(puzzle, done.solution)

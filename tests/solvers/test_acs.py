"""ACS: rules against plain arithmetic, runs against a twin and against the authors' program."""

import csv

import numpy as np
import pytest
from conftest import answer, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import authors_propagation as naive_authors
from naive import grid as naive
from naive.acs import Acs
from scipy.stats import fisher_exact

from antdoku.kernels.compilation import kernel
from antdoku.kernels.propagation import geometry, propagated
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle import named
from antdoku.solvers import _authors_propagation as authors
from antdoku.solvers import acs, acs_closure

PUZZLE = random_puzzle(3, 0.25, 4)


def colony_of(puzzle, params):
    """Return a colony before its first iteration, its rates and the tables."""
    start, _ = propagated(puzzle)
    colony = acs.new_colony(start, params, puzzle.order)
    return colony, acs.new_rates(params, puzzle.n_cells), geometry(puzzle.order)


@kernel
def _choose(tau, mask, rates, random):
    return acs._choose(tau, mask, rates, random)


@pytest.mark.parametrize("rule, share", [("arxiv", 0.1), ("journal", 0.9)])
def test_selection_is_greedy_in_a_share_of_the_choices_and_otherwise_by_pheromone(rule, share):
    rates = acs.new_rates(acs_closure.Params(greedy_rule=rule), 81)
    random = kernel_state(np.random.default_rng(1))
    tau = np.array([0.1, 9.0, 0.2, 0.3, 0.4, 0.0, 0.0, 0.0, 0.0])
    mask = np.uint64(0b11101)  # value 2, the strongest of all, is no candidate
    drawn = np.bincount([_choose(tau, mask, rates, random) for _ in range(20_000)], minlength=9)
    expected = (1 - share) * tau / 1.0
    expected[1], expected[4] = 0, expected[4] + share
    np.testing.assert_allclose(drawn / 20_000, expected, atol=0.012)


@kernel
def _walk(colony, geometry, rates, random):
    acs.walk(colony, geometry, rates, random)


def test_an_ant_updates_the_pheromone_of_its_choices_only():
    params = acs_closure.Params(m=1, xi=0.25)
    colony, rates, tables = colony_of(PUZZLE, params)
    colony.tau[:] = 3.0
    _walk(colony, tables, rates, kernel_state(np.random.default_rng(2)))
    touched = colony.tau != 3.0
    np.testing.assert_allclose(colony.tau[touched], 0.75 * 3.0 + 0.25 / 81)
    chosen = [(cell, int(mask).bit_length() - 1) for cell, mask in enumerate(colony.ants[0][:81])]
    assert touched.any(axis=1).sum() == touched.sum()  # one value per cell
    assert all(chosen[cell] == (cell, value) for cell, value in np.argwhere(touched))
    assert touched.sum() < 81 - PUZZLE.n_givens  # propagation fixes the rest


@kernel
def _update(colony, geometry, rates):
    n_failed = acs.update_best(colony, geometry)
    acs.reinforce(colony, rates)
    return n_failed


def test_the_best_ant_deposits_and_the_best_value_evaporates():
    colony, rates, tables = colony_of(PUZZLE, acs_closure.Params(m=3, rho=0.8, f_bve=0.1))
    colony.ants[:, :81] = np.arange(81) >= np.array([[5], [3], [4]])  # the first cells fail
    assert _update(colony, tables, rates) == 3
    value = 81 / 3  # eq. 5
    assert colony.best.tolist() == [0] * 3 + [1] * 78
    np.testing.assert_allclose(colony.tau[3:, 0], 0.2 / 81 + 0.8 * value)  # eq. 6
    np.testing.assert_allclose(colony.tau[:3, 0], 1 / 81)
    np.testing.assert_allclose(colony.best_value[0], 0.9 * value)  # eq. 7


def test_an_equal_ant_does_not_replace_the_best():
    colony, rates, tables = colony_of(PUZZLE, acs_closure.Params(m=1, f_bve=0.0))
    colony.ants[0, :81] = np.arange(81) >= 3
    _update(colony, tables, rates)
    colony.ants[0, :81] = 2
    colony.ants[0, 78:81] = 0
    _update(colony, tables, rates)
    assert colony.best[0] == 0 and colony.best[-1] == 1


def test_a_restart_makes_a_new_colony_after_some_iterations_without_a_better_grid():
    puzzle = random_puzzle(5, 0.45, 1)
    params = acs_closure.Params(m=2, restart="stagnation", patience=4)
    (colony, rates, tables), fewest, stalled, n_restarts = colony_of(puzzle, params), 626, 0, 0
    random = kernel_state(np.random.default_rng(1))
    for _ in range(80):
        twin, state, is_over = colony_of(puzzle, params)[0], random.copy(), stalled == 4
        acs.iterate(colony, tables, rates, random, 1)
        n_failed = (colony.ants[:, :625] == 0).sum(axis=1).min()
        if is_over:  # this was the first iteration of a new colony
            acs.iterate(twin, tables, rates, state, 1)
            for array, expected in zip(colony, twin):
                if array is not colony.queue and array is not colony.frames:
                    np.testing.assert_array_equal(array, expected)
            fewest, n_restarts = 626, n_restarts + 1
        stalled = 0 if n_failed < fewest else stalled + 1
        fewest = min(fewest, n_failed)
        assert colony.at.tolist() == [stalled, fewest]
    assert n_restarts > 3


@kernel
def _assign(state, geometry, frames, cell, value):
    authors.assign(state, geometry, frames, cell, value, False)


@settings(max_examples=50)
@given(st.integers(2, 4), st.floats(0, 0.9), st.integers(0, 10**6))
def test_the_authors_propagation_equals_its_recursive_twin(order, fixed, seed):
    """Compare after all givens, then after each choice of a random walk; most walks fail."""
    puzzle = random_puzzle(order, fixed, seed)
    state, consistent = authors.propagated(puzzle)
    expected = naive_authors.propagate(order, puzzle.givens)
    assert consistent and naive.sets_of(state[: order**4]) == expected
    frames, rng = authors.new_frames(order), np.random.default_rng(seed)
    for cell in rng.permutation(order**4).astype(np.uint64):
        if len(expected[cell]) > 1:
            value = rng.choice(sorted(expected[cell]))
            _assign(state, geometry(order), frames, cell, np.uint64(value - 1))
            naive_authors.set_cell(order, expected, cell, value)
            assert naive.sets_of(state[: order**4]) == expected


RESTARTS = {"restart": "stagnation", "patience": 2, "f_bve": 0.2}


@pytest.mark.parametrize(
    "values", [{"m": 2}, {"m": 1, "greedy_rule": "journal", "xi": 0.3}, {"m": 1, **RESTARTS}]
)
@pytest.mark.parametrize("puzzle", [*named.puzzles("platinumblond"), random_puzzle(2, 0, 2)])
def test_colonies_equal_their_twin_to_the_bit(puzzle, values):
    params, random = acs.Params(**values), kernel_state(np.random.default_rng(1))
    colony = acs.new_colony(acs.start_of(puzzle, params)[0], params, puzzle.order)
    tables, rates = geometry(puzzle.order), acs.new_rates(params, puzzle.n_cells)
    twin, n_steps, is_solved = Acs(puzzle, params, random.copy()), 0, False
    while n_steps < 12 and not is_solved:
        n_steps, is_solved = n_steps + 1, acs.iterate(colony, tables, rates, random, 1)[1]
        assert is_solved == twin.iterate()
        assert colony.tau.tolist() == [list(tau.values()) for tau in twin.tau]
        assert colony.best.tolist() == [sum(values) for values in twin.best]
        np.testing.assert_array_equal(random, twin.random)
        if not is_solved:
            assert colony.best_value[0] == twin.best_worth
            assert colony.at.tolist() == [twin.stalled, twin.fewest_failed]
    assert n_steps == 12 or puzzle.order == 2


HARDER = ["sabuncu6", "aiescargot", "platinumblond", "goldennugget", "reddwarf", "coly013"]
HARDER.append("tarx0134")
QUANTILES = {"q10": 0.1, "q25": 0.25, "median": 0.5, "q75": 0.75, "q90": 0.9}
LONGEST = 300  # iterations: later quantiles would take too much time
N_QUANTILES = 50
# Two-sided, so that all quantiles together raise a false alarm in one of a hundred samples.
LEVEL = 0.01 / (2 * N_QUANTILES)


def quantiles_of(row):
    """Return pairs: iterations, and the number of the authors' runs that are solved within them."""
    quantiles = ((int(row[f"iterations_{name}"]), q) for name, q in QUANTILES.items())
    n_solved = int(row["solved"])
    return [(limit, round(q * n_solved)) for limit, q in quantiles if limit <= LONGEST]


@pytest.fixture(scope="module")
def references(shared_data):
    """Rows of the authors' program, by (f_bve, puzzle)."""
    with open(shared_data / "acs_reference_iterations.csv") as file:
        rows = [row for row in csv.DictReader(file) if row["instance"] in HARDER]
    assert sum(len(quantiles_of(row)) for row in rows) == N_QUANTILES
    return {(float(row["f_bve"]), row["instance"]): row for row in rows}


def iterations_to_solution(name, n_runs, limit=LONGEST, **params):
    """Return the iterations of each run, `limit` + 1 if it is not solved."""
    (puzzle,) = named.puzzles(name)
    runs = (answer(acs, puzzle, seed, limit, **params) for seed in range(n_runs))
    return np.array([run.steps + (run.status != "solved") for run in runs])


def differences(iterations, row):
    """Return the quantiles at which the solved shares of our and their runs differ (Fisher)."""
    n_ours, n_theirs = len(iterations), int(row["runs"])
    quantiles = []
    for limit, solved in quantiles_of(row):
        theirs = [solved, n_theirs - solved]
        # Many runs may end in one iteration: their count lies between ours before and after it.
        before, after = (iterations < limit).sum(), (iterations <= limit).sum()
        p_more = fisher_exact([[before, n_ours - before], theirs], "greater").pvalue
        p_fewer = fisher_exact([[after, n_ours - after], theirs], "less").pvalue
        if min(p_more, p_fewer) < LEVEL:
            quantiles.append((limit, solved / n_theirs, after / n_ours))
    return quantiles


@pytest.mark.parametrize(("f_bve", "n_runs"), [(0.005, 200), (0.0, 120)])
@pytest.mark.parametrize("name", HARDER)
def test_iterations_agree_with_the_authors_program(name, f_bve, n_runs, references):
    """Quantiles are of solved runs; the limit of 5 s ended no run of theirs before `LONGEST`."""
    row = references[f_bve, name]
    limit = max(limit for limit, _ in quantiles_of(row))
    assert not differences(iterations_to_solution(name, n_runs, limit, f_bve=f_bve), row)


def test_the_comparison_detects_complete_propagation(references):
    """The samples are large enough to see a real difference."""
    complete = {name: iterations_to_solution(name, 300, propagation="complete") for name in HARDER}
    detected = [name for name in HARDER if differences(complete[name], references[0.005, name])]
    assert len(detected) >= 5

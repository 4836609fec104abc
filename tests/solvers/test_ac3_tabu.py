"""AC3 and the rules of the AC3-tabu search, each at its own level."""

import itertools

import numpy as np
import pytest
from conftest import random_partial_grid, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import ac3 as naive_ac3
from naive import grid as naive
from scipy import stats

from antdoku.kernels.compilation import kernel
from antdoku.kernels.randomness import kernel_state
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.runs import run
from antdoku.solvers import _ac3, ac3_tabu, make_params

RANDOM = np.random.default_rng

# AC3


def assert_same_fixpoint(puzzle):
    domains, consistent = _ac3.ac3(puzzle)
    expected = naive_ac3.ac3(puzzle.order, naive.domains_of(puzzle.order, puzzle.givens))
    assert consistent == (expected is not None)
    assert consistent == all(naive.sets_of(domains))
    if consistent:
        assert naive.sets_of(domains) == expected


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 3), st.floats(0, 1), st.integers(0, 10**6))
def test_fixpoint_of_random_partial_grids(order, share, seed):
    assert_same_fixpoint(random_partial_grid(order, round(share * order**4), seed))


@pytest.mark.parametrize("order, fixed", [(4, 0.4), (4, 0.7), (5, 0.75)])
def test_fixpoint_of_larger_puzzles(order, fixed):
    assert_same_fixpoint(random_puzzle(order, fixed, 1))
    assert_same_fixpoint(random_partial_grid(order, round(fixed * order**4), 1))


@kernel
def fill(domains, neighbours, queue, cell, value):
    return _ac3.fill(domains, neighbours, queue, cell, value)


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 4), st.floats(0, 0.6), st.integers(0, 10**6))
def test_filling_step_by_step_equals_the_twin(order, fixed, seed):
    domains, rng = _ac3.ac3(random_puzzle(order, fixed, seed))[0], RANDOM(seed)
    queue = _ac3.new_queue(order)
    for _ in range(4):
        before = naive.sets_of(domains)
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
        assert naive.sets_of(domains) == expected
        filled = queue[:n_filled].tolist()
        assert filled[0] == cell
        assert sorted(filled) == [k for k in is_open if len(expected[k]) == 1]


# The search


def paper_puzzle(level, letter):
    """A puzzle of Soto et al.: Easy, Medium and Hard are numbers 10 to 12 of their source."""
    number = {"easy": 10, "medium": 11, "hard": 12}[level]
    return named.puzzles(f"mk_s{number}{letter}")[0]


def new_search(puzzle, seed=1, **given):
    """A search before its first step, and the other arguments of its kernels."""
    params = ac3_tabu.Params(**given)
    root, _ = _ac3.ac3(puzzle)
    search = ac3_tabu._new_search(root, params.tabu_length, puzzle.order)
    rules = ac3_tabu._rules(params, puzzle.size)
    return search, _ac3.neighbours(puzzle.order), rules, kernel_state(RANDOM(seed))


def features(masks):
    """All (cell, value) of the cells that have a choice, values from 1."""
    return {
        (cell, value)
        for cell, values in enumerate(naive.sets_of(masks))
        if len(values) > 1
        for value in values
    }


def tabu_list(search):
    """The tabu list from the oldest to the newest, as (cell, value)."""
    length, (entered, left) = len(search.listed), search.ends.astype(int)
    pairs = [search.listed[k % length].tolist() for k in range(left, entered)]
    return [(cell, bit.bit_length()) for cell, bit in pairs]


def tabu_features(search):
    return {
        (cell, value) for cell, values in enumerate(naive.sets_of(search.tabu)) for value in values
    }


def after_ac3(order, domains, feature):
    """Domains (sets) when a feature is added and made arc consistent; None: wiped out."""
    domains = [set(left) for left in domains]
    domains[feature[0]] = {feature[1]}
    return naive_ac3.ac3(order, domains)


def n_empty(domains):
    return sum(len(left) > 1 for left in domains)


# Roulette wheel


@kernel
def spin_often(search, weights, random, counts):
    total = ac3_tabu._total_weight(search, weights)
    for _ in range(20_000):
        cell, value = ac3_tabu._spin(search, weights, total, random)
        counts[cell, value] += 1


@pytest.mark.parametrize("wheel", [0, 1, 2.5])
def test_the_wheel_draws_features_by_their_weight_and_no_tabu_one(wheel):
    search, _, rules, random = new_search(paper_puzzle("hard", "a"), wheel=wheel)
    allowed = sorted(features(search.root))
    for cell, value in allowed[::3]:
        search.tabu[cell] |= 1 << (value - 1)
    del allowed[::3]
    counts = np.zeros((81, 9))
    spin_often(search, rules.weights, random, counts)
    seen = np.array([counts[cell, value - 1] for cell, value in allowed])
    assert seen.sum() == 20_000
    sizes = np.bitwise_count(search.root)[[cell for cell, _ in allowed]].astype(float)
    expected = sizes**-wheel / (sizes**-wheel).sum() * 20_000
    assert stats.chisquare(seen, expected).pvalue > 1e-4


# Tabu list


@kernel
def enter(search, cell, bit):
    ac3_tabu._enter(search, cell, bit)


@pytest.mark.parametrize("length", [0, 1, 7, 100])
def test_the_oldest_features_expire_and_none_is_listed_twice(length):
    search, *_ = new_search(Puzzle(2, np.zeros(16, int)), tabu_length=length)
    rng, expected = RANDOM(length), []
    for _ in range(300):
        cell, value = int(rng.integers(16)), int(rng.integers(1, 5))
        enter(search, np.uint64(cell), np.uint64(1 << (value - 1)))
        if length and (cell, value) not in expected:
            expected = [*expected, (cell, value)][-length:]
        assert tabu_features(search) == set(expected)
        assert not length or tabu_list(search) == expected


def test_the_list_is_emptied_when_every_feature_is_tabu():
    search, tables, rules, random = new_search(paper_puzzle("hard", "a"), tabu_length=1000)
    for cell, value in features(search.root):
        enter(search, np.uint64(cell), np.uint64(1 << (value - 1)))
    ac3_tabu._iterate(search, tables, rules, random, 1)
    assert len(tabu_list(search)) < len(features(search.root))


# One iteration


@kernel
def choose_candidate(search, neighbours, rules, random):
    return ac3_tabu._choose_candidate(search, neighbours, rules, random)


@pytest.mark.parametrize("level, letter", [("medium", "a"), ("hard", "b")])
def test_the_chosen_candidate_has_fewest_empty_cells(level, letter):
    # So many candidates that every feature is drawn.
    search, *others = new_search(paper_puzzle(level, letter), candidates=5000, tabu_length=0)
    best = naive.sets_of(search.best)
    results = [after_ac3(3, best, feature) for feature in features(search.best)]
    n_filled = choose_candidate(search, *others)
    assert n_empty(naive.sets_of(search.chosen)) == min(n_empty(left) for left in results if left)
    assert n_filled == n_empty(best) - n_empty(naive.sets_of(search.chosen))


@pytest.mark.parametrize("to", ["root", "stay"])
def test_an_iteration_adds_a_feature_or_goes_back_after_a_wipe_out(to):
    given = {"candidates": 1, "tabu_length": 1000, "after_wipeout": to}
    search, *others = new_search(paper_puzzle("hard", "c"), **given)
    root, n_wiped_out = naive.sets_of(search.root), 0
    for _ in range(60):
        before, listed = search.best.copy(), tabu_list(search)
        ac3_tabu._iterate(search, *others, 1)
        new = tabu_list(search)[len(listed) :]
        if (before == search.best).all() or (naive.sets_of(search.best) == root):
            # The feature that has been tried is tabu now, and nothing else.
            assert len(new) == 1 and after_ac3(3, naive.sets_of(before), new[0]) is None
            assert naive.sets_of(search.best) == (root if to == "root" else naive.sets_of(before))
            n_wiped_out += 1
            continue
        feature = int(search.filled[0]), int(search.best[search.filled[0]]).bit_length()
        after = naive.sets_of(search.best)
        assert after == after_ac3(3, naive.sets_of(before), feature)
        filled = [cell for cell, _ in features(before) if len(after[cell]) == 1]
        assert set(new) == {(cell, *after[cell]) for cell in filled} - set(listed)
    assert n_wiped_out > 3
    assert naive.sets_of(search.root) == root


# One construction


@kernel
def spin(search, weights, random):
    return ac3_tabu._spin(search, weights, ac3_tabu._sum_weights(search, weights), random)


@pytest.mark.parametrize("wheel", [0, 1])
def test_a_construction_adds_features_to_the_root_until_it_is_complete_or_wiped_out(wheel):
    given = {"iteration": "construction", "wheel": wheel}
    search, tables, rules, random = new_search(paper_puzzle("medium", "a"), **given)
    twin, state, solved = search._replace(best=search.root.copy()), random.copy(), []
    for _ in range(60):
        twin.best[:], domains = search.root, naive.sets_of(search.root)
        while domains and n_empty(domains):
            cell, value = spin(twin, rules.weights, state)
            domains = after_ac3(3, domains, (cell, value + 1))
            if domains:
                twin.best[:] = [sum(1 << (each - 1) for each in left) for left in domains]
        solved.append(ac3_tabu._iterate(search, tables, rules, random, 1)[1])
        assert solved[-1] == (domains is not None)
        assert not solved[-1] or naive.sets_of(search.best) == domains
        np.testing.assert_array_equal(random, state)
    assert any(solved) and not all(solved)


# What the paper reports


def solves(puzzle, seed, steps, **given):
    params = make_params("ac3_tabu", given)
    return run.run_once(puzzle, "ac3_tabu", params, seed=seed, max_steps=steps)


def test_ac3_alone_solves_the_easy_puzzles_which_is_why_their_published_times_are_constant():
    table = published.results()
    table = table[(table["item"] == "Table 1") & (table["solver"] == "ac3_tabu")]
    times = table.pivot(index="instance", columns="metric", values="value")
    spread = times["max_time"] / times["min_time"]
    for level, letter in itertools.product(("easy", "medium", "hard"), "abc"):
        by_ac3_alone = solves(paper_puzzle(level, letter), 1, 1).steps == 0
        assert by_ac3_alone == (level == "easy")
        if f"{level}_{letter}" in spread:
            assert (spread[f"{level}_{letter}"] < 1.1) == (level == "easy")


@pytest.mark.parametrize("level, letter", [*itertools.product(("medium", "hard"), "abc")])
def test_solves_the_puzzles_of_the_paper_from_any_seed(level, letter):
    puzzle = paper_puzzle(level, letter)
    for seed in range(10):
        done = solves(puzzle, seed, 50_000)
        assert done.status == SOLVED and is_solution(puzzle, done.solution)


@pytest.mark.parametrize("level, letter, mean", [("medium", "a", 12.7), ("hard", "b", 74)])
def test_constructions_solve_some_puzzles_in_few_iterations(level, letter, mean):
    """The means are of 400 seeds; 30 exponential times stay within a factor of two."""
    puzzle = paper_puzzle(level, letter)
    steps = [solves(puzzle, seed, 10_000, iteration="construction").steps for seed in range(30)]
    assert mean / 2 < np.mean(steps) < 2 * mean


def test_a_construction_claims_nothing_of_a_puzzle_that_ac3_refutes():
    full = Puzzle(2, [0, 2, 1, 3, 3, 4, 2, 0, 2, 3, 4, 1, 4, 1, 3, 2])
    for puzzle in (full, Puzzle(3, [1, 2, 3, 4, 5, 6, 7, 8, 0] + [0] * 44 + [9] + [0] * 27)):
        assert not _ac3.ac3(puzzle)[1]
        assert solves(puzzle, 1, 100, iteration="construction").status == TIMEOUT


def test_without_a_way_back_a_dead_end_is_final():
    puzzle = paper_puzzle("hard", "a")
    statuses = [solves(puzzle, seed, 1000, after_wipeout="stay").status for seed in range(30)]
    assert statuses.count(SOLVED) <= 3

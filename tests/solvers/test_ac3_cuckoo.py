"""The operators of the cuckoo search, each at its own level, and the solver against its twin."""

import itertools

import numpy as np
import pytest
from conftest import random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import ac3_cuckoo as twin
from scipy import stats

from antdoku.kernels.compilation import kernel
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.runs import run
from antdoku.solvers import ac3_cuckoo as cuckoo
from antdoku.solvers._ac3 import ac3
from antdoku.solvers._local import solution_of

RANDOM = np.random.default_rng
BLANK = {order: Puzzle(order, np.zeros(order**4, int)) for order in (2, 3, 4)}
ORDERS = st.integers(2, 4)
SEEDS = st.integers(0, 10**6)


@kernel
def partially_matched(grid, best, rows, random):
    cuckoo._partially_matched(grid, best, rows, random)


@kernel
def sort(grid, search, rows):
    cuckoo._sort(grid, search, rows)


@kernel
def mutate(grid, rows, most, random):
    cuckoo._mutate(grid, rows, most, random)


@kernel
def cost(grid, rows, unions):
    return cuckoo._cost(grid, rows, unions)


@kernel
def build(search, rows, nest, random):
    return cuckoo._build(search, rows, nest, random)


def new_search(puzzle, seed=1, nests=3):
    """A search before its first step, its rows and its random numbers, as `solve` makes them."""
    rows = cuckoo._rows(ac3(puzzle)[0], puzzle.order)
    search, random = cuckoo._new_search(rows, nests), kernel_state(RANDOM(seed))
    assert cuckoo._settle(search, rows, random)
    return search, rows, random


def grid_of(nest):
    """A nest as a list of rows of values."""
    size = int(np.sqrt(nest.size))
    return solution_of(nest, nest.size).reshape(size, size).tolist()


def assert_feasible(nest, rows):
    """Rows are permutations, and values in their domains: fixed cells keep theirs."""
    size = int(rows.size)
    assert (np.sort(grid_of(nest), axis=1) == np.arange(1, size + 1)).all()
    assert (nest & rows.domains == nest).all()


def puzzles(test):
    """Give a test random puzzles, from blank ones to half full ones, and a seed."""
    decorated = given(order=ORDERS, fixed=st.floats(0, 0.5), seed=SEEDS)(test)
    return settings(max_examples=100, deadline=None)(decorated)


# Building


def test_every_permutation_within_the_domains_is_built():
    puzzle = Puzzle(2, [0, 0, 0, 0, 0, 0, 1, 0, *[0] * 8])
    search, rows, random = new_search(puzzle)
    seen = set()
    for _ in range(400):
        build(search, rows, 0, random)
        seen.add(tuple(grid_of(search.nests[0])[0]))
    # In row 1 the value 1 can only go to columns 1 and 2.
    assert seen == {row for row in itertools.permutations((1, 2, 3, 4)) if 1 in row[:2]}


def tight_rows():
    """Rows of order 8 whose cells allow two neighbouring values each, in a circle."""
    domains = np.full((64, 64), np.uint64(0))
    for place in range(64):
        domains[:, place] = np.uint64(1 << place | 1 << (place + 1) % 64)
    return domains


def test_rows_with_two_permutations_only_are_built_at_once():
    rows = cuckoo._rows(tight_rows().ravel(), 8)
    search = cuckoo._new_search(rows, 20)
    assert cuckoo._settle(search, rows, kernel_state(RANDOM(1)))
    for nest in search.nests:
        assert_feasible(nest, rows)


def test_a_row_without_a_permutation_is_found():
    domains = tight_rows()
    domains[5, 7], domains[5, 9] = domains[5, 8], domains[5, 8]  # three cells for two values
    rows = cuckoo._rows(domains.ravel(), 8)
    search = cuckoo._new_search(rows, 2)
    assert not cuckoo._settle(search, rows, kernel_state(RANDOM(1)))


def test_a_puzzle_that_is_refuted_at_once_is_searched_all_the_same():
    refuted = Puzzle(2, [1, 2, 3, 0, *[0] * 11, 4])
    assert not ac3(refuted)[1]
    domains = cuckoo._row_domains(refuted, ac3(refuted)[0].dtype).reshape(4, 4)
    assert domains.tolist() == [[1, 2, 4, 8], [15] * 4, [15] * 4, [7, 7, 7, 8]]
    done = run.run_once(refuted, "ac3_cuckoo", cuckoo.Params(), 1, max_steps=50)
    assert (done.status, done.steps) == ("timeout", 50)


# Cost


@pytest.mark.parametrize("order", [3, 4, 5, 8])
def test_the_cost_is_that_of_a_recount(order):
    search, rows, _ = new_search(random_puzzle(order, 0.3, 1))
    for nest, found in zip(search.nests, search.costs, strict=True):
        assert found == twin.cost(order, grid_of(nest)) > 0
    solution = random_puzzle(order, 1.0, 1).givens.astype(np.uint64) - np.uint64(1)
    masks = (np.uint64(1) << solution).astype(rows.domains.dtype)
    assert cost(masks, rows, search.unions) == 0


# Partially matched crossover


@settings(max_examples=200, deadline=None)
@given(st.permutations(range(1, 10)), st.permutations(range(1, 10)), st.data())
def test_exchanges_do_what_the_textbook_says(row, best, data):
    low, high = sorted(data.draw(st.lists(st.integers(0, 8), min_size=2, max_size=2, unique=True)))
    everything = [set(range(1, 10))] * 9
    child = twin.pmx(row, best, low, high, everything)
    assert child == twin.textbook_pmx(row, best, low, high)


@puzzles
def test_children_are_feasible_and_between_their_parents(order, fixed, seed):
    search, rows, random = new_search(random_puzzle(order, fixed, seed), seed)
    for nest in search.nests:
        assert_feasible(nest, rows)
    for operator in ("pmx", "sorting"):
        build(search, rows, 0, random)
        before, best = grid_of(search.nests[0]), grid_of(search.nests[1])
        if operator == "pmx":
            partially_matched(search.nests[0], search.nests[1], rows, random)
        else:
            search.best[0], search.previous[:] = 1, search.nests[1]
            search.mask[:] = RANDOM(seed).integers(3, size=order**2)
            sort(search.nests[0], search, rows)
        assert_feasible(search.nests[0], rows)
        for row, child, other in zip(before, grid_of(search.nests[0]), best, strict=True):
            there = twin.swap_distance(row, child) + twin.swap_distance(child, other)
            assert there == twin.swap_distance(row, other)


# Multiparental sorting crossover


@settings(max_examples=200, deadline=None)
@given(st.lists(st.permutations(range(1, 10)), min_size=3, max_size=3), st.data())
def test_places_where_all_parents_agree_stay(parents, data):
    mask = data.draw(st.lists(st.integers(0, 2), min_size=9, max_size=9))
    shared = data.draw(st.sets(st.integers(0, 8)))
    for place in shared:
        parents = [twin.exchanged(parent, place, place + 1) for parent in parents]
    agreed = [place for place in range(9) if len({parent[place] for parent in parents}) == 1]
    child = twin.sorting_crossover(*parents, mask, [set(range(1, 10))] * 9)
    assert [child[place] for place in agreed] == [parents[0][place] for place in agreed]
    assert child[0] == parents[mask[0]][0]


# Feasible geometric mutation


def test_a_mutation_swaps_within_rows_as_often_as_allowed():
    search, rows, random = new_search(BLANK[3])
    changed = []
    for _ in range(2000):
        before = search.nests[0].copy()
        mutate(search.nests[0], rows, np.uint64(1), random)
        assert_feasible(search.nests[0], rows)
        changed.append(tuple(np.flatnonzero(before != search.nests[0])))
    assert {len(cells) for cells in changed} == {2}
    assert {cell // 9 for cells in changed for cell in cells} == set(range(9))
    assert all(one // 9 == other // 9 for one, other in changed)
    assert len(set(changed)) > 290  # of 9 * 36 = 324 pairs


# Abandoning, replacing, the best


def two_costs(n_nests):
    """A search in which every other nest is worse than the rest, which are all the same."""
    search, rows, random = new_search(BLANK[3], nests=n_nests)
    build(search, rows, 0, random)
    search.nests[:], search.costs[:] = search.nests[0], search.costs[0]
    search.best[0] = 0
    for nest in range(1, n_nests, 2):
        while search.costs[nest] <= search.costs[0]:
            build(search, rows, nest, random)
    return search, rows, random


def test_nests_worse_than_the_best_are_abandoned_with_their_probability():
    search, rows, random = two_costs(2000)
    nests, costs = search.nests.copy(), search.costs.copy()

    @kernel
    def abandon(search, rows, p_abandon, random):
        cuckoo._abandon(search, rows, p_abandon, random)

    abandon(search, rows, 0.3, random)
    abandoned = (search.nests != nests).any(axis=1)
    assert not abandoned[costs == costs[0]].any()
    assert stats.binomtest(int(abandoned.sum()), 1000, 0.3).pvalue > 1e-4
    for nest in search.nests[abandoned][:20]:
        assert_feasible(nest, rows)


# The whole


@pytest.mark.parametrize(
    "order, fixed, seed, given",
    [
        (2, 0.0, 1, {"nests": 4, "p_abandon": 0.5, "mutated_rows": 2}),
        (3, 0.3, 2, {"nests": 5, "p_pmx": 0.4, "p_mutation": 0.8, "mutated_rows": 9}),
        (3, 0.2, 3, {"nests": 8, "p_pmx": 0.9, "p_mutation": 0.2, "p_abandon": 0.3}),
        (4, 0.35, 4, {"nests": 3, "p_pmx": 0.5, "mutated_rows": 3}),
        (3, 0.3, 5, {"nests": 4, "patience": 3}),
    ],
)
def test_follows_its_twin_step_by_step(order, fixed, seed, given):
    puzzle = random_puzzle(order, fixed, seed)
    params = cuckoo.Params(**given)
    search, rows, random = new_search(puzzle, seed, params.nests)
    rules = cuckoo._rules(params, puzzle.size)
    other = twin.Cuckoo(puzzle, params, kernel_state(RANDOM(seed)))
    for _ in range(40):
        assert [grid_of(nest) for nest in search.nests] == other.nests
        assert (search.best[0], search.costs.tolist()) == (other.best, other.costs)
        assert grid_of(search.previous) == other.previous
        np.testing.assert_array_equal(random, other.random)
        if other.costs[other.best] == 0:
            break
        _, solved = cuckoo._iterate(search, rows, rules, random, 1)
        other.iterate()
        assert solved == (other.costs[other.best] == 0)


@pytest.mark.parametrize("name", ["mk_s10a", "mk_s10b", "mk_s10c"])
def test_ac3_alone_solves_the_easy_puzzles_of_the_paper(name):
    done = run.run_once(named.puzzles(name)[0], "ac3_cuckoo", cuckoo.Params(), 1, max_steps=1)
    assert (done.status, done.steps) == ("solved", 0)

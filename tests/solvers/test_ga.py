"""The rules of Mantere & Koljonen 2007, each at its own level, and the solver against its twin."""

import numpy as np
import pytest
from conftest import random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import ga as naive_ga
from scipy import stats

from antdoku.errors import InputError
from antdoku.kernels.randomness import kernel_state
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle, units
from antdoku.runs import run
from antdoku.solvers import ga

RANDOM = np.random.default_rng
BLANK = Puzzle(3, np.zeros(81, int))
NO_GUARD = 10**6


def new_search(puzzle, seed=1, **chosen):
    """A search before its first step, its rules and its random numbers, as `solve` makes them."""
    params = ga.Params(**chosen)
    search = ga._new_search(puzzle, params.population or ga._population(puzzle.order))
    return search, ga._rules(params, puzzle.order), kernel_state(RANDOM(seed))


def evolved(puzzle, steps, seed=1, **chosen):
    search, rules, random = new_search(puzzle, seed, **chosen)
    assert ga._evolve(search, rules, random, steps) == (steps, False)
    return search, rules, random


def values(search, row, order=3):
    return ga._grid(search.values[row], order)


def boxes(grid, order=3):
    """Values of a grid box by box: shape (d, d)."""
    return grid[units(order)[2 * order**2 :]]


def position_of_next(search):
    return int(search.at[ga._POSITION])


# Individuals and their fitness


@pytest.mark.parametrize("order", [2, 3, 5, 6, 8])
def test_the_faults_are_those_of_a_recount_and_both_parts_are_equal(order):
    puzzle = random_puzzle(order, 0.3, 1)
    search, _, random = new_search(puzzle)
    for _ in range(10):
        ga._scatter(search, 0, random)
        absent, surplus = naive_ga.parts(order, values(search, 0, order).tolist())
        assert ga._count_faults(search.lines[0]) == absent == surplus > 0


@pytest.mark.parametrize("order", [2, 3, 5, 6, 8])
def test_values_that_givens_have_are_penalised(order):
    puzzle = random_puzzle(order, 0.3, 1)
    search, rules, random = new_search(puzzle, given_penalty=7)
    ga._evolve(search, rules, random, 5)
    for row in search.rows[-5:]:
        taken = naive_ga.n_taken(puzzle, values(search, row, order).tolist())
        assert search.penalty[row] == 7 * taken > 0
        assert ga._fitness(search, row) == 2 * search.faults[row] + 7 * taken


@pytest.mark.parametrize("order", [2, 3, 6])
def test_givens_stay_and_boxes_are_permutations(order):
    puzzle = random_puzzle(order, 0.4, 2)
    search, rules, random = new_search(puzzle, three_swap=0.3, insertion=0.3, guard=4)
    ga._evolve(search, rules, random, 300)
    is_given = puzzle.givens > 0
    for row in search.rows:
        grid = values(search, row, order)
        assert (grid[is_given] == puzzle.givens[is_given]).all()
        assert (np.sort(boxes(grid, order)) == np.arange(1, order**2 + 1)).all()


def test_all_random_fillings_of_a_box_are_equally_likely():
    search, _, random = new_search(Puzzle(2, [1] + [0] * 15))
    seen = {}
    for _ in range(1200):
        ga._scatter(search, 0, random)
        filling = tuple(boxes(values(search, 0, 2), 2)[0])
        seen[filling] = seen.get(filling, 0) + 1
    assert len(seen) == 6 and stats.chisquare(list(seen.values())).pvalue > 1e-4


# Parents and crossover


def bred(**chosen):
    """Children at position 2 of a random individual and one that differs from it in every box."""
    search, rules, random = evolved(BLANK, 21, mutation=0.0, **chosen)
    search.at[ga._POSITION] = 2
    first, second, row = search.rows[:3]
    while (boxes(values(search, first)) == boxes(values(search, second))).all(axis=1).any():
        ga._scatter(search, second, random)
    while True:
        ga._breed(search, rules, row, random)
        yield (boxes(values(search, row)) == boxes(values(search, first))).all(axis=1)


def test_parents_are_equally_likely_and_so_are_their_boxes():
    children = bred()
    from_first = np.array([next(children) for _ in range(2000)])
    # Both parents are the first, both the second, or one each.
    n_copies = from_first.all(axis=1).sum(), (~from_first).all(axis=1).sum()
    for copies in n_copies:
        assert stats.binomtest(int(copies), 2000, 1 / 4 + 1 / 2 / 2**9).pvalue > 1e-4
    mixed = from_first[from_first.any(axis=1) & ~from_first.all(axis=1)]
    for box in mixed.T:
        assert stats.binomtest(int(box.sum()), len(mixed), 1 / 2).pvalue > 1e-4


# Mutation


def mutations(puzzle, n, seed=1, **chosen):
    """Grids before and after mutations of random individuals."""
    swaps_only = {"guard": NO_GUARD, "three_swap": 0.0, "insertion": 0.0}
    search, rules, random = new_search(puzzle, seed, **swaps_only | chosen)
    for _ in range(n):
        ga._scatter(search, 0, random)
        before = values(search, 0, puzzle.order)
        ga._mutate(search, rules, 0, random)
        yield before, values(search, 0, puzzle.order)


def test_the_mutation_rate():
    search, rules, random = evolved(BLANK, 21, swaps=1, guard=NO_GUARD)
    search.at[ga._POSITION] = 1
    best, row = search.rows[:2]
    mutated = 0
    for _ in range(2000):
        ga._breed(search, rules, row, random)
        mutated += not np.array_equal(values(search, row), values(search, best))
    assert stats.binomtest(mutated, 2000, 0.6).pvalue > 1e-4


def test_a_mutation_concerns_one_box_and_all_alike():
    changed = [(boxes(a) != boxes(b)).any(axis=1) for a, b in mutations(BLANK, 900, swaps=1)]
    assert {flags.sum() for flags in changed} == {1}
    assert stats.chisquare(np.sum(changed, axis=0)).pvalue > 1e-4


def test_a_sequence_has_one_to_five_swaps():
    """Parity of the permutation, and that all nine cells of a box can take part."""
    n_moved = [np.count_nonzero(a != b) for a, b in mutations(BLANK, 500)]
    assert set(n_moved) <= set(range(10)) and max(n_moved) >= 8
    assert max(np.count_nonzero(a != b) for a, b in mutations(BLANK, 500, swaps=2)) == 4


def test_a_sequence_ends_at_a_given():
    """Two free cells of four: the partner is free once in three; an odd number of swaps shows."""
    puzzle = Puzzle(2, [1, 2, 0, 0, 0, 0, 1, 2, 2, 1, 0, 0, 0, 0, 2, 1])
    changed = sum((a != b).any() for a, b in mutations(puzzle, 4000))
    q, expected = 1 / 3, 0.0
    for length in range(1, 6):
        done = {m: q**m * (1 - q) for m in range(length)} | {length: q**length}
        expected += sum(done[m] for m in done if m % 2) / 5
    assert stats.binomtest(int(changed), 4000, expected).pvalue > 1e-4


@pytest.mark.parametrize("share", [{}, {"three_swap": 1.0}, {"insertion": 1.0}])
def test_a_box_with_too_few_free_cells_stays_as_it_is(share):
    puzzle = random_puzzle(2, 0.8, 4)
    assert any(0 < (box == 0).sum() < 2 for box in boxes(puzzle.givens, 2))
    for before, after in mutations(puzzle, 100, **share):
        free = (boxes(puzzle.givens, 2) == 0).sum(axis=1)
        changed = (boxes(before, 2) != boxes(after, 2)).any(axis=1)
        assert not changed[free < (3 if "three_swap" in share else 2)].any()


@given(seed=st.integers(0, 10**6), guard=st.integers(2, 5), kind=st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_a_mutation_respects_the_guard(seed, guard, kind):
    shares = {"three_swap": float(kind == 1), "insertion": float(kind == 2)}
    puzzle = random_puzzle(3, 0.2, 3)
    for before, after in mutations(puzzle, 5, seed, guard=guard, swaps=1, **shares):
        for cell in np.flatnonzero(before != after):
            assert naive_ga.occurrences(3, after.tolist(), cell) <= guard


# Generations


def test_population_guard_and_restart_follow_the_order_unless_they_are_given():
    sizes = [len(new_search(Puzzle(order, np.zeros(order**4, int)))[0].rows) for order in (2, 3, 5)]
    assert sizes == [14, 21, 35]
    by_order = [ga._rules(ga.Params(), order) for order in (2, 3, 5)]
    assert [rules.clashes + 2 for rules in by_order] == [3, 3, 5]
    assert [rules.restart for rules in by_order] == [78, 2000, 119074]
    chosen = ga._rules(ga.Params(guard=4, restart=7), 5)
    assert (chosen.clashes + 2, chosen.restart) == (4, 7)


# The whole


@pytest.mark.parametrize(
    "order, fixed, seed, chosen",
    [
        (2, 0.0, 1, {"population": 4, "guard": 2, "restart": 5}),
        (3, 0.3, 2, {}),
        (3, 0.3, 7, {"given_penalty": 0}),
        (3, 0.2, 3, {"three_swap": 0.3, "insertion": 0.3, "restart": 6, "guard": 4}),
        (3, 0.4, 4, {"population": 5, "elite": 2, "ageing": "individual", "swaps": 2}),
        (3, 0.4, 5, {"population": 2, "mutation": 1.0, "restart": 70}),
        (6, 0.5, 6, {"population": 6, "ageing": "off", "insertion": 0.5}),
    ],
)
def test_follows_its_twin_step_by_step(order, fixed, seed, chosen):
    puzzle = random_puzzle(order, fixed, seed)
    search, rules, random = new_search(puzzle, seed, **chosen)
    twin = naive_ga.Ga(puzzle, ga.Params(**chosen), kernel_state(RANDOM(seed)))
    for individual in (individual for individual, _ in zip(twin.steps(), range(300))):
        row = search.rows[position_of_next(search)]
        done, solved = ga._evolve(search, rules, random, 1)
        assert (done, solved) == (1, individual.faults == 0)
        assert values(search, row, order).tolist() == individual.values
        assert 2 * search.faults[row] == individual.faults
        assert solved or search.penalty[row] == individual.penalty
        assert random.tolist() == twin.random.tolist()
        if solved:
            break


@given(slices=st.lists(st.integers(1, 90), min_size=1, max_size=12))
@settings(max_examples=25, deadline=None)
def test_slices_of_any_size_make_no_difference(slices):
    puzzle, total = random_puzzle(3, 0.3, 6), sum(slices)
    whole, *_ = evolved(puzzle, total, restart=4)
    search, rules, random = new_search(puzzle, restart=4)
    for quota in slices:
        ga._evolve(search, rules, random, quota)
    for one, other in zip(whole, search):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ["mk_s10a", "mk_s10b", "mk_s10c"])
def test_solves_the_easy_puzzles_of_its_authors(name):
    (puzzle,) = named.puzzles(name)
    assert run.run_once(puzzle, "ga", ga.Params(), seed=1, max_steps=10**6).status == "solved"


def test_shares_of_mutations_add_up_to_one_at_most():
    ga.Params(three_swap=0.4, insertion=0.6)
    with pytest.raises(InputError, match="insertion"):
        ga.Params(three_swap=0.5, insertion=0.6)

"""AC3 and the rules of the AC3-tabu search, each at its own level."""

import itertools

import numpy as np
import pytest
from conftest import random_partial_grid
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import grid as naive
from naive.ac3_tabu import Ac3Tabu

from antdoku.kernels.randomness import kernel_state
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle, is_solution
from antdoku.runs import run
from antdoku.solvers import _ac3, ac3_tabu, make_params

RANDOM = np.random.default_rng

# AC3


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 3), st.floats(0, 1), st.integers(0, 10**6))
def test_fixpoint_of_random_partial_grids(order, share, seed):
    puzzle = random_partial_grid(order, round(share * order**4), seed)
    domains, consistent = _ac3.ac3(puzzle)
    expected = naive.ac3(puzzle.order, naive.domains_of(puzzle.order, puzzle.givens))
    assert consistent == (expected is not None)
    assert consistent == all(naive.sets_of(domains))
    if consistent:
        assert naive.sets_of(domains) == expected


# The search


def paper_puzzle(level, letter):
    """A puzzle of Soto et al.: Easy, Medium and Hard are numbers 10 to 12 of their source."""
    number = {"easy": 10, "medium": 11, "hard": 12}[level]
    return named.puzzles(f"mk_s{number}{letter}")[0]


def tabu_list(search):
    """The tabu list from the oldest to the newest, as (cell, value)."""
    length, (entered, left) = len(search.listed), search.ends.astype(int)
    pairs = [search.listed[k % length].tolist() for k in range(left, entered)]
    return [(cell, bit.bit_length()) for cell, bit in pairs]


@pytest.mark.parametrize("level, letter, given", [
    ("hard", "a", {}),
    ("hard", "b", {"tabu_length": 3, "candidates": 2, "wheel": 0}),
    ("hard", "c", {"tabu_length": 1000, "candidates": 1, "after_wipeout": "stay"}),
    ("medium", "a", {"tabu_length": 0, "candidates": 40, "wheel": 2.5}),
    ("medium", "a", {"iteration": "construction"}),
    ("medium", "a", {"iteration": "construction", "wheel": 0}),
])  # fmt: skip
def test_follows_its_twin_iteration_by_iteration(level, letter, given):
    puzzle, params, random = paper_puzzle(level, letter), ac3_tabu.Params(**given), RANDOM(1)
    search = ac3_tabu._new_search(_ac3.ac3(puzzle)[0], params.tabu_length, puzzle.order)
    state = kernel_state(random)
    twin = Ac3Tabu(puzzle, params, state.copy())
    others = _ac3.neighbours(puzzle.order), ac3_tabu._rules(params, puzzle.size), state
    for _ in range(60):
        solved = ac3_tabu._iterate(search, *others, 1)[1]
        assert solved == twin.iterate()
        np.testing.assert_array_equal(state, twin.random)
        assert tabu_list(search) == twin.tabu
        assert twin.best is None or naive.sets_of(search.best) == twin.best
        if solved and params.iteration == "feature":
            break


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


def test_a_construction_claims_nothing_of_a_puzzle_that_ac3_refutes():
    full = Puzzle(2, [0, 2, 1, 3, 3, 4, 2, 0, 2, 3, 4, 1, 4, 1, 3, 2])
    for puzzle in (full, Puzzle(3, [1, 2, 3, 4, 5, 6, 7, 8, 0] + [0] * 44 + [9] + [0] * 27)):
        assert not _ac3.ac3(puzzle)[1]
        assert solves(puzzle, 1, 100, iteration="construction").status == TIMEOUT

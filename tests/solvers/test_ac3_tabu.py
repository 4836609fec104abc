"""AC3, and the AC3-tabu search against its twin and the paper."""

import itertools

import numpy as np
import pytest
from conftest import random_partial_grid, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import grid as naive
from naive.ac3_tabu import Ac3Tabu

from antdoku.kernels.randomness import kernel_state
from antdoku.outcome import TIMEOUT
from antdoku.papers import published
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.runs import run
from antdoku.solvers import _ac3, ac3_tabu, make_params

RANDOM = np.random.default_rng

# AC3


@settings(max_examples=200)
@given(st.integers(2, 3), st.floats(0, 1), st.integers(0, 10**6))
def test_ac3_equals_the_textbook_on_random_partial_grids(order, share, seed):
    puzzle = random_partial_grid(order, round(share * order**4), seed)
    domains, consistent = _ac3.ac3(puzzle)
    expected = naive.ac3(puzzle.order, naive.domains_of(puzzle.order, puzzle.givens))
    assert consistent == (expected is not None)
    assert consistent == all(naive.sets_of(domains))
    if consistent:
        assert naive.sets_of(domains) == expected


# The search


def paper_puzzle(level, letter):
    """Return a puzzle of Soto et al.; Easy, Medium and Hard are 10, 11 and 12 of their source."""
    number = {"easy": 10, "medium": 11, "hard": 12}[level]
    return named.puzzles(f"mk_s{number}{letter}")[0]


HARD = [paper_puzzle("hard", letter) for letter in "abc"]


def tabu_list(search):
    """Return the tabu list from the oldest to the newest feature, as (cell, value)."""
    length, (entered, left) = len(search.listed), search.ends.astype(int)
    pairs = [search.listed[k % length].tolist() for k in range(left, entered)]
    return [(cell, bit.bit_length()) for cell, bit in pairs]


FILTERING = ("each", "before", "none")


@pytest.mark.parametrize("level, letter, values", [
    ("hard", "a", {}),
    ("hard", "b", {"tabu_length": 3, "candidates": 2, "wheel": 0}),
    ("hard", "c", {"tabu_length": 1000, "candidates": 1, "after_wipeout": "stay"}),
    ("medium", "a", {"tabu_length": 0, "candidates": 40, "wheel": 2.5}),
    ("medium", "a", {"iteration": "construction"}),
    ("medium", "a", {"iteration": "construction", "wheel": 0}),
])  # fmt: skip
def test_the_search_equals_its_twin_iteration_by_iteration(level, letter, values):
    params = ac3_tabu.Params(**values)
    for solved in iterate_beside_twin(paper_puzzle(level, letter), params, seed=1, n=60):
        if solved and params.iteration == "feature":
            break


@pytest.mark.parametrize("filtering", FILTERING)
@pytest.mark.parametrize(
    "puzzle", [*HARD, random_puzzle(4, 0.5, 3)], ids=lambda puzzle: puzzle.name
)
def test_filling_cells_equals_its_twin(puzzle, filtering):
    params = ac3_tabu.Params(iteration="cell", filtering=filtering)
    for seed in (1, 2):
        for solved in iterate_beside_twin(puzzle, params, seed, n=150 if puzzle.order == 3 else 40):
            if solved:
                break


def iterate_beside_twin(puzzle, params, seed, n):
    """Do up to n iterations and compare with the twin; yield whether the grid is complete."""
    search, arguments = new_search(puzzle, params, seed)
    twin = Ac3Tabu(puzzle, params, arguments[-1].copy())
    for _ in range(n):
        solved = ac3_tabu._iterate(search, *arguments, 1)[1]
        assert solved == twin.iterate()
        np.testing.assert_array_equal(arguments[-1], twin.random)
        assert tabu_list(search) == twin.tabu
        assert twin.best is None or naive.sets_of(search.best) == twin.best
        yield solved


def new_search(puzzle, params, seed):
    """Return a search, and the other arguments of its kernel; the last is the generator's state."""
    root, _ = ac3_tabu._root(puzzle, params.filtering)
    search = ac3_tabu._new_search(root, params.tabu_length, puzzle.order)
    rules = ac3_tabu._rules(params, puzzle.size)
    return search, (_ac3.neighbours(puzzle.order), rules, kernel_state(RANDOM(seed)))


# Results of the paper


def run_of(puzzle, seed, steps, **values):
    params = make_params("ac3_tabu", values)
    return run.run_once(run.Call(puzzle, "ac3_tabu", params, seed=seed, max_steps=steps))


def test_ac3_alone_solves_exactly_the_puzzles_whose_published_times_are_constant():
    table = published.results()
    table = table[(table["item"] == "Table 1") & (table["solver"] == "ac3_tabu")]
    times = table.pivot(index="instance", columns="metric", values="value")
    spread = times["max_time"] / times["min_time"]
    for level, letter in itertools.product(("easy", "medium", "hard"), "abc"):
        by_ac3_alone = run_of(paper_puzzle(level, letter), 1, 1).steps == 0
        assert by_ac3_alone == (level == "easy")
        if f"{level}_{letter}" in spread:
            assert (spread[f"{level}_{letter}"] < 1.1) == (level == "easy")


# The reading in which an iteration fills one cell


def of_cells(filtering="each", **values):
    return {"iteration": "cell", "filtering": filtering} | values


def test_without_ac3_each_empty_cell_of_an_easy_puzzle_takes_an_iteration():
    for puzzle in (paper_puzzle("easy", letter) for letter in "abc"):
        steps = [run_of(puzzle, 1, 100, **of_cells(filtering)).steps for filtering in FILTERING]
        assert steps == [0, 0, int((puzzle.givens == 0).sum())]


@pytest.mark.parametrize("level, letter", [*itertools.product(("medium", "hard"), "abc")])
def test_ac3_saves_iterations_and_changes_no_choice(level, letter):
    """The search fills a cell with one allowed value next; AC3 fills it in the same iteration."""
    puzzle = paper_puzzle(level, letter)
    is_filled = [len(values) == 1 for values in naive.sets_of(_ac3.ac3(puzzle)[0])]
    n_filled_before = sum(is_filled) - int((puzzle.givens > 0).sum())
    for seed in range(3):
        steps, states = zip(*(course(puzzle, filtering, seed) for filtering in FILTERING))
        for state in states:
            np.testing.assert_array_equal(state, states[0])
        with_ac3, before, without = steps
        assert with_ac3 < before
        # Without AC3 the search fills these cells itself, at the start and after each return.
        assert (without > before) == (n_filled_before > 0)
        assert (without - before) % max(n_filled_before, 1) == 0


def course(puzzle, filtering, seed):
    """Return the iterations to the solution, and the state of the generator at the end."""
    search, arguments = new_search(puzzle, ac3_tabu.Params(**of_cells(filtering)), seed)
    steps, is_solved = ac3_tabu._iterate(search, *arguments, 150_000)
    assert is_solved
    return steps, arguments[-1]


READINGS = [{"iteration": "construction"}, *map(of_cells, FILTERING)]


@pytest.mark.parametrize("values", READINGS)
def test_a_puzzle_that_ac3_refutes_ends_in_a_timeout(values):
    full = Puzzle(2, [0, 2, 1, 3, 3, 4, 2, 0, 2, 3, 4, 1, 4, 1, 3, 2])
    for puzzle in (full, Puzzle(3, [1, 2, 3, 4, 5, 6, 7, 8, 0] + [0] * 44 + [9] + [0] * 27)):
        assert not _ac3.ac3(puzzle)[1]
        assert run_of(puzzle, 1, 100, **values).status == TIMEOUT

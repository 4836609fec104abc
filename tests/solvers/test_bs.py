"""BS against the authors' program and its twin, try by try; the stronger forms of BS and ACS."""

import csv
from functools import partial

import pytest
from conftest import answer, random_partial_grid, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import authors_propagation as naive_authors
from naive import grid as naive

import antdoku
from antdoku import solvers
from antdoku.outcome import EXHAUSTED, SOLVED
from antdoku.puzzle.grid import is_solution
from antdoku.solvers import bs

solve = partial(answer, bs, max_steps=10**6)


def reference_puzzle(instance, shared_data):
    """Return the puzzle that a row of the reference table names."""
    kind, name = instance.split("/")
    sample = shared_data / "lloyd_amos_archive_sample"
    (puzzle,) = antdoku.read(f"named:{name}" if kind == "named" else sample / name)
    return puzzle


def test_tries_equal_the_authors_program_and_are_fewer_with_complete_propagation(shared_data):
    with open(shared_data / "bs_reference_tries.csv") as file:
        tries = {row["instance"]: int(row["tries"]) for row in csv.DictReader(file)}
    assert len(tries) > 180 and max(tries.values()) > 30_000
    outcomes = {name: solve(reference_puzzle(name, shared_data)) for name in tries}
    assert {outcome.status for outcome in outcomes.values()} == {SOLVED}
    assert {name: outcome.steps for name, outcome in outcomes.items()} == tries
    for name, outcome in outcomes.items():  # the program itself checks for empty cells only
        assert is_solution(reference_puzzle(name, shared_data), outcome.solution)
    # Another propagation gives other numbers, so equality means something.
    puzzle = reference_puzzle("archive/inst25x25_20_2.txt", shared_data)
    assert 10 * solve(puzzle, propagation="complete").steps < solve(puzzle).steps


def assert_equals_twin(puzzle, propagation="authors"):
    twin = naive_authors if propagation == "authors" else naive
    solution, tries = twin.backtrack(puzzle.order, puzzle.givens)
    outcome = solve(puzzle, propagation=propagation)
    values = None if outcome.solution is None else outcome.solution.tolist()
    assert (values, outcome.steps) == (solution, tries)
    assert outcome.status == (SOLVED if solution else EXHAUSTED)


@settings(max_examples=30)
@given(st.integers(2, 3), st.floats(0.0, 0.6), st.integers(0, 10**6))
def test_solutions_and_tries_equal_the_twin(order, fixed, seed):
    assert_equals_twin(random_puzzle(order, fixed, seed))
    assert_equals_twin(random_puzzle(order, max(fixed, 0.22), seed), "complete")


def test_proofs_equal_the_twin():
    puzzles = [random_partial_grid(3, 22, seed) for seed in range(100)]
    puzzles = [puzzle for puzzle in puzzles if solve(puzzle, max_steps=150).status == EXHAUSTED]
    for puzzle in puzzles:
        assert_equals_twin(puzzle)
    tries = sorted(solve(puzzle).steps for puzzle in puzzles)
    assert tries[0] == 0 and tries[-5] > 5


@pytest.mark.parametrize("stronger", ["acs_closure", "bs_closure"])
def test_the_stronger_form_differs_from_the_papers_only_in_propagation(stronger):
    puzzle = random_puzzle(4, 0.42, 5)

    def steps(solver, **params):
        return answer(solver, puzzle, max_steps=20_000, **params).steps

    stronger, papers = map(solvers.get, (stronger, stronger.removesuffix("_closure")))
    assert papers.Params().propagation == "authors"
    assert steps(stronger) == steps(papers, propagation="complete")
    assert steps(stronger, propagation="authors") == steps(papers)
    assert steps(stronger) != steps(papers)

"""The baselines: the SAT encoding against a naive twin, the engines against exact solvers."""

from itertools import combinations

import numpy as np
import pytest
from conftest import answer, random_puzzle
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.cdcl import Cdcl
from pysat.solvers import Solver

from antdoku.contract import dead_end_puzzle
from antdoku.kernels.closure import closure
from antdoku.outcome import EXHAUSTED, SOLVED
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle, is_solution, units
from antdoku.solvers import cdcl, cpsat, dlx


def naive_clauses(cells, values, order):
    """Yield clauses for one value per cell, and for one cell per value and unit: sets and loops."""
    variable = {pair: k for k, pair in enumerate(zip(cells.tolist(), values.tolist()), 1)}
    groups = [[pair for pair in variable if pair[0] == cell] for cell in range(order**4)]
    for unit in units(order).tolist():
        inside = [pair for pair in variable if pair[0] in unit]
        groups += [[pair for pair in inside if pair[1] == value] for value in range(order**2)]
    for group in filter(None, groups):
        yield frozenset(variable[pair] for pair in group)
        yield from (frozenset((-variable[a], -variable[b])) for a, b in combinations(group, 2))


@settings(max_examples=25)
@given(st.integers(2, 3), st.floats(0, 0.8), st.integers(0, 10**6))
def test_the_clauses_equal_the_naive_clauses(order, fixed, seed):
    cells, values = np.nonzero(closure(random_puzzle(order, fixed, seed))[0])
    clauses = cdcl.clauses(cells, values, order)
    assert set(map(frozenset, clauses)) == set(naive_clauses(cells, values, order))


@pytest.mark.parametrize("puzzle", [Puzzle(2, np.zeros(16, int)), *named.puzzles("sabuncu3")])
def test_the_models_of_the_clauses_are_the_solutions(puzzle):
    cells, values = np.nonzero(closure(puzzle)[0])
    formula = cdcl.clauses(cells, values, puzzle.order)
    with Solver(name="glucose42", bootstrap_with=formula) as engine:
        n_models = sum(1 for _ in engine.enum_models())
    assert (n_models, True) == dlx.count(puzzle, 1000)


@settings(max_examples=25)
@given(st.floats(0, 0.3), st.integers(0, 10**6))
def test_a_clause_that_is_learned_is_true_in_all_solutions(fixed, seed):
    cells, values = np.nonzero(closure(random_puzzle(2, fixed, seed))[0])
    search = Cdcl(list(cdcl.clauses(cells, values, 2)))
    conflict = search.propagate()
    for variable in (1 + np.random.default_rng(seed).permutation(len(cells))).tolist():
        if conflict is None and not {variable, -variable} & {*search.trail}:
            search.choose(variable)
            conflict = search.propagate()
    if conflict is None:
        assert sum(literal > 0 for literal in search.trail) == 16
        return
    learned = search.learn(conflict)
    assert all(-literal in search.trail for literal in learned)
    with Solver(name="glucose42", bootstrap_with=search.clauses) as engine:
        assert not engine.solve(assumptions=[-literal for literal in learned])


ENGINES = [(cdcl, {"engine": "glucose42"}), (cdcl, {"engine": "cadical195"}), (cpsat, {})]


@pytest.mark.parametrize("solver, params", ENGINES)
def test_a_hard_instance_is_solved_and_an_unsolvable_one_refuted(solver, params):
    puzzle = random_puzzle(5, 0.45, 3)
    outcome = answer(solver, puzzle, max_steps=10**6, **params)
    assert outcome.status == SOLVED and is_solution(puzzle, outcome.solution)
    assert answer(solver, dead_end_puzzle(), max_steps=10**6, **params).status == EXHAUSTED

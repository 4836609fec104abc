"""The contract: what holds for every solver in the folder, unasked."""

import pickle
import re
import sys
from pathlib import Path

import attrs
import numpy as np
import pytest
from conftest import random_puzzle
from hard_cases import dead_end
from naive import grid as naive
from numba.core.dispatcher import Dispatcher

from antdoku import budget, solvers
from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.outcome import EXHAUSTED, FAILURES, SOLVED, TIMEOUT
from antdoku.puzzle.grid import ORDERS, Puzzle, is_solution
from antdoku.runs import run

ALL = solvers.names()
EXACT = [name for name in ALL if solvers.get(name).KIND == "exact"]
EASY = {2: 0.4, 3: 0.5, 4: 0.6, 5: 0.7, **dict.fromkeys(range(6, 11), 0.75)}
# See docs/deviations.md: the GA hardly solves anything beyond order 5, and neither it nor the
# cuckoo search solves all hard puzzles.
FULLER_BEYOND_5 = {"ga": 0.99, "sa": 0.95}
MAY_GIVE_UP = {"ga", "ac3_cuckoo"}


def refuted(order):
    """A puzzle that propagation refutes: one cell is left for a value that its column has."""
    givens = np.zeros((order**2, order**2), int)
    givens[0, :-1], givens[-1, -1] = range(1, order**2), order**2
    return Puzzle(order, givens.ravel())


def steps_solve(solver, puzzle, seed, max_steps, slicing=Budget):
    budget = slicing(max_steps=max_steps)
    module = solvers.get(solver)
    return module.solve(puzzle, module.Params(), np.random.default_rng(seed), budget)


@pytest.mark.parametrize(
    ("solver", "order"), [(name, order) for name in ALL for order in solvers.orders(name)]
)
def test_solves_easy_puzzles_and_leaves_the_input_alone(solver, order):
    fixed = FULLER_BEYOND_5.get(solver, EASY[order]) if order > 5 else EASY[order]
    puzzle = random_puzzle(order, fixed, 17)
    givens = puzzle.givens.copy()
    done = run.run_once(puzzle, solver, solvers.make_params(solver, {}), seed=3, max_steps=10**8)
    assert (done.status, done.message) == (SOLVED, "")
    assert is_solution(puzzle, done.solution)
    np.testing.assert_array_equal(puzzle.givens, givens)


@pytest.mark.parametrize("solver", ALL)
def test_an_order_beyond_those_of_a_solver_is_refused_at_once(solver):
    known = solvers.orders(solver)
    assert known[0] == ORDERS[0] and known[-1] <= ORDERS[-1]
    for order in set(ORDERS) - set(known):
        puzzle, params = random_puzzle(order, 0.9, 1), solvers.make_params(solver, {})
        with pytest.raises(InputError) as error:
            run.run_once(puzzle, solver, params, 1, max_steps=1)
        assert str(error.value).startswith(
            f"solver {solver}: order {order}: must be from 2 to {known[-1]}; solvers of order"
        )
        assert str(error.value).endswith("are auto, cdcl, cp_sa, cpsat, dlx, sa, tabu_col")


class Single(Budget):
    """Slices of one step."""

    def spend(self, steps):
        super().spend(steps)
        self._next_slice = 1


class Uneven(Budget):
    """Slices of 3, 6, 12, ... steps that start afresh now and then."""

    def spend(self, steps):
        super().spend(steps)
        self._next_slice = 3 if self._next_slice > 40 else 2 * max(steps, 3)


@pytest.mark.parametrize("solver", ALL)
@pytest.mark.parametrize("order, fixed", [(3, 0.3), (4, 0.42), (5, 0.45)])
def test_same_seed_same_answer_and_steps_at_any_slicing(solver, order, fixed):
    puzzle = random_puzzle(order, fixed, 23)
    outcomes = [
        steps_solve(solver, puzzle, 9, 400, slicing) for slicing in (Budget, Single, Uneven)
    ]
    assert len({(outcome.status, outcome.steps) for outcome in outcomes}) == 1
    assert len({str(outcome.solution) for outcome in outcomes}) == 1


@pytest.mark.parametrize("solver", [name for name in ALL if name not in EXACT])
def test_another_seed_another_course(solver):
    blank = Puzzle(2, np.zeros(16, int))
    solutions = {str(steps_solve(solver, blank, seed, 10**7).solution) for seed in range(5)}
    assert len(solutions) > 1


class Clock:
    """A clock that goes on by the time that a slice aims at whenever somebody looks at it."""

    def __init__(self):
        self.now = 0.0

    def process_time(self):
        self.now += budget.SLICE_S
        return self.now


@pytest.mark.parametrize("solver", ALL)
def test_returns_soon_after_its_limit(solver, monkeypatch):
    # By this clock slices never grow, and a run that looks at it too seldom does not end.
    monkeypatch.setattr(budget, "time", Clock())
    limit = 30 * budget.SLICE_S
    done = run.run_once(
        random_puzzle(5, 0.42, 5), solver, solvers.make_params(solver, {}), 1, limit
    )
    assert done.cpu_s < limit + 10 * budget.SLICE_S
    assert done.status in (SOLVED, TIMEOUT) and (done.status == SOLVED or done.cpu_s >= limit)


@pytest.mark.parametrize("solver", ALL)
def test_never_exceeds_its_steps(solver):
    outcome = steps_solve(solver, random_puzzle(5, 0.42, 5), 1, 37)
    assert outcome.steps <= 37


@pytest.mark.parametrize("solver", ALL)
@pytest.mark.parametrize("make", [lambda: refuted(2), dead_end], ids=["at once", "by search"])
def test_a_puzzle_without_solution(solver, make):
    puzzle = make()
    outcome = steps_solve(solver, puzzle, 1, 100_000 if solver in EXACT else 1000)
    expected = EXHAUSTED if solver in EXACT else TIMEOUT
    assert (outcome.status, outcome.solution) == (expected, None)


@pytest.mark.parametrize("solver", ALL)
def test_a_complete_grid_takes_no_step(solver):
    puzzle = random_puzzle(3, 1.0, 2)
    outcome = steps_solve(solver, puzzle, 1, 5)
    assert outcome.status == SOLVED
    np.testing.assert_array_equal(outcome.solution, puzzle.givens)


def cases():
    """Rows of puzzles.txt: puzzle, number of solutions, solution."""
    lines = (Path(__file__).parents[1] / "puzzles.txt").read_text().splitlines()
    return [line.split(":") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("text, count, solution", cases())
def test_the_puzzle_file(text, count, solution):
    givens = [int(sign) if sign != "." else 0 for sign in text]
    order = round(len(givens) ** 0.25)
    if count == "error":
        with pytest.raises(InputError):
            Puzzle(order, givens)
        return
    puzzle = Puzzle(order, givens)
    for solver in ALL:
        patient = count != "0" and solver not in MAY_GIVE_UP
        # A step of annealing takes a thousandth of the time of one of ACS.
        outcome = steps_solve(solver, puzzle, 4, 10**9 if patient else 20_000)
        if count == "0" or (not patient and outcome.solution is None):
            assert outcome.solution is None
        else:
            assert is_solution(puzzle, outcome.solution), solver
            assert not solution or "".join(map(str, outcome.solution)) == solution
    assert solvers.get("dlx").count(puzzle, 100) == (int(count), True)


@pytest.mark.parametrize("solver", ALL)
def test_a_solver_file_says_what_it_must(solver):
    module = solvers.get(solver)
    assert module.TITLE and module.KIND in ("exact", "stochastic")
    for part in ("Reference", "Glossary", "step is"):
        assert part in module.__doc__, f"{solver}: the docstring lacks {part!r}"


@pytest.mark.parametrize("solver", ALL)
def test_params_refuse_nonsense_in_one_line(solver):
    Params = solvers.get(solver).Params
    for name in (parameter["name"] for parameter in solvers.parameters(solver)):
        for nonsense in (-1, "nonsense", None, [1], True, float("nan"), 10**30):
            for make in (Params, lambda **given: solvers.make_params(solver, given)):
                with pytest.raises(InputError, match=re.escape(name)) as error:
                    make(**{name: nonsense})
                assert "\n" not in str(error.value)
    with pytest.raises(InputError, match="unknown parameter 'no_such'"):
        solvers.make_params(solver, {"no_such": 1})


@pytest.mark.parametrize("solver", ALL)
def test_what_is_declared_about_a_parameter_is_what_is_allowed(solver):
    Params, declared = solvers.get(solver).Params, solvers.parameters(solver)
    assert [each["name"] for each in declared] == list(attrs.asdict(Params()))
    documented = " ".join(Params.__doc__.split())
    for each in declared:
        name, default = each["name"], each["default"]
        assert getattr(Params(), name) == default and type(default).__name__ == each["type"]
        assert f"{name} : {each['type']}, default {default} " in documented
        assert each["doc"] in documented
        for word, meaning in each.get("words", {}).items():
            assert f"``{word}``: {meaning}." in documented
            assert getattr(Params(**{name: word}), name) == word
        if "range" in each:
            for wrong in (each["range"][0] - 1, each["range"][1] + 1):
                with pytest.raises(InputError, match=f"parameter {name} = {wrong}: must be from "):
                    Params(**{name: wrong})


@pytest.mark.parametrize("solver", ALL)
def test_parameters_are_values(solver):
    Params = solvers.get(solver).Params
    assert Params() == Params() and len({Params(), Params()}) == 1
    assert pickle.loads(pickle.dumps(Params())) == Params()
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Params().m = 1


@pytest.mark.parametrize(
    ("solver", "given", "message"),
    [
        ("acs", {"m": 0}, "parameter m = 0: must be from 1 to 10000"),
        ("acs", {"m": 10.0}, "parameter m = 10.0: must be a whole number"),
        ("acs", {"m": True}, "parameter m = True: must be a whole number"),
        ("acs", {"q0": "x"}, "parameter q0 = 'x': must be a number"),
        ("acs", {"greedy_rule": 1}, "parameter greedy_rule = 1: must be a word"),
        ("acs", {"greedy_rule": "x"}, "parameter greedy_rule = 'x': must be arxiv or journal"),
        ("acs_restart", {"m": 0, "patience": 0}, "parameter m = 0: must be from 1 to 10000"),
        ("ga", {"population": 1}, "parameter population = 1: must be 0, or at least 2"),
        ("ga", {"guard": 1}, "parameter guard = 1: must be 0, or at least 2"),
        ("ga", {"elite": 14}, "parameter elite = 14: must be less than the population, 14"),
        ("sa", {"restart": "never"}, "parameter restart = 'never': must be random or reheat"),
    ],
)
def test_a_refusal_names_parameter_value_and_what_is_allowed(solver, given, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        solvers.get(solver).Params(**given)
    with pytest.raises(InputError, match=f"^solver {solver}: {re.escape(message)}$"):
        solvers.make_params(solver, given)


def test_an_unknown_solver_is_refused_with_a_proposal():
    with pytest.raises(
        InputError, match=r"unknown solver 'ac' \(did you mean acs\?\): known are .*\bils\b"
    ):
        solvers.get("ac")


def test_backtracking_visits_the_nodes_of_its_twin():
    for seed in range(30):
        puzzle = random_puzzle(3, 0.22 + 0.01 * (seed % 6), seed)
        solution, tries = naive.backtrack(3, puzzle.givens)
        outcome = steps_solve("bs", puzzle, 0, 10**6)
        assert (outcome.solution.tolist(), outcome.steps) == (solution, tries)


def kernels():
    """All kernels of the package that have been imported."""
    modules = [module for name, module in sys.modules.items() if name.startswith("antdoku.")]
    found = (value for module in modules for value in vars(module).values())
    return {value for value in found if isinstance(value, Dispatcher)}


def forget(kernel):
    """Leave a kernel as it is in a new process; there is no public way short of recompiling."""
    kernel._reset_overloads()


def compiled():
    """The types of arguments for which each kernel has been compiled, or loaded from the cache."""
    return {kernel: set(kernel.signatures) for kernel in kernels()}


@pytest.mark.parametrize("order", [3, 6])
@pytest.mark.parametrize(
    "solver, given", [*((name, {}) for name in ALL), ("acs", {"propagation": "authors", "q0": 1})]
)
def test_compilation_is_not_timed(solver, given, order):
    params = solvers.make_params(solver, given)
    puzzles = [random_puzzle(order, fixed, 1) for fixed in (0.45, 0.8, 1.0)]
    puzzles.append(refuted(order))
    for kernel in kernels():
        forget(kernel)
    run.warm_up.cache_clear()
    run.warm_up(solver, order, params)
    before = compiled()
    for puzzle in puzzles:
        assert run.run_once(puzzle, solver, params, 1, max_steps=3).status not in FAILURES
    assert compiled() == before and any(before.values())

"""The contract: rules that every solver in the folder must keep."""

import re
import sys
from itertools import product
from pathlib import Path

import attrs
import pytest
from conftest import random_puzzle
from numba.core.dispatcher import Dispatcher

from antdoku import contract, solvers
from antdoku.budget import Budget
from antdoku.contract import outcome_of
from antdoku.errors import InputError
from antdoku.kernels.closure import closure
from antdoku.outcome import FAILURES, SOLVED
from antdoku.puzzle import named
from antdoku.puzzle.grid import ORDERS, Puzzle, is_solution
from antdoku.runs import run
from antdoku.solvers import dlx

ALL = solvers.names()


def of(*cases):
    """Return each solver with the cases (an order first) whose order it accepts."""
    return [(name, *case) for name in ALL for case in cases if case[0] in solvers.get(name).ORDERS]


LARGE = 6  # from this order on easy puzzles take solvers seconds


def of_contract():
    """Return the cases of the contract for each solver."""
    for rule in contract.RULES:
        for name, order in of(*product(contract.RULES[rule].orders)):
            marks = [pytest.mark.thorough] * (rule == "easy_puzzles" and order >= LARGE)
            yield pytest.param(name, rule, order, marks=marks)


@pytest.mark.parametrize(("solver", "rule", "order"), [*of_contract()])
def test_the_contract(solver, rule, order):
    contract.RULES[rule].check(solver, order)


@pytest.mark.parametrize("solver", ALL)
def test_an_order_that_a_solver_does_not_accept_is_refused(solver):
    module = solvers.get(solver)
    accepted = module.ORDERS
    assert module.SOLVES and {*module.SOLVES} <= {*accepted} <= {*ORDERS}
    for order in set(ORDERS) - set(accepted):
        puzzle, params = random_puzzle(order, 0.9, 1), solvers.make_params(solver, {})
        with pytest.raises(InputError) as error:
            run.run_once(run.Call(puzzle, solver, params, 1, max_steps=1))
        suitable = ", ".join(name for name in ALL if order in solvers.get(name).ORDERS)
        span = f"must be from {accepted[0]} to {accepted[-1]}"
        allowed = f"{span}; solvers of order {order} are {suitable}"
        assert str(error.value) == f"solver {solver}: order {order}: {allowed}"


def test_propagation_does_not_refute_the_dead_end_puzzle():
    assert closure(contract.dead_end_puzzle())[1]


def test_an_unknown_solver_or_parameter_is_refused_with_the_known_names():
    with pytest.raises(
        InputError, match=r"unknown solver 'ac' \(did you mean acs\?\): known are .*\bils\b"
    ):
        solvers.get("ac")
    with pytest.raises(InputError, match="solver acs: unknown parameter 'no_such': known are m, "):
        solvers.make_params("acs", {"no_such": 1})


def cases():
    """Return the rows of puzzles.txt: order, givens, number of solutions, solution."""
    lines = (Path(__file__).parents[1] / "puzzles.txt").read_text().splitlines()
    rows = [line.split(":") for line in lines if not line.startswith("#")]
    puzzles = [[int(sign) for sign in text.replace(".", "0")] for text, *_ in rows]
    return [(round(len(p) ** 0.25), p, *answer) for p, (_, *answer) in zip(puzzles, rows)]


def test_the_counts_in_the_puzzle_file_are_right():
    for order, givens, count, _ in cases():
        if count == "error":
            with pytest.raises(InputError):
                Puzzle(order, givens)
        else:
            assert dlx.count(Puzzle(order, givens), 100) == (int(count), True)


@pytest.mark.parametrize(
    "solver, order, givens, count, solution", of(*(case for case in cases() if case[2] != "error"))
)
def test_solves_the_puzzle_file(solver, order, givens, count, solution):
    puzzle = Puzzle(order, givens)
    module = solvers.get(solver)
    is_promised = count != "0" and module.ALWAYS_ENDS and order in module.SOLVES
    # A step of annealing takes a thousandth of the time of a step of ACS.
    limits = contract.PATIENCE if is_promised else contract.IMPATIENCE
    outcome = outcome_of(solver, puzzle, 4, Budget(**limits))
    if outcome.solution is None:
        assert not is_promised, contract.DECLARE
    else:
        assert is_solution(puzzle, outcome.solution)
        assert not solution or "".join(map(str, outcome.solution)) == solution


CELLS = [{"iteration": "cell", "filtering": when} for when in ("each", "before", "none")]


@pytest.mark.parametrize("letter", "abc")
@pytest.mark.parametrize(
    ("solver", "values", "levels", "seeds", "max_steps"),
    [  # s10, s11 and s12 are the easy, medium and hard puzzles of Soto et al.
        ("ga", {}, ["s10"], (1,), 10**6),
        ("sa", {}, ["s10"], range(3), 50_000_000),
        ("cp_sa", {}, ["s10", "s12"], range(3), 50_000_000),
        ("ac3_tabu", {}, ["s11", "s12"], range(10), 50_000),
        *(("ac3_tabu", values, ["s11", "s12"], range(5), 150_000) for values in CELLS),
    ],
)
def test_solves_the_puzzles_of_its_paper_from_any_seed(
    solver, values, levels, seeds, max_steps, letter
):
    params = solvers.make_params(solver, values)
    for level, seed in product(levels, seeds):
        (puzzle,) = named.puzzles(f"mk_{level}{letter}")
        result = run.run_once(run.Call(puzzle, solver, params, seed, max_steps=max_steps))
        assert result.status == SOLVED


@pytest.mark.parametrize("solver", ALL)
def test_a_solver_file_has_a_title_and_the_parts_of_its_docstring(solver):
    module = solvers.get(solver)
    assert module.TITLE
    for part in ("Reference", "Glossary", "step is"):
        assert part in " ".join(module.__doc__.split()), f"{solver}: the docstring lacks {part!r}"


NEEDED = {"filtering": {"iteration": "cell"}}  # values that allow all words of a parameter
NONSENSE = (-1, "nonsense", None, [1], True, float("nan"), 10**30)


@pytest.mark.parametrize("solver", ALL)
def test_parameters_allow_exactly_the_declared_values(solver):
    Params, declared = solvers.get(solver).Params, solvers.parameters(solver)
    assert [param["name"] for param in declared] == list(attrs.asdict(Params()))
    for param in declared:
        name, default, wrong = param["name"], param["default"], [*NONSENSE]
        assert getattr(Params(), name) == default and type(default).__name__ == param["type"]
        for word in param.get("words", ()):
            assert getattr(Params(**NEEDED.get(name, {}) | {name: word}), name) == word
        if "range" in param:
            wrong += [param["range"][0] - 1, param["range"][1] + 1]
        for value in wrong:
            with pytest.raises(InputError, match=rf"^.*parameter {name} = .*: must be .*$"):
                solvers.make_params(solver, {name: value})


UNFILTERED = "parameter filtering = 'none': must be each, unless iteration is cell"


@pytest.mark.parametrize(
    ("solver", "values", "message"),
    [
        ("acs", {"m": 0}, "parameter m = 0: must be from 1 to 10000"),
        ("acs", {"m": 10.5}, "parameter m = 10.5: must be a whole number"),
        ("acs", {"q0": "x"}, "parameter q0 = 'x': must be a number"),
        ("acs", {"greedy_rule": "x"}, "parameter greedy_rule = 'x': must be arxiv or journal"),
        ("ga", {"population": 1}, "parameter population = 1: must be 0, or at least 2"),
        ("ga", {"elite": 14}, "parameter elite = 14: must be less than the population, 14"),
        ("ga", {"insertion": 0.8}, "parameter insertion = 0.8: must be at most 1 - three_swap"),
        ("ac3_tabu", {"filtering": "none"}, UNFILTERED),
        ("ac3_tabu", {"filtering": "none", "iteration": "construction"}, UNFILTERED),
    ],
)
def test_a_refusal_names_parameter_value_and_allowed_values(solver, values, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        solvers.get(solver).Params(**values)
    with pytest.raises(InputError, match=f"^solver {solver}: {re.escape(message)}$"):
        solvers.make_params(solver, values)


def kernels():
    """Return all kernels in the imported modules of the package."""
    modules = [module for name, module in sys.modules.items() if name.startswith("antdoku.")]
    objects = (value for module in modules for value in vars(module).values())
    return {value for value in objects if isinstance(value, Dispatcher)}


def compiled():
    """Return the argument types for which each kernel is compiled, or loaded from the cache."""
    return {kernel: set(kernel.signatures) for kernel in kernels()}


@pytest.mark.parametrize(
    "solver, order, values",
    [
        *of((3, {})),
        *(pytest.param(*case, marks=pytest.mark.thorough) for case in of((LARGE, {}))),
        ("acs", 3, {"q0": 1}),
        ("acs", LARGE, {"q0": 1}),
    ],
)
def test_compilation_is_not_timed(solver, order, values):
    params = solvers.make_params(solver, values)
    puzzles = [random_puzzle(order, fixed, 1) for fixed in (0.45, 0.8, 1.0)]
    puzzles.append(contract.refuted_puzzle(order))
    for kernel in kernels():  # as in a new process; Numba has no public way to do this
        kernel._reset_overloads()
    run.warm_up.cache_clear()
    run.warm_up(solver, order, params)
    before = compiled()
    for puzzle in puzzles:
        assert run.run_once(run.Call(puzzle, solver, params, 1, max_steps=3)).status not in FAILURES
    assert compiled() == before
    assert any(before.values()) or solver != "acs"  # a solver may have no kernels

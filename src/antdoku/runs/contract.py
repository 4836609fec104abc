"""The contract of all solvers, ours or not: ``antdoku check-solver`` and the tests check it.

What a solver does not promise it declares (`antdoku.solvers`: ``ORDERS``, ``SOLVES``, ``COMPLETE``,
``KIND``), and is then asked for true answers only.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import TimeoutError
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
from pebble import ProcessExpired, ProcessPool

from antdoku import solvers
from antdoku.budget import Budget
from antdoku.instances import random
from antdoku.outcome import EXHAUSTED, FAILURES, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.forms import read_integers
from antdoku.puzzle.grid import ORDERS, Puzzle
from antdoku.runs import run

EASY = {2: 0.4, 3: 0.5, 4: 0.6, 5: 0.7, **dict.fromkeys(range(6, 11), 0.95)}  # fixed fractions
PATIENCE_S = 60  # CPU seconds to wait for what is promised
IMPATIENCE = {"cpu_s": 1, "max_steps": 20_000}  # and for what is not
LATE_S = 1.0  # that a solver may need to come to its end
ENDLESS_S = 300  # after which a check is given up
MAY_DECLARE = "or declare less: SOLVES, COMPLETE"
# The puzzle platinumblond, which has one solution, with a wrong value in its first cell.
DEAD_END = "3......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."


class Check(NamedTuple):
    """A question to a solver at some orders; `ask` raises an `AssertionError` with the remedy."""

    ask: Callable[[str, int], None]
    orders: tuple[int, ...]
    promise: str  # the question in a few words


CHECKS: dict[str, Check] = {}


def _at(*orders):
    def register(ask):
        CHECKS[ask.__name__] = Check(ask, orders, ask.__doc__.rstrip("."))
        return ask

    return register


@_at(*ORDERS)
def easy(solver: str, order: int) -> None:
    """solves easy puzzles, and leaves its input alone."""
    puzzle, promised = easy_puzzle(order), order in solvers.solves(solver)
    givens = puzzle.givens.copy()
    limits = {"cpu_s": PATIENCE_S, "max_steps": 10**8} if promised else IMPATIENCE
    done = run.run_once(puzzle, solver, solvers.make_params(solver, {}), seed=3, **limits)
    assert done.status not in FAILURES, done.message
    assert done.status == SOLVED or not promised, f"{done.status}: solve it, {MAY_DECLARE}"
    assert done.status in (SOLVED, TIMEOUT), f"{done.status}: but there is a solution"
    assert (puzzle.givens == givens).all(), "puzzle.givens has changed: copy it"


@_at(3, 4, 5)
def slicing(solver: str, order: int) -> None:
    """gives the same answer and steps for a seed, however its run is sliced."""
    puzzle = random_puzzle(order, {3: 0.3, 4: 0.42, 5: 0.45}[order], 23)
    outcomes = [ask(solver, puzzle, 9, 400, budget) for budget in (Budget, Single, Uneven)]
    found = {(each.status, each.steps, str(each.solution)) for each in outcomes}
    assert len(found) == 1, (
        "rng is the only source of chance, spend() tells the steps that are done"
    )


@_at(2)
def another_seed(solver: str, order: int) -> None:
    """takes another course for another seed."""
    if solvers.get(solver).KIND == "exact" or order not in solvers.solves(solver):
        return
    blank = Puzzle(order, np.zeros(order**4, int))
    found = {str(ask(solver, blank, seed, 10**7).solution) for seed in range(5)}
    assert len(found) > 1, "five seeds, one answer: draw from rng"


@_at(2, 3, 4, 5)
def ends(solver: str, order: int) -> None:
    """ends at its limits, of steps as of seconds."""
    puzzle = random_puzzle(order, 0.42, 5)
    steps = ask(solver, puzzle, 1, 37).steps
    assert steps <= 37, f"{steps} steps of 37: do no more than budget.slices() allows"
    budget = Budget(0.2)
    module = solvers.get(solver)
    module.solve(puzzle, module.Params(), np.random.default_rng(1), budget)
    assert budget.cpu_s < 0.2 + LATE_S, f"{budget.cpu_s:.1f} s of 0.2: spend() each slice"


@_at(2, 3)
def refuted(solver: str, order: int) -> None:
    """knows what it claims of a puzzle that has no solution."""
    _ask_without_solution(solver, refuted_puzzle(order), {"max_steps": 1000}, True)


@_at(3)
def dead_end(solver: str, order: int) -> None:
    """knows what it claims where only a search finds that there is no solution."""
    promised = order in solvers.solves(solver) and solvers.get(solver).KIND == "exact"
    promised = promised and solvers.is_complete(solver)
    limits = {"cpu_s": PATIENCE_S, "max_steps": 10**7} if promised else IMPATIENCE
    _ask_without_solution(solver, dead_end_puzzle(), limits, promised)


def _ask_without_solution(solver, puzzle, limits, promised):
    exact, proves = solvers.get(solver).KIND == "exact", promised and solvers.is_complete(solver)
    allowed = (TIMEOUT,) if not exact else (EXHAUSTED,) if proves else (TIMEOUT, EXHAUSTED)
    outcome = ask(solver, puzzle, 1, **limits)
    assert outcome.solution is None, "there is no solution, but a grid came"
    assert outcome.status in allowed, (
        f"{outcome.status}: must be {' or '.join(allowed)}, {MAY_DECLARE}"
    )


@_at(3)
def complete(solver: str, order: int) -> None:
    """takes no step for a complete grid."""
    outcome = ask(solver, random_puzzle(order, 1.0, 2), 1, 5)
    promised = order in solvers.solves(solver)
    assert outcome.status == SOLVED or not promised, f"{outcome.status}: return the grid at once"


def ask(solver, puzzle, seed, max_steps, slicing=Budget, cpu_s=None) -> Outcome:
    """Return the answer of a solver with its default parameters."""
    module = solvers.get(solver)
    budget, rng = slicing(cpu_s, max_steps), np.random.default_rng(seed)
    return run.answer_of(module.solve(puzzle, module.Params(), rng, budget))


class Uneven(Budget):
    """A budget of slices of 3, 6, 12, ... steps that start afresh now and then."""

    def spend(self, steps):
        """Report steps."""
        super().spend(steps)
        self._next_slice = 3 if self._next_slice > 40 else 2 * max(steps, 3)


class Single(Budget):
    """A budget of slices of one step."""

    def spend(self, steps):
        """Report steps."""
        super().spend(steps)
        self._next_slice = 1


def random_puzzle(order: int, fixed: float, seed: int) -> Puzzle:
    """Make a puzzle of the root solution: without a search."""
    row = next(random.generate(order, fixed, 1, seed, base="root"))
    return read_integers(row["puzzle"], row["instance_id"])


def easy_puzzle(order: int) -> Puzzle:
    """Make a puzzle that every solver should solve at this order."""
    return random_puzzle(order, EASY[order], 17)


def refuted_puzzle(order: int) -> Puzzle:
    """Make a puzzle that propagation refutes: one cell is left for a value that its column has."""
    givens = np.zeros((order**2, order**2), int)
    givens[0, :-1], givens[-1, -1] = range(1, order**2), order**2
    return Puzzle(order, givens.ravel())


def dead_end_puzzle() -> Puzzle:
    """Make a puzzle without solution that propagation alone does not refute."""
    return Puzzle(3, [int(sign) for sign in DEAD_END.replace(".", "0")])


def cases(solver: str, most: int = ORDERS[-1]) -> Iterator[tuple[str, int]]:
    """Yield the name of each check, with each order up to `most` that the solver takes."""
    for name, check in CHECKS.items():
        for order in check.orders:
            if order in solvers.orders(solver) and order <= most:
                yield name, order


def broken(solver: str, most: int = ORDERS[-1]) -> dict[str, list[str]]:
    """Return what a solver does wrong, by the name of the check, a line for each order."""
    found: dict[str, list[str]] = {}
    for name, order in cases(solver, most):
        if complaint := _complaint(solver, name, order):
            found.setdefault(name, []).append(f"{order**2}x{order**2}: {complaint}")
    return found


def _complaint(solver, name, order):
    """Ask in a process of its own; return what is wrong, None if all is well."""
    with ProcessPool(1, context=get_context("fork")) as pool:
        try:
            return pool.schedule(_ask, args=[solver, name, order], timeout=ENDLESS_S).result()
        except TimeoutError:
            return f"no end within {ENDLESS_S} s: ask budget.slices()"
        except ProcessExpired:
            return "the process died"


def _ask(solver, name, order):
    try:
        CHECKS[name].ask(solver, order)
    except AssertionError as error:
        return str(error)
    except Exception as error:
        return run.message_of_solver(error, solver)

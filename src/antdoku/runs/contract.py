"""The contract of all solvers, ours or not: ``antdoku check-solver`` and the tests check it.

What a solver does not promise it declares (`antdoku.solvers`: ``ORDERS``, ``SOLVES``,
``ALWAYS_ENDS``, ``KIND``), and is then asked for true answers only.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import TimeoutError
from itertools import product
from math import inf
from signal import SIGXCPU
from typing import NamedTuple

import numpy as np
from pebble import ProcessExpired

from antdoku import solvers
from antdoku.budget import Budget
from antdoku.instances import random
from antdoku.outcome import ERROR, EXHAUSTED, FAILURES, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.forms import read_integers
from antdoku.puzzle.grid import ORDERS, Puzzle
from antdoku.runs import run
from antdoku.runs.pool import COMPILING_S, cause, processes
from antdoku.runs.programs import WithPrograms

EASY = {2: 0.4, 3: 0.5, 4: 0.6, 5: 0.7, **dict.fromkeys(range(6, 11), 0.95)}  # fixed fractions
PATIENCE = {"cpu_s": 60, "max_steps": 10**9}  # limits for what is promised
IMPATIENCE = {"cpu_s": 1, "max_steps": 20_000}  # and for what is not
CACHED, CACHED_S = 3, 0.0001  # times as long, and CPU seconds more, is more than chance
MANY_STEPS = 20_000  # that a run may take to be compared with itself in slices of one step
SLICES = (1, 2**62, 7, 1)  # steps of a slice: step by step, all at once, in between, and again
OK, UNDECIDED, BROKEN = "ok", "undecided", "BROKEN"
LATE_S = 1.0  # that a solver may need to come to its end
ENDLESS_S = 300  # wall seconds after which a check is given up
ALONE = "; nothing more is asked"  # ends what is said of a solver that fails
NO_END = f"it does not end: loop over budget.slices(), and spend() what each has done{ALONE}"
SEEDS = (9, 10, 11)
FEW_STEPS = 150  # that runs are compared after, whether they solve or not
MAY_DECLARE = "or declare less: SOLVES, ALWAYS_ENDS"
FALSE = f"{EXHAUSTED}: but there is a solution"
# The puzzle platinumblond, which has one solution, with a wrong value in its first cell.
DEAD_END = "3......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."


class Check(NamedTuple):
    """A question to a solver at some orders.

    `ask` raises an `AssertionError` with the remedy; it returns why it has decided nothing, if so.
    """

    ask: Callable[[str, int], str | None]
    orders: tuple[int, ...]
    promise: str  # the question in a few words
    within_s: float  # wall seconds after which it is given up, beside those of compiling


CHECKS: dict[str, Check] = {}


def _at(*orders, within_s=ENDLESS_S):
    def register(ask):
        CHECKS[ask.__name__] = Check(ask, orders, ask.__doc__.rstrip("."), within_s)
        return ask

    return register


@_at(2, 3, 4, 5, within_s=10)
def ends(solver: str, order: int) -> str | None:
    """ends at its limits, of steps as of seconds."""
    puzzle = random_puzzle(order, 0.42, 5)
    outcome = ask(solver, puzzle, 1, 37)
    steps = outcome.steps
    assert steps <= 37, f"{steps} steps of 37: do no more than budget.slices() allows"
    budget = WithPrograms(0.2)
    answer(solver, puzzle, 1, budget)
    assert budget.used() < 0.2 + LATE_S, f"{budget.cpu_s:.1f} s of 0.2: spend() each slice"
    return None if outcome.status == TIMEOUT else "it ended before"


@_at(*ORDERS)
def easy(solver: str, order: int) -> str | None:
    """solves easy puzzles, and leaves its input alone."""
    puzzle, promised = easy_puzzle(order), order in solvers.solves(solver)
    givens = puzzle.givens.copy()
    limits = PATIENCE if promised else IMPATIENCE
    done = run.run_once(puzzle, solver, solvers.make_params(solver, {}), seed=3, **limits)
    assert done.status not in FAILURES, done.message + ALONE * (done.status == ERROR)
    assert done.status != EXHAUSTED, FALSE
    assert done.status == SOLVED or not promised, f"{done.status}: solve it, {MAY_DECLARE}"
    assert (puzzle.givens == givens).all(), "puzzle.givens has changed: copy it"
    return None if done.status == SOLVED else "not solved, as SOLVES says"


@_at(2, 3, 4, 5)
def slicing(solver: str, order: int) -> str | None:
    """gives the same answer and steps for a seed, however its run is sliced."""
    hard = random_puzzle(order, {2: 0.2, 3: 0.3, 4: 0.42, 5: 0.45}[order], 23)
    for seed in SEEDS:
        _same_when_sliced(solver, hard, seed, FEW_STEPS)
    for puzzle, seed in product([hard, easy_puzzle(order)], SEEDS):
        budget = Budget(1, MANY_STEPS)
        outcome = answer(solver, puzzle, seed, budget)
        assert outcome.steps >= budget.steps, (
            f"{outcome.steps} steps, but spend() heard of {budget.steps}: count those of all slices"
        )
        if outcome.status == SOLVED and max(outcome.steps, budget.steps) > 1:
            _same_when_sliced(solver, puzzle, seed, outcome.steps + 1, budget.steps)
            return None
    return "no puzzle took it some steps and was solved"


def _same_when_sliced(solver, puzzle, seed, max_steps, heard=0):
    """Compare runs; `heard` are the steps that `spend` has heard of in a run before."""
    budgets = [Sliced(max_steps, size) for size in SLICES]
    outcomes = [answer(solver, puzzle, seed, budget) for budget in budgets]
    found = {(each.status, each.steps, str(each.solution)) for each in outcomes}
    assert len(found) == 1, (
        "rng is the only source of chance and begins once, not with each slice; "
        "spend() tells the steps that are done"
    )
    first, *_, last = budgets
    done = max(first.steps, min(heard, outcomes[0].steps - 1))
    assert last.steps >= done, "asked again it does less: keep nothing between two calls"


@_at(3, 4)
def memory(solver: str, order: int) -> str | None:
    """takes as long again for a puzzle that it was asked before."""
    _cpu_s(solver, order, 0)  # with what is compiled or made once
    pairs = [(_cpu_s(solver, order, seed), _cpu_s(solver, order, seed)) for seed in range(1, 6)]
    is_less = [first_s > CACHED * again_s + CACHED_S for first_s, again_s in pairs]
    assert sum(is_less) < 3, "asked again it takes less time: keep nothing between two calls"
    return None if max(pairs)[0] > CACHED_S else "its runs are too short to tell"


def _cpu_s(solver, order, seed):
    puzzle, budget = random_puzzle(order, EASY[order], seed), Budget(1, MANY_STEPS)
    answer(solver, puzzle, seed, budget)
    return budget.used()


@_at(2, 3)
def another_seed(solver: str, order: int) -> str | None:
    """takes another course for another seed."""
    if solvers.get(solver).KIND == "exact":
        return "an exact solver need not"
    if order not in solvers.solves(solver):
        return "not solved"
    blank = Puzzle(order, np.zeros(order**4, int))
    found = [ask(solver, blank, seed, **IMPATIENCE).solution for seed in range(5)]
    grids = [str(grid) for grid in found if grid is not None]
    assert len(grids) < 2 or len({*grids}) > 1, f"{len(grids)} seeds, one answer: draw from rng"
    return f"it solved {len(grids)} of 5" if len(grids) < 2 else None


@_at(2, 3)
def refuted(solver: str, order: int) -> None:
    """knows what it claims of a puzzle that has no solution."""
    _ask_without_solution(solver, refuted_puzzle(order), solvers.always_ends(solver))


@_at(3)
def dead_end(solver: str, order: int) -> None:
    """knows what it claims where only a search finds that there is no solution."""
    promised = order in solvers.solves(solver) and solvers.always_ends(solver)
    _ask_without_solution(solver, dead_end_puzzle(), promised)


def _ask_without_solution(solver, puzzle, promised):
    exact = solvers.get(solver).KIND == "exact"
    proves = exact and promised
    outcome = ask(solver, puzzle, 1, **(PATIENCE if proves else IMPATIENCE))
    allowed = (EXHAUSTED,) if proves else (TIMEOUT, EXHAUSTED) if exact else (TIMEOUT,)
    assert outcome.solution is None, "there is no solution, but a grid came"
    assert exact or outcome.status != EXHAUSTED, run.NO_PROOF
    assert outcome.status in allowed, (
        f"{outcome.status}: must be {' or '.join(allowed)}, {MAY_DECLARE}"
    )


@_at(3)
def complete(solver: str, order: int) -> None:
    """takes no step for a complete grid."""
    outcome = ask(solver, random_puzzle(order, 1.0, 2), 1, 5)
    promised = order in solvers.solves(solver)
    assert outcome.status != EXHAUSTED, FALSE
    assert outcome.status == SOLVED or not promised, f"{outcome.status}: return the grid at once"


def ask(solver, puzzle, seed, max_steps, cpu_s=None) -> Outcome:
    """Return the answer of a solver with its default parameters."""
    return answer(solver, puzzle, seed, Budget(cpu_s, max_steps))


def answer(solver, puzzle, seed, budget) -> Outcome:
    """Return the answer of a solver with its default parameters within a budget."""
    module, rng = solvers.get(solver), np.random.default_rng(seed)
    return run.checked_outcome(module.solve(puzzle, module.Params(), rng, budget))


class Sliced(Budget):
    """A budget of slices of `size` steps."""

    def __init__(self, max_steps: int, size: int):
        super().__init__(max_steps=max_steps)
        self._next_slice = self.size = size

    def spend(self, steps):
        """Report steps."""
        super().spend(steps)
        self._next_slice = self.size


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


def verdicts(
    solver: str, most: int = ORDERS[-1], tell: Callable[[str], object] = str
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the promise of each check, its verdict, and lines that say why, for the orders.

    Before a check `tell` is called with its promise. The verdict is `UNDECIDED` if it has decided
    nothing at any order. A promise that is broken at one order is not asked for at others; a solver
    that fails, or does not end, is asked nothing more.
    """
    for name, check in CHECKS.items():
        tell(check.promise)
        found: dict[str, tuple[str, str]] = {}
        for order in (order for each, order in cases(solver, most) if each == name):
            found[f"{order**2}x{order**2}"] = said = _answer(solver, name, order)
            if said[0] == BROKEN:
                break
        told = {each for each, _ in found.values()}
        verdict = next((each for each in (BROKEN, OK) if each in told), UNDECIDED)
        why = [f"{size}: {line}" for size, (each, line) in found.items() if each == verdict]
        yield check.promise, verdict, why * (verdict != OK) or ["no order"] * (not found)
        if any(line.endswith(ALONE) for line in why):
            return


def _answer(solver, name, order):
    """Ask in a process of its own; return the verdict and why."""
    within_s = CHECKS[name].within_s + COMPILING_S * run.has_kernels(solver)
    with processes(1, inf) as pool:  # the wall time of a check is another matter
        try:
            return pool.schedule(_ask, args=[solver, name, order], timeout=within_s).result()
        except TimeoutError:
            return BROKEN, NO_END
        except ProcessExpired as death:
            ended = f"its process ended: {cause(death.exitcode)}{ALONE}"
            return BROKEN, NO_END if death.exitcode == -SIGXCPU else ended


def _ask(solver, name, order):
    try:
        why = CHECKS[name].ask(solver, order)
    except AssertionError as error:
        return BROKEN, str(error)
    except (Exception, SystemExit) as error:
        return BROKEN, run.message_of_solver(error, solver) + ALONE
    return (UNDECIDED, why) if why else (OK, "")

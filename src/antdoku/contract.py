"""The contract: rules that every solver keeps, the package's and the user's.

``antdoku check-solver`` and the tests check them. A solver may promise less by its declarations
(`antdoku.solvers`: ``ORDERS``, ``SOLVES``, ``ALWAYS_ENDS``, ``KIND``). The rules then only ask that
its answers are true.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import product
from typing import NamedTuple

import numpy as np

from antdoku import solvers
from antdoku.budget import Budget
from antdoku.instances import random
from antdoku.outcome import ERROR, EXHAUSTED, FAILURES, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import ORDERS, Puzzle
from antdoku.puzzle.writing import read_integers
from antdoku.registry import Registry
from antdoku.runs import run
from antdoku.runs.pool import WARM_UP_S
from antdoku.runs.worker import BudgetWithPrograms, Ended, Overrun, Worker

OK, UNDECIDED, BROKEN = "ok", "undecided", "BROKEN"
EASY = {2: 0.4, 3: 0.5, 4: 0.6, 5: 0.7, **dict.fromkeys(range(6, 11), 0.95)}  # fixed fractions
HARD = {2: 0.2, 3: 0.3, 4: 0.42, 5: 0.45}
PATIENCE = {"cpu_s": 60, "max_steps": 10**9}  # limits of runs that must succeed
IMPATIENCE = {"cpu_s": 1, "max_steps": 20_000}  # limits of other runs
RULE_S = 300  # CPU seconds after which a rule is given up
LATE_S = 1.0  # CPU seconds that a run may take beyond its limit
SEEDS = (9, 10, 11)
FEW_STEPS = 150  # after which runs are compared, solved or not
MANY_STEPS = 20_000  # of a run that is compared with runs in slices of one step
SLICES = (1, 2**62, 7, 1)  # steps of a slice: one, all, a few, and one again
REST = "; the other rules were not checked"
NO_END = f"it does not end: loop over budget.slices(), and spend() the steps of each slice{REST}"
DECLARE = "or declare less: SOLVES, ALWAYS_ENDS"
FALSE_PROOF = f"{EXHAUSTED}: but there is a solution"
KEEPS = "keep nothing between two runs"
# The puzzle platinumblond, which has one solution, with a wrong value in its first cell.
DEAD_END = "3......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."


class Broken(Exception):
    """A solver breaks a rule; the message says how, and often what to do.

    If `is_final`, the other rules are not checked.
    """

    def __init__(self, message: str, is_final: bool = False):
        super().__init__(message + REST * is_final)
        self.is_final = is_final


class Rule(NamedTuple):
    """A rule, and the orders at which it is checked.

    `check` takes a solver and an order. It raises `Broken`, or returns None if the solver keeps the
    rule, or the reason why it decides nothing.
    """

    name: str
    check: Callable[[str, int], str | None]
    promise: str  # in a few words; the subject is the solver
    orders: tuple[int, ...]
    cpu_s: float = RULE_S  # limit of a check


class Verdict(NamedTuple):
    """The verdict of a rule at one order: `OK`, `UNDECIDED` or `BROKEN`, with its reason."""

    word: str
    reason: str = ""
    is_final: bool = False


RULES = Registry("rule", Rule)


def require(condition: bool, message: str, is_final: bool = False) -> None:
    """Raise `Broken` unless a condition holds. Unlike ``assert`` it works under ``python -O``."""
    if not condition:
        raise Broken(message, is_final)


# --- Rules ---------------------------------------------------------------------------------------


@RULES("limits", "stops at its limits of steps and of time", (2, 3, 4, 5), cpu_s=10)
def limits(solver: str, order: int) -> str | None:
    """Check short limits on a hard puzzle."""
    puzzle = random_puzzle(order, 0.42, 5)
    outcome = outcome_of(solver, puzzle, 1, Budget(max_steps=37))
    steps = outcome.steps
    require(steps <= 37, f"{steps} steps of 37: do no more than budget.slices() allows")
    budget = BudgetWithPrograms(0.2)
    outcome_of(solver, puzzle, 1, budget)
    used_s = budget.used()
    require(used_s < 0.2 + LATE_S, f"{used_s:.1f} s of 0.2: spend() the steps of each slice")
    return None if outcome.status == TIMEOUT else "it ended before"


@RULES("easy_puzzles", "solves easy puzzles, and does not change its input", (*ORDERS,))
def easy_puzzles(solver: str, order: int) -> str | None:
    """Check the answer to an easy puzzle."""
    puzzle, is_promised = easy_puzzle(order), order in solvers.get(solver).SOLVES
    givens = puzzle.givens.copy()
    limits = PATIENCE if is_promised else IMPATIENCE
    params = solvers.make_params(solver, {})
    result = run.run_once(run.Call(puzzle, solver, params, seed=3, **limits))
    status = result.status
    require(status not in FAILURES, result.message, is_final=status == ERROR)
    require(status != EXHAUSTED, FALSE_PROOF)
    require(status == SOLVED or not is_promised, f"{status}: solve it, {DECLARE}")
    require((puzzle.givens == givens).all(), "puzzle.givens has changed: copy it")
    return None if status == SOLVED else "not solved, as SOLVES says"


@RULES(
    "slices", "gives the same answer and steps for a seed, however its run is sliced", (2, 3, 4, 5)
)
def slices(solver: str, order: int) -> str | None:
    """Compare runs in slices of several sizes."""
    hard = random_puzzle(order, HARD[order], 23)
    for seed in SEEDS:
        _compare_slices(solver, hard, seed, FEW_STEPS)
    for puzzle, seed in product([hard, easy_puzzle(order)], SEEDS):
        budget = Budget(1, MANY_STEPS)
        outcome = outcome_of(solver, puzzle, seed, budget)
        steps = f"{outcome.steps} steps, but spend() heard of {budget.steps}"
        require(outcome.steps >= budget.steps, f"{steps}: return the steps of all slices")
        if outcome.status == SOLVED and max(outcome.steps, budget.steps) > 1:
            _compare_slices(solver, puzzle, seed, outcome.steps + 1, budget.steps)
            return None
    return "it solved no puzzle in more than one step"


def _compare_slices(solver, puzzle, seed, max_steps, reported=0):
    """Compare runs in slices; `reported` are the steps that an earlier run has spent."""
    budgets = [Sliced(max_steps, size) for size in SLICES]
    outcomes = [outcome_of(solver, puzzle, seed, budget) for budget in budgets]
    answers = {(outcome.status, outcome.steps, str(outcome.solution)) for outcome in outcomes}
    require(
        len(answers) == 1,
        "rng is the only source of chance and begins once, not with each slice; "
        "spend() counts the steps that are done",
    )
    first, *_, last = budgets
    least = max(first.steps, min(reported, outcomes[0].steps - 1))
    require(last.steps >= least, f"it does fewer steps when it solves a puzzle again: {KEEPS}")


@RULES("seeds", "searches differently with another seed", (2, 3))
def seeds(solver: str, order: int) -> str | None:
    """Compare solutions of a blank grid."""
    module = solvers.get(solver)
    if module.KIND == "exact":
        return "an exact solver need not"
    if order not in module.SOLVES:
        return "not solved"
    blank = Puzzle(order, np.zeros(order**4, int))
    outcomes = [outcome_of(solver, blank, seed, Budget(**IMPATIENCE)) for seed in range(5)]
    grids = [str(outcome.solution) for outcome in outcomes if outcome.solution is not None]
    n_grids = len(grids)
    require(n_grids < 2 or len({*grids}) > 1, f"{n_grids} seeds, one answer: draw from rng")
    return f"it solved {n_grids} of 5" if n_grids < 2 else None


@RULES(
    "refutation", "makes no false claim where propagation shows that there is no solution", (2, 3)
)
def refutation(solver: str, order: int) -> None:
    """Check the answer to a puzzle without solution."""
    _check_no_solution(solver, refuted_puzzle(order), solvers.get(solver).ALWAYS_ENDS)


@RULES("dead_end", "makes no false claim where only a search shows that there is no solution", (3,))
def dead_end(solver: str, order: int) -> None:
    """Check the answer to a puzzle without solution."""
    module = solvers.get(solver)
    is_promised = order in module.SOLVES and module.ALWAYS_ENDS
    _check_no_solution(solver, dead_end_puzzle(), is_promised)


def _check_no_solution(solver, puzzle, is_promised):
    is_exact = solvers.get(solver).KIND == "exact"
    is_proof_promised = is_exact and is_promised
    budget = Budget(**(PATIENCE if is_proof_promised else IMPATIENCE))
    outcome = outcome_of(solver, puzzle, 1, budget)
    require(outcome.solution is None, "there is no solution, but it returned a grid")
    require(is_exact or outcome.status != EXHAUSTED, run.NO_PROOF)
    allowed = [TIMEOUT] * (not is_proof_promised) + [EXHAUSTED] * is_exact
    message = f"{outcome.status}: must be {' or '.join(allowed)}, {DECLARE}"
    require(outcome.status in allowed, message)


@RULES("complete_grid", "takes no step for a complete grid", (3,))
def complete_grid(solver: str, order: int) -> None:
    """Check the answer to a grid without open cells."""
    outcome = outcome_of(solver, random_puzzle(order, 1.0, 2), 1, Budget(max_steps=5))
    is_promised = order in solvers.get(solver).SOLVES
    require(outcome.status != EXHAUSTED, FALSE_PROOF)
    message = f"{outcome.status}: return the grid at once"
    require(outcome.status == SOLVED or not is_promised, message)


# --- Runs and puzzles ----------------------------------------------------------------------------


def outcome_of(solver: str, puzzle: Puzzle, seed: int, budget: Budget) -> Outcome:
    """Run a solver with its default parameters, and return its outcome."""
    module, rng = solvers.get(solver), np.random.default_rng(seed)
    return run.checked_outcome(module.solve(puzzle, module.Params(), rng, budget), budget.steps)


class Sliced(Budget):
    """A budget whose slices have `size` steps."""

    def __init__(self, max_steps: int, size: int):
        super().__init__(max_steps=max_steps)
        self._next_slice = self._size = size

    def spend(self, steps: int) -> None:
        """Count steps."""
        super().spend(steps)
        self._next_slice = self._size


def random_puzzle(order: int, fixed: float, seed: int) -> Puzzle:
    """Return a puzzle of the root solution, which is made without a search."""
    row = next(random.generate(random.Recipe(order, fixed, 1, seed, base="root")))
    return read_integers(row["puzzle"], row["instance_id"])


def easy_puzzle(order: int) -> Puzzle:
    """Return a puzzle that every solver should solve."""
    return random_puzzle(order, EASY[order], 17)


def refuted_puzzle(order: int) -> Puzzle:
    """Return a puzzle that propagation refutes: the first row lacks a value of its last column."""
    givens = np.zeros((order**2, order**2), int)
    givens[0, :-1], givens[-1, -1] = range(1, order**2), order**2
    return Puzzle(order, givens.ravel())


def dead_end_puzzle() -> Puzzle:
    """Return a puzzle without solution that propagation does not refute."""
    return Puzzle(3, [int(sign) for sign in DEAD_END.replace(".", "0")])


# --- Verdicts ------------------------------------------------------------------------------------


def _orders(solver, name, largest_order):
    accepted = solvers.get(solver).ORDERS
    return [order for order in RULES[name].orders if order in accepted and order <= largest_order]


def verdicts(
    solver: str, largest_order: int = ORDERS[-1], tell: Callable[[str], object] = str
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the promise of each rule, its verdict, and a line for each order that says why.

    `tell` is called with the promise before a rule is checked. The verdict is `UNDECIDED` if the
    rule decides nothing at any order. A rule that is broken at one order is not checked at others.
    Nothing more is checked if the solver fails, or does not end.
    """
    for name, rule in RULES.items():
        tell(rule.promise)
        by_order = _verdicts_by_order(solver, name, largest_order)
        words = {verdict.word for verdict in by_order.values()}
        word = next((word for word in (BROKEN, OK) if word in words), UNDECIDED)
        lines = [
            f"{order**2}x{order**2}: {verdict.reason}"
            for order, verdict in by_order.items()
            if verdict.word == word and word != OK
        ]
        yield rule.promise, word, lines if by_order else ["no order"]
        if any(verdict.is_final for verdict in by_order.values()):
            return


def _verdicts_by_order(solver, name, largest_order):
    """Return the verdicts of a rule by order, up to the first order at which it is broken."""
    by_order = {}
    for order in _orders(solver, name, largest_order):
        by_order[order] = _judge(solver, name, order)
        if by_order[order].word == BROKEN:
            break
    return by_order


def _judge(solver, name, order):
    """Return the verdict of a rule at an order; the solver runs in another process."""
    with closing(Worker()) as worker:
        worker.begin(RULES[name].cpu_s, WARM_UP_S, _check, solver, name, order)
        try:
            return worker.result()
        except Overrun:
            return Verdict(BROKEN, NO_END, is_final=True)
        except Ended as end:
            return Verdict(BROKEN, f"{end}{REST}", is_final=True)


def _check(solver, name, order, start_clock):
    """Return the verdict of a rule at an order."""
    try:
        run.warm_up(solver, order, solvers.get(solver).Params())
        start_clock()
        reason = RULES[name].check(solver, order)
    except Broken as broken:
        return Verdict(BROKEN, str(broken), broken.is_final)
    except (Exception, SystemExit) as error:
        return Verdict(BROKEN, run.message_of_solver(error, solver) + REST, is_final=True)
    return Verdict(UNDECIDED, reason) if reason else Verdict(OK)

"""One run: compile, time, verify, classify. Puzzle and solver in, row out.

The judge sits here: no solver scores its own answer.
"""

import dataclasses
import hashlib
import json
import sys
import time
from functools import cache
from importlib.metadata import version
from numbers import Integral

import attrs
import numpy as np
from numba.core.dispatcher import Dispatcher

from antdoku import __version__, solvers
from antdoku.budget import Budget
from antdoku.files import code as code_of_file
from antdoku.files import sources
from antdoku.kernels.closure import closure
from antdoku.kernels.randomness import below, uniform
from antdoku.outcome import ERROR, EXHAUSTED, FAILURES, INVALID, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle, flaw, is_solution, root_grid

SHORT_S = 0.005  # CPU seconds below which a run is repeated, if it is to be timed
TIMED_S = 0.015  # CPU seconds that are enough for all of them
NO_PROOF = 'exhausted: only KIND = "exact" may claim this: return TIMEOUT'


@dataclasses.dataclass(frozen=True)
class Run:
    """Result of one run; its seconds include the solver's own set-up, but no compilation."""

    status: str  # one of `outcome.STATUSES`
    solution: np.ndarray | None = None  # verified: int16, shape (c,)
    steps: int = 0  # in the solver's unit of work
    cpu_s: float = 0.0  # all seconds are medians, if the run was repeated to be timed
    wall_s: float = 0.0
    setup_s: float = 0.0  # CPU seconds before the first step
    message: str = ""  # what went wrong, for the statuses `invalid` and `error`
    n_timed: int = 1  # how often it was done to be timed
    spread_s: float = 0.0  # distance of the quartiles of these CPU seconds
    trace: tuple = ()  # pairs of steps and the least cost so far (`Budget.note`)


def run_once(
    puzzle: Puzzle,
    solver: str,
    params,
    seed: int,
    cpu_s: float | None = None,
    max_steps: int | None = None,
    budgets: type[Budget] = Budget,
) -> Run:
    """Run `solver` once on `puzzle`, up to a limit in CPU seconds or steps, and judge its claim.

    A run that only steps limit is reproducible to the bit. Raises `InputError` if the solver takes
    no puzzles of that order.
    """
    warm_up(solver, puzzle.order, params)
    module, failure = solvers.get(solver), ""
    rng = np.random.default_rng(seed)
    budget = budgets(cpu_s, max_steps)
    wall = time.perf_counter()
    try:
        outcome = answer_of(module.solve(puzzle, params, rng, budget))
    except (Exception, SystemExit) as error:  # what a solver does wrong costs its own run only
        outcome, failure = Outcome(ERROR, None, budget.steps), message_of_solver(error, solver)
    wall = time.perf_counter() - wall
    used = budget.used()
    setup_s = min(used, budget.setup_s)  # all of it where there was no slice
    is_late = used > budget.cpu_limit or outcome.steps > budget.step_limit
    status, message = (ERROR, failure) if failure else _judge(puzzle, outcome, is_late, module.KIND)
    solution = outcome.solution if status == SOLVED else None
    measured = outcome.steps, used, wall, setup_s, message
    return Run(status, solution, *measured, trace=tuple(budget.trace))


def answer_of(outcome) -> Outcome:
    """Return the outcome of `solve` with a flat grid, whatever shape it came in."""
    if not isinstance(outcome, Outcome):
        found = type(outcome).__name__
        raise TypeError(f"solve returned {found}: must be an Outcome(status, solution, steps)")
    if not isinstance(outcome.steps, Integral) or outcome.steps < 0:
        raise TypeError(f"steps = {outcome.steps!r}: must be a whole number, 0 or more")
    grid = None if outcome.solution is None else np.asarray(outcome.solution).ravel()
    if outcome.status == SOLVED and grid is not None and grid.size and grid.dtype.kind not in "iu":
        raise TypeError(f"a solution of {grid.dtype}: must be whole numbers, such as .astype(int)")
    return dataclasses.replace(outcome, solution=grid, steps=int(outcome.steps))


def message_of_solver(error: BaseException, solver: str) -> str:
    """Return an exception that a solver raised in one line, with the place in its file."""
    return solvers.message_of(error, solvers.file_of(solvers.get(solver)))


def run_timed(timings: int, *call) -> Run:
    """Run as `run_once`, with a time that means something: a short run is repeated with its seed.

    The first of several runs also pays for what others have left in the caches of the processor,
    and a clock of microseconds sees every interruption. So a run of less than `SHORT_S` is done
    until its timings take `TIMED_S` together, `timings` times at most, and the median counts.
    """
    first = run_once(*call)
    runs, is_short = [first], first.cpu_s < SHORT_S and first.status not in FAILURES
    while is_short and len(runs) < timings and sum(run.cpu_s for run in runs) < TIMED_S:
        runs.append(run_once(*call))
    if len(runs) == 1:
        return first
    times = np.array([(run.cpu_s, run.wall_s, run.setup_s) for run in runs])
    cpu_s, wall_s, setup_s = np.median(times, axis=0).tolist()
    low, high = np.quantile(times[:, 0], (0.25, 0.75))
    measured = {"cpu_s": cpu_s, "wall_s": wall_s, "setup_s": setup_s, "spread_s": float(high - low)}
    return dataclasses.replace(first, n_timed=len(runs), **measured)


@cache
def warm_up(solver: str, order: int, params) -> None:
    """Compile, or load from the cache, all that a run of `solver` on puzzles of `order` needs.

    A grid that lacks two values leaves something to search, and to no solver much to build; one
    that lacks nothing needs what the other may not come to within two steps.
    """
    solvers.check_takes(solver, order)
    if not has_kernels(solver):
        return
    for part in getattr(solvers.get(solver), "parts", lambda order: ())(order):
        if order in solvers.orders(part):
            warm_up(part, order, solvers.get(part).Params())
    complete = root_grid(order)
    if solver not in solvers.shipped() and not _own_kernels(solver)[0]:
        closure(Puzzle(order, complete))
        return
    for givens in (np.where(complete > 2, complete, 0), complete):
        rng, budget = np.random.default_rng(0), Budget(max_steps=2)
        solvers.get(solver).solve(Puzzle(order, givens), params, rng, budget)


def has_kernels(solver: str) -> bool:
    """Tell whether a solver has anything to compile, which costs it no time of a run."""
    return solver in solvers.shipped() or any(_own_kernels(solver))


def _own_kernels(solver):
    """Return whether an own solver or what it imports has kernels, and whether it has `closure`."""
    module = solvers.get(solver)
    known = [*(getattr(module.solve, "__globals__", {}) | vars(module)).values()]
    has_closure = any(value is closure for value in known)
    files, _ = solvers.code_of(solver)
    imported = {*map(str, sources(*files))} - {*map(str, sources("solver"))}
    for each in [*sys.modules.values()]:
        known += vars(each).values() if getattr(each, "__file__", None) in imported else ()
    # Whatever calls those of `antdoku.solver` inside of a kernel is a kernel itself.
    kernels = {value for value in known if isinstance(value, Dispatcher)} - {below, uniform}
    return bool(kernels), has_closure


def source_hash(solver: str) -> str:
    """Hash the code that decides what `solver` computes, and the versions of its libraries.

    These are NumPy, Numba and the libraries that the solver names (`LIBRARIES`). Comments,
    docstrings and layout do not count.
    """
    module = solvers.get(solver)
    libraries = ("numpy", "numba", *getattr(module, "LIBRARIES", ()))
    versions = " ".join(f"{name} {version(name)}" for name in libraries).encode()
    files, code = solvers.code_of(solver)
    contents = b"".join(code_of_file(file) for file in sources("runs.run", *files))
    return hashlib.sha256(versions + code + contents).hexdigest()[:12]


def describe(solver: str, params) -> dict:
    """Return the columns of a run that name its solver: solver, label, kind, params, versions."""
    module, given = solvers.get(solver), attrs.asdict(params)
    defaults = attrs.asdict(module.Params())
    settings = [f"{name}={value}" for name, value in given.items() if value != defaults[name]]
    return {
        "solver": solvers.short_name(solver),
        "label": ", ".join([module.TITLE, *settings]),
        "kind": module.KIND,
        "params": json.dumps(given, sort_keys=True),
        "version": __version__,
        "source_hash": source_hash(solver),
    }


def _judge(puzzle, outcome, is_late, kind):
    """Return the status of a claim of a solver of some kind; why, if it is false or late."""
    if outcome.status not in (SOLVED, EXHAUSTED, TIMEOUT):
        return INVALID, f"unknown status {outcome.status!r}"
    if outcome.status == SOLVED and not is_solution(puzzle, outcome.solution):
        why = "no grid" if outcome.solution is None else flaw(puzzle, outcome.solution)
        return INVALID, f"claimed a solution that is none: {why}"
    if outcome.status == EXHAUSTED and kind != "exact":
        return INVALID, NO_PROOF
    if is_late and outcome.status != TIMEOUT:
        return TIMEOUT, "its answer came after the limit"
    return outcome.status, ""

"""One run: compile, time, verify, classify. Puzzle and solver in, `Result` out.

The judge is here: no solver scores its own answer.
"""

import dataclasses
import hashlib
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from functools import cache
from importlib.metadata import version
from numbers import Integral
from pathlib import Path
from typing import NamedTuple

import attrs
import numpy as np
from numba.core.dispatcher import Dispatcher

from antdoku import __version__, solvers
from antdoku.answers import Result
from antdoku.budget import Budget
from antdoku.errors import InputError, message_with_place
from antdoku.files import code as code_of_file
from antdoku.files import sources
from antdoku.kernels.closure import closure
from antdoku.kernels.randomness import below, uniform
from antdoku.outcome import ERROR, EXHAUSTED, FAILURES, INVALID, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import Puzzle, flaw, is_solution, root_grid

SHORT_S = 0.005  # CPU seconds below which a run is repeated, if it is to be timed
TIMED_S = 0.015  # CPU seconds that are enough for all of them
WAITED_S = 0.5  # wall seconds that are enough: a solver may wait for a service
MOST_STEPS = 2**62  # of a run: a table holds them
NO_SOLUTION = "claimed that there is no solution"
NO_PROOF = 'exhausted: only KIND = "exact" may claim this: return TIMEOUT'


class Call(NamedTuple):
    """A run to do: a puzzle, a solver with its parameters, a seed, and limits."""

    puzzle: Puzzle
    solver: str
    params: object
    seed: int
    cpu_s: float | None = None
    max_steps: int | None = None
    timings: int = 1  # how often a short run is done at most, to time it
    is_solvable: bool = False  # whether the puzzle is known to have a solution


def run_once(call: Call, budgets: type[Budget] = Budget) -> Result:
    """Run a solver once on a puzzle, up to its limits, and judge its claim.

    Without a limit in seconds the result is reproducible to the bit. Raises `InputError` if the
    solver takes no puzzles of that order.
    """
    warm_up(call.solver, call.puzzle.order, call.params)
    module, rng = solvers.get(call.solver), np.random.default_rng(call.seed)
    puzzle = copy(call.puzzle)  # a solver may change its attributes
    budget = budgets(call.cpu_s, call.max_steps)
    limits = budget.cpu_limit, budget.step_limit  # a solver may set them
    begin = time.perf_counter()
    failure = None
    try:
        claim = module.solve(puzzle, call.params, rng, budget)
        outcome = checked_outcome(claim, budget.steps)
    except (Exception, SystemExit) as error:  # a failure of the solver costs this run only
        failure = message_of_solver(error, call.solver)
        steps = budget.steps if 0 <= budget.steps <= MOST_STEPS else 0  # which it may have set
        outcome = Outcome(ERROR, None, int(steps))
    wall_s = time.perf_counter() - begin
    used_s = budget.used()
    is_late = used_s > limits[0] or outcome.steps > limits[1]
    judged = _judge(call, outcome, is_late, module.KIND)
    status, message = (ERROR, failure) if failure else judged
    measured = {
        "steps": outcome.steps,
        "cpu_s": used_s,
        "wall_s": wall_s,
        "setup_s": min(used_s, budget.setup_s),  # all of it, if there was no slice
        "message": message,
        "trace": tuple(budget.trace),
    }
    return result_of(call, status, outcome.solution if status == SOLVED else None, **measured)


def result_of(call: Call, status: str, solution=None, **measured) -> Result:
    """Return the result of a run, given its flat grid (None if it is not solved)."""
    if solution is not None:
        solution = solution.astype(np.int16).reshape(call.puzzle.grid.shape)
    name, values = solvers.short_name(call.solver), attrs.asdict(call.params)
    title = solvers.get(call.solver).TITLE
    return Result(call.puzzle, name, values, call.seed, status, solution, title=title, **measured)


def checked_outcome(outcome, steps: int) -> Outcome:
    """Return an outcome of `solve` with a flat grid; raise `TypeError` for any other value.

    A solver may return its solution alone, an array: `steps` are the ones that it has spent.
    """
    if isinstance(outcome, np.ndarray):
        outcome = Outcome(SOLVED, outcome, steps)
    if not isinstance(outcome, Outcome):
        kind = type(outcome).__name__
        allowed = "an Outcome(status, solution, steps) of antdoku.solver, or the solved grid"
        raise TypeError(f"solve returned {kind}: must be {allowed}, an array")
    if not isinstance(outcome.steps, Integral) or not 0 <= outcome.steps <= MOST_STEPS:
        raise TypeError(f"steps = {outcome.steps!r}: must be a whole number from 0 to 2**62")
    solution = outcome.solution
    if isinstance(solution, np.ma.MaskedArray):  # a masked cell is blank
        solution = solution.filled(0)
    grid = None if solution is None else np.asarray(solution).ravel()
    if outcome.status == SOLVED and grid is not None and grid.size and grid.dtype.kind not in "iu":
        raise TypeError(f"a solution of {grid.dtype}: must be whole numbers, such as .astype(int)")
    return dataclasses.replace(outcome, solution=grid, steps=int(outcome.steps))


def message_of_solver(error: BaseException, solver: str) -> str:
    """Return an exception that a solver raised in one line, with the place in its file."""
    return message_with_place(error, solvers.file_of(solvers.get(solver)))


def run_timed(
    call: Call, budgets: type[Budget] = Budget, start_clock: Callable[[], None] | None = None
) -> Result:
    """Run as `run_once`, and repeat a short run with its seed; the median time counts.

    A short run is repeated until all take `TIMED_S`, or `WAITED_S`, together, or as often as the
    call says.
    ``start_clock()`` is called when everything that the run needs is compiled.
    """
    try:
        warm_up(call.solver, call.puzzle.order, call.params)
        if start_clock:
            start_clock()
        return _timed(call, budgets)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        return result_of(call, ERROR, message=message_of_solver(error, call.solver))


def _timed(call, budgets):
    """Return the first of equal runs, with their median times.

    The caches of the processor slow the first of them down, and interruptions any short one.
    """
    runs = [run_once(call, budgets)]
    is_short = runs[0].cpu_s < SHORT_S and runs[0].status not in FAILURES
    while is_short and len(runs) < call.timings and not _are_enough(runs):
        runs.append(run_once(call, budgets))
    if len(runs) == 1:
        return runs[0]
    times = np.array([(run.cpu_s, run.wall_s, run.setup_s) for run in runs])
    cpu_s, wall_s, setup_s = np.median(times, axis=0).tolist()
    low, high = np.quantile(times[:, 0], (0.25, 0.75))
    measured = {"cpu_s": cpu_s, "wall_s": wall_s, "setup_s": setup_s, "spread_s": float(high - low)}
    return dataclasses.replace(runs[0], n_timed=len(runs), **measured)


def _are_enough(runs):
    """Whether runs have computed, or have waited, long enough to be timed."""
    computed_s, waited_s = (sum(getattr(run, name) for run in runs) for name in ("cpu_s", "wall_s"))
    return computed_s >= TIMED_S or waited_s >= WAITED_S


@cache
def warm_up(solver: str, order: int, params) -> None:
    """Compile, or load from the cache, all kernels of `solver` for puzzles of `order`.

    The first grid lacks two values: there is something to search, and a model is small. The second
    is complete, so kernels are compiled that the first may not reach within two steps.
    """
    solvers.check_takes(solver, order)
    module, complete = solvers.get(solver), root_grid(order)
    if solver not in solvers.shipped():
        has_kernels, has_closure = kernels_of(solver)
        if has_closure:
            closure(Puzzle(order, complete))
        if not has_kernels:
            return
    for part in solvers.of_package(solver, "parts", lambda order: ())(order):
        part_module = solvers.get(part)
        if order in part_module.ORDERS:
            warm_up(part, order, part_module.Params())
    # A user's solver that fails here fails in its run, too, or does not take these puzzles.
    ignored = () if solver in solvers.shipped() else (Exception, SystemExit)
    for givens in (np.where(complete > 2, complete, 0), complete):
        rng, budget = np.random.default_rng(0), Budget(max_steps=2)
        with suppress(*ignored):
            module.solve(Puzzle(order, givens), params, rng, budget)


def kernels_of(solver: str) -> tuple[bool, bool]:
    """Return whether a user's solver or its imports have kernels, and whether it uses `closure`."""
    module = solvers.get(solver)
    values = [*solvers.globals_of(module.solve).values(), *vars(module).values()]
    has_closure = any(value is closure for value in values)
    file = solvers.file_of(module)
    files = [Path(file)] if file and Path(file).exists() else []
    imported = {*map(str, _sources_of(files))} - {*map(str, sources("solver"))}
    for loaded in [*sys.modules.values(), *solvers.helpers(solver).values()]:
        if getattr(loaded, "__file__", None) in imported:
            values += vars(loaded).values()
    # `below` and `uniform` of `antdoku.solver` are called by kernels of the solver's own.
    kernels = {value for value in values if isinstance(value, Dispatcher)} - {below, uniform}
    return bool(kernels), has_closure


def _sources_of(files):
    """Return the files of a solver and of its imports; none if it was edited, and has a mistake."""
    with suppress(SyntaxError):
        return sources(*files)
    return []


def source_hash(solver: str) -> str:
    """Hash the code that decides what `solver` computes, and the versions of its libraries.

    These are NumPy, Numba and the `LIBRARIES` of the solver. Comments, docstrings and layout do not
    count.
    """
    libraries = ("numpy", "numba", *solvers.of_package(solver, "LIBRARIES", ()))
    versions = " ".join(f"{name} {version(name)}" for name in libraries).encode()
    files, code = solvers.code_of(solver)
    contents = b"".join(code_of_file(file) for file in sources("runs.run", *files))
    return hashlib.sha256(versions + code + contents).hexdigest()[:12]


def columns_of_solver(solver: str, params) -> dict:
    """Return the columns of a run about its solver: name, label, kind, params, versions."""
    return {
        "solver": solvers.short_name(solver),
        "label": label_of_run(solver, params),
        "kind": solvers.get(solver).KIND,
        "params": text_of_params(attrs.asdict(params)),
        "version": __version__,
        "source_hash": source_hash(solver),
    }


def label_of_run(solver: str, params) -> str:
    """Return the label of a run: the title of its solver, with the settings that it changes."""
    module = solvers.get(solver)
    values, defaults = attrs.asdict(params), attrs.asdict(module.Params())
    settings = [f"{name}={value}" for name, value in values.items() if value != defaults[name]]
    return ", ".join([module.TITLE, *settings])


def text_of_params(values: dict) -> str:
    """Return parameters by name as a text in JSON, as tables hold them."""
    return json.dumps(values, sort_keys=True)


def _judge(call, outcome, is_late, kind):
    """Return the status of a solver's claim, and the reason if the claim is false or late."""
    if outcome.status not in (SOLVED, EXHAUSTED, TIMEOUT):
        return INVALID, f"unknown status {outcome.status!r}"
    if outcome.status == SOLVED and not is_solution(call.puzzle, outcome.solution):
        reason = "no grid" if outcome.solution is None else flaw(call.puzzle, outcome.solution)
        return INVALID, f"claimed a solution that is none: {reason}"
    if outcome.status == EXHAUSTED and kind != "exact":
        return INVALID, NO_PROOF
    if outcome.status == EXHAUSTED and call.is_solvable:
        return INVALID, f"{NO_SOLUTION}, but one is known"
    if is_late and outcome.status != TIMEOUT:
        return TIMEOUT, "its answer came after the limit"
    return outcome.status, ""

"""One run: compile, time, verify, classify. Puzzle and solver in, row out.

The judge sits here: no solver scores its own answer.
"""

import dataclasses
import hashlib
import json
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path

import attrs
import numpy as np

from antdoku import __version__, solvers
from antdoku.budget import Budget
from antdoku.outcome import ERROR, EXHAUSTED, FAILURES, INVALID, SOLVED, TIMEOUT
from antdoku.puzzle.grid import Puzzle, is_solution, root_grid
from antdoku.sources import sources

SHORT_S = 0.005  # CPU seconds below which a run is repeated, if it is to be timed
TIMINGS = 10  # of it at most
TIMED_S = 0.015  # CPU seconds that are enough for all of them


@dataclasses.dataclass(frozen=True)
class Run:
    """Result of one run.

    Parameters
    ----------
    status : str
        One of `outcome.STATUSES`.
    solution : ndarray of int16, shape (c,), or None
        The verified solution.
    steps : int
        In the solver's unit of work.
    cpu_s, wall_s : float
        Seconds, building of the solver's own structures included, compilation excluded.
    setup_s : float
        CPU seconds before the first step.
    message : str
        What went wrong, for the statuses `invalid` and `error`.
    n_timed : int
        How often it was done to be timed; the seconds are medians.
    spread_s : float
        Distance of the quartiles of these CPU seconds.
    """

    status: str
    solution: np.ndarray | None = None
    steps: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    setup_s: float = 0.0
    message: str = ""
    n_timed: int = 1
    spread_s: float = 0.0


def run_once(
    puzzle: Puzzle,
    solver: str,
    params,
    seed: int,
    cpu_s: float | None = None,
    max_steps: int | None = None,
) -> Run:
    """Run `solver` once on `puzzle` and judge what it claims.

    Parameters
    ----------
    params : Params
        As `solvers.make_params` returns them.
    seed : int
        Seeds the generator of the run.
    cpu_s : float, optional
        Limit in CPU seconds.
    max_steps : int, optional
        Limit in steps; a run that only steps limit is reproducible to the bit.

    Raises
    ------
    InputError
        If the solver takes no puzzles of that order.
    """
    warm_up(solver, puzzle.order, params)
    rng = np.random.default_rng(seed)
    wall = time.perf_counter()
    budget = Budget(cpu_s, max_steps)
    try:
        outcome = solvers.get(solver).solve(puzzle, params, rng, budget)
    except Exception as error:  # whatever a solver does wrong costs its own run only
        message = f"{type(error).__name__}: {error}".splitlines()[0]
        elapsed = time.perf_counter() - wall
        return Run(ERROR, None, budget.steps, budget.cpu_s, elapsed, budget.setup_s, message)
    used, wall = budget.cpu_s, time.perf_counter() - wall
    setup_s = min(used, budget.setup_s)  # all of it where there was no slice
    status, message = _judge(puzzle, outcome, used, cpu_s, solvers.get(solver).KIND)
    solution = outcome.solution if status == SOLVED else None
    return Run(status, solution, outcome.steps, used, wall, setup_s, message)


def run_timed(*call) -> Run:
    """As `run_once`, with a time that means something: a short run is repeated with its seed.

    The first of several runs also pays for what others have left in the caches of the processor,
    and a clock of microseconds sees every interruption. So a run of less than `SHORT_S` is done
    until its timings take `TIMED_S` together, `TIMINGS` times at most, and the median counts.
    """
    first = run_once(*call)
    runs = [first]
    while len(runs) < TIMINGS and first.cpu_s < SHORT_S and first.status not in FAILURES:
        if sum(run.cpu_s for run in runs) >= TIMED_S:
            break
        runs.append(run_once(*call))
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

    Raises
    ------
    InputError
        If the solver takes no puzzles of that order.
    """
    solvers.check_order(solver, order)
    for part in getattr(solvers.get(solver), "PARTS", ()):
        if order in solvers.orders(part):
            warm_up(part, order, solvers.get(part).Params())
    complete = root_grid(order)
    for givens in (np.where(complete > 2, complete, 0), complete):
        rng, budget = np.random.default_rng(0), Budget(max_steps=2)
        solvers.get(solver).solve(Puzzle(order, givens), params, rng, budget)


@cache
def source_hash(solver: str) -> str:
    """Hash of the source files that decide what `solver` computes, and of the libraries.

    These are NumPy, Numba and those that the solver names (`LIBRARIES`).
    """
    libraries = ("numpy", "numba", *getattr(solvers.get(solver), "LIBRARIES", ()))
    digest = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in libraries).encode())
    for file in sources("runs.run", f"solvers.{solver}"):
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()[:12]


def describe(solver: str, params) -> dict:
    """Columns of the runs table that name the solver: solver, label, kind, params, versions."""
    module = solvers.get(solver)
    return {
        "solver": solver,
        "label": module.TITLE,
        "kind": module.KIND,
        "params": json.dumps(attrs.asdict(params), sort_keys=True),
        "version": __version__,
        "source_hash": source_hash(solver),
    }


def _judge(puzzle, outcome, used, limit, kind):
    """Status of a claim of a solver of some kind, and a message if it is false."""
    late = limit is not None and used > limit
    if outcome.status == SOLVED:
        if not is_solution(puzzle, outcome.solution):
            return INVALID, "claimed a solution that is none"
        return (TIMEOUT if late else SOLVED), ""
    if outcome.status == EXHAUSTED:
        if kind != "exact":
            return INVALID, "claimed a proof, which no stochastic solver has"
        return (TIMEOUT if late else EXHAUSTED), ""
    if outcome.status == TIMEOUT:
        return TIMEOUT, ""
    return INVALID, f"unknown status {outcome.status!r}"

"""Runs one after the other, or in processes of their own.

The solvers of the package keep their limits (a contract test), so they run in the calling process.
A solver of one's own, or one that calls a library, runs in a process that is ended, with all that
it has started, when it overruns its limit; whatever else happens to it costs its run only.
"""

import os
import resource
import signal
import sys
from collections.abc import Hashable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, TimeoutError, wait
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import attrs
import psutil
from pebble import ProcessExpired, ProcessPool

from antdoku.answers import Result
from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.outcome import ERROR, EXHAUSTED, INVALID, SOLVED, TIMEOUT
from antdoku.puzzle.grid import Puzzle
from antdoku.runs import programs
from antdoku.runs.run import has_kernels, message_of_solver, result_of, run_timed
from antdoku.solvers import get, make_params, shipped

WALL = 2  # seconds without computing, for a CPU second of the limit, before a process is ended
GRACE_S = 1.0  # seconds beside, of both
COMPILING_S = 60.0  # seconds beside, for a solver that may have to compile kernels
STARVED = 10  # times as many, where others may keep a process from computing
MEMORY_MB = 2000  # that a process may allocate
DOUBT_S = 1.0  # CPU seconds to look for a solution where an own solver claims that there is none


class Call(NamedTuple):
    """Arguments of `run.run_once`, and how often a short run is timed: `run.run_timed`."""

    puzzle: Puzzle
    solver: str
    params: object
    seed: int
    cpu_s: float | None = None
    max_steps: int | None = None
    timings: int = 1


def run_all(
    calls: Iterable[tuple[Hashable, Call]], n_processes: int = 1, memory_mb: int = MEMORY_MB
) -> Iterator[tuple[Hashable, Result]]:
    """Do runs and yield key and result of each as soon as it is known.

    With several processes all runs are done in these. A run whose process is ended beyond its limit
    is a `timeout` with the limit as its CPU time, and its steps are not known (0). One whose
    process dies is an `error`. A solver that cannot be used is an `InputError`.
    """
    waiting: dict[Future, tuple[Hashable, Call]] = {}
    most = 1 if n_processes == 1 else 2 * n_processes  # as many wait as work: no process does
    with processes(n_processes, WALL, memory_mb) as pool:
        for key, call in calls:
            may_overrun = call.solver not in shipped() or getattr(get(call.solver), "LIBRARIES", ())
            if n_processes == 1 and not may_overrun:
                yield key, do(call)
                continue
            there = call._replace(params=attrs.asdict(call.params))  # a class may not be pickled
            future = pool.schedule(_do_there, args=[there], timeout=_wall_limit(call))
            waiting[future] = key, call
            while len(waiting) >= most:
                yield from _ended(waiting)
        while waiting:
            yield from _ended(waiting)


def do(call: Call, budgets: type[Budget] = Budget) -> Result:
    """Do a run in this process."""
    *arguments, timings = call
    try:
        return run_timed(timings, *arguments, budgets)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        return result_of(*call[:4], ERROR, message=message_of_solver(error, call.solver))


@contextmanager
def processes(n_processes: int, wall: float, memory_mb: int = MEMORY_MB) -> Iterator[ProcessPool]:
    """Yield a pool of processes, which begin with its first task and end with the context.

    One ends by itself when its run sleeps `wall` seconds for each CPU second of its limit.
    """
    begin = {"initializer": _begin, "initargs": [memory_mb, wall]}
    pool = ProcessPool(n_processes, **begin, context=programs.Groups())
    try:
        yield pool
    finally:
        pool.stop()
        pool.join()


def _ended(waiting):
    """Wait for a run to end; take those that have from the waiting, and yield their results."""
    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
        key, call = waiting.pop(future)
        try:
            yield key, _doubted(call, future.result())
        except TimeoutError:
            yield key, _ended_run(call, _wall_limit(call), "of wall time")
        except ProcessExpired as death:
            programs.end_group(death.pid)
            yield key, _dead_run(call, death.exitcode)


def _dead_run(call, status):
    """Return the run of a process that ended: by the signals of `programs.watch`, or otherwise."""
    if status == -signal.SIGPROF:
        within = f"{programs.WARM_UP_S:g} s of CPU time, or twice that asleep"
        text = f"two steps, to compile it before its first run, did not end within {within}"
        return result_of(
            *call[:4],
            ERROR,
            message=f"{text}: loop over budget.slices(), and spend() what each did",
        )
    if status == -signal.SIGXCPU and call.cpu_s:
        return _ended_run(call, call.cpu_s + GRACE_S, "of CPU time")
    if status == -signal.SIGALRM and call.cpu_s:
        return _ended_run(call, WALL * call.cpu_s + GRACE_S, "without computing")
    return result_of(*call[:4], ERROR, message=f"its process ended: {cause(status)}")


def _doubted(call, run):
    """Return a run, invalid if it claims that there is no solution and we find one soon.

    The proofs of the solvers of the package are tested.
    """
    if run.status != EXHAUSTED or call.solver in shipped():
        return run
    found = do(Call(call.puzzle, "auto", make_params("auto", {}), 0, DOUBT_S))
    message = "claimed that there is no solution, but there is one"
    return replace(run, status=INVALID, message=message) if found.status == SOLVED else run


def _ended_run(call, after_s, how):
    message = f"ended after {after_s:g} s {how}"
    return result_of(*call[:4], TIMEOUT, cpu_s=call.cpu_s, wall_s=after_s, message=message)


def _wall_limit(call):
    """Return the wall seconds after which a process is ended that does not end itself.

    A kernel may hold Python's lock, so that the watching thread does not run. A timer of CPU time
    would end it sooner, but Linux then tells CPU time by ticks of 4 ms.
    """
    if call.cpu_s is None:
        return None
    return STARVED * (WALL * call.cpu_s + GRACE_S) + COMPILING_S * has_kernels(call.solver)


def _do_there(call):
    try:
        params = make_params(call.solver, call.params)
        return do(call._replace(params=params), programs.WithPrograms)
    finally:
        programs.rest()


def _begin(memory_mb, wall):
    programs.watch(GRACE_S, wall)
    os.dup2(2, 1)  # what a solver prints is no answer
    # Ctrl-C in a terminal goes to all its processes: the parent deals with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_memory(memory_mb)


def cause(status: int) -> str:
    """Return why a process ended: its signal, or its exit status."""
    return signal.Signals(-status).name if status < 0 else f"exit status {status % 256}"


def bound_memory(megabytes: int) -> None:
    """Let allocations of this process fail beyond so many megabytes more than now (on Linux)."""
    if sys.platform == "linux":
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        bound = psutil.Process().memory_info().data + megabytes * 10**6
        bound = bound if most == resource.RLIM_INFINITY else min(bound, most)
        resource.setrlimit(resource.RLIMIT_DATA, (bound, most))

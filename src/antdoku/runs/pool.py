"""Runs one after the other, or in processes of their own.

The solvers of the package keep their limits (a contract test), so they run in the calling process.
A solver of one's own, or one that calls a library, runs in a process that is ended when it overruns
its limit; whatever else happens to that process costs its run only.
"""

import resource
import signal
import sys
from collections.abc import Hashable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, TimeoutError, wait
from multiprocessing import get_context
from typing import NamedTuple

import attrs
import psutil
from pebble import ProcessExpired, ProcessPool

from antdoku.errors import InputError
from antdoku.outcome import ERROR, TIMEOUT
from antdoku.puzzle.grid import Puzzle
from antdoku.runs.run import Run, has_kernels, message_of_solver, run_once, run_timed, warm_up
from antdoku.solvers import get, make_params, shipped

WALL = 2  # wall seconds for a CPU second, before a process is ended: other processes compute, too
GRACE_S = 1.0  # wall seconds beside
COMPILING_S = 60.0  # wall seconds, for the kernels of a solver that is not ours
MEMORY_MB = 2000  # that a process may allocate


class Call(NamedTuple):
    """Arguments of `run.run_once`, and whether its time is asked for: `run.run_timed`."""

    puzzle: Puzzle
    solver: str
    params: object
    seed: int
    cpu_s: float | None = None
    max_steps: int | None = None
    timed: bool = False


def run_all(
    calls: Iterable[tuple[Hashable, Call]], n_processes: int = 1, memory_mb: int = MEMORY_MB
) -> Iterator[tuple[Hashable, Run]]:
    """Do runs and yield key and result of each as soon as it is known.

    With several processes all runs are done in these. A run whose process is ended beyond its limit
    is a `timeout` with the limit as its CPU time, and its steps are not known (0). One whose
    process dies is an `error`. A solver that cannot be used is an `InputError`.
    """
    with _Isolated(n_processes, memory_mb) as isolated:
        waiting = {}
        for key, call in calls:
            if n_processes == 1 and keeps_its_limits(call.solver):
                yield key, do(call)
                continue
            waiting[isolated.submit(call)] = key, call
            # As many wait as work, so that no process does.
            while len(waiting) >= (2 * n_processes if n_processes > 1 else 1):
                yield from isolated.ended(waiting)
        while waiting:
            yield from isolated.ended(waiting)


def keeps_its_limits(solver: str) -> bool:
    """Whether a solver is one of ours that calls no library."""
    return solver in shipped() and not getattr(get(solver), "LIBRARIES", ())


def do(call: Call) -> Run:
    """Do a run in this process."""
    *arguments, timed = call
    try:
        warm_up(call.solver, call.puzzle.order, call.params)  # not in the time of the run
        return (run_timed if timed else run_once)(*arguments)
    except InputError:
        raise
    except Exception as error:
        return Run(ERROR, message=message_of_solver(error, call.solver))


class _Isolated:
    """A pool of processes, begun when it is first needed."""

    def __init__(self, n_processes, memory_mb):
        self._how, self._pool, self._warm = (n_processes, memory_mb), None, set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._pool:
            self._pool.stop()
            self._pool.join()

    def submit(self, call):
        """Begin a run, and return the future of its result."""
        self._warm_up(call)
        values = attrs.asdict(call.params)  # their class may not be one that can be pickled
        how = {"args": [call._replace(params=values)], "timeout": _wall_limit(call)}
        return self._begun().schedule(_do_there, **how)

    def ended(self, waiting):
        """Wait for a run to end; take those that have from the waiting, and yield their results."""
        for future in wait(waiting, return_when=FIRST_COMPLETED).done:
            key, call = waiting.pop(future)
            yield key, self._result(future, call)

    def _result(self, future, call):
        try:
            return future.result()
        except TimeoutError:
            wall_s = _wall_limit(call)
            message = f"ended after {wall_s:g} s"
            return Run(TIMEOUT, cpu_s=call.cpu_s, wall_s=wall_s, message=message)
        except ProcessExpired as death:
            self._warm.clear()
            return Run(ERROR, message=f"died of {_cause(death.exitcode)}")

    def _warm_up(self, call):
        """Compile what a solver of one's own needs, before its time counts."""
        what = call.solver, call.puzzle.order, call.params
        if what in self._warm or not has_kernels(call.solver):
            return
        self._warm.add(what)
        try:
            values = *what[:2], attrs.asdict(call.params)
            self._begun().schedule(_warm_up_there, args=values, timeout=COMPILING_S).result()
        except InputError:
            raise
        except Exception:  # the run meets it again, and reports it
            return

    def _begun(self):
        if self._pool is None:
            n_processes, memory_mb = self._how
            # A fork has all modules loaded. Elsewhere, system libraries do not bear it.
            context = get_context("fork" if sys.platform == "linux" else "spawn")
            self._pool = ProcessPool(
                n_processes, initializer=_begin, initargs=[memory_mb], context=context
            )
        return self._pool


def _do_there(call):
    return do(call._replace(params=make_params(call.solver, call.params)))


def _warm_up_there(solver, order, params):
    warm_up(solver, order, make_params(solver, params))


def _wall_limit(call):
    return None if call.cpu_s is None else WALL * call.cpu_s + GRACE_S


def _begin(memory_mb):
    # Ctrl-C in a terminal goes to all its processes: the parent deals with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bound_memory(memory_mb)


def _cause(status):
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"


def bound_memory(megabytes: int) -> None:
    """Let allocations of this process fail beyond so many megabytes more than now (on Linux)."""
    if sys.platform == "linux":
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        bound = psutil.Process().memory_info().data + megabytes * 10**6
        bound = bound if most == resource.RLIM_INFINITY else min(bound, most)
        resource.setrlimit(resource.RLIMIT_DATA, (bound, most))


def peak_memory_mb() -> float:
    """Return the most resident megabytes of this process and of any that it has waited for."""
    unit = 1 if sys.platform == "darwin" else 1024
    users = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return round(max(resource.getrusage(user).ru_maxrss for user in users) * unit / 1e6, 1)

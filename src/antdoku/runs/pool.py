"""Runs in this process, or in workers that can be ended.

The solvers of the package keep their limits (a contract test), so they run in the calling process.
Users' solvers, and solvers that call a library, run in a worker. Beyond its limit the worker is
ended with all processes that it has started. A crash costs only its own run.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from math import inf
from multiprocessing.connection import wait

import attrs

from antdoku import solvers
from antdoku.answers import Result
from antdoku.outcome import ERROR, EXHAUSTED, INVALID, SOLVED, TIMEOUT
from antdoku.runs.run import NO_SOLUTION, Call, message_of_solver, result_of, run_timed
from antdoku.runs.worker import (
    LOOK_S,
    MEMORY_MB,
    PENDING,
    BudgetWithPrograms,
    Ended,
    Overrun,
    Worker,
    has_memory_of_parent,
)

WARM_UP_S = 60.0  # CPU seconds of the two steps before the first run, compilation included
DOUBT_S = 1.0  # CPU seconds in which we look for a solution that a user's solver denies


def run_all(
    calls: Iterable[tuple[Hashable, Call]], n_processes: int = 1, memory_mb: int = MEMORY_MB
) -> Iterator[tuple[Hashable, Result]]:
    """Do runs, and yield the key and the result of each as soon as it is known.

    With several processes all runs are done in these. A run whose process is ended beyond its limit
    is a `timeout` with the limit as its CPU time and 0 steps. A run whose process dies is an
    `error`. A solver that cannot be used is an `InputError`.
    """
    running: dict[Worker, tuple[Hashable, Call]] = {}
    idle: list[Worker] = []
    try:
        for key, call in calls:
            if n_processes == 1 and not _may_overrun(call.solver):
                yield key, run_timed(call)
                continue
            while len(running) == n_processes:
                yield from _finished(running, idle)
            worker = idle.pop() if idle else Worker(memory_mb)
            running[worker] = key, call
            _begin(worker, call)
        while running:
            yield from _finished(running, idle)
    finally:
        for worker in [*running, *idle]:
            worker.close()


def _may_overrun(solver):
    """Return whether a solver may exceed its limit: users' solvers and callers of libraries may."""
    return solver not in solvers.shipped() or solvers.of_package(solver, "LIBRARIES", ())


def _begin(worker, call):
    """Let a worker do a run."""
    cpu_s = inf if call.cpu_s is None else call.cpu_s
    values = attrs.asdict(call.params)  # their class need not be in a module
    packed = None if has_memory_of_parent() else solvers.pack(call.solver)
    worker.begin(cpu_s, WARM_UP_S, _run_in_worker, call._replace(params=values), packed)


def _run_in_worker(call, packed, start_clock):
    """Do a run in a worker, which does not know a packed solver yet."""
    if packed:
        solvers.unpack(packed)
    call = call._replace(params=solvers.make_params(call.solver, call.params))
    solvers.enter(call.solver)
    try:
        return run_timed(call, BudgetWithPrograms, start_clock)
    except (KeyboardInterrupt, GeneratorExit) as error:  # of the solver: Ctrl-C reaches no worker
        return result_of(call, ERROR, message=message_of_solver(error, call.solver))


def _finished(running, idle):
    """Wait for runs to end; yield their keys and results, and make their workers idle."""
    wait([worker.connection for worker in running], LOOK_S)
    for worker, (key, call) in [*running.items()]:
        try:
            run = worker.answer()
        except Ended as end:
            run = _ended_run(call, worker, end)
        else:
            if run is PENDING:
                continue
            idle.append(worker)
        del running[worker]
        yield key, _doubted(call, run)


def _ended_run(call, worker, end):
    """Return the run of a process that has ended before it had a result."""
    if not isinstance(end, Overrun):
        return result_of(call, ERROR, message=str(end))
    if worker.has_started:
        times = {"cpu_s": call.cpu_s, "wall_s": worker.wall_s}
        return result_of(call, TIMEOUT, **times, message=str(end))
    steps = f"two steps, to compile it before its first run, did not end in {WARM_UP_S:g} s"
    remedy = "loop over budget.slices(), and spend() the steps of each slice"
    return result_of(call, ERROR, message=f"{steps}: {remedy}")


def _doubted(call, run):
    """Return a run; it is invalid if it claims that there is no solution, and we find one soon.

    Tests check such claims of the solvers of the package.
    """
    if run.status != EXHAUSTED or call.solver in solvers.shipped():
        return run
    params = solvers.make_params("auto", {})
    check = run_timed(Call(call.puzzle, "auto", params, seed=0, cpu_s=DOUBT_S))
    if check.status != SOLVED:
        return run
    return replace(run, status=INVALID, message=f"{NO_SOLUTION}, but there is one")

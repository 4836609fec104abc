"""Runs in processes of their own: whatever a run does, it costs that run only.

A worker is forked once and does run after run; it is replaced when it dies. The process that it
works for ends it when a run overruns its limit, a bound on its memory makes it fail instead of the
machine, and it ends with that process. Only that process writes anything.
"""

import math
import os
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing import connection, get_context
from typing import NamedTuple

import psutil

from antdoku.errors import InputError
from antdoku.outcome import ERROR, TIMEOUT
from antdoku.puzzle.grid import Puzzle
from antdoku.runs.processes import end_with
from antdoku.runs.run import Run, run_once, run_timed, said, warm_up
from antdoku.solvers import get, shipped

GRACE_S = 0.5  # CPU seconds beyond the limit in which a solver may end a run itself
COMPILING_S = 60.0  # beyond the limit, for the kernels of a solver that is not ours
IDLE_S = 60.0  # a run that uses no CPU time for that long does not go on any more
MEMORY_MB = 2000  # that a worker may use beside what it is started with
LOOK_S = 0.02  # at least, between two looks at the CPU time of a worker
SHORT_S = 0.005  # wall seconds of a run below which several may be handed over at once


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
    calls: Iterable[tuple[Hashable, Call]],
    n_workers: int = 1,
    memory_mb: int = MEMORY_MB,
    ahead: int = 1,
) -> Iterator[tuple[Hashable, Run]]:
    """Do runs in workers and yield key and result of each as soon as it is known.

    A run whose worker is ended beyond its limit is a `timeout`: the limit and the grace stand for
    its CPU time, and its steps are not known (0). One whose worker dies otherwise is an `error`.
    A solver that cannot be used is an `InputError`. One worker does the calls in their order.

    Short runs are handed over `ahead` at once. A worker then goes on before its last result is
    read: with 1 it waits.
    """
    waiting, busy = iter(calls), []
    try:
        for call in islice(waiting, n_workers):
            busy.append(Worker(memory_mb))
            busy[-1].begin(call)
        while busy:
            for worker in _ready(busy):
                key, run = worker.result()
                yield key, run
                if worker.calls:
                    continue
                if calls := [*islice(waiting, ahead if 0 < run.wall_s < SHORT_S else 1)]:
                    worker.begin(*calls)
                else:
                    busy.remove(worker)
                    worker.end()
    finally:
        for worker in busy:
            worker.end()


def _ready(busy):
    """Workers that have ended a run, or are made to."""
    while True:
        next_look = min(worker.next_look for worker in busy)
        patience_s = max(0.0, next_look - time.perf_counter())
        ready = connection.wait([worker.pipe for worker in busy], patience_s)
        if found := [worker for worker in busy if worker.pipe in ready or worker.look()]:
            return found


class Worker:
    """A process that does one run after the other, seen from the one that it works for.

    Not timers of the system keep the limits: Linux counts the CPU time of a process that has one
    (`setitimer`, `RLIMIT_CPU`) in ticks of milliseconds, and most runs take less.
    """

    def __init__(self, memory_mb: int):
        self._memory_mb = memory_mb
        self._start()

    def _start(self):
        # A fork has all modules loaded. Elsewhere, system libraries do not bear it.
        context = get_context("fork" if sys.platform == "linux" else "spawn")
        self.pipe, theirs = context.Pipe()
        # CPU time of the process when the run began, after compiling; negative between two runs.
        self._start_s = context.RawValue("d", -1.0)
        arguments = theirs, os.getpid(), self._memory_mb, self._start_s
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        self._usage = psutil.Process(self._process.pid)
        self._cause = ""  # why it was killed: a status
        theirs.close()

    def begin(self, *calls: tuple[Hashable, Call]) -> None:
        """Begin runs, one after the other."""
        self.calls = deque(calls)
        self._hand_over()

    def _hand_over(self):
        """Send what is to be done, to a new process if the last one is dead."""
        if self._is_dead:
            self._process.join()
            self.pipe.close()
            self._start()
        self._cpu_s = self._begin_s = self._cpu_time()
        self._watch()
        with suppress(OSError):  # of a process that died just now: `result` will say so
            self.pipe.send({call.solver for _, call in self.calls})
            self.pipe.send([call for _, call in self.calls])

    def _watch(self):
        """Keep the limits of the first of the runs from now on."""
        self._begin = self._idle_from = time.perf_counter()
        self.next_look = self._begin + min(self._allowed_s, IDLE_S)

    @property
    def _is_dead(self):
        # What was killed may still live for a moment.
        return bool(self._cause) or not self._process.is_alive()

    def result(self) -> tuple[Hashable, Run]:
        """Key and result of the first of the runs, when the pipe is ready."""
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            answer = self._of_a_death(self._process.exitcode)
        if isinstance(answer, InputError):
            raise answer
        key, _ = self.calls.popleft()
        if self.calls:
            # A dead process may have answered the next ones: they are done again.
            self._hand_over() if self._is_dead else self._watch()
        return key, answer

    def look(self) -> bool:
        """End the process if it has overrun its limit or hardly used the processor for long."""
        now = time.perf_counter()
        if now < self.next_look:
            return False
        cpu_s, start_s = self._cpu_time(), self._start_s.value
        left_s = self._allowed_s - (cpu_s - start_s) if start_s >= 0 else self._to_compile_s(cpu_s)
        if left_s <= 0:
            self._cause = TIMEOUT
        elif now >= self._idle_from + IDLE_S:
            # Not none at all: a thread looks for the parent. Who comes late was stopped, as by a
            # terminal or a cluster that suspends its job, and so was the worker.
            is_late = now > self.next_look + IDLE_S / 10
            if not is_late and cpu_s - self._cpu_s < IDLE_S / 1000:
                self._cause = ERROR
            self._cpu_s, self._idle_from = cpu_s, now
        if self._cause:
            self._process.kill()
        # No sooner can the limit be met, as long as one thread computes.
        self.next_look = now + min(max(left_s, LOOK_S), IDLE_S)
        return bool(self._cause)

    @property
    def _allowed_s(self):
        return math.inf if self._call.cpu_s is None else self._call.cpu_s + GRACE_S

    @property
    def _call(self):
        return self.calls[0][1]

    def _to_compile_s(self, cpu_s):
        """CPU seconds left to compile; ours may take what they need."""
        if self._call.solver in shipped() or self._call.cpu_s is None:
            return self._allowed_s
        return COMPILING_S + self._call.cpu_s - (cpu_s - self._begin_s)

    def _cpu_time(self):
        try:
            times = self._usage.cpu_times()
        except psutil.Error:  # it has died: the pipe tells
            return 0.0
        return times.user + times.system

    def end(self):
        """End the process at once."""
        self._process.kill()
        self._process.join()
        self.pipe.close()

    def _of_a_death(self, status):
        wall_s = time.perf_counter() - self._begin
        if self._cause == TIMEOUT:
            message = f"ended {GRACE_S} s after its limit"
            return Run(TIMEOUT, cpu_s=self._allowed_s, wall_s=wall_s, message=message)
        cause = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        message = f"used no CPU time for {IDLE_S:g} s" if self._cause else f"died of {cause}"
        return Run(ERROR, wall_s=wall_s, message=message)


def peak_memory_mb() -> float:
    """Resident megabytes that the largest worker that has ended ever had; 0 if there was none."""
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1e6, 1)


def _serve(pipe, parent, memory_mb, start_s):
    """Do the runs that come through the pipe, until it is closed."""
    # What a terminal sends to all its processes is the parent's to deal with.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    end_with(parent)
    bound_memory(memory_mb)
    with suppress(EOFError, OSError):
        while True:
            # Loads what the arguments are made of, where a process does not begin as a copy.
            with suppress(InputError):
                for solver in pipe.recv():
                    get(solver)
            for call in pipe.recv():
                pipe.send(_do(call, start_s))


def _do(call, start_s):
    """A run, with its beginning in `start_s`; for a solver that cannot be used, the exception."""
    try:
        warm_up(call.solver, call.puzzle.order, call.params)  # not in the time of the run
        start_s.value = time.process_time()
        *arguments, timed = call
        return (run_timed if timed else run_once)(*arguments)
    except InputError as error:
        return error
    except Exception as error:
        return Run(ERROR, message=said(error, call.solver))
    finally:
        start_s.value = -1.0


def bound_memory(megabytes):
    """Let allocations fail beyond so many megabytes more than now."""
    if sys.platform == "linux":
        process = psutil.Process()
        _, most = process.rlimit(psutil.RLIMIT_DATA)
        bound = process.memory_info().data + megabytes * 10**6
        if most != psutil.RLIM_INFINITY:  # set by somebody else, and not to be raised
            bound = min(bound, most)
        process.rlimit(psutil.RLIMIT_DATA, (bound, most))

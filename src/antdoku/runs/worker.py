"""Processes for tasks: a process can be ended at any time, with all processes it has started."""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from math import inf
from multiprocessing import current_process, get_context
from multiprocessing.connection import wait
from threading import Thread

import psutil

from antdoku.budget import Budget

LOOK_S = 0.5  # seconds between two looks at a process
GRACE_S = 0.5  # CPU seconds beyond its limit after which a task is ended
SLEEP, SLEEP_S = 2, 1.0  # seconds that a task may sleep: for each CPU second of its limit, beside
IDLE = 0.01  # share of a processor below which a process sleeps; a process in the queue gets more
MEMORY_MB = 2000  # that a process may allocate
# A fork has all modules loaded. The system libraries of macOS do not survive one.
METHOD = get_context("fork" if sys.platform == "linux" else "spawn")
PENDING = object()  # the answer of a task that has not ended
CLOCK, ANSWER, EXCEPTION = "clock", "answer", "exception"  # kinds of messages from a process


class Ended(Exception):
    """The process of a task has ended: by itself, or beyond the limit of its task."""


class Overrun(Ended):
    """The process was ended because its task was beyond its limit."""


class Worker:
    """A process that does one task after the other.

    Attributes
    ----------
    connection : Connection
        It is ready when the process has sent a message, or has ended (`connection.wait`).
    has_started : bool
        Whether the clock of the last task has started.
    """

    def __init__(self, memory_mb: int = MEMORY_MB):
        self.connection, connection = METHOD.Pipe()
        with _may_have_children():
            self._process = METHOD.Process(target=_serve, args=(connection, os.getpid(), memory_mb))
            self._process.start()
        connection.close()
        self._leader = psutil.Process(self._process.pid)
        self._used_s = 0.0  # CPU seconds at the last message

    def begin(self, cpu_s: float, set_up_s: float, task: Callable, *arguments) -> None:
        """Begin ``task(*arguments, start_clock)``.

        It may use `set_up_s` CPU seconds until it calls ``start_clock()``, and `cpu_s` from then
        on. Both count the CPU seconds of programs that it starts.
        """
        self.has_started, self._cpu_s = False, cpu_s
        self.connection.send((task, arguments))
        self._start_clock(set_up_s)

    def answer(self):
        """Return the result of the task, or `PENDING`; raise its exception, or `Ended`."""
        try:
            if not self.connection.poll():
                self._look()
                return PENDING
            kind, content, self._used_s = self.connection.recv()
        except (EOFError, ConnectionError):
            self.close()
            raise Ended(f"its process ended: {cause(self._process.exitcode)}") from None
        if kind == EXCEPTION:
            raise content
        if kind == ANSWER:
            return content
        self.has_started = True
        self._start_clock(self._cpu_s)
        return PENDING

    def result(self):
        """Wait for the end of the task; return and raise as `answer` does."""
        while (answer := self.answer()) is PENDING:
            wait([self.connection], LOOK_S)
        return answer

    @property
    def wall_s(self) -> float:
        """Return the seconds since the clock of the task has started."""
        return time.monotonic() - self._start

    def close(self) -> None:
        """End the process and all processes that it has started."""
        end_descendants(self._leader)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()  # a new process leads no group yet
        self._process.join()
        self.connection.close()

    def _start_clock(self, limit_s):
        """Start to watch that the process uses no more than `limit_s` CPU seconds."""
        self._limit_s, self._start_s = limit_s, self._used_s
        self._start = self._looked = time.monotonic()
        # When the process was last seen to compute, and its CPU seconds then, in ticks of 10 ms.
        self._active, self._active_s = self._start, -inf

    def _look(self):
        """Raise `Ended` if the process is beyond its limit or has died."""
        now = time.monotonic()
        if now - self._looked < LOOK_S:
            return
        self._looked = now
        if not self._process.is_alive():
            raise EOFError
        used_s = sum(map(_cpu_s, [self._leader, *_descendants(self._leader)]))
        if used_s - self._active_s > IDLE * (now - self._active):
            self._active, self._active_s = now, used_s
        cpu_s, sleep_s = self._limit_s + GRACE_S, SLEEP * self._limit_s + SLEEP_S
        if used_s - self._start_s > cpu_s:
            self._overrun("went on beyond its limit, and was ended")
        if now - self._active > sleep_s:
            self._overrun(f"ended after {sleep_s:g} s without computing")

    def _overrun(self, message):
        self.close()
        raise Overrun(message)


@contextmanager
def _may_have_children():
    """Let a process of a `multiprocessing.Pool` start a worker, which ends with it."""
    process = current_process()
    is_daemon = process.daemon
    process.daemon = False
    try:
        yield
    finally:
        process.daemon = is_daemon


def cause(status: int) -> str:
    """Return why a process ended: its signal, or its exit status."""
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"


class BudgetWithPrograms(Budget):
    """A budget that also counts the CPU time of the programs that a run calls.

    `cpu_s` counts programs that have ended; `used` counts open programs, too, in ticks of 10 ms.
    """

    def __init__(self, cpu_s: float | None = None, max_steps: int | None = None):
        self._ended_s, self._before_s = _ended_programs_s(), _programs_s()
        super().__init__(cpu_s, max_steps)

    @property
    def cpu_s(self) -> float:
        """Return the CPU seconds used so far."""
        return super().cpu_s + _ended_programs_s() - self._ended_s

    def used(self) -> float:
        """Return the CPU seconds of a run that has ended."""
        return super().cpu_s + _programs_s() - self._before_s


def _ended_programs_s():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _programs_s():
    return _ended_programs_s() + sum(map(_cpu_s, _descendants(psutil.Process())))


def _cpu_s(process):
    """Return the CPU seconds of a process and of its ended children; 0 if it is gone."""
    with suppress(psutil.Error):
        return sum(process.cpu_times()[:4])
    return 0.0


def _descendants(process):
    """Return the descendants of a process."""
    if process.pid == os.getpid() and not _has_children():
        return []  # otherwise psutil looks at all processes of the machine
    with suppress(psutil.Error):
        return process.children(recursive=True)
    return []


def _has_children():
    """Return whether this process may have children."""
    if hasattr(os, "waitid"):  # macOS has it since Python 3.13
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return False
    return True


def has_memory_of_parent() -> bool:
    """Return whether a new worker has the memory of its parent."""
    return METHOD.get_start_method() == "fork"


def _serve(connection, parent, memory_mb):
    """Do the tasks that come in, until the process is ended."""
    os.setsid()
    os.dup2(2, 1)  # standard output is for answers, so a solver prints to standard error
    bound_memory(memory_mb)
    Thread(target=_end_with, args=[parent], daemon=True).start()

    def send(kind, content):
        connection.send((kind, content, time.process_time() + _programs_s()))

    with suppress(EOFError):
        while True:
            task, arguments = connection.recv()
            try:
                send(ANSWER, task(*arguments, lambda: send(CLOCK, None)))
            except Exception as error:
                send(EXCEPTION, error)


def _end_with(parent):
    """End this process and its descendants when its parent has ended."""
    while os.getppid() == parent:
        time.sleep(LOOK_S)
    end_descendants(psutil.Process())
    os.killpg(0, signal.SIGKILL)


def end_descendants(process):
    """End the descendants of a process, even if they lead groups."""
    for descendant in _descendants(process):
        with suppress(psutil.Error):
            descendant.kill()


def bound_memory(megabytes: int) -> None:
    """Make allocations fail beyond `megabytes` more than this process uses now (only on Linux)."""
    if sys.platform == "linux":
        _, hard_limit = resource.getrlimit(resource.RLIMIT_DATA)
        bound = psutil.Process().memory_info().data + megabytes * 10**6
        bound = bound if hard_limit == resource.RLIM_INFINITY else min(bound, hard_limit)
        resource.setrlimit(resource.RLIMIT_DATA, (bound, hard_limit))

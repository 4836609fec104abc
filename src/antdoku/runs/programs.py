"""Solvers that call programs: the CPU time of these counts, and none of them outlives its run.

A process that does runs leads a group, with all the processes that it starts.
"""

import os
import resource
import signal
import sys
import time
from contextlib import suppress
from math import inf
from multiprocessing import get_context
from threading import Lock, Thread

import psutil
from numba.core.compiler_lock import global_compiler_lock

from antdoku.budget import Budget

LOOK_S = 0.2  # seconds between two looks at a run
WARM_UP_S = 10.0  # CPU seconds that the two steps of a warm-up may take, besides compilation
IDLE = 0.01  # share of a processor below which a run sleeps; one that waits its turn gets more
# A fork has all modules loaded. Elsewhere, system libraries do not bear it.
_METHOD = get_context("fork" if sys.platform == "linux" else "spawn")
STATUS_0 = 256  # that no process has
_running: list[Budget] = []  # the budget of the last run of this process
_ending = Lock()  # held for good once the process ends, so that no run ends by itself meanwhile


class Group(_METHOD.Process):
    """A process that ends with all that it has started."""

    def run(self):
        """Do what the process is for, as the leader of a group."""
        os.setsid()
        super().run()

    @property
    def exitcode(self):
        """Return the exit status, `STATUS_0` for 0: pebble takes that for an end without a task."""
        return STATUS_0 if super().exitcode == 0 else super().exitcode

    def terminate(self):
        """End the group."""
        end_group(self.pid)
        super().terminate()  # it may not lead its group yet


class Groups(type(_METHOD)):
    """The `multiprocessing` context of such processes."""

    Process = Group


class WithPrograms(Budget):
    """A budget that counts the CPU time of the programs that a run calls, too."""

    def __init__(self, cpu_s: float | None = None, max_steps: int | None = None):
        self._open = _children()
        self._before, self._looked = self._programs_s(), time.monotonic()
        self._worked_s, self._idle_s, self._compiling_s = -inf, 0.0, 0.0
        super().__init__(cpu_s, max_steps)
        self.watched_s, self.is_warm_up = self.cpu_limit, False
        _running[:] = [self]

    @classmethod
    def of_warm_up(cls) -> "WithPrograms":
        """Return a budget of two steps, whose watched seconds leave out compilation."""
        budget = cls(max_steps=2)
        budget.watched_s, budget.is_warm_up = WARM_UP_S, True
        return budget

    @property
    def cpu_s(self) -> float:
        """Return the CPU seconds used so far."""
        return super().cpu_s + self._programs_s() - self._before

    def used(self) -> float:
        """Return the CPU seconds so far, and of all that the run has started and not waited for."""
        own_s, self._open = time.process_time() - self._start, _children()
        return own_s + self._programs_s() - self._before

    def look(self) -> tuple[float, float]:
        """Return the CPU seconds so far, and the wall seconds in which the run slept."""
        now, looking_s, used_s = time.monotonic(), time.thread_time(), self.used()
        worked_s = used_s - looking_s
        if worked_s - self._worked_s < IDLE * (now - self._looked):
            self._idle_s += now - self._looked
        elif self.is_warm_up and global_compiler_lock.is_locked():
            self._compiling_s += worked_s - max(self._worked_s, 0.0)
        self._looked, self._worked_s = now, worked_s
        return used_s - self._compiling_s, self._idle_s

    def _programs_s(self):
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ended.ru_utime + ended.ru_stime + sum(map(_cpu_s, self._open))


def _children() -> list[psutil.Process]:
    """Return the processes that this one has started, and has not waited for."""
    with suppress(ChildProcessError):  # there are none: psutil would look at all processes
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return psutil.Process().children(recursive=True)
    return []


def _cpu_s(child):
    """Return the CPU seconds of a process; 0 if it is gone, as it counts among the ended then."""
    with suppress(psutil.Error, OSError):
        if sys.platform == "linux":  # the clock of a process, where psutil's ticks take 10 ms
            return time.clock_gettime(~child.pid << 3 | 2)
        return sum(child.cpu_times()[:2])
    return 0.0


def watch(late_s: float, wall: float) -> None:
    """End this process and its group when a run is late, or nobody waits for it.

    Late is a run `late_s` seconds after its limit in CPU seconds, or `wall` times as many seconds
    without computing: a process that waits for others to compute is not late.
    """
    rest()  # a fork has the run of its parent
    Thread(target=_watch, args=[late_s, wall, os.getppid()], daemon=True).start()


def _watch(late_s, wall, parent):
    while os.getppid() == parent:
        time.sleep(LOOK_S)
        with _ending:
            for budget in _running:
                used_s, idle_s = budget.look()
                is_late = used_s > budget.watched_s + late_s
                if is_late or idle_s > wall * budget.watched_s + late_s:
                    late = signal.SIGXCPU if is_late else signal.SIGALRM
                    _end(signal.SIGPROF if budget.is_warm_up else late)
    _end(signal.SIGKILL)


def _end(number):
    """End the group of this process by a signal, from which the parent knows why."""
    _end_children(os.getpid())
    os.killpg(0, number)


def rest() -> None:
    """Tell that no run is going on."""
    with _ending:
        _running.clear()


def end_group(leader: int) -> None:
    """End all processes that one has started, be it gone or not."""
    _end_children(leader)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _end_children(leader):
    """End the descendants of a process, those in groups of their own among them."""
    with suppress(psutil.Error):
        for child in psutil.Process(leader).children(recursive=True):
            with suppress(psutil.Error):
                child.kill()

"""The budget of a run: the only clock and the only stopping rule.

A solver works in slices: it asks for a number of steps, does them in a kernel that owns no clock,
and reports how many it did. Slices grow or shrink towards a millisecond or two, so a run meets its
limit closely at a negligible cost. Its result does not depend on the slices.
"""

import time
from collections.abc import Iterator
from operator import index

from antdoku.errors import InputError, check_whole

SLICE_S = 0.002  # CPU seconds that a slice aims at
_NO_LIMIT = 2**62


class Budget:
    """CPU time and steps that a run may use; the clock starts when the budget is made.

    Parameters
    ----------
    cpu_s : float, optional
        Limit in seconds of CPU time of this process (user and system, all threads).
    max_steps : int, optional
        Limit in steps. A run that only steps limit is reproducible to the bit.

    Attributes
    ----------
    steps : int
        Steps that have been reported.
    step_limit : int
        2**62 without a limit.
    cpu_limit : float
        In seconds; infinite without a limit.
    trace : list of tuple
        Steps and the least cost so far, for each cost by which `note` improved it.

    Raises
    ------
    InputError
        If a limit is not positive, or the limit in steps is not a whole number.
    """

    def __init__(self, cpu_s: float | None = None, max_steps: int | None = None):
        if cpu_s is not None and not cpu_s > 0:
            raise InputError(f"time limit {cpu_s:g}: must be more than 0 seconds")
        if max_steps is not None:
            max_steps = check_whole("step limit", max_steps, 1)
        self.cpu_limit = float("inf") if cpu_s is None else cpu_s
        self.step_limit = _NO_LIMIT if max_steps is None else max_steps
        self.steps = 0
        self.trace: list[tuple[int, float]] = []
        self._next_slice = 1
        self._start = time.process_time()
        self._slice_start = self._start
        self._setup_s = None

    @property
    def cpu_s(self) -> float:
        """Return the CPU seconds used so far."""
        return time.process_time() - self._start

    def used(self) -> float:
        """Return the CPU seconds of a run that has ended."""
        return self.cpu_s

    @property
    def setup_s(self) -> float:
        """Return the CPU seconds before the first slice, in which the solver builds its model."""
        return self.cpu_s if self._setup_s is None else self._setup_s

    def part(self, steps: int) -> "Budget":
        """Return a budget of up to `steps` for a part of the run, within the rest of this one."""
        budget = Budget(max_steps=min(steps, self.step_limit - self.steps))
        budget.cpu_limit = self.cpu_limit - self.cpu_s
        return budget

    def slices(self) -> Iterator[int]:
        """Yield the number of steps that the next slice may do until a limit is reached."""
        self._setup_s = self.setup_s
        while self.steps < self.step_limit and self.cpu_s < self.cpu_limit:
            self._slice_start = time.process_time()
            yield min(self._next_slice, self.step_limit - self.steps)

    def spend(self, steps: int) -> None:
        """Report the steps that the slice has done: a whole number."""
        if index(steps) < 0:
            raise ValueError(f"spend({steps}): must be a whole number, 0 or more")
        self.steps += index(steps)
        elapsed = time.process_time() - self._slice_start
        # Slices grow at most fourfold: the first steps of a search need not be typical.
        target = 4.0 if elapsed <= 0 else min(4.0, SLICE_S / elapsed)
        self._next_slice = max(1, int(steps * target))

    def note(self, cost: float) -> None:
        """Add a cost to `trace`, with the steps so far, if it is the least so far."""
        if cost != cost:
            raise ValueError(f"note({cost}): must be a number")
        if not self.trace or cost < self.trace[-1][1]:
            self.trace.append((self.steps, float(cost)))

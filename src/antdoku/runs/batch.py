"""9x9 and 16x16 Sudoku by the million: in lanes, on all cores, every answer judged."""

from __future__ import annotations  # `help` shows the types as they are written here

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from antdoku.budget import Budget
from antdoku.errors import InputError, check_whole
from antdoku.kernels import lanes
from antdoku.kernels.lanes import Answers
from antdoku.outcome import EXHAUSTED, INVALID, SOLVED, TIMEOUT
from antdoku.puzzle.grid import cell_name, units

CHUNK = 10_000  # puzzles of a thread at a time: what belongs to them fits the cache of a core
SLICE = 2_000  # guesses between two readings of the clock: at most some milliseconds
# Codes of a status, as kernels write them, and what they stand for.
DONE, CUT, NO_SOLUTION, WRONG = 0, lanes.CUT, 2, 3
STATUS = np.array([SOLVED, TIMEOUT, EXHAUSTED, INVALID])


class Solved(NamedTuple):
    """Answers to n puzzles, see `solve_grids`."""

    solutions: np.ndarray
    counts: np.ndarray
    status: np.ndarray


class Limits(NamedTuple):
    """Limits of a puzzle, which is done after so many solutions, CPU seconds or steps."""

    solutions: int = 1
    cpu_s: float | None = None
    steps: int | None = None


def solve_grids(
    grids: ArrayLike,
    limit: int = 1,
    *,
    timeout: float | None = None,
    max_steps: int | None = None,
    jobs: int | None = None,
) -> Solved:
    """Solve 9x9 or 16x16 puzzles, millions of them if need be; count their solutions up to a limit.

    Parameters
    ----------
    grids : array_like of int, shape (n, 81) or (n, 256)
        The puzzles row by row, 0 for a blank.
    limit : int
        Stop at so many solutions of a puzzle: 1 to solve it, 2 to learn whether it has only one.
    timeout : float, optional
        CPU seconds for one puzzle, during which others may be solved beside it; none by default.
    max_steps : int, optional
        Guesses for one puzzle: the same on any machine.
    jobs : int, optional
        Threads that share the puzzles; one for each core by default. The answers do not depend on
        their number, unless a time limit is met.

    Returns
    -------
    solutions : ndarray of uint8, of the shape of the grids
        The first solution found of each puzzle, verified; zeros where there is none.
    counts : ndarray of int64, shape (n,)
        Solutions found, up to the limit.
    status : ndarray of str, shape (n,)
        ``solved``: there are so many solutions, or more if they are as many as the limit.
        ``exhausted``: it is proved that there is none. ``timeout``: a limit of time or steps was
        reached before; the count is a lower bound. ``invalid``: a solution proved wrong.

    Raises
    ------
    InputError
        For an array of another shape or kind, a value that is not allowed, or a limit that is none.

    Examples
    --------
    >>> import antdoku
    >>> puzzles = [puzzle.givens for puzzle in antdoku.read("named:soto")]
    >>> solutions, counts, status = antdoku.solve_grids(puzzles, limit=2)
    >>> solutions.shape, counts.tolist() == 9 * [1], set(status.tolist())
    ((9, 81), True, {'solved'})
    """
    check_whole("limit", limit, 1)
    check_whole("jobs", 1 if jobs is None else jobs, 1)
    Budget(timeout, max_steps)  # refuses what is no limit
    answers = answers_to(_checked(grids), Limits(limit, timeout, max_steps), jobs)
    return Solved(answers.solutions, answers.counts, STATUS[answers.status])


def _checked(grids: ArrayLike) -> np.ndarray:
    """Return the puzzles as a new array of uint8."""
    try:
        grids = np.asarray(grids)
    except ValueError:
        raise InputError("grids: the rows differ in length") from None
    allowed = [order**4 for order in lanes.ORDERS]
    if grids.ndim != 2 or grids.shape[1] not in allowed:
        shapes = " or ".join(f"(n, {n_cells})" for n_cells in allowed)
        place = f"grids: an array of shape {grids.shape}"
        raise InputError(f"{place}: must be {shapes}, [p.givens for p in puzzles]")
    if grids.dtype.kind not in "iu":
        raise InputError(f"grids: {grids.dtype} cells: values must be whole numbers")
    size = _order(grids) ** 2
    if grids.size and (grids.min() < 0 or grids.max() > size):
        row, cell = np.argwhere((grids < 0) | (grids > size))[0]
        place = f"grids: row {row}: {cell_name(cell, size)}: value {grids[row, cell]}"
        raise InputError(f"{place} is out of range: allowed are 1 to {size}, or 0 for a blank")
    return np.array(grids, np.uint8, order="C")


def _order(grids):
    return round(grids.shape[1] ** 0.25)


def answers_to(grids: np.ndarray, limits: Limits, jobs: int | None = None) -> Answers:
    """Solve as `solve_grids` does, without checks; `Answers.status` are places in `STATUS`.

    Grids are C-contiguous arrays of uint8, shape (n, 81) or (n, 256), and are not changed.
    """
    _warm_up(_order(grids))  # not in the time of a puzzle
    answers = lanes.new_answers(len(grids), _order(grids))

    def solve(first):
        rows = slice(first, first + CHUNK)
        _solve_chunk(grids[rows], Answers(*(array[rows] for array in answers)), limits)

    for _ in in_order(solve, range(0, len(grids), CHUNK), jobs):
        pass
    return answers


def timed_answers(
    grids: np.ndarray, limits: Limits, jobs: int | None = None
) -> tuple[Answers, float, float]:
    """Return what `answers_to` does, with the CPU and wall seconds of a puzzle in the mean."""
    _warm_up(_order(grids))
    cpu, wall = time.process_time(), time.perf_counter()
    answers = answers_to(grids, limits, jobs)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return answers, cpu / len(grids), wall / len(grids)


def in_order(function: Callable, items: Iterable, jobs: int | None = None) -> Iterator:
    """Yield what `function` returns for each item, in their order; threads share the items.

    They are only a few items ahead, however many there are; where there is one, there are none.
    """
    jobs = jobs or n_cores()
    if jobs == 1 or (isinstance(items, Sized) and len(items) <= 1):
        yield from map(function, items)
        return
    waiting: deque = deque()
    pool = ThreadPoolExecutor(jobs)
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def n_cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _solve_chunk(grids, answers, limits):
    """Solve puzzles in this thread, and judge what is found."""
    search, looked = lanes.new_search(_order(grids)), time.thread_time()
    begun = np.full(lanes.LANES, looked)  # when the puzzle of a lane was, by this thread's CPU time
    max_steps = lanes.NO_LIMIT if limits.steps is None else limits.steps
    while search.sets[lanes.ACTIVE]:
        before = search.puzzle.copy()
        lanes.advance(search, grids, answers, limits.solutions, max_steps, SLICE)
        if limits.cpu_s is not None:
            begun[search.puzzle != before] = looked
            looked = time.thread_time()
            is_active = (int(search.sets[lanes.ACTIVE]) >> np.arange(lanes.LANES)) & 1
            for lane in np.flatnonzero(is_active & (looked - begun > limits.cpu_s)):
                lanes.give_up(search, answers, lane)
    _judge(grids, answers)


@cache
def _warm_up(order):
    """Compile the kernels, or load them from the cache."""
    _solve_chunk(np.zeros((1, order**4), np.uint8), lanes.new_answers(1, order), Limits())


def _judge(grids, answers):
    """Set the status of each puzzle; free of the code that has found the answers."""
    is_found = answers.counts > 0
    answers.status[~is_found & (answers.status != CUT)] = NO_SOLUTION
    is_wrong = is_found & ~_solves(answers.solutions, grids)
    answers.status[is_wrong] = WRONG
    answers.counts[is_wrong] = 0
    answers.solutions[is_wrong] = 0


def _solves(solutions, grids):
    """Tell which grids keep the givens and have every value once in each unit."""
    order = _order(grids)
    bits = np.left_shift(1, solutions.T, dtype=np.int32)  # a cell of all grids in a row
    in_units = np.bitwise_or.reduce(bits[units(order)], axis=1)
    keeps_givens = ((grids == 0) | (grids == solutions)).all(axis=1)
    return keeps_givens & (in_units == (2 << order**2) - 2).all(axis=0)

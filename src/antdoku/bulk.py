"""Many puzzles at once: solved together by threads on all cores, every solution judged."""

from __future__ import annotations  # `help` shows the types as they are written here

import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice
from numbers import Real
from threading import Event
from typing import NamedTuple

import numpy as np

from antdoku import solvers
from antdoku.answers import Result
from antdoku.budget import Budget
from antdoku.errors import InputError, check_whole
from antdoku.kernels import lanes
from antdoku.kernels.lanes import Answers
from antdoku.outcome import EXHAUSTED, INVALID, SOLVED, TIMEOUT
from antdoku.puzzle.grid import Puzzle, flaw, units
from antdoku.reading.batches import Batch
from antdoku.reading.cells import Skip
from antdoku.reading.sources import Source, options_of, read_parts

CHUNK = 10_000  # puzzles that a thread solves at a time: their arrays fit the cache of a core
MOST = 2**53  # the largest limit: kernels and readers of JSON hold it exactly
MOST_SOLUTIONS = 2**31  # that are counted of a puzzle
SLICE = 2_000  # guesses in lanes between two readings of the clock: a few milliseconds
SOLVER = "auto"  # which searches in one lane at order 3
TOGETHER = SOLVER, 3  # solver and order of the puzzles that are solved together, as it is faster
MAX_ORDER = 5  # of grids that are judged together: each value is a bit of an integer
# Codes of a status, as kernels write them, and their meanings.
CUT, NO_SOLUTION, WRONG = lanes.CUT, 2, 3
STATUS = np.array([SOLVED, TIMEOUT, EXHAUSTED, INVALID])


def read_grids(
    source: Puzzle | Iterable[Puzzle] | Source,
    *,
    symbols: str | None = None,
    rules: bool = True,
    column: str = "puzzle",
    skip: Skip | None = None,
    source_name: str = "the argument",
) -> np.ndarray:
    """Read puzzles of one size as an array: a million in a second or two.

    That holds for 9x9 puzzles of 81 characters each in a text file, a table (there also with spaces
    between them, as `write` writes tables), a column of a DataFrame or a list, and for arrays.
    Other forms take up to two milliseconds a puzzle, as `read`.

    Parameters
    ----------
    source : what `read` takes, or array_like of int, shape (n, c) or (n, d, d)
        The arrays hold 9x9 or 16x16 puzzles row by row, 0 for a blank.
    symbols, rules, column, skip, source_name
        As for `read`.

    Returns
    -------
    ndarray of uint8, shape (n, c)
        The puzzles row by row, 0 for a blank. The array is new.

    Raises
    ------
    InputError
        As `read`, and for puzzles of several sizes.

    Examples
    --------
    >>> import antdoku
    >>> antdoku.read_grids("named:soto").shape
    (9, 81)
    """
    options = options_of(symbols, rules, column, skip)
    parts = read_parts(source, options, source_name)
    arrays = [part.grids for part in parts]
    sizes = sorted({round(array.shape[1] ** 0.5) for array in arrays})
    if len(sizes) != 1:
        listed = " and ".join(f"{size}x{size}" for size in sizes)
        remedy = "read takes puzzles of several sizes"
        raise InputError(
            f"puzzles of {listed or 'no size'} in one array", source_name, None, remedy
        )
    return np.concatenate(arrays)


class Solved(NamedTuple):
    """Answers to n puzzles, see `solve_grids`."""

    solutions: np.ndarray
    counts: np.ndarray
    status: np.ndarray


def solve_grids(
    grids: Puzzle | Iterable[Puzzle] | Source,
    limit: int = 1,
    *,
    timeout: float | None = None,
    max_steps: int | None = None,
    jobs: int | None = None,
    symbols: str | None = None,
) -> Solved:
    """Solve 9x9 or 16x16 puzzles, even millions; count their solutions up to a limit.

    Parameters
    ----------
    grids : what `read_grids` takes or returns
        Paths, texts, columns of a DataFrame, or whole numbers of shape (n, 81), (n, 9, 9), (n, 256)
        or (n, 16, 16), 0 for a blank. A puzzle with a value twice in a unit has no solution.
    limit : int
        Stop at this number of solutions of a puzzle: 1 solves it, 2 tells whether it has only one.
    timeout : float, optional
        CPU seconds for one puzzle, during which its thread may solve others; none by default.
    max_steps : int, optional
        Guesses for one puzzle: the same on any machine.
    jobs : int, optional
        Threads that share the puzzles; one for each core by default. The answers do not depend on
        their number, unless a time limit is met.
    symbols : str, optional
        As for `read`.

    Returns
    -------
    solutions : ndarray of uint8, shape (n, c)
        The first solution of each puzzle, verified; zeros without a solution.
    counts : ndarray of int64, shape (n,)
        Solutions found, up to the limit.
    status : ndarray of str, shape (n,)
        ``solved``: the count is exact, or it has reached the limit. ``exhausted``: it is proved
        that there is no solution. ``timeout``: a limit of time or steps was reached before; the
        count is a lower bound. ``invalid``: a solution proved wrong.

    Raises
    ------
    InputError
        As `read_grids`, and for puzzles of another size or a limit that is not allowed.

    Examples
    --------
    >>> import antdoku
    >>> solutions, counts, status = antdoku.solve_grids("named:soto", limit=2)
    >>> solutions.shape, counts.tolist() == 9 * [1], set(status.tolist())
    ((9, 81), True, {'solved'})
    """
    limit = check_whole("limit", limit, 1, MOST_SOLUTIONS)
    jobs = None if jobs is None else check_whole("jobs", jobs, 1)
    timeout, max_steps = checked_limits(timeout, max_steps)
    puzzles = read_grids(grids, symbols=symbols, rules=False, source_name="grids")
    if _order(puzzles) not in lanes.ORDERS:
        size = _order(puzzles) ** 2
        remedy = "solve_all takes puzzles of all sizes"
        raise InputError(f"{size}x{size} puzzles: must be 9x9 or 16x16", "grids", None, remedy)
    answers, *_ = solve_together(puzzles, jobs, limit, timeout, max_steps)
    return Solved(answers.solutions, answers.counts, STATUS[answers.status])


def checked_limits(timeout: float | None, max_steps: int | None) -> tuple[float | None, int | None]:
    """Return limits in CPU seconds and steps, checked."""
    steps = None if max_steps is None else check_whole("step limit", max_steps, 1, MOST)
    if timeout is None:
        return None, steps
    if not isinstance(timeout, Real) or isinstance(timeout, bool):
        raise InputError(f"time limit {timeout!r}: must be a number of seconds")
    Budget(timeout)  # refuses a limit that is not positive
    return float(timeout), steps


def results(
    puzzles: Iterable[Puzzle],
    seed: int,
    limits: tuple[float | None, int | None],
    jobs: int | None = None,
) -> Iterator[Result]:
    """Yield the results of `SOLVER` on puzzles of one order, which are solved together.

    `limits` are CPU seconds and steps for one puzzle.
    """
    puzzles, title = iter(puzzles), solvers.get(SOLVER).TITLE
    while chunk := list(islice(puzzles, CHUNK)):
        grids = np.array([puzzle.givens for puzzle in chunk], np.uint8)
        answers, cpu_s, wall_s = solve_together(grids, jobs, 1, *limits)
        for puzzle, cells, _, steps, code in zip(chunk, *answers):
            grid = cells.astype(np.int16).reshape(puzzle.grid.shape) if cells.any() else None
            status = str(STATUS[code])
            measured = int(steps), cpu_s, wall_s
            yield Result(puzzle, SOLVER, {}, seed, status, grid, *measured, title=title)


def solve_together(
    grids: np.ndarray, jobs: int | None, *limits: float | None
) -> tuple[Answers, float, float]:
    """Return the judged answers, and the mean CPU and wall seconds of a puzzle.

    Threads share the puzzles in chunks. `grids` are uint8 (n, c), C-contiguous, of order 3 or 4.
    `limits` are the solutions at which to stop, CPU seconds and guesses for one puzzle. The status
    in the answers is an index of `STATUS`.
    """
    stop = Event()

    def solve(chunk):
        answers = _claims(chunk, *limits, stop=stop)
        judge(chunk, answers)
        return answers

    _warm_up(grids.shape[1])  # before the clock starts
    begin_cpu, begin_wall = time.process_time(), time.perf_counter()
    n_cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    chunks = [grids[first : first + CHUNK] for first in range(0, len(grids), CHUNK)] or [grids]
    with ThreadPoolExecutor(min(jobs or n_cores, len(chunks))) as pool:
        try:
            parts = list(pool.map(solve, chunks))
        except BaseException:  # Ctrl-C: the pool waits for its threads
            stop.set()
            raise
    answers = parts[0] if len(parts) == 1 else Answers(*map(np.concatenate, zip(*parts)))
    n_grids = max(len(grids), 1)
    cpu_s = (time.process_time() - begin_cpu) / n_grids
    return answers, cpu_s, (time.perf_counter() - begin_wall) / n_grids


def _claims(grids, limit=1, cpu_s=None, max_steps=None, stop=None):
    """Return the answers to puzzles that are solved together in this thread, not judged.

    CPU seconds are of this thread. Another thread sets `stop` to end the search early.
    """
    order = _order(grids)
    search, answers = lanes.new_search(order), lanes.new_answers(len(grids), order)
    max_steps = lanes.NO_LIMIT if max_steps is None else max_steps
    now = time.thread_time()
    begin = np.full(lanes.LANES, now)  # the time at which the puzzle of each lane began
    while search.sets[lanes.ACTIVE] and not (stop and stop.is_set()):
        before = search.puzzle.copy()
        lanes.advance(search, grids, answers, limit, max_steps, SLICE)
        if cpu_s is not None:
            begin[search.puzzle != before] = now
            now = time.thread_time()
            is_active = (int(search.sets[lanes.ACTIVE]) >> np.arange(lanes.LANES)) & 1
            for lane in np.flatnonzero(is_active & (now - begin > cpu_s)).tolist():
                lanes.give_up(search, answers, lane)
    return answers


def _order(grids):
    return round(grids.shape[1] ** 0.25)


@cache
def _warm_up(n_cells):
    """Compile the kernels, or load them from the cache."""
    _claims(np.zeros((1, n_cells), np.uint8))


def judge(grids: np.ndarray, answers: Answers) -> None:
    """Set the status of each puzzle in place, without any code of the solver."""
    has_solution = answers.counts > 0
    answers.status[~has_solution & (answers.status != CUT)] = NO_SOLUTION
    is_wrong = has_solution & ~solves(answers.solutions, grids)
    answers.status[is_wrong] = WRONG
    answers.counts[is_wrong] = 0
    answers.solutions[is_wrong] = 0


def solves(solutions: np.ndarray, grids: np.ndarray) -> np.ndarray:
    """Return which solutions keep the givens of their grids and have every value in each unit."""
    order = _order(grids)
    bits = np.left_shift(1, solutions.T, dtype=np.int32)  # a row for each cell, of all grids
    in_units = np.bitwise_or.reduce(bits[units(order)], axis=1)
    keeps_givens = ((grids == 0) | (grids == solutions)).all(axis=1)
    return keeps_givens & (in_units == (2 << order**2) - 2).all(axis=0)


def flaws(puzzles: Batch, grids: Batch) -> list[str | None]:
    """Describe why each grid does not solve its puzzle, as `flaw`; None for each that does."""
    if puzzles.order != grids.order:
        orders = f"order {grids.order}, but its puzzle of order {puzzles.order}"
        raise InputError(f"a grid of {orders}", grids.names[0])
    are_large = puzzles.order > MAX_ORDER
    is_right = np.zeros(len(grids), bool) if are_large else solves(grids.grids, puzzles.grids)
    reasons: list[str | None] = [None] * len(grids)
    for at in np.flatnonzero(~is_right):
        (puzzle,) = puzzles[at : at + 1]
        is_there = grids.grids[at].any()
        reasons[at] = flaw(puzzle, grids.grids[at]) if is_there else "the grid is missing or blank"
    return reasons

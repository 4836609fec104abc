"""Count the solutions of puzzles, and check puzzles and their solutions."""

from __future__ import annotations  # `help` shows the types as they are written here

from collections.abc import Iterable, Iterator
from itertools import chain
from types import EllipsisType
from typing import Any, overload

import numpy as np

from antdoku.answers import ANSWERS, Check, Count, PuzzleCheck, Result
from antdoku.api.arguments import checked_seconds, read_one
from antdoku.budget import Budget
from antdoku.bulk import MOST, Solved, flaws
from antdoku.errors import InputError, check_whole
from antdoku.outcome import EXHAUSTED
from antdoku.puzzle.grid import Puzzle, cell_name, flaw, given_twice
from antdoku.reading.cells import Options
from antdoku.reading.headers import SOLUTIONS
from antdoku.reading.pairs import joined
from antdoku.reading.sources import Source, read, read_parts
from antdoku.runs.run import warm_up
from antdoku.solvers import dlx

TIME_IS_UP = "the time is up"
RUNS = ("puzzle", "solver", "status")  # columns of a table of runs


def count(
    puzzle: Puzzle | Source,
    limit: int = 100,
    timeout: float | None = None,
    *,
    keep: bool = False,
    symbols: str | None = None,
) -> Count:
    """Count the solutions of a puzzle by `dlx`, exactly or up to a limit.

    `count_all` counts the solutions of several puzzles.

    Parameters
    ----------
    puzzle : Puzzle, or what `read` takes
    limit : int
        Stop at this number of solutions.
    timeout : float, optional
        CPU seconds, compilation excluded; none by default.
    keep : bool
        Keep the solutions: `Count.solutions`.
    symbols : str, optional
        As for `read`.

    Raises
    ------
    InputError
        For several puzzles, or a limit that is not positive.

    Examples
    --------
    >>> import antdoku
    >>> antdoku.count("named:sabuncu3")
    27
    >>> antdoku.count("." * 81, limit=10)
    at least 10
    """
    limit, timeout = check_whole("limit", limit, 1, MOST), checked_seconds(timeout)
    only = read_one(puzzle, several="count_all counts several", symbols=symbols)
    return _counted(only, limit, timeout, keep)


def count_all(
    puzzles: Puzzle | Iterable[Puzzle] | Source,
    limit: int = 100,
    timeout: float | None = None,
    *,
    keep: bool = False,
    symbols: str | None = None,
) -> Iterator[Count]:
    """Count the solutions of several puzzles, as `count` does for one; yield the counts.

    Of millions of 9x9 puzzles, `solve_grids` counts the solutions up to a limit.

    Examples
    --------
    >>> import antdoku
    >>> list(antdoku.count_all(["named:sabuncu3", "named:platinumblond"]))
    [27, 1]
    """
    limit, timeout = check_whole("limit", limit, 1, MOST), checked_seconds(timeout)
    puzzles = read(puzzles, symbols=symbols)
    return (_counted(puzzle, limit, timeout, keep) for puzzle in puzzles)


def _counted(puzzle: Puzzle, limit: int, timeout: float | None, keep: bool) -> Count:
    budget = _budget(puzzle, timeout)
    if keep:
        return _listed(puzzle, limit, budget)
    number, in_time = dlx.count(puzzle, limit, budget)
    return Count(number, in_time and number < limit, in_time, None, puzzle)


def _listed(puzzle: Puzzle, limit: int, budget: Budget) -> Count:
    """Stop the search at each solution, and keep it."""
    search = dlx.new_search(puzzle)
    solutions: list[np.ndarray] = []
    in_time = dlx.advance(search, 1, budget)
    while search.counters[dlx.N_SOLUTIONS] > len(solutions):
        solutions.append(search.solution.reshape(puzzle.grid.shape).copy())
        if len(solutions) < limit:
            in_time = dlx.advance(search, len(solutions) + 1, budget)
    is_exact = in_time and len(solutions) < limit
    return Count(len(solutions), is_exact, in_time, solutions, puzzle)


def _budget(puzzle, timeout):
    """Compile `dlx` for a puzzle, and return a budget whose clock starts now."""
    warm_up("dlx", puzzle.order, dlx.Params())
    return Budget(timeout)


@overload
def check(
    puzzle: Puzzle | Source, *, timeout: float | None = ..., symbols: str | None = ...
) -> PuzzleCheck: ...
@overload
def check(
    puzzle: Puzzle | Source,
    grid: Result | Puzzle | Source | None,
    timeout: float | None = ...,
    *,
    symbols: str | None = ...,
) -> Check: ...
def check(
    puzzle: Puzzle | Source,
    grid: Result | Puzzle | Source | EllipsisType | None = ...,
    timeout: float | None = None,
    *,
    symbols: str | None = None,
) -> Check | PuzzleCheck:
    """Check whether a grid is a solution of a puzzle; without a grid, check the puzzle itself.

    `check_all` checks several.

    Parameters
    ----------
    puzzle : Puzzle, or what `read` takes
    grid : Result, solution of a result, or what `read` takes
        The grid, of shape (d, d) or (c,). Without it the puzzle is judged: it is valid if no unit
        has a given twice, unique if it has one solution, and minimal if every given is needed for
        that.
    timeout : float, optional
        CPU seconds for the judgement of a puzzle; none by default.
    symbols : str, optional
        As for `read`, of puzzle and grid.

    Raises
    ------
    InputError
        If the grid cannot be read or is of another order, or its puzzle has a given twice in a
        unit; without a grid, if a solution stands beside the puzzle.

    Examples
    --------
    >>> import antdoku
    >>> puzzle, = antdoku.read("named:platinumblond")
    >>> run = antdoku.solve(puzzle, "dlx")
    >>> antdoku.check(puzzle, run)
    yes, a solution
    >>> run.solution[0, 0] = 1
    >>> antdoku.check(puzzle, run.solution)
    no: the row of r1c1 and r1c8 has 1 twice
    >>> antdoku.check(puzzle)
    valid, unique, minimal
    """
    if grid is ...:
        puzzles = _without_solutions(puzzle, symbols, "check")
        only = read_one(puzzles, several="check_all checks several")
        return _judged(only, checked_seconds(timeout))
    puzzle = read_one(puzzle, several="check_all checks several", symbols=symbols)
    if isinstance(grid, Result):
        return _of_result(puzzle, grid)
    if grid is None:  # the solution of a result that has none
        return Check("there is no grid", puzzle)
    (answer,) = _compared([puzzle], grid, symbols)
    return answer


@overload
def check_all(
    puzzles: Puzzle | Iterable[Puzzle] | Source,
    *,
    timeout: float | None = ...,
    symbols: str | None = ...,
) -> Iterator[PuzzleCheck]: ...
@overload
def check_all(
    puzzles: Puzzle | Iterable[Puzzle] | Source,
    grids: Iterable[Result | Puzzle] | Source,
    timeout: float | None = ...,
    *,
    symbols: str | None = ...,
) -> Iterator[Check]: ...
def check_all(
    puzzles: Puzzle | Iterable[Puzzle] | Source,
    grids: Iterable[Result | Puzzle] | Source | EllipsisType = ...,
    timeout: float | None = None,
    *,
    symbols: str | None = None,
) -> Iterator[Check] | Iterator[PuzzleCheck]:
    """Check several puzzles, or the grids of results or of a source, as `check`.

    Grids are in the order of the puzzles. If results or a source of grids have the same names (ids)
    as the puzzles, they are joined by names. Results and sources of another puzzle are refused.

    Examples
    --------
    >>> import antdoku
    >>> puzzles = antdoku.read("named:soto")
    >>> all(antdoku.check_all(puzzles, antdoku.solve_all(puzzles)))
    True
    """
    if grids is ...:
        timeout = checked_seconds(timeout)
        puzzles = _without_solutions(puzzles, symbols, "check_all")
        return (_judged(puzzle, timeout) for puzzle in puzzles)
    grids = list(grids) if isinstance(grids, Iterator) or type(grids) is tuple else grids
    if not (isinstance(grids, list) and any(isinstance(grid, Result) for grid in grids)):
        return iter(_compared(puzzles, grids, symbols))
    puzzles = read(puzzles, symbols=symbols)
    if len(puzzles) != len(grids):
        raise InputError(f"{len(grids)} grids for {len(puzzles)} puzzles: must be as many")
    return map(check, puzzles, _in_order(grids, puzzles))


def _in_order(grids: list, puzzles: list[Puzzle]) -> list:
    """Return grids in the order of the puzzles that results among them name.

    `InputError` if a result is of another puzzle than the one at its place.
    """
    names = [puzzle.name for puzzle in puzzles]
    by_name = {grid.puzzle.name: grid for grid in grids if isinstance(grid, Result)}
    if by_name.keys() == {*names} and len(by_name) == len(names):
        grids = [by_name[name] for name in names]
    for puzzle, grid in zip(puzzles, grids):
        if isinstance(grid, Result) and grid.puzzle != puzzle:
            text = f"the result of another puzzle than {puzzle.name}"
            remedy = "give the results in the order of the puzzles, or their solutions"
            raise InputError(text, grid.puzzle.name, remedy=remedy)
    return grids


def _of_result(puzzle: Puzzle, result: Result) -> Check:
    """Check the solution of a result, which is read already."""
    if result.solution is None:
        return Check(ANSWERS.get(result.status, result.status), puzzle)
    if result.puzzle.order != puzzle.order:
        orders = f"order {result.puzzle.order}, but its puzzle of order {puzzle.order}"
        raise InputError(f"a grid of {orders}", result.puzzle.name)
    return Check(flaw(puzzle, result.values), puzzle)


def _compared(puzzles: Any, grids: Any, symbols: str | None) -> list[Check]:
    """Check the grids of a source; arrays of answers are from 1."""
    if isinstance(grids, Solved):
        raise InputError("answers of solve_grids in place of grids: give their .solutions")
    columns = {*getattr(grids, "columns", ())}
    if columns >= {*RUNS} and columns.isdisjoint(SOLUTIONS):
        raise InputError("a table of runs has no solutions: give the results of solve_all")
    of_grids = None if isinstance(grids, np.ndarray) else symbols
    parts = read_parts(puzzles, Options(symbols))
    solutions = read_parts(grids, Options(of_grids, False, "solution"))
    checks: list[Check] = []
    for pair in joined(parts, solutions):
        checks += map(Check, flaws(*pair), pair[0])
    return checks


def _without_solutions(source: Any, symbols: str | None, function: str) -> Any:
    """Read a list of puzzles for a function without grids; `InputError` if it gets solutions."""
    if any(isinstance(item, Result) for item in (source if type(source) is list else [source])):
        given = "puzzle, result" if function == "check" else "puzzles, results"
        remedy = f"{function}({given}) checks the solution"
        raise InputError("a result in place of a puzzle", remedy=remedy)
    parts = list(read_parts(source, Options(symbols, rules=False, column="both")))
    if any(part.beside is not None for part in parts):
        alone = "the puzzle alone" if function == "check" else "the puzzles alone"
        remedy = f"{function}(x, x) checks them, {function}(antdoku.read(x)) {alone}"
        raise InputError("solutions stand beside the puzzles", remedy=remedy)
    return list(chain.from_iterable(parts))


def _judged(puzzle: Puzzle, timeout: float | None) -> PuzzleCheck:
    """Judge whether a puzzle is valid, unique and minimal."""
    from antdoku.instances.unique import is_needed

    contradiction = given_twice(puzzle.givens, puzzle.order, puzzle.symbols)
    if contradiction:
        return PuzzleCheck(None, None, contradiction, valid=False, puzzle=puzzle)
    budget = _budget(puzzle, timeout)
    number, in_time = dlx.count(puzzle, 2, budget)
    if not in_time:
        return PuzzleCheck(None, None, TIME_IS_UP, puzzle=puzzle)
    if number != 1:
        note = "there are several solutions" if number else ANSWERS[EXHAUSTED]
        return PuzzleCheck(False, None, note, puzzle=puzzle)
    for cell in np.flatnonzero(puzzle.givens).tolist():
        needed = is_needed(puzzle, cell, budget)
        if not needed:
            note = TIME_IS_UP if needed is None else f"{cell_name(cell, puzzle.size)} can go"
            return PuzzleCheck(True, needed, note, puzzle=puzzle)
    return PuzzleCheck(True, True, puzzle=puzzle)

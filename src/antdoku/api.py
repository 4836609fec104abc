"""The functions for Python users: read, solve, count, check, generate, compare and write puzzles.

An argument called `puzzle` may be a `Puzzle`, or anything that `read` accepts. Bad input raises an
`InputError` of one line. `antdoku.list_solvers()` lists the solvers with their parameters.
"""

from __future__ import annotations  # `help` shows the types as they are written here

import secrets
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, groupby, product
from numbers import Real
from pathlib import Path
from types import EllipsisType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from antdoku import bulk, solvers
from antdoku.answers import ANSWERS, Check, Count, PuzzleCheck, Result
from antdoku.budget import Budget
from antdoku.bulk import read_grids as read_grids
from antdoku.bulk import solve_grids as solve_grids
from antdoku.errors import InputError, as_int, check_whole, naming_extra
from antdoku.files import check_output, write_table
from antdoku.instances.given import instance_table
from antdoku.instances.given import write as write
from antdoku.outcome import EXHAUSTED
from antdoku.progress import Track, tracked
from antdoku.puzzle.cells import Options, Skip
from antdoku.puzzle.forms import ORDER_OF_SIZE, read_integers
from antdoku.puzzle.grid import Puzzle, cell_name, flaw, given_twice
from antdoku.puzzle.pairs import joined
from antdoku.puzzle.reading import Source, keep_apart, read_parts
from antdoku.puzzle.reading import read as read
from antdoku.runs.pool import run_all
from antdoku.runs.run import Call, run_timed, warm_up
from antdoku.solvers import SolverLike, check_takes, dlx
from antdoku.solvers import list_solvers as list_solvers

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from antdoku.report.player import Recording

DEFAULT_TIMEOUT_S = 10.0
TIME_IS_UP = "the time is up"
WATCHED = 5  # the largest order that the player shows
MOST = 2**53  # the largest limit: kernels and readers of JSON hold it exactly
REMEDY = "give one other parameters or its file another name, or name them by a dict"
Params = Mapping[str, float | str]  # values of parameters by name
Limits = tuple[float | None, int | None]  # CPU seconds and steps


# --- Solve ---------------------------------------------------------------------------------------


def solve(
    puzzle: Puzzle | Source,
    solver: SolverLike = "auto",
    *,
    seed: int | None = 1,
    timeout: float | None = None,
    max_steps: int | None = None,
    params: Params | None = None,
    symbols: str | None = None,
) -> Result:
    """Solve one puzzle. `solve_all` solves several.

    Parameters
    ----------
    puzzle : Puzzle, or what `read` takes
    solver : str, path, function or module
        A name of `list_solvers`, also with parameters: ``acs:m=20``. ``auto`` is fast on most
        puzzles of any size, and proves that there is no solution if it can. Or your own solver: a
        file (``./mine.py``), a module or a function ``solve(puzzle, params, rng, budget)``, see
        `antdoku.solver`. It runs in its own process, which is ended at its limit.
    seed : int or None
        The same seed gives the same answer in the same number of steps. For None a seed is drawn,
        and printed on standard error; so in all functions.
    timeout : float, optional
        Limit in CPU seconds; 10 if there is no limit in steps.
    max_steps : int, optional
        Limit in steps of the solver: the same on any machine.
    params : dict, optional
        Parameters of the solver by name: ``{"m": 20}``.
    symbols : str, optional
        As for `read`.

    Returns
    -------
    Result
        The answer, judged.

    Raises
    ------
    InputError
        For several puzzles, an unknown solver or parameter, a value that is not allowed, a puzzle
        of an order that the solver does not take, or an own solver that cannot be loaded.

    Examples
    --------
    >>> import antdoku
    >>> run = antdoku.solve("named:platinumblond", "acs", max_steps=5000, params={"m": 20})
    >>> run.status, run.solution.shape, run.solution[0].tolist()
    ('solved', (9, 9), [8, 3, 9, 4, 6, 5, 7, 1, 2])
    """
    request = _request(solver, params, seed, timeout, max_steps)
    only = _only(puzzle, several="solve_all solves several", symbols=symbols)
    (result,) = _one_by_one([only], *request)
    return result


def solve_all(
    puzzles: Puzzle | Iterable[Puzzle] | Source,
    solver: SolverLike = "auto",
    *,
    seed: int | None = 1,
    timeout: float | None = None,
    max_steps: int | None = None,
    params: Params | None = None,
    jobs: int | None = None,
    track: Track | bool = False,
    symbols: str | None = None,
) -> Iterator[Result]:
    """Solve puzzles one after the other, or in processes that share them.

    Each puzzle and each result is an object, so a list of a million is slow and takes gigabytes.
    `solve_grids` solves a million in seconds.

    Parameters
    ----------
    puzzles : iterable of Puzzle, or what `read` takes
        An iterator is read as the results are taken, unless `symbols` are named.
    solver, seed, timeout, max_steps, params, symbols
        For each puzzle, as for `solve`.
    jobs : int, optional
        Processes that share the puzzles; threads for 9x9 puzzles and ``auto``, which solves them
        together.
    track : bool or callable
        True shows a progress bar on a terminal. A callable gets the results and their number (None
        for an iterator), and yields the results.

    Yields
    ------
    Result
        The results in the order of the puzzles.

    Raises
    ------
    InputError
        As `solve`.

    Examples
    --------
    >>> import antdoku
    >>> sum(run.status == "solved" for run in antdoku.solve_all("named:soto", "dlx"))
    9
    """
    request = _request(solver, params, seed, timeout, max_steps)
    jobs = None if jobs is None else check_whole("jobs", jobs, 1)
    is_lazy = isinstance(puzzles, Iterator) and symbols is None
    puzzles = puzzles if is_lazy else read(puzzles, symbols=symbols)
    total = len(puzzles) if isinstance(puzzles, list) else None
    return iter(tracked(_results(puzzles, *request, jobs), total, track))


def frame(answers: Iterable[Result | Count | Check | PuzzleCheck]) -> pd.DataFrame:
    """Return answers as a table: a row each, with name, puzzle and the keys of `as_dict`.

    Examples
    --------
    >>> import antdoku
    >>> table = antdoku.frame(antdoku.solve_all("named:soto", "dlx"))
    >>> table.groupby("status")["steps"].count().to_dict()
    {'solved': 9}
    """
    with naming_extra():
        import pandas as pd
    rows: list[Any] = list(answers) if isinstance(answers, Iterable) else [None]
    if not all(hasattr(row, "as_dict") for row in rows):
        raise InputError("frame takes a list of answers of solve, count or check: frame([result])")
    puzzles = [{"name": row.puzzle.name, "puzzle": row.puzzle.line} for row in rows]
    return pd.DataFrame([puzzle | row.as_dict() for puzzle, row in zip(puzzles, rows)])


def _drawn(seed: int | None) -> int:
    """Return a seed, checked; for None draw one and print it on standard error."""
    if seed is None:
        seed = secrets.randbelow(10**9)
        print(f"antdoku: seed {seed}", file=sys.stderr)
    return check_whole("seed", seed, 0)


def _request(
    solver: SolverLike,
    params: Params | None,
    seed: int | None,
    timeout: float | None,
    max_steps: int | None,
) -> tuple[str, Any, int, Limits]:
    """Return the name of a solver, its parameters, the seed and the limits, all checked."""
    name, params = solvers.with_parameters(solvers.reference(solver), _checked_params(params))
    values = solvers.make_params(name, params)
    return name, values, _drawn(seed), limits_of(timeout, max_steps)


def _checked_params(params: Any) -> Any:
    if params is not None and not isinstance(params, Mapping):
        raise InputError(f"params {params!r}: must be a dict of values by name: {{'m': 20}}")
    return params or {}


def _results(puzzles, solver, params, seed, limits, jobs):
    for order, group in groupby(puzzles, _order):
        if order in solvers.many_orders(solver):
            yield from bulk.results(group, solver, seed, limits, jobs)
        else:
            yield from _one_by_one(group, solver, params, seed, limits, jobs)


def _order(puzzle):
    if not isinstance(puzzle, Puzzle):
        kind = type(puzzle).__name__
        raise InputError(f"{kind} among the puzzles: must be puzzles, as antdoku.read returns")
    return puzzle.order


def _one_by_one(puzzles, solver, params, seed, limits, jobs=None):
    """Yield the results of runs in the order of the puzzles."""
    calls = enumerate(Call(puzzle, solver, params, seed, *limits) for puzzle in puzzles)
    # The library that `auto` calls keeps its limits, so `auto` needs no process of its own.
    is_here = solver == "auto" and jobs is None
    runs = ((key, run_timed(call)) for key, call in calls) if is_here else run_all(calls, jobs or 1)
    early = {}  # results of later puzzles than the next one
    number = 0
    for key, result in runs:
        early[key] = result
        while number in early:
            yield early.pop(number)
            number += 1


def limits_of(timeout: float | None, max_steps: int | None) -> Limits:
    """Return the limits in CPU seconds and steps; by default 10 s without a limit in steps."""
    seconds = DEFAULT_TIMEOUT_S if timeout is None and max_steps is None else timeout
    steps = None if max_steps is None else check_whole("step limit", max_steps, 1, MOST)
    return _seconds(seconds), steps


def _seconds(timeout):
    if timeout is None:
        return None
    if not isinstance(timeout, Real) or isinstance(timeout, bool):
        raise InputError(f"time limit {timeout!r}: must be a number of seconds")
    Budget(timeout)  # refuses a limit that is not positive
    return float(timeout)


def watch(
    puzzle: Puzzle | Source,
    solver: str = "acs",
    *,
    seed: int | None = 1,
    max_steps: int = 300,
    params: Params | None = None,
) -> Recording:
    """Record a run of ACS, to watch best grid and pheromone, in a notebook or a browser.

    Parameters
    ----------
    puzzle : Puzzle, or what `read` takes
        Up to 25x25. Above 9x9 squares stand for the cells, in place of digits.
    solver : str
        Only ``"acs"``: the player shows its pheromone.
    seed : int
        The run is the same as in ``solve(puzzle, "acs", seed=seed)``.
    max_steps : int
        Limit in iterations.
    params : dict, optional
        Parameters of `acs` by name.

    Returns
    -------
    Recording
        A notebook plays it at the end of a cell; ``save("run.html")`` writes it for a browser.

    Raises
    ------
    InputError
        For a puzzle that is larger or has a contradiction, for another solver, or for a value that
        is not allowed.

    Examples
    --------
    >>> import antdoku
    >>> antdoku.watch("named:aiescargot", seed=19)
    <Recording of 'aiescargot': 27 iterations>
    """
    from antdoku.report.player import Recording
    from antdoku.runs.recording import record

    if solver != "acs":
        remedy = "take acs, and give its parameters by params"
        raise InputError("cannot be watched", f"solver {solver}", remedy=remedy)
    puzzle = _only(puzzle)
    if puzzle.order > WATCHED:
        raise InputError(f"order {puzzle.order}: the player shows puzzles up to 25x25")
    values = solvers.make_params("acs", _checked_params(params))
    steps = check_whole("step limit", max_steps, 1, MOST)
    return Recording(record(puzzle, {"ACS": (values, _drawn(seed))}, steps))


def _only(
    puzzle: Puzzle | Source,
    rules: bool = True,
    column: str = "puzzle",
    several: str = "take one of them",
    symbols: str | None = None,
) -> Puzzle:
    puzzles = read(puzzle, rules=rules, column=column, symbols=symbols)
    if len(puzzles) != 1:
        raise InputError(f"{len(puzzles)} puzzles where one is wanted", remedy=several)
    return puzzles[0]


# --- Count and check -----------------------------------------------------------------------------


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
    limit, timeout = check_whole("limit", limit, 1, MOST), _seconds(timeout)
    only = _only(puzzle, several="count_all counts several", symbols=symbols)
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
    limit, timeout = check_whole("limit", limit, 1, MOST), _seconds(timeout)
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
        puzzles = _without_solutions(puzzle, symbols)
        only = _only(puzzles, rules=False, several="check_all checks several")
        return _judged(only, _seconds(timeout))
    puzzle = _only(puzzle, symbols=symbols)
    if isinstance(grid, Result):
        if grid.solution is None:
            return Check(ANSWERS.get(grid.status, grid.status), puzzle)
        grid = grid.solution
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

    Grids are in the order of the puzzles. If a source of grids has the same names (ids) as the
    puzzles, they are joined by names. A source that names another puzzle is refused.

    Examples
    --------
    >>> import antdoku
    >>> puzzles = antdoku.read("named:soto")
    >>> all(antdoku.check_all(puzzles, antdoku.solve_all(puzzles)))
    True
    """
    if grids is ...:
        timeout = _seconds(timeout)
        puzzles = _without_solutions(puzzles, symbols)
        return (_judged(puzzle, timeout) for puzzle in puzzles)
    grids = list(grids) if isinstance(grids, Iterator) else grids
    if not (isinstance(grids, list) and any(isinstance(grid, Result) for grid in grids)):
        return iter(_compared(puzzles, grids, symbols))
    puzzles = read(puzzles, symbols=symbols)
    if len(puzzles) != len(grids):
        raise InputError(f"{len(grids)} grids for {len(puzzles)} puzzles: must be as many")
    return map(check, puzzles, grids)


def _compared(puzzles: Any, grids: Any, symbols: str | None) -> list[Check]:
    """Check the grids of a source; arrays of answers are from 1."""
    of_grids = None if isinstance(grids, np.ndarray) else symbols
    parts = read_parts(puzzles, Options(symbols))
    solutions = read_parts(grids, Options(of_grids, False, "solution"))
    checks = []
    for pair in joined(parts, solutions):
        for puzzle, grid in zip(*pair):
            if puzzle.order != grid.order:
                orders = f"order {grid.order}, but its puzzle of order {puzzle.order}"
                raise InputError(f"a grid of {orders}", grid.name)
            checks.append(Check(flaw(puzzle, grid.givens), puzzle))
    return checks


def _without_solutions(source: Any, symbols: str | None) -> Any:
    """Read a list of puzzles; `InputError` if solutions stand beside them."""
    parts = list(read_parts(source, Options(symbols, rules=False, column="both")))
    if any(part.beside is not None for part in parts):
        remedy = "check(x, x) checks them, check(antdoku.read(x)) the puzzle alone"
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


# --- Generate and write --------------------------------------------------------------------------


def generate(
    order: int | None = None,
    fixed: float | None = None,
    count: int = 1,
    seed: int | None = 1,
    *,
    size: int | None = None,
    clues: int | None = None,
    source: str = "shuffle",
    deletion: str = "exact",
    base: str = "random",
    unique: bool = False,
    minimal: bool = False,
) -> list[Puzzle]:
    """Generate random puzzles that have a solution.

    Parameters
    ----------
    order : int
        Side of a box, 2 to 10; 3 is the usual Sudoku.
    fixed : float
        Fraction of the cells that are given, 0 to 1; their number is rounded up.
    count : int
        Number of puzzles.
    seed : int or None
        The same seed gives the same puzzles; their names hold it. None draws a seed.
    size : int
        Side of the grid, in place of `order`: 9 is the usual.
    clues : int
        Number of cells that are given, in place of `fixed`.
    source : str
        Solved grids from the ``shuffle`` operators of Lewis 2007, or from a blank grid by ``acs``,
        up to order 8, or by ``search``, which is `tabu_col`.
    deletion : str
        ``exact``: blank an exact number of cells; ``bernoulli``: each with the same probability.
    base : str
        The grid that ``shuffle`` begins with: a ``random`` one for each puzzle, which ``search``
        finds, or always the ``root`` solution of Lewis. Grids from the root are not typical.
    unique : bool
        Only puzzles with exactly one solution, which is proved.
    minimal : bool
        Only unique puzzles of which every given is needed.

    Raises
    ------
    InputError
        If an argument is not allowed, or no such puzzle is found.

    Examples
    --------
    >>> import antdoku
    >>> puzzle, = antdoku.generate(order=2, fixed=0.5, seed=1)
    >>> puzzle.n_givens, antdoku.solve(puzzle, "dlx").status
    (8, 'solved')
    """
    request: dict[str, Any] = {"order": order, "fixed": fixed, "size": size, "clues": clues}
    request |= {"count": count, "seed": seed, "source": source, "deletion": deletion, "base": base}
    rows = generate_rows(**request, unique=unique, minimal=minimal)
    return [read_integers(row["puzzle"], row["instance_id"]) for row in rows]


def generate_rows(*, order, fixed, size, clues, count, seed, deletion, unique, minimal, **sources):
    """Yield rows with `columns.INSTANCE_COLUMNS`, each as soon as its puzzle is made."""
    from antdoku.instances import random
    from antdoku.instances.family import MAX_COUNT, family_name
    from antdoku.instances.unique import generate_unique

    side = ORDER_OF_SIZE.get(size) if order is None else random.check_asked_order(as_int(order))
    for pair in ({"order": order, "size": size}, {"fixed": fixed, "clues": clues}):
        if [*pair.values()].count(None) != 1:
            raise InputError(f"{' or '.join(pair)}: give one of the two")
    if side is None:
        raise InputError(f"size {size!r}: must be one of {', '.join(map(str, ORDER_OF_SIZE))}")
    if clues is not None:
        fixed = check_whole("clues", clues, 0, side**4) / side**4
    count, seed = check_whole("count", count, 1, MAX_COUNT), _drawn(seed)
    if not (unique or minimal):
        rows = random.generate(side, fixed, count, seed, deletion=deletion, **sources)
    elif deletion != "exact":
        raise InputError(f"deletion {deletion!r}: unique puzzles blank an exact number of cells")
    else:
        rows = generate_unique(side, fixed, count, seed, minimal=minimal, **sources)
    kind = "minimal-" if minimal else "unique-" if unique else ""
    givens = family_name(side, fixed) if clues is None else f"order{side}-{clues}clues"
    prefix = f"{kind}{givens}-seed{seed}"  # so tables of several seeds may be joined
    return (row | {"instance_id": f"{prefix}-{n:03d}"} for n, row in enumerate(rows))


# --- Compare -------------------------------------------------------------------------------------


@naming_extra()
def compare(
    puzzles: Puzzle | Iterable[Puzzle] | Source,
    solvers: SolverLike | Iterable[SolverLike] | Mapping[str, SolverLike | dict],
    *,
    timeout: float | None = None,
    max_steps: int | None = None,
    repetitions: int = 1,
    seed: int | None = 1,
    jobs: int = 1,
    output: str | Path | None = None,
    force: bool = False,
    track: Track | bool = False,
    symbols: str | None = None,
    column: str | None = None,
    skip: Skip | None = None,
) -> pd.DataFrame:
    """Run solvers on puzzles: one row a run. `summary` says which is better, `plot` draws it.

    Parameters
    ----------
    puzzles : Puzzle, list of Puzzle, or what `read` takes
        The puzzles of each file are a family.
    solvers : str, path, function or module, a list of these, or a dict
        Solvers, as for `solve`; or variants by name, each a solver, or a dict with the solver and
        parameters, as in the configuration:
        ``{"acs_20_ants": {"solver": "acs", "params": {"m": 20}}}``.
    timeout, max_steps
        Limits of each run, as for `solve`.
    repetitions : int
        Runs of each solver on each puzzle, each with its own seed.
    seed : int
        Root seed.
    jobs : int
        Processes that share the runs.
    output : path, optional
        Path of a new table, .parquet or .csv. Its journal keeps the finished runs. If the call is
        interrupted, the same call continues. If the file has exactly these runs, they are returned.
    force : bool
        Overwrite the file if it exists.
    track : bool or callable
        As for `solve_all`.
    symbols : str, optional
        As for `read`.
    column : str, optional
        The column of puzzles in a table, or their key in JSON.
    skip : callable, optional
        Is called with the error of each puzzle that cannot be read, which is left out. By default
        the first error is raised.

    Returns
    -------
    DataFrame
        Columns `columns.RUN_COLUMNS`, among them instance_id, variant, repetition, status, cpu_s
        and steps; and puzzle, as a text of whole numbers.

    Raises
    ------
    InputError
        For an unknown solver or parameter, a number that is not allowed, a puzzle of an order that
        a solver does not take, two puzzles of one name, or a file that cannot be written.

    Examples
    --------
    >>> import antdoku
    >>> puzzles = antdoku.generate(order=3, fixed=0.4, count=2, seed=1)
    >>> table = antdoku.compare(puzzles, ["acs", "dlx"], max_steps=1000)
    >>> table.groupby("variant")["status"].value_counts().to_dict()
    {('acs', 'solved'): 2, ('dlx', 'solved'): 2}
    """
    import pandas as pd

    from antdoku.instances.family import MAX_COUNT
    from antdoku.runs import job, plan

    if output is not None:
        check_output(output, job.ENDINGS)
        keep_apart(puzzles if isinstance(puzzles, list | tuple) else [puzzles], output)
    limit_s, limit_steps = limits_of(timeout, max_steps)
    limits: dict[str, Any] = {"limit_s": limit_s, "limit_steps": limit_steps}
    limits = {name: limit for name, limit in limits.items() if limit is not None}
    limits["repetitions"] = check_whole("repetitions", repetitions, 1, MAX_COUNT)
    jobs, seed = check_whole("jobs", jobs, 1), _drawn(seed)
    variants = _variants(solvers)
    instances = instance_table(puzzles, Options(symbols, skip=skip, named=column or ""))
    names = {solver for solver, _ in variants.values()}
    for solver, order in product(names, {*instances["order"]}):
        check_takes(solver, order)
    rows = [
        plan.variant_row(name, solver, params, **limits)
        for name, (solver, params) in variants.items()
    ]
    runs = plan.cross(instances, pd.DataFrame(rows), seed)
    if output is not None and not force and Path(output).exists():
        return _finished(output, {*job.tasks(runs, instances)})
    journal = None if output is None else Path(f"{output}.journal")
    finished = job.run_rows(runs, instances, journal, n_processes=jobs)
    table = job.runs_table(tracked(finished, len(runs), track))
    table = table.merge(instances[[*job.INSTANCE, "puzzle"]], on=job.INSTANCE, how="left")
    if output is not None:
        write_table(table, output)
        Path(f"{output}.journal").unlink(missing_ok=True)
    return table


def _finished(output: str | Path, planned: set[str]) -> pd.DataFrame:
    """Return the runs in a file, if they are the planned ones; `InputError` if they are not."""
    from antdoku.columns import RUN_COLUMNS
    from antdoku.runs import job
    from antdoku.tables import read_runs

    with suppress(InputError):
        table = read_runs(output, RUN_COLUMNS | {"puzzle": "str"})
        if planned == {job.identity(row) for row in table.to_dict("records")}:
            return table
    check_output(output, job.ENDINGS, force=False)
    raise AssertionError("the file is gone")


def _variants(chosen):
    """Return solver and parameters by the name of the variant."""
    if not isinstance(chosen, Mapping):
        is_list = isinstance(chosen, list | tuple | set | Iterator)
        texts = list(map(solvers.reference, chosen if is_list else [chosen]))
        names = list(map(solvers.variant_name, texts))
        repeated = {name for name in names if names.count(name) > 1}
        if repeated:
            raise InputError(f"two solvers are called {', '.join(sorted(repeated))}: {REMEDY}")
        chosen = dict(zip(names, texts))
    if not chosen:
        raise InputError("there is no solver to compare: name some of antdoku.list_solvers()")
    return {name: _variant(name, variant) for name, variant in chosen.items()}


def _variant(name, variant):
    if not isinstance(variant, Mapping):
        variant = {"solver": variant}
    if not {"solver"} <= variant.keys() <= {"solver", "params"}:
        keys = ", ".join(variant)
        raise InputError(f"variant {name}: {keys}: must be solver and, if need be, params")
    return solvers.with_parameters(
        solvers.reference(variant["solver"], name), _checked_params(variant.get("params"))
    )


@naming_extra()
def summary(runs: pd.DataFrame | str | Path) -> pd.DataFrame:
    """Rank solvers by the runs of `compare`, or by a file of runs.

    Returns
    -------
    DataFrame
        A row a solver, the best first, by PAR2: the mean time, in which an unsolved run counts as
        twice its limit, or as twice the longest run if there is no limit in seconds. Columns:
        ``label``; ``n`` runs on ``n_instances``, of which are ``solved``, with the 95 % interval of
        the rate (``solved_low``, ``solved_high``); ``median_s`` and ``par2_s`` in CPU seconds, with
        95 % intervals (none for one puzzle); instances ``won`` and ``lost`` against the best, where
        times that differ by no more than they vary are a draw; ``p_value`` of that difference
        (Wilcoxon's signed-rank test, Holm's correction over all pairs of solvers, since the best
        one is chosen from the same runs), whether it is ``decided``, and
        ``instances_needed`` to decide it with a chance of 80 %, if it stays as it is; infinite
        beyond 10,000.

    Raises
    ------
    InputError
        For a table or a file that has no runs, or several limits on one puzzle.

    Examples
    --------
    >>> import antdoku
    >>> puzzles = antdoku.generate(order=3, fixed=0.4, count=10, seed=1)
    >>> runs = antdoku.compare(puzzles, ["acs", "dlx"], timeout=5)
    >>> antdoku.summary(runs)[["label", "n", "solved"]].to_dict("list")["solved"]
    [10, 10]
    """
    from antdoku.tables import comparison

    return comparison.summary(_runs(runs))


@naming_extra("plot")
def plot(runs: pd.DataFrame | str | Path) -> Figure:
    """Draw the share of solved runs against steps and against seconds.

    Parameters
    ----------
    runs : DataFrame or path
        The runs of `compare`, or a file of runs.

    Returns
    -------
    matplotlib.figure.Figure
        Its method `savefig` writes it to a file.

    Raises
    ------
    InputError
        As in `summary`.
    """
    from antdoku.figures import comparison

    return comparison.plot(_runs(runs))


def _runs(runs):
    from antdoku import tables
    from antdoku.columns import RUN_COLUMNS
    from antdoku.tables import comparison

    if isinstance(runs, str | Path):
        table = tables.read_runs(runs, RUN_COLUMNS)
        comparison.check(table, str(runs))
        return table
    comparison.check(runs)
    return runs

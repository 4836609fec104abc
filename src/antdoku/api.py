"""The functions for Python users: read, solve, count, check, generate, compare and write puzzles.

Whatever is called `puzzle` here may be a `Puzzle`, or anything of which `read` makes one. Mistakes
are an `InputError` of one line. `antdoku.list_solvers()` lists the solvers with their parameters.
"""

from __future__ import annotations  # `help` shows the types as they are written here

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, islice, product, tee
from numbers import Real
from operator import attrgetter
from pathlib import Path
from types import EllipsisType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from antdoku import solvers
from antdoku.answers import ANSWERS, Check, Count, PuzzleCheck, Recording, Result
from antdoku.budget import Budget
from antdoku.errors import InputError, check_whole
from antdoku.extras import naming_extra
from antdoku.files import check_output, write_table
from antdoku.instances.table import instance_table
from antdoku.instances.table import write as write
from antdoku.outcome import EXHAUSTED, TIMEOUT
from antdoku.puzzle.forms import ORDER_OF_SIZE, read_integers
from antdoku.puzzle.grid import Puzzle, cell_name, check_order, flaw, given_twice
from antdoku.puzzle.reading import Draft, Grid, Source, keep_apart
from antdoku.puzzle.reading import read as read
from antdoku.runs import batch, compiling
from antdoku.runs.batch import solve_grids as solve_grids
from antdoku.runs.pool import Call, do, run_all
from antdoku.runs.run import Run, warm_up
from antdoku.solvers import Given, check_takes, dlx
from antdoku.solvers import list_solvers as list_solvers

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

DEFAULT_TIMEOUT_S = 10.0
TIME_IS_UP = "the time is up"
WATCHED = 4  # the largest order that the player shows
MOST = 2**53  # of limits: whole numbers that every kernel and reader of JSON knows
REMEDY = "give one other parameters or its file another name, or name them by a dict"
compiling.tell()
Track = Callable[[Iterable, int], Iterable]  # takes rows to come and their number; yields them


# --- Solve ---------------------------------------------------------------------------------------


@overload
def solve(puzzle: Puzzle | Source, solver: Given = ..., **how: Any) -> Result: ...
@overload
def solve(puzzle: list[Puzzle], solver: Given = ..., **how: Any) -> list[Result]: ...
def solve(
    puzzle: Puzzle | Source | list[Puzzle],
    solver: Given = "auto",
    *,
    seed: int = 1,
    timeout: float | None = None,
    max_steps: int | None = None,
    jobs: int | None = None,
    **params: float | str,
) -> Result | list[Result]:
    """Solve a puzzle, or several.

    Parameters
    ----------
    puzzle : Puzzle, list of Puzzle, or what `read` takes
    solver : str, path, function or module
        A name of `list_solvers`; ``auto`` is fast on most puzzles of any size, and proves that
        there is no solution where it can. Or one of your own: a file (``./mine.py``), a module or
        a function ``solve(puzzle, params, rng, budget)``, see `antdoku.solver`. It runs in a
        process of its own, which is ended at its limit.
    seed : int
        The same seed gives the same answer in the same number of steps.
    timeout : float, optional
        Limit in CPU seconds of each puzzle; 10 if there is no limit in steps.
    max_steps : int, optional
        Limit in steps of the solver: the same on any machine.
    jobs : int, optional
        Processes that share several puzzles, or threads where 9x9 puzzles are solved by ``auto``.
    **params
        Parameters of the solver.

    Returns
    -------
    Result, or list of Result
        A list for several puzzles, and for a list of one.

    Raises
    ------
    InputError
        For an unknown solver or parameter, a value that is not allowed, a puzzle of an order that
        the solver does not take, or a solver of your own that cannot be loaded.

    Examples
    --------
    >>> import antdoku
    >>> run = antdoku.solve("named:platinumblond", "acs", seed=1, max_steps=5000, m=20)
    >>> run.status, run.solution.shape, run.solution[0].tolist()
    ('solved', (9, 9), [8, 3, 9, 4, 6, 5, 7, 1, 2])
    """
    how: dict[str, Any] = {"timeout": timeout, "max_steps": max_steps, "jobs": jobs, **params}
    found = list(solve_all(read(puzzle), solver, seed=seed, **how))
    is_list = isinstance(puzzle, list | tuple) and isinstance(puzzle[0], Puzzle)
    return found[0] if len(found) == 1 and not is_list else found


def solve_all(
    puzzles: Iterable[Puzzle],
    solver: Given = "auto",
    *,
    seed: int = 1,
    timeout: float | None = None,
    max_steps: int | None = None,
    jobs: int | None = None,
    **params: float | str,
) -> Iterator[Result]:
    """Solve puzzles, as `solve`, and yield each result when it and those before it are known.

    Those of 9x9 are solved in batches if the solver is ``auto``; their seconds are means.
    """
    name, more = solvers.with_parameters(solvers.reference(solver))
    given = solvers.make_params(name, more | params, ("seed", "timeout", "max_steps", "jobs"))
    how = name, given, _whole("seed", seed, 0)
    limits = limits_of(timeout, max_steps)
    n_jobs = None if jobs is None else _whole("jobs", jobs, 1)
    for order, group in groupby(puzzles, attrgetter("order")):
        if name == "auto" and order == 3:
            done = _in_batches(group, limits, n_jobs)
        else:
            done = _one_by_one(group, (*how, *limits), n_jobs)
        for puzzle, run in done:
            yield _result(puzzle, *how, run)


def _in_batches(puzzles, limits, n_threads):
    """Yield 9x9 puzzles and their runs."""
    while part := list(islice(puzzles, batch.CHUNK)):
        grids = np.array([puzzle.givens for puzzle in part], np.uint8)
        answers, cpu_s, wall_s = batch.timed_answers(grids, batch.Limits(1, *limits), n_threads)
        for puzzle, solution, _, steps, status in zip(part, *answers):
            grid = solution.astype(np.int16) if solution.any() else None
            yield puzzle, Run(str(batch.STATUS[status]), grid, int(steps), cpu_s, wall_s)


def _one_by_one(puzzles, how, jobs):
    """Yield puzzles and their runs, in the order of the puzzles."""
    puzzles, again = tee(puzzles)
    calls = enumerate(Call(puzzle, *how) for puzzle in again)
    # The library that `auto` calls keeps its limits, and so it needs no process of its own.
    is_here = how[0] == "auto" and jobs is None
    runs = ((key, do(call)) for key, call in calls) if is_here else run_all(calls, jobs or 1)
    found: dict[int, Run] = {}
    for number, puzzle in enumerate(puzzles):
        while number not in found:
            found.update([next(runs)])
        yield puzzle, found.pop(number)


def limits_of(timeout: float | None, max_steps: int | None) -> tuple[float | None, int | None]:
    """Limits in seconds and steps; without the clock, one of steps alone is the same to the bit."""
    seconds = DEFAULT_TIMEOUT_S if timeout is None and max_steps is None else timeout
    steps = None if max_steps is None else _whole("step limit", max_steps, 1, MOST)
    return _seconds(seconds), steps


def _seconds(timeout):
    if not isinstance(timeout, Real | None):
        raise InputError(f"time limit {timeout!r}: must be a number of seconds")
    Budget(timeout)  # refuses what is no limit
    return None if timeout is None else float(timeout)


def _whole(name, value, least, most=None):
    """Return a whole number of Python, be it written as 1e5."""
    value = int(value) if isinstance(value, float) and value.is_integer() else value
    check_whole(name, value, least, most)
    return int(value)


def watch(
    puzzle: Puzzle | Source, *, seed: int = 1, max_steps: int = 300, **params: float | str
) -> Recording:
    """Record a run of ACS, to watch ants, pheromone and best value, in a notebook or a browser.

    Parameters
    ----------
    puzzle : Puzzle, or what `read` takes
        Up to 16x16.
    seed : int
        The run is that of ``solve(puzzle, "acs", seed=seed)``.
    max_steps : int
        Iterations at most.
    **params
        Parameters of `acs`.

    Returns
    -------
    Recording
        A notebook plays it at the end of a cell; ``save("run.html")`` writes it for a browser.

    Raises
    ------
    InputError
        For a puzzle that is larger or has a contradiction, or a value that is not allowed.

    Examples
    --------
    >>> import antdoku
    >>> antdoku.watch("named:aiescargot", seed=19)
    <Recording of 'aiescargot': 27 iterations>
    """
    from antdoku.runs.recording import record

    puzzle = _one(puzzle)
    if puzzle.order > WATCHED:
        raise InputError(f"order {puzzle.order}: the player shows puzzles up to 16x16")
    given = solvers.make_params("acs", params)
    steps = _whole("step limit", max_steps, 1, MOST)
    return Recording(record(puzzle, given, _whole("seed", seed, 0), steps))


def _result(puzzle, solver, params, seed, run):
    grid = None if run.solution is None else run.solution.reshape(puzzle.size, puzzle.size)
    measured = run.steps, run.cpu_s, run.wall_s, run.message, run.trace
    return Result(puzzle, solvers.short_name(solver), params, seed, run.status, grid, *measured)


def _one(puzzle: Puzzle | Source, kind: type[Puzzle] = Puzzle) -> Puzzle:
    found = read(puzzle, kind)
    if len(found) != 1:
        raise InputError(f"{len(found)} puzzles where one is wanted: take one, such as puzzles[0]")
    return found[0]


# --- Count and check -----------------------------------------------------------------------------


def count(
    puzzle: Puzzle | Source,
    limit: int = 100,
    timeout: float | None = None,
    *,
    keep: bool = False,
) -> Count:
    """Count the solutions of a puzzle, exactly or up to a limit, in a batch or by `dlx`.

    Parameters
    ----------
    puzzle : Puzzle, or what `read` takes
    limit : int
        Stop at so many solutions.
    timeout : float, optional
        CPU seconds, compilation excluded; none by default.
    keep : bool
        Keep the solutions: `Count.solutions`.

    Raises
    ------
    InputError
        If a limit is not positive.

    Examples
    --------
    >>> import antdoku
    >>> antdoku.count("named:sabuncu3")
    27
    >>> antdoku.count("." * 81, limit=10)
    at least 10
    """
    puzzle, limit, timeout = _one(puzzle), _whole("limit", limit, 1, MOST), _seconds(timeout)
    if keep:
        return _listed(puzzle, limit, timeout)
    if puzzle.order == 3:
        _, (number,), (status,) = batch.solve_grids(puzzle.givens[None], limit, timeout=timeout)
        number, in_time = int(number), status != TIMEOUT
    else:
        number, in_time = dlx.count(puzzle, limit, _budget(puzzle, timeout))
    return Count(number, in_time and number < limit, in_time)


def _listed(puzzle: Puzzle, limit: int, timeout: float | None) -> Count:
    """Stop the search at each solution, and keep it."""
    budget, search = _budget(puzzle, timeout), dlx.new_search(puzzle)
    found: list[np.ndarray] = []
    in_time = dlx.advance(search, 1, budget)
    while search.counters[dlx.FOUND] > len(found):
        found.append(search.solution.reshape(puzzle.grid.shape).copy())
        if len(found) < limit:
            in_time = dlx.advance(search, len(found) + 1, budget)
    return Count(len(found), in_time and len(found) < limit, in_time, found)


def _budget(puzzle, timeout):
    """Begin the time of `dlx` on a puzzle, after its compilation."""
    warm_up("dlx", puzzle.order, dlx.Params())
    return Budget(timeout)


@overload
def check(puzzle: Puzzle | Source, *, timeout: float | None = ...) -> PuzzleCheck: ...
@overload
def check(
    puzzle: Puzzle | Source, grid: EllipsisType, timeout: float | None = ...
) -> PuzzleCheck: ...
@overload
def check(
    puzzle: Puzzle | Source, grid: Result | Puzzle | Source | None, timeout: float | None = ...
) -> Check: ...
def check(
    puzzle: Puzzle | Source,
    grid: Result | Puzzle | Source | EllipsisType | None = ...,
    timeout: float | None = None,
) -> Check | PuzzleCheck:
    """Check whether a grid is a solution of a puzzle; without one, whether the puzzle is proper.

    Parameters
    ----------
    puzzle, grid : Puzzle, or what `read` takes
        The grid may be of shape (d, d) or (c,), a `Result`, or its solution. Without it the puzzle
        is judged: is it valid, which means that no unit has a given twice, is its solution unique,
        and is it minimal, which means that no given can go without another solution?
    timeout : float, optional
        CPU seconds for the judgement of a puzzle; none by default.

    Raises
    ------
    InputError
        If the grid is of another order, or none, or its puzzle has a given twice in a unit.

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
        return _judged(_one(puzzle, Draft), _seconds(timeout))
    puzzle = _one(puzzle)
    if isinstance(grid, Result):
        if grid.solution is None:
            return Check(ANSWERS.get(grid.status, grid.status))
        grid = grid.solution
    if grid is None:  # of a run that solved nothing
        return Check("there is no grid")
    grid = _one(grid, Grid)
    if puzzle.order != grid.order:
        orders = f"order {grid.order}, but its puzzle of order {puzzle.order}"
        raise InputError(f"{grid.name}: a grid of {orders}")
    return Check(flaw(puzzle, grid.givens))


def _judged(puzzle: Puzzle, timeout: float | None) -> PuzzleCheck:
    """Tell whether a puzzle is valid, has one solution, and none of its givens can go."""
    from antdoku.instances.unique import is_needed

    if wrong := given_twice(puzzle.givens, puzzle.order):
        return PuzzleCheck(None, None, wrong, valid=False)
    budget = _budget(puzzle, timeout)
    number, in_time = dlx.count(puzzle, 2, budget)
    if not in_time:
        return PuzzleCheck(None, None, TIME_IS_UP)
    if number != 1:
        note = "there are several solutions" if number else ANSWERS[EXHAUSTED]
        return PuzzleCheck(False, None, note)
    for cell in np.flatnonzero(puzzle.givens).tolist():
        if not (needed := is_needed(puzzle, cell, budget)):
            note = TIME_IS_UP if needed is None else f"{cell_name(cell, puzzle.size)} can go"
            return PuzzleCheck(True, needed, note)
    return PuzzleCheck(True, True)


# --- Generate and write --------------------------------------------------------------------------


def generate(
    order: int | None = None,
    fixed: float | None = None,
    count: int = 1,
    seed: int = 1,
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
    seed : int
        The same seed gives the same puzzles.
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
        What ``shuffle`` begins with: a ``random`` grid for each puzzle, which ``search`` finds, or
        always the ``root`` solution of Lewis. Grids from the root are not typical.
    unique : bool
        Puzzles with exactly one solution, which is proved.
    minimal : bool
        And with no given that could go: each of them is needed for that.

    Raises
    ------
    InputError
        If an argument is not among those allowed, or no such puzzle is found.

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


def generate_rows(
    *,
    order: int | None = None,
    fixed: float | None = None,
    size: int | None = None,
    clues: int | None = None,
    deletion: str = "exact",
    unique: bool = False,
    minimal: bool = False,
    **request: Any,
) -> Iterator[dict]:
    """Yield rows with `columns.INSTANCE_COLUMNS`, each as soon as its puzzle is made."""
    from antdoku.instances import random
    from antdoku.instances.unique import generate_unique

    for pair in ({"order": order, "size": size}, {"fixed": fixed, "clues": clues}):
        if [*pair.values()].count(None) != 1:
            raise InputError(f"{' or '.join(pair)}: give one of the two")
    side = check_order(_order_of(size) if order is None else order)
    if clues is not None:
        check_whole("clues", clues, 0, side**4)
        fixed = clues / side**4
    request |= {"order": side, "fixed": fixed}
    if not (unique or minimal):
        return random.generate(**request, deletion=deletion)
    if deletion != "exact":
        raise InputError(f"deletion {deletion!r}: unique puzzles blank an exact number of cells")
    return generate_unique(**request, minimal=minimal)


def _order_of(size):
    if size not in ORDER_OF_SIZE:
        raise InputError(f"size {size!r}: must be one of {', '.join(map(str, ORDER_OF_SIZE))}")
    return ORDER_OF_SIZE[size]


# --- Compare -------------------------------------------------------------------------------------


@naming_extra()
def compare(
    puzzles: Puzzle | Iterable[Puzzle] | Source,
    solvers: Given | Iterable[Given] | Mapping[str, Given | dict],
    *,
    timeout: float | None = None,
    max_steps: int | None = None,
    repetitions: int = 1,
    seed: int = 1,
    jobs: int = 1,
    output: str | Path | None = None,
    force: bool = False,
    track: Track | None = None,
) -> pd.DataFrame:
    """Run solvers on puzzles: one row a run. `summary` says which is better, `plot` draws it.

    Parameters
    ----------
    puzzles : Puzzle, list of Puzzle, or what `read` takes
    solvers : str, path, function or module, a list of these, or a dict
        Solvers, as for `solve`, also with parameters: ``acs:m=20,q0=0.8``; or variants by name,
        each a solver, or a dict with the solver and parameters, as in the configuration:
        ``{"acs_20_ants": {"solver": "acs", "params": {"m": 20}}}``.
    timeout, max_steps
        Limits of each run, as for `solve`.
    repetitions : int
        Runs of each solver on each puzzle, with seeds of their own.
    seed : int
        Root seed.
    jobs : int
        Processes that share the runs.
    output : path, optional
        Path of a new table, .parquet or .csv. A journal beside it keeps the finished runs. If the
        call is interrupted, the same call continues.
    force : bool
        Overwrite the file if it is there already.
    track : callable, optional
        Called with the rows to come and their number; yields them. For a progress bar.

    Returns
    -------
    DataFrame
        Columns `columns.RUN_COLUMNS`, among them instance_id, variant, repetition, status, cpu_s
        and steps.

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
        check_output(output, job.ENDINGS, force)
        keep_apart([puzzles], output)
    named = zip(("limit_s", "limit_steps"), limits_of(timeout, max_steps))
    limits: dict[str, Any] = {name: limit for name, limit in named if limit is not None}
    limits["repetitions"] = _whole("repetitions", repetitions, 1, MAX_COUNT)
    jobs, seed = _whole("jobs", jobs, 1), _whole("seed", seed, 0)
    if not (variants := _variants(solvers)):
        raise InputError("there is no solver to compare: name some of antdoku.list_solvers()")
    instances = instance_table(puzzles)
    for solver, order in product({each[0] for each in variants.values()}, {*instances["order"]}):
        check_takes(solver, order)
    rows = [plan.variant_row(name, *each, **limits) for name, each in variants.items()]
    runs = plan.cross(instances, pd.DataFrame(rows), seed)
    journal = None if output is None else Path(f"{output}.journal")
    done = job.run_rows(runs, instances, journal, n_processes=jobs)
    table = job.runs_table(track(done, len(runs)) if track else done)
    if output is not None:
        write_table(table, output)
        Path(f"{output}.journal").unlink(missing_ok=True)
    return table


def _variants(chosen):
    """Return solver and parameters by the name of the variant."""
    if not isinstance(chosen, Mapping):
        is_list = isinstance(chosen, list | tuple | set | Iterator)
        texts = list(map(solvers.reference, chosen if is_list else [chosen]))
        names = list(map(solvers.variant_name, texts))
        if twice := {name for name in names if names.count(name) > 1}:
            raise InputError(f"two solvers are called {', '.join(sorted(twice))}: {REMEDY}")
        chosen = dict(zip(names, texts))
    return {name: _variant(name, given) for name, given in chosen.items()}


def _variant(name, given):
    variant = given if isinstance(given, Mapping) else {"solver": given}
    if not {"solver"} <= variant.keys() <= {"solver", "params"}:
        found = ", ".join(variant)
        raise InputError(f"variant {name}: {found}: must be solver and, if need be, params")
    solver, params = solvers.with_parameters(solvers.reference(variant["solver"], name))
    return solver, params | variant.get("params", {})


@naming_extra()
def summary(runs: pd.DataFrame | str | Path) -> pd.DataFrame:
    """Tell which solver is better, from the runs of `compare` or a file of them.

    Returns
    -------
    DataFrame
        A row a solver, the best first, by PAR2: the mean time in which an unsolved run counts as
        twice its limit, or as twice the longest run if there is none in seconds. Columns:
        ``label``; ``n`` runs on ``n_instances``, of which are ``solved``, with the 95 % interval of
        the rate (``solved_low``, ``solved_high``); ``median_s`` and ``par2_s`` in CPU seconds, with
        95 % intervals (none of one puzzle); instances ``won`` and ``lost`` against the best, where
        times that differ by no more than they vary are a draw; ``p_value`` of that difference
        (Wilcoxon's signed-rank test, Holm's correction over all pairs of solvers, since the best
        one is chosen from the same runs), whether it is ``decided``, and
        ``instances_needed`` to decide it, if it stays as it is; infinite beyond 10,000.

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


@naming_extra()
def plot(runs: pd.DataFrame | str | Path) -> Figure:
    """Draw the runs of `compare`, or a file of them: what is solved by steps, and by seconds.

    Returns
    -------
    matplotlib.figure.Figure
        Which has a method `savefig`.
    """
    from antdoku.figures import comparison

    return comparison.plot(_runs(runs))


def _runs(given):
    from antdoku import tables
    from antdoku.columns import RUN_COLUMNS
    from antdoku.tables import comparison

    if isinstance(given, str | Path):
        return tables.read_runs(given, RUN_COLUMNS)
    comparison.check(given)
    return given

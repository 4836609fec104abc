"""Solve puzzles, and watch a run."""

from __future__ import annotations  # `help` shows the types as they are written here

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, Any

from antdoku import bulk, solvers
from antdoku.answers import Check, Count, PuzzleCheck, Result
from antdoku.api.arguments import (
    Params,
    Request,
    checked_params,
    checked_request,
    checked_seed,
    read_one,
)
from antdoku.errors import InputError, check_whole, naming_extra
from antdoku.progress import Track, tracked
from antdoku.puzzle.grid import Puzzle
from antdoku.reading.sources import Source, read
from antdoku.runs.pool import run_all
from antdoku.runs.run import Call, run_timed, text_of_params
from antdoku.solvers import SolverLike

if TYPE_CHECKING:
    import pandas as pd

    from antdoku.report.player import Recording

WATCHED = 5  # the largest order that the player shows


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
    request = checked_request(solver, params, seed, timeout, max_steps)
    only = read_one(puzzle, several="solve_all solves several", symbols=symbols)
    (result,) = _one_by_one([only], request)
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
        An iterator of Puzzle is read as the results are taken, unless `symbols` are named.
    solver, seed, timeout, max_steps, params, symbols
        For each puzzle, as for `solve`.
    jobs : int, optional
        Processes that share the puzzles; threads for 9x9 puzzles and ``auto``, which solves them
        together.
    track : bool or callable
        True shows a progress bar on a terminal, or in a notebook if ipywidgets is installed. A
        callable gets the results and their number (None for an iterator), and yields the results.

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
    request = checked_request(solver, params, seed, timeout, max_steps, jobs)
    if isinstance(puzzles, Iterator) and symbols is None:
        puzzles = _taken(puzzles)
    else:
        puzzles = read(puzzles, symbols=symbols)
    total = len(puzzles) if isinstance(puzzles, list) else None
    return iter(tracked(results(puzzles, request), total, track))


def _taken(items: Iterator) -> Iterator[Puzzle]:
    """Yield the puzzles of an iterator one by one; other items are read all at once."""
    first = list(islice(items, 1))
    are_puzzles = all(isinstance(item, Puzzle) for item in first)
    items = chain(first, items)
    yield from items if are_puzzles else read(items)


def results(puzzles: Iterable[Puzzle], request: Request) -> Iterator[Result]:
    """Yield the results in the order of the puzzles."""
    for order, group in groupby(puzzles, _order):
        if (request.solver, order) == bulk.TOGETHER:
            yield from bulk.results(group, request.seed, request.limits, request.jobs)
        else:
            yield from _one_by_one(group, request)


def _order(puzzle):
    if not isinstance(puzzle, Puzzle):
        kind = type(puzzle).__name__
        raise InputError(f"{kind} among the puzzles: must be puzzles, as antdoku.read returns")
    return puzzle.order


def _one_by_one(puzzles, request):
    """Yield the results of runs in the order of the puzzles."""
    solver, params, seed, limits, jobs = request
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


def frame(answers: Iterable[Result | Count | Check | PuzzleCheck]) -> pd.DataFrame:
    """Return answers as a table: a row each, with name, puzzle and the keys of `as_dict`.

    The parameters of a solver are a text in JSON, as in the table of `compare`. Join the
    two on the column name, which `compare` calls instance_id, not on puzzle, whose text differs.
    Puzzles of one name each keep their row, in their order: before a join give each its own name,
    as `compare` demands. Names have no spaces at their ends: strip those of a table of your own.

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
    table = pd.DataFrame([puzzle | row.as_dict() for puzzle, row in zip(puzzles, rows)])
    if table.empty:
        return pd.DataFrame(columns=["name", "puzzle"])
    if "params" in table:
        table["params"] = table["params"].map(text_of_params, na_action="ignore")
    return table


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
    puzzle = read_one(puzzle)
    if puzzle.order > WATCHED:
        raise InputError(f"order {puzzle.order}: the player shows puzzles up to 25x25")
    values = solvers.make_params("acs", checked_params(params))
    steps = check_whole("step limit", max_steps, 1, bulk.MOST)
    return Recording(record(puzzle, {"ACS": (values, checked_seed(seed))}, steps))

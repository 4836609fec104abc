"""What a Python user calls: read, solve, count, check, generate, compare and write puzzles.

Whatever is called `puzzle` here may be a `Puzzle`, or anything of which `read` makes one. Mistakes
are an `InputError` of one line. `antdoku.solvers()` lists the solvers with their parameters.
"""

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antdoku import solvers
from antdoku.answers import Check, Count, Result
from antdoku.budget import Budget
from antdoku.errors import InputError, check_whole
from antdoku.puzzle.files import Grid, is_table, shown, stem, table_rows
from antdoku.puzzle.forms import format_file, format_integers, read_integers
from antdoku.puzzle.grid import Puzzle, flaw
from antdoku.puzzle.named import PREFIX
from antdoku.puzzle.reading import Source, read
from antdoku.record import hash_of
from antdoku.runs import run
from antdoku.solvers import dlx
from antdoku.sources import fingerprint

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_TIMEOUT_S = 10.0
SOON = range(2, 6)  # orders at which a search finds a solved grid within milliseconds
ENDINGS = (".parquet", ".csv", ".txt")  # of the files that `write` makes
Track = Callable[[Iterable, int], Iterable]  # is given rows to come and their number; yields them


def _untracked(rows, total):
    return rows


# --- Solve ---------------------------------------------------------------------------------------


def solve(
    puzzle: Puzzle | Source,
    solver: str = "auto",
    *,
    seed: int = 1,
    timeout: float | None = None,
    max_steps: int | None = None,
    **params: float | str,
) -> Result:
    """Solve a puzzle.

    Parameters
    ----------
    puzzle : Puzzle, or what `read` takes
    solver : str
        One of `antdoku.solvers`; ``auto`` is fast on most puzzles of any size, and proves that
        there is no solution where it can.
    seed : int
        The same seed gives the same answer in the same number of steps.
    timeout : float, optional
        Limit in CPU seconds; 10 if there is no limit in steps.
    max_steps : int, optional
        Limit in steps of the solver: the same on any machine.
    **params
        Parameters of the solver.

    Raises
    ------
    InputError
        For an unknown solver or parameter, a value that is not allowed, or a puzzle of an order
        that the solver does not take.

    Examples
    --------
    >>> import antdoku
    >>> run = antdoku.solve("named:platinumblond", "acs", seed=1, max_steps=5000, m=20)
    >>> run.status, run.solution.shape, run.solution[0].tolist()
    ('solved', (9, 9), [8, 3, 9, 4, 6, 5, 7, 1, 2])
    """
    _check_seed(seed)
    limits = _limits(timeout, max_steps)
    puzzle, options = _one(puzzle), solvers.make_params(solver, params)
    done = run.run_once(puzzle, solver, options, seed, *limits)
    return _result(puzzle, solver, options, seed, done)


def solve_all(
    puzzles: Iterable[Puzzle],
    solver: str = "auto",
    *,
    seed: int = 1,
    timeout: float | None = None,
    max_steps: int | None = None,
    **params: float | str,
) -> Iterator[Result]:
    """Solve puzzles one by one, as `solve`, in a process of their own that is ended at its limits.

    Yields each result as soon as it is known.
    """
    from antdoku.runs import worker

    options = solvers.make_params(solver, params)
    how = solver, options, seed
    _check_seed(seed)
    limits = _limits(timeout, max_steps)
    calls = ((puzzle, worker.Call(puzzle, *how, *limits)) for puzzle in puzzles)
    for puzzle, done in worker.run_all(calls):
        yield _result(puzzle, *how, done)


def _limits(timeout, max_steps):
    """Limits in seconds and steps; without the clock, one of steps alone is the same to the bit."""
    seconds = DEFAULT_TIMEOUT_S if timeout is None and max_steps is None else timeout
    Budget(seconds, max_steps)  # refuses what is no limit
    return seconds, max_steps


def _check_seed(seed):
    check_whole("seed", seed, 0)


def _result(puzzle, solver, params, seed, done):
    grid = None if done.solution is None else done.solution.reshape(puzzle.size, puzzle.size)
    figures = done.steps, done.cpu_s, done.wall_s, done.message
    return Result(puzzle, solver, params, seed, done.status, grid, *figures)


def _one(puzzle: Puzzle | Source, kind: type[Puzzle] = Puzzle) -> Puzzle:
    if isinstance(puzzle, Puzzle):
        return puzzle
    found = read(puzzle, kind)
    if len(found) != 1:
        raise InputError(f"{len(found)} puzzles where one is wanted: take one of antdoku.read")
    return found[0]


# --- Count and check -----------------------------------------------------------------------------


def count(puzzle: Puzzle | Source, limit: int = 100, timeout: float | None = None) -> Count:
    """Count the solutions of a puzzle, exactly or up to a limit, by `dlx`.

    Parameters
    ----------
    puzzle : Puzzle, or what `read` takes
    limit : int
        Stop at so many solutions.
    timeout : float, optional
        CPU seconds, compilation excluded; none by default.

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
    puzzle = _one(puzzle)
    run.warm_up("dlx", puzzle.order, dlx.Params())  # not in its time
    number, in_time = dlx.count(puzzle, limit, Budget(timeout))
    return Count(number, in_time and number < limit, in_time)


def check(puzzle: Puzzle | Source, grid: Puzzle | Source) -> Check:
    """Check whether a grid is a solution of a puzzle.

    Parameters
    ----------
    puzzle, grid : Puzzle, or what `read` takes
        The grid may be of shape (d, d) or (c,).

    Raises
    ------
    InputError
        If the grid is of another order, or none.

    Examples
    --------
    >>> import antdoku
    >>> puzzle, = antdoku.read("named:platinumblond")
    >>> run = antdoku.solve(puzzle, "dlx")
    >>> antdoku.check(puzzle, run.solution)
    yes, a solution
    >>> run.solution[0, 0] = 1
    >>> antdoku.check(puzzle, run.solution)
    no: the row of r1c1 and r1c8 has 1 twice
    """
    puzzle, grid = _one(puzzle), _one(grid, Grid)
    if puzzle.order != grid.order:
        orders = f"order {grid.order}, but its puzzle of order {puzzle.order}"
        raise InputError(f"{grid.name}: a grid of {orders}")
    return Check(flaw(puzzle, grid.givens))


# --- Generate and write --------------------------------------------------------------------------


def generate(
    order: int,
    fixed: float,
    count: int = 1,
    seed: int = 1,
    *,
    source: str = "shuffle",
    deletion: str = "exact",
    base: str = "random",
    unique: bool = False,
) -> list[Puzzle]:
    """Generate random puzzles that have a solution.

    Parameters
    ----------
    order : int
        n; 3 is the usual Sudoku.
    fixed : float
        Fraction of the cells that are given, 0 to 1.
    count : int
        Number of puzzles.
    seed : int
        The same seed gives the same puzzles.
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
    request: dict[str, Any] = {"order": order, "fixed": fixed, "count": count, "seed": seed}
    request |= {"source": source, "deletion": deletion, "base": base}
    table = generate_table(**request, unique=unique)
    return [read_integers(row.puzzle, row.instance_id) for row in table.itertuples()]


def generate_table(
    *,
    deletion: str = "exact",
    unique: bool = False,
    output: str | Path | None = None,
    track: Track = _untracked,
    **request: Any,
) -> "pd.DataFrame":
    """As `generate`, as a table with solutions and seeds (`record.INSTANCE_COLUMNS`).

    Parameters
    ----------
    output : path, optional
        A file to write it to, as `write` does. Where a puzzle may take long, those made are kept in
        a journal beside it, so that the same call goes on where it was interrupted.
    track : callable
        Called with the rows to come and their number; yields them. For a progress bar.
    """
    from antdoku.instances import random

    if unique and deletion != "exact":
        raise InputError(f"deletion {deletion!r}: unique puzzles blank an exact number of cells")
    make = random.generate_unique if unique else partial(random.generate, deletion=deletion)
    is_slow = unique or (request["order"] not in SOON and request.get("base") != "root")
    journal = _journal(output, request, unique, deletion) if output and is_slow else None

    def make_all(calls):
        return track(_made(calls, journal), request["count"])

    with _resumable(journal):
        table = make(**request, make_all=make_all)
        if output:
            write(table, output)
    return table


def _journal(output, request, unique, deletion):
    """Where the instances of a request are kept, of which there may be any number."""
    parts = {**request, "count": 0}, unique, deletion, fingerprint("instances.random")
    return Path(f"{output}.{hash_of(parts)[:8]}.journal")


def _made(calls, journal):
    """Rows of instances: those in the journal; others are made, and kept in it."""
    from antdoku.runs.job import Journal

    with Journal(journal) as done:
        for name, make in calls:
            if name not in done.rows:
                done.add(name, make())
            yield done.rows[name]


@contextmanager
def _resumable(journal):
    """Remove the journal, if any, when all is done; whoever interrupts is told that it remains."""
    from antdoku.runs import job

    try:
        yield
        if journal:
            journal.unlink()
    except KeyboardInterrupt:
        kept = f"{journal} keeps what is done: the same call resumes"
        raise KeyboardInterrupt(kept if journal else "") from None
    finally:
        if journal:
            job.remove_empty(journal)


def write(puzzles: "Iterable[Puzzle] | pd.DataFrame", path: str | Path) -> None:
    """Write puzzles to a file, complete or not at all.

    Parameters
    ----------
    puzzles : iterable of Puzzle, or DataFrame
        As from `generate`, or from `generate_table` (columns `record.INSTANCE_COLUMNS`).
    path : path
        Ends in .txt (a line each), .csv or .parquet (tables with the columns `instance_id` and
        `puzzle`, at least).

    Raises
    ------
    InputError
        If the file cannot be written, or its name ends otherwise.
    """
    import pandas as pd

    from antdoku.record import whole

    check_output(path, ENDINGS)
    if not isinstance(puzzles, pd.DataFrame):
        puzzles = _instance_table(puzzles)
    with whole(path) as file:
        match Path(path).suffix:
            case ".txt":
                file.write_text(format_file(map(read_integers, puzzles["puzzle"])))
            case ".csv":
                puzzles.to_csv(file, index=False)
            case ".parquet":
                puzzles.to_parquet(file, index=False)


def check_output(path: str | Path, endings: Iterable[str]) -> None:
    """Raise `InputError` for a file that cannot be written, before anything is computed."""
    folder = Path(path).parent
    if Path(path).suffix not in endings:
        raise InputError(f"{path or 'output'}: the name must end in {' or '.join(endings)}")
    if not folder.is_dir():
        raise InputError(f"{path}: there is no folder {folder}")
    if Path(path).is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{path}: cannot be written")


# --- Compare -------------------------------------------------------------------------------------


def compare(
    puzzles: Iterable[Puzzle] | Source,
    solvers: Iterable[str] | Mapping[str, dict],
    *,
    timeout: float | None = None,
    max_steps: int | None = None,
    repetitions: int = 1,
    seed: int = 1,
    jobs: int = 1,
    output: str | Path | None = None,
    force: bool = False,
    track: Track = _untracked,
) -> "pd.DataFrame":
    """Run solvers on puzzles: one row a run.

    Parameters
    ----------
    puzzles : list of Puzzle, or what `read` takes
        The columns `family` and `fixed_fraction` of a file that is a table are kept.
    solvers : list of str, or dict
        Names of solvers; or variants by name, each a dict with the solver and parameters, as in
        the configuration: ``{"acs_20_ants": {"solver": "acs", "params": {"m": 20}}}``.
    timeout, max_steps
        Limits of each run, as for `solve`.
    repetitions : int
        Runs of each solver on each puzzle, with seeds of their own.
    seed : int
        Root seed.
    jobs : int
        Processes that share the runs.
    output : path, optional
        A file to write the table to, .parquet or .csv, with a column `puzzle` more. What is done is
        kept in a journal beside it, so that the same call goes on where it was interrupted. If the
        file is there already, what it holds is not done again.
    force : bool
        Overwrite a file that holds anything else, instead of refusing to.
    track : callable
        Called with the rows to come and their number; yields them. For a progress bar.

    Returns
    -------
    DataFrame
        Columns `record.RUN_COLUMNS`, among them instance_id, variant, repetition, status, cpu_s and
        steps.

    Raises
    ------
    InputError
        For an unknown solver or parameter, a number that is not allowed, a puzzle of an order that
        a solver does not take, two puzzles of one name, or a file with other runs.

    Examples
    --------
    >>> import antdoku
    >>> puzzles = antdoku.generate(order=3, fixed=0.4, count=2, seed=1)
    >>> table = antdoku.compare(puzzles, ["acs", "dlx"], max_steps=1000)
    >>> table.groupby("variant")["status"].value_counts().to_dict()
    {('acs', 'solved'): 2, ('dlx', 'solved'): 2}
    """
    from antdoku.runs import job, results

    if output is not None:
        check_output(output, results.ENDINGS)
    _check_seed(seed)
    check_whole("repetitions", repetitions, 1)
    check_whole("jobs", jobs, 1)
    limits = dict(zip(("limit_s", "limit_steps"), _limits(timeout, max_steps)))
    common: dict[str, Any] = limits | {"repetitions": repetitions, "seed": seed}
    plans = [job.Plan(name, **variant, **common) for name, variant in _variants(solvers).items()]
    instances = _instance_table(puzzles)
    tasks = job.tasks_of(instances, plans)
    done, missing = ([], tasks) if output is None or force else results.split(tasks, output)
    # Another call for the same file has a journal of its own.
    journal = None if output is None else Path(f"{output}.{job.digest(*plans)}.journal")
    with _resumable(journal):
        rows = chain(done, job.run_tasks(missing, journal, n_processes=jobs))
        table = job.runs_table(track(rows, len(tasks)))
        if output is not None:
            results.write(table, instances.set_index("instance_id")["puzzle"], output)
    return table


def _variants(chosen):
    """Solver and parameters by the name of the variant, checked."""
    if not isinstance(chosen, Mapping):
        chosen = {name: {"solver": name} for name in chosen}
    for name, variant in chosen.items():
        if not {"solver"} <= variant.keys() <= {"solver", "params"}:
            found = ", ".join(variant)
            raise InputError(f"variant {name}: {found}: must be solver and, if need be, params")
        solvers.make_params(variant["solver"], variant.get("params", {}))
    return chosen


def _instance_table(puzzles):
    """Instances as a table, from whatever `compare` takes."""
    import pandas as pd

    family, source, facts = "given", "", repeat({})
    if isinstance(puzzles, str | os.PathLike):
        source = shown(puzzles)
        if source.startswith(PREFIX):
            family = "named"
        elif os.path.lexists(puzzles):
            family = stem(puzzles)
            facts = table_rows(puzzles) if is_table(puzzles) else facts
    puzzles = _several(puzzles)
    (name, times), *_ = Counter(puzzle.name for puzzle in puzzles).most_common(1)
    if times > 1:
        place = f"{source}: " if source else ""
        raise InputError(f"{place}{name} stands there twice: each puzzle needs its own name")
    return pd.DataFrame(
        {
            "instance_id": puzzle.name,
            "family": str(known.get("family") or family),
            "order": puzzle.order,
            "fixed_fraction": _fraction(known.get("fixed_fraction"), puzzle),
            "puzzle": format_integers(puzzle),
        }
        for puzzle, known in zip(puzzles, facts)
    )


def _several(puzzles):
    """Puzzles, or what `read` makes of anything else."""
    is_list = isinstance(puzzles, Iterable) and not isinstance(puzzles, str | np.ndarray)
    found = list(puzzles) if is_list else []
    return found if found and all(isinstance(each, Puzzle) for each in found) else read(puzzles)


def _fraction(text, puzzle):
    """The nominal fixed fraction that a table says, else that of the puzzle."""
    try:
        number = puzzle.fixed_fraction if text in (None, "") else float(text)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{puzzle.name}: fixed_fraction {text!r}: must be a number")
    return number

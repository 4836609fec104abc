"""Compare solvers: run them on puzzles, rank them, draw the runs."""

from __future__ import annotations  # `help` shows the types as they are written here

import warnings
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from antdoku import solvers
from antdoku.api.arguments import checked_params, checked_seed, limits_of
from antdoku.api.writing import instance_table
from antdoku.errors import InputError, check_whole, naming_extra, quote
from antdoku.files import check_output, naming, write_table
from antdoku.instances.given import equal_puzzles
from antdoku.outcome import FAILURES
from antdoku.progress import Track, tracked
from antdoku.puzzle.grid import Puzzle
from antdoku.reading.cells import Options, Skip
from antdoku.reading.files import keep_apart
from antdoku.reading.frames import of_arrow
from antdoku.reading.sources import Source
from antdoku.solvers import SolverLike, check_takes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

REMEDY = "give one other parameters or its file another name, or name them by a dict"


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
    force: bool | Literal["changed"] = False,
    track: Track | bool = False,
    symbols: str | None = None,
    column: str | None = None,
    skip: Skip | None = None,
) -> pd.DataFrame:
    """Run solvers on puzzles: one row a run. `summary` says which is better, `plot` draws it.

    Parameters
    ----------
    puzzles : Puzzle, list of Puzzle, or what `read` takes
        The puzzles of each file are a family. A `UserWarning` names equal puzzles.
    solvers : str, path, function or module, a list or array of these, or a dict
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
        Path of a table, .parquet or .csv. Its journal keeps the finished runs. If the call is
        interrupted, the same call continues. Runs that the file has already are not done again: the
        same call returns them, and one with more puzzles, solvers or repetitions adds the others.
        A call with fewer is refused, as is one whose solver has changed.
    force : bool or "changed"
        First drop the journal of an interrupted call, then do all runs, and overwrite the file at
        the end: each call measures anew.
        With ``"changed"`` only runs that this call would do in another way are done again, such as
        those of solvers that have changed, and failed ones. A file or a journal with runs that this
        call does not do is refused.
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
        Columns `columns.RUN_COLUMNS`, among them instance_id, variant, repetition, status, message
        (why a run failed), cpu_s and steps; and puzzle, as a text of whole numbers. Rows are in the
        order of the puzzles, then of the solvers and the repetitions.

    Raises
    ------
    InputError
        For an unknown solver or parameter, a number that is not allowed, a puzzle of an order that
        a solver does not take, two puzzles of one name, a file that cannot be written, or a file
        or journal that has other runs: the message says what differs.

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

    if force not in (True, False, "changed"):
        raise InputError(f"force {force!r}: must be True, False or 'changed'")
    if output is not None:
        check_output(output, job.ENDINGS)
        keep_apart(puzzles if isinstance(puzzles, list | tuple) else [puzzles], output)
    limit_s, limit_steps = limits_of(timeout, max_steps)
    limits: dict[str, Any] = {"limit_s": limit_s, "limit_steps": limit_steps}
    limits = {name: limit for name, limit in limits.items() if limit is not None}
    limits["repetitions"] = check_whole("repetitions", repetitions, 1, MAX_COUNT)
    jobs, seed = check_whole("jobs", jobs, 1), checked_seed(seed)
    variants = _variants(solvers)
    instances = instance_table(puzzles, Options(symbols, skip=skip, named=column or ""))
    names = {solver for solver, _ in variants.values()}
    for solver, order in product(names, {*instances["order"]}):
        check_takes(solver, order)
    if text := equal_puzzles(instances):
        warnings.warn(text, stacklevel=3)  # the line that calls `antdoku.compare`
    rows = [
        plan.variant_row(name, solver, params, **limits)
        for name, (solver, params) in variants.items()
    ]
    table_of_variants = pd.DataFrame(rows)
    runs = plan.cross(instances, table_of_variants, seed)
    planned = job.tasks(runs, instances)
    journal = None if output is None else Path(f"{output}.journal")
    stored = None
    if output is not None and force is not True and Path(output).exists():
        stored = _stored(output, planned, force == "changed")
    missing = planned if stored is None else _without(planned, stored)
    if output is not None and stored is not None and missing:
        _check_columns(output)
    kept: dict[str, dict] = {}
    if journal is not None and force is not True and missing:
        kept = _of_journal(journal, planned, force == "changed")
    tables = [stored.drop(columns="puzzle")] if stored is not None and len(stored) else []
    if missing:
        is_new = force is True
        finished = job.run_tasks(missing, kept, journal, is_new=is_new, n_processes=jobs)
        tables.append(job.runs_table(tracked(finished, len(missing), track)))
    labels = dict(zip(variants, plan.labels(table_of_variants)))
    table = _in_order(pd.concat(tables, ignore_index=True), instances, labels)
    if output is not None and journal is not None and missing:
        write_table(table, output)
        with naming(journal):
            journal.unlink(missing_ok=True)
    return table


def _in_order(table, instances, labels):
    """Return runs with their puzzles and labels, in the order of the puzzles and of `labels`."""
    from antdoku.columns import INSTANCE

    numbered = instances[[*INSTANCE, "puzzle"]].assign(number=range(len(instances)))
    table = table.merge(numbered, on=INSTANCE, how="left")
    variant = table["variant"].map([*labels].index)
    table = table.assign(variant_number=variant, label=table["variant"].map(labels))
    keys = ["number", "variant_number", "repetition"]
    return table.sort_values(keys, ignore_index=True).drop(columns=keys[:2])


def _without(planned, stored):
    """Return the planned runs that are not stored."""
    from antdoku.runs.job import identity

    keys = {identity(row) for row in stored.to_dict("records")}
    return {key: task for key, task in planned.items() if key not in keys}


def _stored(output: str | Path, planned: dict[str, dict], keeps_same: bool) -> pd.DataFrame:
    """Return the runs in a file; `InputError` if others than planned runs are in it.

    If `keeps_same`, runs that failed, or that this call does in another way, are left out.
    """
    import pandas as pd

    from antdoku.columns import RUN_COLUMNS
    from antdoku.runs import job
    from antdoku.runs.differences import differences, only_stored
    from antdoku.tables import read_runs

    try:
        table = read_runs(output, RUN_COLUMNS | {"puzzle": "str"})
    except InputError as error:
        if error.line is None:  # it is no file of runs
            check_output(output, job.ENDINGS, force=False)
        raise
    rows = table.to_dict("records")
    keys = list(map(job.identity, rows))
    if len({*keys}) == len(keys) and {*keys} <= planned.keys() and not keeps_same:
        return table
    only_there = only_stored(table, pd.DataFrame(planned.values()))
    if keeps_same and not only_there:
        is_planned = pd.Series([key in planned for key in keys], table.index, dtype=bool)
        kept = table[is_planned & ~table["status"].isin(FAILURES)]
        return kept[~kept.duplicated(job.RUN_KEY, keep=False)]
    text = f"is there already, with other runs ({differences(rows, planned.values())})"
    remedy = "with --force (in Python force=True)"
    if only_there:
        remedy = f"name another, ask for these runs, too, or overwrite all {remedy}"
    else:
        remedy = (
            "name another, or repeat the runs that differ with --force-changed "
            f'(in Python force="changed"), all {remedy}'
        )
    raise InputError(text, str(output), remedy=remedy)


def _check_columns(output: str | Path) -> None:
    """Raise `InputError` if a file that gets more runs has columns that would be lost."""
    from antdoku.columns import RUN_COLUMNS
    from antdoku.tables import other_columns

    if others := other_columns(output, RUN_COLUMNS | {"puzzle": "str"}):
        text = f"its column {quote(others[0])} would be lost"
        raise InputError(text, str(output), remedy="keep it in a file of its own, or name another")


def _of_journal(journal: Path, planned: dict[str, dict], keeps_same: bool) -> dict[str, dict]:
    """Return the runs in the journal of an interrupted call.

    Raises `InputError` if some are not planned; if `keeps_same` they may be planned in another way.
    """
    import pandas as pd

    from antdoku.runs import job
    from antdoku.runs.differences import differences, only_stored

    kept = job.read_journals([journal])
    others = kept.keys() - planned.keys()
    if others and keeps_same:
        others = only_stored(pd.DataFrame(kept.values()), pd.DataFrame(planned.values()))
    if others:
        differ = differences(kept.values(), planned.values())
        text = f"holds runs of an interrupted call, which this one would drop ({differ})"
        remedy = "repeat that call, name another file, or drop them by --force (force=True)"
        raise InputError(text, str(journal), remedy=remedy)
    return kept


def _variants(chosen):
    """Return solver and parameters by the name of the variant."""
    parts = chosen.split(",") if isinstance(chosen, str) else []
    if len(parts) > 1 and parts[0] in solvers.names():  # the others may be parameters
        raise InputError(f"solvers {chosen!r}: must be a list of names: {parts}")
    if not isinstance(chosen, Mapping):
        is_list = isinstance(chosen, Iterable) and not isinstance(chosen, str)
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
    if not isinstance(name, str) or not name:
        raise InputError(f"variant {name!r}: its name must be a text")
    if not isinstance(variant, Mapping):
        variant = {"solver": variant}
    if not {"solver"} <= variant.keys() <= {"solver", "params"}:
        keys = ", ".join(variant)
        raise InputError(f"variant {name}: {keys}: must be solver and, if need be, params")
    return solvers.with_parameters(
        solvers.reference(variant["solver"], name), checked_params(variant.get("params"))
    )


@naming_extra()
def summary(runs: pd.DataFrame | str | Path) -> pd.DataFrame:
    """Rank solvers by the runs of `compare`, or by a file of runs.

    Puzzles on which not all solvers ran are left out, with a `UserWarning`.

    Returns
    -------
    DataFrame
        A row a solver, the best first, by PAR2: the mean time, in which an unsolved run counts as
        twice its limit, or as twice the longest run if there is no limit in seconds. Columns:
        ``label``; ``n`` runs on ``n_instances``, of which are ``solved``, with the 95 % interval of
        the rate (``solved_low``, ``solved_high``), and on which the solver ``failed``
        (``message`` of the runs says why); ``median_s`` and ``par2_s`` in CPU seconds, with 95 %
        intervals (none for one puzzle); instances ``won`` and ``lost`` against the best, where
        times that differ by no more than they vary are a draw; ``p_value`` of that difference
        (Wilcoxon's signed-rank test, Holm's correction over all pairs of solvers, since the best
        one is chosen from the same runs), whether it is ``decided``, and
        ``instances_needed`` to decide it with a chance of 80 %, if it stays as it is; infinite
        beyond 10,000, and if fewer than five instances are no draw, which is too few to tell.

    Raises
    ------
    InputError
        For a table or a file that has no runs, a run twice, several limits on one puzzle, two
        settings or versions of the code of one name, or no puzzle on which all solvers ran.

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
    """Draw the share of solved runs against steps and against seconds, on puzzles as `summary`.

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
    from antdoku.runs import job
    from antdoku.tables import comparison

    place = str(runs) if isinstance(runs, str | Path) else None
    if place is None:
        table = _with_columns(of_arrow(runs))
    elif not place.lower().endswith(job.ENDINGS):
        raise InputError(f"the name must end in {' or '.join(job.ENDINGS)}", place)
    else:
        try:
            table = tables.read_runs(runs, RUN_COLUMNS | {"puzzle": "str"})
        except InputError:  # runs of the workflow have no column puzzle
            table = tables.read_runs(runs, RUN_COLUMNS)
    return comparison.on_common_puzzles(comparison.checked(table, place), place)


def _with_columns(table):
    """Return a DataFrame of runs whose index, if it names columns of runs, became columns."""
    from antdoku.columns import RUN_COLUMNS

    if not hasattr(table, "columns") or hasattr(table, "ngroups"):  # `groupby`
        text = "must be a table of runs, as compare returns it, or the path of a file of runs"
        raise InputError(text, type(table).__name__)
    levels = [name for name in table.index.names if name in RUN_COLUMNS and name not in table]
    table = table.reset_index(levels).reset_index(drop=True)
    if twice := [*table.columns[table.columns.duplicated()]]:
        raise InputError(f"two columns are called {twice[0]}", "DataFrame", remedy="drop one")
    return table

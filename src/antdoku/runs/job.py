"""A job: the runs of one part of the plan, kept in a journal until all are done.

A line of a journal counts only for the very same run (instance, seed, limits, parameters, sources),
so a journal can stay where it is when anything changes.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pandas as pd

from antdoku.columns import NONE, PLAN_COLUMNS, RUN_COLUMNS
from antdoku.files import atomic_write
from antdoku.kernels.closure import profile
from antdoku.outcome import EXHAUSTED, INVALID, TIMEOUT
from antdoku.puzzle.forms import read_integers
from antdoku.runs.journal import Journal, hash_of, read_journals
from antdoku.runs.pool import MEMORY_MB, Call, bound_memory, peak_memory_mb, run_all
from antdoku.runs.run import Run, describe
from antdoku.solvers import get, make_params, version_of

INSTANCE = ["family", "instance_id"]  # two families may have puzzles of one name
RUN_KEY = [*INSTANCE, "variant", "repetition"]  # of an experiment
ONLY_PLANNED = ["experiment", "work_steps", "reach", "part"]  # columns of a plan that no run has
IDENTITY = [
    *("instance_id", "family", "puzzle", "variant", "solver", "params", "source_hash"),
    *("repetition", "seed", "limit_s", "limit_steps"),
]
MEASURED = ["cpu_s", "setup_s", "wall_s", "n_timed", "spread_s", "steps"]  # of a `run.Run`


def run_part(
    plan: str | Path,
    part: str,
    instances: str | Path,
    journals: str | Path,
    output: str | Path,
    memory_mb: int | None = None,
) -> None:
    """Do the runs of a part of a plan, and write them as a table to `output`.

    Parameters
    ----------
    plan, instances : path
        Parquet files: the plan, and the instances of the part's experiment.
    journals : path
        Folder of the journals of all parts of the experiment. This one writes ``PART.jsonl``, and
        takes what it finds in any: other parts have done its runs if their number has changed.
    memory_mb : int, optional
        Megabytes that this process, and those of other solvers, may allocate; not bounded here if
        it is not given.
    """
    rows = pd.read_parquet(plan, filters=[("part", "==", part)]).astype(PLAN_COLUMNS)
    if memory_mb:
        bound_memory(memory_mb)
    journal, known = Path(journals) / f"{part}.jsonl", read_journals(Path(journals).glob("*.jsonl"))
    done = run_rows(
        rows, pd.read_parquet(instances), journal, known, memory_mb=memory_mb or MEMORY_MB
    )
    table = rows[[*RUN_KEY, *ONLY_PLANNED]].merge(runs_table(done), on=RUN_KEY, validate="1:1")
    table.attrs = {"peak_memory_mb": peak_memory_mb()}
    with atomic_write(output) as file:
        table.to_parquet(file, index=False)


def run_rows(
    plan: pd.DataFrame,
    instances: pd.DataFrame,
    journal: str | Path | None = None,
    known: Mapping[str, dict] | None = None,
    *,
    n_processes: int = 1,
    memory_mb: int = MEMORY_MB,
) -> Iterator[dict]:
    """Do the runs of a plan and yield a row for each, as soon as it is known.

    Parameters
    ----------
    plan : DataFrame
        Columns as `plan.cross` gives them, at least.
    instances : DataFrame
        family, instance_id, puzzle and, where it is known, solution.
    journal : path, optional
        Keeps what is done.
    known : mapping of str to dict
        Rows by `identity` that are not done again.
    """
    waiting = tasks(plan, instances)
    for key in waiting.keys() & (known or {}).keys():
        del waiting[key]
        yield known[key]
    with Journal(journal) as done:
        calls = ((key, call(task)) for key, task in waiting.items())
        for key, run in run_all(calls, n_processes, memory_mb):
            row = _row(waiting[key], run)
            done.add(key, row)
            yield row


def tasks(plan: pd.DataFrame, instances: pd.DataFrame) -> dict[str, dict]:
    """Return, by `identity`, what is known of each run of a plan before it is done.

    The columns of its row, the puzzle, and `reference`: what its solver is called by.
    """
    columns = [*INSTANCE, "puzzle", *(["solution"] if "solution" in instances else [])]
    rows = plan.merge(instances[columns], on=INSTANCE, validate="many_to_one").to_dict("records")
    found = [
        row | {"reference": row["solver"]} | _solver_of(row["solver"], row["params"])[1]
        for row in rows
    ]
    return {identity(task): task for task in found}


def identity(row: Mapping) -> str:
    """Hash all that a run depends on, but for the machine; of a task or of its row.

    The version is not among it: a release alone changes no result, and the source hash tells.
    """
    values = (row[name] for name in IDENTITY)
    return hash_of([None if pd.isna(value) else value for value in values])[:24]


def _solver_of(solver: str, params: str):
    """Return the parameters of a solver, from their JSON, and the columns that describe it."""
    return _described(solver, params, version_of(solver))


@cache
def _described(solver, params, version_of_file):
    made = make_params(solver, json.loads(params))
    return made, describe(solver, made)


def call(task: Mapping) -> Call:
    """Return the arguments of a run, of `tasks`."""
    limit_s = None if pd.isna(task["limit_s"]) else task["limit_s"]
    limit_steps = None if task["limit_steps"] == NONE else task["limit_steps"]
    puzzle = read_integers(task["puzzle"], task["instance_id"])
    params, _ = _solver_of(task["reference"], task["params"])
    how = task["reference"], params, task["seed"], limit_s, limit_steps
    return Call(puzzle, *how, timed=True)


def runs_table(rows: Iterable[dict]) -> pd.DataFrame:
    """Make a runs table (`columns.RUN_COLUMNS`) of rows in any order, sorted."""
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS)).astype(RUN_COLUMNS)
    return table.sort_values(["instance_id", "variant", "repetition"], ignore_index=True)


def _row(task: dict, run: Run) -> dict:
    """Make the row of a run; where the solution is known, it judges, too."""
    status, message = run.status, run.message
    if status == EXHAUSTED and isinstance(task.get("solution"), str):
        status, message = INVALID, "claimed that there is no solution, but one is known"
    if message:
        print(f"{task['instance_id']}, repetition {task['repetition']}: {message}", file=sys.stderr)
    puzzle, params = call(task)[0], _solver_of(task["reference"], task["params"])[0]
    # What the solver's own propagation leaves, if it has one.
    own = getattr(get(task["reference"]), "profile", None)
    initial = own(puzzle, params) if own else profile(puzzle)
    measured = {name: getattr(run, name) for name in MEASURED} | {
        "status": status,
        "limited_by": _limited_by(run, task["limit_steps"]),
        "trivial": initial.trivial,
        "fixed_after_cp": initial.fixed,
        "mean_value_set_size": initial.mean_value_set_size,
    }
    return {name: (task | measured)[name] for name in RUN_COLUMNS}


def _limited_by(run, limit_steps):
    """Name what decides how a run ends: seconds if no steps limit it, or if they came first."""
    if limit_steps == NONE:
        return "seconds"
    return "seconds" if run.status == TIMEOUT and run.steps < limit_steps else "steps"

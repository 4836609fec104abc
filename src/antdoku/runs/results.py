"""The file of runs that a comparison writes, Parquet or CSV by its ending, and can go on with.

It has one column more than other tables of runs, the puzzle: as with a line of a journal, a row
counts for the very same run only (puzzle, seed, limits, parameters, sources).
"""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from antdoku.errors import InputError
from antdoku.outcome import FAILURES
from antdoku.record import RUN_COLUMNS, whole
from antdoku.runs.job import Task, write_runs
from antdoku.runs.run import describe
from antdoku.solvers import make_params

ENDINGS = (".parquet", ".csv")
COLUMNS = {**RUN_COLUMNS, "puzzle": "str"}
IDENTITY = [
    *("instance_id", "family", "puzzle", "variant", "solver", "params", "source_hash"),
    *("repetition", "seed", "limit_s", "limit_steps"),
]


def write(table: pd.DataFrame, puzzles: pd.Series, path: str | Path) -> None:
    """Write runs, complete or not at all; `puzzles` are texts by the name of their instance."""
    table = table.assign(puzzle=table["instance_id"].map(puzzles))
    if Path(path).suffix == ".parquet":
        write_runs(table, path)
    else:
        with whole(path) as file:
            table.to_csv(file, index=False)


def split(tasks: Iterable[Task], path: str | Path) -> tuple[list[dict], list[Task]]:
    """Rows of those of `tasks` that a file holds, if there is one, and the tasks that are left.

    Raises
    ------
    InputError
        If the file holds anything else, which would be lost when it is written anew.
    """
    wanted = {_identity(task): task for task in tasks}
    held = _read(path) if Path(path).exists() else {}
    if others := held.keys() - wanted.keys():
        raise _refusal(path, f"holds {len(others)} runs of another command or version")
    done = [row for row in held.values() if row["status"] not in FAILURES]
    missing = wanted.keys() - {_key(row) for row in done}
    return done, [task for key, task in wanted.items() if key in missing]


def _read(path):
    """Rows of the file, as dicts, by what they are the run of."""
    try:
        if Path(path).suffix == ".parquet":
            table = pd.read_parquet(path, columns=list(COLUMNS)).astype(COLUMNS)
        else:
            empty = {"keep_default_na": False, "na_values": [""]}
            table = pd.read_csv(path, dtype=COLUMNS, usecols=list(COLUMNS), **empty)
    except (OSError, ValueError, TypeError, LookupError):
        raise _refusal(path, "is no file of runs") from None
    return {_key(row): row for row in table.to_dict("records")}


def _refusal(path, reason):
    return InputError(f"{path}: {reason}: name another with -o, or overwrite it with --force")


def _identity(task):
    """What `_key` returns for the row of a task that is done."""
    plan = task.plan
    known = describe(plan.solver, make_params(plan.solver, plan.params))
    own = {"variant": plan.variant, "repetition": task.repetition, "seed": task.seed}
    limits = {
        "limit_s": plan.limit_s,
        "limit_steps": -1 if plan.limit_steps is None else plan.limit_steps,
    }
    return _key(task.instance | known | own | limits)


def _key(row):
    return tuple(None if pd.isna(row[name]) else row[name] for name in IDENTITY)

"""A job: the runs of one part of the plan, kept in a journal until all of them have ended.

A line of a journal is valid for one run only (instance, seed, limits, parameters, sources), so a
journal can stay when the plan changes. Each run is written before the next one starts. A power cut
loses the run that is going on, and finished runs that took less than `SYNC_S` together.
"""

import fcntl
import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from operator import methodcaller
from pathlib import Path

import pandas as pd

from antdoku import solvers
from antdoku.answers import Result
from antdoku.columns import INSTANCE, NONE, PLAN_COLUMNS, RUN_COLUMNS, with_message
from antdoku.errors import InputError
from antdoku.files import naming, write_table
from antdoku.kernels.closure import profile
from antdoku.outcome import FAILURES, TIMEOUT
from antdoku.puzzle.writing import read_integers
from antdoku.runs.pool import run_all
from antdoku.runs.run import Call, columns_of_solver
from antdoku.runs.worker import MEMORY_MB, has_memory_of_parent
from antdoku.solvers import make_params, of_package

TIMINGS, TIMINGS_OF_A_JOB = 10, 10_000  # how often a short run is timed at most, and all of a job
MESSAGES = 3  # of a variant with the same status that a job prints
RUN_KEY = [*INSTANCE, "variant", "repetition"]  # of an experiment
# The version is left out: a release alone changes no result, and changed code changes the hash.
IDENTITY = [
    *("instance_id", "family", "puzzle", "variant", "solver", "params", "source_hash"),
    *("repetition", "seed", "limit_s", "limit_steps"),
]
SYNC_S = 1.0  # seconds after which the next run forces the journal to the disk
ENDINGS = (".parquet", ".csv")  # of a file of runs
# Of a `Result`.
MEASURED = ["cpu_s", "setup_s", "wall_s", "n_timed", "spread_s", "steps", "message"]


def run_part(
    plan: str | Path,
    part: str,
    instances: str | Path,
    journals: str | Path,
    output: str | Path,
    memory_mb: int = MEMORY_MB,
) -> None:
    """Execute the runs of a part of a plan, and write them as a table to `output`.

    `journals` is the folder of the journals of all parts of the experiment.
    """
    rows = pd.read_parquet(plan, filters=[("part", "==", part)]).astype(PLAN_COLUMNS)
    planned = tasks(rows, pd.read_parquet(instances))
    for solver, code in {*zip(rows["solver"], rows["code"])}:
        if hash_of_files(solver) != code:
            text, remedy = "has changed since the workflow began", "repeat the command"
            raise InputError(text, solver, remedy=remedy)
    # Another part may hold runs of this part, if the number of parts has changed.
    kept = read_journals(Path(journals).glob("*.jsonl"))
    runs = run_tasks(planned, kept, Path(journals) / f"{part}.jsonl", memory_mb=memory_mb)
    write_table(runs_table(runs).assign(experiment=rows["experiment"].iloc[0]), output)


def run_rows(
    plan: pd.DataFrame, instances: pd.DataFrame, *, n_processes: int = 1
) -> Iterator[dict]:
    """Execute the runs of a plan and yield the row of each as soon as the run has ended."""
    return run_tasks(tasks(plan, instances), {}, n_processes=n_processes)


def run_tasks(
    tasks: Mapping[str, dict],
    kept: Mapping[str, dict],
    journal: Path | None = None,
    *,
    is_new: bool = False,
    n_processes: int = 1,
    memory_mb: int = MEMORY_MB,
) -> Iterator[dict]:
    """Execute the runs of `tasks` and yield the row of each as soon as the run has ended.

    The rows of runs that are `kept`, from journals, come first. All others are added to `journal`,
    which is emptied before if it `is_new`.
    """
    yield from (kept[key] for key in tasks.keys() & kept.keys())
    timings = max(1, min(TIMINGS, TIMINGS_OF_A_JOB // max(1, len(tasks))))
    waiting = {key: task for key, task in tasks.items() if key not in kept}
    calls = ((key, _call(task, timings)) for key, task in waiting.items())
    n_failures: Counter = Counter()
    with Journal(journal, is_new) if journal else nullcontext() as lines:
        for key, run in run_all(calls, n_processes, memory_mb):
            _check_files(waiting[key]["files"], journal)
            if run.message:
                _print_failure(waiting[key], run, n_failures)
            row = _row(waiting[key], run)
            if lines:
                lines.add(key, row)
            yield row


def _check_files(times: dict[Path, int], journal: Path | None) -> None:
    """Raise `InputError` if a file that runs read has changed since the first one began."""
    now = solvers.times_of(times)
    for file in times:
        if times[file] != now[file]:
            remedy = "repeat the command"
            if journal:
                remedy = (
                    f"{journal.name} keeps the finished runs: {remedy}, with the file as it was"
                )
            raise InputError("has changed during the comparison", str(file), remedy=remedy)


def tasks(plan: pd.DataFrame, instances: pd.DataFrame) -> dict[str, dict]:
    """Return the facts of each run by its `identity`: its rows of the plan and of the instances.

    A task also has the `reference` of its solver, the parameters as `values`, and when the `files`
    that its run reads were last changed. The solver is loaded once, so that all runs are by the
    code of their hash: an edit of its file waits for the next comparison.
    """
    held = {solver: solvers.hold(solver) for solver in {*plan["solver"]}}
    is_forked = has_memory_of_parent()
    files = {
        solver: solvers.times_of(solvers.read_later(held[solver], is_forked)) for solver in held
    }
    descriptions = {}
    for solver, params in {*zip(plan["solver"], plan["params"])}:
        values = make_params(held[solver], json.loads(params))
        facts = {"reference": held[solver], "values": values, "files": files[solver]}
        descriptions[solver, params] = facts | columns_of_solver(solver, values)
    for solver, reference in held.items():
        if solvers.hold(solver) != reference:
            raise InputError("has changed just now", solver, remedy="repeat the command")
    instances = instances.reindex(columns=[*INSTANCE, "puzzle", "solution"])
    rows = plan.merge(instances, on=INSTANCE, validate="many_to_one").to_dict("records")
    described = [row | descriptions[row["solver"], row["params"]] for row in rows]
    return {identity(task): task for task in described}


def identity(row: Mapping) -> str:
    """Hash everything that the run of a task, or of its row, depends on, without the machine."""
    values = (row[name] for name in IDENTITY)
    return hash_of([None if pd.isna(value) else value for value in values])[:24]


def runs_table(rows: Iterable[dict]) -> pd.DataFrame:
    """Make a sorted runs table (`columns.RUN_COLUMNS`) of rows in any order."""
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS)).pipe(with_message).astype(RUN_COLUMNS)
    return table.sort_values(["instance_id", "variant", "repetition"], ignore_index=True)


def _call(task: dict, timings: int) -> Call:
    """Return the run of a task."""
    return Call(
        read_integers(task["puzzle"], task["instance_id"]),
        task["reference"],
        task["values"],
        task["seed"],
        cpu_s=None if pd.isna(task["limit_s"]) else task["limit_s"],
        max_steps=None if task["limit_steps"] == NONE else task["limit_steps"],
        timings=timings,
        is_solvable=isinstance(task["solution"], str),
    )


def _print_failure(task: dict, run: Result, n_failures: Counter) -> None:
    """Print the message of a run to standard error, up to `MESSAGES` of a variant and a status."""
    n_failures[task["variant"], run.status] += 1
    if n_failures[task["variant"], run.status] <= MESSAGES:
        print(f"{task['variant']}, {task['instance_id']}: {run.message}", file=sys.stderr)


def _row(task: dict, run: Result) -> dict:
    """Return the row of a run, with the `columns.RUN_COLUMNS`."""
    # Some solvers have a propagation that differs from the common one.
    profile_of_solver = of_package(task["reference"], "profile", None)
    if profile_of_solver:
        initial = profile_of_solver(run.puzzle, task["values"])
    else:
        initial = profile(run.puzzle)
    # Seconds decide how a run ends if no steps limit it, or if its time is up before its steps.
    is_early = run.status == TIMEOUT and run.steps < task["limit_steps"]
    measured = {name: getattr(run, name) for name in MEASURED} | {
        "status": run.status,
        "limited_by": "seconds" if task["limit_steps"] == NONE or is_early else "steps",
        "trivial": initial.trivial,
        "fixed_after_cp": initial.fixed,
        "mean_value_set_size": initial.mean_value_set_size,
    }
    return {name: (task | measured)[name] for name in RUN_COLUMNS}


class Journal:
    """Rows by key, one line of JSON each, appended to a file that no other process may write."""

    def __init__(self, path: Path, is_new: bool = False):
        self._path, self._is_new = path, is_new
        self._synced = -SYNC_S  # the time of the last `fsync`, in monotonic seconds

    def __enter__(self):
        with naming(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(self._path, "a+b")
            self._lock()
            # A killed process may have left the begin of a line.
            self._file.seek(0)
            self._file.truncate(0 if self._is_new else self._file.read().rfind(b"\n") + 1)
        return self

    def __exit__(self, *_):
        with naming(self._path):  # closing writes the bytes that a full disk has refused before
            self._file.close()

    def add(self, key: str, row: dict) -> None:
        """Append a row; it is on the disk after `SYNC_S` seconds of further runs at the latest."""
        with naming(self._path):
            self._file.write(json_of({"key": key, "row": row}).encode() + b"\n")
            self._file.flush()
            if time.monotonic() - self._synced > SYNC_S:  # `fsync` takes longer than a short run
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()

    def _lock(self):
        """Lock the file until this process ends or closes it; children do not inherit the lock."""
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            self._file.close()
            text, remedy = "another process writes this journal", "wait until it ends, or end it"
            raise InputError(text, str(self._path), remedy=remedy) from None
        except OSError:
            pass  # the file system has no locks


def read_journals(paths: Iterable[Path]) -> dict[str, dict]:
    """Read the rows of journals by key; a path that is no file has none.

    Torn lines are left out. So are failed runs: they run again, as their cause may be gone.
    """
    rows = {}
    files = filter(Path.is_file, paths)
    for line in (line for file in files for line in file.read_bytes().splitlines()):
        with suppress(ValueError, TypeError, KeyError):
            entry = json.loads(line)
            if entry["row"]["status"] not in FAILURES:
                rows[entry["key"]] = entry["row"]
    return rows


def hash_of_files(solver: str) -> str:
    """Hash the files of a user's solver as they are; those of the package have none.

    All versions of Python agree on it: jobs may run in another environment.
    """
    files = filter(Path.exists, solvers.read_later(solver, False))
    contents = (file.read_text("latin-1") for file in files)
    return hash_of([*contents])[:12]


def hash_of(content) -> str:
    """Hash content that JSON can hold: SHA-256 in hexadecimal digits."""
    return hashlib.sha256(json_of(content).encode()).hexdigest()


def json_of(content) -> str:
    """Write content as JSON with sorted keys, and NumPy's numbers as Python's."""
    return json.dumps(content, sort_keys=True, default=methodcaller("item"))

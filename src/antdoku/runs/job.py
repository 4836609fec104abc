"""A job: the runs of one part of the plan, kept in a journal until all are done.

A line of a journal counts only for the very same run (instance, seed, limits, parameters, sources),
so a journal can stay where it is when anything changes. A run is written before the next one
starts: what a computer that loses its power may lose are the runs of the last second.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from operator import methodcaller
from pathlib import Path

import pandas as pd

from antdoku.answers import Result
from antdoku.columns import NONE, PLAN_COLUMNS, RUN_COLUMNS
from antdoku.files import naming, write_table
from antdoku.kernels.closure import profile
from antdoku.outcome import ERROR, EXHAUSTED, FAILURES, INVALID, TIMEOUT
from antdoku.puzzle.forms import read_integers
from antdoku.runs.pool import Call, run_all
from antdoku.runs.run import describe
from antdoku.runs.worker import MEMORY_MB
from antdoku.solvers import get, make_params

TIMINGS, MANY = 10, 10_000  # of a short run at most, and of all of many
INSTANCE = ["family", "instance_id"]  # two families may have puzzles of one name
RUN_KEY = [*INSTANCE, "variant", "repetition"]  # of an experiment
# Of the version nothing depends: a release alone changes no result, and the source hash tells.
IDENTITY = [
    *("instance_id", "family", "puzzle", "variant", "solver", "params", "source_hash"),
    *("repetition", "seed", "limit_s", "limit_steps"),
]
SYNC_S = 1.0  # seconds between two times that a journal is forced to the disk
ENDINGS = (".parquet", ".csv")  # of a file of runs
MEASURED = ["cpu_s", "setup_s", "wall_s", "n_timed", "spread_s", "steps"]  # of a `Result`


def run_part(
    plan: str | Path,
    part: str,
    instances: str | Path,
    journals: str | Path,
    output: str | Path,
    memory_mb: int = MEMORY_MB,
) -> None:
    """Do the runs of a part of a plan, and write them as a table to `output`.

    `journals` is the folder of the journals of all parts of the experiment.
    """
    rows = pd.read_parquet(plan, filters=[("part", "==", part)]).astype(PLAN_COLUMNS)
    journal = Path(journals) / f"{part}.jsonl"
    done = run_rows(rows, pd.read_parquet(instances), journal, memory_mb=memory_mb)
    write_table(runs_table(done).assign(experiment=rows["experiment"].iloc[0]), output)


def run_rows(
    plan: pd.DataFrame,
    instances: pd.DataFrame,
    journal: Path | None = None,
    *,
    n_processes: int = 1,
    memory_mb: int = MEMORY_MB,
) -> Iterator[dict]:
    """Do the runs of a plan and yield a row for each, as soon as it is known.

    Nothing is done again that the journal holds, or another in its folder: the other parts have
    done runs of this one if their number has changed.
    """
    waiting = tasks(plan, instances)
    known = read_journals(journal.parent.glob(f"*{journal.suffix}")) if journal else {}
    for key in waiting.keys() & known.keys():
        del waiting[key]
        yield known[key]
    with Journal(journal) as kept:
        timings = max(1, min(TIMINGS, MANY // max(1, len(plan))))
        begun: dict[str, Call] = {}

        def calls():
            for key, task in waiting.items():
                begun[key] = _call(task, timings)
                yield key, begun[key]

        told: set[tuple] = set()  # what was said of a variant
        for key, run in run_all(calls(), n_processes, memory_mb):
            row = _row(waiting[key], begun.pop(key), run, told)
            if journal:
                kept.add(key, row)
            yield row


def tasks(plan: pd.DataFrame, instances: pd.DataFrame) -> dict[str, dict]:
    """Return what a plan and its instances say of each run, by `identity`."""
    described = {}
    for solver, params in {*zip(plan["solver"], plan["params"])}:
        values = make_params(solver, json.loads(params))
        known = {"reference": solver, "values": values}
        described[solver, params] = known | describe(solver, values)
    instances = instances.reindex(columns=[*INSTANCE, "puzzle", "solution"])
    rows = plan.merge(instances, on=INSTANCE, validate="many_to_one").to_dict("records")
    found = [row | described[row["solver"], row["params"]] for row in rows]
    return {identity(task): task for task in found}


def identity(row: Mapping) -> str:
    """Hash all that a run depends on, but for the machine; of a task or of its row."""
    values = (row[name] for name in IDENTITY)
    return hash_of([None if pd.isna(value) else value for value in values])[:24]


def runs_table(rows: Iterable[dict]) -> pd.DataFrame:
    """Make a runs table (`columns.RUN_COLUMNS`) of rows in any order, sorted."""
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS)).astype(RUN_COLUMNS)
    return table.sort_values(["instance_id", "variant", "repetition"], ignore_index=True)


def _call(task, timings):
    """Return the arguments of a run."""
    limit_s = None if pd.isna(task["limit_s"]) else task["limit_s"]
    limit_steps = None if task["limit_steps"] == NONE else task["limit_steps"]
    puzzle = read_integers(task["puzzle"], task["instance_id"])
    how = task["reference"], task["values"], task["seed"]
    return Call(puzzle, *how, limit_s, limit_steps, timings)


def _row(task: dict, call: Call, run: Result, told: set[tuple]) -> dict:
    """Make the row of a run; where the solution is known, it judges, too."""
    status, message = run.status, run.message
    if status == EXHAUSTED and isinstance(task["solution"], str):
        status, message = INVALID, "claimed that there is no solution, but one is known"
    kind = message.split(": ")[: 1 + (status == ERROR)]  # without what differs between puzzles
    if message and (said := (task["variant"], *kind)) not in told:
        told.add(said)
        print(f"{task['variant']}: {message} (first on {task['instance_id']})", file=sys.stderr)
    # A solver may have a propagation of its own.
    own = getattr(get(call.solver), "profile", None)
    initial = own(call.puzzle, call.params) if own else profile(call.puzzle)
    # Seconds decide how a run ends if no steps limit it, or if they came first.
    is_early = run.status == TIMEOUT and run.steps < task["limit_steps"]
    measured = {name: getattr(run, name) for name in MEASURED} | {
        "status": status,
        "limited_by": "seconds" if task["limit_steps"] == NONE or is_early else "steps",
        "trivial": initial.trivial,
        "fixed_after_cp": initial.fixed,
        "mean_value_set_size": initial.mean_value_set_size,
    }
    return {name: (task | measured)[name] for name in RUN_COLUMNS}


class Journal:
    """Rows by key, one line of JSON each, appended as soon as they are known.

    The file is made with the first row.
    """

    def __init__(self, path: Path | None):
        self._path, self._file, self._synced = path, None, -SYNC_S

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._file:
            with naming(self._path):  # what a full disk has refused is tried once more
                self._file.close()

    def add(self, key: str, row: dict) -> None:
        """Keep a row for good."""
        with naming(self._path):
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = open(self._path, "a+b")
                self._file.seek(0)  # what a kill has left of a last line is cut off
                self._file.truncate(self._file.read().rfind(b"\n") + 1)
            self._file.write(json_of({"key": key, "row": row}).encode() + b"\n")
            self._file.flush()
            if time.monotonic() - self._synced > SYNC_S:  # it takes longer than a short run
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()


def read_journals(paths: Iterable[Path]) -> dict[str, dict]:
    """Read the rows of journals by key.

    Torn lines are left out, and rows of failures: such a run is done again, the cause may be gone.
    """
    rows = {}
    for line in (line for path in paths for line in path.read_bytes().splitlines()):
        with suppress(ValueError, TypeError, KeyError):
            entry = json.loads(line)
            if entry["row"]["status"] not in FAILURES:
                rows[entry["key"]] = entry["row"]
    return rows


def hash_of(content) -> str:
    """Hash what JSON can hold: the same for the same content, as `json_of` writes it."""
    return hashlib.sha256(json_of(content).encode()).hexdigest()


def json_of(content) -> str:
    """Write content as JSON with sorted keys; NumPy's numbers as those of Python."""
    return json.dumps(content, sort_keys=True, default=methodcaller("item"))

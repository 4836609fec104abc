"""One job: runs of all variants on a part of some families, kept in a journal meanwhile.

Variants that are compared run side by side: on an instance one after the other, in an order of its
own, so that whatever slows the machine down for a while slows all of them. A job that is killed
resumes: each run is in the journal, and on disk, before the next one starts. A line counts only for
the very same run (instance, seed, limits, parameters, sources), so that a journal can stay where it
is when anything changes.
"""

import glob
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import chain, product
from operator import attrgetter
from pathlib import Path

import pandas as pd

from antdoku.columns import RUN_COLUMNS
from antdoku.errors import InputError
from antdoku.fileio import atomic_write
from antdoku.hashing import hash_of, seed_of
from antdoku.kernels.closure import profile
from antdoku.outcome import EXHAUSTED, INVALID, TIMEOUT
from antdoku.puzzle.forms import read_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.runs.journal import Journal, rows_of
from antdoku.runs.plans import MAX_RUNS, Plan, most_repetitions
from antdoku.runs.run import describe
from antdoku.runs.worker import MEMORY_MB, Call, peak_memory_mb, run_all
from antdoku.solvers import check_order, get, make_params

SHOWN = ["instance_id", "family", "order", "fixed_fraction"]  # columns of instances, of runs, too
USED = [*SHOWN, "puzzle", "solution"]
IDENTITY = [
    *("instance_id", "family", "puzzle", "variant", "solver", "params", "source_hash"),
    *("repetition", "seed", "limit_s", "limit_steps"),
]
MEASURED = ["cpu_s", "setup_s", "wall_s", "n_timed", "spread_s", "steps"]  # of a `run.Run`


@dataclass(frozen=True)
class Task:
    """One run to do: a plan, an instance (a row of the instance table) and a repetition."""

    plan: Plan
    instance: dict
    repetition: int

    @property
    def puzzle(self) -> Puzzle:
        """What is to be solved."""
        return read_integers(self.instance["puzzle"], self.instance["instance_id"])

    @property
    def params(self):
        """All parameters of the solver."""
        return make_params(self.plan.solver, self.plan.params)

    @property
    def seed(self) -> int:
        """Seed of the run, which depends on no other run."""
        plan, instance = self.plan, self.instance["instance_id"]
        return seed_of(plan.seed, instance, plan.variant, self.repetition)

    @property
    def call(self) -> Call:
        """What a worker is asked to do."""
        plan = self.plan
        how = plan.solver, self.params, self.seed, plan.limit_s, plan.limit_steps
        return Call(self.puzzle, *how, timed=True)

    @property
    def known(self) -> dict:
        """What is known of the run before it is done: columns of its row, and the puzzle."""
        plan = self.plan
        return {
            **{name: self.instance[name] for name in (*SHOWN, "puzzle")},
            "variant": plan.variant,
            **describe(plan.solver, self.params),
            "repetition": self.repetition,
            "seed": self.seed,
            "limit_s": plan.limit_s,
            "limit_steps": -1 if plan.limit_steps is None else plan.limit_steps,
        }


def identity(row: dict) -> str:
    """Hash of all that a run depends on, but for the machine: of `Task.known`, or of its row.

    The version is not among it: a release alone changes no result, and the source hash tells.
    """
    values = (row[name] for name in IDENTITY)
    return hash_of([None if pd.isna(value) else value for value in values])[:24]


def run_job(
    instances: Iterable[str | Path],
    plans: list[Plan],
    journals: str | Path,
    output: str | Path,
    part: int = 0,
    n_parts: int = 1,
    memory_mb: int = MEMORY_MB,
) -> None:
    """Run part `part` (from 0) of `n_parts` of some plans on Parquet files of instances.

    Writes the runs table to `output` at the end; a job whose runs are all in journals only does
    that. `journals` is the stem of the journals of all parts: this one writes
    ``JOURNALS--PART.jsonl``, and takes what it finds in any of them. Other parts wrote them if
    instances have been added since, or the number of parts has changed.
    """
    tasks, n_before = [], 0
    for file in instances:
        table = pd.read_parquet(file, columns=USED)
        tasks += tasks_of(table, plans, (part - n_before) % n_parts, n_parts)
        n_before += len(table) * most_repetitions(plans)
    stem = Path(journals)
    journal = stem.with_name(f"{stem.name}--{part}.jsonl")
    others = set(stem.parent.glob(f"{glob.escape(stem.name)}--*.jsonl")) - {journal}
    rows = run_tasks(tasks, journal, map(rows_of, others), memory_mb=memory_mb)
    write_runs(runs_table(rows), output)


def tasks_of(
    instances: pd.DataFrame, plans: list[Plan], first: int = 0, step: int = 1
) -> list[Task]:
    """Runs of `plans` on every `step`-th pair of an instance and a repetition.

    The runs on a pair stand together, in the order of their seeds, which is another one each time.
    The pairs are all instances for the first time, then all for the second, ...: hard instances
    stand side by side, and parts that are taken like this take equally long.
    """
    share = range(first, len(instances) * most_repetitions(plans), step)
    if share.stop * len(plans) > MAX_RUNS * step:
        each = " x ".join(map(str, [len(instances), most_repetitions(plans), len(plans)]))
        raise InputError(f"{each} runs: at most {MAX_RUNS} at once")
    if len(twice := instances["instance_id"][instances["instance_id"].duplicated()]):
        raise InputError(f"instance {twice.iloc[0]}: stands twice in the table; names must differ")
    for order, plan in product(instances["order"].unique(), plans):
        check_order(plan.solver, int(order))
    rows, tasks = instances.to_dict("records"), []
    for number in share:
        repetition, k = divmod(number, len(rows))
        due = [plan for plan in plans if repetition < plan.repetitions]
        tasks += sorted((Task(plan, rows[k], repetition) for plan in due), key=attrgetter("seed"))
    return tasks


def run_tasks(
    tasks: list[Task],
    journal: str | Path | None = None,
    known: Iterable[dict[str, dict]] = (),
    *,
    n_processes: int = 1,
    memory_mb: int = MEMORY_MB,
) -> Iterator[dict]:
    """Do `tasks`, or take them from a journal, and yield a row for each, as soon as it is known.

    The journal keeps what is done; `known` are rows by `identity` that are not to be done again.
    """
    missing = {identity(task.known): task for task in tasks}
    with Journal(journal) as done:
        for rows in chain([done.rows], known):
            for key in missing.keys() & rows.keys():
                del missing[key]
                yield rows[key]
            if not missing:
                return
        calls = ((key, task.call) for key, task in missing.items())
        for key, run in run_all(calls, n_processes, memory_mb):
            row = _row(missing[key], run)
            done.add(key, row)
            yield row


def runs_table(rows: Iterable[dict]) -> pd.DataFrame:
    """Rows, in any order, as a runs table (`columns.RUN_COLUMNS`), sorted."""
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS)).astype(RUN_COLUMNS)
    return table.sort_values(["instance_id", "variant", "repetition"], ignore_index=True)


def write_runs(table: pd.DataFrame, output: str | Path) -> None:
    """Write a runs table, complete or not at all."""
    table.attrs = {"peak_memory_mb": peak_memory_mb()}
    with atomic_write(output) as file:
        table.to_parquet(file, index=False)


def _row(task, run):
    """Row of a run that is done; where the instance has a solution, it judges, too."""
    plan, puzzle, status, message = task.plan, task.puzzle, run.status, run.message
    if status == EXHAUSTED and isinstance(task.instance.get("solution"), str):
        status, message = INVALID, "claimed that there is no solution, but one is known"
    if message:
        print(f"{puzzle.name}, repetition {task.repetition}: {message}", file=sys.stderr)
    # What the solver's own propagation leaves where it tells, else what the common one does.
    own = getattr(get(plan.solver), "profile", None)
    initial = own(puzzle, task.params) if own else profile(puzzle)
    row = task.known | {
        "status": status,
        "limited_by": _limited_by(run, plan),
        **{name: getattr(run, name) for name in MEASURED},
        "trivial": initial.trivial,
        "fixed_after_cp": initial.fixed,
        "mean_value_set_size": initial.mean_value_set_size,
    }
    del row["puzzle"]  # long, and in the table of instances
    return row


def _limited_by(run, plan):
    """What decides how a run ends: seconds if no steps limit it, or if they came first."""
    if plan.limit_steps is None:
        return "seconds"
    return "seconds" if run.status == TIMEOUT and run.steps < plan.limit_steps else "steps"


def digest(*plans: Plan) -> str:
    """Short name of some plans, the same for any number of repetitions."""
    parts = [asdict(replace(plan, repetitions=0)) for plan in plans]
    return hash_of(parts)[:8]

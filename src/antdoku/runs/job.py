"""One job: runs of all variants on a part of some families, kept in a journal meanwhile.

Variants that are compared run side by side: on an instance one after the other, in an order of its
own, so that whatever slows the machine down for a while slows all of them. A job that is killed
resumes: each run is appended to the journal, and on disk, before the next
one starts. A line counts only for the very same run (instance, seed, limits, parameters, sources),
so that a journal can stay where it is when anything changes.
"""

import glob
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, product
from pathlib import Path

import pandas as pd

from antdoku.errors import InputError
from antdoku.kernels.closure import profile
from antdoku.outcome import EXHAUSTED, FAILURES, INVALID, TIMEOUT
from antdoku.puzzle.forms import read_integers
from antdoku.record import RUN_COLUMNS, hash_of, json_of, naming, seed_of, whole
from antdoku.runs.processes import hold
from antdoku.runs.run import describe
from antdoku.runs.worker import MEMORY_MB, Call, peak_memory_mb, run_all
from antdoku.solvers import check_order, get, make_params

MAX_RUNS = 10_000_000  # more would not fit into memory
SHOWN = ["instance_id", "family", "order", "fixed_fraction"]  # columns of instances, of runs, too
USED = [*SHOWN, "puzzle", "solution"]
MEASURED = ["cpu_s", "setup_s", "wall_s", "n_timed", "spread_s", "steps"]  # of a `run.Run`


@dataclass(frozen=True)
class Plan:
    """What is run on each instance.

    Parameters
    ----------
    variant : str
        Name under which the runs stand in the tables.
    solver : str
        Name of the solver file.
    params : dict
        Parameters that differ from the defaults.
    repetitions : int
        Runs per instance.
    seed : int
        Root seed.
    limit_s : float, optional
        CPU seconds a run.
    limit_steps : int, optional
        Steps a run.
    """

    variant: str
    solver: str
    params: dict = field(default_factory=dict)
    repetitions: int = 1
    seed: int = 0
    limit_s: float | None = None
    limit_steps: int | None = None


@dataclass(frozen=True)
class Task:
    """One run to do: a plan, an instance (a row of the instance table) and a repetition."""

    plan: Plan
    instance: dict
    repetition: int

    @property
    def seed(self) -> int:
        """Seed of the run, which depends on no other run."""
        plan, instance = self.plan, self.instance["instance_id"]
        return seed_of(plan.seed, instance, plan.variant, self.repetition)


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

    Writes the runs table to `output` at the end, under a temporary name first. A job whose runs are
    all in journals only writes the table. The runs are done by a worker with `memory_mb` megabytes.

    Parameters
    ----------
    journals : path
        Stem of the journals of all parts: this one writes ``JOURNALS--PART.jsonl``, and takes what
        it finds in any of them. They were written by other parts if instances have been added
        since, or the number of parts has changed.

    Raises
    ------
    InputError
        If a plan names an unknown solver or parameter.
    """
    tasks, n_before = [], 0
    for file in instances:
        table = pd.read_parquet(file, columns=USED)
        tasks += tasks_of(table, plans, (part - n_before) % n_parts, n_parts)
        n_before += len(table) * most_repetitions(plans)
    stem = Path(journals)
    journal = stem.with_name(f"{stem.name}--{part}.jsonl")
    others = set(stem.parent.glob(f"{glob.escape(stem.name)}--*.jsonl")) - {journal}
    rows = run_tasks(tasks, journal, others=others, memory_mb=memory_mb)
    write_runs(runs_table(rows), output)


def tasks_of(
    instances: pd.DataFrame, plans: list[Plan], first: int = 0, step: int = 1
) -> list[Task]:
    """Runs of `plans` on every `step`-th pair of an instance and a repetition.

    The runs on a pair stand together, in the order of their seeds, which is another one each time.
    The pairs are all instances for the first time, then all for the second, ...: hard instances
    stand side by side, and parts that are taken like this take equally long.

    Raises
    ------
    InputError
        If two instances have the same name, a solver does not take the order of one, or there are
        more than `MAX_RUNS` runs.
    """
    share = range(first, len(instances) * most_repetitions(plans), step)
    if share.stop * len(plans) > MAX_RUNS * step:
        each = " x ".join(map(str, [len(instances), most_repetitions(plans), len(plans)]))
        raise InputError(f"{each} runs: at most {MAX_RUNS} at once")
    repeated = instances["instance_id"][instances["instance_id"].duplicated()]
    if len(repeated):
        raise InputError(
            f"instance {repeated.iloc[0]}: stands twice in the table; names must differ"
        )
    for order, plan in product(instances["order"].unique(), plans):
        check_order(plan.solver, int(order))
    numbers = sorted({number % len(instances) for number in share})
    rows = dict(zip(numbers, instances.iloc[numbers].to_dict("records")))
    pairs = (reversed(divmod(number, len(instances))) for number in share)
    return [task for k, repetition in pairs for task in _side_by_side(plans, rows[k], repetition)]


def most_repetitions(plans: Iterable[Plan]) -> int:
    """Repetitions of the plan that has most."""
    return max(plan.repetitions for plan in plans)


def _side_by_side(plans, instance, repetition):
    tasks = [Task(plan, instance, repetition) for plan in plans if repetition < plan.repetitions]
    return sorted(tasks, key=lambda task: task.seed)


def run_tasks(
    tasks: list[Task],
    journal: str | Path | None = None,
    *,
    others: Iterable[str | Path] = (),
    n_processes: int = 1,
    memory_mb: int = MEMORY_MB,
) -> Iterator[dict]:
    """Do `tasks`, or take them from the journal, and yield a row for each, as soon as it is known.

    Parameters
    ----------
    journal : path, optional
        File that keeps the rows done so far; made if missing.
    others : iterable of path
        Journals that may have more of them.
    n_processes : int
        Processes that share the tasks.
    memory_mb : int
        Megabytes of data that each may allocate.

    Raises
    ------
    InputError
        If another process is at work on the same journal.
    """
    missing = {_key(task): task for task in tasks}
    with Journal(journal) as done:
        for rows in chain([done.rows], map(_rows_of, others)):
            for key in [key for key in missing if key in rows]:
                del missing[key]
                yield rows[key]
            if not missing:
                return
        for key, run in run_all(_calls(missing), n_processes, memory_mb):
            row = _row(missing[key], run)
            done.add(key, row)
            yield row


def runs_table(rows: Iterable[dict]) -> pd.DataFrame:
    """Rows, in any order, as a runs table (`record.RUN_COLUMNS`), sorted."""
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS)).astype(RUN_COLUMNS)
    return table.sort_values(["instance_id", "variant", "repetition"], ignore_index=True)


def write_runs(table: pd.DataFrame, output: str | Path) -> None:
    """Write a runs table, complete or not at all."""
    table.attrs = {"peak_memory_mb": peak_memory_mb()}
    with whole(output) as file:
        table.to_parquet(file, index=False)


class Journal:
    """Rows that are done, one line of JSON each, on disk as soon as they are known.

    A last line that was torn by a kill is cut off. Runs that failed (`outcome.FAILURES`) are not
    taken from it: the cause may be gone. Without a path nothing is kept. One process at a time has
    a journal; the system releases the file of one that is killed.
    """

    def __init__(self, path: str | Path | None):
        self.rows: dict[str, dict] = {}
        self._path, self._file = path, None
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._file = open(path, "a+b")
            if hold(self._file) is False:
                raise InputError(f"{path}: another process is at work on it")

    def __enter__(self):
        if self._file:
            self._file.seek(0)
            lines = _complete_lines(self._file)
            self._file.truncate(sum(map(len, lines)))
            self.rows = _entries(lines)
        return self

    def __exit__(self, *_):
        if self._file:
            with naming(self._path):  # what a full disk has refused is tried once more
                self._file.close()

    def add(self, key: str, row: dict) -> None:
        """Keep `row` under `key`, for good."""
        self.rows[key] = row
        if self._file:
            with naming(self._path):
                self._file.write(json_of({"key": key, "row": row}).encode() + b"\n")
                self._file.flush()
                os.fsync(self._file.fileno())


def remove_empty(journal: str | Path) -> None:
    """Remove a journal in which there is nothing, unless another process is at work on it."""
    with suppress(FileNotFoundError), open(journal, "r+b") as file:
        if hold(file) is not False and not os.fstat(file.fileno()).st_size:
            os.unlink(journal)


def _rows_of(journal):
    """Rows by key of a journal that another process may be writing."""
    with open(journal, "rb") as file:
        return _entries(_complete_lines(file))


def _complete_lines(file):
    """Lines of a journal without a last one that has no end."""
    lines = file.readlines()
    return lines if not lines or lines[-1].endswith(b"\n") else lines[:-1]


def _entries(lines):
    return dict(filter(None, map(read_entry, lines)))


def read_entry(line: bytes) -> tuple[str, dict] | None:
    """Key and row of a line of a journal; None if that run is to be done again."""
    try:
        entry = json.loads(line)
        usable = entry["row"].get("status") not in FAILURES
        return (entry["key"], entry["row"]) if usable else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _calls(tasks):
    """Key and call of each of `tasks` (by key)."""
    for key, task in tasks.items():
        plan, puzzle = task.plan, _puzzle(task.instance)
        how = plan.solver, make_params(plan.solver, plan.params), task.seed
        yield key, Call(puzzle, *how, plan.limit_s, plan.limit_steps, timed=True)


def _row(task, run):
    """Row of a run that is done."""
    plan, puzzle = task.plan, _puzzle(task.instance)
    status, message = _verdict(run, task.instance)
    if message:
        print(f"{puzzle.name}, repetition {task.repetition}: {message}", file=sys.stderr)
    initial = _profile(plan, puzzle)
    return {
        **{name: task.instance[name] for name in SHOWN},
        "variant": plan.variant,
        **describe(plan.solver, make_params(plan.solver, plan.params)),
        "repetition": task.repetition,
        "seed": task.seed,
        "limit_s": plan.limit_s,
        "limit_steps": -1 if plan.limit_steps is None else plan.limit_steps,
        "status": status,
        "limited_by": _limited_by(run, plan),
        **{name: getattr(run, name) for name in MEASURED},
        "trivial": initial.trivial,
        "fixed_after_cp": initial.fixed,
        "mean_value_set_size": initial.mean_value_set_size,
    }


def _profile(plan, puzzle):
    """What the solver's own propagation leaves where it tells, else what the common one does."""
    own = getattr(get(plan.solver), "profile", None)
    return own(puzzle, make_params(plan.solver, plan.params)) if own else profile(puzzle)


def _limited_by(run, plan):
    """What decides how a run ends: seconds if no steps limit it, or if they came first."""
    if plan.limit_steps is None:
        return "seconds"
    return "seconds" if run.status == TIMEOUT and run.steps < plan.limit_steps else "steps"


def _verdict(run, instance):
    """Status and message of a run, judged by the solution of its instance where one is known."""
    if run.status == EXHAUSTED and isinstance(instance.get("solution"), str):
        return INVALID, "claimed that there is no solution, but one is known"
    return run.status, run.message


def _puzzle(instance):
    return read_integers(instance["puzzle"], instance["instance_id"])


def digest(*plans: Plan) -> str:
    """Short name of some plans, the same for any number of repetitions."""
    parts = [asdict(replace(plan, repetitions=0)) for plan in plans]
    return hash_of(parts)[:8]


def _key(task):
    """Identity of a run: all that its row depends on, but for the machine."""
    plan = task.plan
    known = describe(plan.solver, make_params(plan.solver, plan.params))
    del known["version"]  # a release alone changes no result: the source hash tells
    identity = {
        "plan": digest(plan),
        **known,
        "instance": [task.instance[name] for name in ("instance_id", "family", "puzzle")],
        "repetition": task.repetition,
    }
    return hash_of(identity)[:24]

"""Jobs: the journal, resuming, tables that do not depend on how the work was shared out."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace

import pandas as pd
import pytest
from attrs import asdict
from conftest import wait_for

from antdoku import columns
from antdoku.errors import InputError
from antdoku.instances import random
from antdoku.outcome import ERROR, EXHAUSTED, INVALID, SOLVED, STATUSES, TIMEOUT
from antdoku.runs import job, worker
from antdoku.runs.run import Run
from antdoku.solvers import make_params

TIMES = ["cpu_s", "setup_s", "wall_s", "n_timed", "spread_s"]
PLAN = job.Plan("acs_fast", "acs", {"m": 5}, repetitions=3, seed=4, limit_steps=50)


@pytest.fixture
def family(tmp_path):
    random.generate(3, 0.35, 6, 1).to_parquet(tmp_path / "family.parquet")
    return tmp_path / "family.parquet"


def run_part(folder, family, part=0, n_parts=1, plan=PLAN):
    output = folder / f"runs-{part}of{n_parts}.parquet"
    job.run_job([family], [plan], folder / "acs", output, part, n_parts)
    return pd.read_parquet(output)


def test_a_row_for_each_run_in_the_documented_columns(tmp_path, family):
    rows = run_part(tmp_path, family)
    assert list(rows.columns) == list(columns.RUN_COLUMNS)
    assert {name: str(dtype) for name, dtype in rows.dtypes.items()} == columns.RUN_COLUMNS
    assert len(rows) == 18 and not rows.duplicated(["instance_id", "repetition"]).any()
    assert set(rows["status"]) <= set(STATUSES)
    assert rows["seed"].is_unique
    assert json.loads(rows["params"][0]) == asdict(make_params("acs", {"m": 5}))
    assert (rows["limit_steps"] == 50).all() and rows["limit_s"].isna().all()


def test_parts_make_up_the_whole(tmp_path, family):
    whole = run_part(tmp_path, family)
    (tmp_path / "acs--0.jsonl").unlink()
    parts = pd.concat([run_part(tmp_path, family, part, 4) for part in range(4)])
    keys = ["instance_id", "repetition"]
    pd.testing.assert_frame_equal(
        parts.sort_values(keys).drop(columns=TIMES).reset_index(drop=True),
        whole.sort_values(keys).drop(columns=TIMES).reset_index(drop=True),
    )


def test_all_variants_run_on_an_instance_before_the_next_in_an_order_of_its_own(family):
    plans = [job.Plan(name, "bs", repetitions=4 if name == "a" else 2) for name in "abcd"]
    tasks = job.tasks_of(pd.read_parquet(family), plans)
    names = [task.plan.variant for task in tasks]
    places = [(task.repetition, task.instance["instance_id"]) for task in tasks]
    assert places == sorted(places)
    groups = [tuple(names[k : k + 4]) for k in range(0, 2 * 6 * 4, 4)]
    assert all(sorted(group) == list("abcd") for group in groups) and len({*groups}) > 6
    assert names[48:] == ["a"] * 12


def test_only_a_variant_and_repetitions_that_are_added_run(tmp_path, family):
    plans = [job.Plan("bs", "bs", repetitions=2), replace(PLAN, repetitions=4)]
    alone = run_part(tmp_path, family)
    output = tmp_path / "both.parquet"
    job.run_job([family], plans, tmp_path / "acs", output)
    both = pd.read_parquet(output)
    kept = both[(both["variant"] == PLAN.variant) & (both["repetition"] < 3)]
    pd.testing.assert_frame_equal(kept.reset_index(drop=True), alone)
    assert len((tmp_path / "acs--0.jsonl").read_bytes().splitlines()) == len(both) == 24 + 12


def test_what_is_fixed_is_told_by_the_propagation_of_the_solver(tmp_path, family):
    solvers = {"sa": ("sa", {}), "all": ("cp_sa", {}), "rows": ("cp_sa", {"hidden": "rows"})}
    plans = [job.Plan(name, *how, limit_steps=9) for name, how in solvers.items()]
    job.run_job([family], plans, tmp_path / "sa", tmp_path / "runs.parquet")
    rows = pd.read_parquet(tmp_path / "runs.parquet").set_index(["variant", "instance_id"])
    told = rows[["trivial", "fixed_after_cp", "mean_value_set_size"]]
    pd.testing.assert_frame_equal(told.loc["all"], told.loc["sa"])
    assert told.loc["rows", "fixed_after_cp"].sum() < told.loc["sa", "fixed_after_cp"].sum()


@pytest.mark.parametrize(
    ("limit_steps", "run", "limited_by"),
    [
        (None, Run(SOLVED, None, 9), "seconds"),
        (50, Run(SOLVED, None, 9), "steps"),
        (50, Run(TIMEOUT, None, 50), "steps"),
        (50, Run(TIMEOUT, None, 49), "seconds"),  # the guard
    ],
)
def test_what_ended_a_run_is_told(limit_steps, run, limited_by, tmp_path, family, monkeypatch):
    monkeypatch.setattr(worker, "run_timed", lambda *_: run)
    plan = job.Plan("bs", "bs", limit_s=10.0, limit_steps=limit_steps)
    assert set(run_part(tmp_path, family, plan=plan)["limited_by"]) == {limited_by}


def test_resuming_drops_a_torn_line_and_computes_only_what_is_missing(tmp_path, family):
    first = run_part(tmp_path, family)
    journal = tmp_path / "acs--0.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:7]) + b"not an entry\n" + lines[8][:100])
    again = run_part(tmp_path, family)
    pd.testing.assert_frame_equal(first.drop(columns=TIMES), again.drop(columns=TIMES))
    kept = [json.loads(line)["row"] for line in lines[:7]]
    kept = job.runs_table(kept).merge(again, how="left", indicator=True)
    assert (kept["_merge"] == "both").all()
    assert len(journal.read_bytes().splitlines()) == 7 + 1 + 11


def test_cut_otherwise_or_with_more_families_it_takes_all_that_is_done(tmp_path, family):
    whole = run_part(tmp_path, family)
    random.generate(3, 0.5, 3, 1).to_parquet(tmp_path / "more.parquet")
    both = [family, tmp_path / "more.parquet"]
    parts = []
    for part in range(2):
        job.run_job(both, [PLAN], tmp_path / "acs", tmp_path / f"{part}.parquet", part, 2)
        parts.append(pd.read_parquet(tmp_path / f"{part}.parquet"))
    rows = pd.concat(parts).sort_values(["instance_id", "repetition"], ignore_index=True)
    assert len(rows) == 18 + 9
    pd.testing.assert_frame_equal(rows[rows["family"] == "order3-p035"], whole)
    lines = [len(file.read_bytes().splitlines()) for file in sorted(tmp_path.glob("*.jsonl"))]
    assert lines == [18 + 5, 4]


@pytest.mark.parametrize(
    "change", [{"seed": 5}, {"limit_steps": 51}, {"params": {"m": 6}}, {"limit_s": 100.0}]
)
def test_a_journal_serves_only_the_very_same_runs(tmp_path, family, change):
    run_part(tmp_path, family)
    run_part(tmp_path, family, plan=replace(PLAN, **change))
    assert len((tmp_path / "acs--0.jsonl").read_bytes().splitlines()) == 36


@pytest.mark.skipif(sys.platform != "linux", reason="fakes reach a worker by a fork")
def test_a_slow_run_does_not_keep_the_others_from_the_journal(tmp_path, monkeypatch):
    journal, let_go = tmp_path / "journal.jsonl", tmp_path / "let go"

    def held(puzzle, *_):
        wait_for(lambda: puzzle.order == 3 or let_go.exists())
        return Run(TIMEOUT, None, 0, 0.0, 0.0, 0.0)

    monkeypatch.setattr(worker, "run_timed", held)
    slow, quick = random.generate(2, 0.5, 1, 5), random.generate(3, 0.6, 20, 1)
    plan = job.Plan("acs", "acs")
    tasks = job.tasks_of(pd.concat([slow, quick]), [plan])
    rows = job.run_tasks(tasks, journal, n_processes=2)
    assert [next(rows)["order"] for _ in range(20)] == [3] * 20
    assert journal.read_bytes().count(b"\n") == 20
    let_go.touch()
    assert [row["order"] for row in rows] == [2]


def test_failed_runs_are_done_again(tmp_path, family, monkeypatch):
    def broken(puzzle, solver, params, seed, *limits):
        return Run(ERROR, None, 0, 0.0, 0.0, 0.0, "MemoryError: no luck")

    monkeypatch.setattr(worker, "run_timed", broken)
    assert set(run_part(tmp_path, family)["status"]) == {ERROR}
    monkeypatch.undo()
    assert ERROR not in set(run_part(tmp_path, family)["status"])


def test_a_proof_that_there_is_no_solution_is_judged_by_the_known_one(
    tmp_path, family, monkeypatch, capsys
):
    proof = Run(EXHAUSTED, None, 1, 0.1, 0.1, 0.0)
    monkeypatch.setattr(worker, "run_timed", lambda *_: proof)
    assert set(run_part(tmp_path, family)["status"]) == {INVALID}
    assert "no solution, but one is known" in capsys.readouterr().err
    unknown = pd.read_parquet(family).assign(solution=None).astype({"solution": "str"})
    unknown.to_parquet(family)
    assert set(run_part(tmp_path, family)["status"]) == {EXHAUSTED}


def test_what_cannot_be_a_job_is_refused(family):
    plan = job.Plan("acs", "acs", repetitions=10**15)
    with pytest.raises(InputError, match="at most 10000000 at once"):
        job.tasks_of(pd.read_parquet(family), [plan])
    table = pd.read_parquet(family)
    with pytest.raises(InputError, match="order3-p035-000: stands twice"):
        job.tasks_of(pd.concat([table, table]), [PLAN])


KILLED = """
import sys
import time
from pathlib import Path
import pandas as pd
from antdoku.outcome import TIMEOUT
from antdoku.runs import job, worker
from antdoku.runs.run import Run

family, journals, output = sys.argv[1:]
held = pd.read_parquet(family)["puzzle"][3]

def hold(puzzle, *_):
    while " ".join(map(str, puzzle.givens)) == held:
        time.sleep(0.1)
    return Run(TIMEOUT, None, 7, 0.0, 0.0, 0.0)

worker.run_timed, worker.warm_up = hold, lambda *_: None
job.run_job([family], [job.Plan("bs", "bs", repetitions=3)], journals, output)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="fakes reach a worker by a fork")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_job_leaves_no_table_and_resumes(tmp_path, family, how):
    """It is killed in its fourth run, which does not end by itself."""
    output, journal = tmp_path / "runs.parquet", tmp_path / "bs--0.jsonl"
    child = subprocess.Popen([sys.executable, "-c", KILLED, family, tmp_path / "bs", output])
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") == 3)
    assert child.poll() is None
    os.kill(child.pid, how)
    child.wait(120)
    kept = journal.read_bytes()
    assert kept.count(b"\n") == 3 and not output.exists()

    job.run_job([family], [job.Plan("bs", "bs", repetitions=3)], tmp_path / "bs", output)

    rows = pd.read_parquet(output).sort_values(["repetition", "instance_id"])
    assert list(rows["status"]) == [TIMEOUT] * 3 + [SOLVED] * 15
    assert list(rows["steps"][:3]) == [7] * 3
    assert journal.read_bytes().startswith(kept)

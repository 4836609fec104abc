"""Jobs: the journal, resuming, tables that do not depend on how the work was shared out."""

import json
import subprocess
import sys
import time

import pandas as pd
import pytest
from attrs import asdict
from conftest import random_table, wait_for

from antdoku.columns import RUN_COLUMNS
from antdoku.errors import InputError
from antdoku.outcome import ERROR, EXHAUSTED, INVALID, SOLVED, TIMEOUT, Outcome
from antdoku.runs import job, plan, pool
from antdoku.runs.run import result_of
from antdoku.solvers import bs, make_params

TIMES = ["cpu_s", "setup_s", "wall_s", "n_timed", "spread_s"]
ACS = plan.variant_row("acs_fast", "acs", {"m": 5}, repetitions=3, limit_steps=50)
FACTS = {"experiment": "mine", "family_kind": "random"}  # of a plan, beside the columns of `cross`


@pytest.fixture
def family():
    return random_table(3, 0.35, 6, 1)


def all_runs_end(monkeypatch, status, **measured):
    monkeypatch.setattr(pool, "run_timed", lambda call: result_of(call, status, **measured))


def rows_of(family, *variants, seed=4):
    return plan.cross(family, pd.DataFrame(variants or [ACS]), seed)


def run(family, *variants, journal=None, **options):
    tasks = job.tasks(rows_of(family, *variants, **options), family)
    kept = job.read_journals([journal]) if journal else {}
    return job.runs_table(job.run_tasks(tasks, kept, journal))


def read(journal):
    return job.read_journals([journal])


def test_a_row_for_each_run_in_the_documented_columns(family):
    rows = run(family)
    assert {name: str(dtype) for name, dtype in rows.dtypes.items()} == RUN_COLUMNS
    assert len(rows) == 18 and not rows.duplicated(["instance_id", "repetition"]).any()
    assert rows["seed"].is_unique
    assert json.loads(rows["params"][0]) == asdict(make_params("acs", {"m": 5}))
    assert (rows["limit_steps"] == 50).all() and rows["limit_s"].isna().all()


def test_parts_make_up_the_whole_and_take_all_that_others_have_done(tmp_path, family):
    family.assign(experiment="mine").to_parquet(tmp_path / "family.parquet")
    rows = rows_of(family).assign(**FACTS)

    def do(n_parts):
        parts = [f"mine--{number % n_parts}" for number in range(len(rows))]
        plan.write(rows.assign(part=parts), tmp_path / "plan.parquet")
        files = [tmp_path / f"{part}.parquet" for part in sorted({*parts})]
        for file in files:
            paths = tmp_path / "family.parquet", tmp_path / "journals"
            job.run_part(tmp_path / "plan.parquet", file.stem, *paths, file)
        keys = ["instance_id", "repetition"]
        table = pd.concat(map(pd.read_parquet, files)).sort_values(keys, ignore_index=True)
        assert set(table["experiment"]) == {"mine"}
        return table

    parts = do(4)
    (tmp_path / "journals" / "folder.jsonl").mkdir()
    (tmp_path / "journals" / "dead.jsonl").symlink_to(tmp_path / "nothing")
    alone = run(family).drop(columns=TIMES)
    pd.testing.assert_frame_equal(parts[list(RUN_COLUMNS)].drop(columns=TIMES), alone)
    pd.testing.assert_frame_equal(do(1), parts)  # to the times: nothing was done again


def test_only_a_variant_and_repetitions_that_are_added_run(tmp_path, family):
    journal = tmp_path / "journal.jsonl"
    alone = run(family, journal=journal)
    variants = plan.variant_row("bs", "bs", {}, repetitions=2), ACS | {"repetitions": 4}
    runs = run(family, *variants, journal=journal)
    kept = runs[(runs["variant"] == "acs_fast") & (runs["repetition"] < 3)]
    pd.testing.assert_frame_equal(kept.reset_index(drop=True), alone)
    assert len(read(journal)) == len(runs) == 24 + 12
    assert journal.read_bytes().count(b"\n") == 36


@pytest.mark.parametrize(
    ("change", "seed"),
    [({}, 5), ({"limit_steps": 51}, 4), ({"params": '{"m": 6}'}, 4), ({"limit_s": 100.0}, 4)],
)
def test_a_journal_serves_only_the_very_same_runs(tmp_path, family, change, seed):
    journal = tmp_path / "journal.jsonl"
    run(family, journal=journal)
    run(family, ACS | change, journal=journal, seed=seed)
    assert len(read(journal)) == 36


def test_a_torn_line_is_dropped_and_only_what_is_missing_is_computed(tmp_path, family):
    journal = tmp_path / "journal.jsonl"
    first = run(family, journal=journal)
    content = journal.read_bytes().replace(b', "message": ""', b"")  # as antdoku 0.4 wrote it
    assert b"message" not in content
    lines = content.splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:7]) + b"not an entry\n" + lines[8][:100])
    rows = read(journal)
    assert len(rows) == 7
    again = run(family, journal=journal)
    pd.testing.assert_frame_equal(first.drop(columns=TIMES), again.drop(columns=TIMES))
    assert len(read(journal)) == 18
    assert journal.read_bytes().count(b"\n") == 7 + 1 + 11


def test_fixed_cells_are_those_of_the_propagation_of_the_solver(family):
    solvers = {"sa": ("sa", {}), "all": ("cp_sa", {}), "rows": ("cp_sa", {"hidden": "rows"})}
    variants = [plan.variant_row(name, *solver, limit_steps=9) for name, solver in solvers.items()]
    rows = run(family, *variants).set_index(["variant", "instance_id"])
    profile = rows[["trivial", "fixed_after_cp", "mean_value_set_size"]]
    pd.testing.assert_frame_equal(profile.loc["all"], profile.loc["sa"])
    assert profile.loc["rows", "fixed_after_cp"].sum() < profile.loc["sa", "fixed_after_cp"].sum()


@pytest.mark.parametrize(("steps", "limited_by"), [(50, "steps"), (49, "seconds")])
def test_a_timeout_is_by_steps_unless_the_guard_came_first(steps, limited_by, family, monkeypatch):
    all_runs_end(monkeypatch, TIMEOUT, steps=steps)
    variant = plan.variant_row("bs", "bs", {}, limit_s=10.0, limit_steps=50)
    assert set(run(family, variant)["limited_by"]) == {limited_by}


def test_failed_runs_are_done_again(tmp_path, family, monkeypatch):
    journal = tmp_path / "journal.jsonl"
    all_runs_end(monkeypatch, ERROR, message="MemoryError: no luck")
    assert set(run(family, journal=journal)["status"]) == {ERROR}
    assert read(journal) == {}


def test_a_proof_that_there_is_no_solution_is_judged_by_the_known_one(family, monkeypatch, capsys):
    monkeypatch.setattr(bs, "solve", lambda *_: Outcome(EXHAUSTED, None, 1))
    variant = plan.variant_row("bs", "bs", {})
    assert set(run(family, variant)["status"]) == {INVALID}
    assert "no solution, but one is known" in capsys.readouterr().err
    assert set(run(family.drop(columns="solution"), variant)["status"]) == {EXHAUSTED}


def test_a_job_refuses_a_solver_that_has_changed_since_the_plan(tmp_path, family):
    solver = tmp_path / "mine.py"
    text = "FILES = ['v.txt']\ndef solve(*_):\n    raise ValueError\n"
    solver.write_text(text)
    (tmp_path / "v.txt").write_text("1")
    family.assign(experiment="mine").to_parquet(tmp_path / "family")
    rows = rows_of(family, plan.variant_row("mine", str(solver), {}), ACS)
    plan.write(rows.assign(part="p", **FACTS), tmp_path / "plan")
    arguments = tmp_path / "plan", "p", tmp_path / "family", tmp_path, tmp_path / "out"
    for file, edited in ((solver, f"{text}x = 1\n"), (tmp_path / "v.txt", "23")):
        before = file.read_text()
        file.write_text(edited)
        with pytest.raises(InputError, match=r"mine\.py: has changed since the workflow began; r"):
            job.run_part(*arguments)
        file.write_text(before)
    job.run_part(*arguments)
    assert len(pd.read_parquet(tmp_path / "out")) == 24


KILLED = """
import sys, time
import pandas as pd
from antdoku.outcome import TIMEOUT
from antdoku.runs import job, plan, pool
from antdoku.runs.run import result_of

folder = sys.argv[1]
done = []

def hold(call):
    while len(done) == 3:
        time.sleep(0.1)
    done.append(1)
    return result_of(call, TIMEOUT, steps=7)

pool.run_timed = hold
job.run_part(f"{folder}/plan", "p", f"{folder}/family", folder, f"{folder}/out")
"""


def test_a_killed_job_leaves_no_table_and_resumes(tmp_path, family):
    """It is killed in its fourth run, which does not end by itself."""
    family.assign(experiment="mine").to_parquet(tmp_path / "family")
    rows = rows_of(family, plan.variant_row("bs", "bs", {}, repetitions=3))
    plan.write(rows.assign(part="p", **FACTS), tmp_path / "plan")
    journal, output = tmp_path / "p.jsonl", tmp_path / "out"
    child = subprocess.Popen([sys.executable, "-c", KILLED, tmp_path])
    wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") == 3)
    assert child.poll() is None
    child.kill()
    child.wait(120)
    kept = journal.read_bytes()
    assert kept.count(b"\n") == 3 and not output.exists()

    job.run_part(tmp_path / "plan", "p", tmp_path / "family", tmp_path, output)

    runs = pd.read_parquet(output)
    assert sorted(runs["status"]) == [SOLVED] * 15 + [TIMEOUT] * 3
    assert set(runs.loc[runs["status"] == TIMEOUT, "steps"]) == {7}
    assert journal.read_bytes().startswith(kept)


def test_many_short_runs_are_timed_once_and_forced_to_the_disk_once_a_second(tmp_path, monkeypatch):
    family = random_table(3, 0.6, 300, 1, base="root")
    variant = plan.variant_row("dlx", "dlx", {}, limit_s=10.0)
    assert run(family.iloc[:5], variant)["n_timed"].max() > 1
    synced = []
    monkeypatch.setattr("antdoku.runs.job.os.fsync", synced.append)
    monkeypatch.setattr(job, "TIMINGS_OF_A_JOB", 500)
    begun = time.monotonic(), time.process_time()
    runs = run(family, variant, journal=tmp_path / "j.jsonl")
    assert len(synced) <= 1 + (time.monotonic() - begun[0]) / job.SYNC_S
    assert (runs["n_timed"] == 1).all() and len(read(tmp_path / "j.jsonl")) == 300
    # It takes a few times as long as the solver: 6 to 10 when the machine is at rest.
    assert time.process_time() - begun[1] < 30 * runs["cpu_s"].sum()


def test_a_second_process_that_writes_a_journal_is_refused_in_one_line(tmp_path, family):
    journal = tmp_path / "p.jsonl"
    hold = (
        "import sys, pathlib; from antdoku.runs.job import Journal\n"
        "with Journal(pathlib.Path(sys.argv[1])): print(flush=True); sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", hold, journal], **pipes) as first:
        first.stdout.readline()
        with pytest.raises(InputError, match=r"p\.jsonl: another process writes this journal; wai"):
            run(family, journal=journal)
        first.stdin.close()
    assert len(run(family, journal=journal)) == 18


def test_a_solver_that_fails_often_prints_three_messages(family, monkeypatch, capsys):
    all_runs_end(monkeypatch, ERROR, message="MemoryError: no luck")
    run(family)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == job.MESSAGES
    assert all(line.startswith("acs_fast, order3-p035-00") for line in lines)

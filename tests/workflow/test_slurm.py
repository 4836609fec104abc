"""The workflow on a real SLURM of two virtual nodes (`slurm_cluster`)."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
import pytest
import slurm_cluster
from conftest import copy_project

TIMES = ["cpu_s", "setup_s", "wall_s"]

pytestmark = pytest.mark.skipif(bool(slurm_cluster.missing()), reason=slurm_cluster.missing())

# Limited by steps, so that executions can be compared: six jobs in three submissions.
SMALL = """\
name: {name}
experiments: [lloyd_amos]
lloyd_amos:
  random: {{count: 20, orders: [3, 4, 5], fixed_fractions: [0.45]}}
  puzzles: {{named: null}}
  limit_steps: 20
  variants:
    {{acs_no_bve: null, ils: null, dlx: null,
    acs_restart: null, cdcl: null, cdcl_cadical: null, cpsat: null}}
"""
# One job of several seconds, which does not solve a thing.
ONE_JOB = """\
name: {name}
experiments: [lloyd_amos]
lloyd_amos:
  random: {{count: {count}, orders: [5], fixed_fractions: [0.45], limits_s: {{order5: 24}}}}
  puzzles: {{named: null}}
  limit_steps: 2000
  variants:
    {{acs: {{params: {{q0: 0}}}}, acs_no_bve: null, ils: null, dlx: null, bs: null,
    acs_restart: null, cdcl: null, cdcl_cadical: null, cpsat: null}}
jobs: {{longest_s: 100000}}
"""
JOURNAL = "journals/lloyd_amos/acs--order5--0.jsonl"


@pytest.fixture(scope="module")
def cluster():
    # A short path: that of a socket has at most 107 characters.
    base = Path(tempfile.mkdtemp(prefix="slurm", dir="/tmp"))
    base.chmod(0o755)
    with slurm_cluster.Cluster(base) as running:
        yield running
    shutil.rmtree(base, ignore_errors=True)  # daemons may still be writing


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project, with a cache of kernels of its own."""
    return copy_project(tmp_path_factory.mktemp("cluster_project"))


def start(project, environment, *options):
    own = {"PYTHONPATH": str(project / "src")}
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", *options],
        cwd=project,
        env=environment | own,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def runs_file(name):
    return f"results/{name}/tables/runs.parquet"


def on_cluster(cluster, project, config, *options):
    """The workflow as docs/cluster.md starts it, looking at its jobs more often."""
    return start(
        project,
        cluster.environment,
        *("--workflow-profile", "profiles/slurm", "--configfile", config, "--group-components"),
        *("runs=2", "prepare=5", "--slurm-status-command", "squeue", "--latency-wait", "5"),
        *("--slurm-init-seconds-before-status-checks", "2", *options),
    )


def written(project, text, **values):
    file = project / f"{values['name']}.yaml"
    file.write_text(text.format(**values))
    return str(file)


def finished(process):
    output = process.communicate(timeout=1800)[0]
    assert process.returncode == 0, output
    return output


def journal_of(project, name):
    """Runs that are done: lines of the journal."""
    file = project / "results" / name / JOURNAL
    return file.read_bytes().splitlines() if file.exists() else []


def runs_of(project, name):
    return pd.read_parquet(project / runs_file(name))


def wait_until(condition, process, seconds=600):
    for _ in range(10 * seconds):
        if found := condition():
            return found
        assert process is None or process.poll() is None, process.communicate()[0]
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s")


def test_a_cluster_computes_the_same_on_both_nodes(cluster, project):
    config = written(project, SMALL, name="remote")
    finished(on_cluster(cluster, project, config, runs_file("remote")))
    jobs = cluster.completed()
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}
    assert {job["NodeList"] for job in jobs} == {"n1", "n2"}
    assert len(jobs) < 15, "the jobs are grouped"
    config = written(project, SMALL, name="local")
    options = (runs_file("local"), "--cores", "2", "--configfile", config)
    finished(start(project, dict(os.environ), *options))
    remote, local = (runs_of(project, name).drop(columns=TIMES) for name in ("remote", "local"))
    pd.testing.assert_frame_equal(remote, local)


def is_at_work(cluster, project, name):
    """Id of the one job of the cluster, once it has done some runs."""
    return cluster.running() if len(journal_of(project, name)) >= 2 else []


def test_a_job_that_is_cancelled_comes_again_and_goes_on(cluster, project):
    config = written(project, ONE_JOB, name="cancelled", count=30)
    process = on_cluster(cluster, project, config, runs_file("cancelled"))
    (job,) = wait_until(lambda: is_at_work(cluster, project, "cancelled"), process)
    cluster.run("scancel", job)
    finished(process)
    states = {entry["JobId"]: entry["JobState"] for entry in cluster.completed()}
    assert states[job] == "CANCELLED"
    assert states[max(states, key=int)] == "COMPLETED"
    assert len(journal_of(project, "cancelled")) == 30, "no run is done twice"
    assert len(runs_of(project, "cancelled")) == 30


def test_cancelling_the_workflow_leaves_no_job_behind(cluster, project):
    config = written(project, ONE_JOB, name="stopped", count=300)
    process = on_cluster(cluster, project, config, runs_file("stopped"))
    wait_until(lambda: is_at_work(cluster, project, "stopped"), process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode != 0
    wait_until(lambda: not cluster.running(), None, seconds=60)
    done = len(journal_of(project, "stopped"))
    time.sleep(3)
    assert len(journal_of(project, "stopped")) == done < 300


@pytest.mark.skipif("ANTDOKU_FAULTS" not in os.environ, reason="minutes: make test-all")
def test_a_job_that_reaches_its_time_limit_comes_again_with_more_time(cluster, project):
    """Runs that only steps limit may take longer than was asked for, in whole minutes: one here."""
    config = project / "src" / "antdoku" / "config.py"
    original = config.read_text()
    config.write_text(original.replace("START_MINUTES = 5", "START_MINUTES = 0"))
    ended = len(cluster.completed())
    try:
        # 0.07 s a run are 42 s; they take some three times as long.
        overlay = written(project, ONE_JOB.replace("24", "0.07"), name="late", count=600)
        finished(on_cluster(cluster, project, overlay, runs_file("late")))
    finally:
        config.write_text(original)
    jobs = [(entry["JobState"], entry["TimeLimit"]) for entry in cluster.completed()[ended:]]
    late = [job for job in jobs if job[0] == "TIMEOUT"]
    assert late == [("TIMEOUT", str(n)) for n in range(1, len(late) + 1)] != []
    assert ("COMPLETED", str(len(late) + 1)) in jobs
    assert len(journal_of(project, "late")) == 600, "no run is done twice"


@pytest.mark.skipif("ANTDOKU_FAULTS" not in os.environ, reason="minutes: make test-all")
def test_the_quick_workflow_runs_on_a_cluster(cluster, project):
    finished(on_cluster(cluster, project, "config/quick.yaml"))
    assert "none invalid or error" in (project / "results/quick/check.txt").read_text()

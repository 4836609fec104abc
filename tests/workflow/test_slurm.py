"""The workflow on a real SLURM of two virtual nodes (`slurm_cluster`)."""

import shutil
import signal
import tempfile
from pathlib import Path

import pytest
import slurm_cluster
from conftest import ROOT
from projects import (
    ACS_ALONE,
    PATIENCE_S,
    differences,
    finished,
    hold,
    jobs_at,
    lines,
    make_project,
    release,
    runs_at,
    start,
    wait_until,
)

pytestmark = pytest.mark.skipif(bool(slurm_cluster.missing()), reason=slurm_cluster.missing())

ORDERS = (3, 4)
# Limited by steps, so that executions can be compared: a job for each order, and one variant.
CONFIG = """\
name: {name}
experiments: [lloyd_amos]
lloyd_amos:
  random: {{count: {count}, orders: {orders}, fixed_fractions: [0.45], limits_s: {{order5: 1}}}}
  puzzles: {{named: null}}
  limit_steps: 20
  variants: {variants}
jobs: {{longest_s: 100000}}
"""


@pytest.fixture(scope="module")
def cluster():
    # A short path: that of a socket has at most 107 characters.
    base = Path(tempfile.mkdtemp(prefix="slurm", dir="/tmp"))
    base.chmod(0o755)
    with slurm_cluster.Cluster(base) as running:
        yield running
    shutil.rmtree(base, ignore_errors=True)  # daemons may still be writing


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path)


def written(project, name, count=4, orders=ORDERS):
    """A configuration, as options that choose it."""
    file = project / f"{name}.yaml"
    file.write_text(CONFIG.format(name=name, count=count, orders=list(orders), variants=ACS_ALONE))
    return "--configfile", str(file)


def runs_file(name):
    return f"results/{name}/tables/runs.parquet"


def on_cluster(cluster, project, *options):
    """The workflow as docs/cluster.md starts it, looking at its jobs more often."""
    return start(
        project,
        *("--workflow-profile", "profiles/slurm", "--group-components", "runs=1", "prepare=5"),
        *("--slurm-status-command", "squeue", "--latency-wait", "5"),
        *("--slurm-init-seconds-before-status-checks", "1", *options),
        **cluster.own,
    )


def states_of(cluster):
    """How each job of the cluster has ended, by its id."""
    return {job["JobId"]: job["JobState"] for job in cluster.completed()}


def test_a_cluster_computes_the_same_on_both_nodes(cluster, project):
    hold(project, 1)  # so that a node has still one job when there is the next
    process = on_cluster(cluster, project, runs_file("remote"), *written(project, "remote"))
    wait_until(lambda: len(jobs_at(project)) == len(ORDERS), process)
    release(project)
    finished(process, project)
    jobs = cluster.completed()
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}
    assert {job["NodeList"] for job in jobs} == {"n1", "n2"}
    assert len(jobs) == len(ORDERS) + 2, "what is prepared is one submission"
    assert len(runs_at(project, "remote")) == 4 * len(ORDERS)
    assert differences(project, "remote") == []


@pytest.mark.thorough
def test_what_is_cancelled_leaves_no_job_behind_comes_again_and_goes_on(cluster, project):
    """First the workflow is cancelled, by Ctrl-C, then a job of it."""
    call = (runs_file("cancelled"), *written(project, "cancelled", orders=(5,)))
    hold(project, 1)
    process = on_cluster(cluster, project, *call)
    wait_until(lambda: len(lines(project)) == 1, process)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) != 0
    wait_until(lambda: not cluster.running() and not jobs_at(project))
    assert len(lines(project)) == 1

    hold(project, 3)
    process = on_cluster(cluster, project, *call)
    wait_until(lambda: len(lines(project)) == 3, process)
    (job,) = cluster.running()
    cluster.run("scancel", job)
    wait_until(lambda: job in states_of(cluster), process)
    release(project)
    finished(process, project)
    states = states_of(cluster)
    assert states[job] == "CANCELLED"
    assert states[max(states, key=int)] == "COMPLETED"
    assert len(lines(project)) == len(runs_at(project, "cancelled")) == 4, "no run is done twice"


@pytest.mark.thorough
def test_a_job_that_reaches_its_time_limit_comes_again_with_more_time(cluster, project):
    """Runs that only steps limit may take longer than was asked for, in whole minutes: one here."""
    (project / "src").unlink()
    shutil.copytree(ROOT / "src", project / "src")
    plans = project / "src" / "antdoku" / "runs" / "plans.py"
    plans.write_text(plans.read_text().replace("START_MINUTES = 5", "START_MINUTES = 0"))
    ended = len(cluster.completed())

    def late():
        return [job for job in cluster.completed()[ended:] if job["JobState"] == "TIMEOUT"]

    hold(project, 2)
    process = on_cluster(cluster, project, runs_file("late"), *written(project, "late", 6, (5,)))
    wait_until(late, process)
    release(project)
    finished(process, project)
    limits = [job["TimeLimit"] for job in late()]
    assert limits == [str(n) for n in range(1, len(limits) + 1)]
    again = {job["TimeLimit"] for job in cluster.completed()[ended:] if job not in late()}
    assert str(len(limits) + 1) in again
    assert len(lines(project)) == 6, "no run is done twice"


@pytest.mark.thorough
def test_the_quick_workflow_runs_on_a_cluster(cluster, project):
    finished(on_cluster(cluster, project, "--configfile", "config/quick.yaml"), project)
    assert "none invalid or error" in (project / "results/quick/check.txt").read_text()

"""The workflow on a real SLURM of two virtual nodes (`slurm_cluster`)."""

import shutil
import signal
import tempfile
from pathlib import Path

import pytest
import slurm_cluster
from projects import (
    ACS_ALONE,
    PATIENCE_S,
    differences,
    finished,
    hold,
    lines,
    make_project,
    release,
    runs_at,
    start,
    wait_until,
)

pytestmark = pytest.mark.skipif(bool(slurm_cluster.missing()), reason=slurm_cluster.missing())

# Limited by steps, so that executions can be compared.
CONFIG = """\
name: {name}
experiments: [lloyd_amos]
lloyd_amos:
  random: {{count: 4, orders: {orders}, fixed_fractions: [0.45], limits_s: {{order5: 1}}}}
  puzzles: {{named: null}}
  limit_steps: 20
  variants: {variants}
jobs: {{longest_s: {longest_s}}}
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


def written(project, name, orders, longest_s):
    """A configuration, as options that choose it."""
    file = project / f"{name}.yaml"
    text = CONFIG.format(name=name, orders=list(orders), longest_s=longest_s, variants=ACS_ALONE)
    file.write_text(text)
    return "--configfile", str(file)


def on_cluster(cluster, project, *options):
    """The workflow as docs/cluster.md starts it, looking at its jobs more often."""
    return start(
        project,
        *options,
        *("--workflow-profile", "profiles/slurm", "--group-components", "runs=1"),
        *("--slurm-status-command", "squeue", "--latency-wait", "5"),
        *("--slurm-init-seconds-before-status-checks", "1"),
        **cluster.own,
    )


def test_a_cluster_computes_the_same_on_both_nodes(cluster, project):
    hold(project, 1)  # so that a node has still one job when there is the next
    call = ("results/remote/runs.parquet", *written(project, "remote", (3, 4), 50))
    process = on_cluster(cluster, project, *call)
    wait_until(lambda: len(lines(project)) >= 1 and len(cluster.running()) == 2, process)
    release(project)
    finished(process, project)
    jobs = cluster.completed()
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}
    assert {job["NodeList"] for job in jobs} == {"n1", "n2"}
    assert len(jobs) == 1 + 2 + 1, "instances, two parts, their collection"
    assert len(runs_at(project, "remote")) == 8
    assert differences(project, "remote") == []


@pytest.mark.thorough
def test_what_is_cancelled_leaves_no_job_behind_comes_again_and_goes_on(cluster, project):
    """First the workflow is cancelled, by Ctrl-C, then a job of it."""
    call = ("results/cancelled/runs.parquet", *written(project, "cancelled", (5,), 10**5))
    hold(project, 1)
    process = on_cluster(cluster, project, *call)
    wait_until(lambda: len(lines(project)) == 1, process)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) != 0
    wait_until(lambda: not cluster.running())
    assert len(lines(project)) == 1

    hold(project, 3)
    process = on_cluster(cluster, project, *call)
    wait_until(lambda: len(lines(project)) == 3, process)
    (job,) = cluster.running()
    cluster.run("scancel", job)
    release(project)
    finished(process, project)
    states = {job["JobId"]: job["JobState"] for job in cluster.completed()}
    assert states[job] == "CANCELLED"
    assert len(lines(project)) == len(runs_at(project, "cancelled")) == 4, "no run is done twice"

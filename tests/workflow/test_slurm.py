"""The workflow on a real SLURM of two virtual nodes."""

import os
import shutil
import subprocess
import sys

import projects
import pytest
import slurm_cluster
from conftest import wait_for

pytestmark = pytest.mark.skipif(
    bool(os.geteuid()) or not all(map(shutil.which, slurm_cluster.PROGRAMS)),
    reason="needs root, slurmctld, slurmd, slurm-client and munge",
)

PARTS = [f"results/two/runs/lloyd_amos--{number}.parquet" for number in (0, 1)]
# As docs/cluster.md calls it, but each job is a submission, whose status is soon asked for.
CALL = (
    *("--configfile", "two.yaml", "--workflow-profile", "profiles/slurm"),
    *("--group-components", "runs=1", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "5"),
)


@pytest.fixture(scope="module")
def cluster():
    with slurm_cluster.running() as cluster:
        yield cluster


@pytest.fixture
def project(tmp_path):
    return projects.make_two_parts(tmp_path)


def start(project, cluster, *targets):
    """Start the workflow on a cluster, and wait until each target has done a run and is held."""
    projects.hold(project, 1)
    with open(project / "output.txt", "wb") as output:
        process = subprocess.Popen(
            # A shell may have started this process with SIGINT ignored, which is inherited.
            ["env", "--default-signal=INT", sys.executable, "-m", "snakemake", *targets, *CALL],
            cwd=project,
            env=projects.environment(project) | cluster.environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    wait_for(lambda: len(projects.lines(project)) == len(targets), projects.PATIENCE_S)
    return process


def finish(process, project, cluster):
    """Let the jobs go on; the workflow must succeed, with each run done once."""
    projects.release(project)
    assert process.wait(projects.PATIENCE_S) == 0, (project / "output.txt").read_text()
    assert not cluster.jobs()


def test_two_nodes_compute_the_same_runs_as_this_process(cluster, project):
    finish(start(project, cluster, *PARTS), project, cluster)
    assert len(projects.lines(project)) == 12
    assert projects.differences(project, "two") == []
    jobs = cluster.ended().values()
    assert [job["JobState"] for job in jobs] == ["COMPLETED"] * len(PARTS)
    assert {job["NodeList"] for job in jobs} == {*slurm_cluster.NODES}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("scancel {job}", "CANCELLED"),
        ("scontrol update JobId={job} TimeLimit=1", "TIMEOUT"),
        ("kill -INT {pid}", "CANCELLED"),
    ],
    ids=["cancelled", "at its time limit", "Ctrl-C"],
)
def test_a_job_that_ends_early_leaves_nothing_behind(cluster, project, command, state):
    process = start(project, cluster, PARTS[0])
    (job,) = cluster.jobs()
    cluster.call(*command.format(job=job, pid=process.pid).split())
    wait_for(lambda: job in cluster.ended(), projects.PATIENCE_S)
    assert cluster.ended()[job]["JobState"] == state
    if "INT" in command:
        assert process.wait(projects.PATIENCE_S) != 0
        assert not cluster.jobs()
        process = start(project, cluster, PARTS[0])
    finish(process, project, cluster)
    assert len(projects.lines(project)) == 6, "each run is done once"

"""The workflow on a real SLURM of two virtual nodes."""

import signal
import subprocess
import sys

import projects
import pytest
import slurm_cluster
from conftest import wait_for

pytestmark = pytest.mark.skipif(bool(slurm_cluster.missing()), reason=slurm_cluster.missing())

# Two parts of two runs. Steps limit the runs, so that they can be repeated.
CONFIG = f"""\
name: remote
experiments: [lloyd_amos]
lloyd_amos:
  random: {{count: 4, orders: [3], fixed_fractions: [0.45], limits_s: {{order3: 1}}}}
  puzzles: {{named: null}}
  limit_steps: 20
  variants: {projects.ACS_ALONE}
jobs: {{longest_s: 2}}
"""
PARTS = [f"results/remote/runs/lloyd_amos--{number}.parquet" for number in (0, 1)]
# As docs/cluster.md calls it, but each job is a submission, whose status is soon asked for.
CALL = (
    *("--configfile", "remote.yaml", "--workflow-profile", "profiles/slurm"),
    *("--group-components", "runs=1", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "5"),
)


@pytest.fixture(scope="module")
def cluster():
    with slurm_cluster.running() as cluster:
        yield cluster


@pytest.fixture
def project(tmp_path):
    (projects.make_project(tmp_path) / "remote.yaml").write_text(CONFIG)
    return tmp_path


def start(project, cluster, *targets):
    """Start the workflow on a cluster, and wait until each target has done a run and is held."""
    projects.hold(project, 1)
    with open(project / "output.txt", "wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "snakemake", *targets, *CALL],
            cwd=project,
            env=projects.environment(project) | cluster.environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            # A shell may have started this process with the signal ignored, which is inherited.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
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
    assert len(projects.lines(project)) == 4
    assert projects.differences(project, "remote") == []
    jobs = cluster.ended().values()
    assert len(jobs) == 1 + len(PARTS), "one for the instances, and one for each part"
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}
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
    assert len(projects.lines(project)) == 2, "each run is done once"

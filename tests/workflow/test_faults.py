"""Interruptions at random moments: what is called again ends with the same runs, none done twice.

A few by default; ANTDOKU_FAULTS=20 tries each fault so often (`make test-all`). The figures of
docs/reliability.md are written by `fault_table.py` from the file that ANTDOKU_FAULTS_RECORD names.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import pandas as pd
import psutil
import pytest
from conftest import ROOT, WORKFLOW, copy_project

TIMES = ["cpu_s", "setup_s", "wall_s"]
TRIES = int(os.environ.get("ANTDOKU_FAULTS", 0))
TARGET = "results/faults/tables/runs.parquet"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
VICTIMS = ("the workflow", "one job", "the process group")
PATIENCE_S = 600

# Limited by steps, so that two executions can be compared.
CONFIG = """\
name: faults
experiments: [lloyd_amos]
lloyd_amos:
  random: {{count: {count}, orders: [4], fixed_fractions: {fractions}, limits_s: {{order4: 1}}}}
  puzzles: {{named: null}}
  limit_steps: {steps}
  variants:
    {{ils: null, dlx: null, bs: null,
    acs_restart: null, cdcl: null, cdcl_cadical: null, cpsat: null}}
jobs: {{longest_s: {longest}}}
"""
OFTEN = {"count": 24, "fractions": [0.45, 0.5], "steps": 60, "longest": 12}
SOME = {"count": 12, "fractions": [0.45], "steps": 60, "longest": 6}


def make_project(folder):
    """A project that shares the package, and its compiled kernels, with this one."""
    copy_project(folder, WORKFLOW)
    (folder / "src").symlink_to(ROOT / "src")
    (folder / "faults.yaml").write_text(CONFIG.format(**(OFTEN if TRIES else SOME)))
    return folder


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path)


def start(project, log="log.txt"):
    """Call the workflow in a session of its own."""
    options = ["--cores", "2", TARGET, "--configfile", "faults.yaml"]
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", *options],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        stdout=open(project / log, "wb"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
        # A shell may have started this with the signal ignored, which is inherited.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def finish(project):
    """Call the workflow to its end; returns the seconds that it took."""
    begin = time.monotonic()
    process = start(project)
    assert process.wait(PATIENCE_S) == 0, (project / "log.txt").read_text()
    return time.monotonic() - begin


def runs(project):
    return pd.read_parquet(project / TARGET).drop(columns=TIMES)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Runs of a workflow that nothing disturbs, its seconds and the bytes that it writes."""
    project = make_project(tmp_path_factory.mktemp("undisturbed"))
    before = size_of(project)
    seconds = finish(project)
    return runs(project), seconds, size_of(project) - before


def size_of(folder):
    """Bytes that the files take on a disk in memory, which has pages but no blocks for folders."""
    files = (file for file in folder.rglob("*") if file.is_file() and not file.is_symlink())
    return sum(-(-file.stat().st_size // 4096) * 4096 for file in files)


def family_of(process):
    """Processes of the session that a workflow leads."""
    found = []
    for other in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getsid(other.pid) == process.pid and other.status() != psutil.STATUS_ZOMBIE:
                found.append(other)
    return found


def jobs_of(process):
    """Processes that execute the script of a job."""
    found = []
    for other in family_of(process):
        with suppress(psutil.NoSuchProcess):
            is_job = any(".run.py" in word for word in other.cmdline())
            parent = other.parent()
            if is_job and parent and ".run.py" not in " ".join(parent.cmdline()):
                found.append(other)
    return found


def strike(process, number, victim, latest):
    """Send a signal at a random moment; False if the workflow has ended before."""
    moment = time.monotonic() + random.uniform(0.5, latest)
    while time.monotonic() < moment or (victim == "one job" and not jobs_of(process)):
        if process.poll() is not None:
            return False
        time.sleep(0.02)
    with suppress(ProcessLookupError, IndexError, psutil.NoSuchProcess):
        if victim == "the workflow":
            process.send_signal(number)
        elif victim == "the process group":
            os.killpg(process.pid, number)
        else:
            random.choice(jobs_of(process)).send_signal(number)
        return True
    return False


def journals(project):
    return {file: file.read_bytes() for file in project.glob("results/*/journals/*/*.jsonl")}


def assert_nothing_goes_on(project, process):
    """What outlives the workflow ends soon and writes to no journal meanwhile."""
    process.wait(PATIENCE_S)
    time.sleep(2)
    left, end = journals(project), time.monotonic() + 10
    while family_of(process):
        assert time.monotonic() < end, [other.cmdline() for other in family_of(process)]
        time.sleep(0.1)
    time.sleep(0.5)
    assert journals(project) == left


def assert_same(project, expected):
    """The same runs as undisturbed, each computed and kept once."""
    pd.testing.assert_frame_equal(runs(project), expected)
    lines = [line for content in journals(project).values() for line in content.splitlines()]
    keys = [json.loads(line)["key"] for line in lines]
    assert len(set(keys)) == len(keys) == len(expected)


def disturb(project, faults, expected, seconds):
    """Strike at each of `faults`, again and again; returns how often a workflow was struck."""
    survived = []
    for number, victim in faults:
        struck = False
        while not struck:
            if (project / TARGET).exists():
                assert_same(project, expected)
                shutil.rmtree(project / "results")
            process = start(project)
            struck = strike(process, number, victim, seconds)
            assert_nothing_goes_on(project, process)
            struck = struck and process.returncode != 0  # else it came too late to do harm
        survived.append(f"{number.name} to {victim}")
    finish(project)
    assert_same(project, expected)
    record(survived)


def record(faults):
    """Keep that faults were survived."""
    if file := os.environ.get("ANTDOKU_FAULTS_RECORD"):
        with open(file, "a") as stream:
            stream.writelines(json.dumps({"fault": fault}) + "\n" for fault in faults)


@pytest.mark.skipif(TRIES > 0, reason="each fault is tried")
def test_struck_by_some_signals_it_ends_with_the_same_runs(project, undisturbed):
    expected, seconds, _ = undisturbed
    faults = [(random.choice(SIGNALS), victim) for victim in VICTIMS]
    print(faults)
    disturb(project, faults, expected, seconds)


@pytest.mark.skipif(not TRIES, reason="takes long: make test-all")
@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_struck_often_it_ends_with_the_same_runs(project, undisturbed, number, victim):
    expected, seconds, _ = undisturbed
    disturb(project, [(number, victim)] * TRIES, expected, seconds)


@contextmanager
def small_disk(folder, n_bytes):
    """Mount a file system in memory; skips where that is not allowed."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root may mount")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={n_bytes}", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_on_a_full_disk_it_stops_and_goes_on_when_there_is_room(tmp_path, undisturbed):
    expected, _, needed = undisturbed
    with small_disk(tmp_path, 64 * 2**20):
        make_project(tmp_path)
        begin = size_of(tmp_path)
        for _ in range(max(1, TRIES)):
            resize(tmp_path, begin + int(needed * random.uniform(0.1, 0.7)))
            process = start(tmp_path)
            assert_nothing_goes_on(tmp_path, process)
            assert process.returncode != 0
            resize(tmp_path, 64 * 2**20)
            finish(tmp_path)
            assert_same(tmp_path, expected)
            record(["a full disk"])
            for part in ("results", ".snakemake"):
                shutil.rmtree(tmp_path / part)


def resize(folder, n_bytes):
    options = f"remount,size={n_bytes}"
    subprocess.run(["mount", "-o", options, folder], check=True, capture_output=True)


@pytest.mark.parametrize("locked", [True, False])
def test_a_second_workflow_is_refused_and_named_the_first(project, undisturbed, locked):
    """Also without Snakemake's locks, which any workflow removes when it ends."""
    expected, *_ = undisturbed
    first = start(project)
    wait_until(lambda: journals(project), first)
    if not locked:
        shutil.rmtree(project / ".snakemake" / "locks")
    second = start(project, "second.txt")
    assert second.wait(PATIENCE_S) == (1 if locked else 2)
    refused = (project / "second.txt").read_text()
    assert f"results/faults: a workflow is at work there: process {first.pid} on" in refused
    assert "Traceback" not in refused
    assert first.wait(PATIENCE_S) == 0
    assert_same(project, expected)


def wait_until(condition, process):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.05)

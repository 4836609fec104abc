"""Interruptions: what is called again ends with the same runs, none done twice.

One by default; ANTDOKU_FAULTS=20 tries each fault so often (`make test-all`). The figures of
docs/reliability.md are written by `fault_table.py` from the file that ANTDOKU_FAULTS_RECORD names.
A workflow is held before its end until it was struck, however long that takes.
"""

import json
import os
import pty
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import pandas as pd
import psutil
import pytest
from projects import (
    ACS_ALONE,
    PATIENCE_S,
    TIMES,
    differences,
    environment,
    finish,
    hold,
    jobs_at,
    lines,
    make_project,
    release,
    runs_at,
    start,
    wait_until,
)

TRIES = int(os.environ.get("ANTDOKU_FAULTS", 0))
TARGET = "results/faults/tables/runs.parquet"
CALL = ("--cores", "2", TARGET, "--configfile", "faults.yaml")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
VICTIMS = ("the workflow", "one job", "the process group")

# Limited by steps, so that two executions can be compared: jobs of six runs each.
CONFIG = """\
name: faults
experiments: [lloyd_amos]
lloyd_amos:
  random: {{count: {count}, orders: [4], fixed_fractions: {fractions}, limits_s: {{order4: 1}}}}
  puzzles: {{named: null}}
  limit_steps: 60
  variants: {variants}
jobs: {{longest_s: 6}}
"""
OFTEN = {"count": 24, "fractions": [0.45, 0.5]}
SOME = {"count": 12, "fractions": [0.45]}


def make(folder):
    make_project(folder)
    (folder / "faults.yaml").write_text(
        CONFIG.format(variants=ACS_ALONE, **(OFTEN if TRIES else SOME))
    )
    return folder


@pytest.fixture
def project(tmp_path):
    return make(tmp_path)


def runs(project):
    return runs_at(project, "faults").drop(columns=TIMES)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Runs of a workflow that nothing disturbs, its seconds and the bytes that it writes."""
    project = make(tmp_path_factory.mktemp("undisturbed"))
    before, begin = size_of(project), time.monotonic()
    finish(project, *CALL)
    return runs(project), time.monotonic() - begin, size_of(project) - before


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


def strike(project, process, number, victim, latest):
    """Send a signal at a random moment, which comes before the end of a workflow that is held."""
    moment = time.monotonic() + random.uniform(0, latest)
    wait_until(lambda: time.monotonic() > moment, process)
    if victim == "the workflow":
        process.send_signal(number)
    elif victim == "the process group":
        os.killpg(process.pid, number)
    else:
        job = random.choice(wait_until(lambda: jobs_at(project), process))
        with suppress(psutil.NoSuchProcess):
            job.send_signal(number)


def assert_nothing_goes_on(process):
    """All that a workflow has started ends, too; without jobs no journal is written."""
    process.wait(PATIENCE_S)
    wait_until(lambda: not family_of(process))


def assert_same(project, expected):
    """The same runs as undisturbed, each computed and kept once."""
    pd.testing.assert_frame_equal(runs(project), expected)
    assert_kept_once(project, len(expected))


def assert_kept_once(project, number):
    keys = [json.loads(line)["key"] for line in lines(project)]
    assert len(set(keys)) == len(keys) == number


def disturb(project, faults, expected, seconds):
    """Strike with each of `faults`, one after the other, and call the workflow to its end."""
    for number, victim in faults:
        if len(lines(project)) == len(expected):  # none is left to be held
            finish(project, *CALL)
            assert_same(project, expected)
            shutil.rmtree(project / "results")
        hold(project, random.randint(len(lines(project)) + 1, len(expected)))
        process = start(project, *CALL)
        strike(project, process, number, victim, seconds)
        if number != signal.SIGKILL or victim == "one job":  # it waits for its jobs
            release(project)
        assert_nothing_goes_on(process)
        assert process.returncode != 0 or victim == "one job"  # which may have been at its end
        release(project)
        record(f"{number.name} to {victim}")
    finish(project, *CALL)
    assert_same(project, expected)


def record(fault):
    """Keep that a fault was tried; a test that fails afterwards keeps it from being published."""
    if file := os.environ.get("ANTDOKU_FAULTS_RECORD"):
        with open(file, "a") as stream:
            stream.write(json.dumps({"fault": fault}) + "\n")


@pytest.mark.thorough
@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_struck_often_it_ends_with_the_same_runs(project, undisturbed, number, victim):
    expected, seconds, _ = undisturbed
    disturb(project, [(number, victim)] * max(1, TRIES), expected, seconds)


class Terminal:
    """A call of the workflow in a terminal of its own."""

    def __init__(self, project):
        self.pid, self._file = pty.fork()
        if not self.pid:
            os.chdir(project)
            command = [sys.executable, "-m", "snakemake", *CALL]
            os.execve(sys.executable, command, environment(project) | {"TERM": "xterm"})

    def press(self, key):
        os.write(self._file, key)

    def end(self):
        """Exit status, and all that was shown."""
        shown = b""
        with suppress(OSError):  # the other end is closed
            while part := os.read(self._file, 65536):
                shown += part
        _, status = os.waitpid(self.pid, 0)
        # Ctrl-C empties the terminal's buffer, maybe within a character.
        return os.waitstatus_to_exitcode(status), shown.decode(errors="replace")


def test_interrupted_and_then_killed_between_two_runs_it_goes_on_there(project):
    hold(project, 3)
    terminal = Terminal(project)
    wait_until(lambda: len(lines(project)) >= 3)
    assert_refused(project, terminal.pid)
    terminal.press(b"\x03")
    assert_one_line_is_said_at_ctrl_c(*terminal.end())
    interrupted = lines(project)

    hold(project, 6)
    process = start(project, *CALL)
    wait_until(lambda: len(lines(project)) >= 6, process)
    os.killpg(process.pid, signal.SIGKILL)
    assert_nothing_goes_on(process)
    release(project)
    kept = lines(project)
    finish(project, *CALL)
    number = len(runs(project))
    assert {*interrupted} <= {*kept} <= {*lines(project)}
    assert 3 <= len(interrupted) < 6 <= len(kept) < number
    assert_kept_once(project, number)
    assert differences(project, "faults") == []


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


def resize(folder, n_bytes):
    options = f"remount,size={n_bytes}"
    subprocess.run(["mount", "-o", options, folder], check=True, capture_output=True)


@pytest.mark.thorough
def test_on_a_full_disk_it_stops_and_goes_on_when_there_is_room(tmp_path, undisturbed):
    expected, _, needed = undisturbed
    with small_disk(tmp_path, 64 * 2**20):
        make(tmp_path)
        begin = size_of(tmp_path)
        for _ in range(max(1, TRIES)):
            resize(tmp_path, begin + int(needed * random.uniform(0.1, 0.7)))
            process = start(tmp_path, *CALL)
            assert_nothing_goes_on(process)
            assert process.returncode != 0
            resize(tmp_path, 64 * 2**20)
            finish(tmp_path, *CALL)
            assert_same(tmp_path, expected)
            record("a full disk")
            for part in ("results", ".snakemake"):
                shutil.rmtree(tmp_path / part)


def assert_one_line_is_said_at_ctrl_c(status, shown):
    assert status == 130
    before, after = shown.split("^C", 1)
    assert "left" in before
    # One bar in its own line: rules that are done push nothing out of sight.
    assert "rule" not in before and before.count("\n") < 10
    plain = re.sub(r"\x1b\[[0-9?]*[a-zA-Z]", "\r", after)
    said = [part.strip(" ━╸╺") for part in re.split(r"[\r\n]+", plain)]
    said = [part for part in said if part and not re.match(r"\d+ %", part)]
    assert said == ["antdoku: interrupted; the same command goes on"]


def assert_refused(project, first):
    second = start(project, *CALL, log="second.txt")
    assert second.wait(PATIENCE_S) == 2
    refused = (project / "second.txt").read_text()
    assert f"results/faults: a workflow is at work there: process {first} on" in refused
    assert "Traceback" not in refused
    assert "a workflow is at work there" in refused.splitlines()[-1]
    assert "unlock" not in refused

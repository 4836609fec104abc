"""Interruptions: the same call continues an interrupted workflow, and repeats no run.

Jobs are held between two runs until the interruption.
"""

import json
import os
import pty
import signal
import sys
from contextlib import suppress

import pandas as pd
import projects
import pytest
from conftest import wait_for

CALL = ("results/two/runs.parquet", "--cores", "2", "--configfile", "two.yaml")


@pytest.fixture
def project(tmp_path):
    return projects.make_two_parts(tmp_path)


class Terminal:
    """A call of the workflow in its own terminal."""

    def __init__(self, project):
        self.pid, self._file = pty.fork()
        if not self.pid:
            os.chdir(project)
            command = [sys.executable, "-m", "snakemake", *CALL]
            os.execve(sys.executable, command, projects.environment(project) | {"TERM": "xterm"})

    def press(self, key):
        os.write(self._file, key)

    def end(self):
        """Wait for the end; return the exit status and the output."""
        output = b""
        with suppress(OSError):  # the other end is closed
            while block := os.read(self._file, 65536):
                output += block
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status), output


def keys(project):
    return [json.loads(line)["key"] for line in projects.lines(project)]


@pytest.mark.parametrize("numbers", [(1,), pytest.param((1, 7), marks=pytest.mark.thorough)])
def test_after_interruptions_no_run_is_lost_or_repeated(project, numbers):
    kept = []
    for number in numbers:
        projects.hold(project, number)  # the jobs that are held do not end by themselves
        terminal = Terminal(project)
        wait_for(lambda number=number: len(projects.lines(project)) >= number, projects.PATIENCE_S)
        if number == 7:
            os.kill(terminal.pid, signal.SIGINT)  # Snakemake alone gets the signal
        else:
            terminal.press(b"\x03")
        status, output = terminal.end()
        assert status != 0
        assert output.rstrip().endswith(b"antdoku: interrupted; the same command continues")
        projects.release(project)
        assert {*kept} <= {*keys(project)}
        kept = keys(project)
        assert number <= len(kept) < 12
    projects.finish(project, *CALL)
    assert {*kept} <= {*keys(project)} and len({*keys(project)}) == len(keys(project)) == 12
    assert len(projects.runs_at(project, "two")) == 12
    assert projects.differences(project, "two") == []


def test_an_interruption_while_jobs_begin_prints_no_traceback(project):
    projects.hold(project, 0)
    terminal = Terminal(project)
    wait_for((project / "begun").exists, projects.PATIENCE_S)
    for log in project.glob("results/two/logs/runs/*.log"):
        log.unlink()  # Python has just started
    terminal.press(b"\x03")
    status, output = terminal.end()
    assert status != 0 and b"interrupted; the same command continues" in output
    assert b"Traceback" not in output and b"Logging error" not in output


SOLVERS = {
    "endless": "    while True:\n        pass\n",
    "crashing": "    import os, signal\n    os.kill(os.getpid(), signal.SIGSEGV)\n",
    "hungry": "    return bytearray(10**12)\n",
}


@pytest.mark.thorough
def test_a_run_of_a_faulty_solver_is_a_row_and_the_job_goes_on(project):
    for name, body in SOLVERS.items():
        (project / f"{name}.py").write_text(f"def solve(puzzle, params, rng, budget):\n{body}")
    variants = {name: {"solver": f"./{name}.py"} for name in SOLVERS} | {"dlx": {"solver": "dlx"}}
    block = {"puzzles": {"mine": {"from": "named:sabuncu1", "limit_s": 0.2}}, "variants": variants}
    config = {"name": "own", "experiments": ["own"], "own": block}
    (project / "own.yaml").write_text(json.dumps(config))
    target = "results/own/runs.parquet"
    projects.finish(project, target, "--cores", "1", "--configfile", "own.yaml")
    statuses = pd.read_parquet(project / target).set_index("variant")["status"].to_dict()
    expected = {"endless": "timeout", "crashing": "error", "hungry": "error", "dlx": "solved"}
    assert statuses == expected

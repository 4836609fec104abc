"""Runs in processes of their own: whatever a solver does costs its run only."""

import faulthandler
import itertools
import os
import signal
import subprocess
import sys
import time

import numpy as np
import psutil
import pytest
from conftest import random_puzzle
from test_run import NoParams, compute, pretend

from antdoku.outcome import ERROR, TIMEOUT, Outcome
from antdoku.runs import pool, run
from antdoku.solvers import make_params

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fakes reach a process by a fork")

PUZZLES = [random_puzzle(3, 0.5, seed) for seed in range(4)]
LIMIT_S = 0.2
SPINNING = [sys.executable, "-c", "while True: pass"]
ENDLESS = "sleep 98765.4321"  # is found among all processes


def spin(*_):
    while True:
        pass


def work_a_little(*_):
    compute(0.001, time.thread_time)
    return ordinary()


def crawl(*_):
    """Compute for a tenth of the time, as a process may that has to wait for others."""
    for _ in range(45):
        compute(0.005)
        time.sleep(0.045)
    return ordinary()


def die(*_):
    faulthandler.disable()  # as its trace is long
    os.kill(os.getpid(), signal.SIGSEGV)


def sleep(*_):
    time.sleep(1000)


def call_sleeping(*_):
    subprocess.run(f"{ENDLESS}; true", shell=True)


def call_in_a_session(*_):
    subprocess.Popen(ENDLESS.split(), start_new_session=True)
    spin()


def leave_behind(*_):
    subprocess.Popen(ENDLESS.split())
    os._exit(3)


def call_working(*_):
    work = "import time\nwhile time.process_time() < 0.3: pass"
    subprocess.run([sys.executable, "-c", work])
    with subprocess.Popen([sys.executable, "-c", work + "\nprint(1)"], stdout=-1) as program:
        program.stdout.read(1)  # and it goes on for a while
        return Outcome(TIMEOUT, None, 5)


def ordinary(*_):
    return Outcome(TIMEOUT, None, 5)


def fake(monkeypatch, deeds, cpu_s=LIMIT_S):
    """Calls of a solver that does one of `deeds` on each puzzle, and nothing on others."""
    chosen = {puzzle.givens.tobytes(): deed for puzzle, deed in zip(PUZZLES, deeds)}

    def solve(puzzle, *rest):
        return chosen.get(puzzle.givens.tobytes(), ordinary)(puzzle, *rest)

    pretend(monkeypatch, solve)
    return [*enumerate(pool.Call(puzzle, "fake", NoParams(), 1, cpu_s) for puzzle in PUZZLES)]


@pytest.mark.parametrize("n_processes", [1, 3])
@pytest.mark.parametrize(
    ("deed", "status", "message"),
    [
        (spin, TIMEOUT, "s of CPU time"),
        # Holds Python's lock: the watching thread does not run.
        (lambda *_: sum(itertools.repeat(0)), TIMEOUT, "ended after 6 s of wall time"),
        (lambda *_: subprocess.run(SPINNING), TIMEOUT, "s of CPU time"),
        (call_sleeping, TIMEOUT, "ended after 0.6 s without computing"),
        (call_in_a_session, TIMEOUT, "s of CPU time"),
        (sleep, TIMEOUT, "ended after 0.6 s without computing"),
        (leave_behind, ERROR, "its process ended: exit status 3"),
        (die, ERROR, "its process ended: SIGSEGV"),
        (lambda *_: os._exit(0), ERROR, "its process ended: exit status 0"),
        (lambda *_: bytearray(3 * 10**8), ERROR, "MemoryError"),
    ],
)
def test_a_bad_run_costs_itself_only(monkeypatch, n_processes, deed, status, message):
    monkeypatch.setattr(pool, "GRACE_S", 0.2)
    calls = fake(monkeypatch, [ordinary, deed])
    done = dict(pool.run_all(calls, n_processes, memory_mb=200))
    assert done.keys() == {0, 1, 2, 3}
    assert (done[1].status, done[1].solution) == (status, None)
    assert message in done[1].message
    assert done[1].cpu_s == (LIMIT_S if status == TIMEOUT else done[1].cpu_s)
    assert {done.pop(number).steps for number in (0, 2, 3)} == {5}
    running = psutil.process_iter(["cmdline"])  # what has ended has no words
    assert not [each for each in running if each.info["cmdline"] == ENDLESS.split()], "an orphan"


def test_the_time_of_programs_counts(monkeypatch):
    calls = fake(monkeypatch, [call_working, ordinary], cpu_s=30.0)
    done = dict(pool.run_all(calls))
    assert 0.6 < done[0].cpu_s < 5 and done[1].cpu_s < 0.1
    late = fake(monkeypatch, [call_working], cpu_s=0.25)
    assert dict(pool.run_all(late))[0].status == TIMEOUT


def test_short_runs_are_timed_by_a_fine_clock(monkeypatch):
    done = dict(pool.run_all(fake(monkeypatch, [work_a_little] * 4)))
    assert all(0.001 <= each.cpu_s < 0.0039 for each in done.values())


@pytest.mark.parametrize("endless", [spin, sleep])
def test_what_does_not_end_in_its_warm_up_is_ended_soon(monkeypatch, endless):
    calls = fake(monkeypatch, [])
    pretend(monkeypatch, endless)
    monkeypatch.setattr(pool.programs, "WARM_UP_S", 0.5)
    monkeypatch.setattr(run, "_own_kernels", lambda solver: (True, False))
    done = dict(pool.run_all(calls[:1]))
    assert done[0].status == ERROR and "did not end within 0.5 s of CPU time" in done[0].message


def test_a_run_that_has_to_wait_for_others_is_not_ended_by_the_wall_time(monkeypatch):
    done = dict(pool.run_all(fake(monkeypatch, [crawl], cpu_s=0.5)))
    assert (done[0].steps, done[0].message) == (5, "") and done[0].wall_s > 2


def test_a_solver_with_kernels_ends_by_the_time_that_it_sleeps(monkeypatch):
    calls = fake(monkeypatch, [call_sleeping])
    monkeypatch.setattr(pool, "has_kernels", lambda solver: True)  # so it may compile for a minute
    done = dict(pool.run_all(calls))
    assert (done[0].status, done[0].message) == (TIMEOUT, "ended after 1.4 s without computing")


def test_a_slow_run_does_not_hold_back_the_others(monkeypatch):
    calls = fake(monkeypatch, [sleep], cpu_s=2.0)
    *others, last = [number for number, _ in pool.run_all(calls, 2)]
    assert (sorted(others), last) == ([1, 2, 3], 0)


def test_a_process_computes_what_the_calling_one_does():
    params = make_params("acs", {})
    calls = [pool.Call(puzzle, "acs", params, 3, None, 20) for puzzle in PUZZLES]
    for number, done in pool.run_all(enumerate(calls), 2):
        alone = run.run_once(*calls[number][:-1])
        assert (done.status, done.steps) == (alone.status, alone.steps)
        assert np.array_equal(done.solution, alone.solution)


def test_no_process_is_left_when_the_rows_are_not_wanted_any_more(monkeypatch):
    before = {*psutil.Process().children(recursive=True)}
    results = pool.run_all(fake(monkeypatch, [ordinary, sleep, sleep], cpu_s=100.0), 2)
    next(results)
    assert {*psutil.Process().children(recursive=True)} - before
    results.close()
    assert not {*psutil.Process().children(recursive=True)} - before

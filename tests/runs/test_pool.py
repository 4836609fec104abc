"""Runs in processes of their own: whatever a solver does costs its run only."""

import faulthandler
import os
import signal
import sys
import time

import numpy as np
import psutil
import pytest
from conftest import random_puzzle
from test_run import NoParams, pretend

from antdoku.outcome import ERROR, TIMEOUT, Outcome
from antdoku.runs import pool, run
from antdoku.solvers import make_params

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fakes reach a process by a fork")

PUZZLES = [random_puzzle(3, 0.5, seed) for seed in range(4)]
LIMIT_S = 0.2


def spin(*_):
    while True:
        pass


def die(*_):
    faulthandler.disable()  # as its trace is long
    os.kill(os.getpid(), signal.SIGSEGV)


def leave(*_):
    os._exit(3)


def devour(*_):
    return bytearray(3 * 10**8)


def sleep(*_):
    time.sleep(1000)


def ordinary(*_):
    return Outcome(TIMEOUT, None, 5)


def fake(monkeypatch, deeds, cpu_s=LIMIT_S):
    """Calls of a solver that does one of `deeds` on each puzzle, and nothing on others."""
    chosen = {puzzle.givens.tobytes(): deed for puzzle, deed in zip(PUZZLES, deeds)}

    def solve(puzzle, *rest):
        return chosen.get(puzzle.givens.tobytes(), ordinary)(puzzle, *rest)

    pretend(monkeypatch, solve)
    return [
        (number, pool.Call(puzzle, "fake", NoParams(), 1, cpu_s))
        for number, puzzle in enumerate(PUZZLES)
    ]


@pytest.mark.parametrize("n_processes", [1, 3])
@pytest.mark.parametrize(
    ("deed", "status", "message"),
    [
        (spin, TIMEOUT, "ended after 0.6 s"),
        (sleep, TIMEOUT, "ended after 0.6 s"),
        (die, ERROR, "died of SIGSEGV"),
        (leave, ERROR, "died of exit status 3"),
        (devour, ERROR, "MemoryError"),
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

"""Runs in processes of their own: whatever a solver does costs its run only."""

import faulthandler
import itertools
import os
import signal
import subprocess
import sys
import time
from multiprocessing import get_context

import numpy as np
import psutil
import pytest
from conftest import random_puzzle, wait_for
from test_run import NoParams, compute, pretend

import antdoku
from antdoku.outcome import ERROR, SOLVED, TIMEOUT, Outcome
from antdoku.runs import pool, run, worker
from antdoku.solver import integer, parameters
from antdoku.solvers import make_params

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="fakes reach a process by a fork")

PUZZLES = [random_puzzle(3, 0.5, seed) for seed in range(4)]
LIMIT_S = 0.2
SPINNING = [sys.executable, "-c", "while True: pass"]
ENDLESS = ["sleep", f"9876.{os.getpid()}"]  # a command line that no other process has


def spin(*_):
    while True:
        pass


def hold_the_lock(*_):
    sum(itertools.repeat(0))  # no other thread of Python runs meanwhile


def sleep(*_):
    time.sleep(1000)


def eat_memory(*_):
    return bytearray(3 * 10**8)


def call_spinning(*_):
    subprocess.run(SPINNING)


def call_sleeping(*_):
    subprocess.run(f"{' '.join(ENDLESS)}; true", shell=True)


def call_in_a_session(*_):
    subprocess.Popen(ENDLESS, start_new_session=True)
    spin()


def leave_behind(*_):
    subprocess.Popen(ENDLESS)
    os._exit(3)


def die(*_):
    faulthandler.disable()  # its trace is long
    os.kill(os.getpid(), signal.SIGSEGV)


def call_working(*_):
    """Call a program that ends, and another that is still open at the end of the run."""
    work = "import time\nwhile time.process_time() < 0.3: pass\nprint(1, flush=True)"
    subprocess.run([sys.executable, "-c", work])
    program = subprocess.Popen([sys.executable, "-c", f"{work}\ninput()"], stdout=-1, stdin=-1)
    program.stdout.read(1)
    return ordinary()


def work_a_little(*_):
    compute(0.001, time.thread_time)
    return ordinary()


def crawl(*_):
    """Compute for a tenth of the time, as a process does that has to wait for others."""
    for _ in range(45):
        compute(0.005)
        time.sleep(0.045)
    return ordinary()


def ordinary(*_):
    return Outcome(TIMEOUT, None, 5)


def calls_of(monkeypatch, functions, cpu_s=LIMIT_S):
    """Return calls of a solver that calls one of `functions` for each puzzle, then `ordinary`."""
    by_puzzle = {puzzle.givens.tobytes(): do for puzzle, do in zip(PUZZLES, functions)}

    def solve(puzzle, *rest):
        return by_puzzle.get(puzzle.givens.tobytes(), ordinary)(puzzle, *rest)

    pretend(monkeypatch, solve)
    return [*enumerate(run.Call(puzzle, "fake", NoParams(), 1, cpu_s) for puzzle in PUZZLES)]


def is_endless_running():
    return any(process.info["cmdline"] == ENDLESS for process in psutil.process_iter(["cmdline"]))


@on_linux
@pytest.mark.parametrize("n_processes", [1, 3])
@pytest.mark.parametrize(
    ("solve", "status", "message"),
    [
        (spin, TIMEOUT, "went on beyond its limit, and was ended"),
        (hold_the_lock, TIMEOUT, "went on beyond its limit, and was ended"),
        (sleep, TIMEOUT, "ended after 0.7 s without computing"),
        (eat_memory, ERROR, "MemoryError"),
        (call_spinning, TIMEOUT, "went on beyond its limit, and was ended"),
        (call_sleeping, TIMEOUT, "ended after 0.7 s without computing"),
        (call_in_a_session, TIMEOUT, "went on beyond its limit, and was ended"),
        (leave_behind, ERROR, "its process ended: exit status 3"),
        (die, ERROR, "its process ended: SIGSEGV"),
        (lambda *_: os._exit(0), ERROR, "its process ended: exit status 0"),
    ],
)
def test_a_bad_run_costs_itself_only(monkeypatch, n_processes, solve, status, message):
    monkeypatch.setattr(worker, "GRACE_S", 0.3)
    monkeypatch.setattr(worker, "SLEEP_S", 0.3)
    monkeypatch.setattr(worker, "LOOK_S", 0.1)
    calls = calls_of(monkeypatch, [ordinary, solve])
    runs = dict(pool.run_all(calls, n_processes, memory_mb=200))
    bad = runs.pop(1)
    assert (bad.status, bad.solution) == (status, None) and message in bad.message
    assert bad.cpu_s == LIMIT_S or status == ERROR
    assert {key: run.steps for key, run in runs.items()} == {0: 5, 2: 5, 3: 5}
    assert not is_endless_running()


@on_linux
def test_a_run_ends_within_a_second_after_its_limit(monkeypatch):
    calls = calls_of(monkeypatch, [spin])
    start = time.monotonic()
    used_s = {"start": psutil.Process().cpu_times().children_user}
    list(pool.run_all(calls[:1]))
    used_s["end"] = psutil.Process().cpu_times().children_user
    assert used_s["end"] - used_s["start"] < LIMIT_S + 1.1 and time.monotonic() - start < 30


@on_linux
def test_the_cpu_time_of_programs_counts(monkeypatch):
    runs = dict(pool.run_all(calls_of(monkeypatch, [call_working, ordinary], cpu_s=30.0)))
    assert 0.58 < runs[0].cpu_s < 5 and runs[1].cpu_s < 0.1
    late = calls_of(monkeypatch, [call_working], cpu_s=0.25)
    assert dict(pool.run_all(late))[0].status == TIMEOUT


@on_linux
def test_short_runs_are_timed_by_a_fine_clock(monkeypatch):
    runs = dict(pool.run_all(calls_of(monkeypatch, [work_a_little] * 4)))
    assert all(0.001 <= run.cpu_s < 0.0039 for run in runs.values())


@on_linux
@pytest.mark.parametrize("endless", [spin, sleep])
def test_a_solver_that_does_not_end_its_warm_up_is_an_error(monkeypatch, endless):
    calls = calls_of(monkeypatch, [])
    pretend(monkeypatch, endless)
    monkeypatch.setattr(pool, "WARM_UP_S", 0.5)
    monkeypatch.setattr(run, "kernels_of", lambda solver: (True, False))
    _, result = next(pool.run_all(calls))
    assert result.status == ERROR
    assert result.message.startswith("two steps, to compile it before its first run, did not end")


@on_linux
def test_a_run_that_waits_for_others_is_not_ended_by_the_wall_time(monkeypatch):
    _, result = next(pool.run_all(calls_of(monkeypatch, [crawl], cpu_s=0.5)))
    assert (result.steps, result.message) == (5, "") and result.wall_s > 2


@on_linux
def test_a_slow_run_does_not_hold_back_the_others(monkeypatch):
    calls = calls_of(monkeypatch, [sleep], cpu_s=1.0)
    *first, last = [key for key, _ in pool.run_all(calls, 2)]
    assert (sorted(first), last) == ([1, 2, 3], 0)


def test_a_process_computes_what_the_calling_one_does():
    params = make_params("acs", {})
    calls = [run.Call(puzzle, "acs", params, 3, None, 20) for puzzle in PUZZLES]
    for key, result in pool.run_all(enumerate(calls), 2):
        expected = run.run_timed(calls[key])
        assert (result.status, result.steps) == (expected.status, expected.steps)
        assert np.array_equal(result.solution, expected.solution)


@on_linux
def test_no_process_is_left_when_the_results_are_not_wanted_any_more(monkeypatch):
    before = {*psutil.Process().children(recursive=True)}
    runs = pool.run_all(calls_of(monkeypatch, [ordinary, sleep, sleep], cpu_s=100.0), 2)
    next(runs)
    assert {*psutil.Process().children(recursive=True)} - before
    runs.close()
    assert not {*psutil.Process().children(recursive=True)} - before


@on_linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left_when_the_calling_one_ends(tmp_path, number):
    file = tmp_path / "calling.py"
    call = f"__import__('subprocess').run({ENDLESS})"
    file.write_text(f"def solve(*_):\n    {call}\n")
    command = [sys.executable, "-m", "antdoku", "solve", "." * 81, "-s", str(file)]
    host = subprocess.Popen([*command, "--timeout", "60"], stderr=subprocess.PIPE, text=True)
    wait_for(is_endless_running)
    host.send_signal(number)
    _, err = host.communicate(timeout=10)
    wait_for(lambda: not is_endless_running(), 5)
    assert err == ("antdoku: error: interrupted\n" if number == signal.SIGINT else "")


# --- Processes that share no memory, as on macOS -------------------------------------------------


@parameters
class Params:
    steps = integer(3, 1, 9, "Steps that it says it has done.")


def solve_by_dlx(puzzle, params, rng, budget):
    grid = antdoku.solve(puzzle, "dlx").solution
    return Outcome(SOLVED, grid, params.steps)


@pytest.fixture()
def spawned(monkeypatch):
    monkeypatch.setattr(worker, "METHOD", get_context("spawn"))


def test_a_function_of_a_file_is_a_solver_in_a_new_process(spawned):
    result = antdoku.solve(PUZZLES[0], solve_by_dlx, params={"steps": 5})
    assert (result.status, result.solver, result.steps) == (SOLVED, "solve_by_dlx", 5)


def test_a_function_that_no_file_has_is_refused_in_a_new_process(spawned):
    with pytest.raises(antdoku.InputError, match="solver mine: cannot be sent to another"):
        antdoku.solve(PUZZLES[0], type(spin)(ordinary.__code__, {}, "mine"))


def test_a_bad_run_in_a_new_process_costs_itself_only(spawned, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def solve(*_):\n    while True:\n        pass\n")
    result = antdoku.solve(PUZZLES[0], file, timeout=0.2)
    assert result.message == "went on beyond its limit, and was ended"


def status_by_library(puzzle):
    """Return the status of a solver that runs in a worker."""
    return antdoku.solve(puzzle, "cpsat", timeout=60).status


def test_a_process_of_a_pool_may_start_a_worker():
    with get_context().Pool(1) as processes:
        assert processes.map(status_by_library, PUZZLES[:2]) == [SOLVED, SOLVED]

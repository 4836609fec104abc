"""Runs in workers: whatever a solver does, its run ends in time and the others go on."""

import faulthandler
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import psutil
import pytest
from conftest import random_puzzle, wait_for
from test_run import NoParams, pretend

from antdoku import cli, solvers
from antdoku.errors import InputError
from antdoku.instances import random
from antdoku.outcome import ERROR, TIMEOUT, Outcome
from antdoku.runs import job, journal, provenance, run, worker
from antdoku.solvers import bs, make_params

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="fakes reach a worker by a fork")

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


def fake(monkeypatch, deeds):
    """A solver that does one of `deeds` on each puzzle, and nothing on others."""
    chosen = {puzzle.givens.tobytes(): deed for puzzle, deed in zip(PUZZLES, deeds)}

    def solve(puzzle, *rest):
        return chosen.get(puzzle.givens.tobytes(), ordinary)(puzzle, *rest)

    pretend(monkeypatch, solve)
    return [
        (number, worker.Call(puzzle, "fake", NoParams(), 1, LIMIT_S))
        for number, puzzle in enumerate(PUZZLES)
    ]


@pytest.mark.parametrize(("n_workers", "ahead"), [(1, 1), (3, 1), (1, 9)])
@pytest.mark.parametrize(
    ("deed", "status", "message"),
    [
        (spin, TIMEOUT, "ended 0.5 s after its limit"),
        (die, ERROR, "died of SIGSEGV"),
        (leave, ERROR, "died of exit status 3"),
        (devour, ERROR, "MemoryError"),
    ],
)
def test_a_bad_run_costs_itself_only(monkeypatch, n_workers, ahead, deed, status, message):
    calls = fake(monkeypatch, [ordinary, deed])
    done = dict(worker.run_all(calls, n_workers, memory_mb=200, ahead=ahead))
    assert done.keys() == {0, 1, 2, 3}
    assert (done[1].status, done[1].solution) == (status, None)
    assert message in done[1].message
    assert {done.pop(number).steps for number in (0, 2, 3)} == {5}


def test_a_run_that_does_not_return_is_ended_after_its_limit(monkeypatch):
    calls = fake(monkeypatch, [spin])[:1]
    before = os.times()
    ((_, done),) = worker.run_all(calls)
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    assert used > LIMIT_S
    assert (done.status, done.steps, done.cpu_s) == (TIMEOUT, 0, LIMIT_S + worker.GRACE_S)


def test_the_cpu_time_of_a_short_run_is_not_counted_in_ticks():
    """Nor is anything compiled in it: a puzzle that was sent has the type of the one it was."""
    sent = pickle.loads(pickle.dumps(PUZZLES[0]))
    assert np.array_equal(sent.givens, PUZZLES[0].givens) and not sent.givens.flags.writeable
    calls = [(n, worker.Call(PUZZLES[n % 4], "bs", bs.Params(), n, 1.0)) for n in range(40)]
    runs = [done for _, done in worker.run_all(calls)]
    assert all(done.setup_s <= done.cpu_s for done in runs)
    times = [done.cpu_s for done in runs]
    # In ticks of milliseconds, most of them would be 0 and hardly two differ.
    assert min(times) > 0 and len(set(times)) > 20


def test_a_run_that_uses_no_cpu_time_is_ended(monkeypatch):
    monkeypatch.setattr(worker, "IDLE_S", 0.3)
    ((_, done),) = worker.run_all(fake(monkeypatch, [sleep])[:1])
    assert (done.status, done.message) == (ERROR, "used no CPU time for 0.3 s")


def test_a_worker_is_not_blamed_for_a_time_in_which_all_were_stopped(monkeypatch):
    """The private parts are its clocks: nothing else tells when a run has begun."""
    ((_, call), *_) = fake(monkeypatch, [sleep])
    one = worker.Worker(200)
    one.begin((0, call))
    wait_for(lambda: one._start_s.value >= 0)
    clock = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + 1000)
    assert not one.look()
    monkeypatch.setattr(time, "perf_counter", lambda: one._idle_from + worker.IDLE_S)
    one.next_look = one._idle_from + worker.IDLE_S
    assert one.look()
    one.end()


def test_a_worker_that_was_killed_as_it_answered_is_replaced(monkeypatch):
    first, second, third, _ = fake(monkeypatch, [ordinary, ordinary])
    one = worker.Worker(200)
    one.begin(first, second)
    assert one.pipe.poll(120)
    one._cause = TIMEOUT  # `look` does this between the answer and its reading: no test can wait
    one._process.kill()
    assert [one.result()[1].steps for _ in range(2)] == [5, 5]  # the second is not blamed
    one.begin(third)
    assert one.result()[1].steps == 5
    one.end()


def test_there_are_no_more_workers_than_runs(monkeypatch):
    calls, started = fake(monkeypatch, [ordinary]), []

    class Counted(worker.Worker):
        def __init__(self, memory_mb):
            started.append(self)
            super().__init__(memory_mb)

    monkeypatch.setattr(worker, "Worker", Counted)
    assert len(list(worker.run_all(calls, 10**12))) == len(calls) == len(started)


def test_a_solver_that_cannot_be_used_is_an_input_error(monkeypatch):
    def lacking(*_):
        raise InputError("needs a package")

    monkeypatch.setattr(solvers, "get", lacking)
    with pytest.raises(InputError, match="needs a package"):
        list(worker.run_all([(0, worker.Call(PUZZLES[0], "fake", NoParams(), 1))]))


def test_a_worker_computes_what_the_process_itself_does():
    params = make_params("acs", {})
    calls = [worker.Call(puzzle, "acs", params, 3, None, 20) for puzzle in PUZZLES]
    for number, done in worker.run_all(enumerate(calls)):
        alone = run.run_once(*calls[number][:-1])
        assert (done.status, done.steps) == (alone.status, alone.steps)
        assert np.array_equal(done.solution, alone.solution)


def test_no_worker_is_left_when_the_rows_are_not_wanted_any_more(monkeypatch):
    before = set(psutil.Process().children())
    results = worker.run_all(fake(monkeypatch, [ordinary, sleep, sleep]), 2)
    next(results)
    assert len(set(psutil.Process().children()) - before) == 2
    results.close()
    assert not set(psutil.Process().children()) - before


def test_a_worker_ends_with_the_process_that_it_works_for():
    code = (
        "import os, psutil; from antdoku.runs import worker;"
        "one = worker.Worker(100); print(psutil.Process().children()[0].pid, flush=True);"
        "os.kill(os.getpid(), 9)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    wait_for(lambda: not psutil.pid_exists(int(out)))


def test_a_lower_limit_of_the_system_stays_as_it_is():
    code = (
        "import resource as r; from antdoku.runs.worker import bound_memory;"
        "r.setrlimit(r.RLIMIT_DATA, (10**9, 10**9)); bound_memory(2000);"
        "print(*r.getrlimit(r.RLIMIT_DATA))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert out == "1000000000 1000000000\n"


def test_a_job_writes_the_rows_of_all_runs_and_the_check_fails(monkeypatch, tmp_path, capsys):
    table = random.generate(3, 0.5, 4, 1)
    (tmp_path / "a").mkdir()
    table.to_parquet(tmp_path / "family.parquet")
    bad = np.array(table["puzzle"][2].split(), np.int16).tobytes()
    pretend(monkeypatch, lambda puzzle, *_: die() if puzzle.givens.tobytes() == bad else ordinary())
    described = ("solver", "label", "kind", "params", "version", "source_hash")
    monkeypatch.setattr(job, "describe", lambda *_: dict.fromkeys(described, "fake"))
    monkeypatch.setattr(job, "get", solvers.get)
    plan = job.Plan("fake", "fake", limit_steps=5)
    paths = [tmp_path / name for name in ("family.parquet", "fake", "runs.parquet")]
    job.run_job(paths[:1], [plan], *paths[1:])
    rows = pd.read_parquet(paths[2])
    assert list(rows["status"]) == [TIMEOUT, TIMEOUT, ERROR, TIMEOUT]
    assert rows.attrs["peak_memory_mb"] > 50  # of all that this process has ever started
    assert "order3-p050-002, repetition 0: died of SIGSEGV" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        rows.assign(experiment="lewis").to_parquet(paths[2])
        provenance.write_check(tmp_path / "check.txt", paths[2], [], {})
    assert "fake: 1 error" in str(caught.value)


def test_solve_says_what_happened(monkeypatch, capsys):
    fake(monkeypatch, [die])
    monkeypatch.setattr(solvers, "make_params", lambda *_: NoParams())
    text = "".join(str(value) for value in PUZZLES[0].givens)
    assert cli.main(["solve", text, "--solver", "fake"]) == 1
    assert "error: died of SIGSEGV" in capsys.readouterr().err


def test_two_processes_cannot_share_a_journal_nor_remove_that_of_the_other(tmp_path):
    file = tmp_path / "journal.jsonl"
    code = (
        "import sys, pathlib; from antdoku.runs.journal import Journal, resumable\n"
        "file = pathlib.Path(sys.argv[1])\nwith resumable(file):\n    Journal(file)"
    )
    with journal.Journal(file):
        command = [sys.executable, "-c", code, str(file)]
        err = subprocess.run(command, capture_output=True, text=True).stderr
        assert file.exists()
    assert err.endswith("journal.jsonl: another process is at work on it\n")
    with pytest.raises(InputError), journal.resumable(file):
        raise InputError
    assert not file.exists()

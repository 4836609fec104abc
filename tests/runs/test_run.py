"""One run: judged by the wrapper, never by the solver; limits; seeds; parameters; hashes."""

import dataclasses
import time
from types import SimpleNamespace

import attrs
import pytest
from conftest import random_puzzle

from antdoku import solvers
from antdoku.answers import Result
from antdoku.budget import Budget
from antdoku.errors import InputError
from antdoku.instances.family import seed_of
from antdoku.outcome import ERROR, SOLVED, TIMEOUT, Outcome
from antdoku.puzzle.grid import ORDERS
from antdoku.runs import run

PUZZLE = random_puzzle(3, 0.5, 1)


@attrs.frozen
class NoParams:
    pass


def pretend(monkeypatch, answer):
    """Put a solver called `fake` into the registry that does what `answer` does."""
    module = SimpleNamespace(
        TITLE="Fake", KIND="exact", Params=NoParams, ORDERS=ORDERS, FILES=(), solve=answer
    )
    real = solvers.get
    monkeypatch.setattr(solvers, "get", lambda name: module if name == "fake" else real(name))
    run.warm_up.cache_clear()


def compute(seconds, clock=time.process_time):
    end = clock() + seconds
    while clock() < end:
        pass


def result(status, **measured):
    return Result(PUZZLE, "fake", {}, 0, status, steps=7, **measured)


def fake_run(cpu_s=None):
    return run.run_once(run.Call(PUZZLE, "fake", NoParams(), seed=0, cpu_s=cpu_s))


def solution_of(puzzle):
    return run.run_once(run.Call(puzzle, "bs", solvers.make_params("bs", {}), 0)).solution


def test_an_answer_after_the_limit_is_a_timeout(monkeypatch):
    solution = solution_of(PUZZLE)

    def late(puzzle, params, rng, budget):
        compute(0.05 if puzzle == PUZZLE else 0)
        return Outcome(SOLVED, solution, 1)

    pretend(monkeypatch, late)
    assert fake_run(cpu_s=0.01).status == TIMEOUT
    assert fake_run(cpu_s=10).status == SOLVED


def test_seeds_depend_on_every_part_and_on_nothing_else():
    parts = [(1, "a", "acs", 0), (2, "a", "acs", 0), (1, "b", "acs", 0), (1, "a", "ils", 0)]
    seeds = [seed_of(*part) for part in [*parts, (1, "a", "acs", 1)]]
    assert len(set(seeds)) == 5 and all(0 <= seed < 2**63 for seed in seeds)
    assert seed_of(1, "a", "acs", 0) == seeds[0] == 7329831961345832346


def test_the_hash_of_a_solver_is_its_own_and_the_same_from_any_folder(monkeypatch, tmp_path):
    hashes = [run.source_hash(name) for name in solvers.names()]
    assert len(set(hashes)) == len(hashes)
    monkeypatch.chdir(tmp_path)
    assert [run.source_hash(name) for name in solvers.names()] == hashes
    monkeypatch.setattr(run, "version", lambda _: "another")
    assert run.source_hash("acs") not in hashes


def test_a_short_run_is_repeated_and_its_median_counts(monkeypatch):
    times = iter([0.004, 0.001, 0.002, 0.003, *[0.0021] * 20])
    runs = (result(SOLVED, cpu_s=cpu_s, wall_s=2 * cpu_s, setup_s=cpu_s / 2) for cpu_s in times)
    pretend(monkeypatch, compute)
    monkeypatch.setattr(run, "run_once", lambda *_: next(runs))
    timed = run.run_timed(run.Call(PUZZLE, "fake", NoParams(), 0, timings=10))
    # 4 + 1 + 2 + 3 + 2.1 + 2.1 + 2.1 ms: more than 15 ms
    assert (timed.n_timed, timed.status, timed.steps) == (7, SOLVED, 7)
    assert (timed.cpu_s, timed.wall_s, timed.setup_s) == pytest.approx((0.0021, 0.0042, 0.00105))
    assert timed.spread_s == pytest.approx(0.00255 - 0.00205)


@pytest.mark.parametrize(
    ("status", "cpu_s", "wall_s", "n_timed"),
    [
        *[(SOLVED, 0.0001, 0.01, 10), (SOLVED, 0.0051, 0.01, 1), (ERROR, 0.0001, 0.01, 1)],
        *[(SOLVED, 0.0001, 0.6, 1), (SOLVED, 0.0001, 0.2, 3)],  # a solver that waits
    ],
)
def test_a_run_is_timed_up_to_ten_times(monkeypatch, status, cpu_s, wall_s, n_timed):
    first = result(status, cpu_s=cpu_s, wall_s=wall_s)
    pretend(monkeypatch, compute)
    monkeypatch.setattr(run, "run_once", lambda *_: first)
    timed = run.run_timed(run.Call(PUZZLE, "fake", NoParams(), 0, timings=10))
    assert vars(timed) == vars(dataclasses.replace(first, n_timed=n_timed))


# --- Limits: steps to the step, CPU time closely, and no step beyond -----------------------------


@pytest.fixture
def clock(monkeypatch):
    """A clock in place of the CPU's: what a slice costs is then the same on every machine."""
    clock = SimpleNamespace(now=0.0, process_time=lambda: clock.now)
    monkeypatch.setattr("antdoku.budget.time", clock)
    return clock


def test_slices_grow_when_they_are_short_to_the_last_step_and_no_more(clock):
    budget, quotas = Budget(max_steps=10**6), []
    for quota in budget.slices():
        quotas.append(quota)
        budget.spend(quota)
    assert quotas[:5] == [1, 4, 16, 64, 256] and sum(quotas) == budget.steps == 10**6
    assert min(quotas) >= 1


def test_slices_shrink_when_they_are_long(clock):
    budget, quotas = Budget(cpu_s=0.3), []
    for quota in budget.slices():
        quotas.append(quota)
        clock.now += (0.0001 if len(quotas) < 8 else 0.002) * quota
        budget.spend(quota)
    assert max(quotas) > 8 and quotas[-1] <= 2
    assert 0.3 <= budget.cpu_s < 0.31


@pytest.mark.parametrize(
    ("limit", "value"), [("cpu_s", 0), ("cpu_s", -1), ("cpu_s", float("nan")), ("max_steps", 0)]
)
def test_limits_must_be_positive(limit, value):
    with pytest.raises(InputError, match=f" limit {value}: must be"):
        Budget(**{limit: value})

"""Limits: steps to the step, CPU time closely, and no step beyond."""

from types import SimpleNamespace

import pytest

from antdoku.budget import Budget
from antdoku.errors import InputError


@pytest.fixture
def clock(monkeypatch):
    """A clock in place of the CPU's: what a slice costs is then the same on every machine."""
    clock = SimpleNamespace(now=0.0, process_time=lambda: clock.now)
    monkeypatch.setattr("antdoku.budget.time", clock)
    return clock


def test_steps_are_handed_out_to_the_last_and_no_more():
    budget = Budget(max_steps=1000)
    for quota in budget.slices():
        assert quota >= 1
        budget.spend(quota)
    assert budget.steps == 1000


def test_slices_grow_when_they_are_short(clock):
    budget = Budget(max_steps=10**6)
    quotas = []
    for quota in budget.slices():
        quotas.append(quota)
        budget.spend(quota)
    assert quotas[:5] == [1, 4, 16, 64, 256] and sum(quotas) == 10**6


def test_slices_shrink_when_they_are_long(clock):
    budget = Budget(cpu_s=0.3)
    quotas = []
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

"""ACS with restarts: when they come, and that nothing of the colony survives them."""

import numpy as np
import pytest
from conftest import random_puzzle

from antdoku.budget import Budget
from antdoku.kernels.compilation import kernel
from antdoku.kernels.propagation import geometry, propagated
from antdoku.kernels.randomness import kernel_state
from antdoku.solvers import acs, acs_closure, acs_restart

HARD = random_puzzle(5, 0.45, 1)


def luby(number):
    """Element of the sequence by its recursive definition (Luby et al. 1993, section 1)."""
    k = number.bit_length()
    return 2 ** (k - 1) if number == 2**k - 1 else luby(number - 2 ** (k - 1) + 1)


@kernel
def _luby(number):
    return acs_restart._luby(number)


def test_the_schedule_is_that_of_luby():
    assert [_luby(n) for n in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    assert [_luby(n) for n in range(1, 1000)] == [luby(n) for n in range(1, 1000)]


def run(params, iterations):
    """Colony, counters and generator after so many iterations."""
    start, _ = propagated(HARD)
    colony, rates = acs.new_colony(start, params.m, 5), acs.new_rates(params, 625)
    random, at = kernel_state(np.random.default_rng(1)), np.array([1, 0, 0, 626])
    by_luby = params.schedule == "luby"
    for _ in range(iterations):
        tables = geometry(5)
        acs_restart._iterate(colony, tables, rates, random, at, params.patience, by_luby, 1)
        yield colony, at


def restarts(params, iterations):
    """Iterations at whose end a restart came."""
    numbers = [int(at[acs_restart._START]) for _, at in run(params, iterations)]
    return [k for k, (old, new) in enumerate(zip([1, *numbers], numbers), 1) if new > old]


def test_a_start_ends_after_its_share_of_the_schedule():
    params = acs_restart.Params(m=2, patience=3, schedule="luby")
    lengths = np.diff([0, *restarts(params, 60)])
    assert lengths.tolist() == [3 * luby(k) for k in range(1, len(lengths) + 1)]


def test_a_start_ends_when_no_grid_was_better_for_some_iterations():
    params = acs_restart.Params(m=2, patience=4)
    fewest, stalled, expected = 626, 0, []
    history = [
        (int(at[acs_restart._FEWEST]), int(at[acs_restart._STALLED])) for _, at in run(params, 80)
    ]
    for iteration, (now, stalled_now) in enumerate(history, 1):
        if now == 626:
            assert stalled == params.patience - 1
            expected.append(iteration)
            fewest, stalled = 626, 0
        else:
            assert now <= fewest
            stalled = 0 if now < fewest else stalled + 1
            assert stalled_now == stalled
            fewest = now
    assert expected == restarts(params, 80) and expected


def test_a_restart_forgets_the_colony():
    params = acs_restart.Params(m=2, patience=1, schedule="luby")
    for colony, at in run(params, 40):
        is_new = at[acs_restart._ITERATION] == 0
        assert is_new == (colony.tau == 1 / 625).all()
        assert is_new == (colony.best == 0).all() == (colony.best_value[0] == 0)


@pytest.mark.parametrize("schedule", ["stagnation", "luby"])
def test_before_the_first_restart_it_is_acs(schedule):
    params = acs_restart.Params(patience=10**9, schedule=schedule)
    plain, restarting = (
        module.solve(HARD, given, np.random.default_rng(5), Budget(max_steps=300))
        for module, given in ((acs_closure, acs_closure.Params()), (acs_restart, params))
    )
    assert (plain.status, plain.steps) == (restarting.status, restarting.steps)
    np.testing.assert_array_equal(plain.solution, restarting.solution)

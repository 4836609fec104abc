"""Statistics against published values, hand computation and their own laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antdoku import statistics

NAN = float("nan")


@pytest.mark.parametrize(
    ("solved", "n", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998) 857-872, Table I, method 3 (Wilson).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_published_values(solved, n, low, high):
    assert statistics.wilson(solved, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_where_nothing_or_everything_is_solved_and_of_no_trials():
    for n in range(1, 200):
        assert statistics.wilson(0, n)[0] == 0
        assert statistics.wilson(n, n)[1] == 1
    low, high = statistics.wilson([0, 5], [0, 5])
    assert np.isnan(low[0])
    assert np.isnan(high[0])
    assert high[1] == 1
    assert [bound.shape for bound in statistics.wilson([], [])] == [(0,), (0,)]


@given(st.integers(1, 1000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_brackets_the_rate_and_is_symmetric(case):
    solved, n = case
    low, high = statistics.wilson(solved, n)
    assert 0 <= low <= solved / n + 1e-12
    assert solved / n - 1e-12 <= high <= 1
    mirrored = statistics.wilson(n - solved, n)
    assert (1 - high, 1 - low) == pytest.approx(mirrored, abs=1e-12)


def test_means_of_the_solved_and_par2_which_counts_failures_twice():
    assert statistics.par2([1, 3, 5], [True, True, False], 5) == pytest.approx((1 + 3 + 10) / 3)
    assert statistics.par2([1, 3], [True, False], [5, 7]) == pytest.approx((1 + 14) / 2)
    assert statistics.par2([1, 3], [True, True], NAN) == 2
    assert np.isnan(statistics.par2([1, 3], [True, False], NAN))
    assert np.isnan(statistics.par2([], [], 5))
    assert statistics.mean_solved([1, 3, 100], [True, True, False]) == 2
    assert np.isnan(statistics.mean_solved([100], [False]))


@pytest.mark.parametrize(
    ("times", "solved", "median"),
    [
        ([3, 1, 2], [True, True, True], 2),
        # A failure is longer than every solved run, whatever its clock said.
        ([1, 2, 0.5], [True, True, False], 2),
        ([1, 5], [True, False], NAN),
        ([5, 5], [False, False], NAN),
        ([], [], NAN),
    ],
)
def test_censored_median(times, solved, median):
    assert statistics.censored_median(times, solved) == pytest.approx(median, nan_ok=True)


def test_signed_rank_published_values():
    # Wilcoxon's own example (Darwin's maize, as in the documentation of R and scipy).
    differences = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    test = statistics.wilcoxon(differences)
    assert (test.n_differ, test.w_plus) == (15, 96)
    assert test.p_value == pytest.approx(0.04126, abs=5e-6)
    assert test.effect == pytest.approx((96 - 24) / 120)


def test_signed_rank_without_a_difference_is_no_test():
    for differences in ([], [0.0, 0.0]):
        test = statistics.wilcoxon(differences)
        assert test.n_differ == 0
        assert np.isnan(test[1:]).all()


# Exact tests of up to 13 pairs with ties try all permutations of their signs: few pairs, or many.
FEW = st.lists(st.integers(-5, 5), max_size=7).filter(any)
MANY = st.lists(st.integers(-5, 5).filter(bool), min_size=14, max_size=20)


@settings(deadline=None, max_examples=30)
@given(FEW | MANY)
def test_signed_rank_does_not_know_which_comes_first(differences):
    test = statistics.wilcoxon(differences)
    mirrored = statistics.wilcoxon([-value for value in differences])
    assert mirrored.effect == pytest.approx(-test.effect, abs=1e-12)
    assert mirrored.p_value == pytest.approx(test.p_value)
    assert -1 <= test.effect <= 1
    assert 0 < test.p_value <= 1
    # Pairs without a difference change nothing.
    assert statistics.wilcoxon([0, *differences, 0]) == test


def test_holm_by_hand():
    # The least p counts four times, the next three times, ...; none falls below the one before.
    adjusted = statistics.holm([0.01, 0.04, NAN, 0.03, 0.005])
    assert adjusted == pytest.approx([0.03, 0.06, NAN, 0.06, 0.02], nan_ok=True)
    assert statistics.holm([NAN, 0.7, 0.6]) == pytest.approx([NAN, 1.0, 1.0], nan_ok=True)
    assert statistics.holm([]).shape == (0,)


def test_a_power_law_goes_through_the_medians():
    x, spread = np.repeat([1.0, 10.0, 100.0], 5), np.tile([0.1, 0.9, 1, 2, 50], 3)
    law = statistics.power_law(x, 7 * x**2 * spread, [1, 1000])
    assert law.exponent == pytest.approx(2, abs=1e-4)
    assert law.low < 2 < law.high
    assert law.line[0] == pytest.approx([7, 7e6], rel=1e-3)
    assert (law.line[1] < law.line[0]).all() and (law.line[0] < law.line[2]).all()


@pytest.mark.parametrize(("x", "y"), [([], []), ([5, 5, 5], [1, 2, 3])])
def test_a_power_law_takes_two_places(x, y):
    law = statistics.power_law(x, y, [1, 2])
    assert np.isnan([law.exponent, law.low, law.high, *law.line.ravel()]).all()


def test_intervals_of_a_power_law_hold_the_true_exponent():
    """Times are exponential; those at the largest x are cut off where six of ten are solved."""
    rng, n, held = np.random.default_rng(1), 200, 0
    x = np.repeat([625.0, 1296.0, 2401.0], 20)
    scale = (x / 30) ** 4
    limits = np.where(x == 2401, -np.log(0.4) * scale, np.inf)
    for _ in range(n):
        law = statistics.power_law(x, np.minimum(scale * rng.exponential(size=60), limits), [])
        held += law.low <= 4 <= law.high
    assert 0.9 < held / n < 0.99

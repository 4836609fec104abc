"""Statistics against published values, hand computation and their own laws."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from antdoku import statistics
from antdoku.statistics import Rate

NAN = float("nan")


def test_wilson_published_values():
    # Newcombe, Statistics in Medicine 17 (1998) 857-872, Table I, method 3 (Wilson).
    limits = [[0.2553, 0.0624, 0.0, 0.0061], [0.3662, 0.1605, 0.1611, 0.1718]]
    intervals = statistics.wilson([81, 15, 0, 1], [263, 148, 20, 29])
    np.testing.assert_allclose(intervals, limits, rtol=0, atol=5e-5)


def test_wilson_where_nothing_or_everything_is_solved_and_of_no_trials():
    for n in range(1, 200):
        assert statistics.wilson(0, n)[0] == 0
        assert statistics.wilson(n, n)[1] == 1
    low, high = statistics.wilson([0, 5], [0, 5])
    assert np.isnan(low[0]) and np.isnan(high[0]) and high[1] == 1
    assert [bound.shape for bound in statistics.wilson([], [])] == [(0,), (0,)]


CASES = st.integers(1, 1000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
INTERVALS = {
    "wilson": statistics.wilson,
    "exact": lambda solved, n: statistics.exact_limits(solved / n, n, 0.05),
}


@pytest.mark.parametrize("interval", INTERVALS.values(), ids=INTERVALS)
@given(case=CASES)
def test_intervals_bracket_the_rate_and_are_mirrored(interval, case):
    solved, n = case
    low, high = interval(solved, n)
    assert 0 <= low <= solved / n + 1e-9
    assert solved / n - 1e-9 <= high <= 1
    assert (1 - high, 1 - low) == pytest.approx(interval(n - solved, n), abs=1e-9)


def test_a_failure_counts_as_its_limit_or_twice():
    cpu_s, solved = pd.Series([1, 2.5, 0.5, 3]), pd.Series([True, False, False, False])
    limit_s = pd.Series([2, 2, 2, NAN])
    assert list(statistics.at_limit(cpu_s, solved, limit_s)) == [1, 2, 2, 3]
    assert statistics.par2(cpu_s, solved, limit_s).fillna(-1).tolist() == [1, 4, 4, -1]


def test_signed_rank_published_values():
    # Wilcoxon's own example (Darwin's maize, as in the documentation of R and scipy).
    differences = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    test = statistics.signed_rank(differences)
    assert test.p == pytest.approx(0.04126, abs=5e-6)
    assert test.effect == pytest.approx((96 - 24) / 120)


FEW = st.lists(st.integers(-5, 5), max_size=7).filter(any)
MANY = st.lists(st.integers(-5, 5).filter(bool), min_size=14, max_size=20)


@settings(deadline=None, max_examples=30)
@given(FEW | MANY)
def test_signed_rank_does_not_know_which_comes_first(differences):
    test = statistics.signed_rank(differences)
    mirrored = statistics.signed_rank([-value for value in differences])
    assert mirrored.effect == pytest.approx(-test.effect, abs=1e-12)
    assert mirrored.p == pytest.approx(test.p)
    assert -1 <= test.effect <= 1
    assert 0 < test.p <= 1
    # Pairs without a difference change nothing.
    assert statistics.signed_rank([0, *differences, 0]) == test


@settings(deadline=None, max_examples=30)
@given(FEW | MANY)
def test_signed_rank_has_the_p_value_of_scipy(differences):
    others = [value for value in differences if value]
    assert statistics.signed_rank(differences).p == scipy.stats.wilcoxon(others).pvalue


def test_holm_by_hand():
    # The least p counts four times, the next three times, ...; none falls below the one before.
    adjusted = statistics.holm([0.01, 0.04, NAN, 0.03, 0.005])
    assert adjusted == pytest.approx([0.03, 0.06, NAN, 0.06, 0.02], nan_ok=True)
    assert statistics.holm([NAN, 0.7, 0.6]) == pytest.approx([NAN, 1.0, 1.0], nan_ok=True)
    assert statistics.holm([]).shape == (0,)


# --- tests of two samples, agreement, and the runs that a test needs ------------------------------


def test_two_rates_the_lady_tasting_tea_and_exact_ones_which_differ_if_they_are_not_equal():
    test = statistics.two_rates(3, 4, 1, 4)
    assert test.p == pytest.approx(34 / 70)  # Fisher: 17/70 on each side
    assert test.effect == pytest.approx(2 * np.arcsin(0.75**0.5) - 2 * np.arcsin(0.25**0.5))
    assert statistics.rates_differ(Rate(0.5), Rate(0.5)).p == 1
    assert statistics.rates_differ(Rate(0.5), Rate(0.49)).p < 1e-9
    assert 0.001 < statistics.rates_differ(Rate(0.5, 100), Rate(0.65)).p < 0.01


def test_cohens_h_of_two_rates_and_of_two_differences():
    half, seven, nine = (Rate(share) for share in (0.5, 0.7, 0.9))
    # Cohen 1988, Table 6.2.2: phi = 1.982 for 0.70 and 1.571 for 0.50.
    first = statistics.cohens_h([seven], [half])
    assert first == pytest.approx(0.411, abs=1e-3)
    second = statistics.cohens_h([nine], [seven])
    assert statistics.cohens_h([nine, seven], [seven, half]) == pytest.approx(second - first)


def test_exact_limits_where_all_or_none_is_solved():
    # The rule of three, and what it approximates.
    assert statistics.exact_limits(1.0, 30, 0.05) == pytest.approx((0.05 ** (1 / 30), 1))
    assert statistics.exact_limits(0.0, 30, 0.05) == pytest.approx((0, 1 - 0.05 ** (1 / 30)))
    # Clopper & Pearson's interval for 2 of 10, as in R's binom.test.
    assert statistics.exact_limits(0.2, 10, 0.025) == pytest.approx((0.0252, 0.5561), abs=5e-5)


def test_equivalence_is_the_least_alpha_whose_limits_lie_within():
    rates = [Rate(0.9, 100)], [Rate(0.92, 100)]
    p = statistics.equivalence(*rates, 0.4)
    assert 0 < p < 0.05
    assert max(np.abs(statistics.h_interval(*rates, p))) == pytest.approx(0.4)
    assert statistics.equivalence([Rate(0.5, 100)], [Rate(0.92, 100)], 0.4) == 1
    assert statistics.no_less([Rate(0.99, 100)], [Rate(0.5, 100)], 0.4) < 1e-6  # any number more
    assert statistics.no_less([Rate(0.5, 100)], [Rate(0.99, 100)], 0.4) == 1
    # 75 is the least number of which all have to be solved: 0.9605 ** 75 < 5 %.
    assert statistics.equivalence([Rate(1.0, 75)], [Rate(1.0)], 0.4) < 0.05
    assert statistics.equivalence([Rate(1.0, 74)], [Rate(1.0)], 0.4) > 0.05


def test_a_mean_and_a_share_within_bounds():
    values = np.array([9.8, 10.1, 10.0, 9.9, 10.2])
    t = (10 - 9.8) / (values.std(ddof=1) / 5**0.5)
    assert statistics.mean_within(values, 9.8, 10.2) == pytest.approx(stats.t.sf(t, 4))
    assert statistics.mean_within([3.0, 3.0], 2.9, 3.1) == 0
    assert statistics.mean_within([3.0, 3.0], 3.1, 3.2) == 1
    assert np.isnan(statistics.mean_within([3.0], 2, 4))
    assert statistics.share_within(0.5, 100, 0.35, 0.65) < 0.05
    assert statistics.share_within(0.6, 100, 0.35, 0.65) > 0.05


def test_beyond_is_the_least_alpha_whose_limits_lie_outside():
    # Printed is exactly 100 %, whose margin ends at 96.05 %: a binomial test, for either side.
    lowest = np.sin((np.pi - 0.4) / 2) ** 2
    for solved, n in ((5, 10), (70, 75), (93, 100)):
        p = min(1, 2 * stats.binom.cdf(solved, n, lowest))
        rates = [Rate(solved / n, n)], [Rate(1.0)]
        assert statistics.beyond(*rates, 0.4) == pytest.approx(p)
    rates = [Rate(0.5, 100)], [Rate(0.92, 100)]
    low, high = statistics.h_interval(*rates, statistics.beyond(*rates, 0.4) / 2)
    assert (low, high) == pytest.approx((low, -0.4))


RATES = st.tuples(st.floats(0, 1), st.integers(1, 500))


@settings(deadline=None, max_examples=50)
@given(ours=RATES, printed=RATES)
def test_agreement_and_its_opposite_are_never_both_shown(ours, printed):
    pair = [Rate(*ours)], [Rate(*printed)]
    within, outside = (test(*pair, 0.4) for test in (statistics.equivalence, statistics.beyond))
    assert max(within, outside) == 1
    mirrored = [Rate(1 - ours[0], ours[1])], [Rate(1 - printed[0], printed[1])]
    assert statistics.equivalence(*mirrored, 0.4) == pytest.approx(within, rel=1e-3, abs=1e-6)
    assert statistics.beyond(*mirrored, 0.4) == pytest.approx(outside, rel=1e-3, abs=1e-6)
    margin = statistics.smallest_margin(*pair)
    wider, narrower = (statistics.equivalence(*pair, margin + off) for off in (1e-6, -1e-6))
    assert wider < statistics.ALPHA < narrower


def test_a_mean_and_a_share_outside_of_bounds():
    values = np.array([9.8, 10.1, 10.0, 9.9, 10.2])
    t = (9.5 - 10) / (values.std(ddof=1) / 5**0.5)
    assert statistics.mean_beyond(values, 9, 9.5) == pytest.approx(2 * stats.t.cdf(t, 4))
    assert statistics.mean_beyond(20 - values, 10.5, 11) == pytest.approx(2 * stats.t.cdf(t, 4))
    assert statistics.mean_beyond(values, 9.8, 10.2) == 1
    assert statistics.mean_beyond([3.0, 3.0], 3.1, 3.2) == 0
    assert statistics.mean_beyond([3.0, 3.0], 2.9, 3.1) == 1
    assert np.isnan(statistics.mean_beyond([3.0], 2, 4))
    # Exact tests: the binomial distribution, of either side.
    below = stats.binom.cdf(30, 100, 0.4)
    assert statistics.share_below(0.3, 100, 0.4) == pytest.approx(below)
    assert statistics.share_beyond(0.3, 100, 0.4, 0.6) == pytest.approx(2 * below)
    assert statistics.share_beyond(0.7, 100, 0.4, 0.6) == pytest.approx(2 * below)
    assert statistics.share_beyond(0.5, 100, 0.4, 0.6) == 1
    assert statistics.share_below(1.0, 100, 0.4) == 1


def test_signed_rank_and_mcnemar_of_pairs():
    # The first alone solves nine instances, the second alone one: 2 (1 + 10) / 2^10.
    first = [True] * 9 + [False] + [True] * 5
    second = [False] * 9 + [True] + [True] * 5
    assert statistics.paired_success(first, second) == pytest.approx((22 / 1024, 0.4, "g"))
    assert statistics.paired_success(second, first).effect == pytest.approx(-0.4)
    assert statistics.paired_success(first, first)[:2] == (1, 0)
    assert np.isnan(statistics.paired_success([], []).p)
    shares = statistics.paired_success(np.linspace(0.5, 1, 8), np.linspace(0, 0.3, 8))
    assert shares == pytest.approx((2 / 2**8, 1, "rank-biserial"))
    assert statistics.signed_rank([0.0, 1 - 2 / 3 - 1 / 3])[:2] == (1, 0)
    assert np.isnan(statistics.signed_rank([]).p)


def test_earlier_counts_pairs():
    # In 7 of the 9 pairs the first is earlier, and one is a tie.
    assert statistics.earlier([1, 2, 4], [3, 4, 5]).effect == pytest.approx(2 * 7.5 / 9 - 1)
    assert statistics.earlier([2, 2], [2, 2, 2])[:2] == (1, 0)
    assert statistics.earlier([1, np.inf], [np.inf, np.inf]).effect == pytest.approx(0.5)


@pytest.mark.parametrize("n_tests", [1, 3, 15])
def test_pairs_that_would_decide_have_the_planned_power(n_tests):
    rng = np.random.default_rng(3)
    n = statistics.pairs_to_decide(stats.norm.ppf((np.arange(999) + 0.5) / 999, 0.5), n_tests)
    p = [statistics.signed_rank(rng.normal(0.5, 1, n)).p for _ in range(400)]
    power = np.mean(np.array(p) * n_tests < statistics.ALPHA)
    assert statistics.POWER - 0.02 <= power <= 0.93


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=40), st.integers(1, 6))
def test_more_pairs_are_needed_than_leave_a_comparison_open(differences, n_tests):
    if statistics.signed_rank(differences).p * n_tests > statistics.ALPHA:
        assert statistics.pairs_to_decide(differences, n_tests) > len(differences)


@pytest.mark.parametrize(("n_tests", "fewest"), [(1, 6), (3, 7)])
def test_few_pairs_decide_what_one_side_always_wins(n_tests, fewest):
    differences = [1.0, 2.0, 4.0, 5.0, 7.0]
    assert statistics.pairs_to_decide(differences, n_tests) == fewest
    assert statistics.pairs_to_decide(np.negative(differences), n_tests) == fewest
    won = statistics.signed_rank(np.arange(1.0, fewest + 1)).p
    assert won * n_tests < statistics.ALPHA
    assert statistics.signed_rank(np.arange(1.0, fewest)).p * n_tests > statistics.ALPHA
    assert statistics.pairs_to_decide([*differences, *np.zeros(45)], n_tests) == 10 * fewest
    no_difference = [*differences, *np.negative(differences)]
    for too_few in ([], [0.0, 0.0], [1.0, -1.0], differences[1:], no_difference):
        assert np.isinf(statistics.pairs_to_decide(too_few, n_tests))


@pytest.mark.parametrize(("share", "correlation", "runs"), [(0.9, 0.05, 3), (0.5, 0.3, 2)])
def test_limits_of_the_dependence_of_runs_hold_the_true_one(share, correlation, runs):
    rng, weight = np.random.default_rng(1), 1 / correlation - 1
    chances = rng.beta(share * weight, (1 - share) * weight, (300, 100, 1))
    samples = 1.0 * (rng.random((300, 100, runs)) < chances)
    limits = [statistics.dependence(trials) for trials in samples]
    low, high = np.transpose(limits)
    for is_held in (low <= correlation, high >= correlation):
        assert 0.88 < is_held.mean() < 1


def test_runs_on_one_instance_are_worth_less_the_more_they_depend():
    assert statistics.dependence(np.ones((9, 3))) == (0, 1)
    assert statistics.dependence(np.repeat([[0.0], [1.0]], 3, axis=1)) == (0, 1)
    assert statistics.independent([20] * 20, 0.0) == 400
    assert statistics.independent([20] * 20, 1.0) == 20
    assert statistics.independent([20] * 20, 0.19) == pytest.approx(87, abs=0.5)


def test_repeated_runs_are_found_by_instance_whatever_their_order_and_index():
    """Two runs each of a and b, one of c; the third run of b is left out."""
    instances = pd.Series(["b", "a", "c", "b", "a", "b"], index=[0, 1, 2, 0, 1, 0])
    solved = pd.Series([0, 1, 1, 1, 1, 0], instances.index)
    assert statistics.repeated(solved, instances).tolist() == [[1, 1], [0, 1]]
    assert statistics.repeated(solved[:3], instances[:3]) is None
    assert statistics.trials(solved[:3], instances[:3]) == 3
    assert statistics.trials(solved, instances) < 6
    alone = pd.Series(["a"] * 6)
    assert statistics.trials(solved, alone) == 6  # one puzzle: each run is a trial


# P. E. Shrout, J. L. Fleiss, Psychological Bulletin 86 (1979) 420-428, Table 2: six targets that
# four judges rate; ICC(1, 1) is 0.17 (Table 4).
JUDGED = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)


def test_dependence_elsewhere_is_where_the_next_correlation_is_expected():
    three = statistics.dependence_elsewhere([JUDGED] * 3)
    assert three == pytest.approx((0.166, 0.166), abs=5e-4)
    half = np.array([[1, 1], [0, 1.0], [0, 0]])
    estimates = [0.1657, 0.1657, 0.5]
    reach = stats.t.isf(0.05, 2) * np.std(estimates, ddof=1) * (4 / 3) ** 0.5
    limits = statistics.dependence_elsewhere([JUDGED, JUDGED, half])
    assert limits == pytest.approx((0, np.mean(estimates) + reach), abs=1e-3)
    # Where runs on each instance are alike nothing is known, so only two places are left.
    alike = np.ones((9, 3))
    assert statistics.dependence_elsewhere([JUDGED, half, alike]) == (0, 1)
    assert statistics.dependence_elsewhere([]) == (0, 1)

"""Tests between samples, against textbook examples and the laws that they obey."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antdoku import inference

# Freireich et al., Blood 21 (1963) 699-716: weeks of remission under 6-MP (some censored), placebo.
MERCAPTOPURINE = [6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
RELAPSED = [True] * 9 + [False] * 12
PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]


def test_two_rates_the_lady_tasting_tea():
    test = inference.two_rates(3, 4, 1, 4)
    assert test.p == pytest.approx(34 / 70)  # Fisher: 17/70 on each side
    assert test.effect == pytest.approx(2 * np.arcsin(0.75**0.5) - 2 * np.arcsin(0.25**0.5))


def test_rate_against_a_given_one_is_the_binomial_tail():
    assert inference.rate_against(19, 19, 0.5).p == pytest.approx(2 * 0.5**19)
    lower_tail = (1 + 19 + 171 + 969) / 2**19
    assert inference.rate_against(3, 19, 0.5, "less").p == pytest.approx(lower_tail)


def test_mcnemar_by_hand():
    # Nine instances that only the first solves, one that only the second solves: 2 (1 + 10) / 2^10.
    first = [True] * 9 + [False] + [True] * 5
    second = [False] * 9 + [True] + [True] * 5
    assert inference.mcnemar(first, second) == pytest.approx((22 / 1024, 0.4, "g"))
    assert inference.mcnemar(second, first).effect == pytest.approx(-0.4)
    assert inference.mcnemar(first, first)[:2] == (1, 0)
    assert np.isnan(inference.mcnemar([], []).p)


def test_paired_success_is_mcnemar_for_single_runs_and_signed_rank_for_several():
    assert inference.paired_success([1, 1, 0], [0, 1, 1]) == inference.mcnemar([1, 1, 0], [0, 1, 1])
    shares = inference.paired_success(np.linspace(0.5, 1, 8), np.linspace(0, 0.3, 8))
    assert shares == pytest.approx((2 / 2**8, 1, "rank-biserial"))


def test_signed_rank_of_ties_and_of_nothing():
    # p-values of others: test_statistics.
    assert inference.signed_rank([0.0, 1 - 2 / 3 - 1 / 3])[:2] == (1, 0)
    assert np.isnan(inference.signed_rank([]).p)


def test_failures_count_as_their_limit():
    times = inference.at_limit([1, 2.5, 0.5, 3], [True, False, False, False], [2, 2, 2, np.nan])
    assert list(times) == [1, 2, 2, 3]


def test_log_rank_on_freireichs_leukaemia():
    test = inference.log_rank(MERCAPTOPURINE, RELAPSED, PLACEBO, [True] * 21)
    assert test.p == pytest.approx(4.17e-5, rel=0.01)  # chi-squared 16.79, 1 degree of freedom
    assert test.effect < 0  # relapses come later under 6-MP
    mirrored = inference.log_rank(PLACEBO, [True] * 21, MERCAPTOPURINE, RELAPSED)
    assert mirrored == pytest.approx((test.p, -test.effect, test.measure))


def test_log_rank_where_nothing_is_solved():
    assert inference.log_rank([5, 5], [False, False], [5], [False])[:2] == (1, 0)
    assert np.isnan(inference.log_rank([5], [True], [], []).p)


def test_log_rank_where_all_runs_of_one_sample_have_ended_before_the_first_solved_one():
    assert inference.log_rank([1, 1], [False, False], [2, 3], [True, True]).p == 1


def test_earlier_counts_pairs():
    # In 7 of the 9 pairs the first is earlier, and one is a tie.
    assert inference.earlier([1, 2, 4], [3, 4, 5]).effect == pytest.approx(2 * 7.5 / 9 - 1)
    assert inference.earlier([2, 2], [2, 2, 2])[:2] == (1, 0)
    assert inference.earlier([1, np.inf], [np.inf, np.inf]).effect == pytest.approx(0.5)


def test_run_time_distribution_is_kaplan_meiers():
    curve = inference.run_time_distribution(MERCAPTOPURINE, RELAPSED).set_index("time_s")
    # Survival of 6-MP: 18/21 at 6, then times 16/17 at 7 and 14/15 at 10 weeks.
    assert 1 - curve["share"][6] == pytest.approx(18 / 21)
    assert 1 - curve["share"][10] == pytest.approx(18 / 21 * 16 / 17 * 14 / 15)
    assert (curve["low"].dropna() <= curve["share"][curve["low"].notna()]).all()
    assert inference.median_time(MERCAPTOPURINE, RELAPSED) == 23
    assert inference.median_time(PLACEBO, [True] * 21) == 8
    assert inference.median_time([5, 5, 1], [False, False, True]) == np.inf
    assert inference.run_time_distribution([], []).empty


def test_runs_needed_as_in_cohens_tables():
    # Cohen 1988, Table 6.4.1: h = 0.50, two-sided, power 0.80: 63 in each of two samples.
    assert 2 * inference.runs_for_effect(0.5) == pytest.approx(63, abs=0.5)
    half_and_more = (np.sin(np.pi / 4 + 0.25) ** 2, 0.5)
    assert inference.runs_for_rates(*half_and_more) == pytest.approx(63, abs=0.5)
    assert inference.runs_for_effect(0.5, beside=63) == pytest.approx(63, abs=1)
    assert inference.runs_for_effect(0.5, beside=30) == np.inf
    assert inference.runs_for_rates(0.3, 0.3) == np.inf


def test_solved_runs_needed_as_schoenfeld_has_them():
    # Collett, Modelling Survival Data: a hazard ratio of 0.57 takes 133 events at 90 % power.
    assert 2 * inference.solved_for_ratio(0.57) == pytest.approx(99.4, abs=0.5)
    assert inference.solved_for_ratio(2) == inference.solved_for_ratio(0.5)


def test_pairs_needed_to_reject():
    assert inference.pairs_to_reject() == 6  # 2 / 2^6 < 0.05 < 2 / 2^5
    assert inference.pairs_to_reject(63) == 12


def test_effective_n_of_identical_and_of_independent_runs():
    instance = np.repeat(np.arange(40), 5)
    alike = np.repeat(np.arange(40) % 2 == 0, 5)
    assert inference.effective_n(alike, instance) == pytest.approx(40, rel=0.05)
    independent = np.random.default_rng(1).random(200) < 0.5
    assert inference.effective_n(independent, instance) > 120
    assert inference.effective_n(independent, np.arange(200)) == 200
    assert inference.effective_n([True] * 10, [0, 1] * 5) == 2
    assert inference.effective_n([], []) == 0


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
def test_effective_n_lies_between_instances_and_runs(runs):
    solved, instance = zip(*runs, strict=True)
    assert len(set(instance)) - 1e-9 <= inference.effective_n(solved, instance) <= len(runs) + 1e-9

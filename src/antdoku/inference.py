"""Tests between samples of runs: success, censored times, and the runs that a test needs.

Everything is computed by scipy or statsmodels; what is decided here is which test fits which
design. Runs of two variants on the same instances are pairs, runs on one puzzle are independent,
and several runs on each instance of a sample are clusters. A run that was not solved has a censored
time: it is only known to exceed the limit, and is never left out.
"""

import warnings
from math import ceil
from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import statistics

ALPHA = 0.05
POWER = 0.8
TIE_DECIMALS = 9  # 1 - 2/3 and 2/3 - 1/3 are one difference


class Result(NamedTuple):
    """A test: p value (two-sided, if not said otherwise), and the effect with its measure's name.

    An effect is positive if the first of two solves more, or is faster. Without anything to compare
    both numbers are NaN.
    """

    p: float
    effect: float
    measure: str


# --- success -------------------------------------------------------------------------------------


def two_rates(solved: int, n: int, other_solved: int, other_n: int) -> Result:
    """Fisher's exact test of two independent success rates, with Cohen's h.

    References
    ----------
    R. A. Fisher, J. Royal Stat. Soc. 98 (1935) 39-82; J. Cohen, Statistical Power Analysis (1988).
    """
    from scipy.stats import fisher_exact
    from statsmodels.stats.proportion import proportion_effectsize

    if not n or not other_n:
        return Result(np.nan, np.nan, "h")
    p = fisher_exact([[solved, n - solved], [other_solved, other_n - other_solved]]).pvalue
    return Result(float(p), float(proportion_effectsize(solved / n, other_solved / other_n)), "h")


def rate_against(solved: int, n: int, rate: float, alternative: str = "two-sided") -> Result:
    """Exact binomial test of a success rate against a given one, with Cohen's h."""
    from scipy.stats import binomtest
    from statsmodels.stats.proportion import proportion_effectsize

    if not n:
        return Result(np.nan, np.nan, "h")
    p = binomtest(solved, n, rate, alternative).pvalue
    return Result(float(p), float(proportion_effectsize(solved / n, rate)), "h")


def mcnemar(first, second) -> Result:
    """Exact McNemar test of the success of two variants on the same instances.

    Parameters
    ----------
    first, second : array_like of bool, shape (n,)
        Success on each instance.

    Returns
    -------
    Result
        The effect is Cohen's g: share of the instances that only the first solves among those that
        only one of the two solves, minus 1/2. Without such instances p is 1.

    References
    ----------
    Q. McNemar, Psychometrika 12 (1947) 153-157.
    """
    from statsmodels.stats.contingency_tables import mcnemar as exact

    first, second = np.asarray(first, bool), np.asarray(second, bool)
    only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
    differ = only_first + only_second
    if not differ:
        return Result(1.0 if len(first) else np.nan, 0.0 if len(first) else np.nan, "g")
    p = exact([[0, only_first], [only_second, 0]], exact=True).pvalue
    return Result(float(p), only_first / differ - 0.5, "g")


def paired_success(first, second) -> Result:
    """Test of two variants by their shares of solved runs on the same instances.

    Exact McNemar with one run an instance; with several, Wilcoxon signed-rank on the differences.

    Parameters
    ----------
    first, second : array_like of float, shape (n,)
        Solved share of the runs on each instance.
    """
    first, second = np.asarray(first, float), np.asarray(second, float)
    if np.isin(first, (0, 1)).all() and np.isin(second, (0, 1)).all():
        return mcnemar(first == 1, second == 1)
    return signed_rank(first - second)


def effective_n(solved, instance) -> float:
    """Number of independent runs that say as much about a success rate as these do.

    Several runs on one instance resemble each other. The variance of their rate is that of clusters
    (statsmodels' cluster-robust covariance); so many independent runs would have the same.

    Parameters
    ----------
    solved : array_like of bool, shape (n,)
    instance : array_like, shape (n,)
        The cluster of each run.

    Returns
    -------
    float
        Between the number of instances (also where all runs end alike) and the number of runs.

    References
    ----------
    L. Kish, Survey Sampling (1965), on the design effect.
    """
    from statsmodels.regression.linear_model import OLS

    solved, groups = np.asarray(solved, float), pd.factorize(np.asarray(instance))[0]
    n, n_groups = len(solved), len(np.unique(groups))
    rate = solved.mean() if n else 0.0
    if n_groups in (0, 1, n) or rate in (0, 1):
        return float(n_groups)
    fit = OLS(solved, np.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    variance = float(fit.cov_params()[0, 0])
    return float(np.clip(rate * (1 - rate) / variance, n_groups, n)) if variance > 0 else float(n)


# --- times ---------------------------------------------------------------------------------------


def at_limit(cpu_s, solved, limit_s) -> np.ndarray:
    """Times in seconds in which a run that was not solved counts as its limit (if it had one)."""
    cpu_s, limit_s = np.asarray(cpu_s, float), np.asarray(limit_s, float)
    return np.where(np.asarray(solved, bool) | np.isnan(limit_s), cpu_s, limit_s)


def signed_rank(differences) -> Result:
    """Wilcoxon signed-rank test, with the matched-pairs rank-biserial correlation.

    For times, the caller takes them `at_limit`. A pair that reached the limit twice is then a tie
    and says nothing; one that reached it once keeps its sign, with a rank that is rather too low.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        For times second minus first: a positive effect speaks for the first.
    """
    differences = np.round(np.asarray(differences, float), TIE_DECIMALS)
    if differences.size and not differences.any():
        return Result(1.0, 0.0, "rank-biserial")
    test = statistics.signed_rank(differences)
    return Result(test.p_value, test.effect, "rank-biserial")


def run_time_distribution(cpu_s, solved) -> pd.DataFrame:
    """Kaplan-Meier estimate of the share of runs that are solved within a time.

    Parameters
    ----------
    cpu_s : array_like of float, shape (n,), seconds
    solved : array_like of bool, shape (n,)
        A run that was not solved is censored at its time.

    Returns
    -------
    DataFrame
        time_s (ascending), share, and low and high of its 95 % confidence interval (log-log).

    References
    ----------
    E. L. Kaplan, P. Meier, J. Am. Stat. Assoc. 53 (1958) 457-481.
    """
    from scipy.stats import CensoredData, ecdf

    cpu_s, solved = np.asarray(cpu_s, float), np.asarray(solved, bool)
    if not cpu_s.size:
        return pd.DataFrame(columns=["time_s", "share", "low", "high"], dtype=float)
    cdf = ecdf(CensoredData(uncensored=cpu_s[solved], right=cpu_s[~solved])).cdf
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # no interval around the shares 0 and 1
        interval = cdf.confidence_interval(statistics.CONFIDENCE, method="log-log")
    low, high = (bound.probabilities for bound in (interval.low, interval.high))
    columns = {"time_s": cdf.quantiles, "share": cdf.probabilities, "low": low, "high": high}
    return pd.DataFrame(columns)


def median_time(cpu_s, solved) -> float:
    """Kaplan-Meier median in seconds; infinite where it lies beyond the limit."""
    curve = run_time_distribution(cpu_s, solved)
    reached = curve.loc[curve["share"] >= 0.5, "time_s"]
    return float(reached.min()) if len(reached) else np.inf


def earlier(times, other_times) -> Result:
    """Mann-Whitney test whether one of two independent samples of times is the shorter.

    Parameters
    ----------
    times, other_times : array_like of float, shapes (n,) and (m,)
        Infinite, or any number beyond the limit, for what was not solved.

    Returns
    -------
    Result
        The effect is 2 A - 1, A the probability that a value of the first sample is below one of
        the second (Vargha & Delaney's A, halves for ties).

    References
    ----------
    A. Vargha, H. D. Delaney, J. Educational and Behavioral Statistics 25 (2000) 101-132.
    """
    from scipy.stats import mannwhitneyu

    times, other_times = np.asarray(times, float), np.asarray(other_times, float)
    if not times.size or not other_times.size:
        return Result(np.nan, np.nan, "2A-1")
    test = mannwhitneyu(other_times, times)
    p = 1.0 if np.isnan(test.pvalue) else test.pvalue  # all values are equal
    return Result(float(p), float(2 * test.statistic / (times.size * other_times.size) - 1), "2A-1")


def log_rank(cpu_s, solved, other_cpu_s, other_solved) -> Result:
    """Log-rank test of two independent samples of censored times, with the effect of `earlier`.

    References
    ----------
    N. Mantel, Cancer Chemotherapy Reports 50 (1966) 163-170.
    """
    from statsmodels.duration.survfunc import survdiff

    solved, other_solved = np.asarray(solved, bool), np.asarray(other_solved, bool)
    times, others = np.asarray(cpu_s, float), np.asarray(other_cpu_s, float)
    effect = earlier(np.where(solved, times, np.inf), np.where(other_solved, others, np.inf))
    if not times.size or not others.size or not (solved.any() or other_solved.any()):
        return effect
    group = np.repeat([0, 1], [len(times), len(others)])
    try:
        p = survdiff(np.r_[times, others], np.r_[solved, other_solved].astype(int), group)[1]
    except np.linalg.LinAlgError:  # whenever a run was solved, no run of the other sample went on
        return effect._replace(p=1.0)
    return effect._replace(p=float(p))


# --- runs that a test needs ----------------------------------------------------------------------
# At ALPHA and POWER, in the normal approximation; never fewer than an exact test of pairs takes.


def runs_for_effect(h: float, beside: float | None = None, sides: int = 2) -> float:
    """Runs that find a difference of success rates of this size: Cohen's h has variance 1/n.

    Parameters
    ----------
    h : float
        As in `two_rates`.
    beside : float, optional
        Runs behind the other rate, if that is measured as well. None: it is exact.
    sides : {1, 2}
        Of the test.

    Returns
    -------
    float
        Infinite if no number suffices.
    """
    n = _sample_size(h, 1, sides)
    if beside is None:
        return n
    return 1 / (1 / n - 1 / beside) if beside > n else np.inf


def runs_for_rates(rate: float, other_rate: float) -> float:
    """Runs of each of two variants that tell two such success rates apart; infinite if equal."""
    from statsmodels.stats.proportion import proportion_effectsize

    return _sample_size(proportion_effectsize(rate, other_rate), np.sqrt(2))


def solved_for_ratio(ratio: float) -> float:
    """Solved runs of each of two variants that tell times apart whose hazards have this ratio.

    Schoenfeld's formula: an estimated log hazard ratio varies like a difference of two means.

    References
    ----------
    D. A. Schoenfeld, Biometrics 39 (1983) 499-503.
    """
    return _sample_size(np.log(ratio), np.sqrt(2))


def values_for_mean(sd: float, difference: float) -> float:
    """Values, of this standard deviation, that tell their mean from one so much away."""
    return _sample_size(difference, sd)


def pairs_to_reject(n_tests: int = 1) -> int:
    """Fewest pairs with which an exact signed-rank test can reach 5 % after Holm's correction."""
    return ceil(1 + np.log2(n_tests / ALPHA))


def _sample_size(difference, sd, sides=2):
    from statsmodels.stats.power import normal_sample_size_one_tail

    if not difference:
        return np.inf
    n = normal_sample_size_one_tail(abs(difference), POWER, ALPHA / sides, std_null=sd)
    return max(float(n), pairs_to_reject())

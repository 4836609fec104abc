"""Summaries of runs, tests between samples of them, and how many runs a test needs.

SciPy and statsmodels compute; this module chooses the test that fits a design. Runs of two variants
on the same instances are pairs, runs on one puzzle are independent, and an instance of a sample
counts once, however many runs there are on it. A run that was not solved has a censored time: it
exceeds the limit. Each function says how it counts such runs, or leaves them to the caller.

Agreement of two rates has tests of its own: a difference that is not found proves nothing.
"""

from collections.abc import Sequence
from math import ceil, inf
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy  # it imports its modules at their first use, since they are slow

CONFIDENCE = 0.95
ALPHA = 0.05
POWER = 0.8
MARGIN = 0.4  # Cohen's h between rates that agree: 19 points at one half, 4 at 0 or 100 %
PAR_FACTOR = 2
TIE_DECIMALS = 9  # 1 - 2/3 and 2/3 - 1/3 are one difference
MOST_PERMUTED = 13  # ranks with ties, all of whose signs `scipy.stats.wilcoxon` changes, too

# --- summaries -----------------------------------------------------------------------------------


def wilson(solved, n):
    """Return Wilson score intervals of success rates, at 95 % confidence.

    Successes and trials have one shape, and so have the lower and upper bounds (float64, fractions;
    NaN without trials). E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209-212.
    """
    # Not statsmodels' proportion_confint: importing it would slow down the summary of a comparison.
    solved, n = np.asarray(solved, float), np.asarray(n, float)
    z = -scipy.special.ndtri((1 - CONFIDENCE) / 2)  # scipy.stats takes half a second to import
    with np.errstate(invalid="ignore", divide="ignore"):  # n = 0
        centre = (solved + z**2 / 2) / (n + z**2)
        reach = z / (n + z**2) * np.sqrt(solved * (1 - solved / n) + z**2 / 4)
    # The formula is off by 1e-18 here.
    low = np.where((n > 0) & (solved == 0), 0, centre - reach)
    high = np.where((n > 0) & (solved == n), 1, centre + reach)
    return low[()], high[()]


def exact_limits(share, n, alpha: float):
    """Return limits of rates, each of which is exceeded with probability `alpha` at most.

    C. J. Clopper, E. S. Pearson, Biometrika 26 (1934) 404-413.
    """
    solved, failed, beta = share * n, (1 - share) * n, scipy.special.betaincinv
    with np.errstate(invalid="ignore"):  # nothing solved, or all: no beta distribution
        low = np.where(solved > 0, beta(solved, failed + 1, alpha), 0.0)
        high = np.where(failed > 0, beta(solved + 1, failed, 1 - alpha), 1.0)
    return low[()], high[()]


def mean_interval(values: np.ndarray) -> tuple[float, float]:
    """Return the 95 % confidence interval of a mean, from t."""
    if len(values) < 2 or not np.ptp(values):
        return (values.mean(), values.mean()) if len(values) else (np.nan, np.nan)
    interval = scipy.stats.ttest_1samp(values, 0).confidence_interval(CONFIDENCE)
    return float(interval.low), float(interval.high)


def bootstrap_tail(n: int) -> float:
    """Return the share of bootstrap means of n values that lies below a 95 % interval.

    It is smaller than 2.5 %, since resampling understates the spread of a mean of few values.
    T. C. Hesterberg, The American Statistician 69 (2015) 371-386: expanded percentile interval.
    """
    t = scipy.special.stdtrit(n - 1, (1 - CONFIDENCE) / 2)
    return float(scipy.special.ndtr(np.sqrt(n / (n - 1)) * t))


def cluster_weights(n: int, times: int = 2000) -> np.ndarray:
    """Return how often each of n clusters counts in `times` bootstrap samples: shape (times, n)."""
    return np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), times)


def interval_columns(name: str, value: float, bootstrap, n: int) -> dict[str, float]:
    """Return a value and the ends of its 95 % bootstrap interval: `name`, `..._low`, `..._high`.

    `bootstrap` has the values of samples of n clusters, which may be infinite. The percentiles are
    expanded for few clusters (`bootstrap_tail`).
    """
    tail = bootstrap_tail(n)
    low, high = np.quantile(bootstrap, [tail, 1 - tail], method="inverted_cdf").tolist()
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def at_limit(cpu_s: pd.Series, solved: pd.Series, limit_s: pd.Series) -> pd.Series:
    """Return times in seconds. An unsolved run counts as its limit, if it had one."""
    return cpu_s.where(solved | limit_s.isna(), limit_s)


def par2(cpu_s: pd.Series, solved: pd.Series, limit_s: pd.Series) -> pd.Series:
    """Return times in seconds. An unsolved run counts as twice its limit, NaN if it had none.

    Their mean is the penalised average run time (PAR2).
    """
    return cpu_s.where(solved, PAR_FACTOR * limit_s)


# --- tests of a difference -----------------------------------------------------------------------


class DifferenceTest(NamedTuple):
    """The result of a test of a difference. Both numbers are NaN if a sample is empty."""

    p: float  # two-sided
    effect: float  # positive if the first of two solves more, or is faster
    measure: str  # of the effect

    @property
    def p_ahead(self) -> float:
        """The p value that the first of two is ahead."""
        return self.p if self.effect > 0 else 1.0

    @property
    def p_behind(self) -> float:
        """The p value that the first of two is behind."""
        return 1.0 if self.effect > 0 else self.p


def two_rates(solved: int, n: int, other_solved: int, other_n: int) -> DifferenceTest:
    """Test two independent success rates: Fisher's exact test, with Cohen's h.

    R. A. Fisher, J. Royal Stat. Soc. 98 (1935) 39-82; J. Cohen, Statistical Power Analysis (1988).
    """
    if not n or not other_n:
        return DifferenceTest(np.nan, np.nan, "h")
    table = [[solved, n - solved], [other_solved, other_n - other_solved]]
    h = cohens_h([Rate(solved / n)], [Rate(other_solved / other_n)])
    return DifferenceTest(float(scipy.stats.fisher_exact(table).pvalue), float(h), "h")


def paired_success(first, second) -> DifferenceTest:
    """Test two variants by their shares of solved runs on the same instances.

    With one run on each instance, McNemar's exact test: the first solves half of the instances that
    only one of the two solves. The effect is Cohen's g, this share minus 1/2; p is 1 without such
    instances. With several runs, `signed_rank` of the differences. Shares have shape (n,).

    Q. McNemar, Psychometrika 12 (1947) 153-157.
    """
    gains = np.asarray(first, float) - np.asarray(second, float)
    if not np.isin([first, second], (0, 1)).all():
        return signed_rank(gains)
    if not gains.any():
        return DifferenceTest(1.0, 0.0, "g") if gains.size else DifferenceTest(np.nan, np.nan, "g")
    n, n_first = np.count_nonzero(gains), np.count_nonzero(gains > 0)
    return DifferenceTest(float(scipy.stats.binomtest(n_first, n).pvalue), n_first / n - 0.5, "g")


def signed_rank(differences) -> DifferenceTest:
    """Test whether paired differences lie around zero: Wilcoxon's signed-rank test.

    Differences have shape (n,). Differences of times are second minus first, so that a positive
    effect speaks for the first. Times are taken `at_limit`: a pair is a tie if both reached the
    limit; if one did, its rank is rather too low. The effect is the rank-biserial correlation: the
    share of positive differences in the sum of ranks, minus the share of negative ones. If no pair
    differs, p is 1 and the effect 0.

    F. Wilcoxon, Biometrics Bulletin 1 (1945) 80-83; D. S. Kerby, Comprehensive Psychology 3 (2014).
    """
    values = np.asarray(differences, float).round(TIE_DECIMALS)
    values = values[values != 0]
    n = len(values)
    if not n:
        p, effect = (1.0, 0.0) if len(differences) else (np.nan, np.nan)
        return DifferenceTest(p, effect, "rank-biserial")
    ranks = scipy.stats.rankdata(np.abs(values))
    w_plus = float(ranks[values > 0].sum())
    p = _p_of_ranks(ranks * np.sign(values))
    return DifferenceTest(p, 4 * w_plus / (n * (n + 1)) - 1, "rank-biserial")


def _p_of_ranks(ranks):
    """Return the p value of signed ranks, as `scipy.stats.wilcoxon` does.

    It takes seconds for few ranks with ties: it calls a function once for each choice of signs.
    """
    if len(ranks) > MOST_PERMUTED or len({*np.abs(ranks)}) == len(ranks):
        return float(scipy.stats.wilcoxon(ranks).pvalue)
    test = scipy.stats.permutation_test(
        (ranks,), np.sum, permutation_type="samples", vectorized=True, n_resamples=np.inf
    )
    return float(test.pvalue)


def earlier(times, other_times) -> DifferenceTest:
    """Test whether one of two independent samples of times is the shorter: Mann-Whitney.

    They have shapes (n,) and (m,). An unsolved run is infinite, or any number beyond the limit. The
    effect is 2 A - 1, where A is the probability that a value of the first sample is below a value
    of the second (Vargha & Delaney's A, halves for ties).

    A. Vargha, H. D. Delaney, J. Educational and Behavioral Statistics 25 (2000) 101-132.
    """
    times, other_times = np.asarray(times, float), np.asarray(other_times, float)
    if not times.size or not other_times.size:
        return DifferenceTest(np.nan, np.nan, "2A-1")
    test = scipy.stats.mannwhitneyu(other_times, times)
    p = 1.0 if np.isnan(test.pvalue) else test.pvalue  # all values are equal
    return DifferenceTest(
        float(p), float(2 * test.statistic / (times.size * other_times.size) - 1), "2A-1"
    )


def holm(p_values) -> np.ndarray:
    """Return p values of a family of tests, shape (n,), adjusted by Holm's step-down method.

    NaN where there was no test. S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70.
    """
    # Not statsmodels' multipletests: it collects garbage at each call, a tenth of a second.
    adjusted = np.array(p_values, float)
    ascending = np.argsort(adjusted)[: np.isfinite(adjusted).sum()]  # NaN is sorted to the end
    counted = adjusted[ascending] * np.arange(len(ascending), 0, -1)
    adjusted[ascending] = np.minimum(1, np.maximum.accumulate(counted))
    return adjusted


# --- tests of agreement --------------------------------------------------------------------------


class Rate(NamedTuple):
    """A share of successes in n independent trials; exact if n is infinite. May hold arrays."""

    share: float
    n: float = inf


def repeated(solved: pd.Series, instances: pd.Series) -> np.ndarray | None:
    """Return the success of repeated runs, shape (instances, runs), or None without two instances.

    Both columns have a row per run. Instances with a single run are left out. All others count with
    as many runs as the instance that has fewest.
    """
    numbers, names = pd.factorize(np.asarray(instances), sort=True)
    sizes = np.bincount(numbers, minlength=len(names))
    if np.count_nonzero(sizes >= 2) < 2:
        return None
    fewest = sizes[sizes >= 2].min()
    by_instance = np.argsort(numbers, kind="stable")
    first, size = (np.repeat(column, sizes) for column in (sizes.cumsum() - sizes, sizes))
    is_chosen = (size >= 2) & (np.arange(len(numbers)) - first < fewest)
    return np.asarray(solved, float)[by_instance[is_chosen]].reshape(-1, fewest)


def trials(solved: pd.Series, instances: pd.Series) -> float:
    """Return the number of independent trials that the runs of a solver are worth.

    Both columns have a row per run. Runs on a single instance are independent trials. Several
    instances are a sample: repeated runs on one of them say little about others, and count by the
    upper limit of their `dependence`.
    """
    runs = instances.value_counts()
    if len(runs) in (1, len(solved)):
        return float(len(solved))
    rows = repeated(solved, instances)
    return independent(runs, 1.0 if rows is None else dependence(rows)[1])


def dependence(trials: np.ndarray) -> tuple[float, float]:
    """Return 90 % limits of the intraclass correlation of runs on one instance, from 0 to 1.

    It is the share of the variance of a run that lies between instances. Trials have shape
    (instances, runs), with 2 runs or more. 0 and 1 if all runs on each instance are alike.

    P. E. Shrout, J. L. Fleiss, Psychological Bulletin 86 (1979) 420-428: ICC(1, 1).
    """
    n, runs = trials.shape
    between, within = runs * trials.mean(axis=1).var(ddof=1), trials.var(axis=1, ddof=1).mean()
    if not within:
        return 0.0, 1.0
    degrees = n - 1, n * (runs - 1)
    # Not scipy.stats.f, which takes half a second to import.
    ratio = between / within / scipy.special.fdtri(*degrees, [1 - ALPHA, ALPHA])
    low, high = np.clip((ratio - 1) / (ratio + runs - 1), 0, 1)
    return float(low), float(high)


def dependence_elsewhere(rows: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return limits of the intraclass correlation at a place without repeated runs of its own.

    Each of `rows` has the trials of another place, as for `dependence`. Their correlations are a
    sample of the correlations at all places: the limits are a 90 % prediction interval (t). The
    spread of the estimates includes their errors, so the interval is rather too wide. 0 and 1 with
    fewer than three places where runs differ.
    """
    estimates = [_intraclass(trials) for trials in rows]
    estimates = [estimate for estimate in estimates if np.isfinite(estimate)]
    n = len(estimates)
    if n < 3:
        return 0.0, 1.0
    reach = scipy.stats.t.isf(ALPHA, n - 1) * np.std(estimates, ddof=1) * np.sqrt(1 + 1 / n)
    low, high = np.clip([np.mean(estimates) - reach, np.mean(estimates) + reach], 0, 1)
    return float(low), float(high)


def _intraclass(trials):
    """Return the estimate of ICC(1, 1), which may be negative; NaN if runs on each are alike."""
    _, runs = trials.shape
    between, within = runs * trials.mean(axis=1).var(ddof=1), trials.var(axis=1, ddof=1).mean()
    return (between - within) / (between + (runs - 1) * within) if within else np.nan


def independent(runs, correlation: float) -> float:
    """Return the number of independent trials that the runs on a sample of instances are worth.

    `runs` has the number of runs on each instance. Design effect: L. Kish, Survey Sampling (1965).
    """
    runs = np.asarray(runs, float)
    return float((runs / (1 + (runs - 1) * correlation)).sum())


def cohens_h(rates: Sequence[Rate], printed: Sequence[Rate]) -> float:
    """Return Cohen's h between two rates, or between two differences of two rates."""
    plus, minus = [rates[0], *printed[1:]], [printed[0], *rates[1:]]
    return sum(_arcsine(rate.share) for rate in plus) - sum(_arcsine(rate.share) for rate in minus)


def h_interval(rates: Sequence[Rate], printed: Sequence[Rate], alpha: float):
    """Return limits of `cohens_h`, each of which is exceeded with probability `alpha` at most.

    The limits of each rate (`exact_limits`), on the arcsine scale, are combined as squares (MOVER).
    Normal limits are far too narrow where all runs are solved, as in many claims.

    J. Cohen, Statistical Power Analysis (1988), chapter 6; G. Y. Zou, A. Donner, Statistics in
    Medicine 27 (2008) 1693-1702.
    """
    plus = [_reach(rate, alpha) for rate in (rates[0], *printed[1:])]
    minus = [_reach(rate, alpha)[::-1] for rate in (printed[0], *rates[1:])]
    below, above = (np.sqrt(sum(reach**2 for reach in side)) for side in zip(*plus, *minus))
    h = cohens_h(rates, printed)
    return h - below, h + above


def equivalence(rates: Sequence[Rate], printed: Sequence[Rate], margin: float) -> float:
    """Return the p value of two one-sided tests that Cohen's h lies within a margin, either way.

    It is the least alpha whose limits (`h_interval`) lie within it; 1 beyond one half.

    D. J. Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15 (1987) 657-680; D. Lakens, Social
    Psychological and Personality Science 8 (2017) 355-362.
    """
    return _least_alpha(lambda alpha: margin - max(np.abs(h_interval(rates, printed, alpha))))


def beyond(rates: Sequence[Rate], printed: Sequence[Rate], margin: float) -> float:
    """Return the p value of two one-sided tests that Cohen's h lies outside of a margin.

    It is twice the least alpha whose limits (`h_interval`) lie beyond the margin on one side, for
    either side. It is the opposite of `equivalence`: a test against a minimum effect.

    K. R. Murphy, B. Myors, J. Applied Psychology 84 (1999) 234-248.
    """

    def room(alpha):
        low, high = h_interval(rates, printed, alpha)
        return max(low - margin, -margin - high)

    return min(1.0, 2 * _least_alpha(room))


def rates_differ(rate: Rate, second: Rate) -> DifferenceTest:
    """Test whether two independent rates differ: the least alpha whose `h_interval` excludes 0."""
    pair = [rate], [second]
    alpha = _least_alpha(lambda alpha: max(np.multiply(h_interval(*pair, alpha), (1, -1))))
    return DifferenceTest(min(1.0, 2 * alpha), float(cohens_h(*pair)), "h")


def smallest_margin(rates: Sequence[Rate], printed: Sequence[Rate]) -> float:
    """Return the margin from which on `equivalence` is significant."""
    return float(max(np.abs(h_interval(rates, printed, ALPHA))))


def no_less(rates: Sequence[Rate], printed: Sequence[Rate], margin: float) -> float:
    """Return the p value of the one-sided test that Cohen's h is not below minus the margin."""
    return _least_alpha(lambda alpha: margin + h_interval(rates, printed, alpha)[0])


def share_within(share: float, n: int, low: float, high: float) -> float:
    """Return the p value of two one-sided exact tests that a rate lies between two bounds."""
    bounds = np.array([low, high])
    return _least_alpha(lambda alpha: min((exact_limits(share, n, alpha) - bounds) * (1, -1)))


def share_beyond(share: float, n: int, low: float, high: float) -> float:
    """Return the p value of two one-sided exact tests that a rate lies outside of two bounds."""
    return min(1.0, 2 * min(share_below(share, n, low), share_below(1 - share, n, 1 - high)))


def share_below(share: float, n: int, bound: float) -> float:
    """Return the p value of the one-sided exact test that a rate lies below a bound."""
    return _least_alpha(lambda alpha: bound - exact_limits(share, n, alpha)[1])


def mean_within(values, low: float, high: float) -> float:
    """Return the p value of two one-sided t tests that a mean lies between two bounds."""
    return float(np.maximum(_mean_is(values, low, "greater"), _mean_is(values, high, "less")))


def mean_beyond(values, low: float, high: float) -> float:
    """Return the p value of two one-sided t tests that a mean lies outside of two bounds."""
    p = np.minimum(_mean_is(values, low, "less"), _mean_is(values, high, "greater"))
    return float(np.minimum(1.0, 2 * p))


def _mean_is(values, bound, side):
    """Return the p value that a mean is "less" or "greater" than a bound; NaN of a single value."""
    values = np.asarray(values, float)
    if len(values) < 2:
        return np.nan
    if not np.ptp(values):
        return float(values[0] <= bound if side == "greater" else values[0] >= bound)
    return scipy.stats.ttest_1samp(values, bound, alternative=side).pvalue


def _arcsine(share):
    return 2 * np.arcsin(np.sqrt(share))


def _reach(rate, alpha):
    """Return the distances of a rate from its limits, below and above, on the arcsine scale."""
    is_exact = np.isinf(rate.n)
    low, high = exact_limits(rate.share, np.where(is_exact, 1.0, rate.n), alpha)
    here = _arcsine(rate.share)
    below, above = here - _arcsine(low), _arcsine(high) - here
    return np.where(is_exact, 0.0, below), np.where(is_exact, 0.0, above)


def _least_alpha(room):
    """Return the alpha up to one half at which `room`, an increasing function, is 0; else 1."""
    low, high = 1e-12, 0.5
    if room(low) > 0:
        return low
    return float(scipy.optimize.brentq(room, low, high)) if room(high) > 0 else 1.0


# --- sample sizes --------------------------------------------------------------------------------
# At ALPHA and POWER, in the normal approximation.

MOST_VALUES = 10_000  # larger samples are not planned
LEAST_PAIRS = 5  # that differ; fewer do not tell how new pairs would differ


def pairs_to_decide(differences, n_tests: int = 1) -> float:
    """Return the pairs with which a signed-rank test would decide, with a chance of 80 % or more.

    It decides at 5 % after Bonferroni's correction for `n_tests`, if new pairs are like the
    `differences`, of shape (n,). If one side wins them all, these are the fewest pairs that decide.
    Differences of 0 are draws, which the test leaves out. Infinite beyond `MOST_VALUES`, and from
    fewer than `LEAST_PAIRS` that are no draws.

    G. E. Noether, J. American Statistical Association 82 (1987) 645-647.
    """
    values = np.asarray(differences, float)
    ordered = np.sort(values[values != 0])
    n = len(ordered)
    if n < LEAST_PAIRS:
        return inf
    below, upto = (np.searchsorted(ordered, -ordered, side) for side in ("left", "right"))
    share = (n - (below + upto) / 2).mean() / n  # of the sums of two differences above 0
    quantiles = scipy.stats.norm.isf(ALPHA / (2 * n_tests)) + scipy.stats.norm.ppf(POWER)
    with np.errstate(divide="ignore"):
        needed = np.divide(quantiles**2, 3 * (share - 0.5) ** 2)
    fewest = ceil(1 + np.log2(n_tests / ALPHA))  # with fewer no p value is low enough
    is_one_sided = share in (0, 1)
    with_draws = np.ceil((fewest if is_one_sided else max(needed, fewest)) * len(values) / n)
    return int(with_draws) if with_draws <= MOST_VALUES else inf

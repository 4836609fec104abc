"""Tests between samples of runs: success, censored times, and the runs that a test needs.

Scipy computes; what is decided here is which test fits which design. Runs of two variants on the
same instances are pairs, runs on one puzzle are independent, and an instance of a sample counts
once, however many runs there are on it. A run that was not solved has a censored time: it is only
known to exceed the limit, and is never left out.

That two rates agree is a test of its own: not to find a difference proves nothing.
"""

from collections.abc import Sequence
from functools import cache
from math import ceil, inf
from typing import NamedTuple

import numpy as np

from antdoku import statistics

ALPHA = 0.05
POWER = 0.8
MARGIN = 0.4  # Cohen's h between rates that agree: 20 points at one half, 4 at 0 or 100 %


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

    if not n or not other_n:
        return Result(np.nan, np.nan, "h")
    p = fisher_exact([[solved, n - solved], [other_solved, other_n - other_solved]]).pvalue
    h = cohens_h([Rate(solved / n)], [Rate(other_solved / other_n)])
    return Result(float(p), float(h), "h")


def paired_success(first, second) -> Result:
    """Test of two variants by their shares of solved runs on the same instances.

    With one run an instance McNemar's exact test: that the first alone solves half of the instances
    that only one of the two solves. With several, Wilcoxon signed-rank on the differences.

    Parameters
    ----------
    first, second : array_like of float, shape (n,)
        Solved share of the runs on each instance.

    Returns
    -------
    Result
        The effect is Cohen's g: share of the instances that only the first solves among those that
        only one solves, minus 1/2; without such instances p is 1. Or that of `signed_rank`.

    References
    ----------
    Q. McNemar, Psychometrika 12 (1947) 153-157.
    """
    from scipy.stats import binomtest

    gains = np.asarray(first, float) - np.asarray(second, float)
    if not np.isin([first, second], (0, 1)).all():
        return signed_rank(gains)
    if not gains.any():
        return Result(1.0, 0.0, "g") if gains.size else Result(np.nan, np.nan, "g")
    n, n_first = np.count_nonzero(gains), np.count_nonzero(gains > 0)
    return Result(float(binomtest(n_first, n).pvalue), n_first / n - 0.5, "g")


# --- agreement -----------------------------------------------------------------------------------


class Rate(NamedTuple):
    """A share of successes in n independent trials; exact if n is infinite. May hold arrays."""

    share: float
    n: float = inf


def cohens_h(rates: Sequence[Rate], others: Sequence[Rate]) -> float:
    """Cohen's h between two rates; of two and two, the difference of their two differences."""
    first, *subtracted = rates
    second, *added = others
    plus, minus = [first, *added], [second, *subtracted]
    return sum(_arcsine(rate.share) for rate in plus) - sum(_arcsine(rate.share) for rate in minus)


def h_interval(rates: Sequence[Rate], others: Sequence[Rate], alpha: float):
    """Limits of `cohens_h`, each of which is exceeded with probability `alpha` at most.

    The limits of each rate (`exact_limits`), on the arcsine scale, are combined as squares (MOVER).
    Normal limits are far too narrow where all runs are solved, which many claims are about.

    References
    ----------
    J. Cohen, Statistical Power Analysis (1988), chapter 6; G. Y. Zou, A. Donner, Statistics in
    Medicine 27 (2008) 1693-1702.
    """
    first, *subtracted = rates
    second, *added = others
    plus = [_reach(rate, alpha) for rate in (first, *added)]
    minus = [_reach(rate, alpha)[::-1] for rate in (second, *subtracted)]
    below, above = (np.sqrt(sum(reach**2 for reach in side)) for side in zip(*plus, *minus))
    h = cohens_h(rates, others)
    return h - below, h + above


def equivalence(rates: Sequence[Rate], others: Sequence[Rate], margin: float) -> float:
    """P value of two one-sided tests that Cohen's h lies within a margin, either way.

    It is the least alpha whose limits (`h_interval`) do; 1 if that exceeds one half.

    References
    ----------
    D. J. Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15 (1987) 657-680; D. Lakens, Social
    Psychological and Personality Science 8 (2017) 355-362.
    """
    return _least_alpha(lambda alpha: margin - max(np.abs(h_interval(rates, others, alpha))))


def no_less(rates: Sequence[Rate], others: Sequence[Rate], margin: float) -> float:
    """P value of the one-sided test that Cohen's h does not fall below minus the margin."""
    return _least_alpha(lambda alpha: margin + h_interval(rates, others, alpha)[0])


def share_within(share: float, n: int, low: float, high: float) -> float:
    """P value of two one-sided exact tests that a rate lies between two bounds."""

    def room(alpha):
        limits = exact_limits(share, n, alpha)
        return float(min(limits[0] - low, high - limits[1]))

    return _least_alpha(room)


def mean_within(values, low: float, high: float) -> float:
    """P value of two one-sided t tests that a mean lies between two bounds."""
    from scipy.stats import ttest_1samp

    values = np.asarray(values, float)
    if len(values) < 2:
        return np.nan
    if not np.ptp(values):
        return float(not low < values[0] < high)
    sides = (low, "greater"), (high, "less")
    return float(max(ttest_1samp(values, bound, alternative=side).pvalue for bound, side in sides))


def exact_limits(share, n, alpha: float):
    """Limits of a rate, each of which is exceeded with probability `alpha` at most.

    C. J. Clopper, E. S. Pearson, Biometrika 26 (1934) 404-413.
    """
    from scipy.special import betaincinv

    solved, failed = np.multiply(share, n), np.multiply(1 - np.asarray(share), n)
    with np.errstate(invalid="ignore"):  # nothing solved, or all: no beta distribution
        low = np.where(solved > 0, betaincinv(solved, failed + 1, alpha), 0.0)
        high = np.where(failed > 0, betaincinv(solved + 1, failed, 1 - alpha), 1.0)
    return low[()], high[()]


def _arcsine(share):
    return 2 * np.arcsin(np.sqrt(share))


def _reach(rate, alpha):
    """How far the limits of a rate are below and above it, on the arcsine scale."""
    is_exact = np.isinf(rate.n)
    low, high = exact_limits(rate.share, np.where(is_exact, 1.0, rate.n), alpha)
    here = _arcsine(rate.share)
    below, above = here - _arcsine(low), _arcsine(high) - here
    return np.where(is_exact, 0.0, below), np.where(is_exact, 0.0, above)


def _least_alpha(room):
    """The alpha up to one half from which on `room`, which grows with it, is positive."""
    from scipy.optimize import brentq

    least, greatest = 1e-12, 0.5
    if room(least) > 0:
        return least
    return float(brentq(room, least, greatest)) if room(greatest) > 0 else 1.0


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
    test = statistics.wilcoxon(differences)
    if len(differences) and not test.n_differ:
        return Result(1.0, 0.0, "rank-biserial")
    return Result(test.p_value, test.effect, "rank-biserial")


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
    from scipy.stats import CensoredData, logrank

    solved, other_solved = np.asarray(solved, bool), np.asarray(other_solved, bool)
    times, others = np.asarray(cpu_s, float), np.asarray(other_cpu_s, float)
    effect = earlier(np.where(solved, times, np.inf), np.where(other_solved, others, np.inf))
    if not times.size or not others.size or not (solved.any() or other_solved.any()):
        return effect
    sides = (times, solved), (others, other_solved)
    censored = [CensoredData(uncensored=each[ends], right=each[~ends]) for each, ends in sides]
    with np.errstate(invalid="ignore"):
        p = logrank(*censored).pvalue
    # NaN: whenever a run was solved, no run of the other sample went on.
    return effect._replace(p=1.0 if np.isnan(p) else float(p))


# --- runs that a test needs ----------------------------------------------------------------------
# At ALPHA and POWER: of rates by their exact limits, of all else in the normal approximation.

SIZES = np.unique(np.r_[1:200, np.geomspace(200, 10_000, 150)].astype(int))  # nobody does more


@cache
def runs_to_agree(published: tuple[Rate, ...], margin: float, sides: int = 2) -> float:
    """Runs that show agreement with published rates, if these are the true ones.

    Parameters
    ----------
    published : tuple of Rate
        One, or two whose difference is published; then each is measured with so many runs.
    margin : float
        Of `equivalence`, or of `no_less` if `sides` is 1.

    Returns
    -------
    float
        Infinite if no number suffices, as the published runs are too few themselves.
    """
    from scipy.stats import norm

    # So far off is what one measures, with probability POWER at most on either side.
    off = norm.ppf(1 - (1 - POWER) / sides) / np.sqrt(SIZES * len(published))
    angles = [_arcsine(rate.share) for rate in published]
    enough = True
    for deviation in (off, -off)[:sides]:
        moved = [angles[0] - deviation, *(angle + deviation for angle in angles[1:])]
        shares = [np.sin(np.clip(angle, 0, np.pi) / 2) ** 2 for angle in moved]
        low, high = h_interval([Rate(share, SIZES) for share in shares], published, ALPHA)
        enough &= (low > -margin) & ((high < margin) | (sides == 1))
    return _least_size(enough)


def runs_to_decide(rates: Sequence[Rate], others: Sequence[Rate], margin: float) -> float:
    """Runs of each of `rates` that would decide on agreement, if these stayed as they are.

    Either way: they would show that Cohen's h lies within the margin, or, where it does not, that
    there is a difference. Infinite if no number does, as the others are too few themselves.
    """
    more = [Rate(rate.share, SIZES) for rate in rates]
    if abs(cohens_h(rates, others)) > margin:
        low, high = h_interval(more, others, ALPHA / 2)
        return _least_size((low > 0) | (high < 0))
    low, high = h_interval(more, others, ALPHA)
    return _least_size((low > -margin) & (high < margin))


def _least_size(enough):
    """The least of `SIZES` from which on all are enough, infinite if there is none."""
    found = SIZES[np.logical_and.accumulate(enough[::-1])[::-1]]
    return float(found[0]) if len(found) else inf


def to_differ(effect: float, spread: float = 1.0) -> float:
    """Values whose mean is shown to be another than 0, two-sided, if it is `effect`.

    The spread is the standard deviation of a value. Of two rates, take Cohen's h and the root of 2;
    of two rates of events, the logarithm of their ratio and 2, for all events together (D. A.
    Schoenfeld, Biometrics 39 (1983) 499-503, whose hazards vary alike). Infinite without an effect.
    """
    from scipy.stats import norm

    wanted = norm.isf(ALPHA / 2) + norm.isf(1 - POWER)
    return float((wanted * spread / effect) ** 2) if effect else inf


def to_agree(
    margin: float, spread: float, at_margin: float | None = None, sides: int = 2, of: float = inf
) -> float:
    """Values whose mean is shown to lie within a margin around another one, if the two are equal.

    The spread is the standard deviation of a value, and `at_margin` what it would be if the mean
    lay there. If `sides` is 1, the mean may lie beyond the margin on the other side. The other mean
    is of so many values, which spread as much; infinite if these are too few.
    """
    from scipy.stats import norm

    error = norm.isf(ALPHA) * (spread if at_margin is None else at_margin)
    error += norm.isf((1 - POWER) / sides) * spread
    rest = margin**2 - error**2 / of
    return float(error**2 / rest) if rest > 0 else inf


def to_show(n: int, p: float) -> float:
    """How many show a difference that has this p value among n, if it stays; infinite if none."""
    from scipy.stats import norm

    shown = to_differ(max(0.0, norm.isf(p / 2)) / np.sqrt(n))
    return shown if shown <= SIZES[-1] else inf


def pairs_to_reject(n_tests: int = 1) -> int:
    """Fewest pairs with which an exact signed-rank test can reach 5 % after Holm's correction."""
    return ceil(1 + np.log2(n_tests / ALPHA))

"""Summaries of censored run times, intervals and tests, on scipy and statsmodels.

A run that was not solved has a time that is only known to exceed the limit. A function here either
says how it counts such runs or leaves them to the caller.
"""

from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
PAR_FACTOR = 2
TIE_DECIMALS = 9  # 1 - 2/3 and 2/3 - 1/3 are one difference


def wilson(solved, n):
    """Wilson score intervals of success rates, at 95 % confidence.

    Parameters
    ----------
    solved, n : array_like of int, same shape
        Successes and trials; a pair without trials gets (NaN, NaN).

    Returns
    -------
    (ndarray of float64, ndarray of float64)
        Lower and upper bounds, fractions between 0 and 1.

    References
    ----------
    E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209-212.
    """
    # statsmodels takes half a second to import: only callers of this function pay for it.
    from statsmodels.stats.proportion import proportion_confint

    solved, n = np.asarray(solved, float), np.asarray(n, float)
    with np.errstate(invalid="ignore", divide="ignore"):  # of a pair without trials
        low, high = proportion_confint(solved, n, alpha=1 - CONFIDENCE, method="wilson")
    # Exact where the formula leaves a rest of 1e-18.
    low = np.where((n > 0) & (solved == 0), 0, low)
    high = np.where((n > 0) & (solved == n), 1, high)
    return low[()], high[()]


def par2(cpu_s, solved, limit_s) -> float:
    """Penalised average run time: an unsolved run counts as twice its limit.

    Parameters
    ----------
    cpu_s : array_like of float, shape (n,), seconds
    solved : array_like of bool, shape (n,)
    limit_s : array_like of float, shape (n,) or scalar, seconds
        NaN where a run had no limit.

    Returns
    -------
    float
        Seconds; NaN without runs, and if a run without a limit was not solved.
    """
    solved = np.asarray(solved, bool)
    times = np.where(solved, np.asarray(cpu_s, float), PAR_FACTOR * np.asarray(limit_s, float))
    return float(times.mean()) if times.size else np.nan


def mean_solved(cpu_s, solved) -> float:
    """Mean time of the solved runs, NaN if there is none.

    This is what the papers print. It is biased: the harder an instance, the likelier it is to be
    left out, so a solver that fails often looks fast. `par2` and `censored_median` are not.
    """
    times = np.asarray(cpu_s, float)[np.asarray(solved, bool)]
    return float(times.mean()) if times.size else np.nan


def censored_median(cpu_s, solved) -> float:
    """Median time of all runs, NaN if it lies beyond the limit (half of them or more unsolved)."""
    times = np.where(np.asarray(solved, bool), np.asarray(cpu_s, float), np.inf)
    median = np.median(times) if times.size else np.nan
    return float(median) if np.isfinite(median) else np.nan


class Wilcoxon(NamedTuple):
    """Wilcoxon signed-rank test of paired samples."""

    n_differ: int  # pairs whose two values differ: the others say nothing, and are left out
    w_plus: float  # sum of the ranks of the positive differences
    effect: float  # rank-biserial correlation: share of that in the sum, minus that of the others
    p_value: float  # two-sided


def wilcoxon(differences) -> Wilcoxon:
    """Test whether paired differences lie around zero.

    Parameters
    ----------
    differences : array_like of float, shape (n,)
        One value a pair.

    Returns
    -------
    Wilcoxon
        All but `n_differ` are NaN if no pair differs.

    References
    ----------
    F. Wilcoxon, Biometrics Bulletin 1 (1945) 80-83; D. S. Kerby, Comprehensive Psychology 3 (2014).
    """
    from scipy import stats

    differences = np.asarray(differences, float).round(TIE_DECIMALS)
    differing = differences[differences != 0]  # so few that scipy's test is often an exact one
    n = len(differing)
    if n == 0:
        return Wilcoxon(0, np.nan, np.nan, np.nan)
    w_plus = float(stats.rankdata(np.abs(differing))[differing > 0].sum())
    effect = 4 * w_plus / (n * (n + 1)) - 1
    return Wilcoxon(n, w_plus, effect, float(stats.wilcoxon(differing).pvalue))


def holm(p_values) -> np.ndarray:
    """P values of a family of tests, adjusted by Holm's step-down method.

    Parameters
    ----------
    p_values : array_like of float, shape (n,)
        NaN where there was no test.

    Returns
    -------
    ndarray of float64, shape (n,)
        At most 1; NaN where there was no test.

    References
    ----------
    S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70.
    """
    # Not statsmodels' multipletests: it collects garbage at each call, a tenth of a second.
    adjusted = np.array(p_values, float)
    ascending = np.argsort(adjusted)[: np.isfinite(adjusted).sum()]  # NaN is sorted to the end
    counted = adjusted[ascending] * np.arange(len(ascending), 0, -1)
    adjusted[ascending] = np.minimum(1, np.maximum.accumulate(counted))
    return adjusted


class PowerLaw(NamedTuple):
    """The median of y where it is factor * x**exponent."""

    exponent: float
    low: float  # 95 % confidence interval of the exponent
    high: float
    line: np.ndarray  # shape (3, m): the median, and its 95 % confidence interval, at m places


def power_law(x, y, places) -> PowerLaw:
    """Fit a power law to medians: quantile regression on logarithms.

    Parameters
    ----------
    x, y : array_like of float, shape (n,)
        Above 0. A y that is only known to exceed a limit stands as the limit: it counts by the side
        of the median on which it lies alone, if less than half of those at one x are like that.
    places : array_like of float, shape (m,)
        Where the median is asked for.

    Returns
    -------
    PowerLaw
        All NaN without two different x, and intervals with very few values.

    References
    ----------
    R. Koenker, G. Bassett, Econometrica 46 (1978) 33-50; J. L. Powell, J. Econometrics 25 (1984)
    303-325.
    """
    from statsmodels.regression.quantile_regression import QuantReg

    def columns(values):
        logarithms = np.log10(np.asarray(values, float))
        return np.column_stack([np.ones_like(logarithms), logarithms])

    if len(np.unique(x)) < 2:
        return PowerLaw(np.nan, np.nan, np.nan, np.full((3, len(places)), np.nan))
    fitted = QuantReg(np.log10(np.asarray(y, float)), columns(x)).fit(q=0.5)
    at_places, alpha = fitted.get_prediction(columns(places)), 1 - CONFIDENCE
    line = np.vstack([at_places.predicted_mean, at_places.conf_int(alpha=alpha).T])
    return PowerLaw(fitted.params[1], *fitted.conf_int(alpha)[1], 10**line)

"""Summaries of censored run times: intervals and penalised means, on scipy and statsmodels.

A run that was not solved has a time that is only known to exceed the limit. A function here either
says how it counts such runs or leaves them to the caller.
"""

import numpy as np

CONFIDENCE = 0.95
PAR_FACTOR = 2


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

    solved, n = np.broadcast_arrays(np.asarray(solved, float), np.asarray(n, float))
    low, high = np.full(n.shape, np.nan), np.full(n.shape, np.nan)
    tried = n > 0
    if tried.any():
        low[tried], high[tried] = proportion_confint(
            solved[tried], n[tried], alpha=1 - CONFIDENCE, method="wilson"
        )
    return np.clip(low, 0, 1), np.clip(high, 0, 1)


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

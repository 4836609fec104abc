"""Texts on printed numbers beside ours, for titles."""

import numpy as np
import pandas as pd
import scipy

from antdoku.columns import Column

SUCCESS, MEAN_TIME = "success", "mean_time"  # metrics of printed numbers
CLOSE = 5  # percentage points: a printed rate this close to ours counts as met
LEAST_RUNS = 20  # of a point: with fewer, titles do not say whether rates agree
SAME_ORDER = 0.8  # rank correlation: at least this is the same order of puzzles
LEAST_RANKS = 4  # puzzles: with fewer, a correlation of ranks has no interval


def columns_of(table: pd.DataFrame, printed: dict[str, Column], metric: str):
    """Return edition and name of the columns of a table that have printed numbers of a metric."""
    return [
        (column.edition, name)
        for name, column in printed.items()
        if column.metric == metric and name in table and table[name].notna().any()
    ]


def rates(table: pd.DataFrame, printed: dict[str, Column]) -> pd.DataFrame:
    """Return a row per printed rate: solver, point, the rate (`printed`), ours and the distance."""
    names = [name for _, name in columns_of(table, printed, SUCCESS)]
    keys = ["order", "label", "fixed_fraction", "success_rate", "n"]
    rows = table.melt(keys, names, value_name="printed").dropna(subset="printed")
    return rows.assign(distance=(rows["printed"] - rows["success_rate"]).abs().round(6))


def met(rows: pd.DataFrame, of: str = "") -> str:
    """Return the number of rates that meet the printed ones; empty without rates or enough runs.

    Columns `n` (runs), `printed`, `success_rate` and `distance` (fractions). Rates of 100 % in both
    are left out: any solver that is good enough meets them. `of` names the solvers.
    """
    if rows.empty or rows["n"].min() < LEAST_RUNS:
        return ""
    is_full = rows[["printed", "success_rate"]].min(axis=1) == 1
    rest = rows[~is_full]
    if rest.empty:
        return f"; all {len(rows)} printed rates{of} are 100 %, as ours"
    n_met = (100 * rest["distance"] <= CLOSE).sum()
    text = f"{n_met} of {len(rest)} printed rates{of}"
    if not is_full.any():
        return f"; {text} are met within {CLOSE} points"
    if (rest["printed"] < 1).all():
        return f"; {text} below 100 % are met within {CLOSE} points"
    return f"; {text} are met within {CLOSE} points, not counting 100 % in both"


def farthest(rows: pd.DataFrame) -> pd.Series:
    """Return the row whose rate is farthest from the printed one."""
    return rows.sort_values("distance", ascending=False, kind="stable").iloc[0]


def by_rank(printed: pd.Series, ours: pd.Series, solver: str) -> str:
    """Return, as a sentence, whether a solver takes long on the same puzzles on two machines.

    By the rank correlation (Spearman) of its times. The interval is by D. G. Bonett, T. A. Wright,
    Psychometrika 65 (2000) 23-28.
    """
    ranks = pd.DataFrame({"printed": printed, "ours": ours}).dropna().rank()
    n, r = len(ranks), ranks["printed"].corr(ranks["ours"])
    if n < LEAST_RANKS or np.isnan(r):  # equal ranks have no correlation
        return f"{n} puzzles have a printed mean time of {solver} and one of ours"
    reach = scipy.stats.norm.ppf(0.975) * np.sqrt((1 + r**2 / 2) / (n - 3))
    z = np.arctanh(np.clip(r, -0.9999, 0.9999))
    low, high = np.tanh(z - reach), np.tanh(z + reach)
    interval = f"95 % interval {low:.2f} to {high:.2f}, {n} puzzles"
    return f"{_order(low).format(solver)} (rank correlation {r:.2f}, {interval})"


def _order(low):
    """Return a sentence on the order of times, by the lower end of a rank correlation."""
    if low >= SAME_ORDER:
        return "{} takes long on the same puzzles as in print"
    if low > 0:
        return "{} tends to take long on the same puzzles as in print"
    return "It is not shown that {} takes long on the same puzzles as in print"

"""Thresholds of random deletions by order, and the hardest points of solvers.

A threshold is a fraction of the cells. Its distribution over grids and sequences of deletion is the
curve of a transition. All intervals resample grids, since the sequences of a grid are alike.
"""

from itertools import combinations

import numpy as np
import pandas as pd

from antdoku import statistics
from antdoku.columns import TO, Column, columns, interval
from antdoku.outcome import SOLVED
from antdoku.statistics import cluster_weights, interval_columns
from antdoku.tables import Rows, table

TYPICAL, ROOT, SOLVERS = "scaling", "scaling_root", "scaling_solvers"
KINDS = {
    "mostly": "propagation fixes 90 %",
    "solved": "propagation solves",
    "unique": "one solution",
}
RESAMPLES = 1000
FIRST_ORDER, FIRST_COLLAPSED = 4, 5  # of the fit of widths, and of the collapse
QUARTILES = 0.25, 0.5, 0.75
FRACTIONS = np.arange(0.30, 1.0001, 0.005).round(3)  # at which curves are drawn
MOST_FRACTIONS, LEAST_SHARE = 3, 0.01  # of a hardest point: fractions, and share of the limit

THRESHOLD = {
    **columns("order"),
    "source": Column("str", "grids"),
    "threshold": Column("str", "threshold"),
    "n_grids": Column("int64", "grids"),
    "n": Column("int64", "sequences"),
    **interval("median", "median", "share"),
    **interval("width", "distance of the quartiles", "share"),
    "n_same": Column("float64", "sequences with both at once"),
    "n_undecided": Column("int64", "undecided searches"),
}
TREND = {
    "threshold": Column("str", "threshold"),
    "orders": Column("str", "orders"),
    **interval("exponent", "width exponent"),
    **interval("last_exponent", "exponent of the last two orders"),
    **interval("last_rise", "rise of the median in the last order"),
    "collapse": Column("float64", "largest distance of the rescaled curves"),
}
HARDEST = {
    **columns("order", "variant", "label"),
    "hardest_low": Column("float64", "hardest fraction", "share"),
    "hardest_high": Column("float64", TO, "share"),
    **columns("n", "solved", "par2_s", "limit_s"),
    "is_located": Column("bool", "located"),
}
CURVES = {
    **columns("order"),
    "source": Column("str", "grids"),
    "threshold": Column("str", "threshold"),
    "fixed_fraction": Column("float64", "fixed", "share"),
    "share": Column("float64", "share of the sequences whose threshold is not above", "share"),
    **interval("median", "median", "share"),
    "width": Column("float64", "distance of the quartiles", "share"),
    **columns("variant", "label"),  # of a hardest point, else missing
    "hardest_low": Column("float64", "hardest fraction", "share"),
    "hardest_high": Column("float64", TO, "share"),
}
GRIDS = Rows(TYPICAL), Rows(ROOT)
THRESHOLDS_IN_WORDS = (
    "Thresholds: the fewest givens with which propagation fixes nine cells of ten (mostly), with "
    "which it solves the grid (solved), and with which the grid has one solution (unique)."
)
POINTS = Rows(SOLVERS, random=True)


@table(
    "scaling_thresholds",
    THRESHOLD,
    *GRIDS,
    thresholds=True,
    heading="Medians and widths",
    caption=f"Median and width of the thresholds of random deletions, as shares of the cells, with "
    f"95 % bootstrap intervals over grids. {THRESHOLDS_IN_WORDS}",
)
def thresholds(measured: pd.DataFrame, _: pd.DataFrame) -> pd.DataFrame:
    """Return medians and widths of each threshold, by order and source of the grids.

    n_same counts the followed sequences whose grid has one solution exactly as long as propagation
    solves it.
    """
    rows = []
    for (source, order), group in measured.groupby(["source", "order"]):
        followed = group.dropna(subset="unique_givens")
        counts = {
            "n_same": (followed["unique_givens"] == followed["solved_givens"]).sum(),
            "n_undecided": group["n_undecided"].sum(),
        }
        for kind in KINDS:
            row = {"source": source, "order": order, "threshold": kind} | _spread(group, kind)
            rows.append(row | (counts if kind == "unique" else {}))
    return _in_order(pd.DataFrame(rows).fillna({"n_undecided": 0}))


def _in_order(table):
    """Sort rows by source (typical grids first), threshold and order."""
    keys = table.assign(
        kind=table["threshold"].map(list(KINDS).index), is_root=table["source"].str.contains("root")
    )
    return table.loc[keys.sort_values(["is_root", "kind", "order"]).index].reset_index(drop=True)


def _spread(group, kind):
    """Return median and width of a threshold, with their intervals, and the sizes of the sample."""
    quartiles, bootstrap = _quartiles(group, kind)
    n_grids, widths = group["instance_id"].nunique(), bootstrap[:, 2] - bootstrap[:, 0]
    return (
        {"n_grids": n_grids, "n": group[f"{kind}_givens"].count()}
        | interval_columns("median", quartiles[1], bootstrap[:, 1], n_grids)
        | interval_columns("width", quartiles[2] - quartiles[0], widths, n_grids)
    )


def _quartiles(group, kind):
    """Return the quartiles of a threshold, shape (3,), and of `RESAMPLES` samples of grids."""
    values, grids = _values(group, kind)
    (quartiles,) = _quantiles(values, np.ones((1, len(values))))
    return quartiles, _quantiles(values, cluster_weights(grids.max() + 1, RESAMPLES)[:, grids])


def _values(group, kind):
    """Return the values of a threshold, ascending, and the number of the grid of each."""
    rows = group.dropna(subset=f"{kind}_givens")
    values = (rows[f"{kind}_givens"] / rows["n_cells"]).to_numpy()
    ascending = np.argsort(values, kind="stable")
    return values[ascending], pd.factorize(rows["instance_id"])[0][ascending]


def _quantiles(values, weights):
    """Return `QUARTILES` of ascending values, shape (n,), under rows of weights, shape (m, n)."""
    sums = np.cumsum(weights, axis=1)
    at = [
        np.argmax(sums >= share * sums[:, -1:], axis=1)  # the first that reaches the share
        for share in QUARTILES
    ]
    return values[np.stack(at, axis=1)]


@table(
    "scaling_trend",
    TREND,
    GRIDS[0],
    thresholds=True,
    heading="Trend",
    caption="Typical grids: the exponent of the width over the number of cells (all orders, and "
    "the last two), the rise of the median in the last order, and the largest distance "
    f"(Kolmogorov-Smirnov) of the curves of the larger orders after rescaling. "
    f"{THRESHOLDS_IN_WORDS}",
)
def trend(measured: pd.DataFrame, _: pd.DataFrame) -> pd.DataFrame:
    """Return the width exponent, the last rise of the median and the collapse of each threshold."""
    typical = measured[measured["experiment"] == TYPICAL]
    return pd.DataFrame([{"threshold": kind} | _trend(typical, kind) for kind in KINDS])


def _trend(typical, kind):
    """Return the row of a threshold."""
    parts = {order: rows for order, rows in typical.groupby("order") if order >= FIRST_ORDER}
    if len(parts) < 3:
        return {}
    n_cells = np.array([rows["n_cells"].iloc[0] for rows in parts.values()])
    quartiles, bootstrap = zip(*(_quartiles(rows, kind) for rows in parts.values()))
    quartiles, bootstrap = np.stack(quartiles), np.stack(bootstrap, axis=1)
    log_widths = _log_widths(bootstrap)
    weights = 1 / log_widths.std(axis=0)
    n_grids = min(rows["instance_id"].nunique() for rows in parts.values())
    exponent = _slope(n_cells, _log_widths(quartiles), weights)
    exponents = [_slope(n_cells, row, weights) for row in log_widths]
    last = np.diff(_log_widths(quartiles)[-2:])[0] / np.diff(np.log(n_cells[-2:]))[0]
    lasts = np.diff(log_widths[:, -2:])[:, 0] / np.diff(np.log(n_cells[-2:]))[0]
    rise, rises = quartiles[-1, 1] - quartiles[-2, 1], bootstrap[:, -1, 1] - bootstrap[:, -2, 1]
    return (
        {"orders": f"{min(parts)} to {max(parts)}", "collapse": _collapse(parts, kind)}
        | interval_columns("exponent", exponent, exponents, n_grids)
        | interval_columns("last_exponent", last, lasts, n_grids)
        | interval_columns("last_rise", rise, rises, n_grids)
    )


def _log_widths(quartiles):
    """Return logarithms of widths, shape (..., orders), of quartiles, shape (..., orders, 3)."""
    return np.log(quartiles[..., 2] - quartiles[..., 0])


def _slope(n_cells, log_widths, weights):
    return np.polyfit(np.log(n_cells), log_widths, 1, w=weights)[0]


def _collapse(parts, kind):
    """Return the largest distance between the distributions of rescaled thresholds."""
    from scipy.stats import ks_2samp

    rescaled = []
    for order, rows in parts.items():
        if order >= FIRST_COLLAPSED:
            values, _ = _values(rows, kind)
            lower, median, upper = np.quantile(values, QUARTILES)
            rescaled.append((values - median) / (upper - lower))
    return max((ks_2samp(*pair).statistic for pair in combinations(rescaled, 2)), default=np.nan)


@table(
    "scaling_hardest",
    HARDEST,
    POINTS,
    heading="Hardest points",
    caption="The fraction of fixed cells at which a solver takes longest, by PAR2 with equal "
    "limits; a range if nothing is solved at several fractions. Not located: the range has more "
    "than three fractions, or no mean is above a hundredth of the limit.",
)
def hardest(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the fractions at which each solver takes longest, for each order."""
    keys = ["order", "variant", "label"]
    solved = runs["status"] == SOLVED
    runs = runs.assign(
        is_solved=solved, par2_s=statistics.par2(runs["cpu_s"], solved, runs["limit_s"])
    )
    points = runs.groupby([*keys, "fixed_fraction"], as_index=False).agg(
        n=("is_solved", "size"),
        solved=("is_solved", "sum"),
        par2_s=("par2_s", "mean"),
        limit_s=("limit_s", "first"),
    )
    worst = points["par2_s"] == points.groupby(keys)["par2_s"].transform("max")
    table = (
        points[worst]
        .groupby(keys, as_index=False)
        .agg(
            hardest_low=("fixed_fraction", "min"),
            hardest_high=("fixed_fraction", "max"),
            n_fractions=("fixed_fraction", "size"),
            **{name: (name, "first") for name in ("n", "solved", "par2_s", "limit_s")},
        )
    )
    takes_time = table["par2_s"] > LEAST_SHARE * table["limit_s"]
    table["is_located"] = takes_time & (table["n_fractions"] <= MOST_FRACTIONS)
    return table


@table("scaling", CURVES, *GRIDS, POINTS._replace(required=False), thresholds=True)
def curves(measured: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the curves of all transitions, and the hardest points of the solvers.

    A row without a label is a point of a curve; a row with one is a hardest point.
    """
    summary = thresholds(measured, runs).set_index(["source", "order", "threshold"])
    parts = []
    for (source, order), group in measured.groupby(["source", "order"]):
        for kind in KINDS:
            values, _ = _values(group, kind)
            share = np.searchsorted(values, FRACTIONS, side="right") / len(values)
            part = pd.DataFrame({"fixed_fraction": FRACTIONS, "share": share})
            row = summary.loc[(source, order, kind)]
            part = part.assign(source=source, order=order, threshold=kind)
            parts.append(part.assign(**row[["median", "median_low", "median_high", "width"]]))
    points = hardest(runs[POINTS.select(runs)])
    return pd.concat([_in_order(pd.concat(parts, ignore_index=True)), points[points["is_located"]]])

"""Run-length distributions, optimal restarts, and portfolios of solvers at equal limits."""

import numpy as np
import pandas as pd

from antdoku.columns import Column, columns, interval
from antdoku.errors import InputError, naming_extra
from antdoku.outcome import SOLVED
from antdoku.statistics import cluster_weights, interval_columns
from antdoku.tables import Rows, table, work

LENGTHS, PORTFOLIO = "tails", "portfolio"
EDITION = "arxiv"
LEAST_SOLVED = 20  # runs, to fit a distribution
SHIFT = 0.9  # of the least observed length: no run ends before
SHAPES = 0.01, 100.0  # between which shapes are searched
CHI_SQUARE = 3.841  # 95 % quantile, one degree of freedom
PENALTY = 10  # PAR10
CHOSEN_ON = 3  # repetitions; the other ones measure
LEAVES, FOLDS = 8, 10
SEED = 0  # of the folds
AUTO = "auto"
FEATURES = ["order", "fixed_fraction", "mean_value_set_size", "fixed_after_cp", "trivial"]

WEIBULL = {
    **columns("instance_id", "variant", "label", "n", "solved"),
    **interval("shape", "Weibull shape"),
    "cutoff": Column("float64", "best cut-off", "steps"),
    "ratio": Column("float64", "E[T] with it over E[T] without"),
}
TAILS = {
    **columns("variant", "label", "n_instances"),
    "n_fitted": Column("int64", "instances fitted"),
    "median_shape": Column("float64", "median shape"),
    "n_below": Column("int64", "shape below 1"),
    "n_surely_below": Column("int64", "interval below 1"),
    "n_surely_above": Column("int64", "interval above 1"),
    "n_ratios": Column("int64", "instances with a finite ratio"),
    **interval("ratio", "E[T] with the best cut-off over E[T] without, geometric mean"),
}
COSTS = {
    **columns("order", "variant", "label", "n_instances"),
    "par10_s": Column("float64", "PAR10", "s"),
    "n_best": Column("int64", "instances where it is the best"),
    **columns("limit_s"),
}
STRATEGIES = {
    "strategy": Column("str", "strategy"),
    "par10_s": Column("float64", "PAR10", "s"),
    **interval("share", "share of the gap closed", "share"),
    **columns("n_instances"),
}
RUNS = Rows(LENGTHS, random=True)


# --- Run lengths ---------------------------------------------------------------------------------


@table("tails", WEIBULL, RUNS)
def weibull(runs: pd.DataFrame) -> pd.DataFrame:
    """Return Weibull shapes and the best restart, a row for each solver and instance."""
    rows = []
    runs = work.at(runs, EDITION)
    for key, group in runs.groupby(["variant", "label", "instance_id"]):
        steps, solved = group["steps"].to_numpy(float), (group["status"] == SOLVED).to_numpy()
        row = dict(zip(["variant", "label", "instance_id"], key))
        row |= {"n": len(group), "solved": solved.sum()}
        if solved.sum() >= LEAST_SOLVED:
            row |= fit_weibull(steps - SHIFT * steps.min(), solved)
        rows.append(row | _best_restart(group))
    return pd.DataFrame(rows, columns=list(WEIBULL))


def fit_weibull(times: np.ndarray, observed: np.ndarray) -> dict[str, float]:
    """Return the shape by maximum likelihood, and its likelihood-ratio interval.

    Times (float64, shape (n,), above 0) are censored where `observed` is False.
    """
    from scipy.optimize import brentq

    n, logs = observed.sum(), np.log(times)
    logs -= logs.mean()  # the shape does not depend on the unit, and no power overflows

    def score(shape):  # derivative of the log likelihood at the best scale; it decreases
        powers = np.exp(shape * logs)
        return n / shape + logs[observed].sum() - n * (powers @ logs) / powers.sum()

    def likelihood(shape):
        log_scale = np.log(np.exp(shape * logs).sum() / n)
        return n * (np.log(shape) - log_scale) + (shape - 1) * logs[observed].sum()

    shape = brentq(score, *SHAPES)
    bound = likelihood(shape) - CHI_SQUARE / 2
    low, high = (
        brentq(lambda value: likelihood(value) - bound, *ends)
        for ends in ((SHAPES[0], shape), (shape, SHAPES[1]))
    )
    return {"shape": shape, "shape_low": low, "shape_high": high}


def _best_restart(group):
    """Return the best cut-off on runs with even numbers, and what it gains on the other runs."""
    is_even = group["repetition"] % 2 == 0
    chosen_on, measured_on = group[is_even], group[~is_even]
    cutoffs = np.unique(chosen_on.loc[chosen_on["status"] == SOLVED, "steps"])
    if not len(cutoffs):
        return {}
    best = min(cutoffs, key=lambda cutoff: _expected(chosen_on, cutoff))
    full = _expected(measured_on, measured_on["steps"].max())
    ratio = _expected(measured_on, best) / full if np.isfinite(full) else np.nan
    return {"cutoff": best, "ratio": ratio}


def _expected(group, cutoff):
    """Return E[T] of runs that are broken off at a cut-off; infinite if none solves before."""
    n_solved = ((group["status"] == SOLVED) & (group["steps"] <= cutoff)).sum()
    return group["steps"].clip(upper=cutoff).sum() / n_solved if n_solved else np.inf


@table(
    "tails_summary",
    TAILS,
    RUNS,
    heading="Weibull shapes by solver",
    caption="Weibull shapes of the run lengths by solver: a shape below 1 means that a restart "
    "helps. E[T] = steps of all runs / solved runs; the cut-off is chosen on one half of the runs "
    "and measured on the other; 95 % bootstrap interval. A run ends at the paper's work. Without "
    "a solved run before the cut-off an instance has no ratio.",
)
def tails(runs: pd.DataFrame) -> pd.DataFrame:
    """Return how many instances have heavy tails, and what the best restart gains."""
    rows = []
    for (variant, label), group in weibull(runs).groupby(["variant", "label"]):
        shapes = group.dropna(subset="shape")
        logs = np.log(group["ratio"].replace(np.inf, np.nan).dropna().to_numpy())
        bootstrap = np.exp(cluster_weights(len(logs)) @ logs / len(logs)) if len(logs) else [np.nan]
        mean = np.exp(logs.mean()) if len(logs) else np.nan
        rows.append(
            {
                "variant": variant,
                "label": label,
                "n_instances": len(group),
                "n_fitted": len(shapes),
                "median_shape": shapes["shape"].median(),
                "n_below": (shapes["shape"] < 1).sum(),
                "n_surely_below": (shapes["shape_high"] < 1).sum(),
                "n_surely_above": (shapes["shape_low"] > 1).sum(),
                "n_ratios": len(logs),
            }
            | interval_columns("ratio", mean, bootstrap, len(logs))
        )
    return pd.DataFrame(rows)


# --- Portfolio -----------------------------------------------------------------------------------

POINTS = Rows(PORTFOLIO, random=True)


@table(
    "portfolio_solvers",
    COSTS,
    POINTS,
    heading="Solvers at equal limits",
    caption="Mean cost of a run by order, all solvers with the same limit in CPU seconds: a run "
    "without a solution counts ten limits (PAR10).",
)
def costs_by_order(runs: pd.DataFrame) -> pd.DataFrame:
    """Return PAR10 of each solver at each order, and how often it is the best of an instance."""
    chosen_on, measured = _costs(runs)
    best = _best(chosen_on)
    facts = runs.drop_duplicates("instance_id").set_index("instance_id")
    labels = runs.drop_duplicates("variant").set_index("variant")["label"]
    rows = [
        {
            "order": order,
            "variant": variant,
            "label": labels[variant],
            "n_instances": len(group),
            "par10_s": group[variant].mean(),
            "n_best": (best[group.index] == variant).sum(),
            "limit_s": facts.loc[group.index, "limit_s"].iloc[0],
        }
        for order, group in measured.groupby(facts["order"])
        for variant in measured
        if group[variant].notna().all()
    ]
    return pd.DataFrame(rows)


def _costs(runs):
    """Return PAR10 of the runs that choose (median) and of the runs that measure (mean).

    Both have a row for each instance and a column for each variant.
    """
    if runs["limit_s"].nunique() > 1:
        raise InputError("limit_s differs: the solvers cannot be compared", "portfolio")
    cost = runs["cpu_s"].where(runs["status"] == SOLVED, PENALTY * runs["limit_s"])
    chooses = (runs["repetition"] < CHOSEN_ON).map({True: "chooses", False: "measures"})
    keys = [chooses.rename("half"), "instance_id", "variant"]
    costs = runs.assign(cost=cost).groupby(keys)["cost"]
    medians, means = costs.median().unstack("variant"), costs.mean().unstack("variant")
    return medians.loc["chooses"], means.loc["measures"]


@table(
    "portfolio",
    STRATEGIES,
    POINTS,
    heading="Choosing a solver",
    caption="Mean PAR10 of ways to choose a solver. Single best: the solver with the least mean "
    "over all instances. Virtual best: the best solver of each instance. Tree: a rule on the "
    "features of a puzzle. Share: of the gap between single and virtual best that a way closes, "
    "with a 95 % bootstrap interval over instances. Solvers are chosen on three runs (ties: the "
    "least mean), and measured on two others.",
)
def strategies(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the cost of the single best solver, `auto`, a tree, and the virtual best solver."""
    chosen_on, measured = _costs(runs)
    solvers = [name for name in chosen_on if name != AUTO and chosen_on[name].notna().all()]
    features = runs.drop_duplicates("instance_id").set_index("instance_id")[FEATURES]
    costs = pd.DataFrame(
        {
            "single best": measured[chosen_on[solvers].mean().idxmin()],
            "auto": measured[AUTO],
            "tree": _cost_of(measured, _tree_choices(features, chosen_on[solvers])),
            "virtual best": _cost_of(measured, _best(chosen_on[solvers])),
        }
    )
    n = len(costs)
    means = costs.mean()
    bootstrap = pd.DataFrame(cluster_weights(n) @ costs / n, columns=costs.columns)
    return pd.DataFrame(
        {"strategy": name, "par10_s": means[name], "n_instances": n}
        | interval_columns("share", _closed(means, name), _closed(bootstrap, name), n)
        for name in costs
    )


def _best(costs):
    """Return the solver with the least cost of each instance; a tie goes to the least mean cost."""
    by_mean = costs.mean().sort_values().index
    return costs[by_mean].idxmin(axis=1)


def _cost_of(measured, choices):
    """Return the measured cost of the chosen solver of each instance."""
    choices = choices.reindex(measured.index)
    at = measured.columns.get_indexer(choices)
    return pd.Series(measured.to_numpy()[np.arange(len(measured)), at], measured.index)


def _closed(means, name):
    """Return the share of the gap between single best and virtual best that a way closes.

    NaN where there is no gap.
    """
    gap = means["single best"] - means["virtual best"]
    return (means["single best"] - means[name]) / np.where(gap > 0, gap, np.nan)


def _tree_choices(features, costs):
    """Return the solver that a cross-validated regression tree chooses for each instance."""
    with naming_extra():
        from sklearn.model_selection import KFold
        from sklearn.tree import DecisionTreeRegressor

    features = features.loc[costs.index].to_numpy(float)
    chosen = pd.Series(index=costs.index, dtype="str")
    for learnt, held_out in KFold(FOLDS, shuffle=True, random_state=SEED).split(features):
        tree = DecisionTreeRegressor(max_leaf_nodes=LEAVES, random_state=SEED)
        tree.fit(features[learnt], costs.iloc[learnt].to_numpy())
        predicted = tree.predict(features[held_out])
        chosen.iloc[held_out] = costs.columns[predicted.argmin(axis=1)]
    return chosen

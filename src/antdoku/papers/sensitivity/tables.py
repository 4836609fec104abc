"""Which parameters of ACS decide the work to a solution: Sobol' indices, rank, a test.

E[W], the expected work to a solution, is the ants that walked in all runs over the solved runs plus
one half, which keeps it finite.
"""

import json

import numpy as np
import pandas as pd

from antdoku.columns import NONE, Column, columns, interval
from antdoku.outcome import SOLVED
from antdoku.statistics import cluster_weights, interval_columns
from antdoku.tables import Rows, table
from antdoku.tables.summary import RATE, trials, with_rate, with_rate_of_runs

MAIN, TEST = "sensitivity", "sensitivity_test"
NAMES = ["m", "q0", "rho", "xi", "f_bve"]
RULE, PROPAGATION = "greedy_rule", "propagation"
RESAMPLES, SEED = 1000, 0
PAPER = [10, 0.9, 0.9, 0.1, 0.005]  # the values of Lloyd & Amos, by NAMES
IN_WORDS = {"arxiv": "preprint", "authors": "as the authors’"}  # values of rule and propagation
MATTERS = 0.05  # of the variance: less does not matter

SETTING = {
    "greedy_rule": Column("str", "greedy rule"),
    "propagation": Column("str", "propagation"),
    **{name: Column("float64", name) for name in NAMES},
}
OF_WORK = {"work": Column("float64", "E[W]", "ants")}
POINTS = {
    "greedy_rule": SETTING["greedy_rule"],
    "propagation": SETTING["propagation"],
    "point": Column("int64", "point of the design"),
    **{name: SETTING[name] for name in NAMES},
    **columns("n", "solved", *RATE),
    **OF_WORK,
}
INDICES = {
    "greedy_rule": SETTING["greedy_rule"],
    "parameter": Column("str", "parameter"),
    **interval("first", "first order"),
    **interval("total", "total"),
    "matters": Column("bool", "matters by the rule"),
    "chance": Column("float64", "chance of single runs"),
    "n_points": Column("int64", "points"),
}
RANK = {
    **SETTING,
    **columns("n", "solved"),
    **OF_WORK,
    "setting": Column("str", "setting"),
    "share_better": Column("float64", "share of the independent settings with less work", "share"),
}
TESTED = {
    **columns("variant", "label", "n", "solved", *RATE),
    **OF_WORK,
    **interval("ratio", "ratio of E[W]"),
    "solved_walks": Column("int64", "solved, equal walks"),
    **interval("ratio_walks", "ratio, equal walks"),
}
RUNS = Rows(MAIN, random=True)
WORK_IN_WORDS = "E[W]: expected walks of ants to a solution, over all runs of a setting."


@table("sensitivity", POINTS, RUNS)
def points(runs: pd.DataFrame) -> pd.DataFrame:
    """Return success and E[W] of each setting; the paper's setting has the point -1."""
    keys, rows = ["greedy_rule", "propagation", "point", *NAMES], _with_work(runs)
    table = rows.groupby(keys).agg(
        n=("solved", "size"), solved=("solved", "sum"), ants=("ants", "sum")
    )
    table = table.assign(trials=trials(rows, keys)).reset_index()
    return with_rate(table.assign(work=table["ants"] / (table["solved"] + 0.5)), trials="trials")


def _with_work(runs):
    """Return runs with their parameters as columns, whether they are solved, and their ants."""
    distinct = {text: json.loads(text) for text in runs["params"].unique()}
    settings = pd.DataFrame.from_dict(distinct, orient="index")[[RULE, PROPAGATION, *NAMES]]
    rows = runs.join(settings, on="params")
    solved = (rows["status"] == SOLVED).astype(int)
    return rows.assign(solved=solved, ants=rows["m"] * rows["steps"])


@table(
    "sensitivity_indices",
    INDICES,
    RUNS,
    heading="Sobol' indices",
    caption=f"{WORK_IN_WORDS} Sobol' indices: shares of the variance of log E[W] over the "
    "settings, by a parameter alone (first order), and with all its interactions (total), with "
    "95 % bootstrap intervals. By the declared rule a parameter matters if the lower end of its "
    "total index is above 0.05. Chance: the share that single runs make (added after the runs).",
)
def indices(runs: pd.DataFrame) -> pd.DataFrame:
    """Return Sobol' indices of log10 E[W], a row for each rule and parameter."""
    rows = _with_work(runs)
    chances = {rule: _chance(design) for rule, design in rows[rows["point"] != NONE].groupby(RULE)}
    table = indices_of_points(points(runs))
    return table.assign(chance=table[RULE].map(chances)).replace({RULE: IN_WORDS})


def _chance(design):
    """Return the share of the variance of log10 E[W] that the settings have by chance.

    It is the variance of a setting over bootstrap samples of its runs, without what all settings
    have in common on the instances of a sample.
    """
    sums = design.pivot(index="point", columns="instance_id", values=["ants", "solved"])
    ants, solved = sums["ants"].to_numpy(float), sums["solved"].to_numpy(float)
    weights = cluster_weights(ants.shape[1])
    samples = np.log10(_work(np.stack([ants @ weights.T, solved @ weights.T], axis=-1)))
    response = np.log10(_work(np.stack([ants.sum(axis=1), solved.sum(axis=1)], axis=-1)))
    return (samples - samples.mean(axis=0)).var(axis=1).mean() / response.var()


def indices_of_points(table: pd.DataFrame) -> pd.DataFrame:
    """Return the columns `INDICES` of a table of points (columns `POINTS`)."""
    designs = table[table["point"] != NONE].groupby(RULE)
    return pd.concat([_indices(rule, rows.sort_values("point")) for rule, rows in designs])


def _indices(rule, design):
    """Return the indices of a design: the rows of A, of B, and of A with each column of B."""
    from scipy.stats import bootstrap, sobol_indices

    k, response = len(NAMES), np.log10(design["work"].to_numpy())
    n = len(response) // (k + 2)
    responses = response.reshape(k + 2, n)
    order = _order_of_parameters(design[NAMES].to_numpy().reshape(k + 2, n, k))

    def estimates(rows):
        f_a, f_b, *f_ab = responses[:, None, rows]
        result = sobol_indices(func={"f_A": f_a, "f_B": f_b, "f_AB": np.array(f_ab)}, n=n)
        return np.array([result.first_order, result.total_order])

    # The bootstrap of SciPy's own result draws from a generator without a seed.
    first, total = estimates(np.arange(n))
    options = {"vectorized": False, "method": "percentile", "n_resamples": RESAMPLES}
    ends = bootstrap([np.arange(n)], estimates, rng=np.random.default_rng(SEED), **options)
    (first_low, total_low), (first_high, total_high) = ends.confidence_interval
    return pd.DataFrame(
        {
            "greedy_rule": rule,
            "parameter": [NAMES[number] for number in order],
            "first": first,
            "first_low": first_low,
            "first_high": first_high,
            "total": total,
            "total_low": total_low,
            "total_high": total_high,
            "matters": total_low > MATTERS,
            "n_points": len(response),
        }
    )


def _order_of_parameters(design):
    """Return which parameter each matrix after A and B takes from B; shape (k + 2, n, k)."""
    a, _, *mixed = design
    return [int((matrix != a).any(axis=0).argmax()) for matrix in mixed]


@table(
    "sensitivity_rank",
    RANK,
    RUNS,
    heading="The paper’s setting",
    caption=f"{WORK_IN_WORDS} The paper's setting and the best setting of the design on the same "
    "instances, and the share of the independent points of the design (complete propagation) that "
    "need less work.",
)
def rank(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's setting and the best point, ranked among the independent points."""
    table = points(runs)
    rows = []
    for _, group in table.groupby(RULE):
        design = group[group["point"] != NONE]
        k = len(NAMES)
        independent = design[design["point"] < 2 * len(design) // (k + 2)]["work"]
        best = design.loc[design["work"].idxmin()]
        paper = [row for _, row in group[group["point"] == NONE].iterrows()]
        for name, row in [*(("paper", row) for row in paper), ("best", best)]:
            share = (independent < row["work"]).mean()
            rows.append(row.to_dict() | {"setting": name, "share_better": share})
    return pd.DataFrame(rows).replace({RULE: IN_WORDS, PROPAGATION: IN_WORDS})


@table(
    "sensitivity_test",
    TESTED,
    Rows(TEST, random=True),
    heading="On other instances",
    caption=f"{WORK_IN_WORDS} Instances on which no setting was chosen. Ratios are to the E[W] of "
    "the paper's setting with the same rule and propagation (95 % bootstrap over instances), "
    "within equal numbers of iterations, and of walks (as many as the smallest colony does). The "
    "best settings have two ants: their failed runs cost a fifth within equal iterations.",
)
def tested(runs: pd.DataFrame) -> pd.DataFrame:
    """Return success and E[W] of each setting, and its ratio to the paper's setting."""
    rows = _with_work(runs)
    rows = rows.assign(is_paper=(rows[NAMES] == PAPER).all(axis="columns"))
    groups = rows.groupby([RULE, PROPAGATION])
    table = pd.concat([_compared(group) for _, group in groups])
    return with_rate_of_runs(table, rows, ["variant", "label"])


def _compared(rows):
    """Return the rows of the settings with one rule and propagation."""
    equal, table = _within_equal_walks(rows), []
    for (variant, label), group in rows.groupby(["variant", "label"]):
        sums, within = _sums(group), equal.loc[group.index]
        row = {"variant": variant, "label": label, "n": len(group)}
        row |= {"solved": group["solved"].sum(), "work": _work(sums.sum(axis=0))}
        row |= _ratio_to("ratio", sums, _sums(rows[rows["is_paper"]]))
        row |= _ratio_to("ratio_walks", _sums(within), _sums(equal[equal["is_paper"]]))
        table.append(row | {"solved_walks": within["solved"].sum()})
    return pd.DataFrame(table)


def _within_equal_walks(rows):
    """Return runs broken off after as many walks of ants as the smallest colony does."""
    walks = (rows["m"] * rows["limit_steps"]).min()
    is_shorter = rows["ants"] <= walks
    return rows.assign(solved=rows["solved"] * is_shorter, ants=rows["ants"].clip(upper=walks))


def _ratio_to(name, sums, paper):
    """Return the ratio of two E[W] on the same instances, with its interval."""
    weights = cluster_weights(len(paper))
    ratio = _work(sums.sum(axis=0)) / _work(paper.sum(axis=0))
    return interval_columns(name, ratio, _work(weights @ sums) / _work(weights @ paper), len(paper))


def _sums(rows):
    """Return ants and solutions of each instance, shape (n, 2), in the order of the names."""
    return rows.groupby("instance_id")[["ants", "solved"]].sum().to_numpy(float)


def _work(sums):
    """Return E[W] of sums of ants and solutions, shape (..., 2)."""
    return sums[..., 0] / (sums[..., 1] + 0.5)

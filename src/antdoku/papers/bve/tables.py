"""Best-value evaporation, restarts and propagation: effects on success, work to a solution.

E[T], the expected work to a solution, is the iterations of all runs over the solved runs. Intervals
resample instances, since runs on one instance are alike.
"""

from itertools import combinations

import numpy as np
import pandas as pd

from antdoku.columns import Column, columns, interval
from antdoku.outcome import SOLVED
from antdoku.statistics import cluster_weights, interval_columns
from antdoku.tables import Rows, table, work
from antdoku.tables.summary import RATE, with_rate_of_runs

MAIN, LONG = "bve", "bve_long"
EDITION = "arxiv"  # whose work ends the runs
HARDEST, MULTIPLE = 0.45, 10  # the fraction of the long runs, and their length in the paper's work
CUTOFFS = (30, 50, 100, 200, 300, 500, 1000, 2000, 3000)  # iterations before a restart
LUBY, UNIT, LUBY_POWERS = "Luby", 30, 11  # 2,047 runs
FULL = "none"  # the run ends at the paper's work
# Level +1/2 and -1/2 of each factor, by variant: evaporation, restart, complete propagation.
FACTORS = {
    "acs": (1, 0, 0),
    "acs_no_bve": (0, 0, 0),
    "acs_restarts": (1, 1, 0),
    "acs_no_bve_restarts": (0, 1, 0),
    "acs_closure": (1, 0, 1),
    "acs_closure_no_bve": (0, 0, 1),
    "acs_restart": (1, 1, 1),
    "acs_no_bve_restart": (0, 1, 1),
}
NAMES = ("evaporation", "restart", "complete propagation")
# Variants by propagation: evaporation alone, neither, evaporation and restarts, restarts alone.
DESIGN = {
    "authors": ("acs", "acs_no_bve", "acs_restarts", "acs_no_bve_restarts"),
    "complete": ("acs_closure", "acs_closure_no_bve", "acs_restart", "acs_no_bve_restart"),
}
PAIRS = {propagation: names[:2] for propagation, names in DESIGN.items()}  # without restarts

EFFECTS = {
    "effect": Column("str", "effect"),
    **interval("log_odds", "difference in log odds"),
    **columns("p_value", "n", "n_instances"),
}
OF_WORK = interval("work", "E[T]", "iterations")
WORK = {
    **columns("fixed_fraction", "variant", "label", "n", "n_instances", "solved", *RATE),
    **OF_WORK,
    "cpu_s_per_solution": Column("float64", "CPU time for a solution", "s"),
}
RESTARTS = {
    **columns("fixed_fraction", "variant", "label"),
    "cutoff": Column("str", "cut-off", "iterations"),
    "work_chosen_on": Column("float64", "E[T], odd instances", "iterations"),
    "is_best": Column("bool", "best fixed cut-off"),
    **OF_WORK,
}
ANSWER = {
    "propagation": Column("str", "propagation"),
    "comparison": Column("str", "comparison"),
    **interval("ratio", "ratio of E[T]"),
    "work_first": Column("float64", "E[T] of the first", "iterations"),
    "work_second": Column("float64", "E[T] of the second", "iterations"),
}
STAGNATION = {
    **columns("variant", "label", "n"),
    "solved_first": Column("int64", "solved within the paper’s work"),
    "n_left": Column("int64", "runs left"),
    "solved_later": Column("int64", "solved within ten times the work"),
    "expected_later": Column("float64", "expected at a constant rate"),
}
RUNS = Rows(MAIN, random=True)


# --- Effects on success --------------------------------------------------------------------------


@table(
    "bve_effects",
    EFFECTS,
    RUNS,
    heading="Effects on success",
    caption="How evaporation, restarts and complete propagation change the odds (solved runs over "
    "failed ones) within the paper's work, on a log scale: 0 is no change, 1 makes them 2.7 times "
    "as high. Logistic regression with all interactions (×), instances as clusters, fixed "
    "fractions as a category.",
)
def effects(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the main effects and interactions of the three factors.

    A factor has the levels -1/2 and +1/2, so an effect is the mean difference over the levels of
    the others. Two pseudo-runs of weight 1/2, one solved and one not, in each cell of the design
    keep log odds finite.
    """
    from statsmodels.api import families
    from statsmodels.genmod.generalized_estimating_equations import GEE

    rows = _with_pseudo_runs(_at_work(runs))
    design = _design(rows)
    model = GEE(
        rows["solved"], design, rows["cluster"], family=families.Binomial(), weights=rows["weight"]
    )
    fitted = model.fit()
    intervals = fitted.conf_int()
    names = [name for name in design if not name.startswith("fixed ")]
    return pd.DataFrame(
        {
            "effect": names,
            "log_odds": fitted.params[names].to_numpy(),
            "log_odds_low": intervals.loc[names, 0].to_numpy(),
            "log_odds_high": intervals.loc[names, 1].to_numpy(),
            "p_value": fitted.pvalues[names].to_numpy(),
            "n": len(runs),
            "n_instances": runs["instance_id"].nunique(),
        }
    )


def _at_work(runs):
    """Return the runs at the paper's work, with `solved` as 0 and 1."""
    runs = work.at(runs, EDITION)
    return runs.assign(solved=(runs["status"] == SOLVED).astype(int))


def _with_pseudo_runs(runs):
    """Return the columns of the regression, with the pseudo-runs in clusters of their own."""
    columns = ["variant", "fixed_fraction"]
    rows = runs[[*columns, "solved"]].assign(cluster=runs["instance_id"], weight=1.0)
    cells = runs[columns].drop_duplicates()
    name = "pseudo " + cells["variant"].astype(str) + cells["fixed_fraction"].astype(str)
    pseudo = [cells.assign(solved=solved, cluster=name, weight=0.5) for solved in (0, 1)]
    return pd.concat([rows, *pseudo], ignore_index=True)


def _design(rows):
    """Return the columns of the regression: fixed fractions, factors and their products."""
    fractions = {
        f"fixed {fraction:g}": (rows["fixed_fraction"] == fraction).astype(float)
        for fraction in sorted(rows["fixed_fraction"].unique())
    }
    levels = np.array([FACTORS[variant] for variant in rows["variant"]]) - 0.5
    products = {}
    for size in (1, 2, 3):
        for chosen in combinations(range(3), size):
            name = " × ".join(NAMES[number] for number in chosen)
            # An interaction of two factors is half of the difference of two effects.
            products[name] = 2 ** (size - 1) * levels[:, chosen].prod(axis=1)
    return pd.DataFrame(fractions | products, index=rows.index)


# --- Work to a solution --------------------------------------------------------------------------


@table(
    "bve_work",
    WORK,
    RUNS,
    heading="Work to a solution",
    caption="Success within the paper's work, and the expected work to a solution, E[T]: "
    "iterations of all runs over solved runs, with a 95 % bootstrap interval over instances.",
)
def expected_work(runs: pd.DataFrame) -> pd.DataFrame:
    """Return success and E[T] of each variant at each fraction."""
    runs, rows = _at_work(runs), []
    for (fraction, variant, label), group in _groups(runs):
        sums = _sums(group, None)
        row = {"fixed_fraction": fraction, "variant": variant, "label": label, "n": len(group)}
        row |= {"n_instances": len(sums), "solved": group["solved"].sum()}
        row |= _expected(sums)
        seconds = group["cpu_s"].sum() / group["solved"].sum() if group["solved"].any() else np.inf
        rows.append(row | {"cpu_s_per_solution": seconds})
    return with_rate_of_runs(pd.DataFrame(rows), runs, ["fixed_fraction", "variant"])


def _groups(runs):
    return runs.groupby(["fixed_fraction", "variant", "label"])


def _sums(group, cutoff):
    """Return iterations and solutions of each instance, shape (n, 2), with runs cut at `cutoff`."""
    steps, solved = group["steps"], group["solved"]
    if cutoff is not None:
        solved = solved * (steps <= cutoff)
        steps = steps.clip(upper=cutoff)
    sums = pd.DataFrame({"steps": steps, "solved": solved}).groupby(group["instance_id"]).sum()
    return sums.to_numpy(float)


def _ratio(sums):
    """Return iterations over solutions, of sums of shape (..., 2); infinite without a solution."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[..., 0] / sums[..., 1]


def _expected(sums):
    """Return E[T] and its interval as columns."""
    bootstrap = _ratio(cluster_weights(len(sums)) @ sums)
    return interval_columns("work", _ratio(sums.sum(axis=0)), bootstrap, len(sums))


# --- Restarts ------------------------------------------------------------------------------------


@table("bve", RESTARTS, RUNS)
def restarts(runs: pd.DataFrame) -> pd.DataFrame:
    """Return E[T] if runs without restarts are broken off and started afresh.

    The best fixed cut-off has the least E[T] on the instances with odd numbers (from 1); the
    columns of E[T] are about the instances with even numbers.
    """
    rows = []
    for (fraction, variant, label), group in _groups(_without_restarts(_at_work(runs))):
        for strategy in (*map(str, CUTOFFS), LUBY, FULL):
            work = {name: _expected_at(part, strategy) for name, part in _halves(group).items()}
            row = {"fixed_fraction": fraction, "variant": variant, "label": label}
            row |= {"cutoff": strategy, "work_chosen_on": work["odd"]["work"]}
            rows.append(row | work["even"])
    table = pd.DataFrame(rows)
    is_fixed = ~table["cutoff"].isin([LUBY, FULL])
    places = [table["fixed_fraction"], table["variant"]]
    smallest = table["work_chosen_on"].where(is_fixed).groupby(places).transform("min")
    return table.assign(is_best=is_fixed & (table["work_chosen_on"] == smallest))


def _without_restarts(runs):
    return runs[runs["variant"].isin([name for pair in PAIRS.values() for name in pair])]


def _halves(group):
    """Return the runs on the instances with odd numbers and with even ones, counted from 1."""
    number = pd.factorize(group["instance_id"], sort=True)[0] + 1
    return {"odd": group[number % 2 == 1], "even": group[number % 2 == 0]}


def _expected_at(group, strategy):
    """Return E[T] and its interval under a strategy: a cut-off, `LUBY` or `FULL`."""
    if strategy == LUBY:
        return _under_luby(group)
    sums = _sums(group, None if strategy == FULL else int(strategy))
    return _expected(sums)


def _under_luby(group):
    """Return E[T] and its interval for the Luby sequence of runs: 1, 1, 2, 1, 1, 2, 4, ...

    The sequence up to 2**k is the one up to 2**(k - 1) twice, and then a run of length 2**k. So the
    work up to 2**k, and the chance that no run up to there is solved, follow from those before.
    """
    n_runs = group.groupby("instance_id").size().to_numpy(float)
    sums = [_sums(group, UNIT * 2**power) for power in range(LUBY_POWERS)]  # (instances, 2) each

    def expected(weights):
        work, failed = np.zeros(len(weights)), np.ones(len(weights))
        for cut in sums:
            of_run, solved = (weights @ cut / (weights @ n_runs)[:, None]).T
            work += failed * work + failed**2 * of_run
            failed = failed**2 * (1 - solved)
        return work

    n = len(n_runs)
    (value,) = expected(np.ones((1, n)))
    return interval_columns("work", value, expected(cluster_weights(n)), n)


@table(
    "bve_answer",
    ANSWER,
    RUNS,
    heading="Evaporation or restart",
    caption="Ratios of the expected work to a solution, E[T], at 45 % fixed, with 95 % bootstrap "
    "intervals: restarts at the best cut-off without evaporation, over evaporation without "
    "restarts; restarts without evaporation over restarts with it, both at their best cut-off; the "
    "same for restarts after stagnation. A cut-off is chosen on odd and measured on even "
    "instances; without a choice all count.",
)
def answer(runs: pd.DataFrame) -> pd.DataFrame:
    """Return ratios of E[T]: restart over evaporation, and what evaporation adds to a restart."""
    strategies = restarts(runs)
    strategies = strategies[strategies["is_best"] & (strategies["fixed_fraction"] == HARDEST)]
    cutoffs = strategies.set_index("variant")["cutoff"].astype(int)
    runs = _at_work(runs[runs["fixed_fraction"] == HARDEST])
    even = {name: _halves(group)["even"] for name, group in runs.groupby("variant")}
    best = {name: _sums(even[name], cutoff) for name, cutoff in cutoffs.items()}
    full = {name: _sums(group, None) for name, group in even.items()}
    # Where no cut-off is chosen, all instances measure.
    whole = {name: _sums(group, None) for name, group in runs.groupby("variant")}
    rows = []
    for propagation, (with_bve, without, both, restarted) in DESIGN.items():
        comparisons = {
            "restart / evaporation": (best[without], full[with_bve]),
            "restart / restart and evaporation": (best[without], best[with_bve]),
            "after stagnation: restart / both": (whole[restarted], whole[both]),
        }
        for comparison, pair in comparisons.items():
            rows.append({"propagation": propagation, "comparison": comparison} | _compared(*pair))
    return pd.DataFrame(rows)


def _compared(first, second):
    """Return the ratio of two E[T] on the same instances, with its interval, and both E[T]."""
    works = [_ratio(sums.sum(axis=0)) for sums in (first, second)]
    weights = cluster_weights(len(first))
    ratios = _ratio(weights @ first) / _ratio(weights @ second)
    row = {"work_first": works[0], "work_second": works[1]}
    return row | interval_columns("ratio", works[0] / works[1], ratios, len(first))


# --- Stagnation ----------------------------------------------------------------------------------


@table(
    "bve_stagnation",
    STAGNATION,
    Rows(LONG, random=True),
    heading="Stagnation",
    caption="Runs at 45 % fixed that go on to ten times the paper's work. Expected at a constant "
    "rate: solutions among the runs left, if each further piece of work as long as the paper's "
    "had the chance of the first.",
)
def stagnation(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of runs that are solved within the paper's work, and later."""
    runs = runs.assign(steps_of_paper=work.papers_steps(runs, EDITION))
    is_solved = runs["status"] == SOLVED
    is_first = is_solved & (runs["steps"] <= runs["steps_of_paper"])
    rows = runs.assign(first=is_first, later=is_solved & ~is_first)
    table = rows.groupby(["variant", "label"], as_index=False).agg(
        n=("first", "size"), solved_first=("first", "sum"), solved_later=("later", "sum")
    )
    n_left, rate = table["n"] - table["solved_first"], table["solved_first"] / table["n"]
    expected = n_left * (1 - (1 - rate) ** (MULTIPLE - 1))
    return table.assign(n_left=n_left, expected_later=expected)

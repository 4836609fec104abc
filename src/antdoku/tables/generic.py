"""Tables that any configuration has, of all experiments, and their hardest points."""

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.columns import Column, columns
from antdoku.outcome import SOLVED
from antdoku.tables import comparison, summary, work
from antdoku.tables.registry import Rows, is_random, table
from antdoku.tables.summary import GROUP_KEY, POINT, RATE, SUMMARY

SUCCESS = columns("experiment", *GROUP_KEY, *SUMMARY)
BY_FRACTION = SUCCESS | columns("median_steps")
PLACE = ("experiment", "family", *GROUP_KEY, "label")
CURVES = columns(*PLACE, "instance_id", "status", "steps", "cpu_s")
COMPARISON = columns(
    *("experiment", "family", "variant", "label", "n_instances", "n", "solved", "median_s"),
    *("par2_s", "won", "lost", "p_holm", "decided", "instances_needed", "solved_low"),
    *("solved_high", "median_low_s", "median_high_s", "par2_low_s", "par2_high_s"),
    *("limit_s", "limit_steps"),
)
RANKING = columns(
    *(*PLACE, "n", "solved", *RATE),
    *("par2_s", "median_steps", "limit_s", "limit_steps", "reach"),
)
RUN_TIMES = columns(*GROUP_KEY, "label", "instance_id", "repetition", "n")
RUN_TIMES |= {"solved": Column("bool", "solved")} | columns("cpu_s", "limit_s", "limit_steps")


@table(
    "success",
    SUCCESS,
    Rows(random=True, required=False),
    heading="All points",
    group="success",
    caption="All named variants on the random instances, by experiment, order and fixed fraction: "
    "success rate and CPU times. Runs are shown to their end, which may lie beyond the paper's "
    "work. Ended by seconds: runs that seconds ended before their steps were used up. "
    "PAR2 is missing where variants have several limits in seconds.",
)
def success(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a summary of all variants on random instances, by experiment, order and fraction."""
    table = summary.summarise(runs, ["experiment", *GROUP_KEY])
    limits = table["limit_s"].mask(table["limit_steps"] > 0)
    n_limits = limits.groupby([table[key] for key in ("experiment", *POINT)]).transform("nunique")
    return table.assign(par2_s=table["par2_s"].mask(n_limits > 1))


@table("experiment_by_fraction", BY_FRACTION, Rows(random=True, of_users=True))
def by_fraction(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a summary as in `success`, with equal limits, of a user's experiments."""
    return summary.summarise(_at_equal_limits(runs), ["experiment", *GROUP_KEY])


@table("ranking", RANKING)
def ranking(runs: pd.DataFrame) -> pd.DataFrame:
    """Return all variants at the hardest point of each experiment, with equal limits.

    Runs are read at the paper's work or, where seconds limit them, at the smallest limit of the
    variants. The point is where variants solve least at the largest size, yet one solves something.
    `reach` is the limit in multiples of the paper's work. Given puzzles: all families, where a
    paper's experiment has no random instances. A median of steps is missing if half of the runs
    failed.
    """
    runs = _of_ranking(_at_equal_limits(runs))
    family = ["experiment", "family", "order"]
    keys = [*family, "variant"]
    columns = [*runs.columns.intersection(["fixed_fraction", "reach"])]
    table = summary.summarise(runs, keys).join(runs.groupby(keys)[columns].first(), on=keys)
    ascending = dict.fromkeys(family, True) | {"success_rate": False, "par2_s": True}
    return table.sort_values([*ascending], ascending=[*ascending.values()], kind="stable")


@table("experiment_curves", CURVES, Rows(of_users=True))
def curves(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of a user's experiments that the ranking is made of."""
    return _of_ranking(_at_equal_limits(runs)).sort_values(
        ["experiment", "family", "variant", "instance_id"]
    )


@table(
    "experiment_comparison",
    COMPARISON,
    Rows(of_users=True),
    heading="Comparison",
    group="experiment",
    caption="Which variant is better at a place: each is compared with the first of its limit "
    "(Wilcoxon, with Holm's correction over all pairs); an instance counts once. PAR2: a failure "
    "counts as twice the limit in seconds or, where steps end runs, as twice the longest run. "
    "Instances needed: so many decide a difference like this one with a chance of 80 %.",
)
def comparisons(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a comparison of the variants with equal limits, at each place of the ranking."""
    runs = _of_ranking(_at_equal_limits(runs))
    runs["limit_s"] = runs["limit_s"].mask(runs["limit_steps"] > 0)
    keys = ["experiment", "family", "limit_s", "limit_steps"]
    summaries = [
        comparison.of_labelled(rows).reset_index().assign(**dict(zip(keys, place)))
        for place, rows in runs.groupby(keys, dropna=False)
    ]
    table = pd.concat([pd.DataFrame(), *summaries]).replace(np.inf, np.nan)
    return table.rename(columns={"p_value": "p_holm"})


def _at_equal_limits(runs):
    return work.at_common_seconds(work.at_own(runs), ["experiment", "family"])


def _of_ranking(runs):
    """Return the runs at the hardest points and, without a fraction, the runs on given puzzles."""
    random = runs[is_random(runs)]
    points = [
        hardest(_where_some_solve(rows)).tail(1).assign(experiment=name)
        for name, rows in random.groupby("experiment")
    ]
    points = pd.concat([runs.loc[[], ["experiment", *POINT]], *points])
    left_out = runs["experiment"].isin({*papers.experiments()} & {*random["experiment"]})
    given = runs[~is_random(runs) & ~left_out].assign(fixed_fraction=np.nan)
    return pd.concat([random.merge(points, on=["experiment", *POINT]), given])


def _where_some_solve(runs):
    """Return the runs at points where at least one is solved; all runs without such a point."""
    is_solved = runs["status"] == SOLVED
    solvable = runs[is_solved.groupby([runs[key] for key in POINT]).transform("any")]
    return runs if solvable.empty else solvable


def hardest(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the hardest point of each order of random instances: order and fixed_fraction.

    It has the lowest success rate, the mean over the solvers. Ties go to the most steps of solved
    runs (geometric mean, since solvers have different units), then to the fewest fixed cells.
    Seconds do not count, since they differ from run to run.
    """
    solved = runs["status"] == SOLVED
    outcomes = runs[GROUP_KEY].assign(rate=solved, work=np.log1p(runs["steps"]).where(solved))
    points = outcomes.groupby(GROUP_KEY).mean().groupby(POINT).mean().reset_index()
    keys = ["order", "rate", "work", "fixed_fraction"]
    points = points.sort_values(keys, ascending=[True, True, False, True])
    return points.drop_duplicates("order")[POINT].reset_index(drop=True)


def at_hardest(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs at the hardest point of each order, solved runs first, by time.

    An order at which all runs solve has no hardest point, and is left out. n is the number of runs
    of the solver at the point: its k-th solved run is at k / n of the run-time distribution.
    """
    runs = runs.merge(hardest(runs), on=POINT)
    runs = runs.assign(solved=runs["status"] == SOLVED, unsolved=runs["status"] != SOLVED)
    runs = runs[runs.groupby("order")["unsolved"].transform("any")]
    runs["n"] = runs.groupby(GROUP_KEY)["solved"].transform("size")
    return runs.sort_values([*GROUP_KEY, "unsolved", "cpu_s", "instance_id"])

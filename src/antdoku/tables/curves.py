"""What tables about whole curves are made of: all solvers side by side, and distributions.

Runs are those on random instances, times CPU seconds. The columns of summaries are those of
`tables.summary`.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku.families import family_name
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.tables import summary
from antdoku.tables.summary import GROUP_KEY, POINT, beside, columns, sort, typed

POINTS_OF_A_CURVE = 400  # a cactus plot of thousands of instances needs no more
HARD_FROM = 0.1  # share of failures of a variant at the paper's work
HARD_POINTS = 4  # of an order
LEAST_WORK = 1e-3  # what takes less is not told apart
POINTS_PER_DECADE = 20

RUN_TIMES = columns(
    *(*GROUP_KEY, "label", "instance_id", "repetition", "n", "solved", "cpu_s"),
    *("limit_s", "limit_steps"),
) | {"solved": "bool"}
CACTUS = columns("variant", "label", "n", "n_solved", "cpu_s")


class Curves(NamedTuple):
    """Curves of success against work on the random instances of an experiment."""

    edition: str  # whose work is 1
    variants: tuple[str, ...]  # that are drawn
    printed: dict[str, tuple[str, str]]  # columns of the printed rates, as `beside` takes them


def work_columns(of: dict[str, Curves]) -> dict[str, str]:
    """The columns of `work_curves`."""
    return columns(
        *("experiment", *GROUP_KEY, "label", "n", "work_steps", "work_factor"),
        *("work", "solved", "success_rate"),
        *(name for curves in of.values() for name in curves.printed),
    )


def hardest(runs: pd.DataFrame) -> pd.DataFrame:
    """The hardest point of each order of random instances: order and fixed_fraction.

    It is the one with the lowest success rate, the mean over the solvers; among equals that with
    the most steps of solved runs (geometric mean, since solvers count in units of their own), then
    the one with the fewest fixed cells. Seconds have no say: the next run's are others.
    """
    solved = runs["status"] == SOLVED
    found = runs[GROUP_KEY].assign(rate=solved, work=np.log1p(runs["steps"]).where(solved))
    points = found.groupby(GROUP_KEY).mean().groupby(POINT).mean().reset_index()
    keys = ["order", "rate", "work", "fixed_fraction"]
    points = points.sort_values(keys, ascending=[True, True, False, True])
    return points.drop_duplicates("order")[POINT].reset_index(drop=True)


def hardest_family(runs: pd.DataFrame, experiment: str) -> str:
    """Name of the family at the `hardest` point of the highest order up to 5."""
    points = hardest(summary.of_random_instances(runs, experiment))
    small = points[points["order"] <= 5]
    order, fraction = (points if small.empty else small).iloc[-1]
    return family_name(int(order), fraction)


def work_curves(runs: pd.DataFrame, of: dict[str, Curves]) -> pd.DataFrame:
    """Success by work at the hard points of experiments: run-length distributions.

    A row is a point of a curve: of n runs of a variant, `solved` take at most `work` times the
    steps of the paper's program within its limit (work_steps, known within work_factor). A curve is
    thinned out, and its last row is where the first run without a solution ended: what is
    beyond is not known. Points are those for which the paper prints success rates, and at which a
    variant of the paper fails in a tenth of the runs or more at the paper's work; the hardest
    four of each order. Columns are those of `work_columns`.
    """
    frames = [_work_curves(runs, experiment, *curves) for experiment, curves in of.items()]
    keys, found = ["experiment", *GROUP_KEY, "work"], work_columns(of)
    return pd.concat([sort(typed(frame, found), keys) for frame in frames])


def _work_curves(runs, experiment, edition, variants, printed):
    """The rows of one experiment."""
    runs = runs[(runs["experiment"] == experiment) & runs["variant"].isin(variants)]
    table = summary.summarise_at_work(runs, GROUP_KEY, edition).dropna(subset="work_steps")
    table = beside(table, GROUP_KEY, printed)
    table = table.merge(_hard(table, list(printed)), on=POINT)
    groups, frames = runs.groupby(GROUP_KEY), [pd.DataFrame()]
    for *key, work_steps in table[[*GROUP_KEY, "work_steps"]].itertuples(index=False):
        curve = _curve(groups.get_group(tuple(key)), work_steps)
        frames.append(curve.assign(**dict(zip(GROUP_KEY, key))))
    table = table.drop(columns=["solved", "success_rate"]).assign(experiment=experiment)
    of_curves = columns(*GROUP_KEY, "work", "solved", "success_rate")
    return table.merge(typed(pd.concat(frames), of_curves), on=GROUP_KEY)


def _hard(table, rates):
    """Points at which a variant fails often, of those with published numbers in columns `rates`."""
    table = table.assign(is_printed=table[rates].notna().any(axis=1))
    points = table.groupby(POINT, as_index=False).agg(
        is_printed=("is_printed", "any"),
        least=("success_rate", "min"),
        mean=("success_rate", "mean"),
    )
    hard = points[points["is_printed"] & (points["least"] <= 1 - HARD_FROM)]
    return hard.sort_values("mean").groupby("order").head(HARD_POINTS)[POINT]


def _curve(runs, work_steps):
    """Solved runs by work, thinned out, to where the first run was ended."""
    work_of = runs["steps"].to_numpy() / work_steps
    ends = work_of[runs["status"] == TIMEOUT]
    solved = np.sort(work_of[runs["status"] == SOLVED])
    solved = solved[solved <= ends.min(initial=np.inf)]
    places = np.floor(POINTS_PER_DECADE * np.log10(np.maximum(solved, LEAST_WORK)))
    kept = np.flatnonzero(np.diff(places, append=np.inf))
    curve = pd.DataFrame({"work": solved[kept], "solved": kept + 1})
    if len(ends):
        curve.loc[len(curve)] = [ends.min(), len(solved)]
    return curve.assign(success_rate=curve["solved"] / len(runs))


def run_times(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs at the hardest point of each order, solved ones first, by time (`RUN_TIMES`).

    An order at which all runs solve has no hardest point, and is left out: the longest time would
    be that of a blank grid. n is the number of runs of the solver at the point, so that the k-th
    solved run of it is at the share k / n of the run-time distribution.
    """
    runs = runs.merge(hardest(runs), on=POINT)
    runs = runs.assign(solved=runs["status"] == SOLVED, unsolved=runs["status"] != SOLVED)
    runs = runs[runs.groupby("order")["unsolved"].transform("any")]
    runs["n"] = runs.groupby(GROUP_KEY)["solved"].transform("size")
    return sort(runs, [*GROUP_KEY, "unsolved", "cpu_s", "instance_id"])


def cactus(runs: pd.DataFrame) -> pd.DataFrame:
    """How many of all random instances are solved within a time each: cactus plot (`CACTUS`).

    Of the n runs of a solver, n_solved take at most cpu_s. The curves are thinned out, least among
    the slowest runs.
    """
    n = runs.groupby("variant")["status"].size()
    frames = [pd.DataFrame()]
    for name, group in runs[runs["status"] == SOLVED].groupby("variant"):
        curve = group.sort_values("cpu_s")[["variant", "label", "cpu_s"]]
        kept = _thinned(len(curve))
        frames.append(curve.iloc[kept].assign(n=n[name], n_solved=1 + kept))
    return sort(typed(pd.concat(frames), CACTUS), ["variant", "n_solved"])


def _thinned(count):
    """Places from 0 to `count` - 1, all of the last ones and fewer and fewer before."""
    if count <= POINTS_OF_A_CURVE:
        return np.arange(count)
    from_end = np.geomspace(1, count, POINTS_OF_A_CURVE).round().astype(int)
    return np.sort(np.unique(count - from_end))

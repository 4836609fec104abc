"""Parts of tables about whole curves: all solvers side by side, and distributions.

Runs are those on random instances, times CPU seconds. The columns of summaries are those of
`tables.summary`.
"""

import numpy as np
import pandas as pd

from antdoku.instances.family import family_name
from antdoku.outcome import SOLVED
from antdoku.tables import summary
from antdoku.tables.summary import GROUP_KEY, POINT, columns, sort, typed

POINTS_OF_A_CURVE = 400  # a cactus plot of thousands of instances needs no more

RUN_TIMES = columns(
    *(*GROUP_KEY, "label", "instance_id", "repetition", "n", "solved", "cpu_s"),
    *("limit_s", "limit_steps"),
) | {"solved": "bool"}
CACTUS = columns("variant", "label", "n", "n_solved", "cpu_s")


def hardest(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the hardest point of each order of random instances: order and fixed_fraction.

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
    """Return the name of the family at the `hardest` point of the highest order up to 5."""
    points = hardest(summary.of_random_instances(runs, experiment))
    small = points[points["order"] <= 5]
    order, fraction = (points if small.empty else small).iloc[-1]
    return family_name(int(order), fraction)


def run_times(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs at the hardest point of each order, solved ones first, by time (`RUN_TIMES`).

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
    """Return how many random instances are solved within a time each: cactus plot (`CACTUS`).

    Of the n instances of a solver, n_solved take at most cpu_s in its first run on each. The curves
    are thinned out, least among the slowest runs.
    """
    runs = runs[runs["repetition"] == 0]
    n = runs.groupby("variant")["status"].size()
    frames = [pd.DataFrame()]
    for name, group in runs[runs["status"] == SOLVED].groupby("variant"):
        curve = group.sort_values("cpu_s")[["variant", "label", "cpu_s"]]
        kept = _thinned(len(curve))
        frames.append(curve.iloc[kept].assign(n=n[name], n_solved=1 + kept))
    return sort(typed(pd.concat(frames), CACTUS), ["variant", "n_solved"])


def _thinned(count):
    """Return places from 0 to `count` - 1, all of the last ones and fewer and fewer before."""
    if count <= POINTS_OF_A_CURVE:
        return np.arange(count)
    from_end = np.geomspace(1, count, POINTS_OF_A_CURVE).round().astype(int)
    return np.sort(np.unique(count - from_end))

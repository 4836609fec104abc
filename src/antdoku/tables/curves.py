"""The hardest points of random instances."""

import numpy as np
import pandas as pd

from antdoku.instances.family import family_name
from antdoku.outcome import SOLVED
from antdoku.tables import summary
from antdoku.tables.summary import GROUP_KEY, POINT


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

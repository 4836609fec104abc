"""Tables that any configuration has: of all experiments, and of no paper."""

import numpy as np
import pandas as pd

from antdoku.outcome import SOLVED
from antdoku.tables import curves, summary, work
from antdoku.tables.registry import table
from antdoku.tables.summary import GROUP_KEY, POINT, SUMMARY, columns

SUCCESS = columns("experiment", *GROUP_KEY, *SUMMARY)
RANKING = columns(
    *("experiment", *GROUP_KEY, "label", "n", "solved", "success_rate"),
    *("par2_s", "median_steps", "limit_s"),
)


@table("success", SUCCESS)
def success(runs: pd.DataFrame) -> pd.DataFrame:
    """All variants on the random instances, by experiment, order and fixed fraction: success rate
    and CPU times. Runs are shown to their end, which may lie beyond the paper's work.
    ``n_unfinished`` counts runs that seconds ended before their steps were used up.
    """
    return summary.summarise(summary.of_random_instances(runs), ["experiment", *GROUP_KEY])


@table("ranking", RANKING)
def ranking(runs: pd.DataFrame) -> pd.DataFrame:
    """All variants at the hardest point of each experiment: that of its largest size at which
    they solve least, yet one solves something; after the paper's work. The first solves most; of
    equals it has the lower PAR2. A failure has more steps than any other run: the median is missing
    if half of the runs failed.
    """
    runs = work.at_own(summary.of_random_instances(runs))
    points = [
        curves.hardest(_where_some_solve(rows)).tail(1).assign(experiment=name)
        for name, rows in runs.groupby("experiment")
    ]
    places = pd.concat([runs.loc[[], ["experiment", *POINT]], *points])
    steps = runs["steps"].where(runs["status"] == SOLVED, np.inf)
    medians = steps.groupby([runs[key] for key in ("experiment", *GROUP_KEY)]).median()
    medians = medians.replace(np.inf, np.nan).rename("median_steps").reset_index()
    table = success(runs).merge(places, on=["experiment", *POINT])
    table = table.merge(medians, on=["experiment", *GROUP_KEY])
    keys = ["experiment", "success_rate", "par2_s"]
    return table.sort_values(keys, ascending=[True, False, True], kind="stable")


def _where_some_solve(runs):
    """Return the runs at the points where one at least is solved; all if there is no such point."""
    is_solved = runs["status"] == SOLVED
    found = runs[is_solved.groupby([runs[key] for key in POINT]).transform("any")]
    return runs if found.empty else found

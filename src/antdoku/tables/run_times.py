"""Runs at the hardest points by time, for run-time distributions."""

import pandas as pd

from antdoku.columns import Column, columns
from antdoku.outcome import SOLVED
from antdoku.tables.generic import hardest
from antdoku.tables.summary import GROUP_KEY, POINT

RUN_TIMES = columns(*GROUP_KEY, "label", "instance_id", "repetition", "n")
RUN_TIMES |= {"solved": Column("bool", "solved")} | columns("cpu_s", "limit_s", "limit_steps")


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

"""Success at a given work: runs that steps limited, as they would have ended after fewer steps.

Work is the same on every machine; how many steps the papers' programs did within the papers' limits
is `published.work`. Runs that only seconds limited stay as they are.
"""

import numpy as np
import pandas as pd

from antdoku import published
from antdoku.outcome import SOLVED, TIMEOUT


def papers_steps(runs: pd.DataFrame, paper: str, factor: float = 1.0) -> pd.Series:
    """Steps of a paper's program within the paper's limit, times `factor`, for each run.

    Returns
    -------
    Series of float64
        NaN where the paper's work is not known, and for runs that seconds limit.
    """
    keys = ["solver", "order"]
    known = runs[keys].drop_duplicates()
    steps = {
        (solver, order): factor * work.steps
        for solver, order in known.itertuples(index=False)
        if (work := published.work(paper, solver, order))
    }
    index = pd.MultiIndex.from_frame(runs[keys])
    found = pd.Series(steps, dtype=float).reindex(index).to_numpy() if steps else np.nan
    return pd.Series(found, runs.index, dtype=float).where(runs["limit_steps"] > 0)


def at(runs: pd.DataFrame, paper: str, factor: float = 1.0) -> pd.DataFrame:
    """Runs as they would have ended after the paper's work, times `factor`.

    A run that took more steps is a timeout after so many, with that share of its time; one that had
    fewer to take stays as it is. Runs without a known work stay, too.

    Parameters
    ----------
    runs : DataFrame
        At least solver, order, limit_steps, status, steps, cpu_s.
    """
    steps = papers_steps(runs, paper, factor)
    longer = runs["steps"] > steps
    share = (steps / runs["steps"].clip(lower=1)).where(longer, 1.0)
    return runs.assign(
        status=np.where(longer, TIMEOUT, runs["status"]),
        steps=runs["steps"].where(~longer, steps.fillna(0)).astype("int64"),
        cpu_s=runs["cpu_s"] * share,
        limit_steps=np.fmin(steps, runs["limit_steps"]).fillna(runs["limit_steps"]).astype("int64"),
    )


def is_unfinished(runs: pd.DataFrame) -> pd.Series:
    """Whether the guard of CPU seconds ended a run before its steps were used up.

    After `at`: before those that are asked about.
    """
    ended = (runs["status"] == TIMEOUT) & (runs["steps"] < runs["limit_steps"])
    return ended & (runs["limit_steps"] > 0)


def is_decided(runs: pd.DataFrame, paper: str, factor: float) -> pd.Series:
    """Whether it is known how a run ends after the paper's work, times `factor`.

    It is not for one that had fewer steps, and did not solve within them.
    """
    steps = papers_steps(runs, paper, factor)
    return (runs["status"] == SOLVED) | ~(runs["steps"] < steps)

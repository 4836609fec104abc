"""Success at a given work: runs that steps limited, as they would have ended after fewer steps.

Work is the same on every machine; how many steps the papers' programs did within the papers' limits
is `published.work`. Runs that only seconds limited stay as they are. `factor`, a number or one for
each run, is a multiple of the paper's work.
"""

import numpy as np
import pandas as pd

from antdoku import published
from antdoku.outcome import SOLVED, TIMEOUT


def papers_steps(runs: pd.DataFrame, paper: str, factor=1.0) -> pd.Series:
    """Steps of a paper's program within the paper's limit, times `factor`, for each run.

    Whole numbers as float64; NaN where the paper's work is not known, and for runs that seconds
    limit.
    """
    steps = of_work(runs, paper, "steps").where(runs["limit_steps"] > 0)
    return (steps * factor).round()


def papers_factor(runs: pd.DataFrame, paper: str) -> pd.Series:
    """How uncertain the paper's work is, for each run; NaN where `papers_steps` is."""
    return of_work(runs, paper, "factor").where(runs["limit_steps"] > 0)


def of_work(runs: pd.DataFrame, paper: str | None, name: str) -> pd.Series:
    """A number of `published.Work` for each run, by its name; NaN where it is not known."""
    found = np.full(len(runs), np.nan)
    points = runs.groupby(["solver", "order", "fixed_fraction"], dropna=False)
    for point, places in points.indices.items():
        work = published.work(paper, *point)
        if work is not None:
            found[places] = getattr(work, name)
    return pd.Series(found, runs.index)


def at(runs: pd.DataFrame, paper: str, factor=1.0) -> pd.DataFrame:
    """Runs as they would have ended after the paper's work, times `factor`.

    A run that took more steps is a timeout after so many, with that share of its time; one that had
    fewer to take stays as it is. Runs without a known work stay, too. `runs` has at least solver,
    order, fixed_fraction, limit_steps, status, steps and cpu_s.
    """
    steps = papers_steps(runs, paper, factor)
    longer = runs["steps"] > steps
    limits = np.fmin(steps, runs["limit_steps"]).astype("int64")
    share = limits / runs["steps"].clip(lower=1)
    return runs.assign(
        status=runs["status"].mask(longer, TIMEOUT),
        steps=runs["steps"].mask(longer, limits),
        cpu_s=runs["cpu_s"].mask(longer, runs["cpu_s"] * share),
        limit_steps=limits,
    )


def is_unfinished(runs: pd.DataFrame) -> pd.Series:
    """Whether the guard of CPU seconds ended a run before its steps were used up."""
    return (runs["status"] == TIMEOUT) & (runs["steps"] < runs["limit_steps"])


def is_decided(runs: pd.DataFrame, paper: str, factor=1.0) -> pd.Series:
    """Whether it is known how a run ends after the paper's work, times `factor`.

    It is not for one that a limit ended after fewer steps.
    """
    steps = papers_steps(runs, paper, factor)
    return (runs["status"] != TIMEOUT) | ~(runs["steps"] < steps)


def solved_at(runs: pd.DataFrame, paper: str, factor=1.0) -> pd.Series:
    """1.0 for a run that solves within the paper's work, times `factor`, 0.0 for one that does not.

    NaN where that is not known.
    """
    steps = papers_steps(runs, paper, factor)
    solved = (runs["status"] == SOLVED) & (runs["steps"] <= steps)
    return solved.astype(float).where(steps.notna() & is_decided(runs, paper, factor))

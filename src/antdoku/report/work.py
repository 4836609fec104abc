"""Work on the page: the stops of its slider, and how many runs of a cell are solved at each.

Work is counted in that of the papers: 1 is what their programs did within their limits. Runs of
which that is not known, or that only seconds limit, are as they are at any work.
"""

import numpy as np
import pandas as pd

from antdoku import papers, published
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.tables.work import papers_steps

LEAST = 1 / 64
STOPS = 2  # for each doubling


def with_papers_steps(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs with a column papers_steps: NaN for those that are the same at any work."""
    steps = pd.Series(np.nan, runs.index)
    for experiment in papers.experiments():
        chosen = runs[runs["experiment"] == experiment]
        steps[chosen.index] = papers_steps(chosen, published.work_of(experiment))
    return runs.assign(papers_steps=steps)


def reach(runs: pd.DataFrame) -> pd.Series:
    """How much work each run could do, of those with papers_steps."""
    return (runs["limit_steps"] / runs["papers_steps"]).dropna()


def stops(runs: pd.DataFrame) -> np.ndarray:
    """Work from `LEAST` to the greatest reach of the runs, 1 among them, evenly in logarithms."""
    most = max(1.0, reach(runs).max()) if len(reach(runs)) else 1.0
    first, last = (STOPS * np.log2(end) for end in (LEAST, most))
    return 2.0 ** (np.arange(round(first), int(last + 1e-9) + 1) / STOPS)


def label(work: float) -> str:
    """A stop in short: 1/64, 1/2.8, 1, 1.4, 16."""
    times = max(work, 1 / work)
    number = f"{times:.0f}" if times >= 10 else f"{times:.2g}"
    return number if work >= 1 else f"1/{number}"


def at_stops(runs: pd.DataFrame, stops: np.ndarray) -> dict:
    """How runs of one cell would have ended after less work.

    That is how many are solved at each stop that all of them could reach, None if they are the same
    at any; and how many were ended by their guard before, empty if none was.
    """
    if runs["papers_steps"].isna().any():
        return {"solved_at": None, "open_at": []}
    marks = np.outer(stops, runs["papers_steps"])
    marks = marks[(marks <= runs["limit_steps"].to_numpy()).all(axis=1)]
    status, steps = runs["status"].to_numpy(), runs["steps"].to_numpy()
    solved_at = ((status == SOLVED) & (steps <= marks)).sum(axis=1)
    open_at = ((status == TIMEOUT) & (steps < marks)).sum(axis=1)
    return {
        "solved_at": solved_at.tolist(),
        "open_at": open_at.tolist() if open_at.any() else [],
    }

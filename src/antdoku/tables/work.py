"""Success at a given work: runs as they would have ended after fewer steps.

Work is the same on every machine. `published.work` has the number of steps that the papers'
programs did within the papers' limits. Runs that only seconds limited stay as they are. `factor` is
a multiple of the paper's work: a number, or a number for each run. Runs have at least the columns
solver, order, fixed_fraction, limit_steps, status, steps and cpu_s.
"""

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published


def at_points(runs: pd.DataFrame, paper: str | None, name: str) -> pd.Series:
    """Return an attribute of `papers.rows.Work` at the point of each run, by its name.

    NaN where the paper's work is not known.
    """
    values = np.full(len(runs), np.nan, object)
    points = runs.groupby(["solver", "order", "fixed_fraction"], dropna=False)
    for point, rows in points.indices.items():
        work = published.work(paper, *point)
        if work is not None:
            values[rows] = getattr(work, name)
    return pd.Series(values, runs.index).infer_objects()


def of_paper(runs: pd.DataFrame, paper: str | None, name: str) -> pd.Series:
    """Return an attribute as `at_points` does, but NaN for runs that seconds limit."""
    return at_points(runs, paper, name).where(runs["limit_steps"] > 0)


def papers_limits(runs: pd.DataFrame, random: bool) -> pd.DataFrame:
    """Return the steps, else the seconds (`limit_s`), at which a paper's experiment ends each run.

    An overlay may end it elsewhere. NaN: no such limit, or an experiment of no paper. `random` says
    whether the runs are on random instances.
    """
    limits = np.full((len(runs), 2), np.nan)
    keys = ["experiment", "variant", "order", "family"]
    for (experiment, variant, order, family), rows in runs.groupby(keys).indices.items():
        if block := papers.blocks().get(experiment):
            steps = papers.limit_steps(block, variant)
            seconds = papers.limit_s(block, variant, order, None if random else family)
            limits[rows] = (steps, np.nan) if steps else (np.nan, seconds or np.nan)
    return pd.DataFrame(limits, runs.index, ["steps", "limit_s"])


def papers_steps(runs: pd.DataFrame, paper: str, factor=1.0) -> pd.Series:
    """Return the steps of a paper's program within its limit, times `factor`, for each run.

    Whole numbers as float64; NaN as in `of_paper`.
    """
    return (of_paper(runs, paper, "steps").astype(float) * factor).round()


def at(runs: pd.DataFrame, paper: str, factor=1.0) -> pd.DataFrame:
    """Return runs as they would have ended after the paper's work, times `factor`.

    A run with more steps becomes a timeout after that work, with the same share of its time. A run
    with fewer steps, or without a known work, stays as it is.
    """
    return after(runs, papers_steps(runs, paper, factor))


def after(runs: pd.DataFrame, steps: pd.Series | float) -> pd.DataFrame:
    """Return runs as they would have ended after `steps`, of all or of each; NaN: as it is."""
    longer = runs["steps"] > steps
    limits = np.fmin(steps, runs["limit_steps"].where(runs["limit_steps"] > 0))
    limits = limits.fillna(runs["limit_steps"]).astype("int64")
    share = limits / runs["steps"].clip(lower=1)
    return runs.assign(
        status=runs["status"].mask(longer, TIMEOUT),
        steps=runs["steps"].mask(longer, limits),
        cpu_s=runs["cpu_s"].mask(longer, runs["cpu_s"] * share),
        limit_steps=limits,
    )


def at_common_seconds(runs: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return runs as they would have ended at the smallest limit in seconds of their group.

    A group of `keys` is compared with one limit. A longer run becomes a timeout, with the same
    share of its steps. Runs that steps limit stay: their seconds are only a guard.
    """
    by_seconds = runs["limit_steps"] < 0
    limits = runs["limit_s"].where(by_seconds)
    limits = limits.groupby([runs[key] for key in keys], dropna=False).transform("min")
    longer = by_seconds & (runs["cpu_s"] > limits)
    steps = (runs["steps"] * limits / runs["cpu_s"]).where(longer, runs["steps"])
    return runs.assign(
        status=runs["status"].mask(longer, TIMEOUT),
        steps=steps.round().astype("int64"),
        cpu_s=runs["cpu_s"].mask(longer, limits),
        limit_s=runs["limit_s"].mask(by_seconds, limits),
    )


def edition_of(experiment: str, variant: str) -> str | None:
    """Return the edition whose work a variant is read at; None in an experiment of no paper.

    It is the edition of the variant or, for a mutant, of the system that it replaces; by default
    the edition of the experiment. So variants of no paper end where the systems beside them do.
    """
    edition = published.work_of(experiment)
    mutant = papers.mutations().get(variant)
    look = papers.variants().get(mutant.system if mutant else variant)
    return look.edition if edition and look and look.edition else edition


def at_own(runs: pd.DataFrame) -> pd.DataFrame:
    """Return runs `at` the work of the paper's system that their variant stands for (work_steps).

    `edition_of` has the work. The column `reach`, if runs have it, becomes the limit in multiples
    of that work.
    """
    runs = runs.reset_index(drop=True)
    parts = [runs.iloc[:0]]
    for (experiment, variant), rows in runs.groupby(["experiment", "variant"], observed=True):
        edition = edition_of(experiment, variant)
        ended = at(rows, edition)
        ended["work_steps"] = papers_steps(ended, edition)
        if "reach" in rows:
            share = ended["limit_steps"] / ended["work_steps"]
            ended = ended.assign(reach=share.where(rows["reach"].notna()))
        parts.append(ended)
    return pd.concat(parts).sort_index()


def at_common_steps(runs: pd.DataFrame) -> pd.DataFrame:
    """Return runs of several experiments with one limit in steps at each place of a variant.

    It is the smallest limit there that reaches the paper's work. Runs that end before are left out.
    If no run reaches the work, it is the largest limit.
    """
    places = [runs[key] for key in ("experiment", "family", "variant")]
    reach = at_own(runs)["limit_steps"]
    runs = runs[reach == reach.groupby(places, observed=True).transform("max")]
    limits = runs["limit_steps"].where(runs["limit_steps"] > 0)
    return after(runs, limits.groupby(places, observed=True).transform("min"))


def is_unfinished(runs: pd.DataFrame) -> pd.Series:
    """Whether the guard of CPU seconds ended a run before its steps were used up, for each run."""
    return (runs["status"] == TIMEOUT) & (runs["steps"] < runs["limit_steps"])


def is_decided(runs: pd.DataFrame, paper: str, factor=1.0) -> pd.Series:
    """Whether the end of a run after the paper's work, times `factor`, is known, for each run.

    It is unknown if a limit ended the run after fewer steps.
    """
    return (runs["status"] != TIMEOUT) | ~(runs["steps"] < papers_steps(runs, paper, factor))


def solved_at(runs: pd.DataFrame, paper: str, factor=1.0) -> pd.Series:
    """Return 1.0 for a run that solves within the paper's work, times `factor`, else 0.0.

    NaN if the end of the run at that work is unknown.
    """
    steps = papers_steps(runs, paper, factor)
    solved = (runs["status"] == SOLVED) & (runs["steps"] <= steps)
    return solved.astype(float).where(steps.notna() & is_decided(runs, paper, factor))

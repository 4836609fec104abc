"""How much of the papers' experiments was run: instances, fixed fractions, runs, and limits.

Where it is less, verdicts say little about the papers, and readers are told by how much.
"""

import pandas as pd

from antdoku import papers, published
from antdoku.claims import ledger
from antdoku.tables import work
from antdoku.tables.summary import of_given_puzzles, of_random_instances

LEAD = "This is a reduced scale, which decides little about the papers."


def reduced(runs: pd.DataFrame) -> list[str]:
    """How much less than the papers' the runs are: `LEAD`, then a sentence on each experiment.

    It is empty if they are not.

    Parameters
    ----------
    runs : DataFrame
        At least solver, limit_s and the columns that claims choose runs by (`ledger.SELECTION`).
    """
    there = runs["experiment"].unique()
    known = [paper for paper in papers.every() if paper.scale and paper.own in there]
    found = {paper.title: ", ".join(_less(runs, paper)) for paper in known}
    parts = [f"{title}: {less}." for title, less in found.items() if less]
    return [LEAD, *parts] if parts else []


def _less(runs, paper):
    """What is less than in the paper."""
    scale, experiment = paper.scale, paper.own
    random = of_random_instances(runs, experiment)
    given = of_given_puzzles(runs, experiment)
    given = given[given["instance_id"].isin(paper.puzzles)]
    counts = [
        (random.groupby("family")["instance_id"].nunique(), scale.instances, "instances a point"),
        (random.groupby("order")["fixed_fraction"].nunique(), scale.fractions, "fixed fractions"),
        (given.groupby(["variant", "instance_id"]).size(), scale.runs, "runs on a puzzle"),
    ]
    for found, theirs, what in counts:
        if len(found) and found.min() < theirs:
            yield f"{found.min()} of {theirs} {what}"
    runs = runs[runs["experiment"] == experiment]
    steps, seconds = _papers_limits(runs, experiment)
    by_steps = runs["limit_steps"] > 0
    limits = [(runs["limit_steps"] / steps)[by_steps], (runs["limit_s"] / seconds)[~by_steps]]
    for shares, what in zip(limits, ("work", "seconds")):
        if shares.min() < 1:
            yield f"some runs end after {shares.min():.2g} of the papers’ {what}"


def _papers_limits(runs, experiment):
    """Steps and seconds of the papers' limits for each run, NaN where they are not known."""
    edition = published.work_of(experiment)
    steps, seconds = (work.of_work(runs, edition, name) for name in ("steps", "limit_s"))
    by_claims = {
        claim.variants: claim.steps
        for claim in ledger.load()
        if claim.steps and claim.runs["experiment"] == experiment
    }
    for variants, number in by_claims.items():
        steps[runs["variant"].isin(variants)] = number
    return steps, seconds

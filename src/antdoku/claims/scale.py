"""How much of the papers' experiments was run: instances, fixed fractions, runs, and limits.

Where it is less, verdicts say little about the papers, and readers are told by how much.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from antdoku import published
from antdoku.claims import ledger
from antdoku.tables import work
from antdoku.tables.summary import of_given_puzzles, of_random_instances


class Scale(NamedTuple):
    """How much a paper did.

    Parameters
    ----------
    title : str
        Of the experiment.
    instances, fractions : int
        Random instances at a point (order and fixed fraction), and fixed fractions at an order; 0
        where the paper has none.
    runs : int
        Runs of a system on each of `puzzles`.
    puzzles : tuple of str
        The paper's own.
    """

    title: str
    instances: int = 0
    fractions: int = 0
    runs: int = 0
    puzzles: tuple[str, ...] = ()


PAPERS = {
    "lloyd_amos": Scale("Lloyd & Amos 2018", 100, 20, 100, tuple(published.named_puzzles())),
    "lewis": Scale("Lewis 2007", 20, 21),
    "soto": Scale("Soto et al. 2013 and 2014", runs=30, puzzles=tuple(published.SOTO_PUZZLES)),
}


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
    found = {name: list(_reductions(runs, name)) for name in PAPERS if name in there}
    parts = [f"{PAPERS[name].title}: {', '.join(less)}." for name, less in found.items() if less]
    return [LEAD, *parts] if parts else []


def _reductions(runs, experiment):
    """What is less than in the paper of an experiment."""
    paper = PAPERS[experiment]
    random = of_random_instances(runs, experiment)
    given = of_given_puzzles(runs, experiment)
    given = given[given["instance_id"].isin(paper.puzzles)]
    counts = [
        (random.groupby("family")["instance_id"].nunique(), paper.instances, "instances a point"),
        (random.groupby("order")["fixed_fraction"].nunique(), paper.fractions, "fixed fractions"),
        (given.groupby(["variant", "instance_id"]).size(), paper.runs, "runs on a puzzle"),
    ]
    for found, papers, what in counts:
        if len(found) and found.min() < papers:
            yield f"{found.min()} of {papers} {what}"
    yield from _limits(runs[runs["experiment"] == experiment], experiment)


def _limits(runs, experiment) -> Iterator[str]:
    """The least shares of the papers' limits: work for runs that steps limit, or seconds."""
    steps, seconds = _papers_limits(runs, experiment)
    by_steps = runs["limit_steps"] > 0
    least = (runs["limit_steps"] / steps)[by_steps].min()
    if least < 1:
        yield f"some runs end after {least:.2g} of the papers’ work"
    least = (runs["limit_s"] / seconds)[~by_steps].min()
    if least < 1:
        yield f"some runs end after {least:.2g} of the papers’ seconds"


def _papers_limits(runs, experiment):
    """Steps and seconds of the papers' limits for each run, NaN where they are not known."""
    paper = published.WORK_OF.get(experiment)
    steps, seconds = (work.of_work(runs, paper, name) for name in ("steps", "limit_s"))
    by_claims = {
        claim.variants: claim.steps
        for claim in ledger.load()
        if claim.steps and claim.runs["experiment"] == experiment
    }
    for variants, number in by_claims.items():
        steps[runs["variant"].isin(variants)] = number
    return steps, seconds

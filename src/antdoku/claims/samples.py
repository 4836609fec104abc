"""Runs -> samples: for each claim the runs that it is about, after the work of its paper."""

from functools import cache
from itertools import product

import pandas as pd

from antdoku.claims.evidence import INSTANCE, INSTANCES, Sample
from antdoku.claims.ledger import Claim
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.tables import Rows, work
from antdoku.tables.summary import with_equal_fractions

GIVEN = ("family", "instance_id")  # without either, a claim is about random instances
FEWEST = 5  # runs, or random instances, of a variant: with fewer a verdict hangs on a single one
ARCHIVE = "archive"  # source of instances that the authors have published
TESTED = [  # columns of the runs that tests look at
    *("experiment", "family", "instance_id", "variant", "solver", "order", "fixed_fraction"),
    *("repetition", "status", "cpu_s", "spread_s", "steps", "limit_s", "limit_steps"),
    *("trivial", "fixed_after_cp", "given_fraction", "mean_value_set_size", "source"),
]


class Samples:
    """Runs of all experiments, from which each claim takes its sample.

    Parameters
    ----------
    runs : DataFrame
        At least the columns `TESTED`; `given_fraction` and `source` may be missing.
    """

    def __init__(self, runs: pd.DataFrame):
        known = {"given_fraction": runs["fixed_fraction"], "source": ""}
        self._runs = runs.assign(**{name: known[name] for name in known if name not in runs})
        self._ended_after = cache(self._ended_after)  # of an experiment, for all its claims
        self._samples: dict[tuple, Sample] = {}

    def sample(self, claim: Claim, factor: float = 1.0) -> Sample:
        """Return the runs that a claim is about, as they would have ended after its paper's work.

        That is the work times `factor`. Without family and instance_id they are runs on the random
        instances of the experiment.
        """
        # What is claimed of instances alone does not depend on how runs ended.
        least = None if claim.subject == INSTANCES else claim.steps
        edition = published.work_of(claim.runs.get("experiment"), claim.paper)
        key = repr(claim.runs), edition, factor, least, claim.seconds
        if key not in self._samples:
            runs = self._runs.iloc[:0]
            if claim.runs:
                rows = Rows(claim.runs["experiment"], random=not {*GIVEN} & {*claim.where})
                runs = self._ended_after(rows, edition, factor)
            self._samples[key] = _sample(runs, claim, least)
        return self._samples[key]

    def _ended_after(self, rows, edition, factor):
        """Return some rows of the runs after an edition's work, times a factor."""
        runs = with_equal_fractions(self._runs.loc[rows.select(self._runs), TESTED])
        ended = work.at(runs, edition, factor)
        return ended.assign(
            is_unfinished=work.is_unfinished(ended) | ~work.is_decided(runs, edition, factor),
            has_work=work.papers_steps(runs, edition).notna(),
        )


def _sample(runs, claim, least):
    """Return the sample of a claim among runs, of which a failure has to do `least` steps."""
    where = claim.where
    for column, values in where.items():
        runs = runs[runs[column].isin(values)]
    wanted = set(product(*where.values())) if where else set()
    found = set(runs[[*where]].drop_duplicates().itertuples(index=False, name=None))
    runs = _after(runs, claim.seconds) if claim.seconds and len(runs) else runs
    runs = runs.assign(solved=runs["status"] == SOLVED)
    sample = Sample(runs, claim.variants, "instance_id" in where, n_missing=len(wanted - found))
    if runs.empty:
        return sample
    unfinished = runs["is_unfinished"]
    if least is not None:
        unfinished |= (runs["status"] == TIMEOUT) & (runs["steps"] < least)
    sample = sample._replace(
        from_archive=bool((runs["source"] == ARCHIVE).all()),
        n_unfinished=0 if least is None else int(unfinished.sum()),
        has_work=bool(runs["has_work"].all()),
    )
    return sample._replace(is_small=_is_small(sample))


def _after(runs, seconds):
    """Return runs as they would have ended after so many seconds; with fewer, unfinished."""
    had_fewer = (runs["status"] == TIMEOUT) & (runs["limit_s"] < seconds)
    return runs.assign(
        status=runs["status"].mask(runs["cpu_s"] > seconds, TIMEOUT),
        cpu_s=runs["cpu_s"].clip(upper=seconds),
        limit_s=runs["limit_s"].clip(upper=seconds),
        is_unfinished=runs["is_unfinished"] | had_fewer,
    )


def _is_small(sample):
    """Return whether a variant has too few runs, or random instances, for any verdict."""
    key = INSTANCE + ["repetition"] * sample.is_papers
    trials = sample.runs.drop_duplicates([*["variant"] * bool(sample.variants), *key])
    counts = trials["variant"].value_counts() if sample.variants else pd.Series(len(trials))
    return bool(counts.min() < FEWEST)

"""Runs -> samples: for each claim its runs, as they end after the work of its paper."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

from antdoku.claims.ledger import Claim
from antdoku.claims.sample import ARCHIVE, INSTANCE, Sample, repeated_runs
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.tables import Rows, work
from antdoku.tables.summary import with_equal_fractions

FEWEST = 5  # runs, or random instances, of a variant: with fewer a verdict hangs on a single one
TESTED = [  # columns of the runs that tests look at
    *("experiment", "family", "instance_id", "variant", "solver", "kind", "order"),
    *("fixed_fraction", "repetition", "status", "cpu_s", "spread_s", "steps", "limit_s"),
    *("limit_steps", "trivial", "fixed_after_cp", "given_fraction", "mean_value_set_size"),
    *("family_kind", "source", "batch"),
]


class Samples:
    """Runs of all experiments, from which each claim takes its sample.

    Parameters
    ----------
    runs : DataFrame
        At least the columns `TESTED`; `given_fraction`, `source` and `batch`, a name of the runs
        that have one configuration, may be missing.
    """

    def __init__(self, runs: pd.DataFrame):
        defaults = {"given_fraction": runs["fixed_fraction"], "source": "", "batch": ""}
        missing = {name: values for name, values in defaults.items() if name not in runs}
        self._runs = runs.assign(**missing)
        self._ended: dict[tuple, pd.DataFrame] = {}
        self._samples: dict[tuple, Sample] = {}
        self._repeated: dict[tuple, tuple[np.ndarray, ...]] = {}

    def sample(self, claim: Claim, multiple: float = 1.0, end: tuple = ()) -> Sample:
        """Return the runs that a claim is about, as they would have ended after its paper's work.

        Without family and instance_id they are runs on random instances of the experiment.

        Parameters
        ----------
        claim : Claim
        multiple : float
            Of the paper's work, as another reading states it.
        end : tuple
            A program, and -1 or 1 for the lower or upper end of the range of its work
            (`published.Work.factor`).
        """
        # A claim about instances does not depend on how runs end.
        fewest_steps = None if claim.is_of_instances else claim.steps
        edition = published.work_of(claim.runs.get("experiment"), claim.paper)
        key = repr(claim.runs), edition, multiple, end, fewest_steps, claim.seconds
        if key not in self._samples:
            runs, neighbours = self._runs.iloc[:0], ()
            if claim.runs:
                rows = Rows(claim.runs["experiment"], random=not {*INSTANCE} & {*claim.where})
                ended = rows, edition, multiple, end
                runs = self._ended_after(*ended)
                neighbours = self._neighbours(ended, claim.variants)
            sample = _sample(runs, claim, fewest_steps)
            sample = _of_whole_batches(sample, claim, fewest_steps)
            self._samples[key] = sample._replace(neighbours=neighbours)
        return self._samples[key]

    def over_range(self, claim: Claim) -> Iterator[Sample]:
        """Yield the samples of a claim at the ends of the range of work, one program at a time.

        An end that no batch of runs reaches has two samples, its bounds: as if all open runs
        failed, and as if all were solved.
        """
        sample = self.sample(claim)
        if claim.is_of_instances or not sample.has_work:
            return
        for program, sign in product(sample.runs["program"].unique(), (-1, 1)):
            at_end = self.sample(claim, end=(program, sign))
            multiples = at_end.runs.loc[at_end.runs["program"] == program, "work_multiple"]
            low, high = f"{multiples.min():.2g}", f"{multiples.max():.2g}"
            text = low if low == high else f"{low} to {high}"
            for part in _bounds(at_end) if at_end.n_unfinished else [at_end]:
                yield part._replace(at_work=f"{program} at {text} times its work{part.at_work}")

    def _ended_after(self, rows, edition, multiple, end):
        """Return runs after a multiple of an edition's work, or at an end of its range."""
        key = rows, edition, multiple, end
        if key not in self._ended:
            runs = with_equal_fractions(self._runs.loc[rows.select(self._runs), TESTED])
            programs = work.of_paper(runs, edition, "program")
            multiples = pd.Series(float(multiple), runs.index)
            if end:
                program, sign = end
                factors = work.of_paper(runs, edition, "factor") ** sign
                multiples *= factors.where(programs == program, 1.0)
            ended = work.at(runs, edition, multiples)
            is_decided = work.is_decided(runs, edition, multiples)
            self._ended[key] = ended.assign(
                is_unfinished=work.is_unfinished(ended) | ~is_decided,
                has_work=work.papers_steps(runs, edition).notna(),
                work_multiple=multiples,
                program=programs,
            )
        return self._ended[key]

    def _neighbours(self, ended, variants):
        """Return the repeated runs of variants in each family of random instances."""
        key = ended, variants
        if key not in self._repeated:
            runs = self._ended_after(*ended)
            runs = runs[runs["variant"].isin(variants)]
            runs = runs.assign(solved=runs["status"] == SOLVED)
            families = runs.groupby(["variant", "family"])
            repeated = [repeated_runs(family) for _, family in families]
            self._repeated[key] = tuple(trials for trials in repeated if trials is not None)
        return self._repeated[key]


def _of_whole_batches(sample, claim, fewest_steps):
    """Return the sample without batches in which some runs end too early.

    To leave out single runs would favour solved runs. If too little would be left, the sample
    stays as it is.
    """
    if not sample.n_unfinished:
        return sample
    runs = sample.runs
    is_late = ~runs["is_early"].groupby(runs["batch"]).transform("any")
    whole = _sample(runs[is_late], claim, fewest_steps)
    return whole if whole.is_complete else sample


def _bounds(at_end):
    """Yield a sample as if all runs that end too early failed, and as if all were solved."""
    for text, solved in (("open runs unsolved", False), ("open runs solved", True)):
        runs = at_end.runs
        runs = runs.assign(solved=runs["solved"].mask(runs["is_early"], solved))
        yield at_end._replace(runs=runs, is_bound=True, at_work=f", {text}")


def _sample(runs, claim, fewest_steps):
    """Return the sample of a claim among runs, whose failures need `fewest_steps` (if not None)."""
    where = claim.where
    for column, values in where.items():
        runs = runs[runs[column].isin(values)]
    expected = set(product(*where.values())) if where else set()
    present = set(runs[[*where]].drop_duplicates().itertuples(index=False, name=None))
    runs = _after(runs, claim.seconds) if claim.seconds and len(runs) else runs
    runs = runs.assign(solved=runs["status"] == SOLVED)
    n_missing = len(expected - present)
    sample = Sample(runs, claim.variants, "instance_id" in where, n_missing=n_missing)
    if runs.empty:
        return sample
    is_early = (runs["status"] == TIMEOUT) & (runs["steps"] < (fewest_steps or 0))
    is_early = (is_early | runs["is_unfinished"]) & (fewest_steps is not None)
    sample = sample._replace(
        runs=runs.assign(is_early=is_early),
        from_archive=bool((runs["source"] == ARCHIVE).all()),
        n_unfinished=int(is_early.sum()),
        has_work=bool(runs["has_work"].all()),
    )
    key = INSTANCE + ["repetition"] * sample.is_papers + ["variant"] * bool(sample.variants)
    trials = runs.drop_duplicates(key)
    counts = trials["variant"].value_counts() if sample.variants else pd.Series(len(trials))
    return sample._replace(is_small=bool(counts.min() < FEWEST))


def _after(runs, seconds):
    """Return runs as they would have ended after so many seconds.

    An unsolved run with a smaller limit is unfinished.
    """
    had_fewer = (runs["status"] == TIMEOUT) & (runs["limit_s"] < seconds)
    return runs.assign(
        status=runs["status"].mask(runs["cpu_s"] > seconds, TIMEOUT),
        cpu_s=runs["cpu_s"].clip(upper=seconds),
        limit_s=runs["limit_s"].clip(upper=seconds),
        is_unfinished=runs["is_unfinished"] | had_fewer,
    )

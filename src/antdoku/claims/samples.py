"""Runs -> samples: for each claim the runs that it is about, after the work of its paper."""

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from antdoku import statistics
from antdoku.claims import INSTANCES
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.statistics import Rate
from antdoku.tables import Rows, work
from antdoku.tables.summary import with_equal_fractions

if TYPE_CHECKING:
    from antdoku.claims.ledger import Claim

INSTANCE = ["family", "instance_id"]  # of a run; a claim without either is about random ones
UNSOLVED = "nothing solved"  # in place of a measurement
FEWEST = 5  # runs, or random instances, of a variant: with fewer a verdict hangs on a single one
ARCHIVE = "archive"  # source of instances that the authors have published
TESTED = [  # columns of the runs that tests look at
    *("experiment", "family", "instance_id", "variant", "solver", "kind", "order"),
    *("fixed_fraction", "repetition", "status", "cpu_s", "spread_s", "steps", "limit_s"),
    *("limit_steps", "trivial", "fixed_after_cp", "given_fraction", "mean_value_set_size"),
    "source",
]


class Sample(NamedTuple):
    """The runs on which a claim is tested, with what is known of them."""

    runs: pd.DataFrame  # those that the claim is about (`columns.COLUMNS`), with a column `solved`
    variants: tuple[str, ...] = ()  # in the order of the claim; none if it is about instances only
    same_puzzles: bool = False  # whether it is about given puzzles, the paper's own, each a place
    from_archive: bool = False  # whether the paper's authors have published its random instances
    n_missing: int = 0  # combinations of variant, order, ... that it names and that have no run
    n_unfinished: int = 0  # runs that a limit ended, unsolved, before the work that it is about
    has_work: bool = False  # whether the work of the paper's program is known for each run
    is_small: bool = False  # too few runs, or random instances, of a variant for any verdict
    speed: str = ""  # at which its steps became seconds, as the end of a sentence

    @property
    def is_complete(self) -> bool:
        """Whether the runs are all that a verdict takes."""
        return not (self.n_missing or self.n_unfinished or self.is_small)

    @property
    def is_papers(self) -> bool:
        """Whether the instances are the paper's own.

        Then each run is a trial; else the instances are a sample of their kind, and each is a
        trial, with the mean of its runs: more runs on it say nothing about the others (Birattari,
        2004).
        """
        return self.same_puzzles or self.from_archive

    @property
    def unit(self) -> str:
        """The name of one trial."""
        return "runs" if self.is_papers else "instances"

    def of_variant(self, variant: str) -> "Sample":
        """Return the sample with the runs of a variant alone."""
        return self._replace(runs=self.runs[self.runs["variant"] == variant])

    def trials(self) -> pd.Series:
        """Return the success of each trial, from 0 to 1, by `INSTANCE`."""
        solved = self.runs.set_index(INSTANCE)["solved"].astype(float)
        return solved if self.is_papers else solved.groupby(level=INSTANCE).mean()

    def places(self) -> dict[str, "Sample"]:
        """Return the sample of each place: a puzzle of the paper, or a family of instances."""
        place = "instance_id" if self.same_puzzles else "family"
        return {name: self._replace(runs=runs) for name, runs in self.runs.groupby(place)}

    @property
    def is_exact(self) -> bool:
        """Whether nothing is left to chance: exact solvers on the paper's own instances."""
        return self.from_archive and bool((self.runs["kind"] == "exact").all())

    def dependence(self) -> tuple[float, float]:
        """Return limits of the correlation of runs on one instance, from those with several."""
        groups = self.runs.groupby(INSTANCE, sort=False)["solved"]
        counts = groups.size()
        if self.same_puzzles or not (counts >= 2).any():
            return 0.0, 1.0
        fewest = counts[counts >= 2].min()
        chosen = self.runs[(groups.transform("size") >= 2) & (groups.cumcount() < fewest)]
        trials = chosen.sort_values(INSTANCE)["solved"].to_numpy(float).reshape(-1, fewest)
        return statistics.dependence(trials) if len(trials) > 1 else (0.0, 1.0)

    def rate(self) -> Rate:
        """Return the share of solved runs, and the independent trials that they are worth.

        On given puzzles that is their number. On random instances of the paper's authors it is
        more: only the runs vary, not the instances. Of a sample of instances it is less.
        """
        solved, n = self.runs["solved"], len(self.runs)
        if self.is_papers or not n:
            worth = np.inf if n and self.is_exact else n / (1 - self.dependence()[0])
            return Rate(float(solved.mean()), worth)
        by_instance = self.runs.groupby(INSTANCE, sort=False)["solved"].agg(["mean", "size"])
        _, high = self.dependence() if len(by_instance) < n else (0.0, 1.0)
        worth = statistics.independent(by_instance["size"], high)
        return Rate(float(by_instance["mean"].mean()), worth)

    def printed(self, percent: float, of: int | None, runs: int) -> Rate:
        """Return a printed share of so many runs on each `of` instances, or an exact one.

        Runs on one instance of the paper depend on each other as ours do, so far as is known.
        """
        if of is None or self.is_exact:
            return Rate(percent / 100)
        low, high = self.dependence()
        is_sample = not self.is_papers
        worth = statistics.independent([runs] * of, high) if is_sample else of * runs / (1 - low)
        return Rate(percent / 100, worth)

    def instances(self) -> pd.DataFrame:
        """Return one run of each instance; `trivial` is one that was solved without a step."""
        runs = self.runs.drop_duplicates(INSTANCE)
        return runs.assign(trivial=runs["solved"] & (runs["steps"] == 0))

    def at_speed_of(self, program: str | None) -> "Sample":
        """Return the sample with the seconds of a paper's program for its steps, on any machine.

        So far as its speed is known (`published.work`). Without a program they are those measured.
        """
        if program is None:
            return self
        second = np.full(len(self.runs), np.nan)  # of the paper's program, a step
        points = self.runs.groupby(["solver", "order", "fixed_fraction"], dropna=False)
        for point, places in points.indices.items():
            known = published.work(program, *point)
            second[places] = known.limit_s / known.steps
        timed = {"cpu_s": self.runs["steps"] * second, "limit_s": self.runs["limit_steps"] * second}
        timed = self.runs.assign(**timed, spread_s=0.0)
        return self._replace(runs=timed, speed=", at the speed of the paper's program")


def times_at_limit(runs: pd.DataFrame) -> pd.Series:
    """Return CPU seconds; a failure counts as its limit, also where steps ended it earlier."""
    return statistics.at_limit(runs["cpu_s"], runs["solved"], runs["limit_s"])


def par2_times(runs: pd.DataFrame) -> pd.Series:
    """Return PAR2 times in seconds, a failure at twice its limit, by instance_id."""
    limit_s = runs["limit_s"].fillna(runs["cpu_s"])  # steps alone limit it: what they take
    return statistics.par2(runs["cpu_s"], runs["solved"], limit_s).set_axis(runs["instance_id"])


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

    def sample(self, claim: "Claim", factor: float = 1.0) -> Sample:
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
                rows = Rows(claim.runs["experiment"], random=not {*INSTANCE} & {*claim.where})
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
    is_early = (runs["status"] == TIMEOUT) & (runs["steps"] < (least or 0))
    sample = sample._replace(
        from_archive=bool((runs["source"] == ARCHIVE).all()),
        n_unfinished=0 if least is None else int((runs["is_unfinished"] | is_early).sum()),
        has_work=bool(runs["has_work"].all()),
    )
    key = INSTANCE + ["repetition"] * sample.is_papers + ["variant"] * bool(sample.variants)
    trials = runs.drop_duplicates(key)
    counts = trials["variant"].value_counts() if sample.variants else pd.Series(len(trials))
    return sample._replace(is_small=bool(counts.min() < FEWEST))


def _after(runs, seconds):
    """Return runs as they would have ended after so many seconds; with fewer, unfinished."""
    had_fewer = (runs["status"] == TIMEOUT) & (runs["limit_s"] < seconds)
    return runs.assign(
        status=runs["status"].mask(runs["cpu_s"] > seconds, TIMEOUT),
        cpu_s=runs["cpu_s"].clip(upper=seconds),
        limit_s=runs["limit_s"].clip(upper=seconds),
        is_unfinished=runs["is_unfinished"] | had_fewer,
    )


def percentage(share: float) -> str:
    """Return a share in percent, as text; less than all is less than 100 %."""
    return f"{100 if share == 1 else min(100 * share, 99.9):.3g} %"


def duration(time: float) -> str:
    """Return a time in the unit that suits it, as text."""
    time = float(f"{time:.3g}")  # 999.9 µs are 1 ms
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if time * factor >= 1:
            return f"{time * factor:.3g} {unit}"
    return f"{time * 1e6:.3g} µs"

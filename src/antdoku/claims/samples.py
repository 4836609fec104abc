"""Runs -> samples: for each claim the runs that it is about, after the work of its paper."""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.claims import (
    AUTHORS_INSTANCES,
    INSTANCES,
    PAPERS_PUZZLES,
    RANDOM_INSTANCES,
    SUBSTITUTES,
)
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.statistics import Rate
from antdoku.tables import Rows, work
from antdoku.tables.registry import is_random
from antdoku.tables.summary import with_equal_fractions

if TYPE_CHECKING:
    from antdoku.claims.ledger import Claim

INSTANCE = ["family", "instance_id"]  # of a run; a claim without either is about random ones
RUN = [*INSTANCE, "repetition"]
UNSOLVED = "nothing solved"  # in place of a measurement
SPEED = ", at the speed of the paper's program"  # the end of a sentence on times
LEAST_GAIN = 1e-4  # share of the cells: less than one cell of the largest grid
FEWEST = 5  # runs, or random instances, of a variant: with fewer a verdict hangs on a single one
ARCHIVE = "archive"  # source of instances that the authors have published
GIVEN = "named"  # source of puzzles that are printed, or named, in a paper
TESTED = [  # columns of the runs that tests look at
    *("experiment", "family", "instance_id", "variant", "solver", "kind", "order"),
    *("fixed_fraction", "repetition", "status", "cpu_s", "spread_s", "steps", "limit_s"),
    *("limit_steps", "trivial", "fixed_after_cp", "given_fraction", "mean_value_set_size"),
    *("family_kind", "source", "batch"),
]


class Sample(NamedTuple):
    """The runs on which a claim is tested."""

    runs: pd.DataFrame  # those that the claim is about (`TESTED`), with a column `solved`
    variants: tuple[str, ...] = ()  # in the order of the claim; none if it is about instances only
    same_puzzles: bool = False  # whether the claim is about given puzzles, each of them a place
    from_archive: bool = False  # whether the paper's authors have published its random instances
    n_missing: int = 0  # combinations of variant, order, ... that it names and that have no run
    n_unfinished: int = 0  # runs that a limit ended, unsolved, before the work that it is about
    has_work: bool = False  # whether the work of the paper's program is known for each run
    is_small: bool = False  # too few runs, or random instances, of a variant for any verdict
    speed: str = ""  # at which its steps became seconds, as the end of a sentence
    neighbours: tuple[np.ndarray, ...] = ()  # repeated runs at other places (`dependence`)
    at_work: str = ""  # at which work, if it is not the paper's
    is_bound: bool = False  # whether runs that end before the work are taken as solved, or not

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
    def decided_on(self) -> str:
        """The kind of instances that the runs are about; empty without runs."""
        if self.runs.empty:
            return ""
        if self.from_archive:
            return AUTHORS_INSTANCES
        if (self.runs["source"] == GIVEN).all():
            return PAPERS_PUZZLES
        return RANDOM_INSTANCES if is_random(self.runs).all() else SUBSTITUTES

    @property
    def unit(self) -> str:
        """The name of one trial."""
        return "runs" if self.is_papers else "instances"

    def of_variant(self, variant: str) -> "Sample":
        """Return the sample with the runs of a variant alone."""
        return self._replace(runs=self.runs[self.runs["variant"] == variant])

    def trials(self) -> pd.Series:
        """Return the success of each trial, from 0 to 1."""
        if self.is_papers:
            return self.runs["solved"].astype(float)
        return self.runs.groupby(INSTANCE, sort=False)["solved"].mean()

    def places(self) -> dict[str, "Sample"]:
        """Return the sample of each place: a puzzle of the paper, or a family of instances."""
        place = "instance_id" if self.same_puzzles else "family"
        return {name: self._replace(runs=runs) for name, runs in self.runs.groupby(place)}

    def place_name(self, place: str) -> str:
        """Return a puzzle, a kind of puzzles, or a fixed fraction as readers know it."""
        row = self.runs[self.runs["family"] == place].iloc[:1]
        if self.same_puzzles or not is_random(row).all():
            return f"on {papers.puzzle_title(place)}"
        size = row["order"].iloc[0] ** 2
        return f"at {size}x{size}, {100 * row['fixed_fraction'].iloc[0]:g} % fixed"

    @property
    def is_exact(self) -> bool:
        """Whether nothing is left to chance: exact solvers on the paper's own instances."""
        return self.from_archive and bool((self.runs["kind"] == "exact").all())

    def repeated(self, times: int) -> "Sample":
        """Return the sample that there would be if as many runs again, or instances, were alike.

        On the paper's own instances the runs are repeated, else the instances.
        """
        copies = [self.runs]
        for copy in range(1, times):
            if self.is_papers:
                repetition = self.runs["repetition"] + copy * (self.runs["repetition"].max() + 1)
                copies.append(self.runs.assign(repetition=repetition))
            else:
                names = self.runs["instance_id"] + f"#{copy}"
                copies.append(self.runs.assign(instance_id=names))
        return self._replace(runs=pd.concat(copies, ignore_index=True))

    def dependence_here(self) -> tuple[float, float]:
        """Return limits of the correlation of runs on one instance; 0 and 1 if nothing is known."""
        trials = None if self.same_puzzles else repeated_runs(self.runs)
        return (0.0, 1.0) if trials is None else statistics.dependence(trials)

    def dependence(self) -> tuple[float, float]:
        """Return limits as `dependence_here`, or where nothing is known those of other places."""
        limits = self.dependence_here()
        return statistics.dependence_elsewhere(self.neighbours) if limits == (0, 1) else limits

    def rate(self) -> Rate:
        """Return the share of solved runs, and the independent trials that they are worth.

        On given puzzles that is their number. On random instances of the paper's authors it is
        more: only the runs vary, not the instances. Of a sample of instances it is less.
        """
        solved, n = self.runs["solved"], len(self.runs)
        if self.is_papers or not n:
            worth = np.inf if n and self.is_exact else n / (1 - self.dependence_here()[0])
            return Rate(float(solved.mean()), worth)
        by_instance = self.runs.groupby(INSTANCE, sort=False)["solved"].agg(["mean", "size"])
        high = self.dependence()[1] if len(by_instance) < n else 1.0
        worth = statistics.independent(by_instance["size"], high)
        return Rate(float(by_instance["mean"].mean()), worth)

    def printed(self, percent: float, of: int | None, runs: int) -> Rate:
        """Return a printed share of so many runs on each `of` instances, or an exact one.

        Runs on one instance of the paper depend on each other as ours do, so far as is known.
        """
        if of is None or self.is_exact:
            return Rate(percent / 100)
        if self.is_papers:
            return Rate(percent / 100, of * runs / (1 - self.dependence_here()[0]))
        return Rate(percent / 100, statistics.independent([runs] * of, self.dependence()[1]))

    def instances(self) -> pd.DataFrame:
        """Return the first run on each instance; `trivial` if its propagation alone solves it.

        The recorded column is that of the complete propagation. A variant that propagates less
        needs steps on some of those instances.
        """
        rows = self.runs.drop_duplicates(INSTANCE)
        if not self.variants:
            return rows
        return rows.assign(trivial=rows["trivial"] & rows["solved"] & (rows["steps"] == 0))

    def of_propagation(self, outcome: str = "trivial") -> "Sample":
        """Return the instances as runs of propagation alone, which draws no random numbers.

        One counts as solved if propagation solves it (`outcome` is "trivial"), or if it fixes a
        cell beyond the givens ("gain").
        """
        rows = self.instances()
        has_gain = rows["fixed_after_cp"] > rows["given_fraction"] + LEAST_GAIN
        solved = rows["trivial"] if outcome == "trivial" else has_gain
        return self._replace(runs=rows.assign(solved=solved, kind="exact"))

    def in_steps(self) -> "Sample":
        """Return the sample with steps in place of seconds."""
        steps = self.runs.assign(
            cpu_s=self.runs["steps"], limit_s=self.runs["limit_steps"], spread_s=0.0
        )
        return self._replace(runs=steps, speed=", in steps")

    def at_speed_of(self, program: str | None) -> "Sample":
        """Return the sample with times that the program of a paper would have taken.

        So far as its speed is known (`published.work`). Without a program they are those measured.
        """
        if program is None:
            return self
        second = np.full(len(self.runs), np.nan)  # of the paper's program, a step
        points = self.runs.groupby(["solver", "order", "fixed_fraction"], dropna=False)
        for point, places in points.indices.items():
            speed = published.work(program, *point)
            second[places] = speed.limit_s / speed.steps
        second = second / self.runs["work_multiple"]
        timed = {"cpu_s": self.runs["steps"] * second, "limit_s": self.runs["limit_steps"] * second}
        timed = self.runs.assign(**timed, spread_s=0.0)
        return self._replace(runs=timed, speed=SPEED)


def repeated_runs(runs: pd.DataFrame) -> np.ndarray | None:
    """Return the success of repeated runs, shape (instances, runs), or None without two instances.

    Instances with fewer runs than two are left out, and runs beyond the fewest of the others.
    """
    groups = runs.groupby(INSTANCE, sort=False)["solved"]
    counts = groups.size()
    fewest = counts[counts >= 2].min()
    if (counts >= 2).sum() < 2:
        return None
    chosen = runs[(groups.transform("size") >= 2) & (groups.cumcount() < fewest)]
    return chosen.sort_values(INSTANCE)["solved"].to_numpy(float).reshape(-1, int(fewest))


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

    def sample(self, claim: "Claim", multiple: float = 1.0, end: tuple = ()) -> Sample:
        """Return the runs that a claim is about, as they would have ended after its paper's work.

        Without family and instance_id they are runs on the random instances of the experiment.

        Parameters
        ----------
        claim : Claim
        multiple : float
            Of the work: that of another reading.
        end : tuple
            A program and -1 or 1, the end of the range of its work (`published.Work.factor`).
        """
        # A claim about instances alone does not depend on how runs end.
        least = None if claim.subject == INSTANCES else claim.steps
        edition = published.work_of(claim.runs.get("experiment"), claim.paper)
        key = repr(claim.runs), edition, multiple, end, least, claim.seconds
        if key not in self._samples:
            runs, neighbours = self._runs.iloc[:0], ()
            if claim.runs:
                rows = Rows(claim.runs["experiment"], random=not {*INSTANCE} & {*claim.where})
                ended = rows, edition, multiple, end
                runs = self._ended_after(*ended)
                neighbours = self._neighbours(ended, claim.variants)
            sample = _of_whole_batches(_sample(runs, claim, least), claim, least)
            self._samples[key] = sample._replace(neighbours=neighbours)
        return self._samples[key]

    def over_range(self, claim: "Claim") -> Iterator[Sample]:
        """Yield the samples of a claim at the ends of the range of work, one program at a time.

        An end that no batch of runs reaches has two samples, its bounds: as if all open runs
        failed, and as if all were solved.
        """
        sample = self.sample(claim)
        if claim.subject == INSTANCES or not sample.has_work:
            return
        for program, sign in product(sample.runs["program"].unique(), (-1, 1)):
            at_end = self.sample(claim, end=(program, sign))
            multiples = at_end.runs.loc[at_end.runs["program"] == program, "work_multiple"]
            least, most = f"{multiples.min():.2g}", f"{multiples.max():.2g}"
            text = least if least == most else f"{least} to {most}"
            for one in _bounds(at_end) if at_end.n_unfinished else [at_end]:
                yield one._replace(at_work=f"{program} at {text} times its work{one.at_work}")

    def _ended_after(self, rows, edition, multiple, end):
        """Return some rows of the runs after a multiple of an edition's work, at an end of it."""
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


def _of_whole_batches(sample, claim, least):
    """Return the sample without batches of which some runs end too early, or as it is.

    To leave out single runs would choose those that are solved. If no batch is left, or too little,
    all remain.
    """
    if not sample.n_unfinished:
        return sample
    runs = sample.runs
    is_late = ~runs["is_early"].groupby(runs["batch"]).transform("any")
    whole = _sample(runs[is_late], claim, least)
    return whole if whole.is_complete else sample


def _bounds(at_end):
    """Yield a sample as if all runs that end too early failed, and as if all were solved."""
    for text, solved in (("open runs unsolved", False), ("open runs solved", True)):
        runs = at_end.runs
        runs = runs.assign(solved=runs["solved"].mask(runs["is_early"], solved))
        yield at_end._replace(runs=runs, is_bound=True, at_work=f", {text}")


def _sample(runs, claim, least):
    """Return the sample of a claim among runs, of which a failure has to do `least` steps."""
    where = claim.where
    for column, values in where.items():
        runs = runs[runs[column].isin(values)]
    wanted = set(product(*where.values())) if where else set()
    present = set(runs[[*where]].drop_duplicates().itertuples(index=False, name=None))
    runs = _after(runs, claim.seconds) if claim.seconds and len(runs) else runs
    runs = runs.assign(solved=runs["status"] == SOLVED)
    sample = Sample(runs, claim.variants, "instance_id" in where, n_missing=len(wanted - present))
    if runs.empty:
        return sample
    is_early = (runs["status"] == TIMEOUT) & (runs["steps"] < (least or 0))
    is_early = (is_early | runs["is_unfinished"]) & (least is not None)
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

"""Runs -> samples: the runs on which each claim is tested, and what they are worth as trials."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.claims import AUTHORS_INSTANCES, PAPERS_PUZZLES, RANDOM_INSTANCES, SUBSTITUTES, TIME
from antdoku.columns import INSTANCE
from antdoku.instances.family import ARCHIVE
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.statistics import Rate
from antdoku.tables import Rows, work
from antdoku.tables.registry import is_random

RUN = [*INSTANCE, "repetition"]
UNSOLVED = "nothing solved"  # in place of a measurement
SPEED = ", at the speed of the paper's program"  # ends a sentence on times
LEAST_GAIN = 1e-4  # share of the cells: less than one cell of the largest grid
GIVEN = "named"  # source of puzzles that are printed, or named, in a paper
# Texts of runs that no test reads: to select their rows takes a tenth of the time of verdicts.
UNREAD = ["label", "params", "message", "limited_by", "version", "source_hash"]
COUNT = "count"  # the test of facts: one run, or puzzle, is enough
FEWEST = 5  # runs, or random instances, of a variant: with fewer a verdict hangs on a single one


class Sample(NamedTuple):
    """The runs on which a claim is tested."""

    runs: pd.DataFrame  # columns `columns.COLUMNS`, and `solved`
    variants: tuple[str, ...] = ()  # in the order of the claim; empty if it is about instances
    same_puzzles: bool = False  # whether the claim is about given puzzles, each of them a place
    from_archive: bool = False  # whether the paper's authors published its random instances
    n_missing: int = 0  # combinations of variant, order, ... of the claim that have no run
    n_unfinished: int = 0  # unsolved runs that a limit ended before the work of the claim
    is_small: bool = False  # whether a variant has too few runs, or random instances
    speed: str = ""  # how steps became seconds, as the end of a sentence
    # Returns repeated runs at other places (`dependence`), which few claims need.
    neighbours: Callable[[], tuple[np.ndarray, ...]] = tuple
    at_work: str = ""  # the work, if it is not the paper's
    is_bound: bool = False  # whether runs that end too early count as solved, or as failed

    @property
    def is_complete(self) -> bool:
        """Whether the runs suffice for a verdict."""
        return not (self.n_missing or self.n_unfinished or self.is_small)

    @property
    def is_papers(self) -> bool:
        """Whether the instances are the paper's own.

        If they are, each run is a trial. If not, the instances are a sample, and each instance is a
        trial with the mean of its runs: more runs on it say nothing about other instances
        (Birattari, 2004).
        """
        return self.same_puzzles or self.from_archive

    @property
    def decided_on(self) -> str:
        """The kind of instances; empty without runs."""
        if self.runs.empty:
            return ""
        if self.from_archive:
            return AUTHORS_INSTANCES
        if are_papers(self.runs):
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
        """Return the name of a puzzle, a kind of puzzles or a fixed fraction for readers."""
        if self.same_puzzles:
            return f"on {papers.puzzle_title(place)}"
        row = self.runs.iloc[[(self.runs["family"] == place).argmax()]]
        if not is_random(row).all():
            return f"on {papers.puzzle_title(place)}"
        size = row["order"].iloc[0] ** 2
        return f"at {size}x{size}, {100 * row['fixed_fraction'].iloc[0]:g} % fixed"

    @property
    def is_exact(self) -> bool:
        """Whether exact solvers ran on the paper's own instances, so that nothing is random."""
        return self.from_archive and bool((self.runs["kind"] == "exact").all())

    def repeated(self, times: int) -> "Sample":
        """Return a sample with so many copies of the runs, as if more runs had equal results.

        On the paper's own instances runs are copied, else instances.
        """
        n, runs = len(self.runs), self.runs
        copy = np.repeat(np.arange(times), n)
        runs = runs.iloc[np.tile(np.arange(n), times)].reset_index(drop=True)
        if self.is_papers:
            runs["repetition"] += copy * (self.runs["repetition"].max() + 1)
        else:
            endings = np.array(["", *(f"#{number}" for number in range(1, times))])
            runs["instance_id"] += endings[copy]
        return self._replace(runs=runs)

    def dependence(self) -> tuple[float, float]:
        """Return limits of the correlation of runs on one instance; 0 and 1 if it is unknown.

        Where it is unknown here, the limits follow from other places, if the sample has such.
        """
        trials = None if self.same_puzzles else _repeated(self.runs)
        limits = (0.0, 1.0) if trials is None else statistics.dependence(trials)
        is_unknown = limits == (0, 1) and not self.is_papers
        return statistics.dependence_elsewhere(self.neighbours()) if is_unknown else limits

    def rate(self) -> Rate:
        """Return the share of solved runs, and the independent trials that they are worth.

        Runs on given puzzles are independent trials. Runs on random instances of the paper's
        authors are worth more, since only the runs vary. Runs on a sample of instances are worth
        less.
        """
        solved, n = self.runs["solved"], len(self.runs)
        if self.is_papers or not n:
            worth = np.inf if n and self.is_exact else n / (1 - self.dependence()[0])
            return Rate(float(solved.mean()), worth)
        by_instance = self.runs.groupby(INSTANCE, sort=False)["solved"].agg(["mean", "size"])
        high = self.dependence()[1] if len(by_instance) < n else 1.0
        worth = statistics.independent(by_instance["size"], high)
        return Rate(float(by_instance["mean"].mean()), worth)

    def printed(self, percent: float, of: int | None, runs: int) -> Rate:
        """Return a printed share of so many runs on each of `of` instances; exact without `of`.

        Runs on one instance of the paper are taken to be correlated as ours are.
        """
        if of is None or self.is_exact:
            return Rate(percent / 100)
        if self.is_papers:
            return Rate(percent / 100, of * runs / (1 - self.dependence()[0]))
        dependence = self.dependence()[1] if runs > 1 else 1.0  # single runs are trials
        return Rate(percent / 100, statistics.independent([runs] * of, dependence))

    def instances(self) -> pd.DataFrame:
        """Return the first run on each instance; `trivial` if propagation alone solves it.

        The recorded column is about complete propagation. A variant that propagates less needs
        steps on some trivial instances.
        """
        rows = self.runs.drop_duplicates(INSTANCE)
        if not self.variants:
            return rows
        return rows.assign(trivial=rows["trivial"] & rows["solved"] & (rows["steps"] == 0))

    def of_propagation(self, outcome: str) -> "Sample":
        """Return the instances as runs of propagation alone, which draws no random numbers.

        An instance counts as solved if propagation solves it ("trivial"), or if it fixes a cell
        beyond the givens ("gain").
        """
        rows = self.instances()
        has_gain = rows["fixed_after_cp"] > rows["given_fraction"] + LEAST_GAIN
        solved = rows["trivial"] if outcome == "trivial" else has_gain
        return self._replace(runs=rows.assign(solved=solved, kind="exact"))

    def in_steps(self, step_s=1.0, speed: str = ", in steps") -> "Sample":
        """Return the sample with steps, times the seconds of a step, in place of CPU seconds."""
        limit_s = (self.runs["limit_steps"] * step_s).where(self.runs["limit_steps"] > 0)
        cpu_s = self.runs["steps"] * step_s
        return self._replace(
            runs=self.runs.assign(cpu_s=cpu_s, limit_s=limit_s, spread_s=0.0), speed=speed
        )

    def at_speed_of(self, program: str | None) -> "Sample":
        """Return the sample with the times that the program of a paper would have taken.

        They follow from its speed (`published.work`). Without a program times are as measured.
        """
        if program is None:
            return self
        step_s = work.at_points(self.runs, program, "limit_s")
        step_s /= work.at_points(self.runs, program, "steps")
        return self.in_steps(step_s / self.runs["work_multiple"], SPEED)


class Samples:
    """Runs of all experiments, from which each claim takes its sample.

    Parameters
    ----------
    runs : DataFrame
        Columns `columns.COLUMNS`; `given_fraction`, `source` and `batch`, a name of the runs
        that have one configuration, may be missing.
    """

    def __init__(self, runs: pd.DataFrame):
        defaults = {"given_fraction": runs["fixed_fraction"], "source": "", "batch": ""}
        missing = {name: values for name, values in defaults.items() if name not in runs}
        unread = runs.columns.intersection(UNREAD)
        self._runs = runs.drop(columns=unread).assign(**missing)
        self._ended: dict[tuple, pd.DataFrame] = {}
        self._samples: dict[tuple, Sample] = {}
        self._repeated: dict[tuple, tuple[np.ndarray, ...]] = {}

    def sample(self, claim, multiple: float = 1.0, end: tuple = ()) -> Sample:
        """Return the runs that a claim is about, as they would have ended after its paper's work.

        Parameters
        ----------
        claim : Claim
        multiple : float
            Of the paper's work, as another reading states it.
        end : tuple
            A program, and -1 or 1 for the lower or upper end of the range of its work
            (`papers.rows.Work.factor`).
        """
        edition = published.work_of(claim.runs.get("experiment"), claim.paper)
        counts = claim.is_of_instances, claim.test == COUNT  # which runs suffice
        limits = claim.steps, claim.seconds, claim.has_no_limit
        key = repr(claim.runs), edition, multiple, end, counts, limits
        if key not in self._samples:
            runs, neighbours = self._runs.iloc[:0], tuple
            if claim.runs:
                rows = Rows(claim.runs["experiment"], random=claim.is_random)
                ended = rows, edition, multiple, end
                runs = self._ended_after(*ended)
                neighbours = partial(self._neighbours, ended, claim.variants)
            sample = _of_whole_batches(_sample(runs, claim), claim)
            self._samples[key] = sample._replace(neighbours=neighbours)
        return self._samples[key]

    def over_range(self, claim) -> Iterator[Sample]:
        """Yield the samples of a claim at the ends of the range of work, one program at a time.

        Runs without a known work stay as they are beside those of the program.
        An end that no batch of runs reaches has two samples, its bounds: as if all open runs
        failed, and as if all were solved.
        """
        if claim.is_of_instances:
            return
        programs = self.sample(claim).runs["program"].dropna().unique()
        for program, sign in product(programs, (-1, 1)):
            at_end = self.sample(claim, end=(program, sign))
            multiples = at_end.runs.loc[at_end.runs["program"] == program, "work_multiple"]
            low, high = two_digits(multiples.min()), two_digits(multiples.max())
            text = low if low == high else f"{low} to {high}"
            for part in _bounds(at_end) if at_end.n_unfinished else [at_end]:
                yield part._replace(at_work=f"{program} at {text} times its work{part.at_work}")

    def _ended_after(self, rows, edition, multiple, end):
        """Return runs after a multiple of an edition's work, or at an end of its range."""
        key = rows, edition, multiple, end
        if key not in self._ended:
            runs = self._runs[rows.select(self._runs)]
            programs = work.of_paper(runs, edition, "program")
            multiples = pd.Series(float(multiple), runs.index)
            if end:
                program, sign = end
                factors = work.of_paper(runs, edition, "factor") ** sign
                multiples *= factors.where(programs == program, 1.0)
            ended = work.at(runs, edition, multiples)
            is_decided = work.is_decided(runs, edition, multiples)
            limits = work.papers_limits(runs, rows.random)
            self._ended[key] = ended.assign(
                papers_steps=limits["steps"].where(programs.isna()),
                papers_s=limits["limit_s"].where(programs.isna()),
                is_unfinished=work.is_unfinished(ended) | ~is_decided,
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
            repeated = [_repeated(family) for _, family in families]
            self._repeated[key] = tuple(trials for trials in repeated if trials is not None)
        return self._repeated[key]


def _sample(runs, claim):
    """Return the sample of a claim among runs on random instances, or on given puzzles."""
    where = claim.where
    if where:  # select rows once: it takes longer than the masks
        masks = [runs[column].isin(values) for column, values in where.items()]
        runs = runs[np.logical_and.reduce(masks)]
    expected = set(product(*where.values())) if where else set()
    present = set(runs[[*where]].drop_duplicates().itertuples(index=False, name=None))
    runs = _at_limit(runs, claim) if len(runs) else runs
    runs = runs.assign(solved=runs["status"] == SOLVED)
    n_missing = len(expected - present)
    sample = Sample(runs, claim.variants, "instance_id" in where, n_missing=n_missing)
    return _checked(sample, claim) if len(runs) else sample


def _at_limit(runs, claim):
    """Return runs as they would have ended at the limit of a claim.

    The limit is that of the paper's experiment, which an overlay may have moved, or the `steps` and
    `seconds` of the claim. An unsolved run with a smaller limit is unfinished. Runs whose work is
    known end after it.
    """
    steps, seconds = runs["papers_steps"], claim.seconds or runs["papers_s"]
    least_steps = steps.mask(runs["program"].isna() & (claim.steps > 0), claim.steps)
    least_s = seconds if claim.seconds or not claim.steps else np.nan
    is_early = (runs["steps"] < least_steps) | (runs["limit_s"] < least_s)
    is_early |= steps.isna() & (runs["limit_steps"] > 0) & (runs["cpu_s"] < least_s)
    is_early &= runs["status"] == TIMEOUT
    runs = runs.assign(is_unfinished=runs["is_unfinished"] | is_early)
    if claim.has_no_limit:  # longer runs count as they are
        steps, seconds = np.nan, claim.seconds or np.nan
    return _after(work.after(runs, steps), seconds)


def _after(runs, seconds):
    """Return runs as they would have ended after `seconds`, of all or of each; NaN: as it is."""
    return runs.assign(
        status=runs["status"].mask(runs["cpu_s"] > seconds, TIMEOUT),
        cpu_s=np.fmin(runs["cpu_s"], seconds),
        limit_s=np.fmin(runs["limit_s"], seconds),
    )


def _checked(sample, claim):
    """Return a sample of a claim that says which runs end too early, and whether it is small."""
    runs = sample.runs
    # Propagation is the same however runs end.
    is_early = runs["is_unfinished"] & (not claim.is_of_instances)
    sample = sample._replace(
        runs=runs.assign(is_early=is_early),
        from_archive=bool((runs["source"] == ARCHIVE).all()),
        n_unfinished=int(is_early.sum()),
    )
    key = INSTANCE + ["repetition"] * sample.is_papers + ["variant"] * bool(sample.variants)
    trials = runs[key].drop_duplicates()
    counts = trials["variant"].value_counts() if sample.variants else pd.Series(len(trials))
    is_fact = claim.test == COUNT and are_papers(runs)
    return sample._replace(is_small=not is_fact and bool(counts.min() < FEWEST))


def _of_whole_batches(sample, claim):
    """Return the sample without batches in which some runs end too early.

    To leave out single runs would favour solved runs. If too little would be left, the sample
    stays as it is.
    """
    if not sample.n_unfinished:
        return sample
    runs = sample.runs
    whole = _sample(runs[~runs["is_early"].groupby(runs["batch"]).transform("any")], claim)
    return whole if whole.is_complete else sample


def _bounds(at_end):
    """Yield a sample as if all runs that end too early failed, and as if all were solved."""
    for text, solved in (("open runs unsolved", False), ("open runs solved", True)):
        runs = at_end.runs
        runs = runs.assign(solved=runs["solved"].mask(runs["is_early"], solved))
        yield at_end._replace(runs=runs, is_bound=True, at_work=f", {text}")


# --- columns of runs ------------------------------------------------------------------------------


def percentage(share: float) -> str:
    """Return a share in percent; less than all is less than 100 %."""
    return f"{100 if share == 1 else min(100 * share, 99.9):.3g} %"


def two_digits(value: float) -> str:
    """Return a number with two significant digits, without an exponent below a million."""
    return f"{float(f'{value:.2g}'):g}"


def costs(runs: pd.DataFrame, by: str) -> pd.Series:
    """Return the steps, or the times in seconds, of runs. An unsolved run is endless."""
    return runs["cpu_s" if by == TIME else "steps"].where(runs["solved"], np.inf)


def are_papers(runs: pd.DataFrame) -> bool:
    """Whether all puzzles are in a collection of the package, or named in a `paper.yaml`."""
    return bool(((runs["source"] == GIVEN) | runs["instance_id"].isin([*papers.puzzles()])).all())


def _repeated(runs):
    """Return the success of repeated runs, as `statistics.repeated` does."""
    instances = runs.groupby(INSTANCE).ngroup()
    return statistics.repeated(runs["solved"], instances)


def times_at_limit(runs: pd.DataFrame) -> pd.Series:
    """Return CPU seconds. A failure counts as its limit, even if steps ended it earlier."""
    return statistics.at_limit(runs["cpu_s"], runs["solved"], runs["limit_s"])

"""The runs on which a claim is tested, and what they are worth as trials."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.claims import (
    AUTHORS_INSTANCES,
    PAPERS_PUZZLES,
    RANDOM_INSTANCES,
    SUBSTITUTES,
    TIME,
)
from antdoku.papers import published
from antdoku.statistics import Rate
from antdoku.tables.registry import is_random

INSTANCE = ["family", "instance_id"]  # a claim without either is about random instances
RUN = [*INSTANCE, "repetition"]
UNSOLVED = "nothing solved"  # in place of a measurement
SPEED = ", at the speed of the paper's program"  # ends a sentence on times
LEAST_GAIN = 1e-4  # share of the cells: less than one cell of the largest grid
ARCHIVE = "archive"  # source of instances that the authors have published
GIVEN = "named"  # source of puzzles that are printed, or named, in a paper


class Sample(NamedTuple):
    """The runs on which a claim is tested."""

    runs: pd.DataFrame  # columns `samples.TESTED`, and `solved`
    variants: tuple[str, ...] = ()  # in the order of the claim; empty if it is about instances
    same_puzzles: bool = False  # whether the claim is about given puzzles, each of them a place
    from_archive: bool = False  # whether the paper's authors published its random instances
    n_missing: int = 0  # combinations of variant, order, ... of the claim that have no run
    n_unfinished: int = 0  # unsolved runs that a limit ended before the work of the claim
    has_work: bool = False  # whether the work of the paper's program is known for each run
    is_small: bool = False  # whether a variant has too few runs, or random instances
    speed: str = ""  # how steps became seconds, as the end of a sentence
    neighbours: tuple[np.ndarray, ...] = ()  # repeated runs at other places (`dependence`)
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
        """Return the name of a puzzle, a kind of puzzles or a fixed fraction for readers."""
        row = self.runs[self.runs["family"] == place].iloc[:1]
        if self.same_puzzles or not is_random(row).all():
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
        """Return limits of the correlation of runs on one instance; 0 and 1 if it is unknown."""
        trials = None if self.same_puzzles else repeated_runs(self.runs)
        return (0.0, 1.0) if trials is None else statistics.dependence(trials)

    def dependence(self) -> tuple[float, float]:
        """Return limits as `dependence_here`, or the limits at other places if it is unknown."""
        limits = self.dependence_here()
        return statistics.dependence_elsewhere(self.neighbours) if limits == (0, 1) else limits

    def rate(self) -> Rate:
        """Return the share of solved runs, and the independent trials that they are worth.

        Runs on given puzzles are independent trials. Runs on random instances of the paper's
        authors are worth more, since only the runs vary. Runs on a sample of instances are worth
        less.
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
        """Return a printed share of so many runs on each of `of` instances; exact without `of`.

        Runs on one instance of the paper are taken to be correlated as ours are.
        """
        if of is None or self.is_exact:
            return Rate(percent / 100)
        if self.is_papers:
            return Rate(percent / 100, of * runs / (1 - self.dependence_here()[0]))
        return Rate(percent / 100, statistics.independent([runs] * of, self.dependence()[1]))

    def instances(self) -> pd.DataFrame:
        """Return the first run on each instance; `trivial` if propagation alone solves it.

        The recorded column is about complete propagation. A variant that propagates less needs
        steps on some trivial instances.
        """
        rows = self.runs.drop_duplicates(INSTANCE)
        if not self.variants:
            return rows
        return rows.assign(trivial=rows["trivial"] & rows["solved"] & (rows["steps"] == 0))

    def of_propagation(self, outcome: str = "trivial") -> "Sample":
        """Return the instances as runs of propagation alone, which draws no random numbers.

        An instance counts as solved if propagation solves it ("trivial"), or if it fixes a cell
        beyond the givens ("gain").
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
        """Return the sample with the times that the program of a paper would have taken.

        They follow from its speed (`published.work`). Without a program times are as measured.
        """
        if program is None:
            return self
        step_s = np.full(len(self.runs), np.nan)  # of the paper's program
        points = self.runs.groupby(["solver", "order", "fixed_fraction"], dropna=False)
        for point, rows in points.indices.items():
            speed = published.work(program, *point)
            step_s[rows] = speed.limit_s / speed.steps
        step_s = step_s / self.runs["work_multiple"]
        timed = self.runs.assign(
            cpu_s=self.runs["steps"] * step_s,
            limit_s=self.runs["limit_steps"] * step_s,
            spread_s=0.0,
        )
        return self._replace(runs=timed, speed=SPEED)


def percentage(share: float) -> str:
    """Return a share in percent; less than all is less than 100 %."""
    return f"{100 if share == 1 else min(100 * share, 99.9):.3g} %"


def costs(runs: pd.DataFrame, by: str) -> pd.Series:
    """Return the steps, or the times in seconds, of runs. An unsolved run is endless."""
    return runs["cpu_s" if by == TIME else "steps"].where(runs["solved"], np.inf)


def repeated_runs(runs: pd.DataFrame) -> np.ndarray | None:
    """Return the success of repeated runs, shape (instances, runs), or None without two instances.

    Instances with a single run are left out. All others count with as many runs as the instance
    that has fewest.
    """
    groups = runs.groupby(INSTANCE, sort=False)["solved"]
    counts = groups.size()
    fewest = counts[counts >= 2].min()
    if (counts >= 2).sum() < 2:
        return None
    chosen = runs[(groups.transform("size") >= 2) & (groups.cumcount() < fewest)]
    return chosen.sort_values(INSTANCE)["solved"].to_numpy(float).reshape(-1, int(fewest))


def times_at_limit(runs: pd.DataFrame) -> pd.Series:
    """Return CPU seconds. A failure counts as its limit, even if steps ended it earlier."""
    return statistics.at_limit(runs["cpu_s"], runs["solved"], runs["limit_s"])


def par2_times(runs: pd.DataFrame) -> pd.Series:
    """Return PAR2 times in seconds, a failure at twice its limit, by instance_id."""
    limit_s = runs["limit_s"].fillna(runs["cpu_s"])  # where steps alone limit a run
    return statistics.par2(runs["cpu_s"], runs["solved"], limit_s).set_axis(runs["instance_id"])

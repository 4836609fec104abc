"""The kinds of claims by name, the `Sample` that they are tested on, the `Evidence` of a test.

A verdict on a difference is chosen last, in `antdoku.claims.verdicts`: evidence holds the two that
are possible. Agreement is tested against `MARGIN`, and needs no correction for many claims: each
of them has to be shown.
"""

from collections.abc import Callable
from math import ceil, isfinite
from typing import NamedTuple

import attrs
import numpy as np
import pandas as pd

from antdoku import statistics
from antdoku.papers import published
from antdoku.statistics import ALPHA, MARGIN, Rate, Result

REPRODUCED = "reproduced"
PARTLY = "partly"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
UNDECIDABLE = "undecidable"
VERDICTS = (REPRODUCED, PARTLY, NOT_REPRODUCED, UNDECIDED, UNDECIDABLE)

SUCCESS, TIME, INSTANCES = "success", "time", "instances"  # what a claim is about
INSTANCE = ["family", "instance_id"]  # columns that say on what a run was
UNSOLVED = "nothing solved"
SEVERAL = 99  # variants, in the number that a kind takes


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

    @property
    def is_complete(self) -> bool:
        """Whether the runs are all that a verdict takes."""
        return not (self.n_missing or self.n_unfinished or self.is_small)

    @property
    def is_papers(self) -> bool:
        """Whether the instances are the paper's own.

        Then all runs are independent trials; else the instances are a sample of their kind, and
        each counts once, with the mean of its runs: more runs on it say nothing about the others
        (Birattari, 2004).
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
        for key, places in self.runs.groupby(["solver", "order"]).indices.items():
            work = published.work(program, *key)
            second[places] = work.limit_s / work.steps
        timed = {"cpu_s": self.runs["steps"] * second, "limit_s": self.runs["limit_steps"] * second}
        return self._replace(runs=self.runs.assign(**timed, spread_s=0.0))


def times_at_limit(runs: pd.DataFrame) -> pd.Series:
    """Return CPU seconds; a failure counts as its limit, also where steps ended it earlier."""
    return statistics.at_limit(runs["cpu_s"], runs["solved"], runs["limit_s"])


def par2_times(runs: pd.DataFrame) -> pd.Series:
    """Return PAR2 times in seconds, a failure at twice its limit, by instance_id."""
    limit_s = runs["limit_s"].fillna(runs["cpu_s"])  # steps alone limit it: what they take
    return statistics.par2(runs["cpu_s"], runs["solved"], limit_s).set_axis(runs["instance_id"])


def _rounded_up(number):
    return ceil(number) if number is not None and isfinite(number) else None


@attrs.frozen
class Evidence:
    """The result of a test: p, effect and measure are those of `statistics.Result`."""

    ours: str  # the measurement, in words
    n: int  # how many of what was measured
    unit: str
    needed: float | None = attrs.field(converter=_rounded_up)  # of the unit; None: no number does
    if_significant: str  # verdicts, after whether p (corrected) is below `ALPHA`
    if_not: str
    low: float = np.nan  # 95 % confidence interval, in the unit of the claim's figure
    high: float = np.nan
    p: float = np.nan
    effect: float = np.nan
    measure: str = ""
    is_difference: bool = True  # p takes a correction; else both verdicts are one
    to_decide: float = np.nan  # how many of the unit would decide on agreement, if all stays so


def nothing(unit: str, needed: float | None, n: int = 0, ours: str = "no runs") -> Evidence:
    """Return the evidence of a test that has too little to test."""
    return Evidence(f"{n} {unit}" if n else ours, n, unit, needed, UNDECIDED, UNDECIDED)


def difference(
    ours: str, n: int, unit: str, needed: float, test: Result, if_not: str = UNDECIDED, **limits
) -> Evidence:
    """Return the evidence of a test of a difference, claimed to be a positive effect."""
    direction = REPRODUCED if test.effect > 0 else NOT_REPRODUCED
    return Evidence(ours, n, unit, needed, direction, if_not, **limits, **test._asdict())


def agreed(p: float, failed: bool) -> dict:
    """Return the verdicts of a test of agreement; `failed` if the opposite is shown."""
    verdict = REPRODUCED if p < ALPHA else NOT_REPRODUCED if failed else UNDECIDED
    return {"p": p, "if_significant": verdict, "if_not": verdict, "is_difference": False}


def agreement(*pairs: tuple[list[Rate], list[Rate]]) -> dict:
    """Test whether our rates, or differences of two, agree with the published ones, in pairs.

    Agreement within `MARGIN` has to be shown in each pair (intersection-union test). One pair that
    differs by more, significantly after correction for their number, shows the opposite. The effect
    is that of the pair farthest off.
    """
    effects = [float(statistics.cohens_h(*pair)) for pair in pairs]
    limits = [statistics.h_interval(*pair, ALPHA / len(pairs) / 2) for pair in pairs]
    failed = any(
        abs(effect) > MARGIN and (low > 0 or high < 0)
        for effect, (low, high) in zip(effects, limits)
    )
    found = agreed(max(statistics.equivalence(*pair, MARGIN) for pair in pairs), failed)
    if found["if_not"] == UNDECIDED:
        found["to_decide"] = max(statistics.runs_to_decide(*pair, MARGIN) for pair in pairs)
    return found | {"effect": max(effects, key=abs), "measure": "h"}


class Kind(NamedTuple):
    """A kind of claims."""

    run: Callable[..., Evidence]  # its test, of a sample and of what the claim expects
    least: int  # variants that it is about
    most: int
    subject: str  # success, time, or instances, however runs on them end; argument `by` overrides


KINDS: dict[str, Kind] = {}


def kind(least: int, most: int | None = None, *, about: str):
    """Enter a function among the kinds of claims, by its name."""

    def enter(function):
        KINDS[function.__name__] = Kind(function, least, most or least, about)
        return function

    return enter


def duration(time: float) -> str:
    """Return a time in the unit that suits it, as text."""
    time = float(f"{time:.3g}")  # 999.9 µs are 1 ms
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if time * factor >= 1:
            return f"{time * factor:.3g} {unit}"
    return f"{time * 1e6:.3g} µs"

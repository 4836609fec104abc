"""What runs say for or against a claim: samples of them, rates, pairs of variants, and evidence.

A verdict on a difference is chosen last, in `antdoku.claims.verdicts`: evidence holds the two that
are possible. Agreement is tested against `MARGIN`, and needs no correction for many claims: each
of them has to be shown.
"""

from dataclasses import dataclass, replace
from math import ceil, isfinite
from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import inference, statistics
from antdoku.inference import ALPHA, MARGIN, Rate, Result
from antdoku.outcome import SOLVED
from antdoku.tables import summary

REPRODUCED = "reproduced"
PARTLY = "partly"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
UNDECIDABLE = "undecidable"
VERDICTS = (REPRODUCED, PARTLY, NOT_REPRODUCED, UNDECIDED, UNDECIDABLE)

FASTER_SHARE = 0.65  # of pairs, if one variant is clearly the faster: Cohen's g of 0.15, medium
SUCCESS, TIME = "success", "time"
FIRST = {SUCCESS: "most solved first", TIME: "fastest first"}
INSTANCE = ["family", "instance_id"]  # columns that say on what a run was


class Sample(NamedTuple):
    """What a claim is tested on.

    Parameters
    ----------
    runs : DataFrame
        Runs (`columns.COLUMNS`) on the instances that the claim is about, of the variants named.
    variants : tuple of str
        In the order of the claim; empty if it is about instances only.
    same_puzzles : bool
        Whether the claim is about given puzzles, the paper's own, each of which is a place.
    from_archive : bool
        Whether its random instances are those that the paper's authors have published.
    n_missing : int
        Combinations of variant, order, fixed fraction, ... that the claim names and that have no
        run. A claim is undecided until there is none.
    n_unfinished : int
        Runs that ended, unsolved, before the work that the claim is about, by the guard in CPU
        seconds or by a limit that was set lower: they leave it undecided, too.
    has_work : bool
        Whether it is known, for each run, how much work the paper's program did.
    is_small : bool
        Whether there are too few runs, or random instances, of a variant for any verdict.
    """

    runs: pd.DataFrame
    variants: tuple[str, ...] = ()
    same_puzzles: bool = False
    from_archive: bool = False
    n_missing: int = 0
    n_unfinished: int = 0
    has_work: bool = False
    is_small: bool = False

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


@dataclass(frozen=True)
class Evidence:
    """What a test found.

    Parameters
    ----------
    ours : str
        The measurement, for people.
    n, unit : int, str
        How many of what was measured.
    needed : float or None
        How many of `unit` the test needs, rounded up; None if no number suffices.
    if_significant, if_not : str
        Verdicts, after whether p (corrected) is below `ALPHA`.
    is_difference : bool
        Whether p is of a difference, and takes a correction: else both verdicts are one.
    low, high : float
        95 % confidence interval of the measurement, in the unit of the claim's figure.
    p, effect, measure : float, float, str
        As in `inference.Result`.
    to_decide : float
        How many of `unit` would decide on agreement if the measurement stayed as it is; infinite if
        no number does.
    """

    ours: str
    n: int
    unit: str
    needed: float | None
    if_significant: str
    if_not: str
    low: float = np.nan
    high: float = np.nan
    p: float = np.nan
    effect: float = np.nan
    measure: str = ""
    is_difference: bool = True
    to_decide: float = np.nan

    def __post_init__(self):
        known = self.needed is not None and isfinite(self.needed)
        object.__setattr__(self, "needed", ceil(self.needed) if known else None)


def nothing(unit: str, needed: float | None, n: int = 0, ours: str = "no runs") -> Evidence:
    """Evidence of a test that has too little to test."""
    ours = ours if n == 0 else f"{n} {unit}"
    return Evidence(ours, n, unit, needed, UNDECIDED, UNDECIDED)


def agreed(p: float, beyond: bool, different: bool) -> dict:
    """Verdicts of a test of agreement with this p value.

    Parameters
    ----------
    beyond, different : bool
        Whether the difference found exceeds the margin, and is significant (two-sided).
    """
    failed = NOT_REPRODUCED if beyond and different else UNDECIDED
    verdict = REPRODUCED if p < ALPHA else failed
    return {"p": p, "if_significant": verdict, "if_not": verdict, "is_difference": False}


def agreement(ours: list[Rate], published: list[Rate], alpha: float = ALPHA) -> dict:
    """What a test finds of rates, or of a difference of two, that are to agree within `MARGIN`.

    Parameters
    ----------
    alpha : float
        Level at which they differ.
    """
    effect = float(inference.cohens_h(ours, published))
    low, high = inference.h_interval(ours, published, alpha / 2)
    p = inference.equivalence(ours, published, MARGIN)
    verdicts = agreed(p, abs(effect) > MARGIN, low > 0 or high < 0)
    to_decide = inference.runs_to_decide(ours, published, MARGIN)
    return {**verdicts, "effect": effect, "measure": "h", "to_decide": to_decide}


# --- what runs say about a variant ---------------------------------------------------------------


class Solved(NamedTuple):
    """A success rate, and how it was counted: so many runs solved of all, n of the unit."""

    rate: Rate
    unit: str
    n_solved: int
    n_runs: int

    @property
    def n(self) -> int:
        """How many independent trials there are."""
        return int(self.rate.n)

    @property
    def text(self) -> str:
        """The rate, for people."""
        share = f"{100 * self.rate.share:.3g} % ({self.n_solved} of {self.n_runs}"
        return f"{share})" if self.n == self.n_runs else f"{share} runs, {self.n} {self.unit})"


def solved_of(sample: Sample, variant: str | None = None) -> Solved:
    """The success rate of a variant, or of all runs."""
    runs = sample.runs if variant is None else _of_variant(sample, variant)
    solved = _is_solved(runs)
    keys = [runs[name] for name in INSTANCE]
    shares = solved if sample.is_papers else solved.groupby(keys).mean()
    rate = Rate(float(shares.mean()), len(shares))
    unit = "runs" if sample.is_papers else "instances"
    return Solved(rate, unit, int(solved.sum()), len(runs))


def instances_of(sample: Sample) -> pd.DataFrame:
    """One run of each instance, for what does not depend on the run."""
    return summary.instances(sample.runs, ["family"])


def par2_times(runs: pd.DataFrame) -> pd.Series:
    """PAR2 time of each instance, in seconds: mean of its runs, a failure at twice its limit."""
    return _penalised(runs).groupby(runs["instance_id"]).mean()


def median_times(runs: pd.DataFrame) -> pd.Series:
    """Median of the runs on each instance, in seconds, a failure at twice its limit."""
    return _penalised(runs).groupby(runs["instance_id"]).median()


def _penalised(runs):
    limit_s = runs["limit_s"].fillna(runs["cpu_s"])  # steps alone limit it: what they take
    return runs["cpu_s"].where(_is_solved(runs), statistics.PAR_FACTOR * limit_s)


def standing(sample: Sample, variants: list[str], by: str) -> str:
    """Variants with their success rates or mean PAR2 times, the best first, for people."""
    ranked = sorted(variants, key=lambda name: _merit(sample, name, by), reverse=True)
    return f"{FIRST[by]}: " + ", ".join(f"{name} {_score(sample, name, by)}" for name in ranked)


def _merit(sample, variant, by):
    """Success rate or mean PAR2 time of a variant: the more the better."""
    runs = _of_variant(sample, variant)
    return _is_solved(runs).mean() if by == SUCCESS else -par2_times(runs).mean()


def _score(sample, variant, by):
    merit = _merit(sample, variant, by)
    return f"{100 * merit:.3g} %" if by == SUCCESS else f"PAR2 {duration(-merit)}"


def scores(sample: Sample, first: str, second: str, by: str) -> str:
    """What `contrast` compares, for people: independent times with their medians."""
    ours = f"{_score(sample, first, by)} against {_score(sample, second, by)}"
    if by == SUCCESS or not sample.same_puzzles:
        return ours
    of_each = [_of_variant(sample, name) for name in (first, second)]
    medians = [inference.median_time(times_of(runs), _is_solved(runs)) for runs in of_each]
    known = [duration(time) if np.isfinite(time) else "beyond the limit" for time in medians]
    return f"{ours}; medians {' and '.join(known)}"


# --- two variants --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """Two variants compared.

    Parameters
    ----------
    n, unit : int, str
        How many of what was compared.
    test : Result
        Of the difference; NaN without anything to compare.
    is_small : bool
        Whether the first is significantly less ahead than it should be, or behind.
    is_no_worse : bool
        Whether the first is significantly not behind by more than the margin.
    ahead : float
        Share of the pairs in which the first is faster; ties count half.
    low, high : float
        95 % confidence interval of the difference of success rates.
    """

    n: int
    unit: str
    test: Result
    ahead: float = np.nan
    is_small: bool = False
    is_no_worse: bool = False
    low: float = np.nan
    high: float = np.nan

    @property
    def missing(self) -> bool:
        """Whether there was nothing to compare."""
        return np.isnan(self.test.p)

    def evidence(self, ours: str, needed: float) -> Evidence:
        """Evidence for a claim that the first is better; `ours` are the `scores`."""
        return Evidence(
            ours,
            self.n,
            self.unit,
            needed,
            if_significant=REPRODUCED if self.test.effect > 0 else NOT_REPRODUCED,
            if_not=NOT_REPRODUCED if self.is_small else UNDECIDED,
            low=100 * self.low,
            high=100 * self.high,
            **self.test._asdict(),
        )


def contrast(
    sample: Sample, first: str, second: str, by: str, ahead: float = 0.0, pooled: bool = False
) -> Pair:
    """Compare two variants: by pairs, but for success on the paper's own puzzles.

    Parameters
    ----------
    first, second : str
        Variants of the sample.
    by : {"success", "time"}
    ahead : float
        Cohen's h by which the first should be ahead, of success.
    pooled : bool
        Whether runs with one number on one instance are pairs, whatever it is.
    """
    if by == TIME:
        sample = sample._replace(same_puzzles=pooled or sample.same_puzzles)
        return _compare_times(sample, [first, second])
    if pooled:
        key = [*INSTANCE, "repetition"]
        shares = _side_by_side(sample.runs, _is_solved(sample.runs), [first, second], key)
        return Pair(len(shares), "pairs of runs", inference.paired_success(*shares.T))
    rates = [solved_of(sample, name).rate for name in (first, second)]
    if not all(rate.n for rate in rates):
        unit = "runs" if sample.same_puzzles else "instances"
        return Pair(0, unit, Result(np.nan, np.nan, "h"))
    test = _independent_success if sample.same_puzzles else _paired_success
    pair = test(sample, [first, second])
    # Runs of two on the same instances count as independent: these limits are rather too wide.
    low, high = inference.h_interval(rates[:1], rates[1:], ALPHA)
    return replace(pair, is_small=bool(high < ahead), is_no_worse=bool(low > -MARGIN))


def solved_by_both(sample: Sample) -> Sample:
    """The runs on instances on which all runs of all variants were solved.

    On the paper's own puzzles: the runs of repetitions that all variants solved.
    """
    key = [sample.runs[name] for name in INSTANCE + ["repetition"] * sample.same_puzzles]
    return sample._replace(runs=sample.runs[_is_solved(sample.runs).groupby(key).transform("all")])


def _independent_success(sample, variants):
    from statsmodels.stats.proportion import confint_proportions_2indep

    solved = [_is_solved(_of_variant(sample, name)) for name in variants]
    counts = [number for each in solved for number in (int(each.sum()), len(each))]
    interval = confint_proportions_2indep(*counts, method="newcomb")
    n = min(map(len, solved))
    return Pair(n, "runs", inference.two_rates(*counts), low=interval[0], high=interval[1])


def _paired_success(sample, variants):
    shares = _side_by_side(sample.runs, _is_solved(sample.runs), variants, INSTANCE)
    test, n = inference.paired_success(*shares.T), len(shares)
    low, high = around_mean(shares[:, 0] - shares[:, 1], -1.0, 1.0)
    return Pair(n, "instances", test, low=low, high=high)


def _compare_times(sample, variants):
    """Pairs of an instance, on the paper's own puzzles of a run: they ran side by side.

    A pair without a solved run says nothing. What repeats of one run vary by is no difference.
    """
    runs, key = sample.runs, INSTANCE + ["repetition"] * sample.same_puzzles
    unit = "pairs of runs" if sample.same_puzzles else "instances"
    times = _side_by_side(runs, pd.Series(times_of(runs), runs.index), variants, key)
    solved = _side_by_side(runs, _is_solved(runs), variants, key).any(axis=1)
    spreads = _side_by_side(runs, runs["spread_s"], variants, key).max(axis=1, initial=0.0)
    savings = (times[:, 1] - times[:, 0])[solved]
    savings[np.abs(savings) < spreads[solved]] = 0
    n, test = len(savings), inference.signed_rank(savings)
    if not n:
        return Pair(0, unit, test)
    ahead = float((savings > 0).mean() + (savings == 0).mean() / 2)
    low, high = inference.exact_limits(ahead, n, ALPHA)
    is_small, is_no_worse = bool(high < FASTER_SHARE), bool(low > 1 - FASTER_SHARE)
    return Pair(n, unit, test, ahead, is_small, is_no_worse)


def _side_by_side(runs, values, variants, key):
    """Means of a value for each `key` that two variants have run on, shape (n, 2)."""
    means = values.groupby([runs[name] for name in ("variant", *key)]).mean()
    return means.unstack("variant").reindex(columns=variants).dropna().to_numpy(float)


def _of_variant(sample, variant):
    return sample.runs[sample.runs["variant"] == variant]


def times_of(runs: pd.DataFrame) -> np.ndarray:
    """CPU seconds, in which a failure counts as its limit, also where steps ended it earlier."""
    return inference.at_limit(runs["cpu_s"], _is_solved(runs), runs["limit_s"])


def _is_solved(runs):
    return runs["status"] == SOLVED


def duration(time: float) -> str:
    """A time in the unit that suits it, for people."""
    time = float(f"{time:.3g}")  # 999.9 µs are 1 ms
    for factor, unit in ((1, "s"), (1e3, "ms")):
        if time * factor >= 1:
            return f"{time * factor:.3g} {unit}"
    return f"{time * 1e6:.3g} µs"


def around_mean(
    values: np.ndarray, least: float = -np.inf, greatest: float = np.inf
) -> tuple[float, float]:
    """95 % confidence interval of a mean, from t, within what the values can be."""
    from scipy.stats import ttest_1samp

    if len(values) < 2 or not np.ptp(values):
        return (values.mean(), values.mean()) if len(values) else (np.nan, np.nan)
    interval = ttest_1samp(values, 0).confidence_interval(statistics.CONFIDENCE)
    return max(float(interval.low), least), min(float(interval.high), greatest)

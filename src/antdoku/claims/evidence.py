"""What runs say for or against a claim: samples of them, counts, pairs of variants, and evidence.

A verdict is chosen last, in `antdoku.claims.verdicts`: evidence holds the two that are possible.
"""

from dataclasses import dataclass
from math import ceil, isfinite
from typing import NamedTuple

import numpy as np
import pandas as pd

from antdoku import inference, statistics
from antdoku.inference import Result
from antdoku.outcome import SOLVED
from antdoku.tables import summary

REPRODUCED = "reproduced"
PARTLY = "partly"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
VERDICTS = (REPRODUCED, PARTLY, NOT_REPRODUCED, UNDECIDED)

MARGIN = 0.4  # Cohen's h between rates: 20 points at one half, 4 at 0 or 100 %
SUCCESS, TIME = "success", "time"
INSTANCE = ["family", "instance_id"]  # columns that say on what a run was


class Sample(NamedTuple):
    """What a claim is tested on.

    Parameters
    ----------
    runs : DataFrame
        Runs (`record.COLUMNS`) on the instances that the claim is about, of the variants named.
    variants : tuple of str
        In the order of the claim; empty if it is about instances only.
    same_puzzles : bool
        Whether the instances are the paper's own. Then all runs are independent trials; else the
        instances are a sample of their kind, and the runs on one of them a cluster.
    n_missing : int
        Combinations of variant, order, fixed fraction, ... that the claim names and that have no
        run. A claim is undecided until there is none.
    n_unfinished : int
        Runs that ended, unsolved, before the work that the claim is about, by the guard in CPU
        seconds or by a limit that was set lower: they leave it undecided, too.
    """

    runs: pd.DataFrame
    variants: tuple[str, ...] = ()
    same_puzzles: bool = False
    n_missing: int = 0
    n_unfinished: int = 0


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
        How many of `unit` the test needs, rounded up; None if only first runs can tell, or if no
        number suffices.
    if_significant, if_not : str
        Verdicts, after whether p (corrected) is below `ALPHA`.
    low, high : float
        95 % confidence interval of the measurement, in the unit of the claim's figure.
    p, effect, measure : float, float, str
        As in `inference.Result`.
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

    def __post_init__(self):
        known = self.needed is not None and isfinite(self.needed)
        object.__setattr__(self, "needed", ceil(self.needed) if known else None)


def nothing(unit: str, needed: float | None, n: int = 0) -> Evidence:
    """Evidence of a test that has too little to test."""
    ours = "no runs" if n == 0 else f"{n} {unit}"
    return Evidence(ours, n, unit, needed, UNDECIDED, UNDECIDED)


# --- what runs say about a variant ---------------------------------------------------------------


@dataclass(frozen=True)
class Counts:
    """So many of n; `worth` is how many independent trials one of the n is worth."""

    found: int
    n: int
    unit: str
    worth: float = 1.0

    @property
    def effective(self) -> tuple[int, int]:
        """Both numbers in independent trials."""
        return round(self.found * self.worth), round(self.n * self.worth)

    def evidence(self, test: Result, needed: float) -> Evidence:
        """Evidence for a claim that this rate is another one, from which it differs by a `test`."""
        needed = needed / self.worth
        if not self.n:
            return nothing(self.unit, needed)
        close = abs(test.effect) <= MARGIN
        low, high = statistics.wilson(self.found * self.worth, self.n * self.worth)
        return Evidence(
            f"{100 * self.found / self.n:.3g} % ({self.found} of {self.n})",
            self.n,
            self.unit,
            needed,
            if_significant=PARTLY if close else NOT_REPRODUCED,
            if_not=UNDECIDED if self.n < needed else REPRODUCED if close else PARTLY,
            low=100 * float(low),
            high=100 * float(high),
            **test._asdict(),
        )


def count_solved(sample: Sample) -> Counts:
    """The solved runs; those on one instance of a sample are worth less than independent ones."""
    solved = _is_solved(sample.runs)
    n = len(solved)
    clusters = sample.runs.groupby(INSTANCE).ngroup()
    worth = inference.effective_n(solved, clusters) / n if n and not sample.same_puzzles else 1.0
    return Counts(int(solved.sum()), n, "runs", worth)


def instances_of(sample: Sample) -> pd.DataFrame:
    """One run of each instance, for what does not depend on the run."""
    return summary.instances(sample.runs, ["family"])


def par2_times(runs: pd.DataFrame) -> pd.Series:
    """PAR2 time of each instance, in seconds: mean of its runs, a failure at twice its limit."""
    limit_s = runs["limit_s"].fillna(runs["cpu_s"])  # steps alone limit it: what they take
    times = runs["cpu_s"].where(_is_solved(runs), statistics.PAR_FACTOR * limit_s)
    return times.groupby(runs["instance_id"]).mean()


def score(sample: Sample, variant: str, by: str) -> str:
    """Success rate or mean PAR2 time of a variant, for people."""
    runs = _of_variant(sample, variant)
    if by == SUCCESS:
        return f"{100 * _is_solved(runs).mean():.3g} %"
    return f"PAR2 {par2_times(runs).mean():.3g} s"


def scores(sample: Sample, first: str, second: str, by: str) -> str:
    """What `compare` compares, for people: independent times with their medians."""
    ours = f"{score(sample, first, by)} against {score(sample, second, by)}"
    if by == SUCCESS or not sample.same_puzzles:
        return ours
    samples = (_censored(_of_variant(sample, name)) for name in (first, second))
    medians = (_seconds(inference.median_time(*times)) for times in samples)
    return f"{ours}; medians {' and '.join(medians)}"


# --- two variants --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """Two variants compared; difference, standard error and interval are of success rates."""

    n: int
    unit: str
    test: Result
    difference: float = np.nan
    se: float = np.nan
    low: float = np.nan
    high: float = np.nan

    @property
    def missing(self) -> bool:
        """Whether there was nothing to compare."""
        return np.isnan(self.test.p)

    def evidence(self, ours: str, needed: float, if_better: str) -> Evidence:
        """Evidence for a claim that the first is better; `ours` are the `scores`."""
        return Evidence(
            ours,
            self.n,
            self.unit,
            needed,
            if_significant=if_better if self.test.effect > 0 else NOT_REPRODUCED,
            if_not=NOT_REPRODUCED if self.n >= needed else UNDECIDED,
            low=100 * self.low,
            high=100 * self.high,
            **self.test._asdict(),
        )


def compare(sample: Sample, first: str, second: str, by: str) -> Pair:
    """Compare two variants: by pairs on a sample of instances, else by independent runs.

    Parameters
    ----------
    first, second : str
        Variants of the sample.
    by : {"success", "time"}
    """
    if sample.same_puzzles:
        one, other = (_of_variant(sample, name) for name in (first, second))
        return (_independent_success if by == SUCCESS else _independent_times)(one, other)
    return (_paired_success if by == SUCCESS else _paired_times)(sample.runs, [first, second])


def _independent_success(one, other):
    from statsmodels.stats.proportion import confint_proportions_2indep

    n, m = len(one), len(other)
    counts = (_n_solved(one), n, _n_solved(other), m)
    test = inference.two_rates(*counts)
    if not n or not m:
        return Pair(0, "runs", test)
    rate, other_rate = counts[0] / n, counts[2] / m
    interval = confint_proportions_2indep(*counts, method="newcomb")
    error = np.sqrt(rate * (1 - rate) / n + other_rate * (1 - other_rate) / m)
    return Pair(min(n, m), "runs", test, rate - other_rate, error, *interval)


def _independent_times(one, other):
    test = inference.log_rank(*_censored(one), *_censored(other))
    n = _n_solved(one) + _n_solved(other) if len(one) and len(other) else 0
    return Pair(n, "solved runs", test)


def _paired_success(runs, variants):
    shares = _side_by_side(runs, _is_solved(runs), variants)
    test, n = inference.paired_success(*shares.T), len(shares)
    gains = shares[:, 0] - shares[:, 1]
    low, high = around_mean(gains)
    error = gains.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return Pair(n, "instances", test, gains.mean() if n else np.nan, error, low, high)


def _paired_times(runs, variants):
    times = _side_by_side(runs, pd.Series(_times(runs), runs.index), variants)
    savings = times[:, 1] - times[:, 0]
    # What repeats of one run vary by is no difference; a run timed once (spread 0) took longer.
    spreads = _side_by_side(runs, runs["spread_s"], variants).max(axis=1, initial=0.0)
    savings[np.abs(savings) < spreads] = 0
    return Pair(len(times), "instances", inference.signed_rank(savings))


def _side_by_side(runs, values, variants):
    """Means of a value on each instance that two variants have run on, shape (n, 2)."""
    means = values.groupby([runs[name] for name in ("variant", *INSTANCE)]).mean()
    return means.unstack("variant").reindex(columns=variants).dropna().to_numpy(float)


def _of_variant(sample, variant):
    return sample.runs[sample.runs["variant"] == variant]


def _censored(runs):
    """Times, and whether these runs were solved."""
    return _times(runs), _is_solved(runs).to_numpy()


def _times(runs):
    """CPU seconds, in which a failure counts as its limit, also where steps ended it earlier."""
    return inference.at_limit(runs["cpu_s"], _is_solved(runs), runs["limit_s"])


def _is_solved(runs):
    return runs["status"] == SOLVED


def _n_solved(runs):
    return int(_is_solved(runs).sum())


def _seconds(time):
    return f"{time:.3g} s" if np.isfinite(time) else "beyond the limit"


def around_mean(values: np.ndarray) -> tuple[float, float]:
    """95 % confidence interval of a mean, from t."""
    from scipy.stats import ttest_1samp

    if len(values) < 2 or not np.ptp(values):
        return (values.mean(), values.mean()) if len(values) else (np.nan, np.nan)
    interval = ttest_1samp(values, 0).confidence_interval(statistics.CONFIDENCE)
    return float(interval.low), float(interval.high)

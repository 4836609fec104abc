"""Claims about means: of a column over instances, of times, and of the times of several puzzles."""

from typing import Literal

import attrs
import numpy as np
import scipy

from antdoku import statistics
from antdoku.claims import STEPS
from antdoku.claims.evidence import (
    KINDS,
    Count,
    Evidence,
    Factor,
    Part,
    Percent,
    Positive,
    difference,
    nothing,
)
from antdoku.claims.kinds.rates import rate
from antdoku.claims.samples import RUN, SPEED, UNSOLVED, Sample, costs
from antdoku.columns import INSTANCE
from antdoku.statistics import ALPHA, DifferenceTest
from antdoku.tables import work
from antdoku.times import duration

MEAN_MARGIN = 0.05  # of the published mean
GAIN = "gain"  # cells that propagation fixes beyond the givens, in percent of the cells
SHARES = ("fixed_after_cp", "given_fraction")  # of the cells
OF_INSTANCES = (*SHARES, "mean_value_set_size", GAIN)
FEWEST_TIMES = 5  # that have a mean
STRONG_RHO = 0.8
CERTAIN = 1e-12  # p value without chance


@KINDS(
    "mean",
    0,
    1,
    of_instances=True,
    rule="""The mean of a column over instances agrees with the printed one within 5 % and rounding,
    or a margin that is stated: two one-sided t tests. reproduced: shown. not reproduced: shown to
    lie beyond the margin.""",
)
def mean(
    sample: Sample,
    column: Literal[OF_INSTANCES],
    value: float,
    decimals: int = 0,
    margin: float | None = None,
) -> Evidence:
    """Test whether the mean of a column over instances agrees with the printed one.

    Parameters
    ----------
    sample : Sample
    column : str
        One of `OF_INSTANCES`: a column of the runs, or `gain`, the cells that propagation fixes
        beyond the givens, in percent.
    value : float
        The printed mean.
    decimals : int
        The printed mean is rounded to so many. The margin is 5 % of it, and half of a last digit.
    margin : float, optional
        A margin around an exact value in place of that.
    """
    rows = sample.instances()
    rows = rows.assign(gain=100 * (rows["fixed_after_cp"] - rows["given_fraction"]))
    values = rows[column].to_numpy(float)
    if len(values) < 2:
        return nothing("instances", n=len(values))
    if margin is None:
        margin = MEAN_MARGIN * value + 0.5 * 10**-decimals
    off, sd = values.mean() - value, values.std(ddof=1) if np.ptp(values) else 0.0
    low, high = statistics.mean_interval(values)
    return Evidence(
        f"{values.mean():.2g} % of the cells" if column == GAIN else f"{values.mean():.3g}",
        len(values),
        "instances",
        p_for=statistics.mean_within(values, value - margin, value + margin),
        p_against=statistics.mean_beyond(values, value - margin, value + margin),
        low=low,
        high=high,
        effect=float(off / sd) if sd else np.nan,
        measure="d",
        printed=value,
        measured=float(values.mean()),
    )


@KINDS(
    "mean_time",
    1,
    one_of=("program", "step_s"),
    apart=(("percent", "spread"), ("percent", "deviation")),
    has_speed=True,
    rule="""The mean time of the solved runs, or its standard deviation, agrees with the printed one
    as far as the speed of the paper's program is known: two one-sided t tests of the logarithm
    against the factor of that speed. reproduced: shown to lie within the factor. not reproduced:
    shown to lie beyond it. With percent, the rate of solved runs and their mean time belong
    together: the rate agrees as for `rate`, and the time less what comes before the first step.
    reproduced: both are shown. not reproduced: the opposite of one is shown (corrected for the
    two). partly: one is shown, and the opposite of the other.""",
)
def mean_time(
    sample: Sample,
    seconds: Positive,
    of: Count,
    program: str | None = None,
    step_s: Positive | None = None,
    factor: Factor | None = None,
    spread: bool = False,
    deviation: Positive | None = None,
    percent: Percent | None = None,
    first_s: float = 0.0,
) -> Evidence:
    """Test whether the mean time of the solved runs agrees with the printed one.

    As in a mean over runs, an instance has the weight of its share of solved runs; instances are
    the sample (ratio estimator: Cochran, 1977), or runs on one puzzle. The printed mean is of `of`
    solved runs, or instances, which vary as ours do, or more if the printed deviation says so.

    Parameters
    ----------
    sample : Sample
    seconds : float
        The printed mean, or with `spread` the printed standard deviation of a run.
    of : int
        The number of units, solved, from which the printed number comes; with `percent` of all
        runs.
    program : str, optional
        The edition whose `published.work` has the speed and its factor.
    step_s, factor : float, optional
        Seconds of a step and the factor of that, in place of `program`.
    spread : bool
        Whether the printed number is a standard deviation.
    deviation : float, optional
        The standard deviation of a run that is printed beside the mean, in seconds.
    percent : float, optional
        The printed share of solved runs, which has to agree, too.
    first_s : float
        Seconds of the printed mean before the first step.
    """
    sample, margin = _timed(sample, program, step_s, factor)
    if percent is None:
        return _mean_time(sample, margin, seconds, of, spread, deviation)
    search_s = seconds - first_s
    timing = _mean_time(sample, margin, search_s, round(of * percent / 100))
    return _with_rate(timing, rate(sample, percent, of), percent, search_s, first_s)


def _mean_time(sample, margin, seconds, of, spread=False, deviation=None):
    """Test whether the mean time, or its deviation, lies within a margin of a logarithm."""
    times, weights = _times_of_solved(sample)
    n, unit = len(times), "solved runs" if sample.same_puzzles else "solved instances"
    if n < FEWEST_TIMES or not np.ptp(times):
        why = "our times are all equal: nothing says how others would vary"
        return nothing(unit, UNSOLVED, n, why if n >= FEWEST_TIMES else "")
    measure, error, relative = _deviation(sample) if spread else _mean_over_runs(times, weights)
    if deviation is not None:
        our_deviation, *_ = _deviation(sample)
        relative *= max(1.0, deviation / seconds / (our_deviation / measure))
    if sample.is_exact:
        error = relative = 0.0
    off = float(np.log(measure / seconds))
    reach = float(scipy.stats.t.isf((1 - statistics.CONFIDENCE) / 2, n - 1) * error)
    return Evidence(
        f"{duration(measure)}{sample.speed}",
        n,
        unit,
        *_within_factor(off, np.hypot(error, relative / np.sqrt(of)), margin, n),
        low=float(measure * np.exp(-reach)),
        high=float(measure * np.exp(reach)),
        effect=off,
        measure="log ratio",
        printed=seconds,
        measured=float(measure),
        besides="" if spread else _without_memory(sample.runs, seconds, margin),
    )


def _without_memory(runs, seconds, margin):
    """Return a warning if a search without memory has the printed mean, too; else an empty text.

    Such a search finds a solution with the same probability in each second. The share of runs that
    it solves before their limit determines the mean time of these runs.
    """
    share, limit_s = runs["solved"].mean(), runs["limit_s"].median()
    if share == 1 or np.isnan(limit_s):  # nothing ends the search but a solution
        return ""
    mean = limit_s * (1 / -np.log1p(-share) - (1 - share) / share)
    if abs(np.log(seconds / mean)) >= margin:
        return ""
    return f"a search without memory that solves as many takes {duration(mean)}: it agrees, too"


def _timed(sample, program, step_s, factor):
    """Return a sample with the seconds of the paper's program, and the margin of a logarithm."""
    if step_s is not None:
        return sample.in_steps(step_s, SPEED), np.log(factor)
    factors = work.at_points(sample.runs, program, "factor")
    return sample.at_speed_of(program), np.log(max(factors, default=1))


def _times_of_solved(sample):
    """Return mean times of the solved runs of each unit, and the weight of each, shape (n,)."""
    runs, unit = sample.runs, RUN if sample.same_puzzles else INSTANCE
    runs = runs.assign(time=runs["cpu_s"].where(runs["solved"]), share=runs["solved"].astype(float))
    means = runs.groupby(unit)[["time", "share"]].mean()
    solved = means[means["share"] > 0]
    return solved["time"].to_numpy(float), solved["share"].to_numpy(float)


def _mean_over_runs(times, weights):
    """Return a weighted mean, the standard error of its logarithm, and the relative deviation."""
    mean = np.average(times, weights=weights)
    residuals = weights * (times / mean - 1) / weights.mean()
    return mean, residuals.std(ddof=1) / np.sqrt(len(times)), times.std(ddof=1) / mean


def _deviation(sample):
    """Return the standard deviation of the solved runs, and two errors of its logarithm.

    The errors are the standard error, and the error of a single unit: a run, or an instance with
    all of its runs. By the jackknife. B. Efron, The Jackknife, the Bootstrap and Other Resampling
    Plans (1982).
    """
    runs = sample.runs[sample.runs["solved"]]
    off = runs["cpu_s"] - runs["cpu_s"].mean()
    keys = [runs[name] for name in (RUN if sample.same_puzzles else INSTANCE)]
    sums = off.groupby(keys).sum().to_numpy(float)
    squares = (off**2).groupby(keys).sum().to_numpy(float)
    sizes = off.groupby(keys).size().to_numpy(float)
    n_left, sum_left = sizes.sum() - sizes, sums.sum() - sums  # without one unit
    variances = (squares.sum() - squares - sum_left**2 / n_left) / (n_left - 1)
    logs = 0.5 * np.log(np.maximum(variances, np.finfo(float).tiny))
    n = len(sizes)
    error = np.sqrt((n - 1) / n * ((logs - logs.mean()) ** 2).sum())
    return float(off.std(ddof=1)), error, error * np.sqrt(n)


def _within_factor(off, error, margin, n):
    """Return the p values that a logarithm lies within a margin, and beyond it."""
    if not error:
        return (CERTAIN, 1.0) if abs(off) < margin else (1.0, CERTAIN)
    room = (margin - abs(off)) / error
    return float(scipy.stats.t.sf(room, n - 1)), float(min(1.0, 2 * scipy.stats.t.sf(-room, n - 1)))


def _with_rate(timing, success, percent, search_s, first_s):
    """Combine the evidence of a mean time and of a rate, which one row of the paper prints."""
    before = f" after the first {duration(first_s)}" if first_s else ""
    ours = f"{success.ours}; {timing.ours.partition(',')[0]} in the mean{before}"
    if np.isnan(timing.p_for):  # too few solved runs have a mean: success alone can be refuted
        timing = attrs.evolve(timing, p_for=1.0, p_against=1.0)
        ours = success.ours
    p_for = [success.p_for, timing.p_for]
    p_against = np.minimum(1, 2 * np.array([success.p_against, timing.p_against])).tolist()
    return attrs.evolve(
        success,
        ours=ours,
        p_for=max(p_for),
        p_against=min(p_against),
        p_partly=max(min(p_for), min(p_against)),
        within=success.within if timing.p_for < ALPHA else np.inf,
        parts=(
            Part("success", success.ours, f"{percent:g} %", p_for[0], p_against[0]),
            Part("mean time", timing.ours, duration(search_s), p_for[1], p_against[1]),
        ),
    )


@KINDS(
    "puzzle_times",
    1,
    rule="""The times of several puzzles compare with each other as the printed ones do. In order:
    Spearman's rank correlation. reproduced: significantly positive, and 0.8 or more. partly:
    significantly positive, and less. not reproduced: significantly below 0.8, and not significantly
    positive. By one factor, the factor between two machines: the logarithms of ours over the
    printed means spread by less than the logarithm of a stated factor (chi-squared tests of their
    standard deviation). reproduced: shown to be less. not reproduced: shown to be more, even
    without what the samples of runs add.""",
)
def puzzle_times(
    sample: Sample,
    times: dict[str, Positive],
    factor: Factor | None = None,
    of: Literal["median", "mean", "min", "max"] = "median",
    by: Literal["steps", "time"] = STEPS,
    runs: int = 0,
) -> Evidence:
    """Test whether puzzles take a variant times in the printed order, or proportional times.

    Parameters
    ----------
    sample : Sample
    times : dict
        The printed time of each puzzle, in seconds.
    factor : float, optional
        The margin of proportional mean times: the standard deviation of the logarithms of the
        ratios is less than the logarithm of `factor`. Without it the order is tested.
    of : {"median", "mean", "min", "max"}
        The times to rank: medians of all runs (a failure is endless), means of the solved runs, or
        the extremes that are expected of `runs` solved runs.
    by : {"steps", "time"}
        The unit of ours in an order. Equal numbers of steps are ties.
    runs : int
        How many runs of a puzzle are printed.
    """
    if factor is not None:
        return _one_factor(sample, times, runs, factor)
    return _in_order(_typical_costs(sample.runs, of, by, runs), times)


def _in_order(ours, times):
    """Test whether costs, by puzzle, come in the order of the printed times."""
    n, n_all = len(ours), len(times)
    if n < n_all:
        why = f"half of the runs or more fail on {n_all - n} of {n_all} puzzles: no median"
        return nothing("puzzles with a median", n=n, why=why)
    rank = scipy.stats.rankdata
    test = scipy.stats.pearsonr(rank(ours), rank([times[name] for name in ours.index]))
    rho = float(test.statistic)
    result = DifferenceTest(float(test.pvalue), rho, "rho")
    low, high = map(float, test.confidence_interval(statistics.CONFIDENCE))
    return difference(
        f"rho {rho:.2f}",
        n,
        "puzzles",
        result,
        p_for=result.p_ahead if rho >= STRONG_RHO else 1.0,
        p_against=_less_than(STRONG_RHO, rho, n),
        p_partly=result.p_ahead,
        low=low,
        high=high,
    )


def _typical_costs(runs, of, by, n):
    """Return the median, mean or expected extreme cost of each puzzle that has one.

    A puzzle has no median if half of the runs or more fail.
    """
    is_solved, puzzles = runs["solved"], runs["instance_id"]
    values = costs(runs, by)
    if of == "median":
        has_median = is_solved.groupby(puzzles).mean() > 0.5
        return values.groupby(puzzles).median()[has_median]
    solved = values[is_solved].groupby(puzzles[is_solved])
    return solved.mean() if of == "mean" else solved.agg(expected_extreme, of=of, n=n)


def expected_extreme(values, of: str, n: int) -> float:
    """Return the minimum or maximum ("min", "max") that is expected of n draws from values."""
    ordered = np.sort(values)[:: 1 if of == "min" else -1]
    p_beyond = np.linspace(1, 0, len(ordered) + 1) ** n  # that all draws lie beyond a value
    return float(ordered @ -np.diff(p_beyond))


def _less_than(bound, rho, n):
    """Return the p value that a correlation is less than a bound: Fisher's transformation."""
    z = (np.arctanh(bound) - np.arctanh(np.clip(rho, -1 + 1e-12, 1 - 1e-12))) * np.sqrt(n - 3)
    return float(min(1.0, 2 * scipy.stats.norm.sf(z)))


def _one_factor(sample, times, n_printed, factor):
    """Test whether one factor fits the printed mean times of all puzzles.

    The puzzles are a sample of puzzles. The spread of the logarithms includes the errors of both
    means, so it is rather too wide to be shown small; to be shown wide it must exceed the margin
    and these errors together.
    """
    solved = sample.runs[sample.runs["solved"]]
    rows = solved.groupby("instance_id")["cpu_s"].agg(["mean", "std", "size"])
    if {*rows.index[rows["size"] >= FEWEST_TIMES]} != {*times} or len(times) < 3:
        return nothing("puzzles with a mean", n=len(rows))
    printed = np.array([times[name] for name in rows.index])
    logs = np.log(rows["mean"] / printed)
    errors = (rows["std"] / rows["mean"]) ** 2 * (1 / rows["size"] + 1 / n_printed)
    n, variance, margin = len(logs), logs.var(ddof=1), np.log(factor) ** 2
    chi2 = scipy.stats.chi2(n - 1)
    least, most = np.exp([logs.min(), logs.max()])
    return Evidence(
        f"{np.exp(logs.mean()):.2g} times the printed ones ({least:.2g} to {most:.2g})",
        n,
        "puzzles",
        p_for=float(chi2.cdf((n - 1) * variance / margin)),
        p_against=float(chi2.sf((n - 1) * variance / (margin + errors.mean()))),
        effect=float(np.sqrt(variance)),
        measure="deviation of log ratios",
    )

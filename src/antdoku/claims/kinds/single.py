"""Claims about one variant, or about instances: rates, means, what is hard, and facts."""

from itertools import pairwise

import attrs
import numpy as np
import pandas as pd
import scipy

from antdoku import papers, statistics
from antdoku.claims import INSTANCES, STEPS, SUCCESS, TIME
from antdoku.claims.evidence import (
    SEVERAL,
    Evidence,
    Part,
    agreement,
    difference,
    fact,
    kind,
    nothing,
)
from antdoku.claims.samples import (
    INSTANCE,
    RUN,
    SPEED,
    UNSOLVED,
    Sample,
    duration,
    par2_times,
    percentage,
    times_at_limit,
)
from antdoku.papers import published
from antdoku.puzzle import named
from antdoku.statistics import ALPHA, Result

MEAN_MARGIN = 0.05  # of the published mean
A_FRACTION = "instances a fraction"
GAIN = "gain"  # what propagation fixes beyond the givens, in percent of the cells
FEWEST = 5  # times that have a mean
STEP = 0.05 + 1e-9  # between the fixed fractions of the papers
STRONG_RHO = 0.8
EARLY = 0.25  # of the work: what is solved later is compared with what is solved by then
FALLING = 2  # times as many solved in an early step as in a late one
CERTAIN = 1e-12  # p value of what chance has no part in


# --- rates, and facts that are counted ------------------------------------------------------------


@kind(
    1,
    about=SUCCESS,
    rule="""The share of solved runs agrees with the printed one within h = 0.4: 20 points at one
    half, 4 at 0 and 100 %. reproduced: shown at each place (a fixed fraction, a puzzle), or in the
    pool of all places where the paper's sentence pools them. not reproduced: shown to lie beyond
    the margin at one place (corrected for their number), or in the pool. Exact solvers on the
    paper's own instances leave nothing to chance.""",
)
def rate(
    sample: Sample,
    percent: float | dict[float, float],
    of: int | None = None,
    runs: int = 1,
    read_off: float = 0.0,
    pooled: bool = False,
    by: str = SUCCESS,
) -> Evidence:
    """Test whether the share of solved runs agrees with the printed one.

    Parameters
    ----------
    sample : Sample
    percent : float or dict
        The printed share, or one by fixed fraction.
    of, runs : int
        The printed share is of so many runs on each of `of` instances at a place. It is exact if
        `of` is None.
    read_off : float
        A share that is read off a figure is any within so many points: the nearest to ours.
    pooled : bool
        Whether the sentence of the paper is about all places together.
    by : {"success", "instances"}
        "instances" counts the instances that propagation alone solves, however runs on them end.
    """
    sample = sample.of_propagation() if by == INSTANCES else sample
    places = sample.places()
    if not places:
        return nothing(sample.unit)
    ours = {name: place.rate() for name, place in places.items()}
    printed = {name: place.printed(_of(percent, place), of, runs) for name, place in places.items()}
    pairs = {
        name: ([ours[name]], [_nearest(ours[name], printed[name], read_off / 100)])
        for name in places
    }
    evidence = agreement(*pairs.values())
    if pooled:
        whole = sample.rate(), sample.printed(percent, of and of * len(places), runs)
        evidence |= _of_pool(*whole, read_off / 100, evidence["p_against"])
    if not isinstance(percent, dict):  # else there are several shares
        evidence["low"], evidence["high"] = _interval(sample, ours)
    evidence["parts"] = _parts(sample, pairs) if len(places) > 1 else ()
    n = min(len(place.trials()) for place in places.values())
    unit = sample.unit
    if len(places) > 1:
        unit = "runs a puzzle" if sample.same_puzzles else A_FRACTION
    return Evidence(_shares(sample, pairs, percent), n, unit, **evidence)


def _of(percent, place):
    """Return the printed share at a place."""
    return percent[place.runs["fixed_fraction"].iloc[0]] if isinstance(percent, dict) else percent


def _of_pool(ours, printed, read_off, p_against):
    """Return what the test says of a pool, and `p_against` of its places.

    A place that is shown to lie beyond the margin refutes the claim, whatever the pool does.
    """
    pool = agreement(([ours], [_nearest(ours, printed, read_off)]))
    if p_against < ALPHA:
        return pool | {"p_for": 1.0, "p_against": p_against, "within": np.inf}
    return pool | {"p_against": min(pool["p_against"], p_against)}


def _parts(sample, pairs):
    """Return what the test says of each place alone."""
    parts = []
    for name, ((ours,), (printed,)) in pairs.items():
        test = agreement(([ours], [printed]))
        shares = percentage(ours.share), percentage(printed.share)
        parts.append(Part(sample.place_name(name), *shares, test["p_for"], test["p_against"]))
    return tuple(parts)


def _shares(sample, pairs, percent):
    """Return our shares in words: their mean, and the share farthest from the printed one."""
    shares, runs = sample.trials(), sample.runs["solved"]
    counts = f"{runs.sum()} of {len(runs)}"
    if len(shares) < len(runs):
        counts += f" runs, {len(shares)} {sample.unit}"
    if isinstance(percent, dict):
        return ", ".join(percentage(ours.share) for (ours,), _ in pairs.values()) + f" ({counts})"
    effects = {name: abs(statistics.cohens_h(*pair)) for name, pair in pairs.items()}
    farthest = max(effects, key=effects.get)
    if len(pairs) > 1 and effects[farthest]:
        share = percentage(pairs[farthest][0][0].share)
        counts += f"; {share} {sample.place_name(farthest)}"
    return f"{percentage(shares.mean())} ({counts})"


def _interval(sample, rates):
    """Return the 95 % interval of the share of all places, in percent."""
    share, n = sample.trials().mean(), sum(rate.n for rate in rates.values())
    low, high = statistics.wilson(share * n, n) if np.isfinite(n) else (share, share)
    return 100 * float(low), 100 * float(high)


def _nearest(ours, printed, read_off):
    """Return the rate nearest to ours among those that may have been printed, of as many trials."""
    share = np.clip(ours.share, printed.share - read_off, printed.share + read_off)
    return printed._replace(share=float(np.clip(share, 0, 1)))


@kind(
    0,
    1,
    about=INSTANCES,
    rule="Facts about puzzles are counted. reproduced: they hold. not reproduced: they do not.",
)
def count(
    sample: Sample,
    number: int | None = None,
    by: str = INSTANCES,
    puzzles: str = "",
    names: list[str] | None = None,
) -> Evidence:
    """Count whether a fact holds.

    So many, `number`, of the puzzles are solved without a step of search, or those called `names`
    and no others; with `by: success`, all are solved, by a variant that draws no random numbers, so
    that all runs on a puzzle end alike; of a collection of `puzzles`, each has so many solutions,
    by exact search, without runs.
    """
    others = []
    if puzzles:
        counts = {puzzle.name: puzzle.n_solutions for puzzle in named.find(puzzles)}
        holds = np.array([n == number for n in counts.values()])
        others = [f"{name} has {n} solutions" for name, n in counts.items() if n != number]
    elif by == SUCCESS:
        holds = sample.runs["solved"].groupby(sample.runs["instance_id"]).all()
    else:
        holds = sample.instances().set_index("instance_id")["trivial"]
    n, n_all = holds.sum(), len(holds)
    if not n_all:
        return nothing("puzzles")
    if names is not None:
        return _named_alone(holds, names)
    wanted = number if by == INSTANCES and not puzzles else n_all
    return fact("; ".join([f"{n} of {n_all}", *others]), n_all, "puzzles", n == wanted)


def _named_alone(holds, names):
    """Return whether something holds of the puzzles called `names`, and of no others."""
    there = [*holds.index[holds]]
    ours = f"{len(there)} of {len(holds)}: {', '.join(sorted(there)) or 'none'}"
    return fact(ours, len(holds), "puzzles", {*there} == {*names})


# --- means ----------------------------------------------------------------------------------------


@kind(
    0,
    1,
    about=INSTANCES,
    rule="""The mean of a column over instances agrees with the printed one within 5 % and rounding,
    or a margin that is stated: two one-sided t tests. reproduced: shown. not reproduced: shown to
    lie beyond the margin.""",
)
def mean(
    sample: Sample, column: str, value: float, decimals: int = 0, margin: float | None = None
) -> Evidence:
    """Test whether the mean of a column over instances agrees with the printed one.

    The column is one of the runs, or `gain`: what propagation fixes beyond the givens, in percent
    of the cells. The margin is 5 % of a value that is rounded to so many `decimals`, and rounding;
    or it is `margin`, around an exact value.
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
    ours = f"{values.mean():.2g} % of the cells" if column == GAIN else f"{values.mean():.3g}"
    return Evidence(
        ours,
        len(values),
        "instances",
        p_for=statistics.mean_within(values, value - margin, value + margin),
        p_against=statistics.mean_beyond(values, value - margin, value + margin),
        low=low,
        high=high,
        effect=float(off / sd) if sd else np.nan,
        measure="d",
    )


@kind(
    1,
    about=TIME,
    has_speed=True,
    rule="""The mean time of the solved runs, or its standard deviation, agrees with the printed one
    as far as the speed of the paper's program is known: two one-sided t tests of the logarithm
    against the factor of that speed. reproduced: shown to lie within the factor. not reproduced:
    shown to lie beyond it.""",
)
def mean_time(
    sample: Sample,
    seconds: float,
    of: int,
    program: str | None = None,
    step_s: float | None = None,
    factor: float | None = None,
    spread: bool = False,
    deviation: float | None = None,
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
        How many of the units of ours, solved, the printed number comes from.
    program : str, optional
        The edition whose `published.work` has the speed and its factor.
    step_s, factor : float, optional
        Seconds of a step and the factor of that, in place of `program`.
    spread : bool
        Whether the printed number is a standard deviation.
    deviation : float, optional
        The standard deviation of a run that is printed beside the mean, in seconds.
    """
    sample, margin = _timed(sample, program, step_s, factor)
    times, weights = _times_of_solved(sample)
    n, unit = len(times), "solved runs" if sample.same_puzzles else "solved instances"
    if n < FEWEST or not np.ptp(times):
        return nothing(unit, UNSOLVED, n)
    moments = _deviation(sample) if spread else _mean_over_runs(times, weights)
    measure, error, relative = moments
    if deviation is not None:
        own = _deviation(sample)[0] / measure
        relative *= max(1.0, deviation / seconds / own)
    error = 0.0 if sample.is_exact else error
    off = float(np.log(measure / seconds))
    total = np.hypot(error, 0.0 if sample.is_exact else relative / np.sqrt(of))
    reach = float(scipy.stats.t.isf((1 - statistics.CONFIDENCE) / 2, n - 1) * error)
    return Evidence(
        f"{duration(measure)}{sample.speed}",
        n,
        unit,
        *_within_factor(off, total, margin, n),
        low=float(measure * np.exp(-reach)),
        high=float(measure * np.exp(reach)),
        effect=off,
        measure="log ratio",
        besides="" if spread else _without_memory(sample.runs, seconds, margin),
    )


def _without_memory(runs, seconds, margin):
    """Return a warning if a search without memory has the printed mean, too; else an empty text.

    Such a search finds a solution with the same probability in each second. The share of runs that
    it solves before their limit determines the mean time of these runs.
    """
    share, limit_s = runs["solved"].mean(), runs["limit_s"].median()
    if share == 1:
        return ""
    mean = limit_s * (1 / -np.log1p(-share) - (1 - share) / share)
    if abs(np.log(seconds / mean)) >= margin:
        return ""
    return f"a search without memory that solves as many takes {duration(mean)}: it agrees, too"


def _timed(sample, program, step_s, factor):
    """Return a sample with the seconds of the paper's program, and the margin of a logarithm."""
    if step_s is not None:
        timed = sample.runs.assign(cpu_s=sample.runs["steps"] * step_s)
        return sample._replace(runs=timed, speed=SPEED), np.log(factor)
    points = sample.runs[["solver", "order", "fixed_fraction"]].drop_duplicates()
    works = [published.work(program, *point) for point in points.itertuples(index=False)]
    margin = np.log(max((work.factor for work in works), default=1))
    return sample.at_speed_of(program), margin


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
    """Return the standard deviation of the solved runs, and errors of its logarithm.

    The standard error, and that of a single unit: a run, or an instance with all of its runs. By
    the jackknife. B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans (1982).
    """
    runs = sample.runs[sample.runs["solved"]]
    off = runs["cpu_s"] - runs["cpu_s"].mean()
    keys = [runs[name] for name in (RUN if sample.same_puzzles else INSTANCE)]
    sums, squares, sizes = (
        values.groupby(keys).agg(how).to_numpy(float)
        for values, how in ((off, "sum"), (off**2, "sum"), (off, "size"))
    )
    rest, left = sizes.sum() - sizes, sums.sum() - sums  # without one unit
    variances = (squares.sum() - squares - left**2 / rest) / (rest - 1)
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


@kind(
    1,
    about=SUCCESS,
    has_speed=True,
    rule="""Tries and mean time of one row belong together: the rate of solved runs agrees as for
    `rate`, and the mean time as for `mean_time`, less what comes before the first step. reproduced:
    both are shown. not reproduced: the
    opposite of one is shown (corrected for the two). partly: one is shown, and the opposite of the
    other.""",
)
def rate_and_time(
    sample: Sample,
    percent: float,
    of: int,
    seconds: float,
    step_s: float,
    factor: float,
    first_s: float = 0.0,
) -> Evidence:
    """Test whether the share of solved runs and their mean time agree with the printed ones.

    The printed mean is of the solved ones of `of` runs; `first_s` of it comes before the first
    step. A step takes `step_s` seconds, known but for a factor.
    """
    success = rate(sample, percent, of)
    solved = round(of * percent / 100)
    search_s = seconds - first_s
    timing = mean_time(sample, search_s, solved, step_s=step_s, factor=factor)
    before = f" after the first {duration(first_s)}" if first_s else ""
    ours = f"{success.ours}; {timing.ours.partition(',')[0]} in the mean{before}"
    if np.isnan(timing.p_for):  # too few solved runs have a mean: success alone can be refuted
        timing, ours = attrs.evolve(timing, p_for=1.0, p_against=1.0), success.ours
    p_for = [success.p_for, timing.p_for]
    p_against = np.minimum(1, 2 * np.array([success.p_against, timing.p_against]))
    return attrs.evolve(
        success,
        ours=ours,
        p_for=max(p_for),
        p_against=float(p_against.min()),
        p_partly=float(max(min(p_for), p_against.min())),
        within=success.within if timing.p_for < ALPHA else np.inf,
        parts=(
            Part("success", success.ours, f"{percent:g} %", success.p_for, float(p_against[0])),
            Part("mean time", timing.ours, duration(search_s), timing.p_for, float(p_against[1])),
        ),
    )


# --- what falls, which instances are hard, and stagnation ----------------------------------------


@kind(
    1,
    about=SUCCESS,
    rule="""Success, or time, falls along a column. Success: tests of independent rates from each
    value to the next. Times: Spearman's rank correlation. reproduced: significantly lower, at each
    step. not reproduced: significantly higher at one (corrected for their number).""",
)
def falls(
    sample: Sample, along: str = "order", by: str = SUCCESS, program: str | None = None
) -> Evidence:
    """Test whether success, or time, falls along a column of the runs.

    Success falls at each step from a value of the column to the next (intersection-union test).
    Times are those of instances, each with the mean of its runs.
    """
    unit = "instances"
    groups = [sample._replace(runs=runs) for _, runs in sample.runs.groupby(along)]
    if len(groups) < 2:
        return nothing(unit)
    n = min(len(group.trials()) for group in groups)
    if by == TIME:
        return _times_fall(sample.at_speed_of(program), along, n, unit)
    rates = [group.rate() for group in groups]
    tests = [statistics.rates_differ(*pair) for pair in pairwise(rates)]
    weakest = min(tests, key=lambda test: test.effect)
    higher = min(test.p if test.effect < 0 else 1.0 for test in tests)
    return Evidence(
        " > ".join(percentage(rate.share) for rate in rates),
        n,
        unit,
        p_for=max(test.p if test.effect > 0 else 1.0 for test in tests),
        p_against=min(1.0, higher * len(tests)),
        is_difference=True,
        effect=weakest.effect,
        measure=weakest.measure,
    )


def _times_fall(sample, along, n, unit):
    """Test whether mean times of instances fall along a column: a rank correlation."""
    runs = sample.runs
    means = times_at_limit(runs).groupby([runs[along], runs["instance_id"]]).mean()
    test = scipy.stats.spearmanr(means.index.get_level_values(along), means)
    result = Result(float(test.pvalue), -float(test.statistic), "rho")
    first, last = means.groupby(level=0).mean().iloc[[0, -1]].map(duration)
    return difference(f"mean times from {first} to {last}{sample.speed}", n, unit, result)


@kind(
    1,
    SEVERAL,
    about=SUCCESS,
    rule="""These fixed fractions, or kinds of puzzles, are the hardest: Mann-Whitney tests against
    each other one. reproduced: significantly harder than each. partly: a fraction one step of 0.05
    away is significantly harder, and none further away. not reproduced: one further away is
    (corrected for their number). Of several variants or sizes: reproduced if shown of each, not
    reproduced if the opposite is shown of one (corrected for their number), partly if both are.""",
)
def hardest(
    sample: Sample,
    fixed_fraction: float | list[float] | None = None,
    family: str | list[str] | None = None,
    by: str = TIME,
    program: str | None = None,
) -> Evidence:
    """Test whether a fixed fraction, or several together, are the hardest; or so a kind of puzzles.

    Hardness is the PAR2 time of an instance over its runs, or the share that fails (`by` is "time"
    or "success"); ties count half. On the paper's own instances success rates are compared, since
    only the runs vary. Each variant and size is tested alone.
    """
    sample = sample.at_speed_of(program)
    along, wanted = ("family", family) if family else ("fixed_fraction", fixed_fraction)
    wanted = np.atleast_1d(wanted).tolist()
    cells = {
        cell: _hardest_in(sample._replace(runs=runs), along, wanted, by)
        for cell, runs in sample.runs.groupby(["variant", "order"])
    }
    if not cells or any(np.isnan(evidence.p_for) for evidence in cells.values()):
        return nothing(A_FRACTION)
    first, *others = cells.values()
    return _hardest_in_each(cells) if others else first


def _hardest_in(sample, along, wanted, by):
    """Test whether values of a column are the hardest for one variant at one size."""
    groups = {key: sample._replace(runs=runs) for key, runs in sample.runs.groupby(along)}
    if not {*wanted} < {*groups}:
        return nothing(A_FRACTION)
    here = sample._replace(runs=pd.concat([groups.pop(key).runs for key in wanted]))
    tests = {key: _harder(here, there, by) for key, there in groups.items()}
    opposite = {
        key: min(1.0, test.p * len(tests)) if test.effect < 0 else 1.0
        for key, test in tests.items()
    }
    is_near = {key: _is_near(key, wanted) for key in tests}
    far = min((p for key, p in opposite.items() if not is_near[key]), default=1.0)
    near = min((p for key, p in opposite.items() if is_near[key]), default=1.0)
    weakest = min(tests, key=lambda key: tests[key].effect)
    unit = f"instances a {'kind' if along == 'family' else 'fraction'}"
    return Evidence(
        _in_pairs(here, groups[weakest], wanted, weakest, tests[weakest], by),
        min(len(there.trials()) for there in groups.values()),
        unit.replace("instances", "runs") if sample.is_papers else unit,
        max(test.p if test.effect > 0 else 1.0 for test in tests.values()),
        far,
        p_partly=near if far >= ALPHA else 1.0,
        is_difference=True,
        effect=tests[weakest].effect,
        measure=tests[weakest].measure,
    )


def _is_near(key, wanted):
    """Return whether a fixed fraction is one step away from others; kinds of puzzles never are."""
    return not isinstance(key, str) and min(abs(key - other) for other in wanted) <= STEP


def _hardest_in_each(cells):
    """Combine the evidence of variants and sizes: of each, or of some and the opposite of others.

    Each part of what is shown of some, and each opposite, is corrected for the number of cells.
    """
    rows = [*cells.values()]
    p_for, p_against, p_near = np.array(
        [(row.p_for, row.p_against, row.p_partly) for row in rows]
    ).T
    of_one, against_one = (min(1.0, p.min() * len(rows)) for p in (p_for, p_against))
    near_one = min(1.0, p_near.min() * len(rows)) if against_one >= ALPHA else 1.0
    n_for, n_against = ((p < ALPHA).sum() for p in (p_for, p_against))
    weakest = rows[int(np.argmax(p_for))]
    return Evidence(
        f"shown in {n_for}, the opposite in {n_against} of {len(rows)} cases",
        min(row.n for row in rows),
        rows[0].unit,
        float(p_for.max()),
        float(against_one),
        p_partly=float(min(max(of_one, against_one), near_one)),
        is_difference=True,
        effect=weakest.effect,
        measure=weakest.measure,
        parts=tuple(_cell(*cell, row) for cell, row in cells.items()),
    )


def _cell(variant, order, row):
    """Return what the evidence of a variant at one size shows alone."""
    ours = row.ours.replace("; ", ", ")  # parts are parted so
    return Part(f"{variant} at {order**2}x{order**2}", ours, "", row.p_for, row.p_against)


def _harder(here, there, by):
    """Test whether the instances of one sample are harder than those of another."""
    if by == SUCCESS and here.from_archive:
        return statistics.rates_differ(there.rate(), here.rate())
    return statistics.earlier(_hardness(there, by), _hardness(here, by))


def _hardness(sample, by):
    """Return the hardness of each instance, shape (n,)."""
    runs = sample.runs
    hardness = par2_times(runs) if by == TIME else (~runs["solved"]).set_axis(runs["instance_id"])
    return hardness.groupby(level=0).mean()


def _in_pairs(here, there, wanted, other, test, by):
    """Return in words how the hardest fractions, or puzzles, compare with another one."""
    shares = [percentage(group.rate().share) for group in (here, there)]
    if isinstance(other, str):
        kinds = " and ".join(papers.puzzle_title(name) for name in wanted)
        text = f"{shares[0]} solved on {kinds}, {shares[1]} on {papers.puzzle_title(other)}"
    else:
        places = " to ".join(f"{100 * key:g}" for key in sorted({wanted[0], wanted[-1]}))
        text = f"{shares[0]} solved at {places} % fixed, {shares[1]} at {100 * other:g} %"
    if test.measure == "h":
        return text
    harder = "longer times" if by == TIME else "fewer solved"
    share = percentage((1 + test.effect) / 2)
    return f"{text}; {harder} at the first in {share} of pairs of instances"


@kind(
    1,
    about=TIME,
    rule="""A variant takes longer on these puzzles: Mann-Whitney test of the medians of their runs.
    reproduced: significantly longer. not reproduced: significantly shorter.""",
)
def slower_on(sample: Sample, puzzles: list[str], by: str = STEPS) -> Evidence:
    """Test whether a variant takes longer on some puzzles than on the others.

    A puzzle counts with the median of its runs, in steps or times, an unsolved one as endless.
    """
    medians = _costs(sample.runs, by).groupby(sample.runs["instance_id"]).median()
    is_slow = medians.index.isin(puzzles)
    test = statistics.earlier(medians[~is_slow], medians[is_slow])
    if np.isnan(test.p):
        return nothing("puzzles", n=len(medians))
    share = percentage((1 + test.effect) / 2)
    shown = duration if by == TIME else "{:,.6g} steps".format
    there, elsewhere = (shown(medians[chosen].median()) for chosen in (is_slow, ~is_slow))
    ours = f"longer in {share} of pairs of puzzles; medians {there} against {elsewhere}"
    return difference(ours, len(medians), "puzzles", test)


def _costs(runs, by):
    """Return the steps, or times, of runs; those of a failure are endless."""
    return runs["cpu_s" if by == TIME else "steps"].where(runs["solved"], np.inf)


@kind(
    1,
    about=TIME,
    rule="""Puzzles take a variant times in the printed order: Spearman's rank correlation.
    reproduced: significantly positive, and 0.8 or more. partly: significantly positive, and less.
    not reproduced: significantly below 0.8, and not significantly positive.""",
)
def correlation(
    sample: Sample, times: dict[str, float], of: str = "median", by: str = STEPS, runs: int = 0
) -> Evidence:
    """Test whether puzzles take a variant times in the printed order.

    Ours are the medians of the runs in steps, or in times, a failure as endless; or with `of` the
    means of the solved runs, or the minima or maxima that are expected of as many solved runs as
    the paper has (`runs`). Puzzles that no more than half of the runs solve have no median, and no
    rank among each other. Equal numbers of steps are ties.
    """
    is_solved = sample.runs["solved"]
    costs, puzzles = _costs(sample.runs, by), sample.runs["instance_id"]
    if of == "median":
        has_median = is_solved.groupby(puzzles).mean() > 0.5
        ours = costs.groupby(puzzles).median()[has_median]
    else:
        solved = costs[is_solved].groupby(puzzles[is_solved])
        ours = solved.mean() if of == "mean" else solved.agg(_expected, of=of, n=runs)
    n, n_all = len(ours), len(times)
    if n < n_all:
        why = f"half of the runs or more fail on {n_all - n} of {n_all} puzzles: no median"
        return nothing("puzzles with a median", n=n, why=why)
    rank = scipy.stats.rankdata
    test = scipy.stats.pearsonr(rank(ours), rank([times[name] for name in ours.index]))
    p, rho = float(test.pvalue), float(test.statistic)
    low, high = map(float, test.confidence_interval(statistics.CONFIDENCE))
    p_positive = p if rho > 0 else 1.0
    return Evidence(
        f"rho {rho:.2f}",
        n,
        "puzzles",
        p_positive if rho >= STRONG_RHO else 1.0,
        _less_than(STRONG_RHO, rho, n),
        p_partly=p_positive,
        is_difference=True,
        low=low,
        high=high,
        effect=rho,
        measure="rho",
    )


def _expected(values, of, n):
    """Return the minimum or maximum that is expected of n draws from values."""
    ordered = np.sort(values)[:: 1 if of == "min" else -1]
    shares = np.linspace(1, 0, len(ordered) + 1) ** n  # that all draws lie beyond
    return float(ordered @ -np.diff(shares))


def _less_than(bound, rho, n):
    """Return the p value that a correlation is less than a bound: Fisher's transformation."""
    z = (np.arctanh(bound) - np.arctanh(np.clip(rho, -1 + 1e-12, 1 - 1e-12))) * np.sqrt(n - 3)
    return float(min(1.0, 2 * scipy.stats.norm.sf(z)))


@kind(
    1,
    about=SUCCESS,
    rule="""Fewer runs are solved by a step after the first quarter of the work than before: exact
    test of two Poisson rates. reproduced: significantly fewer. not reproduced: significantly more,
    or significantly not fewer by a factor of 2.""",
)
def stagnates(sample: Sample) -> Evidence:
    """Test whether runs that have not been solved early stagnate.

    Solved runs for each step of all runs, in the first quarter of the work against the rest; search
    that does not stagnate has one rate on a puzzle (Hoos & Stützle, 2004). Exact conditional test
    of two Poisson rates (Przyborowski & Wilenski, 1940).
    """
    runs = sample.runs[~sample.runs["trivial"] & (sample.runs["limit_steps"] > 0)]
    split = (EARLY * runs["limit_steps"]).round()
    is_early = runs["steps"] <= split
    early, late = (int((runs["solved"] & when).sum()) for when in (is_early, ~is_early))
    at_risk = runs["steps"].clip(upper=split).sum(), (runs["steps"] - split).clip(lower=0).sum()
    if not early + late or not all(at_risk):
        return nothing("solved runs", UNSOLVED, early + late)
    odds = at_risk[0] / at_risk[1]
    halved = FALLING * odds / (1 + FALLING * odds)
    p_small = float(scipy.stats.binomtest(early, early + late, halved, "less").pvalue)
    ratio = (early + 0.5) / (late + 0.5) / odds
    p = float(scipy.stats.binomtest(early, early + late, odds / (1 + odds)).pvalue)
    test = Result(p, float(np.log(ratio)), "log ratio")
    ours = f"{early} solved in the first quarter of the work, {late} later; "
    ours += f"{ratio:.2g} times as many a step at first"
    return difference(ours, early + late, "solved runs", test, p_small)

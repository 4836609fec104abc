"""Tests of one variant: how much it solves, how long it takes, where it is slowest."""

import numpy as np

from antdoku import inference, published, statistics
from antdoku.claims.evidence import (
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    SUCCESS,
    TIME,
    UNDECIDED,
    Evidence,
    Sample,
    agreed,
    duration,
    median_times,
    nothing,
    par2_times,
    times_of,
)
from antdoku.claims.tests.parts import STEP, UNSOLVED, of_rates, timed_as
from antdoku.claims.tests.registry import named_test
from antdoku.inference import ALPHA, MARGIN, POWER, Rate
from antdoku.outcome import SOLVED

STRONG_RHO = 0.8
FEWEST = 5  # times that have a mean
EARLY = 0.25  # of the work: what is solved later is compared with what is solved by then
FALLING = 2  # times as many solved in an early step as in a late one


@named_test(1, of=SUCCESS)
def success_rate(
    sample: Sample, percent: float, of: int | None = None, read_off: float = 0.0
) -> Evidence:
    """The share of solved runs agrees with the published one: equivalence within h = 0.4.

    That is 20 points at one half, 4 at 0 and 100 %. The published share is of `of` runs, or exact.
    One that is read off a figure is any within `read_off` points: that which is nearest to ours.
    Of several places (fixed fractions, puzzles) it has to be shown at each.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different (after correction for the number of places). undecided: neither.
    """
    printed = Rate(percent / 100, of or np.inf)
    needed = inference.runs_to_agree((printed,), MARGIN)
    return of_rates(sample, printed, needed, read_off / 100)


@named_test(1, of=SUCCESS)
def hardest_at(sample: Sample, fixed_fraction: float, of: int, by: str = TIME) -> Evidence:
    """This fixed fraction is the hardest: Mann-Whitney tests against each of the others.

    Hardness is the PAR2 time of an instance over its runs, or the share of them that fails (`by` is
    "time" or "success"); `of` is the paper's number of instances at a fraction.

    reproduced: significantly harder than each. partly: a fraction one step of 0.05 away is
    significantly harder (after correction for their number), and none further away. not reproduced:
    one further away is. undecided: else.
    """
    measure, form = (par2_times, _par2) if by == TIME else (_unsolved, _solved)
    hardness = {key: measure(runs) for key, runs in sample.runs.groupby("fixed_fraction")}
    here = hardness.pop(fixed_fraction, None)
    if here is None or not hardness:
        return nothing("instances a fraction", of)
    tests = {key: inference.earlier(there, here) for key, there in hardness.items()}
    weakest = min(tests, key=lambda key: tests[key].effect)
    p = max(test.p if test.effect > 0 else 1.0 for test in tests.values())
    harder = [key for key, test in tests.items() if test.effect < 0 and test.p * len(tests) < ALPHA]
    is_near = all(abs(key - fixed_fraction) <= STEP for key in harder)
    there = hardness[weakest]
    return Evidence(
        f"{form(here.mean())} at {fixed_fraction:g}, {form(there.mean())} at {weakest:g}",
        min(map(len, [here, *hardness.values()])),
        "instances a fraction",
        of,
        if_significant=REPRODUCED,
        if_not=UNDECIDED if not harder else PARTLY if is_near else NOT_REPRODUCED,
        **tests[weakest]._replace(p=p)._asdict(),
    )


@named_test(1, of=TIME)
def mean_time(sample: Sample, seconds: float, program: str, of: int) -> Evidence:
    """The mean time of the solved runs agrees with the published one, as far as seconds are known.

    Ours are steps at the speed of the paper's `program`, known but for a factor (`published.work`).
    An instance counts once, with the mean of its solved runs; the published mean is of `of` which
    vary as ours do. Two one-sided t tests of the logarithm of the mean against that factor.

    reproduced: significantly within the factor. not reproduced: significantly beyond it. undecided:
    neither.
    """
    timed = timed_as(sample, program).runs
    runs = timed[timed["status"] == SOLVED]
    times = runs.groupby(["family", "instance_id"])["cpu_s"].mean().to_numpy(float)
    kinds = set(zip(timed["solver"], timed["order"]))
    margin = np.log(max((published.work(program, *kind).factor for kind in kinds), default=1))
    if len(times) < FEWEST or not np.ptp(times):
        needed = _means_to_agree(margin, 1, of)  # if times are exponential
        return nothing("solved instances", needed, len(times), UNSOLVED)
    return _of_mean_time(times, seconds, margin, of)


@named_test(1, of=TIME)
def slower_on(sample: Sample, puzzles: list[str]) -> Evidence:
    """A variant takes longer on these puzzles than on the others: Mann-Whitney test of puzzles.

    A puzzle counts with the median of its runs, in steps, an unsolved one as endless.

    reproduced: significantly longer. not reproduced: significantly shorter. undecided: else.
    """
    steps = sample.runs["steps"].where(sample.runs["status"] == SOLVED, np.inf)
    medians = steps.groupby(sample.runs["instance_id"]).median()
    is_slow = medians.index.isin(puzzles)
    test = inference.earlier(medians[~is_slow], medians[is_slow])
    if np.isnan(test.p):
        return nothing("puzzles", len(puzzles) + 1, len(medians))
    least, most = medians[is_slow].min(), medians[~is_slow].max()
    return Evidence(
        f"medians of at least {least:,.6g} steps there, at most {most:,.6g} elsewhere",
        len(medians),
        "puzzles",
        len(medians),
        if_significant=REPRODUCED if test.effect > 0 else NOT_REPRODUCED,
        if_not=UNDECIDED,
        **test._asdict(),
    )


@named_test(1, of=TIME)
def rank_correlation(sample: Sample, times: dict[str, float], of: str = "median") -> Evidence:
    """Puzzles take a variant times in the published order: Spearman's rank correlation.

    Ours are the medians of the runs, a failure at twice its limit; or with `of` the minima or
    maxima of the solved runs. Puzzles that no more than half of the runs solve have no median,
    and no rank among each other.

    reproduced: significantly positive, at least 0.8. partly: significantly positive, but less. not
    reproduced: not significantly positive, and significantly below 0.8. undecided: else, and where
    a puzzle has no time.
    """
    from scipy.stats import pearsonr, rankdata

    is_solved = (sample.runs["status"] == SOLVED).groupby(sample.runs["instance_id"]).mean() > 0.5
    ours = median_times(sample.runs)[is_solved] if of == "median" else _of_solved(sample.runs, of)
    n, needed = len(ours), len(times)
    if n < needed:
        return nothing("puzzles", needed, n)
    test = pearsonr(rankdata(ours), rankdata([times[name] for name in ours.index]))
    rho, interval = float(test.statistic), test.confidence_interval(statistics.CONFIDENCE)
    agrees = REPRODUCED if rho >= STRONG_RHO else PARTLY
    return Evidence(
        f"rho {rho:.2f}",
        n,
        "puzzles",
        needed,
        if_significant=agrees if rho > 0 else NOT_REPRODUCED,
        if_not=NOT_REPRODUCED if interval.high < STRONG_RHO else UNDECIDED,
        low=float(interval.low),
        high=float(interval.high),
        p=float(test.pvalue),
        effect=rho,
        measure="rho",
    )


@named_test(1, of=TIME)
def takes_at_least(sample: Sample, seconds: float) -> Evidence:
    """A variant takes so long on each puzzle, or longer: sign tests of the median run.

    reproduced: on each puzzle significantly. not reproduced: on one of them significantly less
    (after correction for their number). undecided: else.
    """
    from scipy.stats import binomtest

    runs = sample.runs.assign(longer=times_of(sample.runs) >= seconds)
    counts = runs.groupby("instance_id")["longer"].agg(["sum", "size"])
    needed = inference.pairs_to_reject()
    if counts.empty:
        return nothing("runs a puzzle", needed)
    p, less = (
        [binomtest(*row, alternative=side).pvalue for row in counts.to_numpy().tolist()]
        for side in ("greater", "less")
    )
    medians = median_times(sample.runs)
    return Evidence(
        f"medians {duration(medians.min())} … {duration(medians.max())}",
        int(counts["size"].min()),
        "runs a puzzle",
        needed,
        if_significant=REPRODUCED,
        if_not=NOT_REPRODUCED if min(less) * len(less) < ALPHA else UNDECIDED,
        p=max(p),
    )


@named_test(1, of=SUCCESS)
def stagnates(sample: Sample) -> Evidence:
    """Runs that have not been solved early stagnate: fewer are solved by a step than before.

    Solved runs for each step of all runs, in the first quarter of the work against the rest; search
    that does not stagnate has one rate on a puzzle (Hoos & Stützle, 2004). Exact conditional test
    of two Poisson rates (Przyborowski & Wilenski, 1940).

    reproduced: significantly lower in the rest. not reproduced: significantly higher, or
    significantly not lower by a factor of 2. undecided: else.
    """
    from scipy.stats import binomtest

    runs = sample.runs[~sample.runs["trivial"] & (sample.runs["limit_steps"] > 0)]
    split = (EARLY * runs["limit_steps"]).round()
    is_solved, is_early = runs["status"] == SOLVED, runs["steps"] <= split
    early, late = int((is_solved & is_early).sum()), int((is_solved & ~is_early).sum())
    at_risk = runs["steps"].clip(upper=split).sum(), (runs["steps"] - split).clip(lower=0).sum()
    needed = inference.runs_for_ratio(FALLING)
    if not early + late or not all(at_risk):
        return nothing("solved runs", needed, early + late, UNSOLVED)
    odds = at_risk[0] / at_risk[1]
    halved = FALLING * odds / (1 + FALLING * odds)
    is_small = binomtest(early, early + late, halved, "less").pvalue < ALPHA
    ratio = (early + 0.5) / (late + 0.5) / odds
    return Evidence(
        f"{early} solved in the first quarter, {late} in the rest, {ratio:.2g} times the rate",
        early + late,
        "solved runs",
        needed,
        if_significant=REPRODUCED if ratio > 1 else NOT_REPRODUCED,
        if_not=NOT_REPRODUCED if is_small else UNDECIDED,
        p=float(binomtest(early, early + late, odds / (1 + odds)).pvalue),
        effect=float(np.log(ratio)),
        measure="log ratio",
    )


def _of_solved(runs, statistic):
    """The least or greatest time of the solved runs on each puzzle."""
    return runs[runs["status"] == SOLVED].groupby("instance_id")["cpu_s"].agg(statistic)


def _of_mean_time(times, seconds, margin, of):
    """Evidence of a mean time that is to lie within a margin around another, as logarithms."""
    from scipy.stats import norm, t

    n, mean = len(times), times.mean()
    spread, off = times.std(ddof=1) / mean, float(np.log(mean / seconds))
    room = (margin - abs(off)) / (spread * np.sqrt(1 / n + 1 / of))
    reach = float(t.isf((1 - statistics.CONFIDENCE) / 2, n - 1) * spread / np.sqrt(n))
    return Evidence(
        duration(mean),
        n,
        "solved instances",
        _means_to_agree(margin, spread, of),
        low=float(mean * np.exp(-reach)),
        high=float(mean * np.exp(reach)),
        effect=off,
        measure="log ratio",
        to_decide=_enough((margin - abs(off)) / spread / norm.isf(ALPHA), of),
        **agreed(float(t.sf(room, n - 1)), bool(t.sf(-room, n - 1) < ALPHA), different=True),
    )


def _means_to_agree(margin, spread, of):
    """How many show with power that their mean is within a margin, if it is as published."""
    from scipy.stats import norm

    return _enough(margin / spread / (norm.isf(ALPHA) + norm.isf((1 - POWER) / 2)), of)


def _enough(error, of):
    """How many bring the error of a mean of so many, and of `of` more, down; infinite if none."""
    rest = error**2 - 1 / of
    return 1 / rest if rest > 0 else np.inf


def _unsolved(runs):
    """Share of the runs on each instance that fail."""
    return (runs["status"] != SOLVED).groupby(runs["instance_id"]).mean()


def _solved(share):
    return f"{100 * (1 - share):.3g} % solved"


def _par2(time):
    return f"PAR2 {duration(time)}"

"""Claims about one variant: which instances are hard for it, and whether it stagnates."""

import numpy as np

from antdoku import inference, statistics
from antdoku.claims.evidence import (
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    SUCCESS,
    TIME,
    UNDECIDED,
    Evidence,
    Sample,
    duration,
    median_times,
    nothing,
    par2_times,
)
from antdoku.claims.kinds.parts import STEP, UNSOLVED
from antdoku.claims.kinds.registry import kind
from antdoku.inference import ALPHA
from antdoku.outcome import SOLVED

STRONG_RHO = 0.8
EARLY = 0.25  # of the work: what is solved later is compared with what is solved by then
FALLING = 2  # times as many solved in an early step as in a late one


@kind(1, of=SUCCESS)
def hardest(sample: Sample, fixed_fraction: float, of: int, by: str = TIME) -> Evidence:
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


@kind(1, of=TIME)
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


@kind(1, of=TIME)
def correlation(sample: Sample, times: dict[str, float], of: str = "median") -> Evidence:
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
    ours = median_times(sample.runs)[is_solved]
    if of != "median":
        of_solved = sample.runs[sample.runs["status"] == SOLVED].groupby("instance_id")
        ours = of_solved["cpu_s"].agg(of)
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


@kind(1, of=SUCCESS)
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
    needed = inference.to_differ(np.log(FALLING), 2)
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


def _unsolved(runs):
    """Share of the runs on each instance that fail."""
    return (runs["status"] != SOLVED).groupby(runs["instance_id"]).mean()


def _solved(share):
    return f"{100 * (1 - share):.3g} % solved"


def _par2(time):
    return f"PAR2 {duration(time)}"

"""Claims about one variant, or about instances: rates, means, what is hard, and facts."""

from itertools import pairwise

import numpy as np
import pandas as pd
import scipy

from antdoku import papers, statistics
from antdoku.claims import INSTANCES, NOT_REPRODUCED, PARTLY, REPRODUCED, SUCCESS, TIME, UNDECIDED
from antdoku.claims.evidence import Evidence, agreed, agreement, difference, kind, nothing
from antdoku.claims.samples import (
    INSTANCE,
    UNSOLVED,
    Sample,
    duration,
    par2_times,
    percentage,
    times_at_limit,
)
from antdoku.papers import published
from antdoku.puzzle import named
from antdoku.statistics import ALPHA, MARGIN, Rate, Result

MEAN_MARGIN = 0.05  # of the published mean
A_FRACTION = "instances a fraction"
GAIN = "gain"  # what propagation fixes beyond the givens, in percent of the cells
FEWEST = 5  # times that have a mean
STEP = 0.05 + 1e-9  # between the fixed fractions of the papers
STRONG_RHO = 0.8
EARLY = 0.25  # of the work: what is solved later is compared with what is solved by then
FALLING = 2  # times as many solved in an early step as in a late one


# --- rates, and facts that are counted ------------------------------------------------------------


@kind(1, about=SUCCESS)
def rate(
    sample: Sample,
    percent: float | dict[float, float],
    of: int | None = None,
    runs: int = 1,
    read_off: float = 0.0,
) -> Evidence:
    """The share of solved runs agrees with the published one: equivalence within h = 0.4.

    That is 20 points at one half, 4 at 0 and 100 %. The published share is of `runs` on each of
    `of` instances at a place (a fixed fraction, a puzzle), or exact. One that is read off a figure
    is any within `read_off` points: that which is nearest to ours. Of several places it has to be
    shown at each; they have one share, or one by fixed fraction. Of exact solvers on the paper's
    own instances both shares are exact.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different (after correction for the number of places). undecided: neither.
    """
    places, is_by_fraction = sample.places(), isinstance(percent, dict)
    if not places:
        share = min(percent.values()) if is_by_fraction else percent
        rates = (Rate(share / 100, of or np.inf),)
        return nothing(sample.unit, statistics.runs_to_agree(rates, MARGIN))
    ours, printed, pairs = {}, [], {}
    for name, place in places.items():
        share = percent[place.runs["fixed_fraction"].iloc[0]] if is_by_fraction else percent
        ours[name] = place.rate()
        printed.append(place.printed(share, of, runs))
        pairs[name] = [ours[name]], [_nearest(ours[name], printed[-1], read_off / 100)]
    fewest = min(printed, key=lambda rate: rate.n)
    needed = None if sample.is_exact else statistics.runs_to_agree((fewest,), MARGIN)
    found = agreement(*pairs.values())
    if not is_by_fraction:  # else there are several shares
        found["low"], found["high"] = _interval(sample, ours)
    shares = sample.trials()
    text = f"{percentage(shares.mean())} ({sample.runs['solved'].sum()} of {len(sample.runs)}"
    if len(shares) < len(sample.runs):
        text += f" runs, {len(shares)} {sample.unit}"
    if len(places) == 1:
        return Evidence(f"{text})", len(shares), sample.unit, needed, **found)
    farthest = max(pairs, key=lambda name: abs(statistics.cohens_h(*pairs[name])))
    if is_by_fraction:
        text = ", ".join(percentage(rate.share) for rate in ours.values())
        text += f" ({sample.runs['solved'].sum()} of {len(sample.runs)}"
    elif found["effect"]:
        text += f"; {percentage(ours[farthest].share)} {_place(sample, farthest)}"
    unit = "runs a puzzle" if sample.same_puzzles else A_FRACTION
    n = min(len(place.trials()) for place in places.values())
    return Evidence(f"{text})", n, unit, needed, **found)


def _interval(sample, rates):
    """Return the 95 % interval of the share of all places, in percent."""
    share, n = sample.trials().mean(), sum(rate.n for rate in rates.values())
    low, high = statistics.wilson(share * n, n) if np.isfinite(n) else (share, share)
    return 100 * float(low), 100 * float(high)


def _place(sample, place):
    """Return a puzzle or a family of random instances as readers know it."""
    if sample.same_puzzles:
        return f"on {papers.puzzle_title(place)}"
    row = sample.runs[sample.runs["family"] == place].iloc[0]
    size = row["order"] ** 2
    return f"at {size}x{size}, {100 * row['fixed_fraction']:g} % fixed"


def _nearest(ours, printed, read_off):
    """Return the rate nearest to ours among those that may have been printed, of as many trials."""
    share = np.clip(ours.share, printed.share - read_off, printed.share + read_off)
    return printed._replace(share=float(np.clip(share, 0, 1)))


@kind(1, about=INSTANCES)
def trivial_from(sample: Sample, fixed_fraction: float, of: int) -> Evidence:
    """Propagation alone solves instances from this fixed fraction on, and none below.

    Trivial is what the variant, with the propagation that it has, solves without a step of search.
    At each fraction below, the share of trivial instances agrees with the paper's, none of `of`:
    equivalence within h = 0.4 (4 %).

    reproduced: significantly within the margin at each, and some are trivial at the fraction
    itself. not reproduced: beyond it at one of them, and significantly more than none there (after
    correction for their number). undecided: else.
    """
    table = sample.instances().groupby("fixed_fraction")["trivial"].agg(["sum", "size"])
    below = table[table.index < fixed_fraction]
    needed = None if sample.from_archive else statistics.runs_to_agree((Rate(0.0, of),), MARGIN)
    if below.empty or fixed_fraction not in table.index:
        return nothing(A_FRACTION, needed)
    # On the paper's own instances a count is exact.
    n, printed = (np.inf, Rate(0.0)) if sample.from_archive else (below["size"], Rate(0.0, of))
    shares = below["sum"] / below["size"]
    found = agreement(*(([Rate(*each)], [printed]) for each in zip(shares, shares * 0 + n)))
    n_here, of_here = table.loc[fixed_fraction]
    if not n_here and found["p"] < ALPHA:
        found |= {"if_significant": UNDECIDED, "if_not": UNDECIDED}
    n_below, of_below = below.sum()
    text = f"{n_below} of {of_below} below, {n_here} of {of_here} at {100 * fixed_fraction:g} %"
    return Evidence(text, int(below["size"].min()), A_FRACTION, needed, **found)


@kind(0, 1, about=INSTANCES)
def count(
    sample: Sample, number: int | None = None, by: str = INSTANCES, puzzles: str = ""
) -> Evidence:
    """Facts about puzzles are counted, and need no test.

    So many, `number`, of the puzzles are solved without a step of search; with `by: success`, all
    are solved, by a variant that draws no random numbers, so that all runs on a puzzle end alike;
    of a collection of `puzzles`, each has so many solutions, by exact search, without runs.

    reproduced: that is so. not reproduced: it is not.
    """
    others = []
    if puzzles:
        found = {puzzle.name: puzzle.n_solutions for puzzle in named.find(puzzles)}
        holds = np.array([n == number for n in found.values()])
        others = [f"{name} has {n} solutions" for name, n in found.items() if n != number]
    elif by == SUCCESS:
        holds = sample.runs["solved"].groupby(sample.runs["instance_id"]).all()
    else:
        holds = sample.instances()["trivial"]
    n, n_all = holds.sum(), len(holds)
    if not n_all:
        return nothing("puzzles", 1)
    wanted = number if by == INSTANCES and not puzzles else n_all
    verdict = REPRODUCED if n == wanted else NOT_REPRODUCED
    ours = "; ".join([f"{n} of {n_all}", *others])
    return Evidence(ours, n_all, "puzzles", n_all, verdict, verdict)


# --- means ----------------------------------------------------------------------------------------


@kind(0, about=INSTANCES)
def mean(
    sample: Sample, column: str, value: float, decimals: int = 0, margin: float | None = None
) -> Evidence:
    """The mean of a column over instances agrees with the published one: two one-sided t tests.

    The column is one of the runs, or `gain`: what propagation fixes beyond the givens, in percent
    of the cells. The margin is 5 % of a value that is rounded to so many `decimals`, and rounding;
    or it is given, around an exact value.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different from all that rounds to the published value. undecided: neither.
    """
    rows = sample.instances()
    rows = rows.assign(gain=100 * (rows["fixed_after_cp"] - rows["given_fraction"]))
    rounding = 0.5 * 10**-decimals if margin is None else 0.0
    margin = MEAN_MARGIN * value + rounding if margin is None else margin
    values = rows[column].to_numpy(float)
    n = len(values)
    if n < 2:
        return nothing("instances", 2, n)
    off, sd = values.mean() - value, values.std(ddof=1) if np.ptp(values) else 0.0
    nearest = value + np.clip(off, -rounding, rounding)
    differs = off and (not sd or scipy.stats.ttest_1samp(values, nearest).pvalue < ALPHA)
    p = statistics.mean_within(values, value - margin, value + margin)
    found = agreed(p, failed=abs(off) > margin and differs)
    found["low"], found["high"] = statistics.mean_interval(values)
    ours = f"{values.mean():.2g} % of the cells" if column == GAIN else f"{values.mean():.3g}"
    needed, d = max(statistics.to_agree(margin, sd), 2), float(off / sd) if sd else np.nan
    return Evidence(ours, n, "instances", needed, effect=d, measure="d", **found)


@kind(0, 1, about=INSTANCES)
def at_least(sample: Sample, value: float, column: str = "cpu_s", by: str = INSTANCES) -> Evidence:
    """The mean of a column over instances is no less than this at each fixed fraction: t tests.

    With `by: time`, runs take no less, in seconds, on each puzzle: sign tests of the median run.

    reproduced: significantly more at each. not reproduced: significantly less at one of them (after
    correction for their number). undecided: neither.
    """
    if by == TIME:
        return _takes_at_least(sample.runs, value)
    rows = sample.instances()
    places = {name: row.to_numpy(float) for name, row in rows.groupby("family")[column]}
    n = min(map(len, places.values()), default=0)
    if n < 2:
        return nothing(A_FRACTION, 2, n)
    p = max(statistics.mean_within(values, value, np.inf) for values in places.values())
    less = min(statistics.mean_within(values, -np.inf, value) for values in places.values())
    least = min(places, key=lambda name: places[name].mean())
    off, spread = abs(places[least].mean() - value), places[least].std(ddof=1)
    needed = max(statistics.to_agree(off, spread), 2) if off else None
    shown = percentage if column == "trivial" else "{:.3g}".format
    ours = f"{shown(rows[column].mean())} ({shown(places[least].mean())} {_place(sample, least)})"
    verdicts = agreed(p, failed=less * len(places) < ALPHA)
    return Evidence(ours, n, A_FRACTION, needed, **verdicts)


def _takes_at_least(runs, seconds):
    is_longer = times_at_limit(runs) >= seconds
    counts = is_longer.groupby(runs["instance_id"]).agg(["sum", "size"])
    needed = statistics.pairs_to_reject()
    if counts.empty:
        return nothing("runs a puzzle", needed)
    p, less = (
        [scipy.stats.binomtest(*row, alternative=side).pvalue for row in counts.to_numpy().tolist()]
        for side in ("greater", "less")
    )
    medians = par2_times(runs).groupby(level=0).median()
    ours = f"medians from {duration(medians.min())} to {duration(medians.max())} a puzzle"
    n = int(counts["size"].min())
    if_not = NOT_REPRODUCED if min(less) * len(less) < ALPHA else UNDECIDED
    return Evidence(ours, n, "runs a puzzle", needed, REPRODUCED, if_not, p=max(p))


@kind(1, about=INSTANCES)
def at_most(sample: Sample, seconds: float) -> Evidence:
    """Propagation takes no longer than this, in CPU seconds: a fact about trivial instances.

    reproduced: that is so on each. not reproduced: it is not.
    """
    times = sample.runs.loc[sample.runs["trivial"], "cpu_s"]
    if times.empty:
        return nothing("instances", 1)
    verdict = REPRODUCED if times.max() <= seconds else NOT_REPRODUCED
    ours = f"at most {duration(times.max())}"
    return Evidence(ours, len(times), "instances", 1, verdict, verdict)


@kind(1, about=TIME)
def mean_time(sample: Sample, seconds: float, program: str, of: int) -> Evidence:
    """The mean time of the solved runs agrees with the published one, as far as seconds are known.

    Ours are steps at the speed of the paper's `program`, known but for a factor (`published.work`).
    As in a mean over runs, an instance has the weight of its share of solved runs; instances are
    the sample (ratio estimator: Cochran, 1977). The published mean is of `of` which vary as ours
    do. Two one-sided t tests of the logarithm of the mean against that factor.

    reproduced: significantly within the factor. not reproduced: significantly beyond it. undecided:
    neither.
    """
    norm, t = scipy.stats.norm, scipy.stats.t
    sample = sample.at_speed_of(program)
    runs, kinds = sample.runs, {*zip(sample.runs["solver"], sample.runs["order"])}
    margin = np.log(max((published.work(program, *kind).factor for kind in kinds), default=1))
    runs = runs.assign(time=runs["cpu_s"].where(runs["solved"]), share=runs["solved"].astype(float))
    times, shares = runs.groupby(INSTANCE)[["time", "share"]].mean().to_numpy(float).T
    solved = times[shares > 0]
    n, unit = len(solved), "solved instances"
    if n < FEWEST or not np.ptp(solved):
        needed = statistics.to_agree(margin, 1, of=of)  # if times are exponential
        return nothing(unit, needed, n, UNSOLVED)
    mean = np.average(solved, weights=shares[shares > 0])
    printed, off = solved.std(ddof=1) / mean, float(np.log(mean / seconds))
    spread = np.nan_to_num(shares * (times / mean - 1) / shares.mean()).std(ddof=1)
    spread *= np.sqrt(n / len(times))  # of a solved instance
    room = (margin - abs(off)) / np.sqrt(spread**2 / n + printed**2 / of)
    found = agreed(float(t.sf(room, n - 1)), failed=t.sf(-room, n - 1) < ALPHA)
    reach = float(t.isf((1 - statistics.CONFIDENCE) / 2, n - 1) * spread / np.sqrt(n))
    found |= {"low": float(mean * np.exp(-reach)), "high": float(mean * np.exp(reach))}
    rest = ((margin - abs(off)) / norm.isf(ALPHA)) ** 2 - printed**2 / of  # if all stays so
    to_decide = spread**2 / rest if rest > 0 else np.inf
    found |= {"effect": off, "measure": "log ratio", "to_decide": to_decide}
    needed = statistics.to_agree(margin, printed, of=of)
    return Evidence(f"{duration(mean)}{sample.speed}", n, unit, needed, **found)


# --- what falls, which instances are hard, and stagnation ----------------------------------------


@kind(1, about=SUCCESS)
def falls(
    sample: Sample, along: str = "order", by: str = SUCCESS, program: str | None = None
) -> Evidence:
    """Success, or time, falls along a column of the runs.

    Success falls from each value of the column to the next: tests of independent rates, of which
    the largest p value counts. Times fall if their rank correlation with the column is negative
    (Spearman; an instance has the mean time of its runs).

    reproduced: significantly lower, at each step. not reproduced: significantly higher at one.
    undecided: else.
    """
    unit, needed = "instances", statistics.pairs_to_reject()
    sample = sample.at_speed_of(program)
    groups = {key: sample._replace(runs=runs) for key, runs in sample.runs.groupby(along)}
    if len(groups) < 2:
        return nothing(unit, needed)
    n = min(len(group.trials()) for group in groups.values())
    if by == TIME:
        runs = sample.runs
        means = times_at_limit(runs).groupby([runs[along], runs["instance_id"]]).mean()
        test = scipy.stats.spearmanr(means.index.get_level_values(along), means)
        found = Result(float(test.pvalue), -float(test.statistic), "rho")
        first, last = means.groupby(level=0).mean().iloc[[0, -1]].map(duration)
        ours = f"mean times from {first} to {last}{sample.speed}"
        return difference(ours, n, unit, needed, found)
    rates = [group.rate() for group in groups.values()]
    tests = [statistics.rates_differ(*pair) for pair in pairwise(rates)]
    weakest = min(tests, key=lambda test: test.effect)
    p = weakest.p if weakest.effect < 0 else max(test.p for test in tests)
    ours = " > ".join(percentage(rate.share) for rate in rates)
    return difference(ours, n, unit, needed, weakest._replace(p=p))


@kind(1, about=SUCCESS)
def hardest(
    sample: Sample,
    fixed_fraction: float | list[float],
    of: int,
    by: str = TIME,
    program: str | None = None,
) -> Evidence:
    """This fixed fraction, or these, are the hardest: Mann-Whitney tests (ties count half).

    Each other one is compared. Hardness is the PAR2 time of an instance over its runs, or the share
    that fails (`by` is "time" or "success"); `of` is the paper's number of instances at a fraction.

    reproduced: significantly harder than each. partly: a fraction one step of 0.05 away is
    significantly harder (after correction for their number), and none further away. not reproduced:
    one further away is. undecided: else.
    """
    runs = sample.at_speed_of(program).runs
    shares = runs.groupby(["fixed_fraction", *INSTANCE])["solved"].mean()
    solved = shares.groupby(level="fixed_fraction").mean()
    hard = par2_times(runs).to_numpy() if by == TIME else ~runs["solved"]
    means = runs.assign(hard=hard).groupby(["fixed_fraction", "instance_id"])["hard"].mean()
    hardness = dict(list(means.groupby(level="fixed_fraction")))
    wanted = np.atleast_1d(fixed_fraction).tolist()
    if not {*wanted} < {*hardness}:
        return nothing(A_FRACTION, of)
    here = pd.concat([hardness.pop(key) for key in wanted])
    tests = {key: statistics.earlier(there, here) for key, there in hardness.items()}
    weakest = min(tests, key=lambda key: tests[key].effect)
    p = max(test.p if test.effect > 0 else 1.0 for test in tests.values())
    harder = [key for key, test in tests.items() if test.effect < 0 and test.p * len(tests) < ALPHA]
    is_near = all(min(abs(key - each) for each in wanted) <= STEP for key in harder)
    if_not = UNDECIDED if not harder else PARTLY if is_near else NOT_REPRODUCED
    test = tests[weakest]._replace(p=p)._asdict()
    places = " to ".join(f"{100 * key:g}" for key in sorted({wanted[0], wanted[-1]}))
    what = "longer times" if by == TIME else "fewer solved"
    first, other = map(percentage, (solved[wanted].mean(), solved[weakest]))
    text = f"{first} solved at {places} % fixed, {other} at {100 * weakest:g} %; {what} at the "
    text += f"first in {percentage((1 + tests[weakest].effect) / 2)} of pairs of instances"
    n = min(map(len, hardness.values()))
    return Evidence(text, n, A_FRACTION, of, REPRODUCED, if_not, **test)


@kind(1, about=TIME)
def slower_on(sample: Sample, puzzles: list[str]) -> Evidence:
    """A variant takes longer on these puzzles: Mann-Whitney test (ties count half).

    A puzzle counts with the median of its runs, in steps, an unsolved one as endless.

    reproduced: significantly longer. not reproduced: significantly shorter. undecided: else.
    """
    steps = sample.runs["steps"].where(sample.runs["solved"], np.inf)
    medians = steps.groupby(sample.runs["instance_id"]).median()
    is_slow = medians.index.isin(puzzles)
    test = statistics.earlier(medians[~is_slow], medians[is_slow])
    if np.isnan(test.p):
        return nothing("puzzles", len(puzzles) + 1, len(medians))
    share = percentage((1 + test.effect) / 2)
    there, elsewhere = (f"{medians[so].median():,.6g}" for so in (is_slow, ~is_slow))
    ours = f"longer in {share} of pairs of puzzles; medians {there} against {elsewhere} steps"
    return difference(ours, len(medians), "puzzles", len(medians), test)


@kind(1, about=TIME)
def correlation(sample: Sample, times: dict[str, float], of: str = "median") -> Evidence:
    """Puzzles take a variant times in the published order: Spearman's rank correlation.

    Ours are the medians of the runs, a failure at twice its limit; or with `of` the minima or
    maxima of the solved runs. Puzzles that no more than half of the runs solve have no median,
    and no rank among each other.

    reproduced: significantly positive, at least 0.8. partly: significantly positive, but less. not
    reproduced: not significantly positive, and significantly below 0.8. undecided: else, and where
    a puzzle has no time.
    """
    runs = sample.runs
    has_median = runs["solved"].groupby(runs["instance_id"]).mean() > 0.5
    ours = par2_times(runs).groupby(level=0).median()[has_median]
    if of != "median":
        ours = runs[runs["solved"]].groupby("instance_id")["cpu_s"].agg(of)
    n, needed = len(ours), len(times)
    if n < needed:
        why = f"half of the runs or more fail on {needed - n} of {needed} puzzles: no median"
        return nothing("puzzles with a median", needed, n, why=why)
    rank = scipy.stats.rankdata
    test = scipy.stats.pearsonr(rank(ours), rank([times[name] for name in ours.index]))
    p, rho = float(test.pvalue), float(test.statistic)
    low, high = map(float, test.confidence_interval(statistics.CONFIDENCE))
    agrees = REPRODUCED if rho >= STRONG_RHO else PARTLY
    if_significant = agrees if rho > 0 else NOT_REPRODUCED
    if_not = NOT_REPRODUCED if high < STRONG_RHO else UNDECIDED
    found = {"low": low, "high": high, "p": p, "effect": rho, "measure": "rho"}
    return Evidence(f"rho {rho:.2f}", n, "puzzles", needed, if_significant, if_not, **found)


@kind(1, about=SUCCESS)
def stagnates(sample: Sample) -> Evidence:
    """Runs that have not been solved early stagnate: fewer are solved by a step than before.

    Solved runs for each step of all runs, in the first quarter of the work against the rest; search
    that does not stagnate has one rate on a puzzle (Hoos & Stützle, 2004). Exact conditional test
    of two Poisson rates (Przyborowski & Wilenski, 1940).

    reproduced: significantly lower in the rest. not reproduced: significantly higher, or
    significantly not lower by a factor of 2. undecided: else.
    """
    runs = sample.runs[~sample.runs["trivial"] & (sample.runs["limit_steps"] > 0)]
    split = (EARLY * runs["limit_steps"]).round()
    is_early = runs["steps"] <= split
    early, late = (int((runs["solved"] & when).sum()) for when in (is_early, ~is_early))
    at_risk = runs["steps"].clip(upper=split).sum(), (runs["steps"] - split).clip(lower=0).sum()
    needed = statistics.to_differ(np.log(FALLING), 2)
    if not early + late or not all(at_risk):
        return nothing("solved runs", needed, early + late, UNSOLVED)
    odds = at_risk[0] / at_risk[1]
    halved = FALLING * odds / (1 + FALLING * odds)
    is_small = scipy.stats.binomtest(early, early + late, halved, "less").pvalue < ALPHA
    ratio = (early + 0.5) / (late + 0.5) / odds
    p = float(scipy.stats.binomtest(early, early + late, odds / (1 + odds)).pvalue)
    test = Result(p, float(np.log(ratio)), "log ratio")
    ours = f"{early} solved in the first quarter of the work, {late} later; "
    ours += f"{ratio:.2g} times as many a step at first"
    if_not = NOT_REPRODUCED if is_small else UNDECIDED
    return difference(ours, early + late, "solved runs", needed, test, if_not)

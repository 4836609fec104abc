"""The named tests that decide the claims: runs in, evidence out.

Every test is a function of a `Sample` and of what the claim expects: keywords, the published
figures among them. It returns `Evidence`: what was measured, and which verdict follows if its p
value is significant, and which if not. Significance is judged by `antdoku.claims.verdicts`, after
Holm's correction over all claims of a paper. Too few runs make a verdict "undecided"; how many it
takes is always given.

A test that finds no difference does not prove that two rates agree. So "reproduced" also takes as
many runs as find a difference of `MARGIN` with 80 % power, or as many as the paper made if that is
less.
"""

from collections.abc import Callable
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from antdoku import inference, statistics
from antdoku.claims.evidence import (
    MARGIN,
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    SUCCESS,
    TIME,
    UNDECIDED,
    Counts,
    Evidence,
    Sample,
    around_mean,
    compare,
    count_solved,
    instances_of,
    nothing,
    par2_times,
    score,
    scores,
)
from antdoku.inference import ALPHA
from antdoku.puzzle import named
from antdoku.tables.summary import POINT

MEAN_MARGIN = 0.05  # of the published mean
GAIN_MARGIN = 0.02  # of the cells
STEP = 0.05 + 1e-9  # between the fixed fractions of the papers
LARGE_D = 0.8  # Cohen's d that paired times must be able to show
STRONG_RHO = 0.8
ENOUGH_FOR_5_PERCENT = 59  # 95 of 100 samples of so many hold one of a kind that makes up 5 %


class NamedTest(NamedTuple):
    """A test, and how many variants it compares (None: two or more)."""

    run: Callable[..., Evidence]
    n_variants: int | None


TESTS: dict[str, NamedTest] = {}


def _test(n_variants):
    """Enter a function among the named tests."""

    def enter(function):
        TESTS[function.__name__] = NamedTest(function, n_variants)
        return function

    return enter


# --- one variant ---------------------------------------------------------------------------------


@_test(1)
def success_rate(sample: Sample, percent: float, of: int | None = None) -> Evidence:
    """The share of solved runs is as published: Fisher's exact test against the paper's runs.

    Without their number `of`, the published share is taken as exact (binomial test).

    reproduced: neither significantly different nor by more than h = 0.4 (20 points at one half, 4
    at 0 and 100 %), in as many runs as find such a difference (or as the paper made). partly: one
    of the two. not reproduced: both. undecided: not significantly different, in too few runs.
    """
    counts = count_solved(sample)
    if of is None:
        test = inference.rate_against(*counts.effective, percent / 100)
    else:
        test = inference.two_rates(*counts.effective, round(percent * of / 100), of)
    return counts.evidence(test, min(inference.runs_for_effect(MARGIN, of), of or np.inf))


@_test(1)
def hardest_at(sample: Sample, fixed_fraction: float, of: int) -> Evidence:
    """This fixed fraction is the hardest: Mann-Whitney test against the hardest of the others.

    Hardness is the PAR2 time of an instance, over its runs; `of` is the paper's number of instances
    at a fraction.

    reproduced: significantly harder. partly: harder, but not significantly; or easier than a
    fraction one step of 0.05 away. not reproduced: easier than one further away. undecided: no
    significant difference, with fewer instances than the paper's.
    """
    hardness = {key: par2_times(runs) for key, runs in sample.runs.groupby("fixed_fraction")}
    here = hardness.pop(fixed_fraction, None)
    if here is None or not hardness:
        return nothing("instances", of)
    rival = max(hardness, key=lambda fraction: hardness[fraction].mean())
    there = hardness[rival]
    harder = here.mean() > there.mean()
    almost = PARTLY if harder or abs(rival - fixed_fraction) <= STEP else NOT_REPRODUCED
    n = min(len(here), len(there))
    return Evidence(
        f"PAR2 {here.mean():.3g} s at {fixed_fraction:g}, {there.mean():.3g} s at {rival:g}",
        n,
        "instances",
        of,
        if_significant=REPRODUCED if harder else almost,
        if_not=almost if n >= of else UNDECIDED,
        **inference.earlier(there, here)._asdict(),
    )


@_test(1)
def rank_correlation(sample: Sample, times: dict[str, float]) -> Evidence:
    """Puzzles take a variant times in the published order: Spearman's rank correlation with PAR2.

    reproduced: significantly positive, at least 0.8. partly: significantly positive, but less. not
    reproduced: not significantly positive. undecided: no runs on some of the puzzles, and not
    significant.
    """
    from scipy.stats import pearsonr, rankdata

    ours = par2_times(sample.runs).dropna()
    n, needed = len(ours), len(times)
    if n < 4:
        return nothing("puzzles", needed, n)
    test = pearsonr(rankdata(ours), rankdata([times[name] for name in ours.index]))
    rho, interval = float(test.statistic), test.confidence_interval(statistics.CONFIDENCE)
    agreement = REPRODUCED if rho >= STRONG_RHO else PARTLY
    return Evidence(
        f"rho {rho:.2f}",
        n,
        "puzzles",
        needed,
        if_significant=agreement if rho > 0 else NOT_REPRODUCED,
        if_not=NOT_REPRODUCED if n >= needed else UNDECIDED,
        low=float(interval.low),
        high=float(interval.high),
        p=float(test.pvalue),
        effect=rho,
        measure="rho",
    )


# --- two variants and more -----------------------------------------------------------------------


@_test(2)
def success_difference(sample: Sample, percents: list[float], of: int | None = None) -> Evidence:
    """The first variant solves more than the second, by the published difference.

    Exact McNemar test on the same instances (signed-rank with several runs on each), Fisher's exact
    test on the paper's own puzzles. The size is compared by a z test; the paper's two rates count
    as independent ones of `of` runs each, or as exact.

    reproduced: significantly more, by a difference that is not significantly another. partly:
    significantly more, by another difference. not reproduced: significantly less, or not
    significantly more in as many as find the published difference. undecided: not significantly
    more, in too few.
    """
    from scipy.stats import norm

    first, second = (percent / 100 for percent in percents)
    needed = inference.runs_for_rates(first, second)
    pair = compare(sample, *sample.variants, SUCCESS)
    if pair.missing:
        return nothing(pair.unit, needed)
    error = np.sqrt(pair.se**2 + (first * (1 - first) + second * (1 - second)) / (of or np.inf))
    same_size = abs(pair.difference - (first - second)) <= norm.ppf(1 - ALPHA / 2) * error + 1e-9
    ours = scores(sample, *sample.variants, SUCCESS)
    return pair.evidence(ours, needed, REPRODUCED if same_size else PARTLY)


@_test(2)
def faster(sample: Sample, times: list[float]) -> Evidence:
    """The first variant takes less time than the second; `times` are the published means.

    Wilcoxon signed-rank test on the same instances, of the mean times with failures at the limit;
    log-rank test on the paper's own puzzles. Published times are from other machines and of solved
    runs only, so only the direction is judged.

    reproduced: significantly faster. not reproduced: significantly slower, or no significant
    difference in as many as find a large one (d = 0.8; a ratio of hazards like that of the
    published means). undecided: no significant difference, in too few.
    """
    pair = compare(sample, *sample.variants, TIME)
    if sample.same_puzzles:
        needed = 2 * inference.solved_for_ratio(times[1] / times[0])
    else:
        needed = inference.values_for_mean(1, LARGE_D)
    if pair.missing:
        return nothing(pair.unit, needed)
    return pair.evidence(scores(sample, *sample.variants, TIME), needed, REPRODUCED)


@_test(None)
def ranking(
    sample: Sample, order: list[list[str]], gap: list[float] | None = None, by: str = SUCCESS
) -> Evidence:
    """Variants come in this order; those of one group are not compared.

    Each variant is compared with all of the next group, as in `success_difference` or `faster`. The
    order as a whole has the largest p value of these comparisons (intersection-union test).

    Parameters
    ----------
    gap : list of float, optional
        The closest two published percentages of neighbouring groups; not for times.
    by : {"success", "time"}

    reproduced: all comparisons significant, as claimed. partly: some of them (after Holm's
    correction among them). not reproduced: none. undecided: not all significant, in too few
    instances for the smallest published gap.
    """
    links = [link for groups in pairwise(order) for link in product(*groups)]
    pairs = [compare(sample, better, worse, by) for better, worse in links]
    needed = _for_gap(gap)
    n, unit = min(pair.n for pair in pairs), pairs[0].unit
    if any(pair.missing for pair in pairs):
        return nothing(unit, needed)
    right = np.array([pair.test.effect > 0 for pair in pairs])
    p = np.array([pair.test.p for pair in pairs])
    some = (right & (statistics.holm(p) < ALPHA)).any()
    weakest = int(np.argmax(np.where(right, p, 1 + p)))
    ours = {name: score(sample, name, by) for group in order for name in group}
    return Evidence(
        " > ".join(", ".join(f"{name} {ours[name]}" for name in group) for group in order),
        n,
        unit,
        needed,
        if_significant=REPRODUCED,
        if_not=UNDECIDED if n < needed else PARTLY if some else NOT_REPRODUCED,
        **pairs[weakest].test._replace(p=float(p.max() if right.all() else 1))._asdict(),
    )


@_test(2)
def never_worse(sample: Sample, by: str, better_somewhere: bool = False) -> Evidence:
    """The first variant is worse than the second at no order and fixed fraction, beyond noise.

    At each the two are compared on the same instances, as in `success_difference` or `faster`, with
    Holm's correction over all of them. Times that differ by less than repeats of a run are ties.

    reproduced: nowhere significantly worse (and somewhere better, if the claim says so). partly:
    somewhere worse, but better at more places; or nowhere worse, but nowhere better either where
    the claim says so. not reproduced: somewhere worse, and better at no more places. undecided:
    nowhere significantly worse, with too few instances for the test to find anything.
    """
    cells = [
        compare(sample._replace(runs=runs), *sample.variants, by)
        for _, runs in sample.runs.groupby(POINT)
    ]
    cells = [cell for cell in cells if not cell.missing]
    n_places = len(cells) + sample.n_missing // len(sample.variants)
    needed = inference.pairs_to_reject(max(n_places, 1))
    if not cells:
        return nothing("instances a place", needed)
    effects, p = np.array([(cell.test.effect, cell.test.p) for cell in cells]).T
    p_holm = statistics.holm(p)
    worse = (effects < 0) & (p_holm < ALPHA)
    better = (effects > 0) & (p_holm < ALPHA)
    worst = int(np.argmin(np.where(effects < 0, p_holm, 2)))
    n = min(cell.n for cell in cells)
    kept = PARTLY if better_somewhere and not better.any() else REPRODUCED
    return Evidence(
        f"better at {better.sum()}, worse at {worse.sum()} of {len(cells)} places",
        n,
        "instances a place",
        needed,
        if_significant=PARTLY if better.sum() > worse.sum() else NOT_REPRODUCED,
        if_not=kept if n >= needed else UNDECIDED,
        p=float(p_holm[worst]) if (effects < 0).any() else 1.0,
        effect=float(effects.min()),
        measure=cells[worst].test.measure,
    )


# --- instances -----------------------------------------------------------------------------------


@_test(0)
def no_trivial_below(sample: Sample, fixed_fraction: float, of: int) -> Evidence:
    """Propagation alone solves instances from this fixed fraction on, and none below.

    Fisher's exact test of the trivial instances below, against none of `of` at each fraction.

    reproduced: not significantly more than none below, some at the fraction itself, and at each
    fraction enough instances (59) to hold a kind that makes up 5 %. partly: the first trivial
    instances one step of 0.05 off. not reproduced: further off. undecided: too few instances, and
    not significantly more than none below.
    """
    table = instances_of(sample).groupby("fixed_fraction")["trivial"].agg(["sum", "size"])
    table = table[table.index <= fixed_fraction + STEP]
    below = table[table.index < fixed_fraction]
    n = int(table["size"].min()) if len(below) and fixed_fraction in table.index else 0
    if not n:
        return nothing("instances a fraction", ENOUGH_FOR_5_PERCENT)
    found, tried = int(below["sum"].sum()), int(below["size"].sum())
    onset = table.index[table["sum"] > 0].min()
    if table.loc[fixed_fraction, "sum"]:
        kept = REPRODUCED
    else:
        kept = PARTLY if onset <= fixed_fraction + STEP else NOT_REPRODUCED
    return Evidence(
        f"{found} of {tried} below, {table.loc[fixed_fraction, 'sum']} at {fixed_fraction:g}",
        n,
        "instances a fraction",
        ENOUGH_FOR_5_PERCENT,
        if_significant=PARTLY if onset >= fixed_fraction - STEP else NOT_REPRODUCED,
        if_not=kept if n >= ENOUGH_FOR_5_PERCENT else UNDECIDED,
        **inference.two_rates(found, tried, 0, of * len(below))._asdict(),
    )


@_test(0)
def trivial_at_least(sample: Sample, percent: float) -> Evidence:
    """Propagation alone solves at least this share of the instances: exact binomial test.

    reproduced: neither significantly less nor by more than h = 0.4 (from 95 % to 84 %), in as many
    instances as find such a difference. partly: one of the two. not reproduced: both. undecided:
    not significantly less, in too few instances.
    """
    trivial = instances_of(sample)["trivial"]
    counts = Counts(int(trivial.sum()), len(trivial), "instances")
    test = inference.rate_against(*counts.effective, percent / 100, "less")
    shortfall = test._replace(effect=min(test.effect, 0.0))
    return counts.evidence(shortfall, inference.runs_for_effect(MARGIN, sides=1))


@_test(0)
def mean_value(sample: Sample, column: str, value: float, decimals: int) -> Evidence:
    """The mean of a column over instances rounds to the published one: t test.

    reproduced: not significantly outside the interval that rounds to the published value, in as
    many instances as find a deviation of 5 %. partly: significantly outside, but within 5 %. not
    reproduced: significantly outside, beyond 5 %. undecided: not significantly outside, in too few.
    """
    from scipy.stats import ttest_1samp

    values = instances_of(sample)[column].to_numpy()
    n = len(values)
    if n < 2:
        return nothing("instances", None, n)
    mean, sd = values.mean(), values.std(ddof=1) if np.ptp(values) else 0.0
    nearest = np.clip(mean, value - 0.5 * 10**-decimals, value + 0.5 * 10**-decimals)
    low, high = around_mean(values)
    p = ttest_1samp(values, nearest).pvalue if sd > 0 else float(mean == nearest)
    needed = inference.values_for_mean(sd, MEAN_MARGIN * value)
    close = abs(mean - value) <= MEAN_MARGIN * value
    return Evidence(
        f"{mean:.3g}",
        n,
        "instances",
        needed,
        if_significant=PARTLY if close else NOT_REPRODUCED,
        if_not=REPRODUCED if n >= needed else UNDECIDED,
        low=low,
        high=high,
        p=float(p),
        effect=float((mean - value) / sd) if sd > 0 else np.nan,
        measure="d",
    )


@_test(0)
def no_gain(sample: Sample) -> Evidence:
    """Propagation fixes no cells beyond the givens: test of equivalence (two one-sided t tests).

    "None" is 2 % of the cells in the mean, either way: with Bernoulli deletion the number of givens
    of an instance is not recorded, only what is expected.

    reproduced: significantly within 2 %. not reproduced: the 95 % interval of the mean gain lies
    beyond 2 %. partly: neither, in as many instances as show 2 %. undecided: neither, in fewer.
    """
    from statsmodels.stats.weightstats import DescrStatsW

    rows = instances_of(sample)
    gains = (rows["fixed_after_cp"] - rows["fixed_fraction"]).to_numpy()
    n = len(gains)
    if n < 2:
        return nothing("instances", None, n)
    low, high = around_mean(gains)
    needed = inference.values_for_mean(gains.std(ddof=1), GAIN_MARGIN)
    otherwise = PARTLY if n >= needed else UNDECIDED
    return Evidence(
        f"{100 * gains.mean():.2g} % of the cells",
        n,
        "instances",
        needed,
        if_significant=REPRODUCED,
        if_not=NOT_REPRODUCED if low > GAIN_MARGIN else otherwise,
        low=100 * low,
        high=100 * high,
        p=float(DescrStatsW(gains).ttost_mean(-GAIN_MARGIN, GAIN_MARGIN)[0]),
    )


@_test(0)
def n_solutions(sample: Sample, puzzles: str, solutions: int) -> Evidence:
    """Every puzzle of a collection has so many solutions: counted by exact search, no runs needed.

    reproduced: all have. not reproduced: one has not.
    """
    return _fact({row.name: row.n_solutions for row in named.find(puzzles)}, solutions)


@_test(0)
def n_clues(sample: Sample, puzzles: str, clues: int) -> Evidence:
    """Every puzzle of a collection has so many givens: counted, no runs needed.

    reproduced: all have. not reproduced: one has not.
    """
    rows = named.find(puzzles)
    return _fact({row.name: sum(sign not in ".0" for sign in row.puzzle) for row in rows}, clues)


# --- small parts ---------------------------------------------------------------------------------


def _fact(found, number):
    """Evidence that every puzzle has the same number of something; `found` has those of each."""
    other = [f"{name} has {value}" for name, value in found.items() if value != number]
    ours, verdict = f"{len(found) - len(other)} of {len(found)}", REPRODUCED
    if other:
        ours, verdict = "; ".join([ours, *other]), NOT_REPRODUCED
    return Evidence(ours, len(found), "puzzles", len(found), verdict, verdict)


def _for_gap(gap):
    """Instances that show the difference of two published percentages, or a large one of times."""
    if gap is None:
        return inference.values_for_mean(1, LARGE_D)
    return inference.runs_for_rates(gap[0] / 100, gap[1] / 100)

"""Claims about two variants and more: which one is ahead, and by how much."""

from itertools import chain, pairwise, product
from typing import Annotated, Literal, NamedTuple

import numpy as np
import scipy
from pydantic import Field

from antdoku import statistics
from antdoku.claims import STEPS, SUCCESS, TIME
from antdoku.claims.evidence import (
    KINDS,
    Count,
    Evidence,
    Pair,
    Part,
    Percents,
    Positive,
    agreement,
    difference,
    nothing,
)
from antdoku.claims.samples import RUN, UNSOLVED, Sample, costs, percentage, times_at_limit
from antdoku.columns import INSTANCE
from antdoku.statistics import ALPHA, MARGIN, DifferenceTest, Rate
from antdoku.times import duration

# Two groups of variants or more.
Groups = Annotated[list[Annotated[list[str], Field(min_length=1)]], Field(min_length=2)]
FASTER_SHARE = 0.65  # of pairs, if one variant is clearly the faster: Cohen's g of 0.15, medium


@KINDS(
    "compare",
    2,
    rule="""The first variant is better than the second. Success: McNemar's exact test on the same
    instances, the signed-rank test with several runs on each, Fisher's exact test on the paper's
    own puzzles. Times: signed-rank test of pairs that ran side by side. reproduced: significantly
    better; how much better is another claim. not reproduced: significantly worse, or significantly
    less than half as far ahead (in h) as printed, or faster in significantly less than 65 % of the
    pairs. With gap, two variants differ by as much as printed: Cohen's h between ours, less that
    between the printed ones, lies within 0.4. Times, where both solve: each is faster in less than
    65 % of the pairs. reproduced: shown to lie within the margin. not reproduced: shown to lie
    beyond it.""",
)
def compare(
    sample: Sample,
    by: Literal["success", "time", "steps"] = SUCCESS,
    percents: Percents | None = None,
    times: Pair | None = None,
    program: str | None = None,
    gap: bool = False,
    of: Count | None = None,
    runs: Count = 1,
) -> Evidence:
    """Test whether the first variant is better than the second, or as far ahead as printed.

    Parameters
    ----------
    sample : Sample
    by : {"success", "time", "steps"}
        In times and steps a failure counts as the limit; a pair without a solved run is left out,
        and a difference within the spread of repeats is a tie.
    percents, times : list of float
        The printed numbers. Printed times are means of the solved runs, from other machines, so
        only the direction is judged.
    gap : bool
        Whether the difference between the variants has to agree with the printed one, or in times
        with none (ties count half).
    of, runs : int
        The printed percents are of `runs` on each of `of` instances, or exact without `of`. They
        count as independent.
    """
    if gap and by == SUCCESS:
        return _printed_gap(sample, percents, of, runs)
    sample = sample.in_steps() if by == STEPS else sample.at_speed_of(program)
    if gap:
        return _as_fast(sample)
    pair = _contrast(sample, *sample.variants, by, _advantage(percents) / 2)
    if not pair.n:
        return nothing(pair.unit, "no runs" if by == SUCCESS else UNSOLVED)
    medians = _medians(sample) if sample.same_puzzles and by == TIME else ""
    ours = pair.ours if by == SUCCESS else f"faster {pair.ours}{medians}{sample.speed}"
    p_against = min(pair.test.p_behind, pair.p_small)
    details = {"p_against": p_against, "low": pair.low, "high": pair.high}
    return difference(ours, pair.n, pair.unit, pair.test, **details)


def _printed_gap(sample, percents, of, runs):
    """Test whether the difference of two success rates agrees with the printed one."""
    samples = [sample.of_variant(name) for name in sample.variants]
    n = min(len(part.trials()) for part in samples)
    if not n:
        return nothing(sample.unit)
    printed = [part.printed(percent, of, runs) for part, percent in zip(samples, percents)]
    pair = _contrast(sample, *sample.variants)
    evidence = agreement(([part.rate() for part in samples], printed))
    return Evidence(pair.ours, n, sample.unit, low=pair.low, high=pair.high, **evidence)


def _as_fast(sample):
    """Test whether neither of two variants is clearly the faster, where both solve side by side."""
    key = [sample.runs[name] for name in RUN]
    solved = sample.runs[sample.runs["solved"].groupby(key).transform("all")]
    pair = _contrast(sample._replace(runs=solved), *sample.variants, TIME)
    if not pair.n:
        return nothing(pair.unit, UNSOLVED)
    limits = 1 - FASTER_SHARE, FASTER_SHARE
    return Evidence(
        f"{sample.variants[0]} faster {pair.ours}, where both solve{sample.speed}",
        pair.n,
        pair.unit,
        p_for=statistics.share_within(pair.ahead, pair.n, *limits),
        p_against=statistics.share_beyond(pair.ahead, pair.n, *limits),
        effect=pair.ahead - 0.5,
        measure="g",
    )


@KINDS(
    "on_most",
    2,
    rule="""On most puzzles the first variant is faster than the second, or faster by more than a
    factor (Mann-Whitney; a failure is endless). The p value is that of most puzzles at once
    (partial conjunction). reproduced: significantly on more than half of the puzzles.
    not reproduced: significantly the opposite on half of them or more.""",
)
def on_most(
    sample: Sample, factor: Positive = 1.0, by: Literal["steps", "time"] = TIME
) -> Evidence:
    """Test whether the first variant is the faster on most puzzles.

    Parameters
    ----------
    sample : Sample
    factor : float
        How many times as fast it is; below 1 it may take longer.
    by : {"steps", "time"}
        What is measured. A failure is endless.
    """
    sample = sample.in_steps() if by == STEPS else sample
    words = "faster" if factor == 1 else f"more than {factor:g} times as fast"
    words = words if factor >= 1 else f"less than {1 / factor:g} times as long"
    tests = [_faster(*pair, factor) for pair in _by_puzzle(sample)]
    return _on_most(tests, words, sample.speed)


@KINDS(
    "varies_more",
    2,
    rule="""On most puzzles the times or steps of the first variant vary more, in proportion, than
    those of the second (Brown-Forsythe). The p value and the verdicts are those of `on_most`.""",
)
def varies_more(sample: Sample, by: Literal["steps", "time"] = TIME) -> Evidence:
    """Test whether the times or steps of the first variant vary more on most puzzles.

    Parameters
    ----------
    sample : Sample
    by : {"steps", "time"}
        The spreads of which logarithms are compared. A failure counts as it is.
    """
    sample = sample.in_steps() if by == STEPS else sample
    pairs = _by_puzzle(sample)  # where a run took no step, propagation alone solves
    pairs = [pair for pair in pairs if all(runs["cpu_s"].min() > 0 for runs in pair)]
    return _on_most([_more_spread(*pair) for pair in pairs], "more spread", sample.speed)


def _by_puzzle(sample):
    """Return the runs of the two variants on each puzzle; none without known steps (-1)."""
    puzzles = [runs for _, runs in sample.runs.groupby("instance_id")]
    pairs = [[runs[runs["variant"] == name] for name in sample.variants] for runs in puzzles]
    return [pair for pair in pairs if all(runs["cpu_s"].min() >= 0 for runs in pair)]


def _on_most(tests, words, ending):
    """Return the evidence that an effect is positive on most puzzles.

    `tests` has the effect, its p value, and whether it is as claimed, of each puzzle. Partial
    conjunction: Benjamini & Heller, Biometrics 64 (2008) 1215-1222.
    """
    if not tests:
        return nothing("puzzles")
    n, (effects, p, is_shown) = len(tests), np.array(tests, float).T
    return Evidence(
        f"{words} on {is_shown.sum():.0f} of {n} puzzles{ending}",
        n,
        "puzzles",
        p_for=_at_least(n // 2 + 1, np.where(effects > 0, p, 1)),
        p_against=_at_least((n + 1) // 2, np.where(effects < 0, p, 1)),
        is_difference=True,
    )


def _faster(first, second, factor):
    """Return effect and p value of the first being faster by a factor, and whether it is."""
    first_s, second_s = (costs(runs, TIME) for runs in (first, second))
    test = statistics.earlier(factor * first_s, second_s)
    median_s = np.median(first_s)
    is_faster = np.isfinite(median_s) and factor * median_s < np.median(second_s)
    return test.effect, test.p, is_faster


def _more_spread(first, second):
    """Return how much more the logarithms of times of the first vary, p value, whether so."""
    logs = [np.log(runs["cpu_s"].to_numpy(float)) for runs in (first, second)]
    first_spread, second_spread = (np.abs(log - np.median(log)).mean() for log in logs)
    p = 1.0
    if first_spread or second_spread:
        p = scipy.stats.levene(*logs, center="median").pvalue
    return first_spread - second_spread, p, first_spread > second_spread


def _at_least(number, p):
    """Return the p value that so many of several hypotheses are false (partial conjunction)."""
    return float(min(1.0, (len(p) - number + 1) * np.sort(p)[number - 1]))


@KINDS(
    "ranking",
    2,
    99,
    rule="""Variants come in this order; each is compared with all of the next group, as in
    `compare`. reproduced: all comparisons significant, as claimed. partly: each comparison decided,
    some as claimed and some not (Holm's correction among them). not reproduced: none as claimed,
    and each decided.""",
)
def ranking(
    sample: Sample,
    order: Groups,
    percents: Percents | None = None,
    by: Literal["success", "time"] = SUCCESS,
    program: str | None = None,
) -> Evidence:
    """Test whether variants come in an order.

    The order has the largest p value of the comparisons (intersection-union test). So has its
    opposite, that no comparison is as claimed.

    Parameters
    ----------
    sample : Sample
    order : list of lists of str
        Groups of variants, the best first. Variants of one group are not compared.
    percents : list of float, optional
        The closest two printed percentages of neighbouring groups.
    by : {"success", "time"}
        The measure.
    """
    sample = sample.at_speed_of(program)
    links = [link for groups in pairwise(order) for link in product(*groups)]
    pairs = [_contrast(sample, *link, by, _advantage(percents) / 2) for link in links]
    n, unit = min(pair.n for pair in pairs), pairs[0].unit
    if not n:
        return nothing(unit)
    tests = [pair.test for pair in pairs]
    weakest = max(tests, key=lambda test: test.p if test.effect > 0 else 1 + test.p)
    ours = _in_order(sample, order, links, pairs, by)
    return difference(ours, n, unit, weakest, **_p_of_order(pairs))


def _p_of_order(pairs):
    """Return the p values of an order, of its opposite, and of a part of it."""
    is_right = np.array([pair.test.effect > 0 for pair in pairs])
    p = np.array([pair.test.p for pair in pairs])
    p_small = np.array([pair.p_small for pair in pairs])
    p_holm = np.where(is_right, statistics.holm(p), 1.0)
    holds = p_holm < ALPHA
    p_mixed = np.where(holds, p_holm, statistics.holm(p_small))
    return {
        "p_for": float(p.max()) if is_right.all() else 1.0,
        "p_against": 1.0 if holds.any() else float(p_small.max()),
        "p_partly": float(p_mixed.max()) if holds.any() and not holds.all() else 1.0,
    }


def _in_order(sample, order, links, pairs, by):
    """Return the order of our variants in words."""
    if by == SUCCESS:
        rates = sorted((-sample.of_variant(name).rate().share, name) for name in chain(*order))
        shares = ", ".join(f"{name} {percentage(-share)}" for share, name in rates)
        return f"most solved first: {shares}"
    links = (
        f"{first} faster than {second} {pair.ours}" for (first, second), pair in zip(links, pairs)
    )
    return "; ".join(links) + sample.speed


@KINDS(
    "no_worse",
    2,
    rule="""The first variant is worse than the second at no fixed fraction, or on no kind of
    puzzles. It is no worse where it solves less by no more than h = 0.4, or is the faster in no
    less than 35 % of the pairs. reproduced: shown at each place, and better at one, or at each,
    where the claim says so. not reproduced: significantly worse at one (Holm's correction over the
    places).""",
)
def no_worse(
    sample: Sample,
    by: Literal["success", "time"],
    better: Literal["", "somewhere", "everywhere"] = "",
    program: str | None = None,
) -> Evidence:
    """Test that the first variant is worse than the second at no place.

    Parameters
    ----------
    sample : Sample
    by : {"success", "time"}
        At each place the two are compared on the same instances, as in `compare`.
    better : {"", "somewhere", "everywhere"}
        Where the first variant is better, too.
    """
    places = sample.at_speed_of(program).places()
    pairs = {name: _contrast(place, *sample.variants, by) for name, place in places.items()}
    pairs = {sample.place_name(name): pair for name, pair in pairs.items() if pair.n}
    return _at_places(pairs, better) if pairs else nothing("instances a place")


def _at_places(pairs, better):
    """Return the evidence that the first variant is no worse, by the pairs at each place."""
    tests = [pair.test for pair in pairs.values()]
    effects = np.array([test.effect for test in tests])
    p_holm = statistics.holm([test.p for test in tests])
    p_better = np.where(effects > 0, p_holm, 1.0)
    p_worse = np.where(effects < 0, p_holm, 1.0)
    p_for = np.array([pair.p_no_worse for pair in pairs.values()])
    if better == "everywhere":
        p_for = np.maximum(p_for, p_better)
    parts = [
        Part(name, pair.ours, "", float(p_for[at]), float(p_worse[at]))
        for at, (name, pair) in enumerate(pairs.items())
    ]
    return difference(
        f"better at {(p_better < ALPHA).sum()}, worse at {(p_worse < ALPHA).sum()}, "
        f"lower at {(effects < 0).sum()} of {len(parts)} places",
        min(pair.n for pair in pairs.values()),
        "instances a place",
        tests[int(np.argmin(effects))],
        p_for=float(max(p_for.max(), p_better.min() if better == "somewhere" else 0)),
        p_against=float(p_worse.min()),
        is_difference=False,  # it is corrected for the places
        parts=tuple(parts),
    )


# --- two variants compared ------------------------------------------------------------------------


class Pair(NamedTuple):
    """The comparison of two variants: sample size, and a test of their difference."""

    n: int
    unit: str  # of n
    test: DifferenceTest
    ours: str = ""  # two rates, or the share of pairs in which the first is faster
    p_small: float = 1.0  # that the first is less ahead than it should be, or behind
    p_no_worse: float = 1.0  # that the first is not behind by more than the margin
    ahead: float = np.nan  # share of the pairs in which it is faster; ties count half
    low: float = np.nan  # 95 % confidence interval of the difference of success rates, in points
    high: float = np.nan


def _contrast(sample, first, second, by=SUCCESS, ahead=0.0):
    """Compare two variants in pairs, except for success on the paper's own puzzles or instances.

    In success the first should be ahead by `ahead`, Cohen's h.
    """
    variants = [first, second]
    if by != SUCCESS:
        return _compare_times(sample, variants)
    parts = [sample.of_variant(name) for name in variants]
    rates = [part.rate() for part in parts]
    pair = _compare_success(sample, variants, parts, rates)
    sides = rates[:1], rates[1:]
    # Runs of both on the same instances count as independent: these limits are rather too wide.
    return pair._replace(
        ours=" against ".join(percentage(rate.share) for rate in rates),
        p_small=statistics.no_less(*sides[::-1], ahead) if pair.n else 1.0,
        p_no_worse=statistics.no_less(*sides, MARGIN) if pair.n else 1.0,
    )


def _compare_success(sample, variants, parts, rates):
    """Test two success rates by the test that fits the sample."""
    if sample.same_puzzles:
        return _compare_independent(*(part.runs["solved"] for part in parts))
    if sample.from_archive:  # the whole population of instances: only the runs vary
        n = min(len(part.runs) for part in parts)
        return Pair(n, "runs", statistics.rates_differ(*rates))
    shares = _side_by_side(sample.runs, sample.runs["solved"], variants, INSTANCE)
    low, high = np.clip(statistics.mean_interval(shares[:, 0] - shares[:, 1]), -1, 1)
    test = statistics.paired_success(*shares.T)
    return Pair(len(shares), "instances", test, low=100 * low, high=100 * high)


def _compare_independent(first, second):
    """Test the success of runs on given puzzles, shape (n,) each, with Newcombe's interval."""
    from statsmodels.stats.proportion import confint_proportions_2indep

    counts = int(first.sum()), len(first), int(second.sum()), len(second)
    n, test = min(len(first), len(second)), statistics.two_rates(*counts)
    if not n:
        return Pair(n, "runs", test)
    low, high = confint_proportions_2indep(*counts, method="newcomb")
    return Pair(n, "runs", test, low=100 * low, high=100 * high)


def _compare_times(sample, variants):
    """Compare the times of pairs that ran side by side.

    On the paper's own instances runs of one number are a pair; on other instances the means of runs
    are. A pair without a solved run is left out. A difference within the spread of repeats is a
    tie.
    """
    runs, key = sample.runs, RUN if sample.is_papers else INSTANCE
    unit = "pairs of runs" if sample.is_papers else "instances"
    times = _side_by_side(runs, times_at_limit(runs), variants, key)
    is_solved = _side_by_side(runs, runs["solved"], variants, key).any(axis=1)
    spreads = _side_by_side(runs, runs["spread_s"], variants, key).max(axis=1, initial=0.0)
    savings = times[:, 1] - times[:, 0]
    savings[np.abs(savings) < spreads] = 0
    savings = savings[is_solved]
    n, test = len(savings), statistics.signed_rank(savings)
    if not n:
        return Pair(0, unit, test)
    won, tied = float((savings > 0).mean()), float((savings == 0).mean())
    ours = f"in {percentage(won)} of {n} {unit}"
    ours += f", equally fast in {percentage(tied)}" if tied else ""
    ahead = won + tied / 2
    p_small = statistics.share_below(ahead, n, FASTER_SHARE)
    p_no_worse = statistics.share_below(1 - ahead, n, FASTER_SHARE)
    return Pair(n, unit, test, ours, p_small, p_no_worse, ahead)


def _side_by_side(runs, values, variants, key):
    """Return the means of values by `key`, where both variants have run, shape (n, 2)."""
    means = values.groupby([runs[name] for name in ("variant", *key)]).mean()
    return means.unstack("variant").reindex(columns=variants).dropna().to_numpy(float)


def _medians(sample):
    """Return the median times of variants, as text."""
    solved = sample.runs["cpu_s"].where(sample.runs["solved"], np.inf)
    times = solved.groupby(sample.runs["variant"]).quantile(interpolation="lower")
    times = times[list(sample.variants)]
    texts = [duration(time) if np.isfinite(time) else "beyond the limit" for time in times]
    return f"; medians {' and '.join(texts)}"


def _advantage(percents):
    """Return the printed advantage of the first of two rates in Cohen's h; 0 without them."""
    rates = [Rate(percent / 100) for percent in percents or ()]
    return statistics.cohens_h(rates[:1], rates[1:]) if rates else 0.0

"""Claims about two variants and more: which is ahead, and by how much."""

from itertools import chain, pairwise, product
from typing import NamedTuple

import numpy as np
import scipy

from antdoku import statistics
from antdoku.claims import NOT_REPRODUCED, PARTLY, REPRODUCED, SUCCESS, TIME, UNDECIDED
from antdoku.claims.evidence import SEVERAL, Evidence, agreed, agreement, difference, kind, nothing
from antdoku.claims.samples import INSTANCE, UNSOLVED, Sample, duration, percentage, times_at_limit
from antdoku.statistics import ALPHA, MARGIN, Rate, Result

FASTER_SHARE = 0.65  # of pairs, if one variant is clearly the faster: Cohen's g of 0.15, medium


@kind(1, 2, about=SUCCESS)
def compare(
    sample: Sample,
    by: str = SUCCESS,
    percents: list[float] | None = None,
    times: list[float] | None = None,
    program: str | None = None,
    pooled: bool = False,
) -> Evidence:
    """The first variant is better than the second, by how much is another claim.

    Success: exact McNemar test on the same instances (signed-rank with several runs on each),
    Fisher's exact test on the paper's own puzzles; `percents` are the published ones. One variant
    alone is compared with propagation.

    Times: Wilcoxon signed-rank test of pairs: of an instance, or on the paper's own puzzles of two
    runs, which were made side by side. A failure counts as the limit; a pair without a solved run
    says nothing, and what repeats of one run vary by is no difference. Published `times`, means of
    solved runs, are from other machines, so only the direction is judged. With the name of a paper
    in `program` times are steps, at the speed of its program; so for the other kinds.

    With `pooled`, a run of each variant on the same instance is a pair, as in the paper.

    reproduced: significantly better. not reproduced: significantly worse, or significantly less
    than half as far ahead (in h) as published, or faster in significantly less than 65 % of the
    pairs (Cohen's g = 0.15; ties count half). undecided: else.
    """
    if len(sample.variants) == 1:
        return _beats_propagation(sample)
    needed = _needed(by, percents)
    sample = sample.at_speed_of(program)
    pair = _contrast(sample, *sample.variants, by, _advantage(percents) / 2, pooled)
    if not pair.n:
        return nothing(pair.unit, needed, ours=UNSOLVED if by == TIME else "no runs")
    if_not = NOT_REPRODUCED if pair.is_small else UNDECIDED
    found = {"if_not": if_not, "low": pair.low, "high": pair.high}
    medians = _medians(sample) if sample.same_puzzles else ""
    ours = pair.ours if by == SUCCESS else f"faster {pair.ours}{medians}{sample.speed}"
    return difference(ours, pair.n, pair.unit, needed, pair.test, **found)


def _beats_propagation(sample):
    """Test whether a variant solves more than propagation alone, of the same instances."""
    shares = sample.runs.groupby(INSTANCE)[["solved", "trivial"]].mean()
    needed = statistics.pairs_to_reject()
    if shares.empty:
        return nothing("instances", needed)
    ours = " against ".join(percentage(share) for share in shares.mean())
    test = statistics.paired_success(*shares.to_numpy(float).T)
    return difference(ours, len(shares), "instances", needed, test)


@kind(2, about=SUCCESS)
def gap(
    sample: Sample,
    by: str = SUCCESS,
    percents: list[float] | None = None,
    of: int | None = None,
    runs: int = 1,
    program: str | None = None,
) -> Evidence:
    """The two variants differ by as much as published; in times, neither is clearly the faster.

    Success: Cohen's h between the two rates, equivalence of ours and the published one within 0.4.
    The published `percents` are of `runs` on each of `of` instances, or exact; those of two systems
    count as independent.

    Times, where both variants solve: each is faster in less than 65 % of the pairs (Cohen's
    g = 0.15; ties count half), which are those of `compare`: two one-sided exact tests.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different. undecided: neither.
    """
    if by == TIME:
        return _as_fast(sample.at_speed_of(program))
    samples = [sample.of_variant(name) for name in sample.variants]
    published = tuple(each.printed(percent, of, runs) for each, percent in zip(samples, percents))
    needed = statistics.runs_to_agree(published, MARGIN)
    n = min(len(each.trials()) for each in samples)
    if not n:
        return nothing(sample.unit, needed)
    pair = _contrast(sample, *sample.variants)
    found = agreement(([each.rate() for each in samples], list(published)))
    found |= {"low": pair.low, "high": pair.high}
    return Evidence(pair.ours, n, sample.unit, needed, **found)


def _as_fast(sample):
    """Test whether neither of two variants is clearly the faster, where both solve side by side."""
    key = [sample.runs[name] for name in (*INSTANCE, "repetition")]
    solved = sample.runs[sample.runs["solved"].groupby(key).transform("all")]
    pair = _contrast(sample._replace(runs=solved), *sample.variants, TIME)
    needed = _pairs_for_times(sides=2)
    if not pair.n:
        return nothing(pair.unit, needed, ours=UNSOLVED)
    off = pair.ahead - 0.5
    p = statistics.share_within(pair.ahead, pair.n, 1 - FASTER_SHARE, FASTER_SHARE)
    verdicts = agreed(p, failed=abs(off) > FASTER_SHARE - 0.5 and pair.test.p < ALPHA)
    ours = f"{sample.variants[0]} faster {pair.ours}, where both solve{sample.speed}"
    return Evidence(ours, pair.n, pair.unit, needed, effect=off, measure="g", **verdicts)


@kind(2, about=TIME)
def on_most(sample: Sample, factor: float | None = None) -> Evidence:
    """On most puzzles the first variant is faster than the second by this factor, or even more.

    Mann-Whitney test on each puzzle of the times, those of the first multiplied by the factor.
    Without one: on most puzzles that both search, the steps of the first vary more, in proportion;
    Brown-Forsythe test of their logarithms, a failure counts as the steps that it took. The p value
    is that of most puzzles at once (partial conjunction: Benjamini & Heller, 2008).

    reproduced: significantly on more than half of the puzzles. not reproduced: significantly the
    opposite on half of them or more. undecided: else.
    """
    puzzles = [runs for _, runs in sample.runs.groupby("instance_id")]
    pairs = [[runs[runs["variant"] == name] for name in sample.variants] for runs in puzzles]
    pairs = [pair for pair in pairs if all(map(len, pair))]
    if factor is None:  # where a run took no step, propagation alone solves
        pairs = [pair for pair in pairs if all(runs["steps"].min() > 0 for runs in pair)]
    if not pairs:
        return nothing("puzzles", 1)
    tests = [_more_spread(*pair) if factor is None else _faster(*pair, factor) for pair in pairs]
    n, (effects, p, is_so) = len(tests), np.array(tests, float).T
    opposite = _at_least((n + 1) // 2, np.where(effects < 0, p, 1))
    if_not = NOT_REPRODUCED if opposite < ALPHA else UNDECIDED
    p = _at_least(n // 2 + 1, np.where(effects > 0, p, 1))
    ours = f"on {is_so.sum():.0f} of {n} puzzles"
    why = "shown on half of the puzzles or fewer, and the opposite on fewer than half"
    return Evidence(ours, n, "puzzles", n, REPRODUCED, if_not, p=p, why=why)


def _faster(first, second, factor):
    """Return effect and p value of the first being faster by a factor, and whether it is."""
    times, others = (runs["cpu_s"].where(runs["solved"], np.inf) for runs in (first, second))
    test, median = statistics.earlier(factor * times, others), np.median(times)
    return test.effect, test.p, np.isfinite(median) and factor * median <= np.median(others)


def _more_spread(first, second):
    """Return how much more the logarithms of steps of the first vary, p value, and whether so."""
    logs = [np.log(runs["steps"].to_numpy(float)) for runs in (first, second)]
    mine, theirs = (np.abs(each - np.median(each)).mean() for each in logs)
    p = scipy.stats.levene(*logs, center="median").pvalue if mine or theirs else 1.0
    return mine - theirs, p, mine > theirs


def _at_least(number, p):
    """Return the p value that so many of several hypotheses are false (partial conjunction)."""
    return float(min(1.0, (len(p) - number + 1) * np.sort(p)[number - 1]))


@kind(2, SEVERAL, about=SUCCESS)
def ranking(
    sample: Sample,
    order: list[list[str]],
    gap: list[float] | None = None,
    by: str = SUCCESS,
    program: str | None = None,
) -> Evidence:
    """Variants come in this order; those of one group are not compared.

    Each variant is compared with all of the next group, as in `compare`. The order as a whole has
    the largest p value of these comparisons (intersection-union test). `gap` has the closest two
    published percentages of neighbouring groups; not for times.

    reproduced: all comparisons significant, as claimed. partly: each comparison decided, some as
    claimed (after Holm's correction among them) and some not. not reproduced: none as claimed, and
    each decided. undecided: else.
    """
    sample = sample.at_speed_of(program)
    links = [link for groups in pairwise(order) for link in product(*groups)]
    pairs = [_contrast(sample, *link, by, _advantage(gap) / 2) for link in links]
    n, unit, needed = min(pair.n for pair in pairs), pairs[0].unit, _needed(by, gap)
    if any(not pair.n for pair in pairs):
        return nothing(unit, needed)
    right = np.array([pair.test.effect > 0 for pair in pairs])
    p = np.array([pair.test.p for pair in pairs])
    holds = right & (statistics.holm(p) < ALPHA)
    fails = ~holds & np.array([pair.is_small for pair in pairs])
    decided = PARTLY if holds.any() else NOT_REPRODUCED
    if_not = decided if (holds | fails).all() and fails.any() else UNDECIDED
    weakest = pairs[int(np.argmax(np.where(right, p, 1 + p)))].test
    test = weakest._replace(p=float(p.max() if right.all() else 1))._asdict()
    ours = "; ".join(f"{x} faster than {y} {pair.ours}" for (x, y), pair in zip(links, pairs))
    ours += sample.speed
    if by == SUCCESS:
        rates = sorted((-sample.of_variant(name).rate().share, name) for name in chain(*order))
        ours = "most solved first: " + ", ".join(f"{name} {percentage(-x)}" for x, name in rates)
    return Evidence(ours, n, unit, needed, REPRODUCED, if_not, **test)


@kind(2, about=TIME)
def no_worse(sample: Sample, by: str, better: str = "", program: str | None = None) -> Evidence:
    """The first variant is worse than the second at no fixed fraction, or on no kind of puzzles.

    At each place the two are compared on the same instances, as in `compare`. It is no worse where
    it solves less by no more than h = 0.4, or is the faster in no less than 35 % of the pairs: a
    one-sided exact test. Worse and better are tested with Holm's correction over all places.

    reproduced: significantly no worse at each place (and significantly better at one, or at each,
    if `better` is "somewhere" or "everywhere"). not reproduced: significantly worse at one.
    undecided: else.
    """
    places = sample.at_speed_of(program).runs.groupby("family")
    cells = [_contrast(sample._replace(runs=runs), *sample.variants, by) for _, runs in places]
    cells = [cell for cell in cells if cell.n]
    agree = statistics.runs_to_agree
    needed = _pairs_for_times() if by == TIME else agree((Rate(1.0),), MARGIN, 1)
    unit, n_cells = "instances a place", len(cells)
    if not cells:
        return nothing(unit, needed)
    effects, p = np.array([(cell.test.effect, cell.test.p) for cell in cells]).T
    is_shown = statistics.holm(p) < ALPHA
    n_worse, n_ahead = ((is_shown & (sign * effects > 0)).sum() for sign in (-1, 1))
    n_no_worse = sum(cell.is_no_worse for cell in cells)
    least = {"": 0, "somewhere": 1, "everywhere": n_cells}[better]
    holds = n_no_worse == n_cells and n_ahead >= least
    verdict = NOT_REPRODUCED if n_worse else REPRODUCED if holds else UNDECIDED
    ours = f"better at {n_ahead}, worse at {n_worse}, no worse at {n_no_worse} of {n_cells} places"
    weakest = min((cell.test for cell in cells), key=lambda test: test.effect)
    found = {"is_difference": False, "effect": weakest.effect, "measure": weakest.measure}
    return Evidence(ours, min(cell.n for cell in cells), unit, needed, verdict, verdict, **found)


# --- two variants compared ------------------------------------------------------------------------


class Pair(NamedTuple):
    """Two variants compared: how many of what, and a test of their difference."""

    n: int
    unit: str
    test: Result
    ours: str = ""  # what it compares: two rates, or the share of pairs in which one is faster
    is_small: bool = False  # the first is significantly less ahead than it should be, or behind
    is_no_worse: bool = False  # it is significantly not behind by more than the margin
    ahead: float = np.nan  # share of the pairs in which it is faster; ties count half
    low: float = np.nan  # 95 % confidence interval of the difference of success rates, in points
    high: float = np.nan


def _contrast(sample, first, second, by=SUCCESS, ahead=0.0, pooled=False):
    """Compare two variants: by pairs, but for success on the paper's own puzzles or instances.

    In success the first should be ahead by `ahead`, Cohen's h. Pooled, runs with one number on one
    instance are pairs, whatever it is.
    """
    runs, variants, key, unit = sample.runs, [first, second], INSTANCE, "instances"
    if pooled or (by == TIME and sample.same_puzzles):
        key, unit = [*INSTANCE, "repetition"], "pairs of runs"
    if by == TIME:
        return _compare_times(runs, variants, key, unit)
    parts = [sample.of_variant(name) for name in variants]
    rates = [part.rate() for part in parts]
    ours = " against ".join(percentage(rate.share) for rate in rates)
    if sample.same_puzzles and not pooled:
        pair = _compare_independent(*(part.runs["solved"] for part in parts))
    elif sample.from_archive and not pooled:  # all instances that there are: only the runs vary
        pair = Pair(min(len(part.runs) for part in parts), "runs", statistics.rates_differ(*rates))
    else:
        shares = _side_by_side(runs, runs["solved"], variants, key)
        pair = Pair(len(shares), unit, statistics.paired_success(*shares.T))
        if pooled:
            return pair._replace(ours=ours)
        low, high = np.clip(statistics.mean_interval(shares[:, 0] - shares[:, 1]), -1, 1)
        pair = pair._replace(low=100 * low, high=100 * high)
    # Runs of two on the same instances count as independent: these limits are rather too wide.
    low, high = statistics.h_interval(rates[:1], rates[1:], ALPHA)
    return pair._replace(ours=ours, is_small=bool(high < ahead), is_no_worse=bool(low > -MARGIN))


def _compare_independent(first, second):
    from statsmodels.stats.proportion import confint_proportions_2indep

    counts = int(first.sum()), len(first), int(second.sum()), len(second)
    n, test = min(len(first), len(second)), statistics.two_rates(*counts)
    if not n:
        return Pair(n, "runs", test)
    low, high = confint_proportions_2indep(*counts, method="newcomb")
    return Pair(n, "runs", test, low=100 * low, high=100 * high)


def _compare_times(runs, variants, key, unit):
    """Compare pairs that ran side by side. One without a solved run says nothing.

    What repeats of one run vary by is no difference.
    """
    times = _side_by_side(runs, times_at_limit(runs), variants, key)
    solved = _side_by_side(runs, runs["solved"], variants, key).any(axis=1)
    spreads = _side_by_side(runs, runs["spread_s"], variants, key).max(axis=1, initial=0.0)
    savings = (times[:, 1] - times[:, 0])[solved]
    savings[np.abs(savings) < spreads[solved]] = 0
    n, test = len(savings), statistics.signed_rank(savings)
    if not n:
        return Pair(0, unit, test)
    won, tied = (float(is_so.mean()) for is_so in (savings > 0, savings == 0))
    ours = f"in {percentage(won)} of {n} {unit}"
    ours += f", equally fast in {percentage(tied)}" if tied else ""
    ahead = won + tied / 2
    low, high = statistics.exact_limits(ahead, n, ALPHA)
    return Pair(n, unit, test, ours, bool(high < FASTER_SHARE), bool(low > 1 - FASTER_SHARE), ahead)


def _side_by_side(runs, values, variants, key):
    """Return means of a value for each `key` that two variants have run on, shape (n, 2)."""
    means = values.groupby([runs[name] for name in ("variant", *key)]).mean()
    return means.unstack("variant").reindex(columns=variants).dropna().to_numpy(float)


def _medians(sample):
    """Return the median times of variants, as text."""
    solved = sample.runs["cpu_s"].where(sample.runs["solved"], np.inf)
    times = solved.groupby(sample.runs["variant"]).quantile(interpolation="lower")
    times = times[list(sample.variants)]
    known = [duration(time) if np.isfinite(time) else "beyond the limit" for time in times]
    return f"; medians {' and '.join(known)}"


# --- how many it takes ---------------------------------------------------------------------------


def _advantage(percents):
    """Return the published advantage of the first of two rates, in Cohen's h; 0 if not known."""
    rates = [Rate(percent / 100) for percent in percents or ()]
    return statistics.cohens_h(rates[:1], rates[1:]) if rates else 0.0


def _needed(by, percents):
    """Return the pairs, or runs of each of two, that show a difference of the published size."""
    if by == TIME:
        return _pairs_for_times()
    h = _advantage(percents) if percents else np.inf
    return max(statistics.to_differ(h, np.sqrt(2)), statistics.pairs_to_reject())


def _pairs_for_times(sides=1):
    """Return the pairs that show that neither variant is clearly the faster, if neither is."""
    at_margin = np.sqrt(FASTER_SHARE * (1 - FASTER_SHARE))
    return statistics.to_agree(FASTER_SHARE - 0.5, 0.5, at_margin, sides)

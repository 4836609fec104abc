"""The named tests that decide the claims: runs in, evidence out.

Every test is a function of a `Sample` and of what the claim expects: keywords, the published
figures among them. It returns `Evidence`: what was measured, and which verdict follows. There are
three kinds of claims.

That a rate or a mean is the published one is a claim of agreement: two one-sided tests against a
margin, Cohen's h of 0.4 for rates (Schuirmann, 1987; Lakens, 2017). It is reproduced if it is shown
to lie within, and not reproduced if it differs significantly and by more than the margin.

That one variant is ahead of another is a claim of difference. Its significance is judged by
`antdoku.claims.verdicts`, after Holm's correction over all of them in a paper. It is reproduced if
that is significant, and not reproduced if the opposite is, or if the advantage is shown to be too
small. By how much it is ahead is another claim, of agreement.

Facts about puzzles need no test. All else is undecided; how many runs or instances show agreement,
or find the published difference, with a power of 80 % is always given.
"""

from collections.abc import Callable
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from antdoku import inference, statistics
from antdoku.claims.evidence import (
    FASTER_SHARE,
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    SUCCESS,
    TIME,
    UNDECIDED,
    Evidence,
    Sample,
    agreed,
    agreement,
    agreement_at_each,
    around_mean,
    compare,
    compare_runs,
    duration,
    instances_of,
    median_times,
    nothing,
    par2_times,
    scores,
    solved_by_both,
    solved_of,
    standing,
    times_of,
)
from antdoku.inference import ALPHA, MARGIN, Rate
from antdoku.outcome import SOLVED
from antdoku.puzzle import named
from antdoku.tables.summary import POINT

MEAN_MARGIN = 0.05  # of the published mean
GAIN_MARGIN = 0.02  # of the cells
STEP = 0.05 + 1e-9  # between the fixed fractions of the papers
STRONG_RHO = 0.8
EARLY = 0.25  # of the work: what is solved later is compared with what is solved by then
UNSOLVED = "nothing solved"
INSTANCES = "instances"
FRACTIONS = ("fixed_fraction", "fixed_after_cp")  # columns of the runs
FALLING = 2  # times as many solved in an early step as in a late one


class NamedTest(NamedTuple):
    """A test, how many variants it compares (None: two or more), and what it is of.

    That is success, time, or instances, whatever runs on them end like. Those with an argument `by`
    are of what it says.
    """

    run: Callable[..., Evidence]
    n_variants: int | None
    of: str


TESTS: dict[str, NamedTest] = {}


def _test(n_variants, of):
    """Enter a function among the named tests."""

    def enter(function):
        TESTS[function.__name__] = NamedTest(function, n_variants, of)
        return function

    return enter


# --- one variant ---------------------------------------------------------------------------------


@_test(1, of=SUCCESS)
def success_rate(sample: Sample, percent: float, of: int | None = None) -> Evidence:
    """The share of solved runs agrees with the published one: equivalence within h = 0.4.

    That is 20 points at one half, 4 at 0 and 100 %. The published share is of `of` runs, or exact.
    Of several places (fixed fractions, puzzles) it has to be shown at each.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different (after correction for the number of places). undecided: neither.
    """
    published = Rate(percent / 100, of or np.inf)
    needed = inference.runs_to_agree((published,), MARGIN)
    return _of_rates(sample, published, needed)


@_test(1, of=SUCCESS)
def hardest_at(sample: Sample, fixed_fraction: float, of: int) -> Evidence:
    """This fixed fraction is the hardest: Mann-Whitney tests against each of the others.

    Hardness is the PAR2 time of an instance, over its runs; `of` is the paper's number of instances
    at a fraction.

    reproduced: significantly harder than each. partly: a fraction one step of 0.05 away is
    significantly harder (after correction for their number), and none further away. not reproduced:
    one further away is. undecided: else.
    """
    hardness = {key: par2_times(runs) for key, runs in sample.runs.groupby("fixed_fraction")}
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
        f"PAR2 {duration(here.mean())} at {fixed_fraction:g}, "
        f"{duration(there.mean())} at {weakest:g}",
        min(map(len, [here, *hardness.values()])),
        "instances a fraction",
        of,
        if_significant=REPRODUCED,
        if_not=UNDECIDED if not harder else PARTLY if is_near else NOT_REPRODUCED,
        **tests[weakest]._replace(p=p)._asdict(),
    )


@_test(1, of=TIME)
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


@_test(1, of=TIME)
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


@_test(1, of=SUCCESS)
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


# --- two variants and more -----------------------------------------------------------------------


@_test(2, of=SUCCESS)
def solves_more(sample: Sample, percents: list[float] | None = None) -> Evidence:
    """The first variant solves more than the second; by how much is another claim.

    Exact McNemar test on the same instances (signed-rank with several runs on each), Fisher's exact
    test on the paper's own puzzles.

    reproduced: significantly more. not reproduced: significantly less, or significantly less than
    half as far ahead (in h) as the published `percents`. undecided: else.
    """
    shares = None if percents is None else [percent / 100 for percent in percents]
    needed = inference.runs_for_rates(*shares) if shares else inference.pairs_to_reject()
    ahead = inference.cohens_h([Rate(shares[0])], [Rate(shares[1])]) / 2 if shares else 0.0
    pair = compare(sample, *sample.variants, SUCCESS, ahead)
    if pair.missing:
        return nothing(pair.unit, needed)
    return pair.evidence(scores(sample, *sample.variants, SUCCESS), needed)


@_test(2, of=SUCCESS)
def success_gap(sample: Sample, percents: list[float], of: int | None = None) -> Evidence:
    """The first variant solves more than the second by as much as published.

    That is Cohen's h between the two rates: equivalence of ours and the published one within 0.4.
    The published rates are of `of` runs each, or exact; ours count as independent.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different. undecided: neither.
    """
    published = tuple(Rate(percent / 100, of or np.inf) for percent in percents)
    needed = inference.runs_to_agree(published, MARGIN)
    solved = [solved_of(sample, name) for name in sample.variants]
    n, unit = min(each.n for each in solved), solved[0].unit
    if not n:
        return nothing(unit, needed)
    pair = compare(sample, *sample.variants, SUCCESS)
    return Evidence(
        scores(sample, *sample.variants, SUCCESS),
        n,
        unit,
        needed,
        low=100 * pair.low,
        high=100 * pair.high,
        **agreement([each.rate for each in solved], list(published)),
    )


@_test(2, of=TIME)
def faster(sample: Sample, times: list[float] | None = None) -> Evidence:
    """The first variant takes less time than the second; `times` are the published means.

    Wilcoxon signed-rank test of pairs: of an instance, or on the paper's own puzzles of two runs,
    which were made side by side. A failure counts as the limit; a pair without a solved run says
    nothing, and what repeats of one run vary by is no difference. Published times are from other
    machines and of solved runs only, so only the direction is judged.

    reproduced: significantly faster. not reproduced: significantly slower, or faster in
    significantly less than 65 % of the pairs (Cohen's g = 0.15; ties count half). undecided: else.
    """
    pair = compare(sample, *sample.variants, TIME)
    if pair.missing:
        return nothing(pair.unit, _pairs_for_times(), ours=UNSOLVED)
    return pair.evidence(scores(sample, *sample.variants, TIME), _pairs_for_times())


@_test(2, of=TIME)
def as_fast(sample: Sample) -> Evidence:
    """Where both variants solve, they take about as long: neither is clearly the faster.

    Pairs as in `faster`. Neither is if each is faster in less than 65 % of the pairs (Cohen's
    g = 0.15; ties count half): two one-sided exact tests.

    reproduced: significantly neither. not reproduced: one of them in more than that, and
    significantly faster. undecided: else.
    """
    pair = compare(solved_by_both(sample), *sample.variants, TIME)
    needed = _pairs_for_times(sides=2)
    if pair.missing:
        return nothing(pair.unit, needed, ours=UNSOLVED)
    p = inference.share_within(pair.ahead, pair.n, 1 - FASTER_SHARE, FASTER_SHARE)
    beyond = abs(pair.ahead - 0.5) > FASTER_SHARE - 0.5
    return Evidence(
        f"{scores(sample, *sample.variants, TIME)}; the first in {100 * pair.ahead:.3g} % of pairs",
        pair.n,
        pair.unit,
        needed,
        effect=pair.ahead - 0.5,
        measure="g",
        **agreed(p, beyond, pair.test.p < ALPHA),
    )


@_test(2, of=TIME)
def faster_by(sample: Sample, factor: float) -> Evidence:
    """On most puzzles the first variant takes this factor less than the second, or even less.

    Mann-Whitney test on each puzzle of the times, those of the first multiplied by the factor;
    the p value is that of most puzzles at once (partial conjunction: Benjamini & Heller, 2008).

    reproduced: significantly on more than half of the puzzles. not reproduced: significantly less
    than the factor on half of them or more. undecided: else.
    """
    times = [
        [_uncensored(group[group["variant"] == name]) for name in sample.variants]
        for _, group in sample.runs.groupby("instance_id")
    ]
    pairs = [(first, second) for first, second in times if len(first) and len(second)]
    if not pairs:
        return nothing("puzzles", 1)
    tests = [inference.earlier(factor * first, second) for first, second in pairs]
    effects, p = np.array([test[:2] for test in tests], float)[:, ::-1].T
    most, half = len(pairs) // 2 + 1, (len(pairs) + 1) // 2
    medians = [(np.median(first), np.median(second)) for first, second in pairs]  # inf: failures
    n_faster = sum(np.isfinite(one) and factor * one <= other for one, other in medians)
    opposite = _most(np.where(effects < 0, p, 1), half)
    return Evidence(
        f"{n_faster} of {len(pairs)} puzzles",
        len(pairs),
        "puzzles",
        len(pairs),
        if_significant=REPRODUCED,
        if_not=NOT_REPRODUCED if opposite < ALPHA else UNDECIDED,
        p=_most(np.where(effects > 0, p, 1), most),
    )


@_test(None, of=SUCCESS)
def ranking(
    sample: Sample, order: list[list[str]], gap: list[float] | None = None, by: str = SUCCESS
) -> Evidence:
    """Variants come in this order; those of one group are not compared.

    Each variant is compared with all of the next group, as in `solves_more` or `faster`. The order
    as a whole has the largest p value of these comparisons (intersection-union test).

    Parameters
    ----------
    gap : list of float, optional
        The closest two published percentages of neighbouring groups; not for times.
    by : {"success", "time"}

    reproduced: all comparisons significant, as claimed. partly: each comparison decided, some as
    claimed (after Holm's correction among them) and some not. not reproduced: none as claimed, and
    each decided. undecided: else.
    """
    links = [link for groups in pairwise(order) for link in product(*groups)]
    rates = [Rate(percent / 100) for percent in gap or ()]
    ahead = inference.cohens_h(rates[:1], rates[1:]) / 2 if rates else 0.0
    pairs = [compare(sample, better, worse, by, ahead) for better, worse in links]
    needed = inference.runs_for_rates(*(each.share for each in rates)) if rates else None
    needed = needed or _pairs_for_times()
    n, unit = min(pair.n for pair in pairs), pairs[0].unit
    if any(pair.missing for pair in pairs):
        return nothing(unit, needed)
    right = np.array([pair.test.effect > 0 for pair in pairs])
    p = np.array([pair.test.p for pair in pairs])
    holds = right & (statistics.holm(p) < ALPHA)
    fails = ~holds & np.array([pair.is_small for pair in pairs])
    decided = PARTLY if holds.any() else NOT_REPRODUCED
    weakest = int(np.argmax(np.where(right, p, 1 + p)))
    return Evidence(
        standing(sample, [name for group in order for name in group], by),
        n,
        unit,
        needed,
        if_significant=REPRODUCED,
        if_not=decided if (holds | fails).all() and fails.any() else UNDECIDED,
        **pairs[weakest].test._replace(p=float(p.max() if right.all() else 1))._asdict(),
    )


@_test(2, of=TIME)
def never_worse(
    sample: Sample, by: str, better_somewhere: bool = False, resolution_s: float = 0.0
) -> Evidence:
    """The first variant is worse than the second at no order and fixed fraction.

    At each the two are compared on the same instances, as in `solves_more` or `faster`. It is no
    worse where it solves less by no more than h = 0.4, or is the faster in no less than 35 % of the
    pairs: a one-sided exact test. Worse and better are tested with Holm's correction over all
    places. Times that differ by less than `resolution_s` count as equal.

    reproduced: significantly no worse at each place (and significantly better at one, if the claim
    says so). not reproduced: significantly worse at one. undecided: else.
    """
    resolved = sample.runs.assign(spread_s=sample.runs["spread_s"].clip(lower=resolution_s))
    cells = [
        compare(sample._replace(runs=runs), *sample.variants, by)
        for _, runs in resolved.groupby(POINT)
    ]
    cells = [cell for cell in cells if not cell.missing]
    needed = _pairs_for_times() if by == TIME else inference.runs_to_agree((Rate(1.0),), MARGIN, 1)
    if not cells:
        return nothing("instances a place", needed)
    effects, p = np.array([(cell.test.effect, cell.test.p) for cell in cells]).T
    p_holm = statistics.holm(p)
    worse, better = ((sign * effects > 0) & (p_holm < ALPHA) for sign in (-1, 1))
    shown = sum(cell.is_no_worse for cell in cells)
    holds = shown == len(cells) and (better.any() or not better_somewhere)
    verdict = NOT_REPRODUCED if worse.any() else REPRODUCED if holds else UNDECIDED
    return Evidence(
        f"better at {better.sum()}, worse at {worse.sum()}, "
        f"no worse at {shown} of {len(cells)} places",
        min(cell.n for cell in cells),
        "instances a place",
        needed,
        if_significant=verdict,
        if_not=verdict,
        is_difference=False,
        effect=float(effects.min()),
        measure=cells[int(np.argmin(effects))].test.measure,
    )


@_test(2, of=TIME)
def better_over_all(sample: Sample, by: str) -> Evidence:
    """Over all places, the first variant is the better: Wilcoxon signed-rank test of pairs of runs.

    All runs of all instances are pooled, as the paper does: a run of each variant, on the same
    instance, is a pair. Times are compared as in `faster`.

    reproduced: significantly better. not reproduced: significantly worse, or, of times, better in
    significantly less than 65 % of the pairs. undecided: else.
    """
    pair = compare_runs(sample, *sample.variants, by)
    needed = _pairs_for_times() if by == TIME else inference.pairs_to_reject()
    if pair.missing:
        return nothing(pair.unit, needed)
    return pair.evidence(scores(sample, *sample.variants, by), needed)


# --- instances -----------------------------------------------------------------------------------


@_test(1, of=SUCCESS)
def beats_propagation(sample: Sample) -> Evidence:
    """A variant solves more than propagation alone: signed-rank test of the same instances.

    reproduced: significantly more. not reproduced: significantly less. undecided: else.
    """
    shares = sample.runs.assign(solved=sample.runs["status"] == SOLVED)
    shares = shares.groupby(["family", "instance_id"])[["solved", "trivial"]].mean()
    needed = inference.pairs_to_reject()
    if shares.empty:
        return nothing("instances", needed)
    test = inference.paired_success(*shares.to_numpy(float).T)
    ours = " against ".join(f"{100 * share:.3g} %" for share in shares.mean())
    return Evidence(
        ours,
        len(shares),
        "instances",
        needed,
        if_significant=REPRODUCED if test.effect > 0 else NOT_REPRODUCED,
        if_not=UNDECIDED,
        **test._asdict(),
    )


@_test(1, of=INSTANCES)
def no_trivial_below(sample: Sample, fixed_fraction: float, of: int) -> Evidence:
    """Propagation alone solves instances from this fixed fraction on, and none below.

    Trivial is what the variant, with the propagation that it has, solves without a step of search.
    At each fraction below, the share of trivial instances agrees with the paper's, none of `of`:
    equivalence within h = 0.4 (4 %).

    reproduced: significantly within the margin at each, and some are trivial at the fraction
    itself. not reproduced: beyond it at one of them, and significantly more than none there (after
    correction for their number). undecided: else.
    """
    table = _without_search(sample).groupby("fixed_fraction")["trivial"].agg(["mean", "size"])
    below = table[table.index < fixed_fraction]
    published = Rate(0.0, of)
    needed = inference.runs_to_agree((published,), MARGIN)
    if below.empty or fixed_fraction not in table.index:
        return nothing("instances a fraction", needed)
    verdicts = agreement_at_each(list(map(Rate, below["mean"], below["size"])), published)
    here = table.loc[fixed_fraction]
    if not here["mean"] and verdicts["p"] < ALPHA:
        verdicts |= {"if_significant": UNDECIDED, "if_not": UNDECIDED}
    return Evidence(
        f"{(below['mean'] * below['size']).sum():.0f} of {below['size'].sum()} below, "
        f"{here['mean'] * here['size']:.0f} of {here['size']:.0f} at {fixed_fraction:g}",
        int(below["size"].min()),
        "instances a fraction",
        needed,
        **verdicts,
    )


@_test(0, of=INSTANCES)
def trivial_at_least(sample: Sample, percent: float) -> Evidence:
    """Propagation alone solves no less than this share of the instances, within h = 0.4.

    So for 95 % it has to be shown that it solves more than 84 %, at each fixed fraction.

    reproduced: significantly above that. not reproduced: below it at one of them, and significantly
    less than the share itself (after correction for their number). undecided: neither.
    """
    published = Rate(percent / 100)
    needed = inference.runs_to_agree((published,), MARGIN, 1)
    rows = _as_solved(instances_of(sample), "trivial")
    return _of_rates(sample._replace(runs=rows), published, needed, 1)


@_test(0, of=INSTANCES)
def moved_out(sample: Sample, low: float, high: float) -> Evidence:
    """Propagation takes most instances out of a range of fixed fractions: exact binomial test.

    Of those of which a share in the range is given.

    reproduced: significantly more than half. not reproduced: significantly less. undecided: else.
    """
    from scipy.stats import binomtest

    rows = instances_of(sample)
    fixed = rows.loc[rows["given_fraction"].between(low, high), "fixed_after_cp"]
    if fixed.empty:
        return nothing("instances", inference.pairs_to_reject())
    out = int((fixed > high).sum())
    low_share, high_share = statistics.wilson(out, len(fixed))
    return Evidence(
        f"{100 * out / len(fixed):.3g} % ({out} of {len(fixed)})",
        len(fixed),
        "instances",
        inference.pairs_to_reject(),
        if_significant=REPRODUCED if 2 * out > len(fixed) else NOT_REPRODUCED,
        if_not=UNDECIDED,
        low=100 * float(low_share),
        high=100 * float(high_share),
        p=float(binomtest(out, len(fixed)).pvalue),
        effect=out / len(fixed) - 0.5,
        measure="g",
    )


@_test(0, of=INSTANCES)
def none_moved_into(sample: Sample, low: float, high: float) -> Evidence:
    """Propagation takes no instance into a range of fixed fractions from below: within h = 0.4.

    "None" is less than 4 %, of the instances with 0 - 5 % of the cells given, with 5 - 10 %, ...

    reproduced: significantly less. not reproduced: more at one of them, and significantly more than
    none (after correction for their number). undecided: neither.
    """
    rows = instances_of(sample)
    rows = rows[rows["given_fraction"] < low]
    least = (rows["given_fraction"] // STEP * 5).astype(int).astype(str)
    places = "those from " + least + " %"
    rows = rows.assign(inside=rows["fixed_after_cp"].between(low, high), family=places)
    needed = inference.runs_to_agree((Rate(0.0),), MARGIN)
    return _of_rates(sample._replace(runs=_as_solved(rows, "inside")), Rate(0.0), needed)


@_test(0, of=INSTANCES)
def mean_value(sample: Sample, column: str, value: float, decimals: int) -> Evidence:
    """The mean of a column over instances agrees with the published one, within 5 % and rounding.

    Two one-sided t tests.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different from all that rounds to the published value. undecided: neither.
    """
    half = 0.5 * 10**-decimals
    values = instances_of(sample)[column].to_numpy(float)
    greatest = 1.0 if column in FRACTIONS else np.inf
    return _of_mean(values, value, half, MEAN_MARGIN * value + half, "{:.3g}", 0.0, greatest)


@_test(0, of=INSTANCES)
def no_gain(sample: Sample) -> Evidence:
    """Propagation fixes no cells beyond the givens, within 2 % of the cells in the mean.

    Two one-sided t tests.

    reproduced: significantly within 2 %. not reproduced: beyond it, and significantly different
    from none. undecided: neither.
    """
    rows = instances_of(sample)
    gains = 100 * (rows["fixed_after_cp"] - rows["given_fraction"]).to_numpy(float)
    margin = 100 * GAIN_MARGIN
    return _of_mean(gains, 0.0, 0.0, margin, "{:.2g} % of the cells", 0.0, 100.0)


@_test(1, of=INSTANCES)
def n_trivial(sample: Sample, trivial: int) -> Evidence:
    """A variant solves exactly so many of the puzzles without a step of search: counted.

    reproduced: it does. not reproduced: more or fewer.
    """
    found = _without_search(sample)
    if found.empty:
        return nothing("puzzles", 1)
    n, of = int(found["trivial"].sum()), len(found)
    verdict = REPRODUCED if n == trivial else NOT_REPRODUCED
    return Evidence(f"{n} of {of}", of, "puzzles", of, verdict, verdict)


@_test(1, of=SUCCESS)
def solves_all(sample: Sample) -> Evidence:
    """A variant that draws no random numbers solves every puzzle: counted, for all runs are alike.

    reproduced: it does. not reproduced: it fails at one.
    """
    is_solved = (sample.runs["status"] == SOLVED).groupby(sample.runs["instance_id"]).all()
    if is_solved.empty:
        return nothing("puzzles", 1)
    verdict = REPRODUCED if is_solved.all() else NOT_REPRODUCED
    ours = f"{is_solved.sum()} of {len(is_solved)}"
    return Evidence(ours, len(is_solved), "puzzles", len(is_solved), verdict, verdict)


@_test(0, of=INSTANCES)
def n_solutions(sample: Sample, puzzles: str, solutions: int) -> Evidence:
    """Every puzzle of a collection has so many solutions: counted by exact search, no runs needed.

    reproduced: all have. not reproduced: one has not.
    """
    return _fact({row.name: row.n_solutions for row in named.find(puzzles)}, solutions)


# --- small parts ---------------------------------------------------------------------------------


def _of_rates(sample, published, needed, sides=2):
    """Evidence that the rates at all places are the published one: fixed fractions, or puzzles."""
    groups = sample.runs.groupby("instance_id" if sample.same_puzzles else "family", observed=True)
    places = {name: solved_of(sample._replace(runs=runs)) for name, runs in groups}
    solved = solved_of(sample)
    if not places:
        return nothing(solved.unit, needed)
    low, high = statistics.wilson(solved.rate.share * solved.n, solved.n)
    limits = {"low": 100 * float(low), "high": 100 * float(high)}
    verdicts = agreement_at_each([place.rate for place in places.values()], published, sides)
    if len(places) == 1:
        return Evidence(solved.text, solved.n, solved.unit, needed, **limits, **verdicts)
    off = {name: abs(inference.cohens_h([each.rate], [published])) for name, each in places.items()}
    farthest = max(off, key=off.get)
    there = f", of {farthest} {100 * places[farthest].rate.share:.3g} %" if off[farthest] else ""
    return Evidence(
        solved.text + there,
        min(each.n for each in places.values()),
        "runs a puzzle" if sample.same_puzzles else "instances a fraction",
        needed,
        **limits,
        **verdicts,
    )


def _of_mean(values, published, rounding, margin, form, least, greatest):
    """Evidence of a mean that is to lie within a margin around the published one.

    `least` and `greatest` are what a value can be.
    """
    from scipy.stats import ttest_1samp

    n = len(values)
    if n < 2:
        return nothing("instances", 2, n)
    off, sd = values.mean() - published, values.std(ddof=1) if np.ptp(values) else 0.0
    nearest = published + np.clip(off, -rounding, rounding)
    differs = off and (not sd or ttest_1samp(values, nearest).pvalue < ALPHA)
    low, high = around_mean(values, least, greatest)
    p = inference.mean_within(values, published - margin, published + margin)
    return Evidence(
        form.format(values.mean()),
        n,
        "instances",
        inference.values_for_mean(sd, margin),
        low=low,
        high=high,
        effect=float(off / sd) if sd else np.nan,
        measure="d",
        **agreed(p, bool(abs(off) > margin), bool(differs)),
    )


def _fact(found, number):
    """Evidence that every puzzle has the same number of something; `found` has those of each."""
    other = [f"{name} has {value}" for name, value in found.items() if value != number]
    ours, verdict = f"{len(found) - len(other)} of {len(found)}", REPRODUCED
    if other:
        ours, verdict = "; ".join([ours, *other]), NOT_REPRODUCED
    return Evidence(ours, len(found), "puzzles", len(found), verdict, verdict)


def _without_search(sample):
    """One run of each instance, trivial if it was solved without a step."""
    found = instances_of(sample)
    return found.assign(trivial=(found["status"] == SOLVED) & (found["steps"] == 0))


def _as_solved(instances, column):
    """Runs that are solved where a column is true."""
    return instances.assign(status=np.where(instances[column], SOLVED, ""))


def _of_solved(runs, statistic):
    """The least or greatest time of the solved runs on each puzzle."""
    return runs[runs["status"] == SOLVED].groupby("instance_id")["cpu_s"].agg(statistic)


def _uncensored(runs):
    """Times of runs, infinite where they were not solved."""
    return runs["cpu_s"].where(runs["status"] == SOLVED, np.inf).to_numpy()


def _most(p, number):
    """P value that at least so many of several hypotheses are false (partial conjunction)."""
    return float(min(1.0, (len(p) - number + 1) * np.sort(p)[number - 1]))


def _pairs_for_times(sides=1):
    """Pairs that show that neither variant is clearly the faster, if neither is."""
    return inference.runs_for_share(0.5, FASTER_SHARE, sides)

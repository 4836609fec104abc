"""Tests of two variants and more: which is ahead, and by how much."""

from itertools import pairwise, product

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
    compare,
    compare_runs,
    nothing,
    scores,
    solved_by_both,
    solved_of,
    standing,
)
from antdoku.claims.tests.parts import UNSOLVED, timed_as
from antdoku.claims.tests.registry import named_test
from antdoku.inference import ALPHA, MARGIN, Rate
from antdoku.outcome import SOLVED


@named_test(2, of=SUCCESS)
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


@named_test(2, of=SUCCESS)
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


@named_test(2, of=TIME)
def faster(
    sample: Sample, times: list[float] | None = None, program: str | None = None
) -> Evidence:
    """The first variant takes less time than the second; `times` are the published means.

    Wilcoxon signed-rank test of pairs: of an instance, or on the paper's own puzzles of two runs,
    which were made side by side. A failure counts as the limit; a pair without a solved run says
    nothing, and what repeats of one run vary by is no difference. Published times are from other
    machines and of solved runs only, so only the direction is judged. With the name of a paper in
    `program` times are steps, at the speed of its program; so for the other tests of two variants.

    reproduced: significantly faster. not reproduced: significantly slower, or faster in
    significantly less than 65 % of the pairs (Cohen's g = 0.15; ties count half). undecided: else.
    """
    sample = timed_as(sample, program)
    pair = compare(sample, *sample.variants, TIME)
    if pair.missing:
        return nothing(pair.unit, _pairs_for_times(), ours=UNSOLVED)
    return pair.evidence(scores(sample, *sample.variants, TIME), _pairs_for_times())


@named_test(2, of=TIME)
def as_fast(sample: Sample, program: str | None = None) -> Evidence:
    """Where both variants solve, they take about as long: neither is clearly the faster.

    Pairs as in `faster`. Neither is if each is faster in less than 65 % of the pairs (Cohen's
    g = 0.15; ties count half): two one-sided exact tests.

    reproduced: significantly neither. not reproduced: one of them in more than that, and
    significantly faster. undecided: else.
    """
    sample = timed_as(sample, program)
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


@named_test(2, of=TIME)
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
    p, opposite = _on_most(effects, p)
    medians = [(np.median(first), np.median(second)) for first, second in pairs]  # inf: failures
    n_faster = sum(np.isfinite(one) and factor * one <= other for one, other in medians)
    return Evidence(
        f"{n_faster} of {len(pairs)} puzzles",
        len(pairs),
        "puzzles",
        len(pairs),
        if_significant=REPRODUCED,
        if_not=NOT_REPRODUCED if opposite < ALPHA else UNDECIDED,
        p=p,
    )


@named_test(2, of=TIME)
def varies_more(sample: Sample) -> Evidence:
    """On most puzzles the steps of the first variant vary more, in proportion, than the second's.

    Brown-Forsythe test of their logarithms on each puzzle that both search; the p value is that of
    most puzzles at once, as in `faster_by`. A failure counts as the steps that it took.

    reproduced: significantly more on more than half of the puzzles. not reproduced: significantly
    less on half of them or more. undecided: else.
    """
    steps = [
        [group.loc[group["variant"] == name, "steps"].to_numpy(float) for name in sample.variants]
        for _, group in sample.runs.groupby("instance_id")
    ]
    tests = np.array([_more_spread(*each) for each in steps if all(map(_is_searched, each))])
    if not len(tests):
        return nothing("puzzles", 1)
    effects, p = tests.T
    p, opposite = _on_most(effects, p)
    return Evidence(
        f"on {(effects > 0).sum()} of {len(tests)} puzzles",
        len(tests),
        "puzzles",
        len(tests),
        if_significant=REPRODUCED,
        if_not=NOT_REPRODUCED if opposite < ALPHA else UNDECIDED,
        p=p,
    )


@named_test(None, of=SUCCESS)
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


@named_test(2, of=TIME)
def never_worse(sample: Sample, by: str, better: str = "", program: str | None = None) -> Evidence:
    """The first variant is worse than the second at no fixed fraction, or on no kind of puzzles.

    At each place the two are compared on the same instances, as in `solves_more` or `faster`. It is
    no worse where it solves less by no more than h = 0.4, or is the faster in no less than 35 % of
    the pairs: a one-sided exact test. Worse and better are tested with Holm's correction over all
    places.

    reproduced: significantly no worse at each place (and significantly better at one, or at each,
    if `better` is "somewhere" or "everywhere"). not reproduced: significantly worse at one.
    undecided: else.
    """
    places = timed_as(sample, program).runs.groupby("family")
    cells = [compare(sample._replace(runs=runs), *sample.variants, by) for _, runs in places]
    cells = [cell for cell in cells if not cell.missing]
    needed = _pairs_for_times() if by == TIME else inference.runs_to_agree((Rate(1.0),), MARGIN, 1)
    if not cells:
        return nothing("instances a place", needed)
    effects, p = np.array([(cell.test.effect, cell.test.p) for cell in cells]).T
    p_holm = statistics.holm(p)
    worse, ahead = ((sign * effects > 0) & (p_holm < ALPHA) for sign in (-1, 1))
    shown = sum(cell.is_no_worse for cell in cells)
    least = {"": 0, "somewhere": 1, "everywhere": len(cells)}[better]
    holds = shown == len(cells) and ahead.sum() >= least
    verdict = NOT_REPRODUCED if worse.any() else REPRODUCED if holds else UNDECIDED
    return Evidence(
        f"better at {ahead.sum()}, worse at {worse.sum()}, "
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


@named_test(2, of=TIME)
def better_over_all(sample: Sample, by: str, program: str | None = None) -> Evidence:
    """Over all places, the first variant is the better: Wilcoxon signed-rank test of pairs of runs.

    All runs of all instances are pooled, as the paper does: a run of each variant, on the same
    instance, is a pair. Times are compared as in `faster`.

    reproduced: significantly better. not reproduced: significantly worse, or, of times, better in
    significantly less than 65 % of the pairs. undecided: else.
    """
    sample = timed_as(sample, program)
    pair = compare_runs(sample, *sample.variants, by)
    needed = _pairs_for_times() if by == TIME else inference.pairs_to_reject()
    if pair.missing:
        return nothing(pair.unit, needed)
    return pair.evidence(scores(sample, *sample.variants, by), needed)


def _uncensored(runs):
    """Times of runs, infinite where they were not solved."""
    return runs["cpu_s"].where(runs["status"] == SOLVED, np.inf).to_numpy()


def _is_searched(steps):
    """Whether there are runs, none of which ended without a step."""
    return len(steps) > 0 and steps.min() > 0


def _more_spread(steps, others):
    """How much more the first of two samples varies, and the p value; on a logarithmic scale."""
    from scipy.stats import levene

    logs = np.log(steps), np.log(others)
    mine, theirs = (np.abs(each - np.median(each)).mean() for each in logs)
    p = levene(*logs, center="median").pvalue if mine or theirs else 1.0
    return mine - theirs, p


def _on_most(effects, p):
    """P values that the effect is positive on most of several puzzles, and negative on half."""
    most, half = len(p) // 2 + 1, (len(p) + 1) // 2
    return _most(np.where(effects > 0, p, 1), most), _most(np.where(effects < 0, p, 1), half)


def _most(p, number):
    """P value that at least so many of several hypotheses are false (partial conjunction)."""
    return float(min(1.0, (len(p) - number + 1) * np.sort(p)[number - 1]))


def _pairs_for_times(sides=1):
    """Pairs that show that neither variant is clearly the faster, if neither is."""
    return inference.runs_for_share(0.5, FASTER_SHARE, sides)

"""Claims about two variants and more: which is ahead, and by how much."""

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
    contrast,
    nothing,
    scores,
    solved_by_both,
    solved_of,
    standing,
)
from antdoku.claims.kinds.parts import UNSOLVED, timed_as
from antdoku.claims.kinds.registry import SEVERAL, kind
from antdoku.inference import ALPHA, MARGIN, Rate
from antdoku.outcome import SOLVED


@kind(1, 2, of=SUCCESS)
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
    rates = [Rate(percent / 100) for percent in percents or ()]
    ahead = inference.cohens_h(rates[:1], rates[1:]) / 2 if rates else 0.0
    needed = _pairs_for_times() if by == TIME else _runs_for_rates(rates)
    sample = timed_as(sample, program)
    pair = contrast(sample, *sample.variants, by, ahead, pooled)
    if pair.missing:
        return nothing(pair.unit, needed, ours=UNSOLVED if by == TIME else "no runs")
    return pair.evidence(scores(sample, *sample.variants, by), needed)


def _beats_propagation(sample):
    """Evidence that a variant solves more than propagation alone, of the same instances."""
    shares = sample.runs.assign(solved=sample.runs["status"] == SOLVED)
    shares = shares.groupby(["family", "instance_id"])[["solved", "trivial"]].mean()
    needed = inference.pairs_to_reject()
    if shares.empty:
        return nothing("instances", needed)
    test = inference.paired_success(*shares.to_numpy(float).T)
    return Evidence(
        " against ".join(f"{100 * share:.3g} %" for share in shares.mean()),
        len(shares),
        "instances",
        needed,
        if_significant=REPRODUCED if test.effect > 0 else NOT_REPRODUCED,
        if_not=UNDECIDED,
        **test._asdict(),
    )


@kind(2, of=SUCCESS)
def gap(
    sample: Sample,
    by: str = SUCCESS,
    percents: list[float] | None = None,
    of: int | None = None,
    program: str | None = None,
) -> Evidence:
    """The two variants differ by as much as published; in times, neither is clearly the faster.

    Success: Cohen's h between the two rates, equivalence of ours and the published one within 0.4.
    The published `percents` are of `of` runs each, or exact; ours count as independent.

    Times, where both variants solve: each is faster in less than 65 % of the pairs (Cohen's
    g = 0.15; ties count half), which are those of `compare`: two one-sided exact tests.

    reproduced: significantly within the margin. not reproduced: beyond it, and significantly
    different. undecided: neither.
    """
    if by == TIME:
        return _as_fast(timed_as(sample, program))
    published = tuple(Rate(percent / 100, of or np.inf) for percent in percents)
    needed = inference.runs_to_agree(published, MARGIN)
    solved = [solved_of(sample, name) for name in sample.variants]
    n, unit = min(each.n for each in solved), solved[0].unit
    if not n:
        return nothing(unit, needed)
    pair = contrast(sample, *sample.variants, SUCCESS)
    return Evidence(
        scores(sample, *sample.variants, SUCCESS),
        n,
        unit,
        needed,
        low=100 * pair.low,
        high=100 * pair.high,
        **agreement([each.rate for each in solved], list(published)),
    )


def _as_fast(sample):
    pair = contrast(solved_by_both(sample), *sample.variants, TIME)
    needed = _pairs_for_times(sides=2)
    if pair.missing:
        return nothing(pair.unit, needed, ours=UNSOLVED)
    p = inference.share_within(pair.ahead, pair.n, 1 - FASTER_SHARE, FASTER_SHARE)
    is_beyond = abs(pair.ahead - 0.5) > FASTER_SHARE - 0.5
    return Evidence(
        f"{scores(sample, *sample.variants, TIME)}; the first in {100 * pair.ahead:.3g} % of pairs",
        pair.n,
        pair.unit,
        needed,
        effect=pair.ahead - 0.5,
        measure="g",
        **agreed(p, is_beyond, pair.test.p < ALPHA),
    )


@kind(2, of=TIME)
def on_most(sample: Sample, factor: float | None = None) -> Evidence:
    """On most puzzles the first variant is faster than the second by this factor, or even more.

    Mann-Whitney test on each puzzle of the times, those of the first multiplied by the factor.
    Without one: on most puzzles that both search, the steps of the first vary more, in proportion;
    Brown-Forsythe test of their logarithms, a failure counts as the steps that it took. The p value
    is that of most puzzles at once (partial conjunction: Benjamini & Heller, 2008).

    reproduced: significantly on more than half of the puzzles. not reproduced: significantly the
    opposite on half of them or more. undecided: else.
    """
    groups = [group for _, group in sample.runs.groupby("instance_id")]
    pairs = [[group[group["variant"] == name] for name in sample.variants] for group in groups]
    tests, ours = (_spreads(pairs)) if factor is None else _factors(pairs, factor)
    if not len(tests):
        return nothing("puzzles", 1)
    effects, p = np.array(tests, float).T
    most, half = len(p) // 2 + 1, (len(p) + 1) // 2
    opposite = _at_least(half, np.where(effects < 0, p, 1))
    return Evidence(
        ours,
        len(tests),
        "puzzles",
        len(tests),
        if_significant=REPRODUCED,
        if_not=NOT_REPRODUCED if opposite < ALPHA else UNDECIDED,
        p=_at_least(most, np.where(effects > 0, p, 1)),
    )


def _factors(pairs, factor):
    """Effect and p value of each puzzle: the first is faster by a factor."""
    times = [
        [runs["cpu_s"].where(runs["status"] == SOLVED, np.inf) for runs in pair]
        for pair in pairs
        if all(map(len, pair))
    ]
    tests = [inference.earlier(factor * first, second) for first, second in times]
    medians = [(np.median(first), np.median(second)) for first, second in times]  # inf: failures
    n_faster = sum(np.isfinite(one) and factor * one <= other for one, other in medians)
    return [(test.effect, test.p) for test in tests], f"{n_faster} of {len(times)} puzzles"


def _spreads(pairs):
    """Effect and p value of each puzzle that both search: the steps of the first vary more."""
    steps = [[runs["steps"].to_numpy(float) for runs in pair] for pair in pairs]
    # Where a run took no step, propagation alone solves.
    searched = [pair for pair in steps if all(each.min(initial=np.inf) > 0 for each in pair)]
    tests = [_more_spread(*pair) for pair in searched if all(map(len, pair))]
    n_more = sum(effect > 0 for effect, _ in tests)
    return tests, f"on {n_more} of {len(tests)} puzzles"


@kind(2, SEVERAL, of=SUCCESS)
def ranking(
    sample: Sample, order: list[list[str]], gap: list[float] | None = None, by: str = SUCCESS
) -> Evidence:
    """Variants come in this order; those of one group are not compared.

    Each variant is compared with all of the next group, as in `compare`. The order
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
    pairs = [contrast(sample, better, worse, by, ahead) for better, worse in links]
    needed = _runs_for_rates(rates) if rates else _pairs_for_times()
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


@kind(2, of=TIME)
def no_worse(sample: Sample, by: str, better: str = "", program: str | None = None) -> Evidence:
    """The first variant is worse than the second at no fixed fraction, or on no kind of puzzles.

    At each place the two are compared on the same instances, as in `compare`. It is
    no worse where it solves less by no more than h = 0.4, or is the faster in no less than 35 % of
    the pairs: a one-sided exact test. Worse and better are tested with Holm's correction over all
    places.

    reproduced: significantly no worse at each place (and significantly better at one, or at each,
    if `better` is "somewhere" or "everywhere"). not reproduced: significantly worse at one.
    undecided: else.
    """
    places = timed_as(sample, program).runs.groupby("family")
    cells = [contrast(sample._replace(runs=runs), *sample.variants, by) for _, runs in places]
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


def _more_spread(steps, others):
    """How much more the first of two samples varies, and the p value; on a logarithmic scale."""
    from scipy.stats import levene

    logs = np.log(steps), np.log(others)
    mine, theirs = (np.abs(each - np.median(each)).mean() for each in logs)
    p = levene(*logs, center="median").pvalue if mine or theirs else 1.0
    return mine - theirs, p


def _at_least(number, p):
    """P value that at least so many of several hypotheses are false (partial conjunction)."""
    return float(min(1.0, (len(p) - number + 1) * np.sort(p)[number - 1]))


def _runs_for_rates(rates):
    """Runs of each of two variants that tell two such success rates apart, if they are known."""
    h = inference.cohens_h(rates[:1], rates[1:]) if rates else np.inf
    return max(inference.to_differ(h, np.sqrt(2)), inference.pairs_to_reject())


def _pairs_for_times(sides=1):
    """Pairs that show that neither variant is clearly the faster, if neither is."""
    at_margin = np.sqrt(FASTER_SHARE * (1 - FASTER_SHARE))
    return inference.to_agree(FASTER_SHARE - 0.5, 0.5, at_margin, sides)

"""Claims about difficulty: where success or time falls, and which instances are hardest."""

from itertools import pairwise
from typing import Literal

import attrs
import numpy as np
import pandas as pd
import scipy

from antdoku import papers, statistics
from antdoku.claims import SUCCESS, TIME
from antdoku.claims.evidence import KINDS, Evidence, Part, difference, nothing
from antdoku.claims.samples import UNSOLVED, Sample, costs, percentage, times_at_limit
from antdoku.statistics import ALPHA, DifferenceTest
from antdoku.times import duration

A_FRACTION = "instances a fraction"
STEP = 0.05 + 1e-9  # between the fixed fractions of the papers
WORK = "work"  # in place of a column: the steps of a run
EARLY = 0.25  # share of the work of a run that is early
FALLING = 2  # times as many solved in an early step as in a late one


@KINDS(
    "falls",
    1,
    rule="""Success, or time, falls along a column. Success: tests of independent rates from each
    value to the next. Times: Spearman's rank correlation. reproduced: significantly lower, at each
    step. not reproduced: significantly higher at one (corrected for their number). Along the work,
    fewer runs are solved by a step after its first quarter than before: exact test of two Poisson
    rates. reproduced: significantly fewer. not reproduced: significantly more, or significantly not
    fewer by a factor of 2.""",
)
def falls(
    sample: Sample,
    along: Literal["order", "fixed_fraction", "work"] = "order",
    by: Literal["success", "time"] = SUCCESS,
    program: str | None = None,
) -> Evidence:
    """Test whether success, or time, falls along a column of the runs, or along the work.

    Parameters
    ----------
    sample : Sample
    along : {"order", "fixed_fraction", "work"}
        A column of the runs, or "work": the steps of a run.
    by : {"success", "time"}
        Success falls at each step from a value of the column to the next (intersection-union test).
        Times are the means of instances.
    """
    if along == WORK:
        return _stagnates(sample)
    groups = [sample._replace(runs=runs) for _, runs in sample.runs.groupby(along)]
    if len(groups) < 2:
        return nothing("instances")
    n = min(len(group.trials()) for group in groups)
    if by == TIME:
        return _times_fall(sample.at_speed_of(program), along, n)
    rates = [group.rate() for group in groups]
    tests = [statistics.rates_differ(*pair) for pair in pairwise(rates)]
    return difference(
        " > ".join(percentage(rate.share) for rate in rates),
        n,
        "instances",
        min(tests, key=lambda test: test.effect),
        p_for=max(test.p_ahead for test in tests),
        p_against=min(1.0, len(tests) * min(test.p_behind for test in tests)),
    )


def _times_fall(sample, along, n):
    """Test whether mean times of instances fall along a column: a rank correlation."""
    runs = sample.runs
    means = times_at_limit(runs).groupby([runs[along], runs["instance_id"]]).mean()
    test = scipy.stats.spearmanr(means.index.get_level_values(along), means)
    result = DifferenceTest(float(test.pvalue), -float(test.statistic), "rho")
    first, last = means.groupby(level=0).mean().iloc[[0, -1]].map(duration)
    return difference(f"mean times from {first} to {last}{sample.speed}", n, "instances", result)


def _stagnates(sample):
    """Test whether fewer runs are solved by a step after the first quarter of the work.

    Search that does not stagnate has one rate on a puzzle (Hoos & Stützle, 2004). Exact conditional
    test of two Poisson rates (Przyborowski & Wilenski, 1940).
    """
    runs = sample.runs[~sample.runs["trivial"] & (sample.runs["limit_steps"] > 0)]
    split = (EARLY * runs["limit_steps"]).round()
    is_early = runs["steps"] <= split
    early = int((runs["solved"] & is_early).sum())
    late = int((runs["solved"] & ~is_early).sum())
    early_steps = runs["steps"].clip(upper=split).sum()
    late_steps = (runs["steps"] - split).clip(lower=0).sum()
    if not early + late or not early_steps or not late_steps:
        return nothing("solved runs", UNSOLVED, early + late)
    odds = early_steps / late_steps
    ratio = (early + 0.5) / (late + 0.5) / odds
    test = DifferenceTest(_early_p(early, late, odds), float(np.log(ratio)), "log ratio")
    p_small = _early_p(early, late, FALLING * odds, "less")
    return difference(
        f"{early} solved in the first quarter of the work, {late} later; "
        f"{ratio:.2g} times as many a step at first",
        early + late,
        "solved runs",
        test,
        p_against=min(test.p_behind, p_small),
    )


def _early_p(early, late, odds, alternative="two-sided"):
    """Return the p value of the early ones among all solved runs, if their odds are `odds`."""
    share = odds / (1 + odds)
    return float(scipy.stats.binomtest(early, early + late, share, alternative).pvalue)


@KINDS(
    "hardest",
    1,
    99,
    one_of=("fixed_fraction", "family", "puzzles"),
    rule="""These fixed fractions, or kinds of puzzles, are the hardest: Mann-Whitney tests against
    each other one. reproduced: significantly harder than each. partly: a fraction one step of 0.05
    away is significantly harder, and none further away. not reproduced: one further away is
    (corrected for their number). Of several variants or sizes: reproduced if shown of each, not
    reproduced if the opposite is shown of one (corrected for their number), partly if both are.
    These puzzles are harder than the others: Mann-Whitney test of the medians of their runs.
    reproduced: significantly longer. not reproduced: significantly shorter.""",
)
def hardest(
    sample: Sample,
    fixed_fraction: float | list[float] | None = None,
    family: str | list[str] | None = None,
    puzzles: list[str] | None = None,
    by: Literal["time", "success", "steps"] = TIME,
    program: str | None = None,
) -> Evidence:
    """Test whether instances with a fixed fraction, of a kind, or by name are the hardest.

    Parameters
    ----------
    sample : Sample
    fixed_fraction, family : float or str, or a list
        Hardness is the PAR2 time of an instance over its runs, or the share that fails; ties count
        half. On the paper's own instances success rates are compared, since only the runs vary.
        Each variant and size is tested alone.
    puzzles : list of str
        Names of puzzles, which are harder than all other puzzles together. Hardness is the median
        of the runs on a puzzle, an unsolved run as endless.
    by : {"time", "success", "steps"}
        The measure of hardness; steps of `puzzles` only.
    """
    if puzzles:
        return _puzzles_harder(sample, puzzles, by)
    sample = sample.at_speed_of(program)
    along, named = ("family", family) if family else ("fixed_fraction", fixed_fraction)
    named = np.atleast_1d(named).tolist()
    cells = {
        f"{variant} at {order**2}x{order**2}": _hardest_in(
            sample._replace(runs=runs), along, named, by
        )
        for (variant, order), runs in sample.runs.groupby(["variant", "order"])
    }
    if not cells or any(np.isnan(evidence.p_for) for evidence in cells.values()):
        return nothing(A_FRACTION)
    first, *rest = cells.values()
    return _hardest_in_each(cells) if rest else first


def _hardest_in(sample, along, named, by):
    """Test whether values of a column are the hardest for one variant at one size."""
    groups = {key: sample._replace(runs=runs) for key, runs in sample.runs.groupby(along)}
    if not {*named} < {*groups}:
        return nothing(A_FRACTION)
    hard = sample._replace(runs=pd.concat([groups.pop(key).runs for key in named]))
    tests = {key: _harder(hard, group, by) for key, group in groups.items()}
    # Corrected for the number of tests: a value far from the named ones is harder, or a near one.
    p_opposite = {key: min(1.0, test.p_behind * len(tests)) for key, test in tests.items()}
    is_near = {key: _is_near(key, named) for key in tests}
    p_far = min([1.0, *(p for key, p in p_opposite.items() if not is_near[key])])
    p_near = min([1.0, *(p for key, p in p_opposite.items() if is_near[key])])
    weakest = min(tests, key=lambda key: tests[key].effect)
    return difference(
        _in_pairs(hard, groups[weakest], named, weakest, tests[weakest], by),
        min(len(group.trials()) for group in groups.values()),
        f"{sample.unit} a {'kind' if along == 'family' else 'fraction'}",
        tests[weakest],
        p_for=max(test.p_ahead for test in tests.values()),
        p_against=p_far,
        p_partly=p_near if p_far >= ALPHA else 1.0,
    )


def _is_near(key, named):
    """Whether a fixed fraction is one step away from a named one; kinds of puzzles never are."""
    return not isinstance(key, str) and min(abs(key - value) for value in named) <= STEP


def _hardest_in_each(cells):
    """Combine the evidence of variants and sizes.

    The claim is shown in part if it is shown in some cells, and its opposite in others. The p
    values of one among the cells are corrected for their number.
    """
    rows = [*cells.values()]
    n_for = sum(row.p_for < ALPHA for row in rows)
    n_against = sum(row.p_against < ALPHA for row in rows)
    for_one = min(1.0, len(rows) * min(row.p_for for row in rows))
    against_one = min(1.0, len(rows) * min(row.p_against for row in rows))
    near_one = min(1.0, len(rows) * min(row.p_partly for row in rows))
    p_mixed = max(for_one, against_one)
    weakest = max(rows, key=lambda row: row.p_for)
    return attrs.evolve(
        weakest,
        ours=f"shown in {n_for}, the opposite in {n_against} of {len(rows)} cases",
        n=min(row.n for row in rows),
        p_against=against_one,
        p_partly=min(p_mixed, near_one) if against_one >= ALPHA else p_mixed,
        parts=tuple(
            # A semicolon separates the parts.
            Part(cell, row.ours.replace("; ", ", "), "", row.p_for, row.p_against)
            for cell, row in cells.items()
        ),
    )


def _harder(hard, group, by):
    """Test whether the instances of one sample are harder than the instances of a group."""
    if by == SUCCESS and hard.from_archive:
        return statistics.rates_differ(group.rate(), hard.rate())
    return statistics.earlier(_hardness(group, by), _hardness(hard, by))


def _hardness(sample, by):
    """Return the hardness of each instance, shape (n,)."""
    runs = sample.runs
    hardness = ~runs["solved"]
    if by == TIME:
        limit_s = runs["limit_s"].fillna(runs["cpu_s"])  # where steps alone limit a run
        hardness = statistics.par2(runs["cpu_s"], runs["solved"], limit_s)
    return hardness.groupby(runs["instance_id"]).mean()


def _in_pairs(hard, group, named, key, test, by):
    """Return in words how the hardest fractions, or puzzles, compare with a group called `key`."""
    shares = [percentage(part.rate().share) for part in (hard, group)]
    if isinstance(key, str):
        kinds = " and ".join(papers.puzzle_title(name) for name in named)
        text = f"{shares[0]} solved on {kinds}, {shares[1]} on {papers.puzzle_title(key)}"
    else:
        fractions = " to ".join(f"{100 * value:g}" for value in sorted({named[0], named[-1]}))
        text = f"{shares[0]} solved at {fractions} % fixed, {shares[1]} at {100 * key:g} %"
    if test.measure == "h":
        return text
    harder = "longer times" if by == TIME else "fewer solved"
    share = percentage((1 + test.effect) / 2)
    return f"{text}; {harder} at the first in {share} of pairs of instances"


def _puzzles_harder(sample, puzzles, by):
    """Test whether a variant takes longer on some puzzles than on the others."""
    medians = costs(sample.runs, by).groupby(sample.runs["instance_id"]).median()
    is_named = medians.index.isin(puzzles)
    test = statistics.earlier(medians[~is_named], medians[is_named])
    if np.isnan(test.p):
        return nothing("puzzles", n=len(medians))
    share = percentage((1 + test.effect) / 2)
    as_text = duration if by == TIME else "{:,.6g} steps".format
    named, others = as_text(medians[is_named].median()), as_text(medians[~is_named].median())
    ours = f"longer in {share} of pairs of puzzles; medians {named} against {others}"
    return difference(ours, len(medians), "puzzles", test)

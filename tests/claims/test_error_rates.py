"""How often verdicts are wrong on drawn runs whose truth is known: in less than 5 %.

A claim is wrongly reproduced if its numbers lie just beyond the margin, and wrongly not reproduced
if they lie just within it. The tables that compare solvers are wrong if they call equal ones
different. Intervals that readers see hold the true value in 95 %.
"""

from functools import cache, partial
from math import inf

import numpy as np
import pandas as pd
import pytest
from runs_by_hand import on_puzzle, runs, sample
from scipy.stats import binom

from antdoku import statistics
from antdoku.claims import (
    INSTANCES,
    NOT_REPRODUCED,
    PARTLY,
    REPRODUCED,
    SUCCESS,
    TIME,
    UNDECIDED,
    ledger,
    verdicts,
)
from antdoku.claims.evidence import Evidence, agreement, combined
from antdoku.claims.kinds import KINDS
from antdoku.papers import published
from antdoku.statistics import ALPHA, MARGIN, Rate
from antdoku.tables import comparison

pytestmark = pytest.mark.thorough  # so few draws as take seconds would show nothing
BEYOND, WITHIN = 1.03, 0.97  # times a margin
SEED = 7
DECIDED, ALL = [REPRODUCED, NOT_REPRODUCED], [REPRODUCED, PARTLY, NOT_REPRODUCED]
beside_the_margin = pytest.mark.parametrize("off", [BEYOND, WITHIN])
on_both_sides = pytest.mark.parametrize("off", [BEYOND, -BEYOND, WITHIN, -WITHIN])
by_a_factor = pytest.mark.parametrize("off", [BEYOND, 1 / BEYOND, WITHIN, 1 / WITHIN])


def check(drawn, wrong=(), right=None, n=200, least=0.8):
    """Draw evidence and count verdicts.

    So many wrong ones come once in a thousand draws of a rule that errs in 5 %.
    """
    rng = np.random.default_rng(SEED)
    given = [verdicts.shown(drawn(rng)) or UNDECIDED for _ in range(n)]
    for verdict in np.atleast_1d(wrong):
        share = given.count(verdict) / n
        assert given.count(verdict) <= binom.isf(0.001, n, ALPHA), f"{verdict}: {share:.1%}"
    assert right is None or given.count(right) > least * n, {*given}


def evidence(test, drawn, printed=lambda rng: {}, **expect):
    """Draws of the evidence of a test, on runs that are drawn; what is printed may be drawn too."""
    return lambda rng: KINDS[test].run(drawn(rng), **expect, **printed(rng))


def varied(table, variants=("acs",), same_puzzles=False, from_archive=False, **columns):
    """Draws of a sample whose columns are drawn: functions of a generator."""

    def drawn(rng):
        table_drawn = table.assign(**{name: draw(rng) for name, draw in columns.items()})
        return sample(table_drawn, variants=variants)._replace(
            same_puzzles=same_puzzles, from_archive=from_archive
        )

    return drawn


def status(n, shares):
    """Draws of what n runs, or n times each of several, come to, of which a share is solved."""
    chances = np.repeat(shares, n)
    return lambda rng: np.where(rng.random(len(chances)) < chances, "solved", "timeout")


def moved(share, margins):
    """The share so many margins away, on the scale of Cohen's h."""
    angle = 2 * np.arcsin(np.sqrt(share)) + margins * MARGIN
    return float(np.sin(np.clip(angle, 0, np.pi) / 2) ** 2)


def at_fractions(n, fractions, variants=("acs",)):
    """Runs of variants on n instances at each fixed fraction."""
    points = [(name, fraction) for name in variants for fraction in fractions]
    tables = [runs(n, n, name, fixed_fraction=fraction) for name, fraction in points]
    return pd.concat(tables, ignore_index=True)


# --- rates ---------------------------------------------------------------------------------------


@cache
def of_counts(*pairs):
    """The evidence of rates and printed ones, each a share of so many runs."""
    sides = [[Rate(share, n) for share, n in side] for side in pairs]
    return Evidence("", 0, "", **agreement((sides[0], sides[1])))


def drawn_rates(*sides):
    """Draws of evidence on rates and printed ones, each a share and so many runs."""

    def share_of(rng, share, n):
        return (share if n == inf else rng.binomial(n, share) / n), n

    return lambda rng: of_counts(*(tuple(share_of(rng, *rate) for rate in side) for side in sides))


def wrong_at(off):
    """The wrong verdict on what is off by so many margins, or factors."""
    return REPRODUCED if off in (BEYOND, -BEYOND, 1 / BEYOND) else NOT_REPRODUCED


DESIGNS = [(100, 100), (100, inf), (30, 30), (400, 30), (1600, 1600)]


@pytest.mark.parametrize(("n", "m"), DESIGNS)
@on_both_sides
@pytest.mark.parametrize("share", [0, 0.15, 0.5, 0.9, 1])
def test_errors_on_rates(n, m, off, share):
    """`m` runs are printed; ours are off by just more than the margin, or just less."""
    other = moved(share, off)
    if abs(moved(other, -off) - share) < 1e-9:  # else there is no rate so far away
        check(drawn_rates([(other, n)], [(share, m)]), wrong_at(off))


@pytest.mark.parametrize(("n", "m"), [(100, 100), (300, 100), (100, inf)])
@on_both_sides
@pytest.mark.parametrize("shares", [(0.9, 0.5), (0.2, 0.05)])
def test_errors_on_gaps(n, m, off, shares):
    first, second = shares
    ours, printed = [(moved(first, off), n), (second, n)], [(first, m), (second, m)]
    check(drawn_rates(ours, printed), wrong_at(off))


def test_errors_on_rates_of_several_places():
    """One that lies beyond the margin refutes the claim; in a pool one that is certainly bad."""
    table = at_fractions(100, (0.1, 0.2, 0.3, 0.4))
    beyond, within = moved(0.9, -BEYOND), [moved(0.9, -WITHIN)] * 4
    for pooled, shares, wrong, right in (
        (False, [0.9, 0.9, 0.9, beyond], REPRODUCED, None),
        (False, within, NOT_REPRODUCED, None),
        (True, [beyond] * 4, REPRODUCED, None),
        (True, within, NOT_REPRODUCED, None),
        (True, [1, 1, 1, 0.45], REPRODUCED, NOT_REPRODUCED),
    ):
        drawn = varied(table, status=status(100, shares))
        check(evidence("rate", drawn, percent=90, of=100, pooled=pooled), wrong, right)


@pytest.mark.parametrize("of", [None, 400])
def test_errors_on_rates_that_are_read_off(of):
    """The printed rate is any within two points; of so many runs, or exact."""

    def printed(rng):
        return {"percent": 65 if of is None else 100 * rng.binomial(of, 0.65) / of}

    for off in (BEYOND, WITHIN):
        drawn = varied(runs(300, 300), status=status(300, moved(0.67, off)))
        check(evidence("rate", drawn, printed, of=of, read_off=2), wrong_at(off))
    exact = varied(runs(300, 300), status=status(300, 0.67))
    check(evidence("rate", exact, percent=65, read_off=2), NOT_REPRODUCED, right=REPRODUCED)


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.6, 0.4), (0.9, 0.9), (1.0, 0.8)])
def test_errors_on_rates_beside_a_bound(shares):
    """Runs on two puzzles, the mean of whose rates is the bound."""
    drawn = varied(on_puzzles(2, 50), same_puzzles=True, status=status(50, shares))
    for side in ("above", "below"):
        check(evidence("rate", drawn, pooled=True, **{side: 100 * np.mean(shares)}), DECIDED)


@pytest.mark.parametrize(
    ("shares", "wrong"), [((0.9, 0.9, 0.9), NOT_REPRODUCED), ((1.0, 0.9, 1.0), REPRODUCED)]
)
def test_errors_on_rates_beside_a_bound_at_each_place(shares, wrong):
    drawn = varied(on_puzzles(3, 50), same_puzzles=True, status=status(50, shares))
    check(evidence("rate", drawn, above=90), wrong)


def test_errors_on_rates_beside_a_bound_of_runs_that_share_instances():
    """Three runs on each instance, whose rate is 0.1 or 0.9."""

    def ends(rng):
        return status(3, rng.choice([0.1, 0.9], 40))(rng)

    check(evidence("rate", varied(runs(40, 40, repetitions=3), status=ends), above=50), DECIDED)


@beside_the_margin
def test_errors_on_trivial_instances(off):
    """At one of two fractions so many instances are trivial, where none should be."""
    table, ends = at_fractions(100, (0.45, 0.5)), status(100, (0, moved(0, off)))
    steps = {"steps": lambda rng: np.where(ends(rng) == "solved", 0, 5)}
    drawn = varied(table.assign(trivial=True), **steps)
    check(evidence("rate", drawn, percent=0, by=INSTANCES), wrong_at(off))


@pytest.mark.parametrize(
    ("shares", "wrong"),
    [
        ((0.5, 0.5, moved(0.5, BEYOND)), REPRODUCED),
        ((0.1, 0.2, moved(0.5, -WITHIN)), NOT_REPRODUCED),
    ],
)
def test_errors_on_the_range_of_the_work(shares, wrong):
    """A claim has to hold at half the work and at twice, of which the true one is not known."""
    n, table = 200, runs(200, 200)

    def drawn(rng):
        work = np.searchsorted(shares, rng.random(n))  # 0: solved within half of it, 1: within it
        ends = (np.where(work <= end, "solved", "timeout") for end in range(3))
        samples = (sample(table.assign(status=status)) for status in ends)
        return combined(KINDS["rate"].run(part, percent=50, of=n) for part in samples)

    check(drawn, wrong)


# --- runs that share instances --------------------------------------------------------------------


def chances(rng, share, correlation, n):
    """Chances of success of n instances, on which runs depend on each other so much."""
    weight = 1 / correlation - 1
    return rng.beta(share * weight, (1 - share) * weight, n)


def printed_by_lewis(rng, share, correlation):
    """A share of 20 runs on each of 20 instances."""
    return {"percent": rng.binomial(20, chances(rng, share, correlation, 20)).sum() / 4}


@beside_the_margin
@pytest.mark.parametrize("correlation", [0.05, 0.5])
def test_errors_on_rates_of_runs_that_share_instances(correlation, off):
    """Ours are 3 runs on each of 100 instances."""
    table = runs(0, 100, repetitions=3)
    ours = varied(table, status=lambda rng: status(3, chances(rng, 0.6, correlation, 100))(rng))
    printed = partial(printed_by_lewis, share=moved(0.6, off), correlation=correlation)
    check(evidence("rate", ours, printed, of=20, runs=20), wrong_at(off))


@beside_the_margin
@pytest.mark.parametrize(("n_places", "mean", "weight"), [(3, 0.1, 20), (10, 0.4, 10)])
def test_errors_where_the_dependence_of_runs_follows_from_other_places(n_places, mean, weight, off):
    """Ours is one run on each instance. The correlation of a place is drawn around a mean."""
    table = runs(0, 100)

    def drawn(rng):
        here, *elsewhere = rng.beta(mean * weight, (1 - mean) * weight, n_places + 1).clip(0.001)
        neighbours = [
            1.0 * (rng.random((50, 3)) < chances(rng, rng.uniform(0.2, 0.9), r, 50)[:, None])
            for r in elsewhere
        ]
        ours = varied(table, status=status(1, chances(rng, 0.6, here, 100)))(rng)
        printed = printed_by_lewis(rng, moved(0.6, off), here)
        ours = ours._replace(neighbours=lambda: tuple(neighbours))
        return KINDS["rate"].run(ours, of=20, runs=20, **printed)

    check(drawn, wrong_at(off))


def test_errors_on_the_authors_own_instances():
    """Where only runs vary: an instance is always solved, never, or in half of its runs."""
    table = [runs(60, 60, name, repetitions=3) for name in ("a", "b")]
    table = pd.concat(table, ignore_index=True).sort_values(["variant", "instance_id"])
    ends = status(3, np.tile(np.repeat((1.0, 0.5, 0.0), 20), 2))
    drawn = varied(table, ("a", "b"), from_archive=True, status=ends)
    check(evidence("compare", drawn), [REPRODUCED, NOT_REPRODUCED])
    rate = evidence("rate", lambda rng: drawn(rng).of_variant("a"), percent=50, of=60)
    check(rate, NOT_REPRODUCED, right=REPRODUCED)


# --- means and mean times -------------------------------------------------------------------------


@pytest.mark.parametrize("off", [BEYOND, -BEYOND, WITHIN, -WITHIN, 0])
def test_errors_on_means(off):
    """The printed mean is 3.6: the margin is 5 %, and 0.05 by rounding."""
    sizes = {"mean_value_set_size": lambda rng: rng.normal(3.6 + off * 0.23, 0.3, 40)}
    expect = {"column": "mean_value_set_size", "value": 3.6, "decimals": 1}
    right = None if off else REPRODUCED
    check(evidence("mean", varied(runs(40, 40), **sizes), **expect), wrong_at(off), right)


def exponential(rng, n):
    return rng.exponential(1, n)


def gamma(rng, n):
    return rng.gamma(4, 0.25, n)


@by_a_factor
@pytest.mark.parametrize(("same_puzzles", "of"), [(True, 100), (False, 10)])
def test_errors_on_mean_times(off, same_puzzles, of):
    """The printed mean is drawn, too. The speed is off by just more than its factor, or less."""
    n, work = 80, published.work("lewis_hybrid", "sa", 4)
    table = (on_puzzle if same_puzzles else runs)(n, n, "sa", solver="sa").assign(order=4)
    mean = 10 * work.steps / work.limit_s * off
    mean *= work.factor if off in (BEYOND, WITHIN) else 1 / work.factor

    def printed(rng):
        return {"seconds": 10 * gamma(rng, of).mean()}

    steps = {"steps": lambda rng: (mean * gamma(rng, n)).astype(int)}
    drawn = varied(table, ("sa",), same_puzzles, **steps)
    check(evidence("mean_time", drawn, printed, program="lewis_hybrid", of=of), wrong_at(off))


@pytest.mark.parametrize("draw", [exponential, gamma])
@by_a_factor
def test_errors_on_spreads_of_times(draw, off):
    """Of fewer runs of ours than a hundred, or so, deviations are too small."""
    n, factor = 120, 1.3 if off in (BEYOND, WITHIN) else 1 / 1.3

    def printed(rng):
        return {"seconds": 10 * draw(rng, 30).std(ddof=1)}

    steps = {"steps": lambda rng: (10_000 * factor * off * draw(rng, n)).astype(int)}
    drawn = varied(on_puzzle(n, n), same_puzzles=True, **steps)
    expect = {"of": 30, "step_s": 0.001, "factor": 1.3, "spread": True}
    check(evidence("mean_time", drawn, printed, **expect), wrong_at(off))


@pytest.mark.parametrize("runs_each", [1, 3])
@pytest.mark.parametrize("off", [1.5, 1 / 1.5])
def test_errors_on_spreads_of_times_of_runs_that_share_instances(runs_each, off):
    """A printed deviation that is off by exactly the factor."""

    def steps(rng):
        means = np.repeat(rng.normal(0, 0.7, 60), runs_each)
        return 1000 * (5 + means + rng.normal(0, 0.7, 60 * runs_each))

    drawn = varied(runs(60, 60, repetitions=runs_each), steps=steps)
    row = {"of": 1000, "step_s": 0.001, "factor": 1.5, "spread": True}
    check(evidence("mean_time", drawn, seconds=np.hypot(0.7, 0.7) * off, **row), DECIDED)


@pytest.mark.parametrize("n", [20, 100])
def test_errors_on_one_factor(n):
    """Factors that vary by exactly the margin; the printed times are means of runs, too."""
    times = dict(zip([f"p{number:02d}" for number in range(12)], np.geomspace(0.001, 0.1, 12)))

    def cpu_s(rng):
        factors = np.exp(rng.normal(0, np.log(1.5), 12)) * rng.gamma(n, 1 / n, 12)
        return rng.exponential(np.repeat(factors * [*times.values()], n))

    drawn = varied(on_puzzles(12, n), same_puzzles=True, cpu_s=cpu_s)
    check(evidence("puzzle_times", drawn, times=times, runs=n, factor=1.5), DECIDED)


SHARE, OF = 0.86, 60  # that is printed, and of how many tries


@pytest.mark.parametrize(
    ("success", "speed", "wrong"),
    [
        (BEYOND, 0, REPRODUCED),
        (0, BEYOND, REPRODUCED),
        (WITHIN, WITHIN, NOT_REPRODUCED),
        (WITHIN, WITHIN, PARTLY),
        (BEYOND, 3, PARTLY),  # neither is shown
    ],
)
def test_errors_on_tries_and_mean_times(success, speed, wrong):
    """In margins, both are off by so much."""
    n, share = 120, moved(SHARE, -success)

    def printed(rng):
        solved = rng.binomial(OF, SHARE)
        return {"percent": 100 * solved / OF, "seconds": 10 * exponential(rng, solved).mean()}

    def steps(rng):
        return (10_000 * 1.3**speed * exponential(rng, n)).astype(int)

    drawn = varied(on_puzzle(n, n), same_puzzles=True, steps=steps, status=status(n, share))
    check(evidence("mean_time", drawn, printed, of=OF, step_s=0.001, factor=1.3), wrong)


# --- two variants and more ------------------------------------------------------------------------


BASE = pd.concat([runs(60, 60, "a"), runs(60, 60, "b")], ignore_index=True)


def two(shares, **design):
    """Runs of two variants, of which these shares are solved."""
    return varied(BASE, ("a", "b"), status=status(60, shares), **design)


def ahead(shares):
    """Draws of times of two variants, the first of which is faster in these shares of 60 pairs."""

    def cpu_s(rng):
        is_first = rng.random(60 * len(shares)) < np.repeat(shares, 60)
        speed = np.tile(rng.exponential(1, len(is_first)), 2)
        return speed * np.r_[np.where(is_first, 1, 1.5), np.where(is_first, 1.5, 1)]

    return cpu_s


HALF = 0.73  # as far ahead of 50 %, and a little more, as half of the way to 90 %, in h


@pytest.mark.parametrize("design", ["random", "same_puzzles", "from_archive"])
def test_errors_on_which_solves_more(design):
    design, compare = {} if design == "random" else {design: True}, partial(evidence, "compare")
    check(compare(two((0.5, 0.5), **design), percents=[90, 50]), REPRODUCED)
    check(compare(two((HALF, 0.5), **design), percents=[90, 50]), NOT_REPRODUCED)
    check(compare(two((0.52, 0.5), **design)), NOT_REPRODUCED)
    check(compare(two((0.95, 0.5), **design), percents=[90, 50]), NOT_REPRODUCED, right=REPRODUCED)


def test_errors_on_which_is_faster():
    for gap, share, wrong in (
        (False, 0.5, REPRODUCED),
        (False, 0.66, NOT_REPRODUCED),
        (True, 0.66, REPRODUCED),
        (True, 0.34, REPRODUCED),
        (True, 0.64, NOT_REPRODUCED),
    ):
        drawn = varied(BASE, ("a", "b"), cpu_s=ahead((share,)))
        check(evidence("compare", drawn, by=TIME, gap=gap), wrong)


FOUR = ("a", "b", "c", "d")
ALL_FOUR = pd.concat([runs(60, 60, name) for name in FOUR], ignore_index=True)


@pytest.mark.parametrize(
    ("shares", "wrong"),
    [
        ((0.92, 0.14, 0.14, 0.01), REPRODUCED),  # the second is not ahead
        ((0.92, 0.53, 0.14, 0.53), REPRODUCED),
        ((0.6, 0.36, 0.14, 0.14), [NOT_REPRODUCED, PARTLY]),  # each half as far ahead as printed
        ((0.5, 0.5, 0.5, 0.5), [REPRODUCED, PARTLY]),
    ],
)
def test_errors_on_an_order(shares, wrong):
    drawn = varied(ALL_FOUR, FOUR, status=status(60, shares))
    order = [["a"], ["b"], ["c", "d"]]
    check(evidence("ranking", drawn, order=order, percents=[53, 14]), wrong)


PLACES = (0.4, 0.45)


@pytest.mark.parametrize(
    ("off", "better", "wrong"),
    [
        ((-BEYOND, 1), "", REPRODUCED),
        ((0, 0), "", NOT_REPRODUCED),
        ((0, 0), "somewhere", REPRODUCED),
        ((0, 2), "everywhere", REPRODUCED),
    ],
)
def test_errors_on_never_worse(off, better, wrong):
    """At two places, where the first variant solves more by so many margins."""
    shares = [*(moved(0.6, margins) for margins in off), 0.6, 0.6]
    drawn = varied(at_fractions(60, PLACES, "ab"), ("a", "b"), status=status(60, shares))
    check(evidence("no_worse", drawn, by=SUCCESS, better=better), wrong)


@pytest.mark.parametrize(
    ("shares", "wrong"), [((0.34, 0.8), REPRODUCED), ((0.5, 0.5), NOT_REPRODUCED)]
)
def test_errors_on_never_slower(shares, wrong):
    drawn = varied(at_fractions(60, PLACES, "ab"), ("a", "b"), cpu_s=ahead(shares))
    check(evidence("no_worse", drawn, by=TIME), wrong)


def on_puzzles(n_puzzles, n_runs, variants=("a",)):
    """Runs of variants on the same puzzles, all solved; their times are yet to be drawn."""
    pairs = [(variant, f"p{number:02d}") for variant in variants for number in range(n_puzzles)]
    tables = [on_puzzle(n_runs, n_runs, variant, puzzle=name) for variant, name in pairs]
    return pd.concat(tables, ignore_index=True)


STEPS = {1: 1.5, 0: 0.5, -1: 0.1}  # spreads of the first variant's logarithms; of the other 0.5
FACTORS = {1: 40, 0: 10, -1: 2}


@pytest.mark.parametrize(
    ("puzzles", "right", "wrong"),
    [
        ([1] * 3 + [0] * 3, None, REPRODUCED),
        ([0] * 4 + [-1] * 2, None, NOT_REPRODUCED),
        ([1] * 4 + [-1] * 2, REPRODUCED, NOT_REPRODUCED),
        ([1] * 3 + [-1] * 3, NOT_REPRODUCED, REPRODUCED),
    ],
)
def test_errors_on_most_puzzles(puzzles, right, wrong):
    """Of 6: steps vary more (1), as much, less; the first is faster by more than ten times."""
    n, both = len(puzzles), ("a", "b")
    scale = np.repeat([*(STEPS[sign] for sign in puzzles), *[0.5] * n], 40)
    steps = varied(on_puzzles(n, 40, both), both, steps=lambda rng: np.exp(rng.normal(6, scale)))
    check(evidence("varies_more", steps, by="steps"), wrong, right)
    means = np.repeat([*(1 / FACTORS[sign] for sign in puzzles), *[1.0] * n], 12)
    times = {"cpu_s": lambda rng: means * np.exp(rng.normal(0, 0.4, len(means)))}
    times = varied(on_puzzles(n, 12, both), both, same_puzzles=True, **times)
    check(evidence("on_most", times, factor=10), wrong, right)


# --- what falls, what is hard, what stagnates -----------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "wrong"),
    [
        ((0.9, 0.9, 0.4), REPRODUCED),
        ((0.9, 0.4, 0.4), REPRODUCED),
        ((0.54, 0.53, 0.52, 0.51, 0.5), NOT_REPRODUCED),
    ],
)
def test_errors_on_success_that_falls(shares, wrong):
    table = at_fractions(60, np.arange(len(shares)) / 10)
    drawn = varied(table, status=status(60, shares))
    check(evidence("falls", drawn, along="fixed_fraction"), wrong)


def test_errors_on_times_that_fall():
    table = at_fractions(20, np.arange(6) / 10)
    drawn = varied(table, cpu_s=lambda rng: rng.exponential(1, 120))
    falls = evidence("falls", drawn, along="fixed_fraction", by=TIME)
    check(falls, [REPRODUCED, NOT_REPRODUCED])


@pytest.mark.parametrize(
    ("peaks", "right", "wrong"),
    [
        ((0.45,), REPRODUCED, [NOT_REPRODUCED, PARTLY]),
        ((0.4, 0.45), None, [REPRODUCED, NOT_REPRODUCED, PARTLY]),
        ((0.45, 0.55), None, [REPRODUCED, NOT_REPRODUCED, PARTLY]),
        ((0.4,), PARTLY, [REPRODUCED, NOT_REPRODUCED]),  # one step away
        ((0.55,), NOT_REPRODUCED, [REPRODUCED, PARTLY]),
    ],
)
def test_errors_on_the_hardest_fraction(peaks, right, wrong):
    """In times, in success, and in success on the authors' own instances."""
    fractions, n = (0.4, 0.45, 0.55), 60
    table, is_peak = at_fractions(n, fractions), np.isin(fractions, peaks)
    ends = {"status": status(n, np.where(is_peak, 0.4, 0.9))}
    times = {"cpu_s": lambda rng: rng.exponential(np.repeat(np.where(is_peak, 5.0, 1.0), n))}
    for by, drawn in (
        (TIME, varied(table, **times)),
        (SUCCESS, varied(table, **ends)),
        (SUCCESS, varied(table, from_archive=True, **ends)),
    ):
        check(evidence("hardest", drawn, fixed_fraction=0.45, by=by), wrong, right)


@pytest.mark.parametrize(
    ("failing", "wrong"),
    [
        ([(0.5, 0.5)] * 4, ALL),
        ([(0.1, 0.9)] * 3 + [(0.5, 0.5)], ALL),
        ([(0.9, 0.1)] * 3 + [(0.5, 0.5)], [REPRODUCED, PARTLY]),
        ([(0.1, 0.9)] * 4, [PARTLY, NOT_REPRODUCED]),
    ],
)
def test_errors_on_the_hardest_fraction_of_several_variants(failing, wrong):
    """Rates of failure at two fractions, of each of four variants."""
    ends = status(30, 1 - np.ravel(failing))
    drawn = varied(at_fractions(30, (0.25, 0.45), FOUR), FOUR, status=ends)
    check(evidence("hardest", drawn, fixed_fraction=0.45, by=SUCCESS), wrong)


@pytest.mark.parametrize(
    ("factor", "right", "wrong"), [(1, None, DECIDED), (20, REPRODUCED, NOT_REPRODUCED)]
)
def test_errors_on_slow_puzzles(factor, right, wrong):
    """Medians of puzzles that are drawn alike, or twenty times as long for six of sixteen."""
    means = 1000 * np.repeat([factor, 1], [6, 10])
    steps = {"steps": lambda rng: np.repeat(means * np.exp(rng.normal(0, 1, 16)), 5)}
    drawn = varied(on_puzzles(16, 5), same_puzzles=True, **steps)
    six = [f"p{number:02d}" for number in range(6)]
    check(evidence("hardest", drawn, puzzles=six, by="steps"), wrong, right)


def ranks(n, correlation):
    """Draws of puzzles whose times have a rank correlation with the printed ones."""
    table, rho = on_puzzles(n, 1), 2 * np.sin(np.pi * correlation / 6)
    names = table["instance_id"]

    def drawn(rng):
        printed = rng.normal(size=n)
        ours = rho * printed + np.sqrt(1 - rho**2) * rng.normal(size=n)
        puzzles = sample(table.assign(steps=np.exp(10 + 2 * ours).astype(int)), same_puzzles=True)
        return KINDS["puzzle_times"].run(puzzles, times=dict(zip(names, np.exp(printed))))

    return drawn


@pytest.mark.parametrize("n", [8, 16])
def test_errors_on_ranks(n):
    check(ranks(n, 0), [REPRODUCED, PARTLY], n=1000)
    check(ranks(n, 0.82), NOT_REPRODUCED, n=1000)
    check(ranks(n, -0.5), REPRODUCED, right=NOT_REPRODUCED, n=1000)


@pytest.mark.parametrize(
    ("n", "ratio", "right", "wrong"),
    [
        (80, 1, None, REPRODUCED),
        (80, 2.05, None, NOT_REPRODUCED),
        (400, 1, NOT_REPRODUCED, REPRODUCED),
        (80, 8, REPRODUCED, NOT_REPRODUCED),
    ],
)
def test_errors_on_stagnation(n, ratio, right, wrong):
    """After a quarter of the work search solves at a rate that is lower by a ratio."""
    table = runs(n, n, limit_steps=1000)

    def drawn(rng):
        steps = rng.exponential(800, n)
        steps = 1 + np.where(steps < 250, steps, 250 + (steps - 250) * ratio)
        ends = np.where(steps < 1000, "solved", "timeout")
        return sample(table.assign(steps=np.minimum(steps, 1000).astype(int), status=ends))

    check(evidence("falls", drawn, along="work"), wrong, right)


# --- several readings -----------------------------------------------------------------------------


def test_errors_on_the_best_of_nine_readings(monkeypatch):
    """Each is off by a tenth more than the margin, one way or the other."""
    n, n_claims, names = 100, 20, ["acs", *(f"acs_{number}" for number in range(8))]
    readings = [ledger.Reading(name, "", variants={"acs": name}) for name in names[1:]]
    monkeypatch.setattr(ledger, "readings", lambda: {"arxiv": readings})
    monkeypatch.setattr(verdicts, "MOST_TRIALS", 0)  # what is open is not planned
    where = [(claim, name) for claim in range(n_claims) for name in names]
    table = pd.concat([runs(n, n)] * len(where), ignore_index=True)
    table["family"] = np.repeat([f"claim{claim}" for claim, _ in where], n)
    table["family_kind"] = "given"
    table["variant"] = np.repeat([name for _, name in where], n)
    rng = np.random.default_rng(SEED)
    shares = [moved(0.6, 1.1 * (-1) ** place) for place in range(len(where))]
    table = table.assign(status=status(n, shares)(rng))
    claims = [
        ledger.Claim(f"claim{claim}", "arxiv", "text", "solves", "60 %", "rate", {"percent": 60},
                     {"experiment": "lloyd_amos", "family": f"claim{claim}", "variant": "acs"})
        for claim in range(n_claims)
    ]  # fmt: skip
    best = verdicts.decide(table, claims)["best"]
    assert (best == REPRODUCED).sum() <= binom.isf(0.001, n_claims, ALPHA)


# --- tables of several solvers -------------------------------------------------------------------


@pytest.mark.parametrize("n_solvers", [2, 5, 20])
def test_errors_on_the_best_of_equal_solvers(n_solvers, n=400):
    """The first is the best of the same data: equal solvers are decided in less than 5 %."""

    def is_decided(rng):
        times = pd.DataFrame(rng.exponential(1, (30, n_solvers)))
        times = times[times.mean().sort_values().index]
        return comparison.against_first(times, 0 * times)["decided"].any()

    rng = np.random.default_rng(SEED)
    n_wrong = sum(is_decided(rng) for _ in range(n))
    assert n_wrong <= binom.isf(0.001, n, ALPHA)


# --- intervals that readers see ------------------------------------------------------------------


def check_coverage(draw, value, share=0.95, n=400):
    """Assert that drawn intervals hold a value in a share of the draws at least.

    So few hold it once in a thousand draws of intervals that hold it in this share.
    """
    rng = np.random.default_rng(SEED)
    limits = np.array([draw(rng) for _ in range(n)], float)
    n_held = ((limits[:, 0] <= value) & (value <= limits[:, 1])).sum()
    assert n_held >= binom.ppf(0.001, n, share), f"{n_held / n:.1%}"


def limits_of(drawn):
    """Draws of the interval of drawn evidence."""

    def limits(rng):
        row = drawn(rng)
        return row.low, row.high

    return limits


def rate_interval(rng):
    return statistics.wilson(rng.binomial(60, 0.9), 60)


def repeated_interval(n, runs, share, correlation):
    """Draws of the interval of a rate, of runs on n instances whose chances are beta variables."""
    weight = share / correlation - share, (1 - share) / correlation - 1 + share
    instances = pd.Series(np.repeat(np.arange(n), runs))

    def limits(rng):
        solved = pd.Series(rng.random(n * runs) < np.repeat(rng.beta(*weight, n), runs))
        worth = statistics.trials(solved, instances)
        return statistics.wilson(solved.mean() * worth, worth)

    return limits


def h_interval(rng):
    """Return the interval of Cohen's h between 80 and 60 % of 300."""
    rates = [Rate(rng.binomial(300, share) / 300, 300) for share in (0.8, 0.6)]
    return statistics.h_interval(rates[:1], rates[1:], ALPHA / 2)


def summary_interval(measure):
    """Draws of the bootstrap interval of PAR2 or of the median in a summary."""

    def limits(rng):
        row = comparison.of_labelled(runs(40, 40).assign(cpu_s=exponential(rng, 40))).iloc[0]
        return row[f"{measure}_low_s"], row[f"{measure}_high_s"]

    return limits


MOST_SOLVED = varied(runs(60, 60), status=status(60, 0.8))
SIZES = varied(runs(40, 40), mean_value_set_size=lambda rng: rng.normal(3.6, 0.3, 40))
TAKEN = varied(on_puzzle(80, 80), same_puzzles=True, steps=lambda rng: 10_000 * gamma(rng, 80))
ROW = {"seconds": 10.0, "of": 80, "step_s": 0.001, "factor": 1.3}
INTERVALS = {
    "rate": (rate_interval, 0.9),
    "h": (h_interval, statistics.cohens_h([Rate(0.8)], [Rate(0.6)])),
    "ranks": (limits_of(ranks(16, 0.6)), 0.6),
    "share": (limits_of(evidence("rate", MOST_SOLVED, percent=80)), 80),
    "bound": (limits_of(evidence("rate", MOST_SOLVED, above=50)), 80),
    "pairs": (limits_of(evidence("compare", two((0.8, 0.6)))), 20),
    "puzzle": (limits_of(evidence("compare", two((0.8, 0.6), same_puzzles=True))), 20),
    "mean": (limits_of(evidence("mean", SIZES, column="mean_value_set_size", value=3.6)), 3.6),
    "time": (limits_of(evidence("mean_time", TAKEN, **ROW)), 10.0),
}


@pytest.mark.parametrize(("draw", "value"), INTERVALS.values(), ids=INTERVALS)
def test_intervals_hold_the_true_value_in_95_percent(draw, value):
    check_coverage(draw, value)


@pytest.mark.parametrize("correlation", [0.05, 0.5])
@pytest.mark.parametrize(("n", "runs"), [(10, 3), (20, 10), (100, 2)])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_intervals_of_repeated_runs_hold_the_true_rate(n, runs, share, correlation):
    """Where few instances fail, the interval of so few trials holds the rate in 92 %."""
    check_coverage(repeated_interval(n, runs, share, correlation), share, 0.92)


@pytest.mark.parametrize(
    ("measure", "value", "share"), [("par2", 1.0, 0.92), ("median", np.log(2), 0.95)]
)
def test_intervals_of_a_summary_hold_the_true_value(measure, value, share):
    """Times are skewed, so the interval of their mean is rather too narrow."""
    check_coverage(summary_interval(measure), value, share)

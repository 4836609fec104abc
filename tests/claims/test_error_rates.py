"""How often verdicts are wrong on simulated runs whose truth is known: in less than 5 %."""

from functools import partial
from math import inf

import numpy as np
import pandas as pd
import pytest
from runs_by_hand import on_puzzle, runs, sample

from antdoku.claims import NOT_REPRODUCED, PARTLY, REPRODUCED, VERDICTS
from antdoku.claims.evidence import agreement
from antdoku.claims.kinds import KINDS
from antdoku.papers import published
from antdoku.statistics import ALPHA, MARGIN, Rate, cohens_h, h_interval

ANGLES = np.linspace(0, np.pi, 13)  # of rates from 0 to 1, on the scale of Cohen's h
N_DRAWS = 2000
DESIGNS = [(100, 100), (100, inf), (50, 100), (30, 30), (400, 30), (1600, 1600)]


def rate(angle):
    return np.sin(np.clip(angle, 0, np.pi) / 2) ** 2


def draw(rng, share, n):
    return np.full(N_DRAWS, share) if n == inf else rng.binomial(n, share, N_DRAWS) / n


def verdicts(ours, published):
    """Shares of draws that `agreement` calls reproduced, and not; a twin that takes arrays."""
    low, high = h_interval(ours, published, ALPHA)
    reproduced = (low > -MARGIN) & (high < MARGIN)
    low, high = h_interval(ours, published, ALPHA / 2)
    effect = cohens_h(ours, published)
    failed = ((low > 0) | (high < 0)) & (np.abs(effect) > MARGIN) & ~reproduced
    return reproduced, failed


def test_the_twin_decides_as_the_tests_do():
    rng = np.random.default_rng(1)
    for angle, n, m in zip(ANGLES, (100, 20, 400) * 5, (100, inf, 30) * 5, strict=False):
        ours = Rate(draw(rng, rate(angle + 0.2), n), n)
        published = Rate(draw(rng, rate(angle), m), m)
        reproduced, failed = verdicts([ours], [published])
        for place in range(2):
            pair = [Rate(ours.share[place], n)], [Rate(published.share[place], m)]
            one = agreement(pair)["if_not"]
            assert (one == REPRODUCED, one == NOT_REPRODUCED) == (reproduced[place], failed[place])


@pytest.mark.parametrize(("n", "m"), DESIGNS)
@pytest.mark.parametrize("off", [1.1 * MARGIN, -1.1 * MARGIN, 0.0])
def test_rates_that_differ_are_not_called_the_same_nor_equal_ones_different(n, m, off):
    """At all rates; those that differ do so by a tenth more than the margin."""
    rng = np.random.default_rng(2)
    for angle in ANGLES[(ANGLES + off >= 0) & (ANGLES + off <= np.pi)]:
        ours, published = draw(rng, rate(angle + off), n), draw(rng, rate(angle), m)
        reproduced, failed = verdicts([Rate(ours, n)], [Rate(published, m)])
        assert (reproduced if off else failed).mean() < ALPHA


@pytest.mark.parametrize(("n", "m"), [(100, 100), (300, 100), (100, inf)])
@pytest.mark.parametrize("off", [1.1 * MARGIN, -1.1 * MARGIN, 0.0])
def test_gaps_that_differ_are_not_called_the_same_nor_equal_ones_different(n, m, off):
    rng = np.random.default_rng(5)
    gap = 0.5
    for angle in ANGLES[2:9]:  # no rate beyond 100 %
        ours = [Rate(draw(rng, rate(each), n), n) for each in (angle + gap + off, angle)]
        published = [Rate(draw(rng, rate(each), m), m) for each in (angle + gap, angle)]
        reproduced, failed = verdicts(ours, published)
        assert (reproduced if off else failed).mean() < ALPHA


# --- tests of differences, of times and of instances: by drawing runs ----------------------------

LIMIT = 0.1  # of 60 draws and more: 5 % of them, and what chance adds


def check(test, drawn, right=None, wrong=(), least=0.8, n=60, printed=lambda rng: {}, **expect):
    """The only claim of a paper gets the right verdict mostly and a wrong one seldom.

    On runs drawn anew; what is printed may be drawn, too.
    """
    rng = np.random.default_rng(7)
    found = [KINDS[test].run(drawn(rng), **expect, **printed(rng)) for _ in range(n)]
    given = [each.if_significant if each.p < ALPHA else each.if_not for each in found]
    shares = {verdict: given.count(verdict) / len(given) for verdict in VERDICTS}
    assert right is None or shares[right] > least, shares
    assert all(shares[verdict] < LIMIT for verdict in np.atleast_1d(wrong)), shares


def varied(table, variants=("acs",), same_puzzles=False, **columns):
    """Runs whose columns are drawn: functions of a generator."""

    def drawn(rng):
        values = {name: draw(rng) for name, draw in columns.items()}
        return sample(table.assign(**values), variants=variants, same_puzzles=same_puzzles)

    return drawn


def status(n, share):
    """Draws what n runs, or n times each of several, come to, of which this share is solved."""
    shares = np.repeat(share, n)
    return lambda rng: np.where(rng.random(len(shares)) < shares, "solved", "timeout")


BASE = pd.concat([runs(60, 60, "a"), runs(60, 60, "b")], ignore_index=True)


def two(solved, times, same_puzzles=False):
    """Runs of two variants with these shares solved, and these means of exponential times."""
    draws = {"status": status(60, solved)}
    draws["cpu_s"] = lambda rng: rng.exponential(np.repeat(times, 60))
    return varied(BASE, ("a", "b"), same_puzzles, **draws)


@pytest.mark.parametrize("same_puzzles", [True, False])
def test_errors_on_which_solves_more(same_puzzles):
    equal = two((0.5, 0.5), (1, 1), same_puzzles=same_puzzles)
    ahead = two((0.9, 0.5), (1, 1), same_puzzles=same_puzzles)
    check("compare", equal, wrong=REPRODUCED, percents=[90, 50])
    check("compare", ahead, REPRODUCED, wrong=NOT_REPRODUCED, percents=[90, 50])
    order = {"order": [["a"], ["b"]], "gap": [90, 50]}
    check("ranking", equal, wrong=REPRODUCED, **order)
    check("ranking", ahead, wrong=NOT_REPRODUCED, **order)


def test_errors_on_which_is_faster():
    equal, ahead = two((1, 1), (1, 1)), two((1, 1), (0.3, 1))  # ahead in 77 % of the pairs
    check("compare", equal, wrong=REPRODUCED, by="time")
    check("compare", equal, wrong=REPRODUCED, by="time", pooled=True)
    check("compare", ahead, wrong=NOT_REPRODUCED, by="time")
    check("gap", ahead, wrong=REPRODUCED, by="time")
    check("gap", equal, wrong=NOT_REPRODUCED, by="time")


@pytest.mark.parametrize("by", ["success", "time"])
def test_errors_on_never_worse(by):
    worse, equal = two((0.3, 0.6), (3, 1)), two((0.5, 0.5), (1, 1))
    check("no_worse", worse, wrong=REPRODUCED, by=by)
    check("no_worse", equal, wrong=NOT_REPRODUCED, by=by)
    check("no_worse", equal, wrong=REPRODUCED, by=by, better="everywhere")


@pytest.mark.parametrize("off", [1, 1.07, 0.93])
def test_errors_on_means(off):
    draws = {"mean_value_set_size": lambda rng: rng.normal(3.6 * off, 0.3, 40)}
    right, wrong = (REPRODUCED, NOT_REPRODUCED) if off == 1 else (None, REPRODUCED)
    expect = {"column": "mean_value_set_size", "value": 3.6, "decimals": 1}
    check("mean", varied(runs(40, 40), **draws), right, wrong, **expect)


@pytest.mark.parametrize(
    ("means", "right", "wrong"),
    [
        ((1, 0.95, 1), None, REPRODUCED),
        ((0.95, 0.95, 0.95), None, NOT_REPRODUCED),
        ((0.98, 0.98, 0.98), REPRODUCED, ()),
        ((1, 0.92, 1), NOT_REPRODUCED, ()),
    ],
)
def test_errors_on_means_that_are_no_less(means, right, wrong):
    table = pd.concat([runs(60, 60, fixed_fraction=p) for p in (0.75, 0.8, 0.85)])
    drawn = varied(table, fixed_after_cp=lambda rng: rng.normal(np.repeat(means, 60), 0.05))
    check("at_least", drawn, right, wrong, column="fixed_after_cp", value=0.95)


def test_errors_on_rates_that_are_read_off():
    """The printed rate is any within two points, and farther off by a tenth of the margin."""
    near, far = rate(2 * np.arcsin(np.sqrt(0.67)) + 1.1 * MARGIN * np.array([0, 1]))
    solved = [varied(runs(300, 300), status=status(300, share)) for share in (near, far)]
    expect = {"percent": 65, "read_off": 2}
    check("rate", solved[0], REPRODUCED, wrong=NOT_REPRODUCED, **expect)
    check("rate", solved[1], wrong=REPRODUCED, **expect)


@pytest.mark.parametrize("of", [10, 100])
def test_errors_on_mean_times(of):
    """Exponential times; the printed mean is drawn, too, and the speed is off by its factor."""
    n, work = 80, published.work("lewis_hybrid", "sa", 4)
    table = runs(n, n, "sa", order=4, solver="sa")

    def check_verdicts(off, **verdicts):
        mean = 10 * off * work.steps / work.limit_s
        drawn = varied(table, ("sa",), steps=lambda rng: rng.exponential(mean, n).astype(int))
        expect = {"program": "lewis_hybrid", "of": of, "least": 0.5, "n": 150}
        seconds = {"printed": lambda rng: {"seconds": rng.exponential(10, of).mean()}}
        check("mean_time", drawn, **verdicts, **expect, **seconds)

    for off in (1.1 * work.factor, 1 / (1.1 * work.factor)):
        check_verdicts(off, wrong=REPRODUCED)
    for off in (work.factor, 1 / work.factor):
        check_verdicts(off, wrong=NOT_REPRODUCED)
    check_verdicts(1, right=REPRODUCED if of == 100 else None, wrong=NOT_REPRODUCED)


@pytest.mark.parametrize(
    ("share", "right", "wrong"),
    [(0.045, None, REPRODUCED), (0.002, None, NOT_REPRODUCED), (0, REPRODUCED, ())],
)
def test_errors_on_trivial_instances(share, right, wrong):
    table = pd.concat([runs(120, 120, fixed_fraction=p) for p in (0.4, 0.45, 0.5)])
    is_trivial = status(120, (0, share, 0.3))
    drawn = varied(table, steps=lambda rng: np.where(is_trivial(rng) == "solved", 0, 5))
    check("trivial_from", drawn, right, wrong, fixed_fraction=0.5, of=100)


def test_errors_on_stagnation():
    def drawn(rng, mean, stuck, n=80):
        table = runs(n, n, limit_steps=1000)
        steps = np.where(rng.random(n) < stuck, 1e9, rng.exponential(mean, n) + 1)
        status = np.where(steps < 1000, "solved", "timeout")
        return sample(table.assign(steps=np.minimum(steps, 1000).astype(int), status=status))

    check("stagnates", partial(drawn, mean=800, stuck=0), wrong=REPRODUCED)
    check("stagnates", partial(drawn, mean=1500, stuck=0, n=400), NOT_REPRODUCED)
    check("stagnates", partial(drawn, mean=150, stuck=0.5), REPRODUCED, wrong=NOT_REPRODUCED)


def on_puzzles(n_puzzles, n_runs, variants=("a",)):
    """Runs of variants on the same puzzles, all solved; their times are yet to be drawn."""
    each = [(variant, f"p{number:02d}") for variant in variants for number in range(n_puzzles)]
    tables = [on_puzzle(n_runs, n_runs, variant, puzzle=name) for variant, name in each]
    return pd.concat(tables, ignore_index=True)


@pytest.mark.parametrize("elsewhere", [0.4, 0.55])
def test_errors_on_the_hardest_fraction(elsewhere):
    fractions, n = (0.4, 0.45, 0.5, 0.55), 60
    table = pd.concat([runs(n, n, fixed_fraction=p) for p in fractions], ignore_index=True)

    def with_peak(*peaks):
        means = np.repeat([5.0 if p in peaks else 1.0 for p in fractions], n)
        return varied(table, cpu_s=lambda rng: rng.exponential(means))

    expect = {"fixed_fraction": 0.45, "of": 100}
    wrong = PARTLY if elsewhere == 0.4 else NOT_REPRODUCED  # one step away, or two
    check("hardest", with_peak(elsewhere), wrong, wrong=REPRODUCED, **expect)
    check("hardest", with_peak(0.45, elsewhere), wrong=[REPRODUCED, NOT_REPRODUCED], **expect)
    check("hardest", with_peak(0.45), REPRODUCED, **expect)


def test_errors_on_ranks():
    """Of sixteen puzzles whose logarithms of times have a correlation of nothing, or of 0.9."""
    n = 16
    times = {f"p{number:02d}": float(np.exp(number / 3)) for number in range(n)}
    known = np.log([*times.values()])

    def correlated(rho):
        def cpu_s(rng):
            noise = np.sqrt(1 - rho**2) * rng.permutation(known)
            return np.repeat(np.exp(rho * known + noise), 3)

        return varied(on_puzzles(n, 3), cpu_s=cpu_s)

    check("correlation", correlated(0), wrong=REPRODUCED, times=times)
    check("correlation", correlated(0.9), REPRODUCED, NOT_REPRODUCED, least=0.7, times=times)
    check("correlation", correlated(-0.5), NOT_REPRODUCED, times=times)


@pytest.mark.parametrize(
    ("medians", "right", "wrong"),
    [
        ([1, 2, 2, 2, 2, 2], None, REPRODUCED),
        ([1, 1, 1, 1, 1, 1], None, NOT_REPRODUCED),
        ([2, 2, 2, 2, 2, 2], REPRODUCED, ()),
        ([0.5, 2, 2, 2, 2, 2], NOT_REPRODUCED, ()),
    ],
)
def test_errors_on_least_times(medians, right, wrong):
    times = {"cpu_s": lambda rng: np.repeat(medians, 20) * np.exp(rng.normal(0, 0.3, 120))}
    drawn = varied(on_puzzles(6, 20), **times)
    check("at_least", drawn, right, wrong, value=1.0, by="time")


def test_errors_on_slow_puzzles():
    """Medians of puzzles that are drawn alike, or twenty times as long for six of sixteen."""
    six = [f"p{number:02d}" for number in range(6)]

    def with_factor(factor):
        means = 1000 * np.repeat([factor, 1], [6, 10])
        steps = {"steps": lambda rng: np.repeat(means * np.exp(rng.normal(0, 1, 16)), 5)}
        return varied(on_puzzles(16, 5), **steps)

    check("slower_on", with_factor(1), wrong=[REPRODUCED, NOT_REPRODUCED], puzzles=six)
    check("slower_on", with_factor(20), REPRODUCED, puzzles=six)


STEPS = {1: 1.5, 0: 0.5, -1: 0.1}  # spreads of the first variant's logarithms; of the other 0.5
FACTORS = {1: 40, 0: 10, -1: 2}


@pytest.mark.parametrize(
    ("puzzles", "right", "wrong"),
    [
        ([1] * 4 + [0] * 4, None, REPRODUCED),
        ([0] * 5 + [-1] * 3, None, NOT_REPRODUCED),
        ([1] * 6 + [-1] * 2, REPRODUCED, ()),
        ([1] * 3 + [-1] * 5, NOT_REPRODUCED, ()),
    ],
)
def test_errors_on_most_puzzles(puzzles, right, wrong):
    """Of 8: steps vary more (1), as much, less; the first is faster by more than ten times."""
    scale = np.repeat([*(STEPS[each] for each in puzzles), *[0.5] * 8], 40)
    steps = {"steps": lambda rng: np.exp(rng.normal(6, scale))}
    check("on_most", varied(on_puzzles(8, 40, ("a", "b")), ("a", "b"), **steps), right, wrong)
    means = np.repeat([*(1 / FACTORS[each] for each in puzzles), *[1.0] * 8], 12)
    times = {"cpu_s": lambda rng: means * np.exp(rng.normal(0, 0.4, len(means)))}
    drawn = varied(on_puzzles(8, 12, ("a", "b")), ("a", "b"), same_puzzles=True, **times)
    check("on_most", drawn, right, wrong, factor=10)


def beta(rng, share, correlation, n):
    """Chances of success of n instances, on which runs depend on each other so much."""
    weight = 1 / correlation - 1
    return rng.beta(share * weight, (1 - share) * weight, n)


@pytest.mark.parametrize("correlation", [0.05, 0.3])
def test_errors_on_rates_of_runs_that_share_instances(correlation):
    """As Lewis's: 20 runs on each of 20 instances are printed, ours are 3 on each of 100."""
    apart, table = rate(2 * np.arcsin(np.sqrt(0.6)) + 1.1 * MARGIN), runs(0, 100, repetitions=3)
    ours = varied(table, status=lambda rng: status(3, beta(rng, 0.6, correlation, 100))(rng))
    for truth, wrong in ((0.6, NOT_REPRODUCED), (apart, REPRODUCED)):

        def printed(rng, truth=truth):
            shares = rng.binomial(20, beta(rng, truth, correlation, 20)) / 20
            return {"percent": 100 * shares.mean()}

        check("rate", ours, wrong=wrong, printed=printed, of=20, runs=20)


def test_errors_on_success_that_falls():
    levels = pd.concat([runs(60, 60, order=order) for order in (3, 4, 5)], ignore_index=True)
    check("falls", varied(levels, status=status(60, (0.9, 0.9, 0.4))), wrong=REPRODUCED)
    check("falls", varied(levels, status=status(60, (0.9, 0.6, 0.3))), wrong=NOT_REPRODUCED)
    check("falls", varied(levels, status=status(60, (0.95, 0.6, 0.2))), REPRODUCED)


def test_errors_on_the_authors_own_instances():
    """Where only runs vary: an instance is always solved, never, or in half of its runs."""
    chances = np.repeat((1.0, 0.5, 0.0), 20)
    table = [runs(60, 60, name, repetitions=3) for name in ("a", "b")]
    table = pd.concat(table, ignore_index=True).sort_values(["variant", "instance_id"])

    def drawn(rng):
        solved = rng.random(360) < np.tile(np.repeat(chances, 3), 2)
        found = table.assign(status=np.where(solved, "solved", "timeout"))
        return sample(found, variants=("a", "b"))._replace(from_archive=True)

    check("compare", drawn, wrong=(REPRODUCED, NOT_REPRODUCED))
    check("rate", lambda rng: drawn(rng).of_variant("a"), REPRODUCED, percent=50, of=60)

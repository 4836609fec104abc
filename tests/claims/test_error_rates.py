"""How often verdicts are wrong on simulated runs whose truth is known: in less than 5 %."""

from math import inf

import numpy as np
import pandas as pd
import pytest
from claim_runs import on_puzzle, runs, sample

from antdoku import published
from antdoku.claims.evidence import MARGIN, NOT_REPRODUCED, PARTLY, REPRODUCED, Sample, agreement
from antdoku.claims.kinds import KINDS
from antdoku.inference import ALPHA, Rate, cohens_h, h_interval, runs_to_agree

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
            one = agreement([Rate(ours.share[place], n)], [Rate(published.share[place], m)])[
                "if_not"
            ]
            assert (one == REPRODUCED, one == NOT_REPRODUCED) == (reproduced[place], failed[place])


@pytest.mark.parametrize(("n", "m"), DESIGNS)
def test_rates_that_differ_are_not_called_the_same(n, m):
    """By a tenth more than the margin, at all rates, in both directions."""
    rng = np.random.default_rng(2)
    apart = 1.1 * MARGIN
    for angle in ANGLES[:-2]:
        for one, other in ((angle, angle + apart), (angle + apart, angle)):
            ours, published = draw(rng, rate(one), n), draw(rng, rate(other), m)
            reproduced, _ = verdicts([Rate(ours, n)], [Rate(published, m)])
            assert reproduced.mean() < ALPHA


@pytest.mark.parametrize(("n", "m"), DESIGNS)
def test_equal_rates_are_not_called_different(n, m):
    rng = np.random.default_rng(3)
    for angle in ANGLES:
        ours, published = draw(rng, rate(angle), n), draw(rng, rate(angle), m)
        _, failed = verdicts([Rate(ours, n)], [Rate(published, m)])
        assert failed.mean() < ALPHA


def test_equal_rates_are_called_the_same_if_there_are_as_many_runs_as_it_takes():
    rng = np.random.default_rng(4)
    for angle in ANGLES[::3]:
        n = int(runs_to_agree((Rate(rate(angle)),), MARGIN))
        ours = draw(rng, rate(angle), n)
        reproduced, _ = verdicts([Rate(ours, n)], [Rate(np.full(N_DRAWS, rate(angle)))])
        assert reproduced.mean() > 0.7  # 80 %, but for whole numbers


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


def test_instances_with_many_runs_each_are_not_called_the_same_as_others():
    """Runs on one instance all end alike: 20 runs on each of 25 are no 500 runs."""
    rng = np.random.default_rng(6)
    solved = rng.binomial(25, rate(1.5), N_DRAWS) / 25
    reproduced, _ = verdicts([Rate(solved, 25)], [Rate(np.full(N_DRAWS, rate(1.5 + MARGIN)))])
    assert reproduced.mean() < ALPHA
    as_500, _ = verdicts([Rate(solved, 500)], [Rate(np.full(N_DRAWS, rate(1.5 + MARGIN)))])
    assert as_500.mean() > 2 * ALPHA


# --- tests of differences, of times and of instances: by drawing runs ----------------------------


def often(test, draw_sample, verdict, n_draws=60, seed=7, **expect):
    """How often a named test gives a verdict, if it were the only claim of its paper."""
    rng = np.random.default_rng(seed)
    found = [KINDS[test].run(draw_sample(rng), **expect) for _ in range(n_draws)]
    given = [each.if_significant if each.p < ALPHA else each.if_not for each in found]
    return np.mean([each == verdict for each in given])


BASE = pd.concat([runs(60, 60, "a"), runs(60, 60, "b")], ignore_index=True)


def drawn(solved, times, same_puzzles=False):
    """Runs of two variants with these shares solved, and these means of exponential times."""

    def draw_sample(rng):
        is_solved = rng.random(120) < np.repeat(solved, 60)
        status = np.where(is_solved, "solved", "timeout")
        table = BASE.assign(status=status, cpu_s=rng.exponential(np.repeat(times, 60)))
        return Sample(table, ("a", "b"), same_puzzles)

    return draw_sample


LIMIT = 0.1  # of 60 draws: 5 % of them, and what chance adds


@pytest.mark.parametrize("same_puzzles", [True, False])
def test_errors_on_which_solves_more(same_puzzles):
    equal = drawn((0.5, 0.5), (1, 1), same_puzzles=same_puzzles)
    ahead = drawn((0.9, 0.5), (1, 1), same_puzzles=same_puzzles)
    assert often("compare", equal, REPRODUCED, percents=[90, 50]) < LIMIT
    assert often("compare", ahead, NOT_REPRODUCED, percents=[90, 50]) < LIMIT
    assert often("compare", ahead, REPRODUCED, percents=[90, 50]) > 0.8


def test_errors_on_which_is_faster():
    equal, ahead = drawn((1, 1), (1, 1)), drawn((1, 1), (0.3, 1))  # ahead in 77 % of the pairs
    assert often("compare", equal, REPRODUCED, by="time") < LIMIT
    assert often("compare", ahead, NOT_REPRODUCED, by="time") < LIMIT
    assert often("gap", ahead, REPRODUCED, by="time") < LIMIT
    assert often("gap", equal, NOT_REPRODUCED, by="time") < LIMIT
    assert often("compare", equal, REPRODUCED, by="time", pooled=True) < LIMIT


def test_errors_on_a_ranking():
    equal, ahead = drawn((0.5, 0.5), (1, 1)), drawn((0.9, 0.5), (1, 1))
    order = {"order": [["a"], ["b"]], "gap": [90, 50]}
    assert often("ranking", equal, REPRODUCED, **order) < LIMIT
    assert often("ranking", ahead, NOT_REPRODUCED, **order) < LIMIT


@pytest.mark.parametrize("by", ["success", "time"])
def test_errors_on_never_worse(by):
    worse, equal = drawn((0.3, 0.6), (3, 1)), drawn((0.5, 0.5), (1, 1))
    assert often("no_worse", worse, REPRODUCED, by=by) < LIMIT
    assert often("no_worse", equal, NOT_REPRODUCED, by=by) < LIMIT
    assert often("no_worse", equal, REPRODUCED, by=by, better="everywhere") < LIMIT


def test_errors_on_means():
    table = runs(40, 40)

    def around(mean, sd=0.3):
        return lambda rng: sample(table.assign(mean_value_set_size=rng.normal(mean, sd, 40)))

    expect = {"column": "mean_value_set_size", "value": 3.6, "decimals": 1}
    for mean in (3.6 * 1.07, 3.6 * 0.93):
        assert often("mean", around(mean), REPRODUCED, **expect) < LIMIT
    assert often("mean", around(3.6), NOT_REPRODUCED, **expect) < LIMIT
    assert often("mean", around(3.6), REPRODUCED, **expect) > 0.8


def test_errors_on_means_that_are_no_less():
    n = 60
    table = pd.concat([runs(n, n, fixed_fraction=p) for p in (0.75, 0.8, 0.85)])

    def with_means(*means):
        return lambda rng: sample(
            table.assign(fixed_after_cp=rng.normal(np.repeat(means, n), 0.05))
        )

    expect = {"column": "fixed_after_cp", "value": 0.95}
    assert often("at_least", with_means(1, 0.95, 1), REPRODUCED, **expect) < LIMIT
    assert often("at_least", with_means(0.95, 0.95, 0.95), NOT_REPRODUCED, **expect) < LIMIT
    assert often("at_least", with_means(0.98, 0.98, 0.98), REPRODUCED, **expect) > 0.8
    assert often("at_least", with_means(1, 0.92, 1), NOT_REPRODUCED, **expect) > 0.8


def test_errors_on_rates_that_are_read_off():
    """The printed rate is any within two points, and farther off by a tenth of the margin."""
    near, far = rate(2 * np.arcsin(np.sqrt(0.67)) + 1.1 * MARGIN * np.array([0, 1]))

    def solved(share):
        return lambda rng: sample(
            runs(300, 300).assign(status=np.where(rng.random(300) < share, "solved", "timeout"))
        )

    expect = {"percent": 65, "read_off": 2}
    assert often("rate", solved(far), REPRODUCED, **expect) < LIMIT
    assert often("rate", solved(near), NOT_REPRODUCED, **expect) < LIMIT
    assert often("rate", solved(near), REPRODUCED, **expect) > 0.8


@pytest.mark.parametrize("of", [10, 100])
def test_errors_on_mean_times(of):
    """Exponential times; the printed mean is drawn, too, and the speed is off by its factor."""
    n, factor = 80, published.work("lewis_hybrid", "sa", 4).factor
    work = published.work("lewis_hybrid", "sa", 4)
    table = runs(n, n, "sa", order=4, solver="sa")

    def verdicts_of(off, verdict):
        rng = np.random.default_rng(8)
        given = []
        for _ in range(150):
            steps = off * rng.exponential(10, n) * work.steps / work.limit_s
            found = sample(table.assign(steps=steps.astype(int)), variants=("sa",))
            seconds = rng.exponential(10, of).mean()
            expect = {"seconds": seconds, "program": "lewis_hybrid", "of": of}
            given.append(KINDS["mean_time"].run(found, **expect).if_not)
        return np.mean([each == verdict for each in given])

    for off in (1.1 * factor, 1 / (1.1 * factor)):
        assert verdicts_of(off, REPRODUCED) < LIMIT
    for off in (factor, 1 / factor, 1):
        assert verdicts_of(off, NOT_REPRODUCED) < LIMIT
    if of == 100:
        assert verdicts_of(1, REPRODUCED) > 0.5


def test_errors_on_trivial_instances():
    n = 120
    table = pd.concat([runs(n, n, fixed_fraction=p) for p in (0.4, 0.45, 0.5)])

    def shares(*trivial):
        return lambda rng: sample(
            table.assign(steps=np.where(rng.random(3 * n) < np.repeat(trivial, n), 0, 5))
        )

    expect = {"fixed_fraction": 0.5, "of": 100}
    assert often("trivial_from", shares(0, 0.045, 0.3), REPRODUCED, **expect) < LIMIT
    assert often("trivial_from", shares(0, 0.002, 0.3), NOT_REPRODUCED, **expect) < LIMIT
    assert often("trivial_from", shares(0, 0, 0.3), REPRODUCED, **expect) > 0.8


def test_errors_on_stagnation():
    table = runs(80, 80, limit_steps=1000)

    def exponential(mean, stuck):
        def draw_sample(rng):
            steps = rng.exponential(mean, 80) + 1
            steps = np.where(rng.random(80) < stuck, 1e9, steps)
            status = np.where(steps < 1000, "solved", "timeout")
            return sample(table.assign(steps=np.minimum(steps, 1000).astype(int), status=status))

        return draw_sample

    assert often("stagnates", exponential(800, 0), REPRODUCED) < LIMIT
    assert often("stagnates", exponential(150, 0.5), NOT_REPRODUCED) < LIMIT
    assert often("stagnates", exponential(150, 0.5), REPRODUCED) > 0.8


def on_puzzles(n_puzzles, n_runs, variants=("a",)):
    """Runs of variants on the same puzzles, all solved; their times are yet to be drawn."""
    return pd.concat(
        [
            on_puzzle(n_runs, n_runs, variant, puzzle=f"p{number:02d}")
            for variant in variants
            for number in range(n_puzzles)
        ],
        ignore_index=True,
    )


@pytest.mark.parametrize("elsewhere", [0.4, 0.55])
def test_errors_on_the_hardest_fraction(elsewhere):
    fractions, n = (0.4, 0.45, 0.5, 0.55), 60
    table = pd.concat([runs(n, n, fixed_fraction=p) for p in fractions], ignore_index=True)

    def with_peak(*peaks):
        means = [5.0 if p in peaks else 1.0 for p in fractions]
        return lambda rng: sample(table.assign(cpu_s=rng.exponential(np.repeat(means, n))))

    expect = {"fixed_fraction": 0.45, "of": 100}
    assert often("hardest", with_peak(elsewhere), REPRODUCED, **expect) < LIMIT
    assert often("hardest", with_peak(0.45, elsewhere), REPRODUCED, **expect) < LIMIT
    assert often("hardest", with_peak(0.45, elsewhere), NOT_REPRODUCED, **expect) < LIMIT
    assert often("hardest", with_peak(0.45), REPRODUCED, **expect) > 0.8
    wrong = PARTLY if elsewhere == 0.4 else NOT_REPRODUCED  # one step away, or two
    assert often("hardest", with_peak(elsewhere), wrong, **expect) > 0.8


def test_errors_on_ranks():
    """Of sixteen puzzles whose logarithms of times have a correlation of nothing, or of 0.9."""
    n = 16
    table = on_puzzles(n, 3)
    published = {f"p{number:02d}": float(np.exp(number / 3)) for number in range(n)}
    known = np.array([np.log(time) for time in published.values()])

    def correlated(rho):
        def draw_sample(rng):
            noise = rng.permutation(known)
            times = np.exp(rho * known + np.sqrt(1 - rho**2) * noise)
            return sample(table.assign(cpu_s=np.repeat(times, 3)), variants=("a",))

        return draw_sample

    expect = {"times": published}
    assert often("correlation", correlated(0), REPRODUCED, **expect) < LIMIT
    assert often("correlation", correlated(0.9), NOT_REPRODUCED, **expect) < LIMIT
    assert often("correlation", correlated(0.9), REPRODUCED, **expect) > 0.7
    assert often("correlation", correlated(-0.5), NOT_REPRODUCED, **expect) > 0.8


def test_errors_on_least_times():
    table = on_puzzles(6, 20)

    def with_medians(*medians):
        def draw_sample(rng):
            spread_of_times = np.exp(rng.normal(0, 0.3, 120))
            return sample(table.assign(cpu_s=np.repeat(medians, 20) * spread_of_times))

        return draw_sample

    expect = {"value": 1.0, "by": "time"}
    one_is_exact, all_exact = with_medians(1, 2, 2, 2, 2, 2), with_medians(*[1] * 6)
    assert often("at_least", one_is_exact, REPRODUCED, **expect) < LIMIT
    assert often("at_least", all_exact, NOT_REPRODUCED, **expect) < LIMIT
    assert often("at_least", with_medians(*[2] * 6), REPRODUCED, **expect) > 0.8
    assert often("at_least", with_medians(0.5, *[2] * 5), NOT_REPRODUCED, **expect) > 0.8


def test_errors_on_slow_puzzles():
    """Medians of puzzles that are drawn alike, or twenty times as long for six of sixteen."""
    table = on_puzzles(16, 5)
    six = [f"p{number:02d}" for number in range(6)]

    def with_factor(factor):
        def draw_sample(rng):
            means = np.exp(rng.normal(0, 1, 16)) * np.repeat([factor, 1], [6, 10])
            return sample(table.assign(steps=np.repeat(1000 * means, 5)))

        return draw_sample

    assert often("slower_on", with_factor(1), REPRODUCED, puzzles=six) < LIMIT
    assert often("slower_on", with_factor(1), NOT_REPRODUCED, puzzles=six) < LIMIT
    assert often("slower_on", with_factor(20), REPRODUCED, puzzles=six) > 0.8


def test_errors_on_variation():
    """Of 8 puzzles, that the first varies more on more than half; their steps are log-normal."""
    table = on_puzzles(8, 40, ("a", "b"))

    def with_spreads(*spreads):
        def draw_sample(rng):
            logs = rng.normal(6, np.repeat([*spreads, *[0.5] * 8], 40))
            return sample(table.assign(steps=np.exp(logs)), variants=("a", "b"))

        return draw_sample

    assert often("on_most", with_spreads(*[1.5] * 4, *[0.5] * 4), REPRODUCED) < LIMIT
    assert often("on_most", with_spreads(*[0.5] * 8), NOT_REPRODUCED) < LIMIT
    assert often("on_most", with_spreads(*[1.5] * 6, 0.5, 0.5), REPRODUCED) > 0.8
    assert often("on_most", with_spreads(*[0.1] * 5, *[0.5] * 3), NOT_REPRODUCED) > 0.8


def test_errors_on_a_factor():
    """Of 8 puzzles, that a variant is ten times as fast on more than half."""
    table = on_puzzles(8, 12, ("a", "b"))

    def with_factors(*factors):
        def draw_sample(rng):
            means = np.repeat([*(1 / np.array(factors)), *[1.0] * 8], 12)
            return sample(
                table.assign(cpu_s=means * np.exp(rng.normal(0, 0.4, len(means)))),
                variants=("a", "b"),
                same_puzzles=True,
            )

        return draw_sample

    on_half, on_more = with_factors(*[40] * 4, *[10] * 4), with_factors(*[10] * 5, *[2] * 3)
    assert often("on_most", on_half, REPRODUCED, factor=10) < LIMIT
    assert often("on_most", on_more, NOT_REPRODUCED, factor=10) < LIMIT
    assert often("on_most", with_factors(*[40] * 6, 2, 2), REPRODUCED, factor=10) > 0.8
    assert often("on_most", with_factors(*[40] * 3, *[2] * 5), NOT_REPRODUCED, factor=10) > 0.8

"""Shares over all places, one factor of times, and what is hardest of several variants and sizes.

Small cases by hand, and how often a verdict is wrong on runs whose truth is known: below 5 %.
"""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from runs_by_hand import on_puzzle, runs, sample
from scipy.stats import binom

from antdoku.claims import NOT_REPRODUCED, PARTLY, REPRODUCED
from antdoku.claims.evidence import Evidence
from antdoku.claims.kinds import KINDS
from antdoku.claims.verdicts import shown
from antdoku.statistics import ALPHA

DECIDED = (REPRODUCED, NOT_REPRODUCED)


def run(test, drawn, **expect):
    return KINDS[test].run(drawn, **expect)


@pytest.fixture(params=[50, pytest.param(500, marks=pytest.mark.thorough)], ids=["few", "many"])
def check(request):
    """A function that draws samples and counts wrong verdicts of a test.

    So many wrong ones come once in a thousand draws of a rule that errs in 5 %.
    """

    def count(test, drawn, wrong, **expect):
        rng, n = np.random.default_rng(11), request.param
        verdicts = [shown(run(test, drawn(rng), **expect)) for _ in range(n)]
        most = binom.isf(0.001, n, ALPHA)
        assert all(verdicts.count(verdict) <= most for verdict in wrong), {*verdicts}

    return count


# --- share ---------------------------------------------------------------------------------------


@cache
def fifty_runs(n_puzzles):
    return pd.concat([on_puzzle(50, 50, puzzle=f"mk_s1{k}a") for k in range(n_puzzles)])


def on_puzzles(*n_solved):
    """Fifty runs on each of several puzzles."""
    is_solved = np.concatenate([np.arange(50) < k for k in n_solved])
    table = fifty_runs(len(n_solved))
    return sample(table.assign(status=status(is_solved)), same_puzzles=True)


def status(is_solved):
    return np.where(is_solved, "solved", "timeout")


@pytest.mark.parametrize(
    ("n_solved", "expect", "verdict"),
    [
        ((32, 7, 18), {"below": 0.5}, REPRODUCED),
        ((32, 7, 18), {"above": 0.5}, NOT_REPRODUCED),
        ((50, 45, 45), {"below": 0.5}, NOT_REPRODUCED),
        ((25, 25, 25), {"below": 0.5}, None),
        ((50, 50, 49), {"above": 0.9}, REPRODUCED),
    ],
)
def test_the_share_of_solved_runs_is_that_of_all_puzzles_together(n_solved, expect, verdict):
    evidence = run("share", on_puzzles(*n_solved), **expect)
    assert shown(evidence) == verdict
    assert evidence.n == 150 and evidence.unit == "runs"
    assert len(evidence.parts) == 3
    assert evidence.ours.endswith(f"({sum(n_solved)} of 150)")


def test_without_runs_a_share_is_not_tested():
    evidence = run("share", on_puzzles(3)._replace(runs=on_puzzles(3).runs.iloc[:0]), above=0.5)
    assert np.isnan(evidence.p_for)


def instances(n_trivial, n, gain=0.1, **row):
    """Instances of which so many are solved without a step; propagation fixes `gain` more."""
    table = runs(n, n, **row)
    first = np.arange(n) < n_trivial
    given = table["fixed_fraction"]
    table = table.assign(given_fraction=given, fixed_after_cp=given + gain)
    return table.assign(trivial=first, steps=np.where(first, 0, 9))


def test_the_share_of_trivial_instances_counts_each_once():
    twice = pd.concat([instances(30, 40), instances(30, 40).assign(repetition=1)])
    evidence = run("share", sample(twice), above=0.5, by="instances")
    assert evidence.n == 40 and evidence.unit == "instances"
    assert evidence.ours == "75 % (30 of 40)"
    assert shown(evidence) == REPRODUCED
    assert shown(run("share", sample(instances(36, 40)), above=0.9, by="instances")) is None


def test_an_instance_has_a_gain_if_propagation_fixes_a_cell():
    some = sample(instances(0, 30), instances(0, 10, gain=0.0, fixed_fraction=0.5))
    evidence = run("share", some, above=0.5, by="instances", column="gain")
    assert evidence.ours == "75 % (30 of 40)"
    least = 1 / 6561  # one cell at order 9
    one_cell = sample(instances(0, 20, gain=least, order=9))
    assert run("share", one_cell, above=0.5, by="instances", column="gain").ours.startswith("100 %")


@pytest.mark.parametrize(
    ("n_solved", "verdict"),
    [((49, 49), REPRODUCED), ((50, 42), None), ((50, 25), NOT_REPRODUCED)],
)
def test_a_share_may_have_to_lie_above_at_each_place(n_solved, verdict):
    assert shown(run("share", on_puzzles(*n_solved), above=0.8, at_each=True)) == verdict


def test_trivial_instances_of_the_authors_are_counted():
    theirs = sample(instances(21, 40))._replace(from_archive=True)
    evidence = run("share", theirs, above=0.5, by="instances")
    assert (evidence.p_for, evidence.p_against) == (0.0, 1.0)
    evidence = run("share", theirs, above=0.6, by="instances")
    assert (evidence.p_for, evidence.p_against) == (1.0, 0.0)


@pytest.mark.parametrize("bound", [0.5, 0.9])
@pytest.mark.parametrize("shares", [(0.0, 0.0), (0.1, -0.1)])
def test_errors_on_shares(check, bound, shares):
    """Of runs on puzzles that have other rates, the share of all of which is the bound."""

    def drawn(rng):
        return on_puzzles(*rng.binomial(50, np.add(shares, bound)))

    for side in ("above", "below"):
        check("share", drawn, DECIDED, **{side: bound})


@pytest.mark.parametrize(
    ("shares", "wrong"), [((0.9, 0.9, 0.9), NOT_REPRODUCED), ((1.0, 0.9, 1.0), REPRODUCED)]
)
def test_errors_on_shares_at_each_place(check, shares, wrong):
    """Of three puzzles, of which all or one have the share of the bound."""
    check(
        "share",
        lambda rng: on_puzzles(*rng.binomial(50, shares)),
        [wrong],
        above=0.9,
        at_each=True,
    )


def test_errors_on_shares_of_runs_that_share_instances(check):
    """Three runs on each instance, whose rate is 0.1 or 0.9."""
    table = runs(40, 40, repetitions=3)

    def drawn(rng):
        rates = np.repeat(rng.choice([0.1, 0.9], 40), 3)
        return sample(table.assign(status=status(rng.random(120) < rates)))

    check("share", drawn, DECIDED, above=0.5)


# --- one factor ----------------------------------------------------------------------------------

PUZZLES = [f"mk_s{number}a" for number in range(10, 22)]
PRINTED = dict(zip(PUZZLES, np.geomspace(0.001, 0.1, 12).tolist(), strict=True))


@cache
def of_all_puzzles(n):
    return pd.concat([on_puzzle(n, n, puzzle=name) for name in PUZZLES])


def timed(rng, factors, n=100):
    """Runs with exponential times, whose means are the printed ones times factors."""
    means = np.repeat(np.multiply(factors, [*PRINTED.values()]), n)
    return sample(of_all_puzzles(n).assign(cpu_s=rng.exponential(means)), same_puzzles=True)


def test_one_factor_fits_times_of_another_machine():
    rng = np.random.default_rng(3)
    evidence = run("one_factor", timed(rng, [0.4] * 12), times=PRINTED, of=100, factor=1.5)
    assert shown(evidence) == REPRODUCED
    assert evidence.ours.startswith("0.4 times the printed ones")
    factors = np.geomspace(0.1, 10, 12)
    evidence = run("one_factor", timed(rng, factors), times=PRINTED, of=100, factor=1.5)
    assert shown(evidence) == NOT_REPRODUCED


def test_without_a_mean_of_each_puzzle_no_factor_is_tested():
    rng = np.random.default_rng(3)
    few = timed(rng, [1.0] * 12, n=4)
    assert np.isnan(run("one_factor", few, times=PRINTED, of=100, factor=1.5).p_for)
    rest = timed(rng, [1.0] * 12)
    rest = rest._replace(runs=rest.runs[rest.runs["instance_id"] != PUZZLES[0]])
    assert np.isnan(run("one_factor", rest, times=PRINTED, of=100, factor=1.5).p_for)


@pytest.mark.parametrize("n", [20, 100])
def test_errors_on_one_factor(check, n):
    """Factors that vary by exactly the margin; what is printed is a mean of runs, too."""

    def drawn(rng):
        factors = np.exp(rng.normal(0, np.log(1.5), 12)) * rng.gamma(n, 1 / n, 12)
        return timed(rng, factors, n)

    check("one_factor", drawn, DECIDED, times=PRINTED, of=n, factor=1.5)


# --- hardest -------------------------------------------------------------------------------------


@cache
def thirty_runs(variants):
    pairs = product(variants, (0.25, 0.45))
    return pd.concat([runs(30, 30, variant=name, fixed_fraction=p) for name, p in pairs])


def cells(failures):
    """Thirty runs of variants at two fractions: failures at each, by variant."""
    is_solved = np.concatenate([np.arange(30) >= k for pair in failures.values() for k in pair])
    table = thirty_runs((*failures,)).assign(status=status(is_solved))
    return sample(table, variants=(*failures,))


def hardest(failures, **expect):
    return run("hardest", cells(failures), fixed_fraction=0.45, by="success", **expect)


@pytest.mark.parametrize(
    ("failures", "verdict"),
    [
        ({"acs": (0, 15), "ils": (5, 25)}, REPRODUCED),
        ({"acs": (0, 15), "ils": (25, 5)}, PARTLY),
        ({"acs": (10, 10), "ils": (25, 5)}, NOT_REPRODUCED),
        ({"acs": (10, 10), "ils": (5, 25)}, None),
    ],
)
def test_what_is_hardest_of_several_variants_is_told_of_each(failures, verdict):
    evidence = hardest(failures)
    assert shown(evidence) == verdict
    assert [part.name for part in evidence.parts] == ["acs at 25x25", "ils at 25x25"]
    alone = [hardest({name: pair}) for name, pair in failures.items()]
    assert evidence.p_for == max(row.p_for for row in alone)
    assert all(row.parts == () for row in alone)


def test_a_fraction_beside_the_hardest_refutes_a_part():
    near = [runs(30, 30), runs(10, 30, fixed_fraction=0.40), runs(30, 30, fixed_fraction=0.2)]
    other = [table.assign(variant="ils") for table in (runs(5, 30), *near[2:])]
    other += [runs(30, 30, variant="ils", fixed_fraction=0.40)]
    both = sample(*near, *other, variants=("acs", "ils"))
    evidence = run("hardest", both, fixed_fraction=0.45, by="success")
    assert shown(evidence) == PARTLY


def test_the_hardest_kind_of_puzzles():
    names = {"lewis_t1_gentle": 28, "lewis_t1_tough": 27, "seventeen_clue": 2}
    tables = [
        runs(k, 30, order=3).assign(
            family=name,
            family_kind="given",
            instance_id=name + runs(k, 30)["instance_id"],
        )
        for name, k in names.items()
    ]
    evidence = run("hardest", sample(*tables), family="seventeen_clue", by="success")
    assert shown(evidence) == REPRODUCED
    assert "solved on 17 clues, " in evidence.ours
    evidence = run("hardest", sample(*tables), family="lewis_t1_tough", by="success")
    assert shown(evidence) == NOT_REPRODUCED
    assert evidence.unit == "instances a kind"


def drawn_cells(*rates):
    def drawn(rng):
        failures = {
            name: rng.binomial(30, pair)
            for name, pair in zip(("acs", "ils", "dlx", "bs"), rates, strict=False)
        }
        return cells(failures)

    return drawn


@pytest.mark.parametrize(
    ("rates", "wrong"),
    [
        ([(0.5, 0.5)] * 4, (REPRODUCED, PARTLY, NOT_REPRODUCED)),
        ([(0.1, 0.9)] * 3 + [(0.5, 0.5)], (REPRODUCED, PARTLY, NOT_REPRODUCED)),
        ([(0.9, 0.1)] * 3 + [(0.5, 0.5)], (REPRODUCED, PARTLY)),
        ([(0.1, 0.9)] * 4, (PARTLY, NOT_REPRODUCED)),
    ],
)
def test_errors_on_what_is_hardest_of_several_variants(check, rates, wrong):
    check("hardest", drawn_cells(*rates), wrong, fixed_fraction=0.45, by="success")


# --- names, the first step, times in place of steps, parts ---------------------------------------


def named(*trivial):
    tables = [
        on_puzzle(5, 5, puzzle=name).assign(trivial=name in trivial, steps=0)
        for name in ("mk_s10a", "mk_s10b", "mk_s12a")
    ]
    return sample(*tables, same_puzzles=True)


def test_a_fact_may_hold_of_named_puzzles_alone():
    evidence = run("count", named("mk_s10b", "mk_s10a"), names=["mk_s10a", "mk_s10b"])
    assert shown(evidence) == REPRODUCED and evidence.is_fact
    assert evidence.ours == "2 of 3: mk_s10a, mk_s10b"
    assert shown(run("count", named("mk_s10a"), names=["mk_s10b"])) == NOT_REPRODUCED


def test_what_comes_before_the_first_step_is_left_out_of_a_printed_mean():
    rng = np.random.default_rng(1)
    steps = rng.geometric(1 / 300, 400)
    table = on_puzzle(400, 400).assign(steps=steps)
    row = {"percent": 100, "of": 400, "step_s": 0.01, "factor": 1.3}
    with_first = run("rate_and_time", sample(table, same_puzzles=True), seconds=9.0, **row)
    without = run(
        "rate_and_time", sample(table, same_puzzles=True), seconds=9.0, first_s=6.0, **row
    )
    assert shown(without) == REPRODUCED and shown(with_first) != REPRODUCED
    assert without.parts[1].published == "3 s"
    assert "after the first 6 s" in without.ours


def test_puzzles_are_compared_in_seconds_where_steps_are_not_known():
    tables = [
        on_puzzle(9, 9, puzzle=name, cpu_s=cpu_s).assign(steps=-1)
        for name, cpu_s in {"a": 1, "b": 2, "c": 3, "d": 10, "e": 20, "f": 30}.items()
    ]
    there = sample(*tables, same_puzzles=True)
    evidence = run("slower_on", there, puzzles=["d", "e", "f"], by="time")
    assert evidence.ours == "longer in 100 % of pairs of puzzles; medians 20 s against 2 s"
    times = {"a": 1, "b": 3, "c": 2, "d": 4, "e": 5, "f": 6}
    assert run("correlation", there, times=times, of="mean", by="time").ours == "rho 0.94"


def test_spreads_are_compared_in_seconds_where_steps_are_not_known():
    rng = np.random.default_rng(2)
    tables = []
    for name in ("a", "b", "c"):
        for variant, sigma in (("acs", 1.0), ("ils", 0.1)):
            table = on_puzzle(50, 50, variant, puzzle=name)
            tables.append(table.assign(cpu_s=np.exp(rng.normal(0, sigma, 50)), steps=-1))
    there = sample(*tables, variants=("acs", "ils"), same_puzzles=True)
    assert shown(run("on_most", there, by="time")) == REPRODUCED
    assert isinstance(run("on_most", there), Evidence) and np.isnan(run("on_most", there).p_for)


def test_each_place_is_told_of_one_that_is_worse_nowhere():
    tables = [
        runs(k, 30, variant=variant, fixed_fraction=fraction)
        for variant, fraction, k in [
            ("acs", 0.25, 29),
            ("bs", 0.25, 5),
            ("acs", 0.45, 3),
            ("bs", 0.45, 27),
        ]
    ]
    evidence = run("no_worse", sample(*tables, variants=("acs", "bs")), by="success")
    first, second = evidence.parts
    assert first.name == "at 25x25, 25 % fixed" and first.ours == "96.7 % against 16.7 %"
    assert first.p_for < ALPHA < first.p_against
    assert second.p_against < ALPHA < second.p_for
    assert shown(evidence) == NOT_REPRODUCED


def test_a_printed_deviation_is_that_of_runs_though_instances_are_the_sample():
    rng = np.random.default_rng(4)
    table = runs(40, 40, repetitions=3)
    typical = np.repeat(rng.uniform(1, 2, 40), 3)
    table = table.assign(steps=(1000 * typical * rng.uniform(0.5, 1.5, 120)).astype(int))
    expect = {"of": 1000, "step_s": 0.001, "factor": 1.5, "spread": True}
    evidence = run("mean_time", sample(table), seconds=1.0, **expect)
    deviation = (table["steps"] * 0.001).std(ddof=1)
    assert np.exp(evidence.effect) == pytest.approx(deviation)
    assert evidence.n == 40 and evidence.low < deviation < evidence.high


@pytest.mark.parametrize("runs_each", [1, 3])
@pytest.mark.parametrize("off", [1.5, 1 / 1.5])
def test_errors_on_deviations(check, runs_each, off):
    """A printed deviation that is off by exactly the factor, of runs that share instances."""
    table = runs(60, 60, repetitions=runs_each)

    def drawn(rng):
        means = np.repeat(rng.normal(0, 0.7, 60), runs_each)
        steps = 1000 * (5 + means + rng.normal(0, 0.7, 60 * runs_each))
        return sample(table.assign(steps=steps))

    row = {"of": 1000, "step_s": 0.001, "factor": 1.5, "spread": True}
    check("mean_time", drawn, DECIDED, seconds=np.hypot(0.7, 0.7) * off, **row)

"""Every named test with runs made by hand, for each of its verdicts."""

import numpy as np
import pytest
from claim_runs import NOTHING, on_puzzle, runs, sample, spread

from antdoku.claims.evidence import NOT_REPRODUCED, PARTLY, REPRODUCED, UNDECIDED, VERDICTS, Sample
from antdoku.claims.tests import TESTS
from antdoku.inference import ALPHA


def verdict(test, sample, **expect):
    """The verdict of a test, as if it were the only one of its paper."""
    found = TESTS[test].run(sample, **expect)
    return found.if_significant if found.p < ALPHA else found.if_not


def test_every_test_says_when_it_gives_which_verdict():
    for name, test in TESTS.items():
        rules = " ".join(test.run.__doc__.split())
        possible = VERDICTS if name not in ("n_solutions", "n_clues") else (REPRODUCED,)
        if name == "faster":
            possible = (REPRODUCED, NOT_REPRODUCED, UNDECIDED)
        assert all(f"{verdict}:" in rules for verdict in possible), name


# --- one variant ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("solved", "n", "expected"),
    [
        (92, 100, REPRODUCED),
        (97, 100, REPRODUCED),  # not significant against 92 of 100
        (985, 1000, PARTLY),  # significant, but h = 0.32
        (50, 100, NOT_REPRODUCED),
        (9, 10, UNDECIDED),
        (2, 10, NOT_REPRODUCED),  # so different that ten runs suffice
        (0, 0, UNDECIDED),
    ],
)
def test_success_rate(solved, n, expected):
    assert verdict("success_rate", sample(runs(solved, n)), percent=92, of=100) == expected


def test_success_rate_far_off_but_not_significant_is_partly():
    # h = 0.46 from 22 of 30; Fisher's p is 0.12.
    found = sample(on_puzzle(28, 30), same_puzzles=True)
    assert verdict("success_rate", found, percent=73.3, of=30) == PARTLY


def test_success_rate_without_the_number_of_the_papers_runs():
    assert verdict("success_rate", sample(runs(38, 100)), percent=38) == REPRODUCED
    assert verdict("success_rate", sample(runs(100, 100)), percent=38) == NOT_REPRODUCED


def test_runs_on_one_instance_of_a_sample_are_no_independent_runs():
    few = sample(runs(8, 20, repetitions=10))
    assert verdict("success_rate", few, percent=38) == UNDECIDED
    found = TESTS["success_rate"].run(few, percent=38)
    assert found.n == 200
    assert found.needed == pytest.approx(50 * 10, rel=0.1)  # 50 runs, each on another instance
    own = few._replace(same_puzzles=True)
    assert verdict("success_rate", own, percent=38) == REPRODUCED


@pytest.mark.parametrize(
    ("trivial", "n", "expected"),
    [
        (97, 100, REPRODUCED),
        (100, 100, REPRODUCED),
        (890, 1000, PARTLY),
        (50, 100, NOT_REPRODUCED),
        (20, 20, UNDECIDED),
        (0, 0, UNDECIDED),
    ],
)
def test_trivial_at_least(trivial, n, expected):
    table = runs(n, n)
    table["trivial"] = np.arange(n) < trivial
    assert verdict("trivial_at_least", sample(table), percent=95) == expected


@pytest.mark.parametrize(
    ("times", "n", "expected"),
    [
        ({0.4: 1, 0.45: 12, 0.5: 2}, 100, REPRODUCED),
        ({0.4: 1, 0.45: 2, 0.5: 12}, 100, PARTLY),  # one step off
        ({0.35: 12, 0.45: 2, 0.5: 1}, 100, NOT_REPRODUCED),
        ({0.35: 2.0001, 0.45: 2}, 100, NOT_REPRODUCED),  # one as hard far away
        ({0.4: 2, 0.45: 2}, 100, PARTLY),
        ({0.4: 2}, 100, UNDECIDED),
        ({0.45: 2}, 100, UNDECIDED),
        ({}, 100, UNDECIDED),
        ({0.4: 2, 0.45: 2}, 50, UNDECIDED),
    ],
)
def test_hardest_at(times, n, expected):
    assert verdict("hardest_at", spread(times, n), fixed_fraction=0.45, of=100) == expected


@pytest.mark.parametrize(
    ("ours", "expected"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], REPRODUCED),
        ([2, 1, 4, 3, 8, 5, 7, 6], PARTLY),  # rho = 0.79
        ([8, 7, 6, 5, 4, 3, 2, 1], NOT_REPRODUCED),
        ([5, 1, 8, 3, 6, 2, 7, 4], NOT_REPRODUCED),
        ([1, 3, 4, 2], UNDECIDED),
        ([1, 2], UNDECIDED),
        ([], UNDECIDED),
    ],
)
def test_rank_correlation(ours, expected):
    tables = [on_puzzle(3, 3, cpu_s=time, puzzle=f"p{n}") for n, time in enumerate(ours)]
    found = sample(NOTHING, *tables, same_puzzles=True)
    times = {f"p{n}": float(n) for n in range(8)}
    assert verdict("rank_correlation", found, times=times) == expected


# --- two variants and more -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "n", "expected"),
    [
        (92, 58, 100, REPRODUCED),
        (90, 60, 100, REPRODUCED),
        (100, 10, 100, PARTLY),  # the right direction, another size
        (60, 92, 100, NOT_REPRODUCED),
        (80, 79, 100, NOT_REPRODUCED),
        (5, 4, 10, UNDECIDED),
        (0, 0, 0, UNDECIDED),
    ],
)
def test_success_difference(first, second, n, expected):
    pairs = sample(runs(first, n), runs(second, n, "acs_no_bve"), variants=("acs", "acs_no_bve"))
    assert verdict("success_difference", pairs, percents=[92, 58], of=100) == expected


def test_success_difference_pairs_by_instance():
    # The second solves only what the first does: McNemar has 2 / 2^10 where Fisher has 0.16.
    tables = (runs(50, 100), runs(40, 100, "b"))
    found = sample(*tables, variants=("acs", "b"))
    paired = TESTS["success_difference"].run(found, percents=[50, 40])
    assert paired.p == pytest.approx(2 / 2**10)
    apart = TESTS["success_difference"].run(found._replace(same_puzzles=True), percents=[50, 40])
    assert apart.p > 0.1
    only_first = TESTS["success_difference"].run(found._replace(runs=tables[0]), percents=[50, 40])
    assert (only_first.n, only_first.if_not) == (0, UNDECIDED)


@pytest.mark.parametrize(
    ("tabu", "ga", "n", "expected"),
    [
        (30, 2, 30, REPRODUCED),
        (30, 20, 30, PARTLY),
        (2, 30, 30, NOT_REPRODUCED),
        (30, 30, 30, NOT_REPRODUCED),
        (3, 2, 3, UNDECIDED),
        (0, 0, 0, UNDECIDED),
    ],
)
def test_success_difference_on_one_puzzle(tabu, ga, n, expected):
    tables = (on_puzzle(tabu, n, "tabu"), on_puzzle(ga, n, "ga"))
    found = sample(*tables, variants=("tabu", "ga"), same_puzzles=True)
    assert verdict("success_difference", found, percents=[100, 6.67], of=30) == expected


@pytest.mark.parametrize("same_puzzles", [True, False])
@pytest.mark.parametrize(
    ("first", "second", "n", "expected"),  # of each, how many are solved and how fast
    [
        ((40, 1), (40, 2), 40, REPRODUCED),
        ((40, 2), (40, 1), 40, NOT_REPRODUCED),
        ((40, 1), (40, 1), 40, NOT_REPRODUCED),
        ((5, 1), (5, 1), 5, UNDECIDED),
        ((0, 1), (0, 1), 0, UNDECIDED),
        # The mean of the solved runs speaks for the second, which solves the easy part in no time.
        ((40, 3), (4, 0.1), 40, REPRODUCED),
        ((40, 1), (0, 1), 40, REPRODUCED),
    ],
)
def test_faster(first, second, n, expected, same_puzzles):
    tables = [runs(solved, n, name, cpu_s) for name, (solved, cpu_s) in zip("ab", (first, second))]
    found = sample(*tables, variants=("a", "b"), same_puzzles=same_puzzles)
    assert verdict("faster", found, times=[1, 3]) == expected


def test_a_failure_counts_as_the_limit_however_soon_its_steps_were_used_up():
    tables = runs(40, 40, "a", 2), runs(8, 40, "b", 0.1).assign(limit_steps=100)
    found = sample(*tables, variants=("a", "b"))
    used_up = found.runs["cpu_s"].where(found.runs["status"] == "solved", 0.2)
    found = found._replace(runs=found.runs.assign(cpu_s=used_up))
    for same_puzzles in (True, False):
        one = found._replace(same_puzzles=same_puzzles)
        assert verdict("faster", one, times=[1, 3]) == REPRODUCED


def test_neither_is_faster_where_nothing_is_solved():
    never = sample(runs(0, 40, "a"), runs(0, 40, "b"), variants=("a", "b"), same_puzzles=True)
    assert verdict("faster", never, times=[1, 3]) == UNDECIDED


@pytest.mark.parametrize("by", ["success", "time"])
@pytest.mark.parametrize(
    ("solved", "n", "expected"),
    [
        ({"acs": 92, "dlx": 53, "ils": 14, "bs": 10}, 100, REPRODUCED),
        ({"acs": 92, "dlx": 14, "ils": 14, "bs": 10}, 100, PARTLY),
        ({"acs": 10, "dlx": 53, "ils": 80, "bs": 90}, 100, NOT_REPRODUCED),
        ({"acs": 4, "dlx": 3, "ils": 3, "bs": 3}, 5, UNDECIDED),
        ({"acs": 5, "dlx": 3, "ils": 1}, 5, UNDECIDED),
    ],
)
def test_ranking(solved, n, expected, by):
    tables = [runs(number, n, name) for name, number in solved.items()]
    found = sample(*tables, variants=("acs", "dlx", "ils", "bs"))
    order, gap = [["acs"], ["dlx"], ["ils", "bs"]], [92, 53] if by == "success" else None
    assert verdict("ranking", found, order=order, gap=gap, by=by) == expected


def cells(*solved, n=20):
    """Runs of cp_sa and sa at several places; of each pair, so many are solved."""
    tables = [
        runs(number, n, variant, fixed_fraction=place / 20)
        for place, pair in enumerate(solved)
        for variant, number in zip(("cp_sa", "sa"), pair, strict=True)
    ]
    return sample(NOTHING, *tables, variants=("cp_sa", "sa"))


@pytest.mark.parametrize("by", ["success", "time"])
@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (cells((20, 20), (20, 2), (20, 20)), REPRODUCED),
        (cells((20, 20), (20, 2), (20, 2), (2, 20)), PARTLY),
        (cells((20, 20), (20, 20)), PARTLY),  # nowhere worse, but nowhere better either
        (cells((20, 2), (2, 20)), NOT_REPRODUCED),
        (cells((3, 3), (3, 3), n=3), UNDECIDED),
        (cells(), UNDECIDED),
    ],
)
def test_never_worse(found, expected, by):
    assert verdict("never_worse", found, by=by, better_somewhere=True) == expected


def test_never_worse_without_a_gain():
    found = cells((20, 20), (20, 20))
    assert verdict("never_worse", found, by="time") == REPRODUCED


@pytest.mark.parametrize(
    ("spread_s", "expected"),
    [((0, 0), NOT_REPRODUCED), ((0, 0.0006), REPRODUCED), ((0.0004, 0), NOT_REPRODUCED)],
)
def test_what_repeats_vary_by_is_no_difference_of_times(spread_s, expected):
    found = cells((20, 20), (20, 20))
    is_hybrid = found.runs["variant"] == "cp_sa"
    slower = found.runs.assign(
        cpu_s=found.runs["cpu_s"] + 0.0005 * is_hybrid, spread_s=np.where(is_hybrid, *spread_s)
    )
    assert verdict("never_worse", found._replace(runs=slower), by="time") == expected


# --- instances -----------------------------------------------------------------------------------


def with_trivial(numbers, n=100):
    tables = [
        runs(n, n, fixed_fraction=fraction).assign(trivial=np.arange(n) < number)
        for fraction, number in numbers.items()
    ]
    return sample(NOTHING, *tables, *[table.assign(variant="bs") for table in tables])


@pytest.mark.parametrize(
    ("numbers", "n", "expected"),
    [
        ({0.45: 0, 0.5: 0, 0.55: 8, 0.6: 60}, 100, REPRODUCED),
        ({0.45: 0, 0.5: 1, 0.55: 8, 0.6: 60}, 100, REPRODUCED),  # one among hundreds is no surplus
        ({0.45: 0, 0.5: 20, 0.55: 50, 0.6: 60}, 100, PARTLY),
        ({0.45: 0, 0.5: 0, 0.55: 0, 0.6: 60}, 100, PARTLY),
        ({0.45: 20, 0.5: 30, 0.55: 50, 0.6: 60}, 100, NOT_REPRODUCED),
        ({0.45: 0, 0.5: 0, 0.55: 0, 0.6: 0}, 100, NOT_REPRODUCED),
        ({0.45: 0, 0.5: 0, 0.55: 2, 0.6: 3}, 5, UNDECIDED),
        ({0.45: 0, 0.6: 60}, 100, UNDECIDED),
        ({}, 100, UNDECIDED),
    ],
)
def test_no_trivial_below(numbers, n, expected):
    found = with_trivial(numbers, n)
    assert verdict("no_trivial_below", found, fixed_fraction=0.55, of=100) == expected


@pytest.mark.parametrize(
    ("mean", "sd", "n", "expected"),
    [
        (3.62, 0.1, 100, REPRODUCED),
        (3.64, 0, 100, REPRODUCED),
        (3.48, 0.1, 100, PARTLY),
        (2.9, 0.1, 100, NOT_REPRODUCED),
        (3.7, 1.0, 10, UNDECIDED),
        (3.6, 0.1, 1, UNDECIDED),
        (3.6, 0.1, 0, UNDECIDED),
    ],
)
def test_mean_value(mean, sd, n, expected):
    table = runs(n, n)
    table["mean_value_set_size"] = mean + sd * np.resize([-1, 1], n) * (n > 1)
    found = sample(table, table.assign(variant="bs"))
    expect = {"column": "mean_value_set_size", "value": 3.6, "decimals": 1}
    assert verdict("mean_value", found, **expect) == expected


@pytest.mark.parametrize(
    ("gain", "sd", "n", "expected"),
    [
        (0.001, 0.01, 50, REPRODUCED),
        (0.02, 0.01, 50, PARTLY),
        (0.1, 0.01, 50, NOT_REPRODUCED),
        (0.01, 0.05, 6, UNDECIDED),
        (0, 0, 0, UNDECIDED),
    ],
)
def test_no_gain(gain, sd, n, expected):
    table = runs(n, n)
    table["fixed_after_cp"] = 0.45 + gain + sd * np.resize([-1, 1], n)
    assert verdict("no_gain", sample(table)) == expected


def test_facts_about_the_named_puzzles_need_no_runs():
    nothing = Sample(NOTHING)
    solutions = TESTS["n_solutions"].run(nothing, puzzles="lloyd_amos_named", solutions=1)
    assert solutions.ours == "15 of 16; sabuncu3 has 27"
    assert verdict("n_solutions", nothing, puzzles="sabuncu1", solutions=1) == REPRODUCED
    assert verdict("n_solutions", nothing, puzzles="sabuncu3", solutions=1) == NOT_REPRODUCED
    clues = TESTS["n_clues"].run(nothing, puzzles="aiescargot", clues=23)
    assert clues.ours == "0 of 1; aiescargot has 24"
    assert verdict("n_clues", nothing, puzzles="aiescargot", clues=23) == NOT_REPRODUCED
    assert verdict("n_clues", nothing, puzzles="mk_s16", clues=23) == REPRODUCED

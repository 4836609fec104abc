"""Named tests on runs made by hand, for each of their verdicts."""

import numpy as np
import pandas as pd
import pytest
from runs_by_hand import NOTHING, on_puzzle, point, runs, runs_of, sample

from antdoku.claims import NOT_REPRODUCED, REPRODUCED, UNDECIDED
from antdoku.claims.kinds import KINDS
from antdoku.claims.samples import Sample, percentage
from antdoku.statistics import ALPHA


def verdict(test, sample, **expect):
    """The verdict of a test, as if it were the only one of its paper."""
    found = KINDS[test].run(sample, **expect)
    return found.if_significant if found.p < ALPHA else found.if_not


def by_verdict(names, **cases):
    """Call a test with each case, and as `expected` with the verdict that it is named after."""
    several = [(verdict, case) for verdict, those in cases.items() for case in those]
    rows = [(*(each if "," in names else [each]), one.replace("_", " ")) for one, each in several]
    return pytest.mark.parametrize(f"{names}, expected", rows)


# --- one variant ---------------------------------------------------------------------------------


def test_a_rate_may_be_another_at_each_fraction():
    printed = {0.35: 92, 0.4: 38}
    for solved, expected in (((92, 38), REPRODUCED), ((92, 75), NOT_REPRODUCED)):
        dip = [runs(n, 100, fixed_fraction=p) for p, n in zip(printed, solved, strict=True)]
        assert verdict("rate", sample(*dip), percent=printed, of=100) == expected
        found = KINDS["rate"].run(sample(*dip), percent=printed, of=100)
        assert found.ours == f"92 %, {solved[1]} % ({sum(solved)} of 200)"
    assert verdict("rate", sample(NOTHING), percent=printed, of=100) == UNDECIDED


@by_verdict(
    "solved, n",
    reproduced=[(92, 100), (94, 100)],
    # (97, 100): no difference is found, but agreement is not shown either
    # (985, 1000): significantly another, but h = 0.32
    undecided=[(97, 100), (985, 1000), (9, 10), (0, 0)],
    # (2, 10): so different that ten runs suffice
    not_reproduced=[(75, 100), (50, 100), (2, 10)],
)
def test_rate(solved, n, expected):
    found = sample(runs(solved, n))
    assert verdict("rate", found, percent=92, of=100) == expected
    evidence = KINDS["rate"].run(found, percent=92, of=100)
    assert (evidence.needed, evidence.is_difference) == (88, n == 0)


def test_rate_knows_of_how_many_runs_the_papers_is_or_takes_it_as_exact():
    found = sample(on_puzzle(100, 100), same_puzzles=True)
    evidence = KINDS["rate"].run(found, percent=100, of=30)
    assert (evidence.if_not, evidence.needed) == (UNDECIDED, None)
    assert KINDS["rate"].run(found, percent=100, of=90).if_not == REPRODUCED
    assert verdict("rate", sample(runs(38, 100)), percent=38) == REPRODUCED
    assert verdict("rate", sample(runs(100, 100)), percent=38) == NOT_REPRODUCED


def test_exact_solvers_on_the_authors_own_instances_are_compared_count_by_count():
    archive = sample(runs(49, 100, variant="dlx", kind="exact"))._replace(from_archive=True)
    for percent, p, differs in ((49, 0, False), (50, 0, True), (90, 1, True)):
        found = KINDS["rate"].run(archive, percent=percent, of=100)
        assert (found.needed, found.differs, found.p > ALPHA) == (None, differs, bool(p))
    assert verdict("rate", archive, percent=90, of=100) == NOT_REPRODUCED


def test_printed_runs_on_one_instance_depend_on_each_other_as_ours_do():
    rng = np.random.default_rng(1)
    several = pd.concat([runs(int(rng.random() < 0.75), 1) for _ in range(300)], ignore_index=True)
    several["instance_id"] = np.repeat(np.arange(100), 3).astype(str)
    independent = sample(several)
    assert independent.dependence()[1] < 0.15
    assert independent.printed(75, 20, 20).n > 100
    assert KINDS["rate"].run(independent, percent=75, of=20, runs=20).if_not == REPRODUCED
    alike = sample(runs(75, 100, repetitions=3))
    assert alike.dependence() == (0, 1)
    assert alike.printed(75, 20, 20).n == 20
    assert KINDS["rate"].run(alike, percent=75, of=20, runs=20).needed is None


def test_success_falls_with_the_order_and_times_with_the_fixed_fraction():
    dips = {order: runs(n, 100, order=order) for order, n in {3: 100, 4: 80, 5: 40}.items()}
    assert verdict("falls", sample(*dips.values())) == REPRODUCED
    assert verdict("falls", sample(dips[3], dips[4].assign(order=6))) == REPRODUCED
    assert verdict("falls", sample(dips[3], dips[5].assign(order=2))) == NOT_REPRODUCED
    assert verdict("falls", sample(dips[3], runs(99, 100, order=4))) == UNDECIDED
    falling = sample(*(runs(9, 9, fixed_fraction=p, cpu_s=1 - p) for p in (0.1, 0.2, 0.3)))
    assert verdict("falls", falling, along="fixed_fraction", by="time") == REPRODUCED


def test_propagation_takes_at_most_so_long():
    trivial = sample(runs(9, 9, cpu_s=0.01, trivial=True))
    assert verdict("at_most", trivial, seconds=0.03) == REPRODUCED
    assert verdict("at_most", trivial, seconds=0.015) == NOT_REPRODUCED


def test_an_instance_of_a_sample_counts_once_however_many_runs_there_are_on_it():
    few = sample(runs(20, 20, repetitions=20))
    found = KINDS["rate"].run(few, percent=100)
    assert found.ours == "100 % (400 of 400 runs, 20 instances)"
    assert [*map(percentage, (2099 / 2100, 0.123))] == ["99.9 %", "12.3 %"]  # less than all
    assert (found.n, found.unit, found.needed, found.if_not) == (20, "instances", 94, UNDECIDED)
    own = few._replace(same_puzzles=True)  # runs on each of 20 puzzles decide for each
    assert verdict("rate", own, percent=100) == UNDECIDED
    many = sample(runs(1, 1, repetitions=94))._replace(same_puzzles=True)
    assert verdict("rate", many, percent=100) == REPRODUCED


def test_a_rate_of_several_places_agrees_only_if_it_does_at_each():
    places = [runs(100, 100, fixed_fraction=p) for p in (0.1, 0.2, 0.3, 0.4)]
    assert verdict("rate", sample(*places), percent=100) == REPRODUCED
    places[2]["status"] = runs(60, 100)["status"]
    found = KINDS["rate"].run(sample(*places), percent=100)
    assert found.ours == "90 % (360 of 400; 60 % at 25x25, 30 % fixed)"
    assert found.if_not == NOT_REPRODUCED
    places[2]["status"] = runs(98, 100)["status"]  # 99.5 % of all, and no 100 %
    assert verdict("rate", sample(*places), percent=100) == UNDECIDED


def test_the_hardest_fraction_may_be_that_where_fewest_are_solved():
    """Blank grids that are all solved, but late, are harder in PAR2 times and not in success."""
    blank = runs(100, 100, fixed_fraction=0.0, cpu_s=11.0)
    found = sample(blank, runs(60, 100, fixed_fraction=0.45), runs(95, 100, fixed_fraction=0.5))
    expect = {"fixed_fraction": 0.45, "of": 20}
    assert verdict("hardest", found, **expect, by="success") == REPRODUCED
    assert verdict("hardest", found, **expect) == NOT_REPRODUCED
    said = "60 % solved at 45 % fixed, 95 % at 50 %; fewer solved at the first in 67.5 % of pairs"
    assert KINDS["hardest"].run(found, **expect, by="success").ours == f"{said} of instances"


# --- two variants and more -----------------------------------------------------------------------


PRINTED = [92, 58]


@by_verdict(
    "first, second, n, percents",
    # (100, 10, 100): by how much is another claim
    reproduced=[(92, 58, 100, PRINTED), (100, 10, 100, PRINTED), (60, 40, 100, None)],
    not_reproduced=[(60, 92, 100, PRINTED), (80, 79, 100, PRINTED), (40, 60, 100, None)],
    undecided=[(40, 36, 50, PRINTED), (5, 4, 10, PRINTED), (0, 0, 0, PRINTED), (9, 9, 99, None)],
)
def test_compare_success(first, second, n, percents, expected):
    tables = runs(first, n, "acs"), runs(second, n, "acs_no_bve")
    found = sample(*tables, variants=("acs", "acs_no_bve"))
    assert verdict("compare", found, percents=percents) == expected


def test_runs_on_a_puzzle_are_paired_as_they_were_made():
    """Of ten pairs one is level, one lost, one won by a failure, and one has no solved run."""
    hours = np.arange(1, 11)  # when the machine is slow, it is so for both
    first, second = (on_puzzle(n, 10, name, limit_steps=11000) for name, n in (("a", 9), ("b", 8)))
    first["steps"], second["steps"] = 200 * hours, [200, 399, *210 * hours[2:]]
    found = sample(first, second, variants=("a", "b"), same_puzzles=True)
    expect = {"by": "time", "program": "arxiv"}
    assert verdict("compare", found, **expect) == REPRODUCED
    share = "in 77.8 % of 9 pairs of runs, equally fast in 11.1 %"
    speed = ", at the speed of the paper's program"
    compared = KINDS["compare"].run(found, **expect)
    assert compared.ours == f"faster {share}; medians 455 ms and 477 ms{speed}"
    ranked = KINDS["ranking"].run(found, [["a"], ["b"]], **expect)
    assert ranked.ours == f"a faster than b {share}{speed}"
    assert KINDS["gap"].run(found, **expect).ours.startswith("a faster in 75 % of 8 pairs of runs")


def test_a_failure_at_the_papers_work_takes_the_papers_limit_at_each_point():
    points = {0.2: 37_000_000, 0.45: 25_000_000}  # nodes of DLX
    failed = [point(p, 1, solver="dlx", limit_steps=n) for p, n in points.items()]
    assert sample(runs_of(*failed)).at_speed_of("arxiv").runs["limit_s"].tolist() == [120, 120]


@pytest.mark.parametrize("by", ["success", "time"])
@by_verdict(
    "solved, n",
    reproduced=[({"acs": 92, "dlx": 53, "ils": 14, "bs": 10}, 100)],
    partly=[({"acs": 92, "dlx": 14, "ils": 53, "bs": 50}, 100)],
    not_reproduced=[({"acs": 10, "dlx": 53, "ils": 80, "bs": 90}, 100)],
    undecided=[
        ({"acs": 92, "dlx": 15, "ils": 14, "bs": 13}, 20),
        ({"acs": 4, "dlx": 3, "ils": 3, "bs": 3}, 5),
        ({"acs": 5, "dlx": 3, "ils": 1}, 5),
    ],
)
def test_ranking(solved, n, expected, by):
    shares = {name: number * n // 100 if n < 50 else number for name, number in solved.items()}
    tables = [runs(number, n, name) for name, number in shares.items()]
    found = sample(*tables, variants=("acs", "dlx", "ils", "bs"))
    order, gap = [["acs"], ["dlx"], ["ils", "bs"]], [92, 53] if by == "success" else None
    assert verdict("ranking", found, order=order, gap=gap, by=by) == expected


# --- instances -----------------------------------------------------------------------------------


THREE = sample(
    *(on_puzzle(3, 3, puzzle=f"p{steps}").assign(steps=steps) for steps in (0, 5)),
    on_puzzle(2, 3, puzzle="p9"),
)


@by_verdict(
    "found, expect",
    reproduced=[
        (THREE, {"number": 1}),
        (THREE._replace(runs=THREE.runs[:6]), {"by": "success"}),
        (Sample(NOTHING), {"puzzles": "sabuncu1", "number": 1}),
    ],
    not_reproduced=[
        (THREE, {"number": 2}),
        (THREE, {"by": "success"}),  # a search without chance solves a puzzle or not
        (Sample(NOTHING), {"puzzles": "sabuncu3", "number": 1}),
    ],
    undecided=[(sample(NOTHING), {"number": 3})],
)
def test_count(found, expect, expected):
    assert verdict("count", found, **expect) == expected


SIZE = {"column": "mean_value_set_size", "value": 3.6, "decimals": 1}
GAIN = {"column": "gain", "value": 0, "margin": 2}


@by_verdict(
    "expect, mean, sd, n",
    # (3.48, 0.1, 100): significantly another, but within 5 %
    reproduced=[*((SIZE, *row, 100) for row in [(3.62, 0.1), (3.64, 0), (3.48, 0.1)]),
                (GAIN, 0.451, 0.01, 50)],
    undecided=[(SIZE, 3.7, 1.0, 10), (SIZE, 3.6, 0.1, 1), (SIZE, 3.6, 0.1, 0),
               (GAIN, 0.469, 0.01, 50), (GAIN, 0.46, 0.05, 6), (GAIN, 0, 0, 0)],
    not_reproduced=[(SIZE, 2.9, 0.1, 100), (SIZE, 2.9, 0, 100), (GAIN, 0.55, 0.01, 50)],
)  # fmt: skip
def test_mean(expect, mean, sd, n, expected):
    table, column = runs(n, n), "fixed_after_cp" if expect is GAIN else "mean_value_set_size"
    table[column] = mean + sd * np.resize([-1, 1], n) * (n > 1)
    assert verdict("mean", sample(table, table.assign(variant="bs")), **expect) == expected

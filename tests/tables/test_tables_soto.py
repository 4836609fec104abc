"""Tables of Soto et al. 2013 and 2014 against answers computed by hand on a few rows."""

import pytest
from runs_by_hand import NAN, runs_of

from antdoku import tables
from antdoku.outcome import SOLVED, TIMEOUT

HARD_A, HARD_B, EASY_A, MEDIUM_C = "mk_s12a", "mk_s12b", "mk_s10a", "mk_s11c"


def runs(variant, solved, puzzle=HARD_A, **row):
    """Runs of a variant on one puzzle: whether each solved; run i takes i + 1 seconds."""
    fixed = {"experiment": "soto", "family": "soto", "order": 3, "fixed_fraction": 0.3}
    limits = {"limit_s": 10.0} if variant.startswith(("ga_as", "ac3_tabu_as")) else {}
    limits |= {"limit_steps": 1000} if "000" in variant else {}
    return [
        fixed
        | {"instance_id": puzzle, "variant": variant, "repetition": repetition}
        | {"status": SOLVED if done else TIMEOUT, "cpu_s": repetition + 1.0}
        | limits
        | row
        for repetition, done in enumerate(solved)
    ]


def table_of(name, *groups):
    """Table of groups of runs, given last first: the order of the rows must not matter."""
    return tables.make(name, runs_of(*[run for group in groups for run in group[::-1]]))


def test_table1_counts_tries_until_thirty_are_solved():
    printed = "ac3_tabu_1000_as_printed"
    table = table_of("soto_2013_table1", runs(printed, [False, True, True] + [True] * 40))
    (row,) = table.to_dict("records")
    assert (row["puzzle"], row["n"], row["solved"]) == ("hard_a", 43, 42)
    assert row["tries_for_30_solved"] == "31"
    assert (row["min_time_s"], row["max_time_s"]) == (2.0, 31.0)
    assert row["mean_time_s"] == pytest.approx((2 + 31) / 2)
    assert row["published_tries_for_30_solved"] == 35
    assert row["published_min_time_s"] == 2.608
    assert row["published_mean_time_s"] == 88.55
    assert row["published_max_time_s"] == 259.61


@pytest.mark.parametrize(
    ("solved", "tries"),
    [([True] * 30, "30"), ([True] * 29, "> 29"), ([True, False] * 20, "> 40"), ([False], "> 1")],
)
def test_table1_says_when_tries_do_not_suffice(solved, tries):
    (row,) = table_of("soto_2013_table1", runs("ac3_tabu_1000", solved)).to_dict("records")
    assert row["tries_for_30_solved"] == tries


def test_table1_has_the_puzzles_in_the_order_of_the_paper():
    names = (HARD_B, MEDIUM_C, EASY_A, "mk_s01a")
    groups = [runs("ac3_tabu_1000_as_printed", [True], name) for name in names]
    table = table_of("soto_2013_table1", *groups, runs("ac3_tabu_100000_as_printed", [True]))
    assert list(table["puzzle"]) == ["easy_a", "medium_c", "hard_b"]
    assert list(table["published_tries_for_30_solved"]) == [30, 33, 49]


def test_published_numbers_stand_beside_the_printed_rules_and_ours_below():
    names = ("ac3_tabu_1000_as_printed", "ac3_tabu_1000")
    table = table_of("soto_2013_table1", *(runs(name, [True]) for name in names[::-1]))
    assert tuple(table["variant"]) == names
    assert table["published_mean_time_s"].tolist() == pytest.approx([88.55, NAN], nan_ok=True)


def test_table2_counts_the_first_thirty_runs():
    table = table_of(
        "soto_2013_table2",
        runs("ga_as_printed", [True] * 12 + [False] * 30 + [True] * 18),
        runs("ga", [True] * 3),
        runs("ga_100000_as_printed", [False, True, False]),
        runs("ac3_tabu_as_printed", [True] * 30, MEDIUM_C),
        runs("ac3_cuckoo_as_printed", [True]),
    )
    variants = ["ac3_tabu_as_printed", "ga_100000_as_printed", "ga_as_printed", "ga"]
    assert list(table["puzzle"]) == ["medium_c", "hard_a", "hard_a", "hard_a"]
    assert list(table["variant"]) == variants
    assert list(table["n"]) == [30, 3, 30, 3]
    assert list(table["solved"]) == [30, 1, 12, 3]
    published = table["published_solved_of_30"].tolist()
    assert published == pytest.approx([NAN, 2, 30, NAN], nan_ok=True)
    assert table["limit_s"].tolist() == pytest.approx([10, 12, 10, 12])
    assert list(table["limit_steps"]) == [-1, 1000, -1, -1]


def test_figure_4_has_the_times_of_the_first_thirty_solved_runs():
    table = table_of(
        "soto_2013_fig4",
        runs("ga_100000", [False, True, True, False]),
        runs("ga_as_printed", [False]),
        runs("ac3_tabu_1000_as_printed", [False] + [True] * 40),
        runs("ac3_cuckoo_as_printed", [True]),
    )
    names = ["ac3_tabu_1000_as_printed", "ga_100000", "ga_as_printed"]
    assert list(table["variant"]) == names
    assert list(table["n"]) == [41, 4, 1] and list(table["solved"]) == [40, 2, 0]
    ours, published = table[["min_time_s", "mean_time_s", "max_time_s"]], table.filter(like="publ")
    assert ours.to_numpy()[:2].tolist() == [[2, 16.5, 31], [2, 2.5, 3]]
    assert ours.iloc[2].isna().all() and published.iloc[1:].isna().all(axis=None)
    assert published.iloc[0].tolist() == [2.608, 88.55, 259.61]  # as in Table 1


def test_the_tables_of_2014_by_hand():
    table = table_of(
        "soto_2014_tables1_3",
        runs("ga_as_printed", [False] * 31, HARD_B),
        runs("ga_100000_as_printed", [True, False]),
        runs("ac3_cuckoo_as_printed", [True, True, False, True], HARD_B),
        runs("ac3_tabu_as_printed", [True]),
        runs("ac3_tabu_as_printed", [True], EASY_A),
        runs("ac3_tabu_1000_as_printed", [True]),
    )
    assert list(zip(table["puzzle"], table["variant"], strict=True)) == [
        ("hard_a", "ac3_tabu_as_printed"),
        ("hard_a", "ga_100000_as_printed"),
        ("hard_b", "ac3_cuckoo_as_printed"),
        ("hard_b", "ga_as_printed"),
    ]
    assert list(table["n"]) == [1, 2, 4, 30]
    assert list(table["success_percent"]) == [100, 50, 75, 0]
    assert table["published_success_percent"].tolist() == pytest.approx([100, 6.66, 100, 0])
    assert table["min_time_s"].tolist() == pytest.approx([1, 1, 1, NAN], nan_ok=True)
    assert table["mean_time_s"].tolist() == pytest.approx([1, 1, 7 / 3, NAN], nan_ok=True)
    assert table["max_time_s"].tolist() == pytest.approx([1, 1, 4, NAN], nan_ok=True)


def test_runs_of_other_experiments_are_left_out():
    elsewhere = runs("ga", [True], experiment="lewis")
    for name in ("soto_2013_table2", "soto_2014_tables1_3"):
        assert table_of(name, elsewhere).empty

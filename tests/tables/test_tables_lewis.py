"""Tables of Lewis 2007 against answers computed by hand on a few rows."""

import pytest
from runs_by_hand import NAN, runs_of

from antdoku import tables
from antdoku.outcome import SOLVED, TIMEOUT

POINT = {"experiment": "lewis", "family": "order4-p040", "order": 4, "fixed_fraction": 0.40}
LIMIT_S = 40.0


def runs(variant, times, instance="order4-p040-000", **row):
    """Runs of a variant on one instance: their times, None for a failure."""
    return [
        POINT
        | {"instance_id": instance, "variant": variant, "repetition": repetition}
        | {"status": TIMEOUT if time is None else SOLVED, "limit_s": LIMIT_S}
        | {"cpu_s": LIMIT_S + 0.3 if time is None else time}
        | row
        for repetition, time in enumerate(times)
    ]


def puzzles(family, order, fixed_fraction, times=(1.0,), variants=("sa_hybrid", "cp_sa"), **row):
    """Runs on an instance of a family of given puzzles."""
    given = {"family": family, "order": order, "fixed_fraction": fixed_fraction} | row
    return [
        run
        for variant in variants
        for run in runs(variant, times, f"{family}-{fixed_fraction}", **given)
    ]


def test_fig2_is_a_mean_over_instances():
    after = {"fixed_after_cp": 0.5}
    table = tables.make(
        "lewis_fig2",
        runs_of(
            *runs("sa", [1.0] * 5, **after),
            *runs("cp_sa", [1.0], **after),
            *runs("sa", [1.0], "order4-p040-001", fixed_after_cp=0.9),
            *runs("sa", [1.0], "order4-p040-002", experiment="lloyd_amos", fixed_after_cp=0.0),
            *puzzles("lewis_t1_order4_easy", 4, 0.40),
        ),
    )
    (row,) = table.to_dict("records")
    assert (row["order"], row["fixed_fraction"], row["n_instances"]) == (4, 0.4, 2)
    assert row["fixed_after_cp"] == pytest.approx(0.7)
    assert (row["fixed_after_cp_min"], row["fixed_after_cp_max"]) == (0.5, 0.9)


def test_fig3_stands_beside_the_rates_of_sa_in_the_journal():
    table = tables.make(
        "lewis_fig3",
        runs_of(
            *runs("cp_sa", [1.0, 3.0]),
            *runs("sa", [5.0, None]),
            *runs("ils", [1.0]),
            *runs("sa", [1.0], experiment="lloyd_amos"),
        ),
    )
    assert list(table["variant"]) == ["sa", "cp_sa"]
    assert list(table["n"]) == [2, 2]
    assert list(table["n_instances"]) == [1, 1]
    assert list(table["success_rate"]) == [0.5, 1.0]
    assert list(table["mean_time_solved_s"]) == [5.0, 2.0]
    assert list(table["par2_s"]) == [(5 + 80) / 2, 2.0]
    rates = table["published_success_rate"].tolist()
    assert rates == pytest.approx([0.75, NAN], nan_ok=True)


def test_each_paper_of_lewis_has_its_own_work():
    """At 16x16: 15.5 million swaps in the hybrid paper, 11.6 million in the journal."""
    known = {"solver": "sa", "limit_steps": 30 * 10**6}
    late = runs("sa", [12.0], steps=12 * 10**6, **known)
    given = puzzles(
        "lewis_t1_order4_easy", 4, 0.4, [12.0], ["sa_hybrid"], steps=12 * 10**6, **known
    )
    found = {
        name: tables.make(name, runs_of(*late, *given)) for name in ("lewis_fig3", "lewis_table1")
    }
    (row,) = found["lewis_fig3"].to_dict("records")
    assert (row["solved"], row["limit_steps"], row["work_factor"]) == (0, 11_600_000, 1.3)
    assert (row["rate_at_less"], row["rate_at_more"]) == (0.0, 1.0)
    assert set(found["lewis_table1"]["solved"]) == {1}
    assert set(found["lewis_table1"]["work_steps"]) == {15_500_000}


FAMILIES = [
    *puzzles("lewis_t1_order4_superhard", 4, 125 / 256, fixed_after_cp=0.7),
    *puzzles("lewis_t1_order4_easy", 4, 102 / 256, fixed_after_cp=0.5),
    *puzzles("lewis_t1_order4_hard", 4, 102 / 256, fixed_after_cp=0.5),
    *puzzles("mine", 4, 102 / 256, fixed_after_cp=0.5),
    *puzzles("seventeen_clue", 3, 17 / 81, [2.0, None], fixed_after_cp=0.3),
    *puzzles("lewis_t1_gentle", 3, 27 / 81, fixed_after_cp=0.6),
    *puzzles("lewis_t1_gentle", 3, 28 / 81, fixed_after_cp=0.8),
    *puzzles("lewis_t1_order5_hard", 5, 0.45),
]


def test_table1_puts_printed_puzzles_beside_the_family_made_like_them():
    table = tables.make("lewis_table1", runs_of(*FAMILIES))
    sa = table[table["variant"] == "sa_hybrid"].reset_index(drop=True)
    assert sa["family"].tolist() == [
        *("lewis_t1_gentle", "seventeen_clue", "lewis_t1_order4_easy", "lewis_t1_order4_hard"),
        *("lewis_t1_order4_superhard", "mine", "lewis_t1_order5_hard"),
    ]
    assert sa["published_puzzles"].fillna("none").tolist() == [
        *("LA Times gentle", "17-clue (Royle)", "menneske easy", "menneske hard"),
        *("menneske superhard", "none", "menneske hard"),
    ]
    assert sa["published_success_rate"].tolist() == pytest.approx(
        [0.99, 0.01, 0.04, 0.10, 0.91, NAN, 0.0], nan_ok=True
    )
    assert sa["published_mean_time_s"].tolist() == pytest.approx(
        [0.67, 1.41, 14.3, 20.3, 8.64, NAN, NAN], nan_ok=True
    )
    assert sa["published_fixed_after_cp"].tolist() == pytest.approx(
        [0.94, 0.30, 0.47, 0.48, 0.74, NAN, 0.49], nan_ok=True
    )


def test_table1_by_hand():
    table = tables.make("lewis_table1", runs_of(*FAMILIES))
    gentle = table.iloc[0]
    assert (gentle["n_instances"], gentle["n"], gentle["solved"]) == (2, 2, 2)
    assert gentle["fixed_fraction"] == pytest.approx(27.5 / 81)
    assert gentle["published_fixed_fraction"] == 0.34
    assert gentle["fixed_after_cp"] == pytest.approx(0.7)
    clues = table[table["family"] == "seventeen_clue"].set_index("variant").loc["cp_sa"]
    assert clues["success_rate"] == 0.5
    assert clues["mean_time_solved_s"] == 2.0
    assert clues["mean_time_all_s"] == pytest.approx((2 + LIMIT_S + 0.3) / 2)
    assert clues["par2_s"] == (2 + 2 * LIMIT_S) / 2
    assert clues["published_success_rate"] == 0.16
    assert clues["published_mean_time_s"] == 0.64


def paired(*times_of_instances):
    """Runs of SA and CP+SA on instances, for each a pair of lists of times."""
    return runs_of(
        *[
            run
            for number, pair in enumerate(times_of_instances)
            for variant, times in zip(("sa_hybrid", "cp_sa"), pair, strict=True)
            for run in runs(variant, times, f"order4-p040-{number:03d}")
        ]
    )


def test_signed_rank_by_hand():
    table = tables.make(
        "lewis_signed_rank",
        paired(
            ([4.0, 6.0], [1.0, 1.0]),  # times 5 and 1: rank 2 for the hybrid
            ([1.0, 2.0], [2.0, 2.0]),  # 1.5 and 2: rank 1 against it
            ([None, 2.0], [3.0, 1.0]),  # 21 and 2: rank 3; half as many solved
            ([None, None], [None, None]),  # no difference, whatever the clock said
        ),
    )
    time, success = table.to_dict("records")
    assert (time["order"], time["fixed_fraction"], time["measure"]) == (4, 0.4, "time_s")
    assert (time["n_instances"], time["n_differ"], time["w_plus"]) == (4, 3, 5.0)
    assert time["sa_hybrid"] == pytest.approx((5 + 1.5 + 21 + 40) / 4)
    assert time["cp_sa"] == pytest.approx((1 + 2 + 2 + 40) / 4)
    assert time["effect"] == pytest.approx((5 - 1) / 6)
    assert time["p_value"] == pytest.approx(4 / 8)  # W+ is 0, 1, 5 or 6 in 4 of the 8 signs
    assert (success["measure"], success["n_differ"], success["effect"]) == ("success_rate", 1, 1.0)
    assert (success["sa_hybrid"], success["cp_sa"]) == (2.5 / 4, 3 / 4)
    assert time["p_holm"] == success["p_holm"] == 1.0


def test_signed_rank_counts_a_solution_after_the_papers_work_as_a_failure():
    late = {"solver": "sa", "limit_steps": 30 * 10**6, "steps": 16 * 10**6}
    pairs = [runs("sa_hybrid", [14.0], **late), runs("cp_sa", [2.0], **late | {"steps": 1})]
    table = tables.make("lewis_signed_rank", runs_of(*pairs[0], *pairs[1]))
    time, success = table.to_dict("records")
    assert (time["sa_hybrid"], time["cp_sa"]) == (LIMIT_S, 2.0)
    assert (success["sa_hybrid"], success["cp_sa"]) == (0.0, 1.0)


def test_signed_rank_corrects_for_all_tests_of_the_table():
    better = paired(*[([10.0 + i], [1.0]) for i in range(10)])
    other = better.assign(order=5, family="order5-p040")
    alone = tables.make("lewis_signed_rank", better)
    both = tables.make(
        "lewis_signed_rank", runs_of(*(better.to_dict("records")), *other.to_dict("records"))
    )
    assert alone["p_holm"].tolist() == pytest.approx([2 / 2**10, NAN], nan_ok=True)
    assert both["p_holm"].tolist() == pytest.approx([4 / 2**10, NAN] * 2, nan_ok=True)
    assert alone["effect"].tolist() == pytest.approx([1.0, NAN], nan_ok=True)


def test_signed_rank_takes_equal_differences_for_ties():
    thirds = [([1.0, None, None], [1.0, 1.0, None]), ([1.0, 1.0, None], [1.0] * 3)]
    table = tables.make("lewis_signed_rank", paired(*thirds, *thirds[::-1]))
    success = table.set_index("measure").loc["success_rate"]
    assert (success["w_plus"], success["p_value"]) == (10.0, pytest.approx(2 / 2**4))


@pytest.mark.parametrize("missing", ["sa_hybrid", "cp_sa"])
def test_signed_rank_needs_both(missing):
    both = paired(([1.0], [2.0]), ([2.0], [3.0]))
    assert tables.make("lewis_signed_rank", both[both["variant"] != missing]).empty
    one_pair = both[(both["variant"] != missing) | (both["repetition"] + both.index < 2)]
    assert set(tables.make("lewis_signed_rank", one_pair)["n_instances"]) == {1}

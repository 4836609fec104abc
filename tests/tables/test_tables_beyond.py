"""Tables beyond the papers, and of the frontier, by hand."""

import pytest
from runs_by_hand import NAN, check, point, runs_of

from antdoku import tables
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.tables import generic

EASY = [point(0.6, n, cpu_s=0.1 * (n + 1), variant=v) for n in range(3) for v in ("acs", "bs")]
HARD = [
    point(0.45, 0, cpu_s=2.0),
    point(0.45, 1, cpu_s=12.0, status=TIMEOUT),
    point(0.45, 2, cpu_s=1.0),
    point(0.45, 0, cpu_s=3.0, variant="bs"),
]
RUNS = runs_of(*EASY, *HARD)


def test_the_hardest_point_has_the_lowest_success_rate_then_the_most_steps_whatever_the_seconds():
    hardest = generic.hardest(RUNS).to_dict("records")
    assert hardest == [{"order": 5, "fixed_fraction": 0.45}]
    long = runs_of(*EASY, point(0.65, 0, steps=11))
    assert generic.hardest(long)["fixed_fraction"].item() == 0.65
    for slow in (0.3, 0.6):
        equal = [point(p, 0, cpu_s=5.0 if p == slow else 0.1) for p in (0.6, 0.3)]
        assert generic.hardest(runs_of(*equal))["fixed_fraction"].item() == 0.3


def of_acs(table):
    return table[table["variant"] == "acs"]


def test_run_times_of_the_hardest_point_stand_in_order_if_not_all_solve():
    table = tables.make("beyond_run_times", RUNS)
    check(of_acs(table), cpu_s=[1.0, 2.0, 12.0], solved=[True, True, False], n=3)
    check(table, fixed_fraction=0.45)
    # A blank grid takes longest where nothing is hard.
    blank = [point(0.0, n, order=3, cpu_s=0.1) for n in range(3)]
    check(tables.make("beyond_run_times", runs_of(*HARD, *blank)), order=[5] * 4)


def test_success_by_work_goes_to_where_the_first_run_was_ended():
    """Of ACS at 25x25, whose papers' work is 10,700 iterations."""
    solved = [point(0.45, n, steps=k) for n, k in enumerate([1, 5350, 5351, 10_700, 16_050])]
    unsolved = [point(0.45, n, steps=21_400, status=TIMEOUT) for n in (5, 6, 7)]
    runs = runs_of(*solved, *unsolved).assign(limit_steps=[21_400] * 7 + [-1])
    runs.loc[7, "variant"] = "acs_restart"
    table = tables.make("beyond_work", runs)
    # Two runs at one half are one point; the last row is the end of the runs.
    solved = [1, 3, 4, 5, 5]
    check(table, variant="acs", n=7, work=[1 / 10_700, 5351 / 10_700, 1, 1.5, 2], solved=solved)
    check(table, success_rate=[n / 7 for n in solved], arxiv_success_rate=0.92, work_factor=1.3)
    cut = runs.assign(steps=runs["steps"].where(runs["instance_id"] != "order5-p045-006", 12_000))
    check(tables.make("beyond_work", cut), solved=[1, 3, 4, 4])


def test_generators_stand_side_by_side_where_both_have_runs():
    failed = [point(0.45, n, status=TIMEOUT) if n < 8 else point(0.45, n) for n in range(10)]
    unsolved = [point(0.45, n, experiment="generators", source="acs") for n in range(10)]
    table = tables.make("beyond_generators", runs_of(*failed, *unsolved, *EASY))
    check(table, experiment=["generators", "lloyd_amos"])
    check(table, solved=[10, 2], main_solved=2, main_n=10)


@pytest.mark.parametrize(
    ("failed", "other_failed", "verdict"),
    [(20, 10, "alike"), (20, 30, "different"), (20, 15, "undecided"), (0, 0, "alike")],
)
def test_points_of_two_generators_are_alike_only_if_that_is_shown(failed, other_failed, verdict):
    def points(experiment, n_failed, n):
        return [
            point(p, k, experiment=experiment, status=TIMEOUT if k < n_failed else SOLVED)
            for p in (0.40, 0.45)
            for k in range(n)
        ]

    runs = runs_of(*points("lloyd_amos", failed, 100), *points("generators", other_failed, 50))
    table = tables.make("beyond_generators_agreement", runs)
    is_cp = table["variant"] == "propagation"
    check(table[~is_cp], n_points=[2], main_n=200, other_n=100, verdict=verdict)
    trivial = runs.groupby("experiment")["trivial"].sum()
    solved = trivial[["lloyd_amos", "generators"]].tolist()
    assert table.loc[is_cp, ["main_solved", "other_solved"]].to_numpy().tolist() == [solved]


@pytest.mark.parametrize(
    ("steps", "median", "least"),
    [
        ([10, 30, 50], 30, 30),
        ([10, 30, 50, -70], 40, 40),
        ([10, -70, -70], NAN, 70),
        ([10, 30, -70, -70], NAN, 50),  # half of them: between 30 and infinity
        ([0, 0, 0], 0, 0),
    ],
)
def test_a_run_that_is_not_solved_takes_infinitely_many_steps(steps, median, least):
    """A run with negative steps does not solve."""
    ends = [{"steps": abs(n), "status": TIMEOUT if n < 0 else SOLVED} for n in steps]
    rows = (point(0.5, k, 6, experiment="frontier", **end) for k, end in enumerate(ends))
    table = tables.make("frontier_phase_transition", runs_of(*rows))
    check(table, median_steps=[median], least_median_steps=least)
    check(table, n=len(steps), solved=sum(count >= 0 for count in steps))


def test_the_frontier_has_equal_limits_and_longer_runs_apart():
    row = {"experiment": "frontier", "limit_s": 3.0}
    long = row | {"variant": "tabu_col", "limit_s": 15.0}
    times = [1.0, 2.0, 10.0]
    rows = [point(0.5, number, 6, **row, cpu_s=2.5) for number in range(3)]
    rows += [point(0.5, number, 6, **long, cpu_s=cpu_s) for number, cpu_s in enumerate(times)]
    table = tables.make("frontier_phase_transition", runs_of(*rows)).set_index("variant")
    assert table["solved"].to_dict() == {"acs": 3, "tabu_col": 2, "tabu_col_long": 3}
    assert table["limit_s"].to_dict() == {"acs": 3, "tabu_col": 3, "tabu_col_long": 15}
    assert table["par2_s"].isna().to_dict() == {
        "acs": False,
        "tabu_col": False,
        "tabu_col_long": True,
    }
    ranking = tables.make("ranking", runs_of(*rows)).set_index("variant")
    assert ranking["solved"].to_dict() == {"acs": 3, "tabu_col": 2}

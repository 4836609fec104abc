"""Tables and figures that a plan can fill, and the table that ranks the solvers."""

import pytest
from runs_by_hand import check, point, runs_of

from antdoku import figures, tables
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.report import overview


def plan(experiment, order=None):
    """A plan of one random family or, without an order, of a given puzzle."""
    family = f"order{order}-p045" if order else "named"
    return {"experiment": experiment, "family": family, "order": order or 3}


@pytest.mark.parametrize(
    ("rows", "present", "absent"),
    [
        ([plan("mine", 3)], ["experiment_by_fraction"], ["beyond_work", "lloyd_amos_fig5"]),
        ([plan("mine")], ["experiment_curves"], ["experiment_by_fraction"]),
        ([plan("lloyd_amos")], ["lloyd_amos_fig4"], ["lloyd_amos_fig5", "experiment_curves"]),
        (
            [plan("lloyd_amos", 4)],
            ["lloyd_amos_fig6", "lloyd_amos_fig9", "beyond_work", "beyond_stagnation"],
            ["lloyd_amos_fig5", "lloyd_amos_table1", "beyond_generators", "lewis_fig3"],
        ),
        ([plan("generators", 3)], [], ["beyond_generators"]),
        ([plan("generators", 3), plan("lloyd_amos", 3)], ["beyond_generators"], []),
        ([plan("frontier", 5)], ["frontier_phase_transition"], ["frontier_run_times"]),
    ],
)
def test_a_plan_has_the_tables_and_figures_whose_rows_it_has(rows, present, absent):
    names = tables.of_plan(runs_of(*rows))
    assert {"success", "ranking", *present} <= {*names} and not {*absent} & {*names}
    drawn = figures.of_plan(runs_of(*rows))
    assert {*drawn} & {*tables.every()} == {*names} & {*figures.every()}
    assert ("lloyd_amos_fig1" in drawn) == (plan("lloyd_amos") in rows)


def test_the_ranking_is_that_of_the_hardest_point_of_the_largest_order():
    def variant(name, order, fraction, *seconds, experiment="mine"):
        row = {"experiment": experiment, "variant": name, "label": name, "solver": name}
        for number, cpu_s in enumerate(seconds):
            status = TIMEOUT if cpu_s == 10 else SOLVED
            row |= {"cpu_s": cpu_s, "limit_s": 10.0, "status": status}
            yield point(fraction, number, order, **row)

    runs = runs_of(
        *(*variant("a", 3, 0.4, 10.0, 10.0), *variant("a", 4, 0.4, 1.0, 1.0)),
        *variant("a", 4, 0.5, 10.0),  # harder, but nothing can be ranked there
        *(*variant("a", 4, 0.45, 2.0), *variant("b", 4, 0.45, 1.0), *variant("c", 4, 0.45, 10.0)),
        *variant("c", 5, 0.5, 3.0, experiment="other"),
    )
    table = tables.make("ranking", runs)
    check(table, experiment=["mine", "mine", "mine", "other"], order=[4, 4, 4, 5])
    check(table, variant=["b", "a", "c", "c"], fixed_fraction=[0.45, 0.45, 0.45, 0.5])
    check(table, success_rate=[1, 1, 0, 1], par2_s=[1, 2, 20, 3])
    assert table["median_steps"].isna().tolist() == [False, False, True, False]
    by_fraction = tables.make("experiment_by_fraction", runs).query("variant == 'a'")
    check(by_fraction, order=[3, 4, 4, 4], fixed_fraction=[0.4, 0.4, 0.45, 0.5], n=[2, 2, 1, 1])
    assert by_fraction["median_steps"].fillna(-1).tolist() == [-1, 10, 10, -1]


def test_families_of_given_puzzles_of_an_own_experiment_are_ranked():
    row = {"experiment": "mine", "limit_s": 10.0, "limit_steps": -1, "fixed_fraction": 0.3}
    runs = runs_of(
        row | {"family": "hard", "variant": "a", "status": SOLVED},
        row | {"family": "hard", "variant": "b", "status": TIMEOUT, "limit_steps": 50},
        row | {"family": "easy", "variant": "a", "status": SOLVED},
    )
    table = tables.make("ranking", runs.assign(reach=[None, 2.0, None]))
    check(table, family=["easy", "hard", "hard"], variant=["a", "a", "b"], solved=[1, 1, 0])
    assert table["par2_s"].isna().tolist() == [False, False, True]
    for name in ("experiment_curves", "experiment_comparison"):
        compared = tables.make(name, runs.assign(solver="acs", label="ACS"))
        check(compared, family=["easy", "hard", "hard"], label=["ACS (a)", "ACS (a)", "ACS (b)"])
    (title, _), (_, hard) = overview.rankings(table.assign(reach=0.1))
    assert title == "Mine: Easy, 25 × 25; limit: 10 s"
    assert hard["limit"].tolist() == ["10 s", "0.1 of the paper’s work"]


def test_the_ranking_is_read_after_the_papers_work():
    """Whose program has 25 million nodes at 25x25, 45 %, where runs go on to 37 million."""
    dlx = {"variant": "dlx", "solver": "dlx", "limit_steps": 37_000_000}
    mine = dlx | {
        "variant": "mine",
        "limit_steps": 50_000_000,
    }  # twice as many: is read where dlx is
    runs = runs_of(
        *(
            row | {"steps": n * 10**6, "instance_id": str(n)}
            for row in (dlx, mine)
            for n in (1, 26, 30)
        ),
        {"experiment": "lewis", "variant": "sa", "solver": "sa", "limit_steps": 96_000_000},
    ).assign(reach=1.0)
    table = tables.make("ranking", runs)
    check(table, variant=["sa", "dlx", "mine"], solved=[1, 1, 1], reach=[1, 1, 1])
    assert table["limit_steps"].iloc[0] == 74_500_000  # of the journal, for which SA stands

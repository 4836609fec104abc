"""The summary of a comparison: on runs whose truth is known, and as it is printed."""

import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from runs_by_hand import point, runs_of
from scipy import stats

import antdoku
from antdoku import tables
from antdoku.outcome import TIMEOUT
from antdoku.tables.comparison import as_text, summary


def runs(seconds, limit_s=10.0):
    """Runs by variant: seconds on each instance, infinite where it was not solved."""
    rows = [
        {
            **{"instance_id": str(k % 40), "variant": name, "solver": name, "label": name.upper()},
            **{"status": "solved" if np.isfinite(time) else "timeout", "steps": 10 * k + 1},
            **{"cpu_s": min(time, 10.0), "spread_s": 0.0, "limit_s": limit_s},
        }
        for name, times in seconds.items()
        for k, time in enumerate(times)
    ]
    return pd.DataFrame(rows)


def draw(median, n=40, seed=1):
    return median * np.exp(np.random.default_rng(seed).normal(0, 0.5, n))


def test_the_best_is_first_and_what_is_decided_is_said():
    slow = np.where(np.arange(40) < 30, draw(2, seed=2), np.inf)
    table = summary(runs({"slow": slow, "fast": draw(1), "alike": draw(1.01, seed=3)}))
    assert list(table.index[-1:]) == ["slow"] and {*table.index} == {"slow", "fast", "alike"}
    _, second, last = table.to_dict("records")
    assert (last["solved"], last["n"], last["decided"]) == (30, 40, True)
    assert last["p_value"] < 0.01 and last["lost"] > 30 and last["won"] + last["lost"] == 40
    assert not second["decided"] and second["instances_needed"] > 40
    assert second["won"] + second["lost"] == 40
    assert last["par2_s"] == pytest.approx((slow[:30].sum() + 10 * 20) / 40)
    for row in table.itertuples():
        assert row.par2_low_s <= row.par2_s <= row.par2_high_s
        assert row.median_low_s <= row.median_s <= row.median_high_s
        assert row.solved_low <= row.solved / row.n <= row.solved_high


def test_p_values_are_corrected_over_all_pairs():
    """Against Holm's method by hand: the best is chosen from the same runs."""
    seconds = {name: draw(1 + k / 4, seed=k) for k, name in enumerate("abcd")}
    table = summary(runs(seconds))
    pairs = list(combinations(table.index, 2))
    p = {pair: stats.wilcoxon(seconds[pair[0]] - seconds[pair[1]]).pvalue for pair in pairs}
    highest = 0.0
    for rank, pair in enumerate(sorted(pairs, key=p.get)):
        highest = max(highest, min(1.0, (len(pairs) - rank) * p[pair]))
        if pair[0] == table.index[0]:
            assert table["p_value"][pair[1]] == pytest.approx(highest)


def test_runs_of_one_instance_count_once():
    once = runs({"a": draw(1), "b": draw(1.3, seed=2)})
    again = pd.concat([once] * 5, ignore_index=True)
    first, fivefold = summary(once), summary(again)
    assert list(first["n"] * 5) == list(fivefold["n"])
    for column in ("solved_low", "solved_high", "par2_low_s", "par2_high_s", "p_value"):
        np.testing.assert_allclose(first[column], fivefold[column])


def test_what_does_not_exceed_the_spread_of_timings_is_a_draw():
    table = summary(runs({"a": draw(1), "b": draw(1) + 1e-4}).assign(spread_s=1e-3))
    assert table["won"].sum() == table["lost"].sum() == 0 and not table["decided"].any()
    assert as_text(table)["against the first"][1] == "undecided: too few to tell"


def test_nothing_solved_and_no_limit_in_seconds():
    table = summary(runs({"a": [np.inf] * 3, "b": [1.0, 2.0, np.inf]}, limit_s=np.nan))
    assert list(table.index) == ["b", "a"]
    assert list(as_text(table)["solved"]) == ["2 of 3 (21% - 94%)", "0 of 3 (0% - 56%)"]
    assert list(as_text(table)["median"]) == ["2 s (1 s - > limit)", "-"]


def test_one_solver_has_a_row_and_a_table_without_runs_is_refused(tmp_path):
    assert "against the first" not in as_text(summary(runs({"a": draw(1)})))
    for show in (antdoku.summary, antdoku.plot):
        with pytest.raises(antdoku.InputError, match="the column instance_id is missing"):
            show(pd.DataFrame({"x": [1]}))
        with pytest.raises(antdoku.InputError, match="the table of runs has no rows"):
            show(runs({"a": draw(1)}).head(0))
        with pytest.raises(antdoku.InputError, match="there is no such file"):
            show(tmp_path / "no.parquet")
    one = summary(runs({"a": draw(1)}).head(1))
    assert "(" not in as_text(one)["median"][0] and np.isnan(one["par2_low_s"].iloc[0])


def test_solvers_are_compared_on_puzzles_that_all_ran_on():
    table = runs({"a": draw(1), "b": draw(2, seed=2)})
    common = table["instance_id"].astype(int) >= 10
    with warnings.catch_warnings(action="error"):
        assert antdoku.summary(table).equals(summary(table))
    partial = table[common | (table["variant"] == "b")]
    for show in (antdoku.summary, antdoku.plot):
        with pytest.warns(UserWarning, match="^10 of 40 puzzles are left out: not all") as caught:
            shown = show(partial)
        assert [warning.filename for warning in caught] == [__file__]
        if show is antdoku.summary:
            assert shown.equals(summary(table[common]))
    assert "on 30 instances" in shown.get_suptitle()
    apart = table[common == (table["variant"] == "a")]
    with pytest.raises(antdoku.InputError, match="no puzzle on which all ran: a, b"):
        antdoku.summary(apart)
    with pytest.raises(antdoku.InputError, match="status 'Solved': known are solved, "):
        antdoku.summary(table.assign(status="Solved"))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda t: pd.concat([t, t]), "twice: instance_id 0, variant a, seed 1; keep one of"),
        (lambda t: pd.concat([t, t.tail(1)]), "a run stands twice: instance_id 39, variant b"),
        (lambda t: pd.concat([t, t.assign(label="c", seed=2)]), "a: is the name of A and of c; gi"),
        (lambda t: pd.concat([t, t.assign(solver="c", seed=2)]), "a: is the name of a and of c; "),
        (
            lambda t: pd.concat([t, t.assign(params='{"m": 2}', seed=2)]),
            "several settings .*params",
        ),
        (
            lambda t: pd.concat([t, t.assign(source_hash="f", seed=2)]),
            "several versions .* drop the",
        ),
        (lambda t: t.assign(cpu_s=t["cpu_s"].mask(t.index > 70)), "column cpu_s: must have a"),
        (lambda t: t.assign(variant=np.nan), "column variant: must have a value in each row"),
        (lambda t: t.assign(spread_s="x"), "is no table of runs: could not convert .* 'x'"),
        (lambda t: t.drop(columns="steps"), "the column steps is missing"),
    ],
)
def test_runs_that_stand_twice_or_lack_values_are_refused(spoil, message):
    table = runs({"a": draw(1), "b": draw(2, seed=2)})
    table = table.assign(seed=1, params="{}", source_hash="e")
    assert len(antdoku.summary(pd.concat([table, table.assign(seed=2)]).convert_dtypes())) == 2
    for show in (antdoku.summary, antdoku.plot):
        with pytest.raises(antdoku.InputError, match=message) as caught:
            show(spoil(table))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"limit_s": [2.0, 20.0]}, "0: limits are 2 s, 20 s; solvers are compared at one limit"),
        ({"limit_s": [2.0, np.nan]}, "limits are 2 s, none"),
        ({"limit_steps": [10_700, 25_000_000]}, "limits are 10,700 steps, 25,000,000 steps"),
        ({"limit_steps": [-1, 100]}, "limits are none, 100 steps"),
    ],
)
def test_runs_with_several_limits_on_a_puzzle_are_refused(limits, message, tmp_path):
    file = tmp_path / "runs.parquet"
    rows = (
        {"variant": name} | {key: pair[n] for key, pair in limits.items()}
        for n, name in enumerate("ab")
    )
    table = runs_of(*rows).assign(instance_id="0")
    table.to_parquet(file)
    for show in (antdoku.summary, antdoku.plot):
        with pytest.raises(antdoku.InputError, match=message):
            show(table)
        with pytest.raises(antdoku.InputError, match=f"{file}: .*{message}"):
            show(file)


def test_variants_with_other_limits_are_not_compared():
    """At 2 s nothing is solved; all is with a limit of steps, in 30 s. Which is better?"""
    place = {"experiment": "mine", "family": "hard", "fixed_fraction": 0.3}
    kinds = {
        "seconds": {"limit_s": 2.0, "cpu_s": 2.0, "status": TIMEOUT},
        "seconds_long": {"limit_s": 20.0, "cpu_s": 5.0},
        "steps": {"limit_s": 60.0, "limit_steps": 100, "cpu_s": 30.0},
        "steps_more": {"limit_s": 60.0, "limit_steps": 1000, "cpu_s": 40.0},
    }
    table = tables.make(
        "experiment_comparison",
        runs_of(
            *(
                place | row | {"variant": name, "instance_id": str(number)}
                for name, row in kinds.items()
                for number in range(8)
            )
        ),
    ).set_index("variant")
    assert table["solved"].to_dict() == dict(zip(kinds, [0, 0, 8, 8]))
    assert table["limit_steps"].to_dict() == dict(zip(kinds, [-1, -1, 100, 1000]))
    assert table["limit_s"].dropna().to_dict() == {"seconds": 2.0, "seconds_long": 2.0}
    assert table["p_holm"].notna().sum() == 1 and not table["decided"].any()
    assert (table[["won", "lost"]] == 0).all(axis=None)


def test_summaries_by_point_are_read_at_one_limit_or_have_no_par2():
    rows = [
        point(0.45, number, experiment="mine", variant=name, limit_s=limit_s, cpu_s=cpu_s)
        for name, limit_s, cpu_s in (("short", 3.0, 2.0), ("long", 15.0, 10.0))
        for number in range(2)
    ]
    success = tables.make("success", runs_of(*rows)).set_index("variant")
    assert success["solved"].to_dict() == {"short": 2, "long": 2}
    assert success["limit_s"].to_dict() == {"short": 3, "long": 15}
    assert success["par2_s"].isna().all()
    for name in ("experiment_by_fraction", "ranking"):
        table = tables.make(name, runs_of(*rows)).set_index("variant")
        assert table["solved"].to_dict() == {"short": 2, "long": 0}
        assert table["par2_s"].to_dict() == {"short": 2, "long": 6}
    of_paper = runs_of(*rows).assign(experiment="lloyd_amos")
    beyond = tables.make("beyond_phase_transition", of_paper).set_index("variant")
    assert beyond["par2_s"].to_dict() == {"short": 2, "long": 6}
    assert tables.make("beyond_run_times", of_paper)["limit_s"].unique().tolist() == [3]


def test_the_figure_shows_the_share_that_is_solved():
    table = runs({"a": [1.0, 2.0, np.inf], "b": [0.5, 0.5, 0.5]})
    steps, seconds = antdoku.plot(table).axes
    drawn = [line for line in seconds.lines if line.get_transform() != seconds.transAxes]
    assert [line.get_ydata()[-1] for line in drawn] == pytest.approx([200 / 3, 100])
    assert [text.get_text() for text in seconds.texts] == ["A 67 %", "B 100 %"]
    assert steps.get_xscale() == seconds.get_xscale() == "log"
    assert steps.get_xlabel() == "Steps (of each solver)"
    without = antdoku.plot(table.assign(steps=[0, 5, 9] * 2)).axes[0]
    assert without.get_xlabel() == "Steps (of each solver; 0 at the left end)"


def test_a_title_names_all_solvers_with_the_largest_share():
    two, one = [1.0, 2.0, 3.0], [1.0, np.inf, np.inf]
    fig = antdoku.plot(runs({"a": two, "b": one, "c": two, "d": one}))
    title = "A and C solve 100 % of the runs on 3 instances, B and D 33 %"
    assert fig.get_suptitle() == title
    title = "A and B solve 100 % of the runs on 3 instances"
    assert antdoku.plot(runs({"a": two, "b": two})).get_suptitle() == title


def test_a_figure_of_equal_solvers_and_of_less_than_a_decade():
    table = runs({name: [1.0, 1.5, 2.0] for name in "abc"})
    fig = antdoku.plot(table.assign(steps=range(100, 109)))
    assert fig.get_suptitle() == "All 3 solvers solve 100 % of the runs on 3 instances"
    fig.canvas.draw()
    for ax in fig.axes:
        labels = [label.get_text() for label in ax.get_xticklabels() if label.get_text()]
        assert 2 <= len(labels) <= 5 and not any("$" in label for label in labels)

"""Figure 4 of Soto et al. 2013: what is drawn is what the table says."""

import numpy as np
import pytest
from matplotlib.container import BarContainer
from synthetic import quick_runs
from test_figures import containers, draw, legend_of, made

from antdoku.outcome import TIMEOUT

NAME = "soto_2013_fig4"


def test_a_panel_per_limit_and_a_bar_per_system():
    fig = draw(NAME, "full")
    table = made(NAME, "full")
    assert [ax.get_title("left") for ax in fig.axes] == [
        "(a) 100,000 iterations",
        "(b) unlimited in the paper; ours: at most 10 s of CPU time",
    ]
    assert "30 runs per bar" in fig.get_suptitle()
    for ax, limit in zip(fig.axes, ("_100000", "")):
        systems = (f"ac3_tabu{limit}", f"ga{limit}")
        variants = [f"{name}{rules}" for name in systems for rules in ("_as_printed", "")]
        for bars, name in zip(containers(ax, BarContainer), variants, strict=True):
            rates = table[table["variant"] == name]["success_percent"]
            assert [bar.get_height() for bar in bars] == pytest.approx(rates)
            assert (bars[0].get_facecolor()[:3] == (1, 1, 1)) != name.endswith("_as_printed")
    labels = [label.get_text() for label in fig.axes[1].get_xticklabels()]
    assert labels[::3] == ["easy a", "medium a", "hard a"]
    assert legend_of(fig)[:5] == [
        "AC3-tabu, as printed",
        "AC3-tabu, with our rule",
        "GA, as printed",
        "GA, with our rule",
        "paper, of 30 runs",
    ]


def test_published_numbers_are_percentages_of_thirty():
    above, below = draw(NAME, "full").axes
    for ax, ga in ((above, [100, 100, 100, 100 * 22 / 30, 100 * 2 / 30]), (below, [100] * 5)):
        marks = [line for line in ax.lines if line.get_marker() == "D" and line.get_mew() < 1]
        shown = [line.get_ydata()[np.isfinite(line.get_ydata())] for line in marks]
        assert shown[0].tolist() == [100] * 5
        assert shown[2].tolist() == pytest.approx(ga)
        assert shown[1].size == shown[3].size == 0  # of bars with a rule of ours


def test_limits_in_iterations_stand_for_unlimited_ones():
    runs = quick_runs()[lambda runs: runs["variant"].isin(["ga", "ga_as_printed"])]
    steps = runs["variant"].map({"ga": 2_000_000, "ga_as_printed": 150_000})
    (ax,) = draw(NAME, runs.assign(limit_steps=steps)).axes
    limits = "150,000 / 2,000,000 iterations"
    assert ax.get_title("left") == f"(a) unlimited in the paper; ours: at most {limits}"


def test_a_puzzle_that_no_run_solved_is_marked():
    runs = quick_runs()
    assert "no run solved" not in legend_of(draw(NAME, runs[runs["variant"] == "ac3_tabu"]))
    fig = draw(NAME, runs[runs["variant"] == "ga"].assign(status=TIMEOUT))
    (ax,) = fig.axes
    assert sum(len(line.get_xdata()) for line in ax.lines if line.get_marker() == "x") == 9
    assert "no run solved" in legend_of(fig)


def test_puzzles_and_systems_may_be_missing():
    runs = quick_runs()
    some = runs[runs["instance_id"].isin(["mk_s10a", "mk_s12c"]) & (runs["variant"] != "ga")]
    above, below = draw(NAME, some).axes
    assert (len(containers(above, BarContainer)), len(containers(below, BarContainer))) == (4, 3)
    assert [label.get_text() for label in below.get_xticklabels()] == ["easy a", "hard c"]

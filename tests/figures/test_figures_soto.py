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
        "(b) unlimited iterations, at most 10 s of CPU time",
    ]
    assert "30 runs per bar" in fig.get_suptitle()
    for ax, variants in zip(fig.axes, (("ac3_tabu_100000", "ga_100000"), ("ac3_tabu", "ga"))):
        for bars, name in zip(containers(ax, BarContainer), variants, strict=True):
            rates = table[table["variant"] == name]["success_percent"]
            assert [bar.get_height() for bar in bars] == pytest.approx(rates)
    labels = [label.get_text() for label in fig.axes[1].get_xticklabels()]
    assert labels[::3] == ["easy a", "medium a", "hard a"]
    assert legend_of(fig)[:3] == ["AC3-tabu", "GA", "paper, of 30 runs"]


def test_published_numbers_are_percentages_of_thirty():
    above, below = draw(NAME, "full").axes
    for ax, ga in ((above, [100, 100, 100, 100 * 22 / 30, 100 * 2 / 30]), (below, [100] * 5)):
        marks = [line for line in ax.lines if line.get_marker() == "D" and line.get_mew() < 1]
        shown = [line.get_ydata()[np.isfinite(line.get_ydata())] for line in marks]
        assert shown[0].tolist() == [100] * 5
        assert shown[1].tolist() == pytest.approx(ga)


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
    assert (len(containers(above, BarContainer)), len(containers(below, BarContainer))) == (2, 1)
    assert [label.get_text() for label in below.get_xticklabels()] == ["easy a", "hard c"]

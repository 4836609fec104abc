"""Table 2 and figure 4 of Soto et al. 2013: what is drawn is what the tables say."""

import numpy as np
import pytest
from matplotlib.container import BarContainer
from synthetic import quick_runs
from test_figures import containers, draw, legend_of, made

from antdoku.outcome import TIMEOUT

NAME, TIMES = "soto_2013_table2", "soto_2013_fig4"


def test_a_panel_per_limit_and_a_bar_per_system():
    fig = draw(NAME, "full")
    table = made(NAME, "full")
    assert [ax.get_title("left") for ax in fig.axes] == [
        "(a) 100,000 iterations",
        "(b) unlimited in the paper; ours: at most 10 s of CPU time",
    ]
    assert "30 per bar" in fig.get_suptitle()
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


@pytest.mark.parametrize("name", [NAME, TIMES])
def test_a_puzzle_that_no_run_solved_is_marked(name):
    runs = quick_runs()
    assert "no run solved" not in legend_of(draw(name, runs[runs["variant"] == "ac3_tabu"]))
    fig = draw(name, runs[runs["variant"] == "ga"].assign(status=TIMEOUT))
    (ax,) = fig.axes
    assert sum(len(line.get_xdata()) for line in ax.lines if line.get_marker() == "x") == 9
    assert "no run solved" in legend_of(fig)


def points(ax):
    """Lines of our own points in a panel."""
    return [line for line in ax.lines if line.get_marker() in ("<", "p")]


def ranges(ax):
    """Pairs of ends of the vertical lines, a list per series, without the empty ones."""
    found = [[part[:, 1] for part in lines.get_segments() if len(part)] for lines in ax.collections]
    return [ends for ends in found if ends]


def test_fig4_draws_least_mean_and_greatest_times():
    fig = draw(TIMES, "full")
    table = made(TIMES, "full")
    limits = ("_1000", "_100000", "")
    assert [ax.get_title("left")[:7] for ax in fig.axes] == ["(a) 1,0", "(b) 100", "(c) unl"]
    for ax, limit, systems in zip(fig.axes, limits, (["ac3_tabu"], *[["ac3_tabu", "ga"]] * 2)):
        names = [f"{each}{limit}{rules}" for each in systems for rules in ("_as_printed", "")]
        for line, name in zip(points(ax), names, strict=True):
            rows = table[table["variant"] == name]
            assert line.get_ydata() == pytest.approx(rows["mean_time_s"], nan_ok=True)
            assert (line.get_markerfacecolor() == "white") != name.endswith("_as_printed")
            ends = rows[["min_time_s", "max_time_s"]].dropna().to_numpy()
            assert any(
                np.shape(found) == ends.shape and np.allclose(found, ends) for found in ranges(ax)
            )
        assert ax.get_yscale() == "log"


def test_fig4_has_the_published_times_of_1000_iterations_beside_the_printed_rules():
    first, *others = draw(TIMES, "full").axes
    shown = [line.get_ydata() for line in first.lines if line.get_marker() == "D"]
    found = {round(float(y), 3) for ys in shown for y in ys if np.isfinite(y)}
    assert found == {1.331, 1.032, 1.067, 5.17, 69.807, 78.042, 88.55, 112.667}
    assert any(np.allclose(ends[-1], (3.875, 309.799)) for ends in ranges(first))
    for ax in others:
        shown = [line.get_ydata() for line in ax.lines if line.get_marker() == "D"]
        assert not np.isfinite(np.concatenate(shown)).any()
    assert "paper, on its hardware" in legend_of(draw(TIMES, "full"))

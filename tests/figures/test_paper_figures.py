"""Figures of the papers: what is drawn is what the tables say."""

from functools import cache

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer, ErrorbarContainer
from synthetic import FRONTIER, default_runs, quick_runs, synthetic_runs
from test_figures import draw, legend_of, made, means, parts, table_of

from antdoku import figures, papers, published
from antdoku.figures import style
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers.beyond.tables import LEAST_WORK

PUZZLES = list(papers.get("lloyd_amos").puzzles)
SIZES = ["9 × 9", "16 × 16", "25 × 25"]
AT_45 = "25 × 25, 45 % fixed"


def titles(fig):
    return [ax.get_title("left") for ax in fig.axes]


def containers(ax, kind):
    return [found for found in ax.containers if isinstance(found, kind)]


def boxes(ax):
    return [patch for patch in ax.patches if isinstance(patch, mpl.patches.PathPatch)]


def lines(ax, **looks):
    """Curves of a panel whose properties are these."""
    return [
        line
        for line in ax.lines
        if all(getattr(line, f"get_{name}")() == value for name, value in looks.items())
    ]


def count(fig, **looks):
    """Points of such curves in all panels."""
    return sum(len(line.get_xdata()) for ax in fig.axes for line in lines(ax, **looks))


def printed(ax, shape="D"):
    """Heights of the published numbers in a panel, by series."""
    marks = [line.get_ydata() for line in lines(ax, marker=shape) if line.get_mew() < 1]
    return [np.asarray(heights)[np.isfinite(heights)].tolist() for heights in marks]


def variant_rows(table):
    """Rows of each variant, in their order."""
    return [rows for _, rows in table.groupby("variant", sort=False)]


# --- Lloyd & Amos --------------------------------------------------------------------------------


def digits(texts):
    return [int(text.get_text()) for text in texts]


def test_fig1_writes_the_puzzle_and_the_solution():
    left, right = draw("lloyd_amos_fig1", None).axes
    givens, solution = parts("lloyd_amos_fig1")
    assert digits(left.texts) == givens[givens > 0].tolist()
    assert digits(right.texts) == solution.tolist()
    bold = [text for text in right.texts if text.get_weight() == "bold"]
    assert digits(bold) == givens[givens > 0].tolist()


@pytest.mark.parametrize(("order", "n_peers"), [(2, 7), (3, 20), (4, 39), (5, 56 + 8)])
def test_fig2_shades_units_and_peers(order, n_peers):
    left, right = figures.make("lloyd_amos_fig2", np.zeros(order**4, int)).axes
    assert len(left.patches) == 3 * order**2 + 4  # and the outlines of the units and of the cell
    assert len(right.patches) == n_peers + 1


def test_fig4_draws_boxes_means_and_failures():
    fig, table = draw("lloyd_amos_fig4", "full"), made("lloyd_amos_fig4", "full")
    (ax,) = fig.axes
    assert [label.get_text() for label in ax.get_xticklabels()] == PUZZLES
    assert len(boxes(ax)) == 2 * len(PUZZLES)
    failed = table[table["status"] != SOLVED].groupby(["variant", "puzzle"]).size()
    assert sorted(digits(ax.texts)) == sorted(failed)
    assert ax.get_yscale() == "log"
    assert "100 runs each, at the papers' work" in fig.get_suptitle()
    assert "our time limit" not in legend_of(fig)


@pytest.mark.parametrize(("limit_steps", "ends"), [(-1, (0.5, 0.5)), (10, (0.55, 0.65))])
def test_fig4_box_counts_failures_at_the_limit(limit_steps, ends):
    """In seconds; a failure at the end of the steps counts with the time they took."""
    runs = quick_runs()
    acs = (runs["variant"] == "acs") & (runs["instance_id"] == "reddwarf")
    late = {"status": TIMEOUT, "cpu_s": [0.6, 0.7, 0.5], "limit_s": 0.5, "steps": 10}
    fig = draw("lloyd_amos_fig4", runs[acs].assign(**late, limit_steps=limit_steps))
    (ax,) = fig.axes
    (box,) = boxes(ax)
    heights = box.get_path().vertices[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx(ends)
    assert digits(ax.texts) == [3]
    assert ("our time limit" in legend_of(fig)) == (limit_steps < 0)


def test_fig7_shows_times_rates_intervals_and_published_numbers():
    fig, table = draw("lloyd_amos_fig7", "full"), made("lloyd_amos_fig7", "full")
    above, below = fig.axes
    errorbars = containers(above, ErrorbarContainer)
    for rows, errorbar, times in zip(variant_rows(table), errorbars, means(below), strict=True):
        assert errorbar.lines[0].get_ydata() == pytest.approx(100 * rows["success_rate"])
        assert errorbar.lines[0].get_linestyle() == "--"
        assert times.get_ydata() == pytest.approx(rows["mean_time_solved_s"], nan_ok=True)
        ends = errorbar.lines[2][0].get_segments()[9]
        assert ends[:, 1] == pytest.approx(100 * rows[["wilson_low", "wilson_high"]].iloc[9])
    editions = ["paper, arXiv 2018", "paper, journal 2019"]
    assert legend_of(fig) == ["ACS", "ILS", "DLX", "BS", *editions]
    assert "100 runs per point, at the papers' work" in fig.get_suptitle()


@cache
def gone_on(reach):
    """Runs that went on to so many times the papers' work."""
    return synthetic_runs((35, 45, 55), 50, 1, (), 1, reach)


def test_fig7_shows_success_at_less_and_more_work_as_a_band():
    fig, table = (make("lloyd_amos_fig7", gone_on(2)) for make in (draw, table_of))
    bands = containers(fig.axes[0], BarContainer)
    for rows, bars in zip(variant_rows(table), bands, strict=True):
        ends = [(bar.get_y(), bar.get_y() + bar.get_height()) for bar in bars]
        assert np.array(ends) == pytest.approx(100 * rows[["rate_at_less", "rate_at_more"]])
        assert (rows["rate_at_less"] < rows["rate_at_more"]).any()
    assert "from 1/f to f times that work, f = 1.3 – 2" in legend_of(fig)


def test_limits_are_said_in_titles_and_legends():
    runs = quick_runs().assign(limit_steps=-1)
    fig = draw("lloyd_amos_fig7", runs)
    assert "limit 120 s" in fig.get_suptitle()
    assert {"our time limit", "no run solved"} <= {*legend_of(fig)}
    mixed = runs.assign(limit_steps=runs["limit_steps"].mask(runs["solver"] == "acs", 1070))
    fig = draw("lloyd_amos_fig7", mixed)
    assert "at 0.1 of the papers' work, limit 120 s" in fig.get_suptitle()
    assert "at 0.1 of the papers' work" in draw("lloyd_amos_fig6", "quick").get_suptitle()
    runs = quick_runs().assign(limit_steps=900)  # of 9000 iterations of ACS, 60000 of ILS
    runs = runs[runs["variant"].isin(["acs", "ils"])]
    assert "at 0.015 – 0.1 of the papers' work" in draw("lloyd_amos_fig6", runs).get_suptitle()
    runs = quick_runs().query("variant == 'acs_restart'").assign(limit_s=np.nan, limit_steps=500)
    assert titles(draw("beyond_phase_transition", runs))[0].endswith("500 steps")
    other = runs.assign(variant="zeta", limit_steps=-1, limit_s=5.0)
    both = draw("beyond_phase_transition", pd.concat([runs, other]))
    assert titles(both)[0] == "9 × 9, limit 500 steps or 5 s"


@pytest.mark.parametrize(
    ("name", "solving", "failing", "n_groups"),
    [
        ("lloyd_amos_fig5", "bs", "bs", 4),
        ("soto_2013_table2", "ac3_tabu", "ga", 9),
        ("soto_2013_fig4", "ac3_tabu", "ga", 9),
    ],
)
def test_where_no_run_solved_there_is_a_cross(name, solving, failing, n_groups):
    runs = quick_runs().query("order == 3")
    assert "no run solved" not in legend_of(draw(name, runs[runs["variant"] == solving]))
    fig = draw(name, runs[runs["variant"] == failing].assign(status=TIMEOUT))
    assert "no run solved" in legend_of(fig)
    assert count(fig, marker="x") == n_groups


def test_fig8_draws_a_line_per_order():
    fig = draw("lloyd_amos_fig8", "full")
    left, right = fig.axes
    assert len(containers(left, ErrorbarContainer)) == 3
    thresholds = [line.get_xdata()[0] for line in lines(left, linestyle=":")]
    assert thresholds == pytest.approx([40, 50, 55])
    assert 3.6 in np.concatenate(printed(right, "*"))
    assert legend_of(fig)[:3] == SIZES


# --- beyond the papers ---------------------------------------------------------------------------


@pytest.mark.parametrize(("reach", "end"), [(1, 1), (2, 2), (16, 10)])  # 10: at the guard
def test_curves_of_work_go_on_to_where_runs_end(reach, end):
    fig = draw("beyond_work", gone_on(reach))
    ax = fig.axes[titles(fig).index(AT_45)]
    rates = table_of("lloyd_amos_fig7", gone_on(reach)).query("fixed_fraction == 0.45")
    for name in ("acs", "dlx", "ils"):
        (line,) = lines(ax, drawstyle="steps-post", color=style.variant(name).color)
        curve = line.get_xydata()
        x, percent = curve[curve[:, 0] >= LEAST_WORK].T  # what is left of it is hidden
        # All points of an order have the limit of the one with most work.
        most = published.most_steps("lloyd_amos", name, 5)
        assert x[-1] == pytest.approx(end * most / published.work("arxiv", name, 5, 0.45).steps)
        assert (np.diff(x) >= 0).all() and (np.diff(percent) >= 0).all()
        at_one = rates.loc[rates["variant"] == name, "success_rate"].item()
        assert percent[x <= 1][-1] == pytest.approx(100 * at_one)


def test_published_rates_stand_at_the_work_of_the_papers():
    fig = draw("beyond_work", "full")
    ax = fig.axes[titles(fig).index(AT_45)]
    marks = [line for shape in "*D" for line in lines(ax, marker=shape) if line.get_mew() < 1]
    assert {x for line in marks for x in line.get_xdata()} == {1}
    shown = {round(y) for shape in "*D" for heights in printed(ax, shape) for y in heights}
    assert shown == {92, 14, 53, 58, 85, 10, 49, 12}
    assert {"work of the paper's program", "how uncertain that is"} <= {*legend_of(fig)}


def test_stagnation_shows_bands_of_the_papers_systems_alone():
    for ax in draw("beyond_stagnation", "full").axes:
        assert len(ax.lines) == 5
        colors = [to_hex(band.get_facecolor()).upper() for band in ax.collections]
        assert colors == [style.variant(name).color for name in ("acs", "acs_no_bve")]
    restart = default_runs().query("variant == 'acs_restart'")
    assert legend_of(draw("beyond_stagnation", restart)) == ["ACS with restarts"]


def test_a_star_marks_the_generator_whose_instances_are_solved_less_often():
    runs = default_runs().query("variant == 'dlx' and order == 5 and fixed_fraction == 0.45")
    for failing, expected in ({"lewis": 0, "generators_root": 1}).items():
        status = np.where(runs["experiment"] == failing, TIMEOUT, SOLVED)
        fig = draw("beyond_generators", runs.assign(status=status, steps=1))
        assert count(fig, marker="*") == expected
        assert any("differs" in label for label in legend_of(fig)) == bool(expected)


def test_generators_show_all_grids_and_the_success_at_orders_at_which_a_solver_fails():
    runs = default_runs().query("experiment != 'lewis' and fixed_fraction == 0.45")
    solved = (runs["order"] < 5) | (runs["variant"] == "bs")
    runs = runs.assign(status=runs["status"].mask(solved, SOLVED), steps=1)
    fig = draw("beyond_generators", runs)
    of_systems = [f"25 × 25, {name}" for name in ("ACS", "ILS", "DLX", "BS")]
    assert titles(fig) == [size for size in SIZES for _ in range(2)] + of_systems
    assert {"0", "64"} <= {text.get_text() for ax in fig.axes for text in ax.texts}
    sources = ["the root solution, shuffled", "random grids, shuffled", "grids by ACS"]
    assert legend_of(fig)[:3] == sources


# --- Lewis ---------------------------------------------------------------------------------------


def test_fig3_has_a_column_of_panels_per_order_with_par2_where_runs_failed():
    fig, table = draw("lewis_fig3", "full"), made("lewis_fig3", "full")
    assert titles(fig)[:3] == [f"{size}, at the papers' work" for size in SIZES]
    assert "100 runs per point" in fig.get_suptitle()
    assert "10 runs (5 instances) per point" in draw("lewis_fig3", "quick").get_suptitle()
    orders = [rows for _, rows in table.groupby("order")]
    for above, below, rows in zip(fig.axes[:3], fig.axes[3:], orders, strict=True):
        assert len(containers(above, ErrorbarContainer)) == 3
        colors = [line.get_color() for line in means(below)]
        assert colors == [style.variant(name).color for name in ("sa", "sa_hybrid", "cp_sa")]
        failed = rows[rows["solved"] < rows["n"]]
        marked = [group["par2_s"] for group in variant_rows(failed)]
        assert [y for ends in ranges(below) for y, _ in ends] == pytest.approx(np.r_[[], *marked])
        assert below.get_ylim()[1] > rows["par2_s"].max()
    assert "PAR2 (failures twice 5 / 20 / 120 s)" in legend_of(fig)


def ranges(ax):
    """Pairs of heights of the lines between two points, a list per series, without empty ones."""
    of_series = [each.get_segments() for each in ax.collections if isinstance(each, LineCollection)]
    return [
        [part[:, 1] for part in found if len(part)] for found in of_series if any(map(len, found))
    ]


# --- Soto ----------------------------------------------------------------------------------------


def variants_of(systems, limit):
    return [f"{name}{limit}{rules}" for name in systems for rules in ("_as_printed", "")]


def test_table2_has_a_panel_per_limit_and_a_bar_per_system():
    fig, table = draw("soto_2013_table2", "full"), made("soto_2013_table2", "full")
    assert titles(fig) == [
        "(a) 100,000 iterations",
        "(b) unlimited in the paper; ours: at most 10 s of CPU time",
    ]
    assert "30 per bar" in fig.get_suptitle()
    for ax, limit in zip(fig.axes, ("_100000", "")):
        variants = variants_of(("ac3_tabu", "ga"), limit)
        for bars, name in zip(containers(ax, BarContainer), variants, strict=True):
            rates = table[table["variant"] == name]["success_percent"]
            assert [bar.get_height() for bar in bars] == pytest.approx(rates)
            assert (bars[0].get_facecolor()[:3] == (1, 1, 1)) != name.endswith("_as_printed")
    labels = [label.get_text() for label in fig.axes[1].get_xticklabels()]
    assert labels[::3] == ["easy a", "medium a", "hard a"]
    systems = [f"{name}, {rules}" for name in ("AC3-tabu", "GA") for rules in RULES]
    assert legend_of(fig)[:5] == [*systems, "paper, of 30 runs"]
    for ax, ga in zip(fig.axes, ([100, 100, 100, 100 * 22 / 30, 100 * 2 / 30], [100] * 5)):
        # None beside bars with a rule of ours.
        assert printed(ax) == [[100] * 5, [], pytest.approx(ga), []]


RULES = ("as printed", "with our rule")


def test_fig4_draws_least_mean_and_greatest_times():
    fig, table = draw("soto_2013_fig4", "full"), made("soto_2013_fig4", "full")
    limits = ("_1000", "_100000", "")
    assert [title[:7] for title in titles(fig)] == ["(a) 1,0", "(b) 100", "(c) unl"]
    for ax, limit, systems in zip(fig.axes, limits, (["ac3_tabu"], *[["ac3_tabu", "ga"]] * 2)):
        ours = [line for line in ax.lines if line.get_marker() in ("<", "p")]
        for line, name in zip(ours, variants_of(systems, limit), strict=True):
            rows = table[table["variant"] == name]
            assert line.get_ydata() == pytest.approx(rows["mean_time_s"], nan_ok=True)
            assert (line.get_markerfacecolor() == "white") != name.endswith("_as_printed")
            ends = rows[["min_time_s", "max_time_s"]].dropna().to_numpy()
            same = [found for found in ranges(ax) if np.shape(found) == ends.shape]
            assert any(np.allclose(found, ends) for found in same)
        assert ax.get_yscale() == "log"


# --- the frontier: a curve for each order, and what is known of work where runs failed -----------


def test_each_order_is_a_curve_of_success_and_one_of_work():
    name = "frontier_phase_transition"
    fig, table = draw(name, "full"), made(name, "full")
    axes = np.array(fig.axes).reshape(2, len(FRONTIER))
    assert titles(fig)[: len(FRONTIER)] == [style.variant(name).label for name in FRONTIER]
    for name, column in zip(FRONTIER, axes.T):
        for order in range(5, 9 if name == "acs_restart" else 10):
            look = style.ORDERS[order]
            (success,) = lines(column[0], color=look.color, marker=look.marker)
            assert len(success.get_xdata()) == 8
            assert lines(column[1], color=look.color, linewidth=1.0)
    assert count(fig, mfc="white") == table["median_steps"].isna().sum() > 0  # open arrows
    assert legend_of(fig)[:5] == [style.ORDERS[order].label for order in range(5, 10)]


def test_the_growth_has_the_law_of_the_table_if_it_has_an_interval():
    fig, rows = draw("frontier_growth", "full"), made("frontier_growth", "full")
    tabu = rows[rows["variant"] == "tabu_col"]
    assert tabu["exponent"].iloc[0] == pytest.approx(4, abs=0.6)  # as the runs were made
    (law,) = lines(fig.axes[1], linestyle="--")
    assert law.get_ydata() == pytest.approx(tabu["fitted_steps"].to_numpy())
    assert count(fig, mfc="white") == rows["median_steps"].isna().sum() > 0
    exponent = f"{tabu['exponent'].iloc[0]:.1f}"
    assert legend_of(fig)[0].startswith(f"TabuCol: cells$^{{{exponent}}}$")
    unknown = rows.assign(exponent_low=np.nan, exponent_high=np.nan)
    fig = figures.make("frontier_growth", unknown)
    assert not lines(fig.axes[1], linestyle="--")
    assert not any("cells" in label for label in legend_of(fig))

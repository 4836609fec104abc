"""Figures of the papers: what is drawn is what the tables say."""

import numpy as np
import pandas as pd
import pytest
import studies_by_hand
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.container import ErrorbarContainer
from published_runs import FOLDERS, all_runs, few_runs, published_table
from runs_by_hand import NAN, of_mutants, point, runs_of
from test_figures import draw, legend_of, parts, published_figure, texts

from antdoku import figures, tables
from antdoku.claims import mutation
from antdoku.figures import as_printed, panels
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers.sensitivity import figures as sensitivity
from antdoku.statistics import MARGIN, wilson

RESULTS = FOLDERS[0].parent


def titles(fig):
    return [ax.get_title("left") for ax in fig.axes]


def containers(ax, kind):
    return [part for part in ax.containers if isinstance(part, kind)]


def variant_rows(table):
    """Rows of each variant, in their order."""
    return [rows for _, rows in table.groupby("variant", sort=False)]


# --- Lloyd & Amos --------------------------------------------------------------------------------


def digits(texts):
    return [int(text.get_text()) for text in texts]


def test_fig1_writes_the_puzzle_and_the_solution():
    left, right = draw("lloyd_amos_fig1").axes
    givens, solution = parts("lloyd_amos_fig1")
    assert digits(left.texts) == givens[givens > 0].tolist()
    assert digits(right.texts) == solution.tolist()
    bold = [text for text in right.texts if text.get_weight() == "bold"]
    assert digits(bold) == givens[givens > 0].tolist()


@pytest.mark.parametrize(("order", "n_peers"), [(2, 7), (3, 20), (4, 39), (5, 56 + 8)])
def test_fig2_shades_units_and_peers(order, n_peers):
    left, right = figures.make("lloyd_amos_fig2", np.zeros(order**4, int)).axes
    assert len(left.patches) == 3 + 3 + 1  # shades and outlines of the units, and of the cell
    assert len(right.patches) == n_peers + 1


def open_markers(ax):
    """Return the places of the markers of printed numbers, sorted."""
    lines = [line for line in ax.lines if line.get_mfc() == "none" and line.get_mec() != "white"]
    places = np.concatenate([line.get_xydata() for line in lines])
    return sorted(map(tuple, places[np.isfinite(places).all(axis=1)]))


def test_fig4_joins_printed_and_our_mean_times_of_each_puzzle_in_the_order_of_the_printed_ones():
    table = published_table("lloyd_amos_fig4")
    (ax,) = draw("lloyd_amos_fig4").axes
    rows = table[(table["variant"] == "acs") & (table["status"] == SOLVED)]
    rows = rows.groupby("puzzle", observed=True)[["arxiv_mean_time_s", "cpu_s"]].mean()
    rows = rows.sort_values("arxiv_mean_time_s")
    assert [label.get_text() for label in ax.get_yticklabels()] == [*rows.index]
    printed = np.c_[rows["arxiv_mean_time_s"], np.arange(len(rows))]
    assert np.array(open_markers(ax)) == pytest.approx(printed)
    (ours,) = (line for line in ax.lines if line.get_label() == "ours")
    assert ours.get_xdata() == pytest.approx(rows["cpu_s"])


@pytest.mark.parametrize("name", ["lloyd_amos_fig7", "lloyd_amos_fig9"])
def test_rates_have_their_intervals_and_printed_rates_the_interval_of_100_runs(name):
    fig, table = draw(name), published_table(name)
    from_ = 0.3 if name == "lloyd_amos_fig9" else 0  # below, the curves of figure 9 are level
    table = table[(table["order"] == 5) & table["fixed_fraction"].between(from_, 0.55)]
    bars = [bar for ax in fig.axes for bar in containers(ax, ErrorbarContainer)]
    for rows, bar in zip(variant_rows(table), bars, strict=True):
        assert bar.lines[0].get_ydata() == pytest.approx(100 * rows["success_rate"])
        ends = bar.lines[2][0].get_segments()[-3]
        assert ends[:, 1] == pytest.approx(100 * rows[["wilson_low", "wilson_high"]].iloc[-3])
    rates = table[["arxiv_success_rate", "journal_success_rate"]].to_numpy().ravel()
    rates = rates[~np.isnan(rates)]
    axes = [ax for ax in fig.axes if ax.get_yscale() == "linear"]
    printed = [y for ax in axes for _, y in open_markers(ax)]
    assert sorted(printed) == pytest.approx(sorted(100 * rates))
    lines = [part for ax in axes for part in ax.collections if isinstance(part, LineCollection)]
    ends = [end[:, 1] for part in lines for end in part.get_segments() if len(end) == 2]
    for interval in 100 * np.transpose(wilson(100 * rates, 100)):
        assert np.isclose(ends, interval).all(axis=1).any()


def test_fractions_from_which_on_all_runs_are_solved_are_left_out():
    table = published_table("lloyd_amos_fig7")
    assert panels.hard_part(table)["fixed_fraction"].max() == 0.55
    printed = dict.fromkeys(["arxiv_success_rate", "journal_success_rate"], np.nan)
    solved = table.assign(solved=table["n"], success_rate=1.0, **printed)
    assert len(panels.hard_part(solved)) == len(table)
    fig = figures.make("lloyd_amos_fig7", solved.assign(mean_time_solved_s=0.002))
    assert fig.get_suptitle() == "At 25 × 25 all runs are solved; the slowest mean is 2 ms"
    assert len(fig.axes) == 1
    # Where the paper prints less, the title says so after the same words.
    beside_print = title_of("lloyd_amos_fig7", table.assign(solved=table["n"], success_rate=1.0))
    assert (
        beside_print.startswith("At 25 × 25 all runs are solved")
        and "lowest rate" not in beside_print
    )
    failed = table.assign(solved=0)
    assert len(panels.hard_part(failed)) == len(table)


def test_the_title_of_fig7_is_what_the_table_says_of_the_hardest_point():
    table = published_table("lloyd_amos_fig7")
    at_45 = table[table["fixed_fraction"] == 0.45].set_index("variant")
    at_45.loc[["acs", "ils", "dlx", "bs"], "success_rate"] = 0.89, 0.001, 0.49, 0.14
    table = pd.concat([table[table["fixed_fraction"] > 0.5], at_45.reset_index()])
    title = figures.make("lloyd_amos_fig7", table).get_suptitle()
    shares = "ACS solves 89 %, DLX 49 %, BS 14 %, ILS 0.1 %"
    assert title.startswith(f"At 25 × 25, 45 % fixed, {shares}; ")


def test_a_solver_of_all_runs_has_a_panel_only_if_fewer_are_printed():
    table = published_table("lloyd_amos_fig6")
    is_acs = table["variant"] == "acs"
    fig = draw("lloyd_amos_fig6")
    assert fig.get_suptitle() == "At 16 × 16, ACS solves all runs; the lowest rate is 88 % (BS)"
    assert titles(fig)[:-1] == ["ILS", "DLX", "BS"]
    printed = table.assign(journal_success_rate=np.where(is_acs, 0.9, np.nan))
    fig = figures.make("lloyd_amos_fig6", printed)
    assert titles(fig)[:-1] == ["ACS", "ILS", "DLX", "BS"] and "all runs" not in fig.get_suptitle()


def test_the_rate_at_the_hardest_point_is_written_beside_the_printed_ones():
    at_45 = published_table("lloyd_amos_fig7").query("fixed_fraction == 0.45")
    notes = [ax.texts[0].get_text() for ax in draw("lloyd_amos_fig7").axes[:-1]]
    names = ("success_rate", "arxiv_success_rate", "journal_success_rate")
    for note, (_, row) in zip(notes, at_45.iterrows(), strict=True):
        ours, arxiv, journal = (round(100 * row[name]) for name in names)
        assert note == f"at 45 %:\nours {ours}\npaper {arxiv}, {journal}"


def test_the_title_of_fig8_says_as_printed_only_if_all_first_fractions_are():
    table = published_table("lloyd_amos_fig8")
    first = table[table["trivial"] > 0].groupby("order")["fixed_fraction"].min()
    same = table.assign(arxiv_trivial_from=table["order"].map(first))
    assert figures.make("lloyd_amos_fig8", same).get_suptitle().endswith("), as printed")
    assert same["order"].nunique() == 3
    same.loc[same["order"] == 5, "arxiv_trivial_from"] = 0.6
    title = figures.make("lloyd_amos_fig8", same).get_suptitle()
    assert "as printed" not in title and title.endswith(", 60")


@pytest.mark.parametrize("sign", [1, -1])
def test_the_title_of_fig9_is_the_largest_difference_that_bve_makes(sign):
    table = published_table("lloyd_amos_fig9")
    rates = np.where(table["variant"] == "acs", 0.5 + 0.1 * sign, 0.5)
    at_45 = (table["fixed_fraction"] == 0.45) & (table["variant"] == "acs")
    table = table.assign(success_rate=np.where(at_45, 0.5 + 0.35 * sign, rates))
    fig = figures.make("lloyd_amos_fig9", table)
    effect = {1: "(BVE) adds 35 points", -1: "(BVE) takes 35 points"}[sign]
    title = fig.get_suptitle()
    assert f"{effect} at 25 × 25, 45 % fixed (printed: 34 and 36)" in title
    assert f"{35 * sign:+d} points" in texts(fig)


@pytest.mark.parametrize(
    ("printed", "ours", "text"),
    [
        ([0.9, 0.5], [0.95, 0.45], "2 of 2 printed rates are met within 5 points"),
        ([0.9, 0.5], [0.96, 0.45], "1 of 2 printed rates are met within 5 points"),
        ([1.0, 0.5], [1.0, 0.45], "1 of 1 printed rates below 100 % are met within 5 points"),
        (
            [1.0, 1.0, 0.5],
            [1.0, 0.8, 0.45],
            "1 of 2 printed rates are met within 5 points, not counting 100 % in both",
        ),
        ([1.0, 1.0], [1.0, 1.0], "all 2 printed rates are 100 %, as ours"),
        ([0.145], [0.195], "1 of 1 printed rates are met within 5 points"),
    ],
)
def test_printed_rates_of_100_percent_that_are_100_percent_here_do_not_count(printed, ours, text):
    rows = pd.DataFrame({"printed": printed, "success_rate": ours, "n": 20})
    rows["distance"] = (rows["printed"] - rows["success_rate"]).abs().round(6)
    assert as_printed.met(rows) == f"; {text}"
    assert as_printed.met(rows.assign(n=19)) == "" == as_printed.met(rows[:0])


@pytest.mark.parametrize("name", ["lloyd_amos_fig7", "lloyd_amos_fig9", "lewis_fig3"])
def test_a_title_counts_the_printed_rates_that_are_met_where_a_point_has_20_runs(name):
    title = draw(name).get_suptitle()
    assert " are met within 5 points" in title
    few = figures.make(name, published_table(name).assign(n=19)).get_suptitle()
    assert "are met" not in few and "are printed" not in few


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        # Seconds, steps, the paper's work, and runs that seconds ended first.
        ([(120.0, -1, NAN, 0)], "limit 120 s"),
        ([(NAN, 500, NAN, 0)], "limit 500 steps"),
        ([(5.0, -1, NAN, 0), (NAN, 500, NAN, 0)], "limit 500 steps or 5 s"),
        ([(NAN, -1, NAN, 0)], "no time limit"),
        ([(120.0, 900, 900, 0), (120.0, 500, 500, 0)], "as many steps as in the paper"),
        (
            [(120.0, 900, 9000, 0), (120.0, 900, 60_000, 0), (120.0, -1, NAN, 0)],
            "0.015 – 0.1 of the steps in the paper, limit 120 s",
        ),
        (
            [(120.0, 900, 900, 2)],
            "as many steps as in the paper,\n2 runs ended before, by their limit in seconds",
        ),
    ],
)
def test_the_limit_of_runs_is_said(limits, text):
    columns = ["limit_s", "limit_steps", "work_steps", "n_unfinished"]
    assert panels.limit(pd.DataFrame(limits, columns=columns)) == text


def test_a_limit_beside_the_work_of_the_paper_names_its_variants():
    rows = {"label": ["A", "B", "B"], "limit_s": 5.0, "limit_steps": [900, 200, 200]}
    table = pd.DataFrame(rows | {"work_steps": [900, NAN, NAN]})
    assert panels.limit(table) == "as many steps as in the paper, B: limit 200 steps"
    assert panels.limit(table[1:]) == "limit 200 steps"


def test_limits_are_said_in_titles_and_legends():
    fig = draw("lloyd_amos_fig7", few_runs().assign(limit_steps=-1))
    assert any(title.endswith("limit 120 s") for title in titles(fig))
    assert {"time limit", "no run solved"} <= {*legend_of(fig)}


# --- Lewis ---------------------------------------------------------------------------------------


def of_lewis(**columns):
    """The table of figure 2 with other columns."""
    return published_table("lewis_fig2").assign(**columns)


def test_the_gain_of_propagation_is_over_the_cells_that_are_given():
    table = published_table("lewis_fig2")
    low = table[table["fixed_fraction"] <= 0.2]
    gain = 100 * (low["fixed_after_cp"] - low["given_fraction"]).mean()
    title = draw("lewis_fig2").get_suptitle()
    assert f"up to 20 % fixed it adds {gain:.2g} % of the cells" in title and gain < 0.15
    none = figures.make("lewis_fig2", of_lewis(fixed_after_cp=table["given_fraction"]))
    assert "it adds 0 % of the cells" in none.get_suptitle()


def test_a_rise_that_is_no_steeper_on_larger_grids_is_not_said_to_be():
    assert draw("lewis_fig2").get_suptitle().startswith("The larger the grid, the steeper")
    table = published_table("lewis_fig2")
    flat = of_lewis(fixed_after_cp=table["fixed_after_cp"].where(table["order"] < 5, 0.9))
    for other in (flat, table[table["order"] == 4]):
        assert "steeper" not in figures.make("lewis_fig2", other).get_suptitle()


def test_the_dip_is_drawn_beside_the_rates_of_20_instances():
    fig, table = draw("lewis_fig3"), published_table("lewis_fig3")
    dip = table[table["fixed_fraction"].between(0.2, 0.6) & (table["order"] > 3)]
    printed = [y for ax in fig.axes[:2] for _, y in open_markers(ax)]
    rates = 100 * dip["published_success_rate"].dropna()
    assert sorted(printed) == pytest.approx(sorted(rates))
    lines = [part for ax in fig.axes for part in ax.collections if isinstance(part, LineCollection)]
    segments = [end for part in lines for end in part.get_segments() if len(end)]
    ends = np.array([end[:, 1] for end in segments])
    of_paper = np.transpose(wilson(rates * 20 / 100, 20))
    for interval in [*of_paper, *dip[["wilson_low", "wilson_high"]].to_numpy()]:
        assert np.isclose(ends, 100 * interval, atol=1e-3).all(axis=1).any()


def test_other_work_has_a_band_a_size_and_the_title_counts_rates_that_it_meets():
    table = published_table("lewis_fig3")
    printed = table["published_success_rate"]
    table = table.assign(rate_at_less=printed.fillna(0.5) - 0.1, rate_at_more=printed.fillna(1))
    title = figures.make("lewis_fig3_work", table).get_suptitle()
    start = "At 25 × 25, SA with 0.67 to 1.5 times the steps meets"
    assert title == f"{start} 4 of 4 printed rates below 100 %, within their error"
    at_45 = (table["order"] == 5) & (table["fixed_fraction"] == 0.45)
    table.loc[at_45, ["rate_at_less", "rate_at_more"]] = 0.02, 0.29  # 31 % of 20 are 15 to 53 %
    assert figures.make("lewis_fig3_work", table).get_suptitle() == title
    table.loc[at_45, "rate_at_more"] = 0.08
    fig = figures.make("lewis_fig3_work", table)
    assert "meets 3 of 4 printed" in fig.get_suptitle()
    bands = [part for ax in fig.axes for part in ax.collections if isinstance(part, PolyCollection)]
    assert len(bands) == len(fig.axes) == 2
    few = figures.make("lewis_fig3_work", table.assign(n=19)).get_suptitle()
    assert "printed" not in few and " × 25, " in few


# --- Soto et al. ---------------------------------------------------------------------------------


def test_a_system_of_soto_that_fails_is_drawn_in_the_main_reading_and_with_our_rule():
    fig, table = draw("soto_2013_table2"), published_table("soto_2013_table2")
    rows = table[table["reading"].isin(["main", "rule of ours"]) & (table["iterations"] > 0)]
    (ax,), rows = fig.axes, rows[rows["system"] == "ga"]
    rates = np.concatenate([bar.lines[0].get_xdata() for bar in containers(ax, ErrorbarContainer)])
    assert sorted(rates) == pytest.approx(sorted(rows["success_percent"]))
    printed = 100 * rows["published_solved_of_30"].dropna() / 30
    assert [x for x, _ in open_markers(ax)] == pytest.approx(sorted(printed))
    readings = {"GA, main reading of the paper", "GA, with a rule of ours"}
    assert readings <= {*legend_of(fig)}


def test_the_title_of_soto_says_that_a_system_solves_all_as_printed_only_if_it_does():
    table = published_table("soto_2013_table2")
    limit = "Within 100,000 iterations"
    start = f"{limit} AC3-tabu solves all runs, as printed"
    met = "0 of 5 printed rates of the GA are met within 5 points"
    is_ac3 = table["system"] == "ac3_tabu"
    fewer = table.assign(published_solved_of_30=table["published_solved_of_30"].mask(is_ac3, 29))
    failed = table.assign(solved=table["solved"].mask(is_ac3, 0))
    both = f"{limit}, 0 of 10 printed rates of the AC3-tabu and GA are met within 5 points"
    for runs, title in ((table, f"{start}; {met}"), (fewer, f"{limit}, {met}"), (failed, both)):
        assert figures.make("soto_2013_table2", runs).get_suptitle() == title
    few = figures.make("soto_2013_table2", table.assign(n=5)).get_suptitle()
    assert "printed" not in few


def test_printed_times_of_soto_stand_beside_ours():
    table = published_table("soto_2013_fig4")
    fig = figures.make("soto_2013_fig4", table)
    printed, ours = fig.axes
    rows = table[table["variant"] == "ac3_tabu_1000_cell"]
    times = sorted(rows["published_mean_time_s"].dropna())
    assert [x for x, _ in open_markers(printed)] == pytest.approx(times)
    assert sorted(ours.lines[-1].get_xdata()) == pytest.approx(sorted(rows["mean_time_s"]))
    assert "rank correlation" in fig.get_suptitle()


# --- mutants -------------------------------------------------------------------------------------


def test_each_mutant_stands_beside_its_real_system_where_there_are_five_claims():
    assert MARGIN in mutation.MARGINS
    table = of_mutants()
    table.loc[table["system"] == table["system"].iloc[-1], "n_claims"] += 5
    fig = figures.make("mutants", table)
    above, below = fig.axes
    rows = table[table["margin"] == MARGIN]
    tested = rows[rows["n_claims"] >= 5]
    marks = [line for line in below.lines if line.get_marker() in ("o", "X")]
    for marker, name in {"o": "n_real", "X": "n_reproduced"}.items():
        shares = [line.get_xdata() for line in marks if line.get_marker() == marker]
        expected = sorted(100 * tested[name] / tested["n_claims"])
        assert sorted(np.concatenate(shares)) == pytest.approx(expected)
    labels = [label.get_text() for label in below.get_yticklabels()]
    assert len(labels) == len(tested) + tested["system"].nunique() and len(labels) > 1
    left_out = len(rows) - len(tested)
    assert (f"left out: {left_out} with" in below.get_title("left")) == (left_out > 0)
    (real, wrong, _) = above.lines
    sums = rows[["n_claims", "n_reproduced", "n_real"]].sum()
    for line, name in ((real, "n_real"), (wrong, "n_reproduced")):
        share = 100 * sums[name] / sums["n_claims"]
        assert line.get_ydata()[mutation.MARGINS.index(MARGIN)] == pytest.approx(share)
        assert f"{share:.0f} %" in fig.get_suptitle()


# --- beyond the papers ---------------------------------------------------------------------------


def title_of(name, table):
    return figures.make(name, table).get_suptitle()


def test_the_gain_of_work_is_said_of_the_curves_that_have_twice_the_work():
    table = published_table("beyond_work").query("order == 5 and experiment == 'lloyd_amos'")
    steps = [(0.5, 0.2), (1.0, 0.3), (2.0, 0.42)]
    curves = {"acs": steps, "dlx": [*steps[:2], (2.0, 0.36)], "ils": steps[:2]}
    rows = table[table["fixed_fraction"] == 0.45].drop_duplicates("variant").set_index("variant")
    frames = [
        rows.loc[[name]].assign(work=work, success_rate=rate)
        for name, curve in curves.items()
        for work, rate in curve
    ]
    table = pd.concat(frames).reset_index()
    start = "Twice the paper's work adds 12 points to ACS and 6 points to DLX"
    assert title_of("beyond_work", table) == f"{start}; runs of ILS ended before"
    assert title_of("beyond_work", table[table["variant"] != "ils"]) == start
    ended = table[table["work"] <= 1]
    assert title_of("beyond_work", ended) == "No runs have twice the paper's work"


@pytest.mark.parametrize(
    ("acs", "tabu_col", "end"),
    [
        (
            [2, 3, None, None],
            [1, 2, 3, 4],
            "TabuCol is the first to solve half, in 2 s; ACS takes 3 s",
        ),
        (
            [2, None, None, None],
            [1, 2, 3, 4],
            "TabuCol is the first to solve half, in 2 s; ACS does not",
        ),
        ([1, 1, 1, 1], [1, 2, 3, 4], "ACS is the first to solve half, in 1 s"),
        ([1, None, None, None], [3, None, None, None], "no solver solves half of the instances"),
    ],
)
def test_the_first_to_solve_half_stands_beside_the_first_variant(acs, tabu_col, end):
    times = {"acs": acs, "tabu_col": tabu_col}
    rows = [
        point(0.45, n, variant=name, cpu_s=seconds or 9.0, status=SOLVED if seconds else TIMEOUT)
        for name, all_seconds in times.items()
        for n, seconds in enumerate(all_seconds)
    ]
    failure = point(0.45, 0, variant="bs", status=TIMEOUT)
    table = tables.make("beyond_run_times", runs_of(*rows, failure))
    labels = table["variant"].map({"acs": "ACS", "tabu_col": "TabuCol", "bs": "BS"})
    title = title_of("beyond_run_times", table.assign(label=labels))
    assert title.endswith(f"fixed, {end}")


def test_stagnation_has_all_runs_of_a_point_as_its_pages_have():
    table, of_fig9 = published_table("beyond_stagnation"), published_table("lloyd_amos_fig9")
    ends = table.query("order == 5").groupby("variant")["success_rate"].max()
    rates = of_fig9.query("order == 5 and fixed_fraction == 0.45").set_index("variant")
    for name in ("acs", "acs_no_bve"):
        assert ends[name] == rates.loc[name, "success_rate"]
    fig = published_figure("beyond_stagnation")
    assert f"ACS {panels.percent(ends['acs'])}" in texts(fig)
    rows = table.query("order == 5 and variant == 'acs'")
    early = rows.loc[rows["iteration"] <= 2000, "success_rate"].max()
    gain = f"{100 * (ends['acs'] - early):.0f}"
    start = f"After iteration 2,000 of 10,700, ACS adds {gain} points, ACS without BVE"
    assert fig.get_suptitle().startswith(start)
    assert fig.axes[0].get_xlim()[0] == table.query("order == 5")["iteration"].min()


def test_a_difference_is_right_of_zero_where_more_of_the_main_instances_are_solved():
    runs = all_runs().query("variant == 'dlx' and order == 5 and fixed_fraction == 0.45")
    for failing, is_right in {"generators_root": True, "lloyd_amos": False}.items():
        status = np.where(runs["experiment"] == failing, TIMEOUT, SOLVED)
        fig = draw("beyond_generators", runs.assign(status=status, steps=1))
        (ax,) = fig.axes
        bars = (bar for bar in containers(ax, ErrorbarContainer) if "root" in bar.get_label())
        ((effect, _),) = (xy for bar in bars for xy in bar.lines[0].get_xydata() if xy[1] < 0.5)
        assert (effect > 0) == is_right
        assert "DLX is alike in 0 of 2 comparisons" in fig.get_suptitle() or not is_right


# --- the frontier --------------------------------------------------------------------------------


def test_a_solver_leads_where_it_alone_solves_half():
    table = published_table("frontier_phase_transition")
    name = "frontier_phase_transition"
    equal = table[table["variant"] != "tabu_col_long"]
    points = equal[equal["success_rate"] >= 0.5].groupby(["order", "fixed_fraction"])["variant"]
    n_alone = sum([*names] == ["tabu_col"] for _, names in points)
    text = f"At {n_alone} of 40 points TabuCol alone solves half of the grids or more"
    assert title_of(name, table) == f"{text}; at none does another solver alone"
    alike = table.assign(success_rate=1.0)
    assert title_of(name, alike).startswith("At none of 40 points one solver alone")
    is_cdcl = (table["variant"] == "cdcl") & (table["fixed_fraction"] == 0.3) & (table["order"] > 7)
    beaten = table.assign(success_rate=table["success_rate"].mask(is_cdcl, 0.5))
    assert f"At {n_alone - 2} of 40 points TabuCol alone" in title_of(name, beaten)


def test_longer_runs_stand_in_place_of_the_runs_within_the_equal_limit():
    table = published_table("frontier_run_times")
    fig = published_figure("frontier_run_times")
    text = "TabuCol solves 14 of 20 in 3 s (20 in 15 s), the others none"
    assert fig.get_suptitle().endswith(text)
    (ax,) = fig.axes
    assert ax.get_title("left").startswith("None solved within 3 s: ACS with restarts, CDCL")
    assert "14 of 20 " in [text.get_text() for text in ax.texts]
    solved = table.assign(solved=table["solved"] | (table["variant"] == "sa"))
    assert title_of("frontier_run_times", solved).endswith("the others at most 20")


# --- studies -------------------------------------------------------------------------------------


def of_study(name):
    """The published table of a study."""
    return tables.read(name, RESULTS / name / "tables" / f"{name}.csv")


def test_a_tail_counts_as_heavy_if_its_interval_lies_below_one():
    table = of_study("tails")
    text = "on 20 of 20 instances with ACS; on 19 of 20 instances with ACS, complete propagation; "
    assert f"{text}on none with TabuCol and ACS with restarts" in title_of("tails", table)
    wide = table.assign(shape_high=table["shape_high"].clip(lower=1.01))
    assert "falls with time on none with ACS, ACS, complete" in title_of("tails", wide)


def test_no_parameter_matters_most_while_intervals_overlap():
    table = of_study("sensitivity")
    title = title_of("sensitivity", table)
    worst = "Settings with few ants and little local evaporation solve least; "
    assert title.startswith(worst + "which parameter")
    alone = tables.make("sensitivity", studies_by_hand.of_sensitivity((0, 3.0, 0, 0, 0)))
    assert title_of("sensitivity", alone).endswith("of ACS, selection threshold q0 matters most")
    is_journal = table["greedy_rule"] == "journal"
    turned = table["success_rate"].mask(is_journal, 1 - table["success_rate"])
    assert title_of("sensitivity", table.assign(success_rate=turned)).startswith("Which")


def test_the_greediest_settings_of_a_rule_are_not_called_the_least_greedy():
    """The preprint's ants are greedy if q > q0, the journal's if q < q0."""
    for label in (sensitivity.LABELS["q0"], *sensitivity.HALVES["q0"]):
        assert "greed" not in label


def test_rings_mark_the_settings_with_the_least_work_on_top_of_others():
    file = RESULTS / "sensitivity/tables/sensitivity_rank.csv"
    rank = tables.read("sensitivity_rank", file).set_index(["setting", "greedy_rule"])
    fig = figures.make("sensitivity", of_study("sensitivity"))
    for ax, rule in zip(fig.axes[1:], ("preprint", "journal")):
        (ring,) = (line for line in ax.lines if line.get_marker() == "o")
        best = rank.loc[("best", rule)]
        assert ring.get_xydata().tolist() == [[best["m"], best["xi"]]]
        assert ax.collections[0].get_array()[-1] == pytest.approx(100 * best["solved"] / best["n"])


def test_the_hardest_fractions_are_said_to_lie_below_if_they_do():
    table = of_study("scaling")
    text = (
        "TabuCol finds grids hardest below the fraction at which propagation fixes 90 %, not where"
    )
    assert title_of("scaling", table).startswith(text)
    next_to = table.assign(hardest_high=table["hardest_high"] + 0.05)
    assert title_of("scaling", next_to).startswith(text)
    above = table.assign(hardest_high=table["hardest_high"] + 0.1)
    assert title_of("scaling", above) == figures.every()["scaling"].title


def test_the_hardest_fractions_of_solvers_differ_in_marker_and_in_grey():
    fig = figures.make("scaling", of_study("scaling"))
    lines = [line for line in fig.axes[0].lines if line.get_marker() not in ("None", "|", "_")]
    assert len({line.get_marker() for line in lines}) == len(lines) == 7
    hardest = [line for line in lines if line.get_label().startswith("hardest")]
    grey = sorted(to_rgb(line.get_color()) @ np.array([0.299, 0.587, 0.114]) for line in hardest)
    assert len(hardest) == 3 and min(np.diff(grey)) > 0.1


def test_a_range_of_hardest_fractions_has_its_ends_and_no_other_mark():
    points = of_study("scaling").dropna(subset="label")
    ax = figures.make("scaling", of_study("scaling")).axes[0]
    for label, rows in points.groupby("label"):
        (line,) = (line for line in ax.lines if line.get_label() == f"hardest for {label}")
        ends = 100 * rows[["hardest_low", "hardest_high"]].to_numpy()
        assert sorted(line.get_ydata()) == pytest.approx(sorted(ends.ravel()))
    bars = [tuple(bar[:, 1]) for group in ax.collections for bar in group.get_segments()]
    assert (40, 50) in [tuple(np.round(bar, 9)) for bar in bars]


def test_restarts_in_place_of_evaporation_have_the_work_of_the_table():
    table = of_study("bve")
    at = table[(table["variant"] == "acs_no_bve") & (table["fixed_fraction"] == 0.45)]
    best = at[at["is_best"]].iloc[0]
    assert f"restarts after {best['cutoff']} " in title_of("bve", table)
    assert f"needs {best['work']:,.0f} a solution" in title_of("bve", table)
    assert title_of("bve", table.assign(is_best=False)) == figures.every()["bve"].title


# --- titles --------------------------------------------------------------------------------------


def test_a_rank_correlation_has_an_interval_that_holds_it():
    times = pd.Series([1.0, 2, 3, 4, 5, 6, 7, 8])
    ours = pd.Series([1.0, 2, 3, 4, 5, 6, 8, 7])
    text = as_printed.by_rank(times, 10 * ours, "ACS")
    # z = artanh(0.976), with the standard error sqrt((1 + 0.976^2 / 2) / 5).
    assert text.endswith("(rank correlation 0.98, 95 % interval 0.82 to 1.00, 8 puzzles)")
    for few in (times[:3], times * np.nan, times * 0 + 1):
        assert "have a printed mean time of ACS" in as_printed.by_rank(few, ours, "ACS")


NOT_SHOWN = "It is not shown that ACS takes long on the same puzzles as in print"


@pytest.mark.parametrize(
    ("ours", "text"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], "ACS takes long on the same puzzles as in print"),
        ([2, 1, 3, 6, 5, 4, 8, 7], "ACS tends to take long on the same puzzles as in print"),
        ([4, 1, 7, 2, 8, 3, 6, 5], NOT_SHOWN),
        ([8, 7, 6, 5, 4, 3, 2, 1], NOT_SHOWN),
    ],
)
def test_a_title_says_of_the_order_of_puzzles_what_its_interval_allows(ours, text):
    times = pd.Series(range(1, 9))
    assert as_printed.by_rank(times, pd.Series(ours), "ACS").startswith(f"{text} (rank")


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (1, "100 %"),
        (0.996, "99.6 %"),
        (0.0, "0 %"),
        (0.004, "0.4 %"),
        (0.887, "89 %"),
        (0.045, "5 %"),
        (0.285, "29 %"),
    ],
)
def test_only_all_is_100_percent_and_only_none_is_0(rate, text):
    assert panels.percent(rate) == text


@pytest.mark.parametrize(
    "name", [name for name, entry in figures.every().items() if not entry.puzzle]
)
def test_titles_of_five_runs_a_point_claim_no_agreement_with_print(name):
    runs = all_runs()
    runs = runs[runs["repetition"] < 1]
    first = runs.drop_duplicates(["experiment", "family", "instance_id"])
    first = first.groupby(["experiment", "family"]).head(5)[["experiment", "family", "instance_id"]]
    title = draw(name, runs.merge(first)).get_suptitle()
    assert "are met" not in title and "are printed" not in title and title

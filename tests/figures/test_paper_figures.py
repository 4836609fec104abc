"""Figures of the papers: what is drawn is what the tables say."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.container import BarContainer, ErrorbarContainer
from published_runs import all_runs, few_runs, published_table
from runs_by_hand import NAN, of_mutants
from test_figures import draw, legend_of, parts, texts

from antdoku import figures, tables
from antdoku.claims import ledger, mutation
from antdoku.figures import as_printed, panels
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.statistics import MARGIN

RULES = ("main reading", "with our rule")


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


@pytest.mark.parametrize(("limit_steps", "ends"), [(-1, (0.5, 0.5)), (10, (0.55, 0.65))])
def test_fig4_box_counts_failures_at_the_limit(limit_steps, ends):
    """In seconds; a failure at the end of the steps counts with the time they took."""
    runs = few_runs()
    acs = (runs["variant"] == "acs") & (runs["instance_id"] == "reddwarf")
    late = {"status": TIMEOUT, "cpu_s": [0.6, 0.7, 0.5], "limit_s": 0.5, "steps": 10}
    fig = draw("lloyd_amos_fig4", runs[acs].assign(**late, limit_steps=limit_steps))
    (ax,) = fig.axes
    (box,) = (patch for patch in ax.patches if isinstance(patch, mpl.patches.PathPatch))
    heights = box.get_path().vertices[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx(ends)
    assert digits(ax.texts) == [3]
    assert ("our time limit" in legend_of(fig)) == (limit_steps < 0)


def test_fig7_shows_times_rates_intervals_and_published_numbers():
    fig, table = draw("lloyd_amos_fig7"), published_table("lloyd_amos_fig7")
    above, below = fig.axes
    errorbars = containers(above, ErrorbarContainer)
    means = [line for line in below.lines if line.get_linestyle() == "--"]
    for rows, errorbar, times in zip(variant_rows(table), errorbars, means, strict=True):
        assert errorbar.lines[0].get_ydata() == pytest.approx(100 * rows["success_rate"])
        assert times.get_ydata() == pytest.approx(rows["mean_time_solved_s"], nan_ok=True)
        ends = errorbar.lines[2][0].get_segments()[9]
        assert ends[:, 1] == pytest.approx(100 * rows[["wilson_low", "wilson_high"]].iloc[9])
    editions = ["paper, arXiv 2018", "paper, journal 2019"]
    band = "success with 1/f to f times the work, f = 1.3 – 2"
    assert legend_of(fig) == ["ACS", "ILS", "DLX", "BS", band, *editions]
    assert titles(fig)[0].endswith("100 runs per point, at the papers' work")
    (inset,) = above.child_axes
    assert [label.get_text() for label in inset.get_xticklabels()] == ["35", "40", "45", "50"]


@pytest.mark.parametrize("fractions", [(0.4, 0.45, 0.5), (0.0, 0.3, 0.45, 0.6, 0.9)])
def test_an_inset_hides_no_points(fractions):
    table = published_table("lloyd_amos_fig7")
    few = table[table["fixed_fraction"].isin(fractions)]
    assert not any(ax.child_axes for ax in figures.make("lloyd_amos_fig7", few).axes)


def test_the_title_of_fig7_is_what_the_table_says_of_the_hardest_point():
    table = published_table("lloyd_amos_fig7")
    at_45 = table[table["fixed_fraction"] == 0.45].set_index("variant")
    at_45.loc[["acs", "ils", "dlx", "bs"], "success_rate"] = 0.89, 0.01, 0.49, 0.14
    table = pd.concat([table[table["fixed_fraction"] > 0.5], at_45.reset_index()])
    shares = "with 45 % fixed, ACS solves 89 %, DLX 49 %, BS 14 %, ILS 1 %"
    title = f"Random 25 × 25 instances: {shares}"
    assert figures.make("lloyd_amos_fig7", table).get_suptitle() == title
    fig = figures.make("lloyd_amos_fig7", table.assign(solved=table["n"], success_rate=1.0))
    assert fig.get_suptitle() == "Random 25 × 25 instances: all runs solved"
    assert len(fig.axes) == 1


def test_fig7_in_the_form_of_the_paper_shows_the_printed_numbers_above_ours():
    fig, table = draw("lloyd_amos_fig7_form"), published_table("lloyd_amos_fig7")
    above, below, printed, ours = fig.axes
    for rows, bars in zip(variant_rows(table), containers(below, BarContainer), strict=True):
        heights = [bar.get_height() for bar in bars]
        assert heights == pytest.approx(rows["mean_time_solved_s"], nan_ok=True)
        for ax, name in ((ours, "success_rate"), (printed, "journal_success_rate")):
            (rate,) = (line for line in ax.lines if line.get_label() == rows["label"].iloc[0])
            assert rate.get_ydata() == pytest.approx(100 * rows[name].dropna())
    assert above.get_ylim() == below.get_ylim()


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        # Seconds, steps, the paper's work, and runs that seconds ended first.
        ([(120.0, -1, NAN, 0)], "limit 120 s"),
        ([(NAN, 500, NAN, 0)], "limit 500 steps"),
        ([(5.0, -1, NAN, 0), (NAN, 500, NAN, 0)], "limit 500 steps or 5 s"),
        ([(NAN, -1, NAN, 0)], "no time limit"),
        ([(120.0, 900, 900, 0), (120.0, 500, 500, 0)], "at the papers' work"),
        (
            [(120.0, 900, 9000, 0), (120.0, 900, 60_000, 0), (120.0, -1, NAN, 0)],
            "at 0.015 – 0.1 of the papers' work, limit 120 s",
        ),
        (
            [(120.0, 900, 900, 2)],
            "at the papers' work,\n2 runs ended before, by their limit in seconds",
        ),
    ],
)
def test_the_limit_of_runs_is_said(limits, text):
    columns = ["limit_s", "limit_steps", "work_steps", "n_unfinished"]
    assert panels.limit(pd.DataFrame(limits, columns=columns)) == text


def test_limits_are_said_in_titles_and_legends():
    fig = draw("lloyd_amos_fig7", few_runs().assign(limit_steps=-1))
    assert titles(fig)[0].endswith("limit 120 s")
    assert {"our time limit", "no run solved"} <= {*legend_of(fig)}


# --- Soto et al. ---------------------------------------------------------------------------------


def test_each_system_of_soto_is_drawn_in_the_main_reading_and_with_our_rule():
    fig, table = draw("soto_2013_fig4"), published_table("soto_2013_fig4")
    starts = ("(a) 1000 iter", "(b) 100,000 iter", "(c) unlimited in the paper; ours: at most 1")
    assert all(map(str.startswith, titles(fig), starts))
    for ax, limit in zip(fig.axes, (1000, 100_000, 0), strict=True):
        rows = table[
            (table["iterations"] == limit) & table["reading"].isin(["main", "rule of ours"])
        ]
        times = np.concatenate(
            [line.get_ydata() for line in ax.lines if line.get_label()[0] != "_"]
        )
        times = times[~np.isnan(times)]  # no run solved
        assert sorted(times) == pytest.approx(sorted(rows["mean_time_s"].dropna()))
    systems = [f"{name}, {rules}" for name in ("AC3-tabu", "GA") for rules in RULES]
    assert legend_of(fig)[:4] == systems


def test_a_form_says_why_no_numbers_are_printed():
    assert as_printed.NO_NUMBERS in texts(draw("lloyd_amos_fig6_form"))
    table = published_table("soto_2013_fig4")
    fig = figures.make("soto_2013_fig4_form", table[table["variant"] != "ac3_tabu_1000_cell"])
    above, below = fig.axes
    assert len(above.texts) == 1 and np.isnan([bar.get_height() for bar in above.patches]).all()
    assert np.isfinite([bar.get_height() for bar in below.patches]).any()
    assert not draw("soto_2013_fig4_form").axes[0].texts


# --- mutants -------------------------------------------------------------------------------------


def test_bars_are_shares_of_claims_that_a_mutant_reproduces_and_dots_those_of_the_real_system():
    assert MARGIN in mutation.MARGINS
    table = of_mutants()
    fig = figures.make("mutants", table)
    above, below = fig.axes
    rows = table[table["margin"] == MARGIN]
    bars = sorted(bar.get_width() for bar in below.patches)
    assert bars == pytest.approx(sorted(100 * rows["n_reproduced"] / rows["n_claims"]))
    dots = np.concatenate([line.get_xdata() for line in below.lines])
    assert sorted(dots) == pytest.approx(sorted(100 * rows["n_real"] / rows["n_claims"]))
    labels = [label.get_text() for label in below.get_yticklabels()]
    assert {*rows["mistake"]} < {*labels}
    assert len(labels) == len(rows) + rows["system"].nunique()
    (real, wrong, _) = above.lines
    sums = rows[["n_claims", "n_reproduced", "n_real"]].sum()
    for line, name in ((real, "n_real"), (wrong, "n_reproduced")):
        share = 100 * sums[name] / sums["n_claims"]
        assert line.get_ydata()[mutation.MARGINS.index(MARGIN)] == pytest.approx(share)
        assert f"{share:.0f} %" in fig.get_suptitle()


# --- beyond the papers ---------------------------------------------------------------------------


def test_the_phase_transition_says_what_is_solved_where_all_solve_least():
    title = draw("beyond_phase_transition", few_runs()).get_suptitle()
    point, solved = title.split(" fixed: ")
    assert point == "Solved at 25 × 25, 45 %"
    table = tables.make("beyond_phase_transition", few_runs())
    rates = table.query("order == 5 and fixed_fraction == 0.45").set_index("label")["success_rate"]
    assert solved.split(", ")[-1] == f"ACS {100 * rates['ACS']:.3g} %" and rates["ACS"] < 1


def test_a_difference_is_right_of_zero_where_more_of_the_main_instances_are_solved():
    runs = all_runs().query("variant == 'dlx' and order == 5 and fixed_fraction == 0.45")
    for failing, is_right in {"generators_root": True, "lloyd_amos": False}.items():
        status = np.where(runs["experiment"] == failing, TIMEOUT, SOLVED)
        fig = draw("beyond_generators", runs.assign(status=status, steps=1))
        (ax,) = fig.axes
        bars = (bar for bar in containers(ax, ErrorbarContainer) if "root" in bar.get_label())
        ((effect, _),) = (xy for bar in bars for xy in bar.lines[0].get_xydata() if xy[1] < 0.5)
        assert (effect > 0) == is_right
        assert "Success is alike in 0 of 2 comparisons" in fig.get_suptitle() or not is_right


# --- in the form of the papers -------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in figures.every() if name.endswith("_form")])
def test_the_caption_of_a_form_names_places_of_claims(name):
    places = {claim.place for claim in ledger.load()}
    *texts, named = figures.every()[name].caption.split("Claims: ")
    assert not texts or {*named.split("``")[1::2]} <= places


def test_the_title_of_a_form_counts_the_printed_rates_that_are_met():
    table = published_table("lloyd_amos_fig7").copy()
    met = table.assign(success_rate=table["journal_success_rate"] + 0.05, arxiv_success_rate=np.nan)
    n = met["journal_success_rate"].notna().sum()
    assert f"{n} of {n} printed" in figures.make("lloyd_amos_fig7_form", met).get_suptitle()
    last = met.index[met["journal_success_rate"].notna()][-1]
    met.loc[last, "success_rate"] += 0.02
    fig = figures.make("lloyd_amos_fig7_form", met)
    assert f"{n - 1} of {n} printed" in fig.get_suptitle()
    assert f"farthest: {met.loc[last, 'label']} at 50 %" in titles(fig)[1]

"""Figures: content, consistent looks, and files that come out the same each time."""

import tempfile
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer, ErrorbarContainer
from PIL import Image
from synthetic import default_runs, quick_runs, synthetic_runs, traces

from antdoku import figures, papers, published, tables
from antdoku.errors import InputError
from antdoku.figures import style
from antdoku.instances import example
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.tables import curves

PUZZLE_FIGURES = [name for name, figure in figures.every().items() if figure.of_puzzle]
DATA_FIGURES = [name for name, figure in figures.every().items() if not figure.of_puzzle]
VARIANTS = {name: style.variant(name) for name, look in papers.variants().items() if look.color}


@cache
def parts(name):
    """What a figure of a puzzle is drawn from."""
    with tempfile.TemporaryDirectory() as folder:
        example.write(Path(folder, "example.json"))
        return example.read(figures.every()[name].of_puzzle, Path(folder, "example.json"))


def draw(name, runs):
    """A figure of these runs, or of those that `SIZES` has under this name."""
    if name in PUZZLE_FIGURES:
        return figures.make(name, *parts(name))
    table = made(name, runs) if isinstance(runs, str) else table_of(name, runs)
    return figures.make(name, table)


@cache
def made(name, size):
    return table_of(name, SIZES[size]())


def table_of(name, runs):
    """The table of a figure: from the runs, or from as many variants of the traces."""
    if tables.every()[name].traces:
        runs = traces()[traces()["variant"].isin(runs["variant"])]
    return tables.make(name, runs)


def texts(fig):
    """All text of a figure."""
    return [text.get_text() for text in fig.findobj(mpl.text.Text) if text.get_text()]


def legend_of(fig):
    (legend,) = fig.legends
    return [text.get_text() for text in legend.get_texts()]


def containers(ax, kind):
    return [found for found in ax.containers if isinstance(found, kind)]


def means(ax):
    """The lines of mean times in a panel."""
    return [line for line in ax.lines if line.get_linestyle() == "--"]


# --- all figures ---------------------------------------------------------------------------------


# Every figure, with runs as in the default and in the quick configuration.
CASES = [
    *product(PUZZLE_FIGURES, ["full"]),
    *product([f"lloyd_amos_fig{number}" for number in (4, 7, 8, 9)], ["full"]),
    *product(["lewis_fig2", "lewis_fig3"], ["full", "one order"]),
    *product(["soto_2013_table2", "soto_2013_fig4"], ["full"]),
    *product(
        [name for name in figures.every() if name.startswith(("beyond", "frontier"))], ["full"]
    ),
    *product(["beyond_run_times", "beyond_generators"], ["one order"]),
    *product(DATA_FIGURES, ["quick"]),
]
SIZES = {
    "full": default_runs,
    "quick": quick_runs,
    "one order": lambda: default_runs().query("order == 5 or experiment == 'soto'"),
}


def rendered(fig):
    """The renderer that has laid out a figure, and drawn all of it but pixels."""
    canvas = FigureCanvasAgg(fig)
    with mpl.rc_context(style.RC):
        fig.draw_without_rendering()
    return canvas.get_renderer()


@pytest.mark.parametrize("name", DATA_FIGURES)
def test_runs_without_a_time_limit_of_which_none_is_solved_can_be_drawn(name):
    runs = quick_runs().assign(limit_s=np.nan, limit_steps=20, status=TIMEOUT)
    rendered(draw(name, runs))


@pytest.mark.parametrize(("name", "size"), CASES)
def test_nothing_sticks_out_and_the_legend_covers_nothing(name, size):
    fig = draw(name, size)
    renderer = rendered(fig)
    tight, (width, height) = fig.get_tightbbox(renderer), fig.get_size_inches()
    assert min(tight.x0, tight.y0) >= -0.02
    assert tight.x1 <= width + 0.02
    assert tight.y1 <= height + 0.02
    axes = [ax.get_tightbbox(renderer) for ax in fig.axes]
    for legend in fig.legends:
        box = legend.get_window_extent(renderer)
        assert not any(map(box.overlaps, axes))
    for ax in fig.axes:
        boxes = [label.get_window_extent(renderer) for label in ax.get_xticklabels()]
        if name != "lloyd_amos_fig4":  # its slanted labels have overlapping boxes
            assert not any(a.overlaps(b) for a, b in pairwise(boxes))


def test_files_are_the_same_each_time(tmp_path):
    name = "lloyd_amos_fig8"
    files = style.save(draw(name, "quick"), tmp_path / "new" / "folder" / name)
    assert [path.name for path in files] == [f"{name}.{form}" for form in ("png", "pdf", "svg")]
    assert all(path.stat().st_size > 5000 for path in files)
    again = style.save(draw(name, "quick"), tmp_path / "again")
    for first, second in zip(files, again, strict=True):
        assert first.read_bytes() == second.read_bytes()


def test_files_say_what_made_them(tmp_path):
    made_by = "antdoku 1.0, commit abc, rule figures_lewis, configuration quick"
    png, pdf, svg = style.save(style.no_runs("title"), tmp_path / "figure", made_by)
    with Image.open(png) as picture:
        assert picture.text == {"Description": made_by}
    assert f"/Subject ({made_by})".encode() in pdf.read_bytes()
    assert f"<dc:description>{made_by}</dc:description>" in svg.read_text()


def test_settings_of_matplotlib_stay_as_they_were():
    before = dict(mpl.rcParams)
    draw("lloyd_amos_fig7", "quick")
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("name", DATA_FIGURES)
def test_a_table_without_rows_says_no_runs(name):
    nothing = default_runs().iloc[:0]
    fig = draw(name, nothing)
    assert "no runs" in texts(fig)
    rendered(fig)


@pytest.mark.parametrize("name", DATA_FIGURES)
def test_the_csv_gives_the_same_figure(tmp_path, name):
    table = made(name, "quick")
    tables.write(table, tmp_path / "table.csv")
    read = tables.read(name, tmp_path / "table.csv")
    assert texts(figures.make(name, read)) == texts(figures.make(name, table))


@pytest.mark.parametrize("name", DATA_FIGURES)
@pytest.mark.parametrize("kept", [{"bs", "sa", "ga"}, {"acs", "dlx", "cp_sa", "ac3_tabu_100000"}])
def test_missing_variants_are_left_out(name, kept):
    runs = quick_runs()
    fig = draw(name, runs[runs["variant"].isin(kept)])
    drawn = {variant.removesuffix("_100000") for variant in kept}
    absent = {look.label for name, look in VARIANTS.items() if name not in drawn}
    if fig.legends:
        assert not absent & {label.split(",")[0] for label in legend_of(fig)}


def test_unknown_figures_are_refused():
    with pytest.raises(InputError, match="'nonsense': unknown: allowed are lloyd_amos_fig1, "):
        figures.make("nonsense")


# --- one look per variant ------------------------------------------------------------------------


def test_a_variant_has_one_colour_over_all_figures():
    comparison = draw("lloyd_amos_fig7", "full").axes[1]
    evaporation = draw("lloyd_amos_fig9", "full").axes[-1]
    colors = [[line.get_color() for line in means(ax)] for ax in (comparison, evaporation)]
    assert colors[0] == [style.variant(name).color for name in ("acs", "ils", "dlx", "bs")]
    assert colors[1] == [style.variant(name).color for name in ("acs", "acs_no_bve")]


def test_known_looks_differ():
    for looks in (VARIANTS, style.ORDERS):
        for attribute in ("label", "color"):
            values = [getattr(look, attribute) for look in looks.values()]
            assert len(set(values)) == len(values)


@pytest.mark.parametrize("experiment", ["lloyd_amos", "lewis", "soto", "frontier"])
def test_markers_of_an_experiment_differ(experiment):
    variants = default_runs().query("experiment == @experiment")["variant"].unique()
    shapes = [VARIANTS[name].marker for name in variants if name in VARIANTS]
    assert len(set(shapes)) == len(shapes)


@given(st.text("abcxyz_0", min_size=1))
def test_an_unknown_variant_has_a_stable_look_of_its_own(name):
    look = style.variant(name)
    assert look == style.variant(name)
    if name not in VARIANTS:
        known = VARIANTS.values()
        assert look.color not in [other.color for other in known]
        assert look.marker not in [other.marker for other in known]


def test_an_unknown_variant_is_called_by_the_title_of_its_solver():
    is_bs = quick_runs()["variant"] == "bs"
    newcomer = {"variant": "climber", "solver": "climber", "label": "Hill climbing"}
    runs = pd.concat([quick_runs(), quick_runs()[is_bs].assign(**newcomer)])
    for name in ("beyond_phase_transition", "beyond_run_times", "beyond_cactus"):
        assert "Hill climbing" in [label.split(",")[0] for label in texts(draw(name, runs))]
    assert style.variant("climber").label == "climber"  # elsewhere nothing is known about it


# --- single figures ------------------------------------------------------------------------------


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


def test_fig3_writes_all_value_sets():
    givens, before, after = parts("lloyd_amos_fig3")
    left, right = figures.make("lloyd_amos_fig3", givens, before, after).axes
    assert len(left.texts) == before.sum()
    assert len(right.texts) == after.sum()
    assert f"{before.sum() / 81:.2f} values" in left.get_title("left")


def test_fig4_draws_boxes_means_and_failures():
    fig = draw("lloyd_amos_fig4", "full")
    (ax,) = fig.axes
    assert len(ax.get_xticks()) == 16
    assert [label.get_text() for label in ax.get_xticklabels()] == [
        *papers.get("lloyd_amos").puzzles
    ]
    boxes = [patch for patch in ax.patches if isinstance(patch, mpl.patches.PathPatch)]
    assert len(boxes) == 2 * 16
    table = made("lloyd_amos_fig4", "full")
    failed = table[table["status"] != SOLVED].groupby(["variant", "puzzle"]).size()
    assert sorted(int(text.get_text()) for text in ax.texts) == sorted(failed)
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
    (box,) = [patch for patch in ax.patches if isinstance(patch, mpl.patches.PathPatch)]
    heights = box.get_path().vertices[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx(ends)
    assert [text.get_text() for text in ax.texts] == ["3"]
    assert ("our time limit" in legend_of(fig)) == (limit_steps < 0)


def test_fig7_shows_times_rates_intervals_and_published_numbers():
    fig = draw("lloyd_amos_fig7", "full")
    above, below = fig.axes
    table = made("lloyd_amos_fig7", "full")
    errorbars = containers(above, ErrorbarContainer)
    each = zip(("acs", "ils", "dlx", "bs"), errorbars, means(below), strict=True)
    for name, errorbar, times in each:
        rows = table[table["variant"] == name]
        assert errorbar.lines[0].get_ydata() == pytest.approx(100 * rows["success_rate"])
        assert errorbar.lines[0].get_linestyle() == "--"
        assert times.get_ydata() == pytest.approx(rows["mean_time_solved_s"], nan_ok=True)
        ends = errorbar.lines[2][0].get_segments()[9]
        assert ends[:, 1] == pytest.approx(100 * rows[["wilson_low", "wilson_high"]].iloc[9])
    assert legend_of(fig) == [
        *("ACS", "ILS", "DLX", "BS"),
        *("paper, arXiv 2018", "paper, journal 2019"),
    ]
    assert "100 runs per point, at the papers' work" in fig.get_suptitle()


@cache
def gone_on(reach):
    """Runs that went on to so many times the papers' work."""
    return synthetic_runs((35, 45, 55), 50, 1, (), 1, reach)


def test_fig7_shows_success_at_less_and_more_work_as_a_band():
    fig = draw("lloyd_amos_fig7", gone_on(2))
    above, _below = fig.axes
    table = table_of("lloyd_amos_fig7", gone_on(2))
    bands = containers(above, BarContainer)
    for name, bars in zip(("acs", "ils", "dlx", "bs"), bands, strict=True):
        rows = table[table["variant"] == name]
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
    assert draw("beyond_phase_transition", runs).axes[0].get_title("left").endswith("500 steps")
    other = runs.assign(variant="zeta", limit_steps=-1, limit_s=5.0)
    both = draw("beyond_phase_transition", pd.concat([runs, other]))
    assert both.axes[0].get_title("left") == "9 × 9, limit 500 steps or 5 s"


def test_a_point_where_nothing_was_solved_is_marked():
    runs = quick_runs()
    runs = runs[(runs["order"] == 3) & (runs["variant"] == "bs")]
    solved = draw("lloyd_amos_fig5", runs)
    assert "no run solved" not in legend_of(solved)
    fig = draw("lloyd_amos_fig5", runs.assign(status=TIMEOUT))
    assert "no run solved" in legend_of(fig)
    crosses = [line for line in fig.axes[1].lines if line.get_marker() == "x"]
    assert sum(len(line.get_xdata()) for line in crosses) == 4


def test_fig8_draws_a_line_per_order():
    fig = draw("lloyd_amos_fig8", "full")
    left, right = fig.axes
    assert len(containers(left, ErrorbarContainer)) == 3
    thresholds = [line.get_xdata()[0] for line in left.lines if line.get_linestyle() == ":"]
    assert thresholds == pytest.approx([40, 50, 55])
    stars = [line.get_ydata() for line in right.lines if line.get_marker() == "*"]
    assert 3.6 in np.concatenate(stars)
    assert legend_of(fig)[:3] == ["9 × 9", "16 × 16", "25 × 25"]


def steps_of(ax):
    """The curves of a panel by colour, without the markers at their ends."""
    lines = [line for line in ax.lines if line.get_drawstyle() == "steps-post"]
    return {line.get_color(): line.get_xydata() for line in lines}


@pytest.mark.parametrize(("reach", "end"), [(1, 1), (2, 2), (16, 10)])  # 10: at the guard
def test_curves_of_work_go_on_to_where_runs_end(reach, end):
    fig = draw("beyond_work", gone_on(reach))
    ax = next(ax for ax in fig.axes if ax.get_title("left") == "25 × 25, 45 % fixed")
    rates = table_of("lloyd_amos_fig7", gone_on(reach)).query("fixed_fraction == 0.45")
    for name in ("acs", "dlx", "ils"):
        curve = steps_of(ax)[style.variant(name).color]
        x, percent = curve[curve[:, 0] >= curves.LEAST_WORK].T  # what is left of it is hidden
        # All points of an order have the limit of the one with most work.
        most = published.most_steps("lloyd_amos", name, 5)
        assert x[-1] == pytest.approx(end * most / published.work("arxiv", name, 5, 0.45).steps)
        assert (np.diff(x) >= 0).all() and (np.diff(percent) >= 0).all()
        at_one = rates.loc[rates["variant"] == name, "success_rate"].item()
        assert percent[x <= 1][-1] == pytest.approx(100 * at_one)


def test_published_rates_stand_at_the_work_of_the_papers():
    fig = draw("beyond_work", "full")
    ax = next(ax for ax in fig.axes if ax.get_title("left") == "25 × 25, 45 % fixed")
    marks = [line for line in ax.lines if line.get_marker() in "*D" and line.get_mew() < 1]
    assert {x for line in marks for x in line.get_xdata()} == {1}
    shown = {round(y) for line in marks for y in line.get_ydata() if np.isfinite(y)}
    assert shown == {92, 14, 53, 58, 85, 10, 49, 12}
    assert {"work of the paper's program", "how uncertain that is"} <= {*legend_of(fig)}


@pytest.mark.parametrize("name", ["beyond_work", "beyond_run_times"])
def test_points_at_which_all_is_solved_are_not_shown(name):
    solved = quick_runs().assign(status=SOLVED, steps=1)
    assert "no runs" in texts(draw(name, solved))


def test_stagnation_shows_bands_of_the_papers_systems_alone():
    for ax in draw("beyond_stagnation", "full").axes:
        assert len(ax.lines) == 5
        colors = [to_hex(band.get_facecolor()).upper() for band in ax.collections]
        assert colors == [style.variant(name).color for name in ("acs", "acs_no_bve")]
    restart = default_runs().query("variant == 'acs_restart'")
    assert legend_of(draw("beyond_stagnation", restart)) == ["ACS with restarts"]


def stars(fig):
    return sum(len(line.get_xdata()) for ax in fig.axes for line in ax.lines if marks(line, "*"))


def marks(line, marker):
    return line.get_marker() == marker


def test_a_star_marks_the_generator_whose_instances_are_solved_less_often():
    runs = default_runs().query("variant == 'dlx' and order == 5 and fixed_fraction == 0.45")
    for failing, expected in ({"lewis": 0, "generators_root": 1}).items():
        status = np.where(runs["experiment"] == failing, TIMEOUT, SOLVED)
        fig = draw("beyond_generators", runs.assign(status=status, steps=1))
        assert stars(fig) == expected
        assert any("differs" in label for label in legend_of(fig)) == bool(expected)


def test_generators_show_all_grids_and_the_success_at_orders_at_which_a_solver_fails():
    runs = default_runs().query("experiment != 'lewis' and fixed_fraction == 0.45")
    solved = (runs["order"] < 5) | (runs["variant"] == "bs")
    runs = runs.assign(status=runs["status"].mask(solved, SOLVED), steps=1)
    fig = draw("beyond_generators", runs)
    sizes, systems = ["9 × 9", "16 × 16", "25 × 25"], ["ACS", "ILS", "DLX", "BS"]
    titles = [ax.get_title(loc="left") for ax in fig.axes]
    assert titles == [size for size in sizes for _ in range(2)] + [f"25 × 25, {s}" for s in systems]
    assert {"0", "64"} <= {text.get_text() for ax in fig.axes for text in ax.texts}
    sources = ["the root solution, shuffled", "random grids, shuffled", "grids by ACS"]
    assert legend_of(fig)[:3] == sources

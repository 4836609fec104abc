"""Figures: content, consistent looks, and files that come out the same each time."""

import tempfile
from functools import cache
from io import BytesIO
from itertools import combinations, pairwise, product
from pathlib import Path

import matplotlib as mpl
import matplotlib.style
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from published_runs import all_runs, few_runs, published_table
from runs_by_hand import point, runs_of

from antdoku import figures, papers, tables
from antdoku.columns import printed
from antdoku.errors import InputError
from antdoku.figures import comparison, panels, style
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.puzzle.grid import root_grid
from antdoku.puzzle.symbols import symbols_of
from antdoku.reading.sources import read
from antdoku.report import gallery, looks
from antdoku.runs import example

PUZZLE_FIGURES = [name for name, figure in figures.every().items() if figure.puzzle]
DATA_FIGURES = [name for name, figure in figures.every().items() if not figure.puzzle]
# Pixels of a figure in the manual, where it is shown narrowest, and of a narrow one on a phone.
WIDTHS = {False: 736, True: 356}
PLAIN = {style.INK, style.MUTED, "#ffffff", "#bdbdbd"}  # in which no series is drawn
NEW = [f"new_{letter}" for letter in "abcdefghi"]
SYSTEMS = ["acs", "acs_no_bve", "ils", "dlx", "bs", "acs_closure", "acs_closure_no_bve"]
SYSTEMS += ["bs_closure", "acs_restart", "tabu_col", "cdcl", "cpsat"]  # of the default
VARIANTS = {name: look for name, look in papers.variants().items() if look.color}


@pytest.mark.parametrize("symbols", ["0-F", "ABCDEFGHI", "0-Z"])
def test_a_puzzle_is_drawn_in_its_symbols(symbols):
    order = symbols_of(symbols).order
    (puzzle,) = read(symbols_of(symbols).line(root_grid(order).ravel()), symbols=symbols)
    fig = figures.puzzle(puzzle)
    (ax,) = fig.axes
    assert "".join(text.get_text() for text in ax.texts) == puzzle.line
    side = 72 * fig.get_size_inches()[0] / puzzle.size  # points of a cell
    assert all(5 < text.get_fontsize() < side / 2 for text in ax.texts)


def test_a_puzzle_is_drawn_into_axes_or_in_a_size():
    fig = mpl.figure.Figure()
    ax = fig.subplots()
    assert figures.puzzle("named:platinumblond", ax, "Nine") is fig
    assert ax.get_title(loc="left") == "Nine" and len(ax.texts) == 21
    large = figures.puzzle("." * 81, size=6, title="")
    assert large.get_size_inches()[0] == 6 and large.get_suptitle() == ""
    for wrong in ({"size": 0}, {"size": 3, "ax": ax}, {"size": "big"}, {"size": True}):
        with pytest.raises(InputError, match=r"size .+: must be a number of inches, without ax"):
            figures.puzzle("." * 81, **wrong)
    with pytest.raises(InputError, match="title 3: must be a text"):
        figures.puzzle("." * 81, title=3)
    with pytest.raises(InputError, match="NoneType: allowed are a path"):
        figures.puzzle(None)
    with pytest.raises(InputError, match="9 puzzles where one is wanted"):
        figures.puzzle("named:soto")


@pytest.mark.parametrize(
    "user_style",
    [
        "dark_background",
        *(pytest.param(name, marks=pytest.mark.thorough) for name in ("ggplot", "grayscale")),
    ],
)
def test_a_figure_is_the_same_under_each_style_of_the_user(user_style, tmp_path):
    runs = few_runs()[lambda table: table["family"] == table["family"].iloc[0]]
    draws = [lambda: figures.puzzle("." * 81), lambda: comparison.plot(runs)]

    def picture(draw):
        draw().savefig(tmp_path / "drawn.png")
        fig, shown = draw(), BytesIO()
        FigureCanvasAgg(fig).print_figure(shown, facecolor=fig.get_facecolor())  # as notebooks do
        return (tmp_path / "drawn.png").read_bytes(), shown.getvalue()

    plain = [picture(draw) for draw in draws]
    with mpl.style.context(user_style):
        assert [picture(draw) for draw in draws] == plain


@pytest.mark.parametrize("ground, ink", [("black", "white"), ("white", style.INK)])
def test_a_puzzle_in_axes_of_the_user_has_its_own_ground_and_a_title_that_is_seen(ground, ink):
    fig = mpl.figure.Figure(facecolor=ground)
    for ax in (fig.add_subplot(1, 2, 1), fig.subfigures(1, 2)[1].subplots()):
        figures.puzzle("." * 81, ax, "Blank")
        (paper,) = ax.patches
        assert to_hex(paper.get_facecolor()) == "#ffffff"
        assert paper.get_bbox().contains(0, 0) and paper.get_bbox().contains(9, 9)
        (title,) = [text for text in ax.findobj(mpl.text.Text) if text.get_text() == "Blank"]
        assert title.get_color() == ink


def test_dollars_in_names_are_no_formulas(tmp_path):
    runs = few_runs()[lambda table: table["variant"].isin(["acs", "dlx"])]
    names = {"acs": "a$b", "dlx": r"$\frac{"}
    drawn = comparison.plot(runs.assign(label=runs["variant"].map(names)))
    shown = " ".join(texts(drawn)).replace(r"\$", "$")
    assert all(name in shown for name in names.values())
    ax = mpl.figure.Figure().subplots()
    costs = comparison.costs([(0, 9), (5, 0)], 5, r"$\a$")
    for fig in (
        drawn,
        costs,
        figures.puzzle("." * 81, ax, r"$\a$"),
        figures.puzzle("." * 81, title="$$"),
    ):
        fig.savefig(tmp_path / "drawn.png")
    assert costs.get_suptitle() == r"$\a$"


@cache
def parts(name):
    """The arrays of the example puzzle that a figure shows."""
    with tempfile.TemporaryDirectory() as folder:
        example.write(file := Path(folder, "example.json"))
        return figures.content(name, {}, file)


def draw(name, runs=None, is_narrow=False):
    """A figure of the published table, or of the table of these runs."""
    if name in PUZZLE_FIGURES:
        return figures.make(name, *parts(name), is_narrow=is_narrow)
    source = figures.every()[name].table
    if runs is None:
        return figures.make(name, published_table(source), is_narrow=is_narrow)
    return figures.make(name, tables.make(source, runs))


@cache
def published_figure(name):
    """A figure of the published table, for tests that do not change it."""
    return draw(name)


def texts(fig):
    """All text of a figure."""
    return [text.get_text() for text in fig.findobj(mpl.text.Text) if text.get_text()]


def legend_of(fig):
    return [text.get_text() for legend in fig.legends for text in legend.get_texts()]


def rendered(fig):
    """The renderer that has laid out a figure, and drawn all of it but pixels."""
    canvas = FigureCanvasAgg(fig)
    with mpl.rc_context(style.RC):
        fig.draw_without_rendering()
    return canvas.get_renderer()


# --- all figures ---------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("name", DATA_FIGURES)
def test_few_rows_and_runs_that_all_fail_without_a_time_limit_can_be_drawn(name):
    drawn = [draw(name, few_runs().assign(limit_s=np.nan, limit_steps=20, status=TIMEOUT))]
    table = published_table(figures.every()[name].table)
    if "variant" in table:
        drawn.append(figures.make(name, table[table["variant"] != "acs"]))
    for columns in (["order", "fixed_fraction"], ["variant"]):
        if {*columns} <= {*table}:
            is_chosen = (table[columns] == table[columns].iloc[len(table) // 2]).all(axis=1)
            drawn.append(figures.make(name, table[is_chosen]))
    for fig in drawn:
        rendered(fig)
        assert not any("nan" in text.split() for text in texts(fig))


@pytest.mark.parametrize("name", figures.every())
@pytest.mark.parametrize(
    ("runs", "is_narrow"),
    [
        pytest.param(None, False, id="published"),
        pytest.param(None, True, id="narrow"),
        pytest.param(few_runs, False, id="few", marks=pytest.mark.thorough),
    ],
)
def test_nothing_sticks_out_nothing_covers_another_and_text_has_eight_points(name, runs, is_narrow):
    fig = draw(name, runs and runs(), is_narrow) if runs or is_narrow else published_figure(name)
    renderer = rendered(fig)
    tight, (width, height) = fig.get_tightbbox(renderer), fig.get_size_inches()
    assert min(tight.x0, tight.y0) >= -0.02
    assert tight.x1 <= width + 0.02 and tight.y1 <= height + 0.02
    axes = [ax.get_tightbbox(renderer) for ax in fig.axes]
    for legend in fig.legends:
        assert not any(map(legend.get_window_extent(renderer).overlaps, axes))
    titles = {ax.get_title("left") for ax in fig.axes} - {""}
    written = [text for text in fig.findobj(mpl.text.Text) if text.get_text()]
    boxes = [text.get_window_extent(renderer) for text in written if text.get_text() in titles]
    assert not any(left.overlaps(right) for left, right in combinations(boxes, 2))
    for ax in fig.axes:
        boxes = [label.get_window_extent(renderer) for label in ax.get_xticklabels()]
        assert not any(a.overlaps(b) for a, b in pairwise(boxes))
        if name == "beyond_run_times":  # labels at the ends of lines
            boxes = [label.get_window_extent(renderer) for label in ax.texts]
            boxes.sort(key=lambda box: box.y0)
            assert all(low.y1 <= high.y0 + 1 for low, high in pairwise(boxes))
    scale = WIDTHS[is_narrow] / (72 * width) * 0.75  # points on the page by those drawn
    assert min(text.get_fontsize() for text in written) * scale >= 8


def color_of(line):
    """Return the colour of a line, or of its markers if only these are drawn."""
    if line.get_linestyle() != "None":
        return to_hex(line.get_color())
    return to_hex(line.get_mec() if line.get_mfc() == "none" else line.get_mfc())


def is_like(handle, artist):
    """Whether an entry of a legend can explain an artist."""
    if isinstance(handle, Patch):
        same_hatch = isinstance(artist, Patch) and artist.get_hatch() == handle.get_hatch()
        return same_hatch or (isinstance(artist, PolyCollection) and not handle.get_hatch())
    if not isinstance(handle, Line2D):
        return isinstance(artist, type(handle))
    if isinstance(artist, Line2D) and len(artist.get_xdata()):
        if (marker := handle.get_marker()) not in ("None", None, ""):
            return artist.get_marker() == marker
        return artist.get_linestyle() == handle.get_linestyle()
    return isinstance(artist, LineCollection) and handle.get_linestyle() == "-"


def handles_of(fig):
    """Return the artists of the legends, and the samples beside labels at the ends of lines."""
    samples = [line for ax in fig.axes for line in ax.lines if line.get_transform() == ax.transAxes]
    return [handle for box in fig.legends for handle in box.legend_handles] + samples


@pytest.mark.parametrize("name", DATA_FIGURES)
def test_the_legend_names_what_is_drawn_each_once(name):
    fig = published_figure(name)
    axes = [*fig.axes, *(child for ax in fig.axes for child in ax.child_axes)]
    drawn = [artist for ax in axes for artist in (*ax.lines, *ax.patches, *ax.collections)]
    legends = [handle for box in fig.legends for handle in box.legend_handles]
    assert all(any(is_like(handle, artist) for artist in drawn) for handle in legends)
    labels = [text.get_text() for box in fig.legends for text in box.get_texts()]
    notes = [[text.get_text() for text in ax.texts] for ax in fig.axes]
    assert all(len({*texts}) == len(texts) for texts in (labels, *notes))
    handles = handles_of(fig)
    named = {to_hex(patch.get_edgecolor()) for patch in handles if isinstance(patch, Patch)}
    named |= {color_of(line) for line in handles if isinstance(line, Line2D)}
    collections = [handle for handle in handles if isinstance(handle, LineCollection)]
    named |= {to_hex(color) for collection in collections for color in collection.get_color()}
    lines = [artist for artist in drawn if isinstance(artist, Line2D)]
    colors = {color_of(line) for line in lines if pd.notna(line.get_ydata()).any()}
    named_in_panels = ("beyond_phase_transition", "lewis_fig2", "lewis_fig3_work", "tails")
    if name not in named_in_panels:
        assert colors - named <= {color.lower() for color in PLAIN}


def test_files_are_the_same_each_time(tmp_path):
    name, settings = "lloyd_amos_fig8", dict(mpl.rcParams)
    files = style.save(draw(name), tmp_path / "new" / "folder" / name)
    assert [path.name for path in files] == [f"{name}.{form}" for form in figures.FORMATS]
    again = style.save(draw(name), tmp_path / "again")
    for first, second in zip(files, again, strict=True):
        assert first.read_bytes() == second.read_bytes()
    assert dict(mpl.rcParams) == settings
    assert gallery.picture(files[0])["title"] == published_figure(name).get_suptitle()
    fonts = {
        text.split(";")[0]
        for text in files[figures.FORMATS.index("svg")].read_text().split("font")[1:]
    }
    named = {text for text in fonts if "DejaVu" in text}
    assert named and all("'DejaVu Sans', Verdana, sans-serif" in text for text in named)


def test_a_figure_says_that_there_are_no_runs_or_counts_them():
    assert "nothing to show: this" in " ".join(texts(draw("lloyd_amos_fig7", all_runs().iloc[:0])))
    fig = draw("experiment_curves", runs_of({"experiment": "mine"}))
    assert "Mine: 25 × 25, 45 % fixed, 1 instance" in texts(fig)


def test_points_without_a_median_are_marked():
    mine = {"order": 4, "experiment": "mine"}
    rows = [
        point(fraction, number, status=TIMEOUT if number > most else SOLVED, **mine)
        for fraction, most in ((0.4, 0), (0.5, 2))
        for number in range(3)
    ]
    table = runs_of(*rows)
    fig = draw("experiment_by_fraction", table.assign(color=""))
    crosses = [line for ax in fig.axes for line in ax.lines if line.get_marker() == "x"]
    assert [len(line.get_xdata()) for line in crosses] == [1, 1]  # of steps, and of times
    assert "half of the runs or more failed" in legend_of(fig)


def test_a_figure_of_one_order_refuses_two():
    table = pd.DataFrame({"order": [3, 4]})
    with pytest.raises(
        InputError, match=r"^Mine: one_order draws one order, .* has 3, 4: add order"
    ):
        panels.one_order("Mine", table, {}, {})


@pytest.mark.parametrize("name", ["experiment_curves", "experiment_by_fraction"])
def test_an_experiment_of_a_paper_has_its_title(name, monkeypatch):
    monkeypatch.setattr(papers, "experiments", lambda: {"more": "More et al. 2030 (seconds)"})
    table = pd.concat([runs_of({"experiment": name}) for name in ("mine", "more")])
    fig = draw(name, table.assign(color=""))
    assert fig.get_suptitle().startswith("More et al. 2030 (seconds): ")
    assert "more: " not in " ".join(texts(fig))


@pytest.mark.parametrize("name", ["experiment_curves", "experiment_by_fraction"])
def test_two_experiments_have_a_title_that_names_one_and_variants_that_differ(name):
    first = {"experiment": "mine", "variant": "a", "label": "A", "color": ""}
    other = first | {"experiment": "more", "label": "A, m=2", "params": '{"m": 2}'}
    columns = first, first | {"variant": "b", "label": "B"}, other
    table = pd.concat([runs_of(row).assign(color="") for row in columns], ignore_index=True)
    fig = draw(name, table)
    assert fig.get_suptitle().startswith("More: ") and "A, m=2 solves 100 %" in fig.get_suptitle()
    lines = [line for ax in fig.axes for line in ax.lines if line.get_marker() not in ("x", "None")]
    assert len({(line.get_color(), line.get_marker()) for line in lines}) == 3
    assert "more" not in draw(name, table[:2]).get_suptitle()


@pytest.mark.parametrize(
    ("edition", "text"),
    [("soto_2014", " (the paper prints none)"), ("arxiv", ""), (None, "")],
)
def test_a_figure_without_printed_times_says_so_only_of_a_paper_without_them(edition, text):
    shown = {"rate": printed(edition, "success", "rate")} if edition else {}
    assert panels._printed_times(pd.DataFrame({"order": [5]}), shown) == text


def test_printed_numbers_may_have_any_marker(monkeypatch):
    monkeypatch.setattr(style, "printed", lambda _: papers.Look("paper", marker="s"))
    ax = style.figure("a").subplots()
    panels.open_markers(ax, np.array([1.0]), np.array([2.0]), "any", "#000000")
    assert {line.get_marker() for line in ax.lines} == {"s"}


def test_a_figure_says_whose_instances_it_shows():
    table = published_table("lloyd_amos_fig7")
    fig, alone = (
        figures.make("lloyd_amos_fig7", table, scope=name) for name in ("Our instances", "")
    )
    assert fig.get_suptitle() == f"Our instances: {alone.get_suptitle()}"
    first, second = fig.texts[0], alone.texts[0]
    assert first.get_fontproperties() == second.get_fontproperties()


@pytest.mark.parametrize("n_words", range(12))
def test_no_line_of_a_title_ends_within_a_number_or_at_the_edge(n_words):
    title = "word " * n_words + "90 % of 9 × 9 grids in 3 s, 4 of 11 in 12 ms"
    fig = style.figure(title, width=style.PHONE_WIDTH)
    fig.draw_without_rendering()
    (text,) = fig.texts
    lines = text.get_text().splitlines()
    assert " ".join(lines).split() == title.split() and fig.get_suptitle() == title
    assert not any(line.startswith("×") for line in lines)
    assert not any(line.endswith(("90", "×", "3", "12", "4")) for line in lines)
    assert text.get_window_extent().x1 <= fig.bbox.x1 - style.MARGIN * fig.dpi


def test_darker_colours_have_enough_contrast_on_white():
    for name in ("acs", "acs_no_bve", "ils", "dlx", "bs", "sa", "sa_hybrid", "cp_sa", "ga"):
        rgb = np.array(to_rgb(VARIANTS[name].color))
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        assert 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05) >= 3, name  # WCAG 2, graphics


def test_an_unknown_figure_is_refused():
    with pytest.raises(InputError, match=r"unknown figure 'nonsense'.*: known are experiment_"):
        figures.make("nonsense")


# --- one look per variant ------------------------------------------------------------------------


def test_known_looks_differ():
    for series in (VARIANTS, style.ORDERS):
        for attribute in ("label", "color"):
            values = [getattr(look, attribute) for look in series.values()]
            assert len(set(values)) == len(values)
    for _, variants in all_runs().groupby("experiment")["variant"]:
        shapes = [VARIANTS[name].marker for name in variants.unique() if name in VARIANTS]
        assert len(set(shapes)) == len(shapes)


# Linear RGB as others see it: G. M. Machado et al., IEEE Trans. Vis. Comput. Graph. 15 (2009)
# 1291-1298, severity 1.
SIGHTS = {
    "all": np.eye(3),
    "deuteranopes": np.array(
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
    ),
    "protanopes": np.array(
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]
    ),
}
LEAST_APART = 15  # Delta E (CIE 1976) of the colours of two series
# Linear RGB (sRGB) to XYZ, of white 1.
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
XYZ /= XYZ.sum(axis=1, keepdims=True)


def lab(color, sight):
    """Return the coordinates of a colour, as someone sees it, in CIELAB."""
    rgb = np.array(to_rgb(color))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = XYZ @ np.clip(SIGHTS[sight] @ linear, 0, 1)
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * 841 / 108 + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def delta_e(first, second, sight):
    return np.linalg.norm(lab(first, sight) - lab(second, sight))


def test_delta_e_is_the_distance_in_cielab():
    assert lab("#ffffff", "all") == pytest.approx([100, 0, 0], abs=0.1)
    assert lab("#ff0000", "all") == pytest.approx([53.2, 80.1, 67.2], abs=0.1)
    assert delta_e("#ff0000", "#00ff00", "all") == pytest.approx(170.6, abs=0.2)
    seen = {sight: delta_e("#d55e00", "#8a8a8a", sight) for sight in SIGHTS}
    assert seen["deuteranopes"] < seen["all"]


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", DATA_FIGURES)
def test_two_series_of_a_figure_differ_in_colour_or_in_marker_and_line(name, sight):
    handles = [part for part in handles_of(published_figure(name)) if isinstance(part, Line2D)]
    looks_drawn = {
        (color_of(line), str(line.get_marker()), str(line.get_linestyle())) for line in handles
    }
    for first, second in combinations(sorted(looks_drawn), 2):
        if {first[0], second[0]} & {color.lower() for color in PLAIN} or first[0] == second[0]:
            continue
        is_apart = delta_e(first[0], second[0], sight) >= LEAST_APART
        assert is_apart or (first[1] != second[1] and first[2] != second[2]), (first, second)


def test_no_solver_has_the_colour_of_a_verdict():
    for look, color in product(VARIANTS.values(), style.VERDICT_COLORS):
        assert delta_e(look.color, color, "all") >= 10, look


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("scheme", [str, looks.legible], ids=["light", "dark"])
def test_two_solvers_of_an_experiment_differ_in_marker_or_colour(scheme, sight):
    def apart(color, second):
        return delta_e(scheme(color), scheme(second), sight) > 5

    for _, variants in all_runs().groupby("experiment")["variant"]:
        for look, second in combinations(style.looks_of(variants.unique()).values(), 2):
            assert look.marker != second.marker or apart(look.color, second.color), (look, second)
    # Which markers new variants get with these depends on the other variants.
    assert all(apart(*pair) for pair in combinations(style.OTHER_COLORS, 2))


def of_new_variants(name):
    """The table of a figure, in which new variants have the rows of ACS."""
    table = published_table(figures.every()[name].table)
    acs = table[table["variant"] == "acs"]
    return pd.concat([acs.assign(variant=new, label=f"ACS, {new}=0.005") for new in NEW])


def test_new_variants_have_other_colours_before_two_share_one():
    looks_of_new = style.looks_of([*reversed(NEW), "sa_walk"])
    assert looks_of_new == style.looks_of(["sa_walk", *NEW, *NEW])
    seen = [looks_of_new[name] for name in NEW]
    assert {look.color for look in seen} == {*style.OTHER_COLORS}
    assert len({look.marker for look in seen}) == len(NEW)
    names = [*papers.variants(), *(f"mine_{number}" for number in range(60))]
    pairs = {(look.color, look.marker) for look in style.looks_of(names).values()}
    assert len(pairs) == len(names)
    assert all(looks.shape(marker) for _, marker in pairs)  # can be drawn, on the page too


@pytest.mark.parametrize("beside", [["acs"], ["acs", "dlx", "ils"], ["sa", "cp_sa", "ga"], SYSTEMS])
def test_new_variants_resemble_no_solver_beside_them(beside):
    new = NEW[:4]
    series = style.looks_of([*new, *beside])
    for name, other in combinations(series, 2):
        if {name, other} & {*new}:
            first, second = series[name], series[other]
            assert first.marker != second.marker, (first, second)
            assert delta_e(first.color, second.color, "all") >= LEAST_APART, (first, second)


def test_a_configured_colour_counts():
    series = style.looks_of({"acs": "#123456", "new": "#654321", "dlx": "", "other": ""})
    assert [series[name].color for name in ("acs", "new")] == ["#123456", "#654321"]
    assert series["acs"].marker == VARIANTS["acs"].marker and series["dlx"] == VARIANTS["dlx"]
    assert len({look.marker for look in series.values()}) == 4


@pytest.mark.parametrize("name", ["beyond_run_times", "beyond_stagnation"])
def test_lines_of_new_variants_differ(name):
    for ax in figures.make(name, of_new_variants(name)).axes:
        lines = [line for line in ax.lines if line.get_transform() != ax.transAxes]
        assert len(lines) == len({(line.get_color(), line.get_marker()) for line in lines})
        assert len(lines) == len(NEW)


def test_the_phase_transition_counts_who_solves_all_and_names_the_best_of_the_rest_by_limit():
    table = published_table("beyond_phase_transition")
    at_45 = table[(table["order"] == 5) & (table["fixed_fraction"] == 0.45)]
    rates = at_45.set_index("label")["success_rate"].map(panels.percent)
    title = published_figure("beyond_phase_transition").get_suptitle()
    full = f"4 solvers solve all (limit 120 s), ACS {rates['ACS']}"
    assert title.endswith(f"{full} ({panels.limit(at_45[at_45['limit_steps'] > 0])})")
    failed = table.assign(
        solved=table["solved"].mask(table["variant"] == "tabu_col", table["n"] - 1),
        success_rate=table["success_rate"].mask(table["variant"] == "tabu_col", 0.99),
    )
    title = figures.make("beyond_phase_transition", failed).get_suptitle()
    assert "3 solvers solve all, TabuCol 99 % (limit 120 s)" in title
    table = of_new_variants("beyond_phase_transition").reset_index(drop=True)
    fig = figures.make("beyond_phase_transition", table.assign(label="long " * 9 + table["label"]))
    assert fig.get_suptitle().count("=0.005") == 1  # of many, the first
    assert fig.get_tightbbox(rendered(fig)).x1 <= style.PAGE_WIDTH + 0.02

"""Figures: content, consistent looks, and files that come out the same each time."""

import tempfile
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from published_runs import all_runs, few_runs, published_table

from antdoku import figures, papers, tables
from antdoku.errors import InputError
from antdoku.figures import style
from antdoku.outcome import TIMEOUT
from antdoku.report import looks
from antdoku.runs import example

PUZZLE_FIGURES = [name for name, figure in figures.every().items() if figure.puzzle]
DATA_FIGURES = [name for name, figure in figures.every().items() if not figure.puzzle]
VARIANTS = {name: style.variant(name) for name, look in papers.variants().items() if look.color}


@cache
def parts(name):
    """What a figure of a puzzle is drawn from."""
    with tempfile.TemporaryDirectory() as folder:
        example.write(Path(folder, "example.json"))
        return example.read(figures.every()[name].puzzle, Path(folder, "example.json"))


def draw(name, runs=None):
    """A figure of the published table, or of what these runs make of it."""
    if name in PUZZLE_FIGURES:
        return figures.make(name, *parts(name))
    source = figures.every()[name].table
    is_published = runs is None or tables.get(source).source == tables.HISTORY
    return figures.make(
        name, published_table(source) if is_published else tables.make(source, runs)
    )


def texts(fig):
    """All text of a figure."""
    return [text.get_text() for text in fig.findobj(mpl.text.Text) if text.get_text()]


def legend_of(fig):
    (legend,) = fig.legends
    return [text.get_text() for text in legend.get_texts()]


def rendered(fig):
    """The renderer that has laid out a figure, and drawn all of it but pixels."""
    canvas = FigureCanvasAgg(fig)
    with mpl.rc_context(style.RC):
        fig.draw_without_rendering()
    return canvas.get_renderer()


# --- all figures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DATA_FIGURES)
def test_runs_without_a_time_limit_of_which_none_is_solved_can_be_drawn(name):
    rendered(draw(name, few_runs().assign(limit_s=np.nan, limit_steps=20, status=TIMEOUT)))


@pytest.mark.parametrize(
    ("name", "runs"),
    [*product(figures.every(), [lambda: None]), *product(DATA_FIGURES, [few_runs])],
)
def test_nothing_sticks_out_and_the_legend_covers_nothing(name, runs):
    fig = draw(name, runs())
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
    name, settings = "lloyd_amos_fig8", dict(mpl.rcParams)
    files = style.save(draw(name), tmp_path / "new" / "folder" / name)
    assert [path.name for path in files] == [f"{name}.{form}" for form in ("png", "pdf")]
    again = style.save(draw(name), tmp_path / "again")
    for first, second in zip(files, again, strict=True):
        assert first.read_bytes() == second.read_bytes()
    assert dict(mpl.rcParams) == settings


def test_a_table_without_rows_says_no_runs():
    assert "no runs" in texts(draw("lloyd_amos_fig7", all_runs().iloc[:0]))


def test_unknown_figures_are_refused():
    with pytest.raises(InputError, match=r"unknown figure 'nonsense'.*: known are lloyd_"):
        figures.make("nonsense")


# --- one look per variant ------------------------------------------------------------------------


def test_known_looks_differ():
    for known in (VARIANTS, style.ORDERS):
        for attribute in ("label", "color"):
            values = [getattr(look, attribute) for look in known.values()]
            assert len(set(values)) == len(values)
    for _, variants in all_runs().groupby("experiment")["variant"]:
        shapes = [VARIANTS[name].marker for name in variants.unique() if name in VARIANTS]
        assert len(set(shapes)) == len(shapes)


# Linear RGB as deuteranopes see it: Machado et al. 2009, severity 1.
DEUTERANOPIA = np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]])


@pytest.mark.parametrize("sight", [np.eye(3), DEUTERANOPIA], ids=["all", "deuteranope"])
@pytest.mark.parametrize("scheme", [str, looks.legible], ids=["light", "dark"])
def test_two_solvers_of_an_experiment_differ_in_marker_or_colour(scheme, sight):
    def seen(color):
        return np.clip(sight @ np.array(to_rgb(scheme(color))) ** 2.2, 0, 1) ** (1 / 2.2)

    for _, variants in all_runs().groupby("experiment")["variant"]:
        for one, other in combinations(map(style.variant, variants.unique()), 2):
            apart = np.linalg.norm(seen(one.color) - seen(other.color)) > 0.1
            assert one.marker != other.marker or apart, (one, other)


@given(st.text("abcxyz_0", min_size=1))
def test_an_unknown_variant_has_a_stable_look_of_its_own(name):
    look = style.variant(name)
    assert look == style.variant(name)
    if name not in VARIANTS:
        known = VARIANTS.values()
        assert look.color not in [other.color for other in known]
        assert look.marker not in [other.marker for other in known]


def test_two_solvers_never_share_colour_and_marker():
    names = [*papers.variants(), *(f"mine_{number}" for number in range(60))]
    seen = [(look.color, look.marker) for look in map(style.variant, names)]
    assert len({*seen}) == len(names)
    for marker in {marker for _, marker in seen}:
        looks.shape(marker)  # can be drawn, on the page too

"""Figures of Lewis 2007: what is drawn is what the tables say."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.container import ErrorbarContainer
from test_figures import containers, draw, legend_of, made, means

from antdoku.figures import style


def test_fig2_draws_means_ranges_and_the_diagonal():
    fig = draw("lewis_fig2", "full")
    (ax,) = fig.axes
    table = made("lewis_fig2", "full")
    *lines, diagonal = ax.lines
    assert diagonal.get_xydata().tolist() == [[0, 0], [100, 100]]
    assert len(lines) == len(ax.collections) == 3
    for line, (order, rows) in zip(lines, table.groupby("order"), strict=True):
        assert line.get_color() == style.ORDERS[order].color
        assert line.get_xdata() == pytest.approx(100 * rows["fixed_fraction"])
        assert line.get_ydata() == pytest.approx(100 * rows["fixed_after_cp"])
    assert legend_of(fig)[:3] == ["9 × 9", "16 × 16", "25 × 25"]
    assert "100 instances per point" in fig.get_suptitle()


def test_fig3_has_a_column_of_panels_per_order():
    fig = draw("lewis_fig3", "full")
    titles = [ax.get_title("left") for ax in fig.axes[:3]]
    assert titles == [f"{size} × {size}, at the papers' work" for size in (9, 16, 25)]
    assert "100 runs per point" in fig.get_suptitle()
    assert "10 runs (5 instances) per point" in draw("lewis_fig3", "quick").get_suptitle()
    for above, below in zip(fig.axes[:3], fig.axes[3:], strict=True):
        assert len(containers(above, ErrorbarContainer)) == 3
        colors = [line.get_color() for line in means(below)]
        assert colors == [style.variant(name).color for name in ("sa", "sa_hybrid", "cp_sa")]


def test_fig3_shows_the_published_rates_of_sa():
    fig = draw("lewis_fig3", "full")
    for ax, rates in zip(fig.axes[1:3], ([88, 75, 85, 99], [92, 38, 31, 49]), strict=True):
        marks = [line for line in ax.lines if line.get_marker() == "D" and line.get_mew() < 1]
        shown = np.concatenate([line.get_ydata() for line in marks])
        assert shown[np.isfinite(shown)].tolist() == pytest.approx(rates)
    assert "paper, journal 2007 (read off)" in legend_of(fig)


def dashes(ax):
    """Heights of the dashes for PAR2."""
    kind = mpl.collections.LineCollection
    segments = [found.get_segments() for found in ax.collections if isinstance(found, kind)]
    return [segment[0, 1] for found in segments for segment in found if len(segment) == 2]


def test_fig3_marks_par2_where_runs_failed():
    fig = draw("lewis_fig3", "full")
    table = made("lewis_fig3", "full")
    for ax, (_order, rows) in zip(fig.axes[3:], table.groupby("order"), strict=True):
        failed = rows[rows["solved"] < rows["n"]]
        marked = [group["par2_s"].tolist() for _, group in failed.groupby("variant", sort=False)]
        assert dashes(ax) == pytest.approx(np.concatenate([[], *marked]))
        assert ax.get_ylim()[1] > rows["par2_s"].max()
    assert "PAR2 (failures twice 5 / 20 / 120 s)" in legend_of(fig)

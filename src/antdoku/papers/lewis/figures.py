"""Figures 2 and 3 of Lewis 2007, drawn again from our runs.

Each takes the table of the same name; figure 1 shows a puzzle (`figures.puzzles`).
"""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from antdoku.figures import panels, style

BAND_ALPHA = 0.18


def fig2(title: str, table: pd.DataFrame) -> Figure:
    """Fixed cells after propagation against fixed cells before, a line per order."""
    title = f"{title}: {panels.span(table['n_instances'])} instances per point"
    fig = style.figure(title, width=panels.MIN_WIDTH, height=3.9)
    ax = fig.subplots()
    ax.plot([0, 100], [0, 100], color=style.MUTED, ls=panels.DOTS, lw=0.9, zorder=1)
    for order, rows in table.groupby("order"):
        _mean_and_range(ax, style.ORDERS[order], rows)
    ax.set(xlim=(-3, 103), ylim=(-3, 103), xlabel="Fixed cells (%)")
    ax.set(xticks=range(0, 101, 10), yticks=range(0, 101, 20))
    ax.set_ylabel("Fixed cells after propagation (%)")
    style.legend(fig, _fig2_handles(table))
    return fig


def _mean_and_range(ax, look, rows):
    x = 100 * rows["fixed_fraction"]
    low, high = 100 * rows["fixed_after_cp_min"], 100 * rows["fixed_after_cp_max"]
    ax.fill_between(x, low, high, color=look.color, alpha=BAND_ALPHA, lw=0)
    ax.plot(x, 100 * rows["fixed_after_cp"], marker=look.marker, color=look.color)


def _fig2_handles(table):
    spread = Patch(fc=style.MUTED, alpha=BAND_ALPHA, lw=0, label="range over instances")
    before = Line2D([], [], color=style.MUTED, ls=panels.DOTS, lw=0.9, label="before propagation")
    return [*panels.order_handles(table), spread, before]


def fig3(title: str, table: pd.DataFrame) -> Figure:
    """SA and CP+SA on the random instances: one column of panels per order."""
    return panels.all_orders(title, table, ", journal 2007 (read off)", penalised=True)

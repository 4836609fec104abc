"""Figures 2 and 3 of Lewis 2007, drawn again from our runs.

Each takes the table of the same name; figure 1 shows a puzzle (`figures.puzzles`).
"""

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from antdoku.figures import panels, style

BAND_ALPHA = 0.18


def fig2(title: str, table: pd.DataFrame) -> Figure:
    """Fixed cells after propagation against fixed cells before, a line per order."""
    title = f"{title}: {panels.span(table['n_instances'])} instances per point"
    fig = style.figure(title, width=panels.MIN_WIDTH, height=3.9)
    ax = fig.subplots()
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        low, high = 100 * rows["fixed_after_cp_min"], 100 * rows["fixed_after_cp_max"]
        ax.fill_between(x, low, high, color=look.color, alpha=BAND_ALPHA, lw=0)
        ax.plot(x, 100 * rows["fixed_after_cp"], **style.entry(look))
    ax.plot([0, 100], [0, 100], **panels.DOTTED, label="before propagation")
    ax.set(xlim=(-3, 103), ylim=(-3, 103), xlabel="Fixed cells (%)")
    ax.set(xticks=range(0, 101, 10), yticks=range(0, 101, 20))
    ax.set_ylabel("Fixed cells after propagation (%)")
    band = {"fc": style.MUTED, "alpha": BAND_ALPHA, "lw": 0}
    style.explain(fig, "range over instances", Rectangle, **band)
    style.legend(fig)
    return fig


def fig3(title: str, table: pd.DataFrame) -> Figure:
    """SA and CP+SA on the random instances: one column of panels per order."""
    return panels.all_orders(title, table, ", journal 2007 (read off)", penalised=True)

"""Figures in the form of Lloyd & Amos: bars of time, and success on a second axis.

What the paper prints stands above and what our runs give below, on the same axes.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from antdoku.figures import panels, style

TIMES_S = (1e-5, 1e3)  # of the axis
NO_NUMBERS = "The paper prints no numbers for this figure."
HATCH = "/////"
LINE = {"ls": "--", "lw": 0.9, "ms": 2.6}
BARS = "bars: mean CPU time of the solved runs (the paper's on another machine)"


def printed_above_ours(title: str, parts: dict) -> Figure:
    """Draw two rows of panels, printed and ours, over fixed fractions.

    Parameters
    ----------
    parts : dict of str to DataFrame
        A column of panels each, by its heading: a table with published numbers.
    """
    fig = style.figure(title, height=4.8)
    axes = fig.subplots(2, len(parts), sharex="col", sharey=True, squeeze=False)
    axes[0, 0].set(yscale="log", ylim=TIMES_S)
    axes[0, 0].yaxis.set_minor_formatter(NullFormatter())
    style.explain(fig, BARS, area=True, fc=style.pale(style.MUTED), ec=style.MUTED, lw=0.7)
    style.explain(fig, "lines: solved (right axis)", **LINE | {"ms": 0})
    for (heading, table), (above, below) in zip(parts.items(), axes.T):
        above.set_title(f"{heading}, printed".lstrip(", "))
        below.set_title(f"{heading}, our runs".lstrip(", "))
        layers = _printed(table)
        _panel(above, table, layers)
        if not layers:
            place = {"transform": above.transAxes, "ha": "center", "color": style.MUTED}
            above.text(0.5, 0.5, NO_NUMBERS, **place)
        _panel(below, table, [("", "success_rate", "mean_time_solved_s")])
        panels.fraction_axis(below, table, every=10)
    for above_or_below in axes[:, 0]:
        above_or_below.set_ylabel("CPU time (s)")
    style.legend(fig)
    return fig


def _printed(table):
    """Return the published numbers of a table: source, columns of success and of time."""
    columns = dict(panels.published(table, "success_rate"))
    times = dict(panels.published(table, "mean_time_s"))
    pairs = [(source, columns[source], times[source]) for source in columns if source in times]
    return [pair for pair in pairs if table[[*pair[1:]]].notna().any(axis=None)]


def _panel(ax, table, layers):
    """Draw bars and lines; of a source without a rate at most points its own open markers."""
    second = ax.twinx()
    second.set(ylim=(-4, 104), yticks=range(0, 101, 20), ylabel="Solved (%)")
    second.grid(False)
    second.spines["right"].set_visible(True)
    variants = list(style.series(table))
    percent = np.sort(100 * table["fixed_fraction"].unique())
    step = np.diff(percent).min(initial=panels.MAX_STEP)
    width = step * panels.GROUP_WIDTH / len(variants)
    for number, (_, look, rows) in enumerate(variants):
        x = 100 * rows["fixed_fraction"]
        places = x + step * panels.offset(number, len(variants))
        for source, rate, time in layers:
            bar = {"edgecolor": look.color, "lw": 0.5, "width": width}
            if rows[rate].count() > 1:
                ax.bar(places, rows[time], facecolor=style.pale(look.color), **bar)
                known = rows[rate].notna()
                second.plot(x[known], 100 * rows.loc[known, rate], **style.entry(look), **LINE)
            else:  # below the bars, which may have the same height
                ax.bar(places, rows[time], facecolor="white", hatch=HATCH, zorder=0.9, **bar)
                panels.open_markers(second, x, 100 * rows[rate], source, look.color)
                name = f"{style.published()[source].label}: time"
                area = {"fc": "white", "ec": style.MUTED, "hatch": HATCH, "lw": 0.5}
                style.explain(ax.figure, name, area=True, **area)

"""Figures 4 and 8 of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019), drawn again from our runs.

Figures 1 to 3 show a puzzle (`figures.puzzles`), the others are plain `figures.panels`.
"""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from antdoku.figures import panels, style
from antdoku.outcome import SOLVED

BOXED = ("acs", "ils")  # figure 4: boxplots; the other variants as the mean
WHISKERS = (0, 100)  # percentiles: from the shortest to the longest run
STARTS = {"ls": ":", "lw": 1.0, "zorder": 1}  # figure 8: where the paper has trivial instances


def fig4(title: str, table: pd.DataFrame) -> Figure:
    """CPU time on the named puzzles: boxplots of ACS and ILS, means of DLX and BS, log scale.

    A run that was not solved enters a box at its limit in seconds, or with its time at the papers'
    work, and is left out of a mean; the numbers above the plot count such runs.
    """
    puzzles, variants = list(table["puzzle"].unique()), list(table["variant"].unique())
    counts = table.groupby(["puzzle", "variant"]).size()
    title = f"{title}: {panels.span(counts)} runs each, {panels.limit(table)}"
    width = float(np.clip(0.42 * len(puzzles) + 1.2, panels.MIN_WIDTH, style.PAGE_WIDTH))
    fig = style.figure(title, width, 4.0)
    ax = fig.subplots()
    for number, variant in enumerate(variants):
        rows, look = table[table["variant"] == variant], style.variant(variant)
        x = pd.Series(range(len(puzzles)), puzzles) + panels.offset(number, len(variants))
        if variant in BOXED:
            _boxes(ax, x, rows, look, 0.8 * panels.GROUP_WIDTH / len(variants))
        else:
            _means(ax, x, rows, look)
        _count_failures(ax, x, rows, look)
        times = rows.groupby("puzzle")["arxiv_mean_time_s"].first().reindex(puzzles)
        panels.open_markers(ax, x, times, "arxiv", look.color, ", mean of solved runs")
    panels.mark_limit(ax.axhline, table)
    ax.set(yscale="log", ylabel="CPU time (s)")
    ax.yaxis.set_minor_formatter(NullFormatter())
    panels.puzzle_axis(ax, puzzles, rotation=40, ha="right", rotation_mode="anchor")
    for place in range(0, len(puzzles), 2):
        ax.axvspan(place - 0.5, place + 0.5, color="#F6F6F6", lw=0, zorder=0)
    style.legend(fig, 3 if width > 6 else 2)
    return fig


def _boxes(ax, x, rows, look, width):
    """All runs; one without a solution at its limit, or at its own time when steps limited it."""
    own = (rows["status"] == SOLVED) | (rows["limit_steps"] > 0) | rows["limit_s"].isna()
    times = rows["cpu_s"].where(own, rows["limit_s"])
    by_puzzle = dict(list(times.groupby(rows["puzzle"], sort=False)))
    line = {"color": look.color, "lw": 0.8}
    ax.boxplot(
        list(by_puzzle.values()),
        positions=x[list(by_puzzle)],
        widths=width,
        whis=WHISKERS,
        label=f"{look.label}, all runs",
        zorder=1,
        patch_artist=True,
        manage_ticks=False,
        boxprops={"facecolor": look.color, "edgecolor": look.color, "alpha": 0.55, "lw": 0.7},
        medianprops={"color": style.INK, "lw": 1.0},
        whiskerprops=line,
        capprops=line,
    )
    style.explain(ax.figure, "box: quartiles; whiskers: all runs", color=style.MUTED, lw=0.8)


def _means(ax, x, rows, look):
    mean = rows[rows["status"] == SOLVED].groupby("puzzle")["cpu_s"].mean().reindex(x.index)
    label = {"label": f"{look.label}, mean of solved runs"}
    ax.plot(x, mean, **style.entry(look) | label, ls="", ms=4.2)


def _count_failures(ax, x, rows, look):
    failed = rows[rows["status"] != SOLVED].groupby("puzzle").size()
    text = {"ha": "center", "va": "bottom", "rotation": 90, "fontsize": 6, "weight": "bold"}
    text |= {"transform": ax.get_xaxis_transform(), "color": look.color}
    for puzzle, count in failed.items():
        ax.text(x[puzzle], 1.01, str(count), **text)
        panels.explain_marker(ax.figure, "$12$", "runs not solved (above the plot)", 7)


def fig8(title: str, table: pd.DataFrame) -> Figure:
    """Fraction of trivial instances and mean value-set size against the fixed fraction."""
    title = f"{title}: {panels.span(table['n_instances'])} instances per point"
    fig = style.figure(title, height=3.1)
    left, right = fig.subplots(1, 2)
    left.set_title("(a) solved by propagation alone (trivial)")
    right.set_title("(b) size of the value sets after propagation")
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        right.plot(x, rows["mean_value_set_size"], **style.entry(look))
        panels.open_markers(right, x, rows["arxiv_mean_value_set_size"], "arxiv", look.color)
        trivial = ("fraction_trivial", "wilson_low", "wilson_high")
        panels.rates(left, x, rows, trivial, **style.entry(look))
        start = rows["arxiv_trivial_from"].iloc[0]
        if np.isfinite(start):
            left.axvline(100 * start, color=look.color, **STARTS)
            label = "paper, arXiv 2018: no trivial instance below"
            style.explain(fig, label, color=style.MUTED, **STARTS)
    left.set(ylim=(-4, 104), yticks=range(0, 101, 20), ylabel="Trivial instances (%)")
    right.set(ylim=(0.8, None), ylabel="Mean values per cell")
    for ax in (left, right):
        ax.set_xlabel("Fixed cells (%)")
    style.legend(fig)
    return fig

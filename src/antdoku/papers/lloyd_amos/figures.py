"""Figures 4 and 8 of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019), drawn again from our runs.

Figures 1 to 3 show a puzzle (`figures.puzzles`), the others are plain `figures.panels`.
"""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter

from antdoku.figures import panels, style
from antdoku.outcome import SOLVED

BOXED = ("acs", "ils")  # figure 4: boxplots; the other variants as the mean
WHISKERS = (0, 100)  # percentiles: from the shortest to the longest run
STARTS = {"ls": ":", "lw": 1.0, "zorder": 1}  # figure 8: where the paper has trivial instances


# --- figure 4: named puzzles ---------------------------------------------------------------------


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
        offset = panels.offset(number, len(variants))
        rows = table[table["variant"] == variant]
        draw = _boxes if variant in BOXED else _means
        draw(ax, rows, puzzles, offset, panels.GROUP_WIDTH / len(variants))
        _count_failures(ax, rows, puzzles, offset)
    _mark_published_times(ax, table, puzzles, variants)
    panels.mark_limit(ax.axhline, table)
    _named_axes(ax, puzzles)
    style.legend(fig, _fig4_explained(table), 3 if width > 6 else 2)
    return fig


def _censored(rows):
    """Times in s; of a run that was not solved its limit, its own time when steps limited it."""
    own = (rows["status"] == SOLVED) | (rows["limit_steps"] > 0) | rows["limit_s"].isna()
    return rows["cpu_s"].where(own, rows["limit_s"])


def _boxes(ax, rows, puzzles, offset, width):
    look = style.variant(rows["variant"].iloc[0])
    color = look.color
    by_puzzle = dict(list(_censored(rows).groupby(rows["puzzle"])))
    present = [place for place, puzzle in enumerate(puzzles) if puzzle in by_puzzle]
    ax.boxplot(
        [by_puzzle[puzzles[place]] for place in present],
        positions=np.array(present) + offset,
        widths=0.8 * width,
        whis=WHISKERS,
        label=f"{look.label}, all runs",
        zorder=1,
        patch_artist=True,
        manage_ticks=False,
        boxprops={"facecolor": color, "edgecolor": color, "alpha": 0.55, "lw": 0.7},
        medianprops={"color": style.INK, "lw": 1.0},
        whiskerprops={"color": color, "lw": 0.8},
        capprops={"color": color, "lw": 0.8},
    )


def _means(ax, rows, puzzles, offset, _width):
    look = style.variant(rows["variant"].iloc[0])
    solved = rows[rows["status"] == SOLVED]
    mean = solved.groupby("puzzle")["cpu_s"].mean().reindex(puzzles)
    places = np.arange(len(puzzles)) + offset
    label = f"{look.label}, mean of solved runs"
    ax.plot(places, mean, **style.entry(look) | {"label": label}, ls="", ms=4.2)


def _count_failures(ax, rows, puzzles, offset):
    failed = rows[rows["status"] != SOLVED].groupby("puzzle").size()
    color = style.variant(rows["variant"].iloc[0]).color
    for place, puzzle in enumerate(puzzles):
        if puzzle in failed:
            ax.text(
                place + offset,
                1.01,
                str(failed[puzzle]),
                transform=ax.get_xaxis_transform(),
                ha="center",
                va="bottom",
                rotation=90,
                fontsize=6,
                weight="bold",
                color=color,
            )


def _mark_published_times(ax, table, puzzles, variants):
    for number, variant in enumerate(variants):
        rows = table[table["variant"] == variant]
        times = rows.groupby("puzzle")["arxiv_mean_time_s"].first().reindex(puzzles)
        places = np.arange(len(puzzles)) + panels.offset(number, len(variants))
        panels.open_markers(ax, places, times, "arxiv", style.variant(variant).color)


def _named_axes(ax, puzzles):
    ax.set_yscale("log")
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_ylabel("CPU time (s)")
    ax.set_xlim(-0.5, len(puzzles) - 0.5)
    ax.set_xticks(range(len(puzzles)), puzzles, rotation=40, ha="right", rotation_mode="anchor")
    ax.tick_params(axis="x", length=0)
    for place in range(0, len(puzzles), 2):
        ax.axvspan(place - 0.5, place + 0.5, color="#F6F6F6", lw=0, zorder=0)


def _fig4_explained(table):
    numbers = table["arxiv_mean_time_s"], "arxiv", ", mean of solved runs"
    handles = panels.published_handle(*numbers)
    if table["variant"].isin(BOXED).any():
        text = "box: quartiles; whiskers: all runs"
        handles.append(Line2D([], [], color=style.MUTED, lw=0.8, label=text))
    if (table["status"] != SOLVED).any():
        label = "runs not solved (above the plot)"
        handles.append(panels.marker("$12$", style.MUTED, label, size=7))
    return handles


# --- figure 8: propagation -----------------------------------------------------------------------


def fig8(title: str, table: pd.DataFrame) -> Figure:
    """Fraction of trivial instances and mean value-set size against the fixed fraction."""
    title = f"{title}: {panels.span(table['n_instances'])} instances per point"
    fig = style.figure(title, height=3.1)
    left, right = fig.subplots(1, 2)
    left.set_title("(a) solved by propagation alone (trivial)")
    right.set_title("(b) size of the value sets after propagation")
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        rate, *ends = (
            100 * rows[name] for name in ("fraction_trivial", "wilson_low", "wilson_high")
        )
        left.errorbar(x, rate, panels.bars(rate, *ends), elinewidth=0.7, **style.entry(look))
        start = rows["arxiv_trivial_from"].iloc[0]
        if np.isfinite(start):
            left.axvline(100 * start, color=look.color, **STARTS)
        right.plot(x, rows["mean_value_set_size"], **style.entry(look))
        panels.open_markers(right, x, rows["arxiv_mean_value_set_size"], "arxiv", look.color)
    left.set(ylim=(-4, 104), yticks=range(0, 101, 20), ylabel="Trivial instances (%)")
    right.set(ylim=(0.8, None), ylabel="Mean values per cell")
    for ax in (left, right):
        ax.set_xlabel("Fixed cells (%)")
    more = panels.published_handle(table["arxiv_mean_value_set_size"], "arxiv")
    if table["arxiv_trivial_from"].notna().any():
        label = "paper, arXiv 2018: no trivial instance below"
        more.append(Line2D([], [], color=style.MUTED, **STARTS, label=label))
    style.legend(fig, more)
    return fig

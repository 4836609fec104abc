"""Figures of whole curves: all solvers side by side, and distributions (`tables.curves`)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from antdoku.figures import panels, style

DASHED = {"cdcl", "cpsat"}  # baselines, not solvers of the paper
HEAVY = {"acs", "acs_restart", "tabu_col"}  # what a figure is about
SAME_SOLVER = {"acs_closure", "acs_closure_no_bve", "bs_closure"}  # with another propagation
LAST = 0.12  # share of the instances that the second panel of the cactus plot shows


def line_of(look: style.Look, name: str, **more) -> dict:
    """Keywords of the line of a variant."""
    width = 1.6 if name in HEAVY else 0.9
    ls = (0, (4, 1.5)) if name in DASHED else "-." if name in SAME_SOLVER else "-"
    return {"color": look.color, "ls": ls, "lw": width, "label": look.label} | more


def phase_transition(title: str, table: pd.DataFrame) -> Figure:
    """Success above, PAR2 below, over the fixed fraction: one column of panels per order."""
    fig = style.figure(f"{title}, {panels.span(table['n'])} runs per point", height=4.6)
    orders = list(table.groupby("order"))
    axes = fig.subplots(2, len(orders), sharex="col", squeeze=False)
    for (order, rows), (above, below) in zip(orders, axes.T, strict=True):
        for name, look, line in style.series(rows):
            curve = line_of(look, name, marker=look.marker, ms=2.6)
            above.plot(100 * line["fixed_fraction"], 100 * line["success_rate"], **curve)
            below.plot(100 * line["fixed_fraction"], line["par2_s"], **curve)
        above.set_title(f"{style.ORDERS[order].label}, {panels.limit(rows)}")
        above.set(ylim=(-4, 104), yticks=range(0, 101, 20))
        panels.fraction_axis(below, rows, every=20)
        panels.mark_limit(below.axhline, rows)
        panels.log_times(below)
    axes[0, 0].set_ylabel("Solved (%)")
    axes[1, 0].set_ylabel("PAR2 (s of CPU time)")
    style.legend(fig)
    return fig


def run_times(title: str, table: pd.DataFrame) -> Figure:
    """Share of the runs that are solved within a time, at the hardest point of each order."""
    fig = style.figure(title, height=3.3)
    parts = [rows for _, rows in table.groupby("order")]
    axes = fig.subplots(1, len(parts), squeeze=False)[0]
    for rows, ax in zip(parts, axes, strict=True):
        for name, look, line in style.series(rows):
            ax.plot(*_distribution(line), drawstyle="steps-post", **line_of(look, name))
        panels.mark_limit(ax.axvline, rows)
        ax.set_title(panels.point(rows))
        ax.set(xscale="log", ylim=(0, 103), yticks=range(0, 101, 20), xlabel="CPU time (s)")
        ax.xaxis.set_minor_formatter(NullFormatter())
    axes[0].set_ylabel(f"Solved runs (%) of {panels.span(table['n'])}")
    style.legend(fig)
    return fig


def _distribution(line):
    """Times and percent of a step function that ends where the runs do."""
    times = line.loc[line["solved"], "cpu_s"].to_numpy()
    percent = 100 * np.arange(len(times) + 1) / line["n"].iloc[0]
    if len(times) == len(line):
        return times, percent[1:]
    return np.append(times, line["cpu_s"].max()), np.append(percent[1:], percent[-1])


def cactus(title: str, table: pd.DataFrame) -> Figure:
    """Solved instances against the time that each of them may take; all, and the last ones."""
    n = table["n"].max()
    fig = style.figure(f"{title}, {panels.span(table['n'])} runs per solver", height=4.0)
    left, right = fig.subplots(1, 2, sharey=True, width_ratios=(2, 3))
    for name, look, line in style.series(table):
        last = line.iloc[-1]
        # The marker of a curve is in the legend, and at its end, but nowhere else.
        named = {"label": f"{look.label}, {last['n_solved']}", "marker": look.marker}
        for ax in (left, right):
            ax.plot(line["n_solved"], line["cpu_s"], **line_of(look, name, **named), markevery=[])
        end = style.entry(look) | {"label": None, "ms": 4}
        is_hidden = last["n_solved"] < (1 - LAST) * n
        right.plot(last["n_solved"], last["cpu_s"], clip_on=bool(is_hidden), **end)
    left.set(yscale="log", xlim=(0, n), ylabel="CPU time of a run (s)")
    right.set(xlim=((1 - LAST) * n, n))
    left.set_title("(a) all")
    right.set_title(f"(b) the last {LAST:.0%}; a marker ends each curve".replace("%", " %"))
    left.yaxis.set_minor_formatter(NullFormatter())
    for ax in (left, right):
        ax.set_xlabel("Solved instances")
    style.legend(fig)
    return fig

"""Figures in the form of the papers: printed numbers beside ours, on the same axes.

Printed numbers come from text, tables and the journal. A panel without numbers says so.
"""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from antdoku.columns import Column
from antdoku.figures import panels, style

TIMES_S = (1e-5, 1e3)  # of the axis
NO_NUMBERS = "The paper prints no numbers for these instances."
CLOSE = 5  # percentage points: a printed rate this close to ours counts as met
HATCH = "/////"
LINE = {"ls": "--", "lw": 0.9, "ms": 2.6}
BARS = "bars: mean CPU time of the solved runs"


def over_fractions(
    title: str,
    parts: dict[str, pd.DataFrame],
    looks: dict[str, style.Look],
    columns: dict[str, Column],
    by_row: bool = False,
    texts: dict[str, str] | None = None,
) -> Figure:
    """Draw panels over fixed fractions, printed and ours: bars of time, dashed lines of success.

    Each of `parts`, tables by heading, has a pair of panels: the printed one is above ours or, if
    `by_row`, left of ours. `columns` are the columns of printed numbers; `texts` has statements of
    the paper in place of numbers, by heading. The title gets the number of printed rates that ours
    meet.
    """
    parts = {heading: table for heading, table in parts.items() if len(table)}
    shape = (len(parts), 2) if by_row else (2, len(parts))
    rates = pd.concat([printed_rates(table, columns) for table in parts.values()])
    fig = style.figure(f"{title}: {_agreement(rates)}", height=1.6 + 1.6 * shape[0])
    axes = fig.subplots(*shape, sharex=True, sharey=True, squeeze=False)
    axes[0, 0].set(yscale="log", ylim=TIMES_S)
    axes[0, 0].yaxis.set_minor_formatter(NullFormatter())
    style.explain(fig, BARS, area=True, fc=style.pale(style.MUTED), ec=style.MUTED, lw=0.7)
    style.explain(fig, "lines: solved (right axis)", **LINE | {"ms": 0})
    for (heading, table), pair in zip(parts.items(), axes if by_row else axes.T):
        text = (texts or {}).get(heading, NO_NUMBERS)
        _pair(*pair, heading, table, looks, columns, text)
    for ax in axes.flat:
        ax.set(xlabel="Fixed cells (%)", ylabel="CPU time (s)")
        ax.label_outer()
    style.legend(fig)
    return fig


def _pair(printed, ours, heading, table, looks, columns, text):
    """Draw a table on two axes: the printed numbers, or else a text, and our numbers."""
    printed.set_title(f"{heading}, printed".lstrip(", "))
    has_less = panels.shares_of_work(table).min() <= panels.FULL_WORK
    limit = f"\n{panels.limit(table)}" if has_less else ""
    farthest = _farthest(printed_rates(table, columns), table["variant"].nunique())
    ours.set_title(f"{heading}, ours{farthest}{limit}".lstrip(", "))
    layers = _layers(table, columns)
    _panel(printed, table, looks, layers)
    if not layers:
        panels.note(printed, text)
    _panel(ours, table, looks, [("", "success_rate", "mean_time_solved_s")])
    panels.fraction_axis(ours, table, every=10)


def by_rank(printed: pd.Series, ours: pd.Series) -> str:
    """Return the correlation of the ranks of times on two machines, as the end of a title."""
    has_both = printed.notna() & ours.notna()
    n = has_both.sum()
    if n < 2:
        return "no two puzzles have a printed time and one of ours"
    ranks = printed[has_both].rank().corr(ours[has_both].rank())
    return f"printed and our times correlate with {ranks:.2f} (ranks of the {n} with both)"


def printed_rates(table: pd.DataFrame, columns: dict[str, Column]) -> pd.DataFrame:
    """Return a row per printed rate: solver, point, the rate (`printed`), ours and the distance."""
    names = [name for _, name in panels.columns_of(table, columns, panels.SUCCESS)]
    keys = ["order", "label", "fixed_fraction", "success_rate"]
    rates = table.melt(keys, names, value_name="printed").dropna(subset="printed")
    return rates.assign(distance=(rates["printed"] - rates["success_rate"]).abs().round(6))


def _agreement(rates):
    """Return the number of printed rates that ours meet, as the end of a title."""
    if rates.empty:
        return "the paper prints no rates"
    n_met = (100 * rates["distance"] <= CLOSE).sum()
    return f"{n_met} of {len(rates)} printed rates are met within {CLOSE} points"


def _farthest(rates, n_variants):
    """Return which printed rate is farthest from ours, as the end of a title."""
    if rates.empty:
        return ""
    row = rates.sort_values("distance", ascending=False, kind="stable").iloc[0]
    numbers = f"printed {100 * row['printed']:.0f}, ours {100 * row['success_rate']:.0f}"
    solver = f"{row['label']} " if n_variants > 1 else ""
    return f"; farthest: {solver}at {100 * row['fixed_fraction']:g} %, {numbers}"


def _layers(table, columns):
    """Return edition, column of success and column of time of the printed numbers of a table."""
    times = dict(panels.columns_of(table, columns, panels.MEAN_TIME))
    return [
        (edition, rate, times.get(edition))
        for edition, rate in panels.columns_of(table, columns, panels.SUCCESS)
        if table[[rate, times.get(edition, rate)]].notna().any(axis=None)
    ]


def _panel(ax, table, looks, layers):
    """Draw bars and lines; for an edition that prints at most one rate, hatched bars and markers.

    An empty edition stands for our runs.
    """
    second = _axis_of_success(ax)
    variants = list(style.series(table, looks))
    percent = np.sort(100 * table["fixed_fraction"].unique())
    step = np.diff(percent).min(initial=panels.MAX_STEP)
    width = step * panels.GROUP_WIDTH / len(variants)
    for number, (_, look, rows) in enumerate(variants):
        x = 100 * rows["fixed_fraction"]
        centers = x + step * panels.offset(number, len(variants))
        for edition, rate, time in layers:
            times = rows[time] if time else rows[rate] * np.nan
            bar = {"edgecolor": look.color, "lw": 0.5, "width": width}
            if not edition or rows[rate].count() > 1:
                ax.bar(centers, times, facecolor=style.pale(look.color), **bar)
                rates = 100 * rows[rate].dropna()
                second.plot(x[rates.index], rates, **style.entry(look), **LINE)
            else:  # below the bars, which may have the same height
                ax.bar(centers, times, facecolor="white", hatch=HATCH, zorder=0.9, **bar)
                panels.open_markers(second, x, 100 * rows[rate], edition, look.color)
                if times.notna().any():
                    name = f"{style.printed(edition).label}: time"
                    area = {"fc": "white", "ec": style.MUTED, "hatch": HATCH, "lw": 0.5}
                    style.explain(ax.figure, name, area=True, **area)


def _axis_of_success(ax):
    """Return second axes over the same fractions, with percent on the right."""
    second = ax.twinx()
    panels.percent_axis(second)
    second.grid(False)
    second.spines["right"].set_visible(True)
    if ax.get_subplotspec().is_last_col():
        second.set_ylabel("Solved (%)")
    return second

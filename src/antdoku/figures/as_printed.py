"""Figures in the form of the papers: what they print stands beside what our runs give, on the same
axes.

Numbers come from text, tables and the journal. An empty panel says that there are none.
"""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from antdoku.figures import panels, style

TIMES_S = (1e-5, 1e3)  # of the axis
NO_NUMBERS = "The paper prints no numbers for these instances."
CLOSE = 5  # points: a printed rate so near to ours is met
HATCH = "/////"
LINE = {"ls": "--", "lw": 0.9, "ms": 2.6}
BARS = "bars: mean CPU time of the solved runs"


def over_fractions(
    title: str, parts: dict, by_row: bool = False, texts: dict | None = None
) -> Figure:
    """Draw panels over fixed fractions, printed and ours: bars of time, dashed lines of success.

    Each of the parts, tables by their headings, has a pair of panels: what is printed above ours,
    or left of it (`by_row`). `texts` has by heading what a paper says in place of numbers.
    """
    parts = {heading: table for heading, table in parts.items() if len(table)}
    shape = (len(parts), 2) if by_row else (2, len(parts))
    found = [rates for table in parts.values() for rates in _rates(table)]
    fig = style.figure(f"{title}: {_agreement(found)}", height=1.6 + 1.6 * shape[0])
    axes = fig.subplots(*shape, sharex=True, sharey=True, squeeze=False)
    axes[0, 0].set(yscale="log", ylim=TIMES_S)
    axes[0, 0].yaxis.set_minor_formatter(NullFormatter())
    style.explain(fig, BARS, area=True, fc=style.pale(style.MUTED), ec=style.MUTED, lw=0.7)
    style.explain(fig, "lines: solved (right axis)", **LINE | {"ms": 0})
    for (heading, table), (printed, ours) in zip(parts.items(), axes if by_row else axes.T):
        printed.set_title(f"{heading}, printed".lstrip(", "))
        work = panels.limit(table)
        less = f"\n{work}" if " of the papers' work" in work else ""
        ours.set_title(f"{heading}, ours{_farthest(table)}{less}".lstrip(", "))
        layers = _layers(table)
        _panel(printed, table, layers)
        if not layers:
            text = (texts or {}).get(heading, NO_NUMBERS)
            place = {"transform": printed.transAxes, "ha": "center", "color": style.MUTED}
            printed.text(0.5, 0.5, text, **place)
        _panel(ours, table, [("", "success_rate", "mean_time_solved_s")])
        panels.fraction_axis(ours, table, every=10)
    for ax in axes.flat:
        ax.set(xlabel="Fixed cells (%)", ylabel="CPU time (s)")
        ax.label_outer()
    style.legend(fig)
    return fig


def by_rank(printed: pd.Series, ours: pd.Series) -> str:
    """Return how times agree that were taken on two machines: by their order."""
    known = printed.notna() & ours.notna()
    if (n := known.sum()) < 2:
        return "no two puzzles have a printed time and one of ours"
    ranks = printed[known].rank().corr(ours[known].rank())
    return f"printed and our times correlate with {ranks:.2f} (ranks of the {n} with both)"


def _rates(table):
    """Yield the rows with a printed rate, which is their column `printed`, by source."""
    for _, column in panels.published(table, "success_rate"):
        yield table.assign(printed=table[column]).dropna(subset="printed")


def _agreement(found):
    """Return how many of the printed rates ours meet."""
    apart = [100 * (rates["printed"] - rates["success_rate"]).abs().round(6) for rates in found]
    n, n_met = sum(map(len, apart)), sum((each <= CLOSE).sum() for each in apart)
    met = f"{n_met} of {n} printed rates are met within {CLOSE} points"
    return met if n else "no rate is printed"


def _farthest(table):
    """Return, as the end of a title, which printed rate is farthest from ours."""
    rates = pd.concat([table.iloc[:0], *_rates(table)], ignore_index=True)
    if rates.empty:
        return ""
    row = rates.loc[(rates["printed"] - rates["success_rate"]).abs().idxmax()]
    numbers = f"printed {100 * row['printed']:.0f}, ours {100 * row['success_rate']:.0f}"
    solver = f"{row['label']} " if table["variant"].nunique() > 1 else ""
    return f"; farthest: {solver}at {100 * row['fixed_fraction']:g} %, {numbers}"


def _layers(table):
    """Return the published numbers of a table: source, columns of success and of time."""
    times = dict(panels.published(table, "mean_time_s"))
    return [
        (source, rate, times.get(source))
        for source, rate in panels.published(table, "success_rate")
        if table[[rate, times.get(source, rate)]].notna().any(axis=None)
    ]


def _panel(ax, table, layers):
    """Draw bars and lines; of a paper with one rate or none its own open markers."""
    second = ax.twinx()
    second.set(ylim=(-4, 104), yticks=range(0, 101, 20))
    second.grid(False)
    second.spines["right"].set_visible(True)
    if ax.get_subplotspec().is_last_col():
        second.set_ylabel("Solved (%)")
    variants = list(style.series(table))
    percent = np.sort(100 * table["fixed_fraction"].unique())
    step = np.diff(percent).min(initial=panels.MAX_STEP)
    width = step * panels.GROUP_WIDTH / len(variants)
    for number, (_, look, rows) in enumerate(variants):
        x = 100 * rows["fixed_fraction"]
        places = x + step * panels.offset(number, len(variants))
        for source, rate, time in layers:
            times = rows[time] if time else rows[rate] * np.nan
            bar = {"edgecolor": look.color, "lw": 0.5, "width": width}
            if not source or rows[rate].count() > 1:
                ax.bar(places, times, facecolor=style.pale(look.color), **bar)
                known = rows[rate].notna()
                second.plot(x[known], 100 * rows.loc[known, rate], **style.entry(look), **LINE)
            else:  # below the bars, which may have the same height
                ax.bar(places, times, facecolor="white", hatch=HATCH, zorder=0.9, **bar)
                panels.open_markers(second, x, 100 * rows[rate], source, look.color)
                if times.notna().any():
                    name = f"{style.published()[source].label}: time"
                    area = {"fc": "white", "ec": style.MUTED, "hatch": HATCH, "lw": 0.5}
                    style.explain(ax.figure, name, area=True, **area)

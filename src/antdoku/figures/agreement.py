"""The picture of the record: the verdicts, and printed numbers against ours."""

from textwrap import wrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from antdoku.figures import style
from antdoku.figures.style import SPACE  # an SVG shows several plain spaces as one
from antdoku.papers import Look
from antdoku.statistics import MARGIN, Rate, cohens_h
from antdoku.times import duration

MARKERS = ("o", "D", "X", "^", "s")  # by verdict, in the order of `style.VERDICT_COLORS`
HATCH = "/////"  # of the last verdict, in the colour of the verdict before
DARK = (style.VERDICT_COLORS[0], style.VERDICT_COLORS[2])  # below white words
NAMED = 7  # rates that are farthest from the printed ones
LENS = {"fc": "#E9E9E9", "lw": 0, "zorder": 0}
DIAGONAL = {"color": style.MUTED, "lw": 0.7, "zorder": 1}
SHORT = 0.03  # of all claims: a segment with room for its number
# Of the list, by whether it is narrow: characters and inches of a line, with space around the list.
LINES = {False: (108, 0.15), True: (40, 0.19)}
MOST_LINES = 4  # of a claim
HEIGHTS = (0.38, 3.4)  # inches: the bar and its legend, the panels


@style.styled
def overview(claims: pd.DataFrame, rates: pd.DataFrame, times: pd.DataFrame, verdicts) -> Figure:
    """Draw the number of claims with each verdict, and printed numbers against ours.

    Parameters
    ----------
    claims : DataFrame
        A row for each claim, with its `verdict`.
    rates, times : DataFrame
        The claims that compare a success rate (percent) or a mean time (seconds). Columns `claim`,
        `printed`, `measured`, `ours` (the measurement in words) and `verdict`.
    verdicts : sequence of str
        All verdicts, in the order of `style.VERDICT_COLORS`; the first one says that a claim holds.
    """
    counts = claims["verdict"].value_counts().reindex(list(verdicts), fill_value=0)
    colors = [*style.VERDICT_COLORS, style.VERDICT_COLORS[-1]][: len(verdicts)]
    looks = {name: Look(name, *look) for name, *look in zip(verdicts, colors, MARKERS)}
    farthest = rates.loc[_distance(rates).nlargest(NAMED).index]
    letters, line_height = LINES[style.is_narrow()]
    lines = _listed(farthest, letters)
    heights = (*HEIGHTS, line_height * len(lines))
    fig = style.figure(_title(counts, rates), height=style.HEAD + sum(heights))
    layout = (("bar", "bar"), ("rates", "times"), ("names", "names"))
    axes = style.mosaic(fig, layout, height_ratios=heights)
    _bar(axes["bar"], counts, looks)
    _rates(axes["rates"], rates, looks)
    _number(axes["rates"], farthest)
    _name(axes["names"], lines, len(farthest))
    _times(axes["times"], times, looks)
    return fig


def _title(counts, rates):
    """Return the numbers of claims that hold, and of rates within the margin."""
    n_near = (_distance(rates) <= MARGIN).sum()
    return (
        f"{counts.iloc[0]} of {counts.sum()} published statements hold; "
        f"{n_near} of {len(rates)} success rates lie within the test's margin"
    )


def _bar(ax, counts, looks):
    """Draw a segment for each verdict, above a legend with the markers of the other panels."""
    left, total = 0, counts.sum()
    for verdict, number in counts.items():
        color, is_open = looks[verdict].color, _is_open(verdict, looks)
        face = {"hatch": HATCH} if is_open else {}
        ax.barh(0, number, 1, left, fc=color, ec=style.MUTED, lw=0.6, **face)
        if number >= SHORT * total:
            box = {"fc": "white", "lw": 0, "pad": 1.5} if is_open else None
            middle = {"ha": "center", "va": "center", "weight": "bold"}
            middle["color"] = "white" if color in DARK else style.INK
            ax.text(left + number / 2, 0, str(number), bbox=box, **middle)
        left += number
        label = verdict if number >= SHORT * total else f"{verdict} ({number})"
        ax.plot([], [], ls="", label=label, **_mark(verdict, looks))
    ax.set(xlim=(0, total), ylim=(-0.52, 0.52))
    ax.set_axis_off()
    corner = {"loc": "upper left", "bbox_to_anchor": (0, 0), "borderaxespad": 0.2}
    columns = 2 if style.is_narrow() else len(counts)
    ax.legend(ncols=columns, handletextpad=0.2, columnspacing=2, borderpad=0, **corner)


def _is_open(verdict, looks):
    return verdict == [*looks][-1]


def _mark(verdict, looks):
    """Return keywords of the markers of a verdict."""
    look = looks[verdict]
    edge = style.MUTED if look.color == style.VERDICT_COLORS[-1] else look.color
    return {"marker": look.marker, "mfc": look.color, "mec": edge, "ms": 4.6, "mew": 0.8}


def _dots(ax, table, looks):
    """Draw a marker for each claim, rare verdicts above frequent ones."""
    for verdict in table["verdict"].value_counts().index:
        rows = table[table["verdict"] == verdict]
        mark = _mark(verdict, looks)
        ax.plot(rows["printed"], rows["measured"], ls="", clip_on=False, zorder=2.5, **mark)


def _rates(ax, table, looks):
    """Draw rates in percent, with the margin of the test as a lens."""
    x = np.linspace(0, 100, 401)
    ax.fill_between(x, _moved(x, -MARGIN), _moved(x, MARGIN), **LENS)
    ax.plot([0, 100], [0, 100], **DIAGONAL)
    _dots(ax, table, looks)
    ticks = range(0, 101, 20)
    ax.set(xlim=(-2, 104), ylim=(-2, 104), xticks=ticks, yticks=ticks, box_aspect=1, anchor="NW")
    ax.set(xlabel="Printed (% solved)", ylabel="Ours (% solved)")
    n_near = (_distance(table) <= MARGIN).sum()
    ax.set_title(f"(a) {len(table)} success rates, {n_near} within the margin of the test")
    n_full = (table[["printed", "measured"]].min(axis=1) == 100).sum()
    text = f"grey: the margin\n(Cohen's h of {MARGIN:g})\n{n_full} rates are\n100 % in both"
    ax.text(97, 41, text, ha="right", va="top", color=style.MUTED)
    ax.grid(axis="x")


def _number(ax, table):
    """Write numbers beside the markers of some rates; markers at one place share a label."""
    numbered = table.assign(number=np.arange(1, len(table) + 1).astype(str))
    groups = numbered.groupby([numbered["printed"].round(), numbered["measured"].round()])
    for (printed, measured), rows in groups:
        text = ", ".join(rows["number"])
        move = (6, -10) if measured > printed else (-6, 6)
        side = {"ha": "left" if measured > printed else "right", "textcoords": "offset points"}
        ax.annotate(text, (printed, measured), move, weight="bold", **side)


def _name(ax, lines, n_claims):
    """Write a numbered list of claims."""
    text = ax.text(0, 1, "\n".join(lines), va="top", linespacing=1.2, transform=ax.transAxes)
    text.set_in_layout(False)
    ax.set_title(f"The {n_claims} farthest rates: printed → ours")
    ax.set_axis_off()


def _listed(table, letters):
    """Return the lines of a numbered list of rates: printed, ours with its worst place, claim."""
    lines = []
    for number, row in enumerate(table.itertuples(), start=1):
        text = style.together(f"{row.printed:.0f} % → {row.ours}: {row.claim}")
        first, *rest = wrap(text, letters, max_lines=MOST_LINES, placeholder=" …")
        lines += [f"{number}{SPACE * 2}{first}", *(f"{SPACE * 4}{line}" for line in rest)]
    return lines


def _times(ax, table, looks):
    """Draw mean times in seconds on logarithmic axes."""
    if table.empty:
        ax.set_axis_off()
        return
    values = table[["printed", "measured"]].to_numpy()
    ends = values.min() / 2, 2 * values.max()
    ax.plot(ends, ends, **DIAGONAL)
    _dots(ax, table, looks)
    ax.set(xscale="log", yscale="log", xlim=ends, ylim=ends, box_aspect=1, anchor="NW")
    ax.set(xlabel="Printed (mean time)", ylabel="Ours (scaled to their machine)")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(LogLocator(100))
        axis.set_major_formatter(FuncFormatter(lambda seconds, _: duration(seconds)))
        axis.set_minor_formatter(NullFormatter())
    n_near = (np.abs(np.log2(values[:, 1] / values[:, 0])) <= 1).sum()
    ax.set_title(f"(b) {len(table)} mean times, {n_near} within a factor of 2")
    ax.grid(axis="x")


def _distance(table):
    """Return the distance of rates from the printed ones, as Cohen's h."""
    ours, printed = (Rate(table[name] / 100) for name in ("measured", "printed"))
    return cohens_h([ours], [printed]).abs()


def _moved(percent, h):
    """Return the rates at a distance of `h` from rates, at most 0 or 100 %."""
    angle = 2 * np.arcsin(np.sqrt(percent / 100)) + h
    return 100 * np.sin(np.clip(angle, 0, np.pi) / 2) ** 2

"""Parts of the data figures of all papers: panels over fixed fractions, marks, limits.

`looks` holds the looks of the variants of a table (`style.looks_of`), `printed` the columns of its
printed numbers (`columns.Column`, with edition and metric).
"""

import math

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogFormatterSciNotation

from antdoku.columns import Column
from antdoku.figures import style
from antdoku.tables.summary import RATE

SUCCESS, MEAN_TIME = "success", "mean_time"  # metrics of printed numbers
MOST_SHIFT = 0.6  # percent: more would show another fraction of fixed cells
GROUP_WIDTH = 0.84  # of the distance between two positions on the x axis
MAX_STEP = 10  # percent: few fixed fractions do not make the bands wider than this
HIGH = 70  # percent: where success nowhere falls below, its axis begins here
INSET = (0.62, 0.17, 0.37, 0.6)  # of the axes: left, bottom, width, height
SEEN = 0.02  # a narrower band cannot be seen
FULL_WORK = 0.995  # of the papers' work: more is all of it
BAND_ALPHA = 0.18  # of an area of uncertainty or range
MEANS = {"mean_time_solved_s": "Mean CPU time\nof solved runs (s)"}  # what papers print
DOTTED = {"color": style.MUTED, "ls": (0, (1, 1.5)), "lw": 0.9, "zorder": 1}


# --- whole figures -------------------------------------------------------------------------------


def one_order(
    title: str, table, looks, printed: dict[str, Column], inset: tuple[int, int] | None = None
) -> Figure:
    """Draw success above, time below, of a table over fixed fractions of one order.

    If success stays high its panel is short; if all runs solved only the title says so. An inset
    enlarges success between two fixed fractions, in percent.
    """
    runs = f"{span(table['n'])} runs per point, {limit(table)}"
    if (table["solved"] == table["n"]).all():
        fig, heading = style.figure(f"{title}: all runs solved", height=3.0), f"{runs}:"
        below = fig.subplots()
        _measure(below, table, looks, printed)
        fraction_axis(below, table)
    else:
        is_high = 100 * min(table["wilson_low"].min(), table["rate_at_less"].min()) >= HIGH
        fig = style.figure(_conclusion(title, table), height=4.2 if is_high else 4.9)
        heights, heading = (1, 2) if is_high else (1, 1), "(b)"
        ((above, below),) = _success_and(fig, table, [table], looks, printed, height_ratios=heights)
        above.set_title(f"(a) success rate, with 95 % Wilson intervals: {runs}")
        if is_high:
            above.set_ylim(HIGH - 2, 101)
        if inset:
            _enlarge(above, table, looks, printed, inset)
    times = [name for _, name in columns_of(table, printed, MEAN_TIME)]
    machine = "; printed: their machine, 2018" if table[times].notna().any(axis=None) else ""
    below.set(title=f"{heading} mean CPU time of the solved runs{machine}", ylabel="CPU time (s)")
    style.legend(fig)
    return fig


def _conclusion(title, table):
    """Return a title that says how much each solver solves at the hardest point."""
    hardest = table.groupby("fixed_fraction")["success_rate"].mean().idxmin()
    rows = table[table["fixed_fraction"] == hardest]
    rows = rows.sort_values("success_rate", ascending=False, kind="stable")
    shares = [f"{row.label} {100 * row.success_rate:.0f} %" for row in rows.itertuples()]
    best = rows.iloc[0]
    shares[0] = f"{best['label']} solves {100 * best['success_rate']:.0f} %"
    return f"{title}: with {100 * hardest:g} % fixed, {', '.join(shares)}"


def _enlarge(ax, table, looks, printed, ends):
    """Enlarge success between two fixed fractions, if there are three or more and it hides none."""
    percent = (100 * table["fixed_fraction"]).round()
    rows = table[percent.between(*ends)]
    left_of_box = percent.min() + INSET[0] * (percent.max() - percent.min())
    if rows["fixed_fraction"].nunique() < 3 or ends[1] > left_of_box:
        return
    box = ax.inset_axes(INSET)
    _success(box, rows, looks, printed)
    fraction_axis(box, rows)
    box.set_xlabel("")
    percent_axis(box)
    box.set_title(f"{ends[0]} to {ends[1]} %, enlarged")


def all_orders(
    title: str,
    table,
    looks,
    printed: dict[str, Column],
    measures: dict[str, str] = MEANS,
    conclusion: str = "",
) -> Figure:
    """Draw success above `measures`, which holds axis labels by columns; one column per order.

    A conclusion stands in the title, and the number of runs beside the axis of success.
    """
    keys = table.columns.intersection(["experiment", "order"])
    parts = [rows for _, rows in table.groupby([*keys])]
    runs = f"{span(table['n'])} runs"
    if (table["n_instances"] < table["n"]).any():
        runs += f" ({span(table['n_instances'])} instances)"
    title = f"{title}: {conclusion or f'{runs} per point'}"
    fig = style.figure(title, height=2.3 + 2 * len(measures))
    panels = _success_and(fig, table, parts, looks, printed, measures, every=20)
    if conclusion:
        panels[0][0].set_ylabel(f"Solved (%) of\n{runs}")
    for rows, (above, *_) in zip(parts, panels):
        *experiment, order = rows[keys].iloc[0]
        above.set_title(": ".join([*experiment, f"{style.ORDERS[order].label}\n{limit(rows)}"]))
    style.legend(fig)
    return fig


def _success_and(fig, table, parts, looks, printed, measures=MEANS, every=None, **grid):
    """Draw a column of panels for each part of a table; return the axes, a row a column."""
    if "work_factor" in table and (table["rate_at_more"] - table["rate_at_less"]).max() >= SEEN:
        label = f"success with 1/f to f times the work, f = {_ends(table['work_factor'])}"
        style.explain(fig, label, area=True, fc=style.MUTED, alpha=BAND_ALPHA, lw=0)
    grid |= {"sharex": "col", "sharey": "row", "squeeze": False}
    axes = fig.subplots(1 + len(measures), len(parts), **grid)
    axes[0, 0].set_ylabel("Solved (%)")
    percent_axis(axes[0, 0])
    for rows, (above, *below) in zip(parts, axes.T):
        _success(above, rows, looks, printed)
        for measure, ax in zip(measures, below):
            _measure(ax, rows, looks, printed, measure)
        fraction_axis(below[-1], rows, every)
    _limit_times(axes[-1, 0], table, printed, measure)
    for ax, label in zip(axes[1:, 0], measures.values()):
        ax.set_ylabel(label)
    return axes.T


# --- panels over fixed fractions -----------------------------------------------------------------


def _success(ax, table, looks, printed):
    for look, rows, x in _side_by_side(table, looks):
        if "work_factor" in table:
            low, high = 100 * rows["rate_at_less"], 100 * rows["rate_at_more"]
            ax.fill_between(x, low, high, color=look.color, alpha=BAND_ALPHA, lw=0)
        rates(ax, x, rows, color=look.color, marker=look.marker, ls="--", lw=0.9)
        for edition, name in columns_of(table, printed, SUCCESS):
            open_markers(ax, x, 100 * rows[name], edition, look.color)


def _measure(ax, table, looks, printed, measure="mean_time_solved_s"):
    ax.set_yscale("log")
    for look, rows, x in _side_by_side(table, looks):
        ax.plot(x, rows[measure], **style.entry(look), ls="--", lw=0.9)
        mark_failure(ax, x[rows["solved"] == 0], look.color)
        for edition, name in columns_of(table, printed, MEAN_TIME):
            open_markers(ax, x, rows[name], edition, look.color)
    if measure.endswith("_s"):
        mark_limit(ax.axhline, table)
    ax.yaxis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(1, 0.4)))


def _side_by_side(table, looks):
    """Yield look, rows and x positions (percent), kept apart, of each variant."""
    count = table["variant"].nunique()
    shifts = 2 * MOST_SHIFT / max(count - 1, 1) * (np.arange(count) - (count - 1) / 2)
    for shift, (_, look, rows) in zip(shifts, style.series(table, looks)):
        yield look, rows, (100 * rows["fixed_fraction"] + shift).to_numpy()


def _limit_times(ax, table, printed, measure):
    """Start the y axis at a power of ten below all marks, so that one tick has a label."""
    times = [name for _, name in columns_of(table, printed, MEAN_TIME)]
    values = np.append(table[[*times, measure]].to_numpy().ravel(), by_seconds(table)["limit_s"])
    values = values[np.isfinite(values) & (values > 0)]
    if values.size:
        ax.set_ylim(10.0 ** math.floor(math.log10(values.min() / 1.5)), 1.6 * values.max())


def columns_of(table, printed: dict[str, Column], metric: str) -> list[tuple[str, str]]:
    """Return edition and name of the columns of a table with the printed numbers of a metric."""
    return [
        (column.edition, name)
        for name, column in printed.items()
        if column.metric == metric and name in table
    ]


def offset(number: int, count: int) -> float:
    """Return the shift of series `number` of `count`, as a fraction of the step on the x axis."""
    return GROUP_WIDTH * ((number + 0.5) / count - 0.5)


def fraction_axis(ax, table, every: int | None = None) -> None:
    """Make an x axis of fixed fractions in percent, of many with a label each `every` percent."""
    percent = np.unique((100 * table["fixed_fraction"]).round(4))
    step = np.diff(percent).min(initial=MAX_STEP)
    ax.set_xlim(percent[0] - 0.7 * step, percent[-1] + 0.7 * step)
    if every and len(percent) > 6:
        first = every * np.ceil(percent[0] / every) if percent[0] >= every else 0
        ax.set_xticks(np.arange(first, percent[-1] + 1, every))
        ax.xaxis.set_minor_locator(FixedLocator(percent))
    else:
        ax.set_xticks(percent, [f"{value:g}" for value in percent])
    ax.set_xlabel("Fixed cells (%)")


def percent_axis(ax, low: float = -4, high: float = 104) -> None:
    """Make a y axis of percent; `low` and `high` leave room for marks at 0 and 100."""
    ax.set(ylim=(low, high), yticks=range(0, 101, 20))


def puzzle_axis(ax, names: list[str], **kwargs) -> None:
    """Make an x axis of puzzles, at 0, 1 and so on: ``hard_a`` is "hard a"."""
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_xticks(range(len(names)), [name.replace("_", " ") for name in names], **kwargs)
    ax.tick_params(axis="x", length=0)


def positions(puzzles: list[str], number: int, count: int) -> pd.Series:
    """Return the x positions of series `number` of `count` by puzzle, for `puzzle_axis`."""
    return pd.Series(range(len(puzzles)), puzzles) + offset(number, count)


def note(ax, text: str) -> None:
    """Write in the middle of empty axes why there is nothing to draw."""
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", color=style.MUTED)


def log_times(ax) -> None:
    """Make the y axis logarithmic if it shows any value: runs without limits have no PAR2."""
    if np.isfinite(ax.dataLim.minposy):
        ax.set_yscale("log")


# --- marks, with their entries in the legend -----------------------------------------------------


def rates(ax, x, rows, names=RATE, scale=100, **kwargs) -> None:
    """Draw rates and their intervals, the columns `names`; times `scale` they are percent."""
    rate, low, high = (scale * rows[name] for name in names)
    lengths = np.clip([rate - low, high - rate], 0, None)
    ax.errorbar(x, rate, lengths, **{"elinewidth": 0.7} | kwargs)


def open_markers(ax, x, y, edition: str, color: str, suffix: str = "") -> None:
    """Draw printed values; a white halo keeps a mark visible on a bar or box of its colour."""
    look = style.printed(edition)
    mark = {"ls": "", "marker": look.marker, "ms": style.MARKER_SIZES[look.marker], "mfc": "none"}
    # Below our own (smaller) markers, and every halo below every mark: values may coincide.
    ax.plot(x, y, mec="white", mew=2.4, zorder=1.8, clip_on=False, **mark)
    ax.plot(x, y, mec=color, mew=0.8, zorder=1.9, clip_on=False, **mark)
    if np.isfinite(y).any():
        style.explain(ax.figure, look.label + suffix, color=style.MUTED, mew=0.8, **mark)


def mark_failure(ax, x, color: str) -> None:
    """Draw a cross on the x axis for each group of runs none of which solved."""
    mark = {"marker": "x", "ms": 3, "mew": 0.9, "color": color}
    ax.plot(x, np.full(len(x), 0.025), ls="", transform=ax.get_xaxis_transform(), **mark)
    if len(x):
        style.explain(ax.figure, "no run solved", marker="x", ms=3)


def mark_limit(mark, table, label: str = "our time limit") -> None:
    """Draw a line at each time limit by `mark`, a method of axes."""
    for limit_s in by_seconds(table)["limit_s"].dropna().unique():
        mark(limit_s, **DOTTED, label=label)


# --- parts of titles -----------------------------------------------------------------------------


def span(counts) -> str:
    """Return ``100``, or ``20 to 100``."""
    low, high = counts.min(), counts.max()
    return str(low) if low == high else f"{low} to {high}"


def point(rows, family: str = "") -> str:
    """Return ``25 × 25, 45 % fixed`` for rows at one point; for given puzzles family and size."""
    size, percent = style.ORDERS[rows["order"].iloc[0]].label, 100 * rows["fixed_fraction"].iloc[0]
    return f"{family}, {size}" if np.isnan(percent) else f"{size}, {percent:.3g} % fixed"


def shares_of_work(table):
    """Return the limits of runs as shares of the papers' work, at most 1, where it is known."""
    work = table.reindex(columns=["work_steps"])["work_steps"]
    return (table["limit_steps"] / work).dropna().clip(upper=1)


def limit(table) -> str:
    """Return where runs ended: ``limit 5 s``, ``limit 1000 steps``, ``at the papers' work``.

    If runs had less work, the text has the share. A second line counts runs that seconds ended.
    """
    shares = shares_of_work(table)
    rest = table.drop(index=shares.index)
    texts, limits = [], []
    if len(shares):
        share = f"{_ends(shares)} of " if shares.min() <= FULL_WORK else ""
        texts.append(f"at {share}the papers' work")
    steps = rest.loc[rest["limit_steps"] > 0, "limit_steps"].unique()
    if len(steps):
        limits.append(f"{steps[0]} steps" if len(steps) == 1 else "in steps")
    if seconds := sorted(by_seconds(rest)["limit_s"].dropna().unique()):
        limits.append(" / ".join(f"{value:g}" for value in seconds) + " s")
    if limits:
        texts.append("limit " + " or ".join(limits))
    text = ", ".join(texts) or "no time limit"
    if "n_unfinished" in table and (ended := table["n_unfinished"].sum()):
        text += f",\n{ended} runs ended before, by their limit in seconds"
    return text


def by_seconds(table):
    """Return the rows of runs that seconds limit. Beside a limit in steps they are only a guard."""
    return table[table["limit_steps"] < 0]


def _ends(numbers):
    """Return ``1.3``, or ``1.3 – 2``."""
    return " – ".join(dict.fromkeys(f"{value:.2g}" for value in (numbers.min(), numbers.max())))

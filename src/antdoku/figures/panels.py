"""Parts of the data figures of all papers: panels over fixed fractions, marks, limits.

`looks` holds the looks of the variants of a table (`style.looks_of`), `printed` the columns of its
printed numbers (`columns.Column`, with edition and metric).
"""

from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter

from antdoku import papers
from antdoku.columns import Column
from antdoku.errors import InputError
from antdoku.figures import style
from antdoku.figures.as_printed import MEAN_TIME, SUCCESS, columns_of, met
from antdoku.figures.as_printed import rates as printed_rates
from antdoku.papers import published
from antdoku.statistics import wilson
from antdoku.tables.summary import RATE
from antdoku.times import duration

MOST_SHIFT = 0.6  # percent: more would show another fraction of fixed cells
GROUP_WIDTH = 0.84  # of the distance between two positions on the x axis
MAX_STEP = 10  # percent: few fixed fractions do not make the margins wider than this
NARROW = 26  # characters of a title above one of several panels
MOST_NAMED = 4  # variants in a title, and panels in a row
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))  # of axes: the lower left one first
TEXT_X, TEXT_Y = ((0.03, "left"), (0.97, "right")), ((0.05, "bottom"), (0.95, "top"))
LEFT_BY_LAYOUT = (1, 0.7)  # of width and height of axes, by titles and legends around them
LETTER, LINE, MARK = 0.06, 0.13, 0.06  # inches: of a letter, a line, and a mark with a margin
BAR_POINTS = 20  # of an error bar, that text must not cover
BELOW = 20  # percentage points of an axis of rates below the least one
# Labels of an axis of times: digits, by the ratio of its ends below which they have room.
DIGITS = {"x": {8: (1, 2, 5), 100: (1, 3)}, "y": {50: (1, 2, 5)}}
SEEN = 0.02  # a narrower band cannot be seen
FULL_WORK = 0.995  # of the paper's work: more is all of it
BAND_ALPHA = 0.25  # of an area of uncertainty or range
UNCERTAIN = "if the paper's program did fewer or more steps"
DOTTED = {"color": style.MUTED, "ls": (0, (1, 1.5)), "lw": 0.9, "zorder": 1}


# --- whole figures -------------------------------------------------------------------------------


def one_order(title: str, table, looks, printed: dict[str, Column], n_printed: int = 0) -> Figure:
    """Draw success, a panel for each variant, above times, over fixed fractions of one order.

    Its title is a sentence with the result, not `title`. Fractions beyond which all runs are solved
    are left out. A printed rate has the 95 % interval of `n_printed` runs. A variant that solves
    all runs, as printed, has no panel of success.
    """
    if len(orders := table["order"].unique()) > 1:
        text = f"one_order draws one order, and the table has {', '.join(map(str, orders))}"
        raise InputError(f"{text}: add order=... to its Rows", title)
    rows = hard_part(table)
    shown = rows[~rows["label"].isin(_flawless(table, printed))]
    fig = style.figure(_of_order(table, printed), height=3.0)
    if shown.empty:
        below = fig.subplots()
    else:
        n_rows = -(-shown["variant"].nunique() // _most_in_row())
        fig.set_figheight(2.3 + 2.0 * n_rows)
        below = _draw_panels(fig, shown, looks, printed, n_printed)
    lines = mean_times(below, rows, looks, printed)
    runs = f"{n_runs(table)} a point, {limit(table)}"
    below.set_title(f"Mean CPU time of the solved runs{_printed_times(rows, printed)}\n{runs}")
    style.legend(fig, {below: lines})
    return fig


def _printed_times(rows, printed):
    """Return, in brackets, whose printed times are shown; empty if the paper has others."""
    if columns_of(rows, printed, MEAN_TIME):
        return " (printed: on the authors' machine)"
    editions, order = {column.edition for column in printed.values()}, rows["order"].iloc[0]
    times = [published.values(edition, MEAN_TIME) for edition in editions]
    times = [part[part["instance"] == published.GENERAL] for part in times]
    has_none = not any((part["order"] == order).any() for part in times)
    return " (the paper prints none)" if editions and has_none else ""


def _flawless(table, printed):
    """Return the labels of the variants that solve all runs, with no printed rate below 100 %."""
    names = [name for _, name in columns_of(table, printed, SUCCESS)]
    least = table[["success_rate", *names]].min(axis=1).groupby(table["label"], sort=False).min()
    return [*least.index[least == 1]]


def _of_order(table, printed):
    """Return, as a sentence, the success of the variants at one order, and the rates in print."""
    size, flawless = style.ORDERS[table["order"].iloc[0]].label, _flawless(table, printed)
    rest = table[~table["label"].isin(flawless)]
    if (table["success_rate"] == 1).all():
        slowest = duration(table["mean_time_solved_s"].max())
        text = f"At {size} all runs are solved; the slowest mean is {slowest}"
        return text if rest.empty else text + met(printed_rates(table, printed))
    text = conclusion(hardest(table))
    if flawless:
        lowest = rest.loc[rest["success_rate"].idxmin()]
        rate = f"{percent(lowest['success_rate'])} ({lowest['label']})"
        text = f"At {size}, {who_solve(flawless)} all runs; the lowest rate is {rate}"
    return text + met(printed_rates(table, printed))


def _draw_panels(fig, table, looks, printed, n_printed):
    """Draw success, a panel for each variant; return empty axes below them."""
    variants = list(style.series(table, looks))
    n_rows = -(-len(variants) // _most_in_row())
    grid = fig.add_gridspec(n_rows + 1, min(len(variants), _most_in_row()))
    at = hardest(table)["fixed_fraction"].iloc[0]
    for cell, (_, look, rows) in zip(grid, variants):
        ax = fig.add_subplot(cell)
        success(ax, rows, looks, printed, n_printed)
        fraction_axis(ax, table, every=20)
        ax.set_title(look.label)
        write_rates(ax, rows[rows["fixed_fraction"] == at], printed)
        if cell.is_first_col():
            ax.set_ylabel("Solved (%)")
    if not columns_of(table, printed, SUCCESS):  # else printed rates stand in the lower left
        low = min(ax.dataLim.y0 for ax in fig.axes)
        for ax in fig.axes:
            ax.set_ylim(bottom=max(low - BELOW, ax.get_ylim()[0]))
    return fig.add_subplot(grid[-1, :])


def write_rates(ax, rows, printed: dict[str, Column]) -> None:
    """Write our rate at one point and the printed ones into a corner of a panel without marks.

    Without such a corner they stand below the title. Limits and title must be set before.
    """
    names = [name for _, name in columns_of(rows, printed, SUCCESS)]
    if names:
        row = rows.iloc[0]
        ours, *others = (_short_percent(row[name]) for name in ("success_rate", *names))
        point = f"at {100 * row['fixed_fraction']:g} %:"
        lines = [point, f"ours {ours}", f"paper {', '.join(others)}"]
        if corner := _free_corner(ax, lines):
            (x, side), (y, edge) = (
                places[end] for places, end in zip((TEXT_X, TEXT_Y), corner, strict=True)
            )
            place = {"transform": ax.transAxes, "ha": side, "va": edge}
            ax.text(x, y, "\n".join(lines), linespacing=1.15, **place)
        else:
            ax.set_title(f"{ax.get_title('left')}\n{point} ours {ours},\n{lines[-1]}")


def _free_corner(ax, lines):
    """Return the first corner (x, y) of axes in which lines of text cover no mark or error bar.

    None without such a corner.
    """
    size = ax.get_position().size * ax.figure.get_size_inches() * LEFT_BY_LAYOUT
    marks = [line.get_xydata() for line in ax.lines]
    bars = [bar for part in ax.collections for bar in getattr(part, "get_segments", list)()]
    marks += [np.linspace(*bar, BAR_POINTS) for bar in bars if len(bar) == 2]
    marks = ax.transLimits.transform(np.vstack(marks))
    for corner in CORNERS:
        x, y = (np.abs(marks - corner) * size).T  # distances from the corner
        from_edge = lines if corner[1] else lines[::-1]
        is_covered = [
            (x < LETTER * len(line) + MARK) & (np.abs(y - LINE * (number + 0.7)) < LINE / 2 + MARK)
            for number, line in enumerate(from_edge)
        ]
        if not np.any(is_covered):
            return corner
    return None


def _most_in_row():
    return MOST_NAMED // 2 if style.is_narrow() else MOST_NAMED


def hard_part(table):
    """Return the rows up to the least fraction from which on all runs are solved.

    All rows if no run failed.
    """
    fractions = table["fixed_fraction"]
    last = fractions[table["solved"] < table["n"]].max()
    return table[~(fractions > fractions[fractions > last].min())]


def all_orders(title, table, looks, measures) -> Figure:
    """Draw success above `measures`, which holds axis labels by columns; one column per order."""
    keys = [*table.columns.intersection(["experiment", "order"])]
    parts = list(table.groupby(keys))
    width = min(NARROW, 3 * NARROW // len(parts))  # characters above one of more than three columns
    fig = style.figure(title, height=2.3 + 2 * len(measures))
    axes = _grid(fig, 1 + len(measures), len(parts))
    for ((*experiment, order), rows), (above, *below) in zip(parts, axes.T):
        success(above, rows, looks, {}, band=False)
        for measure, ax in zip(measures, below):
            for label, line in _measure(ax, rows, looks, {}, measure).items():
                line.set_label(label)
        fraction_axis(below[-1], rows, every=20)
        heading = f"{style.ORDERS[order].label}, {span(rows['n'])} runs"
        titles = [fill(f"{papers.experiment_title(name)}:", width) for name in experiment]
        above.set_title("\n".join([*titles, heading, fill(limit(rows), NARROW)]))
    for ax, label in zip(axes[:, 0], ("Solved (%)", *measures.values())):
        ax.set_ylabel(label)
    style.legend(fig)
    return fig


def _grid(fig, n_rows, n_columns):
    """Return axes in rows and columns; in a narrow figure the columns stand below one another."""
    if not style.is_narrow():
        return fig.subplots(n_rows, n_columns, sharex="col", sharey="row", squeeze=False)
    fig.set_figheight(style.HEAD + 2 * n_rows * n_columns)
    return fig.subplots(n_rows * n_columns, squeeze=False).reshape(n_columns, n_rows).T


# --- panels over fixed fractions -----------------------------------------------------------------


def success(ax, table, looks, printed, n_printed=0, band=True):
    """Draw success rates and printed rates with 95 % intervals, and what other work would change.

    The band reaches from success at the least to success at the greatest work that the paper's
    program may have done. Return the artists of the rates by label.
    """
    drawn = {}
    for look, rows, x in _side_by_side(table, looks):
        if band and "work_factor" in table:
            _draw_band(ax, x, rows, look)
        mark = {"color": look.color, "marker": look.marker, "lw": 0.9}
        drawn[look.label] = rates(ax, x, rows, **mark)
        for edition, name in columns_of(table, printed, SUCCESS):
            open_markers(ax, x, 100 * rows[name], edition, look.color, n=n_printed)
    percent_axis(ax)
    return drawn


def _draw_band(ax, x, rows, look):
    """Draw the range of success over the paper's possible work; ends without runs have our rate."""
    ends = rows[["rate_at_less", "rate_at_more"]]
    low, high = 100 * ends.where(ends.notna(), rows["success_rate"], axis=0).T.to_numpy()
    if (high - low).max() < SEEN:
        return
    ax.fill_between(x, low, high, color=look.color, alpha=BAND_ALPHA, lw=0)
    style.explain(ax.figure, UNCERTAIN, area=True, fc=style.MUTED, alpha=BAND_ALPHA, lw=0)


def mean_times(ax, table, looks, printed):
    """Draw mean times of the solved runs, with printed ones; return the lines by label."""
    lines = _measure(ax, table, looks, printed)
    fraction_axis(ax, table, every=10)
    ax.set_ylabel("CPU time")
    return lines


def _measure(ax, table, looks, printed, measure="mean_time_solved_s"):
    ax.set_yscale("log")
    lines = {}
    for look, rows, x in _side_by_side(table, looks):
        mark = {"color": look.color, "marker": look.marker, "lw": 0.9}
        (lines[look.label],) = ax.plot(x, rows[measure], **mark)
        failed = (
            "no run solved" if measure.startswith("mean") else "half of the runs or more failed"
        )
        mark_failure(ax, x[rows[measure].isna()], look.color, failed)
        for edition, name in columns_of(table, printed, MEAN_TIME):
            open_markers(ax, x, rows[name], edition, look.color)
    if measure.endswith("_s"):
        mark_limit(ax.axhline, table)
        time_axis(ax)
    return lines


def _side_by_side(table, looks):
    """Yield look, rows and x positions (percent), kept apart, of each variant."""
    count = table["variant"].nunique()
    shifts = 2 * MOST_SHIFT / max(count - 1, 1) * (np.arange(count) - (count - 1) / 2)
    for shift, (_, look, rows) in zip(shifts, style.series(table, looks)):
        yield look, rows, (100 * rows["fixed_fraction"] + shift).to_numpy()


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


def dumbbells(ax, printed: pd.Series, ours: pd.Series, look: style.Look, edition: str) -> None:
    """Draw printed and our times by puzzle, a row each, joined by a line."""
    y = np.arange(len(ours))
    ax.hlines(y, printed, ours, color=style.pale(look.color), lw=2.2, zorder=1)
    open_markers(ax, printed, y, edition, look.color)
    ax.plot(ours, y, ls="", color=look.color, marker=look.marker, ms=4.6, label="ours")
    puzzle_rows(ax, [*ours.index])
    time_axis(ax, "x")
    ax.grid(axis="x")


def puzzle_rows(ax, names: list[str]) -> None:
    """Make a y axis of puzzles, 0 at the top: ``hard_a`` is "hard a"."""
    ax.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)


def time_axis(ax, side: str = "y") -> None:
    """Make an axis (x or y) logarithmic, of times in the units that suit them, if it shows any."""
    axis = getattr(ax, f"{side}axis")
    low, high = axis.get_data_interval()
    if not (np.isfinite([low, high]).all() and high > 0):
        return
    ax.set(**{f"{side}scale": "log"})
    ratio = high / low if low > 0 else np.inf
    digits = next((digits for end, digits in DIGITS[side].items() if ratio < end), (1,))
    axis.set_major_locator(LogLocator(subs=digits))
    axis.set_major_formatter(FuncFormatter(lambda seconds, _: duration(seconds)))
    axis.set_minor_formatter(NullFormatter())


# --- marks, with their entries in the legend -----------------------------------------------------


def rates(ax, x, rows, names=RATE, scale=100, **kwargs):
    """Draw rates and their intervals, the columns `names`; times `scale` they are percent."""
    rate, low, high = (scale * rows[name] for name in names)
    lengths = error_bars(rate, low, high)
    return ax.errorbar(x, rate, lengths, **{"elinewidth": 0.7} | kwargs)


def open_markers(ax, x, y, edition: str, color: str, n: int = 0) -> None:
    """Draw printed values, in percent with the 95 % interval of `n` runs if n is not 0."""
    look = style.printed(edition)
    size = style.MARKER_SIZES.get(look.marker, style.MARKER_SIZES["D"])
    mark = {"ls": "", "marker": look.marker, "ms": size, "mfc": "none"}
    if n:
        ends = 100 * np.array(wilson(n * y / 100, n))
        ax.vlines(x, *ends, color=color, lw=0.7, zorder=1.7)
    # Below our own (smaller) markers, and every halo below every mark: values may coincide.
    ax.plot(x, y, mec="white", mew=2.4, zorder=1.8, clip_on=False, **mark)
    ax.plot(x, y, mec=color, mew=0.8, zorder=1.9, clip_on=False, **mark)
    if (np.isfinite(x) & np.isfinite(y)).any():
        style.explain(ax.figure, look.label, color=style.MUTED, mew=0.8, **mark)


def mark_failure(ax, x, color: str, label: str) -> None:
    """Draw a cross on the x axis for each group of runs of which too few solved."""
    mark = {"marker": "x", "ms": 3, "mew": 0.9, "color": color}
    ax.plot(x, np.full(len(x), 0.025), ls="", transform=ax.get_xaxis_transform(), **mark)
    if len(x):
        style.explain(ax.figure, label, marker="x", ms=3)


def error_bars(middle, low, high) -> np.ndarray:
    """Return the lengths of error bars, shape (2, n), of values and the ends of their intervals.

    Rounding may put an end on the wrong side of its value; the length is then 0.
    """
    return np.clip([middle - low, high - middle], 0, None)


def mark_limit(mark, table) -> None:
    """Draw a line at each time limit by `mark`, a method of axes."""
    for limit_s in by_seconds(table)["limit_s"].dropna().unique():
        mark(limit_s, **DOTTED, label="time limit")


# --- parts of titles -----------------------------------------------------------------------------


def largest(table):
    """Return the rows of the largest size."""
    return table[table["order"] == table["order"].max()]


def hardest(table):
    """Return the rows at the fixed fraction with the least mean success."""
    means = table.groupby("fixed_fraction")["success_rate"].mean()
    return table[table["fixed_fraction"] == means.idxmin()]


def conclusion(rows) -> str:
    """Return the success of each variant at a point, or of the best and worst, as a sentence.

    Variants with equal shares stand together.
    """
    labels = {}
    for row in rows.sort_values("success_rate", ascending=False, kind="stable").itertuples():
        labels.setdefault(percent(row.success_rate), []).append(row.label)
    first, *others = labels
    if len(rows) > MOST_NAMED:
        others = others[-1:]
    shares = [f"{who_solve(labels[first])} {first}"]
    shares += [f"{listed(labels[share], MOST_NAMED)} {share}" for share in others]
    return f"At {point(rows)}, {', '.join(shares)}"


def who_solve(labels):
    """Return ``ACS solves``, or ``ACS and ILS solve``."""
    return f"{listed(labels, MOST_NAMED)} {'solves' if len(labels) == 1 else 'solve'}"


def listed(labels, most: float = np.inf) -> str:
    """Return ``A``, ``A and B`` or ``A, B and C``; of more than `most` solvers, how many."""
    if len(labels) > most:
        return f"{len(labels)} solvers"
    *first, last = labels
    return f"{', '.join(first)} and {last}" if first else last


def whole_percent(rate: float) -> int:
    """Return a rate as whole percent; a half is rounded up."""
    return int(np.floor(round(100 * rate, 6) + 0.5))


def _short_percent(rate):
    """Return a rate as whole percent without the sign; below 1 % it has one more digit."""
    return f"{100 * rate:.1g}" if 0 < rate < 0.01 else f"{whole_percent(rate)}"


def percent(rate: float) -> str:
    """Return a rate as whole percent; only all is 100 %, and only none is 0 %."""
    whole = whole_percent(rate)
    is_exact = rate in (0, 1) or whole not in (0, 100)
    return f"{whole if is_exact else f'{100 * rate:.3g}'} %"


def n_runs(table) -> str:
    """Return ``300 runs (100 instances)``, or ``20 runs`` if each is on an instance of its own."""
    runs = f"{span(table['n'])} runs"
    if (table["n_instances"] < table["n"]).any():
        runs += f" ({span(table['n_instances'])} instances)"
    return runs


def span(counts) -> str:
    """Return ``100``, or ``20 to 100``."""
    low, high = counts.min(), counts.max()
    return str(low) if low == high else f"{low} to {high}"


def point(rows, family: str = "") -> str:
    """Return ``25 × 25, 45 % fixed`` for rows at one point; for given puzzles family and size."""
    size, percent = style.ORDERS[rows["order"].iloc[0]].label, 100 * rows["fixed_fraction"].iloc[0]
    return f"{family}, {size}" if np.isnan(percent) else f"{size}, {percent:.3g} % fixed"


def shares_of_work(table):
    """Return the limits of runs as shares of the paper's work, at most 1, where it is known."""
    work = table.reindex(columns=["work_steps"])["work_steps"]
    return (table["limit_steps"] / work).dropna().clip(upper=1)


def limit(table) -> str:
    """Return where runs ended: ``limit 5 s``, ``as many steps as in the paper``.

    If runs had fewer steps, the text has the share. Beside the paper's steps, another limit names
    its variants. A second line counts runs that seconds ended.
    """
    shares = shares_of_work(table)
    rest = table.drop(index=shares.index)
    texts, limits = [], []
    if len(shares):
        is_full = shares.min() > FULL_WORK
        share = "as many steps as" if is_full else f"{_ends(shares)} of the steps"
        texts.append(f"{share} in the paper")
    steps = rest.loc[rest["limit_steps"] > 0, "limit_steps"].unique()
    if len(steps):
        limits.append(f"{steps[0]} steps" if len(steps) == 1 else "in steps")
    if seconds := sorted(by_seconds(rest)["limit_s"].dropna().unique()):
        limits.append(" / ".join(f"{value:g}" for value in seconds) + " s")
    if limits:
        is_of_some = len(shares) and "label" in rest
        owners = f"{listed([*rest['label'].unique()], MOST_NAMED)}: " if is_of_some else ""
        texts.append(f"{owners}limit {' or '.join(limits)}")
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

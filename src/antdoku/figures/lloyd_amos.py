"""Figures of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019), drawn again from our runs.

Figures 1 to 3 show a puzzle and take its arrays; figures 4 to 9 take the table of the same name.
"""

import math

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FixedLocator, NullFormatter

from antdoku.figures import style
from antdoku.grid import peers, units, units_of_cell
from antdoku.outcome import SOLVED

BOXED = ("acs", "ils")  # figure 4: boxplots; the other variants as the mean
WHISKERS = (0, 100)  # percentiles: from the shortest to the longest run
GROUP_WIDTH = 0.84  # of the distance between two positions on the x axis
MIN_WIDTH = 5.2  # inches: what the legend of figure 4 or 9 needs
MAX_STEP = 10  # percent: few fixed fractions do not make the bars wider than this


# --- puzzles -------------------------------------------------------------------------------------


@style.styled
def fig1(givens, solution) -> Figure:
    """A puzzle and its solution side by side, givens bold.

    Parameters
    ----------
    givens, solution : array_like of int, shape (c,)
        Row by row, values 1 .. d; 0 for a blank cell of the puzzle.
    """
    givens, solution = np.asarray(givens), np.asarray(solution)
    fig, (left, right) = _grid_axes("A puzzle and its solution", givens)
    left.set_title(f"(a) puzzle: {np.count_nonzero(givens)} of {givens.size} cells are given")
    right.set_title("(b) solution")
    _write_values(left, givens, givens)
    _write_values(right, solution, givens)
    return fig


@style.styled
def fig2(givens, cell: int | None = None) -> Figure:
    """The three units of a cell, and its peers.

    Parameters
    ----------
    givens : array_like of int, shape (c,)
    cell : int, optional
        Number of the cell, row by row from 0; otherwise row n + 1, column n + 1.
    """
    givens = np.asarray(givens)
    order = _order(givens)
    cell = order**3 + order if cell is None else cell
    fig, (left, right) = _grid_axes("Units and peers of a cell", givens, legend=True)
    left.set_title("(a) its units")
    right.set_title(f"(b) its {len(peers(order)[cell])} peers")
    for look, unit in zip(style.UNITS.values(), units_of_cell(order)[cell], strict=True):
        # Cells of two units keep the shade of the box, drawn last; the outlines show all three.
        _shade(left, units(order)[unit], look.shade)
        _outline(left, units(order)[unit], look.line)
    _shade(right, peers(order)[cell], style.PEER_COLOR)
    for ax in (left, right):
        _write_values(ax, givens, givens)
        _outline(ax, [cell], style.CELL_COLOR, inset=0)
    style.legend(fig, _fig2_handles())
    return fig


@style.styled
def fig3(givens, before, after) -> Figure:
    """Value sets of the cells before and after the initial propagation.

    Parameters
    ----------
    givens : array_like of int, shape (c,)
    before, after : array_like of bool, shape (c, d)
        Column v - 1 tells whether the cell can still be v.
    """
    givens = np.asarray(givens)
    fig, axes = _grid_axes("Value sets and constraint propagation", givens, legend=True)
    for ax, name, sets in zip(axes, ("(a) before", "(b) after"), (before, after), strict=True):
        sets = np.asarray(sets, bool)
        ax.set_title(f"{name} propagation: {sets.sum(axis=1).mean():.2f} values per cell")
        single = np.where(sets.sum(axis=1) == 1, sets.argmax(axis=1) + 1, 0)
        _write_values(ax, np.where(givens > 0, givens, single), givens)
        _write_sets(ax, sets, single)
    names = {"given": style.INK, "fixed by propagation": style.DEDUCED_COLOR}
    handles = [Patch(facecolor=color, label=name) for name, color in names.items()]
    style.legend(fig, [*handles, Patch(facecolor=style.MUTED, label="values still possible")])
    return fig


def _order(givens):
    return math.isqrt(math.isqrt(givens.size))


def _grid_axes(title, givens, legend=False):
    fig = style.figure(title, height=3.85 if not legend else 4.1)
    axes = fig.subplots(1, 2)
    order = _order(givens)
    size = order**2
    for ax in axes:
        ax.set(xlim=(-0.06, size + 0.06), ylim=(size + 0.06, -0.06), aspect="equal")
        ax.axis("off")
        for place in range(size + 1):
            thick = place % order == 0
            look = {"lw": 1.4 if thick else 0.5, "color": style.INK if thick else style.MUTED}
            look["solid_capstyle"] = "projecting"
            ax.plot([place, place], [0, size], zorder=3 if thick else 2, **look)
            ax.plot([0, size], [place, place], zorder=3 if thick else 2, **look)
    return fig, axes


def _shade(ax, cells, color):
    size = _size(ax)
    for cell in cells:
        row, column = divmod(int(cell), size)
        ax.add_patch(Rectangle((column, row), 1, 1, color=color, lw=0, zorder=1))


def _outline(ax, cells, color, inset=0.05):
    rows, columns = np.divmod(np.asarray(cells), _size(ax))
    corner = columns.min() + inset, rows.min() + inset
    sides = np.ptp(columns) + 1 - 2 * inset, np.ptp(rows) + 1 - 2 * inset
    ax.add_patch(Rectangle(corner, *sides, fill=False, lw=1.5, ec=color, zorder=4))


def _fig2_handles():
    handles = [Patch(fc="none", ec=style.CELL_COLOR, lw=1.5, label="the cell")]
    for name, look in style.UNITS.items():
        handles.append(Patch(fc=look.shade, ec=look.line, lw=1.3, label=name))
    return [*handles, Patch(fc=style.PEER_COLOR, label="peers")]


def _write_values(ax, values, givens):
    size = _size(ax)
    for cell in np.flatnonzero(values):
        row, column = divmod(int(cell), size)
        look = {"weight": "bold", "color": style.INK}
        if givens[cell] == 0:
            look = {"color": style.DEDUCED_COLOR}
        place = (column + 0.5, row + 0.52)
        _text(ax, place, str(values[cell]), fontsize=120 / (size + 2), **look)


def _write_sets(ax, sets, single):
    """Candidates of the open cells, n to a line, each at its own place."""
    size = _size(ax)
    order = math.isqrt(size)
    places = (np.arange(order) + 0.5) / order * 0.86 + 0.07
    for cell in np.flatnonzero(single == 0):
        row, column = divmod(int(cell), size)
        for value in np.flatnonzero(sets[cell]):
            place = (column + places[value % order], row + places[value // order] + 0.01)
            _text(ax, place, str(value + 1), fontsize=140 / (size * order + 2), color=style.MUTED)


def _text(ax, place, text, **look):
    # The grid fixes the layout; measuring every digit would only cost time.
    ax.text(*place, text, ha="center", va="center_baseline", **look).set_in_layout(False)


def _size(ax):
    return round(ax.get_xlim()[1])


# --- figure 4: named puzzles ---------------------------------------------------------------------


@style.styled
def fig4(table: pd.DataFrame) -> Figure:
    """CPU time on the named puzzles: boxplots of ACS and ILS, means of DLX and BS, log scale.

    A run that was not solved enters a box at its limit and is left out of a mean; the numbers
    above the plot count such runs.
    """
    title = "Named 9 × 9 puzzles"
    if table.empty:
        return style.no_runs(title)
    puzzles, variants = list(table["puzzle"].unique()), list(table["variant"].unique())
    counts = table.groupby(["puzzle", "variant"]).size()
    title = f"{title}: {_span(counts)} runs each, {_limit(table)}"
    width = float(np.clip(0.42 * len(puzzles) + 1.2, MIN_WIDTH, style.PAGE_WIDTH))
    fig = style.figure(title, width, 4.0)
    ax = fig.subplots()
    for number, variant in enumerate(variants):
        offset = _offset(number, len(variants))
        rows = table[table["variant"] == variant]
        draw = _boxes if variant in BOXED else _means
        draw(ax, rows, puzzles, offset, GROUP_WIDTH / len(variants))
        _count_failures(ax, rows, puzzles, offset)
    _mark_published_times(ax, table, puzzles, variants)
    _mark_limit(ax, table)
    _named_axes(ax, puzzles)
    style.legend(fig, _fig4_handles(table, variants), 3 if width > 6 else 2)
    return fig


def _censored(rows):
    """Times in s; of a run that was not solved its limit (or its own time when it had none)."""
    limit_s = rows["limit_s"].fillna(rows["cpu_s"])
    return rows["cpu_s"].where(rows["status"] == SOLVED, limit_s)


def _boxes(ax, rows, puzzles, offset, width):
    color = style.variant(rows["variant"].iloc[0]).color
    by_puzzle = dict(list(_censored(rows).groupby(rows["puzzle"])))
    present = [place for place, puzzle in enumerate(puzzles) if puzzle in by_puzzle]
    ax.boxplot(
        [by_puzzle[puzzles[place]] for place in present],
        positions=np.array(present) + offset,
        widths=0.8 * width,
        whis=WHISKERS,
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
    ax.plot(places, mean, ls="", marker=look.marker, color=look.color, ms=4.2)


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
        places = np.arange(len(puzzles)) + _offset(number, len(variants))
        _open_markers(ax, places, times, "arxiv", style.variant(variant).color)


def _named_axes(ax, puzzles):
    ax.set_yscale("log")
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_ylabel("CPU time (s)")
    ax.set_xlim(-0.5, len(puzzles) - 0.5)
    ax.set_xticks(range(len(puzzles)), puzzles, rotation=40, ha="right", rotation_mode="anchor")
    ax.tick_params(axis="x", length=0)
    for place in range(0, len(puzzles), 2):
        ax.axvspan(place - 0.5, place + 0.5, color="#F6F6F6", lw=0, zorder=0)


def _fig4_handles(table, variants):
    handles = []
    for name in variants:
        look = style.variant(name)
        if name in BOXED:
            handles.append(Patch(facecolor=look.color, alpha=0.55, label=f"{look.label}, all runs"))
        else:
            handles.append(_marker(look.marker, look.color, f"{look.label}, mean of solved runs"))
    if table["arxiv_mean_time_s"].notna().any():
        handles.append(_edition("arxiv", ", mean of solved runs"))
    if any(name in BOXED for name in variants):
        text = "box: quartiles; whiskers: all runs"
        handles.append(Line2D([], [], color=style.MUTED, lw=0.8, label=text))
    handles.extend(_limit_handle(table))
    if (table["status"] != SOLVED).any():
        handles.append(_marker("$12$", style.MUTED, "runs not solved (above the plot)", size=7))
    return handles


# --- figures 5 to 7 and 9: random instances ------------------------------------------------------


def fig5(table: pd.DataFrame) -> Figure:
    """Success and time of the four solvers on random 9x9 instances."""
    return _comparison(table, "Random 9 × 9 instances")


def fig6(table: pd.DataFrame) -> Figure:
    """Success and time of the four solvers on random 16x16 instances."""
    return _comparison(table, "Random 16 × 16 instances")


def fig7(table: pd.DataFrame) -> Figure:
    """Success and time of the four solvers on random 25x25 instances."""
    return _comparison(table, "Random 25 × 25 instances")


@style.styled
def fig9(table: pd.DataFrame) -> Figure:
    """ACS with and without best-value evaporation: one column of panels per order."""
    title = "Best-value evaporation (BVE)"
    if table.empty:
        return style.no_runs(title)
    orders = sorted(table["order"].unique())
    width = style.PAGE_WIDTH if len(orders) > 1 else MIN_WIDTH
    fig = style.figure(f"{title}: {_span(table['n'])} runs per point", width, 4.3)
    axes = fig.subplots(2, len(orders), sharex="col", sharey="row", squeeze=False)
    for number, (order, column) in enumerate(zip(orders, axes.T, strict=True)):
        rows = table[table["order"] == order]
        _success_panel(column[0], rows)
        _time_panel(column[1], rows, every=20)
        column[0].set_title(f"{style.ORDERS[order].label}, {_limit(rows)}")
        if number:
            column[0].set_ylabel("")
            column[1].set_ylabel("")
    _time_limits(axes[1, 0], table)
    style.legend(fig, _comparison_handles(table), 3 if len(orders) == 1 else None)
    return fig


@style.styled
def _comparison(table, title):
    if table.empty:
        return style.no_runs(title)
    fig = style.figure(f"{title}: {_span(table['n'])} runs per point, {_limit(table)}", height=4.9)
    above, below = fig.subplots(2, 1, sharex=True)
    above.set_title("(a) success rate, with 95 % Wilson intervals")
    below.set_title("(b) mean CPU time of the solved runs")
    _success_panel(above, table)
    _time_panel(below, table)
    _time_limits(below, table)
    style.legend(fig, _comparison_handles(table))
    return fig


def _success_panel(ax, table):
    for look, rows, x, _width in _series(table):
        rate = 100 * rows["success_rate"]
        error = [rate - 100 * rows["wilson_low"], 100 * rows["wilson_high"] - rate]
        ax.errorbar(
            x,
            rate,
            np.clip(error, 0, None),
            ls="--",
            marker=look.marker,
            color=look.color,
            elinewidth=0.7,
            lw=0.9,
        )
        for edition in style.EDITIONS:
            published = 100 * rows[f"{edition}_success_rate"]
            _open_markers(ax, x, published, edition, look.color)
    ax.set(ylim=(-4, 104), yticks=range(0, 101, 20), ylabel="Solved (%)")


def _time_panel(ax, table, every=None):
    ax.set_yscale("log")
    for look, rows, x, width in _series(table):
        ax.bar(x, rows["mean_time_solved_s"], width=0.92 * width, color=look.color)
        none = rows["solved"] == 0
        bottom = np.full(none.sum(), 0.025)
        ax.plot(
            x[none],
            bottom,
            ls="",
            marker="x",
            ms=3,
            mew=0.9,
            color=look.color,
            transform=ax.get_xaxis_transform(),
        )
        for edition in style.EDITIONS:
            _open_markers(ax, x, rows[f"{edition}_mean_time_s"], edition, look.color)
    _mark_limit(ax, table)
    _fraction_axis(ax, table, every)
    ax.set_ylabel("CPU time (s)")


def _series(table):
    """Look, rows, x positions (percent) and bar width of each variant, side by side."""
    step = _step(table)
    variants = table["variant"].unique()
    for number, name in enumerate(variants):
        rows = table[table["variant"] == name]
        x = 100 * rows["fixed_fraction"] + step * _offset(number, len(variants))
        yield style.variant(name), rows, x.to_numpy(), step * GROUP_WIDTH / len(variants)


def _offset(number, count):
    """Shift of the series `number` of `count`, as a fraction of the step on the x axis."""
    return GROUP_WIDTH * ((number + 0.5) / count - 0.5)


def _step(table):
    gaps = np.diff(np.unique(100 * table["fixed_fraction"]))
    return min(gaps.min(initial=MAX_STEP), MAX_STEP)


def _fraction_axis(ax, table, every):
    percent, step = np.unique((100 * table["fixed_fraction"]).round(4)), _step(table)
    ax.set_xlim(percent[0] - 0.7 * step, percent[-1] + 0.7 * step)
    if every and len(percent) > 6:
        ax.set_xticks(np.arange(0, percent[-1] + 1, every))
        ax.xaxis.set_minor_locator(FixedLocator(percent))
    else:
        ax.set_xticks(percent, [f"{value:g}" for value in percent])
    ax.set_xlabel("Fixed cells (%)")


def _time_limits(ax, table):
    """From the decade below all bars and marks, so that the least bar can be seen, to the limit."""
    columns = ["mean_time_solved_s", "arxiv_mean_time_s", "journal_mean_time_s", "limit_s"]
    values = table[columns].to_numpy()
    values = values[np.isfinite(values) & (values > 0)]
    if values.size:
        low = 10.0 ** math.floor(math.log10(values.min() / 1.5))
        ax.set_ylim(low, 1.6 * values.max())
    ax.yaxis.set_minor_formatter(NullFormatter())


def _comparison_handles(table):
    looks = [style.variant(name) for name in table["variant"].unique()]
    handles = [
        Line2D([], [], color=look.color, marker=look.marker, ls="--", lw=0.9, label=look.label)
        for look in looks
    ]
    for edition in style.EDITIONS:
        columns = [f"{edition}_success_rate", f"{edition}_mean_time_s"]
        if table[columns].notna().any(axis=None):
            handles.append(_edition(edition))
    handles.extend(_limit_handle(table))
    if (table["solved"] == 0).any():
        handles.append(_marker("x", style.MUTED, "no run solved", size=3))
    return handles


# --- figure 8: propagation -----------------------------------------------------------------------


@style.styled
def fig8(table: pd.DataFrame) -> Figure:
    """Fraction of trivial instances and mean value-set size against the fixed fraction."""
    title = "Initial propagation of random instances"
    if table.empty:
        return style.no_runs(title)
    title = f"{title}: {_span(table['n_instances'])} instances per point"
    fig = style.figure(title, height=3.1)
    left, right = fig.subplots(1, 2)
    left.set_title("(a) solved by propagation alone (trivial)")
    right.set_title("(b) size of the value sets after propagation")
    for order, rows in table.groupby("order"):
        _trivial_line(left, style.ORDERS[order], rows)
        _size_line(right, style.ORDERS[order], rows)
    left.set(ylim=(-4, 104), yticks=range(0, 101, 20), ylabel="Trivial instances (%)")
    right.set(ylim=(0.8, None), ylabel="Mean values per cell")
    for ax in (left, right):
        ax.set_xlabel("Fixed cells (%)")
    style.legend(fig, _fig8_handles(table))
    return fig


def _trivial_line(ax, look, rows):
    x, rate = 100 * rows["fixed_fraction"], 100 * rows["fraction_trivial"]
    error = [rate - 100 * rows["wilson_low"], 100 * rows["wilson_high"] - rate]
    error = np.clip(error, 0, None)
    ax.errorbar(x, rate, error, marker=look.marker, color=look.color, elinewidth=0.7)
    start = rows["arxiv_trivial_from"].iloc[0]
    if np.isfinite(start):
        ax.axvline(100 * start, color=look.color, ls=":", lw=1.0, zorder=1)


def _size_line(ax, look, rows):
    x = 100 * rows["fixed_fraction"]
    ax.plot(x, rows["mean_value_set_size"], marker=look.marker, color=look.color)
    _open_markers(ax, x, rows["arxiv_mean_value_set_size"], "arxiv", look.color)


def _fig8_handles(table):
    looks = [style.ORDERS[order] for order in sorted(table["order"].unique())]
    handles = [
        Line2D([], [], color=look.color, marker=look.marker, label=look.label) for look in looks
    ]
    if table["arxiv_trivial_from"].notna().any():
        label = "paper, arXiv 2018: no trivial instance below"
        handles.append(Line2D([], [], color=style.MUTED, ls=":", lw=1.0, label=label))
    if table["arxiv_mean_value_set_size"].notna().any():
        handles.append(_edition("arxiv"))
    return handles


# --- shared parts --------------------------------------------------------------------------------


def _open_markers(ax, x, y, edition, color):
    """Published values; a white halo keeps a mark visible on a bar or box of its own colour."""
    marker = style.EDITIONS[edition].marker
    look = {"ls": "", "marker": marker, "ms": style.MARKER_SIZES[marker], "mfc": "none"}
    # Below our own (smaller) markers, and every halo below every mark: values may coincide.
    ax.plot(x, y, mec="white", mew=2.4, zorder=1.8, clip_on=False, **look)
    ax.plot(x, y, mec=color, mew=0.8, zorder=1.9, clip_on=False, **look)


def _edition(edition, suffix=""):
    look = style.EDITIONS[edition]
    size = style.MARKER_SIZES[look.marker]
    return _marker(look.marker, look.color, look.label + suffix, size, mfc="none", mew=0.8)


def _marker(marker, color, label, size=4.2, **look):
    return Line2D([], [], ls="", marker=marker, color=color, ms=size, label=label, **look)


def _mark_limit(ax, table):
    for limit_s in table["limit_s"].dropna().unique():
        ax.axhline(limit_s, color=style.MUTED, ls=(0, (1, 1.5)), lw=0.9, zorder=1)


def _limit_handle(table):
    if table["limit_s"].notna().any():
        look = {"color": style.MUTED, "ls": (0, (1, 1.5)), "lw": 0.9}
        return [Line2D([], [], label="our time limit", **look)]
    return []


def _span(counts):
    low, high = counts.min(), counts.max()
    return str(low) if low == high else f"{low} to {high}"


def _limit(table):
    limits = sorted(table["limit_s"].dropna().unique())
    if limits:
        return "limit " + " / ".join(f"{limit:g}" for limit in limits) + " s"
    steps = sorted(set(table.get("limit_steps", [])) - {-1})
    return "limit " + " / ".join(map(str, steps)) + " steps" if steps else "no time limit"

"""Figures that no paper has; each takes the table of its name (`antdoku.tables.beyond`)."""

import math

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, NullFormatter

from antdoku.figures import panels, style
from antdoku.tables.summary import RATE

DASHED = {"cdcl", "cpsat"}  # baselines, not solvers of the paper
HEAVY = {"acs", "acs_restart", "tabu_col"}  # what a figure is about
SAME_SOLVER = {"acs_closure", "acs_closure_no_bve", "bs_closure"}  # with another propagation
BANDED = {"acs", "acs_no_bve"}  # of the stagnation figure: the paper's two systems
BAND_ALPHA = 0.18
ALPHA = 0.05
LEAST_WORK = 1e-3  # of the papers' work: where curves begin
WORK_TICKS = (0.01, 0.1, 1, 10)
UNCERTAIN = {"fc": style.MUTED, "alpha": 0.1, "lw": 0}
EXPERIMENTS = {"lloyd_amos": "Lloyd & Amos", "lewis": "Lewis"}
LAST = 0.12  # share of the instances that the second panel of the cactus plot shows
# Maps of two parameters each: on the x and on the y axis, and the symbols of the paper.
MAPS = (("q0", "rho"), ("m", "f_bve"))
SYMBOLS = {"q0": "$q_0$", "rho": r"$\rho$", "m": "$m$", "f_bve": r"$f_\mathrm{BVE}$"}
PAPER = {"q0": 0.9, "rho": 0.9, "m": 10, "f_bve": 0.005}
RULES = {"arxiv": "greedy if $q > q_0$ (preprint)", "journal": "greedy if $q < q_0$ (journal)"}


def _line(name, **more):
    """Keywords of a line of a variant."""
    look = style.variant(name)
    width = 1.6 if name in HEAVY else 0.9
    ls = (0, (4, 1.5)) if name in DASHED else "-." if name in SAME_SOLVER else "-"
    return {"color": look.color, "ls": ls, "lw": width, "label": look.label} | more


def _lines_of(table, marked=True) -> list:
    """Entries of a legend for the variants of a table."""
    names = list(table["variant"].unique())
    shapes = [style.variant(name).marker if marked else None for name in names]
    return [Line2D([], [], **_line(name, marker=shape)) for name, shape in zip(names, shapes)]


def _orders(fig, table, rows=1):
    """Axes (rows, orders), and the pairs of order and column of axes."""
    orders = sorted(table["order"].unique())
    axes = fig.subplots(rows, len(orders), sharex="col" if rows > 1 else False, squeeze=False)
    return axes, list(zip(orders, axes.T, strict=True))


# --- all solvers side by side --------------------------------------------------------------------


def phase_transition(title: str, table: pd.DataFrame) -> Figure:
    """Success above, PAR2 below, over the fixed fraction: one column of panels per order."""
    fig = style.figure(f"{title}, {panels.span(table['n'])} runs per point", height=4.6)
    axes, columns = _orders(fig, table, 2)
    for order, (above, below) in columns:
        rows = table[table["order"] == order]
        _lines(above, below, rows)
        above.set_title(f"{style.ORDERS[order].label}, {panels.limit(rows)}")
        above.set(ylim=(-4, 104), yticks=range(0, 101, 20))
        panels.fraction_axis(below, rows, every=20)
        panels.mark_limit(below, rows)
        panels.log_times(below)
    axes[0, 0].set_ylabel("Solved (%)")
    axes[1, 0].set_ylabel("PAR2 (s of CPU time)")
    style.legend(fig, _lines_of(table) + panels.limit_handle(table))
    return fig


def _lines(above, below, rows):
    for name, line in rows.groupby("variant", sort=False):
        x, look = 100 * line["fixed_fraction"], _line(name, marker=style.variant(name).marker)
        above.plot(x, 100 * line["success_rate"], ms=2.6, **look)
        below.plot(x, line["par2_s"], ms=2.6, **look)


def work_curves(title: str, table: pd.DataFrame) -> Figure:
    """Success by work: a row of panels per experiment and order, a panel per fixed fraction."""
    rows = [group for _, group in table.groupby(["experiment", "order"], sort=False)]
    fractions = [sorted(group["fixed_fraction"].unique()) for group in rows]
    columns = max(map(len, fractions))
    width = style.PAGE_WIDTH if columns > 2 else panels.MIN_WIDTH
    title = f"{title}: {panels.span(table['n'])} runs a curve"
    fig = style.figure(title, width, 1.2 + 1.6 * len(rows))
    axes = fig.subplots(len(rows), columns, sharex=True, sharey=True, squeeze=False)
    for line, group, points in zip(axes, rows, fractions, strict=True):
        for ax, fraction in zip(line, points):
            _work_panel(ax, group[group["fixed_fraction"] == fraction])
        for ax in line[len(points) :]:
            ax.set_axis_off()
        line[0].set_ylabel(f"{EXPERIMENTS[group['experiment'].iloc[0]]}\nsolved (%)")
    axes[0, 0].set(ylim=(-4, 106), yticks=range(0, 101, 20), xscale="log")
    axes[0, 0].set_xticks(WORK_TICKS, [f"{value:g}" for value in WORK_TICKS])
    axes[0, 0].set(xlim=(LEAST_WORK, 1.5 * max(2, table["work"].max())))
    for column in axes.T:
        lowest = [ax for ax in column if ax.axison][-1]
        lowest.set_xlabel("Work (the paper's: 1)")
        lowest.tick_params(labelbottom=True)
    style.legend(fig, _work_handles(table))
    return fig


def _work_panel(ax, rows):
    order, percent = rows["order"].iloc[0], 100 * rows["fixed_fraction"].iloc[0]
    ax.set_title(f"{style.ORDERS[order].label}, {percent:g} % fixed")
    for factor in rows["work_factor"].unique():
        ax.axvspan(1 / factor, factor, **UNCERTAIN)
    ax.axvline(1, color=style.MUTED, ls=panels.DOTS, lw=0.9, zorder=1)
    for name, line in rows.groupby("variant", sort=False):
        percent, look = 100 * line["success_rate"].to_numpy(), style.variant(name)
        at_first = percent[line["work"] <= LEAST_WORK].max(initial=0)
        x, y = np.append(LEAST_WORK, line["work"]), np.append(at_first, percent)
        ax.plot(x, y, drawstyle="steps-post", color=look.color, lw=1.2)
        ax.plot(x[-1], y[-1], marker=look.marker, color=look.color, ms=4, clip_on=False)
        for source in style.PUBLISHED:
            rate = 100 * line[f"{source}_success_rate"].iloc[0]
            panels.open_markers(ax, 1, rate, source, look.color)


def _work_handles(table):
    handles = [
        Line2D([], [], color=look.color, marker=look.marker, lw=1.2, label=look.label)
        for look in map(style.variant, table["variant"].unique())
    ]
    for source in style.PUBLISHED:
        if table[f"{source}_success_rate"].notna().any():
            suffix = ", journal 2007 (read off)" if source == "published" else ""
            handles.append(panels.published_handle(source, suffix))
    label = "work of the paper's program"
    handles.append(Line2D([], [], color=style.MUTED, ls=panels.DOTS, lw=0.9, label=label))
    return [*handles, Patch(**UNCERTAIN, label="how uncertain that is")]


def run_times(title: str, table: pd.DataFrame) -> Figure:
    """Share of the runs that are solved within a time, at the hardest point of each order."""
    fig = style.figure(title, height=3.3)
    axes, columns = _orders(fig, table)
    for order, (ax,) in columns:
        rows = table[table["order"] == order]
        for name, line in rows.groupby("variant", sort=False):
            ax.plot(*_distribution(line), drawstyle="steps-post", **_line(name))
        for limit_s in panels.by_seconds(rows)["limit_s"].dropna().unique():
            ax.axvline(limit_s, color=style.MUTED, ls=panels.DOTS, lw=0.9, zorder=1)
        percent = 100 * rows["fixed_fraction"].iloc[0]
        ax.set_title(f"{style.ORDERS[order].label}, {percent:g} % fixed")
        ax.set(xscale="log", ylim=(0, 103), yticks=range(0, 101, 20), xlabel="CPU time (s)")
        ax.xaxis.set_minor_formatter(NullFormatter())
    axes[0, 0].set_ylabel(f"Solved runs (%) of {panels.span(table['n'])}")
    style.legend(fig, _lines_of(table, marked=False) + panels.limit_handle(table))
    return fig


def _distribution(line):
    """Times and percent of a step function that ends where the runs do."""
    times = line.loc[line["solved"], "cpu_s"].to_numpy()
    percent = 100 * np.arange(1, len(times) + 1) / line["n"].iloc[0]
    if len(times) == len(line):
        return times, percent
    end = line["cpu_s"].max()
    return np.append(times, end), np.append(percent, percent[-1:] if len(times) else 0)


def cactus(title: str, table: pd.DataFrame) -> Figure:
    """Solved instances against the time that each of them may take; all, and the last ones."""
    n = table["n"].max()
    fig = style.figure(f"{title}, {panels.span(table['n'])} runs per solver", height=4.0)
    left, right = fig.subplots(1, 2, sharey=True, width_ratios=(2, 3))
    for name, line in table.groupby("variant", sort=False):
        for ax in (left, right):
            ax.plot(line["n_solved"], line["cpu_s"], **_line(name))
        last, look = line.iloc[-1], style.variant(name)
        in_view = bool(last["n_solved"] >= (1 - LAST) * n)
        end = {"marker": look.marker, "color": look.color, "ms": 4, "clip_on": not in_view}
        right.plot(last["n_solved"], last["cpu_s"], **end)
    left.set(yscale="log", xlim=(0, n), ylabel="CPU time of a run (s)")
    right.set(xlim=((1 - LAST) * n, n))
    left.set_title("(a) all")
    right.set_title(f"(b) the last {LAST:.0%}; a marker ends each curve".replace("%", " %"))
    left.yaxis.set_minor_formatter(NullFormatter())
    for ax in (left, right):
        ax.set_xlabel("Solved instances")
    handles = _lines_of(table)
    solved = table.groupby("variant", sort=False)["n_solved"].max()
    for handle, count in zip(handles, solved, strict=True):
        handle.set_label(f"{handle.get_label()}, {count}")
    style.legend(fig, handles)
    return fig


# --- stagnation ----------------------------------------------------------------------------------


def stagnation(title: str, table: pd.DataFrame) -> Figure:
    """Success, and cells missing in the best and in the held grid, by iteration."""
    order, fraction = table["order"].iloc[0], 100 * table["fixed_fraction"].iloc[0]
    size = f"{style.ORDERS[order].label}, {fraction:g} % fixed"
    fig = style.figure(f"{title}: {size}, {panels.span(table['n'])} instances", height=3.2)
    axes = fig.subplots(1, 3)
    axes[2].sharey(axes[1])
    for name, line in table.groupby("variant", sort=False):
        for ax, (middle, low, high) in zip(axes, _bands(line), strict=True):
            ax.plot(line["iteration"], middle, **_line(name, **_weight(name)))
            if name in BANDED:
                look = {"color": style.variant(name).color, "alpha": BAND_ALPHA, "lw": 0}
                ax.fill_between(line["iteration"], low, high, **look)
    axes[0].set(ylim=(-2, 102), yticks=range(0, 101, 20), ylabel="Solved (%)")
    axes[1].set(ylabel="Cells without a value", ylim=(0, None))
    axes[1].yaxis.set_major_locator(MaxNLocator(integer=True))
    headings = ("(a) solved", "(b) best grid so far, unsolved", "(c) reinforced grid, unsolved")
    for ax, heading in zip(axes, headings, strict=True):
        # Where all instances are solved at once there is nothing to take limits from.
        ax.set(xscale="log", xlabel="Iterations", xlim=(1, table["iteration"].max()))
        ax.set_title(heading)
    handles = [Line2D([], [], **_line(name, **_weight(name))) for name in table["variant"].unique()]
    if BANDED & {*table["variant"]}:
        label = "95 % Wilson interval; quartiles"
        handles.append(Patch(fc=style.MUTED, alpha=0.3, lw=0, label=label))
    style.legend(fig, handles)
    return fig


def _weight(name):
    """Width and place of a line: the paper's systems before the others."""
    return {"lw": 1.5, "zorder": 2.2} if name in BANDED else {"lw": 1.0}


def _bands(line):
    """Middle, low and high of success in percent, and of the cells missing in the two grids."""
    yield [100 * line[name] for name in ("success_rate", "wilson_low", "wilson_high")]
    for grid in ("best", "held"):
        yield [line[f"{grid}_missing_{at}"] for at in ("median", "low", "high")]


# --- generators ----------------------------------------------------------------------------------


def generators(title: str, table: pd.DataFrame) -> Figure:
    """By source of the grids: unavoidable sets, what propagation solves, and what solvers do.

    The first two have a panel an order; below, each order at which a solver fails has a row with a
    panel a solver.
    """
    fails = table.groupby("order")["success_rate"].min() < 1
    orders, hard, names = fails.index, fails.index[fails], table["variant"].unique()
    title = f"{title} {panels.span(table['n'])} instances per point"
    fig = style.figure(title, height=3.6 + 1.4 * len(hard))
    grid = fig.add_gridspec(2 + len(hard), math.lcm(len(orders), len(names)))
    for place, order in enumerate(orders):
        rows, label = table[table["order"] == order], style.ORDERS[order].label
        where = place, len(orders), label
        _sets(_panel(grid, 0, *where, "Unavoidable\nsets (mean, SD)"), rows, table)
        once = rows.drop_duplicates(["fixed_fraction", "experiment"])
        _propagated(_panel(grid, 1, *where, "Solved by\npropagation (%)"), once)
    for row, order in enumerate(hard, start=2):
        rows = table[table["order"] == order].groupby("variant", sort=False, observed=True)
        for place, (name, line) in enumerate(rows):
            label = f"{style.ORDERS[order].label}, {style.variant(name).label}"
            _success(_panel(grid, row, place, len(names), label, "Solved (%)"), line)
    style.legend(fig, _source_handles(table))
    return fig


def _panel(grid, row, place, count, title, shown):
    """One of `count` panels of a row; the first says what is shown."""
    width = grid.ncols // count
    ax = grid.figure.add_subplot(grid[row, place * width : (place + 1) * width])
    ax.set_title(title)
    ax.set_ylabel("" if place else shown)
    return ax


def _by_source(rows):
    """Look and rows of each generator, in the order of `style.SOURCES`."""
    groups = dict(list(rows.groupby(["source", "experiment"], observed=True)))
    for source, experiment in sorted(groups, key=lambda name: [*style.SOURCES].index(name[0])):
        yield style.SOURCES[source], groups[source, experiment]


def _sets(ax, rows, table):
    """The mean number of unavoidable sets by source, with one standard deviation."""
    for x, (look, group) in enumerate(_by_source(rows)):
        mean, deviation = group[["unavoidable_sets", "unavoidable_sets_sd"]].iloc[0]
        ax.bar(x, mean, 0.7, yerr=deviation, color=look.color, error_kw={"elinewidth": 0.8})
        text, y = (f"{mean:.0f}", mean + deviation) if mean >= 0 else ("not known", 0)
        ax.text(x, y, text, ha="center", va="bottom", fontsize=7)
    highest = (table["unavoidable_sets"] + table["unavoidable_sets_sd"]).max()
    ax.set(xticks=[], ylim=(0, 1.2 * highest if highest > 0 else 1))


def _propagated(ax, rows):
    """What propagation alone solves, by fixed fraction and source."""
    for look, line, x in _shifted(rows):
        ax.plot(x, 100 * line["trivial_rate"], **_thin(look))
    _percent_axes(ax, rows)


def _success(ax, rows):
    """What a solver solves, with Wilson intervals, and stars where it differs from main."""
    for look, line, x in _shifted(rows):
        rate, *ends = (100 * line[name] for name in RATE)
        ax.errorbar(x, rate, panels.bars(rate, *ends), elinewidth=0.7, **_thin(look))
        starred = x[line["p_holm"] < ALPHA]
        height = np.full(len(starred), 0.97)
        at_top = {"transform": ax.get_xaxis_transform()}
        ax.plot(starred, height, "*", color=look.color, ms=5, **at_top)
    _percent_axes(ax, rows)


def _shifted(rows):
    """Look, rows and x positions of each generator, side by side."""
    sources = list(_by_source(rows))
    for number, (look, line) in enumerate(sources):
        shift = number - (len(sources) - 1) / 2
        yield look, line, 100 * line["fixed_fraction"] + 0.6 * shift


def _percent_axes(ax, rows):
    panels.fraction_axis(ax, rows, every=10)
    ax.set(ylim=(-4, 114), yticks=range(0, 101, 25))


def _thin(look):
    return {"color": look.color, "marker": look.marker, "ms": 3, "lw": 0.9}


def _source_handles(table):
    looks = [look for look, _ in _by_source(table)]
    handles = [panels.marker(look.marker, look.color, look.label) for look in looks]
    if (table["p_holm"] < ALPHA).any():
        label = "differs from the main experiment, p < 5 % after Holm"
        handles.append(panels.marker("*", style.MUTED, label, 5))
    return handles


# --- parameters ----------------------------------------------------------------------------------


def sensitivity(title: str, table: pd.DataFrame) -> Figure:
    """Maps of success and of the median number of walks, two parameters each, by greedy rule."""
    points = table[["order", "fixed_fraction", "greedy_rule"]].drop_duplicates()
    counts = f"{panels.span(table['n_instances'])} instances, {_walks(table)}"
    fig = style.figure(f"{title}: {counts}", height=0.5 + 2.1 * len(points))
    axes = fig.subplots(len(points), 2 * len(MAPS), squeeze=False)
    scale = _scale(table["median_walks"])
    for row, key in zip(axes, points.itertuples(index=False), strict=True):
        rows = table[(table[list(points)] == list(key)).all(axis=1)]
        for number, pair in enumerate(MAPS):
            of_map = _map_of(rows, pair)
            _heat(row[number], of_map, pair, 100 * of_map["success_rate"], (0, 100))
            _heat(row[number + 2], of_map, pair, of_map["median_walks"] / 1000, scale)
        size = f"{style.ORDERS[key.order].label}, {100 * key.fixed_fraction:g} %"
        row[0].set_title(f"{size}: {RULES[key.greedy_rule]}\nsolved (%)")
        row[1].set_title("solved (%)")
        for ax in row[2:]:
            ax.set_title("median walks (1000)")
    return fig


def _walks(table):
    walks = sorted((table["m"] * table["limit_steps"]).unique())
    return f"{panels.limit(table)}" if min(walks) < 0 else f"at most {walks[-1]:,} walks a run"


def _scale(walks):
    """Limits of the colours: all maps of walks have the same ones."""
    found = walks.dropna() / 1000
    return (found.min(), found.max()) if len(found) else (0, 1)


def _map_of(rows, pair):
    """Rows in which only the two parameters of a map differ from the values of the paper."""
    for name in PAPER.keys() - set(pair):
        rows = rows[np.isclose(rows[name], PAPER[name])]
    return rows


def _heat(ax, rows, pair, values, limits):
    """One map: a square for each pair of values, with its number; empty without one."""
    import seaborn  # takes a while, and no other figure needs it

    across, up = pair
    if rows.empty:
        ax.set_axis_off()
        return
    grid = rows.assign(value=values).pivot_table(index=up, columns=across, values="value")
    grid = grid.reindex(index=sorted(rows[up].unique()), columns=sorted(rows[across].unique()))
    look = {"cmap": "cividis", "vmin": limits[0], "vmax": limits[1], "cbar": False}
    numbers = {"annot": True, "fmt": ".3g", "annot_kws": {"fontsize": 5.5}}
    ax.grid(False)
    seaborn.heatmap(grid, ax=ax, **look, **numbers)
    ax.invert_yaxis()
    ax.tick_params(length=0, rotation=0)
    ax.set(xlabel=SYMBOLS[across], ylabel=SYMBOLS[up])

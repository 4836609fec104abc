"""Figures that no paper has."""

import numpy as np
from matplotlib.ticker import MaxNLocator, NullFormatter

from antdoku import papers
from antdoku.figures import figure, panels, style
from antdoku.papers.beyond.tables import LEAST_WORK
from antdoku.tables.summary import RATE
from antdoku.texts import percentage

DASHED = {"cdcl", "cpsat"}  # baselines, not solvers of the paper
HEAVY = {"acs", "acs_restart", "tabu_col"}  # what a figure is about
GREY = {"color": "#BDBDBD", "lw": 0.8, "zorder": 1.5, "label": "other solvers"}
SAME_SOLVER = {"acs_closure", "acs_closure_no_bve", "bs_closure"}  # with another propagation
FEW = 8  # variants that a figure of all names without exception
LABEL_HEIGHT = 0.14  # inches, beside the end of a line
LAST = 12  # percent of the instances that the second panel of the cactus plot shows
BANDED = {"acs", "acs_no_bve"}  # of the stagnation figure: the paper's two systems
LEAST_UNSOLVED = 10  # instances that a median and quartiles of the stagnation figure stand for
WORK_TICKS = (0.01, 0.1, 1, 10)
UNCERTAIN = {"fc": style.MUTED, "alpha": 0.1, "lw": 0}
EXPERIMENTS = {"lloyd_amos": "Lloyd & Amos", "lewis": "Lewis"}


@figure("beyond_phase_transition", "Solved")
def phase_transition(title, table):
    """All solvers on the random instances, one column per size. Above: success rate. Below: PAR2,
    the mean time with a failure as twice its limit; none where steps ended one. Solvers of the
    paper run to the end of their steps, others to the limit in seconds. Grey: other solvers of the
    package; the charts of the report name them.
    """
    fig = style.figure(f"{title} at {_at_hardest(table)}", height=4.6)
    orders = list(table.groupby("order"))
    axes = fig.subplots(2, len(orders), sharex="col", squeeze=False)
    named = _named(table)
    # A line through one fraction alone would not be seen.
    grey = GREY | ({"marker": "."} if table["fixed_fraction"].nunique() == 1 else {})
    for (order, rows), (above, below) in zip(orders, axes.T, strict=True):
        for name, look, line in style.series(rows):
            curve = style.entry(look) | {"lw": 1.6, "ms": 2.8} if name in named else grey
            above.plot(100 * line["fixed_fraction"], 100 * line["success_rate"], **curve)
            below.plot(100 * line["fixed_fraction"], line["par2_s"], **curve)
        above.set_title(f"{style.ORDERS[order].label}, {panels.limit(rows)}")
        above.set(ylim=(-4, 104), yticks=range(0, 101, 20))
        panels.fraction_axis(below, rows, every=20)
        panels.mark_limit(below.axhline, rows)
        panels.log_times(below)
    axes[0, 0].set_ylabel(f"Solved (%) of {panels.span(table['n'])} runs")
    axes[1, 0].set_ylabel("PAR2 (s of CPU time)")
    style.legend(fig)
    return fig


def _named(table):
    """Return which variants a figure of all names: of many what it is about, and what is new."""
    names, known = {*table["variant"]}, papers.variants()
    return names if len(names) <= FEW else {*HEAVY, *(names - known.keys())}


def _at_hardest(table):
    """Return the conclusion: what those that are named solve where all solve least.

    Of more than three these are the first and the last, or how many of all solve all.
    """
    largest = table[table["order"] == table["order"].max()]
    means = largest.groupby("fixed_fraction")["success_rate"].mean()
    rows = largest[largest["fixed_fraction"] == means.idxmin()]
    named = rows[rows["variant"].isin(_named(table))].sort_values("success_rate", ascending=False)
    solved = [f"{row.label} {percentage(row.success_rate)}" for row in named.itertuples()]
    if len(named) > 3:
        full = (rows["solved"] == rows["n"]).sum()
        first = f"{full} of {len(rows)} solve all" if full > 1 else solved[0]
        solved = [first] if solved[-1].endswith(" 100 %") else [first, solved[-1]]
    return f"{panels.point(rows)}: {', '.join(solved)}"


@figure("beyond_work", "What more work buys at hard points")
def work_curves(title, table):
    """Share of the runs that are solved, by work in multiples of the paper's work (dotted; shaded:
    its uncertainty). Shown: up to four points per size at which the paper prints rates and one of
    its solvers fails in 10 % of the runs or more. Open markers: printed rates. A curve ends where
    its runs end.
    """
    groups = list(table.groupby(["experiment", "order"], sort=False))
    columns = max(group["fixed_fraction"].nunique() for _, group in groups)
    title = f"{title}: {panels.span(table['n'])} runs a curve"
    fig = style.figure(title, height=1.2 + 1.6 * len(groups))
    style.explain(fig, "work of the paper's program", **panels.DOTTED)
    style.explain(fig, "how uncertain that is", area=True, **UNCERTAIN)
    axes = fig.subplots(len(groups), columns, sharex=True, sharey=True, squeeze=False)
    for line, ((experiment, _), group) in zip(axes, groups, strict=True):
        points = list(group.groupby("fixed_fraction"))
        for ax, (_, rows) in zip(line, points):
            _work_panel(ax, rows)
        for ax in line[len(points) :]:
            ax.set_axis_off()
        line[0].set_ylabel(f"{EXPERIMENTS[experiment]}\nsolved (%)")
    axes[0, 0].set(ylim=(-4, 106), yticks=range(0, 101, 20), xscale="log")
    axes[0, 0].set_xticks(WORK_TICKS, [f"{value:g}" for value in WORK_TICKS])
    axes[0, 0].set(xlim=(LEAST_WORK, 1.5 * max(2, table["work"].max())))
    for column in axes.T:
        lowest = [ax for ax in column if ax.axison][-1]
        lowest.set_xlabel("Work (the paper's: 1)")
        lowest.tick_params(labelbottom=True)
    style.legend(fig)
    return fig


def _work_panel(ax, rows):
    ax.set_title(panels.point(rows))
    ax.axvline(1, **panels.DOTTED)
    for factor in rows["work_factor"].unique():
        ax.axvspan(1 / factor, factor, **UNCERTAIN)
    for _, look, line in style.series(rows):
        percent = 100 * line["success_rate"].to_numpy()
        at_first = percent[line["work"] <= LEAST_WORK].max(initial=0)
        x, y = np.append(LEAST_WORK, line["work"]), np.append(at_first, percent)
        ax.plot(x, y, drawstyle="steps-post", color=look.color, lw=1.2)
        ax.plot(x[-1], y[-1], **style.entry(look), ms=4, clip_on=False)
        for source in style.published():
            rate = 100 * line[f"{source}_success_rate"].iloc[0]
            suffix = ", journal 2007 (read off)" if source == style.PUBLISHED else ""
            panels.open_markers(ax, 1, rate, source, look.color, suffix)


@figure("beyond_run_times", "Run-time distributions at the hardest point of each order")
def run_times(title, table):
    """Share of the runs that are solved within a time, at the hardest point of each size, with one
    run per instance, to the limits of our runs. A size without failures has no hardest point and is
    left out. A curve that flattens below 100 % shows stagnation: more time hardly helps, but a new
    start would.
    """
    parts, ends = [rows for _, rows in table.groupby("order")], []
    each = max(2.1, LABEL_HEIGHT * table["variant"].nunique())
    fig = style.figure(title, height=1.2 + each * len(parts))
    axes = fig.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
    for rows, ax in zip(parts, axes, strict=True):
        lines = {}
        for name, look, line in style.series(rows):
            solved = 100 * line["solved"].sum() / line["n"].iloc[0]
            curve = _line_of(look, name, 1 + len(line) // 5) | {"drawstyle": "steps-post"}
            (lines[f"{look.label} {solved:.0f} %"],) = ax.plot(*_distribution(line), **curve)
        panels.mark_limit(ax.axvline, rows[~rows["solved"]], "limit of the unsolved runs")
        ax.set_title(panels.point(rows))
        ax.set(xscale="log", ylim=(0, 103), yticks=range(0, 101, 20))
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_ylabel(f"Solved (%) of {panels.span(rows['n'])} runs")
        ends.append((ax, lines))
    axes[-1].set_xlabel("CPU time (s)")
    style.legend(fig)
    for ax, lines in ends:
        style.label_ends(ax, lines)
    return fig


def _distribution(line):
    """Return times and percent of a step function that ends where the runs do."""
    times = line.loc[line["solved"], "cpu_s"].to_numpy()
    percent = 100 * np.arange(len(times) + 1) / line["n"].iloc[0]
    if len(times) == len(line):
        return times, percent[1:]
    return np.append(times, line["cpu_s"].max()), np.append(percent[1:], percent[-1])


@figure("beyond_cactus", "Cactus plot: all random instances of all orders")
def cactus(title, table):
    """Cactus plot of all random instances of all sizes: the share that a solver solves in its first
    run if each may take a given time. Lower and further right is better. Panel (b) enlarges the
    end. Labels have the share that is solved within the limits. Most instances are easy.
    """
    fig = style.figure(f"{title}, {panels.span(table['n'])} per solver", height=3.8)
    left, right = fig.subplots(1, 2, sharey=True, width_ratios=(2, 3))
    lines = {}
    for name, look, line in style.series(table):
        solved = 100 * line["n_solved"] / line["n"]
        for ax in (left, right):
            (drawn,) = ax.plot(solved, line["cpu_s"], **_line_of(look, name, [-1]))
        lines[f"{look.label} {solved.iloc[-1]:.1f} %"] = drawn
        right.plot(*drawn.get_xydata()[-1], marker=look.marker, color=look.color, ms=4)
    left.set(yscale="log", xlim=(0, 100), ylabel="CPU time of a run (s)")
    right.set(xlim=(100 - LAST, 100))
    left.set_title("(a) all")
    right.set_title(f"(b) the last {LAST} %; a marker ends each curve")
    left.yaxis.set_minor_formatter(NullFormatter())
    for ax in (left, right):
        ax.set_xlabel("Solved instances (%)")
    style.label_ends(right, lines)
    return fig


@figure("beyond_stagnation", "Stagnation of ACS at the hardest point")
def stagnation(title, table):
    """ACS with and without best-value evaporation (BVE) at the hardest point of the largest size up
    to 25 × 25. (a) Solved. (b), (c), if ten or more are unsolved: cells without a value in the best
    and in the reinforced grid, median and quartiles. Lines end after 10,000 iterations, earlier
    where runs have less than the paper's work.
    """
    title = f"{title}: {panels.point(table)}, {panels.span(table['n'])} instances"
    fig = style.figure(title, height=4.6)
    # Few are left unsolved where the point is easy: then their cells say nothing.
    is_hard = (table["n_unsolved"] >= LEAST_UNSOLVED).any()
    axes = [*fig.subplot_mosaic("aa;bc" if is_hard else "a", sharex=True).values()]
    lines = {}
    for name, look, line in style.series(table):
        for ax, (middle, low, high) in zip(axes, _bands(line)):
            weight = {"lw": 1.5, "zorder": 2.2} if name in BANDED else {"lw": 1.0}
            curve = _line_of(look, name, 1 + len(line) // 5) | weight
            (drawn,) = ax.plot(line["iteration"], middle, **curve)
            lines.setdefault(look.label, drawn)
            if name in BANDED:
                band = {"color": look.color, "alpha": panels.BAND_ALPHA, "lw": 0}
                ax.fill_between(line["iteration"], low, high, **band)
                label = f"95 % Wilson interval{'; quartiles' if is_hard else ''}"
                style.explain(fig, label, area=True, fc=style.MUTED, alpha=0.3, lw=0)
    axes[0].set(ylim=(-2, 102), yticks=range(0, 101, 20), ylabel="Solved (%)")
    if is_hard:
        axes[2].sharey(axes[1])
        axes[1].set(ylabel="Cells without a value", ylim=(0, None))
        axes[1].yaxis.set_major_locator(MaxNLocator(integer=True))
    headings = ("(a) solved", "(b) best grid so far, unsolved", "(c) reinforced grid, unsolved")
    for ax, heading in zip(axes, headings):
        # Where all instances are solved at once there is nothing to take limits from.
        ax.set(xscale="log", xlim=(1, table["iteration"].max()), title=heading)
        ax.set_xlabel("Iterations")
        ax.tick_params(labelbottom=True)
    style.legend(fig)
    style.label_ends(axes[0], lines)
    return fig


def _bands(line):
    """Yield middle, low and high of success in percent, and of the cells missing in both grids."""
    yield [100 * line[name] for name in RATE]
    many = line["n_unsolved"] >= LEAST_UNSOLVED
    for grid in ("best", "held"):
        yield [line[f"{grid}_missing_{at}"].where(many) for at in ("median", "low", "high")]


def _line_of(look, name, every):
    """Return keywords of the line of a variant; one of no paper has a marker at some points."""
    width = 1.6 if name in HEAVY else 0.9
    ls = (0, (4, 1.5)) if name in DASHED else "-." if name in SAME_SOLVER else "-"
    curve = {"color": look.color, "ls": ls, "lw": width}
    if look.color in style.OTHER_COLORS:  # which another variant may have, too
        curve |= {"marker": look.marker, "markevery": every}
    return curve

"""Figures that no paper has."""

import numpy as np
from matplotlib.ticker import MaxNLocator, NullFormatter

from antdoku import papers
from antdoku.claims.samples import percentage
from antdoku.figures import panels, style
from antdoku.papers.beyond.tables import LEAST_WORK, PRINTED_RATES
from antdoku.tables.summary import RATE
from antdoku.times import duration

LINES = {"": "-", "dashed": (0, (4, 1.5)), "dashdot": "-."}
HEAVY = {"acs", "acs_restart", "tabu_col"}  # the variants that the figures are about
GREY = {"color": "#BDBDBD", "lw": 0.8, "zorder": 1.5, "label": "other solvers"}
FEW = 8  # a figure with at most as many variants names all
LABEL_HEIGHT = 0.14  # inches, beside the end of a line
LAST = 12  # percent of the instances that the second panel of the cactus plot shows
BANDED = {"acs", "acs_no_bve"}  # of the stagnation figure: the paper's two systems
LEAST_UNSOLVED = 10  # instances that a median and quartiles of the stagnation figure stand for
STAGNATION = ("(a) solved", "(b) best grid so far, unsolved", "(c) reinforced grid, unsolved")
WORK_TICKS = (0.01, 0.1, 1, 10)
UNCERTAIN = {"fc": style.MUTED, "alpha": 0.1, "lw": 0}


def phase_transition(title, table, looks):
    """Draw success and PAR2 of all solvers, a column per size."""
    fig = style.figure(f"{title} at {_at_hardest(table)}", height=4.6)
    orders = list(table.groupby("order"))
    axes = fig.subplots(2, len(orders), sharex="col", squeeze=False)
    named = _named(table)
    # A line through one fraction alone would not be seen.
    grey = GREY | ({"marker": "."} if table["fixed_fraction"].nunique() == 1 else {})
    for (order, rows), (above, below) in zip(orders, axes.T, strict=True):
        for name, look, line in style.series(rows, looks):
            curve = style.entry(look) | {"lw": 1.6, "ms": 2.8} if name in named else grey
            above.plot(100 * line["fixed_fraction"], 100 * line["success_rate"], **curve)
            below.plot(100 * line["fixed_fraction"], line["par2_s"], **curve)
        above.set_title(f"{style.ORDERS[order].label}, {panels.limit(rows)}")
        panels.percent_axis(above)
        panels.fraction_axis(below, rows, every=20)
        panels.mark_limit(below.axhline, rows)
        panels.log_times(below)
    axes[0, 0].set_ylabel(f"Solved (%) of {panels.span(table['n'])} runs")
    axes[1, 0].set_ylabel("PAR2 (s of CPU time)")
    style.legend(fig)
    return fig


def _named(table):
    """Return the variants that a figure names: all, or of many the important and the new."""
    names = {*table["variant"]}
    return names if len(names) <= FEW else HEAVY | (names - papers.variants().keys())


def _at_hardest(table):
    """Return, for a title, how much the named variants solve at the hardest point.

    If more than three are named: the first, or how many of all variants solve all, and the last.
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


def work_curves(title, table, looks):
    """Draw success by work at hard points, a row per experiment and size."""
    groups = list(table.groupby(["experiment", "order"], sort=False))
    columns = max(group["fixed_fraction"].nunique() for _, group in groups)
    title = f"{title}: {_gain_of_work(table)}"
    fig = style.figure(title, height=1.2 + 1.6 * len(groups))
    style.explain(fig, "work of the paper's program", **panels.DOTTED)
    style.explain(fig, "how uncertain that is", area=True, **UNCERTAIN)
    axes = fig.subplots(len(groups), columns, sharex=True, sharey=True, squeeze=False)
    for line, ((experiment, _), group) in zip(axes, groups, strict=True):
        points = list(group.groupby("fixed_fraction"))
        for ax, (_, rows) in zip(line, points):
            _work_panel(ax, rows, looks)
        for ax in line[len(points) :]:
            ax.set_axis_off()
        runs = f"solved (%) of {panels.span(group['n'])}"
        line[0].set_ylabel(f"{papers.of_experiment(experiment).short}\n{runs}")
    panels.percent_axis(axes[0, 0], high=106)
    axes[0, 0].set_xscale("log")
    axes[0, 0].set_xticks(WORK_TICKS, [f"{value:g}" for value in WORK_TICKS])
    axes[0, 0].set(xlim=(LEAST_WORK, 1.5 * max(2, table["work"].max())))
    for column in axes.T:
        lowest = [ax for ax in column if ax.axison][-1]
        lowest.set_xlabel("Work (the paper's: 1)")
        lowest.tick_params(labelbottom=True)
    style.legend(fig)
    return fig


def _gain_of_work(table):
    """Return, for a title, the most that twice the paper's work adds to a success rate."""
    gains = {}
    keys = ["experiment", "order", "fixed_fraction", "variant"]
    for _, rows in table.groupby(keys, sort=False):
        if rows["work"].max() >= 2:
            once, twice = (rows.loc[rows["work"] <= work, "success_rate"].max() for work in (1, 2))
            gains[rows.index[0]] = 100 * (twice - np.nan_to_num(once))
    if not gains:
        return "no runs have twice the paper's work"
    at = max(gains, key=gains.get)
    curve = f"{table.loc[at, 'label']}, {panels.point(table.loc[[at]])}"
    return f"twice the paper's work adds at most {gains[at]:.0f} points ({curve})"


def _work_panel(ax, rows, looks):
    ax.set_title(panels.point(rows))
    ax.axvline(1, **panels.DOTTED)
    for factor in rows["work_factor"].unique():
        ax.axvspan(1 / factor, factor, **UNCERTAIN)
    for _, look, line in style.series(rows, looks):
        percent = 100 * line["success_rate"].to_numpy()
        at_first = percent[line["work"] <= LEAST_WORK].max(initial=0)
        x, y = np.append(LEAST_WORK, line["work"]), np.append(at_first, percent)
        ax.plot(x, y, drawstyle="steps-post", color=look.color, lw=1.2)
        ax.plot(x[-1], y[-1], **style.entry(look), ms=4, clip_on=False)
        for name, column in PRINTED_RATES.items():
            panels.open_markers(ax, 1, 100 * line[name].iloc[0], column.edition, look.color)


def run_times(title, table, looks):
    """Draw run-time distributions, a panel per size."""
    parts, ends = [rows for _, rows in table.groupby("order")], []
    height = max(2.1, LABEL_HEIGHT * table["variant"].nunique())
    fig = style.figure(f"{title}: {_halves(parts[-1])}", height=1.2 + height * len(parts))
    axes = fig.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
    for rows, ax in zip(parts, axes, strict=True):
        lines = {}
        for name, look, line in style.series(rows, looks):
            solved = 100 * line["solved"].sum() / line["n"].iloc[0]
            curve = _line_of(look, name, 1 + len(line) // 5) | {"drawstyle": "steps-post"}
            (lines[f"{look.label} {solved:.0f} %"],) = ax.plot(*_distribution(line), **curve)
        panels.mark_limit(ax.axvline, rows[~rows["solved"]], "limit of the unsolved runs")
        ax.set_title(panels.point(rows))
        panels.percent_axis(ax, 0, 103)
        ax.set_xscale("log")
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_ylabel(f"Solved (%) of {panels.span(rows['n'])} runs")
        ends.append((ax, lines))
    axes[-1].set_xlabel("CPU time (s)")
    style.legend(fig)
    for ax, lines in ends:
        style.label_ends(ax, lines)
    return fig


def _halves(table):
    """Return, for a title, when the first and the last named variant have solved half."""
    named = table[table["variant"].isin(_named(table))]
    medians = {}
    for label, rows in named.groupby("label", sort=False):
        times, half = rows.loc[rows["solved"], "cpu_s"].sort_values(), -(-rows["n"].iloc[0] // 2)
        if len(times) >= half:
            medians[label] = times.iloc[half - 1]
    fastest = sorted(medians, key=medians.get)
    ends = fastest[:1]
    if fastest and medians[fastest[-1]] > medians[fastest[0]]:  # else the same runs, with more time
        ends += fastest[-1:]
    texts = [f"{label} in {duration(medians[label])}" for label in ends]
    size = style.ORDERS[table["order"].iloc[0]].label
    return f"at {size} half is solved by {', by '.join(texts) or 'no solver'}"


def _distribution(line):
    """Return times and percent of a step function that ends where the runs do."""
    times = line.loc[line["solved"], "cpu_s"].to_numpy()
    percent = 100 * np.arange(len(times) + 1) / line["n"].iloc[0]
    if len(times) == len(line):
        return times, percent[1:]
    return np.append(times, line["cpu_s"].max()), np.append(percent[1:], percent[-1])


def cactus(title, table, looks):
    """Draw a cactus plot, and enlarge its end."""
    fig = style.figure(f"{title}: {_most_and_fewest(table)}", height=3.8)
    left, right = fig.subplots(1, 2, sharey=True, width_ratios=(2, 3))
    lines = {}
    for name, look, line in style.series(table, looks):
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


def _most_and_fewest(table):
    """Return, for a title, which variants solve the largest and the smallest share."""
    shares = (table["n_solved"] / table["n"]).groupby(table["label"], sort=False).max()
    first, last = shares.idxmax(), shares.idxmin()
    text = f"{first} solves {percentage(shares[first])} of {panels.span(table['n'])}"
    return text if first == last else f"{text}, {last} {percentage(shares[last])}"


def stagnation(title, table, looks):
    """Draw success, and the cells that are missing in both grids, by iteration."""
    fig = style.figure(f"{title}: {_solved_in_the_end(table)}", height=4.6)
    # At an easy point few instances are unsolved: their cells say nothing.
    is_hard = (table["n_unsolved"] >= LEAST_UNSOLVED).any()
    axes = [*fig.subplot_mosaic("aa;bc" if is_hard else "a", sharex=True).values()]
    lines = {}
    for name, look, line in style.series(table, looks):
        lines[look.label] = _draw_stagnation(axes, name, look, line)
        if name in BANDED:
            label = f"95 % Wilson interval{'; quartiles' if is_hard else ''}"
            style.explain(fig, label, area=True, fc=style.MUTED, alpha=0.3, lw=0)
    panels.percent_axis(axes[0], -2, 102)
    axes[0].set_ylabel(f"Solved (%) of {panels.span(table['n'])}")
    if is_hard:
        axes[2].sharey(axes[1])
        axes[1].set(ylabel="Cells without a value", ylim=(0, None))
        axes[1].yaxis.set_major_locator(MaxNLocator(integer=True))
    for ax, heading in zip(axes, STAGNATION):
        # If all instances are solved at once, Matplotlib has no data to choose limits by.
        ax.set(xscale="log", xlim=(1, table["iteration"].max()), title=heading)
        ax.set_xlabel("Iterations")
        ax.tick_params(labelbottom=True)
    style.legend(fig)
    style.label_ends(axes[0], lines)
    return fig


def _solved_in_the_end(table):
    """Return, for a title, how much the paper's systems solve by their last iteration."""
    last = table[table["variant"].isin(BANDED)].groupby("variant", sort=False).tail(1)
    if last.empty:
        return f"{panels.point(table)}, {panels.span(table['n'])} instances"
    shares = [f"{row.label} {percentage(row.success_rate)}" for row in last.itertuples()]
    iterations = f"{last['iteration'].max():,} iterations"
    return f"at {panels.point(table)}, {iterations} solve: {', '.join(shares)}"


def _draw_stagnation(axes, name, look, line):
    """Draw a variant on all axes, some with bands; return its line on the first axes."""
    weight = {"lw": 1.5, "zorder": 2.2} if name in BANDED else {"lw": 1.0}
    curve = _line_of(look, name, 1 + len(line) // 5) | weight
    drawn = []
    for ax, (middle, low, high) in zip(axes, _bands(line)):
        drawn += ax.plot(line["iteration"], middle, **curve)
        if name in BANDED:
            band = {"color": look.color, "alpha": panels.BAND_ALPHA, "lw": 0}
            ax.fill_between(line["iteration"], low, high, **band)
    return drawn[0]


def _bands(line):
    """Yield middle, low and high of success in percent, and of the cells missing in both grids."""
    yield [100 * line[name] for name in RATE]
    many = line["n_unsolved"] >= LEAST_UNSOLVED
    for grid in ("best", "held"):
        yield [line[f"{grid}_missing_{at}"].where(many) for at in ("median", "low", "high")]


def _line_of(look, name, every):
    """Return keywords of the line of a variant. A variant of no paper has markers on it."""
    curve = {"color": look.color, "ls": LINES[look.line], "lw": 1.6 if name in HEAVY else 0.9}
    if look.color in style.OTHER_COLORS:  # another variant may have this colour, too
        curve |= {"marker": look.marker, "markevery": every}
    return curve

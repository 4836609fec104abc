"""Figures of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019), drawn again from our runs."""

import numpy as np
from matplotlib.ticker import NullFormatter

from antdoku.figures import as_printed, panels, style
from antdoku.outcome import SOLVED
from antdoku.papers.lloyd_amos.tables import ARXIV, PRINTED

BOXED = ("acs", "ils")  # figure 4: boxplots; the other variants as the mean
WHISKERS = (0, 100)  # percentiles: from the shortest to the longest run
HARD = (35, 50)  # percent fixed: the hard region at 25 x 25
PROPAGATION = ("instances solved by propagation alone", "values left per cell")  # figure 8
STARTS = {"ls": ":", "lw": 1.0, "zorder": 1}  # figure 8: where the paper has trivial instances


def fig4_form(title, table, looks):
    """Draw printed mean times of ACS above the times of our runs."""
    of_acs = table[(table["variant"] == "acs") & (table["status"] == SOLVED)].groupby("puzzle")
    times = of_acs["arxiv_mean_time_s"].first(), of_acs["cpu_s"].mean()
    fig = style.figure(f"{title}: {as_printed.by_rank(*times)}", height=5.2)
    above, below = fig.subplots(2, 1, sharex=True, sharey=True)
    above.set_title("ACS, printed; for ILS, DLX and BS the paper prints no times")
    below.set_title(f"our runs, {_runs_on_puzzles(table)}")
    _printed_times(above, table, looks, ", mean of solved")
    _named(below, table, looks)
    for ax in (above, below):
        _times_by_puzzle(ax)
    style.legend(fig, 3)
    return fig


def fig4(title, table, looks):
    """Draw times by puzzle: boxes of ACS and ILS, means of the other solvers."""
    fig = style.figure(f"{title}: {_slowest(table)}", height=4.0)
    ax = fig.subplots()
    ax.set_title(_runs_on_puzzles(table), pad=14 if (table["status"] != SOLVED).any() else 6)
    _named(ax, table, looks)
    _printed_times(ax, table, looks, ", mean of solved (their machine)")
    _times_by_puzzle(ax)
    style.legend(fig, 3)
    return fig


def _slowest(table):
    """Return, for a title, how many runs are solved, and which puzzle takes ACS longest."""
    is_solved = table["status"] == SOLVED
    n, n_all = is_solved.sum(), len(table)
    text = "all runs are solved" if n == n_all else f"{n} of {n_all} runs are solved"
    of_acs = table[is_solved & (table["variant"] == "acs")]
    if of_acs.empty:
        return text
    return f"{text}; ACS takes longest on {of_acs.groupby('puzzle')['cpu_s'].mean().idxmax()}"


def _runs_on_puzzles(table):
    counts = table.groupby(["puzzle", "variant"]).size()
    return f"{panels.span(counts)} runs each, {panels.limit(table)}"


def _named(ax, table, looks):
    """Draw boxes and means by puzzle, and count failures."""
    for look, rows, x, box in _by_puzzle(table, looks):
        x = x + 0.2 * box
        mean = rows[rows["status"] == SOLVED].groupby("puzzle")["cpu_s"].mean()
        mark = style.entry(look) | {"ls": "", "ms": 4.2, "label": f"{look.label}, mean of solved"}
        if rows["variant"].iloc[0] in BOXED:
            _boxes(ax, x, rows, look, box)
            mark |= {"ms": 3.2, "mec": "white", "mew": 0.5, "zorder": 2}
        ax.plot(x, mean.reindex(x.index), **mark)
        _count_failures(ax, x, rows, look)
    panels.mark_limit(ax.axhline, table)
    panels.puzzle_axis(ax, list(x.index), rotation=40, ha="right", rotation_mode="anchor")


def _printed_times(ax, table, looks, suffix):
    for look, rows, x, box in _by_puzzle(table, looks):
        times = rows.groupby("puzzle")["arxiv_mean_time_s"].first().reindex(x.index)
        panels.open_markers(ax, x - 0.75 * box, times, ARXIV, look.color, suffix)


def _times_by_puzzle(ax):
    ax.set(yscale="log", ylabel="CPU time (s)")
    ax.yaxis.set_minor_formatter(NullFormatter())
    for x in ax.get_xticks()[::2]:
        ax.axvspan(x - 0.5, x + 0.5, color="#F6F6F6", lw=0, zorder=0)


def _by_puzzle(table, looks):
    """Yield look, rows, places by puzzle, and width of a box, of each variant."""
    names, variants = list(table["puzzle"].unique()), list(style.series(table, looks))
    for number, (_, look, rows) in enumerate(variants):
        x = panels.positions(names, number, len(variants))
        yield look, rows, x, 0.7 * panels.GROUP_WIDTH / len(variants)


def _boxes(ax, x, rows, look, width):
    """Draw boxes of all runs; a failure counts with its limit in seconds, if that ended it."""
    is_own_time = (rows["status"] == SOLVED) | (rows["limit_steps"] > 0) | rows["limit_s"].isna()
    times = rows["cpu_s"].where(is_own_time, rows["limit_s"])
    by_puzzle = dict(list(times.groupby(rows["puzzle"], sort=False)))
    box = {"facecolor": look.color, "edgecolor": look.color, "alpha": 0.55, "lw": 0.7}
    line = {"color": look.color, "lw": 0.8}
    parts = {"boxprops": box, "whiskerprops": line, "capprops": line}
    parts["medianprops"] = {"color": style.INK, "lw": 1.0}
    where = {"positions": x[list(by_puzzle)], "widths": width, "manage_ticks": False, "zorder": 1}
    ax.boxplot(by_puzzle.values(), whis=WHISKERS, patch_artist=True, **where, **parts)
    grey = {"fc": style.pale(style.MUTED), "ec": style.MUTED, "lw": 0.7}
    style.explain(ax.figure, "box: quartiles; whiskers: all runs", area=True, **grey)


def _count_failures(ax, x, rows, look):
    """Write above the plot how many runs on each puzzle failed."""
    failed = rows[rows["status"] != SOLVED].groupby("puzzle").size()
    text = {"ha": "center", "va": "bottom", "rotation": 90, "weight": "bold"}
    text |= {"transform": ax.get_xaxis_transform(), "color": look.color}
    for puzzle, count in failed.items():
        ax.text(x[puzzle], 1.01, str(count), **text)
        label = "runs not solved (above the plot)"
        style.explain(ax.figure, label, marker="$12$", ms=7)


def systems(title, table, looks):
    """Draw success and time of the systems."""
    return panels.one_order(title, table, looks, PRINTED)


def systems_form(title, table, looks):
    """Draw printed numbers above ours."""
    return as_printed.over_fractions(title, {"": table}, looks, PRINTED)


def systems_with_inset(title, table, looks):
    """Draw success and time of the systems, and enlarge the hard region."""
    return panels.one_order(title, table, looks, PRINTED, HARD)


def fig8_form(title, table, looks):
    """Draw the printed numbers of propagation above ours."""
    fig = style.figure(f"{title}: {_first_trivial(table)}", height=4.8)
    axes = fig.subplots(2, 2, sharex=True, sharey="col")
    _printed_propagation(*axes[0], table)
    _propagation(*axes[1], table)
    for row, side in zip(axes, ("printed", "ours")):
        for ax, measure in zip(row, PROPAGATION):
            ax.set_title(f"{measure}, {side}")
    style.legend(fig)
    return fig


def fig8(title, table, looks):
    """Draw the share of trivial instances, and the number of values left."""
    fig = style.figure(f"{title}: {_first_trivial(table)}", height=3.1)
    axes = fig.subplots(1, 2)
    _printed_propagation(*axes, table)
    _propagation(*axes, table)
    left, right = (f"({letter}) {measure}" for letter, measure in zip("ab", PROPAGATION))
    axes[0].set_title(left)
    axes[1].set_title(f"{right}, {panels.span(table['n_instances'])} instances per point")
    style.legend(fig)
    return fig


def _first_trivial(table):
    """Return, for a title, from which fraction on propagation solves instances, by order."""
    first = table[table["trivial"] > 0].groupby("order")["fixed_fraction"].min()
    printed = table.groupby("order")["arxiv_trivial_from"].first()
    ours, theirs = (
        ", ".join(f"{100 * value:g}" if value > 0 else "–" for value in values)
        for values in (first.reindex(printed.index), printed)
    )
    if not (first > 0).any():
        return f"it solves no instance (printed: from {theirs} % on)"
    return f"it solves instances from {ours} % on (printed: {theirs})"


def _printed_propagation(left, right, table):
    """Draw the printed fractions where trivial instances begin, and printed sizes of value sets."""
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        panels.open_markers(right, x, rows["arxiv_mean_value_set_size"], ARXIV, look.color)
        start = rows["arxiv_trivial_from"].iloc[0]
        if np.isfinite(start):
            left.axvline(100 * start, color=look.color, **STARTS)
            label = "paper, arXiv 2018: no trivial instance below"
            style.explain(left.figure, label, **STARTS)
    left.set_ylabel("Trivial instances (%)")
    right.set_ylabel("Mean values per cell")


def _propagation(left, right, table):
    """Draw the share of trivial instances, and the sizes of value sets, of our instances."""
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        right.plot(x, rows["mean_value_set_size"], **style.entry(look))
        trivial = ("fraction_trivial", "wilson_low", "wilson_high")
        panels.rates(left, x, rows, trivial, **style.entry(look))
    largest = int(np.nan_to_num(table["mean_value_set_size"].max()))
    sizes = [1, *range(5, largest + 1, 5)] if largest > 5 else range(1, largest + 2)
    panels.percent_axis(left)
    right.set(ylim=(0, None), yticks=sizes)
    for ax in (left, right):
        ax.set_xlabel("Fixed cells (%)")


def fig9(title, table, looks):
    """Draw ACS with and without BVE on the largest size."""
    largest = table["order"] == table["order"].max()
    size = style.ORDERS[table["order"].max()].label
    return panels.one_order(f"{title}, {size}", table[largest], looks, PRINTED, HARD)


def fig9_form(title, table, looks):
    """Draw printed numbers of ACS without BVE and with it above ours."""
    table = table[table["order"] == table["order"].max()]
    names = {"without BVE": "acs_no_bve", "with BVE": "acs"}
    parts = {heading: table[table["variant"] == name] for heading, name in names.items()}
    return as_printed.over_fractions(title, parts, looks, PRINTED)

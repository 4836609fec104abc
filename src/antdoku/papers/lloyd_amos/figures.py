"""Figures of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019), drawn again from our runs.

Figures 1 to 3 show a puzzle.
"""

import numpy as np
import pandas as pd
from matplotlib.ticker import NullFormatter

from antdoku.figures import as_printed, figure, panels, puzzles, style
from antdoku.outcome import SOLVED

BOXED = ("acs", "ils")  # figure 4: boxplots; the other variants as the mean
WHISKERS = (0, 100)  # percentiles: from the shortest to the longest run
HARD = (35, 50)  # percent fixed: the hard region at 25 x 25
PROPAGATION = ("instances solved by propagation alone", "values left per cell")  # figure 8
STARTS = {"ls": ":", "lw": 1.0, "zorder": 1}  # figure 8: where the paper has trivial instances


@figure("lloyd_amos_fig1", puzzle=("givens", "solution"))
def fig1(givens, solution):
    """A Sudoku puzzle of our own choice and its solution. The given cells are bold."""
    return puzzles.puzzle_and_solution(givens, solution)


@figure("lloyd_amos_fig2", puzzle=("givens",))
def fig2(givens):
    """The three units of one cell (row, column, box) and its peers, the other cells of these
    units.
    """
    return puzzles.units_and_peers(givens)


@figure("lloyd_amos_fig3", puzzle=("givens", "before", "after"))
def fig3(givens, before, after):
    """Value sets (the values that a cell can still take) of one puzzle before and after the initial
    propagation, which repeats naked and hidden singles until nothing changes. Propagation fixed the
    blue values.
    """
    return puzzles.value_sets(givens, before, after)


@figure("lloyd_amos_fig4_form", "Named 9 × 9 puzzles", table="lloyd_amos_fig4")
def fig4_form(title, table):
    """CPU time on the sixteen named 9 × 9 puzzles. Above: mean times of ACS as printed (their
    machine, 2018); those of the others are not. Below: our runs, ACS and ILS as boxes, DLX and BS
    as means. Claims: ``Section 4.2``.
    """
    of_acs = table[(table["variant"] == "acs") & (table["status"] == SOLVED)].groupby("puzzle")
    times = of_acs["arxiv_mean_time_s"].first(), of_acs["cpu_s"].mean()
    fig = style.figure(f"{title}: {as_printed.by_rank(*times)}", height=5.2)
    above, below = fig.subplots(2, 1, sharex=True, sharey=True)
    above.set_title("ACS, printed; for ILS, DLX and BS the paper prints no times")
    below.set_title(f"our runs, {_runs_on_puzzles(table)}")
    _printed_times(above, table, ", mean of solved")
    _named(below, table)
    for ax in (above, below):
        _times_by_puzzle(ax)
    style.legend(fig, 3)
    return fig


@figure("lloyd_amos_fig4", "Named 9 × 9 puzzles")
def fig4(title, table):
    """CPU time on the sixteen named 9 × 9 puzzles up to the paper's work (in the paper: 5 s). Boxes
    (ACS, ILS): quartiles of all runs, failures too; whiskers: all runs. Markers: means of the
    solved runs. Open stars: printed means of ACS, on the authors' machine. Numbers above the plot,
    if any, count failures.
    """
    fig = style.figure(f"{title}: {_runs_on_puzzles(table)}", height=4.0)
    ax = fig.subplots()
    _named(ax, table)
    _printed_times(ax, table, ", mean of solved (their machine)")
    _times_by_puzzle(ax)
    style.legend(fig, 3)
    return fig


def _runs_on_puzzles(table):
    counts = table.groupby(["puzzle", "variant"]).size()
    return f"{panels.span(counts)} runs each, {panels.limit(table)}"


def _named(ax, table):
    """Draw boxes and means by puzzle, and count failures."""
    for look, rows, x, box in _by_puzzle(table):
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


def _printed_times(ax, table, suffix):
    for look, rows, x, box in _by_puzzle(table):
        times = rows.groupby("puzzle")["arxiv_mean_time_s"].first().reindex(x.index)
        panels.open_markers(ax, x - 0.75 * box, times, "arxiv", look.color, suffix)


def _times_by_puzzle(ax):
    ax.set(yscale="log", ylabel="CPU time (s)")
    ax.yaxis.set_minor_formatter(NullFormatter())
    for place in ax.get_xticks()[::2]:
        ax.axvspan(place - 0.5, place + 0.5, color="#F6F6F6", lw=0, zorder=0)


def _by_puzzle(table):
    """Yield look, rows, places by puzzle, and width of a box, of each variant."""
    names, variants = list(table["puzzle"].unique()), list(style.series(table))
    for number, (_, look, rows) in enumerate(variants):
        x = pd.Series(range(len(names)), names) + panels.offset(number, len(variants))
        yield look, rows, x, 0.7 * panels.GROUP_WIDTH / len(variants)


def _boxes(ax, x, rows, look, width):
    """Draw all runs; one that failed at its limit, or at its own time when steps limited it."""
    own = (rows["status"] == SOLVED) | (rows["limit_steps"] > 0) | rows["limit_s"].isna()
    times = rows["cpu_s"].where(own, rows["limit_s"])
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


@figure("lloyd_amos_fig6", "Random 16 × 16 instances")
@figure("lloyd_amos_fig5", "Random 9 × 9 instances")
def fig5(title, table):
    """ACS, ILS, DLX and BS up to the paper's work (in the paper: 5 s for 9 × 9, 20 s for 16 × 16),
    by the percentage of fixed cells: success rate, if not all runs solved, and mean CPU time of the
    solved runs. The paper has 100 instances per point and prints no numbers for this size.
    """
    return panels.one_order(title, table)


@figure("lloyd_amos_fig6_form", "Random 16 × 16 instances", table="lloyd_amos_fig6")
@figure("lloyd_amos_fig5_form", "Random 9 × 9 instances", table="lloyd_amos_fig5")
def fig5_form(title, table):
    """Random instances of one size: bars are mean CPU times of solved runs, lines are success
    rates. The paper prints no numbers for this size. Claims: ``Section 4.3`` and, for 16 × 16,
    ``Abstract``.
    """
    return as_printed.over_fractions(title, {"": table})


@figure("lloyd_amos_fig7", "Random 25 × 25 instances")
def fig7(title, table):
    """ACS, ILS, DLX and BS on random 25 × 25 instances up to the paper's work (in the paper:
    120 s). The inset, if any, enlarges the hard region. Times: means of solved runs. Open markers:
    printed in preprint (stars) and journal (diamonds), 100 instances a point. On our machine their
    program of ACS takes 1.8 s on average at 45 %.
    """
    return panels.one_order(title, table, HARD)


@figure("lloyd_amos_fig7_form", "Random 25 × 25 instances", table="lloyd_amos_fig7")
def fig7_form(title, table):
    """Random 25 × 25 instances: bars are mean CPU times of the solved runs, lines are success
    rates. Above: the numbers of the journal (bars and lines; times are printed for ACS alone) and
    of the preprint (stars), on their machine, 2018. Below: our runs. Claims: ``25x25 table``,
    ``Section 4.3``.
    """
    return as_printed.over_fractions(title, {"": table})


@figure("lloyd_amos_fig8_form", "Initial propagation", table="lloyd_amos_fig8")
def fig8_form(title, table):
    """Percentage of trivial instances, which propagation alone solves, and mean number of values
    left per cell. Above: all numbers that the paper prints: where trivial instances begin (dotted),
    and 3.6 values per cell at 25 × 25, 45 % (star). Below: our instances. Claims: ``Section 4.3``.
    """
    fig = style.figure(f"{title}: {_first_trivial(table)}", height=4.8)
    axes = fig.subplots(2, 2, sharex=True, sharey="col")
    _printed_propagation(*axes[0], table)
    _propagation(*axes[1], table)
    for ax, of, what in zip(axes.flat, ("printed",) * 2 + ("ours",) * 2, PROPAGATION * 2):
        ax.set_title(f"{what}, {of}")
    style.legend(fig)
    return fig


@figure("lloyd_amos_fig8", "Initial propagation")
def fig8(title, table):
    """(a) Percentage of trivial instances, which propagation alone solves. (b) Mean number of
    values left per cell; a fixed cell counts one. Published: no trivial instance below the dotted
    lines (40, 50 and 55 % for 9 × 9, 16 × 16 and 25 × 25), and 3.6 values per cell at 25 × 25, 45 %
    (star).
    """
    fig = style.figure(f"{title}: {_first_trivial(table)}", height=3.1)
    axes = fig.subplots(1, 2)
    _printed_propagation(*axes, table)
    _propagation(*axes, table)
    n = f", {panels.span(table['n_instances'])} instances per point"
    for ax, letter, what, more in zip(axes, "ab", PROPAGATION, ("", n)):
        ax.set_title(f"({letter}) {what}{more}")
    style.legend(fig)
    return fig


def _first_trivial(table):
    """Return a conclusion: from which fractions on propagation solves instances, by order."""
    found = table[table["trivial"] > 0].groupby("order")["fixed_fraction"].min()
    printed = table.groupby("order")["arxiv_trivial_from"].first()
    ours, theirs = (
        ", ".join(f"{100 * value:g}" if value > 0 else "–" for value in values)
        for values in (found.reindex(printed.index), printed)
    )
    if not (found > 0).any():
        return f"it solves no instance (printed: from {theirs} % on)"
    return f"it solves instances from {ours} % on (printed: {theirs})"


def _printed_propagation(left, right, table):
    """Draw where trivial instances begin, and sizes of value sets, as printed."""
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        panels.open_markers(right, x, rows["arxiv_mean_value_set_size"], "arxiv", look.color)
        start = rows["arxiv_trivial_from"].iloc[0]
        if np.isfinite(start):
            left.axvline(100 * start, color=look.color, **STARTS)
            label = "paper, arXiv 2018: no trivial instance below"
            style.explain(left.figure, label, **STARTS)
    left.set_ylabel("Trivial instances (%)")
    right.set_ylabel("Mean values per cell")


def _propagation(left, right, table):
    """Draw the share of trivial instances and the sizes of value sets, of our instances."""
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        right.plot(x, rows["mean_value_set_size"], **style.entry(look))
        trivial = ("fraction_trivial", "wilson_low", "wilson_high")
        panels.rates(left, x, rows, trivial, **style.entry(look))
    largest = int(np.nan_to_num(table["mean_value_set_size"].max()))
    sizes = [1, *range(5, largest + 1, 5)] if largest > 5 else range(1, largest + 2)
    left.set(ylim=(-4, 104), yticks=range(0, 101, 20))
    right.set(ylim=(0, None), yticks=sizes)
    for ax in (left, right):
        ax.set_xlabel("Fixed cells (%)")


@figure("lloyd_amos_fig9", "Best-value evaporation (BVE)")
def fig9(title, table):
    """ACS with and without best-value evaporation (BVE) on random instances of the largest size at
    the paper's work (in the paper: 120 s at 25 × 25): success rate, if not all runs solved, and
    mean CPU time of the solved runs. The inset, if any, enlarges the hard region. Open markers:
    printed in preprint (stars) and journal (diamonds).
    """
    largest = table["order"] == table["order"].max()
    size = style.ORDERS[table["order"].max()].label
    return panels.one_order(f"{title}, {size}", table[largest], HARD)


@figure("lloyd_amos_fig9_form", "Best-value evaporation (BVE)", table="lloyd_amos_fig9")
def fig9_form(title, table):
    """ACS on random instances of the largest size, without best-value evaporation (left) and with
    it (right). Bars are mean CPU times of solved runs, lines are success rates. Above: the journal
    (bars and lines) and the preprint (stars). Below: our runs. Claims: ``25x25 table, with and
    without BVE``, ``Section 4.4``.
    """
    table = table[table["order"] == table["order"].max()]
    names = {"without BVE": "acs_no_bve", "with BVE": "acs"}
    parts = {heading: table[table["variant"] == name] for heading, name in names.items()}
    return as_printed.over_fractions(title, parts)

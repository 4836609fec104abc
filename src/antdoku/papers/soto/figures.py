"""Table 2 and figure 4 of Soto et al. 2013, drawn from our runs.

Both have a panel per limit, the papers' order of puzzles, and each system twice: in the main
reading of the paper (filled), and with a rule of ours (white).
"""

import numpy as np
from attrs import evolve

from antdoku import papers
from antdoku.figures import as_printed, panels, style
from antdoku.papers.soto.tables import EXPERIMENT, MAIN, N_RUNS, OURS, PAPER_2013, TIMES, UNLIMITED
from antdoku.tables.summary import PERCENT

SYSTEMS = papers.get(EXPERIMENT).variants  # each has the look of one of its variants
FIG4 = ("ac3_tabu_1000_cell", "ga_100000_as_printed")  # in the form of the paper
NO_RUNS = "The printed times stand beside runs of AC3-tabu in the main reading: there are none."


def table2(title, table, looks):
    """Draw bars of the solved runs, a panel per limit."""
    fig = _panels(f"{title}: {_rates_met(table)}", table, _bars)
    for ax in fig.axes:
        panels.percent_axis(ax, 0, 106)
        ax.set_ylabel(f"Solved (%) of {panels.span(table['n'])}")
    style.explain(fig, "95 % Wilson interval", color=style.INK, lw=0.7)
    style.legend(fig)
    return fig


def fig4_form(title, table, looks):
    """Draw printed times of AC3-tabu above the times of our runs."""
    puzzles, table = list(table["puzzle"].unique()), table[table["variant"].isin(FIG4)]
    tabu = table[table["variant"] == FIG4[0]].set_index("puzzle")
    title += f": {as_printed.by_rank(tabu['published_mean_time_s'], tabu['mean_time_s'])}"
    fig = style.figure(title, height=4.6)
    above, below = axes = fig.subplots(2, 1, sharex=True, sharey=True)
    above.set_title("AC3-tabu, printed; for Hard c and for the GA the paper prints no times")
    below.set_title("our runs")
    width = 0.8 / max(table["variant"].nunique(), 1)
    for look, rows, x in _by_puzzle(style.series(table, looks), puzzles):
        for ax, start in zip(axes, ("published_", "")):
            _ranges(ax, x, [rows[f"{start}{name}_time_s"] for name in TIMES], width, look)
        panels.mark_failure(below, x[rows["solved"] == 0], look.color)
    if tabu.empty:
        panels.note(above, NO_RUNS)
    for ax in axes:
        panels.log_times(ax)
        ax.set_ylabel("CPU time (s)")
        ax.tick_params(axis="x", length=0)
    panels.puzzle_axis(below, puzzles)
    style.legend(fig)
    return fig


def _by_puzzle(variants, puzzles):
    """Yield look, rows by puzzle, and x positions, of each variant."""
    variants = list(variants)
    for number, (_, look, rows) in enumerate(variants):
        rows = rows.set_index("puzzle").reindex(puzzles)
        yield look, rows, panels.positions(puzzles, number, len(variants))


def _ranges(ax, x, times, width, look):
    """Draw bars of means, and lines from the least to the greatest time."""
    shortest, mean, longest = times
    bar = {"facecolor": style.pale(look.color), "edgecolor": look.color, "lw": 0.7}
    ax.bar(x, mean, width, label=look.label, **bar)
    ax.vlines(x, shortest, longest, color=look.color, lw=1.2)


def fig4(title, table, looks):
    """Draw times, a panel per limit."""
    fig = _panels(f"{title}: {_faster(table)}", table, _times)
    for ax in fig.axes:
        panels.log_times(ax)
        ax.set_ylabel("CPU time (s)")
    style.legend(fig)
    return fig


def _rates_met(table):
    """Return, for a title, how many printed rates the main reading meets."""
    rows = table[table["reading"] == MAIN].dropna(subset="published_solved_of_30")
    distance = (rows["success_percent"] - 100 * rows["published_solved_of_30"] / N_RUNS).abs()
    n_met = (distance.round(6) <= as_printed.CLOSE).sum()
    return (
        f"in the main reading {n_met} of {len(rows)} printed rates "
        f"are met within {as_printed.CLOSE} points"
    )


def _faster(table):
    """Return, for a title, how often each system is faster, where both have a mean time."""
    rows = table[table["reading"] == MAIN].dropna(subset="mean_time_s")
    means = rows.pivot(index=["iterations", "puzzle"], columns="system", values="mean_time_s")
    means = means.dropna()
    if not len(means) or len(means.columns) < 2:
        return "no puzzle has a mean time of both systems"
    counts = means.idxmin(axis=1).value_counts()
    first = counts.index[0]
    return (
        f"{SYSTEMS[first].label} is faster in {counts.iloc[0]} of {len(means)} cases "
        "in the main reading"
    )


def _panels(title, table, draw):
    """Return a figure with a panel per limit; `draw` fills it with a variant at x positions."""
    table = table[table["reading"].isin((MAIN, OURS))]
    limits = table["iterations"].replace(UNLIMITED, np.inf)  # last
    parts, puzzles = list(table.groupby(limits)), list(table["puzzle"].unique())
    fig = style.figure(title, height=1.1 + 1.6 * len(parts))
    axes = fig.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
    for ax, letter, (iterations, part) in zip(axes, "abc", parts):
        width = panels.GROUP_WIDTH / part["variant"].nunique()
        for look, rows, x in _by_puzzle(_systems(part), puzzles):
            draw(ax, rows, x, width, look, (rows["reading"] == MAIN).any())
            panels.mark_failure(ax, x[rows["solved"] == 0], look.color)
        in_paper = "unlimited in the paper; ours: at most " if np.isinf(iterations) else ""
        ax.set_title(f"({letter}) {in_paper}{_limit(part)}")
        panels.puzzle_axis(ax, puzzles)
    return fig


def _systems(table):
    """Yield name, look and rows of each variant, with the look of its system."""
    groups = table.groupby(["variant", "system", "reading"], sort=False)
    for (name, system, reading), rows in groups:
        rules = "main reading" if reading == MAIN else "with our rule"
        look = SYSTEMS[system]
        yield name, evolve(look, label=f"{look.label}, {rules}"), rows


def _limit(rows):
    """Return the limit of the runs of a panel: iterations (of each system) or seconds."""
    limits = rows[rows["limit_steps"] > 0].groupby("limit_steps")["system"].first()
    numbers = [f"{steps:,}" if steps > 9999 else f"{steps}" for steps in limits.index]
    if len(limits) > 1:
        labels = (SYSTEMS[system].label for system in limits)
        numbers = [f"{number} ({label})" for number, label in zip(numbers, labels)]
    if numbers:
        return f"{', '.join(numbers)} iterations"
    return f"{' / '.join(f'{value:g}' for value in rows['limit_s'].unique())} s of CPU time"


def _bars(ax, rows, x, width, look, is_main):
    """Draw bars of success, pale enough for intervals and marks to be seen on them."""
    face = style.pale(look.color) if is_main else "white"
    edge = {"edgecolor": look.color, "linewidth": 0.7, "label": look.label}
    ax.bar(x, rows["success_percent"], width=0.92 * width, facecolor=face, **edge)
    panels.rates(ax, x, rows, PERCENT, 1, ls="", color=style.INK)
    percent = 100 * rows["published_solved_of_30"] / N_RUNS
    panels.open_markers(ax, x + 0.25 * width, percent, PAPER_2013, look.color, ", of 30 runs")


def _times(ax, rows, x, width, look, is_main):
    """Draw times; printed times are between the bars of the main reading and of our rule."""
    label = "from the shortest to the longest run, marked at the mean"
    style.explain(ax.figure, label, lw=0.8)
    ax.vlines(x, rows["min_time_s"], rows["max_time_s"], color=look.color, lw=0.8)
    face = look.color if is_main else "white"
    ax.plot(x, rows["mean_time_s"], ls="", **style.entry(look), mfc=face, ms=4.6)
    ends = [rows[f"published_{end}_time_s"] for end in ("min", "max")]
    times, between = rows["published_mean_time_s"], x + 0.5 * width
    ax.vlines(between, *ends, color=look.color, lw=0.8)
    panels.open_markers(ax, between, times, PAPER_2013, look.color, ", on its hardware")

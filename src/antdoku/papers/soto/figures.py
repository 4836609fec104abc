"""Table 2 and figure 4 of Soto et al. 2013, drawn from our runs, in their order of puzzles."""

import numpy as np

from antdoku import papers
from antdoku.figures import as_printed, panels, style
from antdoku.papers.soto.tables import EXPERIMENT, MAIN, N_RUNS, OURS, PAPER_2013
from antdoku.tables.summary import PERCENT

FIG4 = "ac3_tabu_1000_cell"  # has printed times
LIMIT = 100_000  # iterations of table 2 at which runs fail
SYSTEMS = papers.get(EXPERIMENT).variants  # each has the look of one of its variants
READINGS = {MAIN: "main reading of the paper", OURS: "with a rule of ours"}


def fig4(title, table, looks):
    """Draw printed and our times of AC3-tabu on each puzzle, each on an axis of its own."""
    rows = table[table["variant"] == FIG4].set_index("puzzle")
    if rows.empty:
        return style.no_runs(title)
    rows = rows.sort_values("published_mean_time_s", kind="stable")
    printed, ours = rows["published_mean_time_s"], rows["mean_time_s"]
    fig = style.figure(as_printed.by_rank(printed, ours, "AC3-tabu"), height=3.2)
    left, right = style.panels_in_row(fig, 2, sharey=True)
    y = np.arange(len(rows))
    for ax, name in ((left, "published_{}_time_s"), (right, "{}_time_s")):
        ends = rows[name.format("min")], rows[name.format("max")]
        ax.hlines(y, *ends, color=style.pale(looks[FIG4].color), lw=3, zorder=1)
    panels.open_markers(left, printed, y, PAPER_2013, looks[FIG4].color)
    mark = {"ls": "", "color": looks[FIG4].color, "marker": looks[FIG4].marker, "ms": 6}
    right.plot(ours, y, label="ours", **mark)
    left.set_title("(a) Printed, on the authors' machine")
    right.set_title("(b) Ours")
    for ax in (left, right):
        panels.puzzle_rows(ax, [*rows.index])
        panels.time_axis(ax, "x")
        ax.set_xlabel("CPU time of the first 30 solved runs")
        ax.grid(axis="x")
    style.explain(fig, "from the shortest to the longest run", lw=3, alpha=0.5)
    style.legend(fig)
    return fig


def table2(title, table, looks):
    """Draw the solved runs beside the printed ones, of the systems that fail within the limit."""
    table = table[table["reading"].isin((MAIN, OURS)) & (table["iterations"] == LIMIT)]
    if table.empty:
        return style.no_runs(title)
    failed = (table["solved"] < table["n"]).groupby(table["system"]).transform("any")
    drawn = table[failed] if failed.any() else table
    fig = style.figure(_of_rates(table, drawn), height=3.6)
    ax = fig.subplots()
    puzzles = [*table["puzzle"].unique()]
    variants = list(drawn.groupby(["system", "reading"], sort=False))
    for number, ((system, reading), rows) in enumerate(variants):
        y = np.arange(len(puzzles)) + panels.offset(number, len(variants))
        _draw_solved(ax, y, rows.set_index("puzzle").reindex(puzzles), SYSTEMS[system], reading)
    panels.puzzle_rows(ax, puzzles)
    ax.set(xlim=(-4, 104), xlabel=f"Solved (%) of our first {panels.span(drawn['n'])} runs")
    ax.grid(axis="x")
    style.legend(fig)
    return fig


def _draw_solved(ax, y, rows, look, reading):
    """Draw rates with their intervals, joined with the printed ones."""
    rate, low, high = (rows[name] for name in PERCENT)
    printed = 100 * rows["published_solved_of_30"] / N_RUNS
    ax.hlines(y, printed, rate, color=style.GREY, lw=2.2, zorder=1)
    panels.open_markers(ax, printed, y, PAPER_2013, look.color)
    face = "white" if reading == OURS else look.color
    mark = {"ls": "", "ms": 4.2, "mfc": face, "elinewidth": 0.7, "clip_on": False}
    mark |= {"color": look.color, "marker": look.marker}
    ends = panels.error_bars(rate, low, high)
    ax.errorbar(rate, y, xerr=ends, label=f"{look.label}, {READINGS[reading]}", **mark)


def _of_rates(table, drawn):
    """Return, as a sentence, which systems solve all runs, and the printed rates that are met."""
    rows = drawn[drawn["reading"] == MAIN].dropna(subset="published_solved_of_30")
    if rows.empty or rows["n"].min() < as_printed.LEAST_RUNS:
        return f"{table['solved'].sum()} of {table['n'].sum()} runs are solved"
    rates = {
        "printed": rows["published_solved_of_30"] / N_RUNS,
        "success_rate": rows["solved"] / rows["n"],
    }
    rows = rows.assign(**rates)
    rows["distance"] = (rows["printed"] - rows["success_rate"]).abs().round(6)
    met = as_printed.met(rows, f" of the {_labels(drawn)}")
    rest = table.drop(index=drawn.index)
    if rest.empty or (rest["published_solved_of_30"] < N_RUNS).any():
        return f"Within {LIMIT:,} iterations, {met.removeprefix('; ')}"
    return f"Within {LIMIT:,} iterations {_labels(rest)} solves all runs, as printed{met}"


def _labels(rows):
    return " and ".join(SYSTEMS[name].label for name in rows["system"].unique())

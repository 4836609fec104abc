"""Table 2 and figure 4 of Soto et al. 2013, drawn from our runs, in their order of puzzles."""

import numpy as np

from antdoku import papers
from antdoku.figures import as_printed, panels, style
from antdoku.papers.soto.tables import EXPERIMENT, MAIN, N_RUNS, OURS, PAPER_2013, UNLIMITED
from antdoku.tables.summary import PERCENT

FIG4 = ("ac3_tabu_1000_cell", "ga_100000_as_printed")  # the first has printed times
SYSTEMS = papers.get(EXPERIMENT).variants  # each has the look of one of its variants
READINGS = {MAIN: "main reading", OURS: "with our rule"}


def fig4(title, table, looks):
    """Draw printed and our mean times of AC3-tabu, and our times of the GA."""
    table = table[table["variant"].isin(FIG4)]
    by_puzzle = table[table["variant"] == FIG4[0]].set_index("puzzle")
    printed, ours = by_puzzle["published_mean_time_s"], by_puzzle["mean_time_s"]
    fig = style.figure(as_printed.by_rank(printed, ours, "AC3-tabu"), height=3.2)
    ax = fig.subplots()
    puzzles = [*table["puzzle"].unique()]
    for _, look, rows in style.series(table, looks):
        rows = rows.set_index("puzzle").reindex(puzzles)
        ends = rows["min_time_s"], rows["max_time_s"]
        ax.hlines(range(len(puzzles)), *ends, color=look.color, lw=0.8)
        panels.dumbbells(ax, rows["published_mean_time_s"], rows["mean_time_s"], look, PAPER_2013)
    style.explain(fig, "from the shortest to the longest run", lw=0.8)
    ax.set_xlabel("CPU time, mean of the first 30 solved runs")
    style.legend(fig)
    return fig


def table2(title, table, looks):
    """Draw the solved runs beside the printed ones, a panel per limit at which runs failed."""
    table = table[table["reading"].isin((MAIN, OURS))]
    fig = style.figure(_farthest(table), height=3.9)
    limits = table["iterations"].replace(UNLIMITED, np.inf)  # last
    parts = [rows for _, rows in table.groupby(limits)]
    parts = [rows for rows in parts if (rows["solved"] < rows["n"]).any()] or parts[:1]
    axes = style.panels_in_row(fig, len(parts), sharey=True)
    puzzles = [*table["puzzle"].unique()]
    for ax, letter, part in zip(axes, "ab", parts):
        variants = list(part.groupby(["system", "reading"], sort=False))
        for number, ((system, reading), rows) in enumerate(variants):
            y = np.arange(len(puzzles)) + panels.offset(number, len(variants))
            rows = rows.set_index("puzzle").reindex(puzzles)
            _draw_solved(ax, y, rows, SYSTEMS[system], reading)
        panels.puzzle_rows(ax, puzzles)
        ax.set(xlim=(-4, 104), xlabel=f"Solved (%) of {panels.span(part['n'])} runs")
        ax.set_title(f"({letter}) {_limit(part)}" if len(parts) > 1 else _limit(part))
        ax.grid(axis="x")
    style.legend(fig)
    return fig


def _draw_solved(ax, y, rows, look, reading):
    """Draw rates with their intervals, joined with the printed ones."""
    rate, low, high = (rows[name] for name in PERCENT)
    printed = 100 * rows["published_solved_of_30"] / N_RUNS
    ax.hlines(y, printed, rate, color=style.pale(look.color), lw=2.2, zorder=1)
    panels.open_markers(ax, printed, y, PAPER_2013, look.color)
    face = "white" if reading == OURS else look.color
    mark = {"ls": "", "ms": 4.2, "mfc": face, "elinewidth": 0.7, "clip_on": False}
    mark |= {"color": look.color, "marker": look.marker}
    ends = np.clip([rate - low, high - rate], 0, None)
    ax.errorbar(rate, y, xerr=ends, label=f"{look.label}, {READINGS[reading]}", **mark)


def _farthest(table):
    """Return, as a sentence, which rate is farthest from the printed one in the main reading."""
    rows = table[table["reading"] == MAIN].dropna(subset="published_solved_of_30")
    if rows.empty or rows["n"].min() < as_printed.LEAST_RUNS:
        return f"{table['solved'].sum()} of {table['n'].sum()} runs are solved"
    printed = rows["published_solved_of_30"] / N_RUNS
    ours = rows["success_percent"] / 100
    rows = rows.assign(printed=printed, ours=ours, distance=(printed - ours).abs().round(6))
    row = as_printed.farthest(rows)
    ours, printed = (panels.percent(row[name]) for name in ("ours", "printed"))
    start = f"On {row['puzzle'].replace('_', ' ')}, {SYSTEMS[row['system']].label}"
    return f"{start} solves {ours} where {printed} are printed{as_printed.met(rows)}"


def _limit(rows):
    """Return the limit of the runs of a panel, in iterations or in seconds."""
    iterations = rows["iterations"].iloc[0]
    if iterations != UNLIMITED:
        return f"{iterations:,} iterations"
    by_seconds = panels.by_seconds(rows)
    ours = f"{rows['limit_steps'].max():,} iterations" if by_seconds.empty else panels.limit(rows)
    return f"unlimited in the paper; ours: at most {ours}"

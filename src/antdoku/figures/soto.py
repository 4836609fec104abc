"""Figure 4 of Soto et al. 2013, drawn again from our runs."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from antdoku.figures import panels, style

PAPER_RUNS = 30
LIMITED = "_100000"  # ending of the variants that are limited in iterations


def fig4(title: str, table: pd.DataFrame) -> Figure:
    """Solved runs of AC3-tabu and of the genetic algorithm on each puzzle, a panel per limit."""
    limited = table["variant"].str.endswith(LIMITED)
    parts = [rows for rows in (table[limited], table[~limited]) if len(rows)]
    title = f"{title}: {panels.span(table['n'])} runs per bar"
    fig = style.figure(title, height=1.1 + 1.6 * len(parts))
    axes = fig.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
    puzzles = list(table["puzzle"].unique())
    for ax, letter, rows in zip(axes, "ab", parts):
        ax.set_title(f"({letter}) {_limit(rows)}")
        _bars(ax, rows.set_index("puzzle"), puzzles)
        _puzzle_axes(ax, puzzles)
    style.legend(fig, _handles(table))
    return fig


def _system(variant):
    return variant.removesuffix(LIMITED)


def _limit(rows):
    """What limits the runs of a panel, in iterations and in seconds."""
    steps = sorted(set(rows["limit_steps"]) - {-1})
    text = " / ".join(f"{number:,}" for number in steps) or "unlimited"
    cap = sorted(rows["limit_s"].dropna().unique())
    capped = f", at most {' / '.join(f'{value:g}' for value in cap)} s of CPU time" if cap else ""
    return f"{text} iterations{capped}"


def _bars(ax, rows, puzzles):
    systems = rows["variant"].unique()
    width = panels.GROUP_WIDTH / len(systems)
    for number, name in enumerate(systems):
        look = style.variant(_system(name))
        bars = rows[rows["variant"] == name].reindex(puzzles)
        x = np.arange(len(puzzles)) + panels.offset(number, len(systems))
        rate = bars["success_percent"]
        error = panels.bars(rate, bars["wilson_low_percent"], bars["wilson_high_percent"])
        ax.bar(x, rate, width=0.92 * width, **_face(look))
        ax.errorbar(x, rate, error, ls="", elinewidth=0.7, color=style.INK)
        panels.mark_failure(ax, x[bars["solved"] == 0], look.color)
        published = 100 * bars["published_solved_of_30"] / PAPER_RUNS
        panels.open_markers(ax, x + 0.25 * width, published, "published", look.color)


def _face(look):
    """Pale enough for intervals and marks to be seen on it."""
    return {"facecolor": style.pale(look.color), "edgecolor": look.color, "linewidth": 0.7}


def _puzzle_axes(ax, puzzles):
    ax.set(ylim=(0, 106), yticks=range(0, 101, 20), ylabel="Solved (%)")
    ax.set_xlim(-0.5, len(puzzles) - 0.5)
    ax.set_xticks(range(len(puzzles)), [name.replace("_", " ") for name in puzzles])
    ax.tick_params(axis="x", length=0)


def _handles(table):
    systems = dict.fromkeys(map(_system, table["variant"]))
    looks = [style.variant(name) for name in systems]
    handles = [Patch(**_face(look), label=look.label) for look in looks]
    if table["published_solved_of_30"].notna().any():
        handles.append(panels.published_handle("published", ", of 30 runs"))
    return handles + panels.failure_handle(table)

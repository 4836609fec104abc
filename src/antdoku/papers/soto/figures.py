"""Table 2 and figure 4 of Soto et al. 2013, drawn from our runs.

Both have a panel per limit, the papers' order of puzzles, and each system twice: with the printed
rules alone, and with a rule of ours.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from antdoku.figures import panels, style

PAPER_RUNS = 30
# How names of variants end: their limit in iterations (the last: none in the paper), ...
LIMITS = ("_1000", "_100000", "")
AS_PRINTED = "_as_printed"  # ... and then whether they have the printed rules alone


class Variant(NamedTuple):
    """What the name of a variant says."""

    system: str
    limit: str
    as_printed: bool


def table2(title: str, table: pd.DataFrame) -> Figure:
    """Solved runs of AC3-tabu and of the genetic algorithm on each puzzle, a panel per limit."""
    fig = _panels(f"{title}, {panels.span(table['n'])} per bar", table, _bars)
    for ax in fig.axes:
        ax.set(ylim=(0, 106), yticks=range(0, 101, 20), ylabel="Solved (%)")
    numbers = table["published_solved_of_30"], "published", ", of 30 runs"
    style.legend(fig, panels.published_handle(*numbers) + panels.failure_handle(table))
    return fig


def fig4(title: str, table: pd.DataFrame) -> Figure:
    """Least, mean and greatest time of the solved runs on each puzzle, a panel per limit."""
    fig = _panels(title, table, _times)
    for ax in fig.axes:
        panels.log_times(ax)
        ax.set_ylabel("CPU time (s)")
    label = "from the shortest to the longest run, marked at the mean"
    more = [Line2D([], [], color=style.MUTED, lw=0.8, label=label)]
    more += panels.published_handle(
        table["published_mean_time_s"], "published", ", on its hardware"
    )
    style.legend(fig, more + panels.failure_handle(table))
    return fig


def _panels(title, table, draw):
    """A panel for each limit, which `draw` fills with the rows of a variant at x positions."""
    limits = table["variant"].map(lambda name: _variant(name).limit)
    parts = [table[limits == limit] for limit in LIMITS if (limits == limit).any()]
    puzzles = list(table["puzzle"].unique())
    fig = style.figure(title, height=1.1 + 1.6 * len(parts))
    axes = fig.subplots(len(parts), 1, sharex=True, squeeze=False)[:, 0]
    for ax, letter, part in zip(axes, "abc", parts):
        variants = part["variant"].unique()
        for number, name in enumerate(variants):
            rows = part[part["variant"] == name].set_index("puzzle").reindex(puzzles)
            x = np.arange(len(puzzles)) + panels.offset(number, len(variants))
            draw(ax, rows, x, panels.GROUP_WIDTH / len(variants), _variant(name))
            panels.mark_failure(ax, x[rows["solved"] == 0], _look(_variant(name)).color)
        ax.set_title(f"({letter}) {_limit(part)}")
        ax.set_xlim(-0.5, len(puzzles) - 0.5)
        ax.set_xticks(range(len(puzzles)), [name.replace("_", " ") for name in puzzles])
        ax.tick_params(axis="x", length=0)
    return fig


def _bars(ax, rows, x, width, variant):
    rate = rows["success_percent"]
    error = panels.bars(rate, rows["wilson_low_percent"], rows["wilson_high_percent"])
    ax.bar(x, rate, width=0.92 * width, **_face(variant), label=_label(variant))
    ax.errorbar(x, rate, error, ls="", elinewidth=0.7, color=style.INK)
    published = 100 * rows["published_solved_of_30"] / PAPER_RUNS
    panels.open_markers(ax, x + 0.25 * width, published, "published", _look(variant).color)


def _times(ax, rows, x, width, variant):
    """Published times stand between those of the printed rules and of ours."""
    look, between = _look(variant), x + 0.5 * width
    ax.vlines(x, rows["min_time_s"], rows["max_time_s"], color=look.color, lw=0.8)
    ax.plot(x, rows["mean_time_s"], **_point(variant), label=_label(variant))
    ends = [rows[f"published_{end}_time_s"] for end in ("min", "max")]
    ax.vlines(between, *ends, color=look.color, lw=0.8)
    panels.open_markers(ax, between, rows["published_mean_time_s"], "published", look.color)


def _variant(name):
    of_system = name.removesuffix(AS_PRINTED)
    limit = next(limit for limit in LIMITS if of_system.endswith(limit))
    return Variant(of_system.removesuffix(limit), limit, name.endswith(AS_PRINTED))


def _limit(rows):
    """What limits the runs of a panel: iterations, or seconds where ours have no such limit."""
    steps = sorted(set(rows["limit_steps"]) - {-1})
    seconds = rows["limit_s"].dropna().unique()
    text = f"{' / '.join(f'{value:g}' for value in seconds)} s of CPU time"
    if steps:
        text = f"{' / '.join(f'{number:,}' for number in steps)} iterations"
    limited = _variant(rows["variant"].iloc[0]).limit
    return text if limited else f"unlimited in the paper; ours: at most {text}"


def _look(variant):
    return style.variant(variant.system)


def _label(variant):
    return f"{_look(variant).label}, {'as printed' if variant.as_printed else 'with our rule'}"


def _face(variant):
    """Pale enough for intervals and marks to be seen on it; white for what has a rule of ours."""
    color = _look(variant).color
    face = style.pale(color) if variant.as_printed else "white"
    return {"facecolor": face, "edgecolor": color, "linewidth": 0.7}


def _point(variant):
    """Filled for the printed rules, white for what has a rule of ours."""
    look = _look(variant)
    face = look.color if variant.as_printed else "white"
    return {"ls": "", "marker": look.marker, "color": look.color, "mfc": face, "ms": 4.6}

"""Figure 4 of Soto et al. 2013, drawn again from our runs."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from antdoku.figures import panels, style

PAPER_RUNS = 30
LIMITED = "_100000"  # ending of the variants that the papers limit in iterations ...
AS_PRINTED = "_as_printed"  # ... before that of those with the printed rules alone


def fig4(title: str, table: pd.DataFrame) -> Figure:
    """Solved runs of AC3-tabu and of the genetic algorithm on each puzzle, a panel per limit."""
    limited = table["variant"].str.removesuffix(AS_PRINTED).str.endswith(LIMITED)
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
    return variant.removesuffix(AS_PRINTED).removesuffix(LIMITED)


def _limit(rows):
    """What limits the runs of a panel: iterations, or seconds where ours have no such limit."""
    steps = sorted(set(rows["limit_steps"]) - {-1})
    seconds = rows["limit_s"].dropna().unique()
    text = f"{' / '.join(f'{value:g}' for value in seconds)} s of CPU time"
    if steps:
        text = f"{' / '.join(f'{number:,}' for number in steps)} iterations"
    limited = rows["variant"].str.contains(LIMITED).all()
    return text if limited else f"unlimited in the paper; ours: at most {text}"


def _bars(ax, rows, puzzles):
    variants = rows["variant"].unique()
    width = panels.GROUP_WIDTH / len(variants)
    for number, name in enumerate(variants):
        look = style.variant(_system(name))
        bars = rows[rows["variant"] == name].reindex(puzzles)
        x = np.arange(len(puzzles)) + panels.offset(number, len(variants))
        rate = bars["success_percent"]
        error = panels.bars(rate, bars["wilson_low_percent"], bars["wilson_high_percent"])
        ax.bar(x, rate, width=0.92 * width, **_face(look, name.endswith(AS_PRINTED)))
        ax.errorbar(x, rate, error, ls="", elinewidth=0.7, color=style.INK)
        panels.mark_failure(ax, x[bars["solved"] == 0], look.color)
        published = 100 * bars["published_solved_of_30"] / PAPER_RUNS
        panels.open_markers(ax, x + 0.25 * width, published, "published", look.color)


def _face(look, as_printed):
    """Pale enough for intervals and marks to be seen on it; white for what has a rule of ours."""
    face = style.pale(look.color) if as_printed else "white"
    return {"facecolor": face, "edgecolor": look.color, "linewidth": 0.7}


def _puzzle_axes(ax, puzzles):
    ax.set(ylim=(0, 106), yticks=range(0, 101, 20), ylabel="Solved (%)")
    ax.set_xlim(-0.5, len(puzzles) - 0.5)
    ax.set_xticks(range(len(puzzles)), [name.replace("_", " ") for name in puzzles])
    ax.tick_params(axis="x", length=0)


def _handles(table):
    bars = {(_system(name), name.endswith(AS_PRINTED)): None for name in table["variant"]}
    handles = [_handle(style.variant(system), as_printed) for system, as_printed in bars]
    if table["published_solved_of_30"].notna().any():
        handles.append(panels.published_handle("published", ", of 30 runs"))
    return handles + panels.failure_handle(table)


def _handle(look, as_printed):
    label = f"{look.label}, {'as printed' if as_printed else 'with our rule'}"
    return Patch(**_face(look, as_printed), label=label)

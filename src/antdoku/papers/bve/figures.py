"""Evaporation and restarts: expected work to a solution over the cut-off."""

import numpy as np

from antdoku import papers
from antdoku.figures import style
from antdoku.papers.bve.tables import FULL, HARDEST, LUBY, PAIRS

TITLES = {
    "authors": "(a) propagation of the authors' program",
    "complete": "(b) complete propagation",
}
LABELS = ("with evaporation", "without evaporation")
AT_END = {LUBY: 7000, FULL: 16_000}  # positions on the axis of cut-offs
SHIFTS = 0.97, 1.03  # of positions, so that intervals do not overlap
HIGHEST = 30_000  # iterations at the upper end of the axis


def bve(title, table, looks):
    """Draw E[T] over the cut-off, with and without evaporation, for both kinds of propagation."""
    rows = table[table["fixed_fraction"] == HARDEST]
    fig = style.figure(_gain_of_restarts(rows) or title, height=3.6)
    colors = [papers.variants()[variant].color for variant in PAIRS["authors"]]
    axes = style.panels_in_row(fig, 2, sharey=True)
    for ax, (propagation, pair) in zip(axes, PAIRS.items()):
        for variant, label, color, shift in zip(pair, LABELS, colors, SHIFTS):
            _draw(ax, rows[rows["variant"] == variant], label, color, shift)
        alone = rows[(rows["variant"] == pair[0]) & (rows["cutoff"] == FULL)]["work"]
        for value in alone:
            ax.axhline(value, color=colors[0], ls="--", lw=0.8, zorder=1)
        ax.set_title(TITLES[propagation])
        _draw_axis(ax)
    axes[0].set_ylabel("E[T], iterations to a solution")
    axes[0].set_yscale("log")
    style.legend(fig)
    return fig


def _gain_of_restarts(rows):
    """Return, as a sentence, the work with restarts alone, and with evaporation alone."""
    with_bve, without = (rows[rows["variant"] == variant] for variant in PAIRS["authors"])
    alone, best = with_bve[with_bve["cutoff"] == FULL], without[without["is_best"]]
    if alone.empty or best.empty:
        return ""
    works = f"{best['work'].iloc[0]:,.0f} iterations a solution, not {alone['work'].iloc[0]:,.0f}"
    restarts = f"restarts after {best['cutoff'].iloc[0]} in place of evaporation"
    return f"With {restarts}, ACS needs {works}"


def _draw(ax, rows, label, color, shift):
    """Draw the E[T] of a variant under all strategies; fixed cut-offs are joined by a line."""
    positions = shift * rows["cutoff"].map(lambda name: AT_END.get(name) or int(name)).to_numpy()
    is_fixed = ~rows["cutoff"].isin([*AT_END]).to_numpy()
    high = rows["work_high"].clip(upper=HIGHEST)  # infinite: a sample without a solution
    ends = np.array([rows["work"] - rows["work_low"], high - rows["work"]])
    look = {"color": color, "elinewidth": 0.7}
    for chosen, line, name in ((is_fixed, "-", label), (~is_fixed, "", None)):
        x, y = positions[chosen], rows["work"][chosen]
        ax.errorbar(x, y, ends[:, chosen], marker="o", ls=line, label=name, **look)
    best = rows["is_best"].to_numpy()
    ring = {"marker": "o", "ms": 8, "mfc": "none", "ls": ""}
    ax.plot(positions[best], rows["work"][best], color=color, **ring)
    style.explain(ax.figure, "best cut-off of the odd instances", **ring)
    style.explain(ax.figure, "evaporation without restarts", ls="--")


def _draw_axis(ax):
    ticks = {30: "30", 100: "100", 300: "300", 1000: "1000", 3000: "3000"}
    ticks |= {AT_END[LUBY]: "Luby", AT_END[FULL]: "never"}
    ax.set_xscale("log")
    ax.set_xticks([*ticks], ticks.values())
    ax.minorticks_off()
    ax.set_ylim(200, HIGHEST)
    ax.set_xlabel("Iterations before a restart")

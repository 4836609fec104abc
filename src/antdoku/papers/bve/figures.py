"""Evaporation and restarts: expected work to a solution over the cut-off."""

from antdoku import papers
from antdoku.figures import panels, style
from antdoku.papers.bve.tables import FULL, HARDEST, LUBY, PAIRS

TITLES = {
    "authors": "(a) propagation of the authors' program",
    "complete": "(b) complete propagation",
}
LABELS = ("with evaporation", "without evaporation")
MARKS = ({"marker": "o", "ls": "-"}, {"marker": "s", "ls": (0, (4, 1.4))})
AT_END = {LUBY: 9000, FULL: 26_000}  # positions on the axis of cut-offs
SHIFTS = 0.97, 1.03  # of positions, so that intervals do not overlap
RINGS = 6.5, 10  # points: two rings at one place do not hide each other
HIGHEST = 30_000  # iterations at the upper end of the axis
GAP = {"color": style.MUTED, "lw": 0.6}  # before the strategies without a fixed cut-off
X_TICKS = {30: "30", 100: "100", 300: "300", 1000: "1,000", 3000: "3,000"}
X_TICKS |= {AT_END[LUBY]: "Luby", AT_END[FULL]: "never"}
Y_TICKS = (300, 1000, 3000, 10_000, 30_000)


def bve(title, table, looks):
    """Draw E[T] over the cut-off, with and without evaporation, for both kinds of propagation."""
    rows = table[table["fixed_fraction"] == HARDEST]
    fig = style.figure(_gain_of_restarts(rows) or title, height=3.6)
    colors = [papers.variants()[variant].color for variant in PAIRS["authors"]]
    axes = style.panels_in_row(fig, 2, sharey=True)
    for ax, (propagation, pair) in zip(axes, PAIRS.items()):
        of_pair = [rows[rows["variant"] == variant] for variant in pair]
        for parts in zip(of_pair, LABELS, colors, MARKS, SHIFTS, RINGS):
            _draw(ax, *parts)
        alone = of_pair[0].loc[of_pair[0]["cutoff"] == FULL, "work"]
        best = of_pair[1].loc[of_pair[1]["is_best"], "work"]
        _write(ax, 0.9, alone, "no restart (dotted)", colors[0])
        _write(ax, 0.81, best, "no evaporation (ring)", colors[1])
        for work in alone:
            ax.axhline(work, color=colors[0], ls=":", lw=1.2, zorder=1)
        ax.set_title(TITLES[propagation])
        _draw_axis(ax)
    axes[0].set_ylabel("Expected iterations to a solution")
    style.legend(fig)
    return fig


def _gain_of_restarts(rows):
    """Return, as a sentence, the work with restarts alone, and with evaporation alone."""
    with_bve, without = (rows[rows["variant"] == variant] for variant in PAIRS["authors"])
    alone, best = with_bve[with_bve["cutoff"] == FULL], without[without["is_best"]]
    if alone.empty or best.empty:
        return ""
    works = f"{best['work'].iloc[0]:,.0f} a solution, not {alone['work'].iloc[0]:,.0f}"
    restarts = f"restarts after {best['cutoff'].iloc[0]} iterations in place of evaporation"
    return f"With {restarts}, ACS needs {works} (even instances)"


def _draw(ax, rows, label, color, mark, shift, ring_size):
    """Draw the E[T] of a variant under all strategies; fixed cut-offs are joined by a line."""
    positions = shift * rows["cutoff"].map(lambda name: AT_END.get(name) or int(name)).to_numpy()
    is_fixed = ~rows["cutoff"].isin([*AT_END]).to_numpy()
    high = rows["work_high"].clip(upper=HIGHEST)  # infinite: a sample without a solution
    ends = panels.error_bars(rows["work"], rows["work_low"], high)
    look = {"color": color, "elinewidth": 0.7, **mark}
    for chosen, of_line in ((is_fixed, {"label": label}), (~is_fixed, {"ls": ""})):
        x, y = positions[chosen], rows["work"][chosen]
        ax.errorbar(x, y, ends[:, chosen], **look | of_line)
    best = rows["is_best"].to_numpy()
    ring = {"marker": "o", "ms": ring_size, "mfc": "none", "ls": ""}
    ax.plot(positions[best], rows["work"][best], color=color, **ring)
    style.explain(ax.figure, "best cut-off of the odd instances", **ring)


def _write(ax, y, works, text, color):
    """Write the work of a strategy, if it is known, and its name at a height of the axes."""
    for work in works:
        ax.text(0.14, y, f"{work:,.0f}: {text}", color=color, transform=ax.transAxes)


def _draw_axis(ax):
    ax.set(xscale="log", yscale="log", ylim=(200, HIGHEST), xlabel="Iterations before a restart")
    ax.set_xticks([*X_TICKS], X_TICKS.values())
    ax.set_yticks(Y_TICKS, [f"{tick:,}" for tick in Y_TICKS])
    ax.minorticks_off()
    ax.axvline(5500, ymax=0.78, **GAP)

"""Claims that are reproduced with systems that have deliberate mistakes."""

from antdoku import papers
from antdoku.figures import panels, style
from antdoku.statistics import MARGIN

REAL, MUTANT = "#0072B2", "#D55E00"
ROW_HEIGHT, FOLDED = 0.15, 0.27  # inches, of a row; of one that may have two lines
COUNTS = ["n_claims", "n_reproduced", "n_real"]


def mutants(title, table, looks):
    """Draw shares of reproduced claims: all mutants by margin, and each mutant."""
    sums = table.groupby("margin")[COUNTS].sum()
    wrong, real = (f"{_percent(sums, name)[MARGIN]:.0f} %" for name in COUNTS[1:])
    title = f"{wrong} of the claims are reproduced with a wrong system, {real} with the real one"
    rows = table[table["margin"] == MARGIN]
    n_lines = len(rows) + rows["system"].nunique()
    heights = 1.7, 0.8 + (FOLDED if style.is_narrow() else ROW_HEIGHT) * n_lines
    fig = style.figure(title, height=0.7 + sum(heights))
    # In subfigures the long names of mutants take no width from the upper panel.
    above, below = fig.subfigures(2, 1, height_ratios=heights)
    _draw_sums(above.subplots(), sums, len(rows))
    _draw_mutants(below.subplots(), rows)
    style.legend(fig)
    return fig


def _percent(counts, name):
    """Return the shares of reproduced claims in percent; `name` is the column of their number."""
    return 100 * counts[name] / counts["n_claims"]


def _draw_sums(ax, sums, n_mutants):
    """Draw the shares of all mutants together, and of the real systems, over the margin."""
    real = {"color": REAL, "marker": "o", "label": "real systems"}
    wrong = {"color": MUTANT, "marker": "X", "ms": 5, "label": "mutants: wrong on purpose"}
    ax.plot(sums.index, _percent(sums, "n_real"), **real)
    ax.plot(sums.index, _percent(sums, "n_reproduced"), **wrong)
    ax.axvline(MARGIN, **panels.DOTTED, label="margin of the verdicts")
    ax.set_title(f"(a) {n_mutants} mutants together, by margin")
    panels.percent_axis(ax, 0)
    ax.set(ylabel="Reproduced (%)", xticks=sums.index)
    ax.set_xlabel("Margin within which rates have to agree (Cohen's h)")


def _draw_mutants(ax, rows):
    """Draw a bar for each mutant, below the name of its system, and a dot for the real system."""
    names, numbers, n_lines = {}, {}, 0
    for system, group in rows.groupby("system", sort=False):
        group = group.assign(share=_percent(group, "n_reproduced"))
        group = group.sort_values("share", ascending=False, kind="stable")
        names[n_lines] = papers.variants()[system].label
        lines = range(n_lines + 1, n_lines + 1 + len(group))
        ax.barh(lines, group["share"], 0.72, color=style.pale(MUTANT))
        ax.plot(_percent(group, "n_real"), lines, "o", color=REAL)
        names |= zip(lines, group["mistake"])
        counts = zip(lines, group["n_reproduced"], group["n_claims"])
        numbers |= {line: f"{n} of {n_claims}" for line, n, n_claims in counts}
        n_lines = lines.stop
    ax.set_title(f"(b) each mutant, margin {MARGIN:g}")
    ax.set(xlim=(0, 102), ylim=(n_lines - 0.4, -0.6), xlabel="Claims reproduced (%)")
    ax.grid(False, axis="y")
    ax.grid(axis="x")
    _label_lines(ax, names, numbers)


def _label_lines(ax, names, numbers):
    """Write names left of the lines, of a system in bold, and numbers of claims on the right."""
    ax.set_yticks([*names], names.values())
    for line, label in zip(names, ax.get_yticklabels()):
        label.set_weight("normal" if line in numbers else "bold")
    right = ax.secondary_yaxis("right")
    right.set_yticks([*numbers], numbers.values())
    right.spines["right"].set_visible(False)
    for axis in (ax, right):
        axis.tick_params(axis="y", length=0)

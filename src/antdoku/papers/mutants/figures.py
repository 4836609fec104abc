"""Claims that are reproduced with systems that have deliberate mistakes."""

from antdoku import papers
from antdoku.figures import panels, style
from antdoku.statistics import MARGIN

REAL = {"color": "#0072B2", "marker": "o", "ms": 6.5}
MUTANT = {"color": "#D55E00", "marker": "X", "ms": 4.5}
ROW_HEIGHT, FOLDED = 0.15, 0.27  # inches: of a row, and of a row with two lines
COUNTS = ["n_claims", "n_reproduced", "n_real"]
FEWEST = 5  # claims about a system in (b)


def mutants(title, table, looks):
    """Draw shares of reproduced claims: all mutants by margin, and each mutant."""
    sums = table.groupby("margin")[COUNTS].sum()
    wrong, real = (f"{_percent(sums, name)[MARGIN]:.0f} %" for name in COUNTS[1:])
    title = (
        f"In {sums['n_claims'][MARGIN]} tests, {wrong} of the claims are reproduced with a wrong "
    )
    title += f"system, {real} with the real one"
    rows = table[table["margin"] == MARGIN]
    tested = rows[rows["n_claims"] >= FEWEST]
    n_lines = len(tested) + tested["system"].nunique()
    heights = 1.7, 0.9 + (FOLDED if style.is_narrow() else ROW_HEIGHT) * max(n_lines, 2)
    fig = style.figure(title, height=0.7 + sum(heights))
    # In subfigures the long names of mutants take no width from the upper panel.
    above, below = fig.subfigures(2, 1, height_ratios=heights)
    _draw_sums(above.subplots(), sums, len(rows))
    left_out = len(rows) - len(tested)
    note = f"; left out: {left_out} with fewer than {FEWEST} claims" if left_out else ""
    ax = below.subplots()
    _draw_mutants(ax, tested)
    ax.set_title(f"(b) each mutant{note}")
    style.legend(fig)
    return fig


def _percent(counts, name):
    """Return the shares of reproduced claims in percent; `name` is the column of their number."""
    return 100 * counts[name] / counts["n_claims"]


def _draw_sums(ax, sums, n_mutants):
    """Draw the shares of all mutants together, and of the real systems, over the margin."""
    real, wrong = (_percent(sums, name) for name in ("n_real", "n_reproduced"))
    ax.plot(sums.index, real, label="real system", **REAL)
    ax.plot(sums.index, wrong, label="mutant: wrong on purpose", **MUTANT)
    ax.axvline(MARGIN, **panels.DOTTED, label="margin of the verdicts")
    ax.set_title(f"(a) all {n_mutants} mutants, by margin")
    ax.set_ylim(0, 1.2 * max(real.max(), wrong.max(), 10))
    ax.set(ylabel="Reproduced (%)", xticks=sums.index)
    ax.set_xlabel("Margin within which rates have to agree (Cohen's h)")


def _draw_mutants(ax, rows):
    """Draw each mutant beside the real system, joined, below the name of the system."""
    names, numbers, n_lines = {}, {}, 0
    for system, group in rows.groupby("system", sort=False):
        group = group.assign(share=_percent(group, "n_reproduced"), real=_percent(group, "n_real"))
        group = group.sort_values("share", ascending=False, kind="stable")
        names[n_lines] = papers.variants()[system].label
        lines = range(n_lines + 1, n_lines + 1 + len(group))
        ax.hlines(lines, group["share"], group["real"], color="#BDBDBD", lw=1.8, zorder=1)
        ax.plot(group["real"], lines, ls="", **REAL)
        ax.plot(group["share"], lines, ls="", **MUTANT)
        names |= zip(lines, group["mistake"])
        counts = zip(lines, group["n_reproduced"], group["n_claims"])
        numbers |= {line: f"{n} of {n_claims}" for line, n, n_claims in counts}
        n_lines = lines.stop
    ax.set(xlim=(-2, 102), ylim=(n_lines - 0.4, -0.6), xlabel="Claims reproduced (%)")
    ax.grid(False, axis="y")
    ax.grid(axis="x")
    _label_lines(ax, names, {0: "mutant:"} | numbers if numbers else {})


def _label_lines(ax, names, numbers):
    """Write names left of the lines, of a system in bold, and numbers of claims on the right."""
    ax.set_yticks([*names], names.values())
    right = ax.secondary_yaxis("right")
    right.set_yticks([*numbers], numbers.values())
    right.spines["right"].set_visible(False)
    for line, label in zip(names, ax.get_yticklabels()):
        label.set_weight("normal" if line in numbers and line else "bold")
    for axis in (ax, right):
        axis.tick_params(axis="y", length=0)

"""Figures of the experiment `frontier`."""

from matplotlib import ticker

from antdoku.figures import panels, style
from antdoku.papers.beyond import figures as beyond
from antdoku.papers.frontier.tables import LONG, LONG_LABEL

WIDE = 2.2  # width of the panels of the first solver, the subject, relative to other panels
STEPS = {  # the unit of work of a solver
    **{"tabu_col": "moves", "acs_restart": "iterations", "sa": "swaps"},
    **{"cdcl": "conflicts", "cpsat": "conflicts"},
}


def phase_transition(title, table, looks):
    """Draw success and median work, a column per solver and a curve per size."""
    is_long = table["variant"] == LONG
    variants = list(style.series(table[~is_long], looks))
    fig = style.figure(f"{title}, {panels.span(table['n'])} instances a point", height=4.6)
    widths = [WIDE] + [1] * (len(variants) - 1)
    grid = {"sharex": True, "sharey": "row", "squeeze": False, "width_ratios": widths}
    axes = fig.subplots(2, len(variants), **grid)
    for number, ((name, of_solver, rows), (above, below)) in enumerate(zip(variants, axes.T)):
        for order, line in rows.groupby("order"):
            look, x = style.ORDERS[order], 100 * line["fixed_fraction"]
            curve = style.entry(look) | {"ms": 3, "lw": 1.0}
            above.plot(x, 100 * line["success_rate"], clip_on=False, **curve)
            if number == 0:
                panels.rates(above, x, line, ls="", color=look.color, elinewidth=0.6, alpha=0.6)
            _work(below, x, line, look, lw=1.0)
        above.set_title(of_solver.label)
        below.set_title(f"({STEPS.get(name, 'steps')})")
        panels.percent_axis(above)
        panels.fraction_axis(below, table)
        below.xaxis.set_major_locator(ticker.MaxNLocator(5, steps=[1, 2, 5, 10]))
        below.xaxis.set_major_formatter(ticker.ScalarFormatter())
    for order, line in table[is_long].groupby("order"):
        dots = {"color": style.ORDERS[order].color, "ls": (0, (1, 1.2)), "lw": 1.2}
        axes[0, 0].plot(100 * line["fixed_fraction"], 100 * line["success_rate"], **dots)
    if is_long.any():
        style.explain(fig, LONG_LABEL, ls=(0, (1, 1.2)), lw=1.2)
    axes[1, 0].set_yscale("log")
    axes[1, 0].yaxis.set_minor_locator(ticker.NullLocator())
    axes[0, 0].set_ylabel("Solved (%)")
    axes[1, 0].set_ylabel("Median work of all runs")
    style.legend(fig)
    return fig


def _work(ax, x, line, look, lw):
    """Draw medians of work, and an open arrow at the lower bound of an infinite median."""
    is_finite = line["median_steps"].notna()
    exceeded = line["least_median_steps"].where(line["least_median_steps"] > 0)
    # Propagation alone takes no step.
    work = line["median_steps"].clip(lower=1).fillna(exceeded)
    ax.plot(x, work, color=look.color, lw=lw)
    ax.plot(x[is_finite], work[is_finite], ls="", color=look.color, marker=look.marker, ms=3)
    arrow = {"ls": "", "marker": "^", "mfc": "white", "ms": 4.4, "mew": 0.9}
    ax.plot(x[~is_finite], work[~is_finite], mec=look.color, **arrow)
    if not is_finite.all():
        label = "half of the runs or more failed: above that"
        style.explain(ax.figure, label, mec=style.MUTED, **arrow)


run_times = beyond.run_times

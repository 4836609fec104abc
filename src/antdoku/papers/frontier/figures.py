"""Figures of the experiment `frontier`."""

import pandas as pd

from antdoku.figures import panels, style
from antdoku.figures.run_times import draw_run_times, first_to_half
from antdoku.papers.frontier.tables import LONG

BEST = "tabu_col"  # the solver with longer runs: `LONG`
HEAVY = {BEST, "acs_restart"}  # with thicker lines
GREY = {"color": style.MUTED, "lw": 0.8, "ms": 4.5, "mfc": "white", "mew": 0.8}
DASHES = ("-", (0, (4, 1.5)), (0, (1, 1)), "-.")  # of the grey solvers
ALONE = {"fc": "#FBE0E2", "lw": 0, "zorder": 0}
HALF = 0.5  # of the instances
NARROW_HEIGHT = 1.75  # inches of a panel for phones, where two stand in a row


def phase_transition(title, table, looks):
    """Draw success, a panel per size and a curve per solver."""
    parts = list(table.groupby("order"))
    leader, text = _alone(table)
    rivals = [name for name in dict.fromkeys(table["variant"]) if name not in (BEST, LONG)]
    fig = style.figure(text, height=3.1)
    for ax, (order, rows) in zip(_axes(fig, len(parts)), parts):
        for fraction in 100 * _lone(rows).query("label == @leader")["fixed_fraction"]:
            ax.axvspan(fraction - 2.5, fraction + 2.5, **ALONE)
            style.explain(fig, f"{leader} alone solves half or more", area=True, **ALONE)
        for name, look, line in style.series(rows, looks):
            mark = style.entry(look) | {"label": look.label + _not_run(table, name)}
            if name in rivals:
                mark |= GREY | {"ls": DASHES[rivals.index(name) % len(DASHES)]}
            ax.plot(100 * line["fixed_fraction"], 100 * line["success_rate"], **mark)
        ax.set_title(f"{style.ORDERS[order].label}\n{panels.limit(rows[rows['variant'] != LONG])}")
        panels.fraction_axis(ax, rows, every=20 if style.is_narrow() else 10)
        panels.percent_axis(ax)
    fig.axes[0].set_ylabel(f"Solved (%) of {panels.span(table['n'])} runs")
    style.legend(fig)
    return fig


def _not_run(table, variant):
    """Return, in brackets, at which sizes a variant was not run; empty if at none."""
    orders = sorted({*table["order"]} - {*table.loc[table["variant"] == variant, "order"]})
    if variant == LONG or not orders:
        return ""
    sizes = [style.ORDERS[order].label for order in orders]
    return f" (not run at {panels.listed(sizes)})"


def _axes(fig, n_panels):
    """Return axes in a row, or in rows of two in a narrow figure."""
    if not style.is_narrow():
        return fig.subplots(1, n_panels, sharey=True, squeeze=False)[0]
    n_rows = -(-n_panels // 2)
    fig.set_figheight(style.HEAD + NARROW_HEIGHT * n_rows)
    grid = fig.add_gridspec(n_rows, min(n_panels, 2))
    return [fig.add_subplot(cell) for cell, _ in zip(grid, range(n_panels))]


def _lone(table):
    """Return the rows of solvers that alone solve half or more at a point, with equal limits."""
    rows = table[(table["variant"] != LONG) & (table["success_rate"] >= HALF)]
    return rows.drop_duplicates(["order", "fixed_fraction"], keep=False)


def _alone(table):
    """Return the solver that most often solves half or more alone, and a sentence on it."""
    counts = _lone(table)["label"].value_counts()
    n_points = table.groupby(["order", "fixed_fraction"]).ngroups
    if counts.empty:
        return "", f"At none of {n_points} points one solver alone solves half of the grids or more"
    leader, n_rest = counts.index[0], counts.iloc[1:].sum()
    rest = f"; at {n_rest} another does" if n_rest else "; at none does another"
    text = f"At {counts.iloc[0]} of {n_points} points {leader} alone solves half of the grids"
    return leader, f"{text} or more{rest} solver alone"


def run_times(title, table, looks):
    """Draw run-time distributions; longer runs of a solver stand in place of its short ones."""
    table = panels.largest(table)
    variants = {*table["variant"]}
    if not {BEST, LONG} <= variants:
        return draw_run_times(first_to_half(table), table, looks, variants, HEAVY)
    short, rivals = _of(table, BEST), table[~table["variant"].isin([BEST, LONG])]
    runs = _of(table, LONG).assign(variant=BEST, label=short["label"].iloc[0])
    rows = pd.concat([runs, rivals])
    fig = draw_run_times(_in_both_limits(table), rows, looks, variants - {LONG}, HEAVY)
    (ax,) = fig.axes
    limit = short["limit_s"].iloc[0]
    text = f"{short['solved'].sum()} of {len(short)} "
    ax.text(limit, 100 * short["solved"].mean() + 2, text, ha="right")
    failed = rivals.groupby("label", sort=False).filter(lambda rows: not rows["solved"].any())
    if len(failed):
        names = panels.listed([*failed["label"].unique()])
        ax.set_title(f"None solved within {limit:g} s: {names}")
    return fig


def _of(table, variant):
    return table[table["variant"] == variant]


def _in_both_limits(table):
    """Return, as a sentence, how much is solved within the equal limit, and within more time."""
    short, long = _of(table, BEST), _of(table, LONG)
    rivals = table[~table["variant"].isin([BEST, LONG])]
    solved = rivals["solved"].groupby(rivals["label"]).sum()
    count = f"{short['solved'].sum()} of {len(short)} in {short['limit_s'].iloc[0]:g} s"
    count += f" ({long['solved'].sum()} in {long['limit_s'].iloc[0]:g} s)"
    text = f"At {panels.point(table)}, {short['label'].iloc[0]} solves {count}"
    if solved.empty:
        return text
    return f"{text}, the others " + (f"at most {solved.max()}" if solved.any() else "none")

"""Figures of the experiment `frontier`."""

from antdoku.figures import panels, style
from antdoku.papers.beyond import figures as beyond
from antdoku.papers.frontier.tables import LONG


def phase_transition(title, table, looks):
    """Draw success, a panel per size and a curve per solver."""
    parts = list(table.groupby("order"))
    fig = style.figure(_ahead(table[table["variant"] != LONG]), height=3.0)
    axes = style.panels_in_row(fig, len(parts), sharey=True)
    for ax, (order, rows) in zip(axes, parts):
        for label, curve in panels.success(ax, rows, looks, {}).items():
            curve.set_label(label)
        limit = panels.limit(rows[rows["variant"] != LONG])
        ax.set_title(f"{style.ORDERS[order].label}\n{limit}")
        panels.fraction_axis(ax, rows, every=10)
    axes[0].set_ylabel(f"Solved (%) of {panels.span(table['n'])} runs")
    style.legend(fig)
    return fig


def _ahead(table):
    """Return, as a sentence, what is solved at the largest size, where solvers differ most."""
    table = table[table["order"] == table["order"].max()]
    rates = table.groupby("fixed_fraction")["success_rate"]
    spread = rates.max() - rates.min()
    return panels.conclusion(table[table["fixed_fraction"] == spread.idxmax()])


run_times = beyond.run_times

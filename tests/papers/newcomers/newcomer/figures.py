"""Figures of a paper that nothing else knows."""

from antdoku.papers.newcomer.tables import PRINTED

from antdoku.figures import panels, style


def fig1(title, table, looks):
    """Draw success over fixed fractions."""
    fig = style.figure(title, height=3)
    ax = fig.subplots()
    for _, look, rows in style.series(table, looks):
        x = 100 * rows["fixed_fraction"]
        ax.plot(x, rows["success_rate"], color=look.color)
        panels.open_markers(ax, x, rows["published_success_rate"], "newcomer", look.color)
    return fig


def fig2(title, table, looks):
    """Draw success above, time below."""
    return panels.one_order(title, table, looks, PRINTED)

"""The figure of the study: success by number of ants."""

from antdoku.figures import panels, style


def ants(title, table, looks):
    """Draw success over the fixed fraction."""
    fig = style.figure(title, height=3)
    ax = fig.subplots()
    for _, look, rows in style.series(table, looks):
        panels.rates(ax, 100 * rows["fixed_fraction"], rows, **style.entry(look))
    panels.fraction_axis(ax, table)
    style.legend(fig)
    return fig

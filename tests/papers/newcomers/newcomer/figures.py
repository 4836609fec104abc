"""Figures of a paper that nothing else knows."""

from antdoku.figures import panels, style


def fig1(title, table):
    """Success by fixed fraction."""
    fig = style.figure(title, height=3)
    ax = fig.subplots()
    for name, rows in table.groupby("variant"):
        look = style.variant(name)
        ax.plot(100 * rows["fixed_fraction"], rows["success_rate"], color=look.color)
        panels.open_markers(
            ax,
            100 * rows["fixed_fraction"],
            rows["published_success_rate"],
            "published",
            look.color,
        )
    return fig

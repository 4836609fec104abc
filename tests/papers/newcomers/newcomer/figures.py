"""Figures of a paper that nothing else knows."""

from antdoku.figures import figure, panels, puzzles, style


@figure("newcomer_fig1", "Success of the newcomer")
def fig1(title, table):
    """Figure 1 of the newcomer, drawn again."""
    fig = style.figure(title, height=3)
    ax = fig.subplots()
    for name, rows in table.groupby("variant"):
        x, color = 100 * rows["fixed_fraction"], style.variant(name).color
        ax.plot(x, rows["success_rate"], color=color)
        panels.open_markers(ax, x, rows["published_success_rate"], "published", color)
    return fig


@figure("newcomer_fig2", "Success and time")
def fig2(title, table):
    """Figure 2 of the newcomer, drawn again."""
    return panels.one_order(title, table)


@figure("newcomer_fig3", puzzle=("givens",))
def fig3(givens):
    """Figure 3 of the newcomer, drawn again."""
    return puzzles.puzzle(givens)

"""Figures of a paper that nothing else knows."""

from antdoku.figures import figure, panels, puzzles, style


@figure(
    "newcomer_fig1",
    table="newcomer_fig1",
    title="Success of the newcomer",
    caption="Figure 1 of the newcomer, drawn again.",
)
def fig1(title, table):
    """Success by fixed fraction."""
    fig = style.figure(title, height=3)
    ax = fig.subplots()
    looks = style.looks(table)
    for name, rows in table.groupby("variant"):
        look = looks[name]
        ax.plot(100 * rows["fixed_fraction"], rows["success_rate"], color=look.color)
        panels.open_markers(
            ax,
            100 * rows["fixed_fraction"],
            rows["published_success_rate"],
            "published",
            look.color,
        )
    return fig


@figure(
    "newcomer_fig2",
    table="newcomer_fig2",
    title="Success and time",
    caption="Figure 2 of the newcomer, drawn again.",
)
def fig2(title, table):
    """Success and time by fixed fraction."""
    return panels.one_order(title, table)


@figure(
    "newcomer_fig3",
    puzzle=("givens",),
    experiment="newcomer",
    caption="Figure 3 of the newcomer, drawn again.",
)
def fig3(givens):
    """The example puzzle."""
    return puzzles.puzzle(givens)

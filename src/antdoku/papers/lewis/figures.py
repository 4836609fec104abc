"""Figures of Lewis 2007, drawn again from our runs; figure 1 shows a puzzle."""

from antdoku.figures import panels, puzzles, registrar, style

figure = registrar(__name__)


@figure("lewis_fig1", puzzle=("givens",))
def fig1(givens):
    """A Sudoku puzzle of order 3 (9 × 9), of our own choice."""
    return puzzles.puzzle(givens)


@figure("lewis_fig2", "Initial propagation of random instances")
def fig2(title, table):
    """Cells that are fixed after the initial propagation (naked and hidden singles), by the
    percentage fixed before, one panel per size. Lines are means over the instances, bands reach
    from the lowest instance to the highest. On the dotted line propagation fixes nothing. Each cell
    is given with probability p, as in the paper.
    """
    title = f"{title}: {panels.span(table['n_instances'])} instances per point"
    orders = list(table.groupby("order"))
    fig = style.figure(title, height=2.9)
    axes = fig.subplots(1, len(orders), sharey=True, squeeze=False)[0]
    for ax, (order, rows) in zip(axes, orders):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        low, high = 100 * rows["fixed_after_cp_min"], 100 * rows["fixed_after_cp_max"]
        ax.fill_between(x, low, high, color=look.color, alpha=panels.BAND_ALPHA, lw=0)
        ax.plot(x, 100 * rows["fixed_after_cp"], color=look.color, marker=look.marker)
        ax.plot([0, 100], [0, 100], **panels.DOTTED, label="before propagation")
        ax.set(xlim=(-3, 103), ylim=(-3, 103), xlabel="Fixed cells (%)", title=look.label)
        ax.set(xticks=range(0, 101, 20), yticks=range(0, 101, 20))
    axes[0].set_ylabel("Fixed after propagation (%)")
    style.explain(fig, "mean over the instances", marker="o")
    band = {"fc": style.MUTED, "alpha": panels.BAND_ALPHA, "lw": 0}
    style.explain(fig, "lowest to highest instance", area=True, **band)
    style.legend(fig)
    return fig


@figure("lewis_fig3", "Annealing (SA) and hybrid (CP+SA)")
def fig3(title, table):
    """Simulated annealing on random instances, one column per size: SA as in the journal article,
    SA and CP+SA (after propagation) as in the hybrid paper. Above: success rate. Below: mean time
    of the solved runs, which leaves failures out. Open markers: SA, read off the figures of the
    journal article (20 instances).
    """
    return panels.all_orders(title, table, ", journal 2007 (read off)")

"""Figures of Lewis 2007, drawn again from our runs; figure 1 shows a puzzle."""

from antdoku.figures import panels, puzzles, registrar, style

figure = registrar(__name__)

BAND_ALPHA = 0.18


@figure("lewis_fig1", puzzle=("givens",))
def fig1(givens):
    """A Sudoku puzzle of order 3 (9 × 9), of our own choice."""
    return puzzles.puzzle(givens)


@figure("lewis_fig2", "Initial propagation of random instances")
def fig2(title, table):
    """Cells that are fixed after the initial propagation (naked and hidden singles), by the
    percentage fixed before. Lines are means over the instances. Bands reach from the lowest
    instance to the highest. On the dotted line propagation fixes nothing. Each cell is given with
    probability p, as in the paper.
    """
    title = f"{title}: {panels.span(table['n_instances'])} instances per point"
    fig = style.figure(title, width=panels.MIN_WIDTH, height=3.9)
    ax = fig.subplots()
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        low, high = 100 * rows["fixed_after_cp_min"], 100 * rows["fixed_after_cp_max"]
        ax.fill_between(x, low, high, color=look.color, alpha=BAND_ALPHA, lw=0)
        ax.plot(x, 100 * rows["fixed_after_cp"], **style.entry(look))
    ax.plot([0, 100], [0, 100], **panels.DOTTED, label="before propagation")
    ax.set(xlim=(-3, 103), ylim=(-3, 103), xlabel="Fixed cells (%)")
    ax.set(xticks=range(0, 101, 10), yticks=range(0, 101, 20))
    ax.set_ylabel("Fixed cells after propagation (%)")
    band = {"fc": style.MUTED, "alpha": BAND_ALPHA, "lw": 0}
    style.explain(fig, "range over instances", area=True, **band)
    style.legend(fig)
    return fig


@figure("lewis_fig3", "Annealing (SA) and hybrid (CP+SA)")
def fig3(title, table):
    """Simulated annealing on random instances, one column per size: SA as in the journal article,
    SA and CP+SA (after propagation) as in the hybrid paper. Above: success rate. Below: mean time
    of the solved runs; dashes mark PAR2. Open markers: SA, read off the figures of the journal
    article (20 instances).
    """
    return panels.all_orders(title, table, ", journal 2007 (read off)", penalised=True)

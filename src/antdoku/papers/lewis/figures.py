"""Figures of Lewis 2007, drawn again from our runs; figure 1 shows a puzzle."""

from antdoku.figures import as_printed, figure, panels, puzzles, style

ALL_SOLVED = "No numbers; the text: all runs are solved."
NOTHING, NEARLY_ALL = 0.2, 0.75  # fixed fractions that the text on figure 2 names


@figure("lewis_fig1", puzzle=("givens",))
def fig1(givens):
    """A Sudoku puzzle of order 3 (9 × 9), of our own choice."""
    return puzzles.puzzle(givens)


@figure("lewis_fig2_form", "Initial propagation", table="lewis_fig2")
def fig2_form(title, table):
    """Cells that are fixed after the initial propagation, by the percentage fixed before: means of
    three sizes. Above: all that the paper's text says of it. Below: our instances. Claims:
    ``Section 3.1``.
    """
    gained = 100 * (table["fixed_after_cp"] - table["fixed_fraction"])
    few, many = table["fixed_fraction"] < NOTHING, table["fixed_fraction"] >= NEARLY_ALL
    found = []
    if few.any():
        found.append(f"at most {gained[few].max():.1f} % more cells below 20 % given")
    if many.any():
        least = 100 * table.loc[many, "fixed_after_cp"].min()
        found.append(f"{least:.1f} % and more from 75 %")
    title = f"{title}: {', '.join(found) or 'no instances below 20 % or from 75 %'}"
    fig = style.figure(title, height=4.6)
    above, below = fig.subplots(2, 1, sharex=True, sharey=True)
    above.set_title("printed: no numbers, but what the text says of all sizes")
    below.set_title(f"our runs, {panels.span(table['n_instances'])} instances per point")
    text = {"color": style.MUTED, "va": "center"}
    above.plot([0, 100 * NOTHING], [0, 100 * NOTHING], color=style.MUTED)
    above.text(100 * NOTHING + 2, 60 * NOTHING, "below 20 % it fixes no more cells", **text)
    above.plot([100 * NEARLY_ALL, 100], [100, 100], color=style.MUTED)
    above.text(73, 100, "from 75 % on it nearly always ends the puzzle", ha="right", **text)
    for order, rows in table.groupby("order"):
        x, y = 100 * rows["fixed_fraction"], 100 * rows["fixed_after_cp"]
        below.plot(x, y, **style.entry(style.ORDERS[order]))
    for ax in (above, below):
        ax.plot([0, 100], [0, 100], **panels.DOTTED, label="before propagation")
        ax.set(xticks=range(0, 101, 20), yticks=range(0, 101, 20), xlim=(-3, 103), ylim=(-3, 106))
        ax.set_ylabel("Fixed after (%)")
    below.set_xlabel("Fixed cells (%)")
    style.legend(fig)
    return fig


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


@figure("lewis_fig3_form", "SA and CP+SA", table="lewis_fig3")
def fig3_form(title, table):
    """Simulated annealing on random instances, a row per size: bars are mean CPU times of the
    solved runs, dashed lines success rates. Left: what is printed, which is rates of SA, read off
    the figures of the journal article. Right: our runs. Claims: ``figures, read off`` and
    ``Section 3.1``.
    """
    parts = {style.ORDERS[order].label: rows for order, rows in table.groupby("order")}
    return as_printed.over_fractions(title, parts, True, {style.ORDERS[3].label: ALL_SOLVED})


@figure("lewis_fig3", "Annealing (SA) and hybrid (CP+SA)")
def fig3(title, table):
    """Simulated annealing on random instances, one column per size: SA as in the journal article,
    SA and CP+SA (after propagation) as in the hybrid paper. Above: success rate. Below: mean time
    of the solved runs, which leaves failures out. Open markers: SA, read off the figures of the
    journal article (20 instances).
    """
    return panels.all_orders(title, table, suffix=", journal 2007 (read off)")

"""Weibull shapes of run lengths, a panel for each solver."""

import numpy as np

from antdoku.figures import style


def tails(title, table, looks):
    """Draw the shape of each instance with its interval, sorted, a panel for each solver."""
    rows = table.dropna(subset="shape")
    n_variants = table["variant"].nunique()
    below = (rows["shape"] < 1).groupby(rows["label"], sort=False).agg(["sum", "size"])
    counts = [f"{n} of {n_all} instances for {label}" for label, n, n_all in below.itertuples()]
    fig = style.figure(f"The Weibull shape is below 1 on {', '.join(counts)}", height=3.0)
    axes = style.panels_in_row(fig, n_variants, sharey=True)
    for ax, (_, look, shapes) in zip(axes, style.series(rows, looks)):
        shapes = shapes.sort_values("shape")
        ends = [shapes["shape"] - shapes["shape_low"], shapes["shape_high"] - shapes["shape"]]
        mark = {"color": look.color, "marker": look.marker, "ls": "", "elinewidth": 0.7}
        ax.errorbar(np.arange(len(shapes)), shapes["shape"], ends, **mark)
        ax.axhline(1, color=style.INK, lw=0.8)
        ax.set_title(look.label)
        ax.set(xticks=[], xlabel="Instances", yscale="log")
    axes[0].set_ylabel("Weibull shape")
    axes[0].set_yticks([0.25, 0.5, 1, 2, 4], ["0.25", "0.5", "1", "2", "4"])
    axes[0].minorticks_off()
    return fig

"""Weibull shapes of run lengths, a panel for each solver."""

from textwrap import fill

import numpy as np

from antdoku.figures import panels, style

TICKS = (0.3, 0.5, 0.7, 1, 1.4, 2, 4)


def tails(title, table, looks):
    """Draw the shape of each instance with its interval, sorted, a panel for each solver."""
    rows = table.dropna(subset="shape")
    fig = style.figure(_heavy_tails(rows), height=2.8)
    axes = style.panels_in_row(fig, table["variant"].nunique(), sharey=True)
    for ax, (_, look, shapes) in zip(axes, style.series(rows, looks)):
        shapes = shapes.sort_values("shape")
        ends = panels.error_bars(shapes["shape"], shapes["shape_low"], shapes["shape_high"])
        mark = {"color": look.color, "marker": look.marker, "ls": "", "elinewidth": 0.7}
        ax.errorbar(np.arange(len(shapes)), shapes["shape"], ends, **mark)
        ax.axhline(1, color=style.INK, lw=0.8)
        n_below = _n_surely_below(shapes)
        ax.set_title(f"{fill(look.label, style.LEAST_LETTERS)}\n{n_below} surely below 1")
        ax.set(xticks=[], xlabel=f"{len(shapes)} instances", yscale="log")
    axes[0].set_ylabel("Weibull shape of the run lengths")
    axes[0].set_yticks(TICKS, [f"{tick:g}" for tick in TICKS])
    axes[0].set_ylim(min(0.3, 0.95 * rows["shape_low"].min()), 1.05 * rows["shape_high"].max())
    axes[0].minorticks_off()
    for y, va, text in ((1.06, "bottom", "go on"), (0.94, "top", "start again")):
        axes[0].text(0.97, y, text, transform=axes[0].get_yaxis_transform(), ha="right", va=va)
    return fig


def _n_surely_below(rows):
    """Return the number of instances whose interval of the shape lies below 1."""
    return (rows["shape_high"] < 1).sum()


def _heavy_tails(rows):
    """Return, as a sentence, on how many instances runs are shown to lose their chance to end."""
    counts, rest = [], []
    for label, shapes in rows.groupby("label", sort=False):
        n_below = _n_surely_below(shapes)
        if n_below:
            counts.append(f"on {n_below} of {len(shapes)} instances with {label}")
        else:
            rest.append(label)
    counts += [f"on none with {panels.listed(rest)}"] if rest else []
    return f"The chance to end surely falls with time {'; '.join(counts)}"  # names may have commas

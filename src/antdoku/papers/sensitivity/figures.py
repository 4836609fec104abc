"""Sobol' indices of the parameters of ACS, and success over two of them."""

import matplotlib as mpl
import numpy as np

from antdoku.columns import NONE
from antdoku.figures import panels, style
from antdoku.papers.sensitivity.tables import NAMES, indices_of_points

TITLES = {"arxiv": "preprint’s rule", "journal": "journal’s rule"}
MARKERS = {"arxiv": "o", "journal": "s"}
LABELS = {
    "m": "number of ants m",
    "q0": "selection\nthreshold q0",  # greater: greedier by one rule, less by the other
    "rho": "evaporation rho",
    "xi": "local evaporation xi",
    "f_bve": "best-value\nevaporation f_bve",
}
# Settings below and above the median of a parameter.
HALVES = {
    "m": ("few ants", "many ants"),
    "q0": ("a low selection threshold", "a high selection threshold"),
    "rho": ("little evaporation", "much evaporation"),
    "xi": ("little local evaporation", "much local evaporation"),
    "f_bve": ("little best-value evaporation", "much best-value evaporation"),
}
STEPS = 5  # of the colours
OUTLINE = {"edgecolors": style.INK, "linewidths": 0.3}  # a pale marker stands out, too
RING = {"marker": "o", "ms": 9, "mfc": "none", "mec": style.INK, "mew": 1.2}
STAR = {"marker": "*", "ms": 11, "mfc": "white", "mec": style.INK, "color": style.INK}


def sensitivity(title, table, looks):
    """Draw the total indices, and the success of each setting, a panel for each greedy rule."""
    indices = indices_of_points(table)
    title = f"{_worst_half(table)}{_most_important(indices)}"
    fig = style.figure(title[0].upper() + title[1:], height=3.2)
    left, *axes = style.panels_in_row(fig, 1 + table["greedy_rule"].nunique())
    _draw_indices(left, indices)
    for ax, letter, (rule, rows) in zip(axes, "bc", table.groupby("greedy_rule")):
        dots = _draw_success(ax, rows)
        style.explain(fig, TITLES[rule], marker=MARKERS[rule], color=style.INK, ls="")
        ax.set_title(f"({letter}) {TITLES[rule]}")
    fig.colorbar(dots, ax=axes, label="Solved (%)", pad=0.01)
    style.explain(fig, "paper’s setting", **STAR)
    style.explain(fig, "best setting", **RING)
    style.legend(fig)
    return fig


def _most_important(indices):
    """Return, as the end of a sentence, which parameter matters most if the intervals tell."""
    names = {
        rows.loc[rows["total"].idxmax(), "parameter"] for _, rows in indices.groupby("greedy_rule")
    }
    name = LABELS[min(names)].replace("\n", " ")
    for _, rows in indices.groupby("greedy_rule"):
        is_first = rows["parameter"] == min(names)
        low, high = rows.loc[is_first, "total_low"].min(), rows.loc[~is_first, "total_high"].max()
        if len(names) > 1 or low <= high:
            return "which parameter of ACS matters most is open"
    return f"of the parameters of ACS, {name} matters most"


def _worst_half(table):
    """Return, as the start of a sentence, which settings solve least if it is so under all rules.

    Settings are split at the medians of the two parameters that are drawn.
    """
    worst = set()
    for _, rows in table[table["point"] != NONE].groupby("greedy_rule"):
        names = _two_parameters(rows)
        is_high = [(rows[name] > rows[name].median()).astype(int) for name in names]
        means = rows["success_rate"].groupby(is_high).mean()
        worst.add(" and ".join(HALVES[name][half] for name, half in zip(names, means.idxmin())))
    return f"Settings with {worst.pop()} solve least; " if len(worst) == 1 else ""


def _draw_indices(ax, indices):
    """Draw the total index of each parameter with its interval up to 1, the largest on top."""
    names = indices.groupby("parameter")["total"].mean().sort_values().index
    for shift, (rule, rows) in zip((0.12, -0.12), indices.groupby("greedy_rule")):
        rows = rows.set_index("parameter").loc[names]
        y, total = np.arange(len(rows)) + shift, rows["total"]
        ends = panels.error_bars(total, rows["total_low"], rows["total_high"].clip(upper=1))
        look = {"color": style.INK, "ls": ""}
        ax.errorbar(total, y, xerr=ends, marker=MARKERS[rule], elinewidth=0.8, **look)
        is_longer = (rows["total_high"] > 1).to_numpy()
        ax.plot(np.ones(is_longer.sum()), y[is_longer], marker=">", ms=3, clip_on=False, **look)
    ax.set(xlabel="Share of the variance\n(total Sobol’ index)", xlim=(0, 1), xticks=[0, 0.5, 1])
    ax.set_yticks(range(len(names)), [LABELS[name] for name in names])
    ax.set_title("(a) variance of the work")


def _draw_success(ax, rows):
    """Draw the success of the settings of a rule over two parameters; return the markers.

    The more runs a setting solves, the darker its marker. Pages invert figures by night.
    """
    design = rows[rows["point"] != NONE]
    paper = rows[(rows["point"] == NONE) & (rows["propagation"] == "complete")]
    x, y = _two_parameters(design)
    best = design["work"].idxmin()
    # On top: settings at the same place differ in the parameters that are not drawn.
    design = design.loc[[*design.index.drop(best), best]]
    look = {"cmap": mpl.colormaps["cividis_r"].resampled(STEPS), "vmin": 0, "vmax": 100}
    dots = ax.scatter(design[x], design[y], 12, 100 * design["success_rate"], **OUTLINE, **look)
    ax.plot(paper[x], paper[y], ls="", **STAR)
    ax.plot(*design.loc[best, [x, y]], ls="", **RING)
    ax.xaxis.get_major_locator().set_params(integer=x == "m")
    ax.set(xlabel=LABELS[x], ylabel=LABELS[y])
    ax.grid(False)
    return dots


def _two_parameters(design):
    """Return the two parameters whose ranks go best with the ranks of the work."""
    correlations = design[NAMES].corrwith(design["work"], method="spearman").abs()
    chosen = correlations.nlargest(2).index
    return [name for name in NAMES if name in chosen]

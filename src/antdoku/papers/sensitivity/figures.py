"""Sobol' indices of the parameters of ACS, and success over the two that matter most."""

import numpy as np

from antdoku.columns import NONE
from antdoku.figures import style
from antdoku.papers.sensitivity.tables import NAMES, indices_of_points

TITLES = {"arxiv": "greedy rule of the preprint", "journal": "greedy rule of the journal"}
MARKERS = {"arxiv": "o", "journal": "s"}
COLORS = "cividis"
STAR = {"marker": "*", "ms": 11, "mfc": "white", "mec": style.INK, "color": style.INK}


def sensitivity(title, table, looks):
    """Draw the total indices, and the success of each setting, a panel for each greedy rule."""
    indices = indices_of_points(table)
    totals = indices.groupby("parameter")["total"].mean()
    fig = style.figure(f"Of the parameters of ACS, {totals.idxmax()} matters most", height=3.0)
    left, *axes = style.panels_in_row(fig, 1 + table["greedy_rule"].nunique())
    _draw_indices(left, indices, totals)
    for ax, letter, (rule, rows) in zip(axes, "bc", table.groupby("greedy_rule")):
        dots = _draw_success(ax, rows)
        ax.set_title(f"({letter}) {TITLES[rule]}")
    axes[-1].set_ylabel("")
    fig.colorbar(dots, ax=axes, label="Solved (%)", pad=0.01)
    style.explain(fig, "setting of Lloyd & Amos", **STAR)
    for rule, marker in MARKERS.items():
        style.explain(fig, f"(a) {TITLES[rule]}", marker=marker, color=style.INK, ls="")
    style.legend(fig)
    return fig


def _draw_indices(ax, indices, totals):
    """Draw the total index of each parameter with its interval, the largest on top."""
    names = totals.sort_values().index
    for shift, (rule, rows) in zip((0.12, -0.12), indices.groupby("greedy_rule")):
        rows = rows.set_index("parameter").loc[names]
        ends = [rows["total"] - rows["total_low"], rows["total_high"] - rows["total"]]
        look = {"marker": MARKERS[rule], "color": style.INK, "ls": "", "elinewidth": 0.8}
        ax.errorbar(rows["total"], np.arange(len(rows)) + shift, xerr=ends, **look)
    ax.set(xlabel="Total Sobol’ index of log E[W]", xlim=(0, None))
    ax.set_yticks(range(len(names)), names)
    ax.set_title("(a) share of the variance")


def _draw_success(ax, rows):
    """Draw the success of the settings of a rule over two parameters; return the markers."""
    design = rows[rows["point"] != NONE]
    paper = rows[(rows["point"] == NONE) & (rows["propagation"] == "complete")]
    x, y = _two_parameters(design)
    look = {"cmap": COLORS, "vmin": 0, "vmax": 100}
    dots = ax.scatter(design[x], design[y], 12, 100 * design["success_rate"], **look)
    ax.plot(paper[x], paper[y], ls="", **STAR)
    ax.xaxis.get_major_locator().set_params(integer=x == "m")
    ax.set(xlabel=x, ylabel=y)
    ax.grid(False)
    return dots


def _two_parameters(design):
    """Return the two parameters whose ranks go best with the ranks of the work."""
    correlations = design[NAMES].corrwith(design["work"], method="spearman").abs()
    chosen = correlations.nlargest(2).index
    return [name for name in NAMES if name in chosen]

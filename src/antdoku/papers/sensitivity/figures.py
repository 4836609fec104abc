"""Maps of the parameters of ACS."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from antdoku.figures import panels, style

# Maps of two parameters each: on the x and on the y axis, and the symbols of the paper.
MAPS = (("q0", "rho"), ("m", "f_bve"))
SYMBOLS = {"q0": "$q_0$", "rho": r"$\rho$", "m": "$m$", "f_bve": r"$f_\mathrm{BVE}$"}
PAPER = {"q0": 0.9, "rho": 0.9, "m": 10, "f_bve": 0.005}
RULES = {"arxiv": "greedy if $q > q_0$ (preprint)", "journal": "greedy if $q < q_0$ (journal)"}


def sensitivity(title: str, table: pd.DataFrame) -> Figure:
    """Maps of success and of the median number of walks, two parameters each, by greedy rule."""
    points = table[["order", "fixed_fraction", "greedy_rule"]].drop_duplicates()
    walks = table["m"] * table["limit_steps"]
    limit = f"at most {walks.max():,} walks a run" if walks.min() > 0 else panels.limit(table)
    title = f"{title}: {panels.span(table['n_instances'])} instances, {limit}"
    fig = style.figure(title, height=0.5 + 2.1 * len(points))
    axes = fig.subplots(len(points), 2 * len(MAPS), squeeze=False)
    # All maps of walks have the same colours.
    found = table["median_walks"].dropna() / 1000
    scale = (found.min(), found.max()) if len(found) else (0, 1)
    for row, key in zip(axes, points.itertuples(index=False), strict=True):
        rows = table[(table[list(points)] == list(key)).all(axis=1)]
        for number, pair in enumerate(MAPS):
            of_map = _map_of(rows, pair)
            _heat(row[number], of_map, pair, 100 * of_map["success_rate"], (0, 100))
            _heat(row[number + 2], of_map, pair, of_map["median_walks"] / 1000, scale)
        size = f"{style.ORDERS[key.order].label}, {100 * key.fixed_fraction:g} %"
        row[0].set_title(f"{size}: {RULES[key.greedy_rule]}\nsolved (%)")
        row[1].set_title("solved (%)")
        for ax in row[2:]:
            ax.set_title("median walks (1000)")
    return fig


def _map_of(rows, pair):
    """Rows in which only the two parameters of a map differ from the values of the paper."""
    for name in PAPER.keys() - set(pair):
        rows = rows[np.isclose(rows[name], PAPER[name])]
    return rows


def _heat(ax, rows, pair, values, limits):
    """One map: a square for each pair of values, with its number; empty without one."""
    import seaborn  # takes a while, and no other figure needs it

    across, up = pair
    if rows.empty:
        ax.set_axis_off()
        return
    grid = rows.assign(value=values).pivot_table(index=up, columns=across, values="value")
    grid = grid.reindex(index=sorted(rows[up].unique()), columns=sorted(rows[across].unique()))
    look = {"cmap": "cividis", "vmin": limits[0], "vmax": limits[1], "cbar": False}
    numbers = {"annot": True, "fmt": ".3g", "annot_kws": {"fontsize": 5.5}}
    ax.grid(False)
    seaborn.heatmap(grid, ax=ax, **look, **numbers)
    ax.invert_yaxis()
    ax.tick_params(length=0, rotation=0)
    ax.set(xlabel=SYMBOLS[across], ylabel=SYMBOLS[up])

"""The transitions of random deletions: medians over the order, and curves."""

import pandas as pd

from antdoku.figures import panels, style
from antdoku.papers.scaling.tables import KINDS

MARKS = {
    "mostly": {"color": "#D55E00", "marker": "o", "ls": "-"},
    "solved": {"color": "#0072B2", "marker": "s", "ls": "-", "ms": 6},
    "unique": {"color": "#000000", "marker": "D", "ls": (0, (1, 1.2)), "ms": 3},
}
LINES = {"mostly": "-", "solved": (0, (4, 1.6))}  # of curves
HARDEST_FOR = "tabu_col"  # the solver that ran at most sizes
# Of the other solvers. Their markers in other figures are diamonds, and here a median has one.
OTHERS = {"acs_restart": {"color": "#009E73", "marker": "P"}, "cdcl": {"marker": "*", "ms": 8}}
ROOT = {"marker": "x", "ls": ":", "lw": 0.8, "label": "propagation solves: root solution"}
ROOT |= {"color": "#8C8C8C"}


def scaling(title, table, looks):
    """Draw medians beside the hardest points, and the curves of two transitions."""
    points = table[table["label"].notna()]
    curves = table[table["label"].isna()]
    typical = curves[~curves["source"].str.contains("root")]
    medians = curves.drop_duplicates(["source", "order", "threshold"])
    is_typical = medians["source"].isin(typical["source"])
    fig = style.figure(_below(medians[is_typical], points) or title, height=3.9)
    axes = style.mosaic(fig, ("ab",), width_ratios=(3, 2))
    lines = _draw_medians(axes["a"], medians[is_typical], medians[~is_typical])
    _draw_hardest(axes["a"], points, looks)
    ends = {axes["b"]: _draw_curves(axes["b"], typical)}
    for label, line in lines.items():
        line.set_label(label)
    style.legend(fig, ends)
    return fig


def _below(medians, points):
    """Return, as a sentence, that the hardest fractions of a solver lie below two transitions.

    It is empty if they do not. It has no distances: with few runs the next fraction may be harder.
    """
    points = points[points["variant"] == HARDEST_FOR].set_index("order")
    kinds = [rows.set_index("order")["median"] for _, rows in medians.groupby("threshold")]
    gaps = pd.concat([(rows - points["hardest_high"]).dropna() for rows in kinds])
    if gaps.empty or gaps.min() <= 0:
        return ""
    text = f"{points['label'].iloc[0]} finds grids hardest below the fraction at which propagation"
    return f"{text} fixes 90 %, not where solutions become unique"


def _draw_medians(ax, typical, root):
    """Draw medians with their intervals over the order; return the lines by label."""
    lines = {}
    for kind in ("solved", "unique", "mostly"):
        rows = typical[typical["threshold"] == kind]
        middle = rows["median"]
        ends = 100 * panels.error_bars(middle, rows["median_low"], rows["median_high"])
        lines[KINDS[kind]] = ax.errorbar(rows["order"], 100 * middle, ends, **MARKS[kind])
    rows = root[root["threshold"] == "solved"]
    ax.plot(rows["order"], 100 * rows["median"], **ROOT)
    orders = sorted(typical["order"].unique())
    ax.set_xticks(orders, [order**2 for order in orders])
    ax.set_xlabel("Side of the grid (cells)")
    ax.set(title="(a) medians, and the hardest fractions", ylabel="Fixed cells (%)")
    return lines


def _draw_hardest(ax, points, looks):
    """Draw the fractions that solvers find hardest: a mark, or one at each end of a range."""
    names = list(dict.fromkeys(points["variant"]))
    for variant, look, rows in style.series(points, looks):
        x = rows["order"] + 0.5 * panels.offset(names.index(variant), len(names))
        low, high = (100 * rows[name] for name in ("hardest_low", "hardest_high"))
        mark = style.entry(look) | {"ms": 5} | OTHERS.get(variant, {})
        mark |= {"label": f"hardest for {look.label}"}
        ax.vlines(x, low, high, color=mark["color"])
        ax.plot(pd.concat([x, x]), pd.concat([low, high]), ls="", **mark)


def _draw_curves(ax, curves):
    """Draw the shares of two transitions over the fixed fraction; return a line for each size.

    A marker near 50 % tells the size without its colour.
    """
    lines = {}
    for kind, line in LINES.items():
        for order, rows in curves[curves["threshold"] == kind].groupby("order"):
            look = style.ORDERS[order]
            middle = int((rows["share"] - 0.5).abs().argmin())
            mark = {"color": look.color, "ls": line, "lw": 1.2}
            mark |= {"marker": look.marker, "ms": 4.5, "markevery": [middle]}
            (drawn,) = ax.plot(100 * rows["fixed_fraction"], 100 * rows["share"], **mark)
            lines.setdefault(look.label, drawn)
    panels.percent_axis(ax)
    ax.set_title("(b) propagation fixes 90 % (solid),\nor all cells (dashed)")
    ax.set(xlabel="Fixed cells (%)", ylabel="Grids (%)")
    return lines

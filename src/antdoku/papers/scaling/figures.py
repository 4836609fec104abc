"""The transitions of random deletions: curves, their collapse, and medians over the order."""

from antdoku.figures import panels, style
from antdoku.papers.scaling.tables import KINDS

LINES = {"mostly": "-", "solved": (0, (4, 1.6)), "unique": (0, (1, 1.2))}
MARKERS = {"mostly": "o", "solved": "s", "unique": "D"}
COLORS = {"mostly": "#D55E00", "solved": "#0072B2", "unique": "#000000"}
REACH = 2.5  # widths on either side of the median


def scaling(title, table, looks):
    """Draw curves, the collapse of one transition, and medians beside the hardest points."""
    points = table[table["label"].notna()]
    curves = table[table["label"].isna()]
    typical = curves[~curves["source"].str.contains("root")]
    fig = style.figure(_halves(typical) or title, height=5.2)
    axes = style.mosaic(fig, ("ab", "cc"), height_ratios=(1, 1.15))
    _draw_curves(axes["a"], typical)
    _draw_collapse(axes["b"], typical[typical["threshold"] == "mostly"])
    _draw_medians(axes["c"], curves, points, looks)
    style.legend(fig)
    return fig


def _halves(curves):
    """Return, as a sentence, where half of the largest grids have one solution and are solved."""
    order = curves["order"].max()
    medians = curves[curves["order"] == order].groupby("threshold")["median"].first()
    if not {"unique", "solved"} <= {*medians.index}:
        return ""
    unique, solved = (f"{100 * medians[kind]:.3g} %" for kind in ("unique", "solved"))
    size = style.ORDERS[order].label
    text = f"At {size}, half of the grids have one solution at {unique} fixed"
    return f"{text}; propagation solves half at {solved}"


def _draw_curves(ax, curves):
    """Draw the shares of two transitions over the fixed fraction."""
    for kind in ("mostly", "solved"):
        for order, rows in curves[curves["threshold"] == kind].groupby("order"):
            color = style.ORDERS[order].color
            ax.plot(100 * rows["fixed_fraction"], 100 * rows["share"], color=color, ls=LINES[kind])
    ax.set_title("(a) propagation fixes 90 % (solid), or all cells (dashed)")
    ax.set(xlabel="Fixed cells (%)", ylabel="Sequences (%)", ylim=(-4, 104))


def _draw_collapse(ax, curves):
    """Draw the shares over the distance from the median, in widths."""
    for order, rows in curves.groupby("order"):
        x = (rows["fixed_fraction"] - rows["median"]) / rows["width"]
        near = x.abs() <= REACH
        look = style.ORDERS[order]
        ax.plot(x[near], 100 * rows["share"][near], **style.entry(look), ms=3)
    ax.set_title(f"(b) {KINDS['mostly']}: rescaled")
    ax.set(xlabel="(fraction − median) / distance of the quartiles", ylim=(-4, 104))


def _draw_medians(ax, curves, points, looks):
    """Draw medians with their intervals over the order, and ranges of the hardest fractions."""
    medians = curves.drop_duplicates(["source", "order", "threshold"])
    is_root = medians["source"].str.contains("root")
    for kind, label in KINDS.items():
        rows = medians[(medians["threshold"] == kind) & ~is_root]
        middle = rows["median"]
        ends = [100 * (middle - rows["median_low"]), 100 * (rows["median_high"] - middle)]
        mark = {"color": COLORS[kind], "marker": MARKERS[kind], "ls": LINES[kind], "label": label}
        ax.errorbar(rows["order"], 100 * middle, ends, **mark, mfc="white")
    rows = medians[(medians["threshold"] == "solved") & is_root]
    mark = {"color": COLORS["solved"], "marker": "x", "ls": ":"}
    ax.plot(rows["order"], 100 * rows["median"], **mark, label="root solution: propagation solves")
    names = list(dict.fromkeys(points["variant"]))
    for variant, look, rows in style.series(points, looks):
        x = rows["order"] + 0.12 * panels.offset(names.index(variant), len(names)) * 2
        ax.vlines(
            x, 100 * rows["hardest_low"] - 1, 100 * rows["hardest_high"] + 1, color=look.color
        )
        middle = 50 * (rows["hardest_low"] + rows["hardest_high"])
        ax.plot(x, middle, ls="", **style.entry(look))
    ax.set_title("(c) medians, and the fractions that solvers find hardest")
    ax.set(xlabel="Order", ylabel="Fixed cells (%)", xticks=sorted(medians["order"].unique()))

"""Success of ACS over the two parameters that matter most."""

from antdoku.columns import NONE
from antdoku.figures import style
from antdoku.papers.sensitivity.tables import NAMES

TITLES = {"arxiv": "greedy rule of the preprint", "journal": "greedy rule of the journal"}
COLORS = "cividis"
STAR = {"marker": "*", "ms": 11, "mfc": "white", "mec": style.INK, "color": style.INK}


def sensitivity(title, table, looks):
    """Draw the success of each setting over two parameters, a panel for each greedy rule."""
    first, second = _two_parameters(table[table["point"] != NONE])
    fig = style.figure(f"The work of ACS depends most on {first} and {second}", height=3.4)
    axes = fig.subplots(1, table["greedy_rule"].nunique(), squeeze=False)[0]
    for ax, letter, (rule, rows) in zip(axes, "ab", table.groupby("greedy_rule")):
        design = rows[rows["point"] != NONE]
        paper = rows[(rows["point"] == NONE) & (rows["propagation"] == "complete")]
        x, y = _two_parameters(design)
        look = {"cmap": COLORS, "vmin": 0, "vmax": 100}
        dots = ax.scatter(design[x], design[y], 12, 100 * design["success_rate"], **look)
        ax.plot(paper[x], paper[y], ls="", **STAR)
        ax.set(xlabel=x, ylabel=y)
        ax.set_title(f"({letter}) {TITLES[rule]}")
        ax.grid(False)
    fig.colorbar(dots, ax=axes, label="Solved (%)", pad=0.01)
    style.explain(fig, "setting of Lloyd & Amos", **STAR)
    style.legend(fig)
    return fig


def _two_parameters(design):
    """Return the two parameters whose ranks go best with the ranks of the work."""
    correlations = design[NAMES].corrwith(design["work"], method="spearman").abs()
    chosen = correlations.nlargest(2).index
    return [name for name in NAMES if name in chosen]

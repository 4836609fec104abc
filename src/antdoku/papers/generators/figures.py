"""Does the generator matter? By source of the grids."""

from antdoku.figures import panels, style
from antdoku.papers import Look
from antdoku.papers.generators.tables import PROPAGATION
from antdoku.statistics import MARGIN

# Of the grids of instances, by the column source.
SOURCES = {
    "shuffle root": Look("the root solution, shuffled", "#882D17", "s"),
    "shuffle": Look("random grids, shuffled", "#4477AA", "o"),
    "search": Look("grids by tabu search", "#66CCEE", "P"),
    "acs": Look("grids by ACS", "#AA9922", "^"),
    "archive": Look("the authors' instances", "#000000", "D"),
}
EFFECT = ("effect_h", "effect_low", "effect_high")


def generators(title, table, looks):
    """Draw the difference of success between the main instances and others, a row per solver."""
    rows = list(table.groupby(["order", "variant"], sort=False))
    is_alike, is_cp = table["verdict"] == "alike", table["variant"] == PROPAGATION
    success, propagation = (f"{is_alike[mask].sum()} of {mask.sum()}" for mask in (~is_cp, is_cp))
    title += f" Success is alike in {success} comparisons, propagation in {propagation}"
    fig = style.figure(title, height=1.3 + 0.21 * len(rows))
    ax = fig.subplots()
    ax.axvspan(-MARGIN, MARGIN, color="#F0F0F0", lw=0, zorder=0)
    ax.axvline(0, color=style.INK, lw=0.8)
    style.explain(fig, f"alike: within {MARGIN:g}", area=True, fc="#F0F0F0", lw=0)
    sources = [source for source in SOURCES if (table["source"] == source).any()]
    for y, (_, effects) in enumerate(rows):
        _draw_effects(ax, y, effects, sources)
    names = [f"{style.ORDERS[order].label}, {row['label'].iloc[0]}" for (order, _), row in rows]
    ax.set_yticks(range(len(rows)), names)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlabel("Solved of the main instances minus of these (Cohen's h)")
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    style.legend(fig)
    return fig


def _draw_effects(ax, y, table, sources):
    """Draw the effects of one solver, a source below the other."""
    for source, effects in table.groupby("source"):
        middle, low, high = (effects[name] for name in EFFECT)
        heights = [y + 0.8 * panels.offset(sources.index(source), len(sources))] * len(effects)
        mark = {"ls": "", "elinewidth": 0.8} | style.entry(SOURCES[source])
        ax.errorbar(middle, heights, xerr=[middle - low, high - middle], **mark)

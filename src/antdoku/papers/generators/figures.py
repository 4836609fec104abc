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
    rates = table.groupby(["order", "variant"], sort=False)[["main_rate", "other_rate"]]
    is_trivial = rates.transform("min").min(axis=1) == 1
    rows = list(table[~is_trivial].groupby(["order", "variant"], sort=False))
    fig = style.figure(_alike(table), height=1.5 + 0.21 * len(rows))
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
    n_main, n_others = panels.span(table["main_n"]), panels.span(table["other_n"])
    left_out = "; rows without a failure are left out" if is_trivial.any() else ""
    ax.set_title(f"{n_main} runs on the main instances, {n_others} on others{left_out}")
    ax.set_xlabel("fewer solved on the main instances ←  difference (Cohen's h)  → more")
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    style.legend(fig)
    return fig


def _alike(table):
    """Return, as a sentence, how often other generators are shown to change nothing."""
    is_alike, is_cp = table["verdict"] == "alike", table["variant"] == PROPAGATION
    success, propagation = (f"{is_alike[mask].sum()} of {mask.sum()}" for mask in (~is_cp, is_cp))
    return (
        f"Success on grids of other generators is alike in {success} comparisons, "
        f"propagation in {propagation}"
    )


def _draw_effects(ax, y, table, sources):
    """Draw the effects of one solver, a source below the other, and the rates of large ones."""
    for source, effects in table.groupby("source"):
        middle, low, high = (effects[name] for name in EFFECT)
        height = y + 0.8 * panels.offset(sources.index(source), len(sources))
        mark = {"ls": "", "elinewidth": 0.8} | style.entry(SOURCES[source])
        ax.errorbar(middle, [height] * len(effects), xerr=[middle - low, high - middle], **mark)
        for row in effects[effects["verdict"] != "alike"].itertuples():
            text = f"{100 * row.main_rate:.0f} against {100 * row.other_rate:.0f} %"
            side = {"ha": "right", "va": "center", "textcoords": "offset points"}
            ax.annotate(text, (row.effect_low, height), (-4, 0), **side)

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
MAIN = Look("the main instances")  # of another source
SHORT = {"shuffle root": "root", "shuffle": "random", "search": "tabu search", "acs": "ACS"}
SHORT |= {"archive": "authors'"}
EFFECT = ("effect_h", "effect_low", "effect_high")


def generators(title, table, looks):
    """Draw the difference of success between the main instances and others, a row per solver."""
    rates = table.groupby(["order", "variant"], sort=False)[["main_rate", "other_rate"]]
    is_trivial = rates.transform("min").min(axis=1) == 1
    drawn, text = table[~is_trivial], _alike(table[~is_trivial], table["label"].unique())
    rows = list(drawn.groupby(["order", "variant"], sort=False))
    names = [_name(effects) for _, effects in rows]
    most_lines = 1 + max((name.count("\n") for name in names), default=0)
    height = max(0.42 if style.is_narrow() else 0.24, 0.14 * most_lines)
    fig = style.figure(text, height=1.7 + height * max(len(rows), 2))
    ax = fig.subplots()
    ax.axvspan(-MARGIN, MARGIN, color="#F0F0F0", lw=0, zorder=0)
    ax.axvline(0, color=style.INK, lw=0.8)
    style.explain(fig, f"alike: within {MARGIN:g}", area=True, fc="#F0F0F0", lw=0)
    sources = [source for source in SOURCES if (table["source"] == source).any()]
    for y, (_, effects) in enumerate(rows):
        _draw_effects(ax, y, effects, sources)
    ax.set_yticks(range(len(rows)), names)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    _name_sides(ax, table["main_source"].iloc[0])
    style.legend(fig)
    return fig


def _name(effects):
    """Return the name of a row: size and solver, and below them the rates of large effects."""
    first = effects.iloc[0]
    lines = [f"{style.ORDERS[first['order']].label}, {first['label']}"]
    for row in effects[effects["verdict"] != "alike"].itertuples():
        rates = {row.main_source: row.main_rate, row.source: row.other_rate}
        parts = [f"{SHORT.get(key, 'main')} {panels.percent(rate)}" for key, rate in rates.items()]
        lines.append(", ".join(parts))
    return "\n".join(lines)


def _name_sides(ax, main):
    """Write at both ends of the axis where more is solved; `main` is the main source."""
    name = SHORT.get(main, "main") if style.is_narrow() else SOURCES.get(main, MAIN).label
    solved = "" if style.is_narrow() else ": more solved"
    ax.set_title(f"← others{solved}", loc="left")
    ax.set_title(f"{name}{solved} →", loc="right")
    ax.set_xlabel("Difference of success (Cohen's h)")
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")


def _alike(table, labels):
    """Return, as a sentence, in how many comparisons with failures generators change nothing.

    `labels` has the order of the solvers.
    """
    is_alike, is_cp = table["verdict"] == "alike", table["variant"] == PROPAGATION
    success, propagation = (f"{is_alike[mask].sum()} of {mask.sum()}" for mask in (~is_cp, is_cp))
    compared = {*table.loc[~is_cp, "label"]}
    names = [label for label in labels if label in compared]
    solvers = panels.listed(names) if names else "solvers"
    return (
        f"On grids of other generators, success of {solvers} is alike in {success} comparisons, "
        f"propagation in {propagation}"
    )


def _draw_effects(ax, y, table, sources):
    """Draw the effects of one solver, a source below the other."""
    for source, effects in table.groupby("source"):
        middle, low, high = (effects[name] for name in EFFECT)
        height = y + 0.8 * panels.offset(sources.index(source), len(sources))
        mark = {"ls": "", "elinewidth": 0.8} | style.entry(SOURCES[source])
        ends = panels.error_bars(middle, low, high)
        ax.errorbar(middle, [height] * len(effects), xerr=ends, **mark)

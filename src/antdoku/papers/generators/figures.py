"""Does the generator matter? By source of the grids."""

import math

import numpy as np

from antdoku.figures import panels, registrar, style
from antdoku.papers import Look
from antdoku.statistics import ALPHA

figure = registrar(__name__)

# Of the grids of instances, by the column source.
SOURCES = {
    "shuffle root": Look("the root solution, shuffled", "#D55E00", "s"),
    "shuffle": Look("random grids, shuffled", "#0072B2", "o"),
    "search": Look("grids by tabu search", "#56B4E9", "P"),
    "acs": Look("grids by ACS", "#009E73", "^"),
    "archive": Look("the authors' instances", "#000000", "D"),
}


@figure("beyond_generators", "Does the generator matter?")
def generators(title, table):
    """Random instances whose solved grids come from several generators. Top: unavoidable sets, that
    is two values that two rows and two columns could exchange. Below: instances that propagation
    solves, and success of each solver. Stars: differs from the main experiment (Fisher's test,
    Holm's correction).
    """
    fails = table.groupby("order")["success_rate"].min() < 1
    orders, hard, n_variants = fails.index, fails.index[fails], table["variant"].nunique()
    title = f"{title} {panels.span(table['n'])} instances per point"
    fig = style.figure(title, height=3.6 + 1.4 * len(hard))
    grid = fig.add_gridspec(2 + len(hard), math.lcm(len(orders), n_variants))
    for place, order in enumerate(orders):
        rows, label = table[table["order"] == order], style.ORDERS[order].label
        where = place, len(orders), label
        _sets(_panel(grid, 0, *where, "Unavoidable\nsets (mean, SD)"), rows, table)
        once = rows.drop_duplicates(["fixed_fraction", "experiment"])
        _propagated(_panel(grid, 1, *where, "Solved by\npropagation (%)"), once)
    for row, order in enumerate(hard, start=2):
        variants = style.series(table[table["order"] == order])
        for place, (_, look, line) in enumerate(variants):
            label = f"{style.ORDERS[order].label}, {look.label}"
            _success(_panel(grid, row, place, n_variants, label, "Solved (%)"), line)
    style.legend(fig)
    return fig


def _panel(grid, row, place, count, title, shown):
    """Return one of `count` panels of a row; the first says what is shown."""
    width = grid.ncols // count
    ax = grid.figure.add_subplot(grid[row, place * width : (place + 1) * width])
    ax.set_title(title)
    ax.set_ylabel("" if place else shown)
    return ax


def _by_source(rows):
    """Yield look and rows of each generator, in the order of `SOURCES`."""
    groups = dict(list(rows.groupby(["source", "experiment"])))
    for source, experiment in sorted(groups, key=lambda name: [*SOURCES].index(name[0])):
        yield SOURCES[source], groups[source, experiment]


def _sets(ax, rows, table):
    """Draw the mean number of unavoidable sets by source, with one standard deviation."""
    for x, (look, group) in enumerate(_by_source(rows)):
        mean, deviation = group[["unavoidable_sets", "unavoidable_sets_sd"]].iloc[0]
        ax.bar(x, mean, 0.7, yerr=deviation, color=look.color, error_kw={"elinewidth": 0.8})
        text, y = (f"{mean:.0f}", mean + deviation) if mean >= 0 else ("not known", 0)
        ax.text(x, y, text, ha="center", va="bottom", fontsize=7)
    highest = (table["unavoidable_sets"] + table["unavoidable_sets_sd"]).max()
    ax.set(xticks=[], ylim=(0, 1.2 * highest if highest > 0 else 1))


def _propagated(ax, rows):
    """Draw what propagation alone solves, by fixed fraction and source."""
    for look, line, x in _shifted(ax, rows):
        ax.plot(x, 100 * line["trivial_rate"], **look)


def _success(ax, rows):
    """Draw what a solver solves, with Wilson intervals, and stars where it differs from main."""
    for look, line, x in _shifted(ax, rows):
        panels.rates(ax, x, line, **look)
        starred = x[line["p_holm"] < ALPHA]
        star = {"color": look["color"], "ms": 5, "transform": ax.get_xaxis_transform()}
        ax.plot(starred, np.full(len(starred), 0.97), "*", **star)
        if len(starred):
            label = "differs from the main experiment, p < 5 % after Holm"
            style.explain(ax.figure, label, marker="*", ms=5)


def _shifted(ax, rows):
    """Yield look, rows and x positions of each generator, side by side on axes of percent."""
    panels.fraction_axis(ax, rows, every=10)
    ax.set(ylim=(-4, 114), yticks=range(0, 101, 25))
    sources = list(_by_source(rows))
    for shift, (look, line) in zip(panels.shifts_of(len(sources))[0], sources):
        thin = style.entry(look) | {"ms": 3, "lw": 0.9}
        yield thin, line, 100 * line["fixed_fraction"] + shift

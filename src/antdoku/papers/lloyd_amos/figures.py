"""Figures of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019), drawn again from our runs."""

import numpy as np

from antdoku.figures import as_printed, panels, style
from antdoku.outcome import SOLVED
from antdoku.papers.lloyd_amos.tables import ARXIV, PRINTED, PRINTED_RATES

N_PRINTED = 100  # instances of a printed rate
START = {"marker": "^", "ls": "", "ms": 6, "mfc": "none"}  # figure 8: printed first fractions
START_PAD = 9  # points between the axis and its labels, for these
GAP = {"fc": "#E9E9E9", "lw": 0}  # figure 9
FROM = 0.3  # fixed fraction: below, the curves of figure 9 are level


def fig4(title, table, looks):
    """Draw printed and our mean times of ACS on each puzzle."""
    runs = table[table["variant"] == "acs"]
    if runs.empty:
        return style.no_runs(title)
    by_puzzle = runs.groupby("puzzle", observed=True, sort=False)
    printed = by_puzzle["arxiv_mean_time_s"].first()
    ours = runs[runs["status"] == SOLVED].groupby("puzzle", observed=True)["cpu_s"].mean()
    ours = ours.reindex(printed.index)
    order = printed.fillna(ours).sort_values(kind="stable").index
    fig = style.figure(as_printed.by_rank(printed, ours, looks["acs"].label), height=3.6)
    ax = fig.subplots()
    panels.dumbbells(ax, printed[order], ours[order], looks["acs"], ARXIV)
    counts = runs.groupby("puzzle", observed=True).size()
    solved = f"{(runs['status'] == SOLVED).sum()} of {len(runs)} solved"
    ax.set_title(f"{panels.span(counts)} runs a puzzle, {panels.limit(runs)}: {solved}")
    ax.set_xlabel("Mean CPU time of the solved runs (printed: on the authors' machine)")
    style.legend(fig)
    return fig


def systems(title, table, looks):
    """Draw success and time of the systems."""
    return panels.one_order(title, table, looks, PRINTED, N_PRINTED)


def fig8(title, table, looks):
    """Draw the share of trivial instances, and the number of values left."""
    fig = style.figure(_first_trivial(table), height=3.1)
    axes = style.panels_in_row(fig, 2)
    _printed_propagation(*axes, table)
    _propagation(*axes, table)
    axes[0].set_title(f"(a) Of {panels.span(table['n_instances'])} instances a point")
    axes[1].set_title(f"(b) {_left(table)}")
    style.legend(fig)
    return fig


def _first_trivial(table):
    """Return, as a sentence, from which fraction on propagation solves instances, by order."""
    first = table[table["trivial"] > 0].groupby("order")["fixed_fraction"].min()
    printed = table.groupby("order")["arxiv_trivial_from"].first().reindex(first.index)
    if first.empty:
        return "Propagation alone solves no instance"
    sizes = ", ".join(style.ORDERS[order].label for order in first.index)
    text = f"Propagation alone starts to solve instances at {_fractions(first)} % fixed ({sizes})"
    if printed.isna().all():
        return text
    same = np.isclose(first, printed).all()
    return f"{text}, as printed" if same else f"{text}; printed: {_fractions(printed)}"


def _fractions(values):
    return ", ".join(f"{100 * value:g}" if np.isfinite(value) else "–" for value in values)


def _left(table):
    """Return the mean number of values left at the points with a printed one."""
    rows = table[table["arxiv_mean_value_set_size"].notna()]
    texts = [
        f"At {panels.point(rows.loc[[row.Index]])}: {row.mean_value_set_size:.2f}, "
        f"printed {row.arxiv_mean_value_set_size:g}"
        for row in rows.itertuples()
    ]
    return "; ".join(texts) or "Values left per cell"


def _printed_propagation(left, right, table):
    """Draw the printed fractions where trivial instances begin, and printed sizes of value sets."""
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        panels.open_markers(right, x, rows["arxiv_mean_value_set_size"], ARXIV, look.color)
        start = rows["arxiv_trivial_from"].iloc[0]
        if np.isfinite(start):
            # Between the axis and its labels, pointing at the axis.
            below = {"transform": left.get_xaxis_transform(), "clip_on": False}
            left.plot(100 * start, -0.045, mec=look.color, **START, **below)
            style.explain(left.figure, "printed: first solved", **START)
    for ax in (left, right):
        ax.tick_params(axis="x", pad=START_PAD)
    left.set_ylabel("Solved by propagation alone (%)")
    right.set_ylabel("Mean values per cell")


def _propagation(left, right, table):
    """Draw the share of trivial instances, and the sizes of value sets, of our instances."""
    for order, rows in table.groupby("order"):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        right.plot(x, rows["mean_value_set_size"], **style.entry(look))
        trivial = ("fraction_trivial", "wilson_low", "wilson_high")
        panels.rates(left, x, rows, trivial, **style.entry(look))
    largest = int(np.nan_to_num(table["mean_value_set_size"].max()))
    sizes = [1, *range(5, largest + 1, 5)] if largest > 5 else range(1, largest + 2)
    panels.percent_axis(left)
    right.set(ylim=(0, None), yticks=sizes)
    for ax in (left, right):
        ax.set_xlabel("Fixed cells (%)")


def fig9(title, table, looks):
    """Draw ACS with and without BVE on the largest size."""
    table = panels.largest(table)
    rows = panels.hard_part(table)
    rows = rows[rows["fixed_fraction"] >= min(FROM, rows["fixed_fraction"].max())]
    rates = rows.pivot(index="fixed_fraction", columns="variant", values="success_rate")
    gap = rates.get("acs", np.nan) - rates.get("acs_no_bve", np.nan)
    at = gap.abs().idxmax() if gap.notna().any() else None
    fig = style.figure(_effect(table, gap, at), height=3.5)
    left, right = style.panels_in_row(fig, 2, width_ratios=(3, 2))
    if at is not None:
        _shade_gap(
            left,
            100 * rates[["acs", "acs_no_bve"]],
            f"{panels.whole_percent(gap[at]):+d} points",
            at,
        )
    panels.success(left, rows, looks, PRINTED, N_PRINTED, band=False)
    panels.fraction_axis(left, rows, every=10)
    runs = f"(a) Success: {panels.n_runs(table)} a point"
    left.set(title=f"{runs},\n{panels.limit(table)}", ylabel="Solved (%)")
    lines = panels.mean_times(right, rows, looks, PRINTED)
    right.set_title("(b) Mean CPU time of the solved runs\n(printed: on the authors' machine)")
    for label, line in lines.items():
        line.set_label(label)
    style.legend(fig)
    return fig


def _effect(table, gap, at):
    """Return, as a sentence, what BVE adds where it adds or takes most, and the rates in print."""
    rates = as_printed.met(as_printed.rates(table, PRINTED_RATES))
    if at is None:
        return f"{panels.conclusion(panels.hardest(table))}{rates}"
    rows = table[table["fixed_fraction"] == at]
    effect = "adds" if gap[at] >= 0 else "takes"
    text = f"Best-value evaporation (BVE) {effect} {panels.whole_percent(abs(gap[at]))} points"
    return f"{text} at {panels.point(rows)}{_printed_effect(rows)}{rates}"


def _printed_effect(rows):
    """Return the printed differences that BVE makes at a point; empty without any."""
    rates = rows.set_index("variant")[list(PRINTED_RATES)]
    gaps = (rates.loc["acs"] - rates.loc["acs_no_bve"]).dropna()
    texts = [str(panels.whole_percent(gap)) for gap in dict.fromkeys(gaps.round(6))]
    return f" (printed: {' and '.join(texts)})" if texts else ""


def _shade_gap(ax, percent, text, at):
    """Shade the area between two curves, and write a text at a fraction."""
    x, low, high = 100 * percent.index, percent.min(axis=1), percent.max(axis=1)
    ax.fill_between(x, low, high, zorder=0.5, **GAP)
    style.explain(ax.figure, "what BVE adds", area=True, **GAP)
    middle = (low[at] + high[at]) / 2
    ax.annotate(
        text,
        (100 * at, middle),
        (100 * at - 9, middle),
        weight="bold",
        va="center",
        ha="center",
        arrowprops={"arrowstyle": "-", "color": style.MUTED, "lw": 0.6},
    )

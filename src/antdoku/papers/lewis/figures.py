"""Figures of Lewis 2007, drawn again from our runs."""

import numpy as np

from antdoku.figures import as_printed, panels, style
from antdoku.papers.lewis.tables import ALONE, HYBRID, JOURNAL_SA, PRINTED_RATES
from antdoku.statistics import wilson

NOTHING, NEARLY_ALL = 0.2, 0.75  # fixed fractions that the text on figure 2 names
IN_TEXT = (
    ((0, NOTHING), 92, "paper:\nfixes\nnothing"),
    ((NEARLY_ALL, 1), 38, "paper:\nnearly all"),
)
DIP = (0.2, 0.6)  # fixed fractions; below, the work is calibrated; above, all runs are solved
HARD = 0.95  # sizes at which all rates are higher are left out
SYSTEMS = {", journal": (JOURNAL_SA,), ", hybrid": (ALONE, HYBRID)}  # by the end of a title
N_PRINTED = 20  # instances of a printed rate; each has 20 runs, which are not independent


def fig2(title, table, looks):
    """Draw the cells that are fixed after propagation, with the range over instances."""
    orders = list(table.groupby("order"))
    fig = style.figure(_of_text(table), height=2.9)
    axes = style.panels_in_row(fig, len(orders), sharey=True)
    for ax, (order, rows) in zip(axes, orders):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        for ends, y, text in IN_TEXT:
            ax.hlines(y, 100 * ends[0], 100 * ends[1], color=style.MUTED, lw=1.2)
            ax.text(100 * ends[0], y - 3, text, va="top", color=style.MUTED)
        low, high = 100 * rows["fixed_after_cp_min"], 100 * rows["fixed_after_cp_max"]
        ax.fill_between(x, low, high, color=look.color, alpha=panels.BAND_ALPHA, lw=0)
        ax.plot(x, 100 * rows["fixed_after_cp"], color=look.color, marker=look.marker)
        ax.plot([0, 100], [0, 100], **panels.DOTTED, label="before propagation")
        ax.set(xlim=(-3, 103), xlabel="Fixed before (%)", title=look.label)
        ax.set_xticks(range(0, 101, 20))
        panels.percent_axis(ax, -3, 103)
    axes[0].set_ylabel("Fixed after propagation (%)")
    mean = f"mean over {panels.span(table['n_instances'])} instances"
    style.explain(fig, mean, marker="o")
    band = {"fc": style.MUTED, "alpha": panels.BAND_ALPHA, "lw": 0}
    style.explain(fig, "lowest to highest instance", area=True, **band)
    style.legend(fig)
    return fig


def _of_text(table):
    """Return, as a sentence, the cells that propagation fixes where the paper's text names them."""
    gain = 100 * (table["fixed_after_cp"] - table["given_fraction"])
    is_low, is_high = table["fixed_fraction"] <= NOTHING, table["fixed_fraction"] >= NEARLY_ALL
    results = []
    if is_low.any():
        mean = np.average(gain[is_low], weights=table.loc[is_low, "n_instances"])
        results.append(
            f"up to {100 * NOTHING:g} % fixed it adds {mean:.2g} % of the cells on average"
        )
    if is_high.any():
        minimum = np.floor(1000 * table.loc[is_high, "fixed_after_cp"].min()) / 10
        results.append(f"from {100 * NEARLY_ALL:g} % on, {minimum:g} % or more are fixed after it")
    if not results:
        return f"Propagation adds up to {gain.max():.1f} % of the cells"
    start = "The larger the grid, the steeper propagation sets in: " if _is_steeper(table) else ""
    text = start + "; ".join(results)
    return text[0].upper() + text[1:]


def _is_steeper(table):
    """Whether the greatest rise from one fixed fraction to the next grows with the grid."""
    means = table.pivot(index="fixed_fraction", columns="order", values="fixed_after_cp")
    rises = means.diff().max()
    return len(rises) > 1 and bool((rises.diff().dropna() > 0).all())


def fig3(title, table, looks):
    """Draw success around the dip: a row for the systems of each paper, a column per size."""
    table = _dip(table)
    return _grid(_farthest(table), table, looks, SYSTEMS)


def fig3_work(title, table, looks):
    """Draw success of SA with fewer and more steps, a panel per size."""
    rows = _dip(table[table["variant"] == JOURNAL_SA])  # the others have no printed rates
    if rows.empty:
        return style.no_runs(title)
    return _grid(_of_work(rows), rows, looks, {"": (JOURNAL_SA,)}, band=True)


def _grid(title, table, looks, systems, band=False):
    """Draw success beside printed rates: a row for each group of variants, a column per size."""
    fig = style.figure(title, height=1.0 + 1.8 * len(systems))
    parts = list(table.groupby("order"))
    axes = fig.subplots(len(systems), len(parts), sharex=True, sharey=True, squeeze=False)
    for line, (paper, names) in zip(axes, systems.items()):
        for ax, (order, rows) in zip(line, parts):
            panels.fraction_axis(ax, table, every=10)
            ax.set(title=style.ORDERS[order].label + paper, ylabel="Solved (%)")
            rows = rows[rows["variant"].isin(names)]
            if len(rows):
                _panel(ax, rows, looks, band)
            ax.label_outer()
    if len(as_printed.rates(table, PRINTED_RATES)):
        style.explain(fig, f"95 % interval (paper: {N_PRINTED} instances)", lw=0.7)
    style.legend(fig)
    return fig


def _panel(ax, rows, looks, band):
    """Draw success at one size, and write the rate that is farthest from the printed one."""
    drawn = panels.success(ax, rows, looks, PRINTED_RATES, N_PRINTED, band)
    for label, bars in drawn.items():
        bars.set_label(label)
    text = f"{_times(rows)} × the steps" if band else f"{panels.span(rows['n'])} runs"
    ax.set_title(f"{ax.get_title('left')}: {text}")
    rates = as_printed.rates(rows, PRINTED_RATES)
    if len(rates):
        at = as_printed.farthest(rates)["fixed_fraction"]
        panels.write_rates(ax, rows[rows["fixed_fraction"] == at], PRINTED_RATES)


def _dip(table):
    """Return the rows of the hard sizes around the dip; all rows without any."""
    rows = table[table["fixed_fraction"].between(*DIP)]
    hard = rows[rows["success_rate"].groupby(rows["order"]).transform("min") < HARD]
    return table if hard.empty else hard


def _farthest(table):
    """Return, as a sentence, the rate that is farthest from the printed one."""
    rates = as_printed.rates(table, PRINTED_RATES)
    if rates.empty or rates["n"].min() < as_printed.LEAST_RUNS:
        return panels.conclusion(panels.hardest(panels.largest(table)))
    row = as_printed.farthest(rates)
    ours, printed = (panels.percent(row[name]) for name in ("success_rate", "printed"))
    start = f"At {panels.point(rates.loc[[row.name]])}, {row['label']}"
    runs = f"{row['success_rate'] * row['n']:.0f} of {row['n']} runs ({ours})"
    return f"{start} solves {runs} where {printed} are printed{as_printed.met(rates)}"


def _times(rows):
    """Return the range of the work of the paper's program, ``0.67 to 1.5``."""
    factor = rows["work_factor"].max()
    return f"{1 / factor:.2g} to {factor:.2g}"


def _of_work(table):
    """Return, as a sentence, whether other work of the paper's program explains its rates."""
    (name,) = PRINTED_RATES
    table = panels.largest(table)
    rows = table[(table[name] < 1) & table["rate_at_more"].notna()]
    if rows.empty or rows["n"].min() < as_printed.LEAST_RUNS:
        return panels.conclusion(panels.hardest(table))
    low, high = wilson(N_PRINTED * rows[name], N_PRINTED)
    is_out = (high < rows["rate_at_less"]) | (low > rows["rate_at_more"])
    size, label = style.ORDERS[rows["order"].iloc[0]].label, rows["label"].iloc[0]
    n_met = f"{(~is_out).sum()} of {len(rows)} printed rates below 100 %, within their error"
    return f"At {size}, {label} with {_times(rows)} times the steps meets {n_met}"

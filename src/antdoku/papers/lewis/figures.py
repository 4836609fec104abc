"""Figures of Lewis 2007, drawn again from our runs."""

from antdoku.figures import as_printed, panels, style
from antdoku.papers.lewis.tables import PRINTED_RATES

ALL_SOLVED = "No numbers; the text: all runs are solved."
NOTHING, NEARLY_ALL = 0.2, 0.75  # fixed fractions that the text on figure 2 names


def fig2_form(title, table, looks):
    """Draw the statements of the paper on propagation above our instances."""
    fig = style.figure(f"{title}: {_of_text(table)}", height=4.6)
    above, below = fig.subplots(2, 1, sharex=True, sharey=True)
    above.set_title("printed: no numbers, but what the text says of all sizes")
    below.set_title(f"our runs, {panels.span(table['n_instances'])} instances per point")
    text = {"color": style.MUTED, "va": "center"}
    above.plot([0, 100 * NOTHING], [0, 100 * NOTHING], color=style.MUTED)
    above.text(100 * NOTHING + 2, 60 * NOTHING, "below 20 % it fixes no more cells", **text)
    above.plot([100 * NEARLY_ALL, 100], [100, 100], color=style.MUTED)
    above.text(73, 100, "from 75 % on it nearly always ends the puzzle", ha="right", **text)
    for order, rows in table.groupby("order"):
        x, y = 100 * rows["fixed_fraction"], 100 * rows["fixed_after_cp"]
        below.plot(x, y, **style.entry(style.ORDERS[order]))
    for ax in (above, below):
        ax.plot([0, 100], [0, 100], **panels.DOTTED, label="before propagation")
        ax.set(xticks=range(0, 101, 20), xlim=(-3, 103))
        panels.percent_axis(ax, -3, 106)
        ax.set_ylabel("Fixed after (%)")
    below.set_xlabel("Fixed cells (%)")
    style.legend(fig)
    return fig


def _of_text(table):
    """Return the numbers of our instances for both statements of the text, for a title."""
    gained = 100 * (table["fixed_after_cp"] - table["fixed_fraction"])
    is_low, is_high = table["fixed_fraction"] < NOTHING, table["fixed_fraction"] >= NEARLY_ALL
    results = []
    if is_low.any():
        results.append(f"below 20 % given it adds at most {gained[is_low].max():.1f} %")
    if is_high.any():
        minimum = 100 * table.loc[is_high, "fixed_after_cp"].min()
        results.append(f"from 75 % on it fixes {minimum:.1f} %")
    return "; ".join(results) or "no instances below 20 % or from 75 %"


def fig2(title, table, looks):
    """Draw the cells that are fixed after propagation, with the range over instances."""
    orders = list(table.groupby("order"))
    fig = style.figure(f"{title}: {_of_text(table)}", height=2.9)
    axes = fig.subplots(1, len(orders), sharey=True, squeeze=False)[0]
    for ax, (order, rows) in zip(axes, orders):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        low, high = 100 * rows["fixed_after_cp_min"], 100 * rows["fixed_after_cp_max"]
        ax.fill_between(x, low, high, color=look.color, alpha=panels.BAND_ALPHA, lw=0)
        ax.plot(x, 100 * rows["fixed_after_cp"], color=look.color, marker=look.marker)
        ax.plot([0, 100], [0, 100], **panels.DOTTED, label="before propagation")
        ax.set(xlim=(-3, 103), xlabel="Fixed cells (%)", title=look.label)
        ax.set_xticks(range(0, 101, 20))
        panels.percent_axis(ax, -3, 103)
    axes[0].set_ylabel("Fixed after propagation (%)")
    mean = f"mean over {panels.span(table['n_instances'])} instances"
    style.explain(fig, mean, marker="o")
    band = {"fc": style.MUTED, "alpha": panels.BAND_ALPHA, "lw": 0}
    style.explain(fig, "lowest to highest instance", area=True, **band)
    style.legend(fig)
    return fig


def fig3_form(title, table, looks):
    """Draw printed rates of SA left of our runs, a row per size."""
    parts = {style.ORDERS[order].label: rows for order, rows in table.groupby("order")}
    texts = {style.ORDERS[3].label: ALL_SOLVED}
    return as_printed.over_fractions(title, parts, looks, PRINTED_RATES, True, texts)


def fig3(title, table, looks):
    """Draw success and time of SA and CP+SA, a column per size."""
    conclusion = _farthest(as_printed.printed_rates(table, PRINTED_RATES))
    return panels.all_orders(title, table, looks, PRINTED_RATES, conclusion=conclusion)


def _farthest(rates):
    """Return, for a title, the rate that is farthest from the printed one; empty without any."""
    if rates.empty:
        return ""
    row = rates.sort_values("distance", ascending=False, kind="stable").iloc[0]
    ours, printed = (f"{100 * row[name]:.0f} %" for name in ("success_rate", "printed"))
    point = panels.point(rates.loc[[row.name]])
    return f"at {point}, {row['label']} solves {ours} where {printed} are printed"

"""Figures of Lewis 2007, drawn again from our runs."""

from textwrap import fill

from antdoku.figures import as_printed, panels, style
from antdoku.papers.lewis.tables import PRINTED_RATES

NOTHING, NEARLY_ALL = 0.2, 0.75  # fixed fractions that the text on figure 2 names
TEXT = {"color": "#FFF3CC", "lw": 0, "zorder": 0}
SHORT = 20  # characters of a line beside a low panel
N_PRINTED = 400  # runs of a printed rate: 20 on each of 20 instances


def fig2(title, table, looks):
    """Draw the cells that are fixed after propagation, with the range over instances."""
    orders = list(table.groupby("order"))
    fig = style.figure(_of_text(table), height=2.9)
    axes = style.panels_in_row(fig, len(orders), sharey=True)
    for ax, (order, rows) in zip(axes, orders):
        look, x = style.ORDERS[order], 100 * rows["fixed_fraction"]
        for ends in ((0, NOTHING), (NEARLY_ALL, 1)):
            ax.axvspan(100 * ends[0], 100 * ends[1], **TEXT)
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
    style.explain(fig, "where the paper says: fixes none, nearly all", area=True, **TEXT)
    style.legend(fig)
    return fig


def _of_text(table):
    """Return, as a sentence, the cells that propagation fixes where the paper's text names them."""
    gained = 100 * (table["fixed_after_cp"] - table["fixed_fraction"])
    is_low, is_high = table["fixed_fraction"] < NOTHING, table["fixed_fraction"] >= NEARLY_ALL
    results = []
    if is_low.any():
        gain = f"at most {gained[is_low].max():.1f} % of the cells"
        results.append(f"below {100 * NOTHING:g} % propagation fixes {gain} more")
    if is_high.any():
        minimum = 100 * table.loc[is_high, "fixed_after_cp"].min()
        results.append(
            f"from {100 * NEARLY_ALL:g} % on, {minimum:.1f} % or more are fixed after it"
        )
    if not results:
        return f"Propagation fixes up to {gained.max():.1f} % of the cells more"
    text = "; ".join(results)
    return text[0].upper() + text[1:]


def fig3(title, table, looks):
    """Draw success and time of SA and CP+SA, a column per size."""
    n_orders = table["order"].nunique()
    widths = [3] * (n_orders - 1) + [5]
    return panels.all_orders(
        _farthest(table), table, looks, PRINTED_RATES, n_printed=N_PRINTED, widths=widths
    )


def _farthest(table):
    """Return, as a sentence, the rate that is farthest from the printed one."""
    rates = as_printed.rates(table, PRINTED_RATES)
    if rates.empty or rates["n"].min() < as_printed.LEAST_RUNS:
        return panels.conclusion(panels.hardest(table[table["order"] == table["order"].max()]))
    row = as_printed.farthest(rates)
    ours, printed = (panels.percent(row[name]) for name in ("success_rate", "printed"))
    start = f"At {panels.point(rates.loc[[row.name]])}, {row['label']}"
    return f"{start} solves {ours} where {printed} are printed{as_printed.met(rates)}"


def fig3_work(title, table, looks):
    """Draw success within the uncertainty of the paper's work, a row per system."""
    parts = [list(rows.groupby("order")) for _, _, rows in style.series(table, looks)]
    shape = len(parts), max(map(len, parts))
    fig = style.figure(_most_sensitive(table), height=0.9 + 1.3 * shape[0])
    axes = fig.subplots(*shape, sharex=True, sharey=True, squeeze=False)
    for line, of_system in zip(axes, parts):
        for ax, (order, rows) in zip(line, of_system):
            panels.success(ax, rows, looks, {})
            ax.set_title(f"{style.ORDERS[order].label}, f = {rows['work_factor'].max():.2g}")
            panels.fraction_axis(ax, table, every=50 if style.is_narrow() else 20)
            ax.set_ylabel(fill(f"{rows['label'].iloc[0]}: solved (%)", SHORT))
            ax.label_outer()
    style.legend(fig)
    return fig


def _most_sensitive(table):
    """Return, as a sentence, which rate depends most on the work of the paper's program."""
    ranges = table["rate_at_more"] - table["rate_at_less"]
    if ranges.isna().all():
        return "No runs have the work that the paper's program may have done at most"
    row = table.loc[ranges.idxmax()]
    ends = f"{100 * row['rate_at_less']:.0f} to {100 * row['rate_at_more']:.0f} %"
    point = panels.point(table.loc[[row.name]])
    work = f"1/{row['work_factor']:.2g} to {row['work_factor']:.2g} times the paper's work"
    return f"{row['label']} solves {ends} at {point}, with {work}"

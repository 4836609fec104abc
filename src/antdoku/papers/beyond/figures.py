"""Figures that no paper has."""

import numpy as np

from antdoku import papers
from antdoku.figures import panels, style
from antdoku.figures.run_times import GREY, draw_curves, draw_run_times, first_to_half
from antdoku.papers.beyond.tables import LEAST_WORK, PRINTED_RATES
from antdoku.tables.summary import RATE

HEAVY = {"acs", "acs_restart", "tabu_col"}  # the variants that the figures are about
NAMED = HEAVY | {"ils", "dlx", "bs", "cdcl", "cpsat"}
IN_STAGNATION = {"acs", "acs_no_bve", "acs_restart"}
FEW = 8  # a figure with at most as many variants names all
ROW_HEIGHT, FOLDED = 0.19, 0.31  # inches, of a row; of one whose name may have two lines
EARLY = 5  # a title on stagnation compares this part of the iterations with all
MOST_GAINS = 3  # curves in a title
SHOWN_FROM = 0.01  # of the paper's work: less work is left out of the picture
TWICE = 1.9  # times the paper's work count as twice
PRINTED_AT = 1.09  # of the work: printed rates stand beside ours
WORK_TICKS = (0.01, 0.1, 0.3, 1, 2, 4)


def _named(table, names, few=FEW):
    """Return the variants that a figure names: all, or of many `names` and the new."""
    variants = {*table["variant"]}
    return variants if len(variants) <= few else names | (variants - papers.variants().keys())


# --- phase transition ----------------------------------------------------------------------------


def phase_transition(title, table, looks):
    """Draw success at the hardest point of the largest size by limit, and over all fractions."""
    table = panels.largest(table)
    at_hardest = panels.hardest(table)
    groups = _by_limit(at_hardest)
    n_lines = len(at_hardest) + 1.4 * len(groups)
    named = _named(table, NAMED)
    text = f"At {panels.point(at_hardest)}, {_at_hardest(groups, named)}"
    height, layout, ratios = ROW_HEIGHT * max(n_lines, 12), ("ab",), {"width_ratios": (3, 2)}
    if style.is_narrow():
        height, layout, ratios = FOLDED * n_lines, ("a", "b"), {"height_ratios": (n_lines, 8)}
        height += FOLDED * 8
    fig = style.figure(text, height=1.3 + height)
    axes = style.mosaic(fig, layout, **ratios)
    _draw_ranks(axes["a"], groups, looks)
    axes["a"].set_title(f"(a) {100 * at_hardest['fixed_fraction'].iloc[0]:.3g} % fixed")
    _draw_fractions(axes["b"], table, looks, named)
    return fig


def _draw_fractions(ax, table, looks, named):
    """Draw success over the fractions; other variants than the named ones are grey."""
    # A line through one fraction alone would not be seen.
    grey = GREY | ({"marker": "."} if table["fixed_fraction"].nunique() == 1 else {})
    for name, look, line in style.series(table, looks):
        mark = {"color": look.color, "marker": look.marker, "lw": 1.1, "ms": 3}
        x, y = 100 * line["fixed_fraction"], 100 * line["success_rate"]
        ax.plot(x, y, **(mark if name in named else grey))
    panels.percent_axis(ax)
    panels.fraction_axis(ax, table, every=20)
    note = "\n(grey: other forms)" if {*table["variant"]} - named else ""
    ax.set(title=f"(b) all fractions{note}", ylabel="Solved (%)")


def _by_limit(rows):
    """Return the rows by the text of their limit (seconds, steps), the best solver first."""
    rows = rows.sort_values("success_rate", ascending=False, kind="stable")
    parts = [part for _, part in rows.groupby(rows["limit_steps"] > 0)]
    return {panels.limit(part): part for part in parts}


def _at_hardest(groups, named):
    """Return, as part of a sentence, by limit who solves all, and the best other named solver."""
    texts = []
    for limit, rows in groups.items():
        is_full = rows["solved"] == rows["n"]
        names = [*rows.loc[is_full, "label"]]
        solvers = f"{names[0]} solves" if len(names) == 1 else f"{len(names)} solvers solve"
        shares = [f"{solvers} all"] if names else []
        rest = rows[~is_full & rows["variant"].isin(named)].iloc[:1]
        shares += [f"{row.label} {panels.percent(row.success_rate)}" for row in rest.itertuples()]
        if shares:
            texts.append(f"{', '.join(shares)} ({limit})")
    return ", ".join(texts)


def _draw_ranks(ax, groups, looks):
    """Draw the success of each solver at one point, below the limit of its runs."""
    names, y = {}, 0
    for limit, rows in groups.items():
        names[y] = limit
        for _, look, row in style.series(rows, looks):
            y += 1
            names[y] = look.label
            rate, low, high = (100 * row[column] for column in RATE)
            ends = panels.error_bars(rate, low, high)
            ax.errorbar(rate, y, xerr=ends, color=look.color, marker=look.marker, elinewidth=0.7)
        y += 1.4
    ax.set_yticks([*names], names.values())
    for label in ax.get_yticklabels():
        label.set_weight("bold" if label.get_text() in groups else "normal")
    ax.set(ylim=(y - 0.7, -0.7), xlim=(-4, 104), xticks=range(0, 101, 20), xlabel="Solved (%)")
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    ax.grid(False, axis="y")


# --- work ----------------------------------------------------------------------------------------


def work_curves(title, table, looks):
    """Draw success by work at the hardest point of each experiment and size."""
    groups = table.groupby(["experiment", "order"], sort=False)
    parts = [panels.hardest(rows) for _, rows in groups]
    fig = style.figure(_gain_of_work(parts), height=3.3)
    axes = style.panels_in_row(fig, len(parts), sharex=True, sharey=True)
    for ax, rows in zip(axes, parts, strict=True):
        _work_panel(ax, rows, looks)
        paper = papers.of_experiment(rows["experiment"].iloc[0]).short
        ax.set_title(f"{paper}, {panels.span(rows['n'])} runs\n{panels.point(rows)}")
        ax.set_xlabel("Work (the paper's: 1)")
        ax.tick_params(labelbottom=True)
    axes[0].set_ylabel("Solved (%)")
    panels.percent_axis(axes[0], high=106)
    axes[0].set_xscale("log")
    axes[0].set_xticks(WORK_TICKS, [f"{value:g}" for value in WORK_TICKS])
    axes[0].minorticks_off()
    axes[0].set_xlim(SHOWN_FROM, 1.15 * max(2, table["work"].max()))
    style.legend(fig)
    return fig


def _gain_of_work(parts):
    """Return, as a sentence, what twice the paper's work adds to each curve that goes so far."""
    gains, ended = {}, []
    for rows in (rows for part in parts for _, rows in part.groupby("variant", sort=False)):
        size = f" ({style.ORDERS[rows['order'].iloc[0]].label})" if len(parts) > 1 else ""
        name = rows["label"].iloc[0] + size
        if rows["work"].max() < TWICE:
            ended.append(name)
        else:
            gains[name] = 100 * (_rate_at(rows, 2) - _rate_at(rows, 1))
    if not gains:
        return "No runs have twice the paper's work"
    names = sorted(gains, key=gains.get, reverse=True)
    text = panels.listed([f"{gains[name]:.0f} points to {name}" for name in names])
    if len(names) > MOST_GAINS:
        low, high = gains[names[-1]], gains[names[0]]
        text = f"{low:.0f} to {high:.0f} points, most to {names[0]}"
    rest = f"; runs of {panels.listed(ended)} ended before" if ended else ""
    return f"Twice the paper's work adds {text}{rest}"


def _rate_at(rows, work, column="work"):
    """Return the share that a curve has after some work."""
    return rows.loc[rows[column] <= work, "success_rate"].to_numpy().max(initial=0)


def _work_panel(ax, rows, looks):
    """Draw curves, and at work 1 the range of the paper's work and the printed rates."""
    ax.axvline(1, **panels.DOTTED)
    for _, look, line in style.series(rows, looks):
        percent = 100 * line["success_rate"].to_numpy()
        at_first = percent[line["work"] <= LEAST_WORK].max(initial=0)
        x, y = np.append(LEAST_WORK, line["work"]), np.append(at_first, percent)
        ax.plot(x, y, drawstyle="steps-post", color=look.color, lw=1.2)
        end, factor = min(x[-1], 1), line["work_factor"].iloc[0]
        rate = y[x <= end].max()
        if end == 1:
            ax.plot([1 / factor, factor], [rate, rate], color=look.color, lw=4, alpha=0.35)
        ax.plot(end, rate, **style.entry(look), ms=4)
        for name, column in PRINTED_RATES.items():
            has_own_marker = style.printed(column.edition).marker != style.PRINTED.marker
            edition = column.edition if has_own_marker else ""
            panels.open_markers(ax, PRINTED_AT, 100 * line[name].iloc[0], edition, look.color)
    style.explain(ax.figure, "range in which the paper's work lies", lw=4, alpha=0.35)


# --- run times -----------------------------------------------------------------------------------


def run_times(title, table, looks):
    """Draw run-time distributions at the hardest point of the largest size."""
    rows = panels.largest(table)
    return draw_run_times(first_to_half(rows), rows, looks, _named(rows, NAMED), HEAVY)


# --- stagnation ----------------------------------------------------------------------------------


def stagnation(title, table, looks):
    """Draw success by iteration at the largest size."""
    table = panels.largest(table)
    named = _named(table, IN_STAGNATION, few=3)
    fig = style.figure(_late_gains(table, named), height=3.3)
    table = table.assign(iteration=table["iteration"].clip(lower=1))
    first, last = table["iteration"].min(), table["iteration"].max()
    ax, lines = draw_curves(fig, table, looks, _by_iteration, named, HEAVY)
    panels.percent_axis(ax, -2, 102)
    # If all instances are solved at once, Matplotlib has no data to choose limits by.
    ax.set(xscale="log", xlim=(first, max(last, 2 * first)))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_title(f"{panels.point(table)}")
    ax.set(xlabel="Iterations", ylabel=f"Solved (%) of {panels.span(table['n'])} runs")
    style.legend(fig, {ax: lines})
    return fig


def _by_iteration(line):
    return line["iteration"].to_numpy(), 100 * line["success_rate"].to_numpy()


def _late_gains(table, named):
    """Return, as a sentence, what systems solve after an early part of their iterations."""
    total = table["iteration"].max()
    early = round(float(f"{total / EARLY:.1g}"))
    gains = []
    for name, rows in table.groupby("variant", sort=False):
        if name in named:
            gain = 100 * (rows["success_rate"].max() - _rate_at(rows, early, "iteration"))
            points = f" adds {gain:.0f} points" if not gains else f" {gain:.0f}"
            gains.append(rows["label"].iloc[0] + points)
    return f"After iteration {early:,} of {total:,}, {panels.listed(gains)}"

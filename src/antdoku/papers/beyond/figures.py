"""Figures that no paper has."""

import numpy as np
import pandas as pd

from antdoku import papers
from antdoku.figures import panels, style
from antdoku.papers.beyond.tables import LEAST_WORK, PRINTED_RATES
from antdoku.tables.summary import RATE
from antdoku.times import duration

LINES = {"": "-", "dashed": (0, (4, 1.5)), "dashdot": "-."}
HEAVY = {"acs", "acs_restart", "tabu_col"}  # the variants that the figures are about
GREY = {"color": "#BDBDBD", "lw": 0.8, "zorder": 1.5, "label": "other solvers"}
FEW = 8  # a figure with at most as many variants names all
LABEL_HEIGHT = 0.14  # inches, beside the end of a line
ARROW = {"ls": "", "marker": "^", "mfc": "white", "ms": 4.4, "mew": 0.9}
MOST = 0.9  # of the solutions of a solver
BANDED = {"acs", "acs_no_bve"}  # of the stagnation figure: the paper's two systems
WORK_TICKS = (0.01, 0.1, 1, 10)
UNCERTAIN = {"fc": style.MUTED, "alpha": 0.1, "lw": 0}


def phase_transition(title, table, looks):
    """Draw success and PAR2 of all solvers at the largest size, and the hardest point."""
    table = table[table["order"] == table["order"].max()]
    at_hardest, named = panels.hardest(table), _named(table)
    n_variants = len(at_hardest)
    fig = style.figure(_at_hardest(at_hardest, named), height=max(4.6, 1.4 + 0.17 * n_variants))
    axes = style.mosaic(fig, ("ac", "bc"), width_ratios=(4, 3))
    # A line through one fraction alone would not be seen.
    grey = GREY | ({"marker": "."} if table["fixed_fraction"].nunique() == 1 else {})
    for name, look, line in style.series(table, looks):
        curve = style.entry(look) | {"lw": 1.6, "ms": 2.8} if name in named else grey
        axes["a"].plot(100 * line["fixed_fraction"], 100 * line["success_rate"], **curve)
        _draw_par2(axes["b"], line, curve)
    panels.percent_axis(axes["a"])
    panels.mark_limit(axes["b"].axhline, table)
    panels.time_axis(axes["b"])
    axes["a"].set(title=f"(a) {panels.span(table['n'])} runs, {panels.limit(table)}")
    axes["a"].set_ylabel("Solved (%)")
    axes["b"].set(title="(b) mean time, a failure as twice the limit", ylabel="PAR2, CPU time")
    for name in "ab":
        panels.fraction_axis(axes[name], table, every=20)
    _draw_ranks(axes["c"], at_hardest, looks, named)
    style.legend(fig)
    return fig


def _draw_par2(ax, line, curve):
    """Draw PAR2, and an arrow at the limit where it is missing, as steps ended a run."""
    x = 100 * line["fixed_fraction"]
    ax.plot(x, line["par2_s"], **curve)
    is_missing = line["par2_s"].isna() & line["limit_s"].notna()
    if is_missing.any() and curve["color"] != GREY["color"]:
        ax.plot(x[is_missing], line["limit_s"][is_missing], mec=curve["color"], **ARROW)
        style.explain(ax.figure, "steps ended a run: no PAR2", mec=style.MUTED, **ARROW)


def _draw_ranks(ax, rows, looks, named):
    """Draw the success of each solver at one point, the best first."""
    rows = rows.sort_values("success_rate", ascending=False, kind="stable")
    for y, (name, look, row) in enumerate(style.series(rows, looks)):
        rate, low, high = (100 * row[column] for column in RATE)
        color = look.color if name in named else GREY["color"]
        ends = np.clip([rate - low, high - rate], 0, None)
        ax.errorbar(rate, y, xerr=ends, color=color, marker=look.marker, elinewidth=0.7)
    ax.set_yticks(range(len(rows)), rows["label"])
    ax.set(ylim=(len(rows) - 0.5, -0.5), xlim=(-4, 104), xlabel="Solved (%)")
    ax.set_title(f"(c) {100 * rows['fixed_fraction'].iloc[0]:.3g} % fixed")
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")


def _named(table):
    """Return the variants that a figure names: all, or of many the important and the new."""
    names = {*table["variant"]}
    return names if len(names) <= FEW else HEAVY | (names - papers.variants().keys())


def _at_hardest(rows, named):
    """Return, as a sentence, how much the named variants solve at one point.

    If more than three are named: the first, or how many of all variants solve all, and the last.
    """
    best_first = rows[rows["variant"].isin(named)].sort_values("success_rate", ascending=False)
    full = (rows["solved"] == rows["n"]).sum()
    if len(best_first) <= 3 or full < 2:
        return panels.conclusion(best_first)
    last = best_first.iloc[-1]
    rest = (
        ""
        if last["solved"] == last["n"]
        else f", {last['label']} {panels.percent(last['success_rate'])}"
    )
    return f"At {panels.point(rows)}, {full} of {len(rows)} solve all{rest}"


def work_curves(title, table, looks):
    """Draw success by work at the hardest point of each experiment and size."""
    groups = table.groupby(["experiment", "order"], sort=False)
    parts = [panels.hardest(rows) for _, rows in groups]
    fig = style.figure(_gain_of_work(pd.concat(parts)), height=3.2)
    style.explain(fig, "work of the paper's program", **panels.DOTTED)
    style.explain(fig, "how uncertain that is", area=True, **UNCERTAIN)
    axes = style.panels_in_row(fig, len(parts), sharex=True, sharey=True)
    for ax, rows in zip(axes, parts, strict=True):
        _work_panel(ax, rows, looks)
        paper = papers.of_experiment(rows["experiment"].iloc[0]).short
        ax.set_title(f"{paper}\n{panels.point(rows)}, {panels.span(rows['n'])} runs")
        ax.set_xlabel("Work (the paper's: 1)")
    axes[0].set_ylabel("Solved (%)")
    panels.percent_axis(axes[0], high=106)
    axes[0].set_xscale("log")
    axes[0].set_xticks(WORK_TICKS, [f"{value:g}" for value in WORK_TICKS])
    axes[0].set(xlim=(LEAST_WORK, 1.5 * max(2, table["work"].max())))
    style.legend(fig)
    return fig


def _gain_of_work(table):
    """Return, as a sentence, the most that more work, or else the paper's, adds to a rate."""
    keys = ["experiment", "order", "fixed_fraction", "variant"]
    reach = table.groupby(keys, sort=False)["work"].transform("max")
    work, text = (2, "Twice the") if (reach >= 2).any() else (1, "All of the")
    gains = {}
    for _, rows in table[reach >= work].groupby(keys, sort=False):
        ends = (rows.loc[rows["work"] <= end, "success_rate"].max() for end in (work / 2, work))
        half, full = np.nan_to_num([*ends])
        gains[rows.index[0]] = 100 * (full - half)
    if not gains:
        return "No runs have the paper's work"
    at = max(gains, key=gains.get)
    curve = f"{table.loc[at, 'label']}, {panels.point(table.loc[[at]])}"
    instead = "" if work == 2 else " in place of half of it"
    return f"{text} paper's work{instead} adds at most {gains[at]:.0f} points ({curve})"


def _work_panel(ax, rows, looks):
    ax.axvline(1, **panels.DOTTED)
    for factor in rows["work_factor"].unique():
        ax.axvspan(1 / factor, factor, **UNCERTAIN)
    for _, look, line in style.series(rows, looks):
        percent = 100 * line["success_rate"].to_numpy()
        at_first = percent[line["work"] <= LEAST_WORK].max(initial=0)
        x, y = np.append(LEAST_WORK, line["work"]), np.append(at_first, percent)
        ax.plot(x, y, drawstyle="steps-post", color=look.color, lw=1.2)
        ax.plot(x[-1], y[-1], **style.entry(look), ms=4, clip_on=False)
        for name, column in PRINTED_RATES.items():
            panels.open_markers(ax, 1, 100 * line[name].iloc[0], column.edition, look.color)


def run_times(title, table, looks):
    """Draw run-time distributions at the hardest point of the largest size."""
    rows = table[table["order"] == table["order"].max()]
    height = max(2.2, LABEL_HEIGHT * rows["variant"].nunique())
    fig = style.figure(_halves(rows), height=1.2 + height)
    ax, lines = fig.subplots(), {}
    for name, look, line in style.series(rows, looks):
        solved = panels.percent(line["solved"].sum() / line["n"].iloc[0])
        curve = _line_of(look, name, 1 + len(line) // 5) | {"drawstyle": "steps-post"}
        times = _distribution(line, rows["cpu_s"].min())
        (lines[f"{look.label} {solved}"],) = ax.plot(*times, **curve)
    panels.time_axis(ax, "x")
    panels.mark_limit(ax.axvline, rows[~rows["solved"]], "limit of the unsolved runs")
    panels.percent_axis(ax, 0, 103)
    ax.set(title=panels.point(rows), xlabel="CPU time")
    ax.set_ylabel(f"Solved (%) of {panels.span(rows['n'])} runs")
    style.legend(fig, {ax: lines})
    return fig


def _halves(table):
    """Return, as a sentence, when the first and the last named variant have solved half."""
    named = table[table["variant"].isin(_named(table))]
    medians, slow = {}, []
    for label, rows in named.groupby("label", sort=False):
        times, half = rows.loc[rows["solved"], "cpu_s"].sort_values(), -(-rows["n"].iloc[0] // 2)
        if len(times) >= half:
            medians[label] = times.iloc[half - 1]
        else:
            slow.append(label)
    fastest = sorted(medians, key=medians.get)
    if not fastest:
        return f"At {panels.point(table)}, no solver solves half of the instances"
    text = f"{fastest[0]} solves half in {duration(medians[fastest[0]])}"
    if medians[fastest[-1]] > medians[fastest[0]]:  # else the same runs, with more time
        text += f", {fastest[-1]} in {duration(medians[fastest[-1]])}"
    return f"At {panels.point(table)}, {text}{', ' + slow[-1] + ' never' if slow else ''}"


def _distribution(line, start):
    """Return times and percent of a step function from `start` to where the runs end."""
    times = line.loc[line["solved"], "cpu_s"].to_numpy()
    percent = 100 * np.arange(len(times) + 1) / line["n"].iloc[0]
    end = line["cpu_s"].max()
    return np.r_[start, times, end], np.r_[percent, percent[-1]]


def stagnation(title, table, looks):
    """Draw success by iteration."""
    fig = style.figure(_solved_in_the_end(table), height=3.4)
    ax, lines = fig.subplots(), {}
    for name, look, line in style.series(table, looks):
        weight = {"lw": 1.5, "zorder": 2.2} if name in BANDED else {"lw": 1.0}
        curve = _line_of(look, name, 1 + len(line) // 5) | weight
        rate, low, high = (100 * line[column] for column in RATE)
        (lines[f"{look.label} {panels.percent(rate.iloc[-1] / 100)}"],) = ax.plot(
            line["iteration"], rate, **curve
        )
        if name in BANDED:
            band = {"alpha": panels.BAND_ALPHA, "lw": 0}
            ax.fill_between(line["iteration"], low, high, color=look.color, **band)
            style.explain(fig, "95 % Wilson interval", area=True, fc=style.MUTED, alpha=0.3, lw=0)
    panels.percent_axis(ax, -2, 102)
    # If all instances are solved at once, Matplotlib has no data to choose limits by.
    ax.set(xscale="log", xlim=(1, table["iteration"].max()), title=panels.point(table))
    ax.set(xlabel="Iterations", ylabel=f"Solved (%) of {panels.span(table['n'])} instances")
    style.legend(fig, {ax: lines})
    return fig


def _solved_in_the_end(table):
    """Return, as a sentence, in how many iterations the paper's systems find their solutions."""
    texts = []
    for _, rows in table[table["variant"].isin(BANDED)].groupby("variant", sort=False):
        row = rows.iloc[-1]
        share, label = panels.percent(row["success_rate"]), row["label"]
        enough = rows.loc[rows["solved"] >= MOST * row["solved"], "iteration"].iloc[0]
        when = f", {MOST:.0%} of these in {enough:,}".replace("%", " %") if row["solved"] else ""
        texts.append(f"{label} solves {share} in {row['iteration']:,} iterations{when}")
    return "; ".join(texts) or panels.conclusion(table.groupby("variant", sort=False).tail(1))


def _line_of(look, name, every):
    """Return keywords of the line of a variant. A variant of no paper has markers on it."""
    curve = {"color": look.color, "ls": LINES[look.line], "lw": 1.6 if name in HEAVY else 0.9}
    if look.color in style.OTHER_COLORS:  # another variant may have this colour, too
        curve |= {"marker": look.marker, "markevery": every}
    return curve

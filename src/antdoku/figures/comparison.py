"""Figures of results of `antdoku.solve` and `compare`, and of experiments that no paper has."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, StrMethodFormatter

from antdoku import papers
from antdoku.figures import panels, style
from antdoku.outcome import SOLVED
from antdoku.tables.summary import labelled


@style.styled
def costs(trace, steps: int, title: str) -> Figure:
    """Draw the least cost so far of one run against steps, up to its last step.

    `trace` holds pairs of steps and cost.
    """
    fig = style.figure(title, height=2.9)
    ax = fig.subplots()
    at, cost = zip(*trace)
    ax.plot([*at, max(steps, at[-1])], [*cost, cost[-1]], drawstyle="steps-post")
    if len(trace) == 1:  # a line of one point is invisible
        ax.plot(at, cost, "o", color="C0", clip_on=False)
    top = 1.05 * max(1, *cost)
    ax.set(xlabel="steps", ylabel="least cost so far", xlim=(0, None), ylim=(0, top))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(6, integer=True))
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    return fig


@style.styled
def plot(runs: pd.DataFrame) -> Figure:
    """Draw the share of the runs that are solved within steps, and within CPU seconds."""
    runs = labelled(runs, papers.variants()).sort_values("variant", kind="stable")
    return _curves({"": runs}, style.looks_of_runs(runs))


def curves(title, table, looks):
    """Draw the share of solved runs for each place of the ranking."""
    parts = {}
    for (name, family), rows in table.groupby(["experiment", "family"], sort=False):
        parts[f"{name}: {panels.point(rows, family)}, {_n_instances(rows)}"] = rows
    return _curves(parts, looks)


def _n_instances(runs):
    n = runs["instance_id"].nunique()
    return f"{n} instance{'s' * (n > 1)}"


def _shares(runs):
    """Return, as a sentence, the largest and the smallest share of the runs that is solved.

    If three solvers or more have one share, the sentence names none of them.
    """
    solved = (runs["status"] == SOLVED).groupby(runs["label"], sort=False).mean()
    solved = solved.sort_values(ascending=False, kind="stable")
    if len(solved) > 2 and solved.nunique() == 1:
        share = panels.percent(solved.iloc[0])
        return f"All {len(solved)} solvers solve {share} of the runs on {_n_instances(runs)}"
    shares = [f"{label} {panels.percent(share)}" for label, share in solved.items()]
    last = f", {shares[-1]}" if len(shares) > 1 else ""
    first = f"{solved.index[0]} solves {panels.percent(solved.iloc[0])}"
    return f"{first} of the runs on {_n_instances(runs)}{last}"


def _curves(parts, looks):
    """Draw a row of two panels for each part, runs by its name."""
    fig = style.figure(_shares([*parts.values()][-1]), height=1.0 + 2.2 * len(parts))
    axes, ends = _pairs(fig, len(parts)), {}
    for (heading, runs), row in zip(parts.items(), axes):
        lines = {}
        for _, look, group in style.series(runs, looks):
            solved = group["status"] == SOLVED
            _draw(row[0], group["steps"], solved, look)
            share = panels.percent(solved.mean())
            lines[f"{look.label} {share}"] = _draw(row[1], group["cpu_s"], solved, look)
        row[0].set(xscale="log", title=heading, ylabel="Solved (%)", ylim=(-3, 103))
        row[0].xaxis.set_minor_locator(LogLocator(subs=(2, 5)))  # more labels would overlap
        panels.time_axis(row[1], "x")
        _few_ticks(row[0].xaxis, StrMethodFormatter("{x:,.6g}"))
        _few_ticks(row[1].xaxis, row[1].xaxis.get_major_formatter())
        ends[row[1]] = lines
    has_none = any((runs["steps"] == 0).any() for runs in parts.values())
    note = "; 0 at the left end" if has_none else ""  # of a logarithmic axis
    axes[-1, 0].set_xlabel(f"Steps (of each solver{note})")
    axes[-1, 1].set_xlabel("CPU time")
    style.legend(fig, ends)
    return fig


def _few_ticks(axis, formatter):
    """Mark some three values if they span less than a decade, where more labels would overlap."""
    low, high = axis.get_data_interval()
    if high < 10 * low:
        axis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(formatter)


def _pairs(fig, number):
    """Return axes in pairs, side by side; in a narrow figure one below the other."""
    if not style.is_narrow():
        return fig.subplots(number, 2, sharey=True, squeeze=False)
    fig.set_figheight(style.HEAD + 4 * number)
    return fig.subplots(2 * number, sharey=True).reshape(number, 2)


def by_fraction(title, table, looks):
    """Draw success, median steps and median time of random instances, one column per size."""
    medians = {"median_steps": "Median steps", "median_time_s": "Median CPU time"}
    steps = table["median_steps"].clip(lower=1)  # propagation alone takes none
    *_, (_, last) = table.groupby([*table.columns.intersection(["experiment", "order"])])
    title = panels.conclusion(panels.hardest(last))
    return panels.all_orders(title, table.assign(median_steps=steps), looks, medians)


def _draw(ax, work, solved, look):
    """Draw the share that is solved within some work, to where the last run ended; return it."""
    # Runs without a step, by propagation alone, are at the left end of the logarithmic axis.
    start = work[work > 0].min() if (work > 0).any() else 1.0
    steps = np.sort(work[solved].clip(lower=start).to_numpy())
    share = 100 * np.arange(len(steps) + 1) / len(work)
    x = np.r_[steps[:1] if len(steps) else start, steps, max(work.max(), start)]
    mark = {"color": look.color, "marker": look.marker, "markevery": [-1], "ms": 6}
    (line,) = ax.plot(x, np.r_[share, share[-1]], drawstyle="steps-post", **mark)
    return line

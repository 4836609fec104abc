"""Figures of results of `antdoku.solve` and `compare`, and of experiments that no paper has."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, StrMethodFormatter

from antdoku import papers
from antdoku.figures import panels, style
from antdoku.outcome import SOLVED
from antdoku.tables.summary import with_distinct_labels


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
    looks = _looks(runs)
    runs = with_distinct_labels(runs).sort_values("variant", kind="stable")
    return _curves({"": runs.assign(label=runs["label"].map(style.escaped))}, looks)


def _looks(runs):
    """Return the looks of the variants of runs.

    Runs of no plan have the look of a paper if they have its label: a user's own solver may have
    the name of a paper's variant.
    """
    if "color" in runs:
        return style.looks_of_runs(runs)
    labels = dict(zip(runs["variant"].astype("str"), runs["label"].astype("str")))
    looks = papers.variants().items()
    named = [name for name, look in looks if f"{labels.get(name)}, ".startswith(f"{look.label}, ")]
    return style.looks_of([*labels], own={*labels} - {*named})


def curves(title, table, looks):
    """Draw the share of solved runs for each place of the ranking."""
    table, looks = _apart(table, looks)
    parts = {}
    for (name, family), rows in table.groupby(["experiment", "family"], sort=False):
        point = f"{panels.point(rows, papers.puzzle_title(family))}, {_n_instances(rows)}"
        parts[f"{papers.experiment_title(name)}: {point}"] = rows
    return _curves(parts, looks, _prefix(table, rows))


def _apart(table, looks):
    """Return table and looks, where a variant has a look of its own for each of its labels.

    It has several if another experiment runs it with other parameters.
    """
    pairs = table[["variant", "label"]].drop_duplicates().astype("str")
    others = pairs[pairs.duplicated("variant")].agg(": ".join, axis=1)
    colors = {name: look.color for name, look in looks.items()} | dict.fromkeys(others, "")
    names = table["variant"].astype("str")
    both = names + ": " + table["label"].astype("str")
    names = names.mask(both.isin(others), both)
    return table.assign(variant=names), style.looks_of(colors) | looks


def _prefix(table, rows):
    """Return the experiment of some rows, as the begin of their title, if there are several."""
    title = papers.experiment_title(rows["experiment"].iloc[0])
    return f"{title}: " if table["experiment"].nunique() > 1 else ""


def _n_instances(runs):
    n = runs["instance_id"].nunique()
    return f"{n} instance{'s' * (n > 1)}"


def _shares(runs):
    """Return, as a sentence, the largest and the smallest share of the runs that is solved."""
    solved = (runs["status"] == SOLVED).groupby(runs["label"], sort=False).mean()
    share, last = solved.max(), solved.min()
    if len(solved) > 2 and share == last:
        first = f"All {len(solved)} solvers solve"
    else:
        first = panels.who_solve([*solved.index[solved == share]])
    text = f"{first} {panels.percent(share)} of the runs on {_n_instances(runs)}"
    if share == last:
        return text
    others = panels.listed([*solved.index[solved == last]], panels.MOST_NAMED)
    return f"{text}, {others} {panels.percent(last)}"


def _curves(parts, looks, prefix=""):
    """Draw a row of two panels for each part, runs by its name; the title is about the last."""
    fig = style.figure(prefix + _shares([*parts.values()][-1]), height=1.0 + 2.2 * len(parts))
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
    table, looks = _apart(table, looks)
    *_, (_, last) = table.groupby(["experiment", "order"])
    title = _prefix(table, last) + panels.conclusion(panels.hardest(last))
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

"""Figures of the results of `antdoku.solve` and `antdoku.compare`."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from antdoku.figures import style
from antdoku.outcome import SOLVED
from antdoku.tables.summary import labelled


@style.styled
def costs(trace, steps: int, title: str) -> Figure:
    """Draw the least cost so far against steps, of one run with so many steps.

    `trace` holds pairs of steps and cost.
    """
    fig = style.figure(title, height=2.9)
    ax = fig.subplots()
    at, cost = zip(*trace)
    ax.plot([*at, max(steps, at[-1])], [*cost, cost[-1]], drawstyle="steps-post")
    ax.set(xlabel="steps", ylabel="least cost so far", ylim=(0, None))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    return fig


@style.styled
def plot(runs: pd.DataFrame) -> Figure:
    """Draw the share of the runs that are solved: against steps, and against CPU seconds.

    A step is each solver's own unit of work.
    """
    runs = labelled(runs).sort_values("variant", kind="stable")
    fig = style.figure(f"{runs['instance_id'].nunique()} instances", height=3.2)
    axes = fig.subplots(1, 2, sharey=True)
    for column, ax in zip(("steps", "cpu_s"), axes):
        for _, look, group in style.series(runs):
            _draw(ax, group[column], group["status"] == SOLVED, look)
        ax.set_xscale("log")
    axes[0].set(xlabel="steps (of each solver)", ylabel="solved (%)", ylim=(-3, 103))
    axes[1].set(xlabel="CPU time (s)")
    style.legend(fig)
    return fig


def _draw(ax, work, solved, look):
    """Draw the share that is solved within some work, up to where the last run ended."""
    # What takes nothing, as by propagation alone, stands at the left end of a logarithmic axis.
    least = work[work > 0].min() if (work > 0).any() else 1.0
    places = np.sort(work[solved].clip(lower=least).to_numpy())
    share = 100 * np.arange(len(places) + 1) / len(work)
    x = np.r_[places[:1] if len(places) else least, places, max(work.max(), least)]
    mark = style.entry(look) | {"markevery": [-1], "ms": 6}
    ax.plot(x, np.r_[share, share[-1]], drawstyle="steps-post", **mark)

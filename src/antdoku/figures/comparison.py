"""What `antdoku.compare` has found, drawn: success against work, and the run-time distribution."""

from html import escape
from io import StringIO

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from antdoku.figures import style
from antdoku.outcome import SOLVED
from antdoku.tables import comparison
from antdoku.tables.summary import labelled

WITHOUT_ADDRESSES = dict.fromkeys(("Creator", "Date", "Format", "Type"))
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem}}
table {{border-collapse: collapse}} td, th {{padding: .2rem .7rem; text-align: left}}
svg {{max-width: 100%; height: auto}}
</style>
<h1>{title}</h1>
{table}
<p>95 % intervals. A run that does not solve counts as twice its limit (PAR2). Pairs are the
instances, compared with the first solver (Wilcoxon, Holm).</p>
{figure}
</html>
"""


@style.styled
def plot(runs: pd.DataFrame) -> Figure:
    """Share of the runs that are solved: against steps, and against CPU seconds.

    A step is each solver's own unit of work.
    """
    runs = labelled(runs)
    fig = style.figure(f"{runs['instance_id'].nunique()} instances", height=3.2)
    axes = fig.subplots(1, 2, sharey=True)
    for column, ax in zip(("steps", "cpu_s"), axes):
        for _, look, group in style.series(runs.sort_values("variant", kind="stable")):
            _draw(ax, group[column], group["status"] == SOLVED, look)
        ax.set_xscale("log")
    axes[0].set(xlabel="steps (of each solver)", ylabel="solved (%)", ylim=(-3, 103))
    axes[1].set(xlabel="CPU time (s)")
    style.legend(fig)
    return fig


def _draw(ax, work, solved, look):
    """The share that is solved within some work, up to where the last run ended."""
    # What takes nothing, as by propagation alone, stands at the left end of a logarithmic axis.
    least = work[work > 0].min() if (work > 0).any() else 1.0
    places = np.sort(work[solved].clip(lower=least).to_numpy())
    share = 100 * np.arange(len(places) + 1) / len(work)
    x = np.r_[places[:1] if len(places) else least, places, max(work.max(), least)]
    ax.plot(x, np.r_[share, share[-1]], drawstyle="steps-post", **style.entry(look), markevery=[-1])


@style.styled
def page(runs: pd.DataFrame, title: str) -> str:
    """The summary and the figure as one HTML page that loads nothing."""
    drawing = StringIO()
    plot(runs).savefig(drawing, format="svg", metadata=WITHOUT_ADDRESSES)
    figure = drawing.getvalue().partition("<svg")
    table = comparison.as_text(comparison.summary(runs)).to_html(index=False, border=0)
    return PAGE.format(title=escape(title), table=table, figure="".join(figure[1:]))

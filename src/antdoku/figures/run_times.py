"""Run-time distributions: step curves of several solvers at one point."""

import numpy as np

from antdoku.figures import panels, style
from antdoku.times import duration

LINES = {"": "-", "dashed": (0, (4, 1.5)), "dashdot": "-."}
GREY = {"color": "#BDBDBD", "lw": 0.8, "zorder": 1.5}
LABEL_HEIGHT = 0.15  # inches, beside the end of a line


def draw_run_times(title, rows, looks, named, heavy):
    """Draw run-time distributions at one point, below the `title`.

    `named` and `heavy` are the variants as in `draw_curves`.
    """
    is_solved = rows.groupby("label", sort=False)["solved"].any()
    fig = style.figure(title, height=1.4 + max(2.2, LABEL_HEIGHT * len(named)))
    start, some = rows["cpu_s"].min(), rows[rows["label"].map(is_solved)]
    ax, lines = draw_curves(fig, some, looks, lambda line: _points(line, start), named, heavy)
    panels.time_axis(ax, "x")
    panels.mark_limit(ax.axvline, rows[~rows["solved"]])
    panels.percent_axis(ax, 0, 103)
    failed = [*is_solved.index[~is_solved]]
    none = f"\nnone solved: {panels.listed(failed)}" if failed else ""
    limit = panels.limit(rows.drop_duplicates("variant"))
    ax.set_title(f"{panels.point(rows)}, {limit}{none}")
    ax.set(xlabel="CPU time", ylabel=f"Solved (%) of {panels.span(rows['n'])} runs")
    style.legend(fig, {ax: lines})
    return fig


def _points(line, start):
    """Return times and percent of a step function from `start` to where the runs end."""
    times = line.loc[line["solved"], "cpu_s"].to_numpy()
    percent = 100 * np.arange(len(times) + 1) / line["n"].iloc[0]
    end = line["cpu_s"].max()
    return np.r_[start, times, end], np.r_[percent, percent[-1]]


def draw_curves(fig, table, looks, points, named, heavy):
    """Draw a step curve for each variant, the highest end first; return axes and named lines.

    `points` is a function that returns x and percent from the rows of a variant. The variants
    `named` have their own colours and names, all others are grey. The lines of `heavy` ones are
    thicker.
    """
    ax, lines = fig.subplots(), {}
    curves = [(name, look, *points(rows)) for name, look, rows in style.series(table, looks)]
    for name, look, x, y in sorted(curves, key=lambda curve: -curve[-1][-1]):
        line = _line_of(look, name in heavy, 1 + len(x) // 5) if name in named else GREY
        (drawn,) = ax.plot(x, y, **line, drawstyle="steps-post")
        if name in named:
            lines[f"{look.label} {panels.percent(y[-1] / 100)}"] = drawn
    if len(lines) < len(curves):
        style.explain(fig, "other forms of these solvers", **GREY)
    return ax, lines


def _line_of(look, is_heavy, every):
    """Return keywords of the line of a variant. A variant of no paper has markers on it."""
    curve = {"color": look.color, "ls": LINES[look.line], "lw": 1.6 if is_heavy else 1.0}
    if look.color in style.OTHER_COLORS:  # another variant may have this colour, too
        curve |= {"marker": look.marker, "markevery": every}
    return curve


def first_to_half(table):
    """Return, as a sentence, which solver has solved half first, and when the first variant has."""
    halves = {label: _half(rows) for label, rows in table.groupby("label", sort=False)}
    label, first = next(iter(halves)), min(halves, key=halves.get)
    if np.isinf(halves[first]):
        return f"At {panels.point(table)}, no solver solves half of the instances"
    text = (
        f"At {panels.point(table)}, {first} is the first to solve half, in {_short(halves[first])}"
    )
    if label == first:
        return text
    if np.isinf(halves[label]):
        return f"{text}; {label} does not"
    return f"{text}; {label} takes {_short(halves[label])}"


def _half(rows):
    """Return the time within which a solver has solved half of its runs; infinite if never."""
    times = np.sort(rows.loc[rows["solved"], "cpu_s"])
    half = -(-rows["n"].iloc[0] // 2)
    return times[half - 1] if len(times) >= half else np.inf


def _short(seconds):
    return duration(float(f"{seconds:.2g}"))

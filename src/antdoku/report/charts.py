"""The interactive charts: summaries of the runs as data, and what Altair makes of them.

The page holds the specifications with data named but not given; its script picks the rows that are
asked for, adds the colours of day or night, and hands both to Vega-Embed.
"""

from functools import cache
from itertools import product

import altair as alt
import numpy as np
import pandas as pd

from antdoku import papers, published, statistics
from antdoku.families import is_random
from antdoku.outcome import SOLVED
from antdoku.report import colours, texts, work
from antdoku.tables.summary import FRACTION_DECIMALS, of_random_instances, sort, summarise

METRICS = {  # column: title of the axis, what it means
    "success_rate": ("Solved", "Share of the runs that were solved, with 95 % Wilson intervals."),
    "mean_time_solved_s": (
        "Mean time of the solved runs (biased)",
        "What the papers print. Biased: failures are left out, so a solver that fails on the "
        "hard instances looks fast.",
    ),
    "par2_s": ("PAR2", "Mean time in which a failure counts as twice its limit."),
    "median_time_s": (
        "Median time of all runs",
        "Not shown where half of the runs or more failed: it lies beyond the limit.",
    ),
}
# Rates follow from counts, and the script of the page counts anew for the work that is chosen.
SHOWN = ["n", "solved", *list(METRICS)[1:], "limit_s", "limit_steps"]
CELL = ["papers_steps", "solved_at", "open_at", "end_s", "times"]
# Of x axes: fixed fractions, given puzzles, variants (where there is a single fixed fraction).
KINDS = ("random", "given", "single")
PRINTED = {"success": "success_rate", "mean_time": "mean_time_solved_s"}
MOST_PUZZLES = 50  # of a family, as places on an axis
MOST_TIMES = 24  # of a distribution
HEIGHT = 250
INTERVAL = "95 % Wilson interval"
# Tooltips: the fields of a row, as the script of the page fills them in, and their titles.
SUMMARY_FIELDS = {
    "label:N": "solver",
    "place:N": "instances",
    "work:N": "after",
    "counts:N": "solved",
    "wilson:N": INTERVAL,
    "mean:N": "mean of the solved (biased)",
    "par2:N": "PAR2",
    "median:N": "median of all",
    "limit:N": "limit of a run",
}
PUBLISHED_FIELDS = {
    "label:N": "solver",
    "x:Q": "fixed cells, %",
    "text:N": "published",
    "source:N": "in",
}
TIMES_FIELDS = {
    "label:N": "solver",
    "text:N": "solved",
    "within:N": "within",
    "wilson:N": INTERVAL,
}
MARKER = alt.Shape("shape:N", scale=None)
TIME_LABELS = (  # of powers of ten only
    "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) > 1e-6 ? '' : "
    "datum.value < 1e-3 ? format(1e6 * datum.value, '~r') + ' µs' : "
    "datum.value < 1 ? format(1e3 * datum.value, '~r') + ' ms' : format(datum.value, '~r') + ' s'"
)


def build(runs: pd.DataFrame) -> dict:
    """Data and specifications for JSON.

    Parameters
    ----------
    runs : DataFrame
        Columns `columns.COLUMNS`.

    Returns
    -------
    dict
        experiments: titles; views: what can be chosen, a dict each with experiment, view, title and
        kind (one of `KINDS`); rows: a summary for each view, place on the x axis and variant, with
        counts at the stops of work (see `work.at_stops`) and thinned times (see `thinned`); work:
        its stops, their labels, and at which one the papers' is; wilson: intervals by number of
        runs and of these solved; published: success rates and times
        that the papers print, with the same keys; variants: their looks; metrics; specs: by metric
        and kind, and ``times``.
    """
    runs = work.with_papers_steps(runs)
    stops = work.stops(runs)
    labels = [work.label(stop) for stop in stops]
    parts = [_rows(part, stops) for part in _parts(runs) if len(part)]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    keys = ["experiment", "view", "title", "kind"]
    views = rows[keys].drop_duplicates() if len(rows) else pd.DataFrame(columns=keys)
    experiments = {name: texts.experiment(name) for name in views["experiment"].unique()}
    variants = rows["variant"].unique() if len(rows) else []
    return {
        "experiments": experiments,
        "views": views.to_dict("records"),
        "rows": texts.columns(rows.drop(columns=["title", "kind"], errors="ignore")),
        "work": {"labels": labels, "stops": stops.tolist(), "papers": labels.index("1")},
        "wilson": {int(n): _bounds(n) for n in rows["n"].unique()} if len(rows) else {},
        "published": texts.columns(printed()),
        "variants": {name: colours.look(name) for name in variants},
        "metrics": {
            name: {"title": name_of, "note": note} for name, (name_of, note) in METRICS.items()
        },
        "specs": specs(),
    }


# --- data ----------------------------------------------------------------------------------------


def _parts(runs):
    """Runs of each view, with the columns view, title, kind and x."""
    random = of_random_instances(runs)
    for (_, order), group in random.groupby(["experiment", "order"], sort=False):
        title = f"random {order**2} × {order**2}"
        x = 100 * group["fixed_fraction"]
        kind = "random" if x.nunique() > 1 else "single"
        yield group.assign(view=f"order{order}", title=title, kind=kind, x=x)
    given = runs[~runs["family"].map(is_random).astype(bool)]
    for _, group in given.groupby("experiment", sort=False):
        if group["family"].nunique() > 1:
            title = "given puzzles, by family"
            yield group.assign(view="families", title=title, kind="given", x=group["family"])
    for family, group in given.groupby("family", sort=False):
        if group["instance_id"].nunique() <= MOST_PUZZLES:
            title = f"each of {family}"
            yield group.assign(view=family, title=title, kind="given", x=group["instance_id"])


def _rows(runs, stops):
    """One row for each experiment, place on the x axis and variant of a view."""
    keys = ["experiment", "view", "title", "kind", "x", "variant"]
    cells = runs.groupby(keys).apply(_cell, stops=stops)
    table = summarise(runs, keys).join(cells, on=keys).rename(columns={"x": "puzzle"})
    # Under the name that `sort` knows the order of puzzles by.
    table = sort(table, ["experiment", "puzzle", "variant"]).rename(columns={"puzzle": "x"})
    return table[[*keys, *SHOWN, *CELL]].astype({"x": object})


def _cell(runs, stops):
    """What `summarise` does not tell of a cell."""
    known = work.at_stops(runs, stops)
    is_counted = known["solved_at"] is not None
    values = {"papers_steps": int(runs["papers_steps"].iloc[0]) if is_counted else None} | known
    values |= {"end_s": end(runs), "times": thinned(runs)}
    return pd.Series(values, dtype=object)


def end(runs: pd.DataFrame) -> float:
    """How far runs are known in seconds: to their limit, or to the longest that steps ended."""
    limit = runs["limit_s"].iloc[0]
    is_by_seconds = (runs["limit_steps"] <= 0).all() and not np.isnan(limit)
    return limit if is_by_seconds else runs["cpu_s"].max()


def _bounds(n):
    """Wilson intervals of 0 to `n` of `n` runs, which the page does not compute itself."""
    return np.transpose(statistics.wilson(np.arange(n + 1), np.full(n + 1, n))).round(4).tolist()


def thinned(runs: pd.DataFrame) -> list[float]:
    """Times of the solved runs with how many of them took no longer: time, count, time, ...

    At most `MOST_TIMES` pairs, first and last among them: a distribution in a few numbers.
    """
    times = np.sort(runs.loc[runs["status"] == SOLVED, "cpu_s"].to_numpy())
    places = np.unique(np.linspace(0, len(times) - 1, MOST_TIMES).round().astype(int))
    return [part for k in places if len(times) for part in (texts.clean(times[k]), int(k) + 1)]


def printed() -> pd.DataFrame:
    """What the papers print on random instances and puzzles: success (fractions), mean times (s).

    The view of puzzles is ``given``, whatever views of them there are.
    """
    known = published.results()[["edition", "metric"]].drop_duplicates()
    known = set(known.itertuples(index=False, name=None))
    own = [(paper, edition) for paper in papers.every() if paper.own for edition in paper.editions]
    parts = []
    for (paper, edition), (metric, column) in product(own, PRINTED.items()):
        if (edition, metric) in known:
            about = {"experiment": paper.own, "metric": column, "source": paper.editions[edition]}
            parts.append(_placed(published.values(edition, metric)).assign(**about))
    chosen = ["experiment", "view", "x", "variant", "metric", "source", "value"]
    return pd.concat(parts, ignore_index=True)[chosen]


def _placed(values):
    """Published values with the view and the place on the x axis that they belong to."""
    general = values[values["instance"] == published.GENERAL].dropna()
    view = "order" + general["order"].astype(int).astype(str)
    x = 100 * general["fixed_fraction"].round(FRACTION_DECIMALS)
    given = values[values["instance"] != published.GENERAL].dropna(subset="value")
    names = {theirs: ours for each in papers.every() for ours, theirs in each.puzzles.items()}
    puzzle = given["instance"].replace(names)
    return pd.concat([general.assign(view=view, x=x), given.assign(view="given", x=puzzle)])


# --- specifications ------------------------------------------------------------------------------


@cache
def specs() -> dict:
    """Vega-Lite specifications: by metric and kind of the x axis, and the distribution."""
    by_metric = {
        metric: {kind: _summary_chart(metric, kind).to_dict() for kind in KINDS}
        for metric in METRICS
    }
    return by_metric | {"times": _times_chart().to_dict()}


def _summary_chart(metric, kind):
    """A metric of the variants: lines over the fixed fraction, or markers beside each other."""
    base = alt.Chart(alt.NamedData("rows")).encode(x=_x(kind), **_look())
    if kind == "given":  # side by side, as there are no lines to follow
        base = base.encode(xOffset=alt.XOffset("variant:N", sort=None))
    y = alt.Y(f"{metric}:Q", title=METRICS[metric][0], **_y(metric))
    points = base.encode(shape=MARKER, opacity=_beyond(alt.Opacity, "beyond", 1, 0.4))
    layers = [points.mark_point(filled=True, size=55).encode(y=y, tooltip=_tooltip(SUMMARY_FIELDS))]
    if kind == "random":
        dashes = _beyond(alt.StrokeDash, "partly_beyond", [1, 0], [4, 4])
        faded = _beyond(alt.Opacity, "partly_beyond", 1, 0.4)
        lines = base.encode(y=y, opacity=faded, strokeDash=dashes)
        layers.insert(0, lines.mark_line(strokeWidth=2))
    if kind != "given":
        layers.append(_published(metric, kind))
    if metric == "success_rate":
        low, high = alt.Y("wilson_low:Q", **_y(metric)), alt.Y2("wilson_high:Q")
        layers.insert(0, base.mark_rule(opacity=0.55).encode(y=low, y2=high))
    return alt.layer(*layers).properties(width="container", height=HEIGHT)


def _beyond(channel, field, usual, other):
    """Another look beyond the work that a solver did, where there is but its last value."""
    scale = alt.Scale(domain=[False, True], range=[usual, other])
    return channel(f"{field}:O", scale=scale, legend=None)


def _published(metric, kind):
    """Open markers: numbers of the papers."""
    tooltip = _tooltip(PUBLISHED_FIELDS)
    y = alt.Y("value:Q", title=METRICS[metric][0], **_y(metric))
    marks = alt.Chart(alt.NamedData("published")).mark_point(filled=False, size=90, strokeWidth=1.5)
    return marks.encode(x=_x(kind), y=y, shape=MARKER, tooltip=tooltip, **_look())


def _times_chart():
    """The share of runs solved by a time, as steps."""
    labels = alt.Axis(labelExpr=TIME_LABELS)
    x = alt.X("time:Q", title="CPU time", scale=alt.Scale(type="log", nice=False), axis=labels)
    y = alt.Y("share:Q", title="Solved within this time", **_y("success_rate"))
    base = alt.Chart(alt.NamedData("times")).encode(x=x, y=y, **_look())
    points = base.encode(shape=MARKER)
    steps = base.mark_line(interpolate="step-after", strokeWidth=2)
    points = points.transform_filter("datum.is_run").mark_point(filled=True, size=40, opacity=1)
    layers = alt.layer(steps, points.encode(tooltip=_tooltip(TIMES_FIELDS)))
    return layers.properties(width="container", height=HEIGHT)


def _look():
    """Colours come with the rows: those of day or of night."""
    return {"color": alt.Color("color:N", scale=None), "detail": alt.Detail("variant:N")}


def _x(kind):
    if kind == "random":
        scale = alt.Scale(nice=False, zero=False, padding=12)
        return alt.X("x:Q", title="Fixed cells, %", scale=scale)
    labels = alt.Axis(labelAngle=-45, labelLimit=120, labelOverlap=False)
    return alt.X("label:N" if kind == "single" else "x:N", title=None, sort=None, axis=labels)


def _y(metric):
    if metric == "success_rate":
        # A little more than 0 to 1, so that markers at the ends are whole.
        scale = alt.Scale(domain=[-0.02, 1.02], nice=False)
        return {"scale": scale, "axis": alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1])}
    axis = alt.Axis(labelExpr=TIME_LABELS)
    return {"scale": alt.Scale(type="log", padding=12), "axis": axis}


def _tooltip(fields):
    return [alt.Tooltip(name, title=title) for name, title in fields.items()]

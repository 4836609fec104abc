"""The data of the interactive charts: summaries of the runs, and what the papers print.

The script of the page picks the rows that are asked for, adds the colours of day or night, and
hands both to Vega-Embed, with a specification of its own (``templates/specs.js``).
"""

from itertools import product

import numpy as np
import pandas as pd

from antdoku import papers, published, statistics
from antdoku.families import is_random
from antdoku.outcome import SOLVED
from antdoku.report import colours, texts, work
from antdoku.tables.summary import FRACTION_DECIMALS, of_random_instances, sort, summarise

METRICS = {  # title: of the axis; note: what it means
    "success_rate": {
        "title": "Solved",
        "note": "Share of the runs that were solved, with 95 % Wilson intervals.",
    },
    "mean_time_solved_s": {
        "title": "Mean time of the solved runs (biased)",
        "note": "What the papers print. Biased: failures are left out, so a solver that fails on "
        "the hard instances looks fast.",
    },
    "par2_s": {
        "title": "PAR2",
        "note": "Mean time in which a failure counts as twice its limit.",
    },
    "median_time_s": {
        "title": "Median time of all runs",
        "note": "Not shown where half of the runs or more failed: it lies beyond the limit.",
    },
}
VIEW = ["experiment", "view", "title", "kind"]
KEYS = [*VIEW, "x", "variant"]
# Rates follow from counts, and the script of the page counts anew for the work that is chosen.
SHOWN = ["n", "solved", *list(METRICS)[1:], "limit_s", "limit_steps"]
CELL = ["papers_steps", "solved_at", "open_at", "end_s", "times"]
PRINTED = {"success": "success_rate", "mean_time": "mean_time_solved_s"}
MOST_PUZZLES = 50  # of a family, as places on an axis
MOST_TIMES = 24  # of a distribution


def build(runs: pd.DataFrame) -> dict:
    """What the script of the page needs, for JSON.

    A view is what can be chosen: an experiment and some of its instances. Its kind says what its x
    axis holds: fixed fractions (random), given puzzles (given), or variants (single), where there
    is but one fixed fraction. A row is a summary at one place of the axis of one variant: its
    counts at the stops of work (`work.at_stops`), and its times (`thinned`).
    """
    runs = work.with_papers_steps(runs)
    stops = work.stops(runs)
    labels = [work.label(stop) for stop in stops]
    parts = [_rows(part, stops) for part in _parts(runs)]
    columns = [*KEYS, *SHOWN, *CELL]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    return {
        "experiments": {name: texts.experiment(name) for name in rows["experiment"].unique()},
        "views": rows[VIEW].drop_duplicates().to_dict("records"),
        "rows": texts.columns(rows.drop(columns=["title", "kind"])),
        "work": {"labels": labels, "stops": stops.tolist(), "papers": labels.index("1")},
        "wilson": {int(n): _bounds(n) for n in rows["n"].unique()},
        "published": texts.columns(printed()),
        "variants": {name: colours.look(name) for name in rows["variant"].unique()},
        "metrics": METRICS,
    }


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
    cells = runs.groupby(KEYS).apply(_cell, stops=stops)
    table = summarise(runs, KEYS).join(cells, on=KEYS).rename(columns={"x": "puzzle"})
    # Under the name that `sort` knows the order of puzzles by.
    table = sort(table, ["experiment", "puzzle", "variant"]).rename(columns={"puzzle": "x"})
    return table[[*KEYS, *SHOWN, *CELL]].astype({"x": object})


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

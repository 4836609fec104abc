"""The data of the interactive charts: summaries of the runs.

The script of the page picks the rows that are asked for, adds the colours of day or night, and
hands both to Vega-Embed (``templates/charts.js``). Work is counted in that of the papers: 1 is what
their programs did within their limits. Runs of which that is not known, or that only seconds limit,
are the same at any work.
"""

import json

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.instances.family import is_random
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.report import looks, texts
from antdoku.tables.summary import of_random_instances, sort, summarise
from antdoku.tables.work import papers_steps

METRICS = {  # the title of the axis, and what the measure means
    "success_rate": ("Solved", "Share of the runs that were solved, with 95 % Wilson intervals."),
    "mean_time_solved_s": (
        "Mean time of the solved runs (biased)",
        "What the papers print. Biased: failures are left out, so a solver that fails on the hard "
        "instances looks fast.",
    ),
    "par2_s": ("PAR2", "Mean time in which a failure counts as twice its limit."),
    "median_time_s": (
        "Median time of all runs",
        "Not shown where half of the runs or more failed: it lies beyond the limit.",
    ),
}
VIEW = ["experiment", "view", "title", "kind"]
KEYS = [*VIEW, "x", "variant"]
# Rates follow from counts, and the script of the page counts anew for the work that is chosen.
SHOWN = ["n", "solved", *list(METRICS)[1:], "limit_s", "limit_steps"]
CELL = ["papers_steps", "solved_at", "open_at", "end_s", "times"]
MOST_PUZZLES = 50  # as places on an axis
MOST_TIMES = 24  # of a distribution
LEAST_WORK, STOPS = 1 / 64, 2  # of the slider; stops for each doubling


def build(runs: pd.DataFrame) -> dict:
    """Return what the script of the page needs, for JSON.

    A view is what can be chosen: an experiment and some of its instances. Its kind says what its x
    axis holds: fixed fractions (random), given puzzles (given), or variants (single), where there
    is but one fixed fraction. A row is a summary at one place of the axis of one variant: its
    counts at the stops of work (`at_stops`), and its times (`thinned`).
    """
    runs = with_papers_steps(runs)
    stops = stops_of(runs)
    labels = [work_label(stop) for stop in stops]
    parts = [_rows(part, stops) for part in _parts(runs)]
    columns = [*KEYS, *SHOWN, *CELL]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    variants = runs[["variant", "label"]].drop_duplicates("variant").to_numpy()
    return {
        "experiments": {name: texts.experiment(name) for name in rows["experiment"].unique()},
        "views": rows[VIEW].drop_duplicates().to_dict("records"),
        "rows": _as_json(rows.drop(columns=["title", "kind"])),
        "work": {"labels": labels, "stops": stops.tolist(), "papers": labels.index("1")},
        "wilson": {int(n): _bounds(n) for n in rows["n"].unique()},
        "variants": {name: looks.variant(name, label) for name, label in variants},
        "printed": {
            name: printed(name, rows["variant"].unique().tolist())
            for name, rows in runs.groupby("experiment")
        },
        # In their own settings, not as a variant of a paper.
        "solvers": sorted({*runs["solver"]}),
        "metrics": METRICS,
    }


def printed(experiment: str, variants: list[str]) -> list[str]:
    """Return the variants of which the paper of an experiment prints numbers; all if of none."""
    paper, numbers = papers.of_experiment(experiment), published.results()
    known = {*numbers.loc[numbers["edition"].isin(paper.editions if paper else ()), "solver"]}
    return [name for name in variants if name in known] or variants


def _parts(runs):
    """Yield the runs of each view, with the columns view, title, kind and x."""
    random = of_random_instances(runs)
    for (_, order), group in random.groupby(["experiment", "order"], sort=False):
        title = f"random {order**2} × {order**2}"
        x = 100 * group["fixed_fraction"]
        kind = "random" if x.nunique() > 1 else "single"
        yield group.assign(view=f"order{order}", title=title, kind=kind, x=x)
    given = runs[~runs["family"].map(is_random).astype(bool)]
    for _, group in given.groupby("experiment", sort=False):
        few = group["instance_id"].nunique() <= MOST_PUZZLES
        x = group["instance_id" if few else "family"]
        yield group.assign(view="given", title="given puzzles", kind="given", x=x)


def _rows(runs, stops):
    """Return a row per experiment, place on the x axis and variant of a view."""
    cells = runs.groupby(KEYS).apply(_cell, stops=stops)
    table = summarise(runs, KEYS).join(cells, on=KEYS).rename(columns={"x": "puzzle"})
    # `sort` knows the order of puzzles under this name.
    table = sort(table, ["experiment", "puzzle", "variant"]).rename(columns={"puzzle": "x"})
    if table["kind"].iloc[0] == "given":
        table["x"] = [texts.words(papers.puzzle_title(name)) for name in table["x"]]
    return table[[*KEYS, *SHOWN, *CELL]].astype({"x": object})


def _cell(runs, stops):
    """Return `CELL` of the runs at one place."""
    steps = runs["papers_steps"].iloc[0]
    known = {"solved_at": None, "open_at": []}
    if runs["papers_steps"].notna().all():
        known = {"papers_steps": int(steps)} | at_stops(runs, stops)
    values = {"papers_steps": None} | known | {"end_s": end(runs), "times": thinned(runs)}
    return pd.Series(values, dtype=object)


def end(runs: pd.DataFrame) -> float:
    """Return how far runs are known in seconds: to their limit, or to the longest of them."""
    limit = runs["limit_s"].iloc[0]
    is_by_seconds = (runs["limit_steps"] <= 0).all() and not np.isnan(limit)
    return limit if is_by_seconds else runs["cpu_s"].max()


def _bounds(n):
    """Return Wilson intervals of 0 to `n` of `n` runs, which the page does not compute itself."""
    return np.transpose(statistics.wilson(np.arange(n + 1), np.full(n + 1, n))).round(4).tolist()


def thinned(runs: pd.DataFrame) -> list[float]:
    """Return times (s) of the solved runs with how many took no longer: time, count, time, ...

    At most `MOST_TIMES` pairs, first and last among them: a distribution in a few numbers.
    """
    times = np.sort(runs.loc[runs["status"] == SOLVED, "cpu_s"].to_numpy())
    places = np.unique(np.linspace(0, len(times) - 1, MOST_TIMES).round().astype(int))
    return [part for k in places if len(times) for part in (_short(times[k]), int(k) + 1)]


# --- work ----------------------------------------------------------------------------------------


def with_papers_steps(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs with a column papers_steps: NaN for those that are the same at any work."""
    steps = pd.Series(np.nan, runs.index)
    for experiment in papers.experiments():
        chosen = runs[runs["experiment"] == experiment]
        steps[chosen.index] = papers_steps(chosen, published.work_of(experiment))
    return runs.assign(papers_steps=steps)


def reach(runs: pd.DataFrame) -> pd.Series:
    """Return how much work each run could do, of those with papers_steps."""
    return (runs["limit_steps"] / runs["papers_steps"]).dropna()


def stops_of(runs: pd.DataFrame) -> np.ndarray:
    """Return work from `LEAST_WORK` to the greatest reach, 1 among them, evenly in logarithms."""
    first, last = (STOPS * np.log2(at) for at in (LEAST_WORK, max([1.0, *reach(runs)])))
    return 2.0 ** (np.arange(round(first), int(last + 1e-9) + 1) / STOPS)


def work_label(work: float) -> str:
    """Return a stop in short: 1/64, 1/2.8, 1, 1.4, 16."""
    times = max(work, 1 / work)
    number = f"{times:.0f}" if times >= 10 else f"{times:.2g}"
    return number if work >= 1 else f"1/{number}"


def at_stops(runs: pd.DataFrame, stops: np.ndarray) -> dict:
    """Return how runs of one cell would have ended after less work.

    That is how many are solved at each stop that all of them could reach, and how many were ended
    by their guard before, empty if none was.
    """
    marks = np.outer(stops, runs["papers_steps"])
    marks = marks[(marks <= runs["limit_steps"].to_numpy()).all(axis=1)]
    status, steps = runs["status"].to_numpy(), runs["steps"].to_numpy()
    solved_at = ((status == SOLVED) & (steps <= marks)).sum(axis=1)
    open_at = ((status == TIMEOUT) & (steps < marks)).sum(axis=1)
    return {"solved_at": solved_at.tolist(), "open_at": open_at.tolist() if open_at.any() else []}


def _as_json(table):
    """Return a table for JSON: names of its columns once, then its rows, floats as `_short`."""
    for name in table.select_dtypes("float"):
        table[name] = table[name].map(_short)
    return json.loads(table.to_json(orient="split", index=False))


def _short(value):
    """Return three significant digits of a number."""
    return float(f"{value:.3g}")

"""The data of the interactive charts: summaries of the runs.

The script of the page picks the rows that are asked for, adds the colours of day or night, and
hands both to Vega-Embed (``templates/charts.js``). Runs are read after the work of the paper of
their experiment (`tables.work`).
"""

import json

import numpy as np
import pandas as pd

from antdoku import papers, statistics, texts
from antdoku.figures import style
from antdoku.instances.family import is_random
from antdoku.outcome import SOLVED
from antdoku.papers import published
from antdoku.report import looks
from antdoku.tables import work
from antdoku.tables.summary import of_random_instances, sort, summarise

METRICS = {  # the title of the axis, and what the measure means
    "success_rate": ("Solved", "Share of the runs that were solved, with 95 % Wilson intervals."),
    "mean_time_solved_s": (
        "Mean time of the solved runs (biased)",
        "Biased: failures are left out, so a solver that fails on hard instances looks fast.",
    ),
    "par2_s": (
        "PAR2",
        "Mean time in which a failure counts as twice its limit. None where steps ended one.",
    ),
    "median_time_s": (
        "Median time of all runs",
        "Not shown where half of the runs or more failed: it lies beyond the limit.",
    ),
}
VIEW = ["experiment", "view", "title", "kind"]
KEYS = [*VIEW, "x", "variant"]
SHOWN = ["n", "solved", "n_unfinished", *METRICS, "limit_s", "limit_steps"]
MOST_PUZZLES = 50  # as places on an axis
MOST_TIMES = 24  # of a distribution


def build(runs: pd.DataFrame) -> dict:
    """Return what the script of the page needs, for JSON.

    A view is what can be chosen: an experiment and some of its instances. Its kind says what its x
    axis holds: fixed fractions (random), given puzzles (given), or variants (single), where there
    is but one fixed fraction. A row is a summary at one place of the axis of one variant, with how
    far its runs are known (`end`), and its times (`thinned`).
    """
    runs = work.at_own(runs)
    parts = [_rows(part) for part in _parts(runs)]
    columns = [*KEYS, *SHOWN, "end_s", "times"]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    variants = runs[["variant", "label"]].drop_duplicates("variant").to_numpy()
    style.give_looks(runs["variant"])
    return {
        "experiments": {name: texts.experiment(name) for name in rows["experiment"].unique()},
        "views": rows[VIEW].drop_duplicates().to_dict("records"),
        "rows": _as_json(rows.drop(columns=["title", "kind"])),
        "wilson": {int(n): _bounds(n) for n in rows["n"].unique()},
        "variants": {name: looks.variant(name, label) for name, label in variants},
        "printed": {
            name: printed(name, rows["variant"].unique().tolist())
            for name, rows in runs.groupby("experiment")
        },
        # The first chart shows all of these; else solvers in their own settings, and a user's.
        "own": sorted({*runs["experiment"]} - {*papers.experiments()}),
        "solvers": sorted({*runs["solver"]} | {*runs["variant"]} - {*papers.variants()}),
        "metrics": METRICS,
    }


def printed(experiment: str, variants: list[str]) -> list[str]:
    """Return the variants of which the paper of an experiment prints numbers, and those of a user.

    All if there is none of a paper.
    """
    paper, numbers = papers.of_experiment(experiment), published.results()
    known = {*numbers.loc[numbers["edition"].isin(paper.editions if paper else ()), "solver"]}
    own = {*variants} - {*papers.variants()}
    return [name for name in variants if name in known | own] if known else variants


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


def _rows(runs):
    """Return a row per experiment, place on the x axis and variant of a view."""
    groups = runs.groupby(KEYS)
    cells = pd.DataFrame({"end_s": groups.apply(end), "times": groups.apply(thinned)})
    table = summarise(runs, KEYS).join(cells, on=KEYS).rename(columns={"x": "puzzle"})
    # `sort` knows the order of puzzles under this name.
    table = sort(table, ["experiment", "puzzle", "variant"]).rename(columns={"puzzle": "x"})
    if table["kind"].iloc[0] == "given":
        table["x"] = [texts.words(papers.puzzle_title(name)) for name in table["x"]]
    return table[[*KEYS, *SHOWN, "end_s", "times"]].astype({"x": object})


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


def _as_json(table):
    """Return a table for JSON: names of its columns once, then its rows, floats as `_short`."""
    for name in table.select_dtypes("float"):
        table[name] = table[name].map(_short)
    return json.loads(table.to_json(orient="split", index=False))


def _short(value):
    """Return three significant digits of a number."""
    return float(f"{value:.3g}")

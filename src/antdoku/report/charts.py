"""The data of the interactive charts: summaries of the runs.

The script of the page (``templates/charts.js``) selects rows, adds the colours of day or night, and
passes both to Vega-Embed. Runs end at the work of the paper of their experiment (`tables.work`).
"""

import json

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.figures import style
from antdoku.outcome import SOLVED
from antdoku.papers import published
from antdoku.report import texts
from antdoku.report.looks import colour, shape
from antdoku.tables import work
from antdoku.tables.registry import is_random
from antdoku.tables.summary import in_order, sort, summarise, with_equal_fractions

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
MOST_PUZZLES = 50  # on an axis
MOST_TIMES = 24  # of a distribution


def build(runs: pd.DataFrame) -> dict:
    """Return the data that the script of the page needs, for JSON.

    A view is an experiment and some of its instances. Its kind says what its x axis shows: fixed
    fractions (random), given puzzles (given), or variants (single) if there is only one fixed
    fraction. A row summarises one variant at one place of the axis. It has the end of its runs
    (`end`) and their times (`thinned`).
    """
    variants = _variants(runs)
    runs = work.at_common_seconds(work.at_own(runs), ["experiment", "family"])
    parts = [_rows(part) for part in _parts(runs)]
    columns = [*KEYS, *SHOWN, "end_s", "times"]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    return {
        "experiments": {name: texts.experiment(name) for name in rows["experiment"].unique()},
        "views": rows[VIEW].drop_duplicates().to_dict("records"),
        "rows": _as_json(rows.drop(columns=["title", "kind"])),
        "wilson": {int(n): _bounds(n) for n in rows["n"].unique()},
        "variants": variants,
        "printed": {
            name: printed(name, rows["variant"].unique().tolist())
            for name, rows in runs.groupby("experiment")
        },
        # The first chart shows all variants of a user's experiments; of others the solvers with
        # default settings, and variants of the user.
        "own": sorted({*runs["experiment"]} - {*papers.experiments()}),
        "solvers": sorted({*runs["solver"]} | {*runs["variant"]} - {*papers.variants()}),
        "metrics": METRICS,
    }


def _variants(runs):
    """Return label, marker and colour of each variant, by name."""
    labels = runs.drop_duplicates("variant").set_index("variant")["label"]
    return {
        name: {"label": labels[name], "shape": shape(look.marker), "color": colour(look.color)}
        for name, look in style.looks_of(runs["variant"]).items()
    }


def printed(experiment: str, variants: list[str]) -> list[str]:
    """Return the variants for which the paper of an experiment prints numbers, and users' variants.

    Return all if the experiment has no paper with numbers.
    """
    paper, numbers = papers.of_experiment(experiment), published.results()
    solvers = {*numbers.loc[numbers["edition"].isin(paper.editions if paper else ()), "solver"]}
    of_users = {*variants} - {*papers.variants()}
    return [name for name in variants if name in solvers | of_users] if solvers else variants


def _parts(runs):
    """Yield the runs of each view, with the columns view, title, kind and x."""
    random = with_equal_fractions(runs[is_random(runs)])
    for (_, order), group in random.groupby(["experiment", "order"], sort=False):
        title = f"random {order**2} × {order**2}"
        x = 100 * group["fixed_fraction"]
        kind = "random" if x.nunique() > 1 else "single"
        yield group.assign(view=f"order{order}", title=title, kind=kind, x=x)
    given = runs[~is_random(runs)]
    for _, group in given.groupby("experiment", sort=False):
        few = group["instance_id"].nunique() <= MOST_PUZZLES
        x = group["instance_id" if few else "family"]
        yield group.assign(view="given", title="given puzzles", kind="given", x=x)


def _rows(runs):
    """Return a row per experiment, place on the x axis and variant of a view."""
    groups = runs.groupby(KEYS)
    cells = pd.DataFrame({"end_s": groups.apply(end), "times": groups.apply(thinned)})
    table = summarise(runs, KEYS)
    is_given = table["kind"].iloc[0] == "given"
    places = in_order(table["x"], papers.puzzles()) if is_given else table["x"]
    table = sort(table.assign(x=places), ["experiment", "x", "variant"], papers.variants())
    table = table.join(cells, on=KEYS)
    if is_given:
        table["x"] = [texts.words(papers.puzzle_title(name)) for name in table["x"]]
    return table[[*KEYS, *SHOWN, "end_s", "times"]].astype({"x": object})


def end(runs: pd.DataFrame) -> float:
    """Return where runs end in seconds: at their limit, or at the time of the longest run."""
    limit = runs["limit_s"].iloc[0]
    is_by_seconds = (runs["limit_steps"] <= 0).all() and not np.isnan(limit)
    return limit if is_by_seconds else runs["cpu_s"].max()


def _bounds(n):
    """Return Wilson intervals of 0 to `n` of `n` runs. The page does not compute them."""
    return np.transpose(statistics.wilson(np.arange(n + 1), np.full(n + 1, n))).round(4).tolist()


def thinned(runs: pd.DataFrame) -> list[float]:
    """Return the distribution of the times of solved runs: seconds, count, seconds, count, ...

    A count is the number of runs that took no longer. There are at most `MOST_TIMES` pairs; the
    first and the last run are among them.
    """
    times = np.sort(runs.loc[runs["status"] == SOLVED, "cpu_s"].to_numpy())
    ranks = np.unique(np.linspace(0, len(times) - 1, MOST_TIMES).round().astype(int))
    return [part for k in ranks if len(times) for part in (_short(times[k]), int(k) + 1)]


def _as_json(table):
    """Return a table for JSON: names of columns, then rows, floats rounded by `_short`."""
    for name in table.select_dtypes("float"):
        table[name] = table[name].map(_short)
    return json.loads(table.to_json(orient="split", index=False))


def _short(value):
    """Return a number rounded to three significant digits."""
    return float(f"{value:.3g}")

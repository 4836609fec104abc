"""The data of the interactive charts: summaries of the runs, and printed numbers beside them.

The script of the page (``templates/charts.js``) selects rows, adds the colours of day or night, and
passes both to Vega-Embed. Runs end at the work of the paper of their experiment (`tables.work`).
"""

import json

import numpy as np
import pandas as pd

from antdoku import papers, statistics
from antdoku.figures import style
from antdoku.instances.family import ARCHIVE
from antdoku.outcome import SOLVED
from antdoku.report import printed
from antdoku.report.looks import colour, shape
from antdoku.tables import work
from antdoku.tables.registry import is_random
from antdoku.tables.summary import in_order, sort, summarise

METRICS = {  # the title of the axis, and what the measure means
    "success_rate": ("Solved", "Share of the runs that were solved, with 95 % Wilson intervals."),
    "mean_time_solved_s": (
        "Mean time of the solved runs (biased)",
        "Biased: failures are left out, so a solver that fails on hard instances looks fast. "
        "Printed times are from other programs and machines.",
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
BOUNDS = ["wilson_low", "wilson_high"]
SHOWN = ["n", "solved", "n_unfinished", *METRICS, *BOUNDS, "limit_s", "limit_steps"]
MOST_PUZZLES = 50  # on an axis
MOST_TIMES = 200  # of a distribution; of more runs there are as many quantiles


def build(runs: pd.DataFrame) -> dict:
    """Return the data that the script of the page needs, for JSON.

    A view is an experiment and some of its instances. Its kind says what its x axis shows: fixed
    fractions (random), given puzzles (given), or variants (single) if there is only one fixed
    fraction. A row summarises one variant at one place of the axis. It has the end of its runs
    (`end`) and their times (`times_us`).
    """
    variants = _variants(runs)
    runs = work.at_common_seconds(work.at_own(runs), ["experiment", "family"])
    parts = [_rows(part) for part in _parts(runs)]
    columns = [*KEYS, *SHOWN, "end_s", "times_us"]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)
    numbers = printed.table().merge(rows[printed.PLACE])  # beside runs of ours alone
    return {
        "experiments": {
            name: papers.experiment_title(name) for name in rows["experiment"].unique()
        },
        "views": _views(rows, numbers),
        "rows": _as_json(rows.drop(columns=["title", "kind"])),
        "printed": _as_json(numbers),
        "shapes": _shapes(numbers),
        "variants": variants,
        "metrics": METRICS,
        "most_times": MOST_TIMES,
    }


def _variants(runs):
    """Return label, marker and colour of each variant, by name."""
    labels = runs.drop_duplicates("variant").set_index("variant")["label"]
    return {
        name: {"label": labels[name], "shape": shape(look.marker), "color": colour(look.color)}
        for name, look in style.looks_of_runs(runs).items()
    }


def _shapes(numbers):
    """Return the marker of each source of printed numbers."""
    looks = map(style.printed, papers.editions())
    markers = {look.label: shape(look.marker) for look in looks}
    return {source: markers[source] for source in numbers["source"].unique()}


def _views(rows, numbers):
    """Return `VIEW` of each view, the variants that it shows at first, and whether it `opens`.

    An experiment opens with the view that comes last of its random instances: the largest, where
    solvers differ.
    """
    groups = rows.groupby(["experiment", "view"], sort=False)
    views = [
        part[VIEW].iloc[0].to_dict() | {"shown": printed.opening_variants(part, numbers)}
        for _, part in groups
    ]
    opening = {}
    for view in sorted(views, key=lambda view: view["kind"] != printed.GIVEN):
        opening[view["experiment"]] = view
    return [view | {"opens": view is opening[view["experiment"]]} for view in views]


def _parts(runs):
    """Yield the runs of each view, with the columns view, title, kind and x."""
    random = runs[is_random(runs)]
    for (_, order), group in random.groupby(["experiment", "order"], sort=False):
        of_authors = " of the authors" * bool((group["source"] == ARCHIVE).all())
        title = f"random {order**2} × {order**2}{of_authors}"
        x = printed.place_of_fraction(group["fixed_fraction"])
        kind = "random" if x.nunique() > 1 else "single"
        yield group.assign(view=printed.RANDOM.format(order), title=title, kind=kind, x=x)
    given = runs[~is_random(runs)]
    for _, group in given.groupby("experiment", sort=False):
        few = group["instance_id"].nunique() <= MOST_PUZZLES
        x = group["instance_id" if few else "family"]
        yield group.assign(view=printed.GIVEN, title="given puzzles", kind=printed.GIVEN, x=x)


def _rows(runs):
    """Return a row per experiment, place on the x axis and variant of a view."""
    groups = runs.groupby(KEYS)
    cells = pd.DataFrame({"end_s": groups.apply(end), "times_us": groups.apply(times)})
    table = _with_open(summarise(runs, KEYS))
    is_given = table["kind"].iloc[0] == printed.GIVEN
    places = in_order(table["x"], papers.puzzles()) if is_given else table["x"]
    table = sort(table.assign(x=places), ["experiment", "x", "variant"], papers.variants())
    table = table.join(cells, on=KEYS)
    if is_given:
        table["x"] = [*map(papers.puzzle_title, table["x"])]
    types = {"x": object, "variant": "str"}
    return table[[*KEYS, *SHOWN, "end_s", "times_us"]].astype(types)


def end(runs: pd.DataFrame) -> float:
    """Return where runs end in seconds: at their limit, or at the time of the longest run."""
    limit = runs["limit_s"].iloc[0]
    is_by_seconds = (runs["limit_steps"] <= 0).all() and not np.isnan(limit)
    return limit if is_by_seconds else runs["cpu_s"].max()


def _with_open(table):
    """Return the summary with intervals that hold the rate as it is if open runs are solved.

    Open runs are those that seconds ended before the paper's work.
    """
    most = (table["solved"] + table["n_unfinished"]) / table["n"] * table["trials"]
    _, high = statistics.wilson(most, table["trials"])
    return table.assign(wilson_high=high)


def times(runs: pd.DataFrame) -> list[float]:
    """Return the sorted times of solved runs in microseconds, which take the fewest characters.

    Of more than `MOST_TIMES` runs, return as many quantiles at equal distances, from the shortest
    to the longest time.
    """
    solved = np.sort(runs.loc[runs["status"] == SOLVED, "cpu_s"].to_numpy()) * 1e6
    if len(solved) > MOST_TIMES:
        solved = np.quantile(solved, np.linspace(0, 1, MOST_TIMES))
    return [_whole(_short(time)) for time in solved]


def _as_json(table):
    """Return a table for JSON: names of columns, then rows, floats rounded by `_short`."""
    for name in table.select_dtypes("float"):
        table[name] = table[name].map(_short)
    return json.loads(table.to_json(orient="split", index=False))


def _whole(value):
    """Return a whole number without its decimals, any other number as it is."""
    return int(value) if value == int(value) else value


def _short(value):
    """Return a number rounded to three significant digits."""
    return float(f"{value:.3g}")

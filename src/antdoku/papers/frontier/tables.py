"""Tables of the experiment `frontier`: the phase transition at sizes that the papers do not have.

A run that did not solve takes infinitely many steps. An infinite median is missing; its lower bound
is least_median_steps, which counts such a run with the steps that it did.
"""

import pandas as pd

from antdoku import papers
from antdoku.columns import Column, columns, printed
from antdoku.papers import published
from antdoku.tables import Rows, summary, table, work
from antdoku.tables.generic import RUN_TIMES, at_hardest
from antdoku.tables.summary import GROUP_KEY, POINT, RATE, SUMMARY, beside, sort

EXPERIMENT = "frontier"
RANDOM = Rows(EXPERIMENT, random=True)
SOURCE = "alldiff_ls"
LONG = "tabu_col_long"  # the runs of TabuCol beyond the limit of the other solvers
LONG_LABEL = "TabuCol, 15 to 20 s"
# Solvers of the paper that we do not have.
LABELS = {
    **{"sudoku_ls": "Sudoku-LS", "sudoku_ls_09": "Sudoku-LS, tenure factor 0.9"},
    **{"acs": "ACS", "ils": "ILS", "cpsat": "CP-SAT"},
    **{"choco": "Choco", "cplex": "CPLEX", "kissat": "Kissat"},
}
PRINTED = {
    "published_success_rate": printed(SOURCE, "success", "success rate", "share"),
    "published_mean_time_s": printed(SOURCE, "mean_time", "mean time", "s"),
    "published_median_time_s": printed(SOURCE, "median_time", "median time", "s"),
}
PHASE_TRANSITION = columns(*GROUP_KEY, *SUMMARY, "median_steps")
PHASE_TRANSITION |= {"least_median_steps": Column("float64", "lower bound of the median steps")}
PUBLISHED = (
    columns(
        *(*GROUP_KEY, "label", "n", "solved", *RATE, "mean_time_solved_s", "median_time_s"),
        "limit_s",
    )
    | PRINTED
)


@table("frontier_phase_transition", PHASE_TRANSITION, RANDOM)
def phase_transition(runs: pd.DataFrame) -> pd.DataFrame:
    """Return success, times and median work of every solver at each point, with equal limits.

    Longer runs are a series of their own, `LONG`, whose PAR2 compares with no other.
    """
    rows = _series(runs)
    least = rows.groupby(GROUP_KEY)["steps"].median().rename("least_median_steps")
    table = summary.summarise(rows, GROUP_KEY).join(least, on=GROUP_KEY)
    return table.assign(par2_s=table["par2_s"].mask(table["variant"] == LONG))


def _series(runs):
    """Return runs at the smallest limit of their point, then the longer runs as `LONG`."""
    equal = work.at_common_seconds(runs, POINT)
    is_long = runs["limit_s"] > equal["limit_s"]
    rows = pd.concat([equal, runs[is_long].assign(variant=LONG, label=LONG_LABEL)])
    return rows.assign(variant=summary.in_order(rows["variant"], papers.variants()))


# The greatest order at which a hard point is decided within minutes.
@table("frontier_run_times", RUN_TIMES, Rows(EXPERIMENT, random=True, order=6))
def run_times(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs at the hardest point of 36 × 36, solved runs first, by time."""
    return at_hardest(_series(runs))


@table(
    "frontier_published",
    PUBLISHED,
    RANDOM,
    heading="Beside published numbers",
    caption="Our runs beside those of AllDiff-LS (2026): its tabu search Sudoku-LS and other "
    "solvers. Theirs: 100 public instances per point, 1000 s, their machine. Ours: our own "
    "instances or theirs, up to the limit in the table. Compare orders of magnitude, not seconds.",
)
def beside_published(runs: pd.DataFrame) -> pd.DataFrame:
    """Return our runs beside the numbers of AllDiff-LS, at the points that both have.

    A row is a solver of ours or of theirs; n is 0 for solvers that we did not run.
    """
    ours = phase_transition(runs)
    theirs = published.values(SOURCE, "success")[GROUP_KEY]
    points = ours[POINT].drop_duplicates().merge(theirs[POINT].drop_duplicates())
    rows = pd.concat([ours[GROUP_KEY], theirs]).drop_duplicates().merge(points, on=POINT)
    table = beside(rows.merge(ours, "left", on=GROUP_KEY), GROUP_KEY, PRINTED)
    label = table["label"].fillna(table["variant"].map(LABELS))
    counts = table[["n", "solved"]].fillna(0)
    variants = ours["variant"].cat.categories
    return sort(table.assign(label=label, **counts), GROUP_KEY, variants)

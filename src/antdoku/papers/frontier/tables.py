"""Tables of the experiment `frontier`: the phase transition at sizes that the papers do not have.

Work is counted in steps, each solver in its own, and is the same on every machine. A run that was
not solved takes infinitely many: a median over all instances is missing where it is infinite, and
is then above least_median_steps, in which such a run counts with the steps that it did.
"""

import numpy as np
import pandas as pd

from antdoku.outcome import SOLVED
from antdoku.papers import published
from antdoku.papers.beyond import tables as beyond
from antdoku.tables import Rows, summary, table
from antdoku.tables.summary import GROUP_KEY, POINT, RATE, SUMMARY, beside, columns, sort

EXPERIMENT = "frontier"
RANDOM = Rows(EXPERIMENT, random=True)
SOURCE = "alldiff_ls"
# Solvers of the paper that we do not have.
LABELS = {
    **{"sudoku_ls": "Sudoku-LS", "sudoku_ls_09": "Sudoku-LS, tenure factor 0.9"},
    **{"acs": "ACS", "ils": "ILS", "cpsat": "CP-SAT"},
    **{"choco": "Choco", "cplex": "CPLEX", "kissat": "Kissat"},
}
PRINTED = {
    "published_success_rate": (SOURCE, "success"),
    "published_mean_time_s": (SOURCE, "mean_time"),
    "published_median_time_s": (SOURCE, "median_time"),
}

_STEPS = ("median_steps", "least_median_steps")
PHASE_TRANSITION = columns(*GROUP_KEY, *SUMMARY, *_STEPS)
PUBLISHED = columns(
    *(*GROUP_KEY, "label", "n", "solved", *RATE, "mean_time_solved_s", "median_time_s"),
    *("limit_s", *PRINTED),
)


@table("frontier_phase_transition", PHASE_TRANSITION, RANDOM)
def phase_transition(runs: pd.DataFrame) -> pd.DataFrame:
    """Success, times and median work of every solver at each point."""
    steps = runs["steps"].where(runs["status"] == SOLVED, np.inf)
    medians = runs.assign(median_steps=steps, least_median_steps=runs["steps"])
    medians = medians.groupby(GROUP_KEY)[list(_STEPS)].median().replace(np.inf, np.nan)
    return summary.summarise(runs, GROUP_KEY).join(medians, on=GROUP_KEY)


@table("frontier_run_times", beyond.RUN_TIMES, Rows(EXPERIMENT, random=True, order=6))
def run_times(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs at the greatest order at which a hard point is decided within minutes."""
    return beyond.run_times(runs)


@table("frontier_published", PUBLISHED, RANDOM)
def beside_published(runs: pd.DataFrame) -> pd.DataFrame:
    """Our runs beside those of AllDiff-LS (2026): its tabu search Sudoku-LS and other solvers.
    Theirs: 100 public instances per point, 1000 s, their machine. Ours: our own instances, or
    theirs (``config/frontier_archive.yaml``), ``limit_s``, our machine. Compare orders of
    magnitude, not seconds.

    Points are those of both. A row is a solver of ours or of theirs: n is 0 for those that we did
    not run.
    """
    ours = phase_transition(runs)
    theirs = published.values(SOURCE, "success")[GROUP_KEY]
    points = ours[POINT].drop_duplicates().merge(theirs[POINT].drop_duplicates())
    rows = pd.concat([ours[GROUP_KEY], theirs]).drop_duplicates().merge(points, on=POINT)
    table = beside(rows.merge(ours, "left", on=GROUP_KEY), GROUP_KEY, PRINTED)
    label = table["label"].fillna(table["variant"].map(LABELS))
    counts = table[["n", "solved"]].fillna(0)
    return sort(table.assign(label=label, **counts), GROUP_KEY)

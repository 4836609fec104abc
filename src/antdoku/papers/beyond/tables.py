"""Tables that no paper has: of the experiment of Lloyd & Amos, and of that of Lewis."""

import pandas as pd

from antdoku.papers.lewis import tables as lewis
from antdoku.papers.lloyd_amos import tables as lloyd_amos
from antdoku.tables import HISTORY, Rows, curves, summary, table
from antdoku.tables.summary import GROUP_KEY, RATE, SUMMARY, columns, sort, with_rate

MAIN = lloyd_amos.EXPERIMENT
RANDOM = Rows(MAIN, random=True)
WORK_CURVES = {
    MAIN: curves.Curves(
        lloyd_amos.LIMITS_OF,
        (*lloyd_amos.PAPER_VARIANTS, *lloyd_amos.BVE_VARIANTS),
        lloyd_amos.PRINTED_RATES,
    ),
    lewis.EXPERIMENT: curves.Curves(lewis.JOURNAL, (lewis.JOURNAL_SA,), lewis.PRINTED_RATES),
}
QUARTILES = {"low": 0.25, "median": 0.5, "high": 0.75}
STAGNATION = columns(
    *GROUP_KEY,
    *("n", "iteration", "solved", *RATE, "n_unsolved"),
    *(f"{grid}_missing_{quartile}" for grid in ("best", "held") for quartile in QUARTILES),
)


@table("beyond_phase_transition", columns(*GROUP_KEY, *SUMMARY), RANDOM)
def phase_transition(runs: pd.DataFrame) -> pd.DataFrame:
    """All solvers at each point."""
    return summary.summarise(runs, GROUP_KEY)


@table(
    "beyond_work",
    curves.work_columns(WORK_CURVES),
    RANDOM,
    Rows(lewis.EXPERIMENT, random=True, required=False),
)
def work_curves(runs: pd.DataFrame) -> pd.DataFrame:
    """Success by work at the hard points of both experiments."""
    return curves.work_curves(runs, WORK_CURVES)


run_times = table("beyond_run_times", curves.RUN_TIMES, RANDOM)(curves.run_times)
cactus = table("beyond_cactus", curves.CACTUS, RANDOM)(curves.cactus)


@table("beyond_stagnation", STAGNATION, RANDOM, source=HISTORY)
def stagnation(traces: pd.DataFrame) -> pd.DataFrame:
    """Success and cells that are missing in the grids, by iteration.

    Missing cells are quartiles over the instances that are not yet solved: n_unsolved of n.
    """
    keys = [*GROUP_KEY, "iteration"]
    rows = [dict(zip(keys, key)) | _at_iteration(group) for key, group in traces.groupby(keys)]
    return sort(with_rate(pd.DataFrame(rows, columns=list(STAGNATION))), keys)


def _at_iteration(traces):
    """Counts, and the quartiles of the missing cells, of all instances at one iteration."""
    unsolved = traces[~traces["solved"]]
    row = {"n": len(traces), "solved": len(traces) - len(unsolved), "n_unsolved": len(unsolved)}
    for grid in ("best", "held"):
        missing = unsolved["n_cells"] - unsolved[f"{grid}_fixed"]
        for name, share in QUARTILES.items():
            row[f"{grid}_missing_{name}"] = missing.quantile(share)
    return row

"""Tables that no paper has, made of the experiments of Lloyd & Amos and of Lewis."""

import numpy as np
import pandas as pd

from antdoku.columns import Column, columns, dtypes
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers.lewis import tables as lewis
from antdoku.papers.lloyd_amos import tables as lloyd_amos
from antdoku.tables import Rows, summary, table, work
from antdoku.tables.generic import RUN_TIMES, at_hardest
from antdoku.tables.summary import GROUP_KEY, POINT, RATE, SUMMARY, beside

MAIN = lloyd_amos.EXPERIMENT
RANDOM = Rows(MAIN, random=True)
# Curves of success against work, by experiment: the edition whose work is 1, the variants that are
# drawn, and the columns of the printed rates, as `beside` takes them.
CURVES = {
    MAIN: (
        lloyd_amos.LIMITS_OF,
        (*lloyd_amos.PAPER_VARIANTS, *lloyd_amos.BVE_VARIANTS),
        lloyd_amos.PRINTED_RATES,
    ),
    lewis.EXPERIMENT: (lewis.JOURNAL, (lewis.JOURNAL_SA,), lewis.PRINTED_RATES),
}
HARD_FROM = 0.1  # share of failures of a variant at the paper's work
HARD_POINTS = 4  # of an order
LEAST_WORK = 1e-3  # less work counts as this
POINTS_PER_DECADE = 20
PRINTED_RATES = lloyd_amos.PRINTED_RATES | lewis.PRINTED_RATES
WORK = columns("experiment", *GROUP_KEY, "label", "n", "work_steps", "work_factor")
WORK |= {"work": Column("float64", "work")}  # in multiples of work_steps
WORK |= columns("solved", "success_rate") | PRINTED_RATES
COLONIES = ("acs", "acs_closure")  # solvers whose steps are iterations of a colony
STAGNATION = columns(*GROUP_KEY, "label", "n")
STAGNATION |= {"iteration": Column("int64", "iteration")} | columns("solved", *RATE)


@table("beyond_phase_transition", columns(*GROUP_KEY, *SUMMARY, "work_steps"), RANDOM)
def phase_transition(runs: pd.DataFrame) -> pd.DataFrame:
    """Return all solvers at each point, at the paper's work or with equal limits in seconds."""
    runs = work.at_common_seconds(work.at_own(runs), POINT)
    steps = runs.groupby(GROUP_KEY)["work_steps"].first()
    return summary.summarise(runs, GROUP_KEY).join(steps, on=GROUP_KEY)


@table("beyond_work", WORK, RANDOM, Rows(lewis.EXPERIMENT, random=True, required=False))
def work_curves(runs: pd.DataFrame) -> pd.DataFrame:
    """Return success by work at the hard points of both experiments: run-length distributions.

    A row is a point of a curve: of n runs of a variant, `solved` take at most `work` times the
    steps of the paper's program within its limit (work_steps, known within work_factor). A curve is
    thinned out, and ends where the first run without a solution ended. Points are the hardest four
    of each order for which the paper prints success rates, and at which a variant of the paper
    fails in a tenth of the runs or more at the paper's work.
    """
    return pd.concat([_curves(runs, name) for name in CURVES])


def _curves(runs, experiment):
    """Return the rows of one experiment."""
    edition, variants, printed = CURVES[experiment]
    runs = runs[(runs["experiment"] == experiment) & runs["variant"].isin(variants)]
    table = summary.summarise_at_work(runs, GROUP_KEY, edition).dropna(subset="work_steps")
    table = beside(table, GROUP_KEY, printed)
    table = table.merge(_hard(table, list(printed)), on=POINT)
    groups, frames = runs.groupby(GROUP_KEY), []
    for row in table.drop(columns=["solved", "success_rate"]).to_dict("records"):
        key = tuple(row[name] for name in GROUP_KEY)
        frames.append(_curve(groups.get_group(key), row["work_steps"]).assign(**row))
    curves = pd.concat([pd.DataFrame(), *frames]).assign(experiment=experiment)
    return summary.typed(curves, dtypes(WORK))


def _hard(table, rates):
    """Return the hardest points with printed numbers (columns `rates`), where a variant fails."""
    table = table.assign(is_printed=table[rates].notna().any(axis=1))
    points = table.groupby(POINT, as_index=False).agg(
        is_printed=("is_printed", "any"),
        least=("success_rate", "min"),
        mean=("success_rate", "mean"),
    )
    hard = points[points["is_printed"] & (points["least"] <= 1 - HARD_FROM)]
    return hard.sort_values("mean").groupby("order").head(HARD_POINTS)[POINT]


def _curve(runs, work_steps):
    """Return the number of solved runs by work, thinned out, up to where the first run ended."""
    work_of = runs["steps"].to_numpy() / work_steps
    ends = work_of[runs["status"] == TIMEOUT]
    solved = np.sort(work_of[runs["status"] == SOLVED])
    solved = solved[solved <= ends.min(initial=np.inf)]
    bins = np.floor(POINTS_PER_DECADE * np.log10(np.maximum(solved, LEAST_WORK)))
    kept = np.flatnonzero(np.diff(bins, append=np.inf))
    curve = pd.DataFrame({"work": solved[kept], "solved": kept + 1})
    if len(ends):
        curve.loc[len(curve)] = [ends.min(), len(solved)]
    return curve.assign(success_rate=curve["solved"] / len(runs))


@table("beyond_run_times", RUN_TIMES, RANDOM)
def run_times(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs `at_hardest`, at the paper's work or with equal limits in seconds."""
    return at_hardest(work.at_common_seconds(work.at_own(runs), POINT))


@table("beyond_stagnation", STAGNATION, RANDOM)
def stagnation(runs: pd.DataFrame) -> pd.DataFrame:
    """Return success by iteration of all variants of ACS, at the hardest point of each order.

    Curves as in `work_curves`, of the runs `at_own` work.
    """
    runs = at_hardest(work.at_own(runs[runs["solver"].isin(COLONIES)]))
    frames = [pd.DataFrame()]
    for key, group in runs.groupby(GROUP_KEY):
        of_runs = group.iloc[0][["label", "n"]].to_dict()
        frames.append(_curve(group, 1).assign(**dict(zip(GROUP_KEY, key)), **of_runs))
    table = pd.concat(frames).rename(columns={"work": "iteration"})
    if not len(table):
        return table
    return summary.with_rate_of_runs(table, runs, GROUP_KEY)

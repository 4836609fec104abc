"""Tables of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019).

Published numbers stand in columns of their own, `arxiv_*` (2018) and `journal_*` (2019). Runs are
those at the papers' work (`tables.work`).
"""

import pandas as pd

from antdoku import papers, published, statistics
from antdoku.tables import Table, summary, work
from antdoku.tables.summary import GROUP_KEY, ON_PUZZLE, POINT, beside, columns, sort, typed

EXPERIMENT = "lloyd_amos"
EDITIONS = ("arxiv", "journal")  # preprint and journal report different experiments
LIMITS_OF = "arxiv"  # both have the same
PAPER_VARIANTS = ("acs", "ils", "dlx", "bs")  # side by side in Figures 4 to 7
BVE_VARIANTS = ("acs", "acs_no_bve")

FIG4 = columns(
    *ON_PUZZLE,
    *("label", "repetition", "status", "cpu_s", "limit_s", "limit_steps", "work_steps"),
    "arxiv_mean_time_s",
)
PRINTED = {"success_rate": "success", "mean_time_s": "mean_time"}  # ours: name in the ledger
COMPARISON = columns(  # figures 5 to 7 and 9
    *GROUP_KEY,
    *summary.SUMMARY,
    *summary.AT_WORK,
    *(f"{edition}_{column}" for edition in EDITIONS for column in PRINTED),
)
FIG8 = columns(
    *POINT,
    *("n_instances", "trivial", "fraction_trivial", "wilson_low", "wilson_high"),
    *("fixed_after_cp", "mean_value_set_size"),
    *("arxiv_trivial_from", "arxiv_mean_value_set_size"),
)
TABLE1 = columns(
    *ON_PUZZLE,
    *("label", "n", "solved", *summary.PERCENT),
    *("mean_time_ms", "median_time_ms", "limit_s", "limit_steps", "n_unfinished"),
    *("work_steps", "work_factor", "percent_at_less", "percent_at_more"),
    *("arxiv_success_percent", "arxiv_mean_time_ms"),
)


def fig4(runs: pd.DataFrame) -> pd.DataFrame:
    """Times of ACS, ILS, DLX and BS on the sixteen named puzzles: one row a run (`FIG4`)."""
    runs = _named(runs)
    runs = runs[runs["variant"].isin(PAPER_VARIANTS)]
    table = work.at(runs, LIMITS_OF).assign(work_steps=work.papers_steps(runs, LIMITS_OF))
    times = published.values("arxiv", "mean_time")
    table = beside(table, times, "arxiv_mean_time_s", ON_PUZZLE)
    return typed(sort(table, [*ON_PUZZLE, "repetition"]), FIG4)


def fig5(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS, ILS, DLX and BS on random 9x9 instances, beside published numbers (`COMPARISON`)."""
    return _comparison(runs, PAPER_VARIANTS, order=3)


def fig6(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS, ILS, DLX and BS on random 16x16 instances, beside published numbers (`COMPARISON`)."""
    return _comparison(runs, PAPER_VARIANTS, order=4)


def fig7(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS, ILS, DLX and BS on random 25x25 instances, beside published numbers (`COMPARISON`)."""
    return _comparison(runs, PAPER_VARIANTS, order=5)


def fig8(runs: pd.DataFrame) -> pd.DataFrame:
    """What the initial propagation does to the random instances, per order and fixed fraction.

    An instance counts once, however many variants and repetitions ran on it.

    Returns
    -------
    DataFrame
        Columns `FIG8`: the fraction of instances that propagation alone solves (trivial), with its
        Wilson interval; means over the instances of the fraction of fixed cells and of the number
        of candidates per cell; the smallest fixed fraction at which the paper found trivial
        instances of the order, and the paper's mean number of candidates per cell.
    """
    instances = summary.instances(summary.of_random_instances(runs, EXPERIMENT), POINT)
    table = instances.groupby(POINT, as_index=False).agg(
        n_instances=("trivial", "size"),
        trivial=("trivial", "sum"),
        fixed_after_cp=("fixed_after_cp", "mean"),
        mean_value_set_size=("mean_value_set_size", "mean"),
    )
    low, high = statistics.wilson(table["trivial"], table["n_instances"])
    rate = table["trivial"] / table["n_instances"]
    table = table.assign(fraction_trivial=rate, wilson_low=low, wilson_high=high)
    starts = published.values("arxiv", "smallest_fixed_fraction_with_trivial_instances")
    sizes = published.values("arxiv", "mean_value_set_size")
    table = beside(table, starts, "arxiv_trivial_from", ["order"])
    return typed(beside(table, sizes, "arxiv_mean_value_set_size", POINT), FIG8)


def fig9(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS with and without best-value evaporation on all random instances (`COMPARISON`)."""
    return _comparison(runs, BVE_VARIANTS)


def table1(runs: pd.DataFrame) -> pd.DataFrame:
    """Success and mean time of every variant on the sixteen named puzzles (`TABLE1`).

    Success in percent and times in ms, as in the paper, whose numbers (ACS with and without
    best-value evaporation) stand beside.
    """
    table = summary.summarise_at_work(_named(runs), ON_PUZZLE, LIMITS_OF)
    for column, metric in PRINTED.items():
        table = beside(table, published.values("arxiv", metric), f"arxiv_{column}", ON_PUZZLE)
    table = summary.to_percent(table)
    table["mean_time_ms"] = 1000 * table["mean_time_solved_s"]
    table["median_time_ms"] = 1000 * table["median_time_s"]
    table["arxiv_mean_time_ms"] = 1000 * table["arxiv_mean_time_s"]
    return typed(table, TABLE1)


def _named(runs):
    runs = summary.of_given_puzzles(runs, EXPERIMENT)
    runs = runs[runs["instance_id"].isin(papers.get(EXPERIMENT).puzzles)]
    return runs.assign(puzzle=runs["instance_id"])


def _comparison(runs, variants, order=None):
    runs = summary.of_random_instances(runs, EXPERIMENT)
    chosen = runs["variant"].isin(variants)
    if order is not None:
        chosen &= runs["order"] == order
    table = summary.summarise_at_work(runs[chosen], GROUP_KEY, LIMITS_OF)
    for edition in EDITIONS:
        for column, metric in PRINTED.items():
            values = published.values(edition, metric)
            table = beside(table, values, f"{edition}_{column}", GROUP_KEY)
    return typed(table, COMPARISON)


TABLES = {
    "lloyd_amos_fig4": Table(fig4, FIG4, puzzles=EXPERIMENT),
    "lloyd_amos_fig5": Table(fig5, COMPARISON),
    "lloyd_amos_fig6": Table(fig6, COMPARISON),
    "lloyd_amos_fig7": Table(fig7, COMPARISON),
    "lloyd_amos_fig8": Table(fig8, FIG8),
    "lloyd_amos_fig9": Table(fig9, COMPARISON),
    "lloyd_amos_table1": Table(table1, TABLE1, puzzles=EXPERIMENT),
}

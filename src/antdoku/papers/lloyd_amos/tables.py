"""Tables of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019).

Published numbers stand in columns of their own, `arxiv_*` (2018) and `journal_*` (2019). Runs are
those at the papers' work (`tables.work`).
"""

from functools import partial

import pandas as pd

from antdoku import papers
from antdoku.tables import Table, summary, work
from antdoku.tables.summary import GROUP_KEY, ON_PUZZLE, POINT, beside, columns, sort

EXPERIMENT = "lloyd_amos"
LIMITS_OF = "arxiv"  # preprint and journal report different experiments with the same limits
PAPER_VARIANTS = ("acs", "ils", "dlx", "bs")  # side by side in Figures 4 to 7
BVE_VARIANTS = ("acs", "acs_no_bve")
PRINTED = {  # by column: edition and metric
    "arxiv_success_rate": ("arxiv", "success"),
    "arxiv_mean_time_s": ("arxiv", "mean_time"),
    "journal_success_rate": ("journal", "success"),
    "journal_mean_time_s": ("journal", "mean_time"),
}
PRINTED_RATES = {name: PRINTED[name] for name in ("arxiv_success_rate", "journal_success_rate")}

FIG4 = columns(
    *ON_PUZZLE,
    *("label", "repetition", "status", "cpu_s", "limit_s", "limit_steps", "work_steps"),
    "arxiv_mean_time_s",
)
COMPARISON = columns(*GROUP_KEY, *summary.SUMMARY, *summary.AT_WORK, *PRINTED)
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


def comparison(runs: pd.DataFrame, variants, order: int | None = None) -> pd.DataFrame:
    """Variants on the random instances, of one order or of all, beside published numbers."""
    runs = summary.of_random_instances(runs, EXPERIMENT)
    chosen = runs["variant"].isin(variants) & (order is None or runs["order"] == order)
    table = summary.summarise_at_work(runs[chosen], GROUP_KEY, LIMITS_OF)
    return beside(table, GROUP_KEY, PRINTED)


def fig4(runs: pd.DataFrame) -> pd.DataFrame:
    """Times of ACS, ILS, DLX and BS on the sixteen named puzzles: one row a run."""
    runs = _named(runs)
    runs = runs[runs["variant"].isin(PAPER_VARIANTS)]
    table = work.at(runs, LIMITS_OF).assign(work_steps=work.papers_steps(runs, LIMITS_OF))
    table = beside(table, ON_PUZZLE, {"arxiv_mean_time_s": ("arxiv", "mean_time")})
    return sort(table, [*ON_PUZZLE, "repetition"])


def fig8(runs: pd.DataFrame) -> pd.DataFrame:
    """What the initial propagation does to the random instances, per order and fixed fraction.

    The fraction of instances that propagation alone solves (trivial), with its Wilson interval;
    means over the instances of the fraction of fixed cells and of the number of candidates per
    cell; the smallest fixed fraction at which the paper found trivial instances of the order, and
    its mean number of candidates per cell. An instance counts once, however many runs are on it.
    """
    instances = summary.instances(summary.of_random_instances(runs, EXPERIMENT), POINT)
    table = instances.groupby(POINT, as_index=False).agg(
        n_instances=("trivial", "size"),
        trivial=("trivial", "sum"),
        fixed_after_cp=("fixed_after_cp", "mean"),
        mean_value_set_size=("mean_value_set_size", "mean"),
    )
    table = summary.with_rate(table, "trivial", "n_instances")
    table = table.rename(columns={"success_rate": "fraction_trivial"})
    smallest = "smallest_fixed_fraction_with_trivial_instances"
    table = beside(table, ["order"], {"arxiv_trivial_from": ("arxiv", smallest)})
    sizes = {"arxiv_mean_value_set_size": ("arxiv", "mean_value_set_size")}
    return beside(table, POINT, sizes)


def table1(runs: pd.DataFrame) -> pd.DataFrame:
    """Success and mean time of every variant on the sixteen named puzzles.

    Success in percent and times in ms, as in the paper, whose numbers (ACS with and without
    best-value evaporation) stand beside.
    """
    table = summary.summarise_at_work(_named(runs), ON_PUZZLE, LIMITS_OF)
    table = summary.to_percent(beside(table, ON_PUZZLE, PRINTED))
    return table.assign(
        mean_time_ms=1000 * table["mean_time_solved_s"],
        median_time_ms=1000 * table["median_time_s"],
        arxiv_mean_time_ms=1000 * table["arxiv_mean_time_s"],
    )


def _named(runs):
    runs = summary.of_given_puzzles(runs, EXPERIMENT)
    runs = runs[runs["instance_id"].isin(papers.get(EXPERIMENT).puzzles)]
    return runs.assign(puzzle=runs["instance_id"])


def _side_by_side(variants, **more):
    return Table(partial(comparison, variants=variants, **more), COMPARISON)


TABLES = {
    "lloyd_amos_fig4": Table(fig4, FIG4, puzzles=EXPERIMENT),
    "lloyd_amos_fig5": _side_by_side(PAPER_VARIANTS, order=3),
    "lloyd_amos_fig6": _side_by_side(PAPER_VARIANTS, order=4),
    "lloyd_amos_fig7": _side_by_side(PAPER_VARIANTS, order=5),
    "lloyd_amos_fig8": Table(fig8, FIG8),
    "lloyd_amos_fig9": _side_by_side(BVE_VARIANTS),
    "lloyd_amos_table1": Table(table1, TABLE1, puzzles=EXPERIMENT),
}

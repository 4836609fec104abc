"""Tables of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019).

Published numbers stand in columns of their own, `arxiv_*` (2018) and `journal_*` (2019). Runs are
those at the papers' work (`tables.work`).
"""

from itertools import product

import pandas as pd

from antdoku import papers
from antdoku.tables import Rows, summary, table, work
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
PRINTED_TIMES = {"arxiv_mean_time_s": PRINTED["arxiv_mean_time_s"]}
PRINTED_TRIVIAL = {
    "arxiv_trivial_from": ("arxiv", "smallest_fixed_fraction_with_trivial_instances")
}
PRINTED_SIZES = {"arxiv_mean_value_set_size": ("arxiv", "mean_value_set_size")}
PRINTED_RATES = {name: PRINTED[name] for name in ("arxiv_success_rate", "journal_success_rate")}

FIG4 = columns(
    *ON_PUZZLE,
    *("label", "repetition", "status", "cpu_s", "limit_s", "limit_steps", "work_steps"),
    *PRINTED_TIMES,
)
COMPARISON = columns(*GROUP_KEY, *summary.SUMMARY, *summary.AT_WORK, *PRINTED)
FIG8 = columns(
    *POINT,
    *("n_instances", "trivial", "fraction_trivial", "wilson_low", "wilson_high"),
    *("fixed_after_cp", "mean_value_set_size", *PRINTED_TRIVIAL, *PRINTED_SIZES),
)
TABLE1 = columns(
    *ON_PUZZLE,
    *("label", "n", "solved", *summary.PERCENT),
    *("mean_time_ms", "median_time_ms", "limit_s", "limit_steps", "n_unfinished"),
    *("work_steps", "work_factor", "percent_at_less", "percent_at_more"),
    *("arxiv_success_percent", "arxiv_mean_time_ms"),
)
_PARTS = product(reversed(BVE_VARIANTS), ("success_percent", "mean_time_ms"), ("arxiv_", ""))
TABLE1_FORM = columns("puzzle", *(f"{edition}{name}_{what}" for name, what, edition in _PARTS))


@table("lloyd_amos_fig4", FIG4, Rows(EXPERIMENT, random=False))
def fig4(runs: pd.DataFrame) -> pd.DataFrame:
    """Times of ACS, ILS, DLX and BS on the sixteen named puzzles: one row a run."""
    runs = _named(runs)
    runs = runs[runs["variant"].isin(PAPER_VARIANTS)]
    table = work.at(runs, LIMITS_OF).assign(work_steps=work.papers_steps(runs, LIMITS_OF))
    return sort(beside(table, ON_PUZZLE, PRINTED_TIMES), [*ON_PUZZLE, "repetition"])


@table("lloyd_amos_fig7", COMPARISON, Rows(EXPERIMENT, random=True, order=5))
@table("lloyd_amos_fig6", COMPARISON, Rows(EXPERIMENT, random=True, order=4))
@table("lloyd_amos_fig5", COMPARISON, Rows(EXPERIMENT, random=True, order=3))
def fig7(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS, ILS, DLX and BS on the random instances of an order: figures 5 to 7."""
    return _comparison(runs, PAPER_VARIANTS)


@table("lloyd_amos_fig8", FIG8, Rows(EXPERIMENT, random=True))
def fig8(runs: pd.DataFrame) -> pd.DataFrame:
    """Effect of the initial propagation on the random instances, per order and fixed fraction.

    trivial counts the instances that propagation alone solves. fixed_after_cp (a fraction of the
    cells) and mean_value_set_size (candidates per cell) are means over the instances. An instance
    counts once, however many runs are on it. arxiv_trivial_from is the smallest fixed fraction at
    which the paper found trivial instances of the order.
    """
    instances = summary.instances(runs, POINT)
    table = instances.groupby(POINT, as_index=False).agg(
        n_instances=("trivial", "size"),
        trivial=("trivial", "sum"),
        fixed_after_cp=("fixed_after_cp", "mean"),
        mean_value_set_size=("mean_value_set_size", "mean"),
    )
    table = summary.with_rate(table, "trivial", "n_instances")
    table = table.rename(columns={"success_rate": "fraction_trivial"})
    return beside(beside(table, ["order"], PRINTED_TRIVIAL), POINT, PRINTED_SIZES)


@table("lloyd_amos_fig9", COMPARISON, Rows(EXPERIMENT, random=True))
def fig9(runs: pd.DataFrame) -> pd.DataFrame:
    """ACS with and without best-value evaporation on the random instances of all orders."""
    return _comparison(runs, BVE_VARIANTS)


@table("lloyd_amos_table1", TABLE1, Rows(EXPERIMENT, random=False))
def table1(runs: pd.DataFrame) -> pd.DataFrame:
    """Success and mean time of the solved runs on the sixteen named 9 × 9 puzzles. Runs end after
    the paper's work (in the paper: 5 s), other variants after ``limit_s`` seconds. Tinted: ACS
    without and with best-value evaporation in the preprint, 100 runs each. The puzzle sabuncu3 has
    27 solutions.
    """
    table = summary.summarise_at_work(_named(runs), ON_PUZZLE, LIMITS_OF)
    table = summary.to_percent(beside(table, ON_PUZZLE, PRINTED))
    return table.assign(
        mean_time_ms=1000 * table["mean_time_solved_s"],
        median_time_ms=1000 * table["median_time_s"],
        arxiv_mean_time_ms=1000 * table["arxiv_mean_time_s"],
    )


@table("lloyd_amos_table1_form", TABLE1_FORM, Rows(EXPERIMENT, random=False))
def table1_form(runs: pd.DataFrame) -> pd.DataFrame:
    """Success and mean time of the solved runs on the sixteen named 9 × 9 puzzles: those of the
    preprint (tinted), and ours at the paper's work. The seconds are of different machines.
    """
    table = table1(runs).pivot(index="puzzle", columns="variant")
    names = [(name.removeprefix("arxiv_"), variant, name) for name, variant in table]
    table.columns = [
        f"{'arxiv_' * (name != measure)}{variant}_{measure}" for measure, variant, name in names
    ]
    return sort(table.reset_index(), ["puzzle"])


def _comparison(runs, variants):
    """Variants side by side, beside published numbers."""
    runs = runs[runs["variant"].isin(variants)]
    return beside(summary.summarise_at_work(runs, GROUP_KEY, LIMITS_OF), GROUP_KEY, PRINTED)


def _named(runs):
    """The runs on the sixteen named puzzles."""
    runs = runs[runs["instance_id"].isin(papers.get(EXPERIMENT).puzzles)]
    return runs.assign(puzzle=runs["instance_id"])

"""Tables of Lloyd & Amos (arXiv 2018; IEEE Trans. Games 2019).

Runs end at the papers' work (`tables.work`). Printed numbers are in columns of their own, `arxiv_*`
(2018) and `journal_*` (2019).
"""

import pandas as pd

from antdoku import papers
from antdoku.columns import Column, columns, printed
from antdoku.tables import Rows, summary, table, work
from antdoku.tables.summary import GROUP_KEY, ON_PUZZLE, POINT, beside, in_order

EXPERIMENT = "lloyd_amos"
ARXIV, JOURNAL = "arxiv", "journal"
LIMITS_OF = ARXIV  # the two editions report different experiments with the same limits
PAPER_VARIANTS = ("acs", "ils", "dlx", "bs")  # side by side in Figures 4 to 7
BVE_VARIANTS = ("acs", "acs_no_bve")
PRINTED = {
    "arxiv_success_rate": printed(ARXIV, "success", "success rate", "share"),
    "arxiv_mean_time_s": printed(ARXIV, "mean_time", "mean time", "s"),
    "journal_success_rate": printed(JOURNAL, "success", "success rate", "share"),
    "journal_mean_time_s": printed(JOURNAL, "mean_time", "mean time", "s"),
}
PRINTED_RATES = {name: column for name, column in PRINTED.items() if column.metric == "success"}
PRINTED_TIMES = {"arxiv_mean_time_s": PRINTED["arxiv_mean_time_s"]}
TRIVIAL_FROM = "smallest_fixed_fraction_with_trivial_instances"
PRINTED_TRIVIAL = {"arxiv_trivial_from": printed(ARXIV, TRIVIAL_FROM, "trivial from", "share")}
PRINTED_SIZES = {
    "arxiv_mean_value_set_size": printed(ARXIV, "mean_value_set_size", "candidates a cell")
}

FIG4 = columns(
    *(*ON_PUZZLE, "label", "repetition", "status", "cpu_s"),
    *("limit_s", "limit_steps", "work_steps"),
)
COMPARISON = columns(*GROUP_KEY, *summary.SUMMARY, *summary.AT_WORK) | PRINTED
FIG8 = columns(*POINT, "n_instances", "trivial")
FIG8 |= {"fraction_trivial": Column("float64", "trivial", "share")}
FIG8 |= columns("wilson_low", "wilson_high", "fixed_after_cp", "mean_value_set_size")
TABLE1 = columns(
    *(*ON_PUZZLE, "label", "n", "solved", *summary.PERCENT, "mean_time_ms", "median_time_ms"),
    *("limit_s", "limit_steps", "n_unfinished"),
    *("work_steps", "work_factor", "percent_at_less", "percent_at_more"),
) | {
    "arxiv_success_percent": Column("float64", "success", "%", ARXIV),
    "arxiv_mean_time_ms": Column("float64", "mean time", "ms", ARXIV),
}
MEASURES = {"success_percent": ("success", "%"), "mean_time_ms": ("mean time", "ms")}


def _of_form():
    """Return the columns of Table 1 in the form of the paper: a pair per system and measure."""
    labels = papers.get(EXPERIMENT).variants
    schema = columns("puzzle")
    for variant in reversed(BVE_VARIANTS):
        for measure, (heading, unit) in MEASURES.items():
            heading = f"{labels[variant].label}: {heading}"
            schema[f"arxiv_{variant}_{measure}"] = Column("float64", heading, unit, ARXIV)
            schema[f"{variant}_{measure}"] = Column("float64", heading, unit)
    return schema


@table("lloyd_amos_fig4", FIG4 | PRINTED_TIMES, Rows(EXPERIMENT, random=False))
def fig4(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a row per run of ACS, ILS, DLX and BS on the sixteen named puzzles."""
    runs = _named(runs)
    runs = runs[runs["variant"].isin(PAPER_VARIANTS)]
    table = work.at(runs, LIMITS_OF).assign(work_steps=work.papers_steps(runs, LIMITS_OF))
    return beside(table.sort_values([*ON_PUZZLE, "repetition"]), ON_PUZZLE, PRINTED_TIMES)


# The last decorator enters its table first.
@table("lloyd_amos_fig7", COMPARISON, Rows(EXPERIMENT, random=True, order=5))
@table("lloyd_amos_fig6", COMPARISON, Rows(EXPERIMENT, random=True, order=4))
@table("lloyd_amos_fig5", COMPARISON, Rows(EXPERIMENT, random=True, order=3))
def systems(runs: pd.DataFrame) -> pd.DataFrame:
    """Return ACS, ILS, DLX and BS on random instances of one order."""
    return _comparison(runs, PAPER_VARIANTS)


@table("lloyd_amos_fig8", FIG8 | PRINTED_TRIVIAL | PRINTED_SIZES, Rows(EXPERIMENT, random=True))
def fig8(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the effect of the initial propagation, per order and fixed fraction.

    trivial counts the instances that propagation alone solves. fixed_after_cp (a fraction of the
    cells) and mean_value_set_size (candidates per cell) are means over the instances. An instance
    counts once, however many runs are on it. arxiv_trivial_from is the smallest fixed fraction at
    which the paper found trivial instances of the order.
    """
    instances = runs.drop_duplicates([*POINT, "instance_id"])
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
    """Return ACS with and without best-value evaporation on random instances of all orders."""
    return _comparison(runs, BVE_VARIANTS)


@table(
    "lloyd_amos_table1",
    TABLE1,
    Rows(EXPERIMENT, random=False),
    heading="Table 1",
    caption="Success and mean time of the solved runs on the sixteen named 9 × 9 puzzles. Runs end "
    "after the paper's work (in the paper: 5 s), other variants at the limit in the table. Tinted: "
    "ACS without and with best-value evaporation in the preprint, 100 runs each. The puzzle "
    "sabuncu3 has 27 solutions.",
)
def table1(runs: pd.DataFrame) -> pd.DataFrame:
    """Return success and times of all variants on the sixteen named puzzles."""
    table = summary.summarise_at_work(_named(runs), ON_PUZZLE, LIMITS_OF)
    table = summary.to_percent(beside(table, ON_PUZZLE, PRINTED))
    return table.assign(
        mean_time_ms=1000 * table["mean_time_solved_s"],
        median_time_ms=1000 * table["median_time_s"],
        arxiv_success_percent=100 * table["arxiv_success_rate"],
        arxiv_mean_time_ms=1000 * table["arxiv_mean_time_s"],
    )


@table(
    "lloyd_amos_table1_form",
    _of_form(),
    Rows(EXPERIMENT, random=False),
    heading="Table 1 in the form of the paper",
    caption="Success and mean time of the solved runs on the sixteen named 9 × 9 puzzles: those of "
    "the preprint (tinted), and ours at the paper's work. The seconds are of different machines.",
)
def table1_form(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a row per puzzle, with printed and our numbers of ACS without and with BVE."""
    rows = table1(runs).set_index(ON_PUZZLE)
    form = {
        f"{start}{variant}_{measure}": rows.xs(variant, level="variant")[f"{start}{measure}"]
        for variant in rows.index.unique("variant").intersection(BVE_VARIANTS)
        for measure in MEASURES
        for start in ("arxiv_", "")
    }
    return pd.DataFrame(form, index=rows.index.unique("puzzle")).reset_index()


def _comparison(runs, variants):
    """Return variants side by side on random instances, beside printed numbers."""
    runs = runs[runs["variant"].isin(variants)]
    return beside(summary.summarise_at_work(runs, GROUP_KEY, LIMITS_OF), GROUP_KEY, PRINTED)


def _named(runs):
    """Return the runs on the sixteen named puzzles."""
    puzzles = papers.get(EXPERIMENT).puzzles
    runs = runs[runs["instance_id"].isin(puzzles)]
    return runs.assign(puzzle=in_order(runs["instance_id"], puzzles))

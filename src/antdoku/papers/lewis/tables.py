"""Tables of Lewis 2007: simulated annealing (SA), alone and after constraint propagation (CP+SA).

Printed numbers are in columns `published_*`: numbers of Table 1 in the hybrid paper (Hybrid
Metaheuristics, LNCS 4771), and for `fig3` success rates of SA read off figures of the article in
J. Heuristics 13. Every system runs with the schedule of its paper, and its runs end at the work of
that paper (`tables.work`): SA of the journal article (`JOURNAL_SA`), and SA and CP+SA of the hybrid
paper (`ALONE`, `HYBRID`).
"""

import pandas as pd

from antdoku.columns import Column, columns, printed
from antdoku.papers import published
from antdoku.tables import Rows, summary, table
from antdoku.tables.summary import AT_WORK, GROUP_KEY, POINT, SUMMARY, beside

EXPERIMENT = "lewis"
JOURNAL_SA, ALONE, HYBRID = "sa", "sa_hybrid", "cp_sa"
JOURNAL, HYBRID_PAPER = "lewis_journal", "lewis_hybrid"
# The puzzles of Table 1 cannot be shipped. Our families with similar puzzles, by its rows.
COUNTERPARTS = {
    (3, "LA Times gentle"): "lewis_t1_gentle",
    (3, "LA Times tough"): "lewis_t1_tough",
    (3, "LA Times diabolical"): "lewis_t1_diabolical",
    (3, "17-clue (Royle)"): "seventeen_clue",
    (4, "menneske easy"): "lewis_t1_order4_easy",
    (4, "menneske hard"): "lewis_t1_order4_hard",
    (4, "menneske superhard"): "lewis_t1_order4_superhard",
    (5, "menneske easy"): "lewis_t1_order5_easy",
    (5, "menneske hard"): "lewis_t1_order5_hard",
}
PRINTED_RATES = {"published_success_rate": printed(JOURNAL, "success", "success rate", "share")}
PRINTED_TABLE1 = {
    "published_success_rate": printed(HYBRID_PAPER, "success", "success rate", "share"),
    "published_mean_time_s": printed(HYBRID_PAPER, "mean_time", "mean time", "s"),
}

FIG2 = columns(*POINT, "n_instances", "fixed_after_cp") | {
    "given_fraction": Column("float64", "given", "share"),
    "fixed_after_cp_min": Column("float64", "least fixed after propagation", "share"),
    "fixed_after_cp_max": Column("float64", "most fixed after propagation", "share"),
}
FIG3 = columns(*GROUP_KEY, *SUMMARY, *AT_WORK) | PRINTED_RATES
TABLE1 = {
    **columns("order"),
    "published_puzzles": Column("str", "puzzles", "", HYBRID_PAPER),
    **columns("family"),
    "published_fixed_fraction": Column("float64", "fixed", "share", HYBRID_PAPER),
    **columns("fixed_fraction"),
    "published_fixed_after_cp": Column("float64", "fixed after propagation", "share", HYBRID_PAPER),
    **columns("fixed_after_cp", "variant", *SUMMARY, *AT_WORK),
    **PRINTED_TABLE1,
}


@table("lewis_fig2", FIG2, Rows(EXPERIMENT, random=True))
def fig2(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the fraction of the cells that is fixed after propagation, per order and fraction.

    Mean, least and greatest over the instances, and the mean fraction of cells that are given. An
    instance counts once, however many runs it has.
    """
    instances = runs.drop_duplicates([*POINT, "instance_id"])
    return instances.groupby(POINT, as_index=False).agg(
        n_instances=("fixed_after_cp", "size"),
        given_fraction=("given_fraction", "mean"),
        fixed_after_cp=("fixed_after_cp", "mean"),
        fixed_after_cp_min=("fixed_after_cp", "min"),
        fixed_after_cp_max=("fixed_after_cp", "max"),
    )


@table("lewis_fig3", FIG3, Rows(EXPERIMENT, random=True))
def fig3(runs: pd.DataFrame) -> pd.DataFrame:
    """Return SA of both papers and CP+SA on random instances, beside the journal's rates."""
    systems = {JOURNAL: runs[runs["variant"] == JOURNAL_SA], HYBRID_PAPER: _pair(runs)}
    tables = [summary.summarise_at_work(rows, GROUP_KEY, name) for name, rows in systems.items()]
    table = pd.concat(tables).sort_values(GROUP_KEY)
    return beside(table, GROUP_KEY, PRINTED_RATES)


@table(
    "lewis_table1",
    TABLE1,
    Rows(EXPERIMENT, random=False),
    heading="Table 1",
    caption="SA and CP+SA up to the paper's work (in the paper: 2, 40 and 450 s). The paper's "
    "puzzles cannot be shipped. For each printed row there are puzzles of our own with as many "
    "givens and as many cells fixed by propagation. Puzzles with 17 clues are a sample of the "
    "published list.",
)
def table1(runs: pd.DataFrame) -> pd.DataFrame:
    """Return SA and CP+SA on each family of given puzzles.

    Rows are in the order of the printed table; families that are not in `COUNTERPARTS` come last.
    Fixed fractions, before and after propagation, are means over the instances of a family.
    """
    runs, keys = _pair(runs), ["order", "family"]
    fractions = ["fixed_fraction", "fixed_after_cp"]
    instances = runs.drop_duplicates([*keys, "instance_id"])
    means = instances.groupby(keys)[fractions].mean()
    table = summary.summarise_at_work(runs, [*keys, "variant"], HYBRID_PAPER)
    table = table.join(means, on=keys).merge(_counterparts(), on=keys, how="left")
    ours = {JOURNAL_SA: ALONE, HYBRID: HYBRID}
    table = table.sort_values(["order", "place", "family", "variant"])
    table = beside(table, ["order", "puzzle", "variant"], PRINTED_TABLE1, ours)
    return table.rename(columns={"puzzle": "published_puzzles"})


def _counterparts():
    """Return the rows of the printed table: our family, printed fractions, place in the table."""
    rows = published.values(HYBRID_PAPER, "fixed_after_cp").drop(columns="variant")
    names = {
        "instance": "puzzle",
        "fixed_fraction": "published_fixed_fraction",
        "value": "published_fixed_after_cp",
    }
    families = [COUNTERPARTS[row] for row in zip(rows["order"], rows["instance"])]
    return rows.rename(columns=names).assign(family=families, place=rows.index)


def _pair(runs):
    return runs[runs["variant"].isin((ALONE, HYBRID))]

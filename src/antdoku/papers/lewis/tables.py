"""Tables of Lewis 2007: simulated annealing (SA), alone and after constraint propagation (CP+SA).

Published numbers stand in columns that start with `published_`: those of Table 1 in the hybrid
paper (Hybrid Metaheuristics, LNCS 4771), and for `fig3` success rates of SA read off figures of the
article in J. Heuristics 13. Every system runs with the schedule of its paper and is read at the
work of that paper (`tables.work`): SA of the journal article (`JOURNAL_SA`), and SA and CP+SA of
the hybrid paper (`ALONE`, `HYBRID`).
"""

import pandas as pd

from antdoku.papers import published
from antdoku.tables import Rows, summary, table
from antdoku.tables.summary import AT_WORK, GROUP_KEY, POINT, SUMMARY, beside, columns, sort

EXPERIMENT = "lewis"
JOURNAL_SA, ALONE, HYBRID = "sa", "sa_hybrid", "cp_sa"
JOURNAL, HYBRID_PAPER = "lewis_journal", "lewis_hybrid"
# Families of puzzles like those of a row of Table 1, which cannot be shipped, by the row.
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
PRINTED_RATES = {"published_success_rate": (JOURNAL, "success")}

FIG2 = columns(*POINT, "n_instances", "fixed_after_cp", "fixed_after_cp_min", "fixed_after_cp_max")
FIG3 = columns(*GROUP_KEY, *SUMMARY, *AT_WORK, *PRINTED_RATES)
TABLE1 = columns(
    *("order", "published_puzzles", "family", "published_fixed_fraction", "fixed_fraction"),
    *("published_fixed_after_cp", "fixed_after_cp", "variant"),
    *SUMMARY,
    *AT_WORK,
    *("published_success_rate", "published_mean_time_s"),
)


@table("lewis_fig2", FIG2, Rows(EXPERIMENT, random=True))
def fig2(runs: pd.DataFrame) -> pd.DataFrame:
    """Fraction of the cells that are fixed after propagation, per order and fixed fraction.

    Mean, least and greatest over the instances, which count once, however many runs are on them.
    """
    instances = summary.instances(runs, POINT)
    return instances.groupby(POINT, as_index=False).agg(
        n_instances=("fixed_after_cp", "size"),
        fixed_after_cp=("fixed_after_cp", "mean"),
        fixed_after_cp_min=("fixed_after_cp", "min"),
        fixed_after_cp_max=("fixed_after_cp", "max"),
    )


@table("lewis_fig3", FIG3, Rows(EXPERIMENT, random=True))
def fig3(runs: pd.DataFrame) -> pd.DataFrame:
    """SA of both papers and CP+SA on the random instances, beside the journal's rates."""
    systems = {JOURNAL: runs[runs["variant"] == JOURNAL_SA], HYBRID_PAPER: _pair(runs)}
    tables = [summary.summarise_at_work(each, GROUP_KEY, name) for name, each in systems.items()]
    table = sort(pd.concat(tables, ignore_index=True), GROUP_KEY)
    return beside(table, GROUP_KEY, PRINTED_RATES)


@table("lewis_table1", TABLE1, Rows(EXPERIMENT, random=False))
def table1(runs: pd.DataFrame) -> pd.DataFrame:
    """SA and CP+SA up to the paper's work (in the paper: 2, 40 and 450 s). The paper's puzzles
    cannot be shipped. For each printed row there are puzzles of our own with as many givens and as
    many cells fixed by propagation. Puzzles with 17 clues are a sample of the published list.

    Rows are in the order of the printed table; families that are not in `COUNTERPARTS` come last.
    Fixed fractions, before and after propagation, are means over the instances of a family.
    """
    runs, keys = _pair(runs), ["order", "family"]
    fractions = ["fixed_fraction", "fixed_after_cp"]
    means = summary.instances(runs, keys).groupby(keys)[fractions].mean()
    table = summary.summarise_at_work(runs, [*keys, "variant"], HYBRID_PAPER)
    table = table.join(means, on=keys).merge(_counterparts(), on=keys, how="left")
    printed = {
        "published_success_rate": (HYBRID_PAPER, "success"),
        "published_mean_time_s": (HYBRID_PAPER, "mean_time"),
    }
    ours = {JOURNAL_SA: ALONE, HYBRID: HYBRID}
    table = beside(table, ["order", "puzzle", "variant"], printed, ours)
    table = sort(table, ["order", "place", "family", "variant"])
    return table.rename(columns={"puzzle": "published_puzzles"})


def _counterparts():
    """Rows of the printed table, each with our family, its fractions and its place in the paper."""
    printed = published.values(HYBRID_PAPER, "fixed_after_cp").drop(columns="variant")
    names = {
        "instance": "puzzle",
        "fixed_fraction": "published_fixed_fraction",
        "value": "published_fixed_after_cp",
    }
    families = [COUNTERPARTS[row] for row in zip(printed["order"], printed["instance"])]
    return printed.rename(columns=names).assign(family=families, place=printed.index)


def _pair(runs):
    return runs[runs["variant"].isin((ALONE, HYBRID))]

"""Tables of Soto et al. 2013 (AC3-tabu) and 2014 (AC3-cuckoo), both beside a genetic algorithm.

Variants are a system and its limit in iterations: `ac3_tabu_1000`, `ga_100000`; `ac3_tabu` and `ga`
stand for the papers' unlimited runs, although limits end ours. Those with `_as_printed` at the end
have the printed rules alone, the others a rule of ours besides. The papers count 30 runs on a
puzzle, so the tables (but the first) take the first 30 of ours. Published numbers stand in columns
that start with `published_`, beside the printed rules.
"""

import numpy as np
import pandas as pd

from antdoku import papers, published
from antdoku.outcome import SOLVED
from antdoku.tables import Table, summary
from antdoku.tables.summary import ON_PUZZLE, PERCENT, beside, columns, typed

EXPERIMENT = "soto"
N_RUNS = 30  # as in the papers: runs on a puzzle, and solved runs that Table 1 of 2013 waits for
AS_PRINTED = "_as_printed"
TRIES_VARIANTS = ("ac3_tabu_1000",)  # with and without that ending, as those below
VARIANTS_2013 = ("ac3_tabu_100000", "ac3_tabu", "ga_100000", "ga")
TIMED_VARIANTS = (*TRIES_VARIANTS, *VARIANTS_2013)
VARIANTS_2014 = (*VARIANTS_2013, "ac3_cuckoo_100000", "ac3_cuckoo")
PUZZLES_2014 = ("hard_a", "hard_b", "hard_c")
TIMES = ("min", "mean", "max")
OUR_TIMES = tuple(f"{name}_time_s" for name in TIMES)
PUBLISHED_TIMES = tuple(f"published_{name}" for name in OUR_TIMES)

ROW = columns(
    *ON_PUZZLE,
    *("label", "n", "solved", *PERCENT),
    *(*OUR_TIMES, "limit_s", "limit_steps"),
)
TABLE1_2013 = columns(
    *ROW,
    *("tries_for_30_solved", "published_tries_for_30_solved"),
    *PUBLISHED_TIMES,
)
FIG4_2013 = columns(
    *(*ON_PUZZLE, "label", "n", "solved", *OUR_TIMES, *PUBLISHED_TIMES, "limit_s", "limit_steps"),
)
TABLE2_2013 = columns(*ROW, "published_solved_of_30")
TABLES_2014 = columns(*ROW, "published_success_percent")


def table1_2013(runs: pd.DataFrame) -> pd.DataFrame:
    """Tries that AC3-tabu with 1000 iterations needs until 30 of them have solved the puzzle.

    Returns
    -------
    DataFrame
        Columns `TABLE1_2013`. n and solved count all runs; tries_for_30_solved counts them in order
        until the thirtieth that solved, or is ``> n``; the times are those of (at most) 30 solved
        runs.
    """
    runs = _runs(runs, TRIES_VARIANTS)
    table = _rows(runs)
    tries = table.join(_tries(runs), on=ON_PUZZLE)["tries"]
    table["tries_for_30_solved"] = [
        f"> {n}" if np.isnan(number) else f"{number:.0f}" for number, n in zip(tries, table["n"])
    ]
    metric = "tries_for_30_solved"
    table = _beside(table, "soto_2013", metric, f"published_{metric}")
    return typed(_beside_times(table), TABLE1_2013)


def fig4_2013(runs: pd.DataFrame) -> pd.DataFrame:
    """Least, mean and greatest time of AC3-tabu and of the genetic algorithm on each puzzle.

    Returns
    -------
    DataFrame
        Columns `FIG4_2013`. n and solved count all runs; the times are those of (at most) 30 solved
        runs. The paper prints those of AC3-tabu with 1000 iterations (its Table 1).
    """
    return typed(_beside_times(_rows(_runs(runs, TIMED_VARIANTS))), FIG4_2013)


def table2_2013(runs: pd.DataFrame) -> pd.DataFrame:
    """Solved of 30 runs: AC3-tabu and the genetic algorithm, 100,000 iterations and unlimited.

    Returns
    -------
    DataFrame
        Columns `TABLE2_2013`; of fewer than 30 runs, all. limit_s and limit_steps are ours, of the
        unlimited runs, too.
    """
    table = _rows(_first(_runs(runs, VARIANTS_2013)))
    table = _beside(table, "soto_2013", "solved_of_30", "published_solved_of_30")
    return typed(table, TABLE2_2013)


def tables_2014(runs: pd.DataFrame) -> pd.DataFrame:
    """AC3-tabu, AC3-cuckoo and the genetic algorithm on the three hard puzzles.

    Returns
    -------
    DataFrame
        Columns `TABLES_2014`: the paper's Tables I (puzzle hard_a), II (hard_b) and III (hard_c).
    """
    runs = _runs(runs, VARIANTS_2014)
    table = _rows(_first(runs[runs["puzzle"].isin(PUZZLES_2014)]))
    table = _beside(table, "soto_2014", "success", "published_success_rate")
    return typed(summary.to_percent(table), TABLES_2014)


def _runs(runs, variants):
    runs = summary.of_given_puzzles(runs, EXPERIMENT)
    runs = runs.assign(puzzle=runs["instance_id"].map(papers.get(EXPERIMENT).puzzles))
    names = runs["variant"].str.removesuffix(AS_PRINTED)
    return runs[runs["puzzle"].notna() & names.isin(variants)]


def _beside(table, source, metric, column):
    """The table with a column of published numbers, in the rows of the printed rules."""
    values = published.values(source, metric)
    values = values.assign(variant=values["variant"] + AS_PRINTED)
    return beside(table, values, column, ON_PUZZLE)


def _beside_times(table):
    for name, column in zip(TIMES, PUBLISHED_TIMES, strict=True):
        table = _beside(table, "soto_2013", f"{name}_time", column)
    return table


def _rows(runs):
    """`ROW` for each puzzle and variant, with the times of the first 30 solved runs."""
    solved = _first(runs[runs["status"] == SOLVED])
    times = solved.groupby(ON_PUZZLE)["cpu_s"].agg(list(TIMES)).rename(columns="{}_time_s".format)
    table = summary.to_percent(summary.summarise(runs, ON_PUZZLE))
    return table.join(times, on=ON_PUZZLE)


def _first(runs):
    """The first 30 runs of each variant on each puzzle."""
    return runs.sort_values("repetition").groupby(ON_PUZZLE).head(N_RUNS)


def _tries(runs):
    """Number of the run, from 1, that solves for the 30th time; none where there are fewer."""
    runs = runs.sort_values("repetition")
    runs = runs.assign(solved=runs["status"] == SOLVED)
    groups = runs.groupby(ON_PUZZLE)
    runs = runs.assign(tries=groups.cumcount() + 1, found=groups["solved"].cumsum())
    return runs[runs["found"] == N_RUNS].groupby(ON_PUZZLE)["tries"].min()


TABLES = {
    "soto_2013_table1": Table(table1_2013, TABLE1_2013),
    "soto_2013_table2": Table(table2_2013, TABLE2_2013),
    "soto_2013_fig4": Table(fig4_2013, FIG4_2013),
    "soto_2014_tables1_3": Table(tables_2014, TABLES_2014),
}

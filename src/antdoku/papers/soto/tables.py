"""Tables of Soto et al. 2013 (AC3-tabu) and 2014 (AC3-cuckoo), both beside a genetic algorithm.

A variant is a system under one reading of the paper, with a limit in iterations (`VARIANTS`). Runs
that are unlimited in the papers end at a limit here. The papers count 30 runs on a puzzle: n
and solved count the first 30 runs, or all runs where a docstring says so. Times are means over the
first 30 solved runs. Printed numbers are in columns `published_*`, beside the main reading.
"""

import pandas as pd

from antdoku import papers
from antdoku.columns import Column, columns, printed
from antdoku.outcome import SOLVED
from antdoku.tables import Rows, summary, table
from antdoku.tables.summary import ON_PUZZLE, PERCENT, beside, in_order

EXPERIMENT = "soto"
GIVEN = Rows(EXPERIMENT, random=False)
N_RUNS = 30  # as in the papers: runs on a puzzle, and solved runs that Table 1 of 2013 waits for
UNLIMITED = 0  # iterations in the paper
MAIN, PRINTED, CONSTRUCTION, OURS = "main", "as printed", "construction", "rule of ours"
VARIANTS = {  # system, iterations in the paper, and the reading
    "ac3_tabu_1000_cell": ("ac3_tabu", 1000, MAIN),
    "ac3_tabu_1000_as_printed": ("ac3_tabu", 1000, PRINTED),
    "ac3_tabu_1000_construction": ("ac3_tabu", 1000, CONSTRUCTION),
    "ac3_tabu_1000": ("ac3_tabu", 1000, OURS),
    "ac3_tabu_100000_cell": ("ac3_tabu", 100_000, MAIN),
    "ac3_tabu_100000_as_printed": ("ac3_tabu", 100_000, PRINTED),
    "ac3_tabu_100000_construction": ("ac3_tabu", 100_000, CONSTRUCTION),
    "ac3_tabu_100000": ("ac3_tabu", 100_000, OURS),
    "ac3_tabu_cell": ("ac3_tabu", UNLIMITED, MAIN),
    "ac3_tabu_as_printed": ("ac3_tabu", UNLIMITED, PRINTED),
    "ac3_tabu_construction": ("ac3_tabu", UNLIMITED, CONSTRUCTION),
    "ac3_tabu": ("ac3_tabu", UNLIMITED, OURS),
    "ga_100000_as_printed": ("ga", 100_000, MAIN),
    "ga_100000": ("ga", 100_000, OURS),
    "ga_as_printed": ("ga", UNLIMITED, MAIN),
    "ga": ("ga", UNLIMITED, OURS),
    "ac3_cuckoo_100000_as_printed": ("ac3_cuckoo", 100_000, MAIN),
    "ac3_cuckoo_100000": ("ac3_cuckoo", 100_000, OURS),
    "ac3_cuckoo_as_printed": ("ac3_cuckoo", UNLIMITED, MAIN),
    "ac3_cuckoo": ("ac3_cuckoo", UNLIMITED, OURS),
}
READ = {
    "system": Column("str", "system"),
    "iterations": Column("int64", "iterations in the paper"),
    "reading": Column("str", "reading"),
}
SYSTEMS_2013 = ("ac3_tabu", "ga")
PUZZLES_2014 = ("hard_a", "hard_b", "hard_c")
TIMES = ("min", "mean", "max")
PAPER_2013, PAPER_2014 = "soto_2013", "soto_2014"
PRINTED_TIMES = {
    "published_min_time_s": printed(PAPER_2013, "min_time", "shortest time", "s"),
    "published_mean_time_s": printed(PAPER_2013, "mean_time", "mean time", "s"),
    "published_max_time_s": printed(PAPER_2013, "max_time", "longest time", "s"),
}
TRIES = "tries_for_30_solved"
PRINTED_TRIES = {f"published_{TRIES}": printed(PAPER_2013, TRIES, "tries")}
PRINTED_SOLVED = {"published_solved_of_30": printed(PAPER_2013, "solved_of_30", "solved of 30")}
PRINTED_2014 = {"published_success_rate": printed(PAPER_2014, "success", "success rate", "share")}

OUR_TIMES = tuple(f"{name}_time_s" for name in TIMES)
LIMITS = ("limit_s", "limit_steps")
ROW = READ | columns(*ON_PUZZLE, "label", "n", "solved", *PERCENT, *OUR_TIMES, *LIMITS)
TABLE1_2013 = ROW | {TRIES: Column("str", "tries for 30 solved")} | PRINTED_TRIES | PRINTED_TIMES
FIG4_2013 = READ | columns(*ON_PUZZLE, "label", "n", "solved", *OUR_TIMES) | PRINTED_TIMES
FIG4_2013 |= columns(*LIMITS)
TABLE2_2013 = ROW | PRINTED_SOLVED
TABLES_2014 = ROW | {"published_success_percent": Column("float64", "success", "%", PAPER_2014)}


@table(
    "soto_2013_table1",
    TABLE1_2013,
    GIVEN,
    heading="Table 1",
    group=PAPER_2013,
    caption="AC3-tabu with 1000 iterations: tries until 30 runs have solved the puzzle (``> n``: "
    "fewer than 30 of n did), and times of these 30 runs, under each reading of an iteration. "
    "Published without Hard c.",
)
def table1_2013(runs: pd.DataFrame) -> pd.DataFrame:
    """Return tries and times of AC3-tabu with 1000 iterations on each puzzle."""
    runs = _runs(runs, SYSTEMS_2013[:1], [1000])
    numbered = runs.assign(tries=runs.groupby(ON_PUZZLE).cumcount() + 1)
    last = numbered[numbered["status"] == SOLVED].groupby(ON_PUZZLE).nth(N_RUNS - 1)
    table = _rows(runs).join(last.set_index(ON_PUZZLE)["tries"], on=ON_PUZZLE)
    tries = table["tries"].map("{:.0f}".format, na_action="ignore").astype("str")
    table[TRIES] = tries.fillna("> " + table["n"].astype("str"))
    return _beside(table, PRINTED_TRIES | PRINTED_TIMES)


@table("soto_2013_table2", TABLE2_2013, GIVEN, group=PAPER_2013)
def table2_2013(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the solved of 30 runs of AC3-tabu and the genetic algorithm on each puzzle.

    With 100,000 iterations, and without a limit in the paper; limit_s and limit_steps are ours.
    """
    return _beside(_rows(_first(_runs(runs, SYSTEMS_2013, [100_000, UNLIMITED]))), PRINTED_SOLVED)


@table("soto_2013_fig4", FIG4_2013, GIVEN, group=PAPER_2013)
def fig4_2013(runs: pd.DataFrame) -> pd.DataFrame:
    """Return least, mean and greatest time of AC3-tabu and the genetic algorithm on each puzzle.

    n and solved count all runs. The paper prints the times of AC3-tabu with 1000 iterations (its
    Table 1).
    """
    return _beside(_rows(_runs(runs, SYSTEMS_2013, [1000, 100_000, UNLIMITED])), PRINTED_TIMES)


@table(
    "soto_2014_tables1_3",
    TABLES_2014,
    GIVEN,
    heading="Tables 1–3",
    group=PAPER_2014,
    caption="AC3-tabu, AC3-cuckoo and the GA on Hard a, b and c: success in the first 30 runs, and "
    "times of the solved runs. Runs without a limit in the paper (iterations 0) end at a limit of "
    "ours, in steps or in seconds.",
)
def tables_2014(runs: pd.DataFrame) -> pd.DataFrame:
    """Return success and times of AC3-tabu, AC3-cuckoo and the GA on Hard a, b and c."""
    runs = _runs(runs, (*SYSTEMS_2013, "ac3_cuckoo"), [100_000, UNLIMITED])
    table = _rows(_first(runs[runs["puzzle"].isin(PUZZLES_2014)]))
    table = summary.to_percent(_beside(table, PRINTED_2014))
    return table.assign(published_success_percent=100 * table["published_success_rate"])


def _runs(runs, systems, iterations):
    """Return the runs of some systems with these limits, with the columns of `READ`."""
    paper = papers.get(EXPERIMENT)
    runs = _read(runs).assign(
        variant=in_order(runs["variant"], paper.variants),
        puzzle=in_order(runs["instance_id"].map(paper.puzzles), paper.puzzles.values()),
    )
    is_chosen = runs["system"].isin(systems) & runs["iterations"].isin(iterations)
    return runs[runs["puzzle"].notna() & is_chosen].sort_values("repetition")


def _read(rows):
    """Return rows with the columns of `READ`, by their variants."""
    read = pd.DataFrame.from_dict(VARIANTS, orient="index", columns=[*READ])
    return rows.join(read, on="variant")


def _first(runs):
    """Return the first 30 runs of each variant on each puzzle."""
    return runs.groupby(ON_PUZZLE).head(N_RUNS)


def _rows(runs):
    """Return `ROW` for each puzzle and variant."""
    solved = _first(runs[runs["status"] == SOLVED])
    times = solved.groupby(ON_PUZZLE)["cpu_s"].agg(list(TIMES)).rename(columns="{}_time_s".format)
    table = summary.to_percent(summary.summarise(runs, ON_PUZZLE))
    return table.join(times, on=ON_PUZZLE)


def _beside(table, printed):
    """Return the table with published numbers in the rows of the main reading."""
    return _read(beside(table, ON_PUZZLE, printed, _main_variant))


def _main_variant(name):
    """Return the variant of the main reading for a system and its limit in print."""
    system, iterations, _ = VARIANTS[name]
    return next(variant for variant, row in VARIANTS.items() if row == (system, iterations, MAIN))

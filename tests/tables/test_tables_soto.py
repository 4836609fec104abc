"""Tables of Soto et al. 2013 and 2014 against answers computed by hand on a few rows."""

from runs_by_hand import NAN, check, runs_of

from antdoku import tables
from antdoku.outcome import SOLVED, TIMEOUT

HARD_A, HARD_B, EASY_A, MEDIUM_C = "mk_s12a", "mk_s12b", "mk_s10a", "mk_s11c"


def runs(variant, solved, puzzle=HARD_A, **row):
    """Runs of a variant on one puzzle: whether each solved; run i takes i + 1 seconds."""
    fixed = {"experiment": "soto", "family": "soto", "order": 3, "fixed_fraction": 0.3}
    limits = {"limit_s": 10.0} if variant.startswith(("ga_as", "ac3_tabu_as")) else {}
    limits |= {"limit_steps": 1000} if "000" in variant else {}
    return [
        fixed
        | {"instance_id": puzzle, "variant": variant, "repetition": repetition}
        | {"status": SOLVED if done else TIMEOUT, "cpu_s": repetition + 1.0}
        | limits
        | row
        for repetition, done in enumerate(solved)
    ]


def table_of(name, *groups):
    """Table of groups of runs, given last first: the order of the rows must not matter."""
    return tables.make(name, runs_of(*[run for group in groups for run in group[::-1]]))


def test_table1_counts_tries_until_thirty_are_solved():
    printed = "ac3_tabu_1000_as_printed"
    table = table_of("soto_2013_table1", runs(printed, [False, True, True] + [True] * 40))
    check(table, puzzle=["hard_a"], n=43, solved=42, tries_for_30_solved="31")
    check(table, min_time_s=2, max_time_s=31, mean_time_s=(2 + 31) / 2)
    check(table, published_tries_for_30_solved=35, published_min_time_s=2.608)
    check(table, published_mean_time_s=88.55, published_max_time_s=259.61)


def test_table2_counts_the_first_thirty_runs():
    table = table_of(
        "soto_2013_table2",
        runs("ga_as_printed", [True] * 12 + [False] * 30 + [True] * 18),
        runs("ga", [True] * 3),
        runs("ga_100000_as_printed", [False, True, False]),
        runs("ac3_tabu_as_printed", [True] * 30, MEDIUM_C),
        runs("ac3_cuckoo_as_printed", [True]),
    )
    variants = ["ac3_tabu_as_printed", "ga_100000_as_printed", "ga_as_printed", "ga"]
    check(table, puzzle=["medium_c", "hard_a", "hard_a", "hard_a"], variant=variants)
    check(table, n=[30, 3, 30, 3], solved=[30, 1, 12, 3], published_solved_of_30=[NAN, 2, 30, NAN])
    check(table, limit_s=[10, 12, 10, 12], limit_steps=[-1, 1000, -1, -1])

"""Tables of Lewis 2007 against answers computed by hand on a few rows."""

from runs_by_hand import check, runs_of

from antdoku import tables
from antdoku.outcome import SOLVED, TIMEOUT

POINT = {"experiment": "lewis", "family": "order4-p040", "order": 4, "fixed_fraction": 0.40}
LIMIT_S = 40.0


def runs(variant, times, instance="order4-p040-000", **row):
    """Runs of a variant on one instance: their times, None for a failure."""
    return [
        POINT
        | {"instance_id": instance, "variant": variant, "repetition": repetition}
        | {"status": TIMEOUT if time is None else SOLVED, "limit_s": LIMIT_S}
        | {"cpu_s": LIMIT_S + 0.3 if time is None else time}
        | row
        for repetition, time in enumerate(times)
    ]


def puzzles(family, order, fixed_fraction, times=(1.0,), variants=("sa_hybrid", "cp_sa"), **row):
    """Runs on an instance of a family of given puzzles."""
    given = {"family": family, "order": order, "fixed_fraction": fixed_fraction} | row
    return [
        run
        for variant in variants
        for run in runs(variant, times, f"{family}-{fixed_fraction}", **given)
    ]


def table_of(name, *groups):
    return tables.make(f"lewis_{name}", runs_of(*(run for group in groups for run in group)))


def test_each_paper_of_lewis_has_its_own_work():
    """At 16x16: 15.5 million swaps in the hybrid paper, 11.6 million in the journal."""
    known = {"solver": "sa", "limit_steps": 30 * 10**6, "steps": 12 * 10**6}
    late = runs("sa", [12.0], **known)
    given = puzzles("lewis_t1_order4_easy", 4, 0.4, [12.0], ["sa_hybrid"], **known)
    fig3, table1 = (table_of(name, late, given) for name in ("fig3", "table1"))
    check(fig3, solved=[0], limit_steps=11_600_000, work_factor=1.3)
    check(fig3, rate_at_less=0.0, rate_at_more=1.0)
    check(table1, solved=[1], work_steps=15_500_000)


FAMILIES = [
    puzzles("lewis_t1_order4_superhard", 4, 125 / 256, fixed_after_cp=0.7),
    puzzles("lewis_t1_order4_easy", 4, 102 / 256, fixed_after_cp=0.5),
    puzzles("lewis_t1_order4_hard", 4, 102 / 256, fixed_after_cp=0.5),
    puzzles("mine", 4, 102 / 256, fixed_after_cp=0.5),
    puzzles("seventeen_clue", 3, 17 / 81, [2.0, None], fixed_after_cp=0.3),
    puzzles("lewis_t1_gentle", 3, 27 / 81, fixed_after_cp=0.6),
    puzzles("lewis_t1_gentle", 3, 28 / 81, fixed_after_cp=0.8),
    puzzles("lewis_t1_order5_hard", 5, 0.45),
]


def test_table1_by_hand():
    table = table_of("table1", *FAMILIES)
    check(table[:1], n_instances=[2], n=2, solved=2, fixed_fraction=27.5 / 81)
    check(table[:1], published_fixed_fraction=0.34, fixed_after_cp=0.7)
    clues = table[(table["family"] == "seventeen_clue") & (table["variant"] == "cp_sa")]
    check(clues, success_rate=[0.5], published_success_rate=0.16, published_mean_time_s=0.64)
    check(clues, mean_time_solved_s=2, mean_time_all_s=(2 + LIMIT_S + 0.3) / 2)
    check(clues, par2_s=(2 + 2 * LIMIT_S) / 2)

"""Tables of the frontier, by hand: medians with failures, peaks, published numbers."""

import pytest
from runs_by_hand import NAN, check, runs_of

from antdoku import tables
from antdoku.outcome import TIMEOUT


def point(order, percent, steps, variant="tabu_col", **row):
    """Runs on the instances of a point that take so many steps; negative ones are not solved."""
    name = f"order{order}-p{percent:03d}"
    known = {"experiment": "frontier", "family": name, "order": order, "variant": variant}
    known |= {"solver": variant, "label": variant, "fixed_fraction": percent / 100}
    return [
        known
        | {"instance_id": f"{name}-{number:03d}", "steps": abs(count), "cpu_s": abs(count) / 100}
        | ({"status": TIMEOUT} if count < 0 else {})
        | row
        for number, count in enumerate(steps)
    ]


def made(name, *points):
    return tables.make(f"frontier_{name}", runs_of(*(row for rows in points for row in rows)))


@pytest.mark.parametrize(
    ("steps", "median", "least"),
    [
        ([10, 30, 50], 30, 30),
        ([10, 30, 50, -70], 40, 40),
        ([10, -70, -70], NAN, 70),
        ([10, 30, -70, -70], NAN, 50),  # half of them: between 30 and infinity
        ([0, 0, 0], 0, 0),
    ],
)
def test_a_run_that_is_not_solved_takes_infinitely_many_steps(steps, median, least):
    table = made("phase_transition", point(6, 50, steps))
    check(table, median_steps=[median], least_median_steps=least)
    check(table, n=len(steps), solved=sum(count >= 0 for count in steps))


def test_the_peak_has_the_greatest_median_then_the_fewest_solved_or_is_not_known():
    easy, hard = point(6, 40, [5, 6, 7]), point(6, 45, [1, 90, 91])
    check(made("growth", easy, hard), fixed_fraction=[0.45], median_steps=90, n_cells=1296)
    some, few = point(6, 50, [1, 2, -99, -99]), point(6, 55, [1, -50, -50, -50])
    table = made("growth", easy, hard, some, few)
    check(table, fixed_fraction=[0.55], solved=1, median_steps=NAN, least_median_steps=50)
    once, some = point(7, 50, [-9, -9]), point(7, 40, [5, 5])
    check(made("growth", once, some), fixed_fraction=[0.5], solved=0, least_median_steps=9)
    table = made("growth", once, some, point(7, 55, [-9, -9]))
    check(table, fixed_fraction=[NAN], solved=0, median_steps=NAN, least_median_steps=NAN)

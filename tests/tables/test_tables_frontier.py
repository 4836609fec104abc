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

"""Tables of the frontier, by hand: medians with failures, peaks, published numbers."""

import pytest
from runs_by_hand import NAN, check, point, runs_of

from antdoku import tables
from antdoku.outcome import TIMEOUT


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
    """Negative steps are those of a run that does not solve."""
    rows = [
        point(0.5, number, 6, experiment="frontier", steps=abs(count))
        | ({"status": TIMEOUT} if count < 0 else {})
        for number, count in enumerate(steps)
    ]
    table = tables.make("frontier_phase_transition", runs_of(*rows))
    check(table, median_steps=[median], least_median_steps=least)
    check(table, n=len(steps), solved=sum(count >= 0 for count in steps))

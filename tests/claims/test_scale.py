"""How much of the papers' experiments was run: by hand, and of the default and the quick runs."""

import pandas as pd
import pytest
from claim_runs import NOTHING, on_puzzle, runs
from synthetic import default_runs, quick_runs

from antdoku import published
from antdoku.claims import scale

WORK = published.work("arxiv", "acs", 5)
POINTS = [round(0.05 * k, 2) for k in range(20)]


def points(n=100, fractions=POINTS, **row):
    """Runs of Lloyd & Amos at 25x25."""
    return pd.concat([runs(n, n, fixed_fraction=p, **{"limit_s": 120.0} | row) for p in fractions])


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (points(), ""),
        (points(5), "5 of 100 instances a point."),
        (points(fractions=POINTS[:5]), "5 of 20 fixed fractions."),
        (points(limit_steps=WORK.steps), ""),
        (points(limit_steps=WORK.steps // 10), "some runs end after 0.1 of the papers’ work."),
        (points(limit_s=12.0), "some runs end after 0.1 of the papers’ seconds."),
        (points(solver="cdcl", limit_s=12.0), ""),
        (points(5, experiment="generators"), ""),
        (on_puzzle(2, 2, puzzle="sabuncu1"), "2 of 100 runs on a puzzle."),
        (on_puzzle(2, 2, puzzle="mine"), ""),
        (NOTHING, ""),
    ],
)
def test_what_is_less_than_in_the_paper_is_said(table, says):
    found = scale.reduced(table)
    assert (found[:1] == [scale.LEAD]) == bool(says)
    assert len(found) == 2 * bool(says) and "".join(found).endswith(says)


def test_scales_of_the_default_the_quick_and_unlimited_runs():
    short = on_puzzle(30, 30, "ac3_tabu_as_printed", experiment="soto", limit_steps=20_000)
    assert scale.reduced(short)[1].endswith("0.13 of the papers’ work.")
    assert not scale.reduced(short.assign(limit_steps=150_000))
    assert scale.reduced(default_runs()) == []
    _, lloyd_amos, *others = scale.reduced(quick_runs())
    assert "5 of 100 instances a point, 4 of 20 fixed fractions, 3 of 100 runs on" in lloyd_amos
    assert [text.split()[0] for text in others] == ["Lewis", "Soto"]

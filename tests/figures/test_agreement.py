"""The picture of the record: the verdicts, and printed numbers against ours."""

import numpy as np
import pandas as pd
import pytest

from antdoku.claims import NOT_REPRODUCED, REPRODUCED, UNDECIDABLE, VERDICTS
from antdoku.figures import agreement, style
from antdoku.statistics import MARGIN, Rate, cohens_h

RATES = pd.DataFrame(
    [
        ("ACS solves most.", 85.0, 89.8, REPRODUCED),
        ("ILS solves few.", 10.0, 10.2, UNDECIDABLE),
        ("DLX solves all.", 100.0, 100.0, REPRODUCED),
        ("GA never solves.", 0.0, 100.0, NOT_REPRODUCED),
    ],
    columns=["claim", "printed", "measured", "verdict"],
).assign(ours=["90 %", "10 %", "100 %", "70 % (7 of 10; 100 % on Hard b)"])
TIMES = RATES.iloc[:2].assign(printed=[1.0, 10.0], measured=[1.5, 40.0])


def panels():
    fig = agreement.overview(RATES, RATES, TIMES, VERDICTS)
    bar, rates, times, names = fig.axes
    return fig, bar, rates, times, names


def dots(ax):
    """Return the places of all markers, sorted."""
    lines = [line.get_xydata() for line in ax.lines if line.get_linestyle() == "None"]
    return sorted(map(tuple, np.concatenate(lines)))


def test_a_dot_stands_at_the_printed_number_and_ours():
    _, _, rates, times, _ = panels()
    assert dots(rates) == sorted(zip(RATES["printed"], RATES["measured"]))
    assert dots(times) == sorted(zip(TIMES["printed"], TIMES["measured"]))


def test_colour_and_shape_of_a_dot_are_the_verdict():
    _, _, rates, _, _ = panels()
    (wrong,) = (line for line in rates.lines if line.get_marker() == "X")
    assert wrong.get_xydata().tolist() == [[0.0, 100.0]]
    assert wrong.get_markeredgecolor() == style.VERDICT_COLORS[VERDICTS.index(NOT_REPRODUCED)]


def test_the_bar_is_as_long_as_there_are_claims():
    _, bar, *_ = panels()
    assert [patch.get_width() for patch in bar.patches] == [2, 0, 1, 0, 1]


def test_the_edge_of_the_lens_is_the_margin():
    _, _, rates, _, _ = panels()
    (lens,) = rates.collections
    edge = lens.get_paths()[0].vertices
    inside = edge[(edge[:, 1] > 0) & (edge[:, 1] < 100) & (edge[:, 0] > 0) & (edge[:, 0] < 100)]
    distances = [
        abs(float(cohens_h([Rate(y / 100)], [Rate(x / 100)]))) for x, y in inside if x != y
    ]
    assert distances == pytest.approx([MARGIN] * len(distances)) and len(distances) > 100


def test_the_title_counts_and_the_farthest_rate_is_named_first():
    fig, _, _, times, names = panels()
    assert fig.get_suptitle().startswith("2 of 4 published statements hold; 3 of 4 success rates")
    assert "1 within a factor of 2" in times.get_title(loc="left")
    (text,) = (text.get_text() for text in names.texts)
    assert " ".join(text.split()).startswith("1 0 % → 70 % (7 of 10; 100 % on Hard b): GA")


@pytest.mark.parametrize("is_narrow", [False, True])
def test_a_list_of_long_claims_does_not_stick_out(is_narrow):
    claim = "An algorithm with a long name solves all puzzles within so many iterations."
    long = RATES.assign(claim=claim)
    draw = style.narrow(agreement.overview) if is_narrow else agreement.overview
    fig = draw(long, pd.concat([long, long], ignore_index=True), TIMES, VERDICTS)
    fig.draw_without_rendering()
    (text,) = fig.axes[-1].texts
    box = text.get_window_extent()
    assert box.y0 >= 0 and box.x1 <= fig.bbox.x1
    assert fig.axes[0].get_legend().get_window_extent().x1 <= fig.bbox.x1

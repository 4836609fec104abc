"""Every printed number is tested by a claim, or is in the list of what is not, with the reason."""

import numpy as np
import pandas as pd
import pytest

from antdoku import papers
from antdoku.claims import ledger, numbers, page, record, verdicts
from antdoku.claims.numbers import TRIVIAL, Number
from antdoku.papers import published
from antdoku.papers.lewis.tables import COUNTERPARTS

LEDGER = ledger.load()
PRINTED = set().union(*map(numbers.printed, LEDGER))
ROWS = published.results()
UNTESTED = published.untested()
# What the published table calls otherwise.
METRICS = {"solved_of_30": "success", "tries_for_30_solved": "success"}
METRICS["smallest_fixed_fraction_with_trivial_instances"] = TRIVIAL
SUFFIXES = ("_as_printed", "_hybrid", "_cell")
STAND_FOR = {"tabu_col": "sudoku_ls", "cdcl": "kissat", numbers.ANY: "cp"}
OURS = {theirs: ours for paper in papers.every().values() for ours, theirs in paper.puzzles.items()}
ROUNDING = {"success": 0.05}  # a count of 30 as percent
STEP = 0.05  # between the fixed fractions of the papers


def solver(row):
    """The variant of a row, as the ledger names it; ``ac3_tabu_1000`` has 1000 iterations."""
    is_limited = pd.notna(row.iterations) and row.iterations > 0
    return f"{row.solver}_{row.iterations}" if is_limited else row.solver


def expected(row):
    """The value of a row, in the unit of claims."""
    if row.metric == "solved_of_30":
        return 100 * row.value / 30
    if row.metric == "tries_for_30_solved":
        return 100 * 30 / row.value
    if METRICS.get(row.metric) == TRIVIAL:
        return 0  # below that fraction
    as_percent = row.metric == "success" and row.unit == "fraction"
    return 100 * row.value if as_percent else row.value * (0.001 if row.unit == "ms" else 1)


def variant(number):
    name = number.variant
    if number.metric in (TRIVIAL, "fixed_after_cp", "mean_value_set_size"):
        return "cp"
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return STAND_FOR.get(name, name)


def is_at(number, row):
    """Whether a number is about the place of a row."""
    if row.instance != published.GENERAL:
        name = COUNTERPARTS.get((row.order, row.instance)) or OURS.get(row.instance, row.instance)
        return name in number.puzzles
    if number.puzzles or row.order not in number.orders:
        return False
    if number.metric == TRIVIAL:
        return max(number.fixed_fractions) == pytest.approx(row.fixed_fraction - STEP)
    return np.isclose(row.fixed_fraction, number.fixed_fractions).any()


def is_of(number, row):
    """Whether a number is that of a row of the published table."""
    return (
        number.edition == row.edition
        and variant(number) == solver(row)
        and number.metric == METRICS.get(row.metric, row.metric)
        and is_at(number, row)
        and number.value == pytest.approx(expected(row), abs=ROUNDING.get(number.metric, 1e-12))
    )


TESTED = pd.Series([any(is_of(n, row) for n in PRINTED) for row in ROWS.itertuples()], ROWS.index)
LISTED = pd.Series(False, ROWS.index)
for untested in UNTESTED.itertuples():
    LISTED |= published.is_named(ROWS, untested)


def test_every_published_number_is_tested_or_listed():
    missing = ROWS[~TESTED & ~LISTED]
    assert missing.empty, missing.to_string()


def test_no_number_is_tested_and_listed():
    double = ROWS[TESTED & LISTED]
    assert double.empty, double.to_string()


def test_what_is_listed_says_where_what_and_why():
    assert UNTESTED[["edition", "place", "printed", "reason"]].notna().all(axis=None)
    assert {*UNTESTED["edition"]} <= {*papers.editions()}
    for row in UNTESTED.itertuples():
        names = published.is_named(ROWS, row).sum()
        assert names > 0 if pd.notna(row.item) else names == 0, row.printed
    assert not UNTESTED.duplicated(["edition", "place", "printed"]).any()


def test_claims_that_a_reason_names_are_in_the_ledger():
    known = {claim.id for claim in LEDGER}
    words = {word.strip(".,;") for reason in UNTESTED["reason"] for word in reason.split()}
    named = {word for word in words if word.startswith(("arxiv_", "lewis_", "soto_"))}
    assert named and named <= known


def test_the_page_of_a_paper_ends_with_what_is_not_tested():
    table = verdicts.typed(pd.DataFrame(columns=[*verdicts.COLUMNS]), verdicts.COLUMNS)
    text = record.of_paper("lewis_hybrid", table)
    rows = page.untested_rows("lewis_hybrid")
    assert f"Printed, and not tested ({len(rows)})" in text
    assert text.index("our puzzles are built to have it") > text.index("not tested")
    assert page.untested_rows("journal").empty
    assert "not tested" not in record.of_paper("journal", table)


# --- numbers -------------------------------------------------------------------------------------


def claim(test, runs, edition="arxiv"):
    ((name, expect),) = test.items()
    runs = {"experiment": "lloyd_amos"} | runs
    return ledger.Claim("one", edition, "here", "it works", "50 %", name, expect, runs)


ACS = {"order": 5, "fixed_fraction": [0.4, 0.45], "variant": "acs"}


def test_a_number_of_several_places_counts_at_each_unless_they_are_pooled():
    each = numbers.printed(claim({"rate": {"percent": 92}}, ACS))
    assert each == {
        Number("arxiv", "acs", "success", 92, (5,), (fraction,)) for fraction in (0.4, 0.45)
    }
    (pool,) = numbers.printed(claim({"rate": {"percent": 92, "pooled": True}}, ACS))
    assert pool.fixed_fractions == (0.4, 0.45)
    by_fraction = claim({"rate": {"percent": {0.4: 98, 0.45: 85}}}, ACS)
    assert {number.value for number in numbers.printed(by_fraction)} == {98, 85}
    (trivial,) = numbers.printed(claim({"rate": {"percent": 0, "by": "instances"}}, ACS))
    assert trivial.metric == TRIVIAL and trivial.fixed_fractions == (0.4, 0.45)


def test_puzzles_have_a_number_each_and_a_row_has_rate_and_time():
    runs = {"instance_id": ["a", "b"], "variant": "acs"}
    times = claim({"puzzle_times": {"times": {"a": 1.0, "b": 2.0}, "runs": 9, "factor": 2}}, runs)
    assert {(n.puzzles, n.value) for n in numbers.printed(times)} == {(("a",), 1.0), (("b",), 2.0)}
    row = {"percent": 50, "of": 9, "seconds": 3.0, "step_s": 1.0, "factor": 2}
    both = numbers.printed(claim({"mean_time": row}, {**runs, "instance_id": "a"}))
    assert {(n.metric, n.value) for n in both} == {("success", 50), ("mean_time", 3.0)}
    spread = {"mean_time": {"seconds": 7.5, "of": 4, "spread": True}}
    (deviation,) = numbers.printed(claim(spread, {"family": "c", "variant": "acs"}))
    assert (deviation.metric, deviation.puzzles) == ("sd_time", ("c",))


def test_orders_and_directions_have_no_numbers_of_their_own():
    two = {**ACS, "variant": ["acs", "bs"]}
    assert not numbers.printed(claim({"compare": {"percents": [92, 14]}}, two))
    assert not numbers.printed(claim({"rate": {"above": 50}}, ACS))
    assert not numbers.printed(claim({"hardest": {"fixed_fraction": 0.45}}, ACS))


def test_a_mean_time_of_a_solved_run_is_one_number_however_many_claims_test_it():
    means = [claim for claim in LEDGER if claim.id == "arxiv_mean_time_acs_sabuncu6"]
    factor = [claim for claim in LEDGER if claim.id == "arxiv_times_one_machine"]
    (mean,) = numbers.printed(*means)
    assert mean in numbers.printed(*factor)

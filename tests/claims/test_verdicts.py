"""Verdicts by the runs: after correction, never before all runs are there; and their files."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from runs_by_hand import NOTHING, on_puzzle, runs

from antdoku import tables
from antdoku.claims import VERDICTS, ledger, page, record, verdicts
from antdoku.claims.samples import Samples
from antdoku.papers import published

REPRODUCED, PARTLY, NOT_REPRODUCED, UNDECIDED, UNDECIDABLE = VERDICTS
BELOW_TRIVIAL = [0.45, *(round(0.05 * k, 2) for k in (0, 1, 2, 3, 4, 5, 6, 7, 8, 10))]
LEDGER = ledger.load()
CLAIMS = {claim.id: claim for claim in LEDGER}


@pytest.fixture(scope="module")
def table():
    """Verdicts on two variants that do at 25x25, 45 % just what the preprint says."""
    return verdicts.decide(pd.concat([runs(92, 100), runs(58, 100, "acs_no_bve")]))


def test_without_runs_all_but_facts_are_undecided_and_say_what_they_need():
    table = verdicts.decide(NOTHING, LEDGER)
    assert list(table["id"]) == [claim.id for claim in LEDGER]
    facts, named = np.array([(not claim.runs, bool(claim.undecidable)) for claim in LEDGER]).T
    assert set(table.loc[named, "verdict"]) == {UNDECIDABLE}
    assert set(table.loc[~facts & ~named, "verdict"]) == {UNDECIDED}
    assert set(table.loc[facts, "verdict"]) == {NOT_REPRODUCED}
    # Those of 30 runs and fewer: the paper has too few to show agreement.
    assert {"lewis_journal", "soto_2013"} <= {*table.loc[table["needed"].isna() & ~named, "paper"]}


def test_claims_that_no_run_is_about_are_not_listed():
    assert verdicts.decide(NOTHING).empty
    of_one = verdicts.decide(on_puzzle(30, 30, "ga_as_printed", experiment="soto"))
    assert list(of_one["id"]) == ["soto_2013_ga", "soto_2014_ga_hard_a"]
    # A fact takes no runs, but comes with its paper.
    assert "arxiv_one_solution" in set(verdicts.decide(runs(5, 9))["id"])
    table = verdicts.decide(NOTHING, [])
    assert list(table) == list(verdicts.COLUMNS) and table.empty
    sentence = f"{len(LEDGER)} claims of the papers are about runs that are not among these."
    assert page.others(table) == sentence


def test_verdicts_of_the_ledger_by_hand(table):
    found = table.set_index("id")
    for name in ("acs_p45", "no_bve_p45", "bve_p45", "bve_p45_size"):
        assert found.loc[f"arxiv_{name}", "verdict"] == REPRODUCED
    assert {*found.loc[["arxiv_ranking_p45", "journal_acs_p45"], "verdict"]} == {UNDECIDED}
    acs = found.loc["arxiv_acs_p45"]
    assert (acs["ours"], acs["n"], acs["limit"]) == ("92 % (92 of 100)", 100, "120 s")
    assert (acs["low"], acs["high"]) == pytest.approx((85.0, 95.9), abs=0.05)


def test_a_significant_p_of_a_difference_decides_only_after_correction():
    claim, other = (
        ledger.Claim(name, "arxiv", "", "", "", "compare", {},
                     {"experiment": "lloyd_amos", "order": 5, "variant": [name, "b"]})
        for name in ("a", "c")
    )  # fmt: skip
    # Of nested successes six are the least that McNemar's test finds: p = 0.031.
    both = pd.concat([runs(56, 100, "a"), runs(50, 100, "b"), runs(50, 100, "c")])
    assert list(verdicts.decide(both, [claim])["verdict"]) == [REPRODUCED]
    assert list(verdicts.decide(both, [claim, other])["verdict"]) == [UNDECIDED, UNDECIDED]


def test_a_claim_is_undecided_until_there_are_runs_of_all_that_it_is_about():
    expect = {"fixed_fraction": 0.45, "of": 100}
    where = {"experiment": "lloyd_amos", "fixed_fraction": [0.4, 0.45, 0.5], "variant": "acs"}
    claim = ledger.Claim("a", "journal", "", "", "", "hardest", expect, where)
    several = ((100, 0.4, 1), (50, 0.45, 12), (100, 0.5, 2))
    three = pd.concat([runs(n, 100, cpu_s=s, fixed_fraction=p) for n, p, s in several])
    assert list(verdicts.decide(three, [claim])["verdict"]) == [REPRODUCED]
    two = verdicts.decide(three[three["fixed_fraction"] < 0.5], [claim]).iloc[0]
    assert two["verdict"] == UNDECIDED
    assert two["reason"] == "no runs of 1 of the kinds that the claim is about"


# --- the papers' work, and rules of ours ---------------------------------------------------------


WORK = published.work("arxiv", "dlx", 5, 0.45).steps


def dlx(n_solved, steps, n=100, limit_steps=4 * WORK, **row):
    """Runs of DLX at 25x25, 45 %: the failures did all of their steps."""
    table = runs(n_solved, n, "dlx", solver="dlx", limit_s=120.0, limit_steps=limit_steps, **row)
    solved = table["status"] == "solved"
    return table.assign(steps=np.where(solved, steps, limit_steps))


def decided(name, *tables):
    return verdicts.decide(pd.concat(tables), [CLAIMS[name]]).iloc[0]


def test_claims_are_about_what_is_solved_within_the_papers_work():
    within, beyond = dlx(53, WORK), dlx(53, WORK + 1)
    assert decided("arxiv_dlx_p45", within)["ours"] == "53 % (53 of 100)"
    row = decided("journal_dlx_p45", within)  # printed are 49 %, with the same limits
    assert (row["ours"], row["verdict"]) == ("53 % (53 of 100)", REPRODUCED)
    row = decided("arxiv_dlx_p45", beyond)
    assert (row["ours"], row["verdict"]) == ("0 % (0 of 100)", NOT_REPRODUCED)


def test_runs_that_ended_before_the_papers_work_decide_nothing():
    early = dlx(53, WORK).assign(steps=WORK - 1)
    row = decided("arxiv_dlx_p45", early)
    assert row["verdict"] == UNDECIDED
    assert row["reason"] == "47 of 100 runs ended before the work that the claim is about"
    assert decided("arxiv_dlx_p45", dlx(53, 9, limit_steps=WORK - 1))["verdict"] == UNDECIDED
    # Those that it ended later had the paper's work, and what propagation did is known anyway.
    assert decided("arxiv_dlx_p45", dlx(53, WORK).assign(steps=WORK))["verdict"] == REPRODUCED
    for name in ("arxiv_value_sets_p45", "arxiv_trivial_order5"):
        found = Samples(early.assign(variant="acs")).sample(CLAIMS[name])
        assert found.n_unfinished == 0


@pytest.mark.parametrize(
    ("reach", "steps", "half", "double", "depends"),
    [
        (2, WORK // 3, REPRODUCED, REPRODUCED, False),
        (2, 2 * WORK // 3, NOT_REPRODUCED, REPRODUCED, True),
        (1, WORK // 3, REPRODUCED, "", False),  # the unsolved ended before
        (1, 2 * WORK // 3, NOT_REPRODUCED, "", True),
    ],
)
def test_claims_of_success_are_decided_at_other_works(reach, steps, half, double, depends):
    row = decided("arxiv_dlx_p45", dlx(53, steps, limit_steps=reach * WORK))
    assert row["verdict"] == REPRODUCED
    assert (row["verdict_half"], row["verdict_double"]) == (half, double)
    assert row["depends_on_work"] == depends


def of_soto(n_solved, variant):
    return on_puzzle(n_solved, 110, variant, experiment="soto", limit_steps=1000, steps=1000)


@pytest.mark.parametrize(
    ("solved", "verdict", "reason"),
    [
        ({}, NOT_REPRODUCED, ""),
        ({"root": 0}, NOT_REPRODUCED, ""),
        ({"root": 94, "construction": 0}, PARTLY, "reproduced under the reading root"),
        ({"root": 0, "construction": 75}, UNDECIDED, "undecided under the reading construction: "),
    ],
)
def test_a_claim_is_not_reproduced_only_if_it_is_so_under_all_readings(solved, verdict, reason):
    claim = CLAIMS["soto_2013_tries_hard_a"]
    readings = {each.name: each for each in ledger.readings()["soto_2013"]}
    others = [of_soto(n, *claim.under(readings[name]).variants) for name, n in solved.items()]
    row = decided(claim.id, of_soto(3, *claim.variants), *others)
    assert (row["verdict_main"], row["verdict"]) == (NOT_REPRODUCED, verdict)
    assert row["reason"].startswith(reason and f"not reproduced in the main reading, {reason}")
    assert all(f"{name}: " in row["readings"] for name in solved)


def test_an_open_claim_that_another_reading_reproduces_is_so_in_part():
    other = runs(92, 100, variant="acs_closure", limit_steps=-1)
    row = decided("arxiv_acs_p45", runs(85, 100, limit_steps=-1), other)
    assert (row["verdict_main"], row["verdict"]) == (UNDECIDED, PARTLY)
    assert row["reason"].endswith("reproduced under the reading closure")


def test_what_agrees_may_differ_for_certain_and_no_instances_come_from_nowhere():
    archive = {"source": "archive", "limit_steps": -1}
    row = decided("journal_dlx_p45", runs(50, 100, variant="dlx", kind="exact", **archive))
    assert (row["verdict"], row["within"] < 0.1) == (REPRODUCED, True)
    assert row["reason"] == "the numbers agree within the margin, and still differ"
    hard = [runs(50 + n, 100, fixed_fraction=p, **archive) for n, p in enumerate(BELOW_TRIVIAL)]
    row = decided("journal_hardest_acs", *hard)
    assert row["verdict"] == UNDECIDABLE and "the authors' archive has only 100" in row["reason"]


def test_undecidable_is_what_compares_programs_and_what_the_paper_has_too_few_runs_of():
    claim = next(each for each in LEDGER if each.undecidable)
    row = verdicts.decide(NOTHING, [claim]).iloc[0]
    assert (row["verdict"], row["reason"]) == (UNDECIDABLE, claim.undecidable)
    claim = replace(CLAIMS["arxiv_acs_p45"], expect={"percent": 50, "of": 10})
    assert verdicts.decide(runs(50, 100), [claim])["verdict"][0] == UNDECIDABLE
    assert verdicts.decide(runs(0, 100), [claim])["verdict"][0] == NOT_REPRODUCED


@pytest.mark.parametrize(
    ("steps", "limit", "early"), [(20_000, 20_000, 24), (150_000, 150_000, 0), (150_001, -1, 0)]
)
def test_without_a_limit_takes_the_steps_that_stand_for_none(steps, limit, early):
    variant, puzzles = "ac3_tabu_as_printed", ("mk_s12a", "mk_s12b", "mk_s12c")
    short = {"experiment": "soto", "limit_steps": limit, "steps": steps}
    tables = [on_puzzle(1, 9, variant, puzzle=puzzle, **short) for puzzle in puzzles]
    row = decided("soto_2014_ac3_tabu", *tables)
    assert row["verdict"] == (UNDECIDED if early else NOT_REPRODUCED)
    reason = f"{early} of 27 runs ended before the work that the claim is about"
    assert row["reason"] == (reason if early else "")


# --- as files ------------------------------------------------------------------------------------


def test_verdicts_are_written_and_read_back(table, tmp_path):
    tables.write(table, tmp_path / "claims.csv")
    pd.testing.assert_frame_equal(page.read(tmp_path / "claims.csv"), table)
    rows = page.claims_table(record.of_record(table, table[:0])).splitlines()
    assert len(rows) == 2 + len(table) and {row.count(" | ") for row in rows} == {3}
    assert any(row.startswith(f"| {page.badge(REPRODUCED)} |") for row in rows)
    why = "No runs of 3 of the kinds that the claim is about; the test takes at least 22 instances."
    assert any(f"</details>{why} |" in row for row in rows)
    assert any(" points<br>" in row for row in rows)


def test_what_is_undecided_says_how_many_would_decide_it():
    seen = decided("arxiv_acs_p45", runs(85, 100, limit_steps=-1))  # as many as were planned for
    assert (seen["verdict"], seen["n"] >= seen["needed"]) == (UNDECIDED, True)
    words = r"if our numbers stay as they are, (\d+) instances would decide"
    number = re.fullmatch(words, seen["reason"])[1]
    more = decided("arxiv_acs_p45", runs(85 * 12, 100 * 12, limit_steps=-1))
    assert 100 < int(number) < 1200 and more["verdict"] == REPRODUCED

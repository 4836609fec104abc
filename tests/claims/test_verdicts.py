"""Verdicts by the runs: after correction, never before all runs are there; and their files."""

import pandas as pd
import pytest
from claim_runs import NOTHING, runs, spread

from antdoku import published
from antdoku.claims import ledger, page, verdicts
from antdoku.claims.evidence import NOT_REPRODUCED, PARTLY, REPRODUCED, UNDECIDED

LEDGER = ledger.load()


@pytest.fixture(scope="module")
def table():
    """Verdicts on two variants that do at 25x25, 45 % just what the preprint says."""
    return verdicts.decide(pd.concat([runs(92, 100), runs(58, 100, "acs_no_bve")]))


def test_without_runs_all_but_facts_are_undecided_and_say_what_they_need():
    table = verdicts.decide(NOTHING)
    assert list(table["id"]) == [claim.id for claim in LEDGER]
    facts = table["test"].isin(["n_solutions", "n_clues"])
    assert set(table.loc[~facts, "verdict"]) == {UNDECIDED}
    assert set(table.loc[facts, "verdict"]) == {NOT_REPRODUCED}
    unknown = table["needed"].isna() & ~table["test"].isin(["mean_value", "no_gain"])
    assert not unknown.any()


def test_verdicts_of_the_ledger_by_hand(table):
    found = table.set_index("id")
    for claim in ("arxiv_acs_p45", "arxiv_no_bve_p45", "arxiv_bve_p45", "journal_acs_p45"):
        assert found.loc[claim, "verdict"] == REPRODUCED
    assert found.loc["arxiv_ranking_p45", "verdict"] == UNDECIDED
    acs = found.loc["arxiv_acs_p45"]
    assert (acs["ours"], acs["n"], acs["limits"]) == ("92 % (92 of 100)", 100, "12 s; paper: 120 s")
    assert (acs["low"], acs["high"]) == pytest.approx((85.0, 95.9), abs=0.05)
    assert acs["par2_s"] == pytest.approx((92 * 1.0455 + 8 * 24) / 100)
    assert acs["mean_time_solved_s"] == pytest.approx(1.0455)


def test_p_values_are_corrected_within_a_paper(table):
    tested = table[(table["paper"] == "arxiv") & table["p"].notna()]
    assert len(tested) > 2
    smallest = tested.loc[tested["p"].idxmin()]
    assert smallest["p_holm"] == pytest.approx(min(1, len(tested) * smallest["p"]))


def test_a_significant_p_decides_only_after_correction():
    claim, other = (
        ledger.Claim(name, "arxiv", "", "", "", "success_rate", {"percent": 92, "of": 100},
                     {"experiment": "lloyd_amos", "order": 5, "variant": name})
        for name in ("a", "b")
    )  # fmt: skip
    both = pd.concat([runs(81, 100, "a"), runs(92, 100, "b")])  # p = 0.037 for a
    assert list(verdicts.decide(both, [claim])["verdict"]) == [PARTLY]
    assert list(verdicts.decide(both, [claim, other])["verdict"]) == [REPRODUCED, REPRODUCED]


def test_random_instances_are_not_mixed_with_puzzles_nor_experiments():
    claim = LEDGER[0]
    other = [
        runs(5, 10, family="unique_order5_p045"),
        runs(5, 10, experiment="lewis"),
        runs(5, 10, variant="bs"),
        runs(5, 10, fixed_fraction=0.5),
    ]
    chosen = verdicts.select(pd.concat([runs(3, 7), *other]), claim)
    assert len(chosen.runs) == 7
    assert not chosen.same_puzzles


def test_a_claim_is_undecided_until_there_are_runs_of_all_that_it_is_about():
    expect = {"fixed_fraction": 0.45, "of": 100}
    where = {"experiment": "lloyd_amos", "fixed_fraction": [0.4, 0.45, 0.5], "variant": "acs"}
    claim = ledger.Claim("a", "journal", "", "", "", "hardest_at", expect, where)
    three = spread({0.4: 1, 0.45: 12, 0.5: 2}).runs
    assert list(verdicts.decide(three, [claim])["verdict"]) == [REPRODUCED]
    two = verdicts.decide(three[three["fixed_fraction"] < 0.5], [claim]).iloc[0]
    assert two["verdict"] == UNDECIDED
    assert two["note"] == "Runs of 1 of the kinds that it is about are missing."


def test_no_claims_give_an_empty_table():
    table = verdicts.decide(NOTHING, [])
    assert list(table) == list(verdicts.COLUMNS)
    assert table.empty


# --- as files ------------------------------------------------------------------------------------


def test_verdicts_are_written_and_read_back(table, tmp_path):
    for name in ("claims.csv", "claims.md", "claims.txt"):
        page.write(table, tmp_path / name)
    pd.testing.assert_frame_equal(page.read(tmp_path / "claims.csv"), table)
    text = (tmp_path / "claims.md").read_text()
    assert text.count("\n## ") == len(published.SOURCES) + 1
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert {line.count(" | ") for line in rows} == {4, 11}
    assert "| **reproduced** |" in text
    assert "**undecided: needs 18 instances**" in text
    summary = (tmp_path / "claims.txt").read_text()
    counts = [int(number) for number in summary.split("\nall ")[1].split("\n")[0].split()]
    assert sum(counts) == len(LEDGER)
    assert "arxiv_one_solution: 1 each; ours: 15 of 16; sabuncu3 has 27" in summary

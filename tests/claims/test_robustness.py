"""Two ledgers side by side."""

from conftest import ROOT

from antdoku.claims import page, robustness


def test_the_verdicts_of_ours_and_of_the_authors_instances_stand_side_by_side():
    results = ROOT / "docs" / "results"
    files = results / "tables" / "claims.csv", results / "archive" / "tables" / "claims.csv"
    ours, authors = map(page.read, files)
    both = robustness.side_by_side(ours, authors)
    assert {*both["id"]} == {*ours["id"]} & {*authors["id"]}
    changed = both[~both["is_same"]]
    assert 0 < len(changed) < len(both)
    assert (changed["verdict_first"] != changed["verdict_second"]).all()
    assert robustness.side_by_side(ours, ours)["is_same"].all()

"""The published verdicts are those of the published runs."""

import pandas as pd
import pytest
from conftest import ROOT

from antdoku import tables
from antdoku.claims import page, record, robustness, verdicts

RESULTS = ROOT / "docs" / "results"


@pytest.mark.parametrize("folder", [RESULTS, RESULTS / "archive", RESULTS / "frontier"])
def test_the_published_runs_give_the_published_verdicts(folder, tmp_path):
    decided = verdicts.decide(tables.read_runs(folder / "tables" / "runs.parquet"))
    page.write(decided, tmp_path / "claims.csv")
    written = page.read(tmp_path / "claims.csv")
    published = page.read(folder / "tables" / "claims.csv")
    same = [name for name in published if name in written]
    pd.testing.assert_frame_equal(written[same], published[same], rtol=1e-6)


def test_the_verdicts_of_record_are_those_of_both_sets_of_instances():
    folders = RESULTS, RESULTS / "archive"
    ours, authors = (page.read(folder / "tables" / "claims.csv") for folder in folders)
    published = pd.read_csv(RESULTS / "claims.csv", dtype="str", keep_default_na=False)
    pd.testing.assert_frame_equal(record.of_record(ours, authors), published)
    both = robustness.side_by_side(ours, authors)
    assert {*both["id"]} == {*ours["id"]} & {*authors["id"]}
    changed = both[~both["is_same"]]
    assert 0 < len(changed) < len(both)
    assert (changed["verdict_first"] != changed["verdict_second"]).all()
    assert robustness.side_by_side(ours, ours)["is_same"].all()

"""The published verdicts are those of the published runs."""

import pandas as pd
import pytest
from conftest import ROOT

from antdoku import tables
from antdoku.claims import ledger, page, record, verdicts

RESULTS = ROOT / "docs" / "results"


@pytest.mark.parametrize("folder", ["archive", "frontier"])
def test_the_published_runs_give_the_published_verdicts(folder, tmp_path):
    tables_of = RESULTS / folder / "tables"
    tables.write(
        verdicts.decide(tables.read_runs(tables_of / "runs.parquet")), tmp_path / "new.csv"
    )
    written, published = page.read(tmp_path / "new.csv"), page.read(tables_of / "claims.csv")
    pd.testing.assert_frame_equal(written, published, rtol=1e-6)


FEW = ("journal", "lewis_journal", "soto_2014")
EDITIONS = [*dict.fromkeys(claim.paper for claim in ledger.load())]
ALL = pytest.param(EDITIONS, marks=pytest.mark.thorough, id="all")


@pytest.mark.parametrize("editions", [pytest.param(FEW, id="few"), ALL])
def test_the_verdicts_of_record_are_those_of_all_published_runs(editions):
    archive = page.read(RESULTS / "archive" / "tables" / "claims.csv")
    published = page.read(RESULTS / "claims.csv", record.COLUMNS)
    published = published[published["paper"].isin(editions)].reset_index(drop=True)
    claims = [claim for claim in ledger.load() if claim.id in {*published["id"]}]
    ours = verdicts.decide(record.pooled(RESULTS), claims)
    table = record.of_record(ours, archive[archive["paper"].isin(editions)])
    pd.testing.assert_frame_equal(table, published, rtol=1e-6)


@pytest.mark.parametrize("editions", [pytest.param(("journal", "soto_2014"), id="few"), ALL])
def test_the_verdicts_of_the_root_seeds_are_side_by_side(editions):
    published = pd.read_csv(RESULTS / "seeds.csv", keep_default_na=False)
    published = published[published["paper"].isin(editions)].reset_index(drop=True)
    claims = [claim for claim in ledger.load() if claim.id in {*published["id"]}]
    pd.testing.assert_frame_equal(record.by_seed(RESULTS, claims), published, check_dtype=False)

"""The published tables are made of the published runs, byte for byte."""

from functools import cache

import pytest
from conftest import ROOT

from antdoku import tables

RESULTS = ROOT / "docs" / "results"
PUBLISHED = [
    file
    for folder in (RESULTS, RESULTS / "archive", RESULTS / "frontier")
    for file in sorted((folder / "tables").glob("*.csv"))
    if file.stem in tables.every() and tables.get(file.stem).source == tables.RUNS
]


@cache
def runs_beside(folder):
    return tables.read_runs(folder / "runs.parquet")


@pytest.mark.parametrize("file", PUBLISHED, ids=lambda file: str(file.relative_to(RESULTS)))
def test_the_published_table_is_made_of_the_published_runs(tmp_path, file):
    tables.write(tables.make(file.stem, runs_beside(file.parent)), tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_bytes() == file.read_bytes()


def test_all_tables_of_the_published_runs_are_published():
    for folder in {file.parent for file in PUBLISHED}:
        made = {*tables.of_plan(runs_beside(folder))}
        assert made <= {file.stem for file in folder.glob("*.csv")}

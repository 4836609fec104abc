"""The published runs give the published verdicts, tables (byte for byte) and figures."""

import re
from functools import cache
from importlib.metadata import version

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from PIL import Image

from antdoku import figures, tables
from antdoku.claims import VERDICTS, ledger, page, record, verdicts
from antdoku.figures import agreement, style
from antdoku.instances.family import ARCHIVE
from antdoku.report import published as report

RESULTS = ROOT / "docs" / "results"


@pytest.mark.parametrize(
    "folder", [pytest.param("archive", marks=pytest.mark.thorough), "frontier"]
)
def test_the_published_runs_give_the_published_verdicts(folder, tmp_path):
    source = RESULTS / folder / "tables"
    tables.write(verdicts.decide(tables.read_runs(source / "runs.parquet")), tmp_path / "new.csv")
    new, published = page.read(tmp_path / "new.csv"), page.read(source / "claims.csv")
    pd.testing.assert_frame_equal(new, published, rtol=1e-6)


FEW = ("journal", "soto_2014")
EDITIONS = [*dict.fromkeys(claim.paper for claim in ledger.load())]
ALL = pytest.param(EDITIONS, marks=pytest.mark.thorough, id="all")


@pytest.mark.parametrize("editions", [pytest.param(FEW, id="few"), ALL])
def test_all_published_runs_give_the_verdicts_of_record(editions):
    published = page.read(RESULTS / "claims.csv", record.COLUMNS)
    published = published[published["paper"].isin(editions)].reset_index(drop=True)
    claims = [claim for claim in ledger.load() if claim.id in {*published["id"]}]
    ours = verdicts.decide(record.pooled(RESULTS), claims, record.OF_RUNS)
    archive = record.of_archive(RESULTS, claims)
    table = record.of_record(ours, archive[archive["id"].isin(ours["id"])])
    pd.testing.assert_frame_equal(table, published, rtol=1e-6)


@pytest.mark.thorough
def test_the_published_runs_give_the_verdicts_of_each_root_seed():
    published = pd.read_csv(RESULTS / "seeds.csv", keep_default_na=False)
    claims = [claim for claim in ledger.load() if claim.id in {*published["id"]}]
    pd.testing.assert_frame_equal(record.by_seed(RESULTS, claims), published, check_dtype=False)


TABLES = [
    file
    for folder in (RESULTS, RESULTS / "archive", RESULTS / "frontier")
    for file in sorted((folder / "tables").glob("*.csv"))
    if file.stem in tables.every() and tables.get(file.stem).source == tables.RUNS
]


@cache
def runs_beside(folder):
    """Return the runs of the tables in a folder, of the archive those of all its folders."""
    if folder.parent.name == ARCHIVE:
        return report.on_authors_instances(RESULTS)
    return tables.read_runs(folder / "runs.parquet")


@pytest.mark.parametrize("file", TABLES, ids=lambda file: str(file.relative_to(RESULTS)))
def test_the_published_runs_give_the_published_table(tmp_path, file):
    tables.write(tables.make(file.stem, runs_beside(file.parent)), tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_bytes() == file.read_bytes()


def test_all_tables_of_the_published_runs_are_published():
    for folder in {file.parent for file in TABLES}:
        names = {*tables.of_plan(runs_beside(folder))}
        assert names <= {file.stem for file in folder.glob("*.csv")}


LOCKED = re.search(r"^matplotlib==(\S+)", (ROOT / "requirements.lock").read_text(), re.M)[1]
FIGURES = [
    file
    for folder in (RESULTS, RESULTS / "archive", RESULTS / "frontier")
    for file in sorted((folder / "figures").glob("*.png"))
    if not figures.every()[file.stem].puzzle
]


@pytest.mark.skipif(version("matplotlib") != LOCKED, reason="another matplotlib draws otherwise")
@pytest.mark.parametrize("file", FIGURES, ids=lambda file: file.stem)
def test_the_published_figure_shows_the_published_table(tmp_path, file):
    looks = style.looks_of(runs_beside(file.parents[1] / "tables")["variant"])
    source = figures.every()[file.stem].table
    table = tables.read(source, file.parents[1] / "tables" / f"{source}.csv")
    drawn = figures.make(file.stem, table, looks=looks, scope=report.instances_of(file))
    (png,) = style.save(drawn, tmp_path / "figure", ["png"])
    with Image.open(file) as published, Image.open(png) as drawn:
        assert np.array_equal(published.convert("RGB"), drawn.convert("RGB"))


@pytest.mark.skipif(version("matplotlib") != LOCKED, reason="another matplotlib draws otherwise")
def test_the_picture_of_the_readme_shows_the_published_verdicts(tmp_path):
    record.write_picture(tmp_path / "new", page.read(RESULTS / "claims.csv", record.COLUMNS))
    with Image.open(RESULTS / "overview.png") as published, Image.open(tmp_path / "new.png") as new:
        assert np.array_equal(published.convert("RGB"), new.convert("RGB"))


def test_the_text_beside_the_picture_has_its_numbers():
    table = page.read(RESULTS / "claims.csv", record.COLUMNS)
    rates, times = (record.compared(table, metric) for metric in record.MEASURES)
    title = agreement.overview(table, rates, times, VERDICTS).get_suptitle()
    numbers = re.findall(r"\d+ of \d+", title)
    assert len(numbers) == 2
    for file in (ROOT / "README.md", RESULTS / "README.md", ROOT / "docs" / "index.md"):
        assert all(text in file.read_text("utf-8") for text in numbers), file


def test_the_findings_of_the_report_stand_in_the_results():
    text = " ".join((RESULTS / "README.md").read_text("utf-8").split())
    text = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", text)
    published = report.findings(RESULTS)
    assert len(published) == text.count(". **", 0, text.index("## Counts"))
    for item in published:
        assert f"**{item['finding']}** {item['text']}" in text
        assert item["figure"] in figures.every()

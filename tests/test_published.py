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
from antdoku.claims import VERDICTS, ledger, page, verdicts
from antdoku.figures import agreement, style
from antdoku.instances.family import ARCHIVE
from antdoku.report import published as report
from antdoku.report import record

RESULTS = ROOT / "docs" / "results"


@pytest.mark.parametrize(
    "folder", [pytest.param("archive", marks=pytest.mark.thorough), "frontier"]
)
def test_the_published_runs_give_the_published_verdicts(folder, tmp_path):
    source = RESULTS / folder / "tables"
    tables.write(verdicts.decide(tables.read_runs(source / "runs.parquet")), tmp_path / "new.csv")
    new, published = page.read(tmp_path / "new.csv"), page.read(source / "claims.csv")
    pd.testing.assert_frame_equal(new, published, rtol=1e-6)


@pytest.mark.thorough
def test_all_published_runs_give_the_verdicts_of_record():
    published = page.read(RESULTS / "claims.csv", record.COLUMNS)
    claims = ledger.load()
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
    if file.stem in tables.every() and not tables.get(file.stem).thresholds
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
@pytest.mark.thorough
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


ON_RANDOM = "lewis_hybrid_(?!.*17)"
SEVEN = "arxiv_no_bve_(sabuncu6|aiesc|platinum|golden|reddwarf|coly|tarx)"
# Sentences that count verdicts, their files, and the names of the claims that they count. The names
# of claims on puzzles of ours begin with "ours" here.
SENTENCES = [
    ("", "README.md", "{not reproduced} claims are not reproduced in the main reading"),
    ("journal_(?!mean|bve)", "README.md", "{reproduced} of {sum} claims about the journal's rates"),
    ("journal_(?!mean|bve)", "README.md", "rates are reproduced, {undecided} is undecided"),
    (ON_RANDOM, "README.md", "Of {sum} claims of the paper on the hybrid about random instances"),
    (
        ON_RANDOM,
        "README.md",
        "{reproduced} are reproduced, {undecided} are undecided, and {not reproduced} is not",
    ),
    (
        "lewis_journal_",
        "README.md",
        "{reproduced} of {sum} claims about Figure 3 of the journal is reproduced, "
        "{undecidable} are undecidable",
    ),
    (
        "ours",
        "README.md",
        "We decide {sum} claims on puzzles of ours: {reproduced} are reproduced, {undecided} "
        "undecided and {undecidable} undecidable",
    ),
    (
        SEVEN,
        "README.md",
        "Of these {sum} rates {undecided} are undecided and {undecidable} are undecidable",
    ),
    ("arxiv_fig4_acs_ils", "README.md", "on 10 of 16. This is {verdict}"),
    ("ours lewis_hybrid_table1_order_sa", "README.md", "the larger the order is {verdict}"),
    (
        "(ours )?lewis_hybrid.*17",
        "lewis/deviations.md",
        "of {sum} claims {not reproduced} are not reproduced in the main reading",
    ),
    ("lewis_journal_order5_dip", "lewis/deviations.md", "the range of the work it is {verdict}"),
    (
        "soto_2013_tries_(?!easy)",
        "soto/deviations.md",
        "Of {sum} claims on tries and times there, {undecidable} are undecidable and "
        "{not reproduced} not reproduced",
    ),
    (
        "soto_2014_ac3_cuckoo",
        "soto/deviations.md",
        "all {not reproduced} claims on AC3-cuckoo are not reproduced",
    ),
]
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
WORDS = {word: str(n) for n, word in enumerate(WORDS)} | {"eighteen": "18"}


def with_digits(text):
    return re.sub(r"\w+", lambda word: WORDS.get(word[0].lower(), word[0]), " ".join(text.split()))


@pytest.mark.parametrize(("names", "file", "sentence"), SENTENCES)
def test_sentences_count_the_verdicts_of_record(names, file, sentence):
    table = page.read(RESULTS / "claims.csv", record.COLUMNS)
    of_ours = verdicts.row_titles(table).str.endswith("on puzzles of ours")
    chosen = table["id"].mask(of_ours, "ours " + table["id"]).str.match(names)
    counts = dict.fromkeys(VERDICTS, 0) | table.loc[chosen, "verdict"].value_counts().to_dict()
    verdict = "/".join(table.loc[chosen, "verdict"].unique())
    folder = RESULTS if file == "README.md" else ROOT / "src/antdoku/papers"
    text = with_digits((folder / file).read_text("utf-8"))
    assert sentence.format(**counts, sum=chosen.sum(), verdict=verdict) in text


def test_the_verdicts_that_changed_are_those_of_record():
    now = page.read(RESULTS / "claims.csv", record.COLUMNS).set_index("id")["verdict"]
    rows = re.findall(
        r"^\|[^|]*\|[^|]*\| ([^|]*) \|([^|]*)\|$", (RESULTS / "changes.md").read_text("utf-8"), re.M
    )
    changed = {name: verdict for verdict, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert len(changed) > 20
    assert changed == now[[*changed]].to_dict()

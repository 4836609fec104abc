"""What the Snakemake workflow catalog wants, and the small experiment that shows that all works."""

import shutil

import pandas as pd
import pytest
from conftest import ROOT
from PIL import Image
from projects import finish, make_project, planned

from antdoku.outcome import SOLVED
from antdoku.report import crate

SMALL = ("--directory", ".test")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = make_project(tmp_path_factory.mktemp("project"))
    shutil.copytree(ROOT / ".test" / "config", folder / ".test" / "config")
    return folder


def test_the_small_experiment_is_planned_in_its_own_folder(project):
    jobs, runs = planned(project, *SMALL)
    assert runs == {"lloyd_amos/named--0", "lloyd_amos/order2--0", "lloyd_amos/order3--0"}
    assert jobs["report_html"] == 1
    assert not (project / "results").exists()


@pytest.mark.thorough
def test_the_small_experiment_comes_to_its_end(project):
    finish(project, "--cores", "2", *SMALL)
    results = project / ".test" / "results" / "test"
    runs = pd.read_parquet(results / "tables" / "runs.parquet")
    assert len(runs) == 3 * (2 * 2 * 3 + 2)  # variants; orders, fractions, instances; repetitions
    assert (runs["status"] == SOLVED).mean() > 0.9
    assert (results / "report.html").stat().st_size > 1_000_000
    with Image.open(results / "figures" / "lloyd_amos_fig5.png") as figure:
        assert figure.text["Description"].endswith("rule figures_lloyd_amos, configuration test")
    summary = finish(project, *SMALL, "--detailed-summary").splitlines(keepends=True)
    (results / crate.MADE).write_text("".join(line for line in summary if "\t" in line))
    table, figure = (f"results/test/{name}" for name in ("tables/success.csv", "report.html"))
    published = crate.Published(results)
    assert table in published.sources(figure)
    assert published.rule(table) == "tables_success"

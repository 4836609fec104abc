"""Experiments laid over the default: files of a user, a new paper, the frontier."""

import re
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import projects
import pytest
from conftest import ROOT, format_archive, wait_for
from PIL import Image
from projects import finish, make_project, planned, runs_at

from antdoku import tables
from antdoku.kernels import compilation
from antdoku.puzzle.grid import Puzzle


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("o'clock (é)"))


FILES = """\
name: files
experiments: [lloyd_amos]
lloyd_amos:
  random: {source: archive, archive: archived, count: 1, orders: [3], fixed_fractions: [0.3]}
  puzzles: {named: null, mine: {from: "m{in}<e>.txt", repetitions: 1, limit_s: 1}}
"""


@pytest.mark.thorough
def test_instances_are_made_again_when_their_files_have_changed(project):
    (project / "files.yaml").write_text(FILES)
    (project / "archived").mkdir()
    archived, mine = project / "archived/inst9x9_30_0.txt", project / "m{in}<e>.txt"
    blank = Puzzle(3, np.zeros(81, int))
    archived.write_text(format_archive(blank))
    mine.write_text("." * 81)
    options = ("results/files/instances/lloyd_amos.parquet", "--configfile", "files.yaml")
    # Snakemake alone looks for the home folder: machine code and fonts have folders of their own.
    caches = {"NUMBA_CACHE_DIR": str(compilation.folder("kernels.bits").parent)}
    finish(project, *options, "--cores", "2", HOME="/proc/none", XDG_CACHE_HOME="", **caches)
    archived.write_text(format_archive(blank).replace("-1", "5", 1))
    assert planned(project, *options)[0] == {"instances": 1}
    archived.write_text(format_archive(blank))
    mine.write_text("5" + "." * 80)
    assert planned(project, *options)[0] == {"instances": 1}


SMALL = """\
name: small
experiments: [frontier, newcomer]
frontier:
  random: {count: 2, orders: [5], fixed_fractions: [0.45]}
  variants: {acs_restart: null, cpsat: null, sa: null}
newcomer:  # its limits make it long: sixteen parts
  puzzles: {easy: null}
  random: {count: 16, limits_s: {order3: 100}}
"""
OF_SMALL = ("--configfile", "config/frontier.yaml", "small.yaml")
NEWCOMERS = {"ANTDOKU_PAPERS": str(ROOT / "tests" / "papers" / "newcomers")}
IN_LOOK, ALL = 8, 68  # runs: all of frontier, and two pairs of the newcomer
SHARE = f"First look: {IN_LOOK} of the {ALL} runs"


@pytest.fixture(scope="module")
def results(project):
    """Results of two experiments, one of a shipped paper and one of a new paper elsewhere.

    The folder `look` of the project has the first look, as it was after the next run.
    """
    (project / "small.yaml").write_text(SMALL)
    results, look = project / "results/small", project / "look"
    projects.hold(project, IN_LOOK + 1)
    process = projects.start(project, *OF_SMALL, "--cores", "1", **NEWCOMERS)
    wait_for(
        lambda: process.poll() is not None or len(projects.lines(project)) > IN_LOOK,
        projects.PATIENCE_S,
    )
    look.mkdir()
    if (results / "first").exists():
        shutil.copytree(results / "first", look, dirs_exist_ok=True)
    projects.release(project)
    (look / "output.txt").write_text(projects.output_of(process))
    return results


@pytest.mark.thorough
def test_a_long_experiment_first_shows_a_small_share_of_its_runs(results, project):
    look, runs = project / "look", runs_at(project, "small")
    parts = {"frontier--0", "newcomer--0"}
    of_parts = runs[runs["part"].isin(parts)].reset_index(drop=True)
    pd.testing.assert_frame_equal(pd.read_parquet(look / "runs.parquet"), of_parts)
    assert (len(of_parts), len(runs)) == (IN_LOOK, ALL)
    page = (look / "report.html").read_text()
    assert f"<h1>{SHARE}</h1>" in page and 'id="claims"' not in page
    assert (look / "summary.txt").read_text().startswith(f"{SHARE}\n")
    pictures = [*look.glob("figures/*.png")]
    assert {file.name for file in pictures} == {file.name for file in results.glob("figures/*.png")}
    for picture in pictures:
        with Image.open(picture) as opened:
            assert opened.info["Title"].startswith(f"{SHARE}: ")
    page = "results/small/first/report.html"
    output = (look / "output.txt").read_text()
    assert output.count(f"{SHARE} -> {page}, before all other runs\n") == 1
    assert output.count(f"{SHARE} -> {page}\n") == 1


@pytest.mark.thorough
def test_the_last_report_takes_the_place_of_the_first_look(results, project):
    assert not (results / "first").exists()
    assert planned(project, *OF_SMALL, **NEWCOMERS) == ({}, set())
    files = results / "tables/claims.csv", results / "report.html"
    before = {file: file.read_bytes() for file in files}
    for file in files:
        file.unlink()
    page = "results/small/report.html"  # whoever asks for it gets no first look
    output = finish(project, page, *OF_SMALL, "--cores", "2", **NEWCOMERS)
    assert "First look" not in output
    assert {file: file.read_bytes() for file in files} == before


@pytest.mark.thorough
def test_the_frontier_is_an_overlay_whose_results_are_complete(results):
    name = "frontier_phase_transition"
    assert {*tables.read(name, results / f"tables/{name}.csv")["variant"]} == {"tabu_col", "cdcl"}
    assert (results / "figures/frontier_phase_transition.pdf").exists()
    assert "AllDiff-LS 2026" in (results / "report.html").read_text()


@pytest.mark.thorough
def test_a_new_paper_is_one_folder(results):
    drawn = {file.stem for file in results.glob("figures/newcomer*.png")}
    assert drawn == {"newcomer_fig1", "newcomer_fig2"}  # fig3 needs runs on given puzzles
    claims = (results / "tables/claims.csv").read_text()
    assert "newcomer_p50" in claims and "slow: " in claims
    page = (results / "report.html").read_text()
    assert "Newcomer et al. 2030" in page and "Figure 1 of the newcomer" in page


def test_in_another_folder_the_workflow_says_that_the_configuration_is_missing(project, tmp_path):
    command = [sys.executable, "-m", "snakemake", "--snakefile", project / "Snakefile", "-n"]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert process.returncode == 2
    line = process.stderr.splitlines()[-1]
    assert line.startswith("antdoku: error: config/config.yaml: is not in this folder")


def test_the_profile_for_clusters_asks_for_memory_and_time(project):
    """A dry run reads the settings of the executor's plugin and submits nothing."""
    options = ("--workflow-profile", "profiles/slurm", "--configfile", "config/quick.yaml")
    output = finish(project, *options, "--dry-run")
    runs = re.findall(r"rule run:\n(?:.+\n)*? +resources: (.*)", output)
    assert len(runs) == int(re.search(r"^run +(\d+)$", output, re.MULTILINE)[1]) > 5
    assert all(re.search(r"mem_mb=2500, .*runtime=\d+", resources) for resources in runs)

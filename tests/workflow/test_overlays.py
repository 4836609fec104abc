"""Experiments laid over the default: files of a user, a new paper, the frontier."""

import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, format_archive
from projects import finish, make_project, planned

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
  random: {count: 2, orders: [4, 5], fixed_fractions: [0.45], limits_s: {order4: 1}}
  variants: {acs_restart: null, cpsat: null, sa: null}
"""


@pytest.fixture(scope="module")
def results(project):
    """Results of two experiments, one of a shipped paper and one of a new paper elsewhere."""
    (project / "small.yaml").write_text(SMALL)
    overlays = ("--configfile", "config/frontier.yaml", "small.yaml")
    newcomers = str(ROOT / "tests" / "papers" / "newcomers")
    finish(project, *overlays, "--cores", "2", ANTDOKU_PAPERS=newcomers)
    return project / "results/small"


def test_the_frontier_is_an_overlay_whose_results_are_complete(results):
    name = "frontier_phase_transition"
    assert {*tables.read(name, results / f"tables/{name}.csv")["variant"]} == {"tabu_col", "cdcl"}
    assert (results / "figures/frontier_phase_transition.pdf").exists()
    assert "AllDiff-LS 2026" in (results / "report.html").read_text()


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

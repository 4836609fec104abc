"""Experiments laid over the default: files of one's own, a new paper, the frontier, maps."""

import numpy as np
import pytest
from conftest import ROOT, format_archive
from projects import finish, make_project, planned

from antdoku import tables
from antdoku.puzzle.grid import Puzzle


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("project"))


FILES = """\
name: files
experiments: [lloyd_amos]
lloyd_amos:
  random: {source: archive, archive: archived, count: 1, orders: [3], fixed_fractions: [0.3]}
  puzzles: {named: null, mine: {from: "m{in}<e>.txt", repetitions: 1, limit_s: 1}}
"""


def test_instances_are_made_again_when_their_files_have_changed(project):
    (project / "files.yaml").write_text(FILES)
    (project / "archived").mkdir()
    archived, mine = project / "archived/inst9x9_30_0.txt", project / "m{in}<e>.txt"
    blank = Puzzle(3, np.zeros(81, int))
    archived.write_text(format_archive(blank))
    mine.write_text("." * 81)
    families = ("mine", "order3-p030")
    made = [f"results/files/instances/lloyd_amos/{family}.parquet" for family in families]
    options = ("--cores", "2", *made, "--configfile", "files.yaml")
    finish(project, *options)
    archived.write_text(format_archive(blank).replace("-1", "5", 1))
    assert planned(project, *options)[0] == {"instances_lloyd_amos": 1}
    archived.write_text(format_archive(blank))
    mine.write_text("5" + "." * 80)
    assert planned(project, *options)[0] == {"instances_lloyd_amos": 1}


MAPS = """\
name: small
experiments: [frontier, sensitivity, newcomer]
frontier:
  random: {count: 2, orders: [4, 5], fixed_fractions: [0.45], limits_s: {order4: 1}}
  variants: {acs_restart: null, cpsat: null, sa: null}
sensitivity:
  random: {count: 2, orders: [3], limits_s: {order3: 1}}
  variants: {q0_rho: {limit_steps: 10, grid: {q0: [0.9], rho: [0.5, 0.9]}},
    m2: null, m5: null, m10: null, m20: null, m40: null}
"""


NEWCOMERS = ROOT / "tests" / "papers" / "newcomers"


@pytest.fixture(scope="module")
def results(project):
    """Of three experiments of papers, one of which only a folder elsewhere knows."""
    (project / "small.yaml").write_text(MAPS)
    overlays = ("--configfile", "config/frontier.yaml", "small.yaml")
    said = finish(project, "--cores", "2", *overlays, ANTDOKU_PAPERS=str(NEWCOMERS))
    assert "antdoku: 40 runs in 4 jobs on 2 cores" in said
    return project / "results/small"


def test_the_frontier_and_the_maps_of_parameters_are_overlays_whose_results_are_complete(results):
    growth = tables.read("frontier_growth", results / "tables/frontier_growth.csv")
    assert set(growth["variant"]) <= {"tabu_col", "cdcl"}
    maps = tables.read("beyond_sensitivity", results / "tables/beyond_sensitivity.csv")
    assert len(maps) == 4
    for name in ("frontier_phase_transition", "beyond_sensitivity"):
        assert (results / f"figures/{name}.pdf").exists()
    assert "AllDiff-LS 2026" in (results / "report.html").read_text()


def test_one_folder_is_all_that_a_new_paper_takes(results):
    drawn = {file.stem for file in results.glob("figures/newcomer*.png")}
    assert drawn == {"newcomer_fig1", "newcomer_fig2", "newcomer_fig3"}
    claims = (results / "tables/claims.csv").read_text()
    assert "newcomer_p50" in claims and "slow: " in claims
    page = (results / "report.html").read_text()
    assert "Newcomer et al. 2030" in page and "Figure 1 of the newcomer" in page

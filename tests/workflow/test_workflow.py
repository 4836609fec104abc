"""The workflow as a user runs it: the quick configuration end to end, and what is done again."""

import json
import os
import re
import shutil

import pandas as pd
import pytest
from conftest import ROOT
from PIL import Image
from projects import finish, lines, make_project, planned

from antdoku import figures, tables
from antdoku.columns import COLUMNS
from antdoku.outcome import SOLVED
from antdoku.report import crate

QUICK = ("--cores", "2", "--configfile", "config/quick.yaml")
OF_LEWIS = {"lewis", "lewis_walk", "lewis_root", "lewis_propagation"}
OFF = ("beyond_sensitivity", "frontier_")  # experiments that are not among those of the default
FIGURES = [name for name in figures.every() if not name.startswith(OFF)]
TABLES = [name for name in tables.every() if not name.startswith(OFF)]
PAPERS = tuple(tables.by_paper(FIGURES))
NO_CACHE = shutil.ignore_patterns("__pycache__")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def quick(project):
    """The project after the quick workflow, and its results."""
    (project / "said.txt").write_text(finish(project, *QUICK))
    return project / "results" / "quick"


def test_quick_makes_every_file_of_the_paper(quick):
    expected = [f"figures/{name}.{form}" for name in FIGURES for form in ("png", "pdf", "svg")]
    expected += [f"tables/{name}.csv" for name in TABLES]
    expected += ["tables/runs.parquet", "provenance.json", "report.html", "check.txt"]
    sizes = {name: (quick / name).stat().st_size for name in expected}
    assert min(sizes.values()) > 0
    for name in TABLES:
        table = tables.read(name, quick / "tables" / f"{name}.csv")
        assert len(table) > 0, name
    assert (quick / "figures" / "lloyd_amos_fig1.png").read_bytes()[:4] == b"\x89PNG"
    assert (quick / "figures" / "lloyd_amos_fig1.pdf").read_bytes()[:4] == b"%PDF"


def test_quick_does_all_runs_once(quick):
    runs = pd.read_parquet(quick / "tables" / "runs.parquet")
    assert list(runs.columns) == list(COLUMNS)
    key = ["experiment", "variant", "family", "instance_id", "repetition"]
    assert not runs.duplicated(key).any()
    expected = {
        # variants; orders, fractions, instances, repetitions; given puzzles and their repetitions
        "lloyd_amos": 12 * (3 * 5 * 5 + 16 * 2),
        "lewis": 3 * (3 * 5 * 3 * 2 + 3 * 2 + 2 * 2),
        **{f"lewis_{reading}": 3 * 3 * 2 for reading in ("walk", "root")},
        "lewis_propagation": 3 * 9 * 2,
        **dict.fromkeys(("generators", "generators_root"), 4 * 2 * 3),
        "soto": 9 * (8 * 1 + 7 * 3 + 3 * 5),
    }
    assert runs.groupby("experiment").size().to_dict() == expected
    main = runs[runs["experiment"] == "lloyd_amos"]
    assert (main.loc[main["trivial"], "status"] == SOLVED).all()
    assert (quick / "check.txt").read_text() == f"{len(runs)} runs, none invalid or error\n"


def test_quick_tells_where_its_results_come_from(quick):
    content = json.loads((quick / "provenance.json").read_text())
    runs = pd.read_parquet(quick / "tables" / "runs.parquet")
    assert content["config"]["name"] == "quick"
    assert content["config"]["lewis"]["random"]["orders"] == [3, 4, 5]
    assert content["machine"]["cores"] == os.cpu_count()
    assert content["software"]["packages"]["numba"]
    assert content["runs"]["number"] == len(runs)
    assert sum(content["runs"]["by_status"].values()) == len(runs)
    assert set(content["runs"]["source_hashes"]) == set(runs["solver"])
    assert content["time"]["wall_s"] > 0


def test_each_figure_is_known_to_be_made_by_its_rule_from_its_table(quick, project, monkeypatch):
    monkeypatch.chdir(project)
    results = quick.relative_to(project)
    summary = finish(project, *QUICK, "--detailed-summary").splitlines(keepends=True)
    (results / crate.MADE).write_text("".join(line for line in summary if "\t" in line))
    published = crate.Published(results)
    for name in FIGURES:
        figure, table = f"{results}/figures/{name}.png", f"{results}/tables/{name}.csv"
        assert table in published.sources(figure) or figures.every()[name].of_puzzle
        with Image.open(figure) as picture:
            said = picture.text["Description"]
        assert said.endswith(f", rule {published.rule(figure)}, configuration quick")
    crate.write([results])


def test_quick_says_what_is_coming_and_what_was_found(quick, project):
    said = (project / "said.txt").read_text().splitlines()
    runs = pd.read_parquet(quick / "tables" / "runs.parquet")
    (coming,) = (line for line in said if " runs in " in line)
    assert coming.startswith(f"antdoku: {len(runs):,} runs in ")
    # Each minute has its line where there is no terminal.
    took_s = json.loads((quick / "provenance.json").read_text())["time"]["wall_s"]
    assert took_s < 60 or any(re.match(r"antdoku: \d+% done, about .* left", line) for line in said)
    found = (quick / "findings.txt").read_text().splitlines()
    assert len(found) > 3
    assert said[-len(found) - 1 :] == [*found, "Report: results/quick/report.html"]


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    """A copy of the package to edit."""
    folder = tmp_path_factory.mktemp("edited")
    shutil.copytree(ROOT / "src", folder, ignore=NO_CACHE, dirs_exist_ok=True)
    return folder


DONE = {"check", "all", "report_html"}  # of all that changes a file of the results
# Whose grids a solver makes: the first word of the experiments.
MAKES = {"solvers/acs.py": {"generators"}, "solvers/tabu_col.py": {"lloyd", "lewis"}}


@pytest.mark.parametrize(
    ("files", "rules", "experiments"),
    [
        (
            ["solvers/acs.py"],
            {"run", "compile", "collect"},
            {"lloyd_amos", "generators", "generators_root"},
        ),
        pytest.param(
            ["solvers/tabu_col.py", "solvers/sa.py"],
            {"run", "compile", "collect"},
            {"lloyd_amos", *OF_LEWIS},
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            ["figures/style.py"],
            DONE | {f"figures_{paper}" for paper in PAPERS},
            set(),
            marks=pytest.mark.thorough,
        ),
        (["papers/soto/figures.py", "report/charts.py"], DONE | {"figures_soto"}, set()),
        (["__init__.py", "api.py", "cli/__init__.py", "config/planning.py"], set(), set()),
    ],
    ids=lambda files: files[0] if isinstance(files, list) else "",
)
def test_editing_code_reruns_what_depends_on_it(quick, project, edited, files, rules, experiments):
    package = edited / "antdoku"
    before = {file: (package / file).read_text() for file in files}
    for file, text in before.items():
        (package / file).write_text(f"{text}\n# edited\n")
    try:
        # No machine code is made, but a place for it.
        own = {"PYTHONPATH": str(edited), "XDG_CACHE_HOME": str(edited)}
        # The files of the copy have other paths, which would count as other inputs.
        jobs, runs = planned(project, *QUICK, "--rerun-triggers", "code", "params", **own)
    finally:
        for file, text in before.items():
            (package / file).write_text(text)
    assert {job.split("/")[0] for job in runs} == experiments
    assert rules <= set(jobs)
    made = {rule.split("_")[1] for rule in jobs if rule.startswith("instances")}
    assert made == MAKES.get(files[0], set())
    if not experiments:
        assert set(jobs) == rules


def test_a_variant_that_changes_is_all_that_its_jobs_do_again(quick, project):
    (project / "mine.yaml").write_text("lloyd_amos: {variants: {acs_no_bve: {params: {m: 9}}}}\n")
    before = len(lines(project))
    _, runs = planned(project, *QUICK, "mine.yaml")
    assert runs == {f"lloyd_amos/{batch}--0" for batch in ("order3", "order4", "order5", "named")}
    one = "results/quick/runs/lloyd_amos/order3--0.parquet"
    finish(project, one, *QUICK, "mine.yaml")
    assert len(lines(project)) == before + 25
    finish(project, one, *QUICK)
    assert len(lines(project)) == before + 25

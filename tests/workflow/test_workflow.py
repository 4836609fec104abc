"""The workflow as a user runs it: the quick configuration from end to end, and reruns."""

import json
import os
import shutil

import pandas as pd
import pytest
import yaml
from conftest import ROOT
from PIL import Image
from projects import finish, lines, make_project, planned, runs_at
from snakemake.utils import update_config

from antdoku import figures, tables
from antdoku.columns import COLUMNS
from antdoku.outcome import SOLVED

QUICK = ("--configfile", "config/quick.yaml", "--cores", "2")
INTERFACES = ["__init__.py", "api/__init__.py", "cli/__init__.py"]
OF_LEWIS = {"lewis", "lewis_walk", "lewis_root", "lewis_propagation"}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def quick(project):
    """The project after the quick workflow, and its results."""
    (project / "output.txt").write_text(finish(project, *QUICK))
    return project / "results" / "quick"


def test_quick_makes_every_file_of_the_papers(quick):
    plan = pd.read_parquet(quick / "plan.parquet")
    names = tables.of_plan(plan)
    assert len(names) > 20 and len(figures.of_plan(plan)) > 18
    for name in names:
        assert len(tables.read(name, quick / "tables" / f"{name}.csv")) > 0, name
    for name in figures.of_plan(plan):
        assert (quick / f"figures/{name}.pdf").read_bytes()[:4] == b"%PDF"
        with Image.open(quick / f"figures/{name}.png") as picture:
            assert picture.width > 500
    assert "reproduced" in (quick / "tables/claims.csv").read_text()
    assert (quick / "report.html").stat().st_size > 10**6


def test_quick_executes_each_planned_run_once_and_writes_the_provenance(quick):
    plan, runs = pd.read_parquet(quick / "plan.parquet"), pd.read_parquet(quick / "runs.parquet")
    key = ["experiment", "variant", "family", "instance_id", "repetition"]
    assert {*COLUMNS, *plan} - {"code"} == {*runs}
    pairs = plan.merge(runs, on=key, suffixes=("", "_of_run"), validate="one_to_one")
    assert len(pairs) == len(plan) == len(runs) > 2000
    for column in ("seed", "limit_steps", "params", "part", "family_kind"):
        assert (pairs[column] == pairs[f"{column}_of_run"]).all()
    main = runs[runs["experiment"] == "lloyd_amos"]
    assert (main.loc[main["trivial"], "status"] == SOLVED).all()
    assert (quick / "check.txt").read_text() == f"{len(runs)} runs, none invalid or error\n"
    content = json.loads((quick / "provenance.json").read_text())
    assert content["config"]["name"] == "quick"
    assert content["machine"]["cores"] == os.cpu_count()
    assert content["software"]["packages"]["numba"]
    assert content["runs"]["number"] == len(runs)


def test_quick_ends_with_the_verdicts_and_the_ranking(quick, project):
    output, summary = (project / "output.txt").read_text(), (quick / "summary.txt").read_text()
    assert f"{summary}Report: results/quick/report.html\n" in output
    assert all(text in summary for text in ("Total", "TabuCol", "0.1 of the paper’s work"))


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    """A copy of the package to edit."""
    folder = tmp_path_factory.mktemp("edited")
    no_cache = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", folder, ignore=no_cache, dirs_exist_ok=True)
    return folder


@pytest.mark.parametrize(
    ("files", "rules", "experiments"),
    [
        (["solvers/ils.py"], {"run", "collect"}, {"lloyd_amos", "generators", "generators_root"}),
        pytest.param(["solvers/sa.py"], {"run", "collect"}, OF_LEWIS, marks=pytest.mark.thorough),
        # The command line is in no result: it adds no rule.
        (["figures/style.py", *INTERFACES], {"figures", "report", "check", "all"}, set()),
        pytest.param(
            ["papers/soto/tables.py"],
            {"tables", "figures", "report", "check", "all"},
            set(),
            marks=pytest.mark.thorough,
        ),
        pytest.param(INTERFACES, set(), set(), marks=pytest.mark.thorough),
    ],
    ids=lambda files: files[0] if isinstance(files, list) else "",
)
def test_editing_code_reruns_what_depends_on_it(quick, project, edited, files, rules, experiments):
    package = edited / "antdoku"
    before = {file: (package / file).read_text() for file in files}
    for file, text in before.items():
        (package / file).write_text(f"{text}\nEDITED = True\n")
    try:
        # Nothing is compiled, but the folder of the cache is made.
        changes = {"PYTHONPATH": str(edited), "XDG_CACHE_HOME": str(edited)}
        # The files of the copy have other paths, which would count as other inputs.
        jobs, parts = planned(project, *QUICK, "--rerun-triggers", "code", "params", **changes)
    finally:
        for file, text in before.items():
            (package / file).write_text(text)
    assert {part.rpartition("--")[0] for part in parts} == experiments
    assert rules <= set(jobs)
    if not experiments:
        assert set(jobs) == rules


def test_a_changed_variant_repeats_only_its_own_runs(quick, project):
    before = len(lines(project))
    file = project / "config" / "quick.yaml"
    text = file.read_text()
    keys = json.loads(json.dumps(yaml.safe_load(text)))  # without aliases
    update_config(keys, {"lewis_walk": {"variants": {"cp_sa_walk": {"reach": 0.02}}}})
    file.write_text(yaml.dump(keys))
    jobs, parts = planned(project, *QUICK)
    runs = runs_at(project, "quick")
    assert parts == {*runs.loc[runs["experiment"] == "lewis_walk", "part"]}
    assert not {"instances"} & {*jobs}
    (part, *_) = sorted(parts)
    n_changed = ((runs["variant"] == "cp_sa_walk") & (runs["part"] == part)).sum()
    finish(project, f"results/quick/runs/{part}.parquet", *QUICK)
    assert len(lines(project)) == before + n_changed
    file.write_text(text)
    finish(project, f"results/quick/runs/{part}.parquet", *QUICK)
    assert len(lines(project)) == before + n_changed

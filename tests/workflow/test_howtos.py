"""How-tos as a reader follows them: their blocks become files, and their commands run."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from conftest import ROOT, files_of_howto
from projects import PATIENCE_S, environment, make_project

HOWTO = ROOT / "docs" / "howto"
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)", re.MULTILINE)


@pytest.fixture
def project(tmp_path):
    """A project with a package of its own, to which papers can be added."""
    make_project(tmp_path)
    (tmp_path / "src").unlink()
    no_cache = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=no_cache)
    return tmp_path


def follow(project, page, name):
    """Write the files of a page, and return its commands."""
    folder = project / "src/antdoku/papers" / name
    folder.mkdir()
    for file, content in files_of_howto(page).items():
        (folder / file).write_text(content, encoding="utf-8")
    run = ("echo", "snakemake", "pytest", "ANTDOKU_PAPERS")
    commands = COMMAND.findall((HOWTO / page).read_text("utf-8"))
    return [line for line in commands if line.startswith(run)]


def call(project, command):
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    env = environment(project) | {"PATH": path}
    options = {"cwd": project, "env": env, "timeout": PATIENCE_S, "text": True}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.run(command, shell=True, **options, **pipes)
    assert process.returncode == 0, process.stdout
    return process.stdout


# A copy of the package compiles its kernels anew: the checks of the same files are in test_mutants.
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("page", "name", "label"),
    [("paper.md", "miller", "Wander"), ("study.md", "colony", "20 ants")],
)
def test_a_how_to_runs_as_it_is_written(project, page, name, label):
    echo, snakemake, *elsewhere = follow(project, page, name)
    (project / "pyproject.toml").symlink_to(ROOT / "pyproject.toml")
    for lint in ("check", "format --check"):
        call(project, f"ruff {lint} --no-cache src/antdoku/papers/{name}")
    call(project, echo)
    assert f"Report: results/{name}/report.html" in call(project, snakemake)
    results = project / "results" / name
    (claims,) = COMMAND.findall((HOWTO / "claim.md").read_text("utf-8"))
    claims = claims.replace("default", name)
    assert "runs are planned" in call(project, f"{claims} --configfile {name}.yaml --dry-run")
    assert label in {*pd.read_parquet(results / "runs.parquet")["label"]}
    assert {*pd.read_csv(results / "tables/success.csv")["label"]} >= {label}
    assert list(results.glob(f"figures/{name}*.png"))
    for code in CODE.findall((HOWTO / page).read_text("utf-8")):  # what of the answer fails
        (project / "ask.py").write_text(code)
        assert call(project, "python ask.py") == "[]\n"
    tests = [command for command in elsewhere if command.startswith("pytest")]
    for command in tests:
        for part in ("tests", "docs"):
            (project / part).symlink_to(ROOT / part)
        assert re.search(r"\n[=]* *\d+ passed", call(project, command))
    # The folder may also stand elsewhere.
    for command in elsewhere[len(tests) :]:
        (project / "my_papers").mkdir()
        (project / "src/antdoku/papers" / name).rename(project / "my_papers" / name)
        dry = command.replace("$HOME/my_papers", "my_papers")
        assert "runs are planned" in call(project, f"{dry} --dry-run")

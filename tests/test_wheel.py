"""The wheel without extras: what it holds, what it can do, and what it says of the rest."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import distribution, distributions
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest
from conftest import ROOT
from packaging.requirements import Requirement

PUZZLE = "named:sabuncu1"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel, built of a copy: setuptools leaves a folder in what it builds of."""
    copy, built = (tmp_path_factory.mktemp(name) for name in ("copy", "built"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "src" / "antdoku", copy / "src" / "antdoku")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", built, copy)
    (file,) = built.iterdir()
    return file


@pytest.fixture(scope="module")
def antdoku(wheel, tmp_path_factory):
    """Run the program in an environment that holds the wheel and what it requires, no more."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    pip("--python", folder / "bin" / "python", "install", "--no-deps", "--no-index", wheel)
    link_requirements(Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder)})))

    def run(*arguments):
        # Isolated: PYTHONPATH would show the sources.
        command = [folder / "bin" / "python", "-I", folder / "bin" / "antdoku", *arguments]
        # Kernels are cached by the path of their files, which is that of a temporary folder.
        caches = os.environ | {"XDG_CACHE_HOME": str(folder), "NUMBA_CACHE_DIR": ""}
        return subprocess.run(command, cwd=folder, env=caches, capture_output=True, text=True)

    return run


def pip(*arguments):
    quiet = ("--quiet", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", *quiet, *map(str, arguments)], check=True)


def link_requirements(site):
    """Link to ours of the packages that those in a folder require: a download takes minutes."""
    (installed,) = distributions(path=[str(site)])
    waiting, found = required_by(installed), set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            package = distribution(name)
            waiting += required_by(package)
            for part in {file.parts[0] for file in package.files} - {"..", "__pycache__"}:
                (site / part).symlink_to(package.locate_file(part))


def required_by(package):
    needs = map(Requirement, package.requires or [])
    return [need.name for need in needs if not need.marker or need.marker.evaluate({"extra": ""})]


def test_the_wheel_holds_the_data_of_the_package(wheel):
    package = ROOT / "src" / "antdoku"
    data = {
        file.relative_to(package.parent).as_posix()
        for file in package.rglob("*")
        if file.is_file() and file.suffix not in (".py", ".pyc")
    }
    assert {f"antdoku/{name}" for name in ("claims/claims.yaml", "data/named_9x9.csv")} <= data
    assert data <= set(ZipFile(wheel).namelist())


def test_the_core_solves_and_counts(antdoku):
    # By the solver that counts, so that one set of kernels is compiled.
    solved = antdoku("solve", PUZZLE, "--solver", "dlx")
    assert (solved.returncode, solved.stderr) == (0, "")
    assert "sabuncu1: solved" in solved.stdout
    assert antdoku("count", PUZZLE).stdout == "1\n"


def test_the_core_generates_and_runs(antdoku, tmp_path):
    puzzles, runs = tmp_path / "puzzles.parquet", tmp_path / "runs.parquet"
    made = antdoku("generate", "--order", "2", "--fixed", "0.5", "--count", "3", "-o", puzzles)
    assert (made.returncode, made.stderr) == (0, "")
    done = antdoku("run", puzzles, "--solver", "dlx", "-o", runs)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(pd.read_parquet(runs)["status"]) == ["solved"] * 3


@pytest.mark.parametrize("solver", ["cpsat", "cdcl"])
def test_a_solver_that_needs_an_extra_names_it_in_one_line(antdoku, solver):
    refused = antdoku("solve", PUZZLE, "--solver", solver)
    assert (refused.returncode, refused.stdout) == (2, "")
    (line,) = refused.stderr.splitlines()
    assert line.startswith(f"antdoku: error: solver {solver}: needs ")
    assert "pip install 'antdoku[baselines]'" in line


def test_the_list_of_solvers_says_which_need_an_extra(antdoku):
    listed = antdoku("solvers")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout.count("pip install 'antdoku[baselines]'") == 2
    assert "dlx  DLX, exact" in listed.stdout

"""The contents of the source distribution and of the wheel, and the wheel in an empty environment.

It is installed without extras and with them. `make dist` tests the files in `dist` (ANTDOKU_DIST).
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from importlib.metadata import distribution, distributions
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest
from conftest import ROOT
from packaging.requirements import Requirement

from antdoku import __version__

COMPILING = "antdoku: compiling once, which takes some seconds"
PUZZLE = "named:sabuncu1"
TEXTS = ("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "README.md")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Folder with a source distribution and the wheel that is built from it."""
    if folder := os.environ.get("ANTDOKU_DIST"):
        return Path(folder)
    # From a copy, because setuptools leaves a folder in the sources.
    copy, folder = (tmp_path_factory.mktemp(name) for name in ("copy", "built"))
    for name in ("MANIFEST.in", "pyproject.toml", *TEXTS):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "src" / "antdoku", copy / "src" / "antdoku")
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, copy)
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    (file,) = built.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def antdoku(wheel, tmp_path_factory):
    """Run the program in an environment with only the wheel and its requirements."""
    return program(wheel, tmp_path_factory.mktemp("environment"))


def program(wheel, folder, *extras):
    """Install the wheel into a new environment; return a function that runs its program."""
    venv.create(folder, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    options = ("--python", folder / "bin" / "python", "install", "--no-deps", "--no-index")
    subprocess.run([*pip, *options, wheel], check=True)
    site = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder)}))
    link_requirements(site, extras)

    def run(*arguments, program=(folder / "bin" / "antdoku",)):
        # Isolated (-I): PYTHONPATH would lead to the sources.
        command = [folder / "bin" / "python", "-I", *program, *arguments]
        # The cache of kernels depends on the paths of their files, here in a temporary folder.
        caches = os.environ | {"XDG_CACHE_HOME": str(folder), "NUMBA_CACHE_DIR": ""}
        return subprocess.run(command, cwd=folder, env=caches, capture_output=True, text=True)

    return run


def link_requirements(site, extras=()):
    """Link the requirements into a folder from our environment: a download takes minutes."""
    (installed,) = distributions(path=[str(site)])
    waiting, linked = required_by(installed, extras), set()
    while waiting:
        requirement = name, package_extras = waiting.pop()
        if requirement not in linked:
            linked.add(requirement)
            package = distribution(name)
            waiting += required_by(package, package_extras)
            for part in {file.parts[0] for file in package.files} - {"..", "__pycache__"}:
                if not (site / part).exists():  # packages may share a folder
                    (site / part).symlink_to(package.locate_file(part))


def required_by(package, extras=()):
    """Return names and extras of the packages that a package requires, with some extras."""
    needs = [Requirement(need) for need in package.requires or []]
    cases = [{"extra": extra} for extra in ("", *extras)]
    return [
        (need.name, tuple(sorted(need.extras)))
        for need in needs
        if not need.marker or any(map(need.marker.evaluate, cases))
    ]


def test_the_distributions_contain_all_files_and_the_version(wheel, built, antdoku):
    package = ROOT / "src" / "antdoku"
    files = (file for file in package.rglob("*") if file.is_file() and file.suffix != ".pyc")
    in_wheel = set(ZipFile(wheel).namelist())
    assert {file.relative_to(package.parent).as_posix() for file in files} <= in_wheel
    (file,) = built.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {*TEXTS, *(f"src/{name}" for name in in_wheel if name.startswith("antdoku/"))} <= names
    assert not any(name.startswith(("tests", "docs", "results")) for name in names)
    assert antdoku("--version").stdout == f"antdoku, version {__version__}\n"


@pytest.mark.thorough
def test_the_core_solves_counts_checks_and_generates_without_pandas(antdoku, tmp_path):
    # `count` uses the solver dlx: only one set of kernels is compiled.
    solved = antdoku("solve", PUZZLE, "--solver", "dlx", "--draw")
    assert (solved.returncode, solved.stderr) == (0, f"{COMPILING}\n")
    assert "sabuncu1: solved" in solved.stdout
    assert antdoku("count", PUZZLE).stdout == "1\n"
    assert antdoku("check", PUZZLE).stdout.startswith("valid, unique, ")
    puzzles, solutions, mine = (tmp_path / name for name in ("in.txt", "out.csv", "mine.py"))
    generate = ("generate", "--order", "2", "--fixed", "0.5", "-o")
    made = antdoku(*generate, puzzles, "--count", "3")
    assert (made.returncode, made.stderr) == (0, f"{COMPILING}\n")
    code = "import antdoku as a; p, = a.generate(order=2, fixed=0.5, seed=1); print("
    code += "a.solve(p, 'dlx').status, a.count(p), a.check(p).valid)"
    assert antdoku(program=("-c", code)).stdout == "solved 1 True\n"
    assert antdoku("new-solver", mine).returncode == 0
    assert antdoku("solve", puzzles, "--solver", mine, "-o", solutions).returncode == 0
    assert antdoku("count", solutions).stdout.count(": 1\n") == 3
    assert antdoku("check", solutions, solutions).stdout.count(": yes, a solution\n") == 3
    assert antdoku(*generate, tmp_path / "x.csv").returncode == 0
    compare = ("compare", puzzles, "-s", "dlx")
    for command, package in ((compare, "pandas"), ((*generate, "x.parquet"), "pyarrow")):
        refused = antdoku(*command)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr.rpartition(": ")[0] == f"antdoku: error: needs {package}"
        assert refused.stderr.endswith(" pip install 'antdoku[tables]'\n")


@pytest.mark.thorough
def test_compare_works_with_the_extra_tables(wheel, tmp_path):
    with_tables = program(wheel, tmp_path, "tables")
    puzzles, runs = tmp_path / "puzzles.parquet", tmp_path / "runs.parquet"
    options = ("--order", "2", "--fixed", "0.5", "--count", "3", "-o", puzzles)
    assert with_tables("generate", *options).returncode == 0
    assert with_tables("compare", puzzles, "-s", "dlx", "-o", runs).returncode == 0
    assert list(pd.read_parquet(runs)["status"]) == ["solved"] * 3


def test_a_solver_without_its_library_names_the_extra_in_one_line(antdoku):
    for solver in ("cpsat", "cdcl"):
        refused = antdoku("solve", PUZZLE, "--solver", solver)
        assert (refused.returncode, refused.stdout) == (2, "")
        (line,) = refused.stderr.splitlines()
        assert line.startswith(f"antdoku: error: solver {solver}: needs ")
        assert "pip install 'antdoku[baselines]'" in line
    assert antdoku("solvers").stdout.count("pip install 'antdoku[baselines]'") == 2
    listed = json.loads(antdoku("solvers", "--json").stdout)
    assert sum("pip install" in entry.get("missing", "") for entry in listed) == 2


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["1_puzzles", "2_own_solver", "3_claim"])
def test_the_extra_that_a_tutorial_names_suffices(name, wheel, tmp_path):
    examples = ROOT / "docs" / "examples"
    text = (examples / f"tutorial_{name}.py").read_text("utf-8")
    (extra,) = re.findall(r"^You need ``pip install '\.\[(\w+)\]'``", text, re.MULTILINE)
    run = program(wheel, tmp_path, extra)
    imports = "\n".join(re.findall(r"^(?:import|from) .*", text, re.MULTILINE))
    draw = "from antdoku.figures import style\nstyle.figure('')._repr_png_()"
    code = f"import sys; sys.path.append({str(examples)!r})\n{imports}\n{draw}"
    imported = run(program=("-c", code))
    assert (imported.returncode, imported.stderr) == (0, "")


@pytest.mark.thorough
def test_every_module_can_be_imported_with_the_extras(wheel, tmp_path):
    code = """
import importlib, pkgutil, antdoku, snakemake
for module in pkgutil.walk_packages(antdoku.__path__, "antdoku."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
    imported = program(wheel, tmp_path, "baselines", "workflow")(program=("-c", code))
    assert (imported.returncode, imported.stderr) == (0, "")

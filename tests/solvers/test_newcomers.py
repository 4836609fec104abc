"""One file is all that a new solver takes, be it as weak as a first attempt."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

NEWCOMERS = [
    *sorted((Path(__file__).parent / "newcomers").glob("*.py")),
    ROOT / "docs" / "examples" / "late_acceptance.py",
]
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Call Python with a package that has the newcomers among its solvers."""
    folder = tmp_path_factory.mktemp("with_newcomers")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "antdoku", folder / "antdoku", ignore=ignored)
    for file in NEWCOMERS:
        shutil.copy(file, folder / "antdoku" / "solvers")
    own = os.environ | {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder)}

    def call(*words):
        command = [sys.executable, *words]
        return subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True)

    return call


def test_a_weak_newcomer_passes_the_contract(python):
    chosen = " or ".join(file.stem for file in NEWCOMERS)
    path = "tests/solvers/test_solvers.py"
    tests = python("-m", "pytest", "-q", "-p", "no:cacheprovider", path, "-k", chosen)
    assert tests.returncode == 0, tests.stdout
    assert " passed" in tests.stdout and "skipped" not in tests.stdout


def test_a_newcomer_is_on_the_command_line(python):
    command = "-c", "import sys; from antdoku.cli import main; sys.exit(main())"
    listed = python(*command, "solvers").stdout
    assert "late_acceptance  Late acceptance, stochastic, orders 2 to 10\n" in listed
    assert "plain_backtracking  Plain backtracking, exact, orders 2 to 10\n" in listed
    solved = python(*command, "solve", "--draw", "--solver", "plain_backtracking", EASY)
    assert solved.returncode == 0, solved.stderr
    assert "solved (plain_backtracking" in solved.stdout

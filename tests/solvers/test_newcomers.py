"""One file is all that a new solver takes, be it as weak as a first attempt."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

NEWCOMERS = [*sorted((Path(__file__).parent / "newcomers").glob("*.py"))]
NEWCOMERS.append(ROOT / "docs" / "examples" / "late_acceptance.py")


def test_a_weak_newcomer_passes_the_contract(tmp_path):
    """The tests of all solvers run with a package that has the newcomers among its solvers."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "antdoku", tmp_path / "antdoku", ignore=ignored)
    for file in NEWCOMERS:
        shutil.copy(file, tmp_path / "antdoku" / "solvers")
    own = os.environ | {"PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    chosen = " or ".join(file.stem for file in NEWCOMERS)
    tests = "tests/solvers/test_solvers.py", "-k", chosen
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout and "skipped" not in done.stdout

"""A new solver needs one file only, and may be as weak as a first attempt."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from conftest import ROOT

NEWCOMERS = [*sorted((Path(__file__).parent / "newcomers").glob("*.py"))]
NEWCOMERS.append(ROOT / "docs" / "examples" / "late_acceptance.py")


def test_a_weak_newcomer_passes_the_contract(tmp_path):
    """Run the tests of all solvers with a copy of the package that includes the newcomers."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "antdoku", tmp_path / "antdoku", ignore=ignored)
    for file in NEWCOMERS:
        shutil.copy(file, tmp_path / "antdoku" / "solvers")
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    names = " or ".join(file.stem for file in NEWCOMERS)
    tests = "tests/solvers/test_solvers.py", "-k", names
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    process = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout
    assert " passed" in process.stdout and "skipped" not in process.stdout

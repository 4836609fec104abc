"""The directions of the imports: who may know whom."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import antdoku

PACKAGE = Path(antdoku.__file__).parent
SOLVER_MAY_IMPORT = {
    "bits", "budget", "compilation", "errors", "grid", "outcome", "propagation", "randomness",
    "vectors",
}  # fmt: skip


def imported(file):
    """Names of the modules that a file imports, of the package without its name."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            if node.module in ("antdoku", "antdoku.solvers"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            else:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize(
    "file", sorted((PACKAGE / "solvers").glob("[!_]*.py")), ids=lambda f: f.stem
)
def test_a_solver_imports_only_what_all_solvers_share(file):
    ours = {name.removeprefix("antdoku.") for name in imported(file) if name.startswith("antdoku.")}
    # Private helpers, and another solver that it builds on.
    assert {name for name in ours if not name.startswith("solvers.")} <= SOLVER_MAY_IMPORT


@pytest.mark.parametrize(
    "module", ["tables", "statistics", "inference", "published", "claims", "figures", "report"]
)
def test_what_reads_results_knows_no_solver_and_no_kernel(module):
    code = f"import sys, antdoku.{module}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    # Statsmodels costs half a second; pyplot keeps global state.
    assert not {"numba", "statsmodels", "matplotlib.pyplot"} & set(loaded)
    assert not [name for name in loaded if name.startswith("antdoku.solvers")]


def test_solving_loads_neither_pandas_nor_matplotlib():
    code = (
        "import sys; from antdoku.cli import main; status = main(['solve', 'named:sabuncu1']);"
        "print(status, *sys.modules)"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    loaded = printed.splitlines()[-1].split()
    assert loaded[0] == "0"
    assert not {"pandas", "matplotlib", "snakemake", "pyarrow", "rich"} & set(loaded)

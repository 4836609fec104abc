"""The locks, pyproject.toml and the imports agree; modules load and depend on no more than needed.

The contracts in pyproject.toml say which module may import which; `make lint` checks them.
"""

import ast
import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from antdoku.errors import EXTRAS
from antdoku.files import sources

PACKAGE = ROOT / "src" / "antdoku"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OPTIONAL = PROJECT["optional-dependencies"]
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([A-Za-z0-9.!+]+)( \\)?$")
IMPORTED_AS = {
    "PIL": "pillow",
    "pydantic_core": "pydantic",  # a part of it
    "pysat": "python-sat",
    "sklearn": "scikit-learn",
    "vl_convert": "vl-convert-python",
    "yaml": "pyyaml",
}


def requirements(*extras):
    """Return the requirements of the core and of some extras, including the extras they name."""
    needs = [Requirement(text) for text in PROJECT["dependencies"]]
    for extra in extras:
        for need in map(Requirement, OPTIONAL[extra]):
            needs += requirements(*need.extras) if need.name == PROJECT["name"] else [need]
    return needs


def required(*extras):
    return {canonicalize_name(need.name) for need in requirements(*extras)}


def imported(files):
    """Return the third-party packages that the files import."""
    names = set()
    for file in files:
        for node in ast.walk(ast.parse(Path(file).read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.split(".")[0])
    third_party = names - set(sys.stdlib_module_names) - {"antdoku"}
    return {canonicalize_name(IMPORTED_AS.get(name, name)) for name in third_party}


def pins(lock):
    """Return the versions of a lock; every line pins one package, none is an address or a path."""
    lines = (ROOT / lock).read_text().splitlines()
    matches = [
        PIN.fullmatch(line) for line in lines if not line.startswith(("#", "    --hash=sha2"))
    ]
    versions = dict(match.groups()[:2] for match in matches)
    assert len(versions) == len(matches), "a package is pinned twice"
    return versions


def test_the_locks_pin_each_direct_dependency_once_within_its_bounds():
    locked, manual = pins("requirements.lock"), pins("docs/requirements.lock")
    assert not locked.keys() & manual.keys()
    needs = requirements(*OPTIONAL.keys() - {"docs"})
    for need in [*needs, *requirements("docs")]:
        assert (locked | manual)[canonicalize_name(need.name)] in need.specifier, need
    assert {canonicalize_name(need.name) for need in needs} <= locked.keys()
    for name in ("environment.yml", "workflow/envs/antdoku.yaml"):
        conda = dict(re.findall(r"- ([a-z0-9._-]+)==(\S+)", (ROOT / name).read_text()))
        assert conda == locked


def test_dependencies_are_imported_and_imports_are_dependencies():
    assert required() <= imported(sources("cli")) <= required("workflow")
    assert imported(PACKAGE.glob("solvers/*.py")) <= required("baselines")
    plugins = {"snakemake-logger-plugin-rich"}
    assert imported(PACKAGE.rglob("*.py")) == required("baselines", "studies") - plugins
    named = {IMPORTED_AS.get(name, name) for name in EXTRAS}  # in a message
    needs = required("tables", "plot") | {"scikit-learn"}
    assert needs - required() == named


def loaded(code):
    """Return the modules that a new interpreter has loaded after `code`."""
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    return {*subprocess.check_output(command, text=True).splitlines()[-1].split()}


def test_large_packages_are_loaded_only_where_they_are_needed():
    assert loaded("import antdoku") - loaded("") == {"antdoku"}
    solve = "from antdoku.cli import main\nassert main(['solve', 'named:sabuncu1']) == 0"
    assert not {"pandas", "matplotlib", "snakemake", "pyarrow", "rich"} & loaded(solve)
    report = "import antdoku.claims.page, antdoku.claims.verdicts, antdoku.report"
    # Statsmodels takes half a second; pyplot keeps global state.
    assert not {"statsmodels", "matplotlib.pyplot", "numba"} & loaded(report)
    assert "matplotlib.pyplot" not in loaded("from antdoku import figures\nassert figures.every()")


def names_of_sources(*modules):
    return {file.relative_to(PACKAGE).as_posix() for file in sources(*modules)}


def test_sources_contain_imported_modules_and_no_others():
    run, instances = (
        names_of_sources("runs.job", "solvers.bs"),
        names_of_sources("instances.random"),
    )
    assert {"runs/job.py", "runs/run.py", "solvers/bs.py", "kernels/propagation.py"} <= run
    assert {"instances/random.py", "puzzle/grid.py"} <= instances
    unrelated = {"solvers/acs.py", "solvers/tabu_col.py", "instances/unique.py", "runs/plan.py"}
    assert all((PACKAGE / name).exists() for name in unrelated)
    assert not unrelated & (run | instances)


@pytest.mark.parametrize("script", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda p: p.name)
def test_a_benchmark_finds_what_it_imports(script, monkeypatch):
    monkeypatch.syspath_prepend(str(script.parent))
    spec = importlib.util.spec_from_file_location(f"benchmark_{script.stem}", script)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))

"""Lock, imports and pyproject.toml agree; what an import loads, and which files a result needs.

Who may import whom: contracts in pyproject.toml, kept by `make lint`.
"""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from antdoku.extras import EXTRAS
from antdoku.files import sources

PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([A-Za-z0-9.!+]+)( \\)?$")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
IMPORTED_AS = {
    "PIL": "pillow",
    "pydantic_core": "pydantic",  # which comes with it
    "pysat": "python-sat",
    "vl_convert": "vl-convert-python",
    "yaml": "pyyaml",
}


def requirements(*extras):
    """Requirements of the core and of some extras, those that they name among them."""
    needs = [Requirement(text) for text in PROJECT["dependencies"]]
    for extra in extras:
        for need in map(Requirement, PROJECT["optional-dependencies"][extra]):
            needs += requirements(*need.extras) if need.name == PROJECT["name"] else [need]
    return needs


def declared(*extras):
    return {canonicalize_name(need.name) for need in requirements(*extras)}


def imported(files):
    """Names of the packages, foreign ones, that the files import."""
    names = set()
    for file in files:
        for node in ast.walk(ast.parse(Path(file).read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(node.module.split(".")[0])
    foreign = names - set(sys.stdlib_module_names) - {"antdoku"}
    return {canonicalize_name(IMPORTED_AS.get(name, name)) for name in foreign}


def files_of(*parts):
    return [file for part in parts for file in ROOT.joinpath("src", "antdoku").glob(part)]


def test_direct_dependencies_are_locked_once_within_their_bounds():
    # An index address, an editable line or a local path would not match.
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = [PIN.fullmatch(line) for line in lines if not line.startswith(("#", "    --hash=sha2"))]
    locked = dict(pin.groups()[:2] for pin in pins)
    assert len(locked) == len(pins)
    extras = PROJECT["optional-dependencies"].keys() - {"docs"}
    for need in requirements(*extras):
        assert locked[canonicalize_name(need.name)] in need.specifier, need
    for name in ("environment.yml", "workflow/envs/antdoku.yaml"):
        written = dict(re.findall(r"- ([a-z0-9._-]+)==(\S+)", (ROOT / name).read_text()))
        assert written == locked


def test_dependencies_are_what_is_imported_and_no_more_where_less_is_needed():
    assert declared() <= imported(sources("cli")) <= declared("workflow")
    assert imported(files_of("solvers/*.py")) <= declared("baselines")
    assert declared("tables", "plot") - declared() == EXTRAS.keys()  # named to whoever lacks them
    plugins = {"snakemake-logger-plugin-rich"}
    assert imported(files_of("**/*.py")) == declared("baselines", "workflow") - plugins


def loaded(code):
    """Names of the modules that a fresh interpreter has loaded after `code`."""
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    return {*subprocess.check_output(command, text=True).splitlines()[-1].split()}


def test_what_is_imported_loads_no_more_than_it_needs():
    assert loaded("import antdoku") - loaded("") == {"antdoku"}
    code = "from antdoku.cli import main\nassert main(['solve', 'named:sabuncu1']) == 0"
    assert not {"pandas", "matplotlib", "snakemake", "pyarrow", "rich"} & loaded(code)
    code = "import antdoku.claims.page, antdoku.claims.verdicts, antdoku.report"
    # Statsmodels costs half a second; pyplot keeps global state.
    assert not {"statsmodels", "matplotlib.pyplot", "numba"} & loaded(code)
    assert "matplotlib.pyplot" not in loaded("from antdoku import figures\nassert figures.every()")


def test_sources_follow_imports_and_leave_out_what_is_not_imported_as_of_another_family():
    found = {Path(file).name for file in sources("runs.job", "solvers.bs")}
    assert {"job.py", "run.py", "bs.py", "propagation.py", "grid.py", "pool.py"} <= found
    assert not found & {"acs.py", "dlx.py", "ils.py", "api.py", "tables", "planning.py"}
    assert all(Path(file).exists() for file in sources("config", "solvers.ils"))
    found = {Path(file).name for file in sources("instances.random")}
    assert "random.py" in found and not found & {"acs.py", "bs.py", "tabu_col.py", "unique.py"}

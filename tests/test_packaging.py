"""pyproject.toml, requirements.lock, environment.yml and imports agree; what make refuses."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import antdoku

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9.!+]+)")


def lock_lines():
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith(("#", "    --hash=sha256:"))]
    return [line.removesuffix(" \\") for line in pins]  # where `make lock` added hashes


def locked():
    pins = [line.split("==") for line in lock_lines()]
    return {canonicalize_name(name): version for name, version in pins}


def direct_requirements():
    extras = PROJECT["project"]["optional-dependencies"].values()
    texts = [
        *PROJECT["build-system"]["requires"],
        *PROJECT["project"]["dependencies"],
        *(text for extra in extras for text in extra),
    ]
    return [need for need in map(Requirement, texts) if need.name != PROJECT["project"]["name"]]


def test_lock_holds_pins_and_nothing_else():
    # An index address, an editable line or a local path would not match.
    assert [line for line in lock_lines() if not PIN.fullmatch(line)] == []
    assert len(locked()) == len(lock_lines()), "a package is pinned twice"


@pytest.mark.parametrize("need", direct_requirements(), ids=str)
def test_direct_dependency_is_locked_within_its_bounds(need):
    assert locked()[canonicalize_name(need.name)] in need.specifier


def test_environment_yml_pins_the_direct_dependencies_as_the_lock_does():
    entries = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    (by_pip,) = (entry.pop("pip") for entry in entries if isinstance(entry, dict))
    by_conda = [entry for entry in entries if isinstance(entry, str) and entry != "pip"]
    pins = dict(entry.split("=") for entry in by_conda)
    pins |= dict(entry.split("==") for entry in by_pip)
    python = pins.pop("python")
    names = {canonicalize_name(need.name) for need in direct_requirements()}
    assert pins == {name: locked()[name] for name in names}
    assert f">={python}" == PROJECT["project"]["requires-python"]


def imported(folder):
    """Top-level modules that the Python files of a folder import."""
    for file in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                yield from (alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield node.module.split(".")[0]


def test_every_imported_package_is_a_declared_dependency():
    project = PROJECT["project"]
    # The solvers that need an extra say so when it is not installed.
    dependencies = project["dependencies"] + project["optional-dependencies"]["baselines"]
    declared = {canonicalize_name(Requirement(text).name) for text in dependencies}
    foreign = set(imported("src")) - set(sys.stdlib_module_names) - {"antdoku"}
    owners = packages_distributions()
    missing = {name for name in foreign if not declared & set(map(canonicalize_name, owners[name]))}
    assert missing == set()


def test_the_citation_names_the_version_and_the_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == antdoku.__version__
    years = [paper["year"] for paper in citation["references"]]
    assert years == [2019, 2007, 2007, 2013, 2014, 2014]
    assert all(paper["title"] and paper["authors"] for paper in citation["references"])


def make(*arguments):
    command = ["make", "--dry-run", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_make_refuses_an_unknown_configuration_in_one_line():
    done = make("reproduce", "CONFIG=slow")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "CONFIG=slow: must be quick, default or paper" in line


@pytest.mark.parametrize("config", ["quick", "default", "paper"])
def test_make_lays_the_configuration_over_the_default(config):
    done = make("reproduce", f"CONFIG={config}", "CORES=3")
    assert done.returncode == 0
    assert "snakemake --cores 3" in done.stdout
    assert (f"--configfile config/{config}.yaml" in done.stdout) == (config != "default")
    assert yaml.safe_load(overlay(config).read_text())["name"] == config


def overlay(config):
    return ROOT / "config" / ("config.yaml" if config == "default" else f"{config}.yaml")


def test_make_sets_up_anew_only_when_the_lock_or_the_package_changes(tmp_path):
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    in_copy = ("--directory", str(tmp_path), "setup")
    stamp = re.search(r"touch (\S+)", make(*in_copy).stdout)[1]
    (tmp_path / stamp).parent.mkdir()
    (tmp_path / stamp).touch()
    (tmp_path / "requirements.lock").touch()
    assert "venv" not in make(*in_copy).stdout
    with (tmp_path / "requirements.lock").open("a") as file:
        file.write("# changed\n")
    assert "venv --clear" in make(*in_copy).stdout

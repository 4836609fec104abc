"""Lock, imports and what is written of pyproject.toml agree."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import ROOT
from packaging.utils import canonicalize_name
from tools import metadata

from antdoku import sources

PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9.!+]+)")
EXTRAS = metadata.ABOUT["optional-dependencies"].keys() - {"docs"}  # test_docs.py has their lock


def test_lock_holds_pins_and_nothing_else():
    # An index address, an editable line or a local path would not match.
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith(("#", "    --hash=sha256:"))]
    assert [line for line in pins if not PIN.fullmatch(line.removesuffix(" \\"))] == []
    assert len(metadata.locked()) == len(pins), "a package is pinned twice"


def test_direct_dependencies_are_locked_within_their_bounds():
    locked, needs = metadata.locked(), metadata.requirements(*EXTRAS)
    outside = [need for need in needs if locked[canonicalize_name(need.name)] not in need.specifier]
    assert outside == []


@pytest.mark.parametrize("name", metadata.files())
def test_what_others_are_told_of_the_package_is_what_make_metadata_writes(name):
    assert (ROOT / name).read_text("utf-8") == metadata.files()[name]


def test_the_package_is_installed_in_the_environment_of_the_jobs(tmp_path):
    # Instead of Python: what it is called with, and where.
    (tmp_path / "python").write_text('#!/bin/sh\necho "$PWD: $@"\n')
    (tmp_path / "python").chmod(0o755)
    script = ROOT / "workflow" / "envs" / "antdoku.post-deploy.sh"
    for folder in (ROOT, ROOT / ".test"):  # where Snakemake works
        path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
        done = subprocess.run(["sh", script], cwd=folder, env=path, capture_output=True, text=True)
        expected = "-m pip install --no-deps --no-build-isolation --editable ."
        assert done.stdout == f"{ROOT}: {expected}\n"


IMPORTED_AS = {
    "PIL": "pillow",
    "pydantic_core": "pydantic",  # which comes with it
    "pysat": "python-sat",
    "vl_convert": "vl-convert-python",
    "yaml": "pyyaml",
}


def declared(*extras):
    """Names of the core dependencies and of those of some extras."""
    names = {canonicalize_name(need.name) for need in metadata.requirements(*extras)}
    return names - {"setuptools"}  # builds it


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


def test_dependencies_are_what_is_imported_and_no_more_where_less_is_needed():
    # That it needs no others but to draw is tested with the wheel (test_wheel.py).
    assert declared() <= imported(sources.sources("cli")) <= declared("workflow")
    assert imported(files_of("solvers/*.py")) <= declared("baselines")
    assert imported(files_of("**/*.py")) == declared("baselines", "workflow")


def test_the_readme_of_the_configuration_names_its_files_and_the_keys_at_its_top():
    readme = (ROOT / "config" / "README.md").read_text()
    files = [file.name for file in (ROOT / "config").glob("*.yaml")]
    keys = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    assert [name for name in files if f"[{name}]({name})" not in readme] == []
    assert [key for key in keys if f"`{key}`" not in readme] == []


def test_make_lays_files_of_ones_own_over_each_other_and_refuses_what_is_none(tmp_path):
    (tmp_path / "ants.yaml").write_text("experiments: [lloyd_amos]\nname: more_ants\n")
    command = ["make", "--no-print-directory", "--dry-run", "reproduce"]
    files = f"CONFIG=quick {tmp_path}/ants.yaml"
    done, refused = (
        subprocess.run([*command, config], cwd=ROOT, capture_output=True, text=True)
        for config in (files, "CONFIG=slow")
    )
    assert f"--configfile config/quick.yaml {tmp_path}/ants.yaml" in done.stdout
    assert "-> results/more_ants/" in done.stdout
    (line,) = refused.stderr.splitlines()
    assert "CONFIG=slow: must be quick, default, paper, archive, " in line

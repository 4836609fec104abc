"""pyproject.toml, requirements.lock, environments of conda, metadata and imports agree; what make
refuses.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import antdoku
from antdoku import sources

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
    # The manual has a lock of its own, see test_docs.py.
    extras = [
        texts
        for name, texts in PROJECT["project"]["optional-dependencies"].items()
        if name != "docs"
    ]
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


def conda_pins(file):
    """Versions by name of an environment, and what else pip installs in it."""
    entries = yaml.safe_load((ROOT / file).read_text())["dependencies"]
    (by_pip,) = (entry["pip"] for entry in entries if isinstance(entry, dict))
    # All that conda has to solve.
    python, pip, _ = entries
    assert pip == "pip"
    pins = dict(entry.split("==") for entry in by_pip if not entry.startswith("-"))
    pins |= [python.split("=")]
    return pins, [entry for entry in by_pip if entry.startswith("-")]


def test_environment_yml_pins_what_the_lock_does_and_installs_the_package():
    pins, others = conda_pins("environment.yml")
    python = pins.pop("python")
    names = {canonicalize_name(need.name) for need in direct_requirements()}
    assert pins == {name: locked()[name] for name in names}
    assert f">={python}" == PROJECT["project"]["requires-python"]
    # Pip works in the folder of the file, which is that of the package.
    assert others == ["--editable ."]


def test_the_environment_of_the_jobs_is_environment_yml_without_the_tools_of_developers():
    pins, others = conda_pins("workflow/envs/antdoku.yaml")
    whole, _ = conda_pins("environment.yml")
    names = declared("baselines", "workflow") | {"python", "setuptools"}
    assert pins == {name: whole[name] for name in names}
    assert others == []


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
    "pysat": "python-sat",
    "vl_convert": "vl-convert-python",
    "yaml": "pyyaml",
}


def declared(*extras):
    """Names of the core dependencies and of those of some extras."""
    project = PROJECT["project"]
    of_extras = [text for extra in extras for text in project["optional-dependencies"][extra]]
    texts = project["dependencies"] + of_extras
    return {canonicalize_name(Requirement(text).name) for text in texts}


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


def test_the_core_dependencies_are_what_the_command_line_reaches():
    assert imported(sources.sources("cli")) == declared()


def test_what_a_solver_imports_is_a_core_dependency_or_a_baseline():
    assert imported(files_of("solvers/*.py")) <= declared("baselines")


def test_the_dependencies_are_what_the_package_imports_and_what_runs_the_workflow():
    assert imported(files_of("**/*.py")) == declared("baselines", "workflow")


def test_the_citation_names_the_version_and_the_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    years = [paper["year"] for paper in citation["references"]]
    assert years == [2019, 2007, 2007, 2013, 2014, 2014]
    assert all(paper["title"] and paper["authors"] for paper in citation["references"])


def test_citation_codemeta_changelog_and_package_say_the_same():
    project = PROJECT["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    codemeta = json.loads((ROOT / "codemeta.json").read_text())
    changelog = (ROOT / "CHANGELOG.md").read_text()
    releases = re.findall(r"^## \[?(\d[\w.]*)\]? - (\d{4}-\d{2}-\d{2})$", changelog, re.MULTILINE)
    assert releases[0] == (antdoku.__version__, str(citation["date-released"]))
    assert releases[0] == (codemeta["version"], codemeta["datePublished"])
    assert citation["version"] == codemeta["version"]
    assert citation["title"] == codemeta["headline"] == f"antdoku: {lower(project['description'])}"
    assert codemeta["name"] == project["name"]
    assert codemeta["description"] == project["description"]
    assert codemeta["license"] == f"https://spdx.org/licenses/{citation['license']}"
    assert citation["license"] == project["license"]
    authors = [author["name"] for author in project["authors"]]
    assert [author["name"] for author in citation["authors"]] == authors
    assert [author["name"] for author in codemeta["author"]] == authors
    assert set(codemeta["keywords"]) == set(project["keywords"])
    assert set(codemeta["softwareRequirements"]) == declared()
    cited = {paper["doi"] for paper in citation["references"] if "doi" in paper}
    named = {paper["identifier"] for paper in codemeta["referencePublication"]}
    assert named == {f"https://doi.org/{doi}" for doi in cited}


def lower(sentence):
    return sentence[0].lower() + sentence[1:]


def test_the_readme_of_the_configuration_names_its_files_and_the_keys_at_its_top():
    readme = (ROOT / "config" / "README.md").read_text()
    files = [file.name for file in (ROOT / "config").glob("*.yaml")]
    keys = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    assert [name for name in files if f"[{name}]({name})" not in readme] == []
    assert [key for key in keys if f"`{key}`" not in readme] == []


def make(*arguments):
    command = ["make", "--no-print-directory", "--dry-run", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_make_refuses_an_unknown_configuration_in_one_line():
    done = make("reproduce", "CONFIG=slow")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert (
        "CONFIG=slow: must be quick, default, paper, archive, frontier or files: there is no slow"
        in line
    )


@pytest.mark.parametrize("config", ["quick", "default", "paper"])
def test_make_lays_the_configuration_over_the_default(config):
    done = make("reproduce", f"CONFIG={config}", "CORES=3")
    assert done.returncode == 0
    assert "snakemake --cores 3" in done.stdout
    assert (f"--configfile config/{config}.yaml" in done.stdout) == (config != "default")
    assert f"results/{config}/" in done.stdout


@pytest.mark.parametrize(
    ("config", "folder"), [("default", ""), ("archive", "/archive"), ("frontier", "/frontier")]
)
def test_make_publish_combines_verdicts_and_leaves_what_the_crate_is_made_of(config, folder):
    *_, record, summary, crate = make("publish", f"CONFIG={config}").stdout.splitlines()
    assert record.endswith("-m antdoku.claims.record docs/results")
    assert summary.endswith(f" --detailed-summary > docs/results{folder}/files.tsv")
    assert (f"--configfile config/{config}.yaml" in summary) == (config != "default")
    assert "-m antdoku.report.crate $(find docs/results -name files.tsv" in crate


def test_make_archive_takes_the_authors_files_from_one_commit_or_from_a_folder():
    check = "-m antdoku.instances.archive '{}' data/lloyd_amos_archive"
    lines = make("archive").stdout.splitlines()
    (clone,) = (line for line in lines if line.startswith("git clone "))
    assert clone.endswith(" https://github.com/huwlloyd-mmu/sudoku_acs data/sudoku_acs")
    assert any(re.search(r"checkout --quiet [0-9a-f]{40}$", line) for line in lines)
    assert any(line.endswith(check.format("data/sudoku_acs")) for line in lines)
    *lines, last = make("archive", "ARCHIVE=my folder").stdout.splitlines()[:-1]
    assert last.endswith(check.format("my folder"))
    assert not any("git " in line for line in lines)


def test_the_authors_files_stay_out_of_the_repository():
    assert "/data/" in (ROOT / ".gitignore").read_text().split()


def test_make_verify_skips_the_archive_where_it_is_absent():
    done = make("verify", "CONFIG=archive", "INSTANCES=nowhere")
    (line,) = done.stdout.splitlines()
    assert "verify: skipped: no instances of Lloyd & Amos in nowhere" in line
    done = make("verify", "CONFIG=archive", f"INSTANCES={ROOT}")
    assert "-m antdoku.verification docs/results/archive" in done.stdout


def test_make_dist_tests_the_files_that_it_has_built():
    *_, build, tests = make("dist").stdout.splitlines()
    assert build.endswith("-m build --no-isolation")
    assert tests.startswith(f"ANTDOKU_DIST={ROOT}/dist ") and "test_wheel.py" in tests


def test_make_lays_files_of_ones_own_over_each_other(tmp_path):
    (tmp_path / "ants.yaml").write_text("experiments: [lloyd_amos]\nname: more_ants\n")
    done = make("reproduce", f"CONFIG=quick {tmp_path}/ants.yaml")
    assert f"--configfile config/quick.yaml {tmp_path}/ants.yaml" in done.stdout
    assert "-> results/more_ants/" in done.stdout


@pytest.mark.parametrize("answer", ["", "n\n", "y\n"])
def test_make_asks_before_others_overwrite_the_results_of_the_default(tmp_path, answer):
    for name in ("Makefile", "requirements.lock", "pyproject.toml", "config/quick.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    for name in (
        "figures/a.png",
        "tables/a.csv",
        "tables/claims.md",
        "tables/runs.parquet",
        "provenance.json",
        "report.html",
    ):
        (tmp_path / "results/quick" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "results/quick" / name).touch()
    stamp = tmp_path / re.search(r"touch (\S+)", make("setup", "--always-make").stdout)[1]
    stamp.parent.mkdir()
    stamp.touch()
    command = ["make", "publish", "CONFIG=quick", "BIN=:"]
    done = subprocess.run(command, cwd=tmp_path, input=answer, capture_output=True, text=True)
    assert "overwrite them with those of quick? [y/N]" in done.stdout
    assert ("nothing is copied" in done.stdout) == (answer != "y\n")
    assert (tmp_path / "docs/results/report.html").exists() == (answer == "y\n")


def test_uv_is_locked_with_its_hashes_and_alone_where_setup_takes_it(tmp_path):
    script = re.search(r"awk '(.*)' requirements.lock", (ROOT / "Makefile").read_text())[1]
    lines = subprocess.check_output(["awk", script, ROOT / "requirements.lock"], text=True)
    first, *rest = lines.splitlines()
    assert first.startswith("uv==") and rest
    assert {line.split(":")[0].strip() for line in rest} == {"--hash=sha256"}


@pytest.mark.parametrize("uv", ["true", "false"])
def test_make_sets_up_by_uv_and_without_it_by_pip(tmp_path, uv):
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / ".venv").mkdir()
    command = ["make", "setup", "PYTHON=true", "PIP=echo pip", f"UV={uv}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    called = [line for line in done.stdout.splitlines() if line.startswith("pip ")]
    by_pip = ["pip -r requirements.lock", "pip --no-build-isolation -e ."]
    assert called == ["pip -r .venv/uv.txt", *(by_pip if uv == "false" else [])]


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

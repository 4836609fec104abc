"""The manual: its links lead to pages, its code blocks work, its references are complete."""

import contextlib
import importlib
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pandas as pd
import pytest
import yaml
from conftest import ROOT, configured
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from antdoku import config, generate, solvers, write
from antdoku.claims import VERDICTS, ledger, record
from antdoku.claims.verdicts import row_titles
from antdoku.cli import cli

DOCS = ROOT / "docs"
PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if not {*page.relative_to(DOCS).parts} & {"_build", "generated", "repository", "tutorials"}
]
OUTSIDE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "config" / "README.md"]
DEVIATIONS = sorted(ROOT.glob("src/antdoku/papers/*/deviations.md"))
GUIDES = [*OUTSIDE, *(DOCS / f"{name}.md" for name in ("index", "start", "cluster"))]
GUIDES += [*sorted(DOCS.glob("howto/*.md")), *sorted(DOCS.glob("reference/*.md"))]
LINK = re.compile(r"\[[^\[\]]*\]\(([^()\s]+)\)")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def relative(path):
    return str(path.relative_to(ROOT))


def blocks(page, language):
    return [text for tag, text in BLOCK.findall(page.read_text("utf-8")) if tag == language]


def prose(page):
    return BLOCK.sub("", page.read_text("utf-8"))


def slugs(page):
    """Return the anchors that code hosts give to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


@pytest.mark.parametrize("page", [*PAGES, *OUTSIDE, *DEVIATIONS], ids=relative)
def test_links_lead_to_files_and_headings(page):
    for link in LINK.findall(prose(page)):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), link
        assert not anchor or anchor in slugs(file), link


def test_every_page_is_in_the_table_of_contents():
    contents = (DOCS / "contents.txt").read_text()
    toctrees = re.findall(r"^```\{toctree\}\n(.*?)^```$", contents, re.M | re.S)
    lines = [line for tree in toctrees for line in tree.splitlines() if line and line[0] != ":"]
    listed = {re.sub(r".*<(.*)>", r"\1", line) for line in lines}
    pages = {str(page.relative_to(DOCS).with_suffix("")) for page in PAGES} - {"index"}
    assert listed == pages | {"tutorials/index"}


@pytest.fixture
def user_folder(tmp_path, monkeypatch):
    """Working directory with the files that the pages assume."""
    monkeypatch.chdir(tmp_path)
    write(generate(order=3, fixed=0.5, count=2, seed=1), "my_puzzles.txt")
    Path("mine.py").symlink_to(ROOT / "tests/solvers/newcomers/plain_backtracking.py")
    (tmp_path / "my_archive").mkdir()
    return tmp_path


@pytest.mark.parametrize("page", GUIDES, ids=relative)
def test_python_blocks_run(page, user_folder):
    for text in blocks(page, "python"):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(text, page.name, "exec"), {"__name__": "block"})


@pytest.mark.parametrize("page", GUIDES, ids=relative)
def test_configurations_are_accepted(page, user_folder):
    for text in blocks(page, "yaml"):
        if page.stem == "claim":
            (user_folder / "claims.yaml").write_text(text)
            assert ledger.load(user_folder / "claims.yaml")
        elif not text.startswith("# src/antdoku/papers/"):  # tests/papers runs these files
            overlay = yaml.safe_load(text)
            assert configured(overlay).name == overlay["name"]


def commands(page):
    lines = "".join(blocks(page, "console")).splitlines()
    return [shlex.split(line[2:], comments=True) for line in lines if line.startswith("$ ")]


@pytest.mark.parametrize("page", GUIDES, ids=relative)
def test_commands_exist_with_their_options(page):
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    names = {yaml.safe_load(text).get("name") for text in blocks(page, "yaml")}
    of_user = {f"{name}.yaml" for name in names}
    of_user |= {words[-1] for words in commands(page) if ">" in words}
    for name, *words in commands(page):
        if name == "antdoku":
            command = cli.get_command(click.Context(cli), words[0])
            command.make_context(words[0], words[1:])
        elif name == "make":
            assert words[0] in targets
        elif name == "snakemake":
            files = {word for word in words if word.endswith(".yaml")}
            assert all((ROOT / file).exists() for file in files - of_user)


@pytest.mark.parametrize(
    ("name", "drawings"), [("1_puzzles", 3), ("2_own_solver", 2), ("3_claim", 3)]
)
def test_tutorials_run_as_notebooks_and_show_their_drawings(name, drawings, monkeypatch):
    monkeypatch.chdir(DOCS / "examples")
    monkeypatch.syspath_prepend(DOCS / "examples")
    outputs = outputs_of(Path(f"tutorial_{name}.py").read_text("utf-8").split("# %%\n"))
    pictures = [data["image/png"] for data in outputs if "image/png" in data]
    assert [picture[:4] for picture in pictures] == [b"\x89PNG"] * drawings


def outputs_of(cells):
    """Run the cells of a notebook; yield the output of each cell, by media type."""
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    for cell in cells:
        execution = shell.run_cell(cell)
        execution.raise_error()
        yield shell.display_formatter.format(execution.result)[0]


@pytest.fixture
def references(monkeypatch):
    monkeypatch.syspath_prepend(DOCS / "_extensions")
    return importlib.import_module("generated_references")


def test_the_reference_lists_all_solvers_and_their_parameters(references):
    overview = references.write_solvers()
    for entry in solvers.list_solvers():
        name, text = entry["name"], references.write_solver(entry)
        assert f"[`{name}`](generated/solvers/{name}.md)" in overview
        assert text.startswith(f"# `{name}`\n")
        for param in solvers.parameters(name):
            assert f"| `{param['name']}` | `{param['default']}` |" in text


def test_the_reference_lists_all_keys_of_the_configuration(references):
    schema, text = config.Settings.model_json_schema(), references.write_configuration()
    for level in [schema, *schema["$defs"].values()]:
        assert all(f"| `{key}`" in text for key in level["properties"])


@pytest.fixture(scope="module")
def manual(tmp_path_factory):
    """The manual, built without warnings."""
    pytest.importorskip("sphinx", reason="only `make docs` and `make sphinx` install Sphinx")
    folder = tmp_path_factory.mktemp("manual")
    options = ["--quiet", "--nitpicky", "--fail-on-warning", "--keep-going"]
    command = [sys.executable, "-m", "sphinx", *options, DOCS, folder]
    sphinx = subprocess.run(command, capture_output=True, text=True)
    assert sphinx.returncode == 0, sphinx.stderr
    return folder


def test_the_manual_needs_no_network(manual):
    loads = r"""<(?:script|img|iframe)\b[^>]*\ssrc="(?:\w+:)?//"""
    styles = r"""<link\b(?=[^>]*(?:stylesheet|preload))[^>]*\shref="(?:\w+:)?//"""
    for page in manual.rglob("*.html"):
        assert re.findall(f"{loads}|{styles}", page.read_text("utf-8")) == [], page


def test_search_finds_pages_and_claims_but_no_sources(manual):
    text = (manual / "searchindex.js").read_text("utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    numbers = index["terms"]["evapor"]
    names = {index["docnames"][k] for k in ([numbers] if isinstance(numbers, int) else numbers)}
    assert {"glossary", "results/claims/arxiv"} <= names
    assert not {name for name in names if name.endswith((".yaml", ".py"))}
    titles = [title for title in index["titles"] if title]  # pages left out have none
    assert len({*titles}) == len(titles) > 50


def test_the_reference_lists_all_options_of_the_command_line(manual):
    page = (manual / "reference" / "command_line.html").read_text("utf-8")
    for name, command in cli.commands.items():
        options = [option.opts[-1] for option in command.params if option.opts[0].startswith("-")]
        assert [option for option in options if option not in page] == [], name


def test_readme_and_results_state_the_verdicts_of_record():
    verdicts = pd.read_csv(ROOT / "docs" / "results" / "claims.csv")
    titles = row_titles(verdicts)
    counts = verdicts.groupby([titles, "verdict"]).size().unstack(fill_value=0)
    best = verdicts["best"].eq("reproduced").groupby(titles).sum()
    results = (ROOT / "docs" / "results" / "README.md").read_text("utf-8")
    for title, row in counts.iterrows():
        numbers = [row.get(verdict, 0) for verdict in VERDICTS]
        numbers = " | ".join(map(str, [*numbers, sum(numbers), best[title]]))
        assert f"| {title} | {numbers} |" in results
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    totals = [counts.get(verdict, pd.Series(0)).sum() for verdict in VERDICTS]
    margins = record.by_margin(verdicts)["reproduced"]
    n_tested, n_after = record.after_control(verdicts)
    for sentence in (
        f"We turned six papers into {len(verdicts)} testable statements",
        "In our main readings {} hold, {} in part, and {} do not".format(*totals),
        "{} are undecided and {} undecidable".format(*totals[3:]),
    ):
        assert sentence in readme
    for sentence in (
        "{} are reproduced at a margin of 0.2, {} at 0.3, {} at 0.4, {} at 0.5".format(*margins),
        f"of {n_tested} that are reproduced by a test, {n_after} remain",
    ):
        assert sentence in results

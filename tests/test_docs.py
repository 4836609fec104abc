"""The manual: its links lead to pages, its code blocks work, its references are complete."""

import contextlib
import importlib.util
import inspect
import io
import json
import math
import re
import shlex
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote
from zipfile import ZipFile

import click
import numpy as np
import pandas as pd
import pytest
import yaml
from conftest import ROOT, configured
from IPython.core.interactiveshell import InteractiveShell
from matplotlib.text import Text
from scipy import stats
from traitlets.config import Config

import antdoku
from antdoku import config, figures, generate, solver, solvers, statistics, write
from antdoku.claims import VERDICTS, ledger
from antdoku.claims.kinds import KINDS
from antdoku.claims.verdicts import row_titles
from antdoku.cli import cli
from antdoku.papers import study
from antdoku.report import record

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
    grids = generate(order=3, fixed=0.5, count=2, seed=1)
    Path("million.txt").write_text("".join(f"{puzzle}\n" for puzzle in grids))
    rows = "".join(f"{number},{puzzle}\n" for number, puzzle in enumerate(grids))
    Path("mine.csv").write_text(f"id,puzzle\n{rows}")
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


def test_the_how_to_states_the_signatures_of_declarations():
    text = (DOCS / "howto/own_solver.md").read_text("utf-8")
    for declare in (solver.integer, solver.real, solver.word):
        names = ", ".join(inspect.signature(declare).parameters)
        assert f"| `{declare.__name__}({names})` |" in text


def test_the_how_to_shows_the_solution_as_a_terminal_draws_it():
    console = "".join(blocks(DOCS / "howto/own_solver.md", "console"))
    (drawing,) = re.findall(r"┌.*┘", console, re.DOTALL)
    assert drawing in str(antdoku.solve("named:sabuncu1"))


def commands(page):
    lines = "".join(blocks(page, "console")).splitlines()
    return [shlex.split(line[2:], comments=True) for line in lines if line.startswith("$ ")]


@pytest.mark.parametrize("page", GUIDES, ids=relative)
def test_commands_exist_with_their_options(page):
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    names = re.findall(r"^name: (.+)$", "".join(blocks(page, "yaml")), re.MULTILINE)
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
    ("name", "drawings"),
    [
        ("1_puzzles", 3),
        ("2_own_solver", 2),
        pytest.param("3_claim", 3, marks=pytest.mark.thorough),  # the manual runs it, too
    ],
)
def test_tutorials_run_as_notebooks_and_show_and_save_their_drawings(
    name, drawings, tmp_path, monkeypatch
):
    """Run a tutorial in a copy of the repository, not in the folder of the tutorials."""
    (tmp_path / "docs").symlink_to(DOCS)
    shutil.copy(DOCS / "examples/late_acceptance.py", tmp_path)  # as in the download
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    script = DOCS / f"examples/tutorial_{name}.py"
    outputs = outputs_of(script.read_text("utf-8").split("# %%\n"))
    pictures = [data["image/png"] for data in outputs if "image/png" in data]
    assert [picture[:4] for picture in pictures] == [b"\x89PNG"] * drawings
    assert len([*tmp_path.glob("tutorial_*.p*")]) == drawings


def test_tutorial_3_says_at_once_where_it_runs(tmp_path):
    script = DOCS / "examples/tutorial_3_claim.py"
    run = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "Work in a folder of the repository: docs/results is not here.\n"


def test_tutorial_3_gives_the_power_of_the_test_of_pairs(capsys):
    """The exact test, by sums over the pairs that differ and those of them that BVE loses."""
    script = (DOCS / "examples/tutorial_3_claim.py").read_text("utf-8")
    (cell,) = (cell for cell in script.split("# %%\n") if cell.startswith("# How many instances?"))
    exec(cell, {})
    only_with, only_without = 0.92 * 0.42, 0.08 * 0.58
    printed = re.findall(r"(\d+) instances: p < 0.05 in (\d+)%", capsys.readouterr().out)
    assert [n for n, _ in printed] == ["24", "30"]
    for n, percent in ((int(n), int(percent)) for n, percent in printed):
        differing = np.arange(n + 1)
        most_lost = stats.binom.ppf(0.025, differing, 0.5) - 1
        share_lost = only_without / (only_with + only_without)
        is_found = stats.binom.cdf(most_lost, differing, share_lost)
        share = stats.binom.pmf(differing, n, only_with + only_without) @ is_found
        assert percent == pytest.approx(100 * share, abs=1.5)


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
    overview, pages = references.write_solvers(DOCS), references.pages_of_solvers(DOCS)
    assert pages.keys() == {*solvers.shipped()}
    for name in solvers.shipped():
        text = references.write_solver(solvers.describe(name))
        assert f"[`{name}`](../algorithms/{pages[name]}.md#{name})" in overview
        assert text.startswith(f"## `{name}`\n")
        for param in solvers.parameters(name):
            assert f"| `{param['name']}` | `{param['default']}` |" in text


@pytest.mark.parametrize("name", study.every())
def test_pages_of_studies_show_the_captions_of_their_pictures(references, name):
    page = (DOCS / f"studies/{name}.md").read_text("utf-8")
    pictures = re.findall(r"!\[(.*)\]\((.*)\)", page)
    text = references.CAPTION.sub(references.write_figure, page)
    for alt, file in pictures:
        caption = references.plain(figures.every()[Path(file).stem].caption)
        assert f":::{{figure}} {file}\n:alt: {alt}\n\n{caption}\n:::" in text
    assert "<!--" not in text and "![" not in text


def test_docstrings_keep_their_lists_and_their_code(references):
    assert references.paragraph("one\n- a\n  b\n- c") == "one\n- a b\n- c"
    assert references.plain("``a_b`` and `c_d`, e_f") == "``a_b`` and `c_d`, e\\_f"


@pytest.mark.parametrize(
    ("headings", "texts", "is_stacked"),
    [("abcd", "1234", False), ("abcd", ["x" * 50, *"123"], True), (None, "1234", True)],
)
def test_wide_tables_and_all_tables_of_parameters_are_stacked(
    monkeypatch, headings, texts, is_stacked
):
    core = pytest.importorskip("docutils.core", reason="Sphinx installs docutils")
    monkeypatch.syspath_prepend(DOCS / "_extensions")
    stacked_tables = importlib.import_module("stacked_tables")
    rows = [" * - " + "\n   - ".join(row) for row in (headings or stacked_tables.PARAMETERS, texts)]
    page = core.publish_doctree(".. list-table::\n :header-rows: 1\n\n" + "\n".join(rows))
    stacked_tables.stack(None, page)
    assert ("stacked" in str(page)) == is_stacked


def test_pages_of_algorithms_link_to_the_source_and_the_twin_that_the_docstring_names(references):
    for name, page in references.pages_of_solvers(DOCS).items():
        links = {
            target.removeprefix("../../")
            for target in LINK.findall(prose(DOCS / f"algorithms/{page}.md"))
        }
        twins = {*re.findall(r"tests/naive/\w+\.py", solvers.get(name).__doc__)}
        assert twins or name in ("cdcl", "cpsat")  # libraries search for them
        source = f"src/antdoku/solvers/{name.removesuffix('_closure')}.py"
        assert {source} | twins <= links


def test_pseudo_code_states_each_equation_of_acs():
    (text,) = blocks(DOCS / "algorithms/acs.md", "text")
    assert sorted({*re.findall(r"\((\d)\)", text)}) == list("1234567")


ON_A_PHONE = 50  # characters of a line of code


@pytest.mark.parametrize("page", sorted(DOCS.glob("algorithms/*.md")), ids=relative)
def test_pseudo_code_fits_a_phone(page):
    lines = "".join(blocks(page, "text")).splitlines()
    assert [line for line in lines if len(line) > ON_A_PHONE] == []
    assert lines


@pytest.fixture(scope="module")
def pictures():
    """The script that draws the pictures of the algorithms."""
    path = DOCS / "algorithms/pictures.py"
    spec = importlib.util.spec_from_file_location("pictures", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pictures_of_the_algorithms_are_what_their_script_draws(pictures, tmp_path):
    pictures.main([str(tmp_path)], standalone_mode=False)
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert drawn == {path.name: path.read_bytes() for path in DOCS.glob("algorithms/*.svg")}
    assert max(map(len, drawn.values())) < 100_000


def drawn_texts(fig):
    """Yield the texts of a figure, without the labels of axes that are not drawn."""
    yield from fig.texts
    for ax in fig.axes:
        yield from (child for child in ax.get_children() if isinstance(child, Text))
        if ax.axison:
            yield from (ax.xaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels())


PICTURES = sorted(path.stem for path in DOCS.glob("algorithms/*.svg"))


@pytest.mark.parametrize("name", PICTURES)
def test_texts_of_a_picture_are_large_and_apart(pictures, name):
    fig = pictures.PICTURES[name]()
    fig.draw_without_rendering()
    texts = [text for text in drawn_texts(fig) if text.get_text()]
    assert min(text.get_fontsize() for text in texts) >= pictures.SMALL
    boxes = [text.get_window_extent() for text in texts]
    assert all(fig.bbox.x0 < box.x0 and box.x1 < fig.bbox.x1 for box in boxes)
    assert all(fig.bbox.y0 < box.y0 and box.y1 < fig.bbox.y1 for box in boxes)
    assert not any(left.overlaps(right) for left, right in combinations(boxes, 2))


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


def test_no_table_is_wider_than_a_phone(manual, browser):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    wide = """areas => areas.filter((area) => area.scrollWidth > area.clientWidth + 1).length"""
    written = [file.relative_to(DOCS).with_suffix(".html") for file in DOCS.rglob("*.md")]
    for name in written:
        if (file := manual / name).exists():
            page.goto(file.as_uri())
            assert page.locator("article .table-wrapper").evaluate_all(wide) == 0, name
    page.close()


def test_no_page_is_wider_than_its_window(manual, browser):
    page = browser.new_page(viewport={"width": 1232, "height": 844})  # two sidebars, least room
    page.goto((manual / "algorithms/acs.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 1232
    page.close()


def test_downloads_have_the_files_that_they_import(manual):
    (archive,) = manual.glob("_downloads/*/tutorial_2_own_solver.zip")
    assert "late_acceptance.py" in ZipFile(archive).namelist()


def test_figures_of_tutorials_have_a_version_for_phones(manual):
    for page in manual.glob("tutorials/tutorial_*.html"):
        text = page.read_text("utf-8")
        narrow = re.findall(r'<source media="[^"]*" srcset="([^"]*\.narrow\.svg)">', text)
        assert len(narrow) == text.count('class="sphx-glr-single-img"') > 1, page
        assert all((page.parent / path).is_file() for path in narrow)


def test_links_between_built_pages_lead_to_anchors(manual):
    pages = {page: page.read_text("utf-8") for page in manual.rglob("*.html")}
    anchors = {page: {*re.findall(r"\sid=\"([^\"]*)\"", text)} for page, text in pages.items()}
    for page, text in pages.items():
        for path, anchor in re.findall(r"<a\b[^>]*\shref=\"([^\":#]*)#([^\"]+)\"", text):
            target = (page.parent / path).resolve() if path else page
            assert unquote(anchor) in anchors[target], (page, path, anchor)


def test_links_of_reports_lead_to_files(manual):
    for report in manual.glob("results/**/report.html"):
        paths = re.findall(r'href="([^":#{}]+)"', report.read_text("utf-8"))
        assert paths and [path for path in paths if not (report.parent / path).is_file()] == []


def test_headings_have_a_level_for_screen_readers(manual):
    page = (manual / "index.html").read_text("utf-8")
    n_headings = page.count('role="heading"')
    assert n_headings == page.count('role="heading" aria-level="2"') > 0


def test_search_finds_pages_and_claims_but_no_sources(manual):
    text = (manual / "searchindex.js").read_text("utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    names = set()
    for words in (index["terms"], index["titleterms"]):  # of texts, and of headings
        numbers = words["evapor"]
        numbers = [numbers] if isinstance(numbers, int) else numbers
        names |= {index["docnames"][number] for number in numbers}
    assert {"glossary", "results/claims/arxiv"} <= names
    assert not {name for name in names if name.endswith((".yaml", ".py"))}
    titles = [title for title in index["titles"] if title]  # pages left out have none
    assert len({*titles}) == len(titles) > 50


def test_the_reference_lists_all_options_of_the_command_line(manual):
    page = (manual / "reference" / "command_line.html").read_text("utf-8")
    for name, command in cli.commands.items():
        options = [option.opts[-1] for option in command.params if option.opts[0].startswith("-")]
        assert [option for option in options if option not in page] == [], name


def test_the_summary_gives_the_likely_causes_of_the_ledger():
    text = (ROOT / "docs" / "results" / "README.md").read_text("utf-8")
    (table,) = re.findall(r"\| likely cause \|\n\|.*\n((?:\|.*\n)+)", text)
    causes = [""]
    for line in table.splitlines():
        cell = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line.split(" | ")[-1].removesuffix(" |"))
        causes.append(cell.replace("the same", causes[-1]) if "the same" in cell else cell)
    verdicts = pd.read_csv(ROOT / "docs" / "results" / "claims.csv", index_col="id")["verdict"]
    ids = {*verdicts.index[verdicts == "not reproduced"]}
    by_id = {claim.id: claim.cause for claim in ledger.load() if claim.id in ids}
    assert sorted(causes[1:]) == sorted(by_id.values())


def test_pages_state_the_margin_of_the_test_in_points():
    points = round(100 * math.sin(statistics.MARGIN) / 2)  # from 50 % to a rate at this h
    for path in ("docs/results/README.md", "src/antdoku/papers/generators/figures.yaml"):
        assert f"{points} points at 50 %" in (ROOT / path).read_text("utf-8")
    assert f"{points} points at one half" in KINDS["rate"].rule


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
    readme, home = (
        " ".join((ROOT / page).read_text("utf-8").split())
        for page in ("README.md", "docs/index.md")
    )
    totals = [counts.get(verdict, pd.Series(0)).sum() for verdict in VERDICTS]
    margins = record.by_margin(verdicts)["reproduced"]
    n_tested, n_after = record.after_control(verdicts)
    numbers = "{} hold, {} in part, and {} do not; {} are undecided and {} undecidable"
    assert numbers.format(*totals) in home
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

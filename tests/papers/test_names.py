"""Outside of the folder of a paper no code knows it by name."""

import ast
import re

import pytest
from conftest import ROOT

from antdoku import papers

PACKAGE, FOLDERS = ROOT / "src" / "antdoku", ROOT / "src" / "antdoku" / "papers"
# A solver cites its source and ways to read it; collections of puzzles are called after papers.
CITING = [PACKAGE / "solvers", PACKAGE / "puzzle", PACKAGE / "cli"]
# Words of English: as the name of a paper they begin the name of a table, or are an experiment.
WORDS = {"journal", "beyond", "generators", "frontier"}
CODE = [
    file
    for file in sorted(PACKAGE.rglob("*.py"))
    if FOLDERS not in file.parents and not {*CITING} & {*file.parents}
]
RULES = [*sorted((ROOT / "workflow").rglob("*.smk")), ROOT / "workflow" / "Snakefile"]
NAMES = {*papers.every(), *papers.experiments(), *papers.editions()}
NAMED = re.compile(rf"(?<![a-z0-9])({'|'.join(sorted(NAMES - WORDS))})(?![a-z0-9])")
BEGINNING = re.compile(rf"({'|'.join(sorted(WORDS))})_\w+|{'|'.join(papers.experiments())}")


def words_of(tree):
    """Texts and names of code, but for its docstrings."""
    nodes = list(ast.walk(tree))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in docstrings:
                yield node.value
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module, *(alias.name for alias in node.names))


def named_in(text):
    return [name for name in (NAMED.search(text), BEGINNING.fullmatch(text)) if name]


@pytest.mark.parametrize("file", CODE, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_code_knows_no_paper_by_name(file):
    assert not [text for text in words_of(ast.parse(file.read_text())) if named_in(text)]


@pytest.mark.parametrize("file", RULES, ids=lambda file: file.name)
def test_rules_know_no_paper_by_name(file):
    code = "\n".join(line.partition("#")[0] for line in file.read_text().splitlines())
    assert not NAMED.search(code)
    assert not [text for text in re.findall(r"[\"']([^\"'\n]*)[\"']", code) if named_in(text)]


def test_names_are_found():
    assert named_in("lewis_fig2") and named_in("beyond_work") and named_in("frontier")
    assert (
        not named_in("beyond the papers") and not named_in("a journal") and not named_in("beyond")
    )

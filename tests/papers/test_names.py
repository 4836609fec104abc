"""Outside of the folder of a paper no code knows it by name."""

import ast
import re

import pytest
from conftest import ROOT

from antdoku import papers

PACKAGE = ROOT / "src" / "antdoku"
# A solver cites its source and ways to read it; collections of puzzles are called after papers.
CITING = [PACKAGE / "papers", PACKAGE / "solvers", PACKAGE / "puzzle", PACKAGE / "cli"]
CODE = [file for file in sorted(PACKAGE.rglob("*.py")) if not {*CITING} & {*file.parents}]
# Words of English: as the name of a paper they begin the name of a table.
WORDS = {"journal", "beyond", "generators", "frontier"}
NAMES = {*papers.every(), *papers.experiments(), *papers.editions()} - WORDS
NAMED = re.compile(rf"(?<![a-z0-9])({'|'.join(sorted(NAMES))})(?![a-z0-9])|({'|'.join(WORDS)})_\w+")


@pytest.mark.parametrize("file", CODE, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_code_knows_no_paper_by_name(file):
    nodes = list(ast.walk(ast.parse(file.read_text())))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [text for node in nodes if (text := text_of(node)) and id(node) not in docstrings]
    assert not [text for text in texts if NAMED.search(text)]


def text_of(node):
    """The text of a string, or the module of an import."""
    if isinstance(node, ast.ImportFrom):
        return node.module
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""

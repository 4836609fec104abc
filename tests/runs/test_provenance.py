"""Where results come from: the commit, and whether it is that of the code."""

import subprocess

import pytest

from antdoku.runs import provenance


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with one commit, as the working directory."""
    monkeypatch.chdir(tmp_path)
    for name in ("src/antdoku/solvers/acs.py", "workflow/Snakefile", "config/config.yaml"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    (tmp_path / ".gitignore").write_text("__pycache__/\n")
    me = ("-c", "user.name=me", "-c", "user.email=me@localhost")
    for words in (("init", "--quiet"), ("add", "."), (*me, "commit", "--quiet", "-m", "all")):
        subprocess.run(["git", *words], check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "is_dirty"),
    [
        ("src/antdoku/solvers/mine.py", True),
        ("config/config.yaml", True),  # known, and edited
        ("src/antdoku/solvers/__pycache__/acs.pyc", False),
        ("notes.txt", False),
    ],
)
def test_a_tree_with_a_change_that_decides_results_is_not_clean(
    repository, file, is_dirty, monkeypatch
):
    clean = provenance.commit()
    assert len(clean) == 40
    (repository / file).parent.mkdir(exist_ok=True)
    (repository / file).write_text("edited")
    monkeypatch.chdir(repository / "workflow")
    assert provenance.commit() == clean + "-dirty" * is_dirty


def test_outside_of_git_there_is_no_commit(repository, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repository.parents[1]))
    monkeypatch.chdir(repository.parent)
    assert provenance.commit() is None

"""Where results come from, and what the workflow took beside the runs."""

import os
import subprocess
import time

import pytest

from antdoku.runs import provenance


def test_the_overhead_is_the_share_of_the_time_in_which_the_cores_did_not_solve(tmp_path):
    (tmp_path / "first").touch()
    then = time.time() - 1e6
    os.utime(tmp_path / "first", (then, then))
    time_ = provenance.time_of_run([tmp_path / "first"], cpu_s=1.5e6, cores=2)
    assert time_["wall_s"] == pytest.approx(1e6, rel=0.01)
    assert time_["overhead"] == pytest.approx(0.25, abs=0.01)
    assert provenance.time_of_run([tmp_path / "first"], 150.0, None)["overhead"] is None


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
        ("workflow/scripts.py", True),
        ("config/mine.yaml", True),
        ("config/config.yaml", True),  # known, and edited
        ("src/antdoku/solvers/__pycache__/acs.pyc", False),
        ("notes.txt", False),
    ],
)
def test_a_tree_with_a_file_that_git_does_not_know_is_not_clean(repository, file, is_dirty):
    clean = provenance.commit()
    assert len(clean) == 40
    (repository / file).parent.mkdir(exist_ok=True)
    (repository / file).write_text("edited")
    assert provenance.commit() == clean + "-dirty" * is_dirty


def test_a_tree_is_looked_at_as_a_whole_and_outside_of_git_there_is_none(repository, monkeypatch):
    (repository / "src" / "mine.py").touch()
    (repository / ".test").mkdir()
    monkeypatch.chdir(repository / ".test")
    assert provenance.commit().endswith("-dirty")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repository.parents[1]))
    monkeypatch.chdir(repository.parent)
    assert provenance.commit() is None

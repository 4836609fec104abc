"""The files of Lloyd & Amos, and what the paper says of them."""

import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import ROOT

from antdoku.instances import archive
from antdoku.kernels.closure import profile
from antdoku.papers import published
from antdoku.puzzle.forms import read_integers
from antdoku.solvers._authors_propagation import propagated

NAMES = ["inst9x9_0_0.txt", "inst9x9_0_1.txt", "inst9x9_5_0.txt", "inst9x9_5_1.txt"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Four files in two folders, which are those of the archive."""
    for name in NAMES:
        file = tmp_path / "from" / name.split("_")[1] / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    monkeypatch.setattr(archive, "NAMES", [(9, percent, n) for percent in (0, 5) for n in (0, 1)])
    return tmp_path / "from"


@pytest.fixture(scope="module")
def authors():
    """The folder of the authors' files, which everybody gets for himself."""
    folder = os.environ.get("ANTDOKU_ARCHIVE", ROOT / "data" / "lloyd_amos_archive")
    if not Path(folder).is_dir():
        pytest.skip("the instances of Lloyd & Amos are not here: make archive gets them")
    return folder


def test_there_are_a_hundred_files_a_size_and_percentage():
    assert len(archive.NAMES) == len({*archive.NAMES}) == 3 * 21 * 100


def test_files_are_found_in_any_folder_and_copied_only_if_all_are_there(folder, tmp_path):
    (folder / "inst9x9_10_0.txt").write_text("does not count")
    assert [file.name for file in archive.archive_files(folder)] == NAMES
    copy, call = tmp_path / "data" / "copy", CliRunner().invoke
    done = call(archive.main, [str(folder), str(copy)])
    assert done.output == f"archive: 4 files of Lloyd & Amos are in {copy}\n"
    assert [(copy / name).read_text() for name in NAMES] == NAMES
    (folder / "0" / NAMES[1]).unlink()
    done = call(archive.main, [str(folder), str(tmp_path / "other")])
    assert done.exit_code == 2 and len(done.output.splitlines()) == 1
    assert f"1 of 4 files are missing, the first is {NAMES[1]}: make archive" in done.output
    assert not (tmp_path / "other").exists()


def puzzles(folder, order, fixed):
    texts = archive.archive_family(folder, order, fixed, 100)["puzzle"]
    return [read_integers(text, family) for family, text in enumerate(texts)]


def test_the_authors_files_are_all_there(authors):
    assert len(archive.archive_files(authors)) == 6300


@pytest.mark.parametrize(("order", "n_trivial"), [(3, 4), (4, 7), (5, 4)])
def test_propagation_alone_solves_first_at_the_printed_fraction(authors, order, n_trivial):
    printed = published.values("arxiv", "smallest_fixed_fraction_with_trivial_instances")
    start = round(100 * printed.set_index("order")["value"][order])
    solved = [
        sum(profile(puzzle).trivial for puzzle in puzzles(authors, order, percent / 100))
        for percent in range(0, start + 1, 5)
    ]
    assert solved == [0] * (start // 5) + [n_trivial]


def test_candidates_that_propagation_leaves_at_the_hardest_point(authors):
    hardest = puzzles(authors, 5, 0.45)
    complete = [profile(puzzle).mean_value_set_size for puzzle in hardest]
    printed = [np.bitwise_count(propagated(puzzle)[0][:625]).mean() for puzzle in hardest]
    assert np.mean(complete) == pytest.approx(3.553, abs=1e-3)
    assert np.mean(printed) == pytest.approx(3.601, abs=1e-3)  # the paper says 3.6

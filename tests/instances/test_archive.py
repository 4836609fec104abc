"""The files of Lloyd & Amos: their sums, and what the paper says of them."""

import hashlib
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import ROOT

from antdoku import published
from antdoku.errors import InputError
from antdoku.instances import archive
from antdoku.kernels.closure import profile
from antdoku.puzzle.forms import read_integers
from antdoku.solvers._authors_propagation import propagated

NAMES = ["inst9x9_0_0.txt", "inst9x9_0_1.txt", "inst9x9_5_0.txt", "inst9x9_5_1.txt"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Four files in two folders, which are those of the archive."""
    sums = {}
    for name in NAMES:
        file = tmp_path / "from" / name.split("_")[1] / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
        sums[name] = hashlib.sha256(name.encode()).hexdigest()
    monkeypatch.setattr(archive, "archive_sums", lambda: sums)
    return tmp_path / "from"


@pytest.fixture(scope="module")
def authors():
    """The folder of the authors' files, which everybody gets for himself."""
    folder = os.environ.get("ANTDOKU_ARCHIVE", ROOT / "data" / "lloyd_amos_archive")
    if not Path(folder).is_dir():
        pytest.skip("the instances of Lloyd & Amos are not here: make archive gets them")
    return folder


def refused(folder):
    with pytest.raises(InputError) as caught:
        archive.check_archive(folder)
    return str(caught.value).removeprefix(f"{folder}: ")


def test_the_sums_are_of_a_hundred_files_a_size_and_percentage():
    sums = archive.archive_sums()
    sizes, percents = ("9x9", "16x16", "25x25"), range(0, 101, 5)
    kinds = Counter(name.rpartition("_")[0] for name in sums)
    assert kinds == {f"inst{size}_{percent}": 100 for size in sizes for percent in percents}
    assert all(len(digest) == 64 and int(digest, 16) for digest in sums.values())


def test_files_in_any_folder_are_compared_by_name_and_byte(folder):
    assert [file.name for file in archive.check_archive(folder)] == NAMES
    (folder / "inst9x9_10_0.txt").write_text("does not count")
    assert len(archive.check_archive(folder)) == 4
    file = folder / "0" / NAMES[0]
    file.write_bytes(file.read_bytes() + b"\n")
    assert refused(folder).startswith("1 of 4 files is not the authors'")


def test_what_is_missing_and_what_differs_is_told_with_the_first_names(folder):
    (folder / "0" / NAMES[1]).unlink()
    assert refused(folder) == f"1 of 4 files is missing: {NAMES[1]}"
    (folder / "5" / NAMES[3]).write_text("other")
    missing, differing = refused(folder).split("; ")
    assert missing == f"1 of 4 files is missing: {NAMES[1]}"
    assert differing == f"1 of 4 files is not the authors': {NAMES[3]}"
    there = refused(folder / "nowhere").removeprefix(str(folder / "nowhere"))
    assert there.endswith(f"4 of 4 files are missing: {', '.join(NAMES[:3])}, ...")


def test_only_checked_files_are_copied(folder, tmp_path):
    (folder / "inst9x9_10_0.txt").write_text("none of them")
    copy, call = tmp_path / "data" / "copy", CliRunner().invoke
    done = call(archive.main, [str(folder), str(copy)])
    assert done.output == f"archive: 4 files of Lloyd & Amos are in {copy}\n"
    assert sorted(file.name for file in copy.iterdir()) == NAMES
    assert call(archive.main, [str(copy), str(copy)]).exit_code == 0  # onto themselves
    assert [(copy / name).read_text() for name in NAMES] == NAMES
    (folder / "0" / NAMES[0]).unlink()
    done = call(archive.main, [str(folder), str(tmp_path / "other")])
    assert done.exit_code == 2 and len(done.output.splitlines()) == 1
    assert done.output.startswith("antdoku: error: ") and not (tmp_path / "other").exists()


def puzzles(folder, order, fixed):
    texts = archive.archive_family(folder, order, fixed, 100)["puzzle"]
    return [read_integers(text, family) for family, text in enumerate(texts)]


def test_the_authors_files_have_their_sums(authors):
    assert len(archive.check_archive(authors)) == 6300


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

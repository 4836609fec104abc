"""The files of Lloyd & Amos against the statements of their paper about them."""

import os
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, tabled

from antdoku.instances.archive import archive_family
from antdoku.kernels.closure import profile
from antdoku.papers import published
from antdoku.puzzle.writing import read_integers
from antdoku.solvers._authors_propagation import propagated


@pytest.fixture(scope="module")
def authors():
    """Folder of the authors' files, which are not part of the project."""
    folder = os.environ.get("ANTDOKU_ARCHIVE", ROOT / "data" / "lloyd_amos_archive")
    if not Path(folder).is_dir():
        pytest.skip("the instances of Lloyd & Amos are missing: make archive downloads them")
    return folder


def puzzles(folder, order, fixed):
    table = tabled(archive_family)(folder, order, fixed, 100)
    return [read_integers(text, family) for family, text in enumerate(table["puzzle"])]


@pytest.mark.parametrize(("order", "n_trivial"), [(3, 4), (4, 7), (5, 4)])
def test_the_first_trivial_instances_are_at_the_printed_fraction(authors, order, n_trivial):
    printed = published.values("arxiv", "smallest_fixed_fraction_with_trivial_instances")
    start = round(100 * printed.set_index("order")["value"][order])
    solved = [
        sum(profile(puzzle).trivial for puzzle in puzzles(authors, order, percent / 100))
        for percent in range(0, start + 1, 5)
    ]
    assert solved == [0] * (start // 5) + [n_trivial]


def test_mean_value_set_size_at_the_hardest_point(authors):
    hardest = puzzles(authors, 5, 0.45)
    complete = [profile(puzzle).mean_value_set_size for puzzle in hardest]
    printed = [np.bitwise_count(propagated(puzzle)[0][:625]).mean() for puzzle in hardest]
    assert np.mean(complete) == pytest.approx(3.553, abs=1e-3)
    assert np.mean(printed) == pytest.approx(3.601, abs=1e-3)  # the paper says 3.6

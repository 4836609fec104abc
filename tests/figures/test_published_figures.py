"""The published figures are drawn from the published tables, pixel by pixel."""

import re
import runpy
from importlib.metadata import version

import numpy as np
import pytest
from conftest import ROOT
from PIL import Image

from antdoku import figures, tables
from antdoku.figures import style

RESULTS = ROOT / "docs" / "results"
LOCKED = re.search(r"^matplotlib==(\S+)", (ROOT / "requirements.lock").read_text(), re.M)[1]
PUBLISHED = [
    file
    for folder in (RESULTS, RESULTS / "frontier")
    for file in sorted((folder / "figures").glob("*.png"))
    if not figures.every()[file.stem].puzzle
]


@pytest.mark.skipif(version("matplotlib") != LOCKED, reason="another matplotlib draws otherwise")
@pytest.mark.parametrize("file", PUBLISHED, ids=lambda file: file.stem)
def test_the_published_figure_shows_the_published_table(tmp_path, file):
    source = figures.every()[file.stem].table
    table = tables.read(source, file.parents[1] / "tables" / f"{source}.csv")
    (png,) = style.save(figures.make(file.stem, table), tmp_path / "figure", ["png"])
    with Image.open(file) as published, Image.open(png) as drawn:
        assert np.array_equal(published.convert("RGB"), drawn.convert("RGB"))


@pytest.mark.skipif(version("matplotlib") != LOCKED, reason="another matplotlib draws otherwise")
def test_the_picture_of_the_readme_shows_the_published_verdicts(tmp_path):
    fig = runpy.run_path(ROOT / "docs" / "pictures.py")["overview"](RESULTS)
    fig.savefig(tmp_path / "new.png", dpi=200)
    with Image.open(RESULTS / "overview.png") as published, Image.open(tmp_path / "new.png") as new:
        assert np.array_equal(published.convert("RGB"), new.convert("RGB"))

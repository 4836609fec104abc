"""The film of two runs of ACS: its file, its end, and what the pages say about it."""

import json
import runpy
from importlib.metadata import version

import numpy as np
import pytest
from conftest import ROOT
from PIL import Image
from test_published import LOCKED

from antdoku.figures import style

RESULTS = ROOT / "docs" / "results"
LIMIT = 1_500_000  # bytes


def test_the_film_plays_once_and_stays_on_its_end():
    with Image.open(RESULTS / "film.gif") as film:
        durations = []
        for number in range(film.n_frames):
            film.seek(number)
            durations.append(film.info["duration"])
        assert "loop" not in film.info and film.size[0] == 960
        end = np.asarray(film.convert("RGB"), int)
    assert 10_000 < sum(durations) < 13_000 and durations[-1] == 2000
    assert (RESULTS / "film.gif").stat().st_size < LIMIT
    with Image.open(RESULTS / "film.png") as still:
        difference = np.abs(np.asarray(still.convert("RGB"), int) - end)
    assert np.quantile(difference, 0.99) < 8  # the palette has few colours


@pytest.mark.skipif(version("matplotlib") != LOCKED, reason="another matplotlib draws otherwise")
def test_the_published_film_shows_the_published_recording():
    pictures = runpy.run_path(str(ROOT / "docs" / "pictures.py"))["pictures"]
    content = json.loads((RESULTS / "recording.json").read_text("utf-8"))
    end = content["runs"][0]["frames"][-1]["iteration"]
    drawn = style.styled(lambda: pictures(content)(end))()
    with Image.open(RESULTS / "film.png") as still:
        assert np.array_equal(still.convert("RGB"), drawn)


def test_the_page_describes_the_film_by_its_numbers():
    content = json.loads((RESULTS / "recording.json").read_text("utf-8"))
    page = (RESULTS / "README.md").read_text("utf-8")
    without, with_bve = (run["frames"][-1] for run in content["runs"])
    assert len(without["failed"]) == 2 and f"empty after {without['iteration']:,} it" in page
    assert f"complete after {with_bve['iteration']}." in page
    counts = "42 end like this, 7 the other way round; on 41 both runs succeed, on 10 neither"
    assert counts in page and counts in content["note"]

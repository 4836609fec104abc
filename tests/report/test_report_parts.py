"""What the parts of the page are made of: charts, looks, gallery, texts."""

import html
import re
import urllib.parse

import numpy as np
import pytest
from PIL import Image
from runs_by_hand import NAN, runs_of

from antdoku import figures, papers, texts
from antdoku.figures import style
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.report import charts, gallery, looks, player

PAPERS_STEPS = published.work("arxiv", "acs", 5).steps


def only_row(runs):
    """The one row of the charts of these runs, by column."""
    table = charts.build(runs)["rows"]
    (row,) = (dict(zip(table["columns"], row)) for row in table["data"])
    return row


# --- charts --------------------------------------------------------------------------------------


def test_charts_summarise_runs():
    ends = (SOLVED, 0.1), (SOLVED, 0.2), (SOLVED, 0.4), (TIMEOUT, 12.0)
    rows = [{"repetition": k, "cpu_s": time, "status": end} for k, (end, time) in enumerate(ends)]
    row = only_row(runs_of(*rows))
    assert (row["x"], row["n"], row["solved"]) == (45, 4, 3)
    assert row["mean_time_solved_s"] == 0.233
    assert row["par2_s"] == pytest.approx((0.7 + 24) / 4, rel=0.01)
    assert row["times"] == [0.1, 1, 0.2, 2, 0.4, 3]


def test_charts_read_runs_after_the_papers_work():
    ends = (SOLVED, 0.4), (SOLVED, 1.5), (TIMEOUT, 0.7)  # shares of it; the last by its guard
    rows = [
        {"repetition": k, "status": status, "steps": round(share * PAPERS_STEPS)}
        | {"limit_steps": 2 * PAPERS_STEPS, "limit_s": 120.0}
        for k, (status, share) in enumerate(ends)
    ]
    row = only_row(runs_of(*rows))
    assert (row["n"], row["solved"], row["n_unfinished"]) == (3, 1, 1)
    assert row["limit_steps"] == PAPERS_STEPS


# --- looks ---------------------------------------------------------------------------------------


def brightness(color):
    """Relative luminance of a colour (WCAG 2)."""
    parts = np.array([int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


@pytest.mark.parametrize("name", [*papers.variants(), "m_5", "anything"])
def test_colours_are_seen_at_night_and_markers_are_paths(name):
    look = looks.variant(name, "label")
    day, night = re.fullmatch(r"light-dark\((#\w{6}), ?(#\w{6})\)", look["color"]).groups()
    assert day == style.variant(name).color
    assert (brightness(night) + 0.05) / (brightness("#14171c") + 0.05) >= 4.5  # WCAG AA
    numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", look["shape"])]
    assert re.fullmatch(r"[MLQCZ0-9.,e+-]+", look["shape"]) and max(map(abs, numbers)) == 1


# --- gallery, texts -------------------------------------------------------------------------------


def test_figures_and_tables_are_taken_by_name(tmp_path):
    (tmp_path / "beyond_work.csv").write_text("a,empty\n1.23456,\ninf,\n")
    (tmp_path / "new_y.csv").write_text("a\n" + "1\n" * 500)
    beyond, new = gallery.build([], [tmp_path / "new_y.csv", tmp_path / "beyond_work.csv"])
    assert (beyond["title"], new["title"]) == ("Beyond the papers", "New")
    (item,) = beyond["items"]
    assert item["table"]["rows"] == [[("1.23", "num ")], [("∞", "num ")]] and item["table"]["is_short"]
    assert "``".join(item["caption"]) == figures.every()["beyond_work"].caption
    assert new["items"][0]["table"]["n"] == 500 and not new["items"][0]["table"]["rows"]


def test_figures_come_by_number_and_without_empty_ones(tmp_path):
    for name in ("fig10", "fig7_form", "fig7", "fig9_form"):
        Image.new("RGB", (9, 9)).save(tmp_path / f"lloyd_amos_{name}.png")
    for name, text in {"fig9": "a\n", "fig7": "a\n1\n", "table1": "a\n1\n"}.items():
        (tmp_path / f"lloyd_amos_{name}.csv").write_text(text)
    (group,) = gallery.build([*tmp_path.glob("*.png")], [*tmp_path.glob("*.csv")])
    found = [item["name"].removeprefix("lloyd_amos_") for item in group["items"]]
    assert found == ["fig7", "fig7_form", "fig10", "table1"]


def test_the_systems_of_its_paper_come_first():
    some = ["acs", "acs_closure", "dlx", "tabu_col"]
    assert charts.printed("lloyd_amos", some) == ["acs", "dlx"]
    assert charts.printed("lloyd_amos", [*some, "mine"]) == ["acs", "dlx", "mine"]
    assert charts.printed("mine", some) == some


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (gallery.title("lloyd_amos_fig4", "lloyd_amos"), "Figure 4"),
        (gallery.title("soto_2014_tables1_3", "soto_2014"), "Tables 1–3"),
        (gallery.heading("acs_no_bve_success_percent"), "ACS without BVE: success, %"),
        (gallery.heading("cp_sa"), "CP+SA"),
        (gallery.heading("arxiv_mean_time_s"), "mean time, s: paper, arXiv 2018"),
        (gallery.heading("published_solved_of_30"), "solved of 30: paper"),
        (texts.number(0.01234), "0.0123"),
        (texts.number(NAN), ""),
        (texts.number(np.inf), "∞"),
        (texts.duration(np.inf), "∞"),
        (texts.duration(0.0009999), "1 ms"),
        (texts.duration(6.31e-5), "63.1 µs"),
        (texts.duration(NAN), "–"),
        (texts.duration(5000), "1 h 23 min"),
    ],
)
def test_names_and_times_are_written_for_readers(found, text):
    assert found == text


def test_a_small_drawing_beside_a_picture_takes_its_place(tmp_path):
    Image.new("RGB", (30, 20), "white").save(tmp_path / "figure.png")
    assert gallery.picture(tmp_path / "figure.png")["uri"].startswith("data:image/webp;base64,")
    svg = '<svg viewBox="0 0 300 200">\n<path fill="#fff" d="M 0 0 \nL 1 1"/> 5 % &amp;</svg>'
    (tmp_path / "figure.svg").write_text(svg)
    found = gallery.picture(tmp_path / "figure.png")
    assert (found["width"], found["height"]) == (585, 390)
    shown = urllib.parse.unquote(html.unescape(found["uri"]).partition(",")[2])
    assert shown == svg.replace("\n", " ").replace("  ", " ") and '"' not in found["uri"]


def test_the_page_has_the_colours_of_verdicts_that_the_manual_has():
    """The page of the player does without the libraries that know them."""
    css = (player.TEMPLATES / "page.css").read_text()
    found = dict(re.findall(r"--([a-z-]+): ([^;]+);", css))
    for name, (day, night) in looks.palette().items():
        day, night = day.lower(), night.lower()
        known = found["undecided"] if name == "undecidable" else found[name]
        assert known == (day if day == night else f"light-dark({day}, {night})")

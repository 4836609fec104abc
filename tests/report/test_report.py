"""The report: one file that loads nothing, and in a browser every control does what it says."""

import html
import re
from contextlib import contextmanager
from itertools import product

import pytest
from click.testing import CliRunner
from conftest import BROWSER_PATIENCE
from PIL import Image
from published_runs import few_runs
from report_page import report_of
from runs_by_hand import NAN, point, runs_of

from antdoku import figures, generate, papers, tables, watch
from antdoku.claims import ledger
from antdoku.claims import page as verdict_page
from antdoku.figures import style
from antdoku.report import published as redraw

LIMIT = 6_000_000  # bytes of a page
FIGURE = (2148, 1470)  # pixels of the tallest of Lloyd & Amos
CHARTS = ("#chart-summary", "#chart-times")
# Number of markers of the upper chart.
MARKS = "document.querySelectorAll('#chart-summary .mark-symbol path').length"
TITLED = """text => [...document.querySelectorAll('#chart-summary .role-axis-title text')]
.some((title) => title.textContent === text)"""
IN_VIEW = """element => { const box = element.getBoundingClientRect();
return element.checkVisibility() && box.top >= 0 && box.top < innerHeight; }"""
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The report of all claims and tables, with an empty picture for each figure."""
    folder = tmp_path_factory.mktemp("report")
    names = [name for name, table in tables.every().items() if table.source == tables.RUNS]
    pictures = [folder / f"{name}.png" for name in figures.every()]
    for picture in pictures:
        Image.new("RGB", FIGURE, "white").save(picture)
    return report_of(folder, few_runs(), names=names, pictures=pictures)


def markup_of(text):
    """The text of a page without its scripts."""
    return re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def test_the_page_is_one_file_that_loads_nothing(report):
    text = report.read_text()
    assert len(text.encode()) < LIMIT
    links = re.findall(r'(?:src|href)="([^"]*)"', markup_of(text))
    assert links and all(link.startswith(("#", "data:")) for link in links)
    assert text.count("</script>") == text.count("<script")
    visible = re.sub(r"<[^>]*>", "", markup_of(text))
    assert "closure: propagation to the end, as the text describes it" in visible
    assert "{{" not in visible and "``" not in visible and "nan" not in visible.split()


def test_the_summary_has_both_tables_of_the_first_screen(report):
    text, first = report.with_name("summary.txt").read_text(), markup_of(report.read_text())
    assert text.splitlines()[0] == "Verdicts on the claims of the papers"
    assert "claims are undecided, most because this experiment has too few runs" in first
    tables = len(re.findall("% fixed[^<]*</caption>", first)) - 1  # the first is there twice
    assert len(re.findall("% fixed.*\n", text)) == tables > 3
    assert all(title in text for title in papers.editions().values() if html.escape(title) in first)


@pytest.mark.parametrize("families", [(), ("one",), ("one", "two", "three")], ids=len)
def test_an_own_experiment_or_none_makes_a_page(tmp_path, families):
    mine = {"experiment": "<b>x</b></script>", "fixed_fraction": NAN}
    text = report_of(tmp_path, runs_of(*(mine | {"family": f} for f in families)), []).read_text()
    assert ("There are no runs to compare" in text) == (not families)
    assert text.count('class="ranking"') == len(families)
    assert not any(part in text for part in ("<b>x", 'id="claims"', "#claims", "ublished values"))


def test_published_results_are_drawn_again_with_the_verdicts_of_record(tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    report_of(folder, runs_of({}), ledger.load()[:1], names=["success"])
    for name in ("provenance.json", "recording.json"):
        (folder / name).rename(tmp_path / name)
    (tmp_path / "figures").mkdir()
    assert "authors published their random instances" not in (folder / "report.html").read_text()
    record = verdict_page.read(folder / "claims.csv").assign(
        ours="12.3 % (of record)", verdict_random="undecidable", ours_random="45.6 %"
    )
    tables.write(record, tmp_path / "claims.csv")
    style.save(style.figure("the record"), tmp_path / "overview.png")
    result = CliRunner().invoke(redraw.main, [str(tmp_path)])
    assert (result.exit_code, result.output) == (0, "")
    text = (tmp_path / "report.html").read_text()
    assert "Enlarge the picture of the verdicts" in text
    assert "Enlarge the picture" not in (folder / "report.html").read_text()
    assert "12.3 % (of record)" in text and "authors published their random instances" in text
    assert 'href="archive/report.html"' in text
    assert "on random instances of ours: undecidable" in text


# --- in a browser --------------------------------------------------------------------------------


@contextmanager
def opened(browser, report, width=1280, scheme="light", place=""):
    """The page, in which nothing may go wrong."""
    size = {"width": width, "height": 900}
    page = browser.new_page(viewport=size, color_scheme=scheme, has_touch=width < 400)
    page.set_default_timeout(BROWSER_PATIENCE)
    wrong = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    here = "file:", "data:"
    page.on("request", lambda sent: sent.url.startswith(here) or wrong.append(sent.url[:99]))
    page.goto(report.as_uri() + place)
    for chart in CHARTS:
        page.wait_for_selector(f"{chart} svg.marks")
    yield page
    page.close()
    assert wrong == []


@pytest.fixture
def page(browser, report):
    with opened(browser, report) as page:
        yield page


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_page_fits_and_its_colours_can_be_toggled(browser, report, width, scheme):
    with opened(browser, report, width, scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        for chart in CHARTS:
            assert 200 < page.locator(f"{chart} svg.marks").bounding_box()["width"] <= width
        figure = page.locator("#lloyd_amos_fig7 img")
        figure.evaluate("image => image.loading = 'eager'")  # below the fold it waits for ever
        assert figure.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        if width < 400:
            page.locator("#chart-summary .mark-symbol path").nth(9).tap(force=True)
            page.wait_for_selector("#vg-tooltip-element.visible:has-text('95 % Wilson interval')")
        before = page.evaluate(BACKGROUND)
        page.click("#theme")
        assert page.evaluate(BACKGROUND) != before


def test_without_scripts_the_page_can_be_read(browser, report):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{report.as_uri()}#lewis_fig3")
        page.wait_for_selector("#lewis_fig3")  # visible
        assert "JavaScript" in page.inner_text("#charts")
        assert not page.locator(".controls:visible, .player:visible").count()


def test_the_first_screen_names_the_papers_solvers_with_what_they_solve(page):
    names = page.locator("#first-names li").all_text_contents()
    assert sorted(name.rsplit(" ", 2)[0] for name in names) == ["ACS", "BS", "DLX", "ILS"]
    assert page.locator("#chart-first .mark-line path").count() == 4
    assert page.inner_text("#first-place").endswith("% fixed")
    assert page.locator("#overview table.ranking").first.locator("tbody tr").count() == 5


def test_the_first_screen_has_all_variants_of_an_own_experiment(browser, tmp_path):
    points = product((0.4, 0.5), ("acs", "acs_no_bve"))
    runs = runs_of(*(point(x, 0, experiment="mine", variant=name) for x, name in points))
    with opened(browser, report_of(tmp_path, runs, [])) as page:
        assert page.locator("#first-names li").count() == 2


@pytest.mark.parametrize("width", [1280, 390])
def test_an_enlarged_figure_is_whole(browser, report, width):
    with opened(browser, report, width) as page:
        page.locator("#lloyd_amos_fig7 .enlarge").click()
        box, size = page.locator("#enlarged img").bounding_box(), page.viewport_size
        assert box["x"] > -1 and box["x"] + box["width"] < size["width"] + 1
        assert box["y"] > -1 and box["y"] + box["height"] < size["height"] + 1
        assert max(box["width"], box["height"]) > 0.8 * max(size.values())
        page.keyboard.press("Escape")
        assert not page.locator("#enlarged").is_visible()


def test_solvers_and_measures_are_chosen(page):
    first = page.evaluate(MARKS)
    page.click("#chart-all")
    page.wait_for_function(f"{MARKS} > {first}")
    before = page.evaluate(MARKS)
    page.locator("#chart-variants input").first.dispatch_event("click")
    page.wait_for_function(f"0 < {MARKS} && {MARKS} < {before}")  # none while it is drawn
    page.click("#chart-all")
    page.wait_for_function(f"{MARKS} == {before}")
    for experiment, metric in product(("lewis", "soto"), ("par2_s", "median_time_s")):
        page.select_option("#chart-experiment", experiment)
        page.select_option("#chart-metric", metric)
        title = page.locator(f"#chart-metric option[value={metric}]").inner_text()
        page.wait_for_function(TITLED, arg=title)
        assert page.evaluate(MARKS) > 0


def test_links_open_what_they_point_into(browser, report):
    with opened(browser, report, place="#claim-arxiv_acs_p45") as page:
        page.wait_for_selector("#claim-arxiv_acs_p45")  # visible
        figure = page.locator("#beyond_work")
        for _ in range(2):
            page.click(".index a[href='#beyond_work']")
            page.wait_for_function(IN_VIEW, arg=figure.element_handle())
            page.locator("#figures summary:has-text('Beyond the papers')").click()
            assert not figure.is_visible()


def test_claims_are_filtered(page):
    rows = page.locator(".claims tbody tr:not([hidden])")
    everything = rows.count()
    page.fill("#claim-text", "evaporation 45 %")
    n_rows = rows.count()
    assert 0 < n_rows < everything
    assert page.inner_text("#claim-count") == f"{n_rows} of {everything}"
    verdict = rows.first.get_attribute("data-verdict")
    page.select_option("#claim-verdict", verdict)
    verdicts = rows.evaluate_all("rows => rows.map((row) => row.dataset.verdict)")
    assert set(verdicts) == {verdict} and len(verdicts) <= n_rows
    page.fill("#claim-text", "no such words")
    assert rows.count() == 0


@pytest.mark.parametrize(
    ("steps", "words"), [(3, "ends here, without a solution"), (300, "the puzzle is solved")]
)
def test_a_page_to_watch_plays_to_its_end(steps, words, browser, tmp_path):
    watched = watch(generate(order=4, fixed=0.42, seed=3)[0], max_steps=steps)
    watched.save(tmp_path / "run.html")
    page, mistakes = browser.new_page(), []
    page.on("pageerror", lambda mistake: mistakes.append(mistake))
    page.goto((tmp_path / "run.html").as_uri())
    page.locator("#player-slider").press("End")
    assert words in page.inner_text("#player-text") and mistakes == []
    assert page.locator("#board .cell").count() == 256
    page.close()


def test_the_player_steps_plays_and_ends_with_a_solution(page):
    count = page.locator("#player-count")
    for button in ("next", "next", "back"):
        page.click(f"#player-{button}")
    assert count.inner_text().startswith("Iteration 1 of")
    page.click("#player-play")
    count.filter(has_text=re.compile(r"Iteration ([3-9]|\d\d)")).wait_for()
    page.click("#player-play")
    page.locator("#player-slider").press("End")
    assert "solved" in page.inner_text("#player-text")
    assert page.locator("#board .cell > b:visible").count() == 81

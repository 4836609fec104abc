"""The report: one file that loads nothing, and in a browser every control does what it says."""

import html
import re
from contextlib import contextmanager
from itertools import product

import pytest
from conftest import BROWSER_PATIENCE
from PIL import Image
from report_page import results_of
from runs_by_hand import runs_of
from synthetic import LITTLE, quick_runs, synthetic_runs

from antdoku import figures, papers, tables
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.statistics import wilson

LIMIT = 5_000_000  # bytes of a page
FIGURE = (2148, 1470)  # pixels of the tallest of Lloyd & Amos
CHARTS = ("#chart-summary", "#chart-times")
# Number of markers of the upper chart.
MARKS = "document.querySelectorAll('#chart-summary .mark-symbol path').length"
# Images below the fold are loaded when they are scrolled to, and till then never decoded.
N_DECODED = """Promise.all([...document.images].map((image) => {
  image.loading = "eager";
  return image.decode();
})).then((decoded) => decoded.length)"""
IN_VIEW = """element => { const box = element.getBoundingClientRect();
return element.checkVisibility() && box.top >= 0 && box.top < innerHeight; }"""
UNFOLDED = "folds => { for (const fold of folds) fold.open = true; }"


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The report of all claims, tables and puzzles, with an empty picture for each figure."""
    folder = tmp_path_factory.mktemp("report")
    runs = synthetic_runs((30, 45, 60, 80), 5, 1, papers.get("lloyd_amos").puzzles, 3, LITTLE)
    made = [name for name, table in tables.every().items() if table.source == tables.RUNS]
    results = results_of(folder, runs, None, (), made)
    for name in figures.every():
        results.figures.append(folder / f"{name}.png")
        Image.new("RGB", FIGURE, "white").save(results.figures[-1])
    return results.write()


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
    assert "{{" not in visible and "``" not in visible and "nan" not in visible.split()


def test_the_summary_has_both_tables_of_the_first_screen(report):
    text, first = report.with_name("summary.txt").read_text(), markup_of(report.read_text())
    assert text.splitlines()[0] == "Verdicts on the claims of the papers"
    assert text.count("% fixed\n") == first.count("% fixed</th>") > 3
    assert all(title in text for title in papers.editions().values() if html.escape(title) in first)


@pytest.mark.parametrize(
    ("runs", "says"),
    [
        (runs_of(), "There are no runs to compare"),
        (runs_of({"experiment": "mine"}), "No runs on given puzzles"),
        (quick_runs()[lambda runs: runs["experiment"] == "soto"], "mk_s10a"),
    ],
    ids=["empty", "one run", "one experiment"],
)
def test_parts_of_an_experiment_make_a_page(tmp_path, runs, says):
    text = results_of(tmp_path, runs.reset_index(drop=True), []).write().read_text()
    assert says in text
    assert "No claims were decided" in text and "Which solver is better?" in text


def test_names_of_runs_are_titles_and_escaped(tmp_path):
    runs = runs_of({"variant": "climber", "solver": "climber", "label": "Hill climbing"})
    text = results_of(tmp_path, runs, []).write().read_text()
    assert '"label": "Hill climbing"' in text and '"label": "climber"' not in text
    runs = runs_of({"experiment": "<b>x</b></script>"})
    text = results_of(tmp_path, runs, []).write().read_text()
    assert "<b>x" not in text


# --- in a browser --------------------------------------------------------------------------------


@contextmanager
def opened(browser, report, width=1280, scheme="light", place=""):
    """The page, in which nothing may go wrong."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(BROWSER_PATIENCE)
    wrong = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url[:99]) if is_foreign(request) else 0)
    page.goto(report.as_uri() + place)
    for chart in CHARTS:
        page.wait_for_selector(f"{chart} svg.marks")
    yield page
    page.close()
    assert wrong == []


def is_foreign(request):
    return not request.url.startswith(("file:", "data:"))


@pytest.fixture
def page(browser, report):
    with opened(browser, report) as page:
        yield page


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_page_fits_and_nothing_goes_wrong(browser, report, width, scheme):
    with opened(browser, report, width, scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        for chart in CHARTS:
            assert 200 < page.locator(f"{chart} svg.marks").bounding_box()["width"] <= width
        assert page.evaluate(N_DECODED) > 0


BACKGROUND = "getComputedStyle(document.body).backgroundColor"
# Of a label and a marker of the upper chart.
FILLS = """['.role-axis-label text', '.mark-symbol path'].map((each) =>
getComputedStyle(document.querySelector(`#chart-summary ${each}`)).fill).join()"""


def test_without_scripts_the_page_can_be_read_and_says_what_is_missing(browser, report):
    with opened(browser, report, scheme="dark") as page:
        background = page.evaluate(BACKGROUND)
    with browser.new_context(java_script_enabled=False, color_scheme="dark") as context:
        page = context.new_page()
        page.goto(f"{report.as_uri()}#lewis_fig3")
        page.wait_for_selector("#lewis_fig3")  # visible
        assert page.evaluate(BACKGROUND) == background
        for section in ("overview", "charts", "player"):
            assert "JavaScript" in page.inner_text(f"#{section}")
        for control in ("#theme", ".controls", ".player", "#charts .lead", "#chart-times"):
            assert not page.locator(f"{control}:visible").count()
        page.locator(".claims-of summary").nth(1).click()
        assert page.locator(".claims").nth(1).is_visible()


def test_the_toggle_changes_the_colours_of_page_and_charts(page):
    before = page.evaluate(BACKGROUND), page.evaluate(FILLS).split("rgb")
    page.click("#theme")
    after = page.evaluate(BACKGROUND), page.evaluate(FILLS).split("rgb")
    assert before[0] != after[0]
    assert all(one != other for one, other in zip(before[1][1:], after[1][1:], strict=True))
    assert page.get_attribute("#theme", "aria-pressed") == "true"


def test_solvers_can_be_left_out(page):
    before = page.evaluate(MARKS)
    page.locator("#chart-variants input").first.dispatch_event("click")
    page.wait_for_function(f"0 < {MARKS} && {MARKS} < {before}")  # none while it is drawn
    page.click("#chart-all")  # all of them again
    page.wait_for_function(f"{MARKS} == {before}")
    page.click("#chart-all")
    page.wait_for_function(f"{MARKS} == 0")
    assert not page.locator("#chart-variants :checked").count()


def test_times_are_those_of_the_hardest_place_where_something_is_solved(browser, tmp_path):
    runs = [
        {
            **{"experiment": "frontier", "variant": "tabu_col", "solver": "tabu_col"},
            **{"family": f"order5-p0{percent}", "fixed_fraction": percent / 100, "status": status},
            **{"instance_id": f"order5-p0{percent}-00{k}", "repetition": k},
        }
        for percent, ends in ((40, "ss"), (45, "st"), (50, "tt"))
        for k, status in enumerate({"s": SOLVED, "t": TIMEOUT}[end] for end in ends)
    ]
    with opened(browser, results_of(tmp_path, runs_of(*runs), []).write()) as page:
        assert page.locator("#chart-cell").input_value() == "45"
        steps = "document.querySelectorAll('#chart-times .mark-symbol path').length"
        assert page.evaluate(steps) == 1
        page.select_option("#chart-cell", "50")
        page.wait_for_function(f"{steps} == 0")


def test_every_measure_has_a_chart(page):
    for experiment, metric in product(
        ("lloyd_amos", "lewis", "soto"), ("mean_time_solved_s", "par2_s", "median_time_s")
    ):
        page.select_option("#chart-experiment", experiment)
        page.select_option("#chart-metric", metric)
        title = page.locator(f"#chart-metric option[value={metric}]").inner_text()
        page.wait_for_function(
            "text => [...document.querySelectorAll('#chart-summary .role-axis-title text')]"
            ".some((title) => title.textContent === text)",
            arg=title,
        )
        assert page.evaluate(MARKS) > 0
        assert ("biased" in title) == (metric == "mean_time_solved_s")


# --- the slider of work --------------------------------------------------------------------------

# Share of the papers' work after which runs were solved, by variant; ACS might do 2, ILS 16.
SOLVED_AT = {"acs": (0.1, 0.5, 1, 1.5), "ils": (8,), "cdcl": (0,)}
REACH = {"acs": 2, "ils": 16}
POINTS = "#chart-summary .layer_2_marks path"
HEIGHTS = f"""[...document.querySelectorAll('{POINTS}')]
.map((path) => path.getAttribute('transform').split(',').at(-1))"""


def cell_runs(percent, variant):
    """Runs at one point: one more than are solved, which is not."""
    paper = published.work("arxiv", variant, 5) if variant in REACH else None
    limit = REACH[variant] * paper.steps if paper else -1
    usual = {
        "instance_id": f"order5-p0{percent}-000",
        "family": f"order5-p0{percent}",
        "fixed_fraction": percent / 100,
        **{"variant": variant, "solver": variant, "label": variant.upper()},
        **{"limit_steps": limit, "limit_s": 120.0},
    }
    ends = [(SOLVED, round(share * paper.steps) if paper else 1) for share in SOLVED_AT[variant]]
    ends.append((TIMEOUT, limit))
    return [
        usual | {"repetition": k, "status": status, "steps": steps}
        for k, (status, steps) in enumerate(ends)
    ]


@pytest.fixture(scope="session")
def work_report(tmp_path_factory):
    """The report of runs that steps limit, beside some that seconds limit, and of soto's."""
    points = product((40, 45), SOLVED_AT)
    rows = [row for percent, variant in points for row in cell_runs(percent, variant)]
    rows.append({"experiment": "soto", "family": "soto", "instance_id": "mk_s10a"})
    return results_of(tmp_path_factory.mktemp("work"), runs_of(*rows), []).write()


@pytest.fixture
def work_page(browser, work_report):
    with opened(browser, work_report) as page:
        yield page


def counts(page):
    """What the markers at 45 % say is solved: of ACS, ILS and CDCL."""
    labels = page.locator(POINTS).evaluate_all("all => all.map((each) => each.ariaLabel)")
    return [re.search(r"solved: (.*?);", label)[1] for label in labels if "45 % fixed" in label]


def test_the_slider_of_work_changes_the_chart(work_page):
    slider, text = work_page.locator("#chart-work"), work_page.locator("#chart-work-text")
    assert text.inner_text() == "the papers’ work"
    assert counts(work_page) == ["3 of 5", "0 of 2", "1 of 2"]
    before = work_page.evaluate(HEIGHTS)
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    assert text.inner_text() == slider.get_attribute("aria-valuetext") == "1/2 of the papers’ work"
    work_page.wait_for_function(f"{HEIGHTS}.join() !== '{','.join(before)}'")
    assert counts(work_page) == ["2 of 5", "0 of 2", "1 of 2"]
    after = work_page.evaluate(HEIGHTS)
    changed = [one != other for one, other in zip(before, after, strict=True)]
    assert changed == [True, False, False] * 2


def test_beyond_its_reach_a_solver_does_not_pretend(work_page):
    dashed = "document.querySelectorAll('#chart-summary .mark-line path[stroke-dasharray=\"4,4\"]')"
    assert work_page.evaluate(f"{dashed}.length") == 0
    work_page.locator("#chart-work").press("End")
    assert work_page.inner_text("#chart-work-text") == "16 × the papers’ work"
    work_page.wait_for_function(f"{dashed}.length === 1")
    assert counts(work_page) == ["≥ 4 of 5", "1 of 2", "1 of 2"]


def test_a_marker_tells_the_interval_at_the_chosen_work(work_page):
    low, high = (f"{100 * bound:.3g} %" for bound in wilson(3, 5))
    work_page.locator(POINTS).nth(3).hover(force=True)
    work_page.wait_for_selector("#vg-tooltip-element.visible")
    text = work_page.inner_text("#vg-tooltip-element")
    assert "3 of 5" in text and f"{low} to {high}" in text and "10,700 steps" in text


# --- folds, figures, puzzles ---------------------------------------------------------------------


def test_it_opens_with_verdicts_and_the_ranking(page):
    assert page.locator(".verdicts tbody tr").count() == len(papers.editions()) + 1
    assert page.locator(".verdicts tbody tr").last.inner_text().startswith("Total")
    first = page.locator(".ranking thead").first.inner_text()
    assert first.startswith("Lloyd & Amos 2018: 25 × 25, 45 % fixed")
    assert page.locator("#figures .fold[open]").count() == 1
    assert page.locator(".claims-of[open], .puzzle[open]").count() == 0


def test_the_index_leads_to_every_figure_and_table_again_and_again(page):
    links = page.locator(".index dd a").evaluate_all("links => links.map((a) => a.hash)")
    items = page.locator(".item").evaluate_all("items => items.map((item) => `#${item.id}`)")
    assert links == items and len(items) > 20
    figure = page.locator("#beyond_work")
    for _ in range(2):
        page.click(".index a[href='#beyond_work']")
        page.wait_for_function(IN_VIEW, arg=figure.element_handle())
        page.locator("#figures summary:has-text('Beyond the papers')").click()
        assert not figure.is_visible()


@pytest.mark.parametrize("place", ["lewis_fig3", "claim-soto_2013_tabu"])
def test_an_address_opens_what_it_points_into(browser, report, place):
    with opened(browser, report, place=f"#{place}") as page:
        page.wait_for_selector(f"#{place}")  # visible


def test_a_figure_grows_and_shrinks(browser, report):
    with opened(browser, report, width=390) as page:
        image = page.locator("#lloyd_amos_fig7 img")
        before = image.bounding_box()["width"]
        image.click()
        assert image.bounding_box()["width"] > 1.5 * before
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.click("#lloyd_amos_fig7 .shrink")
        assert image.bounding_box()["width"] == before


def test_a_puzzle_tells_its_results(page):
    page.locator("#puzzles .fold").evaluate_all(UNFOLDED)
    puzzle = page.locator(".puzzle", has_text="aiescargot").first
    assert puzzle.locator("svg text").count() == 24
    puzzle.locator("summary").click()
    assert "ACS" in puzzle.locator("table").inner_text()


# --- claims and player ---------------------------------------------------------------------------


def test_claims_are_filtered(page):
    shown = page.locator(".claims tbody tr:not([hidden])")
    everything = shown.count()
    page.fill("#claim-text", "evaporation 45 %")
    found = shown.count()
    assert 0 < found < everything
    assert page.locator(".claims tbody tr:visible").count() == found  # their papers unfold
    assert page.inner_text("#claim-count") == f"{found} of {everything}"
    verdict = shown.first.get_attribute("data-verdict")
    page.select_option("#claim-verdict", verdict)
    verdicts = shown.evaluate_all("rows => rows.map((row) => row.dataset.verdict)")
    assert set(verdicts) == {verdict} and len(verdicts) <= found
    page.fill("#claim-text", "no such words")
    assert shown.count() == 0 and not page.locator(".claims-of:visible").count()


def test_the_player_steps_plays_and_ends_with_a_solution(page):
    count = page.locator("#player-count")
    assert count.inner_text().startswith("Iteration 0 of")
    page.click("#player-next")
    page.click("#player-next")
    page.click("#player-back")
    assert count.inner_text().startswith("Iteration 1 of")
    assert page.locator("#board .chosen").count() > 0
    page.locator("#player-slider").press("ArrowRight")
    assert count.inner_text().startswith("Iteration 2 of")
    page.click("#player-play")
    page.wait_for_function(
        "parseInt(document.getElementById('player-count').textContent.split(' ')[1]) >= 4"
    )
    page.click("#player-play")
    page.locator("#player-slider").press("End")
    assert "solved" in page.inner_text("#player-text")
    assert page.locator("#board .cell.failed").count() == 0
    assert page.locator("#board .cell > b, #board .chosen").count() == 81

"""The report: one file that loads nothing, and in a browser every control does what it says."""

import re
import shutil
from itertools import product

import pytest
from report_page import results_of
from runs_by_hand import runs_of
from synthetic import quick_runs

from antdoku import published
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.statistics import wilson

LIMIT = 5_000_000  # bytes of a page
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WIDTHS, SCHEMES = (1280, 390), ("light", "dark")
# Number of markers of the upper chart.
MARKS = "document.querySelectorAll('#chart-summary .mark-symbol path').length"
# Images below the fold are loaded when they are scrolled to, and till then never decoded.
N_DECODED = """Promise.all([...document.images].map((image) => {
  image.loading = "eager";
  return image.decode();
})).then((decoded) => decoded.length)"""
CHARTS = ("#chart-summary", "#chart-times")
PATIENCE = 120_000  # ms: tests run beside others


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The report of all claims, of a figure and of three tables; it takes seconds to write."""
    made = ("lloyd_amos_fig7", "lloyd_amos_table1", "soto_2013_table2", "lewis_table1")
    folder = tmp_path_factory.mktemp("report")
    return results_of(folder, quick_runs(), None, ("lloyd_amos_fig7",), made).write()


def test_the_page_is_one_file_that_loads_nothing(report):
    text = report.read_text()
    assert len(text.encode()) < LIMIT
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    links = re.findall(r'(?:src|href)="([^"]*)"', markup)
    assert links and all(link.startswith(("#", "data:")) for link in links)
    assert text.count("</script>") == text.count("<script")
    assert "{{" not in markup and "nan" not in re.sub(r"<[^>]*>", "", markup).split()


@pytest.mark.parametrize(
    ("runs", "says"),
    [
        (runs_of(), "There are no runs to compare"),
        (runs_of({"experiment": "mine"}), "No runs on named puzzles"),
        (quick_runs()[lambda runs: runs["experiment"] == "soto"], "mk_s10a"),
    ],
    ids=["empty", "one run", "one experiment"],
)
def test_parts_of_an_experiment_make_a_page(tmp_path, runs, says):
    text = results_of(tmp_path, runs.reset_index(drop=True), []).write().read_text()
    assert says in text
    assert "No claims were decided" in text


def test_texts_are_escaped(tmp_path):
    runs = runs_of({"experiment": "<b>x</b></script>"})
    text = results_of(tmp_path, runs, []).write().read_text()
    assert "<b>" not in text.replace('<b class="', "")


# --- in a browser --------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE
        )
        yield browser
        browser.close()


def opened(browser, report, width=1280, scheme="light"):
    """The page with a list of what went wrong in it."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(PATIENCE)
    wrong = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url[:99]) if is_foreign(request) else 0)
    page.goto(report.as_uri())
    for chart in CHARTS:
        page.wait_for_selector(f"{chart} svg.marks")
    return page, wrong


def is_foreign(request):
    return not request.url.startswith(("file:", "data:"))


@pytest.fixture
def page(browser, report):
    page, wrong = opened(browser, report)
    yield page
    assert wrong == []
    page.close()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_fits_and_nothing_goes_wrong(browser, report, width, scheme):
    page, wrong = opened(browser, report, width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    for chart in CHARTS:
        assert 200 < page.locator(f"{chart} svg.marks").bounding_box()["width"] <= width
    assert page.evaluate(N_DECODED) > 0
    assert wrong == []
    page.close()


def test_the_toggle_changes_the_colours(page):
    background = "getComputedStyle(document.body).backgroundColor"
    axis = "document.querySelector('#chart-summary .role-axis-label text')?.getAttribute('fill')"
    before = page.evaluate(background), page.evaluate(axis)
    page.click("#theme")
    page.wait_for_function(f"{background} !== '{before[0]}'")
    # While the chart is drawn again there is no axis.
    page.wait_for_function(f"![undefined, '{before[1]}'].includes({axis})")
    assert page.get_attribute("#theme", "aria-pressed") == "true"


def test_solvers_can_be_left_out(page):
    before = page.evaluate(MARKS)
    page.locator("#chart-variants input").first.dispatch_event("click")
    page.wait_for_function(f"0 < {MARKS} && {MARKS} < {before}")  # none while it is drawn


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


def test_a_marker_tells_its_numbers(page):
    # The last one drawn, at 80 %: nothing lies over it.
    page.locator("#chart-summary .layer_2_marks path").last.hover(force=True)
    page.wait_for_selector("#vg-tooltip-element.visible")
    told = page.inner_text("#vg-tooltip-element")
    assert "Wilson" in told and "of 5" in told


# --- the slider of work --------------------------------------------------------------------------

# Share of the papers' work after which runs were solved, by variant; ACS might do 2, ILS 16.
SOLVED_AT = {"acs": (0.1, 0.5, 1, 1.5), "ils": (8,), "cdcl": (0,)}
REACH = {"acs": 2, "ils": 16}
HEIGHTS = """[...document.querySelectorAll('#chart-summary .layer_2_marks path')]
.map((path) => path.getAttribute('transform').split(',').at(-1))"""


def cell_runs(percent, variant):
    """Runs at one point: one more than are solved, which is not."""
    paper = published.work("arxiv", variant, 5) if variant in REACH else None
    limit = REACH[variant] * paper.steps if paper else -1
    usual = {
        "instance_id": f"order5-p0{percent}-000",
        "family": f"order5-p0{percent}",
        "fixed_fraction": percent / 100,
        **{"variant": variant, "solver": variant, "limit_steps": limit, "limit_s": 120.0},
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
    page, wrong = opened(browser, work_report)
    yield page
    assert wrong == []
    page.close()


def counts(page):
    """Numbers of the table at 45 %."""
    cells = page.locator("#chart-table tbody tr:has-text('45 %') td")
    return [text.split("\n")[0] for text in cells.all_inner_texts()]


def test_the_slider_of_work_changes_table_and_chart(work_page):
    slider, text = work_page.locator("#chart-work"), work_page.locator("#chart-work-text")
    assert text.inner_text() == "the papers’ work"
    assert counts(work_page) == ["3 of 5", "0 of 2", "1 of 2"]
    before = work_page.evaluate(HEIGHTS)
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    assert text.inner_text() == slider.get_attribute("aria-valuetext") == "1/2 of the papers’ work"
    assert counts(work_page) == ["2 of 5", "0 of 2", "1 of 2"]
    work_page.wait_for_function(f"{HEIGHTS}.join() !== '{','.join(before)}'")
    after = work_page.evaluate(HEIGHTS)
    changed = [one != other for one, other in zip(before, after, strict=True)]
    assert changed == [True, False, False] * 2
    work_page.click("#chart-work-reset")
    work_page.wait_for_function(f"{HEIGHTS}.join() === '{','.join(before)}'")
    assert counts(work_page) == ["3 of 5", "0 of 2", "1 of 2"]


def test_beyond_its_reach_a_solver_does_not_pretend(work_page):
    dashed = "document.querySelectorAll('#chart-summary .mark-line path[stroke-dasharray=\"4,4\"]')"
    assert work_page.evaluate(f"{dashed}.length") == 0
    work_page.locator("#chart-work").press("End")
    assert work_page.inner_text("#chart-work-text") == "16 × the papers’ work"
    assert counts(work_page) == ["≥ 4 of 5", "1 of 2", "1 of 2"]
    assert work_page.locator("#chart-table .beyond").count() == 2
    work_page.wait_for_function(f"{dashed}.length === 1")
    head = work_page.locator("#chart-table thead").inner_text()
    assert [part in head for part in ("up to 2 ×", "up to 16 ×", "limited by seconds")] == [
        True
    ] * 3
    assert "Not changed by the slider: CDCL" in work_page.inner_text("#chart-work-note")


def test_a_marker_tells_the_interval_at_the_chosen_work(work_page):
    low, high = (f"{100 * bound:.3g} %" for bound in wilson(3, 5))
    work_page.locator("#chart-summary .layer_2_marks path").nth(3).hover(force=True)
    work_page.wait_for_selector("#vg-tooltip-element.visible")
    told = work_page.inner_text("#vg-tooltip-element")
    assert "3 of 5" in told and f"{low} to {high}" in told and "10,700 steps" in told


@pytest.mark.parametrize(
    ("control", "value", "says"),
    [
        ("metric", "par2_s", "Seconds are as measured at the ends of the runs"),
        ("experiment", "soto", "is not known here"),
    ],
)
def test_the_slider_says_why_it_does_nothing(work_page, control, value, says):
    work_page.locator("#chart-work").press("Home")
    work_page.select_option(f"#chart-{control}", value)
    assert work_page.locator("#chart-work").is_disabled()
    assert says in work_page.inner_text("#chart-work-note")
    assert work_page.inner_text("#chart-work-text") == "whole runs"


def test_the_table_follows_the_other_controls(work_page):
    work_page.locator("#chart-variants input").first.dispatch_event("click")
    assert counts(work_page) == ["0 of 2", "1 of 2"]
    work_page.select_option("#chart-metric", "par2_s")
    # A failure counts as twice its limit of 120 s.
    assert counts(work_page) == ["120 s", "120 s"]


def test_what_the_papers_print_stands_beside(work_page):
    theirs = work_page.locator("#chart-table tr:has-text('45 %') .published").all_inner_texts()
    assert "92 %" in theirs
    assert "Tinted" in work_page.inner_text("#chart-table-note")


# --- claims and player ---------------------------------------------------------------------------


def shown(page):
    return page.locator("#claim-table tbody tr:visible")


def verdicts_shown(page):
    return shown(page).evaluate_all("rows => rows.map((row) => row.dataset.verdict)")


def test_claims_are_filtered(page):
    everything = shown(page).count()
    page.select_option("#claim-paper", "arxiv")
    of_paper = shown(page).count()
    assert 0 < of_paper < everything
    page.fill("#claim-text", "evaporation 45 %")
    found = shown(page).count()
    assert 0 < found < of_paper
    assert page.inner_text("#claim-count") == f"{found} of {everything}"
    verdict = shown(page).first.get_attribute("data-verdict")
    page.select_option("#claim-verdict", verdict)
    assert set(verdicts_shown(page)) == {verdict}
    page.fill("#claim-text", "no such words")
    assert shown(page).count() == 0


def test_claims_are_sorted_by_keyboard(page):
    header = page.locator("#claim-table th", has_text="Verdict")
    order = ["reproduced", "partly", "not reproduced", "undecided"]
    for wanted, direction in ((order, "ascending"), (order[::-1], "descending")):
        header.locator("button").focus()
        page.keyboard.press("Enter")
        assert header.get_attribute("aria-sort") == direction
        found = verdicts_shown(page)
        assert found == sorted(found, key=wanted.index)
    assert page.locator("#claim-table th:not([aria-sort=none])").count() == 1


def test_what_is_missing_comes_last(page):
    for _ in range(2):
        page.locator("#claim-table th", has_text="p (Holm)").locator("button").click()
        last = shown(page).last.locator("td[data-label='p (Holm)']")
        assert last.inner_text().strip() == ""


def test_the_player_steps_plays_and_ends_with_a_solution(page):
    count = page.locator("#player-count")
    assert count.inner_text() == "Before the first iteration"
    page.click("#player-next")
    page.click("#player-next")
    page.click("#player-back")
    assert count.inner_text().startswith("Iteration 1 of")
    assert page.locator("#board .chosen").count() > 0
    page.locator("#player-slider").press("ArrowRight")
    assert count.inner_text().startswith("Iteration 2 of")
    page.select_option("#player-speed", "250")
    page.click("#player-play")
    page.wait_for_function(
        "parseInt(document.getElementById('player-count').textContent.split(' ')[1]) >= 4"
    )
    page.click("#player-play")
    page.click("#player-last")
    assert "solved" in page.inner_text("#player-text")
    assert page.locator("#board .cell.failed").count() == 0
    settled = page.locator("#board .cell > b, #board .chosen").count()
    assert settled == 81

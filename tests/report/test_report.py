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

from antdoku import figures, papers, published, tables
from antdoku.claims.evidence import VERDICTS
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.statistics import wilson

LIMIT = 5_000_000  # bytes of a page
# Number of markers of the upper chart.
MARKS = "document.querySelectorAll('#chart-summary .mark-symbol path').length"
# Images below the fold are loaded when they are scrolled to, and till then never decoded.
N_DECODED = """Promise.all([...document.images].map((image) => {
  image.loading = "eager";
  return image.decode();
})).then((decoded) => decoded.length)"""
CHARTS = ("#chart-summary", "#chart-times")


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The report of all claims, tables and puzzles, with an empty picture for each figure."""
    folder = tmp_path_factory.mktemp("report")
    runs = synthetic_runs((30, 45, 60, 80), 5, 1, papers.get("lloyd_amos").puzzles, 3, LITTLE)
    # Of two generators the table that stands without a figure is a short one.
    runs = runs[runs["experiment"] != "generators_root"].reset_index(drop=True)
    made = [name for name, table in tables.every().items() if not table.traces]
    results = results_of(folder, runs, None, (), made)
    for name in figures.every():
        results.figures.append(folder / f"{name}.png")
        Image.new("RGB", FIGURE, "white").save(results.figures[-1])
    return results.write()


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
        (runs_of({"experiment": "mine"}), "No runs on given puzzles"),
        (quick_runs()[lambda runs: runs["experiment"] == "soto"], "mk_s10a"),
    ],
    ids=["empty", "one run", "one experiment"],
)
def test_parts_of_an_experiment_make_a_page(tmp_path, runs, says):
    text = results_of(tmp_path, runs.reset_index(drop=True), []).write().read_text()
    assert says in text
    assert "No claims were decided" in text


@pytest.mark.parametrize(
    ("experiment", "editions"),
    [("frontier", ("alldiff_ls",)), ("lewis", ("lewis_hybrid", "lewis_journal"))],
)
def test_claims_of_papers_of_which_nothing_was_run_are_not_shown(tmp_path, experiment, editions):
    runs = quick_runs()[lambda runs: runs["experiment"] == experiment].reset_index(drop=True)
    text = results_of(tmp_path, runs).write().read_text()
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    shown = {paper for paper, title in papers.editions().items() if html.escape(title) in markup}
    assert shown == set(editions)


def test_names_of_runs_are_titles_and_escaped(tmp_path):
    runs = runs_of({"variant": "climber", "solver": "climber", "label": "Hill climbing"})
    text = results_of(tmp_path, runs, []).write().read_text()
    assert '"label": "Hill climbing"' in text and '"label": "climber"' not in text
    runs = runs_of({"experiment": "<b>x</b></script>"})
    text = results_of(tmp_path, runs, []).write().read_text()
    assert "<b>x" not in text


# --- in a browser --------------------------------------------------------------------------------


@contextmanager
def opened(browser, report, width=1280, scheme="light"):
    """The page, in which nothing may go wrong."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(BROWSER_PATIENCE)
    wrong = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url[:99]) if is_foreign(request) else 0)
    page.goto(report.as_uri())
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


def test_without_scripts_the_page_can_be_read_and_says_what_is_missing(browser, report):
    with opened(browser, report, scheme="dark") as page:
        background = page.evaluate(BACKGROUND)
    with browser.new_context(java_script_enabled=False, color_scheme="dark") as context:
        page = context.new_page()
        page.goto(f"{report.as_uri()}#lewis_fig3")
        page.wait_for_selector("#lewis_fig3")  # visible
        assert page.evaluate(BACKGROUND) == background
        for section in ("findings", "charts", "player"):
            assert "JavaScript" in page.inner_text(f"#{section}")
        for control in ("#theme", ".controls", ".player", "#charts .lead", "#chart-times"):
            assert not page.locator(f"{control}:visible").count()
        page.locator(".claims-of summary").nth(1).click()
        assert page.locator(".claims").nth(1).is_visible()
        page.click("#puzzle-families > summary")
        page.locator("#puzzles .fold > summary").first.click()
        page.locator(".puzzle summary").first.click()
        assert page.locator(".puzzle .results").first.is_visible()


def test_the_toggle_changes_the_colours(page):
    axis = "document.querySelector('#chart-summary .role-axis-label text')?.getAttribute('fill')"
    before = page.evaluate(BACKGROUND), page.evaluate(axis)
    page.click("#theme")
    page.wait_for_function(f"{BACKGROUND} !== '{before[0]}'")
    # While the chart is drawn again there is no axis.
    page.wait_for_function(f"![undefined, '{before[1]}'].includes({axis})")
    assert page.get_attribute("#theme", "aria-pressed") == "true"


def test_solvers_can_be_left_out_and_without_any_the_page_says_so(page):
    before, note = page.evaluate(MARKS), page.locator("#chart-none")
    page.locator("#chart-variants input").first.dispatch_event("click")
    page.wait_for_function(f"0 < {MARKS} && {MARKS} < {before}")  # none while it is drawn
    assert note.is_hidden()
    page.click("#chart-all")  # all of them again
    page.wait_for_function(f"{MARKS} == {before}")
    page.click("#chart-all")
    assert note.is_visible() and not page.locator(".chart:visible, #chart-table:visible").count()
    page.click("#chart-none-all")
    assert note.is_hidden()
    page.wait_for_function(f"{MARKS} > 0")
    assert page.locator(".chart:visible").count() == 2


def test_times_are_those_of_a_place_where_something_is_solved(browser, tmp_path):
    runs = [
        {
            **{"experiment": "frontier", "variant": "tabu_col", "solver": "tabu_col"},
            **{"family": f"order5-p0{percent}", "fixed_fraction": percent / 100, "status": status},
            "instance_id": f"order5-p0{percent}-000",
        }
        for percent, status in ((40, SOLVED), (45, SOLVED), (50, TIMEOUT))
    ]
    report = results_of(tmp_path, runs_of(*runs), []).write()
    assert "What the papers report" not in report.read_text()
    with opened(browser, report) as page:
        chart, note = page.locator("#chart-times"), page.locator("#chart-times-none")
        assert page.locator("#chart-cell").input_value() == "40"
        assert chart.is_visible() and note.is_hidden()
        page.select_option("#chart-cell", "50")
        assert chart.is_hidden() and note.is_visible()
        page.click("#chart-all")
        assert note.is_hidden()
        page.click("#chart-none-all")
        page.select_option("#chart-cell", "45")
        assert chart.is_visible() and note.is_hidden()


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


def test_the_address_keeps_the_choices_of_the_charts(browser, report):
    with opened(browser, report) as page:
        page.select_option("#chart-experiment", "lewis")
        page.select_option("#chart-metric", "par2_s")
        page.locator("#chart-variants input").first.dispatch_event("click")
        address = page.evaluate("location.hash")
        left_out = page.locator("#chart-variants input").first.input_value()
        assert address.startswith("#charts?experiment=lewis&") and left_out in address
    other = browser.new_page()
    other.goto(report.as_uri() + address)
    other.wait_for_selector("#chart-summary svg.marks")
    chosen = [other.input_value(f"#chart-{name}") for name in ("experiment", "metric")]
    assert chosen == ["lewis", "par2_s"]
    assert not other.locator("#chart-variants input").first.is_checked()
    other.close()


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
    """Numbers of the table at 45 %, which is folded."""
    page.locator("#chart-numbers").evaluate("fold => { fold.open = true; }")
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
    work_page.click("#chart-numbers > summary")
    theirs = work_page.locator("#chart-table tr:has-text('45 %') .published").all_inner_texts()
    assert "92 %" in theirs
    assert "Tinted" in work_page.inner_text("#chart-table-note")


# --- folds ---------------------------------------------------------------------------------------

UNFOLDED = "folds => { for (const fold of folds) fold.open = true; }"
MOST_PIXELS = 9_250  # of a page a little longer than the published one; fonts change 2 percent
A4 = 718  # pixels between the margins
FIGURE = (2148, 1470)  # pixels of the tallest of Lloyd & Amos
N_UNSEEN = """elements => elements.filter((each) =>
!each.checkVisibility() || !each.getBoundingClientRect().height).length"""
N_CUT = "elements => elements.filter((each) => each.scrollHeight > each.clientHeight + 1).length"
LENGTHS = """tables => tables.map((table) =>
[table.tBodies[0].rows.length, table.closest("details").open])"""
IN_VIEW = """element => { const box = element.getBoundingClientRect();
return element.checkVisibility() && box.top >= 0 && box.top < innerHeight; }"""
FOLDED = ".item, .item table, .puzzle .results, .claims tbody tr, .prose"


def test_the_page_is_short_until_it_is_unfolded(page):
    height = "document.documentElement.scrollHeight"
    assert page.evaluate(height) < MOST_PIXELS
    assert page.locator("#figures .fold[open]").count() == 1
    assert page.locator(".claims-of[open]").count() == 0
    of_tables = page.locator("table.dense:not(#chart-table)")
    found = of_tables.evaluate_all(LENGTHS)
    assert {is_open for length, is_open in found if length > 12} == {False}
    assert True in {is_open for length, is_open in found if length <= 12}
    assert page.locator(".puzzle[open]").count() == 0
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert page.evaluate(height) > MOST_PIXELS


def test_it_opens_with_verdicts_and_findings_that_lead_to_what_they_are_about(page):
    assert page.locator(".verdicts tbody tr").count() == len(papers.editions())
    found = page.locator(".findings li")
    assert found.count() == 6 and page.locator(".findings li:visible").count() == 3
    page.click("#more-findings > summary")
    assert "reduced scale" in page.inner_text(".scale")
    assert page.locator(".scale li").count() == 3
    for link in page.locator(".see a").all():
        link.click()
        target = page.locator(link.get_attribute("href"))
        page.wait_for_function(IN_VIEW, arg=target.element_handle())


def test_the_index_leads_to_every_figure_and_table(page):
    links = page.locator(".index dd a").evaluate_all("links => links.map((a) => a.hash)")
    items = page.locator(".item").evaluate_all("items => items.map((item) => `#${item.id}`)")
    assert links == items and len(items) > 20
    page.click(".index a[href='#beyond_work']")
    figure = page.locator("#beyond_work")
    page.wait_for_function(IN_VIEW, arg=figure.element_handle())


def test_a_link_opens_what_it_points_into_again_and_again(page):
    figures_of = page.locator("#figures-soto_2013")
    for _ in range(2):
        assert not figures_of.is_visible()
        page.click(".index a[href='#figures-soto_2013']")
        page.wait_for_function(IN_VIEW, arg=figures_of.element_handle())
        page.locator("#figures summary:has-text('Soto et al. 2013')").click()


@pytest.mark.parametrize("place", ["lewis_fig3", "claim-soto_2013_tabu"])
def test_an_address_opens_what_it_points_into(browser, report, place):
    page = browser.new_page()
    page.goto(f"{report.as_uri()}#{place}")
    page.wait_for_selector(f"#{place}")  # visible
    page.close()


def test_paper_shows_everything(page):
    folded, scrolled = page.locator(FOLDED), page.locator(".tall, #charts .scroll")
    assert folded.evaluate_all(N_UNSEEN) > 100 and scrolled.evaluate_all(N_CUT) > 0
    page.emulate_media(media="print")
    assert folded.evaluate_all(N_UNSEEN) == 0 and scrolled.evaluate_all(N_CUT) == 0
    page.set_viewport_size({"width": A4, "height": 900})
    wide = "elements => elements.filter((each) => each.scrollWidth > each.clientWidth + 1).length"
    assert page.locator("html, .scroll, .tall").evaluate_all(wide) == 0


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
    page.locator("#puzzle-families, #puzzles .fold").evaluate_all(UNFOLDED)
    puzzle = page.locator(".puzzle", has_text="aiescargot").first
    thumbnail = puzzle.bounding_box()["width"]
    puzzle.locator("summary").click()
    assert "ACS" in puzzle.locator(".results").inner_text()
    assert puzzle.bounding_box()["width"] > 2 * thumbnail


# --- claims and player ---------------------------------------------------------------------------


def shown(page):
    """Claims that the filter leaves, in open papers and in closed ones."""
    return page.locator(".claims tbody tr:not([hidden])")


def verdicts_shown(rows):
    return rows.evaluate_all("rows => rows.map((row) => row.dataset.verdict)")


def test_claims_are_filtered(page):
    everything = shown(page).count()
    page.select_option("#claim-paper", "arxiv")
    of_paper = shown(page).count()
    assert 0 < of_paper < everything
    assert page.locator(".claims-of:visible").count() == 1
    page.fill("#claim-text", "evaporation 45 %")
    found = shown(page).count()
    assert 0 < found < of_paper
    assert page.locator(".claims tbody tr:visible").count() == found  # its paper unfolds
    assert page.inner_text("#claim-count") == f"{found} of {everything}"
    verdict = shown(page).first.get_attribute("data-verdict")
    page.select_option("#claim-verdict", verdict)
    assert set(verdicts_shown(shown(page))) == {verdict}
    assert page.locator("#claim-none").is_hidden()
    page.fill("#claim-text", "no such words")
    assert shown(page).count() == 0
    assert page.inner_text("#claim-none").startswith("No claim fits")
    page.click("#claim-clear")
    assert shown(page).count() == everything and page.locator("#claim-none").is_hidden()


def test_claims_are_sorted_by_keyboard(page):
    page.locator(".claims-of").evaluate_all(UNFOLDED)
    header = page.locator(".claims th", has_text="Verdict").first
    for wanted, direction in ((VERDICTS, "ascending"), (VERDICTS[::-1], "descending")):
        header.locator("button").focus()
        page.keyboard.press("Enter")
        assert header.get_attribute("aria-sort") == direction
        for paper in page.locator(".claims").all():
            found = verdicts_shown(paper.locator("tbody tr"))
            assert found == sorted(found, key=wanted.index)
    papers = page.locator(".claims").count()
    assert page.locator(f".claims th[aria-sort={direction}]").count() == papers
    assert page.locator(".claims th:not([aria-sort=none])").count() == papers
    for _ in range(2):
        page.locator(".claims th", has_text="Effect").first.locator("button").click()
        last = page.locator(".claims").first.locator("tbody tr").last
        assert last.locator("td[data-label='Effect']").inner_text().strip() == "", "missing is last"


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

"""The report: one file that loads nothing, and in a browser every control does what it says."""

import html
import json
import re
from contextlib import contextmanager
from itertools import product

import pytest
from click.testing import CliRunner
from conftest import BROWSER_PATIENCE
from PIL import Image
from published_runs import few_runs
from report_page import RECORDING, report_of
from runs_by_hand import NAN, point, runs_of

from antdoku import figures, generate, papers, tables, watch
from antdoku.claims import ledger
from antdoku.claims import page as verdict_page
from antdoku.figures import style
from antdoku.report import player
from antdoku.report import published as redraw

PUBLISHED_VERDICTS = RECORDING.parent / "tables" / "claims.csv"
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
    """The report of the tables of some runs, with the published verdicts and empty pictures."""
    folder, runs = tmp_path_factory.mktemp("report"), few_runs()
    of_runs = [name for name, table in tables.every().items() if not table.thresholds]
    names = [name for name in of_runs if tables.get(name).is_in(runs)]
    pictures = [folder / f"{name}.png" for name in figures.every()]
    for picture in pictures:
        Image.new("RGB", FIGURE, "white").save(picture)
    for_phones = folder / f"lloyd_amos_fig7.{figures.NARROW}"
    style.save(style.figure("for phones", style.PHONE_WIDTH, 5), for_phones)
    return report_of(folder, runs, PUBLISHED_VERDICTS, names, pictures)


def markup_of(text):
    """The text of a page without its scripts."""
    return re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def test_the_page_is_one_file_that_loads_nothing(report):
    text = report.read_text()
    assert len(text.encode()) < LIMIT
    links = re.findall(r'(?:src|href)="([^"]*)"', markup_of(text))
    assert links and all(link.startswith(("#", "data:")) for link in links)
    assert text.count("</script>") == text.count("<script")
    assert "og:image" not in text  # its address would have to be absolute
    assert markup_of(text).count("<h1") == 1
    visible = re.sub(r"<[^>]*>", "", markup_of(text))
    assert "complete propagation: propagation to the end, as the text describes it" in visible
    assert "{{" not in visible and "``" not in visible and "nan" not in visible.split()


def test_the_summary_has_both_tables_of_the_first_screen(report):
    text, first = report.with_name("summary.txt").read_text(), markup_of(report.read_text())
    assert text.splitlines()[0] == "Verdicts on the claims of the papers"
    tables = len(re.findall("% fixed[^<]*</caption>", first)) - 1  # the first is there twice
    assert len(re.findall("% fixed.*\n", text)) == tables > 3
    assert all(title in text for title in papers.editions().values() if html.escape(title) in first)


@pytest.mark.parametrize("families", [(), ("one",), ("one", "two", "three")], ids=len)
def test_an_own_experiment_or_none_makes_a_page(tmp_path, families):
    mine = {"experiment": "<b>x</b></script>", "fixed_fraction": NAN}
    text = report_of(tmp_path, runs_of(*(mine | {"family": f} for f in families)), []).read_text()
    assert ("There are no runs to compare" in text) == (not families)
    assert text.count('class="ranking"') == len(families)
    assert not any(
        part in text for part in ("<b>x", 'id="claims"', 'href="#claims', "ublished values")
    )
    assert "<title>Which solver is better? " in text


@pytest.mark.parametrize(("solver", "is_shown"), [("acs_closure", True), ("sa", False)])
def test_the_colony_is_shown_where_it_ran(tmp_path, solver, is_shown):
    text = report_of(tmp_path, runs_of({"experiment": "mine", "solver": solver}), []).read_text()
    assert ('id="player"' in text) == ("Watch the colony" in text) == is_shown


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
    of_runs = (folder / "report.html").read_text()
    assert "Enlarge the picture" not in of_runs
    assert "The only claim is undecided" in of_runs
    assert "12.3 % (of record)" in text and "authors published their random instances" in text
    assert 'href="tables/success.csv"' in text
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


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark"), (320, "light")])
def test_the_page_fits_and_its_colours_can_be_toggled(browser, report, width, scheme):
    with opened(browser, report, width, scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        for chart in CHARTS:
            assert 200 < page.locator(f"{chart} svg.marks").bounding_box()["width"] <= width
        figure = page.locator("#lloyd_amos_fig7 img")
        figure.evaluate("image => image.loading = 'eager'")  # below the fold it waits for ever
        ratio = "image => image.decode().then(() => image.naturalHeight / image.naturalWidth)"
        assert (figure.evaluate(ratio) > 1) == (width <= 640)  # the narrow figure is higher
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
    labels = sorted(name.rsplit(" ", 2)[0] for name in names)
    assert {"ACS", "ACS without BVE", "BS", "DLX", "ILS"} < {*labels}
    assert page.locator("#chart-first .mark-line path").count() == len(labels) == 6  # and the best
    assert page.inner_text("#first-place").endswith("% fixed")
    ranked = page.locator("#overview table.ranking").first.locator("tbody th")
    assert sorted(ranked.all_text_contents()) == labels


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
        here = page.url
        page.locator("#lloyd_amos_fig7 .enlarge").click()
        page.go_back()
        page.wait_for_selector("#enlarged", state="hidden")
        assert page.url == here


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


@pytest.mark.parametrize("width", [1280, 390])
def test_a_box_on_the_screen_lists_all_solvers_at_the_nearest_place(browser, report, width):
    with opened(browser, report, width) as page:
        chart, box = page.locator("#chart-summary"), page.locator("#chart-box")
        chart.scroll_into_view_if_needed()
        area = chart.bounding_box()
        move = page.touchscreen.tap if width < 400 else page.mouse.move
        for share in (0.2, 0.95):
            move(area["x"] + share * area["width"], area["y"] + 60)
            box.wait_for()
            place = box.bounding_box()
            assert place["x"] >= 0 and place["x"] + place["width"] <= width
            assert place["y"] >= 0 and place["y"] + place["height"] <= 900
            n_solvers = page.locator("#chart-variants :checked").count()
            assert box.locator("tbody tr").count() == n_solvers == 5
        chart.focus()
        captions = []
        for _ in range(2):
            page.keyboard.press("ArrowLeft")
            captions.append(box.locator("caption").inner_text())
        assert captions == ["60 % fixed", "50 % fixed"]  # from the last place, 80 %
        assert "paper, journal 2019" in box.inner_text()
        page.keyboard.press("Escape")
        assert not box.is_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_each_of_many_variants_has_a_row(browser, width):
    with opened(browser, RECORDING.parent / "mutants" / "report.html", width) as page:
        assert page.locator("#chart-variants :checked").count() == 5  # without the mutants
        page.locator("#chart-all").evaluate("button => button.click()")
        chart, box = page.locator("#chart-summary"), page.locator("#chart-box")
        chart.scroll_into_view_if_needed()
        names = chart.locator(".role-axis-label text")
        texts = names.all_text_contents()
        rows = [text for text in texts if not re.fullmatch(r"\d+%", text)]
        assert len(rows) == page.locator("#chart-variants :checked").count() == 23
        last = names.filter(has_text=re.compile("^BS: complete propagation$"))
        last.scroll_into_view_if_needed()
        at = last.bounding_box()
        move = page.touchscreen.tap if width < 400 else page.mouse.move
        move(chart.bounding_box()["x"] + 0.7 * width, at["y"] + at["height"] / 2)
        box.wait_for()
        assert box.locator("tbody th").all_inner_texts() == [" BS: complete propagation"]
        place = box.bounding_box()
        assert place["x"] >= 0 and place["x"] + place["width"] <= width
        page.keyboard.press("Escape")


def test_no_view_opens_empty_and_printed_values_are_drawn(page):
    options = "options => options.map((option) => option.value)"
    n_printed = 0
    for experiment in page.locator("#chart-experiment option").evaluate_all(options):
        page.select_option("#chart-experiment", experiment)
        for view in page.locator("#chart-view option").evaluate_all(options):
            page.select_option("#chart-view", view)
            page.wait_for_function(f"{MARKS} > 0")
            n_printed += page.locator("#chart-summary .mark-symbol path[fill=transparent]").count()
            assert page.locator("#chart-variants :checked").count()
    assert n_printed > 100


def test_a_chart_is_shown_as_a_table(page):
    rows = page.locator("#chart-times-table tbody tr")
    page.locator("#chart-times-fold summary").click()
    rows.first.wait_for()  # a fold tells that it is open a moment later
    assert rows.count() == page.locator("#chart-variants :checked").count()
    page.click("#chart-all")
    page.wait_for_function("document.querySelectorAll('#chart-times-table tbody tr').length > 5")
    page.locator("#chart-summary-fold summary").click()
    heading = page.locator("#chart-summary-table thead")
    heading.wait_for()
    assert "paper, arXiv 2018" in heading.inner_text()
    cell = page.locator("#chart-summary-table tr", has_text="45 % fixed").first
    assert "92 %, 85 % to 95.9 %" in cell.inner_text()


def test_the_address_keeps_what_was_chosen(page):
    page.select_option("#chart-experiment", "lewis")
    page.select_option("#chart-metric", "median_time_s")
    page.locator("#chart-variants input[value=cp_sa]").dispatch_event("click")
    page.fill("#claim-text", "tough")
    page.click("#theme")
    chosen = page.locator("#chart-variants :checked")
    before = [chosen.count(), page.inner_text("#claim-count"), page.evaluate(BACKGROUND)]
    page.goto(page.url)
    page.wait_for_selector("#chart-summary svg.marks")
    assert page.input_value("#chart-experiment") == "lewis"
    assert page.input_value("#chart-metric") == "median_time_s"
    after = [chosen.count(), page.inner_text("#claim-count"), page.evaluate(BACKGROUND)]
    assert before == after


@pytest.mark.parametrize("experiment", ["lloyd_amos", "soto"])
def test_the_axis_of_times_has_at_least_three_labels(page, experiment):
    page.select_option("#chart-experiment", experiment)
    for place in page.locator("#chart-cell option").all_text_contents():
        page.select_option("#chart-cell", label=place)
        page.wait_for_function("document.querySelector('#chart-times svg.marks')")
        labels = page.locator("#chart-times .role-axis-label text", has_text=re.compile("s$"))
        assert labels.count() >= 3


def test_a_print_is_on_white_paper_and_cuts_no_table(browser, report):
    with opened(browser, report, scheme="dark") as page:
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 680, "height": 960})  # of A4 within its margins
        assert page.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
        width = page.evaluate("document.documentElement.scrollWidth")
        tables = page.locator("table:visible").evaluate_all(
            "tables => tables.map((table) => table.getBoundingClientRect().right)"
        )
        assert len(tables) > 5 and max(tables) <= width <= 680
        controls = "#player, #claim-controls, .controls :is(button, summary, [type=search])"
        assert not page.locator(controls).filter(visible=True).count()
        # The names of what the charts show stand as text.
        looks = page.locator("#charts select").evaluate_all(
            "selects => selects.map((select) => getComputedStyle(select).appearance)"
        )
        assert looks == ["none"] * 4 and page.locator("#charts select:visible").count() == 4
        n_drawn = page.locator("#chart-variants :checked").count()
        assert page.locator("#chart-variants label").filter(visible=True).count() == n_drawn


def test_a_print_has_charts_as_wide_as_its_page(page):
    """A wider chart would shrink, with its texts."""
    widths = """charts => charts.map((chart) => chart.viewBox.baseVal.width)"""
    charts = page.locator(".chart svg.marks")
    before = charts.evaluate_all(widths)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert max(before) > 690 >= max(charts.evaluate_all(widths))  # of A4 within its margins
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert charts.evaluate_all(widths) == before


@pytest.mark.parametrize("width", [1280, 390])
def test_lines_of_wide_tables_stay_with_the_names_of_their_rows(browser, report, width):
    with opened(browser, report, width) as page:
        page.evaluate("document.querySelectorAll('details').forEach((fold) => fold.open = true)")
        styles = page.locator("#figures table.dense").evaluate_all(
            """tables => tables.map((table) => [getComputedStyle(table).borderCollapse,
            ...[...table.rows].map((row) => row.getBoundingClientRect().height % 1)])"""
        )
        assert styles and all(style == ["separate"] + [0] * (len(style) - 1) for style in styles)
        # The first column of words moves to the left edge, and stays there.
        moved = page.locator("#figures .scroll").evaluate_all(
            """areas => areas.flatMap((area) => {
            const name = area.querySelector("tbody td:not(.num)") ?? area;
            const edge = (part) => part.getBoundingClientRect().left;
            const left = () => edge(name) - edge(area);
            const before = left();
            area.scrollLeft = 1e6;
            return area.scrollLeft ? [left() - Math.max(0, before - area.scrollLeft)] : [];
            })"""
        )
        assert moved and max(map(abs, moved)) < 1


def test_each_control_does_something_on_a_phone(browser, report):
    with opened(browser, report, 390) as page:
        for select in reversed(page.locator("select").all()):
            before = page.url
            select.select_option(index=select.locator("option").count() - 1)
            assert page.url != before, select.get_attribute("id")
        areas = [page.locator(f"#chart-{name}").bounding_box() for name in ("controls", "summary")]
        assert areas[1]["y"] - areas[0]["y"] < 400
        page.locator("#chart-solvers summary").tap()
        for label in page.locator("#chart-variants label").all():
            before = label.locator("input").is_checked()
            label.tap()
            assert label.locator("input").is_checked() != before
        for summary in page.locator("summary:visible").all():
            fold, before = summary.locator(".."), page.locator("details[open]").count()
            is_open = fold.evaluate("fold => fold.open")
            summary.tap()
            assert fold.evaluate("fold => fold.open") != is_open
            summary.tap()
            assert page.locator("details[open]").count() == before
        for button, text in {"#chart-all": "Show no solver", "#player-play": "Pause"}.items():
            page.locator(button).tap()
            assert page.inner_text(button) == text


def test_links_open_what_they_point_into(browser, report):
    with opened(browser, report, place="#claim-arxiv_acs_p45") as page:
        page.wait_for_selector("#claim-arxiv_acs_p45")  # visible
        figure = page.locator("#beyond_work")
        for _ in range(2):
            page.click(".index a[href='#beyond_work']")
            page.wait_for_function(IN_VIEW, arg=figure.element_handle())
            page.locator("#figures summary:has-text('Beyond the papers')").click()
            assert not figure.is_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_claims_are_filtered(browser, report, width):
    with opened(browser, report, width) as page:
        rows = page.locator(".claims tbody tr:visible")
        n_all = page.locator(".claims tbody tr").count()
        page.fill("#claim-text", "evaporation 45 %")
        n_rows = rows.count()
        assert 0 < n_rows < n_all
        assert page.inner_text("#claim-count") == f"{n_rows} of {n_all}"
        verdict = rows.first.get_attribute("data-verdict")
        page.select_option("#claim-verdict", verdict)
        verdicts = rows.evaluate_all("rows => rows.map((row) => row.dataset.verdict)")
        assert set(verdicts) == {verdict} and len(verdicts) <= n_rows
        page.fill("#claim-text", "no such words")
        assert rows.count() == 0


@pytest.mark.parametrize(
    ("steps", "words"), [(3, "failed cells, without a solution"), (300, "complete after")]
)
def test_a_page_to_watch_plays_to_its_end(steps, words, browser, tmp_path):
    watched = watch(generate(order=4, fixed=0.42, seed=3)[0], max_steps=steps)
    watched.save(tmp_path / "run.html")
    page, mistakes = browser.new_page(), []
    page.on("pageerror", lambda mistake: mistakes.append(mistake))
    page.goto((tmp_path / "run.html").as_uri())
    page.locator("#player-slider").press("Home")
    page.locator("#player-slider").press("End")
    assert words in page.inner_text("#boards") and mistakes == []
    assert page.locator(".board .cell").count() == 256
    page.close()


def test_the_player_plays_both_runs_to_the_end_by_mouse_and_keys(page):
    count, states = page.locator("#player-count"), page.locator("#boards figcaption span")
    ends = ["2 failed cells, without a solution", "complete after 396 iterations"]
    assert states.all_inner_texts() == ends
    page.locator("#player-slider").press("Home")
    for button in ("next", "next", "back"):
        page.click(f"#player-{button}")
    assert count.inner_text() == "Iteration 1 of 10,700"
    assert states.all_inner_texts() == ["18 failed cells", "16 failed cells"]
    page.locator("#player-play").press("Enter")
    count.filter(has_text=re.compile(r"Iteration ([3-9]|\d\d)")).wait_for()
    page.locator("#player-play").press("Enter")
    assert page.inner_text("#player-play") == "Play"
    page.locator("#player-slider").press("End")
    assert states.all_inner_texts() == ends
    assert page.locator(".board .failed").count() == 2
    assert page.locator(".board .cell").count() == 2 * 625


def test_a_film_without_motion_is_a_dozen_stills(browser, tmp_path):
    page = browser.new_page(reduced_motion="reduce")
    (tmp_path / "film.html").write_text(player.page(json.loads(RECORDING.read_text("utf-8"))))
    page.clock.install()
    page.goto((tmp_path / "film.html").as_uri())
    page.click("#player-play")
    page.clock.run_for(11_000)
    assert page.inner_text("#player-play") == "Pause"
    page.clock.run_for(1500)
    assert page.inner_text("#player-play") == "Play"
    assert page.inner_text("#player-count") == "Iteration 10,700 of 10,700"
    page.close()


def test_a_small_puzzle_has_digits_and_pheromone(browser, tmp_path):
    watch("named:aiescargot", seed=19).save(tmp_path / "run.html")
    page = browser.new_page()
    page.goto((tmp_path / "run.html").as_uri())
    assert page.locator(".board .cell > b:visible").count() == 81  # the solution
    page.locator("#player-slider").press("ArrowLeft")
    assert (
        page.locator(".board .chosen").count()
        == 81 - page.locator(".board :is(.failed, .given)").count()
    )
    assert page.locator(".board .strong").count() > 30
    page.close()

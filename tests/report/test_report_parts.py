"""What the parts of the page are made of: charts, looks, gallery, texts."""

import html
import json
import re
import urllib.parse

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from PIL import Image
from published_runs import published_table
from runs_by_hand import NAN, point, runs_of

from antdoku import figures, papers, statistics, tables
from antdoku.claims import REPRODUCED, UNDECIDED
from antdoku.claims import page as claims_page
from antdoku.claims.verdicts import BEFORE_END
from antdoku.figures import style
from antdoku.outcome import ERROR, SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.report import charts, gallery, looks, overview, player, printed, texts
from antdoku.times import duration

RATE = "success_rate"
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
    assert row["par2_s"] == pytest.approx((0.7 + 240) / 4, rel=0.01)
    assert row["times_us"] == [100_000, 200_000, 400_000]


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


def test_many_times_are_read_as_quantiles():
    n, most = 5 * charts.MOST_TIMES, charts.MOST_TIMES
    runs = runs_of(*({"repetition": k, "cpu_s": 1 + k, "status": SOLVED} for k in range(n)))
    times = np.array(charts.times(runs)) / 1e6
    assert len(times) == most and times[[0, -1]].tolist() == [1, n]
    assert times == pytest.approx(1 + np.arange(most) * (n - 1) / (most - 1), rel=0.005)


def test_printed_numbers_stand_beside_the_variants_that_claims_name():
    table = printed.table()
    row = table.query("view == 'order5' and x == 45 and variant == 'acs' and metric == @RATE")
    by_source = row.query("experiment == 'lloyd_amos'").set_index("source")
    values = {name: by_source.loc[name, "value"] for name in by_source.index}
    assert values == {"paper, arXiv 2018": 0.92, "paper, journal 2019": 0.85}
    assert by_source["low"]["paper, arXiv 2018"] == pytest.approx(statistics.wilson(92, 100)[0])
    soto = table.query("experiment == 'soto' and metric == @RATE")
    assert {"ac3_tabu_1000_cell", "ga_as_printed"} <= {*soto["variant"]}
    assert not {"ac3_tabu", "ga"} & {*soto["variant"]}  # with rules of ours
    gentle = table.query("experiment == 'lewis' and view == 'given' and metric == @RATE")
    assert {*gentle["variant"]} == {"sa_hybrid", "cp_sa"}  # not SA of the journal
    assert not table.duplicated([*printed.PLACE, "metric", "source"]).any()
    walk = table.query("experiment == 'lewis_walk'")  # another reading
    assert "sa_walk" in {*walk["variant"]} and "sa" not in {*walk["variant"]}


def test_printed_numbers_of_a_users_paper_need_no_claim(monkeypatch):
    shipped = printed.table()
    newcomers = ROOT / "tests" / "papers" / "newcomers"
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(newcomers)])
    table = printed.table()
    pd.testing.assert_frame_equal(table[: len(shipped)], shipped)
    rows = [tuple(row) for row in table[len(shipped) :].drop(columns=["low", "high"]).values]
    rate, time = (measure for measure, _ in printed.MEASURES.values())
    assert rows == [
        ("newcomer", "order3", 50, "walk", rate, "paper", 0.5),  # of a claim, once
        ("newcomer", "order3", 40, "walk", rate, "paper", 0.9),
        ("newcomer", "order4", 50, "walk", time, "paper", 900),
    ]


def test_a_chart_has_another_marker_for_each_edition():
    data = charts.build(runs_of(point(0.45, 0, experiment="lloyd_amos", variant="acs")))
    first, second = data["shapes"].values()
    assert first != second
    sources = {row[data["printed"]["columns"].index("source")] for row in data["printed"]["data"]}
    assert sources == data["shapes"].keys()


# --- overview, claims ----------------------------------------------------------------------------


def test_an_own_experiment_says_which_solver_is_better_with_the_test():
    times = {"a": 1.0, "b": 2.0, "c": 1.0}  # c fails on one instance of 12
    rows = [
        {"experiment": "mine", "variant": name, "solver": name, "label": name.upper()}
        | {"instance_id": str(k), "cpu_s": time + 0.01 * k}
        | {"status": ERROR if (name, k) == ("c", 0) else SOLVED}
        for name, time in times.items()
        for k in range(12)
    ]
    runs = runs_of(*rows)
    ranking = overview.marked(tables.make("ranking", runs), runs)
    assert ranking["label"].tolist() == ["A", "B", "C (crashed or wrong: 1 of its runs)"]
    assert overview.marked(ranking[:0], runs).empty
    comparison = tables.make("experiment_comparison", runs)
    ((place, (slower, open_)),) = overview.answers(comparison, ranking).items()
    assert place == "Mine: 25 × 25, 45 % fixed"
    assert slower.startswith(
        "A is better than B: better on 12 of 12 instances, worse on 0; p = 0.0"
    )
    assert open_.startswith("Undecided between A and C: A is better on 1 of 12 instances")


@pytest.mark.parametrize(
    ("commit", "text"),
    [
        ("0123456789abcdef", "0123456789"),
        ("0123456789abcdef-dirty", "0123456789-dirty"),
        (None, "unknown"),
    ],
)
def test_a_page_says_that_runs_are_of_code_that_no_commit_has(commit, text):
    provenance = json.loads((ROOT / "docs" / "results" / "provenance.json").read_text())
    facts = overview._facts(provenance | {"antdoku": {"version": "1.0", "commit": commit}})
    assert facts["antdoku"] == f"1.0, commit {text}"


def test_a_page_of_our_own_experiment_is_headed_by_its_conclusion():
    none = pd.DataFrame(index=["Total"])
    some = pd.DataFrame({"reproduced": 3, "undecided": 1, "sum": 4}, ["Lewis", "Total"])
    of_ours = gallery.own_paper(["bve.png"]), gallery.own_paper(["a/frontier_run_times.png"])
    assert [paper.name for paper in of_ours] == ["bve", "frontier"]
    assert gallery.own_paper(["bve.png", "tails.png"]) is None
    assert gallery.own_paper(["lloyd_amos_fig7.png", "beyond_work.png"]) is None
    picture = {"title": "TabuCol is first"}
    assert "restart" in overview.headline(of_ours[0], picture, none, is_record=False)
    assert overview.headline(of_ours[1], picture, some, is_record=False) == "TabuCol is first"
    assert overview.headline(of_ours[1], None, none, is_record=False) == of_ours[1].title
    papers_first = overview.headline(None, picture, some, is_record=True)
    assert papers_first == "3 of 4 published statements hold"
    assert overview.headline(None, None, none, is_record=False) == "Which solver is better?"


@pytest.mark.parametrize(
    ("reasons", "sentence"),
    [
        ([BEFORE_END, BEFORE_END, "few runs"], f"3 of the 4 claims .*, 2 .* because {BEFORE_END}."),
        (["few runs", "few runs", "few runs"], "3 of the 4 claims are undecided."),
        ([BEFORE_END, "few runs"], ""),
    ],
)
def test_the_first_screen_counts_the_reasons_of_undecided_claims(reasons, sentence):
    n_open = len(reasons)
    verdicts = [UNDECIDED] * n_open + [REPRODUCED] * (4 - n_open)
    table = pd.DataFrame({"verdict": verdicts, "reason": [*reasons, *[""] * (4 - n_open)]})
    assert re.fullmatch(sentence, overview.open_claims(table))


@pytest.mark.parametrize(("reason", "why"), [(BEFORE_END, f", because {BEFORE_END}"), ("few", "")])
def test_the_only_claim_is_undecided(reason, why):
    table = pd.DataFrame({"verdict": [UNDECIDED], "reason": [reason]})
    assert overview.open_claims(table) == f"The only claim is undecided{why}."


def test_the_page_says_what_its_runs_are_about():
    names = "lloyd_amos", "lewis", "frontier", "my_trial"
    runs = runs_of(*({"experiment": name} for name in names))
    assert overview.subject(runs) == "Lloyd & Amos 2018, Lewis 2007, My trial"
    assert overview.subject(runs[2:3]) == papers.get("frontier").title


@pytest.mark.parametrize(
    ("value", "measure", "text"),
    [
        (-0.11, "h", "very small"),
        (0.2, "h", "small"),
        (-0.54, "2A-1", "large"),
        (-0.2311, "log ratio", "a factor of 0.79"),
        (NAN, "h", ""),
    ],
)
def test_effects_are_written_in_words(value, measure, text):
    assert claims_page.effect(value, measure) == text


def test_a_claim_that_is_not_reproduced_has_its_likely_cause_and_its_difference():
    record = claims_page.read(ROOT / "docs" / "results" / "claims.csv")
    (one,) = record[record["id"] == "lewis_hybrid_cp_sa_17"].itertuples()
    texts_of = claims_page.texts(one._replace(printed=16.0, measured=85.8))
    assert texts_of["cause"].startswith("his program probably propagated less")
    assert texts_of["difference"] == "+69.8 points"
    assert claims_page.texts(one._replace(verdict="reproduced"))["cause"] == ""


def test_an_interval_has_a_unit():
    record = claims_page.read(ROOT / "docs" / "results" / "claims.csv").set_index("id")
    texts_of = {
        name: claims_page.interval(record.loc[name])
        for name in ("arxiv_acs_p45", "arxiv_bve_p45", "arxiv_mean_time_acs_sabuncu6")
    }
    units = [text.split()[-1] for text in texts_of.values()]
    assert units == ["%", "points", "ms"]
    assert all(text.count("…") == 1 for text in texts_of.values())


# --- looks ---------------------------------------------------------------------------------------


def brightness(color):
    """Relative luminance of a colour (WCAG 2)."""
    parts = np.array([int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)


@pytest.mark.parametrize("name", [*papers.variants(), "m_5", "anything"])
def test_colours_are_seen_at_night_and_markers_are_paths(name):
    look = style.looks_of([name])[name]
    color, shape = looks.colour(look.color), looks.shape(look.marker)
    day, night = re.fullmatch(r"light-dark\((#\w{6}), ?(#\w{6})\)", color).groups()
    assert day == look.color
    assert (brightness(night) + 0.05) / (brightness("#14171c") + 0.05) >= 4.5  # WCAG AA
    numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", shape)]
    assert re.fullmatch(r"[MLQCZ0-9.,e+-]+", shape) and max(map(abs, numbers)) == 1


# --- gallery, texts -------------------------------------------------------------------------------


def test_figures_come_first_and_without_rows_nothing_is_shown(tmp_path):
    for name in ("fig8", "fig7", "fig9"):
        Image.new("RGB", (9, 9)).save(tmp_path / f"lloyd_amos_{name}.png")
    for name, n_rows in {"fig7": 1, "fig8": 500, "fig9": 0, "table1": 2}.items():
        table = published_table(f"lloyd_amos_{name}").head(n_rows)
        tables.write(table, tmp_path / f"lloyd_amos_{name}.csv")
    (group,) = gallery.build([*tmp_path.glob("*.png")], [*tmp_path.glob("*.csv")], tmp_path)
    assert group["title"] == "Lloyd & Amos 2018"
    items = {item["title"]: item for item in group["items"]}
    assert [*items] == ["Figure 7", "Figure 8", "Table 1"]
    caption = figures.every()["lloyd_amos_fig7"].caption
    assert items["Figure 7"]["caption"] == caption
    assert items["Table 1"]["image"] is None
    assert items["Figure 7"]["files"] == {}  # none is in a folder of figures or tables
    assert not any(item["second"] for item in group["items"])


def test_an_item_shows_the_figure_and_the_table_of_the_second_files(tmp_path):
    for folder in ("tables", "archive/tables"):
        (tmp_path / folder).mkdir(parents=True)
        Image.new("RGB", (9, 9)).save(tmp_path / folder / "lloyd_amos_fig7.png")
    for folder, n_rows in {"archive/tables": 1, "tables": 2}.items():
        table = published_table("lloyd_amos_fig7").head(n_rows)
        tables.write(table, tmp_path / folder / "lloyd_amos_fig7.csv")
    first, second = ([*tmp_path.glob(f"{folder}tables/*")] for folder in ("archive/", ""))
    files = ([path for path in first if path.suffix == form] for form in (".png", ".csv"))
    ((item,),) = (group["items"] for group in gallery.build(*files, tmp_path, second))
    assert (item["table"]["n"], item["second"]["table"]["n"]) == (1, 2)
    assert item["second"]["image"]
    assert item["files"] == {"CSV": "archive/tables/lloyd_amos_fig7.csv"}
    assert item["second"]["files"] == {"CSV": "tables/lloyd_amos_fig7.csv"}


def test_figures_and_tables_link_to_the_files_beside_the_page(tmp_path):
    names = "figures/lewis_fig3_work.pdf", "tables/lewis_fig3.csv", "tables/success.csv"
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    data = [*tmp_path.glob("tables/*")]
    form, success = figures.every()["lewis_fig3_work"], tables.get("success")
    assert gallery.files_of(form, data, tmp_path) == {"PDF": names[0], "CSV": names[1]}
    assert gallery.files_of(success, data, tmp_path) == {"CSV": names[2]}
    assert gallery.files_of(success, data, tmp_path / "elsewhere") == {}


def test_a_table_has_headings_units_and_text():
    frame = published_table("lloyd_amos_table1").head(1)
    part = gallery.table(frame.assign(median_time_ms=NAN), tables.get("lloyd_amos_table1").columns)
    headings = dict(part["headings"])
    assert {"solver", "success", "mean time: paper, arXiv 2018", "limit, steps"} <= headings.keys()
    assert "variant" not in headings and "median time" not in headings  # known, and empty
    assert headings["runs"] == "num " and headings["solver"] == ""
    assert headings["success: paper, arXiv 2018"] == "num published"
    cells = dict(zip(headings, (text for text, _ in part["rows"][0])))
    assert cells["puzzle"] == "sabuncu1" and part["is_short"]
    assert (cells["success"], cells["mean time: paper, arXiv 2018"]) == ("100 %", "31 µs")
    columns = tables.get("success").columns
    row = {"order": 3, "fixed_fraction": 0.05, "success_rate": 0.297, "par2_s": 4.75e-05}
    part = gallery.table(pd.DataFrame([row]), columns)
    assert [text for text, _ in part["rows"][0]] == ["9 × 9", "5 %", "29.7 %", "47.5 µs"]
    row = {"fixed_fraction": [0.45, 0.5], "work": [2029, NAN]}
    row |= {"work_low": [1_500.4, NAN], "work_high": [-2, NAN]}
    part = gallery.table(pd.DataFrame(row), tables.get("bve_work").columns)
    assert dict(part["headings"])["95 % interval, iterations"] == "num "
    assert [row[-1][0] for row in part["rows"]] == ["1,500 to −2", ""]
    part = gallery.table(
        pd.DataFrame({"p_value": [2.67e-11, 0.0149]}), tables.get("bve_effects").columns
    )
    assert [text for ((text, _),) in part["rows"]] == ["< 0.0001", "0.015"]
    frame = pd.concat([published_table("lewis_fig2")] * 9)  # too long for its rows to be shown
    part = gallery.table(frame, tables.get("lewis_fig2").columns)
    assert part["n"] == len(frame) and not part["rows"] and not part["is_short"]


@pytest.mark.parametrize(
    ("experiment", "view", "names"),
    [
        ("lloyd_amos", "order5", ["acs", "dlx", "mine"]),
        ("lloyd_amos", "order3", ["acs", "dlx", "mine"]),  # numbers at another order
        ("lloyd_amos_2", "order5", ["acs", "acs_closure", "dlx", "tabu_col", "mine"]),
        ("frontier", "order6", ["acs", "acs_closure", "dlx", "tabu_col", "mine"]),  # ours
        ("mutants", "order5", ["acs", "acs_closure", "dlx", "tabu_col", "mine"]),
    ],
)
def test_a_view_shows_what_stands_for_printed_numbers(experiment, view, names):
    variants = ["acs", "acs_closure", "acs_5_ants", "dlx", "tabu_col", "mine"]
    rows = pd.DataFrame({"experiment": experiment, "view": view, "variant": variants})
    assert printed.opening_variants(rows, printed.table()) == names


def test_numbers_and_times_are_written_for_readers():
    numbers = {0.01234: "0.0123", NAN: "", np.inf: "∞", 1234.5: "1,234", 7.0: "7"}
    assert [*map(texts.number, numbers)] == [*numbers.values()]
    times = {np.inf: "∞", 0.0009999: "1 ms", 6.31e-5: "63.1 µs", NAN: "–", 5000: "1 h 23 min"}
    assert [*map(duration, times)] == [*times.values()]


def test_a_small_drawing_beside_a_picture_takes_its_place(tmp_path):
    Image.new("RGB", (30, 20), "white").save(tmp_path / "figure.png")
    assert gallery.picture(tmp_path / "figure.png")["uri"].startswith("data:image/webp;base64,")
    svg = '<svg viewBox="0 0 300 200">\n<path fill="#fff" d="M 0 0 \nL 1 1"/> 5\u00a0% &amp;</svg>'
    (tmp_path / "figure.svg").write_text(svg)
    drawing = gallery.picture(tmp_path / "figure.png")
    assert (drawing["width"], drawing["height"]) == (585, 390)
    text = urllib.parse.unquote(html.unescape(drawing["uri"]).partition(",")[2])
    assert text == svg.replace("\n", " ").replace("  ", " ") and '"' not in drawing["uri"]


def test_the_page_has_the_colours_of_verdicts_that_the_manual_has():
    """The page of the player does not import the libraries that define them."""
    css = (player.TEMPLATES / "page.css").read_text()
    colors = dict(re.findall(r"--([a-z-]+): ([^;]+);", css))
    for name, (day, night) in looks.palette().items():
        day, night = day.lower(), night.lower()
        color = colors["undecided" if name == "undecidable" else name]
        assert color == (day if day == night else f"light-dark({day}, {night})")

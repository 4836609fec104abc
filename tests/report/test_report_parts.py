"""What the page shows beside the recorded run: charts, claims, gallery, overview, puzzles."""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_page import CAPTIONS
from runs_by_hand import NAN, runs_of
from synthetic import quick_runs

from antdoku import papers, published, report, tables
from antdoku.claims import ledger, verdicts
from antdoku.claims.evidence import VERDICTS
from antdoku.figures import style
from antdoku.outcome import EXHAUSTED, SOLVED, TIMEOUT
from antdoku.puzzle import named
from antdoku.report import charts, claims, colours, gallery, overview, puzzles, texts, work

MOST_OF_A_CAPTION = 330  # characters: three lines of a wide page, and a little more
PAPERS_STEPS = published.work("arxiv", "acs", 5).steps


@cache
def verdicts_of_soto():
    """Verdicts on all claims, of which runs decide those of one experiment."""
    return verdicts.decide(quick_runs().query("experiment == 'soto'"))


# --- charts --------------------------------------------------------------------------------------


def test_charts_have_a_view_for_each_order_and_family():
    data = charts.build(quick_runs())
    views = {(view["experiment"], view["view"]): view["kind"] for view in data["views"]}
    assert views[("lloyd_amos", "order5")] == "random"
    assert views[("lloyd_amos", "named")] == "given"
    assert views[("soto", "soto")] == "given"
    json.dumps(data, allow_nan=False)


def test_charts_summarise_runs():
    times = [0.1, 0.2, 0.4, 12.0]
    rows = [
        {"repetition": k, "cpu_s": time, "status": SOLVED if time < 12 else TIMEOUT}
        for k, time in enumerate(times)
    ]
    table = charts.build(runs_of(*rows))["rows"]
    (row,) = (dict(zip(table["columns"], row)) for row in table["rows"])
    assert (row["x"], row["n"], row["solved"]) == (45, 4, 3)
    assert row["mean_time_solved_s"] == 0.233
    assert row["par2_s"] == pytest.approx((0.7 + 24) / 4, rel=0.01)
    assert row["times"] == [0.1, 1, 0.2, 2, 0.4, 3]


def test_runs_at_one_fixed_fraction_are_told_apart_by_variant():
    data = charts.build(runs_of({"variant": "m_5"}, {"variant": "m_20"}))
    (view,) = data["views"]
    assert view["kind"] == "single"
    assert set(data["variants"]) == {"m_5", "m_20"}


def test_a_distribution_keeps_its_ends_and_few_of_many_times():
    runs = runs_of(*({"repetition": k, "cpu_s": 0.001 * (k + 1)} for k in range(500)))
    found = charts.thinned(runs)
    assert len(found) == 2 * charts.MOST_TIMES
    assert found[:2] == [0.001, 1] and found[-2:] == [0.5, 500]
    assert charts.thinned(runs.assign(status=TIMEOUT)) == []


def test_charts_hold_what_the_papers_print():
    table = charts.printed()
    acs_at_45 = table[(table["variant"] == "acs") & (table["x"] == 45)]
    rates = acs_at_45.loc[acs_at_45["metric"] == "success_rate"].set_index("source")["value"]
    assert rates["Lloyd & Amos 2018 (arXiv:1805.03545v1)"] == 0.92
    on_puzzles = table[table["view"] == "given"]
    assert {"reddwarf", "mk_s12c"} <= set(on_puzzles["x"])


# --- work ----------------------------------------------------------------------------------------


def runs_at_work(*ends, **usual):
    """Runs of ACS that ended so after a share of the papers' work, and might do twice as much."""
    usual = {"limit_steps": 2 * PAPERS_STEPS, "limit_s": 120.0, "limited_by": "steps"} | usual
    return work.with_papers_steps(
        runs_of(
            *(
                usual | {"repetition": k, "status": status, "steps": round(share * PAPERS_STEPS)}
                for k, (status, share) in enumerate(ends)
            )
        )
    )


def test_stops_go_from_little_to_the_greatest_reach():
    stops = work.stops(runs_at_work((SOLVED, 1), limit_steps=16 * PAPERS_STEPS))
    assert (stops[0], stops[12], stops[-1], len(stops)) == (1 / 64, 1, 16, 21)
    assert np.allclose(stops[1:] / stops[:-1], 2**0.5)
    assert work.stops(runs_at_work((SOLVED, 1), limit_steps=3 * PAPERS_STEPS))[-1] == 2**1.5
    assert work.stops(runs_at_work((SOLVED, 1), limit_steps=-1))[-1] == 1


def test_stops_have_short_names():
    stops = (1 / 64, 2**-5.5, 2**-1.5, 1, 2**0.5, 128)
    assert [*map(work.label, stops)] == ["1/64", "1/45", "1/2.8", "1", "1.4", "128"]


def test_runs_are_counted_at_each_stop_until_their_guard_ends_them():
    ends = (SOLVED, 0), (SOLVED, 0.4), (SOLVED, 1), (SOLVED, 1.5), (TIMEOUT, 2)
    found = work.at_stops(runs_at_work(*ends), np.array([0.25, 0.5, 1, 2, 4]))
    assert found == {"solved_at": [1, 2, 3, 4], "open_at": []}
    ends = (SOLVED, 0.4), (TIMEOUT, 0.7), (EXHAUSTED, 0.1)
    found = work.at_stops(runs_at_work(*ends), np.array([0.5, 1, 2]))
    assert found == {"solved_at": [1, 1, 1], "open_at": [0, 1, 1]}


def test_counts_are_those_of_the_tables():
    rng = np.random.default_rng(1)
    ends = [(SOLVED if share < 2 else TIMEOUT, share) for share in 2 * rng.random(50) + 0.1]
    runs = runs_at_work(*((status, min(share, 2)) for status, share in ends))
    stops = work.stops(runs)
    found = work.at_stops(runs, stops)["solved_at"]
    ours = [(tables.work.at(runs, "arxiv", stop)["status"] == SOLVED).sum() for stop in stops]
    assert found == ours and ours[0] < ours[-1] < 50


@pytest.mark.parametrize(
    "limits",
    [{"limit_steps": -1}, {"experiment": "soto"}, {"solver": "cdcl"}],
    ids=["seconds", "experiment", "solver"],
)
def test_runs_without_a_known_work_are_the_same_at_any(limits):
    runs = runs_at_work((SOLVED, 0.5), **limits)
    assert work.at_stops(runs, work.stops(runs)) == {"solved_at": None, "open_at": []}
    table = charts.build(runs)["rows"]
    (row,) = (dict(zip(table["columns"], row)) for row in table["rows"])
    assert row["solved_at"] is None and row["papers_steps"] is None


def test_a_distribution_ends_where_the_runs_do():
    assert charts.end(runs_at_work((TIMEOUT, 2), cpu_s=7.0)) == 7
    assert charts.end(runs_of({"cpu_s": 7.0})) == 12
    assert charts.end(runs_of({"cpu_s": 7.0, "limit_s": NAN})) == 7


# --- the other parts -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*papers.variants(), "acs_restart", "cdcl", "m_5", "anything"])
def test_colours_are_seen_at_night(name):
    look = colours.look(name)
    assert look["day"] == style.variant(name).color
    assert colours.contrast(look["night"], colours.NIGHT) >= colours.LEAST_CONTRAST


def test_colours_have_the_contrast_of_the_standard_and_markers_a_shape():
    assert colours.contrast("#ffffff", "#000000") == pytest.approx(21)
    assert colours.contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    markers = {style.variant(name).marker for name in papers.variants()} | set(style.OTHER_MARKERS)
    assert markers <= set(colours.SHAPES)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_a_colour(verdict):
    styles = (Path(report.__file__).parent / "templates" / "page.css").read_text("utf-8")
    assert re.search(rf"\.v-{verdict.replace(' ', '-')}\b[^}}]*--tone: ", styles)


STEPS = {"limit_steps": 1000, "experiment": "soto"}
PAPERS_WORK = {"limit_steps": 2 * PAPERS_STEPS, "limit_s": 120.0}


@pytest.mark.parametrize(
    ("runs", "limits"),
    [
        ([{}, {"limit_s": 0.5}], "0.5 – 12 s"),
        ([{"limit_s": NAN}], "none"),
        ([STEPS | {"limit_s": NAN}, {"experiment": "soto"}], "1,000 steps, 12 s"),
        ([PAPERS_WORK], "2 × the papers’ work, at most 120 s"),
        (
            [PAPERS_WORK, PAPERS_WORK | {"limit_steps": PAPERS_STEPS}, {"limit_s": 5.0}],
            "1 – 2 × the papers’ work, at most 5 – 120 s",
        ),
    ],
)
def test_limits_are_told_in_short(runs, limits):
    (row,) = overview.experiments(runs_of(*runs))
    assert row["limits"] == limits


def test_the_ledger_has_a_key_for_each_column():
    data = claims.build(verdicts_of_soto())
    of_soto = [claim for claim in ledger.load() if claim.paper.startswith("soto")]
    assert len(data["rows"]) == len(of_soto)
    assert data["others"].startswith(f"{len(ledger.load()) - len(of_soto)} more claims")
    assert data["counts"].keys() == {"soto_2013", "soto_2014"}
    assert {len(row["keys"]) for row in data["rows"]} == {len(data["columns"])}
    json.dumps([row["keys"] for row in data["rows"]], allow_nan=False)
    of_soto = {row["paper"] for row in data["rows"] if row["readings"]}
    assert of_soto == {"soto_2013", "soto_2014"}


def test_puzzles_are_drawn_from_the_givens_however_many_there_are():
    known = {"family": "named", "instance_id": "sabuncu1", "order": 3}
    runs = runs_of(known, known | {"repetition": 1})
    (family,) = puzzles.build(runs, [])
    (puzzle,) = family["puzzles"]
    assert "".join(puzzle["rows"]) == named.find("sabuncu1")[0].puzzle.replace("0", ".")
    assert (puzzle["n_givens"], puzzle["solutions"]) == (41, "one solution")
    assert puzzle["results"][0]["success"] == "2/2"
    many = [row.name for row in named.find("seventeen_clue")]
    runs = runs_of(*({"family": "many", "instance_id": name, "order": 3} for name in many))
    (family,) = puzzles.build(runs, [])
    assert (family["n"], len(family["puzzles"])) == (200, 200)


def test_abbreviations_of_the_solvers_that_ran_are_told():
    told = overview.abbreviations(runs_of({"variant": "cp_sa"}, {"variant": "mine"}))
    assert told == [("CP+SA", "constraint propagation, then SA")]


def test_puzzles_are_called_as_the_paper_calls_them():
    runs = runs_of(*({"instance_id": name, "order": 3} for name in ("mk_s12a", "sabuncu1")))
    (family,) = puzzles.build(runs.assign(family="named"), [])
    titles = {puzzle["name"]: puzzle["title"] for puzzle in family["puzzles"]}
    assert titles == {"mk_s12a": "Hard a", "sabuncu1": "sabuncu1"}


def own_family(folder, givens, count=2, family="mine", deletion=""):
    """Runs on puzzles of which only the file of instances knows the givens, and that file."""
    names = [f"{family}-{number:03d}" for number in range(count)]
    path = folder / "lewis" / f"{family}.parquet"
    path.parent.mkdir(exist_ok=True)
    rows = {"instance_id": names, "family": family, "puzzle": givens, "deletion": deletion}
    pd.DataFrame(rows).to_parquet(path)
    order = round(len(givens.split()) ** 0.25)
    about = {"experiment": "lewis", "family": family, "order": order}
    return runs_of(*(about | {"instance_id": name} for name in names)), path


def test_puzzles_of_ones_own_are_drawn_from_their_files(tmp_path):
    runs, path = own_family(tmp_path, "1 0 0 4 " + "0 " * 12, deletion="unique")
    (family,) = puzzles.build(runs, [path])
    first, _ = family["puzzles"]
    assert (family["family"], family["n"]) == ("mine", 2)
    assert (first["name"], first["rows"]) == ("mine-000", ["1..4", "....", "....", "...."])
    assert (first["size"], first["solutions"], first["n_givens"]) == (4, "one solution", 2)
    # The same name in another experiment is another family.
    assert not puzzles.build(runs.assign(experiment="soto"), [path])[0]["puzzles"]


def test_large_puzzles_show_where_their_givens_are(tmp_path):
    runs, path = own_family(tmp_path, "1 2 0 0 3 " + "0 " * 250 + "7", count=30)
    (family,) = puzzles.build(runs, [path])
    assert (family["n"], len(family["puzzles"])) == (30, puzzles.MOST_OWN)
    first = family["puzzles"][0]
    assert first["blocks"] == [(0, 0, 2), (4, 0, 1), (15, 15, 1)]
    assert (first["rows"], first["n_givens"], first["solutions"]) == ([], 4, "")


def test_figures_and_tables_are_taken_by_name(tmp_path):
    (tmp_path / "beyond_x.csv").write_text("a,empty\n1.23456,\n")
    (tmp_path / "new_y.csv").write_text("a\n" + "1\n" * 500)
    (tmp_path / "beyond_x.rst").write_text("What ``x`` says & <more>.\n")
    paths = [tmp_path / "new_y.csv", tmp_path / "beyond_x.csv"]
    beyond, new = gallery.build([], paths, [tmp_path / "beyond_x.rst"])
    assert (beyond["title"], new["title"]) == ("Beyond the papers", "New")
    (item,) = beyond["items"]
    assert item["table"]["rows"] == [["1.23"]] and item["table"]["is_short"]
    assert "&amp; &lt;more&gt;" in item["caption"]
    assert new["items"][0]["table"]["n"] == 500 and not new["items"][0]["table"]["rows"]


@pytest.mark.parametrize("path", CAPTIONS, ids=lambda path: path.stem)
def test_captions_are_one_paragraph_of_three_lines(path):
    caption = gallery.caption(path)
    assert caption.count("<p>") == 1
    assert len(caption.striptags()) <= MOST_OF_A_CAPTION


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (gallery.title("lloyd_amos_fig4", "lloyd_amos"), "Figure 4"),
        (gallery.title("lewis_table1", "lewis"), "Table 1"),
        (gallery.title("soto_2014_tables1_3", "soto_2014"), "Tables 1–3"),
        (gallery.title("lewis_signed_rank", "lewis"), "Signed rank"),
        (gallery.title("beyond_run_length", "beyond"), "Run length"),
        (gallery.heading("arxiv_mean_time_s"), "mean time, s: arxiv"),
        (gallery.heading("published_solved_of_30"), "solved of 30: paper"),
        (gallery.heading("wilson_low_percent"), "wilson low, %"),
        (gallery.heading("n"), "runs"),
        (texts.seconds(2.5), "2.5 s"),
        (texts.seconds(0.01234), "12.3 ms"),
        (texts.seconds(6.31e-5), "63.1 µs"),
        (texts.seconds(float("nan")), "–"),
        (texts.hours_and_minutes(5000), "1 h 23 min"),
        (texts.hours_and_minutes(61), "1 min 1 s"),
        (texts.hours_and_minutes(0.26), "0.3 s"),
    ],
)
def test_names_and_times_are_written_for_readers(found, text):
    assert found == text

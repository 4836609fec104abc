"""Runs at the papers' work, by hand: ACS at 25x25 has 10,700 iterations, known within 1.3."""

import pandas as pd
import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from runs_by_hand import NAN, check, runs_of

from antdoku import papers
from antdoku.outcome import ERROR, EXHAUSTED, SOLVED, TIMEOUT
from antdoku.papers import published
from antdoku.papers.rows import Work
from antdoku.tables import work
from antdoku.tables.summary import GROUP_KEY, summarise_at_work

WORK, LESS, MORE = 10_700, 8231, 13_910


def run(number, steps, status=SOLVED, **row):
    """A run of a colony that may do twice the papers' work, at 1000 iterations a second."""
    fields = {"instance_id": f"order5-p045-{number:03d}", "limit_steps": 2 * WORK, "limit_s": 120.0}
    return fields | {"steps": steps, "cpu_s": steps / 1000, "status": status} | row


FAST, LATE, LATER = run(0, 5000), run(1, 9000), run(2, 12_000)
NEVER, CUT = run(3, 2 * WORK, TIMEOUT), run(4, 9500, TIMEOUT)  # the guard ended the last one
BASELINE = {"solver": "cdcl", "limit_steps": -1, "steps": 10**6}
RUNS = runs_of(FAST, LATE, LATER, NEVER, CUT, BASELINE)


def ends(runs):
    return list(zip(runs["status"], runs["steps"], runs["cpu_s"], runs["limit_steps"]))


def test_runs_end_after_less_and_more_than_the_papers_work():
    assert ends(work.at(RUNS, "arxiv")) == [
        (SOLVED, 5000, 5.0, WORK),
        (SOLVED, 9000, 9.0, WORK),
        (TIMEOUT, WORK, pytest.approx(10.7), WORK),
        (TIMEOUT, WORK, pytest.approx(10.7), WORK),
        (TIMEOUT, 9500, 9.5, WORK),
        (SOLVED, 10**6, 1.0, -1),
    ]
    assert ends(work.at(RUNS, "arxiv", 1 / 1.3))[1] == (TIMEOUT, LESS, pytest.approx(8.231), LESS)
    assert ends(work.at(RUNS, "arxiv", 1.3))[2] == (SOLVED, 12_000, 12.0, MORE)
    by_run = work.at(RUNS, "arxiv", work.of_paper(RUNS, "arxiv", "factor"))
    assert ends(by_run) == ends(work.at(RUNS, "arxiv", 1.3))
    short = runs_of(run(0, 900), run(1, 1000, TIMEOUT)).assign(limit_steps=1000)
    pd.testing.assert_frame_equal(work.at(short, "arxiv"), short)


def test_runs_of_several_experiments_end_at_the_smallest_limit_that_reaches_the_work():
    short = [run(5, 900), run(6, 1000, TIMEOUT)]
    short = [row | {"limit_steps": 1000} for row in short]
    at_work = run(7, WORK, TIMEOUT) | {"limit_steps": WORK}
    baseline = BASELINE | {"variant": "cdcl"}
    together = work.at_common_steps(runs_of(*short, FAST, LATER, at_work, baseline))
    assert ends(together) == [
        (SOLVED, 5000, 5.0, WORK),
        (TIMEOUT, WORK, pytest.approx(10.7), WORK),
        (TIMEOUT, WORK, 10.7, WORK),
        (SOLVED, 10**6, 1.0, -1),
    ]
    pd.testing.assert_frame_equal(work.at_common_steps(runs_of(*short)), runs_of(*short))


def test_a_point_may_have_a_work_of_its_own(monkeypatch):
    points = {
        None: Work.model_construct(steps=100, factor=2.0),
        0.4: Work.model_construct(steps=300, factor=1.5),
    }
    monkeypatch.setattr(published, "_works", lambda: {("arxiv", "acs", 5): points})
    fractions = [0.4, 0.45, NAN, 0.4]
    runs = runs_of(*({"limit_steps": 600, "fixed_fraction": p, "steps": 200} for p in fractions))
    assert list(work.papers_steps(runs, "arxiv")) == [300, 100, 100, 300]
    assert list(work.of_paper(runs, "arxiv", "factor")) == [1.5, 2.0, 2.0, 1.5]
    assert list(work.at(runs, "arxiv")["steps"]) == [200, 100, 100, 200]
    assert published.work("arxiv", "acs", 5) == points[None]
    assert published.work("arxiv", "acs", 4, 0.4) is None
    # What points a batch has is not asked.
    assert published.most_steps("lloyd_amos", "acs", 5) == 300
    assert published.most_steps("lloyd_amos", "acs", 4) is None


def test_how_a_run_ends_is_known_if_it_went_on_so_long_and_the_guard_did_not_end_it():
    assert list(work.is_decided(RUNS, "arxiv")) == [True, True, True, True, False, True]
    assert list(work.is_decided(RUNS, "arxiv", 2.0))[3:] == [True, False, True]
    assert list(work.is_decided(RUNS, "arxiv", 2.1))[2:] == [True, False, False, True]
    ended = runs_of(run(0, 3, EXHAUSTED), run(1, 0, ERROR))
    assert work.is_decided(ended, "arxiv").all()
    assert list(work.is_unfinished(RUNS)) == [False, False, False, False, True, False]
    assert not work.is_unfinished(work.at(RUNS, "arxiv", 0.5)).any()
    killed = runs_of(run(0, 0, TIMEOUT), {"status": TIMEOUT})  # the second: seconds limit it
    assert list(work.is_unfinished(killed)) == [True, False]


def summary_of(*rows):
    return summarise_at_work(runs_of(*rows), GROUP_KEY, "arxiv")


def test_rates_at_less_and_more_work_stand_beside_if_all_runs_went_on_so_long():
    table = summary_of(FAST, LATE, LATER, NEVER)
    check(table, work_steps=[WORK], work_factor=1.3, limit_steps=WORK, n_unfinished=0)
    check(table, rate_at_less=0.25, success_rate=0.5, rate_at_more=0.75)
    table = summary_of(FAST, LATE, LATER, NEVER, CUT)
    check(table, rate_at_less=[0.2], success_rate=0.4, rate_at_more=NAN, n_unfinished=1)
    check(summary_of({"limit_steps": -1}), work_steps=[NAN], rate_at_less=NAN, rate_at_more=NAN)


def test_runs_are_read_at_the_smallest_limit_in_seconds_of_their_group():
    long = {"variant": "tabu_col", "limit_s": 20.0, "steps": 1000}
    rows = [
        {"variant": "cdcl", "limit_s": 2.0, "cpu_s": 1.5},
        long | {"cpu_s": 1.0},
        long | {"cpu_s": 4.0},
        long | {"cpu_s": 20.0, "status": TIMEOUT},
        long | {"cpu_s": 4.0, "limit_steps": 5000},  # seconds are only its guard
        long | {"cpu_s": 4.0, "experiment": "another"},
    ]
    ended = work.at_common_seconds(runs_of(*rows), ["experiment", "family"])
    assert list(zip(ended["status"], ended["steps"], ended["cpu_s"], ended["limit_s"])) == [
        (SOLVED, 10, 1.5, 2.0),
        (SOLVED, 1000, 1.0, 2.0),
        (TIMEOUT, 500, 2.0, 2.0),
        (TIMEOUT, 100, 2.0, 2.0),
        (SOLVED, 1000, 4.0, 20.0),
        (SOLVED, 1000, 4.0, 20.0),
    ]
    again = work.at_common_seconds(ended, ["experiment", "family"])
    pd.testing.assert_frame_equal(again, ended)


RUN_BY_SECONDS = st.tuples(
    st.sampled_from(["a", "b", "c"]),  # the variant, which has a limit of its own
    st.floats(0.01, 1),  # the time, as a share of that limit
    st.booleans(),  # whether the run is solved
)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(RUN_BY_SECONDS, min_size=1, max_size=12),
    st.lists(st.floats(0.1, 100), min_size=3, max_size=3),
)
def test_a_run_read_at_a_smaller_limit_is_solved_if_it_was_within_it(rows, limits_s):
    limit_of = dict(zip("abc", limits_s))
    runs = runs_of(
        *(
            {"variant": name, "limit_s": limit_of[name], "steps": 1000}
            | {"cpu_s": limit_of[name] * (share if solved else 1)}
            | {"status": SOLVED if solved else TIMEOUT}
            for name, share, solved in rows
        )
    )
    ended = work.at_common_seconds(runs, ["experiment"])
    limit_s = runs["limit_s"].min()
    is_solved = (runs["status"] == SOLVED) & (runs["cpu_s"] <= limit_s)
    assert list(ended["status"] == SOLVED) == list(is_solved)
    assert (ended["limit_s"] == limit_s).all() and (ended["cpu_s"] <= limit_s).all()
    pd.testing.assert_frame_equal(ended[is_solved], runs[is_solved].assign(limit_s=limit_s))


def test_a_mutant_ends_where_its_system_does_and_a_users_experiment_has_no_papers_work():
    """SA stands for the journal, whose work is less than the work of the hybrid."""
    variants = ["sa", "sa_cooling_098", "sa_hybrid", "sa_hybrid_cooling_098"]
    editions = {name: work.edition_of("lewis_mutants", name) for name in variants}
    journal, hybrid = "lewis_journal", "lewis_hybrid"
    assert editions == dict(zip(variants, [journal, journal, hybrid, hybrid]))
    assert work.edition_of("mutants", "acs_5_ants") == work.edition_of("lloyd_amos", "acs")
    assert work.edition_of("mine", "sa") is work.edition_of("mine", "acs") is None


TABLES = sorted((ROOT / "docs" / "results").glob("**/tables/*.csv"))
PLACE = ["experiment", "family", "order", "fixed_fraction", "puzzle"]


def published_with(column):
    """Return the published tables that have a column and variants, by their file."""
    tables = {file: pd.read_csv(file) for file in TABLES}
    return {file: table for file, table in tables.items() if {column, "variant"} <= {*table}}


def test_no_published_table_has_par2_at_several_limits():
    """At a place all values of PAR2 are of one limit in seconds, or of solved runs alone."""
    tables = published_with("par2_s")
    assert {file.parent.parent.name for file in tables} >= {"results", "frontier", "mutants"}
    for file, table in tables.items():
        by_steps = table.get("limit_steps", pd.Series(-1, table.index)) > 0
        shown = table[table["par2_s"].notna() & ~by_steps]
        limits = shown.groupby([*shown.columns.intersection(PLACE)], dropna=False)["limit_s"]
        assert (limits.nunique() <= 1).all(), file


def test_no_published_ranking_mixes_limits():
    """Runs of an experiment and family end at the same seconds, or at most at the paper's work."""
    systems = {name: mutant.system for name, mutant in papers.mutations().items()}
    rankings = {f: table for f, table in published_with("reach").items() if f.stem == "ranking"}
    assert len(rankings) >= 5
    for file, table in rankings.items():
        table["system"] = table["variant"].replace(systems)
        for _, rows in table.groupby(["experiment", "family"]):
            by_steps = rows["limit_steps"] > 0
            assert rows.loc[~by_steps, "limit_s"].nunique() <= 1, file
            assert not (rows.loc[by_steps, "reach"] > 1).any(), file
            of_mutants = rows[rows["system"].isin(systems.values())]
            assert (of_mutants.groupby("system")["limit_steps"].nunique() == 1).all(), file

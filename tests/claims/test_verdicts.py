"""Verdicts by the runs: over the range of work, under readings, after correction; their table."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from runs_by_hand import NOTHING, on_puzzle, runs

from antdoku import tables
from antdoku.claims import (
    AUTHORS_INSTANCES,
    PAPERS_PUZZLES,
    RANDOM_INSTANCES,
    SUBSTITUTES,
    VERDICTS,
    ledger,
    page,
    verdicts,
)
from antdoku.claims.samples import Samples, two_digits
from antdoku.papers import published
from antdoku.report import record, record_pages

REPRODUCED, PARTLY, NOT_REPRODUCED, UNDECIDED, UNDECIDABLE = VERDICTS
LEDGER = ledger.load()
CLAIMS = {claim.id: claim for claim in LEDGER}


def claim_of(test, name="a", paper="arxiv", steps=0, seconds=0.0, expect=None, **where):
    """Return a claim about runs of the experiment lloyd_amos."""
    where = {"experiment": "lloyd_amos"} | where
    return ledger.Claim(
        name,
        paper,
        "place",
        "claim",
        "figure",
        test,
        expect or {},
        where,
        steps=steps,
        seconds=seconds,
    )


def rate(percent=92, of=100, variant="acs", pooled=False, **about):
    """Return a claim that a variant solves such a share of its runs."""
    expect = {"percent": percent, "of": of, "pooled": pooled}
    return claim_of("rate", expect=expect, variant=variant, **about)


def decided(claim, *several):
    """Return the row of a claim that some tables of runs decide."""
    claim = CLAIMS[claim] if isinstance(claim, str) else claim
    return verdicts.decide(pd.concat(several, ignore_index=True), [claim]).iloc[0]


# --- which claims, and when there is a verdict ----------------------------------------------------


@pytest.fixture(scope="module")
def table():
    """Verdicts on two variants that do at 25x25, 45 % just what the preprint says."""
    return verdicts.decide(pd.concat([runs(92, 100), runs(58, 100, "acs_no_bve")]))


def test_the_claims_of_the_preprint_on_runs_that_do_what_it_says(table):
    rows = table.set_index("id")
    for name in ("acs_p45", "no_bve_p45", "bve_p45"):
        assert rows.loc[f"arxiv_{name}", "verdict"] == REPRODUCED
    assert rows.loc["arxiv_ranking_p45", "verdict"] == UNDECIDED  # the others have not run
    assert rows.loc["journal_acs_p45", "verdict"] == UNDECIDABLE  # there it is 85 of 100
    acs = rows.loc["arxiv_acs_p45"]
    assert (acs["ours"], acs["n"], acs["limit"]) == ("92 % (92 of 100)", 100, "120 s")
    assert (acs["low"], acs["high"]) == pytest.approx((85.0, 95.9), abs=0.05)  # Wilson


def test_without_runs_only_facts_are_decided():
    table = verdicts.decide(NOTHING, LEDGER)
    assert list(table["id"]) == [claim.id for claim in LEDGER]
    is_fact = np.array([not claim.runs for claim in LEDGER])
    is_named = np.array([bool(claim.undecidable) for claim in LEDGER])
    assert {*table.loc[is_fact, "verdict"]} == {REPRODUCED, NOT_REPRODUCED}
    assert {*table.loc[is_named, "verdict"]} == {UNDECIDABLE}
    rest = table[~is_fact & ~is_named]
    assert {*rest["verdict"]} == {*rest["best"]} == {UNDECIDED}
    assert rest["reason"].str.fullmatch(r"no runs of \d+ of the kinds .*").all()


def test_claims_that_no_run_is_about_are_not_listed():
    assert verdicts.decide(NOTHING).empty
    of_one = verdicts.decide(on_puzzle(30, 30, "ga_as_printed", experiment="soto"))
    assert {"soto_2013_ga", "soto_2014_ga_hard_a"} <= {*of_one["id"]}
    assert "soto_2013_tries_hard_a" not in {*of_one["id"]}
    # A fact takes no runs, but comes with its paper.
    assert "arxiv_one_solution" in {*verdicts.decide(runs(5, 9))["id"]}
    table = verdicts.decide(NOTHING, [])
    assert list(table) == list(verdicts.COLUMNS) and table.empty
    sentence = f"{len(LEDGER)} claims of the papers need runs that this experiment does not have."
    assert page.others(table) == sentence


def test_a_claim_is_undecided_until_there_are_runs_of_all_that_it_is_about():
    where = {"fixed_fraction": [0.4, 0.45, 0.5], "variant": "acs"}
    claim = claim_of("hardest", expect={"fixed_fraction": 0.45}, **where)
    times = {0.4: 1, 0.45: 12, 0.5: 2}
    three = pd.concat([runs(100, 100, cpu_s=s, fixed_fraction=p) for p, s in times.items()])
    assert decided(claim, three)["verdict"] == REPRODUCED
    row = decided(claim, three[three["fixed_fraction"] < 0.5])
    assert (row["verdict"], row["best"]) == (UNDECIDED, UNDECIDED)
    assert row["reason"] == "no runs of 1 of the kinds that the claim is about"


def test_fewer_than_five_decide_nothing():
    row = decided(rate(0), runs(4, 4))
    assert (row["verdict"], row["reason"]) == (UNDECIDED, "fewer than 5 instances")
    assert decided(rate(0), runs(5, 5))["verdict"] == NOT_REPRODUCED
    row = decided("soto_2014_ga_hard_a", on_puzzle(0, 4, "ga_as_printed", experiment="soto"))
    assert row["reason"].endswith("fewer than 5 runs")


def test_what_has_no_verdict_for_want_of_runs_counts_in_no_correction():
    both = pd.concat([runs(56, 100, "a"), runs(50, 100, "b"), runs(56, 100, "c")])
    both = pd.concat([both, runs(92, 100)])
    claims = [
        claim_of("compare", "a", variant=["a", "b"]),
        claim_of("compare", "c", variant=["c", "b"], fixed_fraction=[0.45, 0.5]),
        rate(name="missing", fixed_fraction=[0.45, 0.5]),
        replace(rate(name="named"), undecidable="It is of one run."),
    ]
    table = verdicts.decide(both, claims).set_index("id")
    assert table["verdict"].tolist() == [REPRODUCED, UNDECIDED, UNDECIDED, UNDECIDABLE]
    assert table["p_holm"]["a"] == table["p"]["a"] == 0.03125
    assert table[["p", "p_against", "within"]].drop("a").isna().all(axis=None)
    assert table["ours"]["c"] == "56 % against 50 %"
    assert record.after_control(table) == (1, 1)
    assert record.by_margin(table)["reproduced"].tolist() == [1, 1, 1, 1]


# --- corrections ---------------------------------------------------------------------------------


def test_a_significant_p_of_a_difference_decides_only_after_correction():
    first, second, journal = (
        claim_of("compare", name, paper, order=5, variant=[name[0], "b"])
        for name, paper in (("a", "arxiv"), ("c", "arxiv"), ("a2", "journal"))
    )
    # Of nested successes six are the least that McNemar's test finds: p = 0.031.
    both = pd.concat([runs(56, 100, "a"), runs(50, 100, "b"), runs(50, 100, "c")])
    assert list(verdicts.decide(both, [first])["verdict"]) == [REPRODUCED]
    two = verdicts.decide(both, [first, second])
    assert REPRODUCED not in {*two["verdict"]}
    assert two["p"][0] == 0.03125 and two["p_holm"][0] == 0.0625
    # Another paper is another family, and agreement needs no correction.
    apart = verdicts.decide(both, [first, journal, rate(56, variant="a", order=5)])
    assert {*apart["verdict"]} == {REPRODUCED}
    assert np.isnan(apart["p_holm"][2])


# --- the papers' work ----------------------------------------------------------------------------


WORK = published.work("arxiv", "dlx", 5, 0.45).steps  # known within a factor of two


def dlx(n_solved, steps, n=100, limit_steps=4 * WORK, **row):
    """Runs of DLX at 25x25, 45 %: the failures did all of their steps."""
    table = runs(n_solved, n, "dlx", solver="dlx", limit_s=120.0, limit_steps=limit_steps, **row)
    solved = table["status"] == "solved"
    return table.assign(steps=np.where(solved, steps, limit_steps))


def test_claims_are_about_what_is_solved_within_the_papers_work():
    assert decided("arxiv_dlx_p45", dlx(53, WORK // 2))["ours"] == "53 % (53 of 100)"
    row = decided("journal_dlx_p45", dlx(53, WORK // 2))  # printed are 49 %, with the same limits
    assert (row["ours"], row["verdict"]) == ("53 % (53 of 100)", REPRODUCED)
    row = decided("arxiv_dlx_p45", dlx(53, 2 * WORK + 1))
    assert (row["ours"], row["verdict"]) == ("0 % (0 of 100)", NOT_REPRODUCED)


ENDS = "dlx-cpp at 0.5 times its work; dlx-cpp at 2 times its work"


@pytest.mark.parametrize(
    ("n_solved", "steps", "verdict"),
    [
        (53, WORK // 3, REPRODUCED),
        (53, 2 * WORK // 3, UNDECIDABLE),  # at half of the work none are solved
        (53, 3 * WORK // 2, UNDECIDABLE),  # at twice the work it is as printed
        (5, 3 * WORK // 2, NOT_REPRODUCED),
    ],
)
def test_what_is_shown_is_shown_over_the_range_of_the_work(n_solved, steps, verdict):
    row = decided("arxiv_dlx_p45", dlx(n_solved, steps))
    assert (row["verdict"], row["work"]) == (verdict, ENDS)
    alone = REPRODUCED if steps < WORK else NOT_REPRODUCED
    ends = ENDS.replace(";", ",")
    words = f"{alone} at our estimate of the paper's work, but not over its range ({ends})"
    assert row["reason"] == (words if verdict == UNDECIDABLE else "")


BOUNDS = (
    "dlx-cpp at 0.5 times its work; dlx-cpp at 2 times its work, open runs unsolved; "
    "dlx-cpp at 2 times its work, open runs solved"
)
TOO_EARLY = "the runs end before the upper end of the range of work"


@pytest.mark.parametrize(
    ("n_solved", "n", "verdict", "reason"),
    [
        (53, 100, UNDECIDED, TOO_EARLY),  # 47 are open at twice the work
        (100, 200, UNDECIDED, TOO_EARLY),
        (5, 10, UNDECIDED, TOO_EARLY),
        (530, 540, NOT_REPRODUCED, ""),  # few are open: both bounds show it, 53 % are printed
    ],
)
def test_runs_that_end_before_the_end_of_the_work_are_bounded(n_solved, n, verdict, reason):
    row = decided("arxiv_dlx_p45", dlx(n_solved, WORK // 3, n=n, limit_steps=WORK))
    assert (row["verdict"], row["work"], row["reason"]) == (verdict, BOUNDS, reason)


def test_a_batch_that_reaches_the_end_of_the_work_counts_there_as_a_whole():
    full = dlx(53, WORK // 3).assign(batch="full")
    short = dlx(53, WORK // 3, limit_steps=WORK).assign(batch="short")
    short["instance_id"] += "/1"
    row = decided("arxiv_dlx_p45", full, short)
    assert (row["verdict"], row["work"]) == (REPRODUCED, ENDS)
    assert row["ours"] == "53 % (106 of 200)"
    few = full.groupby("status").head(2)  # too few decide nothing
    assert decided("arxiv_dlx_p45", few, short)["work"] == BOUNDS


def test_multiples_of_the_work_are_written_without_exponents():
    assert [*map(two_digits, (0.01, 2 / 3, 1.5, 2.0, 100.0, 136.0))] == [
        "0.01", "0.67", "1.5", "2", "100", "140"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("limit_steps", "steps", "n_programs"),
    [(20_000, 20_000, 2), (-1, WORK, 1)],  # seconds limit the second: it has no range
)
def test_the_work_of_one_program_is_taken_at_its_ends_at_a_time(limit_steps, steps, n_programs):
    acs = runs(90, 100, limit_steps=limit_steps, steps=steps)
    samples = Samples(pd.concat([dlx(53, WORK), acs], ignore_index=True))
    about = {"order": 5, "fixed_fraction": 0.45, "variant": ["acs", "dlx"]}
    ends = list(samples.over_range(claim_of("compare", **about)))
    assert len(ends) == 2 * n_programs
    for end in ends:
        assert end.runs.loc[end.runs["work_multiple"] != 1, "program"].nunique() == 1
    # Steps that a claim asks for are about runs without a known work.
    limited = samples.over_range(claim_of("compare", steps=WORK, **about))
    several = zip(limited, ends, strict=True)
    assert all(with_steps.n_unfinished == end.n_unfinished for with_steps, end in several)
    # Instances are the same after any work.
    assert not list(samples.over_range(CLAIMS["arxiv_trivial_order5"]))


def test_runs_that_ended_before_the_papers_work_decide_nothing():
    early = dlx(53, WORK).assign(steps=WORK - 1)
    row = decided("arxiv_dlx_p45", early)
    assert row["verdict"] == UNDECIDED
    assert row["reason"] == "47 of 100 runs ended before the work that the claim is about"
    assert decided("arxiv_dlx_p45", dlx(53, 9, limit_steps=WORK - 1))["verdict"] == UNDECIDED
    # What propagation did is known anyway.
    for name in ("arxiv_value_sets_p45", "arxiv_trivial_order5"):
        assert Samples(early.assign(variant="acs")).sample(CLAIMS[name]).n_unfinished == 0


@pytest.mark.parametrize(
    ("steps", "limit", "n_early"), [(20_000, 20_000, 24), (150_000, 150_000, 0), (150_001, -1, 0)]
)
def test_without_a_limit_takes_the_steps_that_stand_for_none(steps, limit, n_early):
    short = {"experiment": "soto", "limit_steps": limit, "steps": steps}
    tables = [
        on_puzzle(1, 9, "ac3_tabu_cell", puzzle=puzzle, **short)
        for puzzle in ("mk_s12a", "mk_s12b", "mk_s12c")
    ]
    row = decided("soto_2014_ac3_tabu", *tables)
    assert row["verdict"] == (UNDECIDED if n_early else NOT_REPRODUCED)
    reason = f"{n_early} of 27 runs ended before the work that the claim is about"
    assert row["reason"] == (reason if n_early else "")


def test_runs_are_read_after_the_seconds_of_the_paper():
    table = runs(100, 100).assign(cpu_s=np.arange(100) / 10)  # of 12 seconds
    row = decided(rate(50, seconds=4.95), table)
    assert (row["ours"], row["verdict"]) == ("50 % (50 of 100)", REPRODUCED)
    unsolved = table.assign(status="timeout", limit_s=4.0)
    assert decided(rate(50, seconds=4.95), unsolved)["verdict"] == UNDECIDED


@pytest.mark.parametrize(
    ("limits", "solved_after", "n", "ours"),  # the experiment ends its runs after 1000 steps
    [
        ({"limit_steps": 1000}, 900, 0, "50 % (10 of 20)"),
        ({"limit_steps": 5000}, 1500, 0, "0 % (0 of 20)"),
        ({"limit_steps": 5000}, 900, 0, "50 % (10 of 20)"),
        ({"limit_steps": 20}, 10, 10, "50 % (10 of 20)"),
        ({"limit_steps": -1, "limit_s": 600.0}, 1500, 0, "0 % (0 of 20)"),
    ],
)
def test_an_overlay_does_not_move_the_steps_at_which_a_claim_is_read(limits, solved_after, n, ours):
    steps = limits["limit_steps"] if limits["limit_steps"] > 0 else 9000
    table = on_puzzle(10, 20, "ac3_tabu_1000_cell", experiment="soto", **limits)
    table = table.assign(steps=np.where(table["status"] == "solved", solved_after, steps))
    about = {"experiment": "soto", "instance_id": "mk_s12a", "variant": "ac3_tabu_1000_cell"}
    claim = claim_of("rate", paper="soto_2013", expect={"percent": 80, "of": 100}, **about)
    row = decided(claim, table)
    words = f"{n} of 20 runs ended before the work that the claim is about"
    assert (row["ours"], row["reason"] == words) == (ours, n > 0)
    assert row["verdict"] == (UNDECIDED if n or "10" in row["ours"] else NOT_REPRODUCED)
    # Without a limit in the paper longer runs count, too.
    endless = decided(replace(claim, limit="none"), table)
    assert endless["ours"] == "50 % (10 of 20)"


@pytest.mark.parametrize(
    ("limits", "solved_s", "n", "ours"),  # the experiment ends its runs after 2 s
    [
        ({"limit_s": 2.0}, 1.5, 0, "50 % (10 of 20)"),
        ({"limit_s": 60.0}, 5.0, 0, "0 % (0 of 20)"),
        ({"limit_s": 0.1}, 0.05, 10, "50 % (10 of 20)"),
        ({"limit_s": 2.0, "limit_steps": 10}, 0.01, 10, "50 % (10 of 20)"),
    ],
)
def test_an_overlay_does_not_move_the_seconds_at_which_a_claim_is_read(limits, solved_s, n, ours):
    at = {"experiment": "frontier", "variant": "cdcl", "fixed_fraction": 0.45}
    table = runs(10, 20, **at, **limits)
    unsolved_s = 0.01 if "limit_steps" in limits else limits["limit_s"]
    table["cpu_s"] = np.where(table["status"] == "solved", solved_s, unsolved_s)
    claim = claim_of("rate", paper="alldiff_ls", expect={"percent": 100}, order=5, **at)
    row = decided(claim, table)
    assert (row["ours"], row["verdict"]) == (ours, UNDECIDED if n else NOT_REPRODUCED)
    words = f"{n} of 20 runs ended before the work that the claim is about"
    assert row["reason"] == (words if n else "")


# --- readings ------------------------------------------------------------------------------------


@pytest.fixture
def readings(monkeypatch):
    """A function that enters other readings of the preprint, by name with their kind."""

    def enter(work=1.0, **kinds):
        entered = [
            ledger.Reading(name, "", kind, variants={"acs": name}, work=work)
            for name, kind in kinds.items()
        ]
        monkeypatch.setattr(ledger, "readings", lambda: {"arxiv": entered})

    return enter


@pytest.mark.parametrize(
    ("main", "kind", "other", "best", "by", "explained"),
    [
        (10, "paper", 92, REPRODUCED, "other", ""),
        (10, "ours", 92, NOT_REPRODUCED, "", "other"),
        (10, "printed", 92, NOT_REPRODUCED, "", "other"),
        (85, "paper", 92, REPRODUCED, "other", ""),  # in the main reading it is open
        (85, "ours", 92, UNDECIDED, "", "other"),
        (10, "paper", 85, UNDECIDED, "other", ""),
        (10, "paper", 20, NOT_REPRODUCED, "", ""),
        (92, "paper", 10, REPRODUCED, "", ""),
        (92, "printed", 92, REPRODUCED, "", ""),  # nothing is left to explain
    ],
)
def test_the_best_verdict_is_of_a_reading_of_the_paper(
    readings, main, kind, other, best, by, explained
):
    readings(other=kind)
    row = decided(rate(of=None), runs(main, 100), runs(other, 100, "other"))
    of_main = {10: NOT_REPRODUCED, 85: UNDECIDED, 92: REPRODUCED}[main]
    assert row["verdict"] == of_main
    assert (row["best"], row["best_reading"], row["explained_by"]) == (best, by, explained)
    assert re.fullmatch(rf"other: [a-z ]+ \({other} % \({other} of 100\)\)", row["readings"])


def test_p_is_multiplied_by_the_number_of_readings_of_the_paper(readings):
    """A reading counts if it has all of its runs, and could reproduce the claim."""
    shares = {"b": 87, "c": 10, "d": 10}
    tables = [runs(10, 100), *(runs(n, 100, name) for name, n in shares.items())]
    p = decided(rate(of=None, variant="b"), *tables)["p"]
    assert 0.05 / 3 < p < 0.05 / 2
    for kinds, best in (
        ({"b": "paper"}, REPRODUCED),
        ({"b": "paper", "c": "ours", "d": "printed"}, REPRODUCED),
        ({"b": "paper", "without_runs": "paper"}, REPRODUCED),
        ({"b": "paper", "c": "paper"}, UNDECIDED),
    ):
        readings(**kinds)
        assert decided(rate(of=None), *tables)["best"] == best


def test_a_reading_that_states_the_work_has_no_range_of_it(readings):
    acs, steps = {"limit_steps": 30_000}, published.work("arxiv", "acs", 5, 0.45).steps
    other = runs(92, 100, "other", **acs)
    other["steps"] = np.where(other["status"] == "solved", 1.9 * steps, 30_000).astype(int)
    main = runs(10, 100, **acs, steps=30_000)
    for work, best in ((2.0, REPRODUCED), (1.0, NOT_REPRODUCED)):
        readings(work, other="paper")
        row = decided(rate(of=None), main, other)
        assert (row["verdict"], row["best"]) == (NOT_REPRODUCED, best)


def of_soto(n_solved, variant):
    """Runs on a puzzle whose solved ones take 336 steps in the mean, as 88.55 s are."""
    table = on_puzzle(n_solved, 400, variant, experiment="soto", limit_steps=1000)
    steps = 200 + np.arange(400) * 272 // n_solved
    return table.assign(steps=np.where(table["status"] == "solved", steps, 1000))


@pytest.mark.parametrize(
    ("solved", "best", "reading", "explained"),
    [
        ({}, PARTLY, "", ""),
        ({"root (ours)": 343}, PARTLY, "", "root (ours)"),
        ({"construction": 343}, REPRODUCED, "construction", ""),
    ],
)
def test_other_readings_of_the_ledger(solved, best, reading, explained):
    """The time of AC3-tabu agrees, and in the main reading it solves too few.

    The claim is as printed, but of ten times as many tries: 35 are too few for two readings.
    """
    claim = CLAIMS["soto_2013_tries_hard_a"]
    claim = replace(claim, expect=claim.expect | {"of": 350})
    others = {reading.name: reading for reading in ledger.readings()["soto_2013"]}
    tables = [of_soto(n, *claim.under(others[name]).variants) for name, n in solved.items()]
    row = decided(claim, of_soto(73, *claim.variants), *tables)
    assert row["verdict"] == PARTLY
    assert (row["best"], row["best_reading"], row["explained_by"]) == (best, reading, explained)


# --- undecided, and undecidable -------------------------------------------------------------------


def test_what_is_undecided_says_how_many_would_decide_it():
    row = decided(rate(of=1000), runs(85, 100))
    assert row["verdict"] == UNDECIDED
    words = r"if our numbers stay as they are, some (\d+) instances would decide"
    n = int(re.fullmatch(words, row["reason"])[1])
    times = n // 100
    assert decided(rate(of=1000), runs(85 * times, n))["verdict"] == REPRODUCED
    fewer = (times - 1) * 100
    assert decided(rate(of=1000), runs(85 * (times - 1), fewer))["verdict"] == UNDECIDED


def test_more_runs_on_a_puzzle_are_planned_where_the_puzzles_are_counted():
    tables = [
        on_puzzle(8, 8, puzzle=f"p{number}").assign(steps=np.arange(8) * 9 + 99 * number)
        for number in range(5)
    ]
    spread = [
        table.assign(variant="b", steps=np.arange(8) * 20 + 99 * number + 1)
        for number, table in enumerate(tables)
    ]
    puzzles = [f"p{number}" for number in range(5)]
    claim = claim_of(
        "varies_more", expect={"by": "steps"}, variant=["b", "acs"], instance_id=puzzles
    )
    row = decided(claim, *(table.assign(steps=table["steps"] + 1) for table in tables), *spread)
    assert (row["verdict"], row["n"], row["unit"]) == (UNDECIDED, 5, "puzzles")
    assert re.fullmatch(r"if our numbers .*, \d+ times the runs would decide", row["reason"])


def test_undecidable_is_what_no_runs_of_ours_would_decide():
    printed_of_ten = rate(50, of=10)
    row = decided(printed_of_ten, runs(50, 100))
    words = "if our numbers stay as they are, more instances of ours would not decide"
    assert (row["verdict"], row["reason"]) == (UNDECIDABLE, words)
    assert decided(printed_of_ten, runs(0, 100))["verdict"] == NOT_REPRODUCED
    exact = {"variant": "dlx", "kind": "exact", "source": "archive"}
    claim = claim_of("compare", variant=["dlx", "bs"])
    same = [runs(50, 100, **exact), runs(50, 100, **exact | {"variant": "bs"})]
    row = decided(claim, *same)
    reason = "the solver draws no random numbers: more runs would be the same"
    assert (row["verdict"], row["reason"]) == (UNDECIDABLE, reason)
    named = replace(rate(), undecidable="It is of one run.")
    row = decided(named, runs(92, 100))
    assert (row["verdict"], row["best"], row["reason"]) == (
        UNDECIDABLE, UNDECIDABLE, "It is of one run."
    )  # fmt: skip


def test_what_agrees_may_differ_for_certain():
    archive = {"source": "archive", "limit_steps": -1}
    row = decided("journal_dlx_p45", runs(50, 100, variant="dlx", kind="exact", **archive))
    assert (row["verdict"], row["within"] < 0.1) == (REPRODUCED, True)
    assert row["reason"] == "the numbers agree within the margin, and still differ"
    row = decided(rate(of=None), runs(950, 1000))
    assert row["reason"] == "the numbers agree within the margin, and still differ significantly"


# --- what a row says -----------------------------------------------------------------------------


def test_a_claim_about_several_places_says_what_each_of_them_shows():
    printed = {0.35: 92, 0.4: 38}
    claim = claim_of(
        "rate", expect={"percent": printed, "of": 100}, variant="acs", fixed_fraction=[*printed]
    )
    dip = [runs(n, 100, fixed_fraction=p) for p, n in zip(printed, (92, 80), strict=True)]
    row = decided(claim, *dip)
    first = "at 25x25, 35 % fixed: reproduced (92 %, printed 92 %)"
    second = "at 25x25, 40 % fixed: not reproduced (80 %, printed 38 %)"
    assert (row["verdict"], row["parts"]) == (NOT_REPRODUCED, f"{first}; {second}")
    pool = rate(66, of=100, pooled=True, fixed_fraction=[*printed])
    row = decided(pool, *(runs(n, 100, fixed_fraction=p) for p, n in zip(printed, (75, 57))))
    assert (row["verdict"], row["ours"].split(" (")[0]) == (REPRODUCED, "66 %")
    assert row["parts"].count("undecided") == 2


@pytest.mark.parametrize(
    ("table", "decided_on"),
    [
        (runs(9, 9), RANDOM_INSTANCES),
        (runs(9, 9, source="archive"), AUTHORS_INSTANCES),
        (on_puzzle(9, 9, source="named"), PAPERS_PUZZLES),
        (on_puzzle(9, 9, source="file"), PAPERS_PUZZLES),  # soto/paper.yaml names it
        (on_puzzle(9, 9, puzzle="mine", source="file"), SUBSTITUTES),
    ],
)
def test_on_which_instances_a_claim_is_decided(table, decided_on):
    places = {"instance_id": [*table["instance_id"].unique()]}
    places = places if (table["family"] == "soto").all() else {}
    assert decided(rate(100, **places), table)["decided_on"] == decided_on


def test_a_count_of_a_few_puzzles_is_a_fact_if_they_are_the_papers_own():
    claim = claim_of("count", expect={"number": 2}, family=["soto"])
    own = [
        on_puzzle(1, 1, puzzle=name, trivial=True, source="file") for name in ("mk_s10a", "mk_s10b")
    ]
    row = decided(claim, *own)
    assert (row["verdict"], row["decided_on"]) == (REPRODUCED, PAPERS_PUZZLES)
    row = decided(claim, *(table.assign(instance_id=table["instance_id"] + "x") for table in own))
    assert (row["verdict"], row["decided_on"]) == (UNDECIDED, SUBSTITUTES)
    words = "fewer than 5 instances; the paper's own puzzles stand in puzzles of paper.yaml"
    assert row["reason"] == words


def test_a_verdict_does_not_depend_on_the_claims_before_it():
    of_three = {"family": ["soto"], "variant": "acs"}
    fact = claim_of("count", "a", expect={"number": 3}, **of_three)
    share = claim_of("rate", "b", expect={"above": 10, "by": "instances"}, **of_three)
    names = ("mk_s10a", "mk_s10b", "mk_s12a")
    solved = {"trivial": True, "steps": 0, "source": "file"}
    own = [on_puzzle(1, 1, puzzle=name, **solved) for name in names]
    for claims in ([fact, share], [share, fact]):
        rows = verdicts.decide(pd.concat(own, ignore_index=True), claims).set_index("id")
        assert rows["verdict"].to_dict() == {"a": REPRODUCED, "b": UNDECIDED}


def test_claims_on_substitutes_for_puzzles_are_counted_apart():
    table = pd.DataFrame(
        {
            "paper": ["lewis_hybrid", "lewis_hybrid", "arxiv"],
            "verdict": [REPRODUCED, UNDECIDED, PARTLY],
            "decided_on": [PAPERS_PUZZLES, SUBSTITUTES, RANDOM_INSTANCES],
        }
    )
    counts = verdicts.count(table)
    first, second, third, total = counts.index
    assert second == f"{first}, on puzzles of ours" and total == "Total"
    assert counts[REPRODUCED].tolist() == [1, 0, 0, 1]
    assert counts[UNDECIDED].tolist() == [0, 1, 0, 1]
    assert counts.loc[third, PARTLY] == 1
    assert counts["sum"].tolist() == [1, 1, 1, 3]


@pytest.mark.parametrize(
    ("solver", "speed", "is_calibrated"),
    [
        ("sa", {"program": "lewis_hybrid"}, True),
        ("sa", {"step_s": 0.1, "factor": 1.3}, True),
        ("acs", {"program": "arxiv"}, False),
    ],
)
def test_times_at_a_calibrated_speed_are_marked(solver, speed, is_calibrated):
    claim = claim_of("mean_time", expect={"seconds": 1.0, "of": 9} | speed, variant=solver)
    table = runs(9, 9, solver, solver=solver, order=4).assign(steps=100 + np.arange(9))
    assert decided(claim, table)["calibrated"] == is_calibrated
    assert not decided(rate(), runs(9, 9))["calibrated"]


def test_verdicts_are_written_and_read_back(table, tmp_path):
    tables.write(table, tmp_path / "claims.csv")
    pd.testing.assert_frame_equal(page.read(tmp_path / "claims.csv"), table)
    rows = record_pages.claims_table(record.of_record(table, table[:0])).splitlines()
    assert len(rows) == 2 + len(table) and {row.count(" | ") for row in rows} == {3}
    assert any(row.startswith(f"| {record_pages.badge(REPRODUCED)} |") for row in rows)
    reason = "No runs of 3 of the kinds that the claim is about."
    assert any(f"</details>{reason} |" in row for row in rows)
    assert any(" points<br>" in row for row in rows)

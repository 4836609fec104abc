"""The findings: verdicts and tables made by hand, and the sentences that they come to."""

import pandas as pd
import pytest
from runs_by_hand import runs_of

from antdoku import tables
from antdoku.claims import ledger
from antdoku.claims.evidence import NOT_REPRODUCED, PARTLY, REPRODUCED, UNDECIDED
from antdoku.papers.lloyd_amos import findings as lloyd_amos
from antdoku.report import findings

RANKING, BVE, HYBRID = "arxiv_ranking_p45", "arxiv_bve_p45", "lewis_hybrid_beats_sa"
ORDER, FRACTION = lloyd_amos.HARDEST


def claims(**of):
    """Verdicts by claim."""
    usual = {"n": 100, "unit": "instances", "ours": "92 % against 58 %", "published": "as printed"}
    usual |= {"paper": "arxiv", "claim": "ACS solves most.", "measure": "h", "effect": 0.1}
    return pd.DataFrame([{"id": name, "verdict": verdict} | usual for name, verdict in of.items()])


def rates(**of):
    """A table of Fig. 7 with these success rates at the hardest point, and others elsewhere."""
    rows = [
        {"label": name.upper(), "fixed_fraction": at, "success_rate": rate if at == FRACTION else 1}
        for name, rate in of.items()
        for at in (0.4, FRACTION)
    ]
    return {"lloyd_amos_fig7": pd.DataFrame(rows).assign(order=ORDER, arxiv_success_rate=0.5)}


def curves(n=100, **of):
    """Curves of success against work by variant: pairs of a work and of instances solved by it."""
    rows = [
        {"variant": name, "work": work, "solved": solved}
        for name, points in of.items()
        for work, solved in points
    ]
    about = {"experiment": "lloyd_amos", "order": ORDER, "fixed_fraction": FRACTION, "n": n}
    return {"beyond_work": pd.DataFrame(rows).assign(**about)}


def summary(n=100, **of):
    """A summary at the hardest point: PAR2 and solved of each variant; an easy one elsewhere."""
    rows = [
        {"variant": name, "par2_s": par2, "solved": solved, "fixed_fraction": FRACTION}
        for name, (par2, solved) in of.items()
    ]
    rows.append({"variant": "bs", "par2_s": 1e-6, "solved": n, "fixed_fraction": 0.0})
    return {"success": pd.DataFrame(rows).assign(experiment="lloyd_amos", order=ORDER, n=n)}


def only(found):
    (finding,) = found
    return finding


FIRST = "Of the systems of Lloyd & Amos, ACS solves most on the hardest instances (25 × 25, 45 % "


@pytest.mark.parametrize(
    ("verdict", "begins"),
    [
        (REPRODUCED, FIRST),
        (PARTLY, FIRST),
        (NOT_REPRODUCED, FIRST),
        (UNDECIDED, "Who solves most of the hardest instances (25 × 25, 45 % fixed) is undecided"),
    ],
)
def test_who_solves_most_is_read_from_the_table(verdict, begins):
    table = rates(dlx=0.53, acs=0.92, ils=0.14)
    finding = only(findings.build(claims(**{RANKING: verdict}), table))
    assert finding.text.startswith(begins)
    assert "ACS 92 %, DLX 53 %, ILS 14 % (published: 50, 50, 50 %)." in finding.text
    assert (finding.claim, finding.verdict) == (RANKING, verdict)
    assert ("is reproduced:" in finding.text) == (verdict == REPRODUCED)
    assert ("with 100 instances" in finding.text) == (verdict == UNDECIDED)


def test_solvers_that_solve_equally_many_share_the_first_place():
    verdicts = claims(**{RANKING: NOT_REPRODUCED})
    text = only(findings.build(verdicts, rates(ils=0.2, dlx=0.9, acs=0.9))).text
    assert "DLX and ACS solve most" in text and "Their ranking is not reproduced:" in text


@pytest.mark.parametrize("claim", [BVE, HYBRID])
def test_each_verdict_has_a_sentence_of_its_own(claim):
    possible = [REPRODUCED, NOT_REPRODUCED, UNDECIDED]
    found = [only(findings.build(claims(**{claim: verdict}), {})) for verdict in possible]
    assert [finding.verdict for finding in found] == possible
    assert len({finding.text for finding in found}) == len(possible)
    assert all("92 % against 58 %" in finding.text for finding in found)
    assert [("undecided" in finding.text) for finding in found] == [False, False, True]
    assert "helps" in found[0].text and "does not help" in found[1].text


def test_findings_without_runs_are_left_out():
    nothing = claims(**{RANKING: UNDECIDED, BVE: UNDECIDED, HYBRID: UNDECIDED}).assign(n=0)
    assert findings.build(nothing, rates(acs=0.9)) == []
    assert findings.build(claims(**{RANKING: REPRODUCED}), {}) == []
    empty = {name: tables.make(name, runs_of()) for name in findings.tables()}
    assert findings.build(claims(**{RANKING: REPRODUCED}), empty) == []
    assert findings.build(pd.DataFrame(), {}) == []


STOPPED, RISING = [(0.1, 60), (0.9, 90), (2, 92)], [(1, 14), (8, 30), (16, 39)]


@pytest.mark.parametrize(
    ("of", "n", "says"),
    [
        (
            {"acs": STOPPED, "ils": RISING},
            100,
            "hardly helps ACS any more, but it still helps ILS:",
        ),
        ({"acs": STOPPED, "acs_no_bve": STOPPED}, 100, "hardly helps any of the paper’s solvers"),
        ({"ils": RISING}, 100, "still helps all of the paper’s solvers"),
        ({"acs": STOPPED, "ils": RISING}, 5, "undecided with 5 instances"),
    ],
)
def test_who_stops_rising_is_seen_in_the_last_doubling_of_work(of, n, says):
    finding = only(findings.build(claims(), curves(n, **of)))
    assert says in finding.text
    assert ("2 (ACS" in finding.text) == ("acs" in of)
    assert ("9 (ILS" in finding.text) == ("ils" in of)
    assert ("(ACS, to 2 ×)" in finding.text) == ({"acs", "ils"} <= set(of))


def test_what_is_picked_and_rises_is_said_of_any_runs():
    text = only(findings.build(claims(), curves(dlx=[(3, 90), (3.5, 100)]))).text
    end = "the last doubling, to 3.5 × the paper’s work, solves 100 (DLX) more of 100 instances."
    assert text.endswith(end)
    assert findings.build(claims(), summary(acs=(9, 92), dlx=(20, 53))) == []
    assert {RANKING, BVE, HYBRID} <= {claim.id for claim in ledger.load()}


@pytest.mark.parametrize(
    ("of", "n", "says"),
    [
        (
            {"acs": (9, 92), "cdcl": (0.05, 100), "ils": (99, 14)},
            100,
            "CDCL (Glucose 4.2) is the best",
        ),
        ({"acs": (0.5, 100), "cpsat": (2, 99), "cdcl": (1, 98)}, 100, "ACS is still the best"),
        ({"acs": (9, 3), "cdcl": (0.05, 5)}, 5, "undecided with 5 instances"),
    ],
)
def test_the_best_choice_has_the_lowest_par2(of, n, says):
    text = only(findings.build(claims(), summary(n, **of))).text
    assert says in text
    if "still" in says:
        assert "the best of the others, has a PAR2 of 1 s and solves 98." in text
    else:
        assert f"the lowest PAR2, 50 ms, and solves {n} of {n}." in text
        assert f"best of the paper’s systems, has a PAR2 of 9 s and solves {of['acs'][1]}." in text


@pytest.mark.parametrize(
    ("low", "says"),
    [
        (3.0, " to the power of 4.2 (95 % interval: 3.0 to 5.5)."),
        (float("nan"), "0 of 20 (81 × 81, at several points)."),
    ],
)
def test_large_grids_are_those_of_the_first_solver(low, says):
    growth = pd.DataFrame(
        {
            "variant": ["tabu_col", "tabu_col", "sa"],
            **{"order": [6, 9, 6], "n": 20, "solved": [20, 0, 1]},
            "fixed_fraction": [0.5, float("nan"), 0.5],
            **{"exponent": 4.2, "exponent_low": low, "exponent_high": 5.5},
        }
    )
    finding = only(findings.build(claims(), {"frontier_growth": growth}))
    assert "TabuCol solves 20 of 20 (36 × 36, 50 % fixed) and 0 of 20 (81 × 81" in finding.text
    assert finding.text.endswith(says)
    assert finding.shown == "frontier_growth"
    assert not findings.build(claims(), {"frontier_growth": growth.iloc[:0]})


def test_grids_from_the_root_stand_beside_those_that_are_known():
    table = pd.DataFrame(
        {
            "order": [3, 3, 3, 4, 4, 4],
            "fixed_fraction": 0.45,
            "experiment": ["lloyd_amos", "generators", "generators_root"] * 2,
            "source": ["archive", "acs", "shuffle root"] * 2,
            "unavoidable_sets": [float("nan"), 10.6, 0, float("nan"), 27.8, 64],
        }
    )
    finding = only(findings.build(claims(), {"beyond_generators": table}))
    assert "0 and 64 unavoidable sets of four cells (9 × 9 and 16 × 16)" in finding.text
    assert finding.text.endswith("Other grids have 11 and 28 on average.")
    assert finding.shown == "beyond_generators"
    for known in (table.iloc[:0], table.query("source != 'shuffle root'"), table[2::3]):
        assert not findings.build(claims(), {"beyond_generators": known})


def test_failures_are_counted_and_the_worst_rate_is_named():
    verdicts = claims(one=NOT_REPRODUCED, other=NOT_REPRODUCED, third=REPRODUCED)
    verdicts["effect"] = [0.5, -0.9, 3.0]
    found = only(findings.failures(verdicts))
    assert found.text.startswith("2 claims are not reproduced.") and found.claim == "other"
    assert "Published: as printed; ours: 92 % against 58 %." in found.text
    assert findings.failures(verdicts[verdicts["verdict"] == REPRODUCED]) == []

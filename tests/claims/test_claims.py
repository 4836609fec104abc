"""The ledger of claims, and every named test with runs made by hand for each of its verdicts."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from runs_by_hand import runs_of

from antdoku import published
from antdoku.claims import ledger, page, verdicts
from antdoku.claims.evidence import NOT_REPRODUCED, PARTLY, REPRODUCED, UNDECIDED, VERDICTS, Sample
from antdoku.claims.tests import TESTS
from antdoku.errors import InputError
from antdoku.inference import ALPHA
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.puzzle import named
from antdoku.record import COLUMNS, family_name

LEDGER = ledger.load()
CONFIG = yaml.safe_load((Path(__file__).parents[2] / "config" / "config.yaml").read_text())
NOTHING = runs_of()
# Where the ledger's families of given puzzles stand for printed ones.
LEWIS_PUZZLES = {
    "17": "17-clue (Royle)",
    "gentle": "LA Times gentle",
    "tough": "LA Times tough",
    "diabolical": "LA Times diabolical",
    "order4_easy": "menneske easy",
    "order4_hard": "menneske hard",
    "order4_superhard": "menneske superhard",
    "order5_easy": "menneske easy",
    "order5_hard": "menneske hard",
}


def runs(n_solved, n, variant="acs", cpu_s=1.0, repetitions=1, order=5, fixed_fraction=0.45, **row):
    """Runs on n random instances; all those on the first n_solved are solved."""
    family = family_name(order, fixed_fraction)
    base = {"family": family, "order": order, "fixed_fraction": fixed_fraction, "variant": variant}
    return runs_of(
        *(
            {
                **base,
                "instance_id": f"{family}-{number:03d}",
                "repetition": repetition,
                "status": SOLVED if number < n_solved else TIMEOUT,
                "cpu_s": cpu_s + number / 1000 if number < n_solved else 12.0,
                **row,
            }
            for number in range(n)
            for repetition in range(repetitions)
        )
    )


def on_puzzle(n_solved, n, variant="acs", cpu_s=1.0, puzzle="mk_s12a", **row):
    """Runs on one puzzle."""
    table = runs(n_solved, n, variant, cpu_s, order=3, **row)
    return table.assign(instance_id=puzzle, family="soto", repetition=range(n))


def verdict(test, sample, **expect):
    """The verdict of a test, as if it were the only one of its paper."""
    found = TESTS[test].run(sample, **expect)
    return found.if_significant if found.p < ALPHA else found.if_not


def sample(*tables, variants=("acs",), same_puzzles=False):
    return Sample(pd.concat(tables, ignore_index=True), variants, same_puzzles)


# --- the ledger ----------------------------------------------------------------------------------


def test_the_ledger_is_large_and_about_all_papers():
    assert len(LEDGER) >= 45
    assert {claim.paper for claim in LEDGER} == set(published.SOURCES)
    assert {claim.test for claim in LEDGER} == set(TESTS), "a test without a claim"


@pytest.mark.parametrize("claim", LEDGER, ids=lambda claim: claim.id)
def test_claims_name_runs_of_the_default_experiments(claim):
    if not claim.runs:
        return
    experiment = CONFIG[claim.runs["experiment"]]
    assert set(claim.variants) <= set(experiment["variants"])
    where = claim.where
    assert set(where.get("family", [])) <= set(experiment["puzzles"])
    if set(where) & {"family", "instance_id"}:
        known = {row.name for row in named.table()}
        assert set(where.get("instance_id", [])) <= known
    else:
        assert set(where.get("order", [])) <= set(experiment["random"]["orders"])
        assert set(where.get("fixed_fraction", [])) <= set(experiment["random"]["fixed_fractions"])


def rates(paper):
    """Success rates that a paper prints: those of Soto et al. 2013 as counts."""
    if paper != "soto_2013":
        return published.values(paper, "success")
    solved = published.values(paper, "solved_of_30")
    tries = published.values(paper, "tries_for_30_solved")
    return pd.concat(
        [solved.assign(value=solved["value"] / 30), tries.assign(value=30 / tries["value"])]
    )


def printed(claim, variant):
    """Mean success rate in percent that the paper prints for what a claim is about."""
    where = claim.where
    table = rates(claim.paper)
    chosen = table[table["variant"] == variant]
    if "instance_id" in where:
        names = [published.SOTO_PUZZLES.get(name, name) for name in where["instance_id"]]
        chosen = chosen[chosen["instance"].isin(names)]
        assert len(chosen) == len(names)
    elif "family" in where:
        name = next(name for name in LEWIS_PUZZLES if claim.id.endswith(name))
        order = int(name[5]) if name.startswith("order") else 3
        chosen = chosen[(chosen["instance"] == LEWIS_PUZZLES[name]) & (chosen["order"] == order)]
        assert len(chosen) == 1
    else:
        chosen = chosen[chosen["order"].isin(where["order"])]
        chosen = chosen[chosen["fixed_fraction"].isin(where["fixed_fraction"])]
        assert len(chosen) == len(where["fixed_fraction"])
    return 100 * chosen["value"].mean()


RATES = [
    claim
    for claim in LEDGER
    if claim.test in ("success_rate", "success_difference") and "elsewhere" not in claim.id
]


@pytest.mark.parametrize("claim", RATES, ids=lambda claim: claim.id)
def test_success_rates_are_the_printed_ones(claim):
    percents = claim.expect.get("percents", [claim.expect.get("percent")])
    for variant, percent in zip(claim.variants, percents, strict=True):
        assert percent == pytest.approx(printed(claim, variant), abs=0.051)


@pytest.mark.parametrize(
    "claim", [each for each in LEDGER if "times" in each.expect], ids=lambda claim: claim.id
)
def test_times_are_the_printed_ones(claim):
    known = published.results().query("metric == 'mean_time'")
    known = known[known["source"] == published.SOURCES[claim.paper]]["value"].to_list()
    times = claim.expect["times"]
    assert {*times.values()} <= {*known} if isinstance(times, dict) else {*times} <= {*known}
    assert claim.biased


@pytest.mark.parametrize("claim", RATES, ids=lambda claim: claim.id)
def test_the_text_of_the_published_figure_has_the_numbers_of_the_test(claim):
    """Written as percents, as fractions, or as "a of b"; a mean of puzzles as the list of them."""
    numbers = [float(number) for number in re.findall(r"\d+\.?\d*", claim.published)]
    ratios = [100 * a / b for a in numbers for b in numbers if b]
    meant = [*numbers, *(100 * number for number in numbers), *ratios, np.mean(numbers[1:] or 0)]
    for percent in claim.expect.get("percents", [claim.expect.get("percent")]):
        assert min(abs(percent - number) for number in meant) < 0.06


CLAIM = """\
arxiv:
  - id: one
    place: here
    claim: it works
    published: 92 %
    runs: {experiment: lloyd_amos, order: 5, fixed_fraction: 0.45, variant: acs}
    test: {success_rate: {percent: 92, of: 100}}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("arxiv", "axiv", r"unknown paper 'axiv' \(did you mean arxiv\?\)"),
        ("place", "plaice", r"one: unknown key 'plaice' \(did you mean place\?\)"),
        ("    place: here\n", "", "one: the key place is missing"),
        ("success_rate", "succes_rate", r"one: unknown test 'succes_rate' \(did you mean success"),
        ("of: 100", "fo: 100", "one: test success_rate: got an unexpected keyword argument 'fo'"),
        ("percent: 92, ", "", "one: test success_rate: missing a required argument: 'percent'"),
        ("experiment: lloyd_amos, ", "", "one: runs: no experiment"),
        ("order: 5", "odrer: 5", r"one: runs: unknown column 'odrer' \(did you mean order\?\)"),
        ("variant: acs", "variant: [acs, bs]", "one: runs: 2 variants: test success_rate takes 1"),
        ("{success_rate: {percent: 92, of: 100}}", "92", "one: test: must be one named test"),
        ("  - id: one\n    place", "    place", "arxiv: must be a list of claims"),
        (CLAIM, "", "must hold papers, each with a list of claims"),
        (CLAIM, CLAIM + CLAIM[7:], "one: the id stands there twice"),
        ("published: 92 %", "published: 92", "one: published: 92: must be text"),
        ("{percent", "{{percent", "not a readable ledger: "),
    ],
)
def test_a_mistake_in_the_ledger_is_told_in_one_line(tmp_path, old, new, message):
    path = tmp_path / "ledger.yaml"
    path.write_text(CLAIM.replace(old, new))
    with pytest.raises(InputError, match=rf"^ledger\.yaml: {message}") as caught:
        ledger.load(path)
    assert "\n" not in str(caught.value)


def test_a_missing_ledger_is_told_in_one_line(tmp_path):
    with pytest.raises(InputError, match=r"^none\.yaml: not a readable ledger: "):
        ledger.load(tmp_path / "none.yaml")


# --- one variant ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("solved", "n", "expected"),
    [
        (92, 100, REPRODUCED),
        (97, 100, REPRODUCED),  # not significant against 92 of 100
        (985, 1000, PARTLY),  # significant, but h = 0.32
        (50, 100, NOT_REPRODUCED),
        (9, 10, UNDECIDED),
        (2, 10, NOT_REPRODUCED),  # so different that ten runs suffice
        (0, 0, UNDECIDED),
    ],
)
def test_success_rate(solved, n, expected):
    assert verdict("success_rate", sample(runs(solved, n)), percent=92, of=100) == expected


def test_success_rate_far_off_but_not_significant_is_partly():
    # h = 0.46 from 22 of 30; Fisher's p is 0.12.
    found = sample(on_puzzle(28, 30), same_puzzles=True)
    assert verdict("success_rate", found, percent=73.3, of=30) == PARTLY


def test_success_rate_without_the_number_of_the_papers_runs():
    assert verdict("success_rate", sample(runs(38, 100)), percent=38) == REPRODUCED
    assert verdict("success_rate", sample(runs(100, 100)), percent=38) == NOT_REPRODUCED


def test_runs_on_one_instance_of_a_sample_are_no_independent_runs():
    few = sample(runs(8, 20, repetitions=10))
    assert verdict("success_rate", few, percent=38) == UNDECIDED
    found = TESTS["success_rate"].run(few, percent=38)
    assert found.n == 200
    assert found.needed == pytest.approx(50 * 10, rel=0.1)  # 50 runs, each on another instance
    own = few._replace(same_puzzles=True)
    assert verdict("success_rate", own, percent=38) == REPRODUCED


@pytest.mark.parametrize(
    ("trivial", "n", "expected"),
    [
        (97, 100, REPRODUCED),
        (100, 100, REPRODUCED),
        (890, 1000, PARTLY),
        (50, 100, NOT_REPRODUCED),
        (20, 20, UNDECIDED),
        (0, 0, UNDECIDED),
    ],
)
def test_trivial_at_least(trivial, n, expected):
    table = runs(n, n)
    table["trivial"] = np.arange(n) < trivial
    assert verdict("trivial_at_least", sample(table), percent=95) == expected


def spread(times, n=100):
    """Runs at several fixed fractions that take about so long, unsolved where it says 12."""
    solved = {fraction: n if time < 12 else n // 2 for fraction, time in times.items()}
    return sample(
        *(runs(solved[p], n, cpu_s=time, fixed_fraction=p) for p, time in times.items()), NOTHING
    )


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({0.4: 1, 0.45: 12, 0.5: 2}, REPRODUCED),
        ({0.4: 1, 0.45: 2, 0.5: 12}, PARTLY),  # one step off
        ({0.35: 12, 0.45: 2, 0.5: 1}, NOT_REPRODUCED),
        ({0.35: 2.0001, 0.45: 2}, NOT_REPRODUCED),  # one as hard far away
        ({0.4: 2, 0.45: 2}, PARTLY),
        ({0.4: 2}, UNDECIDED),
        ({0.45: 2}, UNDECIDED),
        ({}, UNDECIDED),
    ],
)
def test_hardest_at(times, expected):
    assert verdict("hardest_at", spread(times), fixed_fraction=0.45, of=100) == expected


def test_hardest_at_with_few_instances_is_undecided():
    found = spread({0.4: 2, 0.45: 2}, n=50)
    assert verdict("hardest_at", found, fixed_fraction=0.45, of=100) == UNDECIDED


@pytest.mark.parametrize(
    ("ours", "expected"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], REPRODUCED),
        ([2, 1, 4, 3, 8, 5, 7, 6], PARTLY),  # rho = 0.79
        ([8, 7, 6, 5, 4, 3, 2, 1], NOT_REPRODUCED),
        ([5, 1, 8, 3, 6, 2, 7, 4], NOT_REPRODUCED),
        ([1, 3, 4, 2], UNDECIDED),
        ([1, 2], UNDECIDED),
        ([], UNDECIDED),
    ],
)
def test_rank_correlation(ours, expected):
    tables = [on_puzzle(3, 3, cpu_s=time, puzzle=f"p{n}") for n, time in enumerate(ours)]
    found = sample(NOTHING, *tables, same_puzzles=True)
    times = {f"p{n}": float(n) for n in range(8)}
    assert verdict("rank_correlation", found, times=times) == expected


# --- two variants and more -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "n", "expected"),
    [
        (92, 58, 100, REPRODUCED),
        (90, 60, 100, REPRODUCED),
        (100, 10, 100, PARTLY),  # the right direction, another size
        (60, 92, 100, NOT_REPRODUCED),
        (80, 79, 100, NOT_REPRODUCED),
        (5, 4, 10, UNDECIDED),
        (0, 0, 0, UNDECIDED),
    ],
)
def test_success_difference(first, second, n, expected):
    pairs = sample(runs(first, n), runs(second, n, "acs_no_bve"), variants=("acs", "acs_no_bve"))
    assert verdict("success_difference", pairs, percents=[92, 58], of=100) == expected


def test_success_difference_pairs_by_instance():
    # The second solves only what the first does: McNemar has 2 / 2^10 where Fisher has 0.16.
    tables = (runs(50, 100), runs(40, 100, "b"))
    found = sample(*tables, variants=("acs", "b"))
    paired = TESTS["success_difference"].run(found, percents=[50, 40])
    assert paired.p == pytest.approx(2 / 2**10)
    apart = TESTS["success_difference"].run(found._replace(same_puzzles=True), percents=[50, 40])
    assert apart.p > 0.1
    only_first = TESTS["success_difference"].run(found._replace(runs=tables[0]), percents=[50, 40])
    assert (only_first.n, only_first.if_not) == (0, UNDECIDED)


@pytest.mark.parametrize(
    ("tabu", "ga", "n", "expected"),
    [
        (30, 2, 30, REPRODUCED),
        (30, 20, 30, PARTLY),
        (2, 30, 30, NOT_REPRODUCED),
        (30, 30, 30, NOT_REPRODUCED),
        (3, 2, 3, UNDECIDED),
        (0, 0, 0, UNDECIDED),
    ],
)
def test_success_difference_on_one_puzzle(tabu, ga, n, expected):
    tables = (on_puzzle(tabu, n, "tabu"), on_puzzle(ga, n, "ga"))
    found = sample(*tables, variants=("tabu", "ga"), same_puzzles=True)
    assert verdict("success_difference", found, percents=[100, 6.67], of=30) == expected


@pytest.mark.parametrize("same_puzzles", [True, False])
@pytest.mark.parametrize(
    ("first", "second", "n", "expected"),
    [
        (1, 2, 40, REPRODUCED),
        (2, 1, 40, NOT_REPRODUCED),
        (1, 1, 40, NOT_REPRODUCED),
        (1, 1, 5, UNDECIDED),
        (1, 1, 0, UNDECIDED),
    ],
)
def test_faster(first, second, n, expected, same_puzzles):
    tables = (runs(n, n, "a", first), runs(n, n, "b", second))
    found = sample(*tables, variants=("a", "b"), same_puzzles=same_puzzles)
    assert verdict("faster", found, times=[1, 3]) == expected


@pytest.mark.parametrize("same_puzzles", [True, False])
def test_faster_counts_failures_and_does_not_drop_them(same_puzzles):
    # The mean of the solved runs speaks for b, which solves the easy half in no time.
    tables = (runs(40, 40, "a", 3.0), runs(4, 40, "b", 0.1))
    found = sample(*tables, variants=("a", "b"), same_puzzles=same_puzzles)
    assert verdict("faster", found, times=[1, 3]) == REPRODUCED


def test_faster_than_what_never_ends():
    found = sample(runs(40, 40, "a"), runs(0, 40, "b"), variants=("a", "b"), same_puzzles=True)
    assert verdict("faster", found, times=[1, 3]) == REPRODUCED
    never = sample(runs(0, 40, "a"), runs(0, 40, "b"), variants=("a", "b"), same_puzzles=True)
    assert verdict("faster", never, times=[1, 3]) == UNDECIDED


@pytest.mark.parametrize("by", ["success", "time"])
@pytest.mark.parametrize(
    ("solved", "n", "expected"),
    [
        ({"acs": 92, "dlx": 53, "ils": 14, "bs": 10}, 100, REPRODUCED),
        ({"acs": 92, "dlx": 14, "ils": 14, "bs": 10}, 100, PARTLY),
        ({"acs": 10, "dlx": 53, "ils": 80, "bs": 90}, 100, NOT_REPRODUCED),
        ({"acs": 4, "dlx": 3, "ils": 3, "bs": 3}, 5, UNDECIDED),
        ({"acs": 5, "dlx": 3, "ils": 1}, 5, UNDECIDED),
    ],
)
def test_ranking(solved, n, expected, by):
    tables = [runs(number, n, name) for name, number in solved.items()]
    found = sample(*tables, variants=("acs", "dlx", "ils", "bs"))
    order, gap = [["acs"], ["dlx"], ["ils", "bs"]], [92, 53] if by == "success" else None
    assert verdict("ranking", found, order=order, gap=gap, by=by) == expected


def cells(*solved, n=20):
    """Runs of cp_sa and sa at several places; of each pair, so many are solved."""
    tables = [
        runs(number, n, variant, fixed_fraction=place / 20)
        for place, pair in enumerate(solved)
        for variant, number in zip(("cp_sa", "sa"), pair, strict=True)
    ]
    return sample(NOTHING, *tables, variants=("cp_sa", "sa"))


@pytest.mark.parametrize("by", ["success", "time"])
@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (cells((20, 20), (20, 2), (20, 20)), REPRODUCED),
        (cells((20, 20), (20, 2), (20, 2), (2, 20)), PARTLY),
        (cells((20, 20), (20, 20)), PARTLY),  # nowhere worse, but nowhere better either
        (cells((20, 2), (2, 20)), NOT_REPRODUCED),
        (cells((3, 3), (3, 3), n=3), UNDECIDED),
        (cells(), UNDECIDED),
    ],
)
def test_never_worse(found, expected, by):
    assert verdict("never_worse", found, by=by, better_somewhere=True) == expected


def test_never_worse_without_a_gain():
    found = cells((20, 20), (20, 20))
    assert verdict("never_worse", found, by="time") == REPRODUCED
    slower = found.runs["cpu_s"] + 0.0005 * (found.runs["variant"] == "cp_sa")
    noise = found._replace(runs=found.runs.assign(cpu_s=slower))
    assert verdict("never_worse", noise, by="time") == REPRODUCED


# --- instances -----------------------------------------------------------------------------------


def with_trivial(numbers, n=100):
    tables = []
    for fraction, number in numbers.items():
        table = runs(n, n, fixed_fraction=fraction)
        tables.append(table.assign(trivial=np.arange(n) < number))
    return sample(NOTHING, *tables, *[table.assign(variant="bs") for table in tables])


@pytest.mark.parametrize(
    ("numbers", "n", "expected"),
    [
        ({0.45: 0, 0.5: 0, 0.55: 8, 0.6: 60}, 100, REPRODUCED),
        ({0.45: 0, 0.5: 1, 0.55: 8, 0.6: 60}, 100, REPRODUCED),  # one among hundreds is no surplus
        ({0.45: 0, 0.5: 20, 0.55: 50, 0.6: 60}, 100, PARTLY),
        ({0.45: 0, 0.5: 0, 0.55: 0, 0.6: 60}, 100, PARTLY),
        ({0.45: 20, 0.5: 30, 0.55: 50, 0.6: 60}, 100, NOT_REPRODUCED),
        ({0.45: 0, 0.5: 0, 0.55: 0, 0.6: 0}, 100, NOT_REPRODUCED),
        ({0.45: 0, 0.5: 0, 0.55: 2, 0.6: 3}, 5, UNDECIDED),
        ({0.45: 0, 0.6: 60}, 100, UNDECIDED),
        ({}, 100, UNDECIDED),
    ],
)
def test_no_trivial_below(numbers, n, expected):
    found = with_trivial(numbers, n)
    assert verdict("no_trivial_below", found, fixed_fraction=0.55, of=100) == expected


@pytest.mark.parametrize(
    ("mean", "sd", "n", "expected"),
    [
        (3.62, 0.1, 100, REPRODUCED),
        (3.64, 0, 100, REPRODUCED),
        (3.48, 0.1, 100, PARTLY),
        (2.9, 0.1, 100, NOT_REPRODUCED),
        (3.7, 1.0, 10, UNDECIDED),
        (3.6, 0.1, 1, UNDECIDED),
        (3.6, 0.1, 0, UNDECIDED),
    ],
)
def test_mean_value(mean, sd, n, expected):
    table = runs(n, n)
    table["mean_value_set_size"] = mean + sd * np.resize([-1, 1], n) * (n > 1)
    found = sample(table, table.assign(variant="bs"))
    expect = {"column": "mean_value_set_size", "value": 3.6, "decimals": 1}
    assert verdict("mean_value", found, **expect) == expected


@pytest.mark.parametrize(
    ("gain", "sd", "n", "expected"),
    [
        (0.001, 0.01, 50, REPRODUCED),
        (0.02, 0.01, 50, PARTLY),
        (0.1, 0.01, 50, NOT_REPRODUCED),
        (0.01, 0.05, 6, UNDECIDED),
        (0, 0, 0, UNDECIDED),
    ],
)
def test_no_gain(gain, sd, n, expected):
    table = runs(n, n)
    table["fixed_after_cp"] = 0.45 + gain + sd * np.resize([-1, 1], n)
    assert verdict("no_gain", sample(table)) == expected


def test_facts_about_the_named_puzzles_need_no_runs():
    nothing = Sample(NOTHING)
    solutions = TESTS["n_solutions"].run(nothing, puzzles="lloyd_amos_named", solutions=1)
    assert solutions.ours == "15 of 16; sabuncu3 has 27"
    assert verdict("n_solutions", nothing, puzzles="sabuncu1", solutions=1) == REPRODUCED
    assert verdict("n_solutions", nothing, puzzles="sabuncu3", solutions=1) == NOT_REPRODUCED
    clues = TESTS["n_clues"].run(nothing, puzzles="aiescargot", clues=23)
    assert clues.ours == "0 of 1; aiescargot has 24"
    assert verdict("n_clues", nothing, puzzles="aiescargot", clues=23) == NOT_REPRODUCED
    assert verdict("n_clues", nothing, puzzles="mk_s16", clues=23) == REPRODUCED


# --- verdicts ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    """Verdicts on two variants that do at 25x25, 45 % just what the preprint says."""
    return verdicts.decide(pd.concat([runs(92, 100), runs(58, 100, "acs_no_bve")]))


def test_without_runs_all_but_facts_are_undecided_and_say_what_they_need():
    table = verdicts.decide(NOTHING)
    assert list(table["id"]) == [claim.id for claim in LEDGER]
    facts = table["test"].isin(["n_solutions", "n_clues"])
    assert set(table.loc[~facts, "verdict"]) == {UNDECIDED}
    assert set(table.loc[facts, "verdict"]) == {NOT_REPRODUCED}
    unknown = table["needed"].isna() & ~table["test"].isin(["mean_value", "no_gain"])
    assert not unknown.any()


def test_verdicts_of_the_ledger_by_hand(table):
    found = table.set_index("id")
    for claim in ("arxiv_acs_p45", "arxiv_no_bve_p45", "arxiv_bve_p45", "journal_acs_p45"):
        assert found.loc[claim, "verdict"] == REPRODUCED
    assert found.loc["arxiv_ranking_p45", "verdict"] == UNDECIDED
    acs = found.loc["arxiv_acs_p45"]
    assert (acs["ours"], acs["n"], acs["limits"]) == ("92 % (92 of 100)", 100, "12 s; paper: 120 s")
    assert (acs["low"], acs["high"]) == pytest.approx((85.0, 95.9), abs=0.05)
    assert acs["par2_s"] == pytest.approx((92 * 1.0455 + 8 * 24) / 100)
    assert acs["mean_time_solved_s"] == pytest.approx(1.0455)


def test_p_values_are_corrected_within_a_paper(table):
    tested = table[(table["paper"] == "arxiv") & table["p"].notna()]
    assert len(tested) > 2
    smallest = tested.loc[tested["p"].idxmin()]
    assert smallest["p_holm"] == pytest.approx(min(1, len(tested) * smallest["p"]))


def test_a_significant_p_decides_only_after_correction():
    claim, other = (
        ledger.Claim(name, "arxiv", "", "", "", "success_rate", {"percent": 92, "of": 100},
                     {"experiment": "lloyd_amos", "order": 5, "variant": name})
        for name in ("a", "b")
    )  # fmt: skip
    both = pd.concat([runs(81, 100, "a"), runs(92, 100, "b")])  # p = 0.037 for a
    assert list(verdicts.decide(both, [claim])["verdict"]) == [PARTLY]
    assert list(verdicts.decide(both, [claim, other])["verdict"]) == [REPRODUCED, REPRODUCED]


def test_random_instances_are_not_mixed_with_puzzles_nor_experiments():
    claim = LEDGER[0]
    other = [
        runs(5, 10, family="unique_order5_p045"),
        runs(5, 10, experiment="lewis"),
        runs(5, 10, variant="bs"),
        runs(5, 10, fixed_fraction=0.5),
    ]
    chosen = verdicts.select(pd.concat([runs(3, 7), *other]), claim)
    assert len(chosen.runs) == 7
    assert not chosen.same_puzzles


def test_a_claim_is_undecided_until_there_are_runs_of_all_that_it_is_about():
    expect = {"fixed_fraction": 0.45, "of": 100}
    where = {"experiment": "lloyd_amos", "fixed_fraction": [0.4, 0.45, 0.5], "variant": "acs"}
    claim = ledger.Claim("a", "journal", "", "", "", "hardest_at", expect, where)
    three = spread({0.4: 1, 0.45: 12, 0.5: 2}).runs
    assert list(verdicts.decide(three, [claim])["verdict"]) == [REPRODUCED]
    two = verdicts.decide(three[three["fixed_fraction"] < 0.5], [claim]).iloc[0]
    assert two["verdict"] == UNDECIDED
    assert two["note"] == "Runs of 1 of the kinds that it is about are missing."


def test_verdicts_are_written_and_read_back(table, tmp_path):
    for name in ("claims.csv", "claims.md", "claims.txt"):
        page.write(table, tmp_path / name)
    pd.testing.assert_frame_equal(page.read(tmp_path / "claims.csv"), table)
    text = (tmp_path / "claims.md").read_text()
    assert text.count("\n## ") == len(published.SOURCES) + 1
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert {line.count(" | ") for line in rows} == {4, 11}
    assert "| **reproduced** |" in text
    assert "**undecided: needs 18 instances**" in text
    summary = (tmp_path / "claims.txt").read_text()
    counts = [int(number) for number in summary.split("\nall ")[1].split("\n")[0].split()]
    assert sum(counts) == len(LEDGER)
    assert "arxiv_one_solution: 1 each; ours: 15 of 16; sabuncu3 has 27" in summary


def test_no_claims_give_an_empty_table():
    table = verdicts.decide(NOTHING, [])
    assert list(table) == list(verdicts.COLUMNS)
    assert table.empty


def test_every_test_says_when_it_gives_which_verdict():
    for name, test in TESTS.items():
        rules = " ".join(test.run.__doc__.split())
        possible = VERDICTS if name not in ("n_solutions", "n_clues") else (REPRODUCED,)
        if name == "faster":
            possible = (REPRODUCED, NOT_REPRODUCED, UNDECIDED)
        assert all(f"{verdict}:" in rules for verdict in possible), name
    assert set(NOTHING) == set(COLUMNS)

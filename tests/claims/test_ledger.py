"""The ledger of claims against the printed numbers, and the messages for mistakes in it.

Every number of a claim is a published one. Every published number is tested by a claim, or is in
the list of what is not tested, with the reason.
"""

import re

import numpy as np
import pandas as pd
import pytest
import yaml
from conftest import ROOT

from antdoku import papers
from antdoku.claims import ledger, numbers, verdicts
from antdoku.claims.kinds import KINDS
from antdoku.claims.numbers import MEAN_TIME, SUCCESS, TRIVIAL, Number
from antdoku.errors import InputError
from antdoku.papers import published
from antdoku.papers.checks import claims as checks
from antdoku.papers.checks import experiments
from antdoku.papers.lewis.tables import COUNTERPARTS
from antdoku.report import record, record_pages

LEDGER = ledger.load()
PRINTED = set().union(*map(numbers.printed, LEDGER))
ROWS = published.results()
NUMBERS, UNTESTED = (published.rows(file) for file in (published.NUMBERS, published.UNTESTED))
LONGEST_QUOTATION = 15  # words
# Claims of what is said in words alone: that all is solved, or how many puzzles are special.
IN_WORDS = re.compile("elsewhere|sa_order3|arxiv_all_|one_solution|trivial_puzzles|cp_low")
# What the published table calls otherwise.
METRICS = {"solved_of_30": "success", "tries_for_30_solved": "success"}
METRICS["smallest_fixed_fraction_with_trivial_instances"] = TRIVIAL
SUFFIXES = ("_as_printed", "_hybrid", "_cell")
STAND_FOR = {"tabu_col": "sudoku_ls", "cdcl": "kissat", numbers.ANY: "cp"}
OURS = {theirs: ours for paper in papers.every().values() for ours, theirs in paper.puzzles.items()}
ROUNDING = 0.051  # of percents
STEP = 0.05  # between the fixed fractions of the papers


def test_each_kind_of_claims_has_some():
    assert {claim.test for claim in LEDGER} == set(KINDS)


def test_quotations_are_short():
    assert max(len(claim.words.split()) for claim in LEDGER) <= LONGEST_QUOTATION


# --- the published table -------------------------------------------------------------------------


def expected(row):
    """The value of a row, in the unit of claims."""
    if row.metric == "solved_of_30":
        return 100 * row.value / 30
    if row.metric == "tries_for_30_solved":
        return 100 * 30 / row.value
    if METRICS.get(row.metric) == TRIVIAL:
        return 0  # below that fraction
    as_percent = row.metric == "success" and row.unit == "fraction"
    return 100 * row.value if as_percent else row.value * (0.001 if row.unit == "ms" else 1)


def variant(number):
    name = number.variant
    if number.metric in (TRIVIAL, "fixed_after_cp", "mean_value_set_size"):
        return "cp"
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return STAND_FOR.get(name, name)


def is_at(number, row):
    """Whether a number is about the place of a row."""
    if row.instance != published.GENERAL:
        name = COUNTERPARTS.get((row.order, row.instance)) or OURS.get(row.instance, row.instance)
        return name in number.puzzles
    if number.puzzles or row.order not in number.orders:
        return False
    if number.metric == TRIVIAL:
        return max(number.fixed_fractions) == pytest.approx(row.fixed_fraction - STEP)
    return np.isclose(row.fixed_fraction, number.fixed_fractions).any()


def rows_of(number):
    """The published numbers at the place of a number, in its unit, by the index of their rows."""
    return {
        row.Index: expected(row)
        for row in BY_METRIC.get((number.edition, number.metric), ())
        if variant(number) == row.variant and is_at(number, row)
    }


KEYS = [ROWS["edition"], ROWS["metric"].replace(METRICS)]
BY_METRIC = {key: [*rows.itertuples()] for key, rows in ROWS.groupby(KEYS)}
TESTED = {
    index
    for number in PRINTED
    for index, value in rows_of(number).items()
    if number.value == pytest.approx(value, abs=ROUNDING if number.metric == SUCCESS else 1e-12)
}
LISTED = {index for index, row in enumerate(NUMBERS) if any(entry.names(row) for entry in UNTESTED)}


def test_every_published_number_is_tested_or_listed_and_none_is_both():
    missing = ROWS.drop([*TESTED, *LISTED], errors="ignore")
    assert missing.empty, missing.to_string()
    double = ROWS.loc[[*TESTED & LISTED]]
    assert double.empty, double.to_string()


def test_what_is_listed_says_where_what_and_why():
    assert {row.edition for row in UNTESTED} <= {*papers.editions()}
    for row in UNTESTED:
        assert any(map(row.names, NUMBERS)) == (row.item is not None), row.printed


def test_claims_that_a_reason_names_are_in_the_ledger():
    known = {claim.id for claim in LEDGER}
    words = {word.strip(".,;") for row in UNTESTED for word in row.reason.split()}
    named = {word for word in words if word.startswith(("arxiv_", "lewis_", "soto_"))}
    assert named and named <= known


def test_the_page_of_a_paper_ends_with_what_is_not_tested():
    table = verdicts.typed(pd.DataFrame(columns=[*verdicts.COLUMNS]), verdicts.COLUMNS)
    text = record.of_paper("lewis_hybrid", table)
    rows = record_pages.untested("lewis_hybrid")
    assert f"Printed, and not tested ({len(rows)})" in text
    assert text.index("our puzzles are built to have it") > text.index("not tested")
    assert record_pages.untested("journal").empty
    assert "not tested" not in record.of_paper("journal", table)


# --- the numbers of claims -----------------------------------------------------------------------


def whole(claim, variant, metric, value):
    """A number about all places of a claim together."""
    columns = [("order",), ("fixed_fraction",), ("instance_id", "family")]
    places = [
        tuple(value for name in names for value in claim.where.get(name, ())) for names in columns
    ]
    return Number(claim.paper, variant, metric, value, *places)


def numbers_of(claim):
    """All numbers that a claim names, those of a direction or an order as well."""
    expect, chosen = claim.expect, numbers.printed(claim)
    if claim.test == "compare":
        for name, metric in (("percents", SUCCESS), ("times", MEAN_TIME)):
            for variant, value in zip(claim.variants, expect.get(name, ())):
                chosen.add(whole(claim, variant, metric, value))
    elif claim.test == "puzzle_times":
        (variant,), metric = claim.variants, f"{expect.get('of', 'mean')}_time"
        for puzzle, time in expect["times"].items():
            chosen.add(Number(claim.paper, variant, metric, time, puzzles=(puzzle,)))
    return chosen


WITH_NUMBERS = [claim for claim in LEDGER if numbers_of(claim) and not IN_WORDS.search(claim.id)]


@pytest.mark.parametrize("claim", WITH_NUMBERS, ids=lambda claim: claim.id)
def test_numbers_of_a_claim_are_the_published_ones(claim):
    for number in numbers_of(claim):
        values = [*rows_of(number).values()]
        n_places = max(len(number.fixed_fractions), len(number.puzzles))
        assert len(values) == (1 if number.metric == TRIVIAL else n_places)
        tolerance = ROUNDING if number.metric == SUCCESS else 1e-12
        assert number.value == pytest.approx(np.mean(values), abs=tolerance), number


TIMED = [claim for claim in WITH_NUMBERS if {"seconds", "times"} & {*claim.expect}]


@pytest.mark.parametrize("claim", TIMED, ids=lambda claim: claim.id)
def test_a_mean_of_the_solved_runs_is_marked(claim):
    rates = [rows_of(number._replace(metric=SUCCESS)).values() for number in numbers_of(claim)]
    assert claim.biased == (min(min(values) for values in rates) < 100)


RUNS = {"arxiv": 100, "journal": 100}  # of a system at a place
MEAN_TIMES = [claim for claim in TIMED if claim.test == "mean_time"]


@pytest.mark.parametrize("claim", MEAN_TIMES, ids=lambda claim: claim.id)
def test_a_mean_time_is_of_the_solved_runs(claim):
    """Each of them counts, or of several runs on one puzzle only as many as they are worth."""
    of = claim.expect["of"]
    (percent,) = rows_of(whole(claim, *claim.variants, SUCCESS, 0)).values()
    n_runs = 10_000 if claim.id.endswith("_17") else RUNS.get(claim.paper, 100)
    if "percent" in claim.expect:
        assert claim.published.split(" tries")[0].endswith(f" of {of}")
    elif claim.paper in RUNS:
        assert of == round(n_runs * percent / 100)
    assert 0 < of <= round(n_runs * percent / 100)


@pytest.mark.parametrize("claim", WITH_NUMBERS, ids=lambda claim: claim.id)
def test_the_printed_figure_of_a_claim_has_its_numbers(claim):
    """As percents or fractions, as "a of b", in ms; a mean of puzzles as their list."""
    text = claim.published
    shown = [float(number) for number in re.findall(r"\d+\.?\d*", text)]
    ratios = [100 * a / b for a in shown for b in shown if b]
    shown += [*(100 * number for number in shown), *ratios, np.mean(shown[1:] or 0)]
    shown += [0.001 * number for number in shown]
    for number in numbers_of(claim):
        if number.metric != TRIVIAL and not isinstance(claim.expect.get("times"), dict):
            is_rounded = number.metric == SUCCESS or "percent" in claim.expect
            tolerance = ROUNDING + 0.01 if is_rounded else 1e-12
            assert min(abs(number.value - value) for value in shown) < tolerance, number
    assert claim.expect.get("spread", False) == text.startswith("± ")


# --- numbers -------------------------------------------------------------------------------------


def claim(test, runs, edition="arxiv"):
    ((name, expect),) = test.items()
    runs = {"experiment": "lloyd_amos"} | runs
    return ledger.Claim("one", edition, "here", "it works", "50 %", name, expect, runs)


ACS = {"order": 5, "fixed_fraction": [0.4, 0.45], "variant": "acs"}


def test_a_number_of_several_places_counts_at_each_unless_they_are_pooled():
    each = numbers.printed(claim({"rate": {"percent": 92}}, ACS))
    assert each == {
        Number("arxiv", "acs", "success", 92, (5,), (fraction,)) for fraction in (0.4, 0.45)
    }
    (pool,) = numbers.printed(claim({"rate": {"percent": 92, "pooled": True}}, ACS))
    assert pool.fixed_fractions == (0.4, 0.45)
    by_fraction = claim({"rate": {"percent": {0.4: 98, 0.45: 85}}}, ACS)
    assert {number.value for number in numbers.printed(by_fraction)} == {98, 85}
    (trivial,) = numbers.printed(claim({"rate": {"percent": 0, "by": "instances"}}, ACS))
    assert trivial.metric == TRIVIAL and trivial.fixed_fractions == (0.4, 0.45)


def test_puzzles_have_a_number_each_and_a_row_has_rate_and_time():
    runs = {"instance_id": ["a", "b"], "variant": "acs"}
    times = claim({"puzzle_times": {"times": {"a": 1.0, "b": 2.0}, "runs": 9, "factor": 2}}, runs)
    assert {(n.puzzles, n.value) for n in numbers.printed(times)} == {(("a",), 1.0), (("b",), 2.0)}
    row = {"percent": 50, "of": 9, "seconds": 3.0, "step_s": 1.0, "factor": 2}
    both = numbers.printed(claim({"mean_time": row}, {**runs, "instance_id": "a"}))
    assert {(n.metric, n.value) for n in both} == {("success", 50), ("mean_time", 3.0)}
    spread = {"mean_time": {"seconds": 7.5, "of": 4, "spread": True, "step_s": 1.0, "factor": 2}}
    (deviation,) = numbers.printed(claim(spread, {"family": "c", "variant": "acs"}))
    assert (deviation.metric, deviation.puzzles) == ("sd_time", ("c",))


def test_orders_and_directions_have_no_numbers_of_their_own():
    two = {**ACS, "variant": ["acs", "bs"]}
    compared = claim({"compare": {"percents": [92, 14]}}, two)
    assert not numbers.printed(compared)
    stated = {(number.variant, number.value) for number in numbers.stated(compared)}
    assert stated == {("acs", 92), ("bs", 14)}
    assert not numbers.printed(claim({"rate": {"above": 50}}, ACS))
    assert not numbers.printed(claim({"hardest": {"fixed_fraction": 0.45}}, ACS))


def test_a_mean_time_of_a_solved_run_is_one_number_however_many_claims_test_it():
    means = [claim for claim in LEDGER if claim.id == "arxiv_mean_time_acs_sabuncu6"]
    factor = [claim for claim in LEDGER if claim.id == "arxiv_times_one_machine"]
    (mean,) = numbers.printed(*means)
    assert mean in numbers.printed(*factor)


def test_the_manual_has_an_example_of_each_test(tmp_path):
    page = (ROOT / "docs" / "howto" / "claim.md").read_text("utf-8")
    (block,) = re.findall(r"^```yaml\n# each test, .*?\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    texts = {"place": "here", "claim": "it works", "published": "as stated"}
    entries = [
        entry | texts | {"id": str(number)} for number, entry in enumerate(yaml.safe_load(block))
    ]
    file = tmp_path / "claims.yaml"
    file.write_text(yaml.safe_dump({"arxiv": entries}))
    examples = ledger.load(file)
    assert {claim.test for claim in examples} == KINDS.keys()
    for claim in examples:
        checks.check_claim(claim, experiments.every()["lloyd_amos"], (file,))


# --- mistakes ------------------------------------------------------------------------------------


CLAIM = """\
arxiv:
  - id: one
    place: here
    claim: it works
    published: 92 %
    runs: {experiment: lloyd_amos, order: 5, fixed_fraction: 0.45, variant: acs}
    test: {rate: {percent: 92, of: 100}}
"""
ONE = "acs}\n    test: {rate: {percent: 92, of: 100}}"  # in place of it: two variants


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("arxiv", "axiv", r"1: axiv: unknown edition 'axiv' \(did you mean arxiv\?\)"),
        ("place", "plaice", r"3: arxiv.0.plaice: unknown key 'plaice' \(did you mean place\?\)"),
        ("    place: here\n", "", "2: arxiv.0: the key place is missing"),
        ("rate", "rtae", r"7: arxiv.0.test.rtae: unknown key 'rtae' \(did you mean rate"),
        ("of: 100", "fo: 100", r"7: arxiv.0.test.rate.fo: unknown key 'fo': known are percent, of"),
        ("percent: 92, ", "", "7: arxiv.0.test.rate: must have one of percent, above, below"),
        ("percent: 92", 'percent: "92"', "7: .*rate.percent: must be a number; it is '92'"),
        ("of: 100", "of: many", "7: .*rate.of: must be a whole number; it is 'many'"),
        ("of: 100", "of: 0", "7: .*rate.of: .* greater than or equal to 1; it is 0"),
        (
            "percent: 92",
            "percent: 920",
            "7: .*rate.percent: .* less than or equal to 100; it is 92",
        ),
        (
            "percent: 92",
            "percent: {0.45: 920}",
            "7: .*percent: .* less than or equal to 100; it is",
        ),
        ("of: 100", "by: sucess", "7: .*rate.by: must be 'success' or 'instances'; it is"),
        ("claim: it works", "claim:", "4: arxiv.0.claim: is empty"),
        (
            ONE,
            "[acs, bs]}\n    test: {compare: {percents: [920, 9]}}",
            "7: .*percents: .* equal to 100",
        ),
        (
            ONE,
            "[acs, bs]}\n    test: {compare: {percents: [9]}}",
            "7: .*percents: .* at least 2 items",
        ),
        (
            ONE,
            "[acs, bs]}\n    test: {compare: {gap: true}}",
            "7: .*compare: gap needs percents, or by",
        ),
        (
            ONE,
            "[acs, bs]}\n    test: {ranking: {order: [[acs], [bc]]}}",
            "7: .*ranking.order: unknown variant 'bc': known are acs, bs",
        ),
        (
            ONE,
            "[acs, bs]}\n    test: {compare: {program: arxvi}}",
            "7: .*compare.program: no work.csv has it: unknown edition 'arxvi' .did you mean arxiv",
        ),
        (
            "rate: {percent: 92, of: 100}",
            "mean_time: {of: 1, step_s: 1.0}",
            "7: .*mean_time.seconds: is missing",
        ),
        (
            "rate: {percent: 92, of: 100}",
            "mean_time: {of: 1, seconds: 2.0, step_s: 1.0}",
            "7: .*mean_time.step_s: needs factor, too",
        ),
        (
            "rate: {percent: 92, of: 100}",
            "mean_time: {of: 9, seconds: 2.0, program: arxiv, percent: 92, deviation: 1.0}",
            "7: .*mean_time.deviation: does not go with percent",
        ),
        (
            "rate: {percent: 92, of: 100}",
            "count: {number: 1, puzzles: soto, names: [easy1]}",
            "7: .*count.names: does not go with puzzles",
        ),
        (
            "percent: 92",
            "pooled: true, percent: {0.45: 92}",
            "7: .*rate.pooled: needs one percent for all fixed fractions",
        ),
        (
            "rate: {percent: 92, of: 100}",
            "hardest: {fixed_fraction: 0.45, by: steps}",
            "7: .*hardest.by: steps go with puzzles only",
        ),
        ("experiment: lloyd_amos, ", "", "6: arxiv.0.runs: there is no experiment"),
        (
            "order: 5",
            "odrer: 5",
            r"6: arxiv.0.runs.odrer: unknown key 'odrer' \(did you mean order",
        ),
        ("variant: acs", "variant: [acs, bs]", "6: .*runs: variants: 2, where rate takes 1$"),
        (
            "percent: 92",
            "percent: {0.4: 92}",
            "7: .*percent: needs the same fixed fractions in runs",
        ),
        ("{rate: {percent: 92, of: 100}}", "92", "7: arxiv.0.test: must have keys: known are comp"),
        ("100}}", "100}, count: {}}", "7: arxiv.0.test: must be one test"),
        (
            "0.45",
            "0.45x",
            "6: .*runs.fixed_fraction.0: must be a number; it is '0.45x'",
        ),
        ("  - id: one\n    place", "    place", "1: arxiv: must be a list of claims"),
        (CLAIM, CLAIM + CLAIM[7:], "8: arxiv.1.id: .* has a claim one; choose another id"),
        ("place: here", "place: here\n    place: here", "4: not YAML: the key place occurs twice"),
        (
            "published: 92 %",
            "published: 92",
            "5: arxiv.0.published: must be a text: put it in quotes; it is 92",
        ),
        ("    place", "    steps: 1e3\n    place", "3: arxiv.0.steps: must be a whole number"),
        ("{percent", "{{percent", "8: not YAML: .*; check indentation, brackets, and quotes"),
    ],
)
def test_a_mistake_in_the_ledger_is_told_in_one_line_with_its_line(tmp_path, old, new, message):
    path = tmp_path / "ledger.yaml"
    path.write_text(CLAIM.replace(old, new))
    with pytest.raises(InputError, match=rf"^{path}:{message}") as caught:
        ledger.load(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=r"none\.yaml: cannot be read: No such file"):
        ledger.load(tmp_path / "none.yaml")

"""The ledger of claims: it has the printed numbers, and a mistake is one line."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from antdoku import papers
from antdoku.claims import ledger
from antdoku.claims.kinds import KINDS
from antdoku.errors import InputError
from antdoku.papers import published

LEDGER = ledger.load()
LONGEST_QUOTATION = 15  # words
# Ours, which stand for theirs.
STAND_FOR = {"alldiff_ls": {"tabu_col": "sudoku_ls", "cdcl": "kissat"}}
# Where the ledger's families of given puzzles stand for printed ones.
LEWIS_PUZZLES = {
    "17": "17-clue (Royle)",
    **{level: f"LA Times {level}" for level in ("gentle", "tough", "diabolical")},
    **{f"order4_{level}": f"menneske {level}" for level in ("easy", "hard", "superhard")},
    **{f"order5_{level}": f"menneske {level}" for level in ("easy", "hard")},
}


def test_each_kind_of_claims_has_some():
    assert {claim.test for claim in LEDGER} == set(KINDS)


def test_quotations_are_short():
    assert max(len(claim.words.split()) for claim in LEDGER) <= LONGEST_QUOTATION


def rates(paper):
    """Success rates that a paper prints: those of Soto et al. 2013 as counts."""
    if paper != "soto_2013":
        return published.values(paper, "success")
    solved = published.values(paper, "solved_of_30").eval("value = value / 30")
    tries = published.values(paper, "tries_for_30_solved").eval("value = 30 / value")
    return pd.concat([solved, tries])


def printed(claim, variant, table=None):
    """Mean rate in percent that the paper prints for a claim; of another table, 100 times that."""
    where = claim.where
    table = rates(claim.paper) if table is None else table
    name = variant.removesuffix("_as_printed").removesuffix("_hybrid").removesuffix("_cell")
    name = STAND_FOR.get(claim.paper, {}).get(name, name)
    chosen = table[table["variant"] == name]
    if "instance_id" in where:
        names = [papers.get("soto").puzzles.get(name, name) for name in where["instance_id"]]
        chosen = chosen[chosen["instance"].isin(names)]
        assert len(chosen) == len(names)
    elif "family" in where:
        name = next(name for name in LEWIS_PUZZLES if claim.id.endswith(f"_{name}"))
        order = int(name[5]) if name.startswith("order") else 3
        chosen = chosen[(chosen["instance"] == LEWIS_PUZZLES[name]) & (chosen["order"] == order)]
        assert len(chosen) == 1
    else:
        chosen = chosen[chosen["order"].isin(where["order"])]
        chosen = chosen[chosen["fixed_fraction"].isin(where["fixed_fraction"])]
        assert len(chosen) == len(where["fixed_fraction"])
    return 100 * chosen["value"].mean()


WITHOUT_NUMBERS = ("elsewhere", "sa_order3", "arxiv_all_")  # it is said that all is solved
RATES = [
    claim
    for claim in LEDGER
    if {"percent", "percents"} & set(claim.expect)
    and claim.test in ("rate", "mean_time", "compare")
    and not claim.is_of_instances
    and not any(part in claim.id for part in WITHOUT_NUMBERS)
]


@pytest.mark.parametrize("claim", RATES, ids=lambda claim: claim.id)
def test_rates_are_the_printed_ones(claim):
    percents = claim.expect.get("percents", [claim.expect.get("percent")])
    if isinstance(percents[0], dict):  # by fixed fraction
        assert claim.published == "about " + ", ".join(map(str, percents[0].values())) + " %"
        assert [*percents[0]] == claim.where["fixed_fraction"]
        percents = [np.mean([*percents[0].values()])]
        assert percents == pytest.approx([printed(claim, *claim.variants)])
        return
    for variant, percent in zip(claim.variants, percents, strict=True):
        assert percent == pytest.approx(printed(claim, variant), abs=0.051)
    # The text has them as percents, as fractions, or as "a of b"; a mean of puzzles as their list.
    numbers = [float(number) for number in re.findall(r"\d+\.?\d*", claim.published)]
    ratios = [100 * a / b for a in numbers for b in numbers if b]
    meant = [*numbers, *(100 * number for number in numbers), *ratios, np.mean(numbers[1:] or 0)]
    assert all(min(abs(percent - number) for number in meant) < 0.06 for percent in percents)


TRIVIAL = [claim for claim in LEDGER if claim.is_of_instances and "percent" in claim.expect]


@pytest.mark.parametrize("claim", TRIVIAL, ids=lambda claim: claim.id)
def test_no_instance_is_trivial_below_the_printed_fraction(claim):
    first = published.values(claim.paper, "smallest_fixed_fraction_with_trivial_instances")
    (fraction,) = first[first["order"].isin(claim.where["order"])]["value"]
    assert claim.published == f"none below {100 * fraction:g} %"
    below = np.arange(0, fraction - 1e-9, 0.05)
    assert claim.where["fixed_fraction"] == pytest.approx(below) and claim.expect["percent"] == 0


def test_of_each_printed_fraction_there_is_a_claim_that_no_instance_below_is_trivial():
    assert len(TRIVIAL) == 3


def times_of(claim):
    """Printed times of a claim by the name of a puzzle, or of a variant on its one puzzle."""
    times = claim.expect["times"]
    return times if isinstance(times, dict) else dict(zip(claim.variants, times, strict=True))


def at(claim, name):
    """The claim at one puzzle, and the variant there."""
    if isinstance(claim.expect["times"], dict):
        return replace(claim, runs=claim.runs | {"instance_id": name}), claim.variants[0]
    return claim, name


@pytest.mark.parametrize(
    "claim", [claim for claim in LEDGER if "times" in claim.expect], ids=lambda claim: claim.id
)
def test_times_are_the_printed_ones(claim):
    measure = (
        claim.expect["of"] if claim.test == "puzzle_times" and "of" in claim.expect else "mean"
    )
    table, rates_of_all = published.values(claim.paper, f"{measure}_time"), []
    for name, time in times_of(claim).items():
        place = at(claim, name)
        assert 100 * time == pytest.approx(printed(*place, table))
        rates_of_all.append(printed(*place))
    assert claim.biased == (min(rates_of_all) < 100)


MEAN_TIMES = [claim for claim in LEDGER if claim.test == "mean_time"]
ROWS = [claim for claim in MEAN_TIMES if "percent" in claim.expect]
MEAN_TIMES = [claim for claim in MEAN_TIMES if claim not in ROWS]
RUNS = {"arxiv": 100, "journal": 100, "lewis_hybrid": 100}  # of a system at a place
RUNS_17 = 10_000


@pytest.mark.parametrize("claim", MEAN_TIMES, ids=lambda claim: claim.id)
def test_mean_times_are_those_of_their_rows(claim):
    is_spread = claim.expect.get("spread", False)
    table = published.values(claim.paper, "sd_time" if is_spread else "mean_time")
    seconds, percent = claim.expect["seconds"], printed(claim, *claim.variants)
    assert 100 * seconds == pytest.approx(printed(claim, *claim.variants, table))
    number, unit = claim.published.removeprefix("± ").split()
    assert is_spread == claim.published.startswith("± ")
    assert float(number) * {"s": 1, "ms": 0.001}[unit] == pytest.approx(seconds)
    assert f" {number} {unit} " in f"{claim.claim.removesuffix('.')} "
    # Each solved run counts, or only so many as runs on one puzzle are worth.
    n_runs = RUNS_17 if claim.id.endswith("_17") else RUNS[claim.paper]
    solved = n_runs * percent / 100
    assert claim.expect["of"] == round(solved) or claim.paper == "lewis_hybrid"
    assert 0 < claim.expect["of"] <= round(solved)
    assert claim.biased == (percent < 100)


@pytest.mark.parametrize("claim", ROWS, ids=lambda claim: claim.id)
def test_a_row_has_its_rate_and_its_mean_time(claim):
    times = published.values(claim.paper, "mean_time")
    tries, seconds = claim.published.removesuffix(" s").split(" tries, ")
    assert 100 * claim.expect["seconds"] == pytest.approx(printed(claim, *claim.variants, times))
    assert float(seconds) == pytest.approx(claim.expect["seconds"], abs=0.051)
    assert int(tries.split(" of ")[1]) == claim.expect["of"]
    assert claim.biased == (claim.expect["percent"] < 100)


CLAIM = """\
arxiv:
  - id: one
    place: here
    claim: it works
    published: 92 %
    runs: {experiment: lloyd_amos, order: 5, fixed_fraction: 0.45, variant: acs}
    test: {rate: {percent: 92, of: 100}}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("arxiv", "axiv", r"unknown edition 'axiv' \(did you mean arxiv\?\)"),
        ("place", "plaice", r"one: unknown key 'plaice' \(did you mean place\?\)"),
        ("    place: here\n", "", "one: place: Field required"),
        ("rate", "rtae", r"one: unknown test 'rtae' \(did you mean rate"),
        ("of: 100", "fo: 100", "one: test rate: got an unexpected keyword argument 'fo'"),
        ("percent: 92, ", "", "one: test rate: must have one of percent, above, below"),
        ("experiment: lloyd_amos, ", "", "one: runs: no experiment"),
        ("order: 5", "odrer: 5", "one: runs: odrer: Input should be 'experiment', 'order', "),
        ("variant: acs", "variant: [acs, bs]", "one: runs: 2 variants: test rate takes 1"),
        ("percent: 92", "percent: {0.4: 92}", "one: test: percent: must have the fixed fractions"),
        ("{rate: {percent: 92, of: 100}}", "92", "one: test: must be one named test"),
        ("0.45", "0.45x", "one: could not convert string to float: '0.45x'"),
        ("  - id: one\n    place", "    place", "arxiv: Input should be a valid list"),
        (CLAIM, CLAIM + CLAIM[7:], "one: the id stands there twice"),
        ("published: 92 %", "published: 92", "one: published: Input should be a valid string"),
        ("    place", "    steps: 1e3\n    place", "one: steps: Input should be a valid integer"),
        ("{percent", "{{percent", "not readable: "),
    ],
)
def test_a_mistake_in_the_ledger_is_told_in_one_line(tmp_path, old, new, message):
    path = tmp_path / "ledger.yaml"
    path.write_text(CLAIM.replace(old, new))
    with pytest.raises(InputError, match=rf"^{path}: {message}") as caught:
        ledger.load(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=r"none\.yaml: not readable: .*No such file"):
        ledger.load(tmp_path / "none.yaml")

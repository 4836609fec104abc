"""The ledger of claims: it has the printed numbers, and a mistake is one line."""

import re

import numpy as np
import pandas as pd
import pytest

from antdoku import papers
from antdoku.claims import ledger
from antdoku.claims.kinds import KINDS
from antdoku.errors import InputError
from antdoku.papers import published

LEDGER = ledger.load()
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
    name = variant.removesuffix("_as_printed").removesuffix("_hybrid")
    name = STAND_FOR.get(claim.paper, {}).get(name, name)
    chosen = table[table["variant"] == name]
    if "instance_id" in where:
        names = [papers.get("soto").puzzles.get(name, name) for name in where["instance_id"]]
        chosen = chosen[chosen["instance"].isin(names)]
        assert len(chosen) == len(names)
    elif "family" in where:
        label = claim.id.removesuffix("_size")
        name = next(name for name in LEWIS_PUZZLES if label.endswith(f"_{name}"))
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
    and claim.test in ("rate", "compare", "gap")
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


@pytest.mark.parametrize(
    "claim", [each for each in LEDGER if "times" in each.expect], ids=lambda claim: claim.id
)
def test_times_are_the_printed_ones(claim):
    metric = f"{claim.expect.get('of', 'mean')}_time"
    known = published.results().query(f"metric == '{metric}'")
    known = known[known["edition"] == claim.paper]["value"]
    times = claim.expect["times"]
    assert {*(times.values() if isinstance(times, dict) else times)} <= {*known}
    assert claim.biased


@pytest.mark.parametrize(
    "claim", [each for each in LEDGER if each.test == "mean_time"], ids=lambda claim: claim.id
)
def test_mean_times_are_those_of_their_rows(claim):
    times = published.values(claim.paper, "mean_time")
    assert 100 * claim.expect["seconds"] == pytest.approx(printed(claim, *claim.variants, times))
    assert float(claim.published.removesuffix(" s")) == claim.expect["seconds"]
    assert claim.biased


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

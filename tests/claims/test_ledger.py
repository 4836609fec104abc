"""The ledger of claims: it fits the experiments and the printed numbers, and mistakes are told."""

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import read_yaml

from antdoku import config, papers, published, statistics
from antdoku.claims import ledger
from antdoku.claims.kinds import KINDS, MEAN_MARGIN
from antdoku.errors import InputError
from antdoku.puzzle import named
from antdoku.statistics import MARGIN, Rate

LEDGER = ledger.load()
CONFIG_FOLDER = Path(__file__).parents[2] / "config"
CONFIG = config.laid_over_papers(read_yaml(CONFIG_FOLDER / "config.yaml"))
# Ours, which stand for theirs.
STAND_FOR = {"alldiff_ls": {"tabu_col": "sudoku_ls", "cdcl": "kissat"}}
# Where the ledger's families of given puzzles stand for printed ones.
LEWIS_PUZZLES = {
    "17": "17-clue (Royle)",
    **{level: f"LA Times {level}" for level in ("gentle", "tough", "diabolical")},
    **{f"order4_{level}": f"menneske {level}" for level in ("easy", "hard", "superhard")},
    **{f"order5_{level}": f"menneske {level}" for level in ("easy", "hard")},
}


def test_the_ledger_is_large_and_about_all_papers():
    assert len(LEDGER) >= 45
    assert {claim.paper for claim in LEDGER} <= papers.editions().keys()
    assert {claim.test for claim in LEDGER} == set(KINDS), "a test without a claim"


@pytest.mark.parametrize("claim", LEDGER, ids=lambda claim: claim.id)
def test_claims_name_runs_of_the_default_experiments(claim):
    if not claim.runs:
        return
    experiment = CONFIG[claim.runs["experiment"]]
    assert set(claim.variants) <= set(experiment["variants"])
    where = claim.where
    assert set(where.get("family", [])) <= set(experiment.get("puzzles", {}))
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


def printed(claim, variant, table=None):
    """Mean success rate in percent that the paper prints for what a claim is about.

    Or of another table, a hundred times its value.
    """
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


WITHOUT_NUMBERS = (
    "elsewhere",
    "sa_order3",
    "arxiv_all_",
)  # figures and texts say that all is solved
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
    for variant, percent in zip(claim.variants, percents, strict=True):
        assert percent == pytest.approx(printed(claim, variant), abs=0.051)


@pytest.mark.parametrize(
    "claim", [each for each in LEDGER if "times" in each.expect], ids=lambda claim: claim.id
)
def test_times_are_the_printed_ones(claim):
    metric = f"{claim.expect.get('of', 'mean')}_time"
    printed = published.results()
    is_known = printed["edition"] == claim.paper
    known = printed[is_known & (printed["metric"] == metric)]["value"].to_list()
    times = claim.expect["times"]
    assert {*times.values()} <= {*known} if isinstance(times, dict) else {*times} <= {*known}
    assert claim.biased


@pytest.mark.parametrize(
    "claim", [each for each in LEDGER if each.test == "mean_time"], ids=lambda claim: claim.id
)
def test_mean_times_are_those_of_their_rows(claim):
    times = published.values(claim.paper, "mean_time")
    assert 100 * claim.expect["seconds"] == pytest.approx(printed(claim, *claim.variants, times))
    assert float(claim.published.removesuffix(" s")) == claim.expect["seconds"]
    assert claim.biased


@pytest.mark.parametrize("claim", RATES, ids=lambda claim: claim.id)
def test_the_text_of_the_published_figure_has_the_numbers_of_the_test(claim):
    """Written as percents, as fractions, or as "a of b"; a mean of puzzles as the list of them."""
    numbers = [float(number) for number in re.findall(r"\d+\.?\d*", claim.published)]
    ratios = [100 * a / b for a in numbers for b in numbers if b]
    meant = [*numbers, *(100 * number for number in numbers), *ratios, np.mean(numbers[1:] or 0)]
    for percent in claim.expect.get("percents", [claim.expect.get("percent")]):
        assert min(abs(percent - number) for number in meant) < 0.06


# --- no contradictions ---------------------------------------------------------------------------


def statements(claim):
    """What a claim says of runs: (kind, runs and limits, value); opposite values contradict."""
    where = {name: tuple(values) for name, values in claim.where.items() if name != "variant"}
    runs = (claim.runs.get("experiment"), *sorted(where.items()))
    expect, variants, by = claim.expect, claim.variants, claim.expect.get("by", "success")
    if claim.test == "ranking":
        groups = zip(expect["order"], expect["order"][1:], strict=False)
        links = [(a, b) for better, worse in groups for a in better for b in worse]
        yield from (((by, runs, *sorted(link)), link) for link in links)
    elif claim.test in ("compare", "no_worse") and len(variants) == 2:
        yield (by, runs, *sorted(variants)), variants
    elif claim.test == "gap" and by == "time":
        yield (by, runs, *sorted(variants)), "alike"
    elif claim.test in ("rate", "mean"):
        # The papers of one experiment differ in limits, but for those of Lloyd & Amos.
        limits = claim.limit if claim.runs["experiment"] != "lloyd_amos" else ""
        yield (claim.test, runs, variants, limits), expect.get("percent", expect.get("value"))


def contradictions(claims):
    """Pairs of claims of which runs can bear out one at most."""
    said = {}
    for claim in claims:
        for key, value in statements(claim):
            said.setdefault(key, []).append((claim.id, value))
    for key, found in said.items():
        for (one, value), (other, second) in combinations(found, 2):
            if key[0] == "rate":
                h = statistics.cohens_h([Rate(value / 100)], [Rate(second / 100)])
                opposite = abs(h) > MARGIN
            elif key[0] == "mean":
                opposite = abs(value - second) > MEAN_MARGIN * max(value, second)
            else:
                opposite = value != second
            if opposite:
                yield one, other


def test_no_two_claims_contradict_each_other_on_the_same_runs_or_it_is_found():
    assert list(contradictions(LEDGER)) == []
    claims = {claim.id: claim for claim in LEDGER}
    rate, times = claims["arxiv_acs_p45"], claims["lewis_hybrid_time_17"]
    for one, changes in (
        (rate, {"expect": {"percent": 50, "of": 100}}),
        (times, {"runs": {**times.runs, "variant": ["sa_hybrid", "cp_sa"]}}),
        (claims["arxiv_times_p45"], {"expect": {"order": [["dlx"], ["acs"]], "by": "time"}}),
        (claims["lewis_hybrid_cp_17"], {"expect": {"value": 0.7}}),
    ):
        other = replace(one, id="other", **changes)
        assert (one.id, "other") in list(contradictions([one, other]))


def test_printed_rules_and_the_steps_of_the_experiment_decide_claims_of_soto():
    for claim in LEDGER:
        if claim.paper.startswith("soto"):
            assert all(name.endswith("_as_printed") for name in claim.variants)
    for claim in LEDGER:
        assert bool(claim.steps) == claim.paper.startswith("soto")
        if claim.steps:
            variants = CONFIG["soto"]["variants"]
            assert {variants[name]["limit_steps"] for name in claim.variants} == {claim.steps}
            assert claim.limit in ("none", f"{claim.steps} iterations")


def test_readings_name_variants_and_experiments_that_are_run():
    archive = config.laid_over_papers(read_yaml(CONFIG_FOLDER / "archive.yaml"))
    known = {name for block in CONFIG.values() for name in variants_of(block)}
    known |= variants_of(archive["lloyd_amos"])
    for paper, readings in ledger.readings().items():
        claims = [claim for claim in LEDGER if claim.paper == paper]
        for reading in readings:
            assert {*reading.variants, *reading.variants.values()} <= known
            assert {*reading.experiments, *reading.experiments.values()} <= set(CONFIG)
            assert any(claim.under(reading) for claim in claims), (paper, reading.name)


def variants_of(block):
    return set(block.get("variants", {})) if isinstance(block, dict) else set()


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
        ("    place: here\n", "", "one: the key place is missing"),
        ("rate", "rtae", r"one: unknown test 'rtae' \(did you mean rate"),
        ("of: 100", "fo: 100", "one: test rate: got an unexpected keyword argument 'fo'"),
        ("percent: 92, ", "", "one: test rate: missing a required argument: 'percent'"),
        ("experiment: lloyd_amos, ", "", "one: runs: no experiment"),
        ("order: 5", "odrer: 5", r"one: runs: unknown column 'odrer' \(did you mean order\?\)"),
        ("variant: acs", "variant: [acs, bs]", "one: runs: 2 variants: test rate takes 1"),
        ("{rate: {percent: 92, of: 100}}", "92", "one: test: must be one named test"),
        ("0.45", "0.45x", "one: runs: fixed_fraction: '0.45x': must be a number"),
        ("{experiment: lloyd_amos, order: 5,", "[1]  # ", "one: runs: must be columns"),
        ("  - id: one\n    place", "    place", "arxiv: must be a list of claims"),
        (CLAIM, "", "must hold editions, each with what is said of it"),
        (CLAIM, CLAIM + CLAIM[7:], "one: the id stands there twice"),
        ("published: 92 %", "published: 92", "one: published: 92: must be text"),
        (
            "    place",
            "    steps: 1e3\n    place",
            "one: steps '1e3': must be a whole number, 1 or more",
        ),
        ("{percent", "{{percent", "not readable: "),
    ],
)
def test_a_mistake_in_the_ledger_is_told_in_one_line(tmp_path, old, new, message):
    path = tmp_path / "ledger.yaml"
    path.write_text(CLAIM.replace(old, new))
    with pytest.raises(InputError, match=rf"^{path}: {message}") as caught:
        ledger.load(path)
    assert "\n" not in str(caught.value)


def test_a_missing_ledger_is_told_in_one_line(tmp_path):
    with pytest.raises(InputError, match=r"none\.yaml: not readable: .*No such file"):
        ledger.load(tmp_path / "none.yaml")

"""One name, one algorithm: what the papers' systems are called, and their stronger forms."""

import json

import attrs
import numpy as np
import pandas as pd
import pytest
from conftest import ROOT, random_puzzle, read_yaml

from antdoku import config, papers, solvers
from antdoku.budget import Budget
from antdoku.runs import plan
from antdoku.runs.run import describe
from antdoku.solvers import make_params
from antdoku.tables.summary import labelled

COLUMNS = ["experiment", "variant", "solver", "params"]
PUBLISHED = ROOT / "docs" / "results" / "tables" / "runs.parquet"


@pytest.fixture(scope="module")
def configured():
    """Variants of the default configuration: rows of experiment, variant, solver, params."""
    keys = read_yaml(ROOT / "config" / "config.yaml")
    rows = plan.make(config.load(keys))
    return rows[COLUMNS].drop_duplicates().set_index(COLUMNS[:2])


@pytest.mark.parametrize("stronger", ["acs_closure", "bs_closure"])
def test_the_stronger_form_is_the_paper_s_with_another_propagation(stronger):
    papers = stronger.removesuffix("_closure")
    puzzle = random_puzzle(4, 0.42, 5)

    def solved(name, **params):
        how = make_params(name, params), np.random.default_rng(1), Budget(max_steps=20_000)
        return solvers.get(name).solve(puzzle, *how)

    assert make_params(papers, {}).propagation == "authors"
    assert solved(stronger).steps == solved(papers, propagation="complete").steps
    assert solved(stronger, propagation="authors").steps == solved(papers).steps
    assert solved(stronger).steps != solved(papers).steps


def test_the_configuration_runs_the_algorithms_that_were_published(configured):
    published = pd.read_parquet(PUBLISHED, columns=COLUMNS).drop_duplicates()
    for row in published.itertuples():
        solver, given = row.solver, json.loads(row.params)
        if solver == "acs_restart":  # it was a solver of its own
            given["restart"] = given.pop("schedule")
            solver = "acs"
        now = configured.loc[(row.experiment, row.variant)]
        defaults = attrs.asdict(solvers.get(solver).Params())
        assert (now["solver"], json.loads(now["params"])) == (solver, defaults | given), row.variant


def test_the_configuration_s_variants_have_their_labels(configured):
    for _, variants in configured.groupby("experiment"):
        rows = [
            {
                "variant": row.Index[1],
                **describe(row.solver, make_params(row.solver, json.loads(row.params))),
            }
            for row in variants.itertuples()
        ]
        for row in labelled(pd.DataFrame(rows)).itertuples():
            assert row.label == papers.variants()[row.variant].label

"""All runs in one file: the plan, with the results and the facts of the instances."""

import numpy as np
import pandas as pd
import pytest
from conftest import random_table
from runs_by_hand import runs_of

from antdoku.columns import COLUMNS, PLAN_COLUMNS
from antdoku.errors import InputError
from antdoku.outcome import ERROR, INVALID, SOLVED
from antdoku.puzzle.unavoidable import unavoidable_sets
from antdoku.runs import job, plan
from antdoku.runs.collection import check, collect


@pytest.fixture
def folder(tmp_path):
    """Two jobs of an experiment, their plan and its instances."""
    instances = random_table(3, 0.5, 4, 1).assign(experiment="mine")
    instances.to_parquet(tmp_path / "mine.parquet")
    variants = pd.DataFrame([plan.variant_row("bs", "bs", {}, limit_steps=50)])
    rows = plan.cross(instances, variants, 1)
    parts = [f"mine--{number % 2}" for number in range(len(rows))]
    plan.write(rows.assign(experiment="mine", part=parts)[list(PLAN_COLUMNS)], tmp_path / "plan")
    for part in {*parts}:
        paths = tmp_path / "mine.parquet", tmp_path / "journals", tmp_path / part
        job.run_part(tmp_path / "plan", part, *paths)
    return tmp_path


def collected(folder, *parts):
    files = [folder / part for part in parts]
    collect(folder / "plan", files, [folder / "mine.parquet"], folder / "runs.parquet")
    return pd.read_parquet(folder / "runs.parquet")


def test_runs_do_not_depend_on_the_order_of_the_jobs_and_have_facts_of_instances(folder):
    runs = collected(folder, "mine--1", "mine--0")
    pd.testing.assert_frame_equal(runs, collected(folder, "mine--0", "mine--1"))
    assert list(runs)[: len(COLUMNS)] == list(COLUMNS)
    assert runs["instance_id"].tolist() == sorted(runs["instance_id"])
    assert set(runs["source"]) == {"shuffle"}
    assert runs["given_fraction"].to_list() == pytest.approx([41 / 81] * len(runs))
    solutions = pd.read_parquet(folder / "mine.parquet")["solution"]
    sets = [unavoidable_sets(np.array(solution.split(), int)) for solution in solutions]
    assert runs["unavoidable_sets"].tolist() == sets


def test_a_run_that_is_missing_is_named(folder):
    with pytest.raises(InputError, match="2 runs are missing, the first is mine, order3-p050, or"):
        collected(folder, "mine--1")


def test_a_wrong_run_fails_the_check_in_one_line():
    statuses = [SOLVED, INVALID, ERROR, INVALID]
    runs = runs_of(
        *({"status": status, "instance_id": f"i{n}"} for n, status in enumerate(statuses))
    )
    with pytest.raises(InputError, match=r"acs: 1 error, acs: 2 invalid.*: acs, i1, 0: the logs"):
        check(runs)
    assert check(runs.head(1)) == "1 runs, none invalid or error"

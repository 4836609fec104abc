"""How long the runs will take, by published ones: hand-made runs, whose seconds are known."""

import numpy as np
import pandas as pd
import pytest

from antdoku.config import Config, Experiment, Family
from antdoku.forecast import RUN_S, Forecast, limited, rough_time, wall_s
from antdoku.outcome import SOLVED, TIMEOUT
from antdoku.runs.plans import Job, Plan


def runs(*rows):
    """Runs of a table: variant, family, status, steps, seconds; solvers are called as variants."""
    table = pd.DataFrame(rows, columns=["variant", "family", "status", "steps", "cpu_s"])
    return table.assign(solver=table["variant"].str.split("_").str[0], order=5)


def plan(variant="acs", **limits):
    return Plan(variant, variant.split("_")[0], **limits)


ENDED = runs(("acs", "f", SOLVED, 100, 1.0))
OPEN = runs(("acs", "f", TIMEOUT, 100, 1.0))


@pytest.mark.parametrize(
    ("table", "limits", "seconds"),
    [
        (ENDED, {"limit_s": 5}, 1),
        (ENDED, {"limit_s": 0.5}, 0.5),
        (ENDED, {"limit_s": 5, "limit_steps": 50}, 0.5),
        (ENDED, {"limit_s": 5, "limit_steps": 500}, 1),
        (OPEN, {"limit_s": 5}, 5),
        (OPEN, {"limit_s": 5, "limit_steps": 50}, 0.5),
        (OPEN, {"limit_s": 5, "limit_steps": 300}, 3),
        (OPEN, {"limit_s": 5, "limit_steps": 5000}, 5),
    ],
)
def test_a_run_is_cut_off_or_gone_on_with_at_its_limits(table, limits, seconds):
    assert list(limited(table, plan(**limits))) == pytest.approx([seconds])


@pytest.fixture
def config():
    families = {
        "f": Family("f", 5, n_instances=10, repetitions=1, limit_s=9),
        "new": Family("new", 5, n_instances=2, repetitions=1, limit_s=9),
        "small": Family("small", 3, n_instances=2, repetitions=1, limit_s=9),
    }
    return Config("x", 1, {"e": Experiment("e", families, plans={})}, 1e6, 1000)


@pytest.mark.parametrize(
    ("variant", "family", "seconds"),
    [
        ("acs", "f", 1.5),  # what it took
        ("acs_m20", "f", 2.0),  # what all runs of its solver took there
        ("acs", "new", 2.0),  # ... and at that order
        ("acs", "small", 9.0),  # its limit
        ("ils", "f", 9.0),
    ],
)
def test_what_is_new_takes_what_its_solver_takes_or_its_limit(
    config, tmp_path, variant, family, seconds
):
    table = runs(
        ("acs", "f", SOLVED, 100, 1.0),
        ("acs", "f", SOLVED, 100, 2.0),
        ("acs_bve", "f", SOLVED, 100, 3.0),
    )
    table.to_parquet(tmp_path / "runs.parquet")
    forecast = Forecast(config, tmp_path / "runs.parquet")
    assert forecast.run_s("e", plan(variant, limit_s=9), family) == pytest.approx(seconds + RUN_S)


def test_a_part_of_a_job_takes_a_part_of_the_time(config, tmp_path):
    forecast = Forecast(config, tmp_path / "none.parquet")
    assert forecast.basis().startswith("at most")
    both = (plan(limit_s=2, repetitions=3), plan("ils", limit_s=4, repetitions=1))
    job = Job("e", both, "b", ("f", "new"), 5, part=0, n_parts=4, n_runs=0, longest_s=0)
    assert forecast.job_s(job) == pytest.approx(12 * (3 * (2 + RUN_S) + 4 + RUN_S) / 4)


def test_the_longest_job_is_the_least_time_and_no_time_no_mistake():
    assert wall_s([10, 1, 1], 2) == 10
    assert wall_s([4, 4, 4], 2) == 6
    assert wall_s([], 2) == 0
    table = runs(("acs", "f", SOLVED, 0, 0.0), ("acs", "f", TIMEOUT, 0, 0.0))
    assert np.isfinite(limited(table, plan(limit_steps=5))).all()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3, "10 s"),
        (44, "40 s"),
        (80, "1 min"),
        (3000, "50 min"),
        (7400, "2 h"),
        (8000, "2 h 10 min"),
        (6e6, "69 days"),
    ],
)
def test_a_time_is_as_precise_as_a_forecast(seconds, text):
    assert rough_time(seconds) == text

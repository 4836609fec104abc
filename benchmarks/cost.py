"""What an experiment costs, from the runs of a smaller one: core hours per variant.

    python benchmarks/cost.py results/default/tables/runs.parquet config/paper.yaml

A run that was solved costs what it took; one that was not costs anything up to the new limit, in
steps at its own pace if it has one: so there is a least and a greatest value. A family that the
smaller experiment has not counts as the mean of those of its order that it has, or not at all.
"""

import sys

import numpy as np
import pandas as pd
from snakemake.utils import update_config

from antdoku import config
from antdoku.outcome import SOLVED

DEFAULT, SCHEMA = "config/config.yaml", "workflow/schemas/config.schema.yaml"


def main(runs, overlay):
    merged = config.read(DEFAULT)
    update_config(merged, config.read(overlay))
    jobs = config.jobs(config.check(merged, [DEFAULT, overlay], SCHEMA))
    known = pd.read_parquet(runs)
    rows = [
        (job.experiment, plan.variant, *cost(job, plan, like))
        for job in jobs.values()
        for plan in job.plans
        if len(like := known[known["family"].isin(job.families) & _is_of(job, plan, known)])
    ]
    names = ["experiment", "variant", "runs", "least_h", "greatest_h"]
    table = pd.DataFrame(rows, columns=names).groupby(["experiment", "variant"]).sum()
    table.loc[("all", ""), :] = table.sum()
    print(f"{len(jobs)} jobs")
    print(table.round(1).to_markdown())


def _is_of(job, plan, runs):
    return (runs["experiment"] == job.experiment) & (runs["variant"] == plan.variant)


def cost(job, plan, runs):
    """Runs of a plan in a job, and the core hours that they take at least and at most."""
    n_runs = job.n_runs * plan.repetitions / sum(each.repetitions for each in job.plans)
    solved = runs["status"] == SOLVED
    limit_s = pd.Series(plan.limit_s or np.nan, runs.index)
    if plan.limit_steps:
        limit_s = np.fmin(limit_s, runs["cpu_s"] * plan.limit_steps / runs["steps"].clip(lower=1))
    greatest_s = runs["cpu_s"].where(solved, limit_s.fillna(runs["cpu_s"]))
    per_hour = n_runs / 3600
    return n_runs, per_hour * runs["cpu_s"].mean(), per_hour * greatest_s.mean()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""What an experiment costs, from the runs of a smaller one: core hours per variant.

    python benchmarks/cost.py results/default/tables/runs.parquet config/paper.yaml

A run that was solved costs what it took; one that was not costs anything up to the new limit: so
there is a least and a greatest value. A family that the smaller experiment has not counts as the
mean of those of its order that it has, or not at all.
"""

import sys

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
        (job.experiment, job.plan.variant, *cost(job, like))
        for job in jobs.values()
        if len(like := known[known["family"].isin(job.families) & _is_of(job, known)])
    ]
    names = ["experiment", "variant", "jobs", "runs", "least_h", "greatest_h"]
    table = pd.DataFrame([(*row[:2], 1, *row[2:]) for row in rows], columns=names)
    table = table.groupby(["experiment", "variant"]).sum()
    table.loc[("all", ""), :] = table.sum()
    print(table.round(1).to_markdown())


def _is_of(job, runs):
    return (runs["experiment"] == job.experiment) & (runs["variant"] == job.plan.variant)


def cost(job, runs):
    """Runs of a job, and the core hours that they take at least and at most."""
    solved = runs["status"] == SOLVED
    limit_s = runs["cpu_s"].where(solved, job.plan.limit_s or runs["cpu_s"])
    per_hour = job.n_runs / 3600
    return job.n_runs, per_hour * runs["cpu_s"].mean(), per_hour * limit_s.mean()


if __name__ == "__main__":
    main(*sys.argv[1:])

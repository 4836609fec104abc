"""Trace ACS on the instances of the hardest point that the runs of an experiment have."""

import pandas as pd

from antdoku import tables
from antdoku.errors import logged
from antdoku.runs import history
from antdoku.tables.generic import hardest_family

with logged(snakemake.log[0]):
    experiment = snakemake.wildcards.experiment
    runs = tables.read_runs(snakemake.input.runs)
    runs = runs[runs["experiment"] == experiment]
    plan = pd.read_parquet(snakemake.params.plan)
    hardest = hardest_family(runs, experiment)
    plan = plan[(plan["experiment"] == experiment) & (plan["family"] == hardest)]
    history.write_traces(
        plan[plan["instance_id"].isin(runs["instance_id"])],
        pd.read_parquet(snakemake.input.instances),
        snakemake.output[0],
        snakemake.threads,
    )

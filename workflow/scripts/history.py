"""Trace ACS on the instances of the hardest point of an experiment."""

import pandas as pd

from antdoku import tables
from antdoku.errors import logged
from antdoku.runs import history
from antdoku.tables.generic import hardest_family

with logged(snakemake.log[0]):
    experiment = snakemake.wildcards.experiment
    plan = pd.read_parquet(snakemake.params.plan)
    hardest = hardest_family(tables.read_runs(snakemake.input.runs), experiment)
    history.write_traces(
        plan[(plan["experiment"] == experiment) & (plan["family"] == hardest)],
        pd.read_parquet(snakemake.input.instances),
        snakemake.output[0],
        snakemake.threads,
    )

"""Make all instances of an experiment."""

from antdoku.errors import logged
from antdoku.instances.families import make_all

with logged(snakemake.log[0]):
    table = make_all(snakemake.wildcards.experiment, snakemake.params.families)
    table.to_parquet(snakemake.output[0], index=False)

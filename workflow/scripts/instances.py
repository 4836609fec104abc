"""Make all instances of an experiment."""

from antdoku.errors import logged

with logged(snakemake.log[0]):
    from antdoku.instances.families import make_all

    table = make_all(snakemake.wildcards.experiment, snakemake.params.families)
    table.to_parquet(snakemake.output[0], index=False)

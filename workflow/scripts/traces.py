"""Trace ACS on the instances of the hardest point."""

from antdoku import tables
from antdoku.runs import traces
from antdoku.tables.curves import hardest_family
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    hardest = hardest_family(tables.read_runs(snakemake.input.runs), snakemake.params.experiment)
    family = [file for file in snakemake.input.instances if file.endswith(f"/{hardest}.parquet")]
    traces.write(
        family[0],
        snakemake.params.variants,
        snakemake.params.seed,
        snakemake.output[0],
        snakemake.params.iterations,
        snakemake.threads,
    )

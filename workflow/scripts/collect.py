"""Put all runs into one file, and write where they come from."""

from antdoku.errors import logged
from antdoku.runs import provenance
from antdoku.runs.collection import collect

with logged(snakemake.log[0]):
    collect(
        snakemake.params.plan,
        snakemake.input.runs,
        snakemake.input.instances,
        snakemake.output.runs,
    )
    provenance.write(
        snakemake.output.provenance,
        snakemake.params.config,
        snakemake.output.runs,
        snakemake.input.instances,
    )

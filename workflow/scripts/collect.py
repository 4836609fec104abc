"""Put all runs into one file."""

from antdoku import tables
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    tables.collect(snakemake.input.runs, snakemake.input.instances, snakemake.output[0])

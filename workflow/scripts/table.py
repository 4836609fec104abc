"""Make one table from the runs."""

from antdoku import tables
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    runs = tables.read_runs(snakemake.input.runs)
    tables.write(tables.make(snakemake.params.name, runs), snakemake.output[0])

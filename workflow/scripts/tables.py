"""Make the tables of one paper."""

from antdoku import tables
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    tables.write_all(snakemake.output, snakemake.input.runs, snakemake.input.traces)

"""Record the run of ACS that the report plays."""

from antdoku.report import trace
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    trace.write(snakemake.output[0])

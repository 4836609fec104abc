"""Record the run of ACS that the report plays."""

from antdoku.runs import recording
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    recording.write(snakemake.output[0])

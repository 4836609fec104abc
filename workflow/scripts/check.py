"""Fail if a solver claimed a solution that is none, or broke down, or if runs are missing."""

from antdoku.runs.provenance import write_check
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    write_check(
        snakemake.output[0],
        snakemake.input.runs,
        snakemake.input.instances,
        snakemake.params.repetitions,
    )

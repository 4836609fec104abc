"""Decide what the papers claim by the runs: a table, a page and a summary."""

from antdoku import claims, tables
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    verdicts = claims.verdicts(tables.read_runs(snakemake.input.runs))
    for path in snakemake.output:
        claims.write(verdicts, path)

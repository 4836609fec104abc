"""Decide what the papers claim by the runs: a table, a page and a summary."""

from antdoku import tables
from antdoku.claims import page, scale, verdicts
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    runs = tables.read_runs(snakemake.input.runs)
    decided, less = verdicts.decide(runs), scale.reduced(runs)
    for path in snakemake.output:
        page.write(decided, path, less)

"""Decide what the papers claim by the runs: a table and a page."""

from antdoku import tables
from antdoku.claims import page, verdicts
from antdoku.errors import logged

with logged(snakemake.log[0]):
    decided = verdicts.decide(tables.read_runs(snakemake.input.runs))
    page.write(decided, snakemake.output.table)
    page.write(decided, snakemake.output.page, snakemake.config["name"])

"""Decide what the papers claim by the runs."""

from antdoku import tables
from antdoku.claims import verdicts
from antdoku.errors import logged

with logged(snakemake.log[0]):
    decided = verdicts.decide(tables.read_runs(snakemake.input.runs))
    tables.write(decided, snakemake.output[0])

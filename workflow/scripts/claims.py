"""Decide what the papers claim by the runs. A first look decides no claim: that takes all runs."""

from antdoku.errors import logged

with logged(snakemake.log[0]):
    from antdoku import tables
    from antdoku.claims import verdicts

    ledger = [] if snakemake.wildcards.stage else None
    decided = verdicts.decide(tables.read_runs(snakemake.input.runs), ledger)
    tables.write(decided, snakemake.output[0])

"""Compile the kernels of one solver for all orders that share them."""

from antdoku.run import warm_up
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    warm_up(snakemake.wildcards.solver, snakemake.params.order)

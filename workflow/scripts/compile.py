"""Compile the kernels of one solver for all orders that share them."""

from antdoku.runs.run import warm_up
from antdoku.solvers import make_params
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    solver = snakemake.wildcards.solver
    for words in snakemake.params.words:
        warm_up(solver, snakemake.params.order, make_params(solver, words))

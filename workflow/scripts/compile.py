"""Compile the kernels of all solvers, side by side in processes that share the imports."""

import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from antdoku.errors import logged
from antdoku.runs.run import warm_up
from antdoku.solvers import make_params


def compile_kernel(solver, order, params):
    warm_up(solver, order, make_params(solver, json.loads(params)))


with logged(snakemake.log[0]):
    with ProcessPoolExecutor(snakemake.threads, get_context("fork")) as pool:
        list(pool.map(compile_kernel, *zip(*snakemake.params.kernels)))

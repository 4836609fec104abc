"""Do the runs of one job."""

from antdoku.kernels.closure import profile
from antdoku.puzzle.grid import Puzzle, root_grid
from antdoku.runs.job import run_job
from antdoku.runs.plans import Plan
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    job = snakemake.params.job
    # Starts Numba, which takes half a second, before the worker is forked: both need it.
    profile(Puzzle(job["order"], root_grid(job["order"])))
    run_job(
        snakemake.input.instances,
        [Plan(**plan) for plan in job["plans"]],
        snakemake.params.journals,
        snakemake.output[0],
        job["part"],
        job["n_parts"],
        snakemake.resources.solver_mb,
    )

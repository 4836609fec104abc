"""Do the runs of one job."""

from antdoku.runs.job import run_job
from antdoku.runs.plans import Plan
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    job = snakemake.params.job
    run_job(
        snakemake.input.instances,
        [Plan(**plan) for plan in job["plans"]],
        snakemake.params.journals,
        snakemake.output[0],
        job["part"],
        job["n_parts"],
        snakemake.resources.solver_mb,
    )

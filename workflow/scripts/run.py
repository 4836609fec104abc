"""Execute the runs of one part of the plan."""

from antdoku.errors import logged

with logged(snakemake.log[0]):
    from antdoku.runs.job import run_part
    from antdoku.runs.worker import bound_memory

    bound_memory(snakemake.params.solver_mb)
    run_part(
        snakemake.params.plan,
        snakemake.wildcards.part,
        snakemake.input[0],
        snakemake.params.journals,
        snakemake.output[0],
        snakemake.params.solver_mb,
    )

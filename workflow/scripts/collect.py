"""Put all runs, or the runs of the first look, into one file; write where they come from."""

from antdoku.errors import logged

with logged(snakemake.log[0]):
    import pandas as pd

    from antdoku.runs import plan, provenance
    from antdoku.runs.collection import collect

    planned = pd.read_parquet(snakemake.params.plan)
    if snakemake.wildcards.stage:
        planned = plan.first_look(planned)
    collect(
        planned,
        snakemake.input.runs,
        snakemake.input.instances,
        snakemake.output.runs,
    )
    provenance.write(
        snakemake.output.provenance,
        snakemake.params.config,
        snakemake.output.runs,
        snakemake.input.instances,
    )

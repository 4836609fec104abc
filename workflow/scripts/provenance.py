"""Write where the results come from."""

from antdoku.runs import provenance
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    provenance.write(
        snakemake.output[0],
        snakemake.params.config,
        snakemake.input.runs,
        snakemake.input.started,
        snakemake.resources.get("workflow_cores"),
    )

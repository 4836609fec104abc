"""Write the random instances of one order."""

from pathlib import Path

from antdoku.instances.files import write_families
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    write_families(
        Path(snakemake.output[0]).parent,
        snakemake.params.order,
        snakemake.params.counts,
        **snakemake.params.how,
    )

"""Write the named puzzles."""

from pathlib import Path

from antdoku.instances import write_named
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    write_named(Path(snakemake.output[0]).parent, snakemake.params.collection)

"""Draw one figure from the table of its name."""

from pathlib import Path

from antdoku import figures, tables
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    table = tables.read(snakemake.params.name, snakemake.input.content)
    figure = figures.make(snakemake.params.name, table)
    figures.save(figure, Path(snakemake.output[0]).with_suffix(""))

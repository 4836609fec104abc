"""Draw one figure from the example puzzle."""

from pathlib import Path

from antdoku import figures
from antdoku.instances import example
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    arrays = example.read(snakemake.params.name, snakemake.input.content)
    figure = figures.make(snakemake.params.name, *arrays)
    figures.save(figure, Path(snakemake.output[0]).with_suffix(""))

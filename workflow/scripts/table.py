"""Make one table from the runs, or from the traces."""

from antdoku import tables
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    name = snakemake.params.name
    content = tables.read_content(name, snakemake.input.content)
    tables.write(tables.make(name, content), snakemake.output[0])

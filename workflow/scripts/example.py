"""Write the puzzle that Figures 1 to 3 show."""

from antdoku.instances import example
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    example.write(snakemake.output[0])

"""Write one family of given puzzles."""

from antdoku.instances.files import write_puzzles
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    write_puzzles(snakemake.output[0], **snakemake.params.how)

"""Write the puzzle of the papers' first figures, and the run of ACS that the report plays."""

from antdoku.errors import logged
from antdoku.runs import example, history

with logged(snakemake.log[0]):
    example.write(snakemake.output.puzzle)
    history.write_recording(snakemake.output.recording)

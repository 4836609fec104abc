"""Write the puzzle of the papers' first figures, and the run of ACS that the report plays."""

from antdoku.errors import logged
from antdoku.runs import example, recording

with logged(snakemake.log[0]):
    example.write(snakemake.output.puzzle)
    recording.write_recording(snakemake.output.recording)

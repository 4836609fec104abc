"""Write the puzzle of the papers' first figures, and the run of ACS that the report plays."""

from antdoku.errors import logged

with logged(snakemake.log[0]):
    from antdoku.runs import example, recording

    example.write(snakemake.output.puzzle)
    recording.write_recording(snakemake.output.recording)

"""Draw the figures of all papers, each from its table or from the example puzzle."""

from pathlib import Path

from antdoku import figures, tables
from antdoku.errors import logged
from antdoku.figures import style
from antdoku.runs import example


def content(entry):
    """Return the table of a figure, or the arrays of the example puzzle that it shows."""
    if entry.puzzle:
        return example.read(entry.puzzle, snakemake.input.puzzle)
    return [tables.read(entry.table, files[entry.table])]


with logged(snakemake.log[0]):
    files = {Path(file).stem: file for file in snakemake.input.tables}
    pictures = [Path(file) for file in snakemake.output if file.endswith(".png")]
    looks = style.looks_of(snakemake.params.colors)  # the same in all figures
    for picture in pictures:
        print(picture.stem)
        shown = content(figures.every()[picture.stem])
        figures.write(picture, *shown, looks=looks, scope=snakemake.params.share)

"""Draw the figures of all papers, each from its table or from the example puzzle."""

from antdoku.errors import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    from antdoku import figures
    from antdoku.figures import style

    files = {Path(file).stem: file for file in snakemake.input.tables}
    pictures = [Path(file) for file in snakemake.output if file.endswith(".png")]
    looks = style.looks_of(snakemake.params.colors)  # the same in all figures
    for picture in pictures:
        print(picture.stem)
        shown = figures.content(picture.stem, files, snakemake.input.puzzle)
        figures.write(picture, *shown, looks=looks, scope=snakemake.params.share)

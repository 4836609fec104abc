"""Draw the figures of all papers, each from its table or from the example puzzle."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from antdoku import figures, tables
from antdoku.errors import logged
from antdoku.figures import style
from antdoku.runs import example


def draw(name):
    """Draw one figure in all its forms."""
    entry = figures.every()[name]
    if entry.puzzle:
        content = example.read(entry.puzzle, snakemake.input.puzzle)
    else:
        content = [tables.read(entry.table, files[entry.table])]
    try:
        style.save(figures.make(name, *content), files_of[name])
    except Exception as error:
        error.add_note(f"This is the figure {name}.")
        raise


with logged(snakemake.log[0]):
    files = {Path(file).stem: file for file in snakemake.input.tables}
    files_of = {Path(file).stem: Path(file).with_suffix("") for file in snakemake.output}
    style.give_looks(snakemake.params.variants)  # the same in all processes
    with ProcessPoolExecutor(snakemake.threads, get_context("fork")) as pool:
        list(pool.map(draw, files_of))

"""Draw the figures of one paper, each from the table of its name or from the example puzzle."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from antdoku import figures, tables
from antdoku.figures import style
from antdoku.instances import example
from antdoku.runs import provenance
from antdoku.runs.processes import end_with
from antdoku.workflow import logged


def draw(output):
    """Draw one figure in all its forms."""
    name = output.stem
    if name in files:
        content = [tables.read(name, files[name])]
    else:
        content = example.read(figures.every()[name].of_puzzle, snakemake.input.puzzle)
    style.save(figures.make(name, *content), output.with_suffix(""), made_by)


with logged(snakemake.log[0]):
    made_by = provenance.origin(snakemake.rule, snakemake.config)
    files = {Path(file).stem: file for file in snakemake.input.tables}
    # Forked, so nothing is imported twice; they end when this process does, however it ends.
    ending = {"initializer": end_with, "initargs": (os.getpid(),)}
    with ProcessPoolExecutor(snakemake.threads, get_context("fork"), **ending) as pool:
        list(pool.map(draw, map(Path, snakemake.output.png)))

"""Draw the figures of one paper, each from the table of its name or from the example puzzle."""

from pathlib import Path

from antdoku import figures, tables
from antdoku.instances import example
from antdoku.runs import provenance
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    made_by = provenance.origin(snakemake.rule, snakemake.config)
    files = {Path(file).stem: file for file in snakemake.input.tables}
    for output in map(Path, snakemake.output.png):
        name = output.stem
        if name in files:
            content = [tables.read(name, files[name])]
        else:
            content = example.read(name, snakemake.input.puzzle)
        figures.save(figures.make(name, *content), output.with_suffix(""), made_by)

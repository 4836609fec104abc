"""Make the tables of all papers, each from its runs or from the history of colonies."""

from pathlib import Path

import pandas as pd

from antdoku import tables
from antdoku.errors import logged

with logged(snakemake.log[0]):
    sources = {"runs": tables.read_runs(snakemake.input.runs)}
    for file in snakemake.output:
        name = Path(file).stem
        entry = tables.every()[name]
        if entry.source == "history":
            source = pd.concat(map(pd.read_parquet, snakemake.input.history))
        else:
            source = sources["runs"]
        tables.write(tables.make(name, source), file)

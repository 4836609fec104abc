"""Make the tables of all papers, each from its runs or from the history of colonies."""

from pathlib import Path

import pandas as pd

from antdoku import tables
from antdoku.errors import logged

with logged(snakemake.log[0]):
    runs = tables.read_runs(snakemake.input.runs)
    for file in snakemake.output:
        name = Path(file).stem
        is_of_history = tables.get(name).source == tables.HISTORY
        history = map(pd.read_parquet, snakemake.input.history)
        tables.write(tables.make(name, pd.concat(history) if is_of_history else runs), file)

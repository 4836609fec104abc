"""Make the tables of all papers, each from its runs, or from thresholds of grids."""

from antdoku.errors import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from antdoku import tables

    runs = tables.read_runs(snakemake.input.runs)
    for file in snakemake.output:
        name = Path(file).stem
        files = snakemake.input.thresholds if tables.get(name).thresholds else None
        thresholds = pd.concat(map(pd.read_parquet, files)) if files else None
        tables.write(tables.make(name, runs, thresholds), file)

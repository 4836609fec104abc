"""Fail if a solver claimed a wrong solution, or broke down."""

from antdoku.errors import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from antdoku.runs.collection import check

    line = check(pd.read_parquet(snakemake.input.runs))
    Path(snakemake.output[0]).write_text(f"{line}\n")

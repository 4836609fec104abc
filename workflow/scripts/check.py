"""Fail if a solver claimed a wrong solution, or broke down."""

from pathlib import Path

import pandas as pd

from antdoku.errors import logged
from antdoku.runs.collection import check

with logged(snakemake.log[0]):
    line = check(pd.read_parquet(snakemake.input[0]))
    Path(snakemake.output[0]).write_text(f"{line}\n")

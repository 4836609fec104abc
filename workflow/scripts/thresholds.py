"""Measure the thresholds of the complete grids of an experiment."""

import pandas as pd

from antdoku.errors import logged
from antdoku.instances import thresholds

with logged(snakemake.log[0]):
    instances = pd.read_parquet(snakemake.input.instances)
    thresholds.write_thresholds(instances, snakemake.output[0], snakemake.threads)

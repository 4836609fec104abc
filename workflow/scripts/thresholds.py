"""Measure the thresholds of the complete grids of an experiment."""

from antdoku.errors import logged

with logged(snakemake.log[0]):
    import pandas as pd

    from antdoku.instances import thresholds

    instances = pd.read_parquet(snakemake.input.instances)
    thresholds.write_thresholds(instances, snakemake.output[0], snakemake.threads)

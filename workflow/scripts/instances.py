"""Make families of instances, one Parquet file each."""

from antdoku.instances.recipes import make
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    for recipe, file in zip(snakemake.params.recipes, snakemake.output):
        make(recipe).to_parquet(file, index=False)

# Configuration -> instances: one Parquet file for each family of each experiment.
from antdoku.instances import recipes

# One job makes all instances of an experiment: to start a process takes longer than to make a family.
for experiment in CONFIG.experiments.values():
    families = list(experiment.families.values())
    # All random instances of an order depend on the same.
    kinds = {each.name if each.is_given else each.order: each for each in families}

    rule:
        name:
            f"instances_{experiment.name}"
        input:
            data=f"{PACKAGE}/data/named_9x9.csv" if any(each.is_given for each in families) else [],
        output:
            [f"<results>/instances/{experiment.name}/{family.name}.parquet" for family in families],
        log:
            f"<logs>/instances/{experiment.name}.log",
        priority: 2  # before runs, so that the longest of these can begin first
        group:
            "prepare"
        resources:
            # Large grids are searched for.
            runtime=lambda _, attempt, minutes=10 * len(kinds): attempt * minutes,
        params:
            recipes=[family.recipe for family in families],
            # Not inputs: Snakemake would take braces in the names of files for wildcards.
            made_from=[recipes.stamp(each.recipe) for each in kinds.values()],
        script:
            "../scripts/instances.py"

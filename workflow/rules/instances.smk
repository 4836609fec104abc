# Configuration -> instances: one Parquet file for each family of each experiment.
from antdoku.instances import recipes

# One job makes the random instances of an experiment: to start a process takes longer than to make a family.
for experiment in CONFIG.experiments.values():
    for name, families in experiment.grouped("made_with").items():
        of_orders = {family.order: family for family in families}  # all have the same source

        rule:
            name:
                f"instances_{experiment.name}_{name}"
            input:
                data=f"{PACKAGE}/data/named_9x9.csv" if families[0].is_given else [],
            output:
                [
                    f"<results>/instances/{experiment.name}/{family.name}.parquet"
                    for family in families
                ],
            log:
                f"<logs>/instances/{experiment.name}/{name}.log",
            priority: 2  # before runs, so that the longest of these can begin first
            group:
                "prepare"
            resources:
                # Large grids are searched for.
                runtime=lambda _, attempt, minutes=10 * len(of_orders): attempt * minutes,
            params:
                recipes=[family.recipe for family in families],
                # Not inputs: Snakemake would take braces in the names of files for wildcards.
                made_from=[recipes.stamp(family.recipe) for family in of_orders.values()],
            script:
                "../scripts/instances.py"

# Configuration -> instances: one Parquet file for each family of each experiment.
from antdoku.instances.archive import archive_digest
from antdoku.instances.given import file_digest
from antdoku.puzzle.named import PREFIX

for experiment in CONFIG.experiments.values():
    for order in experiment.orders:

        rule:
            name:
                f"instances_{experiment.name}_order{order}"
            output:
                expand(
                    f"<results>/instances/{experiment.name}/{{family}}.parquet",
                    family=configuration.random_families(experiment, order),
                ),
            log:
                f"<logs>/instances/{experiment.name}/order{order}.log",
            priority: 2  # before runs, so that the longest of these can begin first
            group:
                "prepare"
            params:
                # Without what these instances do not need: else editing it would make them anew.
                code=fingerprint(
                    "instances.files",
                    without=(
                        "instances.unique",
                        *(() if experiment.random["source"] == "acs" else ("solvers.acs",)),
                        *(
                            ()
                            if experiment.random["source"] == "search"
                            else ("solvers.tabu_col",)
                        ),
                    ),
                ),
                order=order,
                fractions=experiment.fixed_fractions,
                how=experiment.random,
                archive=(
                    archive_digest(experiment.random["archive"], order)
                    if experiment.random["source"] == "archive"
                    else None
                ),
            script:
                "../scripts/random_instances.py"

    for family in (family for family in experiment.families.values() if family.given):
        origin = family.given.get("source", PREFIX)

        rule:
            name:
                f"instances_{experiment.name}_{family.name}"
            input:
                data=f"{PACKAGE}/data/named_9x9.csv",
            output:
                f"<results>/instances/{experiment.name}/{family.name}.parquet",
            log:
                f"<logs>/instances/{experiment.name}/{family.name}.log",
            priority: 2  # before runs, so that the longest of these can begin first
            group:
                "prepare"
            params:
                code=fingerprint("instances.files", without=("solvers.acs", "solvers.tabu_col")),
                how=family.given,
                # Not an input: Snakemake would take braces in its name for wildcards.
                file=None if origin.startswith(PREFIX) else file_digest(origin),
            script:
                "../scripts/given_instances.py"

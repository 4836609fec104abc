# Configuration -> instances: one Parquet file for each family of each experiment.
from antdoku.instances.archive import archive_digest
from antdoku.instances.given import file_digest
from antdoku.puzzle.named import PREFIX

# Solvers that make grids: editing one does not make anew the instances of other sources.
MAKERS = {"acs": "solvers.acs", "search": "solvers.tabu_col", "shuffle": "solvers.tabu_col"}


def no_makers(source, base=None):
    """Those that make none of the grids of a source."""
    made_by = None if base == "root" else MAKERS.get(source)
    return tuple(sorted({*MAKERS.values()} - {made_by}))


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
                code=fingerprint(
                    "instances.files",
                    without=(
                        "instances.unique",
                        *no_makers(experiment.random["source"], experiment.random.get("base")),
                    ),
                ),
                order=order,
                counts=configuration.random_counts(experiment, order),
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
                code=fingerprint(
                    "instances.files",
                    without=no_makers("shuffle" if "unique" in family.given else None),
                ),
                how=family.given,
                # Not an input: Snakemake would take braces in its name for wildcards.
                file=None if origin.startswith(PREFIX) else file_digest(origin),
            script:
                "../scripts/given_instances.py"

# Configuration -> instances: one Parquet file for each family of each experiment.
from antdoku.instances.archive import archive_digest
from antdoku.instances.given import file_digest
from antdoku.puzzle.named import PREFIX

for plan in CONFIG.experiments.values():
    for order in plan.orders:

        rule:
            name:
                f"instances_{plan.name}_order{order}"
            output:
                expand(
                    f"<results>/instances/{plan.name}/{{family}}.parquet",
                    family=experiment.random_families(plan, order),
                ),
            log:
                f"<logs>/instances/{plan.name}/order{order}.log",
            group:
                "prepare"
            conda:
                "../../environment.yml"
            params:
                # Without what these instances do not need: else editing it would make them anew.
                code=fingerprint(
                    "instances.families",
                    without=(
                        "instances.unique",
                        *(() if plan.random["source"] == "acs" else ("solvers.acs",)),
                    ),
                ),
                order=order,
                fractions=plan.fixed_fractions,
                how=plan.random,
                archive=(
                    archive_digest(plan.random["archive"], order)
                    if plan.random["source"] == "archive"
                    else None
                ),
            script:
                "../scripts/random_instances.py"

    for family in (family for family in plan.families.values() if family.how):
        origin = family.how.get("source", PREFIX)

        rule:
            name:
                f"instances_{plan.name}_{family.name}"
            input:
                data="src/antdoku/data/named_9x9.csv",
            output:
                f"<results>/instances/{plan.name}/{family.name}.parquet",
            log:
                f"<logs>/instances/{plan.name}/{family.name}.log",
            group:
                "prepare"
            conda:
                "../../environment.yml"
            params:
                code=fingerprint("instances.families", without=("solvers.acs",)),
                how=family.how,
                # Not an input: Snakemake would take braces in its name for wildcards.
                file=None if origin.startswith(PREFIX) else file_digest(origin),
            script:
                "../scripts/given_instances.py"

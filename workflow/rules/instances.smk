# Configuration -> instances: one Parquet file for each family.
for order in CONFIG.orders:

    rule:
        name:
            f"instances_order{order}"
        input:
            # Only the source acs runs ACS: else editing it would make the instances anew.
            code=sources(
                "instances", without=() if CONFIG.how["source"] == "acs" else ("solvers.acs",)
            ),
        output:
            expand(
                "<results>/instances/{family}.parquet", family=experiment.families(CONFIG, order)
            ),
        log:
            f"<logs>/instances/order{order}.log",
        conda:
            "../../environment.yml"
        params:
            order=order,
            fractions=CONFIG.fixed_fractions,
            how=CONFIG.how,
        script:
            "../scripts/random_instances.py"


rule instances_named:
    input:
        code=sources("instances", without=("solvers.acs",)),
        data="src/antdoku/data/named_9x9.csv",
    output:
        "<results>/instances/named.parquet",
    log:
        "<logs>/instances/named.log",
    conda:
        "../../environment.yml"
    params:
        collection=CONFIG.collection,
    script:
        "../scripts/named_instances.py"

# Runs -> tables: all runs in one file, then one CSV file for each table.
from antdoku import tables
from antdoku.record import is_random
from antdoku.runs.traces import traceable

TABLES = tables.of_experiments(
    CONFIG.experiments,
    [name for name, experiment in CONFIG.experiments.items() if experiment.random],
)
# What each table is made of.
CONTENT = {
    table: f"<results>/tables/{'traces' if table in tables.FROM_TRACES else 'runs'}.parquet"
    for table in TABLES
}


rule collect:
    input:
        runs=expand("<results>/runs/{job}.parquet", job=JOBS),
    output:
        "<results>/tables/runs.parquet",
    log:
        "<logs>/collect.log",
    group:
        "results"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,  # for ten million runs
    params:
        code=fingerprint("tables"),
    script:
        "../scripts/collect.py"


# The inside of some runs, at the point that turns out to be the hardest.
if tables.FROM_TRACES & {*TABLES}:
    COLONIES = traceable(CONFIG.experiments["lloyd_amos"].plans)

    rule traces:
        input:
            runs="<results>/tables/runs.parquet",
            instances=[
                f"<results>/instances/lloyd_amos/{family.name}.parquet"
                for family in CONFIG.experiments["lloyd_amos"].families.values()
                if is_random(family.name)
            ],
        output:
            "<results>/tables/traces.parquet",
        log:
            "<logs>/traces.log",
        group:
            "results"
        conda:
            "../../environment.yml"
        resources:
            # A colony goes on to the last iteration on most of the hardest instances.
            runtime=lambda _, attempt: attempt * (10 + 10 * len(COLONIES)),
        params:
            # With the solver that is found by its name.
            code=fingerprint("runs.traces", "tables", "solvers.acs_restart"),
            seed=CONFIG.experiments["lloyd_amos"].random["seed"],
            variants=COLONIES,
        script:
            "../scripts/traces.py"


for table in TABLES:

    rule:
        name:
            f"table_{table}"
        input:
            content=CONTENT[table],
            published="src/antdoku/data/published_results.csv",
        output:
            report(
                f"<results>/tables/{table}.csv",
                caption=f"../report/{table}.rst",
                category="Beyond the papers" if table.startswith("beyond") else "Tables",
                labels={"table": table},
            ),
        log:
            f"<logs>/tables/{table}.log",
        localrule: True
        conda:
            "../../environment.yml"
        params:
            code=fingerprint("tables"),
            name=table,
        script:
            "../scripts/table.py"

# Runs -> tables: all runs in one file, then one CSV file for each table.
from antdoku import tables

# One table serves every paper; the names of the others start with that of their experiment.
TABLES = [name for name in tables.names() if name.startswith((*CONFIG.experiments, "success"))]


rule collect:
    input:
        runs=expand("<results>/runs/{job}.parquet", job=JOBS),
        code=sources("tables"),
    output:
        "<results>/tables/runs.parquet",
    log:
        "<logs>/collect.log",
    conda:
        "../../environment.yml"
    script:
        "../scripts/collect.py"


for table in TABLES:

    rule:
        name:
            f"table_{table}"
        input:
            runs="<results>/tables/runs.parquet",
            published="src/antdoku/data/published_results.csv",
            code=sources("tables"),
        output:
            report(
                f"<results>/tables/{table}.csv",
                caption=f"../report/{table}.rst",
                category="Tables",
                labels={"table": table},
            ),
        log:
            f"<logs>/tables/{table}.log",
        conda:
            "../../environment.yml"
        params:
            name=table,
        script:
            "../scripts/table.py"

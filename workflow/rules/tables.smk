# Runs -> tables: all runs in one file, then one CSV file for each table.
from antdoku import tables
from antdoku.record import is_random

TABLES = tables.of_experiments(
    CONFIG.experiments, [name for name, plan in CONFIG.experiments.items() if plan.random]
)


def category_of(name):
    """Heading in Snakemake's report."""
    return "Beyond the papers" if name.startswith("beyond") else None


def content_of(table):
    """File that a table is made of."""
    return f"{RESULTS}/tables/{'traces' if table in tables.FROM_TRACES else 'runs'}.parquet"


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


# The inside of some runs, at the point that turns out to be the hardest.
if tables.FROM_TRACES & {*TABLES}:

    rule traces:
        input:
            runs="<results>/tables/runs.parquet",
            instances=[
                f"{RESULTS}/{job.instances}"
                for job in JOBS.values()
                if job.experiment == "lloyd_amos" and is_random(job.family)
            ],
            code=sources("traces", "tables"),
        output:
            "<results>/tables/traces.parquet",
        log:
            "<logs>/traces.log",
        conda:
            "../../environment.yml"
        params:
            seed=CONFIG.experiments["lloyd_amos"].random["seed"],
        script:
            "../scripts/traces.py"


for table in TABLES:

    rule:
        name:
            f"table_{table}"
        input:
            content=content_of(table),
            published="src/antdoku/data/published_results.csv",
            code=sources("tables"),
        output:
            report(
                f"<results>/tables/{table}.csv",
                caption=f"../report/{table}.rst",
                category=category_of(table) or "Tables",
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

# Runs -> tables: all runs in one file, then one CSV file for each table.
from antdoku import tables
from antdoku.record import is_random
from antdoku.runs.traces import ITERATIONS, traceable
from antdoku.workflow import by_paper

TABLES = tables.of_experiments(
    CONFIG.experiments,
    [name for name, experiment in CONFIG.experiments.items() if experiment.random],
    [
        name
        for name, experiment in CONFIG.experiments.items()
        if not any(family.given for family in experiment.families.values())
    ],
)
BEYOND = ("beyond", "frontier")  # what no paper has


rule collect:
    input:
        runs=expand("<results>/runs/{job}.parquet", job=JOBS),
        instances=sorted({f"<results>/{file}" for job in JOBS.values() for file in job.instances}),
    output:
        "<results>/tables/runs.parquet",
    log:
        "<logs>/collect.log",
    group:
        "results"
    resources:
        mem_mb=4000,  # for ten million runs
    params:
        code=fingerprint("tables"),
    script:
        "../scripts/collect.py"


# The inside of some runs, at the point that turns out to be the hardest.
if tables.FROM_TRACES & {*TABLES}:
    COLONIES = traceable(CONFIG.experiments["lloyd_amos"].plans)
    REACHES = CONFIG.experiments["lloyd_amos"].reaches

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
        resources:
            # A colony goes on to the last iteration on most of the hardest instances.
            runtime=lambda _, attempt: attempt * (10 + 10 * len(COLONIES)),
        params:
            # With the solver that is found by its name.
            code=fingerprint("runs.traces", "tables", "solvers.acs_restart"),
            seed=CONFIG.experiments["lloyd_amos"].random["seed"],
            variants=COLONIES,
            # Where runs end after a part of the paper's work, so do traces.
            iterations=round(ITERATIONS * min([1, *(REACHES[v] for v in {*COLONIES} & {*REACHES})])),
        script:
            "../scripts/traces.py"


# One job makes all tables of a paper: to start a process takes longer than to make a table.
for paper, names in by_paper(TABLES, CONFIG.experiments).items():

    rule:
        name:
            f"tables_{paper}"
        input:
            runs="<results>/tables/runs.parquet",
            traces="<results>/tables/traces.parquet" if tables.FROM_TRACES & {*names} else [],
            published=f"{PACKAGE}/data/published_results.csv",
            work=f"{PACKAGE}/data/work_of_limits.csv",
        output:
            [
                report(
                    f"<results>/tables/{name}.csv",
                    caption=f"../report/{name}.rst",
                    category="Beyond the papers" if paper in BEYOND else "Tables",
                    labels={"table": name},
                )
                for name in names
            ],
        log:
            f"<logs>/tables/{paper}.log",
        localrule: True
        params:
            code=fingerprint("tables"),
        script:
            "../scripts/tables.py"

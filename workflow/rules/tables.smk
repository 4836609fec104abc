# Runs -> tables: all runs in one file, then one CSV file for each table.
from antdoku import papers, published, tables
from antdoku.families import is_random
from antdoku.runs.traces import ITERATIONS, traceable

TABLES = tables.of_experiments(
    CONFIG.experiments,
    [
        name
        for name, experiment in CONFIG.experiments.items()
        if not all(family.is_given for family in experiment.families.values())
    ],
    [
        name
        for name, experiment in CONFIG.experiments.items()
        if not any(family.is_given for family in experiment.families.values())
    ],
)
# What the papers are, what they print, and the work behind it.
PAPERS = [
    os.path.relpath(file)
    for name in (papers.FILE, published.NUMBERS, published.WORKS)
    for file in papers.with_file(name)
]
# Of a figure or table, by its name.
CAPTIONS = {
    file.stem: str(file.resolve())
    for file in [*Path(f"{WORKFLOW}/report").glob("*.rst"), *papers.with_file("captions/*.rst")]
}


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
        mem_mb=4000,
    params:
        code=fingerprint("tables"),
    script:
        "../scripts/collect.py"


# The inside of some runs, at the point that turns out to be the hardest.
for traced in sorted({tables.every()[name].traces for name in TABLES} - {""}):
    experiment = CONFIG.experiments[traced]
    colonies = traceable(experiment.plans)
    shares = [1, *(experiment.reaches[name] for name in {*colonies} & {*experiment.reaches})]

    rule:
        name:
            f"traces_{traced}"
        input:
            runs="<results>/tables/runs.parquet",
            instances=[
                f"<results>/instances/{traced}/{family.name}.parquet"
                for family in experiment.families.values()
                if is_random(family.name)
            ],
        output:
            f"<results>/traces/{traced}.parquet",
        log:
            f"<logs>/traces/{traced}.log",
        group:
            "results"
        # It needs all runs, and whatever else does so takes seconds: without threads all wait for it.
        threads: workflow.cores or 1
        resources:
            # A colony goes on to the last iteration on most of the hardest instances.
            runtime=lambda _, attempt, minutes=10 + 10 * len(colonies): attempt * minutes,
        params:
            # With the solver that is found by its name.
            code=fingerprint("runs.traces", "tables.curves", "solvers.acs"),
            experiment=traced,
            seed=CONFIG.seed,
            variants=colonies,
            # Where runs end after a part of the paper's work, so do traces.
            iterations=round(ITERATIONS * min(shares)),
        script:
            "../scripts/traces.py"


# One job makes all tables of a paper: to start a process takes longer than to make a table.
for paper, names in tables.by_paper(TABLES).items():

    rule:
        name:
            f"tables_{paper}"
        input:
            runs="<results>/tables/runs.parquet",
            traces=[
                f"<results>/traces/{traced}.parquet"
                for traced in {tables.every()[name].traces for name in names} - {""}
            ],
            papers=PAPERS,
        output:
            [
                report(
                    f"<results>/tables/{name}.csv",
                    caption=CAPTIONS[name],
                    category=papers.title(paper),
                    labels={"table": name},
                )
                for name in names
            ],
        log:
            f"<logs>/tables/{paper}.log",
        localrule: True
        params:
            code=fingerprint(*sorted(tables.modules(names), key=str)),
        script:
            "../scripts/tables.py"

# What is said about the results: where they come from, a page to read, and whether they may be trusted.
from pathlib import Path


rule provenance:
    input:
        runs="<results>/tables/runs.parquet",
        started=sorted({f"{RESULTS}/{file}" for job in JOBS.values() for file in job.instances}),
    output:
        "<results>/provenance.json",
    log:
        "<logs>/provenance.log",
    localrule: True
    resources:
        # Not a parameter: another number of cores is no reason to write it again.
        workflow_cores=lambda _: (workflow.resource_settings.cores or 0) * workflow.local_exec,
    params:
        code=fingerprint("runs.provenance"),
        config=config,
    script:
        "../scripts/provenance.py"


# A run of ACS, iteration by iteration, for the report to play: the same in every experiment.
rule recording:
    input:
        data=f"{PACKAGE}/data/named_9x9.csv",
    output:
        "<results>/recording.json",
    log:
        "<logs>/recording.log",
    localrule: True
    params:
        code=fingerprint("runs.recording"),
    script:
        "../scripts/recording.py"


rule report_html:
    input:
        provenance="<results>/provenance.json",
        runs="<results>/tables/runs.parquet",
        instances=[
            f"<results>/instances/{experiment.name}/{family.name}.parquet"
            for experiment in CONFIG.experiments.values()
            for family in experiment.families.values()
            if family.is_given
        ],
        claims=CLAIMS[0],
        recording="<results>/recording.json",
        tables=expand("<results>/tables/{table}.csv", table=TABLES),
        figures=expand("<results>/figures/{figure}.png", figure=FIGURES),
        captions=sorted(CAPTIONS.values()),
        templates=sorted(Path(f"{PACKAGE}/report/templates").iterdir()),
        puzzles=f"{PACKAGE}/data/named_9x9.csv",
        papers=PAPERS,
    output:
        page=report(
            "<results>/report.html",
            caption="../report/report.rst",
            category="Report",
            labels={"page": "report"},
        ),
        findings="<results>/findings.txt",
    log:
        "<logs>/report.log",
    localrule: True
    params:
        code=fingerprint("report", *papers.with_file("findings.py")),
    script:
        "../scripts/report.py"


# Comes last, so that a wrong run does not keep the tables and figures from being made.
rule check:
    input:
        "<results>/provenance.json",
        "<results>/report.html",
        CLAIMS,
        expand("<results>/tables/{table}.csv", table=TABLES),
        expand("<results>/figures/{figure}.{format}", figure=FIGURES, format=figures.FORMATS),
        runs="<results>/tables/runs.parquet",
        instances=sorted({f"{RESULTS}/{file}" for job in JOBS.values() for file in job.instances}),
    output:
        "<results>/check.txt",
    log:
        "<logs>/check.log",
    localrule: True
    params:
        code=fingerprint("runs.provenance"),
        repetitions={
            f"{job.experiment}/{plan.variant}/{family}": plan.repetitions
            for job in JOBS.values()
            for plan in job.plans
            for family in job.families
        },
    script:
        "../scripts/check.py"

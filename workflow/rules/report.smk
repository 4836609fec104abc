# What is said about the results: where they come from, and whether they may be trusted.
rule provenance:
    input:
        runs="<results>/tables/runs.parquet",
        started=[f"{RESULTS}/{job.instances}" for job in JOBS.values()],
        code=sources("provenance"),
    output:
        "<results>/provenance.json",
    log:
        "<logs>/provenance.log",
    conda:
        "../../environment.yml"
    resources:
        # Not a parameter: another number of cores is no reason to write it again.
        workflow_cores=workflow.resource_settings.cores or 0,
    params:
        config=config,
    script:
        "../scripts/provenance.py"


# Comes last, so that a wrong run does not keep the tables and figures from being made.
rule check:
    input:
        "<results>/provenance.json",
        CLAIMS,
        expand("<results>/tables/{table}.csv", table=TABLES),
        expand("<results>/figures/{figure}.{format}", figure=FIGURES, format=figures.style.FORMATS),
        runs="<results>/tables/runs.parquet",
        code=sources("tables"),
    output:
        "<results>/check.txt",
    log:
        "<logs>/check.log",
    conda:
        "../../environment.yml"
    script:
        "../scripts/check.py"

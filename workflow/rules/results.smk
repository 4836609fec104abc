# Runs -> tables -> claims, figures -> report.
# The descriptions of the papers, their printed numbers and their claims.
PAPERS = [
    os.path.relpath(file)
    for kind in ("csv", "yaml")
    for file in papers.with_file(f"*.{kind}")
    if file.name != figures.FILE
]
FORMS = (*figures.FORMATS, figures.NARROW)
DECLARED = [os.path.relpath(file) for file in figures.files()]


# These rules run in the process of Snakemake, on a cluster, too: each takes seconds.
localrules:
    examples,
    tables,
    claims,
    figures,
    report,
    check,
    all,


# Thresholds of random deletions from the complete grids of an experiment.
rule thresholds:
    input:
        instances="<results>/instances/{experiment}.parquet",
    output:
        "<results>/thresholds/{experiment}.parquet",
    log:
        "<logs>/thresholds/{experiment}.log",
    conda:
        "../envs/antdoku.yaml"
    threads: max(1, (workflow.cores or 1) - 1)
    resources:
        runtime=lambda _, attempt: attempt * 120,
    params:
        code=fingerprint("instances.thresholds"),
    script:
        "../scripts/thresholds.py"


# A puzzle for the first figures of the papers, and a run of ACS for the report to play.
rule examples:
    output:
        puzzle="<results>/example.json",
        recording="<results>/recording.json",
    log:
        "<logs>/examples.log",
    priority: 2
    conda:
        "../envs/antdoku.yaml"
    params:
        code=fingerprint("runs.recording", "runs.example"),
    script:
        "../scripts/examples.py"


rule tables:
    input:
        runs="<results>/{stage}runs.parquet",
        # They take long, so the first look does without.
        thresholds=lambda files: expand(
            f"{RESULTS}/thresholds/{{experiment}}.parquet",
            experiment=[] if files.stage else tables.with_thresholds(TABLES),
        ),
        papers=PAPERS,
    output:
        expand("<results>/{stage}tables/{table}.csv", table=TABLES, allow_missing=True),
    log:
        "<logs>/{stage}tables.log",
    priority: 2
    conda:
        "../envs/antdoku.yaml"
    params:
        code=fingerprint("tables", *papers.with_file("tables.py")),
    script:
        "../scripts/tables.py"


# Verdicts on the papers' claims.
rule claims:
    input:
        runs="<results>/{stage}runs.parquet",
        papers=PAPERS,
    output:
        "<results>/{stage}tables/claims.csv",
    log:
        "<logs>/{stage}claims.log",
    priority: 2
    conda:
        "../envs/antdoku.yaml"
    params:
        code=fingerprint("claims.verdicts"),
    script:
        "../scripts/claims.py"


rule figures:
    input:
        tables=expand(
            "<results>/{stage}tables/{table}.csv",
            table=sorted({figures.every()[name].table for name in FIGURES} & {*TABLES}),
            allow_missing=True,
        ),
        puzzle="<results>/example.json",
        style=os.path.relpath(PACKAGE / "figures" / "antdoku.mplstyle"),
        declared=DECLARED,
    output:
        expand(
            "<results>/{stage}figures/{figure}.{form}",
            figure=DRAWN,
            form=FORMS,
            allow_missing=True,
        ),
    log:
        "<logs>/{stage}figures.log",
    priority: 2
    conda:
        "../envs/antdoku.yaml"
    params:
        code=fingerprint("figures.comparison", "figures.puzzles", *papers.with_file("figures.py")),
        colors=dict(sorted(zip(PLAN["variant"], PLAN["color"]))),
        share=lambda files: SHARE if files.stage else "",
    script:
        "../scripts/figures.py"


rule report:
    input:
        runs="<results>/{stage}runs.parquet",
        provenance="<results>/{stage}provenance.json",
        claims="<results>/{stage}tables/claims.csv",
        recording="<results>/recording.json",
        tables=expand("<results>/{stage}tables/{table}.csv", table=TABLES, allow_missing=True),
        figures=expand("<results>/{stage}figures/{figure}.png", figure=FIGURES, allow_missing=True),
        templates=sorted(os.path.relpath(file) for file in TEMPLATES.iterdir()),
        papers=PAPERS + DECLARED,
    output:
        page="<results>/{stage}report.html",
        summary="<results>/{stage}summary.txt",
    log:
        "<logs>/{stage}report.log",
    priority: 2
    conda:
        "../envs/antdoku.yaml"
    params:
        code=fingerprint("report.page"),
        share=lambda files: SHARE if files.stage else "",
    script:
        "../scripts/report.py"


# No other rule needs this one: a wrong run does not prevent the report, which names it.
rule check:
    input:
        runs="<results>/runs.parquet",
        report="<results>/report.html",
    output:
        "<results>/check.txt",
    log:
        "<logs>/check.log",
    conda:
        "../envs/antdoku.yaml"
    script:
        "../scripts/check.py"


rule all:
    default_target: True
    input:
        [f"{RESULTS}/{FIRST}report.html"] if HAS_FIRST else [],
        "<results>/check.txt",
        "<results>/report.html",
        expand("<results>/figures/{figure}.{form}", figure=FIGURES, form=FORMS),

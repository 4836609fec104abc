# Configuration -> instances -> runs. `plan.parquet` is written when a workflow starts.
PYTHON_MB = 500  # resident, with all modules and kernels loaded
MINUTES, SOURCES = plan.minutes(PLAN), plan.sources(PLAN)
FAMILIES = {name: block.families(CONFIG.seed) for name, block in CONFIG.blocks.items()}


# Configuration -> a file of all instances of an experiment.
rule instances:
    output:
        "<results>/instances/{experiment}.parquet",
    log:
        "<logs>/instances/{experiment}.log",
    priority: 4
    conda:
        "../envs/antdoku.yaml"
    resources:
        # A search for large grids takes minutes.
        runtime=lambda files, attempt: attempt * 10 * len(FAMILIES[files.experiment]),
    params:
        families=lambda files: FAMILIES[files.experiment],
        made_from=lambda files: families.fingerprints(FAMILIES[files.experiment]),
    script:
        "../scripts/instances.py"


# A part of the plan -> its runs.
rule run:
    input:
        lambda files: f"{RESULTS}/instances/{plan.experiment_of(files.part)}.parquet",
    output:
        "<results>/runs/{part}.parquet",
    log:
        "<logs>/runs/{part}.log",
    priority: 1
    group:
        "runs"
    conda:
        "../envs/antdoku.yaml"
    resources:
        mem_mb=CONFIG.jobs.memory_mb + PYTHON_MB,
        runtime=lambda files, attempt: attempt * MINUTES[files.part],
    params:
        rows=lambda files: PARTS[files.part],
        solver_mb=CONFIG.jobs.memory_mb,
        code=lambda files: fingerprint("runs.job", *SOURCES[files.part]),
        plan=f"{RESULTS}/plan.parquet",
        journals=lambda files: f"{RESULTS}/journals/{plan.experiment_of(files.part)}",
    script:
        "../scripts/run.py"


# The parts of the first look come before all others.
if FIRST_PARTS:

    use rule run as run_first with:
        output:
            "<results>/runs/{part}.parquet",
        wildcard_constraints:
            part="|".join(FIRST_PARTS),
        priority: 3
        group:
            "first"

    ruleorder: run_first > run


# All runs in one file, and where they come from.
rule collect:
    input:
        runs=lambda files: expand(
            f"{RESULTS}/runs/{{part}}.parquet", part=FIRST_PARTS if files.stage else PARTS
        ),
        instances=expand("<results>/instances/{experiment}.parquet", experiment=EXPERIMENTS),
    output:
        runs="<results>/{stage}runs.parquet",
        provenance="<results>/{stage}provenance.json",
    log:
        "<logs>/{stage}collect.log",
    priority: 2  # of the rules of the first look; nothing waits for all runs but the last report
    conda:
        "../envs/antdoku.yaml"
    resources:
        mem_mb=4000,
    params:
        code=fingerprint("runs.collection", "runs.provenance"),
        plan=f"{RESULTS}/plan.parquet",
        config=configuration.merge(LAYERS),
        labels=dict(sorted(zip(PLAN["variant"], PLAN["label"]))),
    script:
        "../scripts/collect.py"

# Instances -> runs: one Parquet file for each job, a part of the runs of one variant on one family.
from dataclasses import asdict

JOBS = experiment.jobs(CONFIG)


# Parallel jobs would all compile the same kernels, so this comes first. Kernels depend on the width
# of the masks: orders up to 5 share them, and 6 to 8.
rule compile:
    input:
        code=lambda kernels: sources("run", f"solvers.{kernels.solver}"),
    output:
        touch("<results>/compiled/{solver}-{bits}.flag"),
    log:
        "<logs>/compiled/{solver}-{bits}.log",
    conda:
        "../../environment.yml"
    params:
        order=lambda kernels: 5 if kernels.bits == "32" else 8,
    script:
        "../scripts/compile.py"


rule run:
    input:
        # Not ancient(): with that, Snakemake 9.27 overlooks that the code has changed as well.
        compiled=lambda files: f"{RESULTS}/compiled/{JOBS[files.job].kernels}.flag",
        instances=lambda files: f"{RESULTS}/{JOBS[files.job].instances}",
        code=lambda files: sources("job", f"solvers.{JOBS[files.job].plan.solver}"),
    output:
        "<results>/runs/{job}.parquet",
    log:
        "<logs>/runs/{job}.log",
    conda:
        "../../environment.yml"
    resources:
        # What the process of the solver may allocate.
        mem_mb=CONFIG.memory_mb,
    params:
        job=lambda files: asdict(JOBS[files.job]),
        journal=f"{RESULTS}/journals/{{job}}.jsonl",
    script:
        "../scripts/run.py"

# Instances -> runs: one Parquet file for each job, all variants on a part of the instances of some families.
from dataclasses import asdict

from antdoku.solvers import orders, shipped, source

JOBS = configuration.jobs(CONFIG)
KERNELS = configuration.compiled(JOBS.values())
PYTHON_MB = 500  # resident, with all modules and kernels loaded


# Parallel jobs would all compile the same kernels, so this comes first. Kernels depend on the width
# of the masks: orders up to 5 share them, and those above.
rule compile:
    output:
        touch("<results>/compiled/{solver}-{bits}.flag"),
    log:
        "<logs>/compiled/{solver}-{bits}.log",
    # First: others that need the kernels would compile them as well.
    priority: 3
    group:
        "prepare"
    params:
        code=lambda kernels: fingerprint("runs.run", f"solvers.{kernels.solver}"),
        order=lambda kernels: min(5 if kernels.bits == "32" else 8, orders(kernels.solver)[-1]),
        words=lambda kernels: KERNELS[f"{kernels.solver}-{kernels.bits}"],
    script:
        "../scripts/compile.py"


rule run:
    input:
        # Not ancient(): with that, Snakemake 9.27 overlooks that the code has changed as well.
        compiled=lambda files: [
            f"{RESULTS}/compiled/{configuration.kernels_of(solver, JOBS[files.job].order)}.flag"
            for solver in JOBS[files.job].solvers
            if solver in shipped()  # a file of one's own is compiled by each job
        ],
        instances=lambda files: [f"{RESULTS}/{file}" for file in JOBS[files.job].instances],
    output:
        "<results>/runs/{job}.parquet",
    log:
        "<logs>/runs/{job}.log",
    # Among equals the largest input comes first, and large instances take longest.
    priority: 1
    # On a cluster: a profile says how many of them make one submission.
    group:
        "runs"
    resources:
        # Not a parameter: another bound is no reason to run anything again.
        solver_mb=CONFIG.memory_mb,
        # That, and what Python has before.
        mem_mb=CONFIG.memory_mb + PYTHON_MB,
        runtime=lambda files, attempt: attempt * JOBS[files.job].minutes,
    params:
        code=lambda files: fingerprint("runs.job", *map(source, JOBS[files.job].solvers)),
        job=lambda files: asdict(JOBS[files.job]),
        journals=lambda files: f"{RESULTS}/journals/{JOBS[files.job].stem}",
    script:
        "../scripts/run.py"

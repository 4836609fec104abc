# The workflow: instances -> runs -> tables -> figures -> report, one file of rules for each arrow.
import os
from sys import stderr

from snakemake.utils import min_version

from antdoku.sources import fingerprint
from antdoku.workflow import PID, begin, clear_locks, one_line_errors

min_version("9.14")

with one_line_errors():
    # Imports what is compiled, for which there may be no place.
    from antdoku import config as experiment

    experiment.read("config/config.yaml")

    configfile: "config/config.yaml"

    SCHEMA = "workflow/schemas/config.schema.yaml"
    CONFIG = experiment.check(config, workflow.configfiles, SCHEMA)


RESULTS = f"results/{CONFIG.name}"

# Scripts end with this process, however it ends.
os.environ[PID] = str(os.getpid())
if workflow.is_main_process:
    with one_line_errors():
        clear_locks(CONFIG.name)


pathvars:
    results=RESULTS,
    logs=f"{RESULTS}/logs",


include: "workflow/rules/instances.smk"
include: "workflow/rules/runs.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/report.smk"


onstart:
    with one_line_errors():
        begin(CONFIG.name)
    where = ""
    if workflow.local_exec:
        where = f" on {workflow.cores} cores"
        # Without effect here, but each job that ends leaves it a timer that makes Snakemake 9.27
        # look at all jobs every second, for good: after 300 jobs that takes a third of a core.
        workflow.scheduler.job_rate_limiter = None
    # What it takes if every limit is met: as a rule it takes a fraction of that.
    coming = [job for job in workflow.dag.needrun_jobs() if job.rule.name == "run"]
    effort = experiment.effort(JOBS[job.wildcards.job] for job in coming)
    print(f"antdoku: {effort}{where}", file=stderr)


rule all:
    default_target: True
    input:
        "<results>/check.txt",
    localrule: True


onsuccess:
    if Path(f"{RESULTS}/report.html").exists():
        print(f"Report: {RESULTS}/report.html")

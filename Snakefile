# The workflow: instances -> runs -> tables -> figures -> report, one file of rules for each arrow.
from os.path import exists
from sys import stderr

from snakemake.utils import min_version

from antdoku import config as experiment
from antdoku.sources import fingerprint
from antdoku.workflow import one_line_errors

min_version("9.14")

with one_line_errors():
    experiment.read("config/config.yaml")

    configfile: "config/config.yaml"

    SCHEMA = "workflow/schemas/config.schema.yaml"
    CONFIG = experiment.check(config, workflow.configfiles, SCHEMA)


RESULTS = f"results/{CONFIG.name}"


pathvars:
    results=RESULTS,
    logs=f"{RESULTS}/logs",


include: "workflow/rules/instances.smk"
include: "workflow/rules/runs.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/report.smk"


# Every limit met: as a rule it takes a fraction of that.
onstart:
    missing = [
        job for name, job in JOBS.items() if not exists(f"{RESULTS}/runs/{name}.parquet")
    ]
    print(
        f"antdoku: {experiment.effort(CONFIG, missing)} on {workflow.cores} cores", file=stderr
    )


rule all:
    default_target: True
    input:
        "<results>/check.txt",
    localrule: True


onsuccess:
    if Path(f"{RESULTS}/report.html").exists():
        print(f"Report: {RESULTS}/report.html")

# `snakemake` finds this file first. The workflow is where the Snakemake workflow catalog expects it.
include: "workflow/Snakefile"


# An included file does not set it.
workflow.default_target = "all"

# `snakemake` finds this file first; the workflow stands where the Snakemake workflow catalog wants it.
include: "workflow/Snakefile"


# An included file does not set it.
workflow.default_target = "all"

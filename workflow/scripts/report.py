"""Write the report: one page with everything inside."""

from antdoku import report
from antdoku.workflow import logged

with logged(snakemake.log[0]):
    report.write(
        snakemake.output.page,
        runs=snakemake.input.runs,
        instances=snakemake.input.instances,
        provenance=snakemake.input.provenance,
        verdicts=snakemake.input.claims,
        recording=snakemake.input.recording,
        figures=snakemake.input.figures,
        pages=snakemake.input.tables,
        captions=snakemake.input.captions,
    )

"""Write the report: one page with everything inside, and its chief tables as text."""

from antdoku import report
from antdoku.errors import logged

with logged(snakemake.log[0]):
    report.write(
        snakemake.output.page,
        runs=snakemake.input.runs,
        instances=snakemake.input.instances,
        provenance=snakemake.input.provenance,
        verdicts=snakemake.input.claims,
        recording=snakemake.input.recording,
        figures=snakemake.input.figures,
        tables=snakemake.input.tables,
        summary=snakemake.output.summary,
    )

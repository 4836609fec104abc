"""Write the report: one page with everything inside, and its chief tables as text."""

import sys

from antdoku.errors import logged

with logged(snakemake.log[0]):
    from antdoku.report import page

    page.write(
        snakemake.output.page,
        runs=snakemake.input.runs,
        provenance=snakemake.input.provenance,
        verdicts=snakemake.input.claims,
        recording=snakemake.input.recording,
        figures=snakemake.input.figures,
        tables=snakemake.input.tables,
        summary=snakemake.output.summary,
        share=snakemake.params.share,
    )
if snakemake.params.share:
    print(f"{snakemake.params.share} -> {snakemake.output.page}", file=sys.__stderr__)

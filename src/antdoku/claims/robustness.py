"""How many verdicts does another complete run change, of other instances and other seeds?

    python -m antdoku.claims.robustness A/claims.csv B/claims.csv -o robustness.md

A claim that two runs of one configuration decide differently rests on chance.
"""

from pathlib import Path

import click
import pandas as pd

from antdoku.claims import page
from antdoku.claims.evidence import VERDICTS
from antdoku.errors import one_line_errors
from antdoku.papers import editions

TEXT = """\
# Verdicts of two runs

Of {n} claims that both runs decide, {n_same} have the same verdict. {n_alone} are about runs of one
of the two alone. Rows are verdicts of the first run, columns those of the second."""
HEADER = ("paper", "claim", "published", "first run", "second run")


def markdown(first: pd.DataFrame, second: pd.DataFrame) -> str:
    """How two ledgers (columns `verdicts.COLUMNS`) differ: counts of verdicts, and each change."""
    both = first.merge(second[["id", "verdict", "ours"]], on="id", suffixes=("", "_second"))
    changed = both[both["verdict"] != both["verdict_second"]]
    counts = pd.crosstab(both["verdict"], both["verdict_second"])
    counts = counts.reindex(index=VERDICTS, columns=VERDICTS, fill_value=0).rename_axis("")
    n = {"n": len(both), "n_same": len(both) - len(changed)}
    parts = [TEXT.format(**n, n_alone=len(first) + len(second) - 2 * len(both))]
    parts += [page.markdown_frame(counts)]
    rows = [
        (
            *(editions()[row.paper], page.claimed(row), row.published),
            *(f"**{row.verdict}**: {row.ours}", f"**{row.verdict_second}**: {row.ours_second}"),
        )
        for row in changed.itertuples()
    ]
    return "\n\n".join([*parts, page.markdown_table(HEADER, rows)][: 2 + bool(rows)]) + "\n"


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("-o", "--output", default="-", help="Markdown file; the terminal if not given.")
def main(first, second, output):
    """Count the claims whose verdicts differ between two tables of claims, and list them."""
    with one_line_errors():
        text = markdown(*map(page.read, (first, second)))
        click.echo(text, nl=False) if output == "-" else Path(output).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

"""Are the verdicts of two complete runs the same?

    python -m antdoku.claims results/one/tables/runs.parquet results/other/tables/runs.parquet

A claim whose verdict differs between runs of two hours rests on noise.
"""

import sys

import click

from antdoku import tables
from antdoku.claims import verdicts
from antdoku.errors import one_line_errors

DIFFERENT = 1  # exit status


@click.command()
@click.argument("first")
@click.argument("second")
def main(first, second):
    """Print the claims whose verdicts differ between two runs tables; exit with status 1 if any."""
    with one_line_errors():
        pair = [verdicts.decide(tables.read_runs(path)) for path in (first, second)]
    differing = verdicts.differing(*pair)
    for row in differing.itertuples():
        click.echo(f"{row.id}: {row.verdict}, {row.verdict_other} ({row.ours}; {row.ours_other})")
    n = len(verdicts.both(*pair))
    click.echo(f"claims: {n - len(differing)} of {n} verdicts are the same")
    if others := sum(map(len, pair)) - 2 * n:
        click.echo(f"claims: {others} are about runs of one of the two alone")
    sys.exit(DIFFERENT if len(differing) else 0)


if __name__ == "__main__":
    main()

"""The ledger of record: one verdict a claim, of all published runs.

    python -m antdoku.claims.record docs/results

A claim about random instances of Lloyd & Amos is decided twice: on instances of ours, and on those
of the authors, which are those of the paper. The latter verdict is that of record.
"""

from pathlib import Path

import click
import numpy as np
import pandas as pd

from antdoku import tables
from antdoku.claims import ledger, page
from antdoku.claims.samples import ARCHIVE, GIVEN
from antdoku.errors import one_line_errors
from antdoku.tables.summary import typed

AUTHORS, OURS, GIVEN_PUZZLES = "the authors' instances", "our instances", "given puzzles"
TEXTS = ("id", "paper", "place", "claim", "published")
# The verdict of record, on what it was decided, what was measured there, its reason and readings;
# and the verdict of the default, which is that of record if there is no other, and its measurement.
COLUMNS = dict.fromkeys((*TEXTS, "verdict", "decided_on", "measured", "reason", "readings"), "str")
COLUMNS |= {"verdict_ours": "str", "ours": "str"}
TEXT = """\
# The verdicts of record

Each claim of the papers has one verdict of record. A claim about random instances of Lloyd & Amos
is decided on the authors' own instances, which are those of the paper, and on instances of ours:
the first is the verdict of record. All others are decided on given puzzles, or on our instances
alone. Tests, intervals and limits: [the default](tables/claims.md){archive}.

[The report](report.html) filters and sorts the claims."""
ON_ARCHIVE = ", [the authors' instances](archive/tables/claims.md)"


def of_record(ours: pd.DataFrame, archive: pd.DataFrame) -> pd.DataFrame:
    """Combine the verdicts of the default with those on the authors' instances, a row each.

    Both have the columns `verdicts.COLUMNS`; the latter decide on random instances alone. Claims of
    the archive alone come last.
    """
    given = [claim.id for claim in ledger.load() if not claim.runs or {*GIVEN} & {*claim.where}]
    archive = archive[~archive["id"].isin(given)]
    record = pd.concat([archive, ours]).drop_duplicates("id").set_index("id")
    record = record.loc[pd.concat([ours, archive])["id"].unique()]
    kinds = [record.index.isin(archive["id"]), record.index.isin(given)]
    default = ours.set_index("id").reindex(record.index)
    table = record.assign(
        measured=record["ours"],
        decided_on=np.select(kinds, [AUTHORS, GIVEN_PUZZLES], OURS),
        verdict_ours=default["verdict"].fillna(""),
        ours=default["ours"].fillna(""),
    )
    return typed(table.reset_index(), COLUMNS)


def markdown(table: pd.DataFrame) -> str:
    """Return the verdicts as a page: counts, and a table for each paper."""
    text = TEXT.format(archive=ON_ARCHIVE if AUTHORS in {*table["decided_on"]} else "")
    return "\n\n".join(filter(None, [text, *page.by_paper(table, _cells)])) + "\n"


def _cells(row):
    return {
        "claim": page.statement(row),
        "verdict of record": page.verdict(row),
        "published": row.published,
        "measured": row.measured,
        "decided on": row.decided_on,
        "on our instances": row.verdict_ours,
    }


@click.command()
@click.argument("folder")
def main(folder):
    """Write claims.csv and claims.md of the results in FOLDER, and in its folder `archive`."""
    folder = Path(folder)
    files = [place / "tables" / "claims.csv" for place in (folder, folder / ARCHIVE)]
    with one_line_errors():
        ours = page.read(files[0])
        archive = page.read(files[1]) if files[1].exists() else ours.iloc[:0]
        table = of_record(ours, archive)
        tables.write(table, folder / "claims.csv")
        (folder / "claims.md").write_text(markdown(table), encoding="utf-8")


if __name__ == "__main__":
    main()

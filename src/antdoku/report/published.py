"""Draws the reports of published results again, from the published files alone.

    python -m antdoku.report.published docs/results archive

So they show today's page, and that of the default the verdicts of record.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from antdoku import figures, tables
from antdoku.errors import one_line_errors
from antdoku.figures import style
from antdoku.report import page


@click.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("names", nargs=-1)
def main(results, names):
    """Write report.html of the published RESULTS, and of those NAMES in folders of it."""
    with one_line_errors():
        for folder in (results, *(results / name for name in names)):
            write(folder, results / "recording.json")


def write(folder: Path, recording: Path) -> None:
    """Write the report of one folder; figures are drawn anew, for the page has more forms of them.

    Verdicts are those of record (`claims.record`) if the folder has them.
    """
    data = {file.stem: file for file in sorted((folder / "tables").glob("*.csv"))}
    decided = data.pop("claims")
    record = folder / "claims.csv"
    with TemporaryDirectory() as scratch:
        drawn = [_draw(file, data, Path(scratch)) for file in sorted(folder.glob("figures/*.png"))]
        page.write(
            folder / "report.html",
            runs=folder / "tables" / "runs.parquet",
            provenance=folder / "provenance.json",
            verdicts=record if record.exists() else decided,
            recording=recording,
            figures=drawn,
            tables=data.values(),
            summary=Path(scratch) / "summary.txt",
        )


def _draw(picture, data, scratch):
    """Return a figure in all forms, drawn from its table; of a puzzle the published picture."""
    entry = figures.every()[picture.stem]
    if entry.puzzle:
        return picture
    content = tables.read(entry.table, data[entry.table])
    png, _ = style.save(figures.make(picture.stem, content), scratch / picture.stem, ("png", "svg"))
    return png


if __name__ == "__main__":
    main()

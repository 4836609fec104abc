"""Make the reports of published results again, from the published files alone.

    python -m antdoku.report.published docs/results archive

The page is today's page. The report of the default has the verdicts of record.
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
    """Write report.html of the published RESULTS, and of the folders NAMES in it."""
    with one_line_errors():
        for folder in (results, *(results / name for name in names)):
            write(folder, results / "recording.json")


def write(folder: Path, recording: Path) -> None:
    """Write the report of one folder. Its figures are drawn again, also as SVG.

    Verdicts are the verdicts of record (`claims.record`) if the folder has them.
    """
    runs = folder / "tables" / "runs.parquet"
    looks = style.looks_of_runs(tables.read_runs(runs))
    data = {file.stem: file for file in sorted((folder / "tables").glob("*.csv"))}
    verdicts, of_record = data.pop("claims"), folder / "claims.csv"
    picture = folder / "overview.png"  # of the verdicts of record
    with TemporaryDirectory() as scratch:
        published = sorted(folder.glob("figures/*.png"))
        drawn = [_draw(picture, data, looks, Path(scratch)) for picture in published]
        page.write(
            folder / "report.html",
            runs=runs,
            provenance=folder / "provenance.json",
            verdicts=of_record if of_record.exists() else verdicts,
            picture=picture if picture.exists() else None,
            recording=recording,
            figures=drawn,
            tables=data.values(),
            summary=Path(scratch) / "summary.txt",
        )


def _draw(picture, data, looks, scratch):
    """Draw a figure from its table and return the PNG; for a figure of a puzzle `picture`."""
    entry = figures.every()[picture.stem]
    if entry.puzzle:
        return picture
    table = tables.read(entry.table, data[entry.table])
    drawn = figures.make(entry.name, table, looks=looks)
    png, _ = style.save(drawn, scratch / entry.name, ("png", "svg"))
    return png


if __name__ == "__main__":
    main()

"""Make the reports of published results again, from the published files alone.

    python -m antdoku.report.published docs/results frontier

The page is today's page. The report of the default has the verdicts of record. Its random instances
of Lloyd & Amos are the authors' own. Below each of these figures stands the same figure on random
instances of ours.
"""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pandas as pd

from antdoku import figures, papers, tables, yaml_files
from antdoku.errors import one_line_errors
from antdoku.figures import style
from antdoku.instances.family import ARCHIVE
from antdoku.report import page, record
from antdoku.tables import work
from antdoku.tables.registry import is_random

FINDINGS, EXAMPLE = "findings.yaml", "example.json"


@click.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("names", nargs=-1)
def main(results, names):
    """Write report.html of the published RESULTS, and of the folders NAMES in it."""
    recording = results / "recording.json"
    with one_line_errors():
        on_authors = on_authors_instances(results)
        if on_authors is not None:
            write_tables(results / ARCHIVE, on_authors)
        write(results, recording, on_authors)
        for name in names:
            write(results / name, recording)


def on_authors_instances(results: Path) -> pd.DataFrame | None:
    """Return all published runs on the authors' instances, with common limits; None without any."""
    runs = record.on_authors_instances(results)
    return None if runs is None else work.at_common_steps(runs)


def write_tables(folder: Path, runs: pd.DataFrame) -> None:
    """Write the published tables of a folder again, from more runs than its own."""
    for file in _tables(folder):
        if not tables.get(file.stem).thresholds:
            tables.write(tables.make(file.stem, runs), file)


def write(folder: Path, recording: Path, on_authors: pd.DataFrame | None = None) -> None:
    """Write the report of one folder, and its figures (PNG, PDF) again.

    Verdicts are the verdicts of record (`report.record`) if the folder has them. `on_authors` are
    runs on the authors' instances: they stand in place of our random instances. The report links to
    the others in the folder of `recording`.
    """
    runs = tables.read_runs(folder / "tables" / "runs.parquet")
    of_record, picture = folder / "claims.csv", folder / "overview.png"
    with TemporaryDirectory() as name:
        scratch = Path(name)
        files, second = _files(folder, runs, scratch / "figures"), {}
        if on_authors is not None:
            first = _files(folder / ARCHIVE, on_authors, scratch / "first")
            second = {name: file for name, file in files.items() if name in first}
            runs = _in_place(runs, on_authors)
            first["ranking.csv"] = scratch / "ranking.csv"
            tables.write(tables.make("ranking", runs), first["ranking.csv"])
            files |= first
        runs.to_parquet(scratch / "runs.parquet")
        page.write(
            folder / "report.html",
            runs=scratch / "runs.parquet",
            provenance=folder / "provenance.json",
            verdicts=of_record if of_record.exists() else folder / "tables" / "claims.csv",
            picture=picture if picture.exists() else None,
            findings=findings(folder),
            recording=recording,
            figures=[file for file in files.values() if file.suffix == ".png"],
            tables=[file for file in files.values() if file.suffix == ".csv"],
            second=second.values(),
            related=related(folder, recording.parent),
            summary=scratch / "summary.txt",
        )


def findings(folder: Path) -> list[dict[str, str]]:
    """Return the published findings: finding, text, name and heading of a figure; or none."""
    file, drawn = folder / FINDINGS, figures.every()
    items = yaml_files.parse(yaml_files.read_text(file), str(file)) if file.exists() else []
    return [item | {"heading": drawn[item["figure"]].heading} for item in items]


def related(folder: Path, results: Path) -> dict[str, str]:
    """Return links from the report in `folder` to the other reports and to the manual, by title."""
    titles, pages = papers.groups(), {"All papers": results / "report.html"}
    for report in sorted(results.glob("*/report.html")):
        pages[titles.get(report.parent.name, report.parent.name)] = report
    pages["Results in words"] = results / "README.md"
    pages |= {name.capitalize(): results.parent / f"{name}.md" for name in ("method", "glossary")}
    return {
        title: os.path.relpath(page, folder)
        for title, page in pages.items()
        if page.exists() and page != folder / "report.html"
    }


def _in_place(runs, on_authors):
    """Return runs with the runs on the authors' instances in place of random ones of ours."""
    is_replaced = is_random(runs) & runs["experiment"].isin(on_authors["experiment"].unique())
    return pd.concat([runs[~is_replaced], on_authors], ignore_index=True)


def _files(folder, runs, scratch):
    """Return the tables of a folder, and its figures, drawn again, by the names of the files."""
    data = {file.stem: file for file in _tables(folder)}
    looks = style.looks_of_runs(runs)
    pictures = sorted(folder.glob("figures/*.png"))
    drawn = [_draw(picture, data, looks, scratch) for picture in pictures]
    return {file.name: file for file in [*data.values(), *drawn]}


def _tables(folder):
    files = sorted((folder / "tables").glob("*.csv"))
    return [file for file in files if file.stem != "claims"]


def _draw(picture, data, looks, scratch):
    """Draw a figure in `scratch`, and again as `picture` and beside it as PDF, and narrow as SVG.

    Return the PNG in `scratch`.
    """
    drawn = scratch / picture.name
    content = figures.content(picture.stem, data, picture.parents[1] / EXAMPLE)
    figures.write(drawn, *content, looks=looks, scope=instances_of(picture))
    for form in (".png", ".pdf", f".{figures.NARROW}"):
        shutil.copy(drawn.with_suffix(form), picture.with_suffix(form))
    return drawn


def instances_of(picture: Path) -> str:
    """Return whose random instances a published figure shows; empty if there are no others."""
    results = picture.parents[1]
    if results.name == ARCHIVE:
        return "Authors' instances"
    has_second = (results / ARCHIVE / "figures" / picture.name).exists()
    return "Our instances" if has_second else ""


if __name__ == "__main__":
    main()

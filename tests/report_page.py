"""A report of synthetic runs, for the tests of the report."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from antdoku import figures, papers, report, tables
from antdoku.claims import page, verdicts
from antdoku.figures import style
from antdoku.runs import provenance, recording

CAPTIONS = [
    *(Path(__file__).parents[1] / "workflow" / "report").glob("*.rst"),
    *papers.with_file("captions/*.rst"),
]


@dataclass
class Results:
    """A result folder with what the report is made of."""

    folder: Path
    figures: list
    pages: list
    instances: list = field(default_factory=list)

    def write(self) -> Path:
        """Write the report and return its path."""
        path = self.folder / "report.html"
        report.write(
            path,
            runs=self.folder / "runs.parquet",
            instances=self.instances,
            provenance=self.folder / "provenance.json",
            verdicts=self.folder / "claims.csv",
            recording=self.folder / "recording.json",
            figures=self.figures,
            pages=self.pages,
            captions=CAPTIONS,
        )
        return path


def results_of(
    folder: Path,
    runs: pd.DataFrame,
    ledger: list | None = None,
    drawn: tuple = (),
    made: tuple = (),
) -> Results:
    """Results of these runs: claims (None: of the ledger), figures and tables by name."""
    runs.to_parquet(folder / "runs.parquet")
    content = {
        "antdoku": {"version": "0", "commit": None},
        "machine": provenance.machine(),
        "software": provenance.software(),
        "config": {"name": "synthetic"},
        "runs": provenance.summary(runs),
        "time": provenance.time_of_run([folder / "runs.parquet"], 1.0, 2),
    }
    (folder / "provenance.json").write_text(json.dumps(content))
    page.write(verdicts.decide(runs, ledger), folder / "claims.csv")
    recording.write(folder / "recording.json")
    pages = []
    for name in made:
        pages.append(folder / f"{name}.csv")
        tables.write(tables.make(name, runs), pages[-1])
    for name in drawn:
        style.save(figures.make(name, tables.make(name, runs)), folder / name)
    return Results(folder, [folder / f"{name}.png" for name in drawn], pages)

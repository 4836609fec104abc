"""A report of synthetic runs, for the tests of the report."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from antdoku import figures, report, tables
from antdoku.claims import page, verdicts
from antdoku.families import is_random
from antdoku.figures import style
from antdoku.puzzle import named
from antdoku.runs import history, provenance


@dataclass
class Results:
    """A result folder with what the report is made of."""

    folder: Path
    figures: list
    tables: list
    instances: list = field(default_factory=list)

    def write(self) -> Path:
        """Write the report, and beside it its summary, and return its path."""
        path = self.folder / "report.html"
        report.write(
            path,
            runs=self.folder / "runs.parquet",
            instances=self.instances,
            provenance=self.folder / "provenance.json",
            verdicts=self.folder / "claims.csv",
            recording=self.folder / "recording.json",
            figures=self.figures,
            tables=self.tables,
            summary=self.folder / "summary.txt",
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
    history.write_recording(folder / "recording.json")
    found = Results(folder, [folder / f"{name}.png" for name in drawn], [], instances(folder, runs))
    for name in {"ranking", *made}:
        found.tables.append(folder / f"{name}.csv")
        tables.write(tables.make(name, runs), found.tables[-1])
    for name in drawn:
        style.save(figures.make(name, tables.make(name, runs)), folder / name)
    return found


def instances(folder: Path, runs: pd.DataFrame) -> list[Path]:
    """Write the named puzzles that there are runs on, a file for each experiment."""
    known = {row.name: " ".join(row.puzzle.replace(".", "0")) for row in named.table()}
    given = runs[~runs["family"].map(is_random).astype(bool)]
    there = given[["experiment", "family", "instance_id"]].drop_duplicates()
    paths = []
    for experiment, rows in there.groupby("experiment"):
        paths.append(folder / f"{experiment}.parquet")
        rows.assign(puzzle=rows["instance_id"].map(known)).to_parquet(paths[-1])
    return paths

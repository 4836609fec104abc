"""Write a report of some runs, for the tests of the report."""

import json
import shutil
from pathlib import Path

from antdoku import tables
from antdoku.claims import verdicts
from antdoku.report import page
from antdoku.runs import provenance

RECORDING = Path(__file__).parents[1] / "docs" / "results" / "recording.json"


def report_of(folder, runs, claims, names=(), pictures=()):
    """Write the report of these runs and its summary into a folder; return the report's path.

    `claims` are a list, which the runs decide, or a file of verdicts. `names` are the tables,
    `pictures` the files of figures.
    """
    runs.to_parquet(folder / "runs.parquet")
    about = {
        "antdoku": {"version": "0", "commit": None},
        "machine": provenance.machine(),
        "software": provenance.software(),
        "config": {"name": "some"},
        "runs": provenance.summary(runs),
        "time": provenance.time_of_run([folder / "runs.parquet"]),
    }
    (folder / "provenance.json").write_text(json.dumps(about))
    if isinstance(claims, list):
        tables.write(verdicts.decide(runs, claims), folder / "claims.csv")
    else:
        shutil.copy(claims, folder)
    shutil.copy(RECORDING, folder)
    names = {"ranking", *names}
    for name in names:
        tables.write(tables.make(name, runs), folder / f"{name}.csv")
    page.write(
        folder / "report.html",
        runs=folder / "runs.parquet",
        provenance=folder / "provenance.json",
        verdicts=folder / "claims.csv",
        recording=folder / "recording.json",
        figures=pictures,
        tables=[folder / f"{name}.csv" for name in names],
        summary=folder / "summary.txt",
    )
    return folder / "report.html"

"""Published runs and tables for the tests of figures and of the report."""

from functools import cache

import pandas as pd
import studies_by_hand
from conftest import ROOT
from runs_by_hand import of_mutants, of_soto

from antdoku import tables
from antdoku.columns import dtypes
from antdoku.papers import published
from antdoku.tables import work

FOLDERS = [ROOT / "docs" / "results" / name / "tables" for name in (".", "frontier")]
FRACTIONS = (0.3, 0.45, 0.5, 0.6, 0.8)
INSTANCES, REPETITIONS = 5, 3  # per family; per variant and instance
REACH = 0.1  # share of the papers' work


@cache
def all_runs():
    """Return the runs of the default and of the frontier."""
    runs = [tables.read_runs(folder / "runs.parquet") for folder in FOLDERS]
    return pd.concat(runs, ignore_index=True)


@cache
def few_runs():
    """Return some of these runs, truncated to a part of the papers' work as in `quick`."""
    runs, family = all_runs(), ["experiment", "family"]
    is_chosen = ~tables.registry.is_random(runs) | runs["fixed_fraction"].isin(FRACTIONS)
    runs = runs[is_chosen & (runs["repetition"] < REPETITIONS)]
    chosen = runs[[*family, "instance_id"]].drop_duplicates().groupby(family).head(INSTANCES)
    groups = runs.merge(chosen).groupby("experiment")
    parts = [work.at(rows, published.work_of(name), REACH) for name, rows in groups]
    return pd.concat(parts, ignore_index=True)


@cache
def published_table(name):
    """Return a published table, or rows by hand if its columns are not published yet.

    The table of an experiment independent of the papers is made from some runs of a paper.
    """
    files = [file for folder in FOLDERS if (file := folder / f"{name}.csv").exists()]
    entry = tables.get(name)
    if all({*entry.columns} <= {*pd.read_csv(file, nrows=0)} for file in files) and files:
        return tables.read(name, *files)
    if name == "mutants":
        return of_mutants().astype(dtypes(entry.columns))
    if name in studies_by_hand.DRAWN:
        return studies_by_hand.DRAWN[name]()
    if entry.paper == "soto":
        return tables.make(name, of_soto())
    return tables.make(
        name, few_runs().query("experiment == 'lloyd_amos'").assign(experiment="mine")
    )

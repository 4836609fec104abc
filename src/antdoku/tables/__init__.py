"""Rows of runs -> tables, one module per paper: pure functions from DataFrame to DataFrame.

A runs table has the columns of `antdoku.record.COLUMNS`, one row a run. Every table is typed even
when it is empty, leaves out what the runs do not contain, and has published numbers beside ours,
in columns of their own. `make` finds a table by its name. `tables.summary` says what the columns of
the summaries mean.
"""

import json
import os
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pandas as pd
from pyarrow.parquet import ParquetFile, ParquetWriter

from antdoku.errors import InputError
from antdoku.outcome import STATUSES
from antdoku.record import COLUMNS, RUN_COLUMNS, family_name
from antdoku.tables import beyond, lewis, lloyd_amos, soto, summary
from antdoku.tables.collection import SCHEMA, collected

# Name of each table: how it is made of the runs, and its columns with their types.
TABLES = {
    "success": (summary.success, summary.SUCCESS),
    "lloyd_amos_fig4": (lloyd_amos.fig4, lloyd_amos.FIG4),
    "lloyd_amos_fig5": (lloyd_amos.fig5, lloyd_amos.COMPARISON),
    "lloyd_amos_fig6": (lloyd_amos.fig6, lloyd_amos.COMPARISON),
    "lloyd_amos_fig7": (lloyd_amos.fig7, lloyd_amos.COMPARISON),
    "lloyd_amos_fig8": (lloyd_amos.fig8, lloyd_amos.FIG8),
    "lloyd_amos_fig9": (lloyd_amos.fig9, lloyd_amos.COMPARISON),
    "lloyd_amos_table1": (lloyd_amos.table1, lloyd_amos.TABLE1),
    "lewis_fig2": (lewis.fig2, lewis.FIG2),
    "lewis_fig3": (lewis.fig3, lewis.FIG3),
    "lewis_table1": (lewis.table1, lewis.TABLE1),
    "lewis_signed_rank": (lewis.signed_rank, lewis.SIGNED_RANK),
    "soto_2013_table1": (soto.table1_2013, soto.TABLE1_2013),
    "soto_2013_table2": (soto.table2_2013, soto.TABLE2_2013),
    "soto_2013_fig4": (soto.table2_2013, soto.TABLE2_2013),  # the bars of that table
    "soto_2014_tables1_3": (soto.tables_2014, soto.TABLES_2014),
    "beyond_phase_transition": (beyond.phase_transition, beyond.PHASE_TRANSITION),
    "beyond_run_times": (beyond.run_times, beyond.RUN_TIMES),
    "beyond_cactus": (beyond.cactus, beyond.CACTUS),
    "beyond_stagnation": (beyond.stagnation, beyond.STAGNATION),
    "beyond_generators": (beyond.generators, beyond.GENERATORS),
    "beyond_sensitivity": (beyond.sensitivity, beyond.SENSITIVITY),
}
FROM_TRACES = {"beyond_stagnation"}  # the others are made of runs
WITH_PARAMS = {"beyond_sensitivity"}
# So that ten million runs fit into memory: texts kept once, and what no table shows, not at all.
REPEATED = ("experiment", "family", "variant", "label", "status")
UNSHOWN = ("solver", "kind", "params", "seed", "setup_s", "wall_s", "version", "source_hash")


def names() -> list[str]:
    """Names of the tables that `make` knows."""
    return list(TABLES)


def of_experiments(experiments: Iterable[str], with_random: Iterable[str]) -> list[str]:
    """Names of the tables that experiments can fill, of which some have random instances."""
    known, there = tuple(experiments), {*with_random}
    return [
        name
        for name in TABLES
        if name.startswith((*known, "success")) or beyond.NEEDS.get(name, {None}) <= there
    ]


def make(name: str, runs: pd.DataFrame) -> pd.DataFrame:
    """The table `name` from a runs table, or from traces if it is one of `FROM_TRACES`.

    Raises
    ------
    InputError
        If there is no such table.
    """
    return _entry(name)[0](runs)


def collect(paths: Iterable) -> pd.DataFrame:
    """All runs of several Parquet files, sorted, so that the order of the files does not matter.

    Parameters
    ----------
    paths : iterable of path
        Files of jobs (columns `record.RUN_COLUMNS`), each in the folder of its experiment.

    Raises
    ------
    InputError
        As `read_runs`, and if a run (`collection.RUN_KEY`) appears twice.
    """
    slices = [part.to_pandas() for part in collected(map(_of_experiment, paths))]
    return summary.typed(pd.concat(slices), COLUMNS)


def collect_to(paths: Iterable, output: str | Path) -> None:
    """Write what `collect` returns to a Parquet file, ten million runs in 4 GB of memory.

    Attributes of the file say the peak memory of the workers, in megabytes, if it is known.
    """
    peaks = [0.0]

    def frames():
        for path in paths:
            frame = _of_experiment(path)
            peaks.append(frame.attrs.get("peak_memory_mb", 0.0))
            yield frame

    slices = collected(frames())
    first = next(slices)
    known = json.dumps({"peak_memory_mb": max(peaks) or None})
    schema = SCHEMA.with_metadata({**SCHEMA.metadata, "PANDAS_ATTRS": known})
    with ParquetWriter(output, schema) as file:
        for part in chain([first], slices):
            file.write_table(part.cast(schema))


def read_content(name: str, path) -> pd.DataFrame:
    """Read what the table `name` is made of: runs, as little of them as it takes, or traces."""
    if name in FROM_TRACES:
        return pd.read_parquet(path)
    shown = {"params"} if name in WITH_PARAMS else set()
    runs = _read_runs(path, COLUMNS, without={*UNSHOWN} - shown)
    return runs.astype(dict.fromkeys(REPEATED, "category"))


def hardest_family(runs: pd.DataFrame) -> str:
    """Name of the family at the hardest point (`beyond.hardest`) of the highest order up to 5."""
    points = beyond.hardest(runs)
    small = points[points["order"] <= 5]
    order, fraction = (points if small.empty else small).iloc[-1]
    return family_name(int(order), fraction)


def read_runs(path) -> pd.DataFrame:
    """Read a Parquet file of collected runs and check its columns, types and statuses.

    Raises
    ------
    InputError
        Naming the file and the column, if the file is unreadable or not a runs table.
    """
    return _read_runs(path, COLUMNS)


def write(table: pd.DataFrame, path) -> None:
    """Write a table as CSV or Parquet, after the ending of `path`."""
    path = os.fspath(path)
    if path.endswith(".parquet"):
        table.to_parquet(path, index=False)
    elif path.endswith(".csv"):
        table.to_csv(path, index=False, float_format="%.9g", lineterminator="\n")
    else:
        raise InputError(f"{path}: unknown ending: allowed are .csv and .parquet")


def read(name: str, path) -> pd.DataFrame:
    """Read back the CSV of the table `name`, with its types also when it has no rows."""
    schema = _entry(name)[1]
    path = os.fspath(path)
    try:
        table = pd.read_csv(path, dtype=schema, keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not a {name} table: {str(error).splitlines()[0]}") from None
    if list(table) != list(schema):
        raise InputError(f"{path}: not a {name} table: its columns must be {', '.join(schema)}")
    return table


def _entry(name):
    if name not in TABLES:
        raise InputError(f"table {name!r}: unknown: allowed are {', '.join(TABLES)}")
    return TABLES[name]


def _of_experiment(path):
    """Runs of one job, with the name of the folder as their experiment."""
    return _read_runs(path, RUN_COLUMNS).assign(experiment=Path(path).absolute().parent.name)


def _read_runs(path, columns, without=()):
    path = os.fspath(path)
    try:
        there = ParquetFile(path).schema_arrow.names
        runs = pd.read_parquet(path, columns=[name for name in there if name not in without])
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: not a readable Parquet file: {reason}") from None
    columns = {name: columns[name] for name in columns if name not in without}
    _check_columns(runs, columns, path)
    return runs[list(columns)]


def _check_columns(runs, columns, path):
    for column, dtype in columns.items():
        if column not in runs:
            raise InputError(f"{path}: column {column}: missing: a runs table must have it")
        if runs[column].dtype != dtype:
            found = runs[column].dtype
            raise InputError(f"{path}: column {column}: type {found}: allowed is {dtype}")
    extra = [column for column in runs if column not in columns]
    if extra:
        raise InputError(f"{path}: column {extra[0]}: unknown: no runs table has it")
    wrong = runs.loc[~runs["status"].isin(STATUSES), "status"]
    if len(wrong):
        allowed = ", ".join(STATUSES)
        raise InputError(f"{path}: column status: {wrong.iloc[0]!r}: allowed are {allowed}")

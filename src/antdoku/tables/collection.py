"""Files of runs: reading one, and those of many jobs as one sorted table, in little memory."""

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute, parquet

from antdoku.errors import InputError
from antdoku.outcome import STATUSES
from antdoku.puzzle.unavoidable import unavoidable_sets
from antdoku.record import COLUMNS, RUN_COLUMNS

INSTANCE = ["family", "instance_id"]  # two families may have puzzles of one name
RUN_KEY = ["experiment", *INSTANCE, "variant", "repetition"]
SORT_KEY = ["experiment", "order", *RUN_KEY[1:]]
WORDS = pa.dictionary(pa.int32(), pa.string())  # a number for each text
TYPES = {"str": WORDS, "int64": pa.int64(), "float64": pa.float64(), "bool": pa.bool_()}
SCHEMA = pa.schema([(name, TYPES[dtype]) for name, dtype in COLUMNS.items()])
PLAIN = pa.schema(
    [(name, pa.string() if COLUMNS[name] == "str" else pa.int64()) for name in SORT_KEY]
)


def collect(paths: Iterable, instances: Iterable, output: str | Path) -> None:
    """Write all runs of several files to one: sorted, whatever the order of the files.

    Ten million runs take 4 GB of memory. Attributes of the file say the peak memory of the workers,
    in megabytes, if it is known.

    Parameters
    ----------
    paths : iterable of path
        Files of jobs (columns `record.RUN_COLUMNS`), each in the folder of its experiment.
    instances : iterable of path
        Files of the instances that they are about, in folders of the same names.

    Raises
    ------
    InputError
        As `read_runs`, and if a run (`RUN_KEY`) appears twice.
    """
    table, peak_mb = _collected(paths, _facts(instances))
    known = {"PANDAS_ATTRS": json.dumps({"peak_memory_mb": peak_mb or None})}
    # Arrow's schema would tell the reader to make words of the texts.
    with parquet.ParquetWriter(output, table.schema, store_schema=False) as file:
        file.write_table(table)
        file.add_key_value_metadata(known)


def _facts(paths):
    """By experiment, what a run is told of its instance (`record.OF_INSTANCE`), by `INSTANCE`."""
    found = defaultdict(list)
    for path in paths:
        table = pd.read_parquet(path, columns=[*INSTANCE, "puzzle", "solution", "source"])
        cells = table["puzzle"].str.split()
        given = cells.map(lambda values: (len(values) - values.count("0")) / len(values))
        # Archives do not tell solutions, but hold complete grids, too.
        sets = table["solution"].fillna(table["puzzle"]).map(_unavoidable_sets)
        facts = table[INSTANCE].assign(
            source=table["source"], given_fraction=given, unavoidable_sets=sets
        )
        found[_experiment(path)].append(facts.set_index(INSTANCE))
    return {experiment: pd.concat(facts) for experiment, facts in found.items()}


def _unavoidable_sets(text):
    """Number of unavoidable sets of a grid, as text; NaN if it is not complete."""
    grid = np.array(text.split(), int)
    return unavoidable_sets(grid) if grid.all() else np.nan


def _experiment(path):
    return Path(path).absolute().parent.name


def _collected(paths, facts):
    """Sorted rows of all files, and the peak memory of their workers in megabytes."""
    parts, peak_mb = [SCHEMA.empty_table()], 0.0
    for path in paths:
        runs = read_runs(path, RUN_COLUMNS)
        experiment = _experiment(path)
        instances = pd.MultiIndex.from_frame(runs[INSTANCE])
        known = facts[experiment].reindex(instances).set_axis(runs.index)
        runs = runs.assign(experiment=experiment, **known)[list(COLUMNS)]
        parts.append(pa.Table.from_pandas(runs, preserve_index=False).cast(SCHEMA))
        peak_mb = max(peak_mb, runs.attrs.get("peak_memory_mb", 0.0))
    return _sorted(pa.concat_tables(parts).unify_dictionaries()), peak_mb


def _sorted(table):
    keys = table.select(SORT_KEY).cast(PLAIN)  # Arrow does not sort by words
    order = compute.sort_indices(keys, [(name, "ascending") for name in SORT_KEY])
    _refuse_twins(keys.take(order))
    return table.take(order)


def _refuse_twins(keys):
    """Refuse a row, of sorted ones, that is the same as the one before."""
    pairs = zip(keys.slice(1).columns, keys.slice(0, max(0, len(keys) - 1)).columns)
    is_twin = reduce(compute.and_, (compute.equal(*pair) for pair in pairs))
    twin = compute.index(is_twin, True).as_py()
    if twin >= 0:
        (row,) = keys.select(RUN_KEY).slice(twin, 1).to_pylist()
        run = ", ".join(str(part) for part in row.values())
        raise InputError(f"runs: {run}: in the files twice, allowed is one row a run")


def read_runs(path, columns: Mapping = COLUMNS, without: Iterable[str] = ()) -> pd.DataFrame:
    """Read a Parquet file of runs and check its columns, types and statuses.

    Parameters
    ----------
    path : path
        File of all runs or, with `record.RUN_COLUMNS` for `columns`, of a job.
    columns : dict of str to str
        Types by name of the columns that the file must have.
    without : iterable of str
        Columns that are not read.

    Raises
    ------
    InputError
        Naming the file and the column, if the file is unreadable or not a runs table.
    """
    path = os.fspath(path)
    try:
        there = parquet.read_schema(path).names
        runs = pd.read_parquet(path, columns=[name for name in there if name not in without])
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path}: not a readable Parquet file: {reason}") from None
    columns = {name: columns[name] for name in columns if name not in without}
    if "source" in columns and "source" not in runs:  # published before there were the columns
        runs = runs.assign(source=pd.Series("", runs.index, dtype="str"), unavoidable_sets=np.nan)
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

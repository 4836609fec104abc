"""Runs of many jobs as one sorted table, in little memory: texts are kept as numbers of words."""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import compute

from antdoku.errors import InputError
from antdoku.record import COLUMNS

RUN_KEY = ["experiment", "family", "instance_id", "variant", "repetition"]
SORT_KEY = ["experiment", "order", *RUN_KEY[1:]]
SLICE_ROWS = 500_000
EMPTY = pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
SCHEMA = pa.Schema.from_pandas(EMPTY, preserve_index=False)


def collected(frames: Iterable[pd.DataFrame]) -> Iterator[pa.Table]:
    """Yield slices of all rows of `frames` (columns `record.COLUMNS`), sorted by `SORT_KEY`.

    Raises
    ------
    InputError
        If a run (`RUN_KEY`) appears twice.
    """
    tables = [_encoded(frame) for frame in frames if len(frame)] or [_encoded(EMPTY)]
    table = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    del tables
    keys = [_ranks(table[name]) for name in SORT_KEY]
    order = np.lexsort(keys[::-1])
    _refuse_twins(table, keys, order)
    del keys
    for start in range(0, max(1, len(order)), SLICE_ROWS):
        yield table.take(order[start : start + SLICE_ROWS]).cast(SCHEMA)


def _encoded(frame):
    """A table with a number for each text."""
    table = pa.Table.from_pandas(frame[list(COLUMNS)], SCHEMA, preserve_index=False)
    for place, field in enumerate(SCHEMA):
        if pa.types.is_large_string(field.type) or pa.types.is_string(field.type):
            column = table.column(place).cast(pa.string()).dictionary_encode()
            table = table.set_column(place, field.name, column)
    return table


def _ranks(column):
    """Whole numbers that sort as the values of a column."""
    if not pa.types.is_dictionary(column.type):
        return column.to_numpy()
    array = column.combine_chunks()
    array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
    ranks = compute.rank(array.dictionary, tiebreaker="dense").to_numpy().astype(np.int32)
    return ranks[array.indices.to_numpy()]


def _refuse_twins(table, keys, order):
    same = np.ones(max(0, len(order) - 1), bool)
    for key in keys:
        same &= key[order[1:]] == key[order[:-1]]
    if same.any():
        row = table.slice(order[same.argmax()], 1).to_pylist()[0]
        run = ", ".join(str(row[name]) for name in RUN_KEY)
        raise InputError(f"runs: {run}: in the files twice, allowed is one row a run")

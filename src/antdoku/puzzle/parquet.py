"""Rows of a Parquet file that a stranger has made, within bounds of memory.

A small file may hold a lot: values are compressed, repeated by number, or told by how much of the
value before they keep. So sizes are looked at before the values are made.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO

import pyarrow
from pyarrow import compute, types
from pyarrow.parquet import ParquetFile

from antdoku.errors import InputError, quote

MAX_MEGABYTES = 20  # of text: 100,000 puzzles of order 3 as integers
MAX_TEXT = 1 << 16  # bytes of one text; a drawn grid of order 8 takes 58,000
MAX_FOOTER = 2 * 10**6  # bytes that describe a file; in memory they are 50 times as many
FAILURES = (pyarrow.ArrowException, OverflowError, LookupError, ValueError, OSError)


def rows(
    stream: BinaryIO, name: str, columns: Iterable[str], needed: str, max_rows: int
) -> Iterator[dict]:
    """Yield the rows of a Parquet file, with those of `columns` that it has.

    Parameters
    ----------
    name : str
        What messages call the file.
    needed : str
        The column that must be there.

    Raises
    ------
    InputError
        If a column is missing or neither of text, numbers nor dates, or if there is too much.
    FAILURES
        If pyarrow cannot read it.
    """
    n_bytes = 0
    _check_footer(stream, name)
    file = ParquetFile(stream)
    if file.metadata.num_rows > max_rows:
        raise InputError(f"{name}: more than the allowed {max_rows} rows: split the file")
    wanted = _wanted_columns(file, name, columns, needed)
    _check_chunks(file.metadata, wanted, name)
    _check_dictionaries(stream, file.metadata, wanted, name)
    for batch in file.iter_batches(batch_size=500, columns=wanted):
        n_bytes += _text_bytes(batch, name)
        _refuse_long_table(n_bytes, name)
        yield from batch.to_pylist()


def _check_footer(stream, name):
    """Refuse a description of columns that would fill the memory."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - 8))
    length, mark = stream.read(4), stream.read(4)
    stream.seek(0)
    if mark[:3] == b"PAR" and int.from_bytes(length, "little") > MAX_FOOTER:
        raise InputError(
            f"{name}: its columns and row groups take more than the allowed {MAX_FOOTER} bytes to "
            "describe: write fewer"
        )


def _wanted_columns(file, name, columns, needed) -> list[str]:
    """Return which of `columns` a file has; `InputError` if one is missing, or of an odd type."""
    schema = file.schema_arrow
    if needed not in schema.names:
        found = quote(", ".join(schema.names), 80)
        raise InputError(f"{name}: no column {needed!r}; columns: {found}")
    wanted = [column for column in columns if column in schema.names]
    for field in schema:
        if _root(field.name) in wanted and not _is_plain(field.type):
            raise InputError(
                f"{name}: column {quote(field.name)} holds {quote(str(field.type), 60)}: allowed "
                "are text, numbers and dates"
            )
    return wanted


def _root(column):
    """Return what a column is read with: pyarrow takes ``puzzle.x`` for a part of ``puzzle``."""
    return column.partition(".")[0]


def _is_plain(kind):
    """Tell whether each value of a type is small, or a text: no list, no binary data."""
    kind = kind.value_type if types.is_dictionary(kind) else kind
    is_number = types.is_primitive(kind) or types.is_decimal(kind) or types.is_null(kind)
    return is_number or _is_text(kind)


def _is_text(kind):
    return types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)


def _check_chunks(metadata, wanted, name):
    """Refuse what is too large when decompressed, or in an encoding that does not tell."""
    n_bytes = 0
    for _, chunk in _chunks(metadata, wanted):
        n_bytes += max(chunk.total_compressed_size, chunk.total_uncompressed_size)
        if "DELTA_BYTE_ARRAY" in chunk.encodings:
            raise InputError(
                f"{name}: column {quote(chunk.path_in_schema)} is in the encoding "
                "DELTA_BYTE_ARRAY: write it as PLAIN"
            )
    _refuse_long_table(n_bytes, name)


def _chunks(metadata, wanted):
    """Yield each piece of the `wanted` columns, after the number of its row group."""
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for chunk in map(group.column, range(group.num_columns)):
            if _root(chunk.path_in_schema) in wanted:
                yield number, chunk


def _refuse_long_table(n_bytes, name):
    if n_bytes > MAX_MEGABYTES * 10**6:
        raise InputError(
            f"{name}: more than the allowed {MAX_MEGABYTES} MB of text: split the file"
        )


def _check_dictionaries(stream, metadata, wanted, name):
    """Refuse long texts that stand in the file once and in its rows many times."""
    names = [column for column in metadata.schema.names if _root(column) in wanted]
    file = ParquetFile(stream, metadata=metadata, read_dictionary=names)
    for number, chunk in _chunks(metadata, wanted):
        is_long = chunk.total_uncompressed_size > MAX_TEXT
        if not is_long or "DICTIONARY" not in "".join(chunk.encodings):
            continue
        # One row comes with all the texts that the rows of its group are numbers of.
        for batch in islice(file.iter_batches(1, [number], [chunk.path_in_schema]), 1):
            for column, values in zip(batch.schema.names, batch.columns):
                if types.is_dictionary(values.type):
                    _checked_lengths(values.dictionary, column, name)


def _text_bytes(batch, name) -> int:
    """Count the bytes of all texts of some rows; `InputError` if one of them is too long."""
    n_bytes = 0
    for column, values in zip(batch.schema.names, batch.columns):
        texts = values.dictionary_decode() if types.is_dictionary(values.type) else values
        if _is_text(texts.type):
            n_bytes += compute.sum(_checked_lengths(texts, column, name)).as_py() or 0
    return n_bytes


def _checked_lengths(texts, column, name):
    """Return the bytes that each text takes in Python; `InputError` if it is too many."""
    lengths = _bytes_in_memory(texts)
    longest = compute.max(lengths).as_py() or 0
    if longest > MAX_TEXT:
        raise InputError(
            f"{name}: column {quote(column)}: a text of {longest} bytes: allowed are {MAX_TEXT}"
        )
    return lengths


def _bytes_in_memory(texts):
    """Count one byte a character, or four if one of them is not ASCII."""
    texts = texts.cast(pyarrow.large_string())
    lengths = compute.utf8_length(texts)
    # Not times 4: numbers of Python would make pyarrow load pandas.
    doubled = compute.add(lengths, lengths)
    return compute.if_else(compute.string_is_ascii(texts), lengths, compute.add(doubled, doubled))

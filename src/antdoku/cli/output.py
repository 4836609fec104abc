"""Where commands write: standard output, or a file of lines, of JSON, or of a table."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from gzip import GzipFile
from typing import NamedTuple

import click

from antdoku.errors import naming_extra
from antdoku.files import ENDINGS, atomic_write, check_output
from antdoku.reading.files import ending

LINES, JSON, TABLE = "lines", "json", "table"
FORMS = {".txt": LINES, ".json": JSON, ".jsonl": JSON, ".csv": TABLE, ".parquet": TABLE}
GZIP_LEVEL = 1  # other levels take longer than the rest of the work
_SPECIAL = re.compile(r'[,"\r\n]')  # makes CSV quote a cell

Columns = dict[str, list]  # some rows of a table, by column


class Output(NamedTuple):
    """A place to write to: `write` takes text, or in the form of a table some of its rows."""

    form: str
    write: Callable
    is_file: bool = True


@contextmanager
def opened(output: str | None, force: bool, as_json: bool) -> Iterator[Output]:
    """Yield standard output, or a new file, which is there at the end if it is complete."""
    if output is None or is_stdout(output):
        yield Output(JSON if as_json else LINES, partial(click.echo, nl=False), False)
        return
    check_output(output, ENDINGS, force)
    form = FORMS[ending(output)]
    if as_json and form != JSON:
        raise click.UsageError(f"--json and -o {output}: name a file .json")
    with atomic_write(output) as file, naming_extra():
        if ending(output) == ".parquet":
            with _parquet(file) as write:
                yield Output(form, write)
            return
        is_packed = output.lower().endswith(".gz")
        with open(file, "wb") as stream:
            packed = GzipFile("", "wb", GZIP_LEVEL, stream) if is_packed else stream
            yield Output(form, _Csv(packed) if form == TABLE else _encoded(packed))
            packed.close()


def is_stdout(output: str | None) -> bool:
    """Whether a name means standard output."""
    return output in ("-", "/dev/stdout")


def _encoded(stream):
    return lambda text: stream.write(text.encode())


@contextmanager
def _parquet(file):
    """Yield the function that takes rows of a table, which is written at the end."""
    import pyarrow as pa
    from pyarrow import parquet

    tables = []
    yield lambda columns: tables.append(pa.table(columns))
    if tables:
        parquet.write_table(pa.concat_tables(tables, promote_options="permissive"), file)


class _Csv:
    """A function that writes rows of a table as CSV, below a line with the names of columns."""

    def __init__(self, stream):
        self._stream, self._has_header = stream, False

    def __call__(self, columns: Columns):
        if not self._has_header:
            self._stream.write(f"{','.join(columns)}\n".encode())
            self._has_header = True
        rows = zip(*map(_cells, columns.values()))
        self._stream.write("".join(",".join(cells) + "\n" for cells in rows).encode())


def _cells(values) -> list[str]:
    """Write values, and quote them where CSV needs it: `csv` takes five times as long."""
    cells = [value if isinstance(value, str) else _cell(value) for value in values]
    if not _SPECIAL.search("".join(cells)):
        return cells
    escaped = (cell.replace('"', '""') for cell in cells)
    return [f'"{cell}"' if _SPECIAL.search(cell) else cell for cell in escaped]


def _cell(value):
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)

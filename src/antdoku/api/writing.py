"""Write puzzles to files, and make tables of instances of them."""

from __future__ import annotations  # `help` shows the types as they are written here

import gzip
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antdoku.errors import InputError, naming_extra
from antdoku.files import ENDINGS, atomic_write, check_output, write_table
from antdoku.instances.family import family_table
from antdoku.instances.given import check_names, given_row
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.symbols import numbers
from antdoku.puzzle.writing import format_file
from antdoku.reading.cells import DEFAULT, NAMES, Options
from antdoku.reading.files import ending, printable, stem
from antdoku.reading.frames import of_arrow, with_names
from antdoku.reading.headers import names_puzzles
from antdoku.reading.sources import Source, is_named, read, read_parts

if TYPE_CHECKING:
    import pandas as pd


@naming_extra()
def write(
    puzzles: Puzzle | Iterable[Puzzle] | Source, path: str | Path, *, force: bool = False
) -> None:
    """Write puzzles to a file, complete or not at all.

    Parameters
    ----------
    puzzles : list of Puzzle, or what `read` takes
        As from `generate`. A DataFrame with a column of puzzles keeps its columns in a table, and
        its index if that names the puzzles (`id`).
    path : path
        Ends in .txt (a line each, without names), or in .csv, .parquet, .json or .jsonl; all but
        .parquet also with .gz. Of puzzles that stand in no DataFrame a table has the columns
        `instance_id`, `family`, `order`, `fixed_fraction` and `puzzle`. Puzzles keep the symbols in
        which they were read; a column `symbols` names them if they are not whole numbers from 1.
    force : bool
        Overwrite the file.

    Raises
    ------
    InputError
        If the file cannot be written or is there already, its name ends otherwise, or a puzzle
        cannot be read.
    """
    check_output(path, ENDINGS, force)
    source = of_arrow(puzzles)
    of_source = read(source)
    if ending(path) != ".txt":
        has_puzzles = names_puzzles(getattr(source, "columns", ()))
        write_table(with_names(source) if has_puzzles else _in_own_symbols(of_source), path)
        return
    data = format_file(of_source).encode()
    with atomic_write(path) as file:
        is_packed = Path(path).suffix.lower() == ".gz"
        file.write_bytes(gzip.compress(data, mtime=0) if is_packed else data)


def _in_own_symbols(puzzles: list[Puzzle]) -> pd.DataFrame:
    """Return a table of instances, in the symbols of the puzzles if some are no numbers from 1."""
    table = instance_table(puzzles)
    symbols = [puzzle.symbols or numbers(puzzle.order) for puzzle in puzzles]
    if all(signs.signs[1:] == numbers(signs.order).signs[1:] for signs in symbols):
        return table
    lines = [signs.line(puzzle.givens.tolist()) for signs, puzzle in zip(symbols, puzzles)]
    return table.assign(puzzle=lines, symbols=[signs.name for signs in symbols])


def instance_table(puzzles: Any, options: Options = DEFAULT) -> pd.DataFrame:
    """Return a table of instances, from puzzles or any source that `read` takes, or several files.

    The puzzles of a file are a family, which is called after it.
    """
    is_list = isinstance(puzzles, list | tuple)
    sources = puzzles if is_list and any(map(is_named, puzzles)) else [puzzles]
    rows: list[tuple] = []
    for source in sources:
        parts = read_parts(source, options, first=len(rows) + 1)
        family = _family_of(source)
        rows += [
            given_row(puzzle, family, puzzle.fixed_fraction, "")
            for puzzle in chain.from_iterable(parts)
        ]
    names = [printable(source) if is_named(source) else _place_of(source) for source in sources]
    for at, name in enumerate(names):
        if is_named(sources[at]) and name in names[:at]:
            raise InputError("is given twice", name, remedy="name it once")
    check_names([row[0] for row in rows], " and ".join(names))
    table = family_table(rows)
    return table[["instance_id", "family", "order", "fixed_fraction", "puzzle"]]


def _place_of(source):
    """Return where the names of puzzles stand: in a DataFrame their column."""
    source = of_arrow(source)
    columns = with_names(source).columns if hasattr(source, "columns") else ()
    by_name = {str(column).lower(): str(column) for column in columns}
    column = next((by_name[name] for name in NAMES if name in by_name), "")
    return f"puzzles: column {column}" if column else "puzzles"


def _family_of(source):
    if isinstance(source, str) and source.startswith(named.PREFIX):
        return "named"
    is_file = is_named(source) and str(source) != "-"
    return stem(source) if is_file else "given"

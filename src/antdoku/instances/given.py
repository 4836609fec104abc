"""Instances that somebody gives: named puzzles, files, archives of files; tables of them.

The files of an archive have names as ``inst9x9_45_0.txt`` of Lloyd & Amos 2018: size, percentage of
fixed cells, number. Those of AllDiff-LS (Frontiers of Computer Science 2026) are named alike, in a
folder for each size and percentage: ``INST_36x36/50/inst36x36_50_0.txt``.
"""

import gzip
import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from antdoku.errors import InputError, naming_extra, one_line
from antdoku.files import ENDINGS, atomic_write, check_output, write_table
from antdoku.instances.family import ARCHIVE, family_name, family_table
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.symbols import numbers
from antdoku.puzzle.writing import format_file, format_integers
from antdoku.reading.cells import DEFAULT, Options
from antdoku.reading.files import ending, printable, stem
from antdoku.reading.frames import of_arrow, with_names
from antdoku.reading.headers import names_puzzles
from antdoku.reading.sources import Source, is_named, read, read_parts

if TYPE_CHECKING:
    import pandas as pd


def given_family(source: str, family: str) -> list[tuple]:
    """Make the rows of given puzzles.

    The source is ``named:`` and a collection or puzzle, or the path of a file. Instances are called
    after their puzzle, ``<file>-<number>`` if the file does not name it; numbers count from 0.
    """
    origin = "named" if source.startswith(named.PREFIX) else "file"
    return [
        given_row(puzzle, family, puzzle.fixed_fraction, origin) for puzzle in given_puzzles(source)
    ]


def given_row(puzzle: Puzzle, family: str, fixed: float, source: str) -> tuple:
    """Make the row of a puzzle under its name, with the `INSTANCE_COLUMNS`."""
    text = format_integers(puzzle)
    return puzzle.name, family, puzzle.order, fixed, text, None, -1, source, ""


def given_puzzles(source: str) -> list[Puzzle]:
    """Read the puzzles of `source`, see `given_family`, each with a name of its own."""
    if source.startswith(named.PREFIX):
        return named.puzzles(source.removeprefix(named.PREFIX))
    puzzles_of_file: list[Puzzle] = []
    for batch in read_parts(Path(source)):
        numbers = range(len(puzzles_of_file), len(puzzles_of_file) + len(batch))
        labels = np.array([f"{stem(source)}-{number:03d}" for number in numbers])
        puzzles_of_file += replace(batch, label="", numbers=labels)
    check_names([puzzle.name for puzzle in puzzles_of_file], printable(source))
    return puzzles_of_file


def check_names(names: list[str], source: str) -> None:
    """Raise `InputError` if two puzzles have the same name, or there is no puzzle."""
    if not names:
        raise InputError("there is no puzzle in it", source)
    ((name, times),) = Counter(names).most_common(1)
    if times > 1:
        remedy = "each puzzle needs its own name: change it in the file (puzzle.renamed in Python)"
        raise InputError(f"{one_line(name)} stands there twice: {remedy}", source)


def check_path(path: str | Path, endings: Iterable[str], force: bool = True) -> None:
    """Raise `InputError` for a file that cannot be written, as `check_output`, or for no path."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"{type(path).__name__} in place of the path of a file to write")
    check_output(path, endings, force)


@naming_extra()
def write(
    puzzles: "Puzzle | Iterable[Puzzle] | Source", path: str | Path, *, force: bool = False
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
    check_path(path, ENDINGS, force)
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


def _in_own_symbols(puzzles) -> "pd.DataFrame":
    """Return a table of instances, in the symbols of the puzzles if some are no numbers from 1."""
    table = instance_table(puzzles)
    symbols = [puzzle.symbols or numbers(puzzle.order) for puzzle in puzzles]
    if all(signs.signs[1:] == numbers(signs.order).signs[1:] for signs in symbols):
        return table
    lines = [signs.line(puzzle.givens.tolist()) for signs, puzzle in zip(symbols, puzzles)]
    return table.assign(puzzle=lines, symbols=[signs.name for signs in symbols])


def instance_table(puzzles, options: Options = DEFAULT) -> "pd.DataFrame":
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
    names = [printable(source) if is_named(source) else "puzzles" for source in sources]
    check_names([row[0] for row in rows], " and ".join(names))
    table = family_table(rows)
    return table[["instance_id", "family", "order", "fixed_fraction", "puzzle"]]


def _family_of(source):
    if isinstance(source, str) and source.startswith(named.PREFIX):
        return "named"
    is_file = is_named(source) and str(source) != "-"
    return stem(source) if is_file else "given"


# --- Archives -------------------------------------------------------------------------------------


def archive_family(folder: str | Path, order: int, fixed: float, count: int) -> list[tuple]:
    """Read the rows of a family from its `archive_files`."""
    family, rows = family_name(order, fixed), []
    for name, path in archive_files(folder, order, fixed, count).items():
        puzzles = read(path)
        if len(puzzles) != 1 or puzzles[0].order != order:
            raise InputError(f"{printable(path)}: must hold one puzzle of order {order}")
        rows.append(given_row(puzzles[0].renamed(name), family, fixed, ARCHIVE))
    return rows


def archive_files(folder: str | Path, order: int, fixed: float, count: int) -> dict[str, Path]:
    """Find the first `count` files of a family by number, under the names of their instances.

    They are in whatever folder below `folder`. All if there are fewer; `InputError` if there is
    none.
    """
    percent = round(100 * fixed)
    if abs(100 * fixed - percent) > 1e-6:
        raise InputError(
            f"fixed fraction {fixed}: the files of an archive are named after whole percentages"
        )
    prefix = f"inst{order**2}x{order**2}_{percent}_"
    numbered = [
        (int(number[1]), file)
        for file in Path(folder).rglob(f"{prefix}*.txt")
        if (number := re.fullmatch(rf"{prefix}([0-9]+)\.txt", file.name))
    ]
    if not numbered:
        raise InputError(f"{printable(folder)}: no instance files {prefix}*.txt")
    if len(dict(numbered)) < len(numbered):
        raise InputError(f"{printable(folder)}: two files {prefix}*.txt have the same number")
    family = family_name(order, fixed)
    return {f"{family}-{number:03d}": file for number, file in sorted(numbered)[:count]}


def archive_digest(folder: str | Path, order: int) -> str:
    """Hash the files of an order in an archive, for whose changes instances are made again."""
    digest = hashlib.sha256()
    for file in sorted(Path(folder).rglob(f"inst{order**2}x{order**2}_*.txt")):
        digest.update(os.fsencode(file.relative_to(folder)) + file.read_bytes())
    return digest.hexdigest()[:12]

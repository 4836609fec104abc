"""Puzzles as a table of instances, and the files that users write them to."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from antdoku.errors import naming_extra
from antdoku.files import atomic_write, check_output, write_table
from antdoku.instances.family import family_table
from antdoku.instances.given import check_names, given_row
from antdoku.puzzle.forms import format_file, read_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.named import PREFIX
from antdoku.puzzle.reading import printable, read, stem

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = (".parquet", ".csv", ".txt")  # of the files that `write` makes


@naming_extra()
def write(
    puzzles: "Iterable[Puzzle] | pd.DataFrame", path: str | Path, *, force: bool = False
) -> None:
    """Write puzzles to a file, complete or not at all.

    Parameters
    ----------
    puzzles : iterable of Puzzle, or DataFrame
        As from `generate`; or a table with the columns `columns.INSTANCE_COLUMNS`.
    path : path
        Ends in .txt (a line each, in the symbols of the puzzles), .csv or .parquet (tables with the
        columns `instance_id` and `puzzle`, at least, in whole numbers from 1).
    force : bool
        Overwrite the file.

    Raises
    ------
    InputError
        If the file cannot be written or is there already, or its name ends otherwise.
    """
    check_output(path, ENDINGS, force)
    is_table = hasattr(puzzles, "to_csv")
    if Path(path).suffix != ".txt":
        write_table(puzzles if is_table else instance_table(puzzles), path)
        return
    texts = map(read_integers, puzzles["puzzle"]) if is_table else read(puzzles)
    with atomic_write(path) as file:
        file.write_text(format_file(texts))


def instance_table(puzzles) -> "pd.DataFrame":
    """Return a table of instances, from puzzles or any source that `read` takes."""
    family, place = "given", "puzzles"
    if isinstance(puzzles, str | os.PathLike):
        place = printable(puzzles)
        family = "named" if place.startswith(PREFIX) else family
        family = stem(puzzles) if os.path.lexists(puzzles) else family
    puzzles = read(puzzles)
    check_names(puzzles, place)
    table = family_table(given_row(puzzle, family, puzzle.fixed_fraction, "") for puzzle in puzzles)
    return table[["instance_id", "family", "order", "fixed_fraction", "puzzle"]]

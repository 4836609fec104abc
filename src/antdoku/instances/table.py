"""Puzzles as a table of instances, and the files that users write them to."""

import math
import os
from collections import Counter
from collections.abc import Iterable
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from antdoku.errors import InputError
from antdoku.files import atomic_write, check_output, write_table
from antdoku.puzzle.files import is_table, shown, stem, table_rows
from antdoku.puzzle.forms import format_file, format_integers, read_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.named import PREFIX
from antdoku.puzzle.reading import read

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = (".parquet", ".csv", ".txt")  # of the files that `write` makes


def write(puzzles: "Iterable[Puzzle] | pd.DataFrame", path: str | Path) -> None:
    """Write puzzles to a file, complete or not at all.

    Parameters
    ----------
    puzzles : iterable of Puzzle, or DataFrame
        As from `generate`, or from `generate_table` (columns `columns.INSTANCE_COLUMNS`).
    path : path
        Ends in .txt (a line each), .csv or .parquet (tables with the columns `instance_id` and
        `puzzle`, at least).

    Raises
    ------
    InputError
        If the file cannot be written, or its name ends otherwise.
    """
    import pandas as pd

    check_output(path, ENDINGS)
    if not isinstance(puzzles, pd.DataFrame):
        puzzles = instance_table(puzzles)
    if Path(path).suffix != ".txt":
        write_table(puzzles, path)
        return
    with atomic_write(path) as file:
        file.write_text(format_file(map(read_integers, puzzles["puzzle"])))


def instance_table(puzzles) -> "pd.DataFrame":
    """Instances as a table, from puzzles, or whatever `read` takes."""
    import pandas as pd

    family, source, facts = "given", "", repeat({})
    if isinstance(puzzles, str | os.PathLike):
        source = shown(puzzles)
        if source.startswith(PREFIX):
            family = "named"
        elif os.path.lexists(puzzles):
            family = stem(puzzles)
            facts = table_rows(puzzles) if is_table(puzzles) else facts
    puzzles = several(puzzles)
    (name, times), *_ = Counter(puzzle.name for puzzle in puzzles).most_common(1)
    if times > 1:
        place = f"{source}: " if source else ""
        raise InputError(f"{place}{name} stands there twice: each puzzle needs its own name")
    return pd.DataFrame(
        {
            "instance_id": puzzle.name,
            "family": str(known.get("family") or family),
            "order": puzzle.order,
            "fixed_fraction": _fraction(known.get("fixed_fraction"), puzzle),
            "puzzle": format_integers(puzzle),
        }
        for puzzle, known in zip(puzzles, facts)
    )


def several(puzzles) -> list[Puzzle]:
    """Puzzles, or what `read` makes of anything else."""
    is_list = isinstance(puzzles, Iterable) and not isinstance(puzzles, str | np.ndarray)
    found = [puzzles] if isinstance(puzzles, Puzzle) else list(puzzles) if is_list else []
    return found if found and all(isinstance(each, Puzzle) for each in found) else read(puzzles)


def _fraction(text, puzzle):
    """The nominal fixed fraction that a table says, else that of the puzzle."""
    try:
        number = puzzle.fixed_fraction if text in (None, "") else float(text)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{puzzle.name}: fixed_fraction {text!r}: must be a number")
    return number

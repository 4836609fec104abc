"""Instances that somebody gives: named puzzles, and the puzzles of files."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from antdoku.errors import InputError, one_line
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.writing import format_integers
from antdoku.reading.files import printable, stem
from antdoku.reading.sources import read_parts

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
        remedy = "each puzzle needs its own name: change it there (of a Puzzle by puzzle.renamed)"
        raise InputError(f"{one_line(name)} stands there twice: {remedy}", source)


def equal_puzzles(instances: "pd.DataFrame") -> str:
    """Return a sentence on instances that are the same puzzle under several names, or nothing."""
    is_copy = instances.duplicated(["order", "puzzle"])
    if not is_copy.any():
        return ""
    puzzle = instances.loc[is_copy, "puzzle"].iloc[0]
    first, second, *_ = map(one_line, instances.loc[instances["puzzle"] == puzzle, "instance_id"])
    numbers = f"{int((~is_copy).sum())} different of {len(instances)} puzzles"
    return f"{first} and {second} are the same puzzle ({numbers}); each name counts as a puzzle"

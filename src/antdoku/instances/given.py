"""Instances that somebody gives: named puzzles, and files."""

from collections import Counter
from dataclasses import replace

from antdoku.errors import InputError, one_line
from antdoku.puzzle.forms import format_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.named import PREFIX, puzzles
from antdoku.puzzle.reading import printable, read_file, stem


def given_family(source: str, family: str) -> list[tuple]:
    """Make the rows of given puzzles.

    The source is ``named:`` and a collection or puzzle, or the path of a file. Instances are called
    after their puzzle, ``<file>-<number>`` if the file does not name it; numbers count from 0.
    """
    origin, rows = "named" if source.startswith(PREFIX) else "file", []
    for puzzle in given_puzzles(source):
        text, fixed = format_integers(puzzle), puzzle.fixed_fraction
        rows.append((puzzle.name, family, puzzle.order, fixed, text, None, -1, origin, ""))
    return rows


def given_puzzles(source: str) -> list[Puzzle]:
    """Read the puzzles of `source`, see `given_family`, each with a name of its own."""
    if source.startswith(PREFIX):
        return puzzles(source.removeprefix(PREFIX))
    given = [
        # What the file does not name is called source:line.
        replace(puzzle, name=f"{stem(source)}-{number:03d}")
        if puzzle.name.startswith(f"{printable(source)}:")
        else puzzle
        for number, puzzle in enumerate(read_file(source))
    ]
    check_names(given, printable(source))
    return given


def check_names(puzzles: list[Puzzle], place: str) -> None:
    """Raise `InputError` if two puzzles have the same name."""
    ((name, times),) = Counter(puzzle.name for puzzle in puzzles).most_common(1)
    if times > 1:
        place = f"{place}: {one_line(name)}"
        raise InputError(f"{place} stands there twice: each puzzle needs its own name")

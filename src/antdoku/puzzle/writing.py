"""Puzzles as lines of text: in the tables of this package, and in files that are read again."""

from collections.abc import Iterable, Sequence
from math import isqrt

import numpy as np

from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.symbols import CHARACTERS


def read_integers(text: str, name: str = "") -> Puzzle:
    """Return a puzzle from its text in tables: integers with spaces between, 0 for a blank."""
    values = np.array(text.split(), np.int16)
    return Puzzle(isqrt(isqrt(values.size)), values, name)


def format_integers(puzzle: Puzzle | Sequence[int]) -> str:
    """Write a puzzle, or cells, as in tables: integers with spaces between, 0 for a blank."""
    return " ".join(map(str, np.asarray(getattr(puzzle, "givens", puzzle)).tolist()))


def format_file(puzzles: Iterable[Puzzle]) -> str:
    """Write a text that `reading.lines` reads back: a line each, an order in the same symbols.

    They are the symbols of the first puzzle that has some; a comment names unusual ones.
    """
    puzzles = list(puzzles)
    symbols = {puzzle.order: puzzle.symbols for puzzle in reversed(puzzles) if puzzle.symbols}
    ordinary = [CHARACTERS[order][0] for order in CHARACTERS if len(CHARACTERS[order]) < 3]
    names = [
        unusual.name
        for unusual in symbols.values()
        if (unusual.has_zero if unusual.gap else unusual.name not in ordinary)
    ]
    comment = f"# symbols: {' '.join(names)}\n" if names else ""
    writings = [symbols.get(puzzle.order, puzzle.writing) for puzzle in puzzles]
    pairs = zip(writings, puzzles)
    return comment + join_lines(writing.line(puzzle.givens.tolist()) for writing, puzzle in pairs)


def join_lines(lines: Iterable[str]) -> str:
    """Join lines, with a blank line after each 4x4 puzzle: sixteen look like a 16x16 grid."""
    return "".join(line + ("\n\n" if len(line) == 16 else "\n") for line in lines)

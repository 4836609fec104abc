"""The named puzzles of order 3 that publications use, from the package's table of them.

A collection is a set that publications run on: ``lloyd_amos_named`` (16 puzzles),
``mantere_koljonen_46``, nine of which are ``soto``, and ``seventeen_clue``, 200 drawn at random of
the 49,151 that are known. The table also says where each puzzle comes from and how many solutions
it has.
"""

import csv
import os
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from antdoku.errors import InputError, quote
from antdoku.puzzle.grid import Puzzle

PREFIX = "named:"
ALL = "all"


@dataclass(frozen=True)
class NamedPuzzle:
    """One row of the table; `puzzle` has 81 characters, `n_solutions` is the exact number."""

    name: str
    collections: tuple[str, ...]
    puzzle: str
    n_solutions: int
    source: str
    note: str


@cache
def table() -> tuple[NamedPuzzle, ...]:
    """Return every named puzzle, in the order of the table."""
    text = files("antdoku").joinpath("data", "named_9x9.csv").read_text(encoding="utf-8")
    _, *rows = csv.reader(text.splitlines())
    return tuple(
        NamedPuzzle(name, tuple(sets.split(";")), puzzle, int(n_solutions), source, note)
        for name, sets, puzzle, n_solutions, source, note in rows
    )


def names() -> list[str]:
    """Return the names of the puzzles, in the order of the table."""
    return [row.name for row in table()]


def collections() -> list[str]:
    """Return the names of the collections, in the order of the table."""
    return list(dict.fromkeys(name for row in table() for name in row.collections))


def find(name: str) -> list[NamedPuzzle]:
    """Return the rows of a puzzle or a collection; ``all`` is every row. Case does not matter."""
    key = name.strip().lower()
    rows = [row for row in table() if key in (row.name, *row.collections, ALL)]
    if rows:
        return rows
    similar = get_close_matches(key, [*names(), *collections(), ALL], n=1)
    proposal = f" (did you mean {similar[0]}?)" if similar else ""
    remedy = f"the file is ./{PREFIX}{name}" if os.path.lexists(f"{PREFIX}{name}") else None
    raise InputError(
        f"{PREFIX}{quote(name)[1:-1]}: there is no such puzzle or collection{proposal}; "
        f"collections: {', '.join([*collections(), ALL])}; puzzles: sabuncu1, platinumblond, ...",
        remedy=remedy,
    )


def puzzles(name: str) -> list[Puzzle]:
    """Return the puzzle called `name`, or all puzzles of a collection, see `find`."""
    texts = [(row.name, row.puzzle.replace(".", "0")) for row in find(name)]
    return [Puzzle(3, list(map(int, text)), name) for name, text in texts]

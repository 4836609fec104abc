"""Instances that somebody gives: named puzzles, files, and puzzles equivalent to them."""

from collections import Counter
from dataclasses import replace

import numpy as np

from antdoku.errors import InputError, one_line
from antdoku.instances.family import seed_of
from antdoku.instances.random import equivalent
from antdoku.puzzle.forms import format_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.named import PREFIX, puzzles
from antdoku.puzzle.reading import printable, read_file, stem


def given_family(source: str, family: str, equivalents: int = 0, seed: int = 0) -> list[tuple]:
    """Make the rows of given puzzles, or instead of each of so many puzzles equivalent to it.

    The source is ``named:`` and a collection or puzzle, or the path of a file. Instances are called
    after their puzzle, ``<file>-<number>`` if the file does not name it, and equivalents
    ``<puzzle>~<number>``; numbers count from 0. `seed` is the root seed of the equivalents.
    """
    origin, rows = "named" if source.startswith(PREFIX) else "file", []
    for puzzle in given_puzzles(source):
        instances = _equivalents(puzzle, equivalents, seed) if equivalents else [(puzzle, -1)]
        for each, own_seed in instances:
            text, fixed = format_integers(each), each.fixed_fraction
            rows.append((each.name, family, each.order, fixed, text, None, own_seed, origin, ""))
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
    ((name, times),) = Counter(puzzle.name for puzzle in given).most_common(1)
    if times > 1:
        place = f"{printable(source)}: {one_line(name)}"
        raise InputError(f"{place} stands there twice: each instance needs its own name")
    return given


def _equivalents(puzzle, count, seed):
    """Yield equivalent puzzles, each with its seed."""
    for number in range(count):
        name = f"{puzzle.name}~{number:03d}"
        own_seed = seed_of(seed, name, "equivalent", 0)
        givens = equivalent(puzzle.givens, np.random.default_rng(own_seed))
        yield Puzzle(puzzle.order, givens, name), own_seed

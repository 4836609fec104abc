"""Instances that somebody gives: named puzzles, files, and puzzles equivalent to them."""

import hashlib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from antdoku.errors import InputError, check_whole, one_line
from antdoku.instances.family import MAX_COUNT, family_table, seed_of
from antdoku.instances.random import equivalent
from antdoku.puzzle.files import read_file, shown, stem
from antdoku.puzzle.forms import format_integers
from antdoku.puzzle.grid import Puzzle
from antdoku.puzzle.named import PREFIX, puzzles


def given_family(source: str, family: str, equivalents: int = 0, seed: int = 0) -> pd.DataFrame:
    """Make a family of given puzzles, or instead of each of so many puzzles equivalent to it.

    The source is ``named:`` and a collection or puzzle, or the path of a file. Instances are called
    after their puzzle, ``<file>-<number>`` if the file does not name it, and equivalents
    ``<puzzle>~<number>``; numbers count from 0. `seed` is the root seed of the equivalents.
    """
    check_whole("equivalents", equivalents, 0, MAX_COUNT)
    check_whole("seed", seed, 0)
    origin, rows = "named" if source.startswith(PREFIX) else "file", []
    for puzzle in given_puzzles(source):
        variants = _equivalents(puzzle, equivalents, seed) if equivalents else [(puzzle, -1)]
        for each, instance_seed in variants:
            text, fixed = format_integers(each), each.fixed_fraction
            row = (each.name, family, each.order, fixed, text, None, instance_seed, origin, "")
            rows.append(row)
    return family_table(rows)


def given_names(source: str, equivalents: int = 0) -> pd.DataFrame:
    """Name the instances that `given_family` makes: instance_id, fixed_fraction."""
    rows = [
        (name, puzzle.fixed_fraction)
        for puzzle in given_puzzles(source)
        for name in (_equivalent_names(puzzle.name, equivalents) if equivalents else [puzzle.name])
    ]
    return pd.DataFrame(rows, columns=["instance_id", "fixed_fraction"])


def _equivalent_names(puzzle, count):
    return [f"{puzzle}~{number:03d}" for number in range(count)]


def given_puzzles(source: str) -> list[Puzzle]:
    """Read the puzzles of `source`, see `given_family`, each with a name of its own."""
    if source.startswith(PREFIX):
        return puzzles(source.removeprefix(PREFIX))
    given = [
        # What the file does not name is called source:line.
        replace(puzzle, name=f"{stem(source)}-{number:03d}")
        if puzzle.name.startswith(f"{shown(source)}:")
        else puzzle
        for number, puzzle in enumerate(read_file(source))
    ]
    times = Counter(puzzle.name for puzzle in given)
    if twice := [name for name in times if times[name] > 1]:
        raise InputError(
            f"{shown(source)}: {one_line(twice[0])} stands there twice: each instance needs its "
            "own name"
        )
    return given


def _equivalents(puzzle, count, seed):
    """Pairs of an equivalent puzzle and its seed."""
    for name in _equivalent_names(puzzle.name, count):
        own_seed = seed_of(seed, name, "equivalent", 0)
        givens = equivalent(puzzle.givens, np.random.default_rng(own_seed))
        yield Puzzle(puzzle.order, givens, name), own_seed


def file_digest(file: str | Path) -> str:
    """Hash a file of puzzles, for the same end as `archive_digest`."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]

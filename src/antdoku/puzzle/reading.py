"""Puzzles from whatever a user has at hand: a file, standard input, a name, a text or an array."""

import os
import re
import sys
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from antdoku.errors import InputError, quote
from antdoku.puzzle import files, forms, named
from antdoku.puzzle.grid import Puzzle

Source = str | os.PathLike[str] | ArrayLike  # what `read` takes
MIN_LITERAL = 16  # cells of the smallest puzzle: what is shorter is the name of a file
LITERAL = re.compile(r"[0-9a-yA-Y.*|+=\s\u2500-\u257f-]+")
SHAPES_HELP = "a puzzle of numbers has the shape (d, d) or (d*d,), with d = 4, 9, 16, ... 100"


def read(
    source: Source,
    kind: type[Puzzle] = Puzzle,
    what: str = "the argument",
) -> list[Puzzle]:
    """Read the puzzles that `source` means.

    Parameters
    ----------
    source : str, path or array_like of int
        The path of a file, see `files.read_file`; ``-`` for standard input; ``named:NAME`` for a
        puzzle or a collection of the package; a text in any form of `forms`; or numbers of shape
        (d, d) or (d*d,), 0 for a blank, which are one puzzle.
    kind : type
        `Puzzle`, or a class derived from it.
    what : str
        How messages and the names of the puzzles call a text or numbers.

    Raises
    ------
    InputError
        If there is no puzzle, or something that is none.
    """
    if isinstance(source, os.PathLike):
        return files.read_file(Path(source), kind)
    if not isinstance(source, str):
        return [_from_numbers(source, kind, what)]
    if source == "-":
        return _from_standard_input(kind)
    if source.startswith(named.PREFIX):
        return named.puzzles(source.removeprefix(named.PREFIX))
    if os.path.lexists(source):
        return files.read_file(source, kind)
    return _from_literal(source, kind, what)


def _from_numbers(source, kind, what):
    try:
        values = np.asarray(source)
    except ValueError:
        raise InputError(f"{what}: the rows differ in length") from None
    if not values.ndim:
        found = type(source).__name__
        raise InputError(f"{what}: {found}: allowed are a path, a text or an array of numbers")
    order = forms.ORDER_OF_CELLS.get(values.size)
    if not order or values.shape not in ((order**4,), (order**2, order**2)):
        raise InputError(f"{what}: an array of shape {values.shape}: {SHAPES_HELP}")
    return kind(order, values, what)


def _from_standard_input(kind):
    if sys.stdin is None:
        raise InputError("standard input is closed")
    text = files.read_stream(sys.stdin.buffer, "standard input")
    return files.read_content(text, "standard input", kind)


def _from_literal(source, kind, what):
    if len(source) < MIN_LITERAL or not LITERAL.fullmatch(source):
        raise InputError(f"{quote(source, 60)}: there is no such file, nor is it a puzzle")
    try:
        return forms.read_puzzles(source, what, kind)
    except InputError as error:
        hint = f" (nor is there a file {source})" if re.search(r"\.[a-z]+\Z", source) else ""
        raise InputError(f"{error}{hint}") from None

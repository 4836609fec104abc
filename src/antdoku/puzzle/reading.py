"""Puzzles from whatever a user has at hand: a file, standard input, a name, a text or an array."""

import os
import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from antdoku.errors import InputError, quote
from antdoku.puzzle import files, forms, named
from antdoku.puzzle.grid import ORDERS, Puzzle

Source = str | os.PathLike[str] | ArrayLike  # what `read` takes
MIN_LITERAL = 16  # cells of the smallest puzzle: what is shorter is the name of a file
LITERAL = re.compile(r"[0-9a-zA-Z.*_|+=#:\s\u2500-\u257f-]+")
SHAPES_HELP = "numbers have the shape (d, d) or (d*d,), or (n, ...) of several, d = 4, 9, ... 100"


def read(
    source: Source,
    kind: type[Puzzle] = Puzzle,
    what: str = "the argument",
    *,
    symbols: str | None = None,
    first: int = 1,
) -> list[Puzzle]:
    """Read the puzzles that `source` means.

    Parameters
    ----------
    source : str, path or array_like
        The path of a file; ``-`` for standard input; ``named:NAME`` for a puzzle or a collection of
        the package; a text; whole numbers of shape (d, d) or (d*d,), 0 or NaN for a blank, or
        several such; or lists of texts, numbers and None. A file is a table, ``.parquet`` or
        ``.csv``, with a column `puzzle` (`quizzes`), a spreadsheet of d rows of d cells as CSV,
        JSON as ``antdoku solve --json`` prints it or lists, or text in any form of `puzzle.forms`;
        all but Parquet also compressed by gzip.
    kind : type
        `Puzzle`, or a class derived from it.
    what : str
        How messages call a text or numbers.
    symbols : str, optional
        Symbols of the puzzles, where a text may be in several: ``1-G``, ``0-F``, ``A-P``, ``0-15``
        or all of them in their order, ``ABCDEFGHI``.
    first : int
        Puzzles that no file names are called ``puzzle 1`` and so on, from this number.

    Raises
    ------
    InputError
        If there is no puzzle, something that is none, or one that means something else in other
        symbols.

    Notes
    -----
    Names are those in the file: columns `instance_id`, `name` or `id`, a word before a puzzle in a
    text or a line such as ``Grid 01``, the description in an ``.sdk`` file. Other puzzles of a file
    are called ``path:line``.
    """
    if isinstance(source, os.PathLike):
        return files.read_file(Path(source), kind, symbols)
    if isinstance(source, str) and source.startswith(named.PREFIX):
        return named.puzzles(source.removeprefix(named.PREFIX))
    if isinstance(source, str) and (source == "-" or os.path.lexists(source)):
        return files.read_file(source, kind, symbols)
    from_value = _from_literal if isinstance(source, str) else _from_numbers
    puzzles = from_value(source, kind, what, symbols)
    return [replace(each, name=f"puzzle {number}") for number, each in enumerate(puzzles, first)]


def _from_numbers(source, kind, what, symbols):
    try:
        values = np.asarray(source)
    except ValueError:  # rows that differ in length, perhaps of several puzzles
        values = np.asarray(source, dtype=object)
    if not values.ndim:
        found = type(source).__name__
        raise InputError(f"{what}: {found}: allowed are a path, a text or an array of numbers")
    if values.dtype.kind in "OUS" and values.size:
        return forms.read_puzzles(files.text_of(values.tolist(), what), what, kind, symbols)
    order = _order_of(values.shape)
    if not order:
        raise InputError(f"{what}: an array of shape {values.shape}: {SHAPES_HELP}")
    grids = _whole_numbers(values.reshape(-1, order**4), what)
    return [kind(order, grid, what) for grid in grids]


def _order_of(shape):
    """Order of the one puzzle of numbers of a shape, or of several; None if they are none."""
    for of_one, order in product((shape, shape[1:]), ORDERS):
        if of_one in ((order**4,), (order**2, order**2)):
            return order
    return None


def _whole_numbers(values, what):
    """Floats that are whole numbers, or not a number for a blank, as integers."""
    if values.dtype.kind != "f":
        return values
    values = np.where(np.isnan(values), 0, values)
    if (values % 1 != 0).any():
        wrong = float(values[values % 1 != 0][0])
        raise InputError(f"{what}: {wrong}: values must be whole numbers")
    return values.astype(np.int64)


def _from_literal(source, kind, what, symbols):
    if len(source) < MIN_LITERAL or not LITERAL.fullmatch(source):
        raise InputError(f"{quote(source, 60)}: there is no such file, nor is it a puzzle")
    try:
        return forms.read_puzzles(source, what, kind, symbols)
    except InputError as error:
        may_be_a_file = re.fullmatch(r"\S+\.[a-z]+|\S*[g-z_]\S*", source)
        hint = f" (nor is there a file {quote(source, 60)[1:-1]})" if may_be_a_file else ""
        raise InputError(f"{error}{hint}") from None

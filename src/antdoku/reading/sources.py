"""Puzzles from whatever a user has at hand: a file, standard input, a name, a text or an array.

A file is a table, CSV or Parquet, JSON, or text, compressed by gzip or not. It is opened once, as
it may be a pipe. `read_parts` reads the puzzles of a file as arrays, part by part.
"""

from __future__ import annotations  # `help` shows the types as they are written here

import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from antdoku.errors import InputError, one_line, quote
from antdoku.puzzle import named
from antdoku.puzzle.grid import Puzzle
from antdoku.reading.batches import Batch, batches_of_puzzles
from antdoku.reading.cells import DEFAULT, PUZZLES, WORDS, Options, Skip
from antdoku.reading.fitting import check_symbols
from antdoku.reading.formats import file_parts, parts_of_text, value_parts
from antdoku.reading.frames import of_arrow, with_names
from antdoku.reading.lists import ALLOWED
from antdoku.reading.plain import CELLS
from antdoku.reading.words import LINK

# What `read` takes.
Record = Mapping[str, Any]
Text = str | os.PathLike[str]
Source = Text | Sequence[Text] | ArrayLike | Record | Sequence[Record]
MIN_LITERAL = 16  # cells of the smallest puzzle: what is shorter is the name of a file
A_FILE = re.compile(r"(?!.*://)\S{1,250}\.[A-Za-z]{2,7}")


def read(
    source: Puzzle | Iterable[Puzzle] | Source,
    *,
    symbols: str | None = None,
    rules: bool = True,
    column: str = "puzzle",
    skip: Skip | None = None,
    source_name: str = "the argument",
    first: int = 1,
) -> list[Puzzle]:
    """Read puzzles from a file, standard input, a name, a text, an array or a table.

    Parameters
    ----------
    source : str, path, array_like or DataFrame
        The path of a file; ``-`` for standard input; ``named:NAME`` for a puzzle or a collection of
        the package; a text; whole numbers of shape (d, d) or (d*d,), 0, None or NaN for a blank, or
        several such; lists of texts, or of files and names; a DataFrame of cells, or with a column
        `puzzle` (`quizzes`).
        A file is a table, ``.parquet`` or ``.csv``, with such a column, JSON, ``.npy``, or text in
        any form of `reading.lines`; each may be compressed by gzip. Puzzles, one or a list, are
        returned as they are. The keys of a dict name its puzzles or grids; two that are alike are
        refused, as they may be one puzzle of a table.
    symbols : str, optional
        Symbols of the puzzles, where a text may be in several: ``1-G``, ``0-F``, ``A-P``, ``0-15``
        or all of them in their order, ``ABCDEFGHI``.
    rules : bool
        Whether a puzzle with a value twice in a unit is refused.
    column : str
        The column of puzzles in a table, or their key in JSON. ``solution`` reads solutions where
        they stand beside puzzles.
    skip : callable, optional
        Is called with the error of each puzzle that cannot be read, which is left out:
        ``errors.append``. By default the first error is raised.
    source_name : str
        What messages call a text or numbers.
    first : int
        Puzzles that no file names are called ``puzzle 1`` and so on, from this number.

    Returns
    -------
    list of Puzzle

    Raises
    ------
    InputError
        If there is no puzzle, something that is no puzzle, or a puzzle that means something else in
        other symbols.

    Notes
    -----
    Names are those in the file: the first of the columns `instance_id`, `id` and `name`, a word
    before a puzzle in a text or a line such as ``Grid 01``, the description in an ``.sdk`` file.
    Other puzzles of a file are called ``path:line``. A `UserWarning` says if two have one name.
    """
    options = options_of(symbols, rules, column, skip)
    source = _listed(source)
    items = source if isinstance(source, list) else [source]
    if items and all(isinstance(item, Puzzle) for item in items):
        check_symbols(options, items, source_name)
        return items
    parts = list(read_parts(source, options, source_name, first))
    names = chain.from_iterable(part.given_names for part in parts)
    for name, times in Counter(filter(None, names)).most_common(1):
        if times > 1:  # results are joined by names
            text = f"{one_line(name)}: two puzzles have this name"
            warnings.warn(text, stacklevel=3)  # the line that calls `antdoku.solve_all`
    return list(chain.from_iterable(parts))


def options_of(symbols: str | None, rules: bool, column: str, skip: Skip | None) -> Options:
    """Return the options of `read`; `column` is a usual column, or the name of another one."""
    if not isinstance(column, str) or not column:
        raise InputError(f"column {column!r}: must be the name of a column")
    if column in ("puzzle", "solution"):
        return Options(symbols, rules, column, skip)
    return Options(symbols, rules, skip=skip, named=column)


def read_parts(
    source: Puzzle | Iterable[Puzzle] | Source,
    options: Options = DEFAULT,
    source_name: str = "the argument",
    first: int = 1,
) -> Iterator[Batch]:
    """Yield the puzzles that `source` means, as `read` does, of files part by part.

    `InputError` if there is no puzzle, perhaps after some parts.
    """
    source = _listed(source)
    items = source if isinstance(source, list) else [source]
    are_puzzles = {isinstance(item, Puzzle) for item in items}
    if are_puzzles == {True}:
        check_symbols(options, items, source_name)
        yield from batches_of_puzzles(items)
    elif True in are_puzzles:
        raise _mixed("list")
    elif items and all(map(is_named, items)):
        for item in items:
            if _is_of_package(item):
                puzzles = named.puzzles(item.removeprefix(named.PREFIX))
                yield from read_parts(puzzles, options, item)
            else:
                yield from file_parts(item, options)
    else:
        for batch in _unnamed_parts(source, source_name, options):
            # With `skip` their rows name the puzzles: their numbers would shift.
            yield batch if options.skip else batch.numbered("puzzle ", first)
            first += len(batch)


def _listed(source):
    """Return an iterable as a list; texts, objects, arrays and tables as they are.

    Puzzles by names are a list of puzzles with these names.
    """
    kinds = {*map(type, source.values())} if isinstance(source, Mapping) else set()
    if Puzzle in kinds:
        if len(kinds) > 1:
            raise _mixed("dictionary")
        return [puzzle.renamed(str(name)) for name, puzzle in source.items()]
    if isinstance(source, type | ModuleType):
        raise InputError(f"a {type(source).__name__}: {ALLOWED}")
    source = np.asarray(source) if isinstance(source, memoryview) else source
    source = source.toarray() if hasattr(source, "toarray") else source  # of SciPy, sparse
    source = source.item() if getattr(source, "ndim", None) == 0 else source  # a text in an array
    source = of_arrow(source)
    if hasattr(source, "iloc"):
        is_row = source.index.isin(PUZZLES, level=0).any()
        source = source.to_dict() if is_row else with_names(source)
    if isinstance(source, bytes | bytearray):
        raise InputError("bytes: decode them to a text first")
    is_iterable = isinstance(source, Iterable) and not isinstance(source, str | Mapping)
    is_column = hasattr(source, "iloc") and all(isinstance(item, Puzzle) for item in source)
    return (
        list(source) if is_iterable and (is_column or not hasattr(source, "__array__")) else source
    )


def _mixed(kind):
    return InputError(
        f"a {kind} of puzzles and other things", remedy="read the others first, one by one"
    )


def is_named(source: object) -> bool:
    """Whether a source is a file, standard input, or a puzzle or a collection of the package."""
    if isinstance(source, str):
        return source == "-" or _is_of_package(source) or os.path.lexists(source)
    return isinstance(source, os.PathLike)


def _is_of_package(source):
    return isinstance(source, str) and source.startswith(named.PREFIX)


def _unnamed_parts(source, source_name, options) -> Iterable[Batch]:
    """Return the puzzles of a value, or of a text that names no missing file."""
    is_list = isinstance(source, list) and len(source) > 0
    if is_list and any(map(_is_of_package, source)):
        for item in source:
            if isinstance(item, str) and not is_named(item):
                _refuse_name(item)
        raise InputError("a list of names and other things", remedy="read them one by one")
    if is_list and all(isinstance(item, str) and A_FILE.fullmatch(item) for item in source):
        _refuse_name(source[0])
    if isinstance(source, str):
        _refuse_name(source)
        return parts_of_text(source, source_name, options)
    return value_parts(source, source_name, options)


def _refuse_name(text):
    """Raise `InputError` if a text looks like the name of a file, which is missing."""
    if LINK.search(text) and len(text) < CELLS and len(text.split()) == 1:
        raise InputError("a link without a puzzle", quote(text), remedy="download the file")
    if A_FILE.fullmatch(text) and len(text) not in WORDS:
        raise InputError("there is no such file", quote(text, 60))
    if len(text) < MIN_LITERAL:
        is_known = text in (*named.names(), *named.collections())
        remedy = f"did you mean {named.PREFIX}{text}?" if is_known else None
        raise InputError("there is no such file, nor is it a puzzle", quote(text), remedy=remedy)

"""Puzzles and the grids that are to solve them, from two sources: by names, else in their order."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import itemgetter

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.cells import Batch, text_of

# Names that only count: of lines and rows, and titles such as ``Solution 1``.
COUNTED = re.compile(r".*(?::|[A-Za-z]{3,} )\d+", re.DOTALL)
Pair = tuple[Batch, Batch]


def joined(puzzles: Iterable[Batch], grids: Iterable[Batch]) -> Iterator[Pair]:
    """Yield parts of puzzles and of the grids that belong to them, equally long.

    They belong together in their order. If both sources name their puzzles, and two names differ,
    the remaining ones belong together by names. `InputError` if that is impossible, if there are
    not as many grids as puzzles, or if another puzzle stands beside a grid.
    """
    pairs = aligned(iter(puzzles), iter(grids))
    for pair in pairs:
        if _with_other_names(*pair):
            yield from map(_same, _by_names([pair, *pairs]))
            return
        yield _same(pair)


def aligned(puzzles: Iterator[Batch], grids: Iterator[Batch]) -> Iterator[Pair]:
    """Yield parts of puzzles and of grids, equally long; `InputError` if one has more at the end.

    A pair waits for the next one, so the error comes first if the sources are short.
    """
    part, solutions, number = [], [], 0
    pair = None
    while True:
        part = part or next(puzzles, [])
        solutions = solutions or next(grids, [])
        length = min(len(part), len(solutions))
        if not length:
            break
        if pair:
            yield pair
        pair = part[:length], solutions[:length]
        part, solutions = part[length:], solutions[length:]
        number += length
    n_puzzles = number + len(part) + sum(map(len, puzzles))
    n_grids = number + len(solutions) + sum(map(len, grids))
    if n_puzzles != n_grids:
        counts = f"{_several(n_grids, 'grid')} for {_several(n_puzzles, 'puzzle')}"
        raise InputError(f"{counts}: must be as many")
    if pair:
        yield pair


def _several(number, word):
    return f"{number} {word}{'s' * (number != 1)}"


def _with_other_names(puzzles, grids) -> list[tuple[int, str, str]]:
    """Return the indices at which both sources name their puzzles, but not alike, and the names."""
    arrays = puzzles.own_names, grids.own_names
    if any(array is None for array in arrays) or (arrays[0] == arrays[1]).all():
        return []
    names = enumerate(zip(*(map(text_of, array) for array in arrays)))
    return [(at, *pair) for at, pair in names if all(pair) and pair[0] != pair[1]]


def _by_names(pairs) -> Iterator[Pair]:
    """Yield pairs with the same names; in their order, if the names only count."""
    puzzles, grids = (_merged(batches) for batches in zip(*pairs))
    names, of_grids = (
        [*chain.from_iterable(part.names for part in parts)] for parts in (puzzles, grids)
    )
    if len({*names}) < len(names) or {*names} != {*of_grids}:
        for pair in pairs:
            _refuse_other_names(*pair)
        yield from pairs
        return
    numbered = enumerate(grids)
    places = {
        name: (number, row) for number, part in numbered for row, name in enumerate(part.names)
    }
    for part in puzzles:
        at = 0
        for number, group in groupby(map(places.get, part.names), itemgetter(0)):
            rows = np.array([row for _, row in group])
            yield part[at : at + len(rows)], grids[number][rows]
            at += len(rows)


def _merged(batches) -> list[Batch]:
    """Return batches that follow each other in the same symbols as one."""
    merged = []
    for key, group in groupby(batches, lambda batch: (batch.symbols, batch.beside is None)):
        members = list(group)
        names = np.array([*chain.from_iterable(batch.names for batch in members)], object)
        beside = None if key[1] else np.concatenate([batch.beside for batch in members])
        grids = np.concatenate([batch.grids for batch in members])
        merged.append(Batch(grids, key[0], "", names, beside=beside))
    return merged


def _refuse_other_names(puzzles, grids):
    for at, name, of_grid in _with_other_names(puzzles, grids):
        if not (COUNTED.fullmatch(name) or COUNTED.fullmatch(of_grid)):
            message = f"the puzzle is called {quote(name)}, its solution {quote(of_grid)}"
            remedy = "name both alike, or leave the names out of one source"
            raise InputError(message, grids.labels[at], remedy=remedy)


def _same(pair) -> Pair:
    """Return a pair; `InputError` if another puzzle than its own stands beside a grid."""
    puzzles, grids = pair
    if grids.beside is not None and puzzles.order == grids.order:
        # A grid beside which nothing stands stands beside itself.
        differ = [(grids.beside != part.grids).any(axis=1) for part in pair]
        for at in np.flatnonzero(differ[0] & differ[1]):
            message = f"a solution of another puzzle than {puzzles.names[at]}"
            raise InputError(message, grids.labels[at])
    return pair

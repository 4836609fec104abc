"""Puzzles and the grids that are to solve them, from two sources: by names, else in their order."""

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, groupby
from operator import itemgetter

import numpy as np

from antdoku.errors import InputError, quote, several
from antdoku.reading.batches import Batch, text_of
from antdoku.reading.cells import Skip

logger = logging.getLogger("antdoku")
# Names that only count: of lines and rows, and titles such as ``Solution 1``.
COUNTED = re.compile(r"(.*(?::|[A-Za-z]{3,} ))\d+", re.DOTALL)
Pair = tuple[Batch, Batch]
FIRST = itemgetter(0)
MISSING = -1, 0  # batch and row of a grid that is missing


def joined(
    puzzles: Iterable[Batch], grids: Iterable[Batch], skip: Skip | None = None
) -> Iterator[Pair]:
    """Yield parts of puzzles and of the grids that belong to them, equally long.

    They belong together in their order. If both sources name their puzzles, and two names differ
    or a grid is missing, the remaining ones belong together by names; a grid that is missing is
    blank. `InputError` if that is impossible, or if another puzzle stands beside a grid. A grid
    whose name no puzzle has is refused, or passed to `skip`, as its puzzle may be skipped.

    A pair waits for the next one, so an error comes first if the sources are short.
    """
    pairs = _aligned(filter(len, puzzles), filter(len, grids))
    held, number = [], 0  # the last pair, and the rows before it
    for pair in pairs:
        if len(pair[0]) != len(pair[1]) or _with_other_names(*pair):
            yield from map(_same, _by_names([*held, pair, *pairs], number, skip))
            return
        if not held:
            _tell_order(*pair)
        for before in held:
            number += len(before[0])
            yield _same(before)
        held = [pair]
    yield from map(_same, held)


def _tell_order(puzzles, grids):
    """Say that names join nothing if only one source has them, and no puzzle beside its grids."""
    have_names = [any(part.given_names) for part in (puzzles, grids)]
    if len(puzzles) > 1 and have_names[0] != have_names[1] and grids.beside is None:
        named = "puzzles" if have_names[0] else "solutions"
        logger.info("only the %s have names (ids): both are joined in their order", named)


def _aligned(puzzles: Iterator[Batch], grids: Iterator[Batch]) -> Iterator[tuple]:
    """Yield parts of puzzles and of grids, equally long; at the end, what one source has more."""
    part, solutions = [], []
    while True:
        part, solutions = part or next(puzzles, []), solutions or next(grids, [])
        length = min(len(part), len(solutions))
        if not length:
            break
        yield part[:length], solutions[:length]
        part, solutions = part[length:], solutions[length:]
    yield from ((rest, []) for rest in chain(filter(len, [part]), puzzles))
    yield from (([], rest) for rest in chain(filter(len, [solutions]), grids))


def _misfit(names, of_grids) -> tuple[int, str] | None:
    """Return the index of the first grid whose name no puzzle has, or an earlier grid, and why."""
    left = {*names}
    for at, name in enumerate(of_grids):
        if name not in left:
            is_second = name in of_grids[:at]
            return at, f"{quote(name)} names {'two grids' if is_second else 'no puzzle'}"
        left.discard(name)
    return None


def _with_other_names(puzzles, grids) -> list[tuple[int, str, str]]:
    """Return the indices at which both sources name their puzzles, but not alike, and the names."""
    arrays = puzzles.own_names, grids.own_names
    if any(array is None for array in arrays) or (arrays[0] == arrays[1]).all():
        return []
    names = enumerate(zip(*(map(text_of, array) for array in arrays)))
    return [(at, *pair) for at, pair in names if all(pair) and pair[0] != pair[1]]


def _by_names(pairs, number, skip) -> Iterator[Pair]:
    """Yield pairs with the same names; in their order, if the names only count.

    There are `number` rows before the pairs.
    """
    sources = [[*filter(len, batches)] for batches in zip(*pairs)]
    are_named = all(map(_are_named, chain.from_iterable(sources)))
    puzzles, grids = map(_merged, sources)
    names, of_grids = (
        [*chain.from_iterable(part.names for part in parts)] for parts in (puzzles, grids)
    )
    are_unique = all(len({*some}) == len(some) for some in (names, of_grids))
    are_as_many = len(names) == len(of_grids)
    misfit = _misfit(names, of_grids) if are_named else None
    unknown = {*of_grids} - {*names}
    may_skip = bool(skip) and are_named and unknown < {*of_grids}
    if are_unique and (may_skip or not unknown) and (are_named or are_as_many):
        for part in sources[1] if unknown else ():
            _skip_unknown(part, unknown, skip)
        yield from _matched(puzzles, grids)
    elif are_as_many and not (misfit and _are_in_other_order(names, of_grids)):
        for pair in pairs:
            _refuse_other_names(*pair)
        yield from pairs
    elif misfit:
        at, reason = misfit
        labels = [*chain.from_iterable(part.labels for part in sources[1])]
        raise InputError(reason, labels[at], remedy="correct this name, or leave the grid out")
    else:
        _refuse_number(*sources, number)


def _skip_unknown(grids, unknown, skip):
    """Pass an error to `skip` for each grid with one of the names that no puzzle has."""
    for name, label in zip(grids.names, grids.labels):
        if name in unknown:
            skip(InputError(f"{quote(name)} names no puzzle", label))


def _refuse_number(puzzles, grids, number):
    """Refuse another number of grids than of puzzles; there are `number` pairs before them."""
    labels = [[*chain.from_iterable(part.labels for part in source)] for source in (puzzles, grids)]
    n_puzzles, n_grids = (number + len(some) for some in labels)
    at = min(map(len, labels))
    surplus = next(some[at] for some in labels if len(some) > at)  # the first one too many
    titles = [*filter(None, chain.from_iterable(part.given_names for part in grids))]
    remedy = f"is the title {quote(titles[0])} one of them?" if len(titles) == 1 else None
    message = f"{several(n_grids, 'grid')} for {several(n_puzzles, 'puzzle')}: must be as many"
    raise InputError(message, surplus, remedy=remedy)


def _are_in_other_order(names, of_grids):
    """Whether a name stands elsewhere in the other source."""
    others = {*of_grids}
    return any(name != other and name in others for name, other in zip(names, of_grids))


def _matched(puzzles, grids) -> Iterator[Pair]:
    """Yield puzzles, and the grids with their names; a grid that is missing is blank."""
    rows = {
        name: (number, row)
        for number, part in enumerate(grids)
        for row, name in enumerate(part.names)
    }
    for part in puzzles:
        at = 0
        for number, group in groupby((rows.get(name, MISSING) for name in part.names), FIRST):
            members = [row for _, row in group]
            some = part[at : at + len(members)]
            at += len(members)
            if number == MISSING[0]:
                yield some, replace(some, grids=np.zeros_like(some.grids), beside=None)
            else:
                yield some, grids[number][np.array(members)]


def _are_named(batch):
    return batch.own_names is not None and all(batch.given_names)


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


def _only_count(name, of_grid):
    """Whether a name or that of its grid is a word and a number, and the words differ."""
    words = [match and match[1] for match in map(COUNTED.fullmatch, (name, of_grid))]
    return words[0] != words[1]


def _refuse_other_names(puzzles, grids):
    for at, name, of_grid in _with_other_names(puzzles, grids):
        if not _only_count(name, of_grid):
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
    if puzzles.order == grids.order and puzzles.own_names is not None is not grids.own_names:
        _refuse_swapped(puzzles, grids)
    return pair


def _refuse_swapped(puzzles, grids):
    """Refuse grids that keep the givens of the other puzzle with their name, not of their own."""
    givens, rows = puzzles.grids, defaultdict(list)
    are_kept = ((givens == 0) | (givens == grids.grids)).all(axis=1)
    for at, name in enumerate([] if are_kept.all() else puzzles.names):
        rows[name].append(at)
    for name, pair in rows.items():
        swapped = grids.grids[pair[::-1]]
        may_be = ((givens[pair] == 0) | (givens[pair] == swapped)).all(axis=1) & ~are_kept[pair]
        if len(pair) == 2 and may_be.any():
            message = f"two puzzles are called {quote(name)}: whose solution is this?"
            raise InputError(message, grids.labels[pair[0]], remedy="give each its own name")

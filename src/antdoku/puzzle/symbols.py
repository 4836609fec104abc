"""Symbols: how the values of a puzzle are written, and which symbols a text is written in.

    order   one character a cell     a blank
    2, 3    1-4; 1-9                 . * _ - 0
    4       1-G, 0-F or A-P          . * _ - and 0 where it is no value
    5       A-Y, 1-P or 0-O          the same
    6       0-Z                      . * _ -

``1-G`` are the digits from 1 and the letters to G, in either case. Numbers with spaces between are
symbols of any order: ``1-16``, where 0 and -1 are blanks, too, or ``0-15``, where -1 is.

A text may fit several symbols: without a G, ``1-G`` looks like ``0-F``, in which every value is
another. So all puzzles of a text decide together: in a complete grid, and beside another blank, 0
is a value if it can be one. A text that still has two meanings is refused.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from math import isqrt
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.grid import ORDERS, Puzzle, cell_name, given_twice, units

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OTHER_BLANKS = (*".*_-", "-1")
BLANKS = (*OTHER_BLANKS, "0")
# In which of them a text of characters may be.
OF_ORDER = {
    2: ("1-4",),
    3: ("1-9",),
    4: ("1-G", "0-F", "A-P"),
    5: ("A-Y", "1-P", "0-O"),
    6: ("0-Z",),
}
LETTERS = {4: ("A-P", 7), 5: ("A-Y", 16)}  # 1-G has the first 7 letters, too
REMEDY = "say which: --symbols, symbols= in Python, or a line '# symbols: {}' in the text"


class Symbols(NamedTuple):
    """How cells are written: `signs` of a blank and of 1 to d, with `gap` between two cells."""

    name: str
    signs: tuple[str, ...]
    gap: str = ""

    def __str__(self):
        return self.name

    @property
    def order(self) -> int:
        """Order of the puzzles that have so many values."""
        return isqrt(len(self.signs) - 1)

    def line(self, values: Sequence[int]) -> str:
        """Write values, 0 for a blank, in one line."""
        return self.gap.join([self.signs[value] for value in values])

    def values(self, signs: Iterable[str]) -> np.ndarray:
        """Values of signs: int16, 0 for a blank, -1 for what is none."""
        known = dict.fromkeys(BLANKS, 0)
        known |= {sign: value for value, sign in enumerate(self.signs[1:], start=1)}
        return np.array([known.get(sign, -1) for sign in signs], np.int16)


@cache
def symbols_of(name: str) -> Symbols:
    """Symbols by their first and last, ``1-G`` or ``0-15``, or by all of them in their order.

    `InputError` if they are none, or not as many as a puzzle has.
    """
    first, _, last = name.upper().partition("-")
    if first in ("0", "1") and last.isdecimal() and len(last) in (2, 3):
        order, signs = isqrt(int(last) + 1 - int(first)), ""
        if order in ORDERS and numbers(order, int(first)).name == name:
            return numbers(order, int(first))
    elif len(first) == len(last) == 1:
        signs = SIGNS[SIGNS.find(first) : SIGNS.find(last) + 1]
    else:
        signs = first if not last else ""
    is_size = len(signs) in [order**2 for order in OF_ORDER]
    if not is_size or len(set(signs)) < len(signs) or not set(signs) <= set(SIGNS):
        raise InputError(
            f"symbols {quote(name, 40)}: must be 1-9, 1-G, 0-F, A-P, 1-16, ..., or 4, 9, 16, 25 or "
            "36 different letters and digits"
        )
    return Symbols(name, (".", *signs))


@cache
def numbers(order: int, first: int = 1) -> Symbols:
    """Whole numbers with spaces between, from 1 with 0 for a blank, or from 0 with a dot."""
    signs = (".0"[first], *map(str, range(first, first + order**2)))
    return Symbols(f"{first}-{signs[-1]}", signs, " ")


def usual(order: int, values: Sequence[int]) -> Symbols:
    """Symbols in which values are written that nobody has written before.

    Digits up to order 3; letters at orders 4 and 5, but numbers where 1-G or 1-P has all of the
    letters, too; numbers beyond.
    """
    if order not in LETTERS:
        return symbols_of(OF_ORDER[order][0]) if order <= 3 else numbers(order)
    letters, n_shared = LETTERS[order]
    is_clear = max(values) > n_shared or max(values) == 0
    return symbols_of(letters) if is_clear else numbers(order)


# --- Reading -------------------------------------------------------------------------------------


class Cells(NamedTuple):
    """The cells of a puzzle as they stand in a text: characters, or a list of numbers."""

    place: str
    order: int
    signs: str | list[str]
    name: str = ""
    known: Symbols | None = None  # where the form of the text says them


def puzzles_of(
    found: list[Cells], source_name: str, kind: type[Puzzle] = Puzzle, symbols: str | None = None
) -> list[Puzzle]:
    """Make the puzzles of a source, all of an order and a form in the same symbols."""
    chosen = symbols_of(symbols) if symbols else None
    groups: dict = {}
    for at, cells in enumerate(found):
        groups.setdefault((cells.order, type(cells.signs), cells.known), []).append(at)
    if chosen and chosen.order not in {order for order, *_ in groups}:
        raise InputError(f"{source_name}: symbols {chosen}: no puzzle in it has so many")
    puzzles = {}
    for (order, _, known), members in groups.items():
        own = known or (chosen if chosen and chosen.order == order else None)
        group = [found[at] for at in members]
        puzzles |= zip(members, _read_group(group, source_name, kind, own), strict=True)
    return [puzzles[at] for at in range(len(found))]


def _read_group(group, source_name, kind, chosen):
    """Puzzles in the same symbols: those chosen, else the only ones that fit."""
    order, in_characters = group[0].order, isinstance(group[0].signs, str)
    if chosen and chosen.gap and in_characters:
        raise InputError(f"{source_name}: symbols {chosen}: these are numbers with spaces between")
    signs, codes = _codes(group)
    candidates = [chosen] if chosen else _candidates(order, in_characters)
    readings = [(symbols, symbols.values(signs)[codes]) for symbols in candidates]
    misfits = [_misfit(values, order) for _, values in readings]
    fitting = [reading for reading, misfit in zip(readings, misfits) if misfit is None]
    if not fitting and not kind.KEEPS_RULES:
        fitting = [(symbols, values) for symbols, values in readings if values.min() >= 0]
    if not fitting:
        raise InputError(_what_is_wrong(group, readings, misfits))
    symbols, values = _only(fitting, signs, codes, f"{source_name}: puzzles of order {order}")
    if in_characters and "".join(cells.signs for cells in group).islower():
        symbols = symbols._replace(signs=tuple(map(str.lower, symbols.signs)))
    values.setflags(write=False)
    names = [cells.name or cells.place for cells in group]
    return [kind.trusted(order, row, name, symbols) for row, name in zip(values, names)]


def _codes(group):
    """The different signs of puzzles, and the number of the one in each cell: shape (n, c)."""
    if isinstance(group[0].signs, str):
        text = "".join(cells.signs for cells in group).upper()
        signs, codes = list(map(chr, range(128))), np.frombuffer(text.encode("ascii"), np.uint8)
    else:
        tokens = [token for cells in group for token in cells.signs]
        known = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
        signs = [token if token in OTHER_BLANKS else str(int(token)) for token in known]
        codes = np.array([known[token] for token in tokens])
    return np.array(signs), codes.reshape(len(group), -1)


def _candidates(order, in_characters):
    if in_characters:
        return list(map(symbols_of, OF_ORDER[order]))
    return [numbers(order), numbers(order, 0)] if order > 3 else [numbers(order)]


def _misfit(values, order):
    """Number of the first of some puzzles that is none, and its cell without a value, if any."""
    if values.min() < 0:
        return divmod(int(np.argmax(values < 0)), values.shape[1])
    has_twice = np.zeros(len(values), bool)
    for unit in units(order):
        inside = np.sort(values[:, unit], axis=1)
        has_twice |= ((inside[:, 1:] == inside[:, :-1]) & (inside[:, 1:] > 0)).any(axis=1)
    return (int(np.argmax(has_twice)), None) if has_twice.any() else None


def _only(fitting, signs, codes, what):
    """The one reading; of several, any where they are the same.

    One with a complete grid comes before others, then one in which 0 is a value if a puzzle of the
    text has 0 beside another blank.
    """
    fitting = [each for each in fitting if each[1].all(axis=1).any()] or fitting
    has_0, has_other = (np.isin(signs, some)[codes].any(axis=1) for some in ("0", OTHER_BLANKS))
    if (has_0 & has_other).any():
        fitting = [each for each in fitting if "0" in each[0].signs[1:]] or fitting
    first, *others = fitting
    for other in others:
        if (first[1] != other[1]).any():
            remedy = REMEDY.format(first[0])
            raise InputError(f"{what} may be in {first[0]} or {other[0]}: {remedy}")
    return first


def _what_is_wrong(group, readings, misfits):
    """What keeps a puzzle from being one in the symbols that fit longest."""
    misfit = max(misfits, key=lambda misfit: (misfit[0], misfit[1] is None))
    number, cell = misfit
    symbols, values = readings[misfits.index(misfit)]
    place, order, signs, *_ = group[number]
    if cell is None:
        note = f" (written in {symbols})" if order > 3 else ""
        return f"{place}: {given_twice(values[number], order)}{note}"
    return (
        f"{place}: {cell_name(cell, order**2)}: {signs[cell]!r} is not a cell of order {order}: "
        f"allowed are {' or '.join(symbols.name for symbols, _ in readings)}, and . * _ - for a "
        "blank, or 0 where it is no value"
    )

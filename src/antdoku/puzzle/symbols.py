"""Symbols: how the values of a puzzle are written, and which symbols a text is written in.

    order   one character a cell     a blank
    2, 3    1-4; 1-9                 . * _ - 0
    4       1-G, 0-F or A-P          . * _ - and 0 where it is no value
    5       A-Y, 1-P or 0-O          the same
    6       0-Z                      . * _ -

``1-G`` are the digits from 1 and the letters to G, in either case. Numbers with spaces between are
symbols of any order: ``1-16``, where 0 and -1 are blanks, too, or ``0-15``, where -1 is. Where a
text has none of these blanks, one other sign is the blank.

A text may fit several symbols: without a G, ``1-G`` looks like ``0-F``, in which every value is
another. So all puzzles of a text decide together: in a complete grid, and beside another blank, 0
is a value if it can be one. A text that still has two meanings is refused.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count, product
from math import isqrt
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, at_line, quote
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
    """The writing of cells: `signs` of a blank and of 1 to d, with `gap` between two cells."""

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
        known = dict.fromkeys(BLANKS, 0) | dict(zip(self.signs[1:], count(1)))
        return np.array([known.get(sign, -1) for sign in signs], np.int16)


@cache
def symbols_of(name: str) -> Symbols:
    """Symbols by their first and last, ``1-G`` or ``0-15``, or by all of them in their order.

    `InputError` if they are none, or not as many as a puzzle has.
    """
    for order, first in product(ORDERS[2:], (0, 1)):
        if numbers(order, first).name == name:
            return numbers(order, first)
    first, _, last = name.upper().partition("-")
    is_range = len(first) == len(last) == 1
    signs = SIGNS[SIGNS.find(first) : SIGNS.find(last) + 1] if is_range else name.upper()
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


class Place(NamedTuple):
    """Where something stands: a file or an argument, and its line or row."""

    source: str
    line: int | str | None = None

    def __str__(self):
        return at_line(*self)


class Cells(NamedTuple):
    """The cells of a puzzle as they stand in a text: characters, or a list of numbers."""

    place: Place
    signs: str | list[str]
    name: str = ""
    known: Symbols | None = None  # where the form of the text says them

    @property
    def order(self) -> int:
        """Order of the puzzle."""
        return isqrt(isqrt(len(self.signs)))


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
    puzzles: dict = {}
    for (order, form, known), members in groups.items():
        own = known or (chosen if chosen and chosen.order == order else None)
        if own and own.gap and form is str:
            raise InputError(f"{source_name}: symbols {own}: these are numbers with spaces between")
        candidates = [own] if own else _candidates(order, form)
        group = [found[at] for at in members]
        puzzles |= zip(members, _read_group(group, source_name, kind, candidates), strict=True)
    return [puzzles[at] for at in range(len(found))]


def _candidates(order, form):
    if form is str or order <= 3:
        return list(map(symbols_of, OF_ORDER[order]))
    return [numbers(order), numbers(order, 0)]


def _read_group(group, source_name, kind, candidates):
    """Read puzzles that are in the same symbols: in the only candidate that fits."""
    order, (signs, codes) = group[0].order, _codes(group)
    known = {*BLANKS}.union(*(symbols.signs for symbols in candidates))
    others = [sign for sign in signs if sign not in known and not sign[-1].isdecimal()]
    if len(others) == 1 and not {*OTHER_BLANKS} & {*signs}:  # it is the blank
        signs[signs == others[0]] = "."
    readings = [(symbols, symbols.values(signs)[codes]) for symbols in candidates]
    fitting = [reading for reading in readings if not _misfits(reading[1], order).any()]
    if not fitting and not kind.KEEPS_RULES:
        fitting = [reading for reading in readings if reading[1].min() >= 0]
    if not fitting:
        _refuse(group, readings)
    symbols, values = _only(fitting, signs[codes], f"{source_name}: puzzles of order {order}")
    if isinstance(group[0].signs, str) and "".join(each.signs for each in group).islower():
        symbols = symbols._replace(signs=tuple(map(str.lower, symbols.signs)))
    values.setflags(write=False)
    names = [cells.name or str(cells.place) for cells in group]
    return [kind.trusted(order, row, name, symbols) for row, name in zip(values, names)]


def _codes(group):
    """Return the different signs of puzzles, and the number of each cell's sign: shape (n, c)."""
    if isinstance(group[0].signs, str):
        signs = np.array(["".join(cells.signs for cells in group).upper()]).view("U1")
    else:
        tokens = [token for cells in group for token in cells.signs]
        signs = [str(int(token)) if token[-1].isdecimal() else token for token in tokens]
    different, codes = np.unique(signs, return_inverse=True)
    return different, codes.reshape(len(group), -1)


def _misfits(values, order):
    """Whether puzzles have a cell without a value, or a value twice in a unit: shape (n,)."""
    is_misfit = (values < 0).any(axis=1)
    for unit in units(order):
        inside = np.sort(values[:, unit], axis=1)
        is_misfit |= ((inside[:, 1:] == inside[:, :-1]) & (inside[:, 1:] > 0)).any(axis=1)
    return is_misfit


def _only(fitting, signs, what):
    """Return the one reading; of several, any where they are the same.

    One with a complete grid comes before others, then one in which 0 is a value if a puzzle of the
    text has 0 beside another blank.
    """
    fitting = [each for each in fitting if each[1].all(axis=1).any()] or fitting
    has_0, has_other = (np.isin(signs, some).any(axis=1) for some in ("0", OTHER_BLANKS))
    if (has_0 & has_other).any():
        fitting = [each for each in fitting if "0" in each[0].signs[1:]] or fitting
    first, *others = fitting
    for other in others:
        if (first[1] != other[1]).any():
            remedy = REMEDY.format(first[0])
            raise InputError(f"{what} may be in {first[0]} or {other[0]}: {remedy}")
    return first


def _refuse(group, readings):
    """Raise `InputError` for the first puzzle that is none in the symbols that most cells fit."""
    order = group[0].order
    firsts = [int(np.argmax(_misfits(values, order))) for _, values in readings]
    fit = [(at, -(row[at] < 0).sum(), row[at].min()) for at, (_, row) in zip(firsts, readings)]
    at, (symbols, values) = max(fit)[0], readings[fit.index(max(fit))]
    place, signs = group[at].place, group[at].signs
    cell = int(np.argmin(values[at]))
    if values[at, cell] >= 0:
        note = f" (written in {symbols})" if order > 3 else ""
        raise InputError(f"{given_twice(values[at], order)}{note}", *place)
    allowed = " or ".join(symbols.name for symbols, _ in readings)
    raise InputError(
        f"{cell_name(cell, order**2)}: {quote(signs[cell])} is not a cell of order {order}: "
        f"allowed are {allowed}, and . * _ - or one other sign for a blank, or 0 where it is no "
        "value",
        *place,
    )

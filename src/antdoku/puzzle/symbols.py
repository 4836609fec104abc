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

from collections.abc import Sequence
from functools import cache
from math import isqrt
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.grid import ORDERS, units

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BLANKS = ".*_-"
# In which of them a text may be.
OF_ORDER = {
    2: ("1-4",),
    3: ("1-9",),
    4: ("1-G", "0-F", "A-P"),
    5: ("A-Y", "1-P", "0-O"),
    6: ("0-Z",),
}
LETTERS = {4: ("A-P", 7), 5: ("A-Y", 16)}  # 1-G has the first 7 letters, too
CHUNK = 2**17  # cells whose units are looked at together
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


@cache
def symbols_of(name: str) -> Symbols:
    """Symbols by their name, or by all of them in their order.

    Parameters
    ----------
    name : str
        First and last symbol, ``1-G`` or ``0-15``; or 4, 9, 16, 25 or 36 letters and digits.

    Raises
    ------
    InputError
        If they are none, or not as many as a puzzle has.
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


class MisfitError(Exception):
    """One of several puzzles is none in the symbols."""

    def __init__(self, symbols, values, number, cell, is_chosen=False):
        super().__init__(number)
        self.symbols, self.values, self.is_chosen = symbols, values[number], is_chosen
        self.number, self.cell = number, cell  # from 0; None if a unit has a value twice


def read_characters(
    texts: Sequence[str], order: int, chosen: Symbols | None = None, are_puzzles: bool = True
) -> tuple[Symbols, np.ndarray]:
    """Read puzzles of one character a cell, all in the same symbols.

    Parameters
    ----------
    texts : sequence of str, length n
        Letters, digits and blanks, c in each.
    chosen : Symbols, optional
        Those that are known; else they are found.
    are_puzzles : bool
        Whether a unit that has a value twice tells that the symbols are others.

    Returns
    -------
    symbols : Symbols
    values : ndarray of int16, shape (n, c), read-only
        0 for a blank.

    Raises
    ------
    InputError
        If the texts have different values in several symbols.
    MisfitError
        If they have none, or are no puzzles.
    """
    joined = "".join(texts)
    codes = np.frombuffer(joined.upper().encode(), np.uint8).reshape(len(texts), order**4)
    candidates = [chosen] if chosen else list(map(symbols_of, OF_ORDER[order]))
    found, misfits = [], []
    for symbols in candidates:
        values = _codes_of(symbols)[codes]
        if misfit := _misfit(values, order, are_puzzles):
            misfits.append(MisfitError(symbols, values, *misfit, is_chosen=chosen is not None))
        else:
            found.append((symbols, values))
    if not found:
        raise max(misfits, key=lambda each: (each.number, each.cell is None))
    has_0, has_other = codes == ord("0"), np.isin(codes, list(BLANKS.encode()))
    symbols, values = _only(found, (has_0.any(axis=1) & has_other.any(axis=1)).any())
    values.setflags(write=False)
    return _in_case_of(joined, symbols), values


def read_numbers(
    marks: np.ndarray, order: int, chosen: Symbols | None = None, are_puzzles: bool = True
) -> tuple[Symbols, np.ndarray]:
    """Read puzzles of numbers as `read_characters` does.

    Parameters
    ----------
    marks : ndarray of int, shape (n, c)
        -1 for what is surely a blank. A 0 is a blank, but may be a value beside other blanks.
    """
    symbols, values = numbers(order), np.where(marks == -1, 0, marks)
    from_0, shifted = numbers(order, 0), marks + 1
    if chosen and chosen.signs[1:] == from_0.signs[1:]:
        symbols, values = from_0, shifted
    if misfit := _misfit(values, order, are_puzzles):
        raise MisfitError(symbols, values, *misfit)
    has_other = (marks == -1).any(axis=1)
    # Where 0 is the only sign for a blank it is one, unless a grid is complete without blanks.
    may_be_from_0 = order > 3 and not chosen and (has_other | shifted.all(axis=1)).any()
    if may_be_from_0 and not _misfit(shifted, order):
        has_both = (has_other & (marks == 0).any(axis=1)).any()
        symbols, values = _only([(symbols, values), (from_0, shifted)], has_both)
    values = values.astype(np.int16)
    values.setflags(write=False)
    return symbols, values


def _only(found, has_both):
    """The one reading; of several, any where they are the same.

    One with a complete grid comes before others, then one in which 0 is a value if the text
    `has_both`: a puzzle with 0 and another blank.
    """
    found = [each for each in found if each[1].all(axis=1).any()] or found
    if has_both:
        found = [each for each in found if "0" in each[0].signs[1:]] or found
    first, *others = found
    for other in others:
        if (first[1] != other[1]).any():
            raise InputError(f"may be in {first[0]} or {other[0]}: {REMEDY.format(first[0])}")
    return first


@cache
def _codes_of(symbols):
    """Value by code of the character, -1 for those that are none."""
    values = np.full(256, -1, np.int16)
    values[list(f"{BLANKS}0".encode())] = 0
    for value, sign in enumerate(symbols.signs[1:], start=1):
        values[ord(sign)] = value
    return values


def _in_case_of(text, symbols):
    """The symbols in small letters if the text is, else in capitals."""
    if not text.islower():
        return symbols
    return symbols._replace(signs=tuple(map(str.lower, symbols.signs)))


def _misfit(values, order, are_puzzles=True):
    """Number of the first of some puzzles that is none, and its cell that has no value, if any."""
    wrong = np.flatnonzero((values < 0) | (values > order**2))
    if wrong.size:
        return divmod(int(wrong[0]), order**4)
    step = max(1, CHUNK // order**4)
    for start in range(0, len(values) if are_puzzles else 0, step):
        inside = np.sort(values[start : start + step, units(order)], axis=2)
        has_twice = (inside[..., 1:] == inside[..., :-1]) & (inside[..., 1:] > 0)
        wrong = np.flatnonzero(has_twice.any(axis=(1, 2)))
        if wrong.size:
            return start + int(wrong[0]), None
    return None

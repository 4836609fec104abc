"""Symbols: how the values of a puzzle are written.

    order   one character a cell     a blank
    2       1-4 or 0-3               . * _ - and 0 where it is no value
    3       1-9 or 0-8               the same
    4       1-G, 0-F or A-P          the same
    5       A-Y, 1-P or 0-O          the same
    6       0-Z                      . * _ -

``1-G`` are the digits from 1 and the letters to G, in either case. Numbers with spaces between are
symbols of any order: ``1-16``, where 0 and -1 are blanks, too, or ``0-15``, where -1 is.
"""

from collections.abc import Sequence
from functools import cache
from math import isqrt
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, quote

ORDERS = range(2, 11)  # of the puzzles of this package: 4x4 to 100x100
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BLANKS = ("", ".", "*", "_", "-", "-1", "0")
CHARACTERS = {
    2: ("1-4", "0-3"),
    3: ("1-9", "0-8"),
    4: ("1-G", "0-F", "A-P"),
    5: ("A-Y", "1-P", "0-O"),
    6: ("0-Z",),
}
# The usual letters, and how many of them other symbols use as well.
LETTERS = {4: ("A-P", 7), 5: ("A-Y", 16)}


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

    @property
    def blanks(self) -> set[str]:
        """Signs of a blank cell, without the signs of values."""
        return {*BLANKS} - {*self.signs[1:]}

    @property
    def has_zero(self) -> bool:
        """Whether 0 is a value."""
        return "0" in self.signs[1:]

    def line(self, values: Sequence[int]) -> str:
        """Write values, 0 for a blank, in one line."""
        return self.gap.join([self.signs[value] for value in values])

    def lines(self, grids: np.ndarray) -> list[str]:
        """Write grids, uint8 (n, c), each in one line."""
        if self.gap:
            return list(map(self.line, grids.tolist()))
        signs = "".join(self.signs).encode().ljust(256)
        data = grids.tobytes().translate(signs)
        return np.frombuffer(data, f"S{grids.shape[1]}").astype(str).tolist()


@cache
def numbers(order: int, first: int = 1) -> Symbols:
    """Return whole numbers with spaces between, from 1 with 0 for a blank, or from 0 with a dot."""
    signs = (".0"[first], *map(str, range(first, first + order**2)))
    return Symbols(f"{first}-{signs[-1]}", signs, " ")


NUMBERS = {numbers(order, first).name: (order, first) for order in ORDERS[2:] for first in (0, 1)}


@cache
def symbols_of(name: str) -> Symbols:
    """Return symbols by their first and last, ``1-G`` or ``0-15``, or by all of them in order.

    Raises
    ------
    InputError
        If they are no symbols, or not as many as a puzzle has values.
    """
    if name in NUMBERS:
        return numbers(*NUMBERS[name])
    first, _, last = name.upper().partition("-")
    is_range = len(first) == len(last) == 1
    text = ALPHABET[ALPHABET.find(first) : ALPHABET.find(last) + 1] if is_range else name.upper()
    is_size = len(text) in [order**2 for order in CHARACTERS]
    if not is_size or len(set(text)) < len(text) or not set(text) <= set(ALPHABET):
        raise InputError(
            f"symbols {quote(name, 40)}: must be 1-9, 1-G, 0-F, A-P, 1-16, ..., or 4, 9, 16, 25 or "
            "36 different letters and digits"
        )
    return Symbols(name, (".", *text))


def usual(order: int, values: Sequence[int]) -> Symbols:
    """Return the symbols in which a puzzle is written that was not read from a text.

    Digits up to order 3; letters at orders 4 and 5, or numbers if the letters that it uses are
    also letters of 1-G or 1-P; numbers at higher orders.
    """
    if order not in LETTERS:
        return symbols_of(CHARACTERS[order][0]) if order <= 3 else numbers(order)
    letters, n_shared = LETTERS[order]
    is_clear = max(values) > n_shared or max(values) == 0
    return symbols_of(letters) if is_clear else numbers(order)

"""Cells of puzzles as a source writes them, and the symbols in which it does.

A text may fit several symbols: without a G, ``1-G`` looks like ``0-F``, in which every value is
another. So all puzzles of a source, of an order and a form, decide together:

- Symbols fit if each cell has a value or is blank, and no unit has a value twice.
- At orders 4 to 6, symbols in which a grid is complete come first, then symbols in which 0 is a
  value if it stands beside another blank.
- At orders 2 and 3, symbols from 0 are tried if 0 stands beside another blank, or in each unit.
- One other sign is the blank if it stands in several cells and there is no blank.

A source that still has two meanings is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

import numpy as np

from antdoku.errors import InputError, at_line, quote
from antdoku.puzzle.grid import Puzzle, cell_name, given_twice, units
from antdoku.puzzle.symbols import BLANKS, CHARACTERS, numbers, symbols_of

Skip = Callable[[InputError], object]  # is told of each line or row that is no puzzle
REMEDY = "say which: --symbols, symbols= in Python, or a line '# symbols: {}' in the text"
SOLUTION = "a solution beside its puzzle: leave it out, or name the columns puzzle and solution"


class Place(NamedTuple):
    """Where a puzzle stands: a file or an argument, and its line or row."""

    source: str
    line: int | str | None = None

    def __str__(self):
        return at_line(*self)


class Cells(NamedTuple):
    """The cells of a puzzle: characters, or a list of numbers or of characters."""

    place: Place
    signs: str | list[str]
    name: str = ""
    from_one: bool = False  # whether the form says that numbers count from 1

    @property
    def order(self) -> int:
        """Order of the puzzle."""
        return isqrt(isqrt(len(self.signs)))

    @property
    def are_numbers(self) -> bool:
        """Whether the cells are numbers: they stand apart, and no letter stands among them."""
        if isinstance(self.signs, str):
            return False
        has_letter = any(map(str.isalpha, self.signs))
        return not has_letter or any(sign.isdecimal() and int(sign) > 9 for sign in self.signs)


@dataclass(frozen=True)
class Options:
    """How puzzles are read.

    Parameters
    ----------
    symbols : str, optional
        Their symbols, where a source may be in several; of several orders with spaces between.
    rules : bool
        Whether a puzzle with a value twice in a unit is refused.
    column : str
        ``puzzle``, or ``solution``: then solutions are read where they stand beside puzzles.
    named : bool
        Whether puzzles that the source does not name are called after their place.
    skip : function, optional
        Is told of each line or row that is no puzzle; without it, the first one is refused.
    """

    symbols: str | None = None
    rules: bool = True
    column: str = "puzzle"
    named: bool = True
    skip: Skip | None = None

    @property
    def symbol_names(self) -> list[str]:
        """Names of symbols: of each order one."""
        return (self.symbols or "").replace(",", " ").split()

    @property
    def orders(self) -> set[int]:
        """Orders of the puzzles that have these symbols."""
        return {symbols_of(name).order for name in self.symbol_names}

    def refuse(self, error: InputError) -> None:
        """Skip what is no puzzle, or raise the error."""
        if self.skip is None:
            raise error
        self.skip(error)


def puzzles_of(found: list[Cells], source: str, options: Options) -> list[Puzzle]:
    """Return the puzzles of a source; with `Options.skip`, those that can be read.

    Raises
    ------
    InputError
        If a puzzle breaks the rules or has two meanings, or a solution stands beside it.
    """
    if found and options.orders - {cells.order for cells in found}:
        raise InputError(f"symbols {options.symbols}: no puzzle in it has so many values", source)
    try:
        return _puzzles(found, source, options)
    except InputError:
        if options.skip is None:
            raise
    puzzles: list[Puzzle] = []
    for cells in found:
        try:
            (puzzle,) = _puzzles([cells], source, options)
            if puzzles and stand_beside(puzzles[-1].givens, puzzle.givens):
                raise InputError(SOLUTION, *cells.place)
            puzzles.append(puzzle)
        except InputError as error:
            options.skip(error)
    return puzzles


def stand_beside(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether one of two puzzles is complete, and the other a part of it with blank cells.

    From 17 givens on, which a puzzle with one solution has, this is no chance.
    """
    if first.size != second.size or first.all() == second.all():
        return False
    is_same = first == second
    return bool(is_same.sum() >= 17 and (is_same | (first == 0) | (second == 0)).all())


def _puzzles(found, source, options):
    chosen = {symbols.order: symbols for symbols in map(symbols_of, options.symbol_names)}
    groups: dict = {}
    for at, cells in enumerate(found):
        groups.setdefault((cells.order, cells.are_numbers, cells.from_one), []).append(at)
    puzzles: dict = {}
    for (order, are_numbers, _), members in groups.items():
        group = [found[at] for at in members]
        if order in chosen and chosen[order].gap and not are_numbers:
            reason = "these are numbers with spaces between"
            raise InputError(f"symbols {chosen[order]}: {reason}", source)
        candidates = [chosen[order]] if order in chosen else _candidates(order, are_numbers)
        puzzles |= zip(members, _read_group(group, source, options, candidates), strict=True)
    for at in range(1, len(found)) if options.column == "puzzle" else ():
        if stand_beside(puzzles[at - 1].givens, puzzles[at].givens):
            raise InputError(SOLUTION, *found[at].place)
    return [puzzles[at] for at in range(len(found))]


def _candidates(order, are_numbers):
    if order <= 3 or (not are_numbers and order in CHARACTERS):
        return list(map(symbols_of, CHARACTERS[order]))
    return [numbers(order), numbers(order, 0)]


def _read_group(group, source, options, candidates):
    """Return puzzles that are in the same symbols: in the only candidate that fits."""
    order = group[0].order
    signs, codes = _codes(group)
    readings = [(symbols, _values(symbols, signs, codes)) for symbols in candidates]
    has_zero_beside_blank = _has_zero_beside_blank(signs, codes)
    if len(readings) == 2 and not has_zero_beside_blank:
        is_complete = "0" in signs and (readings[1][1] > 0).all(axis=1).any()
        if not is_complete and (group[0].from_one or order <= 3):
            del readings[1]
    fitting = [reading for reading in readings if not _misfits(reading[1], order).any()]
    if not fitting and not options.rules:
        fitting = [reading for reading in readings if reading[1].min() >= 0]
    if not fitting:
        _refuse(group, readings)
    symbols, values = _only(fitting, has_zero_beside_blank, source, order)
    if not symbols.gap and "".join(sign for cells in group for sign in cells.signs).islower():
        symbols = symbols._replace(signs=tuple(map(str.lower, symbols.signs)))
    values.setflags(write=False)
    names = [cells.name or str(cells.place) * options.named for cells in group]
    return [Puzzle.checked(order, row, name, symbols) for row, name in zip(values, names)]


def _codes(group):
    """Return the different signs of puzzles, and the number of each cell's sign: shape (n, c)."""
    if all(isinstance(cells.signs, str) for cells in group):
        signs = np.array(["".join(cells.signs for cells in group).upper()]).view("U1")
    else:
        tokens = [token for cells in group for token in cells.signs]
        signs = [str(int(token)) if token[-1:].isdecimal() else token.upper() for token in tokens]
    different, codes = np.unique(signs, return_inverse=True)
    return different, codes.reshape(len(group), -1)


def _values(symbols, signs, codes):
    """Return the values of cells: int16 (n, c), 0 for a blank, -1 for a sign that has none."""
    values = dict.fromkeys(symbols.blanks, 0)
    values |= {sign: value for value, sign in enumerate(symbols.signs[1:], 1)}
    strange = [at for at, sign in enumerate(signs) if sign not in values]
    if len(strange) == 1 and not symbols.blanks & {*signs}:
        is_number = signs[strange[0]][-1].isdecimal()
        if not is_number and np.count_nonzero(codes == strange[0]) > 1:
            values[signs[strange[0]]] = 0
    cells = np.array([values.get(sign, -1) for sign in signs], np.int16)[codes]
    # An empty cell beside another blank may be a cell that is missing in its row.
    is_empty = (signs == "")[codes]
    cells[is_empty & ((cells == 0) & ~is_empty).any(axis=1)[:, None]] = -1
    return cells


def _has_zero_beside_blank(signs, codes):
    """Whether a puzzle has a 0 and another blank."""
    is_blank = np.isin(signs, [sign for sign in BLANKS if sign != "0"])
    return ((signs == "0")[codes].any(axis=1) & is_blank[codes].any(axis=1)).any()


def _misfits(values, order):
    """Whether puzzles have a cell without a value, or a value twice in a unit: shape (n,)."""
    is_misfit = (values < 0).any(axis=1)
    for unit in units(order):
        inside = np.sort(values[:, unit], axis=1)
        is_misfit |= ((inside[:, 1:] == inside[:, :-1]) & (inside[:, 1:] > 0)).any(axis=1)
    return is_misfit


def _only(fitting, has_zero_beside_blank, source, order):
    """Return the only reading, or the one that comes before the others; see above."""
    if order > 3:
        fitting = [reading for reading in fitting if reading[1].all(axis=1).any()] or fitting
        if has_zero_beside_blank:
            fitting = [reading for reading in fitting if reading[0].has_zero] or fitting
    first, *others = fitting
    for other in others:
        if (first[1] != other[1]).any():
            what = f"puzzles of order {order} may be in {first[0]} or {other[0]}"
            raise InputError(what, source, remedy=REMEDY.format(first[0]))
    return first


def _refuse(group, readings):
    """Raise `InputError` for the first puzzle that is none in the symbols that most cells fit."""
    order = group[0].order
    for cells in group:
        signs = list(cells.signs)
        if "" in signs and {*BLANKS[1:]} & {*signs}:
            cell = cell_name(signs.index(""), order**2)
            what = "an empty cell beside other blanks: write all blanks alike; is a cell missing?"
            raise InputError(f"{cell}: {what}", *cells.place)
    firsts = [int(np.argmax(_misfits(values, order))) for _, values in readings]
    fit = [(at, -(row[at] < 0).sum(), row[at].min()) for at, (_, row) in zip(firsts, readings)]
    at = max(fit)[0]
    symbols, values = readings[fit.index(max(fit))]
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

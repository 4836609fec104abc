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
from typing import NamedTuple, NoReturn

import numpy as np

from antdoku.errors import InputError, at_line, quote
from antdoku.puzzle.grid import Puzzle, cell_name, given_twice, units
from antdoku.puzzle.symbols import BLANKS, CHARACTERS, Symbols, numbers, symbols_of

Skip = Callable[[InputError], object]  # gets the error of each line or row that is skipped
REMEDY = "say which: --symbols, symbols= in Python, or a line '# symbols: {}' in the text"
EMPTY = "an empty cell beside other blanks: write all blanks alike; is a cell missing?"
SOLUTION = "a solution beside its puzzle: leave it out, or name the columns puzzle and solution"


class Location(NamedTuple):
    """Where a puzzle stands: a file or an argument, and its line or row."""

    source: str
    line: int | str | None = None

    def __str__(self):
        return at_line(*self)


class Cells(NamedTuple):
    """The cells of a puzzle: characters, or a list of numbers or of characters."""

    location: Location
    signs: str | list[str]
    name: str = ""
    from_one: bool = False  # whether the form says that numbers count from 1
    symbols: str = ""  # that the record names

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
        Whether puzzles that the source does not name are called after their line or row.
    skip : function, optional
        Gets the error of each line or row that cannot be read. By default, the first such line is
        refused.
    """

    symbols: str | None = None
    rules: bool = True
    column: str = "puzzle"
    named: bool = True
    skip: Skip | None = None

    @property
    def chosen(self) -> dict[int, Symbols]:
        """The symbols that are named, by their order."""
        names = (self.symbols or "").replace(",", " ").split()
        return {symbols.order: symbols for symbols in map(symbols_of, names)}

    def refuse(self, error: InputError) -> None:
        """Pass the error to `skip`, or raise it."""
        if self.skip is None:
            raise error
        self.skip(error)


def puzzles_of(grids: list[Cells], source: str, options: Options) -> list[Puzzle]:
    """Return the puzzles of a source; with `Options.skip`, all puzzles that can be read.

    `InputError` if a puzzle breaks the rules, means two things, or stands beside its solution.
    """
    if grids:
        check_orders(options, {cells.order for cells in grids}, source)
    try:
        return _puzzles(grids, source, options)
    except InputError:
        if options.skip is None:
            raise
    puzzles: list[Puzzle] = []
    for cells in grids:
        try:
            (puzzle,) = _puzzles([cells], source, options)
            _check_beside([*puzzles[-1:], puzzle], [cells, cells])
            puzzles.append(puzzle)
        except InputError as error:
            options.skip(error)
    return puzzles


def check_orders(options: Options, orders: set[int], source: str) -> None:
    """Raise `InputError` if symbols are named of which no puzzle has so many values."""
    if options.chosen.keys() - orders:
        raise InputError(f"symbols {options.symbols}: no puzzle in it has so many values", source)


def check_symbols(options: Options, puzzles: list[Puzzle], source: str) -> None:
    """Raise `InputError` if other symbols are named than the symbols of puzzles that are made."""
    check_orders(options, {puzzle.order for puzzle in puzzles}, source)
    for puzzle in puzzles:
        own = puzzle.symbols or numbers(puzzle.order)
        chosen = options.chosen.get(puzzle.order, own)
        if chosen.signs[1:] != own.signs[1:]:
            raise InputError(f"symbols {chosen}: the puzzles are in {own} already", source)


def stand_beside(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether one of two puzzles is complete and keeps all givens of the other one.

    It is no coincidence from 17 givens on, the fewest of a puzzle with one solution.
    """
    if first.size != second.size or first.all() == second.all():
        return False
    is_same = first == second
    return bool(is_same.sum() >= 17 and (is_same | (first == 0) | (second == 0)).all())


def _check_beside(puzzles, grids):
    """Raise `InputError` if solutions follow their puzzles, one by one or after all of them."""
    for distance in {1, max(len(puzzles) // 2, 1)}:
        for first, second, cells in zip(puzzles, puzzles[distance:], grids[distance:]):
            if stand_beside(first.givens, second.givens):
                raise InputError(SOLUTION, *cells.location)


def _puzzles(grids, source, options):
    """Return puzzles. All puzzles of an order and a form are in the same symbols."""
    chosen = options.chosen
    groups: dict = {}
    for at, cells in enumerate(grids):
        key = cells.order, cells.are_numbers, cells.from_one, cells.symbols
        groups.setdefault(key, []).append(at)
    puzzles: dict = {}
    for (order, are_numbers, _, name), members in groups.items():
        symbols = chosen.get(order) or (symbols_of(name) if name else None)
        candidates = [symbols] if symbols else _candidates(order, are_numbers)
        if candidates[0].gap and not are_numbers:
            reason = "these are numbers with spaces between"
            raise InputError(f"symbols {candidates[0]}: {reason}", source)
        group = [grids[at] for at in members]
        puzzles |= zip(members, _read_group(group, source, options, candidates), strict=True)
    in_order = [puzzles[at] for at in range(len(grids))]
    if options.column == "puzzle":
        _check_beside(in_order, grids)
    return in_order


def _candidates(order, are_numbers):
    if order <= 3 or (not are_numbers and order in CHARACTERS):
        return list(map(symbols_of, CHARACTERS[order]))
    return [numbers(order), numbers(order, 0)]


# --- Symbols that fit ----------------------------------------------------------------------------


class Reading(NamedTuple):
    """The values of puzzles in some symbols: int16 (n, c), 0 for a blank, -1 for a wrong sign."""

    symbols: Symbols
    values: np.ndarray

    @property
    def is_complete(self) -> bool:
        """Whether a puzzle has a value in each cell."""
        return bool((self.values > 0).all(axis=1).any())

    @property
    def misfits(self) -> np.ndarray:
        """Whether puzzles have a wrong sign, or a value twice in a unit: shape (n,)."""
        is_misfit = (self.values < 0).any(axis=1)
        for unit in units(isqrt(isqrt(self.values.shape[1]))):
            inside = np.sort(self.values[:, unit], axis=1)
            is_misfit |= ((inside[:, 1:] == inside[:, :-1]) & (inside[:, 1:] > 0)).any(axis=1)
        return is_misfit


def _read_group(group, source, options, candidates):
    """Return puzzles that are in the same symbols, the only candidate that fits."""
    order = group[0].order
    signs, codes = _codes(group)
    readings = [Reading(symbols, _values(symbols, signs, codes)) for symbols in candidates]
    has_zero_beside_blank = _has_zero_beside_blank(signs, codes)
    if len(readings) == 2 and not has_zero_beside_blank:
        is_complete = "0" in signs and readings[1].is_complete
        if not is_complete and (group[0].from_one or order <= 3):
            del readings[1]  # symbols from 0
    fitting = [reading for reading in readings if not reading.misfits.any()]
    if not fitting and not options.rules:
        fitting = [reading for reading in readings if reading.values.min() >= 0]
    if not fitting:
        _refuse(group, readings)
    symbols, values = _only(fitting, has_zero_beside_blank, source, order)
    if not symbols.gap and "".join(sign for cells in group for sign in cells.signs).islower():
        symbols = symbols._replace(signs=tuple(map(str.lower, symbols.signs)))
    values.setflags(write=False)
    names = [cells.name or str(cells.location) * options.named for cells in group]
    return [Puzzle.checked(order, row, name, symbols) for row, name in zip(values, names)]


def _only(readings, has_zero_beside_blank, source, order):
    """Return the reading that comes first; raise `InputError` if another one differs."""
    if order > 3:
        complete = [reading for reading in readings if reading.is_complete]
        from_zero = [reading for reading in readings if reading.symbols.has_zero]
        readings = complete or (has_zero_beside_blank and from_zero) or readings
    first, *rest = readings
    for reading in rest:
        if (first.values != reading.values).any():
            message = f"puzzles of order {order} may be in {first.symbols} or {reading.symbols}"
            raise InputError(message, source, remedy=REMEDY.format(first.symbols))
    return first


def _codes(group):
    """Return the distinct signs of puzzles, and for each cell the index of its sign: (n, c)."""
    if all(isinstance(cells.signs, str) for cells in group):
        signs = np.array(["".join(cells.signs for cells in group).upper()]).view("U1")
    else:
        tokens = [token for cells in group for token in cells.signs]
        signs = [str(int(token)) if token[-1:].isdecimal() else token.upper() for token in tokens]
    distinct, codes = np.unique(signs, return_inverse=True)
    return distinct, codes.reshape(len(group), -1)


def _values(symbols, signs, codes):
    """Return the values of cells: int16 (n, c), 0 for a blank, -1 for a wrong sign."""
    values = dict.fromkeys(symbols.blanks, 0)
    values |= {sign: value for value, sign in enumerate(symbols.signs[1:], 1)}
    strange = [at for at, sign in enumerate(signs) if sign not in values]
    if len(strange) == 1 and not symbols.blanks & {*signs}:  # one other sign may be the blank
        is_number = signs[strange[0]][-1].isdecimal()
        if not is_number and np.count_nonzero(codes == strange[0]) > 1:
            values[signs[strange[0]]] = 0
    cells = np.array([values.get(sign, -1) for sign in signs], np.int16)[codes]
    is_empty = (signs == "")[codes]
    cells[is_empty & ((cells == 0) & ~is_empty).any(axis=1)[:, None]] = -1
    return cells


def _has_zero_beside_blank(signs, codes):
    """Whether a puzzle has a 0 and another blank."""
    is_blank = np.isin(signs, [sign for sign in BLANKS if sign != "0"])
    return ((signs == "0")[codes].any(axis=1) & is_blank[codes].any(axis=1)).any()


def _refuse(group, readings) -> NoReturn:
    """Raise `InputError` for the first bad puzzle, in the symbols that fit most of its cells."""
    order = group[0].order
    for cells in group:
        signs = list(cells.signs)
        if "" in signs and {*BLANKS[1:]} & {*signs}:
            name = cell_name(signs.index(""), order**2)
            raise InputError(f"{name}: {EMPTY}", *cells.location)
    firsts = [int(np.argmax(reading.misfits)) for reading in readings]
    rows = [reading.values[at] for at, reading in zip(firsts, readings)]
    best = max(range(len(rows)), key=lambda i: (firsts[i], -(rows[i] < 0).sum(), rows[i].min()))
    cells, cell = group[firsts[best]], int(np.argmin(rows[best]))
    if rows[best][cell] >= 0:
        note = f" (written in {readings[best].symbols})" if order > 3 else ""
        repeated = given_twice(rows[best], order, readings[best].symbols)
        raise InputError(f"{repeated}{note}", *cells.location)
    allowed = " or ".join(reading.symbols.name for reading in readings)
    raise InputError(
        f"{cell_name(cell, order**2)}: {quote(cells.signs[cell])} is not a cell of order {order}: "
        f"allowed are {allowed}, and . * _ - or one other sign for a blank, or 0 where it is no "
        "value",
        *cells.location,
    )

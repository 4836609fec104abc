"""The symbols in which a source writes its puzzles.

A text may fit several symbols: without a G, ``1-G`` looks like ``0-F``, in which every value is
another. So all puzzles of a source, of an order and a form, decide together:

- Symbols fit if each cell has a value or is blank, and no unit has a value twice.
- From order 4 on, symbols in which a grid is complete come first.
- At orders 2 and 3, symbols from 0 are tried if 0 stands beside another blank, or in each unit.
- If symbols from 0 fit all cells of each puzzle but one, and 0 stands beside another blank, this
  cell is refused: in other symbols all zeros would become blanks.
- One other sign is the blank if it stands in several cells and there is no blank.
- A second sign for a blank that stands in no more cells of a puzzle than a value may is refused: it
  may be a value. A 0 is read if the symbols are named.

A source that still has two meanings is refused.
"""

from collections import Counter
from dataclasses import replace
from itertools import groupby
from string import ascii_uppercase
from typing import NamedTuple, NoReturn

import numpy as np

from antdoku.errors import InputError, quote
from antdoku.puzzle.grid import Puzzle, cell_name, given_twice, have_twice
from antdoku.puzzle.symbols import BLANKS, CHARACTERS, Symbols, numbers, symbols_of
from antdoku.reading.batches import Batch, check_beside
from antdoku.reading.cells import EMPTY, Cells, Location, Options, is_complete
from antdoku.reading.plain import have_rare

REMEDY = "say which: --symbols, symbols= in Python, or a line '# symbols: {}' in the text"


def batches_of(grids: list[Cells], source: str, options: Options) -> list[Batch]:
    """Return the puzzles of a source; with `Options.skip`, all puzzles that can be read.

    `InputError` if a puzzle breaks the rules, means two things, or stands beside its solution.
    """
    if options.column == "solution":
        grids = [
            cells._replace(signs=cells.solution, solution=cells.signs) if cells.solution else cells
            for cells in grids
        ]
    elif any(cells.solution for cells in grids):
        grids = _without_lone_solutions(grids, options)
    if grids:
        check_orders(options, {cells.order for cells in grids}, source)
    try:
        return _batches(grids, source, options)
    except InputError:
        if options.skip is None:
            raise
    batches: list[Batch] = []
    for cells in grids:
        try:
            batch = _batches([cells], source, options)
            check_beside([*batches[-1:], *batch], options)
            batches += batch
        except InputError as error:
            options.skip(error)
    return batches


def _without_lone_solutions(grids, options):
    """Refuse complete grids alone, where solutions stand beside other puzzles."""
    left = []
    for cells in grids:
        if cells.solution or not is_complete(cells.signs):
            left.append(cells)
        else:
            options.refuse(lone_solution(cells.location))
    return left


def lone_solution(location: Location) -> InputError:
    """Return the error of a complete grid among puzzles with their solutions."""
    return InputError("a solution alone: is its puzzle missing?", *location)


def check_orders(options: Options, orders: set[int], source: str) -> None:
    """Raise `InputError` if symbols are named of which no puzzle has so many values."""
    if options.chosen.keys() - orders:
        raise InputError(f"symbols {options.symbols}: no puzzle in it has so many values", source)


def check_symbols(options: Options, puzzles: list[Puzzle], source: str) -> None:
    """Raise `InputError` if other symbols are named than the symbols of puzzles that are made."""
    check_orders(options, {puzzle.order for puzzle in puzzles}, source)
    for puzzle in puzzles:
        symbols = puzzle.symbols or numbers(puzzle.order)
        chosen = options.chosen.get(puzzle.order, symbols)
        if chosen.signs[1:] != symbols.signs[1:]:
            raise InputError(f"symbols {chosen}: the puzzles are in {symbols} already", source)


def _batches(grids, source, options):
    """Return batches in the order of the source. Puzzles of one form are in the same symbols."""
    forms = [cells.form for cells in grids]
    readings = {}
    for form in dict.fromkeys(forms):
        members = [cells for cells in grids if cells.form == form]
        readings[form] = _read_group(members, source, options, _candidates(form, options, source))
    batches, used = [], Counter()
    for form, members in groupby(forms):
        first = used[form]
        used[form] += len(list(members))
        batches.append(readings[form][first : used[form]])
    check_beside(batches, options)
    return batches


def _candidates(form, options, source):
    """Return the symbols that puzzles of a form may be in."""
    order, are_numbers, _, name = form
    symbols = options.chosen.get(order) or (symbols_of(name) if name else None)
    if symbols and symbols.gap and not are_numbers:
        raise InputError(f"symbols {symbols}: these are numbers with spaces between", source)
    if symbols:
        return [symbols]
    if order <= 3 or (not are_numbers and order in CHARACTERS):
        return list(map(symbols_of, CHARACTERS[order]))
    return [numbers(order), numbers(order, 0)]


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
        return (self.values < 0).any(axis=1) | have_twice(np.maximum(self.values, 0))

    @property
    def is_nearly_right(self) -> bool:
        """Whether each puzzle fits, if one of its cells is made a blank."""
        return all(map(_is_nearly_right, self.values[self.misfits]))


def _is_nearly_right(values):
    """Whether a puzzle fits if one of its cells is made a blank."""
    wrong = np.flatnonzero(values < 0)
    if len(wrong) > 1:
        return False
    cells = wrong if len(wrong) else np.flatnonzero(values)
    trials = np.tile(np.maximum(values, 0), (len(cells), 1))
    trials[np.arange(len(cells)), cells] = 0
    return not have_twice(trials).all()


def _read_group(group, source, options, candidates) -> Batch:
    """Return puzzles that are in the same symbols, the only candidate that fits."""
    order = group[0].order
    signs, codes = _codes([cells.signs for cells in group])
    readings = [Reading(symbols, _values(symbols, signs, codes)) for symbols in candidates]
    has_zero_beside_blank = _has_zero_beside_blank(signs, codes)
    if len(readings) == 2 and not has_zero_beside_blank:
        is_complete = "0" in signs and readings[1].is_complete
        if group[0].from_one:  # as in `array_parts`
            n_zeros = (readings[0].values == 0).sum(axis=1)
            is_complete = is_complete and (n_zeros == order**2).any()
        if not is_complete and (group[0].from_one or order <= 3):
            del readings[1]  # symbols from 0
    fitting = [reading for reading in readings if not reading.misfits.any()]
    if not fitting and not options.rules:
        fitting = [reading for reading in readings if reading.values.min() >= 0]
    if not fitting:
        _refuse(group, readings)
    if has_zero_beside_blank:
        _check_from_zero(group, readings, fitting)
    symbols, values = _only(fitting, source, order)
    _check_blanks(group, values, signs, codes, has_names=order in options.chosen)
    if not symbols.gap and "".join(sign for cells in group for sign in cells.signs).islower():
        symbols = symbols._replace(signs=tuple(map(str.lower, symbols.signs)))
    names = np.array([cells.name for cells in group], object)
    labels = np.array([str(cells.location) for cells in group], object)
    batch = Batch(values.astype(np.uint8), symbols, "", labels, names)
    has_beside = options.column != "puzzle" and any(cells.solution for cells in group)
    return replace(batch, beside=_beside(group, symbols, options)) if has_beside else batch


def _beside(group, symbols, options):
    """Return what stands beside grids, uint8 (n, c); a grid beside which nothing stands, itself."""
    if options.column == "both":
        for cells in group:
            if not cells.solution:
                raise InputError("solutions stand beside some of the puzzles only", *cells.location)
    solved = [cells._replace(signs=cells.solution or cells.signs) for cells in group]
    for cells in solved:
        if cells.order != group[0].order:
            raise InputError("a solution of another size than its puzzle", *cells.location)
    reading = Reading(symbols, _values(symbols, *_codes([cells.signs for cells in solved])))
    if (reading.values < 0).any():
        _refuse(solved, [reading])
    return reading.values.astype(np.uint8)


def _only(readings, source, order):
    """Return the reading that comes first; raise `InputError` if another one differs."""
    if order > 3:
        readings = [reading for reading in readings if reading.is_complete] or readings
    first, *rest = readings
    for reading in rest:
        if (first.values != reading.values).any():
            message = f"puzzles of order {order} may be in {first.symbols} or {reading.symbols}"
            raise InputError(message, source, remedy=REMEDY.format(first.symbols))
    return first


def _check_from_zero(group, readings, fitting):
    """Refuse puzzles that would be in symbols from 0 but for a cell: 0 would become a blank."""
    for reading in readings:
        if reading.symbols.has_zero and reading not in fitting and reading.is_nearly_right:
            remedy = f"or is 0 a blank? give --symbols {fitting[0].symbols} (in Python symbols=)"
            try:
                _refuse(group, [reading])
            except InputError as error:
                raise InputError(error.what, error.place, error.line, remedy) from None


def _check_blanks(group, values, signs, codes, has_names):
    """Refuse a sign for a blank in few cells of a puzzle whose other blanks have another sign."""
    size = group[0].order ** 2
    blanks = [at for at in np.unique(codes[values == 0]) if signs[at] != "0" or not has_names]
    counts = np.array([(codes == at).sum(axis=1) for at in blanks])
    for at in np.flatnonzero(have_rare(counts, size)) if len(blanks) > 1 else ():
        rare = min((number, blank) for number, blank in zip(counts[:, at], blanks) if number)[1]
        name = cell_name(int(np.argmax(codes[at] == rare)), size)
        sign = "a blank" if signs[rare] == "." else quote(str(signs[rare]))  # None in lists
        message, remedy = f"{name}: {sign} beside another sign for blanks", "write all blanks alike"
        raise InputError(message, *group[at].location, remedy=f"{remedy}; is it a value?")


def _codes(grids):
    """Return the distinct signs of puzzles, and for each cell the index of its sign: (n, c)."""
    if all(isinstance(cells, str) for cells in grids):
        signs = np.array(["".join(grids).upper()]).view("U1")
    else:
        tokens = [token for cells in grids for token in cells]
        signs = [str(int(token)) if token[-1:].isdecimal() else token.upper() for token in tokens]
    distinct, codes = np.unique(signs, return_inverse=True)
    return distinct, codes.reshape(len(grids), -1)


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
    letters = ascii_uppercase[: order**2]
    are_letters = {*"".join(cells.signs).upper()} <= {*letters, *"".join(BLANKS)}
    remedy = f"are they in letters? give --symbols {letters}" if are_letters else None
    is_sign = not cells.signs[cell].isalnum() and cells.signs.count(cells.signs[cell]) > 1
    if order <= 3 and is_sign and "0" in cells.signs:
        remedy = f"is 0 a value? give --symbols 0-{order**2 - 1} (in Python symbols=)"
    raise InputError(
        f"{cell_name(cell, order**2)}: {quote(cells.signs[cell])} is not a cell of order {order}: "
        f"allowed are {allowed}, and for a blank . * _ -, or 0 where it is no value, or else one "
        "other sign",
        *cells.location,
        remedy,
    )

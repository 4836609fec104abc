"""Geometry of Sudoku grids, the puzzle, and the judge of solutions.

Glossary: order n (3 for the usual Sudoku), size d = n*n (rows, columns, boxes, values), cells
c = d*d, numbered row by row from 0. A unit is a row, a column or a box; the peers of a cell are
the other cells of its three units.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from antdoku.errors import InputError
from antdoku.puzzle import drawing
from antdoku.puzzle.symbols import ORDERS, Symbols, numbers, usual

MIN_ORDER, MAX_ORDER = ORDERS[0], ORDERS[-1]
UNIT_KINDS = ("row", "column", "box")
BATCH = 500  # grids that are checked at a time: their arrays fit the cache of a core


def check_order(order: int) -> int:
    """Return `order`, or raise `InputError` if it is not between 2 and 10."""
    if not isinstance(order, int | np.integer) or order not in ORDERS:
        raise InputError(f"order {order!r}: must be a whole number from {MIN_ORDER} to {MAX_ORDER}")
    return order


@cache
def units(order: int) -> np.ndarray:
    """Return the cells of units: int16, shape (3*d, d), read-only; rows, columns, then boxes.

    Box k is the one at band k // n and stack k % n.
    """
    size = check_order(order) ** 2
    rows = np.arange(size * size, dtype=np.int16).reshape(size, size)
    boxes = rows.reshape(order, order, order, order).swapaxes(1, 2).reshape(size, size)
    return _read_only(np.concatenate([rows, rows.T, boxes]))


@cache
def units_of_cell(order: int) -> np.ndarray:
    """Return row, column and box of cells: int16, shape (c, 3), numbers of units, read-only."""
    positions = np.argsort(units(order), axis=None, kind="stable")  # three of a cell
    return _read_only((positions // order**2).astype(np.int16).reshape(-1, 3))


@cache
def peers(order: int) -> np.ndarray:
    """Return the peers of cells: int16, shape (c, 3*d - 2*n - 1), ascending, read-only."""
    neighbours = np.sort(units(order)[units_of_cell(order)].reshape(order**4, -1))
    is_first = np.diff(neighbours, prepend=-1) > 0
    is_other = neighbours != np.arange(order**4)[:, None]
    return _read_only(neighbours[is_first & is_other].reshape(order**4, -1))


def root_grid(order: int) -> np.ndarray:
    """Return the root solution of Lewis 2007, section 2: int16, shape (d, d).

    Each row is the cyclic sequence, shifted by n per row inside a band and by 1 more per band.
    """
    size = check_order(order) ** 2
    row = np.arange(size)
    shift = order * (row % order) + row // order
    return ((row[None, :] + shift[:, None]) % size + 1).astype(np.int16)


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A Sudoku puzzle.

    Parameters
    ----------
    order : int
        Side of a box, n, from 2 to 10; the grid has d = n*n rows and c = d*d cells.
    givens : array_like of int, c values
        Row by row, 0 for a blank cell, else 1 .. d. Kept as a read-only int16 array of shape (c,).
    name : str
        How messages and tables call it.
    symbols : Symbols, optional
        The symbols of the text that it was read from: it is written in them.

    Raises
    ------
    InputError
        If the number of cells or a value does not fit the order, or two equal givens share a unit.

    Notes
    -----
    Puzzles with the same givens are equal, whatever they are called and written in. ``np.array`` of
    a puzzle is its `grid`.
    """

    order: int
    givens: np.ndarray = ()
    name: str = ""
    symbols: Symbols | None = None

    def __post_init__(self):
        if not isinstance(self.order, int | np.integer) or isinstance(self.givens, str):
            remedy = "antdoku.read makes puzzles of texts, files and arrays"
            raise InputError(f"Puzzle(order, givens): these are whole numbers; {remedy}")
        check_order(self.order)
        # A private copy, so that nobody who holds the caller's array can change the puzzle.
        try:
            givens = np.array(self.givens).ravel()
        except ValueError:
            raise InputError("the rows differ in length", self.name or None) from None
        wrong = _wrong_values(givens, self.order) or given_twice(givens, self.order)
        if wrong:
            raise InputError(wrong, self.name or None)
        object.__setattr__(self, "givens", _read_only(givens.astype(np.int16)))

    @classmethod
    def checked(
        cls, order: int, givens: np.ndarray, name: str, symbols: Symbols | None
    ) -> "Puzzle":
        """Build a puzzle from givens that are checked already (read-only int16)."""
        puzzle = object.__new__(cls)
        puzzle.__dict__.update(order=order, givens=givens, name=name, symbols=symbols)
        return puzzle

    def renamed(self, name: str) -> "Puzzle":
        """Return the same puzzle under another name."""
        return self.checked(self.order, self.givens, name, self.symbols)

    def __setstate__(self, state):
        # NumPy makes an array from another process writable, and Numba would compile its kernels
        # again for writable arrays.
        self.__dict__.update(state, givens=_read_only(state["givens"]))

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}: order {self.order}, {self.n_givens} givens>"

    def __str__(self):
        return self.line

    def __eq__(self, puzzle):
        if not isinstance(puzzle, Puzzle):
            return NotImplemented
        return self.order == puzzle.order and bool((self.givens == puzzle.givens).all())

    def __hash__(self):
        return hash((self.order, self.givens.tobytes()))

    def __array__(self, dtype=None, copy=None):
        return np.array(self.grid, dtype, copy=copy)  # of shape (d, d)

    def _repr_html_(self):
        return drawing.html(self, self.givens)

    def draw(self) -> str:
        """The puzzle as a grid with boxes."""
        return drawing.draw(self, self.givens, bold=False)

    @property
    def line(self) -> str:
        """The puzzle as one line, in the symbols that it was read in."""
        return self.writing.line(self.givens.tolist())

    @property
    def writing(self) -> Symbols:
        """The symbols of `line`: the puzzle was read in them, or else they are usual."""
        return self.symbols or usual(self.order, self.givens.tolist())

    @property
    def grid(self) -> np.ndarray:
        """The givens as int16 of shape (d, d), 0 for a blank, read-only."""
        return self.givens.reshape(self.size, self.size)

    @property
    def size(self) -> int:
        """d: number of rows, columns, boxes and values."""
        return self.order**2

    @property
    def n_cells(self) -> int:
        """c = d*d."""
        return self.order**4

    @property
    def n_givens(self) -> int:
        """Number of cells that are given."""
        return int(np.count_nonzero(self.givens))

    @property
    def fixed_fraction(self) -> float:
        """p: given cells / all cells."""
        return self.n_givens / self.n_cells


def _wrong_values(givens, order):
    """Describe a wrong number of cells or a wrong value; return None if all are right."""
    size = order**2
    if givens.size != size**2:
        return f"{givens.size} cells: a puzzle of order {order} has {size**2}"
    if givens.dtype.kind not in "iu":
        return f"{givens.dtype} cells: values must be whole numbers; antdoku.read takes others"
    wrong = np.flatnonzero((givens < 0) | (givens > size))
    if not wrong.size:
        return None
    value = f"{cell_name(wrong[0], size)}: value {givens[wrong[0]]}"
    return f"{value} is out of range: allowed are 1 to {size}, or blank"


def given_twice(givens: np.ndarray, order: int, symbols: Symbols | None = None) -> str | None:
    """Name two equal givens that share a unit; return None if no unit has a given twice."""
    if not (repeated := _repeated(givens, order)):
        return None
    kind, first, second, value = repeated
    sign = (symbols or numbers(order)).signs[value]
    return f"{first} and {second}: the {kind} has the given {sign} twice"


def have_twice(grids: np.ndarray) -> np.ndarray:
    """Return for each grid, integers (n, c), 0 for a blank, whether a unit has a value twice."""
    parts = [_have_twice(grids[at : at + BATCH]) for at in range(0, len(grids), BATCH)]
    return np.concatenate(parts) if parts else np.zeros(0, bool)


def _have_twice(grids):
    order = round(grids.shape[1] ** 0.25)
    if order > 4:
        inside = np.sort(grids[:, units(order)], axis=2)
        return ((inside[..., 1:] == inside[..., :-1]) & (inside[..., 1:] > 0)).any(axis=(1, 2))
    bits = np.left_shift(1, grids.T, dtype=np.int32) & ~np.int32(1)
    in_units = bits[units(order)]
    distinct = np.bitwise_or.reduce(in_units, axis=1)
    return (in_units.sum(axis=1, dtype=np.int32) != distinct).any(axis=0)


def is_solution(puzzle: Puzzle, solution) -> bool:
    """Whether `solution`, c values or None, solves a puzzle: it has no `flaw`."""
    return solution is not None and flaw(puzzle, solution) is None


def flaw(puzzle: Puzzle, values) -> str | None:
    """Describe why c values do not solve a puzzle; return None if they do.

    A solution keeps every given and has every value once in each unit. This is the only judge of
    solutions: it is kept free of the code of the solvers.
    """
    values, size = np.asarray(values).tolist(), puzzle.size
    signs = (puzzle.symbols or numbers(puzzle.order)).signs
    if len(values) != puzzle.n_cells:
        return f"{len(values)} cells instead of {puzzle.n_cells}"
    for cell, (given, value) in enumerate(zip(puzzle.givens.tolist(), values)):
        if value == 0:
            return f"{cell_name(cell, size)} is blank"
        if value not in range(1, size + 1):
            return f"{cell_name(cell, size)} is {value}: allowed are 1 to {size}"
        if given not in (0, value):
            return f"{cell_name(cell, size)} is {signs[value]}, but {signs[given]} is given"
    if repeated := _repeated(np.array(values), puzzle.order):
        kind, first, second, value = repeated
        return f"the {kind} of {first} and {second} has {signs[value]} twice"
    return None


def _repeated(values, order):
    """Return the kind of the first unit with a value twice, two cells and the value, or None."""
    size, inside = order**2, np.sort(values[units(order)], axis=1)
    repeated = np.argwhere((inside[:, 1:] == inside[:, :-1]) & (inside[:, 1:] > 0))
    if not repeated.size:
        return None
    unit, value = int(repeated[0, 0]), inside[tuple(repeated[0])]
    cells = [cell_name(cell, size) for cell in units(order)[unit] if values[cell] == value]
    return UNIT_KINDS[unit // size], *cells[:2], value


def cell_name(cell: int, size: int) -> str:
    """Return the name of a cell in messages: ``r1c1`` is the first."""
    return f"r{cell // size + 1}c{cell % size + 1}"


def _read_only(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array.view()  # of which nobody can set the flag again

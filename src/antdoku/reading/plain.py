"""Plain puzzles: 9x9, 81 characters each. There may be millions, which are read as arrays."""

import numpy as np

from antdoku.errors import InputError, at_line
from antdoku.puzzle.grid import given_twice, have_twice
from antdoku.puzzle.symbols import symbols_of
from antdoku.reading.batches import Batch
from antdoku.reading.beside import solution_beside
from antdoku.reading.cells import NAMES, PUZZLES
from antdoku.reading.headers import SOLUTIONS, SYMBOLS

CELLS = 81  # of a plain puzzle
SPACES = (CELLS - 1) * " "
SPACED = CELLS + len(SPACES)  # characters of a plain puzzle with spaces between its cells
BATCH = 16_384  # plain puzzles that are read at a time
SIGNS = b"0123456789.*"  # of plain puzzles
PLAIN = symbols_of("1-9")
VALUE_OF = bytes(sign - 48 if sign in b"123456789" else 0 for sign in range(256))


def plain_table(table, source, first, options) -> Batch | None:
    """Return the puzzles of a table, or None if a row is not plain or names its symbols."""
    puzzles = [column for column in PUZZLES if column in table]
    solutions = [column for column in SOLUTIONS if column in table]
    if options.column == "solution" and solutions:
        puzzles, solutions = solutions, puzzles
    columns = puzzles + (solutions if options.column != "puzzle" else [])
    if len(puzzles) != 1 or len(columns) > 2 or SYMBOLS in table:
        return None
    arrays = [plain_cells(table[column]) for column in columns]
    if any(array is None for array in arrays):
        return None
    may_be_swapped = solutions and options.column != "solution"
    for row in np.flatnonzero(arrays[0].all(axis=1)) if may_be_swapped else ():
        if not {*".*0"}.isdisjoint(str(table[solutions[0]][row])):
            return None  # puzzle and solution are swapped
    names = next((table[column] for column in NAMES if column in table), None)
    return plain_batch(arrays[0], source, "row ", first, options, names, *arrays[1:])


def plain_batch(
    grids, source, row, first, options, names=None, beside=None, symbols=PLAIN
) -> Batch:
    """Return plain puzzles as a batch; `row` stands before the number of a row of a table.

    `first` is the number of the first puzzle, or an array of all numbers.
    """
    numbers = first if isinstance(first, np.ndarray) else np.arange(first, first + len(grids))
    label = at_line(source, row) if row else f"{source}:"
    own_names = None if names is None else np.fromiter(names, object, len(grids))
    batch = Batch(grids, symbols, label, numbers, own_names, beside)
    misfits = have_twice(grids) if options.rules else np.zeros(len(grids), bool)
    for at in np.flatnonzero(misfits).tolist():
        line = f"{row}{numbers[at]}" if row else int(numbers[at])
        options.refuse(InputError(given_twice(grids[at], symbols.order), source, line))
    return batch[~misfits] if misfits.any() else batch


def plain_cells(cells) -> np.ndarray | None:
    """Return cells of a table as values, or None if one of them is not a plain puzzle.

    In all of them a space may stand between two cells, as `antdoku.write` writes tables.
    """
    if not cells or not all(isinstance(cell, str) for cell in cells):
        return None
    if len(cells[0]) == SPACED:
        if any(cell[1::2] != SPACES for cell in cells):
            return None
        cells = [cell[::2] for cell in cells]
    if any(len(cell) != CELLS for cell in cells):
        return None
    data = "".join(cells).encode("ascii", "replace")
    return None if data.translate(None, SIGNS) else plain_grids(data)


def plain_grids(lines: bytes) -> np.ndarray | None:
    """Return plain lines as values; None if they may mean something else.

    They may be in 0-8, rows of an 81x81 grid, or a solution and its puzzle, or have a sign in few
    cells beside another one for blanks. In 0-8, zeros stand
    beside another blank, or a complete grid has nine zeros; and there is no 9, or one by mistake.
    """
    from_zero = lines.count(b"9") <= 1  # may they be
    blanks = [sign for sign in b"0.*" if sign in lines]
    signs = np.frombuffer(lines.translate(None, b"\r\n"), np.uint8).reshape(-1, CELLS)
    if from_zero and b"0" in lines and (b"." in lines or b"*" in lines):
        has_zero = (signs == ord("0")).any(axis=1)
        if (signs[has_zero] < ord("0")).any():
            return None
    counts = [(signs == sign).sum(axis=1) for sign in blanks]
    if len(blanks) > 1 and have_rare(np.array(counts), 9).any():
        return None
    grids = np.frombuffer(signs.tobytes().translate(VALUE_OF), np.uint8).reshape(-1, CELLS).copy()
    n_givens = np.count_nonzero(grids, axis=1)
    may_be_from_zero = from_zero and (n_givens == CELLS - 9).any()
    may_be_rows = np.count_nonzero(n_givens <= 9) >= CELLS
    is_beside = solution_beside(grids, n_givens == CELLS) is not None
    return None if may_be_from_zero or may_be_rows or is_beside else grids


def have_rare(counts: np.ndarray, size: int) -> np.ndarray:
    """Whether puzzles have several signs for blanks, one of them in up to `size` cells.

    `counts` (signs, puzzles) says in how many cells each sign stands.
    """
    is_rare = (counts > 0) & (counts <= size)
    return is_rare.any(axis=0) & ((counts > 0).sum(axis=0) > 1)
